"""Files that only grow: a line that says what they are about, then a line for each thing done.

Whoever is cut off while writing leaves half a line at the end; it is dropped, and what it would
have said is done again.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import msgspec

from mauerwerk.core.game import SetupError, Value

Line = TypeVar("Line", bound=Value)


def whole_lines(path: Path, head: type[Value], what: str) -> list[bytes]:
    """The lines that end; what follows them was cut off. There may be no file yet.

    Raises SetupError where another kind of line comes first, so that it is no file of `what`.
    """
    if not path.exists():
        return []
    *whole, torn = path.read_bytes().split(b"\n")
    first = whole[0] if whole else torn
    beginning = b'{"type":"%s",' % head.__name__.lower().encode()
    if not first.startswith(beginning[: len(first)]):
        raise SetupError(f"{path} is no file of {what}")
    return whole


def read_line(path: Path, number: int, line: bytes, kind: type[Line], what: str) -> Line:
    """A line as a value. Raises SetupError, which names the line."""
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as fault:
        raise SetupError(f"{path}, line {number}: this is no line of {what}: {fault}") from fault


@contextmanager
def appended(path: Path, head: Value, what: str) -> Generator[Callable[[Value], None], None, None]:
    """A function that adds a line to the file; the first to write says what it is about."""
    whole = sum(len(line) + 1 for line in whole_lines(path, type(head), what))
    with path.open("r+b" if path.exists() else "x+b") as file:
        file.truncate(whole)  # half a line, if there is one, must not become part of the next
        file.seek(whole)

        def add(line: Value) -> None:
            file.write(msgspec.json.encode(line) + b"\n")
            file.flush()

        if not whole:
            add(head)
        yield add
