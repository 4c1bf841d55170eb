"""Arrays of a batch in other libraries: nothing is copied."""

import gc
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

import numpy as np
import pytest

from mauerwerk.core.game import Setup
from mauerwerk.games import GAMES, mauer
from mauerwerk.kernels.play import dlpack
from mauerwerk.kernels.play.batch import Batch
from mauerwerk.kernels.play.dlpack import CPU, DlpackArray, as_dlpack

ARRAYS: Final = ("observations", "masks", "to_act", "actions", "rewards", "done", "numbers")


def batch_of(name: str = "mauer", **options: Any) -> Batch:  # noqa: ANN401
    """A few games."""
    game = GAMES[name]
    return Batch(game, Setup(3, game.OPTIONS()), 8, seed=1, **options)


def lent(array: Any) -> DlpackArray:  # noqa: ANN401 - of NumPy
    """An array as one of a GPU would be lent, but here."""
    return DlpackArray(array, array.ctypes.data, (CPU, 0))


@pytest.mark.parametrize("name", ARRAYS)
def test_numpy_takes_over_what_is_lent(name: str) -> None:
    """Its memory, shape and elements; that is what a GPU's arrays go through."""
    array = getattr(batch_of(), name)

    taken = np.from_dlpack(lent(array))

    assert taken.ctypes.data == array.ctypes.data
    assert (taken.shape, taken.dtype) == (array.shape, array.dtype)
    assert np.array_equal(taken, array)


def test_what_is_lent_lives_until_it_is_given_back() -> None:
    """By whoever took it over, or when nobody did."""
    lent_before = len(dlpack._LENT)  # noqa: SLF001
    array = np.arange(6, dtype=np.int16).reshape(2, 3)
    taken, capsule = np.from_dlpack(lent(array)), lent(array).__dlpack__()
    assert len(dlpack._LENT) == lent_before + 2  # noqa: SLF001

    del array, capsule
    gc.collect()
    assert len(dlpack._LENT) == lent_before + 1  # noqa: SLF001
    assert taken.tolist() == [[0, 1, 2], [3, 4, 5]]

    del taken
    gc.collect()
    assert len(dlpack._LENT) == lent_before  # noqa: SLF001


def test_records_are_not_lent() -> None:
    """Other libraries do not know any."""
    with pytest.raises(BufferError, match="an array of records cannot be shared"):
        lent(batch_of().results)


def test_arrays_of_the_cpu_are_shared_as_they_are() -> None:
    """NumPy's know how."""
    batch = batch_of()

    assert as_dlpack(batch.masks) is batch.masks


@pytest.mark.foreign
@pytest.mark.skipif(find_spec("torch") is None, reason="needs PyTorch")
@pytest.mark.parametrize("form", ["int16", "int8", "bits"])
def test_pytorch_reads_and_writes_the_arrays_of_a_batch(form: Any) -> None:  # noqa: ANN401
    """All of them, in every form; a step is seen in the tensors, and actions go the other way."""
    torch: Any = import_module("torch")
    batch = batch_of(form=form)
    for name in ARRAYS:
        for one in (as_dlpack(getattr(batch, name)), lent(getattr(batch, name))):
            assert torch.from_dlpack(one).data_ptr() == getattr(batch, name).ctypes.data
    actions, to_act = (torch.from_dlpack(as_dlpack(each)) for each in (batch.actions, batch.to_act))

    actions[:] = 0  # everybody plans the tower, and one builds it (DM-13, DM-15)
    batch.step()

    assert to_act.sum() == len(to_act)


@pytest.mark.foreign
@pytest.mark.skipif(find_spec("jax") is None, reason="needs JAX")
@pytest.mark.parametrize("packed", [False, True])
def test_jax_reads_the_arrays_of_a_batch(packed: bool) -> None:  # noqa: FBT001
    """JAX takes over only what begins on a line of the cache, which these arrays do."""
    jax: Any = import_module("jax")
    batch = batch_of("burgbaumeister", packed=packed)
    for name in ("observations", "masks", "to_act", "rewards", "done"):
        taken = jax.numpy.from_dlpack(as_dlpack(getattr(batch, name)))
        assert taken.unsafe_buffer_pointer() == getattr(batch, name).ctypes.data
        assert np.array_equal(np.asarray(taken), getattr(batch, name))


def test_a_batch_of_another_size_is_aligned_too() -> None:
    """Whatever the number of games and seats."""
    for size in (1, 3, 17):
        batch = Batch(mauer, Setup(5, mauer.Options()), size, seed=1)
        assert all(getattr(batch, name).ctypes.data % 64 == 0 for name in ARRAYS)
