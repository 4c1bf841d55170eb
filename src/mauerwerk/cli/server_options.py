"""The options of server commands, without importing it; `cli.server` does what they say."""

import re
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar

import click
from click.core import ParameterSource

from mauerwerk.cli.common import AS_JSON, DATABASE, FOLDER, POSITIVE, Number

F = TypeVar("F", bound=Callable[..., Any])

_ADDRESS: Final = re.compile(r"https?://[^/?#@\\\s]+(/[\w.~-]+)*/?", re.ASCII)
"""The address of a site, perhaps with a path below which the server is."""

SETTINGS: Final = click.option(
    "--settings",
    "settings_file",
    type=click.Path(dir_okay=False),
    envvar="MAUERWERK_SETTINGS",
    show_envvar=True,
    help="A TOML file with limits, trusted networks, and how long things are kept.",
)


def _work() -> Any:
    from mauerwerk.cli import server  # noqa: PLC0415 - imports all of it

    return server


def _without_password(
    context: click.Context, parameter: click.Parameter, given: str | None
) -> str | None:
    """The address of a database, unless everybody could read its password in the command line."""
    said = context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
    user = (given or "").partition("://")[2].rpartition("@")[0]
    if said and given and (user.partition(":")[2] or "password=" in given):
        raise click.UsageError(
            "everybody on this machine can read a password in a command; "
            f"put the address into the variable {DATABASE}"
        )
    return given


def _database_option(about: str) -> Callable[[F], F]:
    return click.option(
        "--database",
        metavar="URL",
        envvar=DATABASE,
        show_envvar=True,
        callback=_without_password,
        help=about,
    )


def _an_address(
    _context: click.Context, _parameter: click.Parameter, given: str | None
) -> str | None:
    """The address for links, unless it is none."""
    if given and _ADDRESS.fullmatch(given) is None:
        raise click.UsageError(
            f"--address is like https://walls.example.org or https://example.org/walls, not {given}"
        )
    return given


def address_option(about: str) -> Callable[[F], F]:
    """`--address`, where people find a server."""
    return click.option("--address", metavar="URL", callback=_an_address, help=about)


def _chosen(data: str | None, database: str | None) -> str | None:
    """The database, unless a folder was given; both in one command do not go together."""
    source = click.get_current_context().get_parameter_source("database")
    if data and database and source is ParameterSource.COMMANDLINE:
        raise click.UsageError("--data and --database do not go together")
    if data or database is None:
        return None
    from mauerwerk.server.database import connect  # noqa: PLC0415 - imports what help does not need

    if not connect.is_url(database):
        raise click.UsageError("--database is like postgresql://user@host/name")
    return database


