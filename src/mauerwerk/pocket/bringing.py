"""Games from a saved file join those that are here: nothing of these is overwritten.

A file is another database of Mauerwerk. Games of whoever saved it become those of the guest in this
browser. A game that both have goes on from the longer log, if one log begins with the other.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, cast

import msgspec
import sqlalchemy as sa

from mauerwerk.core.game import Value
from mauerwerk.server.database import sqlite
from mauerwerk.server.database.connect import FILE, failing_in_one_line, looking_into
from mauerwerk.server.database.doctor import database_faults, examined, ids, kept
from mauerwerk.server.database.errors import StorageError
from mauerwerk.server.database.migrations import migrate, revision_of
from mauerwerk.server.database.schema import ENTRIES, OWNERS, SECRET, SERVER_STATE, TABLES
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.http.identity import COOKIE
from mauerwerk.server.keys import Keys
from mauerwerk.server.tables.charter import Guest

COOKIES: Final = "pocket cookies"
"""Under this name the cookies are in the database."""

JOURNAL: Final = slice(18, 20)
"""Where a file says how it is written."""
PLAIN: Final = b"\x01\x01"
"""Without a log beside it, which a browser cannot have."""


class NotBroughtError(Exception):
    """The file is damaged, or not one of ours; nothing was changed."""


class Brought(Value):
    """What came of it."""

    guest: Guest
    """Whose games they are now."""
    games: int
    """How many are new here, or went on elsewhere."""


class Kept(Value):
    """A table as a database has it."""

    row: dict[str, Any]
    log: list[tuple[Any, ...]]
    owners: dict[int, str]

    def of(self, theirs: str, mine: str) -> "Kept":
        """The same, with one guest in place of another. Their ids are random, and in no word."""

        def changed(value: Any) -> Any:  # noqa: ANN401 - whatever is in a column
            return value.replace(theirs, mine) if isinstance(value, str) else value

        return Kept(
            {name: changed(value) for name, value in self.row.items()},
            [tuple(changed(value) for value in line) for line in self.log],
            {seat: changed(guest) for seat, guest in self.owners.items()},
        )

    def continues(self, here: "Kept") -> bool:
        """Whether this is the same game, played on."""
        same = all(self.row[name] == here.row[name] for name in ("charter", "seed", "thinned"))
        return same and len(self.log) > len(here.log) and self.log[: len(here.log)] == here.log


def kept_cookies(transaction: Transaction) -> dict[str, str]:
    """The cookies of the browser whose database this is."""
    found = transaction.state(COOKIES)
    return msgspec.json.decode(found, type=dict[str, str]) if found else {}


def guest_among(cookies: Mapping[str, str], keys: Keys) -> Guest | None:
    """Whom the cookies name."""
    named = [value for name, value in cookies.items() if name.rpartition("-")[2] == COOKIE]
    return keys.guest_of(named[0]) if named else None


def bring(transaction: Transaction, content: bytes, mine: Guest | None) -> Brought:
    """Add the games of a file; they are `mine`, or, where nobody is here, still of that guest.

    Raises NotBroughtError; the transaction is to be given up then.
    """
    with TemporaryDirectory() as folder:
        file = Path(folder) / FILE
        file.write_bytes(content[: JOURNAL.start] + PLAIN + content[JOURNAL.stop :])
        try:
            theirs = _prepared(file)
            guest = mine or theirs
            found = [each.of(theirs.id, guest.id) for each in _games_of(theirs.id, file)]
        except (StorageError, msgspec.MsgspecError, ValueError) as fault:
            raise NotBroughtError(str(fault)) from fault
    return Brought(guest, sum(_add(transaction, each) for each in found))


def _prepared(file: Path) -> Guest:
    """Bring the copy of a file up to date; whose it is. Raises StorageError."""
    with failing_in_one_line(), sqlite.engine_at(file, "rw").begin() as connection:
        if revision_of(connection) is None:
            raise StorageError("this is no database of Mauerwerk")
        migrate(connection)
    for fault in database_faults(file):
        raise StorageError(fault)
    with looking_into(file) as connection:
        secret = sa.select(SERVER_STATE.c.value).where(SERVER_STATE.c.name == SECRET)
        keys = Keys(bytes(connection.scalar(secret) or b""), clock=lambda: 0)  # however old it is
        guest = guest_among(kept_cookies(Transaction(connection, "", 0)), keys)
    if guest is None:
        raise StorageError("nobody saved this file from a browser")
    return guest


def _games_of(guest: str, file: Path) -> list[Kept]:
    """The games of this guest."""
    found: list[Kept] = []
    with looking_into(file) as connection:
        for table in ids(file):
            row, log, owners = kept(connection, table)
            if row is not None and (guest in owners.values() or row["opener"] == guest):
                found.append(Kept(dict(row), log, owners))
    return found


def _add(transaction: Transaction, game: Kept) -> bool:
    """Add a game, or what was played of it elsewhere; whether there was anything to add."""
    row, log, owners = kept(transaction.connection, game.row["id"])
    here = None if row is None else Kept(dict(row), log, owners)
    if here is not None and not game.continues(here):
        return False
    found = examined(cast("sa.RowMapping", game.row), game.log, game.owners)
    for fault in found.faults:
        raise NotBroughtError(fault)
    # Whether its result was counted here; if not, it will be.
    values = {**game.row, "counted": here.row["counted"] if here else None}
    table: str = game.row["id"]
    if here is None:
        transaction.insert(TABLES, **values)
    else:
        transaction.update(TABLES, TABLES.c.id == table, **values)
        transaction.remove(OWNERS, OWNERS.c.table_id == table)
    _insert_log(transaction, table, game.log[len(log) :])
    for seat, guest in game.owners.items():
        transaction.insert(
            OWNERS, table_id=table, seat=seat, guest=guest, changed=values["changed"]
        )
    return True


def _insert_log(transaction: Transaction, table: str, log: Sequence[tuple[Any, ...]]) -> None:
    names = [column.name for column in ENTRIES.c][1:]
    for line in log:
        transaction.insert(ENTRIES, table_id=table, **dict(zip(names, line, strict=True)))
