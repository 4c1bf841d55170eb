"""Files that only grow: a line that says what they are about, then a line for each thing done.

Whoever is cut off while writing leaves half a line at the end; it is dropped, and what it would
have said is done again. Only one at a time writes into a file.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, TypeVar

import msgspec

from mauerwerk.core.game import SetupError, Value

Line = TypeVar("Line", bound=Value)

_LOCKS: Any = import_module("fcntl") if find_spec("fcntl") else None
"""None on Windows, where nobody is kept from writing."""


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
    """A function that adds a line to the file; the first to write says what it is about.

    Raises SetupError while somebody else adds to it.
    """
    with path.open("ab") as file:
        _lock(file, path)
        lines = whole_lines(path, type(head), what)
        if lines and read_line(path, 1, lines[0], type(head), what) != head:
            raise SetupError(f"{path}: another command has written into it meanwhile")
        whole = sum(len(line) + 1 for line in lines)
        file.truncate(whole)  # half a line, if there is one, must not become part of the next

        def add(line: Value) -> None:
            file.write(msgspec.json.encode(line) + b"\n")
            file.flush()

        if not lines:
            add(head)
        yield add


def _lock(file: IO[bytes], path: Path) -> None:
    """Keep everybody else from writing, until the file is closed."""
    if _LOCKS is None:
        return
    try:
        _LOCKS.flock(file, _LOCKS.LOCK_EX | _LOCKS.LOCK_NB)
    except BlockingIOError:
        raise SetupError(f"{path}: another command is writing into it") from None
    except OSError:
        return  # of a file system that knows no locks nobody can say who writes
