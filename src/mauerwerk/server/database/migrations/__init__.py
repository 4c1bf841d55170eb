"""How the schema came to be, step by step: `migrate` brings a database up to date.

A new database is made from `schema.METADATA` as it is now, and so is a table that is missing. All
other changes of the schema are steps for databases that exist. A new step is a module in
`versions`, and `REVISION` is its name. Steps never change once they are released.
"""

import secrets
from functools import cache
from typing import Final

import sqlalchemy as sa
from sqlalchemy.schema import CreateIndex, CreateTable

from mauerwerk.server.database.errors import SchemaError
from mauerwerk.server.database.schema import METADATA, SECRET, SECRET_BYTES, SERVER_STATE

REVISION: Final = "0002"
"""The last step: the schema that this program reads and writes."""

VERSION: Final = sa.Table(
    "alembic_version",
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""Where Alembic keeps the revision, as it makes it."""


def revision_of(connection: sa.Connection) -> str | None:
    """The schema of a database; None where there is none yet."""
    if not sa.inspect(connection).has_table(VERSION.name):
        return None
    return connection.execute(sa.select(VERSION.c.version_num)).scalar()


def check(connection: sa.Connection) -> None:
    """Raise SchemaError unless the database is as this program reads it."""
    found = revision_of(connection)
    if found is None:
        raise SchemaError("this database holds no tables of Mauerwerk")
    _refuse_newer(found)
    if found != REVISION:
        raise SchemaError(
            f"the database has schema {found}, this program reads schema {REVISION}; "
            "a server of this version brings it up to date when it starts",
            found,
        )


def is_older(found: str | None) -> bool:
    """Whether a program before this one made a database with this schema."""
    return found is not None and found < REVISION


def _refuse_newer(found: str) -> None:
    """Raise SchemaError for a schema that this program does not know."""
    if found > REVISION:
        raise SchemaError(
            f"a newer Mauerwerk wrote this database: it has schema {found}, "
            f"this program knows those up to {REVISION}",
            found,
        )


def _make_missing(connection: sa.Connection) -> None:
    """Make the tables that are not there yet, with their indexes."""
    present = set(sa.inspect(connection).get_table_names())
    cursor = connection.connection.cursor()
    for table in METADATA.sorted_tables:
        if table.name not in present:
            for statement in _making(connection.dialect, table):
                cursor.execute(statement)
    cursor.close()


@cache
def _making(dialect: sa.Dialect, table: sa.Table) -> tuple[str, ...]:
    """The statements that make a table: to translate them takes longer than to run them."""
    indexes = sorted(table.indexes, key=lambda index: str(index.name))
    made: list[sa.ExecutableDDLElement] = [CreateTable(table), *map(CreateIndex, indexes)]
    return tuple(str(each.compile(dialect=dialect)) for each in made)


def migrate(connection: sa.Connection) -> bytes:
    """Bring the schema up to date, in this transaction; the server's secret, made if need be.

    Raises SchemaError, with nothing changed, where the database is from a newer program.
    """
    found = revision_of(connection)
    if found is None:
        VERSION.create(connection, checkfirst=True)
        connection.execute(sa.insert(VERSION).values(version_num=REVISION))
    elif found != REVISION:
        _refuse_newer(found)
        # Imported here: Alembic takes long to load, and most servers that start need no step.
        from mauerwerk.server.database.migrations.steps import take_steps  # noqa: PLC0415

        take_steps(connection, found)
    _make_missing(connection)
    query = sa.select(SERVER_STATE.c.value).where(SERVER_STATE.c.name == SECRET)
    kept = connection.execute(query).scalar()
    if kept is None:
        kept = secrets.token_bytes(SECRET_BYTES)
        connection.execute(sa.insert(SERVER_STATE).values(name=SECRET, value=kept))
    return bytes(kept)
