"""Ratings from the results of a contest, by the Plackett-Luce model of openskill."""

import random
from collections.abc import Iterable, Sequence
from math import sqrt
from statistics import fmean
from typing import Final

from openskill.models import PlackettLuce

from mauerwerk.core.game import Value
from mauerwerk.lab.intervals import NORMAL, Estimate, around
from mauerwerk.lab.match.standings import Rotation

ORDERS: Final = 10
"""A rating is the mean over this many orders of the games, as the order matters a little."""


class Rating(Value):
    """The strength of a bot among those it was rated with; before its first game it is 25."""

    bot: str
    rating: Estimate
    sigma: float
    """The standard deviation that the model gives it."""


def ratings(rotations: Sequence[Rotation]) -> tuple[Rating, ...]:
    """Rate every bot, the strongest first; the same results give the same ratings.

    Bots do not learn between two games, so the model is told that strength does not change. Its
    standard deviation is then about a third larger than that of repeated contests, which is the
    safe side to be on.
    """
    bots = sorted({bot for rotation in rotations for bot in rotation[0].bots})
    rated: list[list[tuple[float, float]]] = []
    for order in range(ORDERS):
        shuffled = list(rotations)
        random.Random(order).shuffle(shuffled)  # noqa: S311 - no secret
        rated.append(_rated(bots, shuffled))
    each: list[Rating] = []
    for place, bot in enumerate(bots):
        mean = fmean(one[place][0] for one in rated)
        sigma = sqrt(fmean(one[place][1] ** 2 for one in rated))
        each.append(Rating(bot, around(mean, NORMAL * sigma), sigma))
    return tuple(sorted(each, key=lambda rating: -rating.rating.mean))


def _rated(bots: Sequence[str], rotations: Iterable[Rotation]) -> list[tuple[float, float]]:
    model = PlackettLuce(tau=0.0)
    now = dict.fromkeys(bots, (model.mu, model.sigma))
    for rotation in rotations:
        for game in rotation:
            after = after_game(model, [now[bot] for bot in game.bots], game.ranks)
            for bot in set(game.bots):
                # Several seats of one bot count as one: they are not independent.
                own = [one for word, one in zip(game.bots, after, strict=True) if word == bot]
                now[bot] = fmean(mu for mu, _ in own), fmean(sigma for _, sigma in own)
    return [now[bot] for bot in bots]


def after_game(
    model: PlackettLuce, before: Sequence[tuple[float, float]], ranks: Sequence[int]
) -> list[tuple[float, float]]:
    """Mean and standard deviation of each player after a game, from those before it."""
    players = [[model.rating(mu, sigma)] for mu, sigma in before]
    rated = model.rate(players, ranks=[float(rank) for rank in ranks])
    return [(one.mu, one.sigma) for [one] in rated]
