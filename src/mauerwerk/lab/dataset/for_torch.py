"""A dataset as PyTorch takes it."""

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

torch: Any = import_module("torch")
data: Any = import_module("torch.utils.data")


class TorchDataset(data.IterableDataset):  # type: ignore[misc]
    """The batches of a dataset as tensors."""

    def __init__(
        self,
        files: Sequence[Path],
        batches: Callable[..., Iterator[Any]],
        size: int,
        shuffle: int | None,
    ) -> None:
        """Nothing is read yet; `batches` is the method of a `Dataset` with these files."""
        self._files, self._batches, self._size, self._shuffle = files, batches, size, shuffle
        self._passes = 0

    def __iter__(self) -> Iterator[Any]:
        """One pass through the files of this worker, or through all of them."""
        worker = data.get_worker_info()
        first, step = (0, 1) if worker is None else (worker.id, worker.num_workers)
        self._passes += 1
        # A worker begins anew with every pass, with a seed that PyTorch draws.
        passed = self._passes if worker is None else worker.seed
        seed = None if self._shuffle is None else self._shuffle + passed
        for rows in self._batches(self._size, shuffle=seed, files=self._files[first::step]):
            tensors = (None if each is None else torch.from_numpy(each) for each in rows)
            yield type(rows)(*tensors)
