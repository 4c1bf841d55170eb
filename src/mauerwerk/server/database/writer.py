"""The one thread of a process that writes; where there are no threads, the event loop writes.

All batches that wait go into one transaction, so the thread waits for the disk once and not once
for each. It is woken once for all that come in one step of the event loop. A database that can
write the moves of many tables in one statement does so in a transaction of their own. When one is
on disk, one wake-up of the event loop tells all that wait.
"""

import asyncio
import logging
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Collection, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, TypeAlias

from sqlalchemy.exc import DBAPIError

from mauerwerk.server.database.errors import OvertakenError, StorageError
from mauerwerk.server.database.rows import Batch
from mauerwerk.server.database.schema import BEHIND, Statements, statements_for

_log = logging.getLogger(__name__)

Connection: TypeAlias = Any
"""A connection of the database's own driver, on which transactions are begun and ended by hand."""


class Writing(asyncio.Future[None]):
    """A batch that is being written; done when it is on disk, or cannot be.

    It cannot be cancelled, since the writer has it: a task that is cancelled while it waits for
    this is cancelled when the outcome is known.
    """

    def cancel(self, msg: object = None) -> bool:  # noqa: ARG002 - as futures have it
        """Refuse."""
        return False


Waiting = tuple[Batch, Writing]

WriteFault = Exception | None


class Driver(ABC):
    """How a thread speaks to one kind of database."""

    database: str
    """One of `schema.DIALECTS`."""

    appends_at_once = False
    """Whether the moves of many tables can be written in one statement (`append`)."""

    @property
    def say(self) -> Statements:
        """What is said to it."""
        return statements_for(self.database)

    @abstractmethod
    def connect(self, *, writing: bool) -> Connection:
        """A new connection, on which every statement stands alone unless a transaction is begun."""

    @abstractmethod
    def refusal(self, fault: Exception, /) -> Exception | None:
        """What to tell whose batch it was; None where the database itself is at fault."""

    def announce(  # noqa: B027 - a file has no other process that could be told
        self, connection: Connection, tables: Sequence[str], /
    ) -> None:
        """Tell other processes, with the transaction, that these tables change."""

    def append(self, connection: Connection, batches: Sequence[Batch], /) -> Collection[str]:
        """Begin a transaction, and write and announce the moves of different tables in it.

        Returns the tables at which they follow upon the log; at the others nothing is written.
        """
        raise NotImplementedError

    @abstractmethod
    def describe(self, cause: object, /) -> str:
        """What is wrong with the database, in one line."""

    def failure(self, fault: Exception, /) -> StorageError:
        """That something went wrong."""
        failure = StorageError(
            self.describe(fault.orig if isinstance(fault, DBAPIError) else fault)
        )
        failure.__cause__ = fault
        return failure


