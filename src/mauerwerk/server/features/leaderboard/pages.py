"""The leaderboard: people who joined it and bots, on one scale for each game, with their doubt."""

from collections.abc import Sequence

from msgspec.structs import replace

from mauerwerk.bots.rooms import rated_levels
from mauerwerk.core.game import Value
from mauerwerk.core.language import ENGLISH, Language
from mauerwerk.games import GAMES
from mauerwerk.server.features.accounts import store
from mauerwerk.server.features.accounts.pages import guest_of, known_on_this_device
from mauerwerk.server.features.leaderboard.store import Leader, leaders
from mauerwerk.server.features.results import pages, ratings
from mauerwerk.server.features.results.ratings import Skill
from mauerwerk.server.games import web_games
from mauerwerk.server.games.room import Box
from mauerwerk.server.http.response import Response, redirect
from mauerwerk.server.ui.names import apart, level_named
from mauerwerk.server.ui.page import Form, PageRequest


class RatedLine(Value):
    """Somebody on the leaderboard."""

    place: int | None
    """None for a bot."""
    name: str
    games: int
    rating: int
    low: float
    likely: str
    band: pages.Band
    mine: bool = False


class Board(Value):
    """The leaderboard of one game."""

    box: Box
    lines: tuple[RatedLine, ...]


async def show(request: PageRequest) -> Response:
    """The boards of all games, and whether the reader is on them."""
    guest, language = request.guest, request.language
    database = request.host.store
    found = {
        name: told_apart(await leaders(database, name), name, language) for name in web_games()
    }
    person = await store.person_of(database, guest.id) if guest else None
    boards = [_board(name, found[name], request) for name in web_games()]
    return request.render(
        "leaderboard/page.html",
        boards=boards,
        unrated=not any(line.mine for board in boards for line in board.lines),
        joined=bool(person and person.listed),
        symbols=tuple(dict.fromkeys(room.box.thumb for room in web_games().values())),
    )


def told_apart(
    listed: Sequence[Leader], game: str, language: Language = ENGLISH
) -> tuple[Leader, ...]:
    """The same people under names of which none is taken for another's, or for a bot's."""
    bots = [level_named(level, language, GAMES[game]) for level in rated_levels(game)]
    names = apart([*bots, *(each.name for each in listed)])[len(bots) :]
    return tuple(replace(each, name=name) for each, name in zip(listed, names, strict=True))


def _board(game: str, listed: tuple[Leader, ...], request: PageRequest) -> Board:
    """People in the order of what is sure about them, and bots where they belong between them."""
    own = request.guest.id if request.guest else ""
    lines = [
        _line(place, each.name, each.games, each.skill, request, mine=each.guest == own)
        for place, each in enumerate(listed, start=1)
    ]
    for level, anchor in rated_levels(game).items():
        bot = level_named(level, request.language, GAMES[game])
        lines.append(_line(None, bot, 0, Skill(*anchor), request))
    ordered = sorted(lines, key=lambda line: -line.low)
    return Board(web_games()[game].box, tuple(ordered))


def _line(  # noqa: PLR0913 - who it is, and how good
    place: int | None,
    name: str,
    games: int,
    skill: Skill,
    request: PageRequest,
    *,
    mine: bool = False,
) -> RatedLine:
    band, likely = pages.rating_band(skill, request.language)
    rating = ratings.shown(skill)
    low = rating.low or 0.0
    return RatedLine(place, name, games, round(rating.mean), low, likely, band, mine)


async def join(request: PageRequest, form: Form) -> Response:
    """Be listed from now on, or no longer."""
    guest = guest_of(request)
    if not request.identity.device:  # which this adds
        request.app.limiter.guest(request.client)
    headers = await known_on_this_device(request, guest)
    await store.set_listed(request.host.store, guest, listed=form.get("listed") == "1")
    return redirect("/leaderboard", headers)
