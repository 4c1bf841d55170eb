"""`mauerwerk backup` and `mauerwerk restore`: all tables into a file, and out of it again."""

from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from mauerwerk.cli.common import module_of
from mauerwerk.cli.database_options import place_of, with_database_options
from mauerwerk.core.language.words import counted


def _busy() -> Progress:
    """Something that moves while nobody can say how long it takes."""
    console = Console(stderr=True)
    bar = Progress(console=console, transient=True, disable=not console.is_terminal)
    bar.add_task("copying", total=None)
    return bar


@click.command("backup")
@click.argument("target", type=click.Path(dir_okay=False))
@with_database_options
def backup(target: str, *, data: str | None, database: str | None) -> None:
    """Copy all tables into a new file, while the server runs.

    The file holds the secrets of the house and of every game: keep it to yourself.

    Example: mauerwerk backup --data games evening.db
    """
    copying = module_of("mauerwerk.play.storage.backup", "server")
    store = module_of("mauerwerk.play.storage.store", "server")
    try:
        with _busy():
            tables = copying.back_up(place_of(data, database), Path(target))
    except FileExistsError:
        raise click.UsageError(f"{target} is there already; a backup needs a new name") from None
    except store.StorageError as fault:
        raise click.UsageError(str(fault)) from None
    click.echo(f"{counted(tables, 'table')} in {target}")


@click.command("restore")
@click.argument("source", metavar="BACKUP", type=click.Path(exists=True, dir_okay=False))
@with_database_options
def restore(source: str, *, data: str | None, database: str | None) -> None:
    """Put all tables of a backup where there are none yet, with no server running.

    Example: mauerwerk restore evening.db --database postgresql://localhost/mauerwerk
    """
    copying = module_of("mauerwerk.play.storage.backup", "server")
    store = module_of("mauerwerk.play.storage.store", "server")
    place = place_of(data, database)
    try:
        with _busy():
            tables = copying.restore(source, place)
    except store.StorageError as fault:
        raise click.UsageError(str(fault)) from None
    click.echo(f"{counted(tables, 'table')} from {source}")
