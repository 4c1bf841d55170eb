"""Where tables are kept, for commands that look into it."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from mauerwerk.cli.serve import DATABASE, FOLDER, chosen, without_password

F = TypeVar("F", bound=Callable[..., Any])


def with_database_options(command: F) -> F:
    """Give a command the options `--data` and `--database`."""
    data = click.option(
        "--data",
        type=click.Path(),
        help=f"The folder of the server, or a backup.  [default: {FOLDER}]",
    )
    database = click.option(
        "--database",
        metavar="URL",
        envvar=DATABASE,
        show_envvar=True,
        callback=without_password,
        help="PostgreSQL instead.",
    )
    return data(database(command))


def place_of(data: str | None, database: str | None) -> str:
    """What the options name."""
    return chosen(data, database) or data or FOLDER
