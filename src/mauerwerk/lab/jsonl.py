"""Append-only files of results: a head line about the task, then one line per piece of work.

A process that is killed while writing leaves an incomplete line at the end; it is dropped, and its
work is done again. Only one process at a time writes into a file.
"""

from collections.abc import Callable, Generator, Hashable, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, Generic, NamedTuple, TypeVar

import msgspec

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Value, shown

Head = TypeVar("Head", bound=Value)
Line = TypeVar("Line", bound=Value)
Decoded = TypeVar("Decoded")
_LOCKS: Any = import_module("fcntl") if find_spec("fcntl") else None
"""None on Windows, where files are not locked."""


class Content(NamedTuple, Generic[Head, Line]):
    """The content of a file: the head and its lines, each piece of work once."""

    head: Head | None = None
    """None if nothing has been written yet."""
    lines: tuple[Line, ...] = ()


class ResultsFile(NamedTuple, Generic[Head, Line]):
    """What files of one kind hold."""

    what: str
    """Its name in messages."""
    head: type[Head]
    line: type[Line]
    work: Callable[[Line], Hashable]
    """The piece of work of which a line is the result."""
    fault: Callable[[Head, Line], str]
    """Why a line cannot belong to a head; empty if it can."""
    difference: Callable[[Head, Head], str]
    """What a file with the first head holds and not what the second asks for; empty if equal."""

    def read(self, path: Path) -> Content[Head, Line]:
        """Read a file that may not exist yet; work written twice counts once. Raises SetupError."""
        whole = self._whole_lines(path)
        if not whole:
            return Content()
        head = self._decoded(path, 1, whole[0], self.head)
        lines: dict[Hashable, Line] = {}
        for number, text in enumerate(whole[1:], start=2):
            line = self._decoded(path, number, text, self.line)
            if fault := self.fault(head, line):
                raise SetupError(f"{path}, line {number}: {fault}")
            lines.setdefault(self.work(line), line)
        return Content(head, tuple(lines.values()))

    def check(self, path: Path, content: Content[Head, Line], head: Head) -> None:
        """Refuse a file that holds something else. Raises SetupError."""
        if content.head is not None and (different := self.difference(content.head, head)):
            raise SetupError(f"{path} holds {different}")

    @contextmanager
    def append_to(self, path: Path, head: Head) -> Generator[Callable[[Line], None], None, None]:
        """A function that appends a line to the file; a new file begins with the head.

        Raises SetupError while another process appends to it.
        """
        with path.open("ab") as file:
            _lock(file, path)
            lines = self._whole_lines(path)
            if lines and self.difference(self._decoded(path, 1, lines[0], self.head), head):
                raise SetupError(f"{path}: another command has written into it meanwhile")
            whole = sum(len(line) + 1 for line in lines)
            file.truncate(whole)  # an incomplete line must not become part of the next

            def add(line: Value) -> None:
                file.write(msgspec.json.encode(line) + b"\n")
                file.flush()

            if not lines:
                add(head)
            yield add

    def _whole_lines(self, path: Path) -> list[bytes]:
        """The complete lines. Raises SetupError if the file begins with something else."""
        if not path.exists():
            return []
        *whole, torn = path.read_bytes().split(b"\n")
        first = whole[0] if whole else torn
        beginning = b'{"type":"%s",' % self.head.__name__.lower().encode()
        if not first.startswith(beginning[: len(first)]):
            raise SetupError(f"{path} is no file of {self.what}")
        return whole

    def _decoded(self, path: Path, number: int, line: bytes, kind: type[Decoded]) -> Decoded:
        try:
            return msgspec.json.decode(line, type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError) as fault:
            said = f"this is no line of {self.what}: {fault}"
            raise SetupError(f"{path}, line {number}: {said}") from fault


def first_difference(there: Mapping[str, str], here: Mapping[str, str]) -> str:
    """What differs between two descriptions in words; empty if nothing does.

    >>> first_difference({"seats": "3", "seed": "4"}, {"seats": "3", "seed": "5"})
    "seed='4', not '5'"
    """
    for name in {**here, **there}:
        old, new = there.get(name, ""), here.get(name, "")
        if old != new:
            return f"{name}={shown(old)}, not {shown(new)}"
    return ""


def _lock(file: IO[bytes], path: Path) -> None:
    if _LOCKS is None:
        return
    try:
        _LOCKS.flock(file, _LOCKS.LOCK_EX | _LOCKS.LOCK_NB)
    except BlockingIOError:
        raise SetupError(f"{path}: another command is writing into it") from None
    except OSError:
        return  # this file system has no locks
