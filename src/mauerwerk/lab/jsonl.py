"""Append-only files of results: a head line about the task, then one line per piece of work.

A process that is killed while writing leaves an incomplete line at the end; it is dropped, and its
work is done again. Only one process at a time writes into a file.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, TypeVar

import msgspec

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Value

Line = TypeVar("Line", bound=Value)

_LOCKS: Any = import_module("fcntl") if find_spec("fcntl") else None
"""None on Windows, where files are not locked."""


def whole_lines(path: Path, head: type[Value], what: str) -> list[bytes]:
    """The complete lines of a file, which may not exist yet.

    Raises SetupError if the head line is of another type, so that it is no file of `what`.
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
    """A line as a value. Raises SetupError, naming the line."""
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as fault:
        raise SetupError(f"{path}, line {number}: this is no line of {what}: {fault}") from fault


@contextmanager
def append_lines(
    path: Path, head: Value, what: str
) -> Generator[Callable[[Value], None], None, None]:
    """A function that appends a line to the file; a new file begins with the head line.

    Raises SetupError while another process appends to it.
    """
    with path.open("ab") as file:
        _lock(file, path)
        lines = whole_lines(path, type(head), what)
        if lines and read_line(path, 1, lines[0], type(head), what) != head:
            raise SetupError(f"{path}: another command has written into it meanwhile")
        whole = sum(len(line) + 1 for line in lines)
        file.truncate(whole)  # an incomplete line must not become part of the next

        def add(line: Value) -> None:
            file.write(msgspec.json.encode(line) + b"\n")
            file.flush()

        if not lines:
            add(head)
        yield add


def _lock(file: IO[bytes], path: Path) -> None:
    """Keep other processes from writing until the file is closed."""
    if _LOCKS is None:
        return
    try:
        _LOCKS.flock(file, _LOCKS.LOCK_EX | _LOCKS.LOCK_NB)
    except BlockingIOError:
        raise SetupError(f"{path}: another command is writing into it") from None
    except OSError:
        return  # this file system has no locks
