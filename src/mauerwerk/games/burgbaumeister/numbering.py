"""Burgbaumeister in dense integers, for learners and kernels; see `docs/games/burgbaumeister.md`.

Everywhere else an action is a value or a word. The number of an action is its place in `ACTIONS`.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from mauerwerk.games.burgbaumeister.values import ACTIONS, Action

_NUMBERS: Final[Mapping[Action, int]] = {action: n for n, action in enumerate(ACTIONS)}


def number(action: Action) -> int:
    """The action's place in `ACTIONS`."""
    return _NUMBERS[action]


def mask(legal: Iterable[Action]) -> tuple[bool, ...]:
    """For every number, whether its action is among these."""
    allowed = {_NUMBERS[action] for action in legal}
    return tuple(n in allowed for n in range(len(ACTIONS)))
