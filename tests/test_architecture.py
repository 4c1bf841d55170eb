"""The layers hold: what `import-linter` cannot say is said here."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "mauerwerk"
RULES = sorted([*SOURCE.glob("core/**/*.py"), *SOURCE.glob("games/**/*.py")])

REGISTRIES = {
    "bots/rooms.py",
    "games/__init__.py",
    "kernels/__init__.py",
    "lab/study/rooms.py",
    "learn/rooms.py",
    "server/games/__init__.py",
}
"""The modules that name our games, one for each layer."""

GAMES = {"mauer", "burgbaumeister", "mauerbauer"}
NAMED = re.compile(rf"\b({'|'.join(GAMES)})\b")
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


TABLES = sorted(SOURCE.glob("server/tables/*.py"))


def test_tables_are_pure() -> None:
    """They neither wait nor look at a clock nor draw: a log leads to the same table anywhere."""
    strays = {path.name: {"asyncio", "time", "secrets"} & set(imported(path)) for path in TABLES}
    assert {name: found for name, found in strays.items() if found} == {}


def named(path: Path) -> Iterator[str]:
    """The games that a module names: in imports, names and strings, but not in docstrings."""
    text = path.read_text(encoding="utf-8")
    if not NAMED.search(text):  # parsing all of the source takes a second
        return
    tree = ast.parse(text)
    prose = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                words = [alias.name for alias in names]
            case ast.ImportFrom(module=module, names=names):
                words = [module or "", *(alias.name for alias in names)]
            case ast.Name(id=word) | ast.Attribute(attr=word) | ast.arg(arg=word):
                words = [word]
            case ast.Constant(value=str(word)) if id(node) not in prose:
                words = [word]
            case _:
                words = []
        yield from (each for word in words for each in word.split(".") if each in GAMES)


def test_only_rooms_and_registries_name_a_game() -> None:
    """Generic code works for any game; what is about one stands in its room."""
    strays = {
        place: sorted(set(names))
        for path in SOURCE.rglob("*.py")
        if not GAMES & {path.stem, *path.parts}
        and (place := str(path.relative_to(SOURCE))) not in REGISTRIES
        and (names := list(named(path)))
    }
    assert strays == {}


def test_a_game_is_found_where_it_is_named(tmp_path: Path) -> None:
    """So that the test above can fail."""
    module = tmp_path / "module.py"
    module.write_text(
        '"""Not mauer."""\nfrom mauerwerk.games import mauer\nx = {"mauerbauer": 1}\n',
        encoding="utf-8",
    )
    assert list(named(module)) == ["mauer", "mauerbauer"]
