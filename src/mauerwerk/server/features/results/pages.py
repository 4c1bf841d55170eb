"""A guest's finished games: when, with whom, which place; with filters, page by page."""

import time
from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.core.language.translation import message
from mauerwerk.games import GAMES
from mauerwerk.server.features.results import store
from mauerwerk.server.games import web_game, web_games
from mauerwerk.server.games.room import Box
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.ui import dates, names, page

PAGE: Final = 10
"""The number of games on a page."""

SPANS: Final = {
    "": (0, message("Any time")),
    "30": (30, message("The last 30 days")),
    "365": (365, message("The last year")),
}
"""From when games are shown: days, by the word in the query; 0 for all."""


class FinishedLine(Value):
    """A finished game in the list."""

    date: str
    box: Box
    about: str
    rated: bool
    gone: bool
    place: int | None
    seats: int
    points: int | None
    replay: str
    """Where to see it again; empty if it is no longer kept."""


class Choice(Value):
    """Something that can be filtered by."""

    word: str
    said: str
    chosen: bool


class Finished(Value):
    """A page of finished games, and what can be asked for."""

    lines: tuple[FinishedLine, ...]
    total: int
    games: tuple[Box, ...]
    game: str
    people: tuple[Choice, ...]
    spans: tuple[Choice, ...]
    older: str
    """The query of the next page; empty on the last."""

    filtered: bool
    """Whether not all are asked for."""


async def finished_games(request: page.PageRequest, guest: Guest) -> Finished:
    """What the query of the page asks for."""
    now = int(time.time() * 1_000)
    query, keys = request.query, request.host.keys
    database = request.host.store
    met = await store.people_met(database, guest.id)
    tokens = {keys.met_token(guest.id, each.guest): each.guest for each in met}
    days, _ = SPANS.get(query.get("since", ""), SPANS[""])
    wanted = store.Wanted(
        game=query.get("game", "") if query.get("game") in GAMES else "",
        other=tokens.get(query.get("with", ""), ""),
        since=now - days * dates.DAY if days else 0,
        before=store.place_in(query.get("before", "")),
    )
    found, total = await store.finished(database, guest.id, wanted, PAGE + 1)
    known = [each for each in found[:PAGE] if each.game in GAMES]
    since = query.get("since", "") if query.get("since", "") in SPANS else ""
    other = keys.met_token(guest.id, wanted.other) if wanted.other else ""
    filters = {"game": wanted.game, "with": other, "since": since}
    last = found[PAGE - 1] if len(found) > PAGE else None
    said = "&".join(f"{name}={word}" for name, word in filters.items() if word)
    return Finished(
        lines=tuple(_line(each, now, request) for each in known),
        total=total,
        games=tuple(room.box for room in web_games().values()),
        game=wanted.game,
        people=(
            Choice("", request.language("With anyone"), not wanted.other),
            *(
                Choice(
                    keys.met_token(guest.id, each.guest),
                    request.language("With {who}", who=each.name),
                    each.guest == wanted.other,
                )
                for each in met
            ),
        ),
        spans=tuple(
            Choice(word, request.language(words), word == since)
            for word, (_, words) in SPANS.items()
        ),
        older=f"{said}&before={last.ended}-{last.table}".lstrip("&") if last else "",
        filtered=bool(said),
    )


def _line(result: store.OwnResult, now: int, request: page.PageRequest) -> FinishedLine:
    return FinishedLine(
        date=dates.day_of(result.ended, now, request.language, short=True),
        box=web_game(result.game).box,
        about=names.company(result.card, result.own, request.language) if result.card else "",
        rated=result.rated,
        gone=result.gone,
        place=result.place,
        seats=result.seats,
        points=result.points,
        replay=f"/t/{result.table}/replay" if result.card else "",
    )
