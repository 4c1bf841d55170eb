"""The layers hold: what `import-linter` cannot say is said here."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "mauerwerk"
RULES = sorted([*SOURCE.glob("core/**/*.py"), *SOURCE.glob("games/**/*.py")])
LARGEST = 450
FORBIDDEN = {"random", "secrets", "time", "socket", "os"}


def imported(path: Path) -> Iterator[str]:
    """The top-level packages that a module imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (alias.name.partition(".")[0] for alias in names)
            case ast.ImportFrom(module=str(module), level=0):
                yield module.partition(".")[0]
            case ast.ImportFrom():
                yield "a relative import"
            case _:
                pass


def test_core_and_games_need_only_the_standard_library_and_msgspec() -> None:
    """And of the standard library nothing that draws, waits or reaches outside."""
    allowed = sys.stdlib_module_names - FORBIDDEN | {"msgspec", "mauerwerk"}
    strays = {
        str(path.relative_to(SOURCE)): names
        for path in RULES
        if (names := [name for name in imported(path) if name not in allowed])
    }
    assert strays == {}


TABLES = sorted(SOURCE.glob("play/tables/*.py"))


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.name)
def test_tables_are_pure(path: Path) -> None:
    """They neither wait nor look at a clock nor draw: a log leads to the same table anywhere."""
    assert {"asyncio", "time", "secrets"}.isdisjoint(imported(path))


def test_files_stay_small() -> None:
    """One subject per file; kernels excepted."""
    lines = {
        str(path.relative_to(SOURCE)): len(path.read_text(encoding="utf-8").splitlines())
        for path in SOURCE.rglob("*.py")
        if "kernels" not in path.parts
    }
    assert {path: number for path, number in lines.items() if number > LARGEST} == {}
