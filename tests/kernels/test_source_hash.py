"""Keys of compiled functions: what changes them, and what does not."""

from enum import IntEnum
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from mauerwerk.kernels.contract import compiled
from mauerwerk.kernels.source_hash import SourceHash, described, described_signature, value_in

SOURCE = '''
import math
from mauerwerk.kernels.contract import compiled
LIMIT = 3
@compiled
def even(number):
    """Whether it is even."""
    # by way of the other
    return number == 0 or odd(number - 1)
@compiled
def odd(number):
    """Whether it is odd."""
    return number != 0 and even(number - 1) and math.sqrt(number) < LIMIT
@compiled
def alone(number):
    """Calls nobody."""
    return sum([each * 2 for each in (number, 0.5)])
'''


def keys(source: str = SOURCE, path: str = "here.py", **names: object) -> dict[str, str]:
    """The keys of the functions above."""
    module = ModuleType("made_up")
    exec(compile(source, path, "exec"), vars(module))  # noqa: S102 - the text above
    vars(module).update(names)
    contents = SourceHash(lambda _, name: value_in(module, name))
    return {name: contents.key(getattr(module, name)) for name in ("even", "odd", "alone")}


@pytest.mark.parametrize(
    "source",
    [
        SOURCE.replace("# by way of the other", "# in a circle\n"),
        SOURCE.replace("Whether", "It says\n    whether"),
        SOURCE.replace('    """Whether it is even."""\n', ""),
        "# a licence\n\n\n" + SOURCE,
        SOURCE + "\nOTHER = 5\n@compiled\ndef another(number):\n    return OTHER\n",
    ],
)
def test_what_is_not_compiled_does_not_matter(source: str) -> None:
    """Comments, docstrings, lines, paths, and functions that are not called."""
    assert keys(source, "/there/and/there.py") == keys()


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("number == 0", "number == 1", {"even", "odd"}),
        ("LIMIT = 3", "LIMIT = 3.0", {"even", "odd"}),
        ("LIMIT = 3", "LIMIT = True", {"even", "odd"}),
        ("math.sqrt", "math.exp", {"even", "odd"}),
        ("each * 2", "each * 3", {"alone"}),
        ("0.5", "-0.5", {"alone"}),
        ("sum([", "max([", {"alone"}),
    ],
)
def test_an_edit_changes_what_it_reaches(old: str, new: str, changed: set[str]) -> None:
    """Also through functions that call each other in a circle, and in nested code."""
    before, after = keys(), keys(SOURCE.replace(old, new))

    assert {name for name in before if before[name] != after[name]} == changed


class Colour(IntEnum):
    """An enum."""

    RED = 1
    BLUE = 2


ONE = np.dtype([("a", "i2"), ("b", "i4")])
DIFFERENT: list[object] = [
    1, 1.0, True, "1", b"1", None, ..., 1j, (1,), (1.0,), ((1,),), Colour.RED, Colour.BLUE, Colour,
    np.int64(1), np.int32(1), np.uint64(1), 0.0, -0.0, float("nan"),
    np.array([1, 2]), np.array([1, 3]), np.array([[1, 2]]), np.array([1, 2], np.int32),
    ONE, np.dtype([("b", "i2"), ("a", "i4")]), np.dtype([("a", "i2"), ("b", "i4")], align=True),
    np.dtype("i4"), np.dtype(("i4", (2,))), np.uint64, int, abs, min, np.zeros, np.sqrt,
    type("Pair", (tuple,), {"_fields": ("a", "b")}),
    type("Pair", (tuple,), {"_fields": ("b", "a")}),
    np, frozenset({1}),
]  # fmt: skip


def test_different_values_are_described_differently() -> None:
    """Whatever kinds they are of."""
    assert len({repr(described(each)) for each in DIFFERENT}) == len(DIFFERENT)


def plain() -> None:
    """Not marked."""


@pytest.mark.parametrize(
    "value",
    [
        [1],
        {1: 2},
        {1},
        object(),
        SimpleNamespace(),
        plain,
        SimpleNamespace,
        pytest,
        np.array([()], object),
    ],
)
def test_other_kinds_are_refused(value: object) -> None:
    """The error names the function and the global; a change would go unnoticed otherwise."""
    with pytest.raises(TypeError, match=r"made_up\.odd uses the global LIMIT: "):
        keys(LIMIT=value)


def test_a_closure_is_refused() -> None:
    """Its content is not in the code."""
    hidden = 3

    @compiled
    def function() -> int:
        return hidden

    with pytest.raises(TypeError, match="closure"):
        described(function)
    with pytest.raises(TypeError, match="closure"):
        SourceHash(lambda _, __: None).key(function)  # type: ignore[arg-type]


def test_settings_and_options_are_part_of_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba's settings, too, where they change the code."""
    from mauerwerk.kernels import source_hash  # noqa: PLC0415 - one function of it is replaced

    function: Any = compiled(FunctionType((lambda: 1).__code__, {}, "one"))
    before = SourceHash(lambda _, __: None).key(function)
    assert SourceHash(lambda _, __: None, "fast").key(function) != before
    monkeypatch.setattr(source_hash, "tools", source_hash.tools.__wrapped__)
    monkeypatch.setenv("NUMBA_CACHE_DIR", "elsewhere")
    assert SourceHash(lambda _, __: None).key(function) == before
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert SourceHash(lambda _, __: None).key(function) != before


def test_a_named_tuple_is_told_apart_by_its_fields() -> None:
    """Numba's own name for such a type says only what the fields hold."""
    pairs = [(_Named(fields),) for fields in (("a", "b"), ("b", "a"))]

    assert described_signature(pairs[0]) != described_signature(pairs[1])


class _Named:
    types = ("int64", "int64")

    def __init__(self, fields: tuple[str, ...]) -> None:
        self.fields = fields

    def __str__(self) -> str:
        return "Pair(int64, int64)"
