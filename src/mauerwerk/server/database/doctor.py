"""Whether a database and every table in it is sound: logs complete, chance fair, results true.

All that a database says about a table apart from the log is worked out from the log again and
compared. Nothing is changed, and a server may run meanwhile. Each table is read by itself: what is
wrong with one does not hide the others.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from mauerwerk.core.game import NATURE, Value
from mauerwerk.core.record import Move
from mauerwerk.games import GAMES, game_of
from mauerwerk.server.database import schema
from mauerwerk.server.database.connect import is_url, looking_into
from mauerwerk.server.database.errors import StorageError
from mauerwerk.server.database.rows import entries_of
from mauerwerk.server.tables import transcript as transcripts
from mauerwerk.server.tables.charter import Charter
from mauerwerk.server.tables.folding import after, begin
from mauerwerk.server.tables.log import Entry, Kind
from mauerwerk.server.tables.seed import commitment, nature_word
from mauerwerk.server.tables.table import Card, Status, Table, is_by_hand, places_of
from mauerwerk.server.tables.thinning import filled

DATABASE: Final = ""
"""In the place of a table's id, it stands for the database as a whole."""

MOST_FAULTS: Final = 100
"""The most faults of a file that are listed."""


class Examined(Value):
    """What was found out about one table, or about the database."""

    table: str
    entries: int
    faults: tuple[str, ...] = ()
    unknown: str = ""
    """Why it could not be replayed, where that is no fault: other rules than this program has."""


def examine(place: str | Path) -> Iterator[Examined]:
    """Look at the database, then at every table. Raises StorageError if there is none."""
    with looking_into(place):
        pass
    if faults := tuple(database_faults(place)):
        yield Examined(DATABASE, 0, faults)
    for table in ids(place):
        try:
            with looking_into(place) as connection:
                row, log, owners = kept(connection, table)
        except StorageError as fault:
            yield Examined(table, 0, (f"cannot be read: {fault}",))
        else:
            if row is None:
                yield Examined(table, len(log), ("there is a log, but no table",))
            else:
                yield examined(row, log, owners)


def ids(place: str | Path) -> list[str]:
    """The ids of all tables, also of those that only their log or an owner still mentions."""
    found: set[str] = set()
    for column in (schema.TABLES.c.id, schema.ENTRIES.c.table_id, schema.OWNERS.c.table_id):
        # Where one of these cannot be read, `database_faults` says so.
        with suppress(StorageError), looking_into(place) as connection:
            for row in connection.execute(sa.select(column).distinct()):
                found.add(row[0])
    return sorted(found)


def kept(
    connection: sa.Connection, table: str
) -> tuple[sa.RowMapping | None, list[tuple[Any, ...]], dict[int, str]]:
    """A table as it is kept: its row, its log, and who owns its seats."""
    tables, entries, owners = schema.TABLES, schema.ENTRIES.c, schema.OWNERS.c
    row = connection.execute(sa.select(tables).where(tables.c.id == table)).mappings().first()
    log = sa.select(*list(entries)[1:]).where(entries.table_id == table).order_by(entries.seq)
    owned = sa.select(owners.seat, owners.guest).where(owners.table_id == table)
    logged = [tuple(each) for each in connection.execute(log)]
    return row, logged, {each.seat: each.guest for each in connection.execute(owned)}


# --- The database ----------------------------------------------------------------------------


def database_faults(place: str | Path) -> Iterator[str]:
    """What is wrong with the database itself: its pages, its indexes, its secret."""
    checks = (_damaged_indexes, _secret) if is_url(place) else (_damaged_pages, _secret)
    for check in checks:
        try:
            with looking_into(place) as connection:
                yield from check(connection)
        except StorageError as fault:
            yield f"cannot be read: {fault}"


def _damaged_pages(connection: sa.Connection) -> Iterator[str]:
    """What SQLite finds in its file: every page, every index, every reference."""
    for (said,) in connection.exec_driver_sql(f"PRAGMA integrity_check({MOST_FAULTS})"):
        if said != "ok":
            yield " ".join(said.split())
    for table, _, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
        yield f"a row of {table} belongs to no row of {parent}"


