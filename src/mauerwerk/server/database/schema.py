"""What a database holds, the same in SQLite and PostgreSQL, and the statements that use it.

Tables are described once, with SQLAlchemy. A store has the statements compiled for its database
and hands them to the driver itself, since a move is a small thing and they are always the same.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Final, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import Dialect

from mauerwerk.server.database.errors import OvertakenError, StorageError
from mauerwerk.server.database.rows import Batch, Row

METADATA: Final = sa.MetaData()

DUE: Final = sa.text("due IS NOT NULL")
"""Most tables are over and wait for nothing; the index leaves them out."""

UNCOUNTED: Final = sa.text("status = 'over' AND counted IS NULL")
"""Finished games whose result is not counted yet, which are few; the index has only them."""

KNOWN: Final = sa.text("guest <> ''")
"""Most entries are moves, of which the seat is known; the index leaves them out."""

NAMED: Final = "named"
"""Marks a column of guests whose names are in the column `name` beside it, and change with them."""

TABLES: Final = sa.Table(
    "tables",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("rules", sa.Integer, nullable=False),
    sa.Column("charter", sa.Text, nullable=False),  # JSON
    sa.Column("seed", sa.LargeBinary, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("changed", sa.BigInteger, nullable=False),
    sa.Column("due", sa.BigInteger),  # when it goes on by itself
    sa.Column("length", sa.Integer, nullable=False),  # how many entries the log has
    sa.Column("card", sa.Text, nullable=False),  # JSON
    sa.Column("record", sa.Text),  # once the game is over
    sa.Column("opener", sa.Text, nullable=False, server_default=""),  # as in the charter
    sa.Column("size", sa.BigInteger, nullable=False, server_default="0"),  # bytes, about
    sa.Column("thinned", sa.BigInteger),  # when; then the record has the moves, not the log
    sa.Column("counted", sa.BigInteger),  # when the result was counted
    sa.Index("tables_by_change", "status", "public", "changed", "id"),
    sa.Index("tables_by_opener", "opener", "size"),
    sa.Index("tables_by_due", "due", sqlite_where=DUE, postgresql_where=DUE),
    sa.Index(
        "tables_uncounted", "changed", "id", sqlite_where=UNCOUNTED, postgresql_where=UNCOUNTED
    ),
)

SHOWN: Final = sa.case(
    (
        # In a name, a backslash would come before the quotation mark.
        sa.and_(TABLES.c.status == "running", TABLES.c.card.contains(',"late":true')),
        TABLES.c.created,
    ),
    else_=TABLES.c.changed,
)
"""When a table has changed, for people who do not play there, as `card_from_outside` says it."""

STORED: Final = (TABLES.c.charter, TABLES.c.seed, TABLES.c.thinned, TABLES.c.record)
"""All that a table is read from, with its log."""

ENTRIES: Final = sa.Table(
    "entries",
    METADATA,
    sa.Column("table_id", sa.Text, sa.ForeignKey(TABLES.c.id), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("seat", sa.Integer),
    sa.Column("word", sa.Text, nullable=False),
    sa.Column("number", sa.Integer),
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("key", sa.Text, nullable=False),
    sa.Index("entries_by_guest", "guest", "table_id", sqlite_where=KNOWN, postgresql_where=KNOWN),
    sqlite_with_rowid=False,  # a log lies in one piece
)

OWNERS: Final = sa.Table(
    "owners",
    METADATA,
    sa.Column("table_id", sa.Text, sa.ForeignKey(TABLES.c.id), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("changed", sa.BigInteger, nullable=False),  # as in `tables`, to find the newest here
    sa.Index("owners_by_guest", "guest", "changed", "table_id"),
    sqlite_with_rowid=False,
)

SERVER_STATE: Final = sa.Table(
    "server_state",
    METADATA,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.LargeBinary, nullable=False),
)

GUEST_STATUS: Final = sa.Table(
    "guest_status",
    METADATA,
    sa.Column("guest", sa.Text, primary_key=True),
    sa.Column("logged_out", sa.BigInteger, nullable=False),  # tokens from before are not valid
    sa.Column("name", sa.Text, nullable=False),  # the name that the host gave; empty for none
    sa.Column("renamed", sa.BigInteger, nullable=False),  # when; names chosen later count
)

DEVICES: Final = sa.Table(
    "devices",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),  # named in the cookie of that device
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("label", sa.Text, nullable=False),  # the browser and system
    sa.Column("phone", sa.Boolean, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("seen", sa.BigInteger, nullable=False),
    sa.Column("ended", sa.BigInteger),  # when it was signed out; its cookie is not valid then
    sa.Index("devices_by_guest", "guest"),
)

ENDED: Final = sa.select(DEVICES.c.id).where(DEVICES.c.ended.is_not(None))
"""The devices whose cookies are not valid any more."""

AUDIT: Final = sa.Table(
    "audit",
    METADATA,
    sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("by", sa.Text, nullable=False),  # command, api, or page
    sa.Column("action", sa.Text, nullable=False),
    sa.Column("what", sa.Text, nullable=False),
    sa.Column("detail", sa.Text, nullable=False),
)

DECISIONS: Final = sa.Table(
    "decisions",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("number", sa.BigInteger, nullable=False),  # in this order
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("what", sa.Text, nullable=False),  # the name of a command that lasts
    sa.Column("given", sa.Text, nullable=False),  # JSON: its arguments, by their names
    sa.Index("decisions_by_number", "number"),
)

SECRET: Final = "secret"  # noqa: S105 - the name of a setting
SECRET_BYTES: Final = 32

BEHIND: Final = "somebody has just played there; try again"
"""Why entries are refused that do not follow upon the last one of a log."""

GIVEN: Final = "given_"
"""Before the name of a parameter, since SQLAlchemy gives those named like columns a meaning."""


def belongs_to_table(stored: sa.Table) -> bool:
    """Whether rows belong to a table at which people play, and go with it."""
    return any(key.column is TABLES.c.id for key in stored.foreign_keys)


def know(tables: Iterable[sa.Table]) -> None:
    """Describe the tables of a feature of another package, too: they are made where missing."""
    for each in tables:
        if each.name not in METADATA.tables:
            each.to_metadata(METADATA)


def tables_in(connection: sa.Connection) -> Sequence[sa.Table]:
    """The description of everything in a database, those tables first that others refer to.

    Raises StorageError where a feature that this program does not have stores something.
    """
    found = set(sa.inspect(connection).get_table_names()) - {"alembic_version"}
    if unknown := sorted(found - set(METADATA.tables)):
        raise StorageError(f"no feature of this program knows the table {unknown[0]}")
    return METADATA.sorted_tables


class Statement:
    """A statement in the words of one database, with its parameters in their order."""

    def __init__(self, statement: sa.ClauseElement, dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect)
        self.sql = str(compiled)
        self._names: Sequence[str] = getattr(compiled, "positiontup", None) or ()
        self._values: dict[str, Any] = {**(compiled.params or {})}

    def row(self, **given: Any) -> Row:  # noqa: ANN401 - whatever the driver takes
        """The parameters, in their order."""
        known = {**self._values, **{f"{GIVEN}{name}": value for name, value in given.items()}}
        return tuple(known[name] for name in self._names)


_Rows = TypeVar("_Rows", bound="sa.Select[*tuple[Any, ...]]")


def _given(name: str, kind: type[sa.types.TypeEngine[Any]] = sa.Text) -> sa.BindParameter[Any]:
    return sa.bindparam(f"{GIVEN}{name}", type_=kind)


def _newest(what: _Rows, changed: sa.ColumnElement[Any], id_: sa.Column[Any]) -> _Rows:
    """A page of them, newest change first."""
    page = what.where(changed < _given("before", sa.BigInteger))
    return page.order_by(changed.desc(), id_.desc()).limit(_given("most", sa.Integer))


class Statements:
    """All that a store says to its database."""

    def __init__(self, database: str, paramstyle: str) -> None:
        """Compile them for this kind of database, and for how its driver marks parameters."""
        dialect = sa.create_engine(database, paramstyle=paramstyle).dialect
        self._dialect = dialect
        self._features: dict[tuple[type[Any], Any], Statement] = {}

        def said(statement: sa.ClauseElement) -> Statement:
            return Statement(statement, dialect)

        table = TABLES.c.id == _given("table")
        owned = OWNERS.c.guest == _given("guest")
        listed = sa.and_(TABLES.c.public, TABLES.c.status == _given("status"))
        changed = _given("changed", sa.BigInteger)

        self.insert_table = said(sa.insert(TABLES))
        self.insert_entry = said(sa.insert(ENTRIES))
        self.insert_owner = said(sa.insert(OWNERS))
        self.delete_probe = said(
            sa.delete(SERVER_STATE).where(SERVER_STATE.c.name == _given("name"))
        )
        self.insert_probe = said(sa.insert(SERVER_STATE))
        self.delete_owners = said(sa.delete(OWNERS).where(OWNERS.c.table_id == _given("table")))
        self.update_owners = said(
            sa.update(OWNERS).where(OWNERS.c.table_id == _given("table")).values(changed=changed)
        )
        self.update_table = said(
            sa.update(TABLES)
            .where(table, TABLES.c.length == _given("from", sa.Integer))
            .values(
                status=_given("status"),
                changed=changed,
                due=_given("due", sa.BigInteger),
                length=_given("length", sa.Integer),
                card=_given("card"),
                # What follows a finished game, such as a rematch, does not write it down again.
                record=sa.case(
                    (
                        _given("over", sa.Boolean),
                        sa.func.coalesce(_given("record"), TABLES.c.record),
                    )
                ),
                size=TABLES.c.size + _given("size", sa.BigInteger),
            )
        )
        self.table = said(sa.select(*STORED).where(table))
        self.size = said(
            sa.select(sa.func.coalesce(sa.func.sum(TABLES.c.size), 0)).where(
                TABLES.c.opener == _given("opener")
            )
        )
        self.record = said(sa.select(TABLES.c.record).where(table))
        self.entries = said(
            sa.select(*list(ENTRIES.c)[1:])
            .where(
                ENTRIES.c.table_id == _given("table"), ENTRIES.c.seq >= _given("seq", sa.Integer)
            )
            .order_by(ENTRIES.c.seq)
        )
        card = sa.select(TABLES.c.card, TABLES.c.changed, TABLES.c.id)
        of_guest = sa.select(OWNERS.c.changed, OWNERS.c.table_id).distinct().where(owned)
        newest_of = _newest(of_guest, OWNERS.c.changed, OWNERS.c.table_id).subquery()
        self.lobby = said(_newest(card.where(listed), TABLES.c.changed, TABLES.c.id))
        watched = sa.select(TABLES.c.card, SHOWN, TABLES.c.id).where(listed)
        self.running = said(_newest(watched, SHOWN, TABLES.c.id))
        self.tables_of = said(
            card.join(newest_of, newest_of.c.table_id == TABLES.c.id).order_by(
                newest_of.c.changed.desc(), newest_of.c.table_id.desc()
            )
        )
        self.seats_of = said(
            sa.select(OWNERS.c.table_id, OWNERS.c.seat)
            .where(owned, OWNERS.c.changed >= _given("since", sa.BigInteger))
            .order_by(OWNERS.c.table_id, OWNERS.c.seat)
        )
        # A page is never cut between two tables of one millisecond, or the next would miss some.
        tie = sa.and_(TABLES.c.changed == changed, TABLES.c.id < _given("after"))
        in_order = TABLES.c.id.desc()
        self.lobby_ties = said(card.where(listed, tie).order_by(in_order))
        shown_tie = sa.and_(changed == SHOWN, TABLES.c.id < _given("after"))
        self.running_ties = said(watched.where(shown_tie).order_by(in_order))
        own = sa.select(OWNERS.c.table_id).where(owned, OWNERS.c.changed == changed)
        self.ties_of = said(card.where(TABLES.c.id.in_(own), tie).order_by(in_order))
        self.due = said(
            sa.select(TABLES.c.id)
            .where(TABLES.c.due < _given("before", sa.BigInteger))
            .order_by(TABLES.c.due)
        )
        self.last_audit_entry = said(sa.select(sa.func.coalesce(sa.func.max(AUDIT.c.id), 0)))
        self.count = said(sa.select(TABLES.c.status, sa.func.count()).group_by(TABLES.c.status))

    def _of_features(self, batches: Sequence[Batch]) -> Iterator[tuple[Statement, list[Row]]]:
        """What writes the rows of features: additions first."""
        added: dict[sa.Table, list[Row]] = {}
        dropped: dict[sa.Table, list[Row]] = {}
        for batch in batches:
            for into, row in batch.inserts:
                added.setdefault(into, []).append(row)
            for table, key in batch.deletes:
                dropped.setdefault(table, []).append(key)
        for into in sorted(added, key=lambda table: table.name):
            yield self._compiled(sa.insert(into)), added[into]
        for table in sorted(dropped, key=lambda table: table.name):
            keys = [
                column == _given(column.name, type(column.type)) for column in table.primary_key
            ]
            yield self._compiled(sa.delete(table).where(*keys)), dropped[table]

    def _compiled(self, statement: sa.Insert | sa.Delete) -> Statement:
        """A statement of a feature, compiled once."""
        known = (type(statement), statement.table)
        if known not in self._features:
            self._features[known] = Statement(statement, self._dialect)
        return self._features[known]

    def write(self, connection: Any, batches: Sequence[Batch]) -> None:  # noqa: ANN401 - of the driver
        """Write these batches. Raises OvertakenError where one does not follow upon the log."""
        for statement, rows in self._writing(batches):
            cursor = connection.cursor()
            cursor.executemany(statement.sql, rows)
            if statement is self.update_table and cursor.rowcount < len(rows):
                raise OvertakenError(BEHIND)

    def _writing(self, batches: Sequence[Batch]) -> Iterator[tuple[Statement, list[Row]]]:
        """What writes these batches, statement by statement.

        All writers keep to the same order, of statements and then of tables, so that two
        never wait for each other.
        """
        in_order = sorted(batches, key=lambda batch: batch.table)
        seated = {b.table: b.owners for b in in_order if b.owners is not None}  # the last is right
        steps = (
            (self.insert_table, [b.creation for b in in_order if b.creation]),
            (self.update_table, [b.change for b in in_order if b.change]),
            (self.insert_entry, [row for b in in_order for row in b.entries]),
            (self.delete_owners, [(table,) for table in seated]),
            (self.insert_owner, [row for rows in seated.values() for row in rows]),
            (self.update_owners, [b.play for b in in_order if b.play]),
            *self._of_features(in_order),
            (self.delete_probe, [b.probe[:1] for b in in_order if b.probe]),
            (self.insert_probe, [b.probe for b in in_order if b.probe]),
        )
        return ((statement, rows) for statement, rows in steps if rows)


DIALECTS: Final = {
    "sqlite": ("sqlite://", "qmark"),
    "postgresql": ("postgresql+psycopg://", "format"),
}
"""For each database, what SQLAlchemy calls it, and how its driver marks parameters."""


@cache
def statements_for(database: str) -> Statements:
    """What a store says to this kind of database."""
    return Statements(*DIALECTS[database])
