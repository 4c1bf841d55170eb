"""Messages about players: what they achieved, and how strong they are."""

from typing import Annotated

from msgspec import Meta

from mauerwerk.core.game import Value
from mauerwerk.web.api.messages import Ask, Count


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
