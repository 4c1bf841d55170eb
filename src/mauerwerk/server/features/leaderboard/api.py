"""Operations about how strong players are."""

from typing import Annotated, Final

from msgspec import Meta

from mauerwerk.bots.rooms import rated_levels
from mauerwerk.core.game import Value
from mauerwerk.games import GAMES
from mauerwerk.server.api.operation import Ask, Operations
from mauerwerk.server.features.leaderboard import pages, store
from mauerwerk.server.features.results.ratings import Skill, shown
from mauerwerk.server.http.errors import HttpError
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


@OPERATIONS.get("/api/ratings", refuses=(404,))
async def list_ratings(request: Request, ask: BrowseRatings) -> Ratings:
    """The leaderboard of a game: people who joined it, and bots, on one scale."""
    if ask.game not in GAMES:
        raise HttpError(404, "there is no such game")
    listed = pages.told_apart(await store.leaders(request.host.store, ask.game), ask.game)
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
