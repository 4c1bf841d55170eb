"""What both databases have in common: everything but how one connects to them."""

import asyncio
import os
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from mauerwerk.core.game import Seat
from mauerwerk.server.database import batches
from mauerwerk.server.database.batches import Batch, Row
from mauerwerk.server.database.schema import Statement
from mauerwerk.server.database.store import OvertakenError, StorageError, Stored
from mauerwerk.server.database.writer import Connection, Driver, Writer, Writing
from mauerwerk.server.features.chat.messages import Form, Message, Side
from mauerwerk.server.tables import thinning, transcript
from mauerwerk.server.tables.charter import Charter
from mauerwerk.server.tables.log import Entry, Kind
from mauerwerk.server.tables.table import Card, Status

if TYPE_CHECKING:
    from mauerwerk.server.database.transaction import Transaction

_Made = TypeVar("_Made")

READERS: Final = 4
LAST_AUDIT_ENTRY: Final = "SELECT COALESCE(MAX(id), 0) FROM audit"

LATEST: Final = 2**62
"""Later than anything: where a page begins if nothing else is said."""


class Database(ABC):
    """A store: one thread that writes, a few that read. What is left open is which database."""

    shared = False

    def __init__(self, driver: Driver, place: str | Path) -> None:
        """Nothing happens before it is opened."""
        self._driver = driver
        self._place = place
        self._say = driver.say
        self._secret = b""
        self._writer: Writer | None = None
        self._readers: ThreadPoolExecutor | None = None
        self._idle: list[Connection] = []
        self._on_audit: list[Callable[[], Awaitable[None]]] = []

    @abstractmethod
    def _migrate(self) -> bytes:
        """Take the database, bring it up to date, and fetch the server's secret."""

    async def open(self) -> None:
        """Take the database and bring it up to date."""
        try:
            self._secret = await asyncio.to_thread(self._migrate)
        except StorageError:
            raise
        except Exception as fault:
            raise self._driver.failure(fault) from fault
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="mauerwerk-reader")
        self._writer = Writer(self._driver, asyncio.get_running_loop())

    async def close(self) -> None:
        """Write what waits, then let go of the database."""
        readers, self._readers = self._readers, None
        writer, self._writer = self._writer, None
        self._on_audit.clear()
        if readers is not None:
            await asyncio.to_thread(readers.shutdown)
        self._let_go()
        if writer is not None:  # goes last: at this, SQLite puts everything into the one file
            await asyncio.to_thread(writer.stop)

    async def secret(self) -> bytes:
        """The server's own key."""
        return self._secret

    def _write(self, batch: Batch) -> Writing:
        if self._writer is None:
            raise StorageError("the store is closed")
        return self._writer.write(batch)

    async def _ask(self, statement: Statement, **given: Any) -> Sequence[Row]:  # noqa: ANN401
        """What the database answers."""
        if self._readers is None:
            raise StorageError("the store is closed")
        loop, row = asyncio.get_running_loop(), statement.row(**given)
        return await loop.run_in_executor(self._readers, self._read, statement.sql, row)

    def _read(self, sql: str, row: Row) -> Sequence[Row]:
        """Ask once more by a new connection where the first was broken."""
        try:
            try:
                return self._rows(sql, row)
            except Exception:  # noqa: BLE001 - what it was shows the second time
                self._let_go()
                return self._rows(sql, row)
        except Exception as fault:
            raise self._driver.failure(fault) from fault

    def _rows(self, sql: str, row: Row) -> Sequence[Row]:
        """Read by a connection that nobody else uses meanwhile."""
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self._driver.connect(writing=False)
        try:
            rows: Sequence[Row] = connection.execute(sql, row).fetchall()
        except Exception:
            connection.close()
            raise
        self._idle.append(connection)
        return rows

    def _let_go(self) -> None:
        """Close what nobody uses: where one connection broke, others have too."""
        with suppress(IndexError):
            while True:
                self._idle.pop().close()

    # --- Writing -----------------------------------------------------------------------------

    async def create(
        self,
        charter: Charter,
        seed: bytes,
        entries: Sequence[Entry],
        card: Card,
        owners: Sequence[str],
        /,
    ) -> None:
        """Keep a new table."""
        await self._write(batches.creation(charter, seed, entries, card, owners))

    def append(
        self,
        table: str,
        entries: Sequence[Entry],
        card: Card,
        owners: Sequence[str],
        record: str | None,
        /,
    ) -> Writing:
        """Add to the log of a table."""
        return self._write(batches.change(table, entries, card, owners, record))

    async def try_writing(self) -> None:
        """Write something that does not matter."""
        with suppress(OvertakenError):  # another server has just done so
            # A health check must be able to give up, and nothing is lost if this is written later.
            await asyncio.shield(self._write(batches.probe(os.urandom(8))))

    @property
    def failures(self) -> int:
        """The number of transactions that could not be written."""
        return 0 if self._writer is None else self._writer.failures

    # --- Reading -----------------------------------------------------------------------------

    async def load(self, table: str, /) -> Stored | None:
        """A table with its log. Only the log changes, so that the rest may be read before."""
        found = await self._ask(self._say.table, table=table)
        if not found:
            return None
        log = await self.entries(table, 0)
        if has_gap(log):  # perhaps it has just been thinned
            found = await self._ask(self._say.table, table=table)
        return stored_of(found[0], log) if found else None

    async def entries(self, table: str, start: int, /) -> tuple[Entry, ...]:
        """The log from this number on."""
        return entries_of(await self._ask(self._say.entries, table=table, seq=start))

    def say(self, table: str, message: Message, unsaid: Sequence[int], /) -> Writing:
        """Keep what is said at a table."""
        return self._write(batches.saying(table, message, unsaid))

    async def chat(self, table: str, after: int, /) -> tuple[Message, ...]:
        """What was said at a table after that number."""
        return tuple(
            Message(number, at, Side(side), _seat(seat), guest, name, Form(form), word)
            for number, at, side, seat, guest, name, form, word in await self._ask(
                self._say.chat, table=table, after=after
            )
        )

    async def lobby(self, status: Status, /, *, before: int | None, most: int) -> tuple[Card, ...]:
        """Public tables of this status, in the order that those who do not play there may know."""
        say = self._say
        running = (say.running, say.running_ties)
        page, ties = running if status is Status.RUNNING else (say.lobby, say.lobby_ties)
        return await self._page(page, ties, before, most, status=status.value)

    async def tables_of(self, guest: str, /, *, before: int | None, most: int) -> tuple[Card, ...]:
        """Tables at which this guest has a seat."""
        return await self._page(self._say.tables_of, self._say.ties_of, before, most, guest=guest)

    async def seats_of(self, guest: str, /, *, since: int) -> Mapping[str, tuple[Seat, ...]]:
        """The seats of this guest, by table."""
        found: dict[str, tuple[Seat, ...]] = {}
        for table, seat in await self._ask(self._say.seats_of, guest=guest, since=since):
            found[table] = (*found.get(table, ()), Seat(seat))
        return found

    async def record(self, table: str, /) -> str | None:
        """A finished game as text."""
        rows = await self._ask(self._say.record, table=table)
        return rows[0][0] if rows else None

    async def stored_by(self, opener: str, /) -> int:
        """How many bytes the tables take up that this guest opened, about."""
        ((size,),) = await self._ask(self._say.size, opener=opener)
        return int(size)

    async def due(self, before: int, /) -> tuple[str, ...]:
        """Tables that should have gone on before this time."""
        return tuple(table for (table,) in await self._ask(self._say.due, before=before))

    async def count(self) -> Mapping[str, int]:
        """Tables by status."""
        found: dict[str, int] = {row[0]: row[1] for row in await self._ask(self._say.count)}
        return {status.value: found.get(status.value, 0) for status in Status}

    # --- Transactions ------------------------------------------------------------------------

    async def write(self, by: str, work: "Callable[[Transaction], _Made]", /) -> _Made:
        """Run a function in one transaction."""
        from mauerwerk.server.database.transaction_access import transaction_at  # noqa: PLC0415 - builds upon this module

        def write() -> tuple[_Made, bool]:
            with transaction_at(self._place, by=by) as transaction:
                return work(transaction), transaction.audited

        made, audited = await asyncio.to_thread(write)
        if audited:
            for react in self._on_audit:
                await react()
        return made

    async def read(self, work: "Callable[[Transaction], _Made]", /) -> _Made:
        """Run a function that only reads, at one moment of the database."""
        from mauerwerk.server.database.transaction_access import reading_at  # noqa: PLC0415 - as above

        def read() -> _Made:
            with reading_at(self._place) as transaction:
                return work(transaction)

        return await asyncio.to_thread(read)

    def on_audit(self, react: Callable[[], Awaitable[None]], /) -> None:
        """Call this after every transaction of this process that added to the audit log."""
        self._on_audit.append(react)

    async def back_up_into(self, folder: Path, /) -> str:
        """Make a backup in this folder; its name. Raises StorageError and OSError."""
        from mauerwerk.server.database.backup_rotation import Keep, back_up_into  # noqa: PLC0415 - as above

        now = datetime.now(UTC)
        made = await asyncio.to_thread(back_up_into, self._place, folder, Keep(), now)
        return made.made.name

    async def last_audit_entry(self) -> int:
        """The number of the last line of the audit log."""
        if self._readers is None:
            raise StorageError("the store is closed")
        loop = asyncio.get_running_loop()
        rows = await loop.run_in_executor(self._readers, self._read, LAST_AUDIT_ENTRY, ())
        return int(rows[0][0])

    async def _page(
        self, page: Statement, ties: Statement, before: int | None, most: int, **given: str
    ) -> tuple[Card, ...]:
        """A page, and whatever changed in the same millisecond as its last table."""
        start = LATEST if before is None else before
        found = list(await self._ask(page, before=start, most=most + 1, **given))
        rows = found[:most]
        if rows and len(found) > most and found[most][1] == rows[-1][1]:
            _, changed, last = rows[-1]
            rows += await self._ask(ties, changed=changed, after=last, **given)
        return tuple(msgspec.json.decode(card, type=Card) for card, _, _ in rows)


def has_gap(log: Sequence[Entry]) -> bool:
    """Whether entries are missing, as in a thinned log."""
    return bool(log) and log[-1].seq + 1 != len(log)


def stored_of(row: Row, log: tuple[Entry, ...]) -> Stored:
    """A table from its charter, its seed, when it was thinned, its record and its log."""
    charter, seed, thinned, record = row
    if thinned is not None and record is not None:
        log = thinning.filled(log, transcript.moves_in(record))
    return Stored(msgspec.json.decode(charter, type=Charter), bytes(seed), log)


def entries_of(rows: Sequence[Row]) -> tuple[Entry, ...]:
    """Entries as they were read."""
    return tuple(
        Entry(seq, at, Kind(kind), _seat(seat), word, number, guest, key)
        for seq, at, kind, seat, word, number, guest, key in rows
    )


def _seat(number: int | None) -> Seat | None:
    return None if number is None else Seat(number)
