"""Kernels compile for a GPU, also where there is none; skipped without numba-cuda."""

from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import pytest

from mauerwerk.kernels import KERNELS
from mauerwerk.kernels.compiler import Compiler
from mauerwerk.kernels.play.stepping import Games
from mauerwerk.kernels.results import RESULT

HOPPER = (9, 0)

pytestmark = pytest.mark.skipif(find_spec("numba_cuda") is None, reason="needs the extra cuda")


@pytest.mark.parametrize("name", KERNELS)
def test_kernels_compile_for_a_gpu(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """To assembly without a call left in it: all is one piece, as speed wants it."""
    cuda: Any = import_module("numba.cuda")
    numba: Any = import_module("numba")
    device = SimpleNamespace(compute_capability=HOPPER)
    dispatcher = import_module("numba.cuda.dispatcher")
    monkeypatch.setattr(dispatcher, "get_current_device", lambda: device)

    def array(kind: object, axes: int = 1) -> Any:  # noqa: ANN401 - Numba's
        return numba.types.Array(numba.from_dtype(kind), axes, "C")

    compiler = Compiler(name, "cuda")
    np: Any = import_module("numpy")
    setups, states = array(compiler.kernel.SETUP), array(compiler.kernel.STATE)
    longs, shorts, results = array(np.dtype("i8")), np.dtype("i2"), array(RESULT)
    yes = np.dtype("?")
    games = numba.types.NamedTuple(
        [
            *(setups, states, longs, longs, array(shorts, 2), array(yes, 2), array(yes, 3)),
            *(array(shorts, 3), array(np.dtype("f4"), 2), array(yes), results, numba.types.boolean),
        ],
        Games,
    )
    seed, number = numba.types.uint64, numba.types.int64
    functions = compiler.functions(import_module("mauerwerk.kernels.play.cuda"))
    for entry, given in {
        "play_on_gpu": (setups, results, seed, number),
        "reset_on_gpu": (games, seed),
        "step_on_gpu": (games, seed),
        "choose_on_gpu": (games, seed),
        "refuse_on_gpu": (games, longs),
        "look_on_gpu": (games,),
    }.items():
        assembly, _ = cuda.compile_ptx(functions[entry].py_func, given, cc=HOPPER)
        assert ".target sm_90" in assembly
        assert "call" not in assembly