def with_place(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options `--data` and `--database`; it gets what they name as `place`."""

    @wraps(command)
    def run(*, data: str | None, database: str | None, **options: Any) -> None:
        command(place=_chosen(data, database) or data or FOLDER, **options)

    about = f"The folder of the server, or a backup.  [default: {FOLDER}]"
    return click.option("--data", type=click.Path(), help=about)(
        _database_option("PostgreSQL instead.")(run)
    )


@click.command("serve")
@click.option("--host", default="127.0.0.1", help="0.0.0.0: the network too.")
@click.option("--port", type=click.IntRange(0, 65535), default=8080, help="0: any that is free.")
@click.option(
    "--unix-socket",
    type=click.Path(dir_okay=False),
    help="Listen at this path instead, for a proxy on this machine.",
)
@click.option(
    "--data",
    type=click.Path(file_okay=False),
    help=f"Keep the tables in this folder.  [default: {FOLDER}]",
)
@_database_option("Keep them in PostgreSQL instead.")
@click.option(
    "--workers-for-bots",
    type=click.IntRange(1, 256),
    default=1,
    help="How many bots think at the same time.",
)
@address_option("Where people find it, for links.")
@click.option("--allow-host", "hosts", multiple=True, help="A name to answer to; * for any.")
@click.option("--trust-proxy", is_flag=True, help="A proxy in front says who the client is.")
@click.option(
    "--rate",
    type=Number(min=0),
    show_default="100",
    help="Requests a second from one client; 0: no limits.",
)
@click.option("--streams", type=POSITIVE, show_default="100", help="Open streams of one client.")
@click.option(
    "--connections",
    type=POSITIVE,
    show_default="150 more than streams",
    help="Open connections of one client, streams included.",
)
@click.option(
    "--compile/--no-compile",
    "compiles",
    default=True,
    help="Compile what strong bots need when it starts, or when first needed.",
)
@SETTINGS
@click.option(
    "--admin-token",
    "admin_token_file",
    envvar="MAUERWERK_ADMIN_TOKEN_FILE",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="A file with the token for those who manage the server, or a line for each of them: "
    "NAME ROLE TOKEN.",
)
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="[NAME=]BOT",
    help="Offer this bot too: package.module:Class, run:COMMAND, or any other.",
)
@click.option(
    "--hints",
    "adviser",
    metavar="NAME",
    help="Let this bot, which --bot offers, give the hints.  [default: our own]",
)
@click.option("--quiet", is_flag=True, help="No line for each request.")
def serve(*, data: str | None, database: str | None, **options: Any) -> None:
    """Let others play on this machine, over the network.

    Example: mauerwerk serve --host 0.0.0.0 --data games
    """
    _work().serve(data=data, database=_chosen(data, database), **options)


@click.command("play")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    show_default=False,
    help="[default: any free one]",
)
@click.option(
    "--data",
    type=click.Path(file_okay=False),
    help="Keep tables here.  [default: a folder of yours]",
)
@click.option(
    "--browser/--no-browser", default=True, show_default=False, help="Whether to open the page."
)
def play(**options: Any) -> None:
    """Play on a page in your browser, with bots and with the people beside you.

    If it is running already, its page is opened.

    Example: mauerwerk play
    """
    _work().play(**options)


def _how_many(what: str, words: str) -> Callable[[F], F]:
    return click.option(
        f"--keep-{what}",
        type=click.IntRange(min=0),
        default=0,
        show_default=False,
        help=f"Keep {words}.",
    )


@click.command("backup")
@click.argument("target", type=click.Path())
@with_place
@_how_many("last", "the last N of all")
@_how_many("daily", "the last of each of N days")
@_how_many("weekly", "the last of each of N weeks")
@_how_many("monthly", "the last of each of N months")
def backup(**options: Any) -> None:
    """Copy all tables into a new file, or into a folder of backups, while the server runs.

    In a folder the file is named for the time. With --keep-… older backups there are deleted once
    the new one has been checked; without, all stay. The file holds the secrets of the server and of
    every game: keep it to yourself.

    Examples: mauerwerk backup --data games evening.db

    mauerwerk backup --data games --keep-daily 7 --keep-weekly 4 backups
    """
    _work().backup(**options)


@click.command("restore")
@click.argument("source", metavar="BACKUP", type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--as-it-was",
    is_flag=True,
    help="Undo what was decided since: deletions, blocks, devices signed out.",
)
@with_place
def restore(source: str, place: str, *, as_it_was: bool) -> None:
    """Put all tables of a backup where there are none yet, with no server running.

    What was decided after the backup was made is done again: people who had their data deleted stay
    deleted, and blocks and log-outs hold. That is noted in mauerwerk-decisions.jsonl beside the
    backups; without that file, nothing is restored.

    Example: mauerwerk restore evening.db --database postgresql://localhost/mauerwerk
    """
    _work().restore(source, place, as_it_was=as_it_was)


@click.command("doctor")
@with_place
@AS_JSON
def doctor(place: str, *, as_json: bool) -> None:
    """Check the database, and replay every game in it; a server may run meanwhile.

    Nothing is changed. The exit code is 1 if something is wrong.

    Example: mauerwerk doctor --data games
    """
    _work().doctor(place, as_json=as_json)


@click.command("maintain")
@click.option("--dry-run", is_flag=True, help="Only say what is due; change nothing.")
@SETTINGS
@with_place
@AS_JSON
def maintain(**options: Any) -> None:
    """Delete, end and thin what nobody needs any more; a server may run meanwhile.

    How long things are kept is in the section [retention] of the settings.

    Example: mauerwerk maintain --data games --dry-run
    """
    _work().maintain(**options)
