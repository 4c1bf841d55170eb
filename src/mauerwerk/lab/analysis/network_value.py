"""What a network expects of a position, mixed into the chances that a search found.

An observer who sees all cards knows what every seat knows. So the network is asked once from each
seat, and what all seats expect together is the geometric mean of its answers.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mauerwerk.core.game import AnyGame, Seat, Setup
from mauerwerk.core.sight import Sight
from mauerwerk.kernels.networks.network import Floats, Network, share_on
from mauerwerk.lab.analysis import chances, positions


class NetworkValue:
    """Mixes a network's expectation into the chances of a search.

    Its card says with which share (`chance_weight`), from 0 to 1. They are mixed by `pool`, so
    what the search is sure of hardly changes.
    """

    def __init__(self, game: AnyGame, setup: Setup[Any], network: Network | None) -> None:
        """Without a network the chances of the search stay as they are."""
        self._game, self._setup, self._network = game, setup, network
        self._share = 0.0
        if network is not None:
            self._share = share_on(network.card, "chance_weight", 0.0)

    def mix(self, searched: Sequence[float], situation: positions.Situation) -> tuple[float, ...]:
        """Every seat's chance; together they are 1 if those of the search are."""
        if self._network is None or not self._share:
            return tuple(searched)
        return chances.pool(searched, self._expected(self._network, situation), self._share)

    def _expected(self, network: Network, situation: positions.Situation) -> Sequence[float]:
        """Each seat's share in the win, as all seats together expect it."""
        seats = self._setup.seats
        logs = np.mean(
            [np.roll(self._from_seat(network, situation, seat), seat) for seat in range(seats)],
            axis=0,
        )
        shares: list[float] = (np.exp(logs) / np.exp(logs).sum()).tolist()
        return shares

    def _from_seat(self, network: Network, situation: positions.Situation, seat: int) -> Floats:
        """The logarithms of all seats' shares, clockwise from this seat."""
        game, viewer = self._game, Seat(seat)
        noticed = (game.seen(event, viewer) for event in situation.events)
        told = tuple(event for event in noticed if event is not None)
        sight = Sight[Any, Any, Any](viewer, game.view(situation.state, viewer), told, ())
        logits = network.forward_sight(game, self._setup, sight).wins[: self._setup.seats]
        logs: Floats = logits - np.logaddexp.reduce(logits)
        return logs
