"""Many games in step as tensors, which share the memory of a batch on the CPU or on a GPU.

Every game has the same number of rows at every step, so that shapes never change: one for the seat
that is to act or, where seats choose together, one for each seat. On a GPU PyTorch and Numba both
use the default stream, so that neither waits for the other.
"""

from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.compiler import Device
from mauerwerk.kernels.observation import lookup_of
from mauerwerk.kernels.play.batch import Batch
from mauerwerk.kernels.play.stepping import RESULT
from mauerwerk.learn.config import POINTS
from mauerwerk.learn.network import Shape, Tensor

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
        self.seats = setup.seats
        kernel: Any = kernel_of(game.NAME)
        self.aim: int = kernel.AIM
        self.held: tuple[int, ...] = kernel.HELD
        """For each thing that a seat can hold in secret, its bits in `hands`."""
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
        if self.held:
            states = self.bytes_of(self.batch.states)
            self.hands = _field(states, self.batch.states.dtype, "hands")[:, : self.seats]

    @property
    def shape(self) -> Shape:
        """The shape of a network that plays here."""
        return Shape(
            self.observations.shape[1],
            self.masks.shape[1],
            self.game.SEATS[-1],
            len(self.held),
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


# --- Greedy bots ----------------------------------------------------------------------------------


COPIED = ("states", "numbers", "decisions")
"""What rules of thumb read of a game."""


class GreedyBots:
    """What greedy bots would do in some games of an environment, by the kernel and on the CPU.

    Rules of thumb branch at every step, so that a GPU takes 19 ms for what a core does in 2 to 5 µs
    a decision. Therefore the games are copied to the CPU, which says what greedy bots would do in
    them while the GPU lets the network choose.
    """

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
