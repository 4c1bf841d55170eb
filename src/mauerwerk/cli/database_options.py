"""Where tables are kept, for commands that look into it."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from mauerwerk.cli.serve import FOLDER

F = TypeVar("F", bound=Callable[..., Any])


def with_database_options(command: F) -> F:
    """Give a command the options `--data` and `--database`."""
    data = click.option(
        "--data",
        type=click.Path(),
        help=f"The folder of the server, or a backup.  [default: {FOLDER}]",
    )
    database = click.option("--database", metavar="URL", help="PostgreSQL instead.")
    return data(database(command))


def place_of(data: str | None, database: str | None) -> str:
    """What the options name."""
    if data and database:
        raise click.UsageError("--data and --database do not go together")
    return database or data or FOLDER
