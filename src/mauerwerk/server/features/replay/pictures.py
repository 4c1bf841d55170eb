"""A replay as it is passed on: what a link to a position says, its picture, and the game as one."""

from typing import Final, NamedTuple

from mauerwerk.core.language.translation import Language
from mauerwerk.core.svg import Drawing
from mauerwerk.server.features.replay import frame, link_codec
from mauerwerk.server.features.replay.replay import Viewpoint
from mauerwerk.server.features.replay.replays import ReplayPage, Replays
from mauerwerk.server.features.sharing import link_preview, pictures
from mauerwerk.server.features.sharing.pictures import WIDE, Pictures, Shown, card
from mauerwerk.server.games import web_game
from mauerwerk.server.http.response import Response
from mauerwerk.server.ui.page import PageRequest

SVG: Final = b"image/svg+xml"
AS_MANY: Final = 20
"""A game that moves takes as long to draw as this many other pictures."""


class PositionKey(NamedTuple):
    """All that the picture of a position depends on."""

    path: str
    at: int
    viewpoint: Viewpoint
    names: tuple[str, ...]
    language: str


class GameKey(NamedTuple):
    """All that the animation of a game depends on."""

    path: str
    names: tuple[str, ...]
    language: str


async def show_position(request: PageRequest) -> Response:
    """A position of a replay, after `?at=` moves, as `&seat=` saw it, or `all`."""
    link_preview.check_pixels()
    page = await request.app.service(Replays).finished_page_of(request)
    at, viewpoint = page.wanted(request.query.get("at", ""), request.query.get("seat", ""))
    language = link_preview.language_in(request)
    names = page.people.called(page.replay.seats, None, language)
    content = await request.app.service(Pictures).get(
        PositionKey(page.path, at, viewpoint, names, language.code),
        lambda: pictures.Still(position_card(page, at, viewpoint, language), WIDE),
        link_preview.counted(request),
    )
    return Response(content, link_preview.PNG, headers=[link_preview.FOR_AN_HOUR])


async def show_game(request: PageRequest) -> Response:
    """A whole game as one picture that moves."""
    page = await request.app.service(Replays).finished_page_of(request)
    language = link_preview.language_in(request)
    names = page.people.called(page.replay.seats, None, language)
    text = link_codec.to_text(link_codec.NamedRecord(page.replay.record))
    content = await request.app.service(Pictures).get(
        GameKey(page.path, names, language.code),
        lambda: pictures.Moving(text, names, language.code),
        link_preview.counted(request, AS_MANY),
        moves=True,
    )
    return Response(content, SVG, headers=[link_preview.FOR_AN_HOUR])


def preview_of_replay(
    request: PageRequest, page: ReplayPage, at: int, viewpoint: Viewpoint
) -> link_preview.LinkPreview:
    """The preview of a position in a replay; of the end, where the link names none."""
    language = request.language
    named = "at" in request.query or "to" in request.query
    if not named:
        at = page.replay.last
    title = web_game(page.replay.record.game, page.replay.record.rules).box.title
    whose = frame.ALL if viewpoint is None else f"{viewpoint}"
    here = f"?at={at}&seat={whose}"
    return link_preview.preview(
        request,
        f"{title}: {language('Replay')}",
        told_of_replay(page, at, language),
        page.path + (here if named else ""),
        f"{page.path}/picture.png{here}",
    )


def told_of_replay(page: ReplayPage, at: int, language: Language) -> str:
    """The result where the game is over, otherwise the number of the move and who plays."""
    names = page.people.called(page.replay.seats, None, language)
    if at == page.replay.last and page.replay.outcome:
        return link_preview.result_of(page.replay.outcome, names, language)
    where = language("Move {number} of {all}", number=at, all=page.replay.last)
    return f"{where}: {language.listed([language.called(name) for name in names])}."


def position_card(page: ReplayPage, at: int, viewpoint: Viewpoint, language: Language) -> Drawing:
    """The card of a position in a replay."""
    replay = page.replay
    room = web_game(replay.record.game, replay.record.rules)
    names = page.people.called(replay.seats, None, language)
    drawing = replay.game.svg(replay.view(at, viewpoint), names, language)
    outcome = replay.outcome if at == replay.last else None
    told = "" if outcome else told_of_replay(page, at, language).partition(":")[0]
    rows = link_preview.rows_of(outcome, names, language)
    return card(replay.game, Shown(room.box.title, told, rows, drawing, room.box.thumb))
