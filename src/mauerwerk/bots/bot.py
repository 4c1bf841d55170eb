"""What a bot is: somebody who is shown a sight and answers with an action."""

from typing import Any, Protocol

from mauerwerk.core.sight import Sight


class Bot(Protocol):
    """A player at one seat. It sees what a person at that seat would, and nothing else."""

    def act(self, sight: Sight[Any, Any, Any], /) -> Any:  # noqa: ANN401 - the game's own actions
        """Choose one of `sight.legal`."""
        ...
