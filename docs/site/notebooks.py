"""Notebooks as pages: each cell of a script, and what it prints and draws."""

import ast
import io
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, Final, NamedTuple

_CELL: Final = re.compile(r"^# %% ?(.*)\n", re.MULTILINE)
_COMMAND: Final = re.compile(r"^# (?:ruff|pyright): .*\n|  # noqa.*$", re.MULTILINE)


class Cell(NamedTuple):
    """A cell of a notebook: its title, its source, what it printed and the picture it made."""

    title: str
    source: str
    printed: str
    picture: str


def notebook(script: Path) -> str:
    """The page of a notebook, made by running it."""
    text = script.read_text(encoding="utf-8")
    about = (ast.get_docstring(ast.parse(text)) or "").split("\n\n", 1)
    title, _, rest = about[0].rstrip(".").partition(": ")
    lead = f"{rest[:1].upper()}{rest[1:]}. {about[1] if about[1:] else ''}".strip()
    return "\n\n".join([f"# {title}", lead, *map(_shown, _run(text))]) + "\n"


def _run(text: str) -> Iterator[Cell]:
    """Run the cells one after the other, in one namespace."""
    names: dict[str, Any] = {"__name__": "__notebook__"}
    parts = _CELL.split(text)[1:]
    for title, source in zip(parts[::2], parts[1::2], strict=True):
        printed = io.StringIO()
        with redirect_stdout(printed):
            last = _evaluated(source, names)
        drawn = getattr(last, "_repr_svg_", None)
        picture = "" if drawn is None else drawn()
        yield Cell(title, _COMMAND.sub("", source).strip(), printed.getvalue().strip(), picture)


def _evaluated(source: str, names: dict[str, Any]) -> object:
    """Run a cell; the value of its last line, if that is an expression, is what it shows."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), names)  # noqa: S102 - our own notebooks
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)  # noqa: S307 - as above


def _shown(cell: Cell) -> str:
    parts = [f"## {cell.title}", f"```python\n{cell.source}\n```"]
    if cell.printed:
        parts.append(f"```text\n{cell.printed}\n```")
    if cell.picture:
        drawn = re.sub(r"\n\s*\n", "\n", cell.picture)
        parts.append(f'<div class="output">{drawn}</div>')
    return "\n\n".join(parts)
