"""The interface for programs: all operations, of which the routes and the document are made."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from starlette.routing import Route

from mauerwerk.games import GAMES
from mauerwerk.server.api import messages
from mauerwerk.server.api.openapi import document
from mauerwerk.server.api.operation import Operation, Resource
from mauerwerk.server.api.table_messages import TableView
from mauerwerk.server.features.accounts import api as own_data
from mauerwerk.server.features.chat import api
from mauerwerk.server.features.evenings import api as evenings
from mauerwerk.server.features.lobby import api as lobby
from mauerwerk.server.features.matchmaking import api as finding
from mauerwerk.server.features.moderation import api as ruling
from mauerwerk.server.features.results import api as people
from mauerwerk.server.features.results import api as people_messages
from mauerwerk.server.features.table import api as playing
from mauerwerk.server.http.identity import HostAccess
from mauerwerk.server.http.request import AppState, Request
from mauerwerk.server.http.response import reply

TABLE: Final = "/api/tables/{table}"
MOVED: Final[Mapping[str, Any]] = {"word": "T", "version": 7, "key": "c0ffee"}
ORDERED: Final[Mapping[str, Any]] = {
    "game": next(iter(GAMES)),
    "chairs": [{"kind": "human"}, {"kind": "bot", "level": "apprentice"}, {"kind": "open"}],
    "options": {},
    "mine": [0],
    "public": True,
}

OPERATIONS: Final = (
    Operation("GET", "/api/games", lobby.list_games, messages.Nothing, messages.Games),
    Operation(
        "POST",
        "/api/guests",
        lobby.become_guest,
        messages.NewGuest,
        messages.Welcome,
        status=201,
        example={"name": "Ada"},
    ),
    Operation("GET", "/api/guests/me", lobby.who_am_i, messages.Nothing, messages.Known),
    Operation(
        "GET", "/api/guests/me/tables", lobby.list_own_tables, messages.BrowseOwn, messages.Tables
    ),
    Operation(
        "GET", "/api/guests/me/followed", lobby.list_followed, messages.Nothing, messages.Tables
    ),
    Operation(
        "GET", "/api/guests/me/data", own_data.take_along, messages.Nothing, "application/zip"
    ),
    Operation(
        "POST",
        "/api/guests/me/forget",
        own_data.be_forgotten,
        messages.Forget,
        messages.Forgotten,
        example={"sure": True},
    ),
    Operation(
        "GET",
        "/api/guests/me/results",
        people.list_results,
        people_messages.BrowseResults,
        people_messages.Results,
    ),
    Operation(
        "GET",
        "/api/ratings",
        people.list_ratings,
        people_messages.BrowseRatings,
        people_messages.Ratings,
        refuses=(404,),
    ),
    Operation("GET", "/api/tables", lobby.list_tables, messages.Browse, messages.Tables),
    Operation(
        "POST",
        "/api/tables",
        lobby.open_table,
        messages.NewTable,
        messages.Opened,
        status=201,
        example=ORDERED,
    ),
    Operation("GET", TABLE, playing.look, messages.Look, TableView),
    Operation("GET", f"{TABLE}/story", playing.look_back, messages.LookBack, messages.Story),
    Operation("GET", f"{TABLE}/stream", playing.follow, messages.Follow, "text/event-stream"),
    Operation(
        "GET", f"{TABLE}/record", playing.read_record, messages.Nothing, "text/plain; charset=utf-8"
    ),
    Operation("GET", f"{TABLE}/hints", playing.advise, messages.Advise, messages.Advices),
    Operation(
        "POST", f"{TABLE}/sit", playing.sit, messages.Sit, messages.Seated, example={"seat": 2}
    ),
    Operation(
        "POST",
        f"{TABLE}/claim",
        playing.claim,
        messages.Claim,
        messages.Seated,
        example={"token": "QHkuWm0zVlpnc2JqZ3RBdHlX", "name": "Ada"},
    ),
    Operation("POST", f"{TABLE}/stand", playing.stand, messages.Leave, messages.Done, example={}),
    Operation(
        "POST",
        f"{TABLE}/away",
        playing.hand_over,
        messages.HandOver,
        messages.Done,
        example={"level": "apprentice"},
    ),
    Operation(
        "POST", f"{TABLE}/back", playing.come_back, messages.Leave, messages.Done, example={}
    ),
    Operation("POST", f"{TABLE}/rest", playing.rest, messages.Leave, messages.Done, example={}),
    Operation(
        "POST", f"{TABLE}/moves", playing.move, messages.Move, messages.Done, (409,), example=MOVED
    ),
    Operation(
        "POST",
        f"{TABLE}/chance",
        playing.enter,
        messages.Enter,
        messages.Done,
        (409,),
        example={"word": "@1", "version": 3, "key": "d1ce"},
    ),
    Operation(
        "POST",
        f"{TABLE}/undo",
        playing.take_back,
        messages.Undo,
        messages.Done,
        (409,),
        example={"version": 8},
    ),
    Operation(
        "POST",
        f"{TABLE}/consent",
        playing.consent,
        messages.Consent,
        messages.Done,
        (409,),
        example={"agree": True},
    ),
    Operation(
        "POST", f"{TABLE}/end", playing.end_frozen, messages.Nothing, messages.Ended, example={}
    ),
    Operation(
        "POST",
        f"{TABLE}/rematch",
        playing.rematch,
        messages.Nothing,
        messages.Elsewhere,
        example={},
    ),
    Operation(
        "POST",
        f"{TABLE}/reports",
        playing.report,
        messages.NewReport,
        messages.Reported,
        example={"seat": 1, "about": "name"},
    ),
    Operation(
        "GET", f"{TABLE}/watchers", playing.see_watchers, messages.Nothing, messages.Watchers
    ),
    Operation(
        "POST",
        f"{TABLE}/follow",
        playing.follow_game,
        messages.FollowGame,
        messages.Followed,
        example={"follow": True},
    ),
    Operation("GET", f"{TABLE}/talk", api.listen, api.Listen, api.Talk),
    Operation(
        "POST",
        f"{TABLE}/talk",
        api.say,
        api.Say,
        api.Said,
        status=201,
        example={"form": "phrase", "word": "well-built"},
    ),
    Operation(
        "POST",
        f"{TABLE}/talk/reports",
        api.report_said,
        api.ReportSaid,
        messages.Reported,
        example={"number": 1},
    ),
    Operation(
        "GET", f"{TABLE}/seats/{{seat}}/link", playing.see_link, messages.Nothing, messages.Link
    ),
    Operation(
        "GET", f"{TABLE}/seats/{{seat}}/qr", playing.see_qr_code, messages.Nothing, "image/svg+xml"
    ),
)
"""Everything that a program can ask for."""


async def read_document(request: Request, ask: messages.Nothing) -> object:
    """This document."""
    del ask
    document = whole_document(for_hosts=request.app.service(HostAccess).exists)
    return reply({**document, "servers": [{"url": request.address("")}]})


DOCUMENT: Final = Operation(
    "GET", "/api/openapi.json", read_document, messages.Nothing, "application/json"
)
ALL: Final = (*OPERATIONS, *evenings.OPERATIONS, *finding.OPERATIONS, DOCUMENT)


def whole_document(*, for_hosts: bool = False) -> Mapping[str, Any]:
    """The OpenAPI document, with what hosts can do, if the server has a token for them."""
    return _document_of(tuple(GAMES), for_hosts)


@cache
def _document_of(_games: tuple[str, ...], for_hosts: bool) -> Mapping[str, Any]:  # noqa: FBT001 - cached by it
    """The document with the types of these games, made once."""
    return document((*ALL, *ruling.OPERATIONS) if for_hosts else ALL)


def routes(app: AppState) -> list[Route]:
    """A route for each path; those that are asked for most come first, as they are found first."""
    paths: dict[str, list[Operation]] = {f"{TABLE}/moves": [], TABLE: []}
    for operation in (*ALL, *(ruling.OPERATIONS if app.service(HostAccess).exists else ())):
        paths.setdefault(operation.path, []).append(operation)
    return [Route(path, Resource(operations)) for path, operations in paths.items()]
