"""Messages about players: what they achieved, and how strong they are."""

from typing import Annotated, Final

from msgspec import Meta

from mauerwerk.bots.ratings import rated_levels
from mauerwerk.core.game import Value
from mauerwerk.games import GAMES
from mauerwerk.server.api.messages import Ask, Count
from mauerwerk.server.api.operation import Operations
from mauerwerk.server.features.results.leaderboard import told_apart
from mauerwerk.server.features.results.leaderboard_store import leaders
from mauerwerk.server.features.results.own_results import Wanted, finished, place_in
from mauerwerk.server.features.results.ratings import shown
from mauerwerk.server.features.results.store import Skill
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.identity import guest_in
from mauerwerk.server.http.request import Request

OPERATIONS: Final = Operations()


class BrowseRatings(Ask):
    """Which leaderboard to show."""

    game: Annotated[str, Meta(description="One of `/api/games`.")]


class RatedPlayer(Value, tag=False):
    """Somebody on the leaderboard, or a bot."""

    name: str
    level: str
    """The level of a bot; empty for a person."""

    rating: float
    low: float
    """The rating is most likely between this and `high`."""

    high: float
    games: int
    """Rated games; 0 for a bot, which a ladder rated."""

    you: bool


class Ratings(Value, tag=False):
    """People who joined the leaderboard and bots, in the order of the low ends."""

    game: str
    players: tuple[RatedPlayer, ...]


class BrowseResults(Ask):
    """Which of one's finished games to list."""

    game: Annotated[str, Meta(description="Only this game; empty for all.")] = ""
    before: Annotated[
        str, Meta(max_length=64, description="`next` of the page before; empty for the first.")
    ] = ""
    most: Count = 50


class Result(Value, tag=False):
    """A finished game of yours."""

    table: str
    game: str
    ended: int
    """Milliseconds since 1970."""

    seats: int
    own: tuple[int, ...]
    """Your seats."""

    place: int | None
    """Your best place; null where nobody won, or you had left."""

    points: int | None
    rated: bool
    names: tuple[str, ...]
    """The players; empty if the game is no longer kept."""


class Results(Value, tag=False):
    """Finished games, newest first."""

    results: tuple[Result, ...]
    total: int
    next: str
    """`before` of the next page; empty on the last."""


@OPERATIONS.get("/api/ratings", refuses=(404,))
async def list_ratings(request: Request, ask: BrowseRatings) -> Ratings:
    """The leaderboard of a game: people who joined it, and bots, on one scale."""
    if ask.game not in GAMES:
        raise HttpError(404, "there is no such game")
    listed = told_apart(await leaders(request.host.store, ask.game), ask.game)
    own = request.identity.guest.id if request.identity.guest else ""
    players = [
        *(_rated(each.name, "", each.skill, each.games, you=each.guest == own) for each in listed),
        *(
            _rated("", level, Skill(*anchor), 0, you=False)
            for level, anchor in rated_levels(ask.game).items()
        ),
    ]
    return Ratings(game=ask.game, players=tuple(sorted(players, key=lambda player: -player.low)))


def _rated(name: str, level: str, skill: Skill, games: int, *, you: bool) -> RatedPlayer:
    rating = shown(skill)
    return RatedPlayer(
        name=name,
        level=level,
        rating=rating.mean,
        low=rating.low or 0.0,
        high=rating.high or 0.0,
        games=games,
        you=you,
    )


@OPERATIONS.get("/api/guests/me/results")
async def list_results(request: Request, ask: BrowseResults) -> Results:
    """Your finished games, newest first."""
    guest = guest_in(request)
    wanted = Wanted(game=ask.game, before=place_in(ask.before))
    found, total = await finished(request.host.store, guest.id, wanted, ask.most + 1)
    page = found[: ask.most]
    return Results(
        results=tuple(
            Result(
                table=each.table,
                game=each.game,
                ended=each.ended,
                seats=each.seats,
                own=tuple(each.own),
                place=each.place,
                points=each.points,
                rated=each.rated,
                names=each.card.names if each.card else (),
            )
            for each in page
        ),
        total=total,
        next=f"{page[-1].ended}-{page[-1].table}" if len(found) > len(page) else "",
    )
