"""Burgbaumeister in dense integers, for learners and kernels (`docs/games/burgbaumeister.md`)."""

from collections.abc import Mapping
from typing import Any, Final

from mauerwerk.core.game import Setup
from mauerwerk.games.burgbaumeister.values import ACTIONS, Action, Appoint, Show, Spread

_NUMBERS: Final[Mapping[Action, int]] = {action: n for n, action in enumerate(ACTIONS)}

_CHOICES: Final = tuple(
    action for action in ACTIONS if not isinstance(action, Show | Appoint | Spread)
)


def choices(_setup: Setup[Any], /) -> tuple[Action, ...]:
    """The players' actions; their numbers come first."""
    return _CHOICES


def lots(_setup: Setup[Any], /) -> tuple[Action, ...]:
    """Nature's actions: cards that are turned, the lot who begins, the layout of the depot."""
    return ACTIONS[len(_CHOICES) :]


def number(action: Action) -> int:
    """The action's place in `ACTIONS`."""
    return _NUMBERS[action]
