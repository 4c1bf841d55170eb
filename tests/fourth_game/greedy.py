"""The Breach, rules of thumb: hold just enough to fill the breach, with one stone to spare."""

from collections.abc import Callable
from typing import Any, Final

from tests.fourth_game.values import Action, Event, Hold, View

from mauerwerk.bots.evaluation import Choice, Evaluation, because
from mauerwerk.core.game import Sight

SHARPNESS: Final = 1.0


def consider(
    sight: Sight[Action, Event, View],
    _options: Any,  # noqa: ANN401 - as every room is called
    _remembered: Callable[[], Any],
    /,
) -> Evaluation:
    """What each number of stones is worth."""
    wanted = (sight.view.width or 0) + 1
    return Evaluation(
        [
            Choice(action, -abs(action.stones - wanted), because("It fills the breach."))
            for action in sight.legal
            if isinstance(action, Hold)
        ]
    )
