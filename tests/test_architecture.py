"""The layers hold: what `import-linter` cannot say is said here."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "mauerwerk"
RULES = sorted([*SOURCE.glob("core/**/*.py"), *SOURCE.glob("games/**/*.py")])
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


@pytest.mark.parametrize("path", RULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_core_and_games_need_only_the_standard_library_and_msgspec(path: Path) -> None:
    """And of the standard library nothing that draws, waits or reaches outside."""
    allowed = sys.stdlib_module_names - FORBIDDEN | {"msgspec", "mauerwerk"}
    assert [name for name in imported(path) if name not in allowed] == []


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: path.name)
def test_files_stay_small(path: Path) -> None:
    """One subject per file; kernels excepted."""
    assert "kernels" in path.parts or len(path.read_text(encoding="utf-8").splitlines()) <= 450
