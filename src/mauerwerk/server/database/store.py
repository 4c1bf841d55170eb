"""Where tables are kept: what a server asks of a database, whichever it is.

    store = store_at("postgresql://...")    # or a folder, in which a file mauerwerk.db is made

What is written is on disk when the call returns. It is all of it or nothing, and nobody is told
before. Two who write the same entry are told apart by its number: the second gets
`OvertakenError`, reads what has come in between, and thinks again.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from mauerwerk.core.game import Seat, Value
from mauerwerk.server.features.chat.messages import Message
from mauerwerk.server.tables.charter import Charter
from mauerwerk.server.tables.log import Entry
from mauerwerk.server.tables.table import Card, Status

if TYPE_CHECKING:
    from mauerwerk.server.database.transaction import Transaction

_Made = TypeVar("_Made")

URLS: Final = ("postgresql://", "postgres://")
FILE: Final = "mauerwerk.db"


class Stored(Value):
    """A table as it is kept: all the rest follows from this."""

    charter: Charter
    seed: bytes
    entries: tuple[Entry, ...]


class OvertakenError(Exception):
    """Somebody else's entry has this sequence number already. Nothing was written."""


class StorageError(Exception):
    """The database did not do what was asked, be it gone or full.

    Nothing may be told. If the connection broke in the last moment the entries can be on disk
    nevertheless; loading the table again shows it.
    """


class SchemaError(StorageError):
    """The database is not one that this program can use; the message says why."""

    def __init__(self, message: str, found: str | None = None) -> None:
        """`found` is the schema that the database has; None where it has none."""
        super().__init__(message)
        self.found = found


class InUseError(StorageError):
    """Another server has the database file."""


class Store(Protocol):
    """A database for tables. Cards come newest change first, a page at a time.

    A page begins where `changed` is less than `before` and has `most` cards. Where others changed
    in the same millisecond as the last, it has these too: what follows begins `before` it.
    """

    shared: bool
    """Whether other processes may write, too."""

    async def open(self) -> None:
        """Connect, and bring an older schema up to date. Raises SchemaError for a newer one."""
        ...

    async def close(self) -> None:
        """Finish what was begun, and let go of the database."""
        ...

    async def secret(self) -> bytes:
        """The server's own key: 32 bytes, made once, the same for all who share the database."""
        ...

    async def create(
        self,
        charter: Charter,
        seed: bytes,
        entries: Sequence[Entry],
        card: Card,
        owners: Sequence[str],
        /,
    ) -> None:
        """Keep a new table. Raises OvertakenError where its id is taken."""
        ...

    def append(
        self,
        table: str,
        entries: Sequence[Entry],
        card: Card,
        owners: Sequence[str],
        record: str | None,
        /,
    ) -> asyncio.Future[None]:
        """Add to the log, at its end, and change what the lobby shows.

        `owners` are guests seat by seat, empty for none. `record` is the game as text, once it is
        over. The future is done when it is on disk, and cannot be cancelled. Raises OvertakenError.
        """
        ...

    async def load(self, table: str, /) -> Stored | None:
        """A table with its whole log; None where there is no such table."""
        ...

    async def entries(self, table: str, start: int, /) -> tuple[Entry, ...]:
        """The log of a table from this sequence number on."""
        ...

    def say(self, table: str, message: Message, unsaid: Sequence[int], /) -> asyncio.Future[None]:
        """Keep what is said at a table, and no longer the messages of these numbers.

        Raises OvertakenError where another message has this number.
        """
        ...

    async def chat(self, table: str, after: int, /) -> tuple[Message, ...]:
        """What was said at a table after that number."""
        ...

    async def lobby(self, status: Status, /, *, before: int | None, most: int) -> tuple[Card, ...]:
        """Public tables."""
        ...

    async def tables_of(self, guest: str, /, *, before: int | None, most: int) -> tuple[Card, ...]:
        """Tables at which this guest has a seat, public or not."""
        ...

    async def seats_of(self, guest: str, /, *, since: int) -> Mapping[str, tuple[Seat, ...]]:
        """The seats of this guest, by tables that have changed since that time."""
        ...

    async def record(self, table: str, /) -> str | None:
        """A finished game as text."""
        ...

    async def stored_by(self, opener: str, /) -> int:
        """How many bytes the tables take up that this guest opened, about."""
        ...

    async def due(self, before: int, /) -> tuple[str, ...]:
        """Tables that should have gone on by themselves before this time, most overdue first."""
        ...

    def changes(self) -> AsyncIterator[str | None]:
        """Tables that other processes change, from the opening on, for one who listens.

        None after a break, in which any of them may have been changed.
        """
        ...

    async def try_writing(self) -> None:
        """Write something that does not matter. Raises StorageError if nothing can be written."""
        ...

    @property
    def failures(self) -> int:
        """The number of transactions that could not be written since the store was opened."""
        ...

    async def count(self) -> Mapping[str, int]:
        """How many tables there are of each status."""
        ...

    async def write(self, by: str, work: "Callable[[Transaction], _Made]", /) -> _Made:
        """Run a function in one transaction; `by` names the actor in the audit log.

        When it returns, the functions of `on_audit` have run.
        """
        ...

    async def read(self, work: "Callable[[Transaction], _Made]", /) -> _Made:
        """Run a function that only reads, at one moment of the database."""
        ...

    def on_audit(self, react: Callable[[], Awaitable[None]], /) -> None:
        """Call this after every transaction of this process that added to the audit log."""
        ...

    async def back_up_into(self, folder: Path, /) -> str:
        """Make a backup in this folder; its name. Raises StorageError and OSError."""
        ...

    async def last_audit_entry(self) -> int:
        """The number of the last line of the audit log."""
        ...


def is_url(place: str | Path) -> bool:
    """Whether this names a database server, not a file or folder."""
    return str(place).startswith(URLS)


def file_at(place: str | Path) -> Path:
    """The database file: this one, or the one in this folder."""
    path = Path(place)
    return path if path.suffix == Path(FILE).suffix or path.is_file() else path / FILE


def store_at(place: str | Path) -> Store:
    """The store at a PostgreSQL address, or in a folder. Raises StorageError, lacking an extra."""
    try:
        if is_url(place):
            from mauerwerk.server.database.postgresql import PostgreSQLStore  # noqa: PLC0415 - an extra

            return PostgreSQLStore(str(place))
        from mauerwerk.server.database.sqlite import SQLiteStore  # noqa: PLC0415 - builds upon this module

        return SQLiteStore(file_at(place))
    except ModuleNotFoundError as fault:
        extra = "postgresql" if is_url(place) else "server"
        raise StorageError(f"this needs {fault.name}: pip install 'mauerwerk[{extra}]'") from None
