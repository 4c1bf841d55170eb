"""Many games in step as tensors, which share the memory of a batch on the CPU or on a GPU.

Every game has the same number of rows at every step, so that shapes never change: one for the seat
that is to act or, where seats choose together, one for each seat. On a GPU PyTorch and Numba both
use the default stream, so that neither waits for the other.
"""

from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.compiler import Device
from mauerwerk.kernels.observation import lookup_of
from mauerwerk.kernels.play.batch import Batch
from mauerwerk.kernels.play.stepping import RESULT
from mauerwerk.learn.config import POINTS
from mauerwerk.learn.network import Shape, Tensor
from mauerwerk.learn.rooms import room_of

torch: Any = import_module("torch")

_BYTES = {1: "uint8", 2: "int16", 4: "int32", 8: "int64"}

ALIGN = {"cpu": 1, "cuda": 64}
"""To which multiples the sizes of layers are padded, by device."""


class VectorEnv:
    """Games in step that all have the same setup."""

    def __init__(  # noqa: PLR0913 - what a batch is given
        self,
        game: AnyGame,
        setup: Setup[Any],
        size: int,
        seed: int,
        device: Device = "cpu",
        *,
        remember: bool = False,
        suggest: bool = False,
        threads: int = 1,
    ) -> None:
        """Begin this many games of a setup; `suggest` keeps what its rules of thumb need."""
        self.game, self.setup, self.size, self.device = game, setup, size, device
        self.seed, self.remember = seed, remember
        self.seats, self.room = setup.seats, room_of(game)
        kernel: Any = kernel_of(game.NAME)
        self.aim: int = kernel.AIM
        self.together = bool(kernel.max_to_act(setup) > 1)
        """Whether several seats may be to act at the same time."""
        memory: dict[str, Any] = {"remember": remember, "suggest": suggest}
        self.batch = Batch(
            game, setup, size, seed, device, packed=not self.together, threads=threads, **memory
        )
        on_gpu = partial(torch.as_tensor, device="cuda")
        self._shared = on_gpu if device == "cuda" else torch.from_dlpack
        self.rows_per_game = self.seats if self.together else 1
        self.rows = size * self.rows_per_game
        inputs, actions = self.batch.observations.shape[-1], self.batch.masks.shape[-1]
        self.observations = self._shared(self.batch.observations).view(self.rows, inputs)
        self.masks = self._shared(self.batch.masks).view(self.rows, actions)
        self.actions = self._shared(self.batch.actions).view(self.rows)
        self.done = self._shared(self.batch.done)
        """Which games ended with the last step, by games."""
        self.to_act = self._shared(self.batch.to_act)
        """Which seats are to act, by games and seats."""
        if self.together:
            seats = torch.arange(self.seats, dtype=torch.int8, device=device)
            self.row_seats = seats.repeat(size)
        else:
            self.row_seats = self._shared(self.batch.row_seats)
        """The seat of each row."""
        results = self.bytes_of(self.batch.results)
        self.ranks = _field(results, RESULT, "ranks")[:, : self.seats]
        """Of the game that ended last in each place, by games and seats; and likewise"""
        self.points = _field(results, RESULT, "points")[:, : self.seats]
        self.hands: Tensor = None
        """What each seat holds, as bits, by games and seats; None where nothing is to be learnt."""
        if self.room.HELD:
            states = self.bytes_of(self.batch.states)
            self.hands = _field(states, self.batch.states.dtype, "hands")[:, : self.seats]

    @property
    def shape(self) -> Shape:
        """The shape of a network that plays here."""
        return Shape(
            self.observations.shape[1],
            self.masks.shape[1],
            self.game.SEATS[-1],
            len(self.room.HELD),
            ALIGN[self.device],
            lookup_of(self.game, remember=self.remember),
        )

    def reset(self) -> None:
        """Begin all games again."""
        self.batch.reset()

    def step(self) -> None:
        """Take `actions`, which must be legal where seats are to act."""
        self.batch.step(checked=False)

    def choose(self) -> None:
        """Write legal actions by uniform chance into `actions`."""
        self.batch.choose()

    def outcomes(self) -> Tensor:
        """Every seat's share of the win, points and place in the game that ended last, by games.

        The place is the share of the others that a seat beat, less the share that beat it.
        """
        ranks = self.ranks.int()
        beaten = (ranks[:, None, :] > ranks[:, :, None]).float().sum(dim=2)
        beat = (ranks[:, None, :] < ranks[:, :, None]).float().sum(dim=2)
        place = (beaten - beat) / (self.seats - 1)
        return torch.stack((win_shares(self.ranks), self.points.float(), place), dim=1)

    def bytes_of(self, records: Any) -> Tensor:  # noqa: ANN401 - of NumPy or Numba
        """Records of the batch as bytes, a row each."""
        size = records.dtype.itemsize
        return self._shared(records.view(np.uint8).reshape((len(records), size)))


def win_shares(ranks: Tensor) -> Tensor:
    """Each seat's share of the win by the ranks of a game; a shared win counts in parts."""
    best = (ranks == 1).float()
    return best / best.sum(dim=-1, keepdim=True).clamp(min=1)


def in_units(points: Tensor) -> Tensor:
    """Points as the network learns them."""
    return points.float() / POINTS


def _field(rows: Tensor, kind: Any, name: str) -> Tensor:  # noqa: ANN401 - a dtype
    """A field of records as numbers, where it is in memory."""
    of, begin = kind.fields[name][:2]
    size = of.base.itemsize
    return rows[:, begin : begin + of.itemsize].view(getattr(torch, _BYTES[size]))
