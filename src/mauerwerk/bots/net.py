"""The bot that plays by a network alone, and the networks that can guide a search.

The network alone looks at the table once and plays the action it likes best; where seats choose
together, it draws one by its probabilities, so that it cannot be guessed. Its card can name another
`temperature`: 0 for the likeliest action, 1 for its probabilities. It needs NumPy and no compiler,
and about a millisecond.
"""

from collections.abc import Sequence
from functools import cache
from math import exp
from pathlib import Path
from typing import Any

from mauerwerk.bots.evaluation import sample
from mauerwerk.bots.networks import shipped
from mauerwerk.bots.search import without_rare
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Chance, Setup, Sight
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.networks.network import Network, load, number_on
from mauerwerk.kernels.search.search import can_recall, settings_for


class Net:
    """Plays the likeliest of the legal actions, or one by chance."""

    def __init__(self, game: AnyGame, setup: Setup[Any], draw: Chance, path: Path) -> None:
        """Raises SetupError, with one line, if the file holds no network for such a game."""
        self._game, self._setup, self._draw = game, setup, draw
        self._network = network_for(game, setup, path)
        self._temperature = temperature_of(self._network, game, setup)
        numbered = enumerate(game.choices(setup))
        self._numbers = {action: number for number, action in numbered}

    def policy(self, sight: Sight[Any, Any, Any], /) -> Sequence[float]:
        """The probability of each legal action; the rare ones have none."""
        weights = self._weights(sight)
        return tuple(each / sum(weights) for each in weights)

    def act(self, sight: Sight[Any, Any, Any], _seconds: float, /) -> Any:  # noqa: ANN401
        """The likeliest, and of several that are equal, the first; or one drawn by chance."""
        weights = self._weights(sight)
        if not self._temperature:
            return sight.legal[weights.index(1.0)]
        return sight.legal[sample(weights, self._draw)]

    def _weights(self, sight: Sight[Any, Any, Any]) -> list[float]:
        policy = self._network.forward_sight(self._game, self._setup, sight).policy
        logits = [float(policy[self._numbers[action]]) for action in sight.legal]
        most = max(logits)
        if not self._temperature:
            best = logits.index(most)
            return [float(place == best) for place in range(len(logits))]
        return without_rare([exp((each - most) / self._temperature) for each in logits])


def temperature_of(network: Network, game: AnyGame, setup: Setup[Any]) -> float:
    """The temperature with which a network plays: as its card says, or as is usual."""
    kernel: Any = kernel_of(game.NAME)
    return number_on(network.card, "temperature", float(kernel.max_to_act(setup) > 1))


def own_network(game: AnyGame, setup: Setup[Any]) -> Network | None:
    """The network that comes with the game, if there is one and it fits such a table."""
    path = shipped(game)
    try:
        return None if path is None else guiding(game, setup, path)
    except SetupError:
        return None


def guiding(game: AnyGame, setup: Setup[Any], path: Path) -> Network:
    """The network in this file, if it can guide a search. Raises SetupError if it cannot."""
    network = network_for(game, setup, path)
    if network.remembers and not can_recall(game):
        raise SetupError(f"a network that remembers cannot guide a search of {game.NAME} yet")
    settings_for(network)  # which its card may make impossible
    return network


def network_for(game: AnyGame, setup: Setup[Any], path: Path) -> Network:
    """The network in this file. Raises SetupError, with one line, if it is not for such a game."""
    try:
        network = _loaded(path, path.stat().st_mtime_ns)
        network.refuse(game, setup)
    except OSError as fault:
        raise SetupError(f"{path} cannot be read: {fault.strerror}") from fault
    return network


@cache
def _loaded(path: Path, _changed: int) -> Network:
    """The network in a file; players of many games share it until the file changes."""
    return load(path)
