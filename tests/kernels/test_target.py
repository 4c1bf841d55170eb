"""Compiling: when, what is said meanwhile, and what a kernel consists of."""

import os
import pickle
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

from mauerwerk.kernels import KERNELS, join, kernel_of
from mauerwerk.kernels.compiler import Compiler
from mauerwerk.kernels.contract import compiled, is_compiled, is_slot

ROWS = ("checked_step", "advance_all", "number_rows", "write_rows", "write_encoded_rows")
ENTRIES = {
    "play.stepping": (
        *("play", "play_moves", "finish", "determinize", "move_all"),
        *("reset", "step", "choose", "first_illegal", *ROWS),
    ),
    "play.single": ("begin", "look", "move", "observe_all", "nth_legal", "result_of"),
}
SEARCHED = ("simulate", "root_of", "mix_strategy", "chosen_together", "canonical_actions")

BEGIN = (
    "from mauerwerk.kernels.compiler import compiler_for;"
    "from mauerwerk.kernels.play.stepping import first_of;"
    "compiler_for('mauer', 'cpu').entry(first_of)(4)"
)


def begin(cache: Path) -> "subprocess.Popen[str]":
    """Compile a small function in a new Python with this cache."""
    return subprocess.Popen(  # noqa: S603 - ourselves
        [sys.executable, "-c", BEGIN],
        env=os.environ | {"MAUERWERK_CACHE": str(cache)},
        stderr=subprocess.PIPE,
        text=True,
    )


def said_by(process: "subprocess.Popen[str]") -> str:
    """What a process wrote, which ended well."""
    said = process.communicate()[1]
    assert process.returncode == 0
    return said


def test_it_says_what_it_compiles_and_does_so_once(tmp_path: Path) -> None:
    """The second time it comes from the disk, also when two compiled at the same time."""
    said = [said_by(each) for each in [begin(tmp_path), begin(tmp_path)]]

    assert "mauerwerk: compiling first_of of mauer for the cpu, once …\n" in said
    assert said_by(begin(tmp_path)) == ""
    assert len([*(tmp_path / "kernels").iterdir()]) == 1


# --- Keys ------------------------------------------------------------------------------------


def keys_of(game: str) -> dict[str, str]:
    """The keys of all functions that are called from outside."""
    keys: dict[str, str] = {}
    for compiler, module, names in [
        *((Compiler(game, "cpu"), module, names) for module, names in ENTRIES.items()),
        (Compiler(game, "cpu", part="advice"), "search.tree", SEARCHED),
        (Compiler(game, "cpu", part="counts"), "counting", ("count_games",)),
    ]:
        home = import_module(f"mauerwerk.kernels.{module}")
        keys |= {name: compiler.key(getattr(home, name)) for name in names}
    return keys


@pytest.mark.parametrize("name", KERNELS)
def test_every_entry_has_a_key_of_its_own(name: str) -> None:
    """Nothing in a kernel is of a kind that keys do not cover, and every Compiler agrees."""
    keys = keys_of(name)

    assert len(set(keys.values())) == len(keys) == 26
    assert keys_of(name) == keys


def edited(function: Any) -> FunctionType:  # noqa: ANN401 - any function
    """A function with the same name and another content."""

    def other(*_given: object) -> int:
        return 12345

    other.__module__, other.__name__ = function.__module__, function.__name__
    return compiled(other)  # type: ignore[return-value]


def changed(game: str, before: dict[str, str]) -> set[str]:
    """The entries whose keys are others now."""
    return {name for name, key in keys_of(game).items() if key != before[name]}


def test_an_edit_of_one_search_changes_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the rules of that game nor another game is compiled again."""
    before = {name: keys_of(name) for name in KERNELS}
    advice: Any = import_module("mauerwerk.kernels.mauer.advice")
    monkeypatch.setattr(advice, "evaluate", edited(advice.evaluate))

    assert {name: changed(name, before[name]) for name in KERNELS} == {
        "mauer": {"simulate"},
        "burgbaumeister": set(),
        "mauerbauer": set(),
    }


def test_an_edit_changes_exactly_what_uses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is shared between games changes in all of them, where it is reached."""
    before = {name: keys_of(name) for name in KERNELS}
    stepping: Any = import_module("mauerwerk.kernels.play.stepping")
    monkeypatch.setattr(stepping, "write_result", edited(stepping.write_result))

    assert {frozenset(changed(name, before[name])) for name in KERNELS} == {
        frozenset({"play", "play_moves", "finish", "advance_all", "step", "checked_step"})
    }


def test_a_slot_is_the_function_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit of a game's function changes what has it in a slot."""
    before = keys_of("mauer")
    kernel: Any = kernel_of("mauer")
    monkeypatch.setattr(kernel, "observe", edited(kernel.observe))

    assert changed("mauer", before) == {
        "step",
        "checked_step",
        "simulate",
        "write_rows",
        "write_encoded_rows",
        "observe_all",
    }


# --- Compiling something small ---------------------------------------------------------------

SMALL = '''
from mauerwerk.kernels.contract import compiled, apply
OFFSET = 7
@compiled
def inner(number):
    return number + OFFSET
@compiled
def outer(number):
    """Call the other."""
    return inner(number) * 2
'''


