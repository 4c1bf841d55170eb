"""What to do, for people who ask: the best choices, what they promise, and why.

In Burgbaumeister remembering is the game (BB-9). A hint there knows no more than lies on the table
now, with what the memory aid shows where a table has chosen it.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

from mauerwerk.bots import can_search
from mauerwerk.bots.greedy import Greedy
from mauerwerk.bots.thought import Judgement, Thought, chance_to_win
from mauerwerk.core.game import AnyGame, Chance, Setup, Value
from mauerwerk.core.language.translation import ENGLISH, Language
from mauerwerk.core.sight import Sight
from mauerwerk.games.burgbaumeister.beliefs import ABSENT

SOUND: Final = 0.1
"""How often an estimate must have been tried to be believed, against the one most often tried."""


class Hint(Value):
    """A choice worth thinking of."""

    action: Any
    value: float
    """The chance to win with it, from 0 to 1."""
    reason: str
    """One sentence."""


def hints(  # noqa: PLR0913 - a table, a time, and how the answer is said
    game: AnyGame,
    setup: Setup[Any],
    sight: Sight[Any, Any, Any],
    draw: Chance,
    seconds: float,
    *,
    most: int = 3,
    language: Language = ENGLISH,
) -> tuple[Hint, ...]:
    """The best few choices, the best first; of several that are alike one is enough.

    The chances come from a search of so many seconds, or, in no time or without the extra
    `kernels`, from how the greedy bot weighs the points.
    """
    if not sight.legal:
        return ()
    greedy = Greedy(game, setup, draw, ABSENT)
    judgement = greedy.consider(sight)
    chances = _weighed(judgement, setup.seats)
    if seconds > 0 and can_search():
        chances = _searched(game, setup, sight, draw, seconds)
    thoughts = sorted(
        (each for each in judgement.thoughts if each.action in chances),
        key=lambda each: (chances[each.action], each.worth),
        reverse=True,
    )
    chosen: dict[str, Thought] = {}
    for each in thoughts:
        chosen.setdefault(each.reason.said(language), each)
    return tuple(
        Hint(each.action, chances[each.action], reason)
        for reason, each in list(chosen.items())[:most]
    )


def _weighed(judgement: Judgement, seats: int) -> Mapping[Any, float]:
    """Chances by the points at stake."""
    return {each.action: chance_to_win(judgement, each.worth, seats) for each in judgement.thoughts}


def _searched(
    game: AnyGame, setup: Setup[Any], sight: Sight[Any, Any, Any], draw: Chance, seconds: float
) -> Mapping[Any, float]:
    """Chances by search, of those choices that were tried often enough."""
    search = import_module("mauerwerk.bots.search").Search(game, setup, draw, ABSENT)
    estimates = search.values(sight, seconds)
    enough = SOUND * max(each.visits for each in estimates)
    return {each.action: each.value for each in estimates if each.visits >= enough}
