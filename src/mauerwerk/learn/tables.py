"""Games in step as tensors that share the memory of a batch, on the CPU or on a GPU.

There are rows only for seats that are to act. On a GPU PyTorch and Numba both use the default
stream, so that neither waits for the other.
"""

from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from mauerwerk.core.game import Setup
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.play.batch import Batch
from mauerwerk.kernels.play.stepping import RESULT
from mauerwerk.learn.network import POINTS, Shape, Tensor
from mauerwerk.learn.plan import Plan
from mauerwerk.learn.rooms import room_of

torch: Any = import_module("torch")

_BYTES = {1: "uint8", 2: "int16", 4: "int32", 8: "int64"}


class Rows(NamedTuple):
    """What seats that are to act see and may do; valid until the next step."""

    games: Tensor
    seats: Tensor
    observations: Tensor
    masks: Tensor


class Tables:
    """Games in step that all have the same setup."""

    def __init__(self, plan: Plan, setup: Setup[Any], size: int, seed: int) -> None:
        """Begin this many games of a setup."""
        game, device = self.game, self.device = plan.game, plan.device
        self.setup, self.size = setup, size
        self.seats, self.room = setup.seats, room_of(game)
        memory: dict[str, Any] = {"remember": True} if plan.remember else {}
        self.batch = Batch(
            game, setup, size, seed, device, packed=True, threads=plan.threads, **memory
        )
        on_gpu = partial(torch.as_tensor, device="cuda")
        self._shared = on_gpu if device == "cuda" else torch.from_dlpack
        self._observations, self._masks = (
            self._shared(self.batch.observations),
            self._shared(self.batch.masks),
        )
        self._actions, self.done = self._shared(self.batch.actions), self._shared(self.batch.done)
        self._games, self._seats = (
            self._shared(self.batch.row_games),
            self._shared(self.batch.row_seats),
        )
        self._alone = kernel_of(game.NAME).max_to_act(setup) == 1
        self._results = self._bytes(self.batch.results)
        self._states = self._bytes(self.batch.states)
        self._held = torch.tensor(self.room.HELD, dtype=torch.int64, device=device)
        seats = torch.arange(self.seats, device=device)
        self.clockwise = (seats[:, None] + seats) % self.seats
        """For each seat, all seats as it counts them."""

    @property
    def shape(self) -> Shape:
        """The shape of a network that plays here."""
        width, actions = self._observations.shape[1], self._masks.shape[1]
        return Shape(width, actions, self.game.SEATS[-1], len(self.room.HELD))

    def rows(self) -> Rows:
        """The seats that are to act now. With one in each game, the GPU is not waited for."""
        end = self.size if self._alone else self.batch.rows
        whose = self._games[:end].long(), self._seats[:end].long()
        return Rows(*whose, self._observations[:end], self._masks[:end])

    def step(self, actions: Tensor) -> None:
        """Take these legal actions, one for each row."""
        self._actions[: len(actions)] = actions
        self.batch.step(checked=False)

    def choose(self) -> Tensor:
        """Legal actions by uniform chance, one for each row."""
        self.batch.choose()
        return self._actions

    def outcomes(self) -> Tensor:
        """For the game that ended last in each place, every seat's share of the win and its points.

        The axes are games, these two, and seats.
        """
        ranks = _field(self._results, RESULT, "ranks")[:, : self.seats]
        points = _field(self._results, RESULT, "points")[:, : self.seats]
        best = (ranks == 1).float()
        shares = best / best.sum(dim=1, keepdim=True).clamp(min=1)
        return torch.stack((shares, points / POINTS), dim=1)

    def places(self) -> Tensor:
        """The same for the share of the others that a seat beat, less the share that beat it."""
        ranks = _field(self._results, RESULT, "ranks")[:, : self.seats].int()
        beaten = (ranks[:, None, :] > ranks[:, :, None]).float().sum(dim=2)
        beat = (ranks[:, None, :] < ranks[:, :, None]).float().sum(dim=2)
        return (beaten - beat) / (self.seats - 1)

    def truth(self) -> Tensor:
        """What each seat holds now, by games, seats, and the things of the game's room."""
        if not self.room.HELD:
            return torch.zeros(self.size, self.seats, 0, dtype=torch.bool, device=self.device)
        hands = _field(self._states, self.batch.states.dtype, "hands")[:, : self.seats].long()
        return (hands[..., None] & self._held) != 0

    def _bytes(self, records: Any) -> Tensor:  # noqa: ANN401 - of NumPy or Numba
        """Records as bytes, a row each."""
        size = records.dtype.itemsize
        return self._shared(records.view(np.uint8).reshape((len(records), size)))


def _field(rows: Tensor, kind: Any, name: str) -> Tensor:  # noqa: ANN401 - a dtype
    """A field of records as numbers, where it is in memory."""
    of, begin = kind.fields[name][:2]
    size = of.base.itemsize
    return rows[:, begin : begin + of.itemsize].view(getattr(torch, _BYTES[size]))
