"""Whether every table that is kept is sound: its log complete, its chance fair, its result true.

All that a database says about a table besides the log is worked out from the log again and
compared. Nothing is changed, and a server may run meanwhile.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from mauerwerk.core.game import NATURE, Seat, Value
from mauerwerk.core.record import Move
from mauerwerk.games import GAMES
from mauerwerk.play.fairness.seed import commitment, nature_word
from mauerwerk.play.fairness.transcript import transcript
from mauerwerk.play.storage.backup import looking_into
from mauerwerk.play.storage.database import entries_of
from mauerwerk.play.storage.schema import ENTRIES, OWNERS, TABLES
from mauerwerk.play.tables.chance import is_by_hand
from mauerwerk.play.tables.entries import Card, Charter, Entry, Kind, Status
from mauerwerk.play.tables.folding import after, begin
from mauerwerk.play.tables.table import Table

AT_ONCE: Final = 50
"""So many tables are read between two looks; a server's file must not be held open for long."""


class Examined(Value):
    """What was found out about one table."""

    table: str
    entries: int
    faults: tuple[str, ...] = ()
    unknown: str = ""
    """Why it could not be replayed, where that is no fault: other rules than this program has."""


def examine(place: str | Path) -> Iterator[Examined]:
    """Look at every table, one after the other. Raises StorageError."""
    last = ""
    while True:
        with looking_into(place) as connection:
            page = _some(connection, last)
        for row, entries, owners in page:
            yield examined(row, entries, owners)
        if len(page) < AT_ONCE:
            return
        last = page[-1][0]["id"]


def how_many(place: str | Path) -> int:
    """How many tables there are to look at. Raises StorageError."""
    with looking_into(place) as connection:
        return connection.execute(sa.select(sa.func.count()).select_from(TABLES)).scalar_one()


_Kept = tuple[sa.RowMapping, list[tuple[Any, ...]], dict[int, str]]


def _some(connection: sa.Connection, after_id: str) -> list[_Kept]:
    """The next tables: their rows, entries, and owners."""
    tables = sa.select(TABLES).where(TABLES.c.id > after_id).order_by(TABLES.c.id).limit(AT_ONCE)
    return [
        (row, *_log(connection, row["id"])) for row in connection.execute(tables).mappings().all()
    ]


def _log(connection: sa.Connection, table: str) -> tuple[list[tuple[Any, ...]], dict[int, str]]:
    log = sa.select(*list(ENTRIES.c)[1:]).where(ENTRIES.c.table_id == table)
    owners = sa.select(OWNERS.c.seat, OWNERS.c.guest).where(OWNERS.c.table_id == table)
    entries = [tuple(row) for row in connection.execute(log.order_by(ENTRIES.c.seq))]
    return entries, {row.seat: row.guest for row in connection.execute(owners)}


# --- One table -------------------------------------------------------------------------------


def examined(
    row: sa.RowMapping, log: Sequence[tuple[Any, ...]], owners: Mapping[int, str]
) -> Examined:
    """What is wrong with a table as it is kept."""
    result = Examined(row["id"], len(log))
    try:
        charter = msgspec.json.decode(row["charter"], type=Charter)
        card = msgspec.json.decode(row["card"], type=Card)
        entries = entries_of(log)
    except (msgspec.MsgspecError, ValueError) as fault:
        return msgspec.structs.replace(result, faults=(f"cannot be read: {fault}",))
    faults = list(_columns(row, charter, card, entries))
    game = GAMES.get(charter.game)
    if game is None or charter.rules != game.RULES:
        unknown = f"{charter.game}/{charter.rules} is not played by this program"
        return msgspec.structs.replace(result, faults=tuple(faults), unknown=unknown)
    if not any(fault.startswith("the log") for fault in faults):
        try:
            faults += _replayed(row, charter, card, entries, owners)
        except Exception as fault:  # noqa: BLE001 - whatever a broken log does, it is a finding
            faults.append(f"does not replay: {type(fault).__name__}: {fault}")
    return msgspec.structs.replace(result, faults=tuple(faults))


def _columns(
    row: sa.RowMapping, charter: Charter, card: Card, entries: Sequence[Entry]
) -> Iterator[str]:
    """What does not agree before anything is replayed."""
    for place, entry in enumerate(entries):
        if entry.seq != place:
            yield f"the log has no entry {place}"
            break
    if row["length"] != len(entries):
        yield f"the log has {len(entries)} entries, not {row['length']}"
    for name in ("id", "game", "rules", "public", "created"):
        if row[name] != getattr(charter, name):
            yield f"{name} is {row[name]!r}, in the charter {getattr(charter, name)!r}"
    for name in ("id", "status", "changed", "due"):
        if row[name] != getattr(card, name):
            yield f"{name} is {row[name]!r}, on the card {getattr(card, name)!r}"
    if commitment(row["seed"]) != charter.commitment:
        yield "the seed is not the one that the table was shown"


def _replayed(
    row: sa.RowMapping,
    charter: Charter,
    card: Card,
    entries: Sequence[Entry],
    owners: Mapping[int, str],
) -> Iterator[str]:
    """What does not agree with what the log leads to."""
    table = begin(charter)
    for entry in entries:
        yield from _chance(table, row["seed"], entry)
        table = after(table, entry)
    if card != table.card():
        differing = [
            name
            for name in Card.__struct_fields__
            if getattr(card, name) != getattr(table.card(), name)
        ]
        yield f"the card is not what the log leads to: {', '.join(differing)}"
    if owners != {seat: guest for seat, guest in enumerate(table.owners) if guest}:
        yield "the owners are not those whom the log seats"
    record = transcript(table, row["seed"]) if table.status is Status.OVER else None
    if record != row["record"]:
        yield "the record is not that of the game" if record else "there is a record of no game"


def _chance(table: Table, seed: bytes, entry: Entry) -> Iterator[str]:
    """Draw a move of nature again, unless it was given or entered by hand."""
    if entry.kind is not Kind.MOVE:
        return
    place = len(table.plays)
    if place < table.charter.given:
        move = Move(entry.seat or Seat(0), entry.word)
        if str(move) != table.charter.moves[place]:
            yield f"entry {entry.seq}: {move}, but {table.charter.moves[place]} was given"
    elif entry.seat == NATURE and entry.guest:
        if not is_by_hand(table):
            yield f"entry {entry.seq}: entered by hand, but the house draws it"
    elif entry.seat == NATURE:
        word = nature_word(table.game, table.state, seed, entry.seq)
        if word != entry.word:
            yield f"entry {entry.seq}: nature played {entry.word}, but the seed says {word}"
