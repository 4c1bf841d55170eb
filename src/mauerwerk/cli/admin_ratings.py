"""`mauerwerk admin ratings`: whether ratings follow from the games, and making them anew."""

from typing import Final

import click

from mauerwerk.cli import admin_guests
from mauerwerk.cli.admin import acting, admin_group, looking
from mauerwerk.cli.common import module_of
from mauerwerk.cli.database_options import with_database_options
from mauerwerk.core.language.words import counted

__all__ = ["admin_group", "admin_guests", "ratings"]  # which add their commands to the group

UNSOUND: Final = 1
"""The exit code where something is wrong."""


@admin_group.command("ratings")
@click.option("--again", is_flag=True, help="Work all of them out again from the finished games.")
@with_database_options
def ratings(*, again: bool, data: str | None, database: str | None) -> None:
    """Check that results follow from the games, and ratings from the results.

    The exit code is 1 if one does not. --again makes the ratings anew, for example after a ladder
    has given the bots other ones. A server may run meanwhile.

    Example: mauerwerk admin ratings --data games
    """
    recounting = module_of("mauerwerk.play.storage.recount", "server")
    rate = module_of("mauerwerk.play.host.rating", "server").rate
    if again:
        with acting(data, database) as ledger:
            made = recounting.recount(ledger, rate)
        click.echo(f"{counted(made, 'rating')} worked out again")
        return
    with looking(data, database) as ledger:
        faults = [
            *recounting.result_faults(ledger),
            *recounting.rating_faults(ledger.connection, rate),
        ]
    for each in faults:
        click.echo(each)
    click.echo(counted(len(faults), "fault") if faults else "all ratings follow from the games")
    if faults:
        click.get_current_context().exit(UNSOUND)
