"""Hints for people who ask what to do: the best choices, their chances, and the reasons.

In a game about memory remembering is left to the player. There a hint knows only what lies on the
table now, and what the table's own memory aid shows.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from mauerwerk.bots import can_search, guided, levels, rooms
from mauerwerk.bots.evaluation import Choice, Estimate, chance_to_win
from mauerwerk.bots.greedy import Greedy
from mauerwerk.core.beliefs import ABSENT
from mauerwerk.core.game import AnyGame, Chance, Setup, Sight, Value
from mauerwerk.core.language import ENGLISH, Language

SOUND: Final = 0.1
"""The share of visits, relative to the action visited most, from which an estimate is trusted."""


class Hint(Value):
    """A choice worth considering."""

    action: Any
    value: float | None
    """The chance to win with it, from 0 to 1; None where a bot of other people chose it."""
    reason: str
    """One sentence; empty in a game without rules of thumb."""


def has_hints(game: AnyGame) -> bool:
    """Whether there can be hints: by rules of thumb, a search, or a bot of other people."""
    return rooms.has_room(game) or can_search(game) or levels.adviser_in(game.NAME) is not None


def hints(  # noqa: PLR0913 - a table, a time, and how the answer is said
    game: AnyGame,
    setup: Setup[Any],
    sight: Sight[Any, Any, Any],
    draw: Chance,
    seconds: float,
    *,
    most: int = 3,
    language: Language = ENGLISH,
    estimates: Sequence[Estimate] = (),
) -> tuple[Hint, ...]:
    """The best few choices, the best first; of several with the same reason only one.

    The chances come from a search that takes this many seconds, or, without time or without a
    kernel, from the greedy bot's evaluation. A game with neither has no hints. `estimates` are what
    a search elsewhere has found already.
    """
    searched = bool(estimates) or (seconds > 0 and can_search(game))
    if not sight.legal or not (searched or rooms.has_room(game)):
        return ()
    evaluation = Greedy(game, setup, draw, ABSENT).consider(sight)
    chances = (
        _trusted(estimates or _searched(game, setup, sight, draw, seconds))
        if searched
        else {
            each.action: chance_to_win(evaluation, each.value, setup.seats)
            for each in evaluation.choices
        }
    )
    choices = sorted(
        (each for each in evaluation.choices if each.action in chances),
        key=lambda each: (chances[each.action], each.value),
        reverse=True,
    )
    if not rooms.has_room(game):
        return tuple(Hint(each.action, chances[each.action], "") for each in choices[:most])
    by_reason: dict[str, Choice] = {}
    for each in choices:
        by_reason.setdefault(each.reason.said(language), each)
    return tuple(
        Hint(each.action, chances[each.action], reason)
        for reason, each in list(by_reason.items())[:most]
    )


def _searched(
    game: AnyGame, setup: Setup[Any], sight: Sight[Any, Any, Any], draw: Chance, seconds: float
) -> Sequence[Estimate]:
    search: Any = guided(game, setup, draw, ABSENT)
    found: Sequence[Estimate] = search.values(sight, seconds)
    return found


def _trusted(estimates: Sequence[Estimate]) -> Mapping[Any, float]:
    enough = SOUND * max(each.visits for each in estimates)
    return {each.action: each.value for each in estimates if each.visits >= enough}
