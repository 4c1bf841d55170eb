"""Die Mauer in dense integers, for learners and kernels; documented in `docs/games/mauer.md`."""

from collections.abc import Mapping
from typing import Any, Final

from mauerwerk.core.game import Setup
from mauerwerk.games.mauer.values import ACTIONS, Action, Appoint

_NUMBERS: Final[Mapping[Action, int]] = {action: n for n, action in enumerate(ACTIONS)}
_CHOICES: Final = tuple(action for action in ACTIONS if not isinstance(action, Appoint))


def choices(_setup: Setup[Any], /) -> tuple[Action, ...]:
    """The players' actions; their numbers come first."""
    return _CHOICES


def lots(_setup: Setup[Any], /) -> tuple[Action, ...]:
    """Nature's actions: the lot for the first master builder (DM-3)."""
    return ACTIONS[len(_CHOICES) :]


def number(action: Action) -> int:
    """The action's place in `ACTIONS`."""
    return _NUMBERS[action]
