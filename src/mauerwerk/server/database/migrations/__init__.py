"""How the schema came to be, step by step: `migrate` brings a database up to date.

A new database is made from `schema.METADATA` as it is now, and so is a table that is missing. All
other changes of the schema are steps for databases that exist. A new step is a module in
`versions`, and `REVISION` is its name. Steps never change once they are released.
"""

import secrets
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext, MigrationStep, RevisionStep
from alembic.script import ScriptDirectory

from mauerwerk.server.database.errors import SchemaError
from mauerwerk.server.database.schema import METADATA, SECRET, SECRET_BYTES, SERVER_STATE

REVISION: Final = "0002"
"""The last step: the schema that this program reads and writes."""

STEPS: Final = Path(__file__).parent
VERSION: Final = sa.table("alembic_version", sa.column("version_num", sa.Text))


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


def migrate(connection: sa.Connection) -> bytes:
    """Bring the schema up to date, in this transaction; the server's secret, made if need be.

    Raises SchemaError, with nothing changed, where the database is from a newer program.
    """
    found = revision_of(connection)
    if found is None:
        MigrationContext.configure(connection).stamp(ScriptDirectory(str(STEPS)), REVISION)
    elif found != REVISION:
        take_steps(connection, found)
    METADATA.create_all(connection)
    query = sa.select(SERVER_STATE.c.value).where(SERVER_STATE.c.name == SECRET)
    kept = connection.execute(query).scalar()
    if kept is None:
        kept = secrets.token_bytes(SECRET_BYTES)
        connection.execute(sa.insert(SERVER_STATE).values(name=SECRET, value=kept))
    return bytes(kept)


def take_steps(connection: sa.Connection, found: str) -> None:
    """Take the steps that are missing."""
    steps = ScriptDirectory(str(STEPS))
    _refuse_newer(found)
    missing = list(steps.iterate_revisions("head", found))
    plan = [MigrationStep.upgrade_from_script(steps.revision_map, each) for each in missing[::-1]]

    def planned(_found: object, _context: MigrationContext) -> list[RevisionStep]:
        return plan

    with EnvironmentContext(Config(), steps, fn=planned) as environment:
        environment.configure(connection=connection, transactional_ddl=True)
        environment.run_migrations()
