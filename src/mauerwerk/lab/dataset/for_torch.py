"""A dataset as PyTorch takes it."""

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

from mauerwerk.lab.dataset.reading import Rows

if TYPE_CHECKING:
    from mauerwerk.lab.dataset.reading import Dataset

torch: Any = import_module("torch")
data: Any = import_module("torch.utils.data")


class TorchDataset(data.IterableDataset):  # type: ignore[misc]
    """The batches of a dataset as tensors."""

    def __init__(self, dataset: "Dataset", size: int, shuffle: int | None) -> None:
        """Nothing is read yet."""
        self._dataset, self._size, self._shuffle = dataset, size, shuffle
        self._passes = 0

    def __iter__(self) -> Iterator[Rows]:
        """One pass through the files of this worker, or through all of them."""
        worker = data.get_worker_info()
        first, step = (0, 1) if worker is None else (worker.id, worker.num_workers)
        self._passes += 1
        # A worker begins anew with every pass, with a seed that PyTorch draws.
        passed = self._passes if worker is None else worker.seed
        seed = None if self._shuffle is None else self._shuffle + passed
        files = self._dataset.files[first::step]
        for rows in self._dataset.batches(self._size, shuffle=seed, files=files):
            yield Rows(*(None if each is None else torch.from_numpy(each) for each in rows))
