"""`mauerwerk doctor`: whether everything that is kept is sound."""

from typing import Final

import click
from rich.console import Console
from rich.progress import Progress

from mauerwerk.cli.common import AS_JSON, print_json
from mauerwerk.cli.server_options import place_of, with_database_options
from mauerwerk.core.language.words import counted
from mauerwerk.server.database import doctor as examining
from mauerwerk.server.database.errors import StorageError

UNSOUND: Final = 1
"""The exit code where something is wrong."""


@click.command("doctor")
@with_database_options
@AS_JSON
def doctor(*, data: str | None, database: str | None, as_json: bool) -> None:
    """Check the database, and replay every game in it; a server may run meanwhile.

    Nothing is changed. The exit code is 1 if something is wrong.

    Example: mauerwerk doctor --data games
    """
    place = place_of(data, database)
    console = Console(stderr=True)
    tables = entries = 0
    odd: list[examining.Examined] = []
    try:
        total = len(examining.ids(place))
        with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
            task = bar.add_task("tables", total=total)
            for each in examining.examine(place):
                entries += each.entries
                if each.faults or each.unknown:
                    odd.append(each)
                if each.table != examining.DATABASE:
                    tables += 1
                    bar.advance(task)
    except StorageError as fault:
        raise click.UsageError(str(fault)) from None
    faulty = [each for each in odd if each.faults]
    unknown = [each for each in odd if each.unknown]
    if as_json:
        found = {"tables": tables, "entries": entries, "sound": not faulty}
        print_json({**found, "faulty": faulty, "not_replayed": [each.table for each in unknown]})
    else:
        for each in faulty:
            for wrong in each.faults:
                click.echo(f"{each.table or 'the database'}: {wrong}")
        for each in unknown:
            click.echo(f"{each.table}: not replayed: {each.unknown}")
        verdict = "faults" if faulty else "all sound"
        if tables_with := sum(each.table != examining.DATABASE for each in faulty):
            verdict = f"{counted(tables_with, 'table')} with faults"
        click.echo(f"{counted(tables, 'table')}, {counted(entries, 'entry', 'entries')}: {verdict}")
    if faulty:
        click.get_current_context().exit(UNSOUND)
