"""The bot room of a game that has none: all legal actions are equal."""

from collections.abc import Callable
from typing import Any, Final

from mauerwerk.bots.evaluation import Choice, Evaluation, because
from mauerwerk.core.sight import Sight

SHARPNESS: Final = 1.0


def consider(
    sight: Sight[Any, Any, Any],
    _options: object,
    _remembered: Callable[[], object],
    /,
) -> Evaluation:
    """No action is better than another, and there is no reason to show."""
    return Evaluation([Choice(action, 0.0, because("-")) for action in sight.legal])
