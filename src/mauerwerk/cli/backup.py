"""`mauerwerk backup` and `mauerwerk restore`: all tables into a file, and out of it again."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import Progress

from mauerwerk.cli.server_options import place_of, with_database_options
from mauerwerk.core.language.words import counted
from mauerwerk.server.database import backup as copying
from mauerwerk.server.database.errors import StorageError

F = TypeVar("F", bound=Callable[..., Any])


def _busy() -> Progress:
    """Something that moves while nobody can say how long it takes."""
    console = Console(stderr=True)
    bar = Progress(console=console, transient=True, disable=not console.is_terminal)
    bar.add_task("copying", total=None)
    return bar


def _how_many(what: str, words: str) -> Callable[[F], F]:
    """An option that says how many backups of a kind are kept."""
    return click.option(
        f"--keep-{what}", type=click.IntRange(min=0), default=0, help=f"Keep {words}."
    )


@click.command("backup")
@click.argument("target", type=click.Path())
@with_database_options
@_how_many("last", "the last N of all")
@_how_many("daily", "the last of each of N days")
@_how_many("weekly", "the last of each of N weeks")
@_how_many("monthly", "the last of each of N months")
def backup(target: str, *, data: str | None, database: str | None, **keeping: int) -> None:
    """Copy all tables into a new file, or into a folder of backups, while the server runs.

    In a folder the file is named for the time. With --keep-… older backups there are deleted once
    the new one has been checked; without, all stay. The file holds the secrets of the server and of
    every game: keep it to yourself.

    Examples: mauerwerk backup --data games evening.db

    mauerwerk backup --data games --keep-daily 7 --keep-weekly 4 backups
    """
    place, path = place_of(data, database), Path(target)
    keep = copying.Keep(**{name.removeprefix("keep_"): most for name, most in keeping.items()})
    if keep.anything and not path.is_dir():
        raise click.UsageError(f"{target} is no folder; only in a folder are backups deleted")
    try:
        with _busy():
            if path.is_dir():
                done = copying.back_up_into(place, path, keep, datetime.now(UTC))
            else:
                done = copying.Rotated(path, copying.back_up(place, path))
    except FileExistsError:
        raise click.UsageError(f"{target} is there already; a backup needs a new name") from None
    except OSError as fault:
        raise click.UsageError(f"{fault.filename or target}: {fault.strerror}") from None
    except StorageError as fault:
        raise click.UsageError(str(fault)) from None
    click.echo(f"{counted(done.tables, 'table')} in {done.made}")
    for each in done.deleted:
        click.echo(f"deleted {each}")
    for each in done.foreign:
        click.echo(f"{each} is no backup and was left alone", err=True)


@click.command("restore")
@click.argument("source", metavar="BACKUP", type=click.Path(exists=True, dir_okay=False))
@with_database_options
def restore(source: str, *, data: str | None, database: str | None) -> None:
    """Put all tables of a backup where there are none yet, with no server running.

    Example: mauerwerk restore evening.db --database postgresql://localhost/mauerwerk
    """
    place = place_of(data, database)
    try:
        with _busy():
            tables = copying.restore(source, place)
    except StorageError as fault:
        raise click.UsageError(str(fault)) from None
    click.echo(f"{counted(tables, 'table')} from {source}")
