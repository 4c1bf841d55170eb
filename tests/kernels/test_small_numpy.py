"""Positions packed without NumPy, as in a browser: the bytes are those of NumPy."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.support.amounts import amount
from tests.support.packing import packed_positions

from mauerwerk.kernels.wasm import small_numpy

WITHOUT = """
import importlib.abc, importlib.util, json, sys

missing = {"numpy", "numba", "llvmlite", "wasmtime"}

class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in missing:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name in missing else find(name, *more)
sys.meta_path.insert(0, Missing())

from mauerwerk.kernels.wasm import small_numpy
small_numpy.install()
from mauerwerk.bots import can_search
assert not can_search()
from tests.support.packing import packed_positions
print(json.dumps(packed_positions(int(sys.argv[1]))))
"""


@pytest.mark.process
def test_bytes_are_those_of_numpy() -> None:
    """Setups, states with what is remembered, and beliefs, in many positions of all games."""
    number = amount(5, 25, 200)
    root = Path(__file__).parents[2]
    words = [sys.executable, "-c", WITHOUT, str(number)]

    said = subprocess.check_output(words, cwd=root, text=True)  # noqa: S603 - our own words

    assert json.loads(said) == packed_positions(number)


def test_records_are_laid_out_alike() -> None:
    fields = [("a", "u1"), ("b", "i8", (3,)), ("c", "u2"), ("d", "f4", (2,)), ("e", "i1")]
    for align in (False, True):
        ours, theirs = small_numpy.dtype(fields, align=align), np.dtype(fields, align=align)
        assert ours.itemsize == theirs.itemsize
        assert ours.fields is not None
        assert theirs.fields is not None
        for name in theirs.fields:
            assert ours.fields[name][1] == theirs.fields[name][1]
        one, other = small_numpy.zeros(2, ours), np.zeros(2, theirs)
        for record in (one[1], other[1]):
            record["a"], record["c"] = 200, 7
            record["b"][1:] = [-5, 6]
            record["b"][0] += 9
            record["d"] = 0.5
        for record in (one, other):
            record["e"] = [-1, 1]
        assert one.tobytes() == other.tobytes()
        assert one["b"].tolist() == other["b"].tolist()


def test_what_does_not_fit_is_refused() -> None:
    numbers = small_numpy.zeros((2, 3), small_numpy.uint8)
    with pytest.raises(ValueError, match="2 values for 3 places"):
        numbers[0] = [1, 2]
    with pytest.raises(IndexError):
        numbers[2, 0] = 1
    with pytest.raises(Exception, match="255"):
        numbers[0, 0] = 256


def test_numpy_itself_stays_in_its_place() -> None:
    small_numpy.install()

    assert sys.modules["numpy"] is np
