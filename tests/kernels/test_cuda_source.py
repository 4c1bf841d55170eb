"""Kernels compile for a GPU, also where there is none; skipped without numba-cuda."""

import re
from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import pytest

from mauerwerk.kernels import KERNELS
from mauerwerk.kernels.compiler import Compiler
from mauerwerk.kernels.observation import Codes
from mauerwerk.kernels.play.rewards import Scoring
from mauerwerk.kernels.play.stepping import RESULT, Games

HOPPER = (9, 0)
CALL = re.compile(r"^\s*(?:@\S+\s+)?call\S*\s+(?:\(\S+\),)?\s*(\w+)", re.MULTILINE)
"""An instruction, and the function that it calls."""

pytestmark = pytest.mark.skipif(find_spec("numba_cuda") is None, reason="needs the extra cuda")


@pytest.mark.parametrize("kind", ["plain", "remembering", "suggesting"])
@pytest.mark.parametrize("name", KERNELS)
def test_kernels_compile_for_a_gpu(name: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """To assembly that is all one piece, as speed wants it.

    Only a move may be called: it is large, and stands in two places.
    """
    cuda: Any = import_module("numba.cuda")
    numba: Any = import_module("numba")
    device = SimpleNamespace(compute_capability=HOPPER)
    dispatcher = import_module("numba.cuda.dispatcher")
    monkeypatch.setattr(dispatcher, "get_current_device", lambda: device)

    def array(kind: object, axes: int = 1) -> Any:  # noqa: ANN401 - Numba's
        return numba.types.Array(numba.from_dtype(kind), axes, "C")

    suggests = kind == "suggesting"
    part = "greedy" if suggests else None
    compiler = Compiler(name, "cuda", remember=kind == "remembering", part=part)
    np: Any = import_module("numpy")
    setups, states = array(compiler.kernel.SETUP), array(compiler.kernel.STATE)
    yes, results = np.dtype("?"), array(RESULT)
    longs, ints, shorts = array(np.dtype("i8")), array(np.dtype("i4")), array(np.dtype("i2"))

    def games_with(observed: str, masked: str) -> Any:  # noqa: ANN401 - Numba's
        return numba.types.NamedTuple(
            [
                *(setups, states, longs, longs, shorts, array(yes, 2)),
                *(array(np.dtype(masked), 2), array(np.dtype(observed), 2)),
                *(array(np.dtype("f4"), 2), array(yes), results),
                *(ints, ints, array(np.dtype("i1")), numba.types.boolean, numba.types.boolean),
            ],
            Games,
        )

    games, of_bits = games_with("i2", "?"), games_with("i4", "i4")
    codes = numba.types.NamedTuple([ints, ints, ints, ints], Codes)
    seed, number = numba.types.uint64, numba.types.int64
    scoring = numba.types.NamedTuple(
        [*([array(np.dtype("i2"), 2)] * 2), array(yes), number, number], Scoring
    )
    ours: Any = import_module("mauerwerk.kernels.play.cuda")
    shape = numba.types.NamedUniTuple(number, len(ours.Shape._fields), ours.Shape)
    in_step = {"reset_on_gpu": (games, seed, ints), "step_on_gpu": (games, seed, ints)}
    others = {
        "play_on_gpu": (setups, results, seed, number),
        "choose_on_gpu": (games, seed),
        "find_illegal_on_gpu": (games, longs),
        "record_points_on_gpu": (games, scoring),
        "write_rewards_on_gpu": (games, scoring),
        "number_rows_on_gpu": (games, ints),
        "step_nearby_on_gpu": (games, seed, ints, longs),
        "write_rows_on_gpu": (games, ints, longs, longs, longs, shape),
        "write_encoded_rows_on_gpu": (of_bits, ints, longs, ints, ints, codes, shape),
    }
    in_step |= {} if suggests else others
    for entry, given in in_step.items():
        assembly, _ = cuda.compile_ptx(
            compiler.entry(getattr(ours, entry)).py_func, given, cc=HOPPER
        )
        assert ".target sm_90" in assembly
        assert [name for name in CALL.findall(assembly) if "5apply" not in name] == []