def _damaged_indexes(connection: sa.Connection) -> Iterator[str]:
    """Indexes of PostgreSQL that lead to other rows than the table has."""
    for table in schema.tables_in(connection):
        columns = [table.primary_key.columns, *(index.columns for index in table.indexes)]
        for indexed in columns:
            # A partial index has only the rows for which its column is not null.
            rows = sa.select(*indexed).where(next(iter(indexed)).is_not(None)).subquery()
            count = sa.select(sa.func.count()).select_from(rows)
            found = [_counted(connection, count, scan) for scan in ("index", "seq")]
            if found[0] != found[1]:
                names = ", ".join(column.name for column in indexed)
                yield f"the index of {table.name} on {names} has {found[0]} of {found[1]} rows"


def _counted(connection: sa.Connection, count: sa.Select[int], scan: str) -> int:
    """The number of rows that PostgreSQL finds by an index, or by reading the whole table."""
    for kind in ("indexscan", "indexonlyscan", "bitmapscan", "seqscan"):
        used = (kind == "seqscan") == (scan == "seq")
        connection.exec_driver_sql(f"SET LOCAL enable_{kind} = {'on' if used else 'off'}")
    return int(connection.scalar(count) or 0)


def _secret(connection: sa.Connection) -> Iterator[str]:
    """Whether the secret is there, on which all links and cookies depend."""
    state = schema.SERVER_STATE.c
    secret = connection.scalar(sa.select(state.value).where(state.name == schema.SECRET))
    if secret is None:
        yield "the secret is missing: no link and no cookie is valid"
    elif len(secret) != schema.SECRET_BYTES:
        yield f"the secret has {len(secret)} bytes, not {schema.SECRET_BYTES}"


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
        if row["thinned"] is not None:
            entries = filled(entries, transcripts.moves_in(row["record"]))
    except (msgspec.MsgspecError, ValueError) as fault:
        return msgspec.structs.replace(result, faults=(f"cannot be read: {fault}",))
    faults = list(_columns(row, charter, card, entries))
    if game_of(charter.game, charter.rules) is None:
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
    for name in ("id", "game", "rules", "public", "created", "opener"):
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
        if row["thinned"] is None:
            yield from _chance(table, row["seed"], entry)
        table = after(table, entry)
    kept, made = msgspec.structs.asdict(card), msgspec.structs.asdict(table.card())
    if differing := [name for name in kept if kept[name] != made[name]]:
        yield f"the card is not what the log leads to: {', '.join(differing)}"
    if owners != {seat: guest for seat, guest in enumerate(table.owners) if guest}:
        yield "the owners are not those whom the log seats"
    if row["thinned"] is not None:
        yield from _kept_record(table, row)
        return
    record = transcripts.transcript(table, row["seed"]) if table.status is Status.OVER else None
    if record != row["record"]:
        yield "the record is not that of the game" if record else "there is a record of no game"


def _kept_record(table: Table, row: sa.RowMapping) -> Iterator[str]:
    """What is wrong with the record of a thinned log: it has the moves, and their numbers."""
    read = transcripts.read(row["record"], GAMES)
    fair = read.fairness
    if (fair.seed, read.record) != (bytes(row["seed"]), table.record()):
        yield "the record is not that of the game"
    for fault in transcripts.check(table.game, read).faults:
        yield f"move {fault.place}: nature played {fault.word}, the seed says {fault.should_be}"


def _chance(table: Table, seed: bytes, entry: Entry) -> Iterator[str]:
    """Draw a move of nature again, unless it was given or entered by hand."""
    if entry.kind is not Kind.MOVE:
        return
    place = len(table.plays)
    if place < table.charter.given:
        assert entry.seat is not None
        move = Move(entry.seat, entry.word)
        if str(move) != table.charter.moves[place]:
            yield f"entry {entry.seq}: {move}, but {table.charter.moves[place]} was given"
    elif entry.seat == NATURE and entry.guest:
        if not is_by_hand(table):
            yield f"entry {entry.seq}: entered by hand, but the server draws it"
    elif entry.seat == NATURE:
        places = places_of(table)
        at = places.next(table.state) if places else entry.seq
        word = nature_word(table.game, table.state, seed, at)
        if word != entry.word:
            yield f"entry {entry.seq}: nature played {entry.word}, but the seed says {word}"
