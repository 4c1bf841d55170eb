"""Compiling: when, where it is kept, and what is said meanwhile."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mauerwerk.kernels import KERNELS, kernel_of
from mauerwerk.kernels.kernel import is_compiled, is_slot
from mauerwerk.kernels.target import folder_of

BEGIN = (
    "from mauerwerk.kernels.target import workshop;"
    "workshop('mauer', 'cpu').entry('mauerwerk.kernels.loop', 'first_of')(4)"
)


def begin(cache: Path) -> str:
    """Compile a small function in a new Python with this cache; what it said."""
    done = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-c", BEGIN],
        env=os.environ | {"NUMBA_CACHE_DIR": str(cache)},
        capture_output=True,
        check=True,
        text=True,
    )
    return done.stderr


def test_it_says_what_it_compiles_and_does_so_once(tmp_path: Path) -> None:
    """The second time it comes from the disk."""
    assert begin(tmp_path) == "mauerwerk: compiling first_of of mauer for the cpu, once …\n"
    assert begin(tmp_path) == ""


def test_old_code_is_thrown_away_but_not_what_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long ago it was compiled: the folder of other sources goes, one's own stays."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    ours: Path = folder_of.__wrapped__("mauer")
    other = ours.with_name("mauer-0123456789abcdef")
    for folder in (ours, other):
        (folder / "kernels").mkdir(parents=True)
        os.utime(folder, (0, 0))

    assert folder_of.__wrapped__("mauer") == ours
    assert ours.is_dir()
    assert not other.exists()


@pytest.mark.parametrize("name", KERNELS)
def test_a_game_fits_in_a_small_record(name: str) -> None:
    """So many bytes at most, with nothing out of line."""
    most = {"mauer": 128, "burgbaumeister": 256, "mauerbauer": 1024}
    state = kernel_of(name).STATE

    assert state.isalignedstruct
    assert state.itemsize <= most[name]


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_brings_every_function_of_the_contract(name: str) -> None:
    """By the same name, and marked to be compiled."""
    from mauerwerk.kernels import kernel as contract  # noqa: PLC0415 - looked into, not called

    slots = [slot for slot, thing in vars(contract).items() if is_slot(thing)]
    kernel = kernel_of(name)

    assert len(slots) == 13
    assert [slot for slot in slots if not is_compiled(getattr(kernel, slot, None))] == []
