"""Reading datasets: batches of decisions as arrays of NumPy or tensors of PyTorch.

    dataset = Dataset("positions")
    for rows in dataset.batches(4096, shuffle=1):
        rows.observations, rows.masks, rows.actions, rows.rewards

Reading needs NumPy and pyarrow, and neither kernels nor a compiler.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mauerwerk.core.errors import SetupError
from mauerwerk.kernels.observation import Codes, decode
from mauerwerk.lab.dataset import files as stored
from mauerwerk.lab.dataset.decisions import Decisions

BATCH: Final = 4096


class Rows(NamedTuple):
    """Decisions, one per row: arrays of NumPy, or tensors of PyTorch."""

    games: Any
    moves: Any
    """The number of moves in the game before this one, nature's included."""
    seats: Any
    observations: Any
    """What it sees, as 16-bit integers; `Dataset.layout` names the parts."""
    masks: Any
    actions: Any
    """The action that was chosen, as a 64-bit integer."""
    points: Any
    ranks: Any
    """How the game ended for each seat; the first seat is seat 0."""
    rewards: Any
    """What the seat that decides got: the share of the others that it beat, less the share that
    beat it, from -1 to 1."""
    visits: Any
    """How often a search tried each action; 0 for those that are not legal. None without one."""
    values: Any
    """The share in the win that it expects of each, from 0 to 1; 0 for those that are not legal."""


class Dataset:
    """A folder that `mauerwerk dataset` wrote. Files that are still lacking are left out."""

    def __init__(self, path: str | Path) -> None:
        """Read the description. Raises SetupError if there is none."""
        self.path = Path(path)
        self.description: stored.Description = stored.read_description(self.path)
        self.files: Sequence[Path] = stored.files_in(self.path)
        self._observation = _codes(self.description.observation)
        self._mask = _codes(self.description.mask)

    @property
    def layout(self) -> Mapping[str, slice]:
        """The parts of an observation."""
        return {name: slice(*ends) for name, ends in self.description.layout.items()}

    @property
    def actions(self) -> tuple[str, ...]:
        """The word for each action, by number."""
        return self.description.actions

    def __len__(self) -> int:
        """The number of decisions."""
        return sum(map(stored.rows_in, self.files))

    def batches(
        self, size: int = BATCH, *, shuffle: int | None = None, files: Sequence[Path] | None = None
    ) -> Iterator[Rows]:
        """All decisions once, or those in some of the files; one file is in memory at a time.

        With a seed for `shuffle`, the files come in any order, and the rows of each file too. The
        last batch of each file may be smaller than the others.
        """
        if size < 1:
            raise SetupError(f"a batch has at least one row, not {size}")
        draw = None if shuffle is None else np.random.default_rng(shuffle)
        paths = list(self.files if files is None else files)
        if draw is not None:
            draw.shuffle(paths)
        for path in paths:
            found = stored.read_file(path, self.description.plan.seats)
            number = len(found.games)
            order = np.arange(number) if draw is None else draw.permutation(number)
            for begin in range(0, number, size):
                yield self._rows(found, order[begin : begin + size])

    def _rows(self, found: Decisions, chosen: npt.NDArray[np.int64]) -> Rows:
        masks = decode(found.masks[chosen], self._mask).astype(np.bool_)
        seats, ranks = found.seats[chosen].astype(np.int64), found.ranks[chosen]
        visits = values = None
        if found.searched is not None:
            places = _places(found.searched.counts, chosen)
            visits, values = np.zeros(masks.shape, np.int32), np.zeros(masks.shape, np.float32)
            visits[masks] = found.searched.visits[places]
            values[masks] = found.searched.values[places]
        return Rows(
            games=found.games[chosen],
            moves=found.moves[chosen],
            seats=seats,
            observations=decode(found.observations[chosen], self._observation).astype(np.int16),
            masks=masks,
            actions=found.actions[chosen].astype(np.int64),
            points=found.points[chosen],
            ranks=ranks,
            rewards=rewards(ranks, seats),
            visits=visits,
            values=values,
        )

    def for_torch(self, size: int = BATCH, *, shuffle: int | None = None) -> Any:  # noqa: ANN401
        """An `IterableDataset` of PyTorch whose items are batches, for a `DataLoader`.

        Give the loader `batch_size=None`. Each of its workers reads its own share of the files. The
        order changes from one pass to the next.
        """
        from mauerwerk.lab.dataset.for_torch import TorchDataset  # noqa: PLC0415 - needs PyTorch

        return TorchDataset(self.files, self.batches, size, shuffle)


def rewards(ranks: npt.NDArray[Any], seats: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """The share of the others that each row's seat beat, less the share that beat it."""
    own = np.take_along_axis(ranks, seats[:, None], axis=1)
    balance = (ranks > own).sum(axis=1) - (ranks < own).sum(axis=1)
    shares: npt.NDArray[np.float32] = (balance / (ranks.shape[1] - 1)).astype(np.float32)
    return shares


def _places(counts: npt.NDArray[np.int32], chosen: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The places of the entries of these rows, row by row, where rows have this many each."""
    own, ends = counts[chosen], np.cumsum(counts)
    # In the answer, a row begins where all rows before it have their entries.
    moved = (ends - counts)[chosen] - (np.cumsum(own) - own)
    places: npt.NDArray[np.int64] = np.add(np.repeat(moved, own), np.arange(int(own.sum())))
    return places


def _codes(bits: stored.Bits) -> Codes:
    words, shifts, tops = (
        np.array(each, np.int32) for each in (bits.words, bits.shifts, bits.tops)
    )
    return Codes(
        firsts=np.flatnonzero(np.diff(words, prepend=-1)), words=words, shifts=shifts, tops=tops
    )
