"""Ratings of bots, as a ladder found them, on the scale on which people are rated.

A bot room may have a file `ratings.json`: the mean and the standard deviation of each level, as
`mauerwerk ladder GAME --json` prints them. `docs/how-to/rate-players.md` says how to make it.
"""

from functools import cache
from importlib import resources
from typing import NamedTuple

import msgspec

from mauerwerk.bots.rooms import ROOMS

FILE = "ratings.json"


class Anchor(NamedTuple):
    """The rating of a bot, which people's games do not change."""

    mu: float
    sigma: float


def rating_of(game: str, level: str) -> Anchor | None:
    """The rating of a bot of this level; None where no ladder has rated it."""
    return _ratings(game).get(level)


def rated_levels(game: str) -> dict[str, Anchor]:
    """All levels that a ladder has rated, the strongest first."""
    return dict(sorted(_ratings(game).items(), key=lambda each: -each[1].mu))


@cache
def _ratings(game: str) -> dict[str, Anchor]:
    """All that were rated in a game."""
    room = ROOMS.get(game)
    if room is None:
        return {}
    package = getattr(room, "__name__", "")
    file = resources.files(package).joinpath(FILE) if package else None
    if file is None or not file.is_file():
        return {}
    found = msgspec.json.decode(file.read_bytes(), type=dict[str, tuple[float, float]])
    return {level: Anchor(*rating) for level, rating in found.items()}
