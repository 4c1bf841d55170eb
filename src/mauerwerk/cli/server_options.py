"""Options that several commands of the server share: where its database and its settings are."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click
from click.core import ParameterSource

from mauerwerk.server.feature import sections_of
from mauerwerk.server.features.registry import FEATURES, know_tables
from mauerwerk.server.http import settings

FOLDER: Final = "mauerwerk-data"

DATABASE: Final = "MAUERWERK_DATABASE"
"""The variable for a database address, which other people on the machine cannot read."""

ADMIN_TOKEN: Final = "MAUERWERK_ADMIN_TOKEN"  # noqa: S105 - the name of a variable

F = TypeVar("F", bound=Callable[..., Any])


def without_password(
    context: click.Context, parameter: click.Parameter, given: str | None
) -> str | None:
    """The address of a database, unless everybody could read its password in the command line."""
    said = context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
    if said and given and _has_password(given):
        raise click.UsageError(
            "everybody on this machine can read a password in a command; "
            f"put the address into the variable {DATABASE}"
        )
    return given


def _has_password(address: str) -> bool:
    """Whether it stands before the host, or among the parameters."""
    user = address.partition("://")[2].rpartition("@")[0]
    return bool(user.partition(":")[2]) or "password=" in address


def chosen(data: str | None, database: str | None) -> str | None:
    """The database, unless a folder was given; both in one command do not go together."""
    source = click.get_current_context().get_parameter_source("database")
    if data and database and source is ParameterSource.COMMANDLINE:
        raise click.UsageError("--data and --database do not go together")
    return None if data else database


SETTINGS: Final = click.option(
    "--settings",
    "settings_file",
    type=click.Path(dir_okay=False),
    envvar="MAUERWERK_SETTINGS",
    show_envvar=True,
    help="A TOML file with limits, trusted networks, and how long things are kept.",
)


def read_settings(file: str | None) -> settings.Settings:
    """The settings in a file; the default settings if there is none."""
    try:
        sections = sections_of(FEATURES.values())
        return settings.read_settings(Path(file), sections) if file else settings.Settings()
    except settings.SettingsError as fault:
        raise click.UsageError(str(fault)) from None


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
    """The database that the options name; all that features store there is known."""
    know_tables()
    return chosen(data, database) or data or FOLDER