def small(folder: Path, source: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module with this source in this folder, always by the same name."""
    path = folder / "small.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)
    module = ModuleType("small")
    monkeypatch.setitem(sys.modules, "small", module)
    exec(compile(source, str(path), "exec"), vars(module))  # noqa: S102 - the text above
    return module


def test_another_checkout_compiles_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same source elsewhere, with other lines and docstrings, is found; an edit is not."""
    monkeypatch.setattr("mauerwerk.kernels.cache.folder", lambda: tmp_path / "kept")
    line = "mauerwerk: compiling outer of mauer for the cpu, once …\n"

    def answer(folder: str, source: str) -> tuple[int, str]:
        module = small(tmp_path / folder, source, monkeypatch)
        number = Compiler("mauer", "cpu").entry(module.outer)(1)
        return number, capsys.readouterr().err

    assert answer("first", SMALL) == (16, line)
    assert answer("second", SMALL.replace("Call", "\n\nAlways call")) == (16, "")
    assert answer("second", SMALL.replace("OFFSET = 7", "OFFSET = 8")) == (18, line)
    assert answer("first", SMALL) == (16, "")


def test_a_name_in_a_module_is_part_of_what_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Constants and functions that are read as `module.NAME` are compiled in, and in the key."""
    monkeypatch.setattr("mauerwerk.kernels.cache.folder", lambda: tmp_path / "kept")
    reader = (
        "import small\n"
        "from mauerwerk.kernels.contract import compiled\n"
        "@compiled\n"
        "def read(number):\n"
        "    return small.outer(number) + small.OFFSET\n"
    )
    line = "mauerwerk: compiling read of mauer for the cpu, once …\n"

    def answer(source: str) -> tuple[int, str]:
        small(tmp_path, source, monkeypatch)
        module = ModuleType("reader")
        monkeypatch.setitem(sys.modules, "reader", module)
        exec(reader, vars(module))  # noqa: S102 - the text above
        number = Compiler("mauer", "cpu").entry(module.read)(1)
        return number, capsys.readouterr().err

    assert answer(SMALL) == (23, line)
    assert answer(SMALL + "\nOTHER = 5\n") == (23, "")
    assert answer(SMALL.replace("OFFSET = 7", "OFFSET = 8")) == (26, line)
    assert answer(SMALL.replace("* 2", "* 3")) == (31, line)


def test_what_others_call_is_kept_without_machine_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is compiled into each of them, and for the next one it is read and not compiled again."""
    monkeypatch.setattr("mauerwerk.kernels.cache.folder", lambda: tmp_path / "kept")
    module = small(tmp_path, SMALL, monkeypatch)
    again = SMALL.replace("inner(number) * 2", "inner(number) * 3")

    def kept() -> dict[str, int]:
        return {path.name: path.stat().st_mtime_ns for path in (tmp_path / "kept").glob("inner-*")}

    assert Compiler("mauer", "cpu").entry(module.outer)(1) == 16
    before = kept()
    other = Compiler("mauer", "cpu").entry(small(tmp_path, again, monkeypatch).outer)

    assert other(1) == 24
    assert kept() == before
    (path,) = (tmp_path / "kept").glob("inner-*")
    _, ((_, kind, code), *_) = pickle.loads(path.read_bytes())  # noqa: S301 - our own
    assert kind == "inner"
    assert code.startswith(b"BC")  # what LLVM reads, where machine code would begin with ELF


def test_a_spoilt_file_is_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And then written again."""
    monkeypatch.setattr("mauerwerk.kernels.cache.folder", lambda: tmp_path / "kept")
    module = small(tmp_path, SMALL, monkeypatch)
    Compiler("mauer", "cpu").entry(module.inner)(1)
    files = [*(tmp_path / "kept").iterdir()]
    for path in files:
        path.write_bytes(path.read_bytes()[:100])
    capsys.readouterr()

    assert Compiler("mauer", "cpu").entry(module.inner)(1) == 8
    assert "compiling inner" in capsys.readouterr().err
    assert all(path.stat().st_size > 100 for path in files)


def test_without_a_place_it_compiles_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing fails, and nothing is kept."""
    monkeypatch.setattr("mauerwerk.kernels.cache.folder", lambda: None)
    module = small(tmp_path, SMALL, monkeypatch)

    assert Compiler("mauer", "cpu").entry(module.inner)(1) == 8
    assert [path.name for path in tmp_path.iterdir()] == ["small.py"]


# --- Kernels ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", KERNELS)
def test_a_game_fits_in_a_small_record(name: str) -> None:
    """At most this many bytes, with aligned fields."""
    most = {"mauer": 128, "burgbaumeister": 256, "mauerbauer": 1024}
    state = kernel_of(name).STATE

    assert state.isalignedstruct
    assert state.itemsize <= most[name]


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_brings_every_function_of_the_contract(name: str) -> None:
    """By the same name and marked to be compiled, unless the contract has one for all games."""
    from mauerwerk.kernels import contract  # noqa: PLC0415 - looked into, not called

    slots = {slot: thing for slot, thing in vars(contract).items() if is_slot(thing)}
    kernel = kernel_of(name)
    whole = join(kernel, kernel.advice, kernel.counts, kernel.greedy)

    assert len(slots) == 26
    assert [slot for slot in slots if not is_compiled(getattr(whole, slot, slots[slot]))] == []
