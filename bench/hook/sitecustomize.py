"""Notes which functions of the source run and which SQL is executed, while `bench.paths` wants it.

Python imports this file at the start of a process that has its folder on its path, so that the
workers of a server are watched too. The first byte of the file `window` says under which number
calls are noted; with 0 nothing is. Every process writes to a file of its own, line by line, because
workers are killed and have no time to say goodbye.
"""

import mmap
import os
import sqlite3
import sys
import threading
from pathlib import Path
from sqlite3 import dbapi2
from types import CodeType, FrameType
from typing import Any, Final

FOLDER: Final = os.environ.get("PATHS_FOLDER", "")
SOURCE: Final = os.environ.get("PATHS_SOURCE", "")
COUNTED: Final = frozenset(os.environ.get("PATHS_COUNTED", "").split())
"""Functions of which every call is noted: which object is its first argument, and its second."""


class Notes:
    """What is noted in this process."""

    def __init__(self, folder: Path) -> None:
        """Write to a file that is named after the process."""
        with (folder / "window").open("r+b") as file:
            self._window = mmap.mmap(file.fileno(), 1)
        flags = os.O_CREAT | os.O_APPEND | os.O_WRONLY
        self._file = os.open(folder / f"{os.getpid()}.notes", flags)
        self._known: set[tuple[int, CodeType]] = set()

    def call(self, frame: FrameType, event: str, _: object) -> None:
        """Note a function the first time it is called in a window."""
        window = self._window[0]
        if not window or event != "call":
            return
        code = frame.f_code
        counted = code.co_name in COUNTED
        if (window, code) in self._known and not counted:
            return
        self._known.add((window, code))
        if not code.co_filename.startswith(SOURCE):
            return
        name = getattr(code, "co_qualname", code.co_name)
        first, second = (
            (frame.f_locals.get(each) for each in code.co_varnames[:2]) if counted else ("", "")
        )
        place = code.co_filename.removeprefix(SOURCE)
        self._write(window, place, name, f"{id(first)} {second!r}" if counted else "")

    def sql(self, statement: str) -> None:
        """Note a statement."""
        window = self._window[0]
        if window:
            self._write(window, "SQL", " ".join(statement.split())[:80], "")

    def _write(self, window: int, place: str, name: str, more: str) -> None:
        os.write(self._file, f"{window}\t{place}\t{name}\t{more}\n".encode())


def watch_sqlite(notes: Notes) -> None:
    """Have every connection say what it executes."""
    connect: Any = sqlite3.connect

    def watched(*args: object, **more: object) -> object:
        connection = connect(*args, **more)
        connection.set_trace_callback(notes.sql)
        return connection

    for module in (sqlite3, dbapi2):
        vars(module)["connect"] = watched


def watch_postgresql(notes: Notes) -> None:
    """Have every cursor say what it executes."""
    import psycopg  # noqa: PLC0415 - only where it is used

    def watched(kind: Any, name: str) -> None:  # noqa: ANN401 - both kinds of cursors
        execute = getattr(kind, name)

        def noted(self: object, query: object, *args: object, **more: object) -> object:
            notes.sql(query.decode() if isinstance(query, bytes) else str(query))
            return execute(self, query, *args, **more)

        setattr(kind, name, noted)

    for kind in (psycopg.Cursor, psycopg.AsyncCursor):
        watched(kind, "execute")
        watched(kind, "executemany")


if FOLDER:
    _notes = Notes(Path(FOLDER))
    watch_sqlite(_notes)
    if os.environ.get("PATHS_POSTGRESQL"):
        watch_postgresql(_notes)
    threading.setprofile(_notes.call)
    sys.setprofile(_notes.call)
