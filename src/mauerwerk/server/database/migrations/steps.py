"""Taking the steps of `versions`, by Alembic."""

from pathlib import Path
from typing import Final

import sqlalchemy as sa
from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext, MigrationStep, RevisionStep
from alembic.script import ScriptDirectory

STEPS: Final = Path(__file__).parent


def take_steps(connection: sa.Connection, found: str) -> None:
    """Take the steps that are missing."""
    steps = ScriptDirectory(str(STEPS))
    missing = list(steps.iterate_revisions("head", found))
    plan = [MigrationStep.upgrade_from_script(steps.revision_map, each) for each in missing[::-1]]

    def planned(_found: object, _context: MigrationContext) -> list[RevisionStep]:
        return plan

    with EnvironmentContext(Config(), steps, fn=planned) as environment:
        environment.configure(connection=connection, transactional_ddl=True)
        environment.run_migrations()
