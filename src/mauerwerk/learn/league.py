"""The league: rivals that have all seats but one in a share of the games.

They are past versions of the network, networks from files, the pupil of a teacher, and exploiters.
Playing against more than itself keeps a network from forgetting how to beat what it left behind.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

from mauerwerk.learn.network import Network, Weights, from_weights
from mauerwerk.learn.rollout import Slot

torch: Any = import_module("torch")

STAYS: Final = 16
"""For how many rollouts a rival stays on average, so that most games have only one."""
MOST_PAST: Final = 8
"""How many past players are kept."""
MOST_EXPLOITERS: Final = 4


class League:
    """All players that the network may meet."""

    def __init__(self, standing: Sequence[Network], kind: Any) -> None:  # noqa: ANN401 - a dtype
        """`standing` are rivals that stay for the whole training; `kind` is what is played with."""
        self._kind = kind
        self.standing = [rival.copy(kind) for rival in standing]
        self.past: list[Network] = []
        self.exploiters: list[Network] = []

    def add(self, network: Network) -> None:
        """Keep a copy of the network as it is now; of too many, one between first and last goes."""
        self.past.append(network.copy(self._kind))
        if len(self.past) > MOST_PAST:
            del self.past[int(torch.randint(1, MOST_PAST, ()))]

    def add_exploiter(self, network: Network) -> None:
        """Keep an exploiter as a rival."""
        self.exploiters = [*self.exploiters, network.copy(self._kind)][-MOST_EXPLOITERS:]

    def pick(self) -> Network:
        """A past player or, half of the time, one of the other rivals."""
        others = [*self.standing, *self.exploiters]
        players = others if others and torch.rand(()) < 1 / 2 else self.past
        return players[int(torch.randint(len(players), ()))]

    def refresh(self, slots: Sequence[Slot]) -> None:
        """Let other rivals take over some of the slots."""
        for slot in slots:
            if slot.rival is not None and torch.rand(()) < 1 / STAYS:
                slot.rival.load(self.pick())

    def state(self) -> dict[str, list[Weights]]:
        """What a checkpoint keeps."""
        return {
            name: [network.copy(torch.float16).weights() for network in getattr(self, name)]
            for name in ("past", "exploiters")
        }

    def restore(self, state: dict[str, list[Weights]], like: Network) -> None:
        """Be as the league was when the checkpoint was written."""
        device = like.scale.device
        for name, kept in state.items():
            networks = [from_weights(like.shape, weights, device) for weights in kept]
            setattr(self, name, [network.copy(self._kind) for network in networks])