class Writer:
    """A thread, and what waits for it."""

    def __init__(self, driver: Driver, loop: asyncio.AbstractEventLoop) -> None:
        self._driver = driver
        self._loop = loop
        self._connection: Connection | None = None
        self._waiting = deque[Waiting]()
        self._orders: SimpleQueue[bool] = SimpleQueue()
        """Each says that something waits, and whether the thread goes on after that."""

        self.failures = 0
        """Transactions that could not be written."""

        self.failed_at = 0.0
        """When the last of them could not be written, in seconds since 1970."""

        self.trouble = ""
        """Why the last transaction could not be written; empty if it was."""

        self._begin()

    def _begin(self) -> None:
        self._thread = threading.Thread(target=self._run, name="mauerwerk-writer", daemon=True)
        self._thread.start()

    def write(self, batch: Batch) -> Writing:
        """Have a batch written. Raises OvertakenError or StorageError when waited for."""
        writing = Writing(loop=self._loop)
        self._waiting.append((batch, writing))
        if len(self._waiting) == 1:  # the thread takes until there are none
            self._loop.call_soon(self._wake)
        return writing

    def _wake(self) -> None:
        self._orders.put(True)  # noqa: FBT003 - it goes on

    def stop(self) -> None:
        """Write what waits, and end. Nothing may be written after that."""
        self._orders.put(False)  # noqa: FBT003 - as above
        self._thread.join()

    def _run(self) -> None:
        goes_on = True
        while goes_on:
            goes_on = self._orders.get()
            self._catch_up()
        self._disconnect()

    def _catch_up(self) -> None:
        """Write all that waits."""
        if group := self._taken():
            self._write(group)

    def _taken(self) -> Sequence[Waiting]:
        group: list[Waiting] = []
        with suppress(IndexError):
            while True:
                group.append(self._waiting.popleft())
        return group

    def _write(self, group: Sequence[Waiting]) -> None:
        for part in self._parts(group):
            faults = self._commit([batch for batch, _ in part])
            self._note(faults)
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                self._loop.call_soon_threadsafe(_answer, part, faults)

    def _parts(self, group: Sequence[Waiting]) -> Sequence[Sequence[Waiting]]:
        """What is written in a transaction each: moves in one statement, then all the rest.

        A transaction locks its tables in order, so that two servers never wait for each other.
        """
        if not self._driver.appends_at_once:
            return (group,)
        moves: list[Waiting] = []
        others: list[Waiting] = []
        tables: set[str] = set()
        for each in group:
            batch, _ = each
            (moves if batch.only_moves and batch.table not in tables else others).append(each)
            tables.add(batch.table)
        return [part for part in (moves, others) if part]

    def _note(self, faults: Sequence[WriteFault]) -> None:
        """Count a failure of the database, and log where trouble begins and ends."""
        failure = next((fault for fault in faults if isinstance(fault, StorageError)), None)
        if failure is not None:
            self.failures += 1
            self.failed_at = time.time()
            if str(failure) != self.trouble:
                _log.error("nothing can be stored: %s", failure)
        elif self.trouble:
            _log.warning("storing works again")
        self.trouble = "" if failure is None else str(failure)

    def _commit(self, batches: Sequence[Batch]) -> Sequence[WriteFault]:
        """Write a group; say for each batch what was wrong with it.

        A connection may have broken while nobody used it. So there is a second attempt with a new
        one, but not if the commit may have got through the first time.
        """
        for last in (False, True):
            sent = False
            try:
                connection = self._connected()
                faults = self._put_all(connection, batches)
                sent = True
                connection.execute("COMMIT")
            except Exception as fault:  # noqa: BLE001 - whatever it was, the tasks that wait must hear
                self._disconnect()  # which takes back what was not committed
                if last or sent:
                    return [self._driver.failure(fault) for _ in batches]
            else:
                return faults
        raise AssertionError

    def _connected(self) -> Connection:
        if self._connection is None:
            self._connection = self._driver.connect(writing=True)
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            with suppress(Exception):
                self._connection.close()
            self._connection = None

    def _put_all(self, connection: Connection, batches: Sequence[Batch]) -> Sequence[WriteFault]:
        """Begin a transaction, and write a group in it."""
        if self._driver.appends_at_once and all(batch.only_moves for batch in batches):
            try:
                written = self._driver.append(connection, batches)
            except Exception as fault:
                if self._driver.refusal(fault) is None:
                    raise
                connection.execute("ROLLBACK")  # something cannot be stored; what, shows below
            else:
                return [None if b.table in written else OvertakenError(BEHIND) for b in batches]
        connection.execute("BEGIN")
        return self._together(connection, batches)

    def _together(self, connection: Connection, batches: Sequence[Batch]) -> Sequence[WriteFault]:
        """All at once; where one of them cannot be written, one after the other."""
        faults = [self._attempt(connection, batches)] * len(batches)
        if faults[0] is not None and len(batches) > 1:
            faults = [self._attempt(connection, [batch]) for batch in batches]
        written = {b.table for b, fault in zip(batches, faults, strict=True) if fault is None}
        if written := written - {""}:
            self._driver.announce(connection, sorted(written))
        return faults

    def _attempt(self, connection: Connection, batches: Sequence[Batch]) -> WriteFault:
        """Write these, or none of them and say why. A fault of the database itself is raised."""
        connection.execute("SAVEPOINT attempt")
        try:
            self._driver.say.write(connection, batches)
        except Exception as fault:
            refusal = fault if isinstance(fault, OvertakenError) else self._driver.refusal(fault)
            if refusal is None:
                raise
            connection.execute("ROLLBACK TO SAVEPOINT attempt")
        else:
            refusal = None
        connection.execute("RELEASE SAVEPOINT attempt")
        return refusal


class LoopWriter(Writer):
    """Writes on the event loop itself, as soon as it has a moment: in browsers, without threads."""

    def _begin(self) -> None:
        """There is nothing to start."""

    def _wake(self) -> None:
        self._catch_up()

    def stop(self) -> None:
        """Write what waits, and end."""
        self._catch_up()
        self._disconnect()


def _answer(group: Sequence[Waiting], faults: Sequence[WriteFault]) -> None:
    """Tell the tasks that wait, on their loop."""
    for (_, writing), fault in zip(group, faults, strict=True):
        if fault is None:
            writing.set_result(None)
        else:
            writing.set_exception(fault)
