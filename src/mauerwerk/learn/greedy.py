"""Greedy bots beside the network: rules of thumb of the kernel, on the CPU.

Rules of thumb branch at every step, so that a GPU takes 19 ms for what a core does in 2 to 5 µs a
decision. Therefore the games are copied to the CPU, which says what greedy bots would do in them
while the GPU lets the network choose.
"""

from importlib import import_module
from typing import Any

from mauerwerk.core.errors import SetupError
from mauerwerk.kernels.play.batch import Batch
from mauerwerk.learn.env import VectorEnv
from mauerwerk.learn.network import Tensor

torch: Any = import_module("torch")

COPIED = ("states", "numbers", "decisions")
"""What rules of thumb read of a game."""


class GreedyBots:
    """What greedy bots would do in some games of an environment."""

    def __init__(self, env: VectorEnv, places: Tensor) -> None:
        """In the games at these places. Raises SetupError if the kernel has no rules of thumb."""
        self._batch = Batch(
            env.game,
            env.setup,
            len(places),
            env.seed,
            observe=False,
            remember=env.remember,
            packed=env.batch.packed,
            suggest=True,
        )
        if not len(self._batch.suggestions):
            raise SetupError(f"the kernel of {env.game.NAME} has no rules of thumb")
        on_gpu = env.device == "cuda"
        self._places = places
        self._sources = [env.bytes_of(getattr(env.batch, name)) for name in COPIED]
        self._here = [_like(source, len(places), pinned=on_gpu) for source in self._sources]
        self._there = [
            torch.empty_like(here, device=env.device) if on_gpu else here for here in self._here
        ]
        """Where the games are picked out, on the device."""
        for name, here in zip(COPIED, self._here, strict=True):
            kind = getattr(self._batch, name).dtype
            self._batch.attach(name, here.numpy().reshape(-1).view(kind))
        rows = len(places) * env.rows_per_game
        self._suggested = torch.empty(rows, dtype=torch.int16, pin_memory=on_gpu)
        self.suggestions = torch.zeros(rows, dtype=torch.int16, device=env.device)
        """What they would do, by rows; without meaning for seats that are not to act."""

    def look(self) -> None:
        """Copy the games as they are now; on a GPU, without waiting for it."""
        for source, there, here in zip(self._sources, self._there, self._here, strict=True):
            torch.index_select(source, 0, self._places, out=there)
            if here is not there:
                here.copy_(there, non_blocking=True)

    def think(self, share: int, of: int) -> None:
        """Find out what they would do in one of so many shares of the games that were copied."""
        games = len(self._places)
        self._batch.suggest(range(games * share // of, games * (share + 1) // of))

    def suggest(self) -> None:
        """Write what they found out into `suggestions`; on a GPU, without waiting for it."""
        self._suggested.numpy()[:] = self._batch.suggestions.reshape(-1)
        self.suggestions.copy_(self._suggested, non_blocking=True)

    def look_and_suggest(self) -> None:
        """All of it, one after the other."""
        self.look()
        if self._places.device.type == "cuda":
            torch.cuda.synchronize()
        self.think(0, 1)
        self.suggest()


def _like(source: Tensor, length: int, *, pinned: bool) -> Tensor:
    return torch.empty(length, source.shape[1], dtype=torch.uint8, pin_memory=pinned)
