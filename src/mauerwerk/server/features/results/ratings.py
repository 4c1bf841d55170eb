"""Ratings of people and bots on one scale, per game, by the Plackett-Luce model of openskill.

People begin in the middle, in great doubt. Bots do not learn, so theirs are given: a ladder rated
them (`bots.ratings`), and what people do against them does not change that.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

from openskill.models import PlackettLuce

from mauerwerk.bots.rooms import rating_of
from mauerwerk.lab.intervals import NORMAL, Estimate
from mauerwerk.lab.match.ratings import after_game
from mauerwerk.server.features.results.placings import PlayerResult
from mauerwerk.server.features.results.store import Rated, Skill

MIDDLE: Final = 1500
"""What the mean of the model is shown as."""

POINTS: Final = 24
"""The points of one unit of the model: a beginner's doubt is then about 400 to either side."""


@cache
def _model() -> PlackettLuce:
    """People change a little from game to game, as the model allows for by itself."""
    return PlackettLuce()


def beginner() -> Skill:
    """What is believed of a person before their first rated game."""
    return Skill(_model().mu, _model().sigma)


def rate(
    game: str,
    players: Sequence[PlayerResult],
    held: Sequence[Skill | None],
    places: Sequence[int],
) -> list[Rated | None]:
    """What a game does to the skills of its players. A bot that no ladder rated is left out."""
    before: list[Skill | None] = []
    for player, known in zip(players, held, strict=True):
        anchor = rating_of(game, player.level) if player.level else known or beginner()
        before.append(Skill(*anchor) if anchor else None)
    rated = [number for number, skill in enumerate(before) if skill]
    found: list[Rated | None] = [None] * len(players)
    if len(rated) < 2:  # noqa: PLR2004 - nobody to compare with
        return found
    skills = [skill for skill in before if skill]
    after = after_game(_model(), skills, [places[number] for number in rated])
    for number, skill, new in zip(rated, skills, after, strict=True):
        found[number] = Rated(skill, skill if players[number].level else Skill(*new))
    return found


def shown(skill: Skill) -> Estimate:
    """A rating as people read it, with its interval.

    >>> [round(each) for each in (lambda it: (it.low, it.mean, it.high))(shown(Skill(25, 1.5)))]
    [1429, 1500, 1571]
    """
    mean = MIDDLE + POINTS * (skill.mu - _model().mu)
    reach = POINTS * NORMAL * skill.sigma
    return Estimate(mean, mean - reach, mean + reach)
