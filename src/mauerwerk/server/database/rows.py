"""Tables, logs and owners as rows of a database: what one request writes, and what is read."""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import msgspec
import sqlalchemy as sa

from mauerwerk.core.game import Seat, Value
from mauerwerk.server.tables.charter import Charter
from mauerwerk.server.tables.log import Entry, Kind
from mauerwerk.server.tables.table import Card, Status
from mauerwerk.server.tables.thinning import filled
from mauerwerk.server.tables.transcript import moves_in

Row: TypeAlias = tuple[Any, ...]

PROBE: Final = "probe"
"""The name of a setting that health checks write."""


class Batch(Value):
    """What one request writes: all of it, or nothing."""

    table: str = ""
    creation: Row | None = None
    """The row of a table that is new."""

    change: Row | None = None
    """What becomes of a table that was there."""

    entries: tuple[Row, ...] = ()
    owners: tuple[Row, ...] | None = None
    """The owners of the seats now; None where the entries leave them as they were."""

    play: Row | None = None
    """What becomes of the owners then: they find the table changed."""

    probe: Row | None = None
    """A setting that is written only to see whether anything can be written."""

    inserts: tuple[tuple[sa.Table, Row], ...] = ()
    """Rows of features."""

    deletes: tuple[tuple[sa.Table, Row], ...] = ()
    """The primary keys of rows of features that are not stored any longer."""

    @property
    def only_moves(self) -> bool:
        """Whether it continues a log with moves, as most batches do, and nobody comes or goes."""
        return self.play is not None


def probe(said: bytes) -> Batch:
    """Something that is written only to see whether anything can be."""
    return Batch(probe=(PROBE, said))


def addition(table: str, into: sa.Table, row: Row, dropped: Sequence[Row]) -> Batch:
    """A row of a feature that belongs to a table, and the keys of rows that are dropped for it.

    Other processes learn that the table has changed.
    """
    gone = tuple((into, key) for key in dropped)
    return Batch(table, inserts=((into, row),), deletes=gone)


def creation(
    charter: Charter, seed: bytes, entries: Sequence[Entry], card: Card, owners: Sequence[str]
) -> Batch:
    """A new table, with what is in its log already; `owners` as in `change`."""
    row = (
        charter.id,
        charter.game,
        charter.rules,
        msgspec.json.encode(charter).decode(),
        seed,
        card.status.value,
        charter.public,
        charter.created,
        card.changed,
        card.due,
        len(entries),
        msgspec.json.encode(card).decode(),
        None,
        charter.opener,
        size_of(charter, card, None, entries),
        None,
        None,
    )
    return Batch(
        table=charter.id,
        creation=row,
        entries=_entry_rows(charter.id, entries),
        owners=_owner_rows(card, owners),
    )


def change(
    table: str, entries: Sequence[Entry], card: Card, owners: Sequence[str], record: str | None
) -> Batch:
    """More entries in the log of a table, which must follow upon what is there.

    `owners` are guests seat by seat, empty for none. `record` is the game as text, once it is over.
    """
    row = (
        card.status.value,
        card.changed,
        card.due,
        entries[-1].seq + 1,
        msgspec.json.encode(card).decode(),
        card.status is Status.OVER,
        record,
        log_size(entries) + len((record or "").encode()),
        table,
        entries[0].seq,
    )
    # Most of what is written are moves, and by a move nobody gets up.
    seats_stay = all(entry.kind is Kind.MOVE for entry in entries)
    return Batch(
        table=table,
        change=row,
        entries=_entry_rows(table, entries),
        owners=None if seats_stay else _owner_rows(card, owners),
        play=(card.changed, table) if seats_stay else None,
    )


ROW_SIZE: Final = 300
ENTRY_SIZE: Final = 64
"""Bytes that a table and an entry take up in addition to their texts, indexes included."""


def size_of(charter: Charter, card: Card, record: str | None, entries: Sequence[Entry]) -> int:
    """How many bytes a table takes up, about."""
    texts = (msgspec.json.encode(charter), msgspec.json.encode(card), (record or "").encode())
    return ROW_SIZE + sum(map(len, texts)) + log_size(entries)


def log_size(entries: Sequence[Entry]) -> int:
    """How many bytes these entries take up, about."""
    return sum(ENTRY_SIZE + len(e.word) + len(e.guest) + len(e.key) for e in entries)


def _entry_rows(table: str, entries: Sequence[Entry]) -> tuple[Row, ...]:
    return tuple(
        (table, e.seq, e.at, e.kind.value, e.seat, e.word, e.number, e.guest, e.key)
        for e in entries
    )


def _owner_rows(card: Card, owners: Sequence[str]) -> tuple[Row, ...]:
    return tuple((card.id, seat, guest, card.changed) for seat, guest in enumerate(owners) if guest)


# --- Reading ---------------------------------------------------------------------------------


class Stored(Value):
    """A table as it is kept: all the rest follows from this."""

    charter: Charter
    seed: bytes
    entries: tuple[Entry, ...]


def has_gap(log: Sequence[Entry]) -> bool:
    """Whether entries are missing, as in a thinned log."""
    return bool(log) and log[-1].seq + 1 != len(log)


def stored_of(row: Row, log: tuple[Entry, ...]) -> Stored:
    """A table from its charter, its seed, when it was thinned, its record and its log."""
    charter, seed, thinned, record = row
    if thinned is not None and record is not None:
        log = filled(log, moves_in(record))
    return Stored(msgspec.json.decode(charter, type=Charter), bytes(seed), log)


def entries_of(rows: Sequence[Row]) -> tuple[Entry, ...]:
    """Entries as they were read."""
    return tuple(
        Entry(seq, at, Kind(kind), _seat(seat), word, number, guest, key)
        for seq, at, kind, seat, word, number, guest, key in rows
    )


def _seat(number: int | None) -> Seat | None:
    return None if number is None else Seat(number)
