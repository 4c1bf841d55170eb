"""`mauerwerk maintain`: what a server does once an hour to keep its database small."""

from collections import Counter

import click

from mauerwerk.cli.common import AS_JSON, print_json
from mauerwerk.cli.server_options import SETTINGS, place_of, read_settings, with_database_options
from mauerwerk.core.language.words import counted
from mauerwerk.server.database import connect
from mauerwerk.server.database.errors import StorageError
from mauerwerk.server.features.moderation import state as decisions
from mauerwerk.server.features.retention import service as maintenance
from mauerwerk.server.features.retention import store as retention
from mauerwerk.server.tables.errors import OtherRulesError


@click.command("maintain")
@click.option("--dry-run", is_flag=True, help="Only say what is due; change nothing.")
@SETTINGS
@with_database_options
@AS_JSON
def maintain(
    *,
    dry_run: bool,
    settings_file: str | None,
    data: str | None,
    database: str | None,
    as_json: bool,
) -> None:
    """Delete, end and thin what nobody needs any more; a server may run meanwhile.

    How long things are kept is in the section [retention] of the settings.

    Example: mauerwerk maintain --data games --dry-run
    """
    keep = read_settings(settings_file).section(retention.Retention)
    place = place_of(data, database)
    done: Counter[str] = Counter()
    unread = 0
    try:
        with connect.reading_at(place) as transaction:
            due = retention.due_work(transaction, keep, transaction.now)
        for step in maintenance.steps(due, keep):
            try:
                if not dry_run:
                    with connect.transaction_at(place, by="command") as transaction:
                        done[step.kind] += step.work(transaction)
                else:
                    done[step.kind] += 1
            except OtherRulesError:
                unread += 1
        if not dry_run and any(done.values()):
            with connect.transaction_at(place, by="command") as transaction:
                transaction.audit(decisions.Action.MAINTENANCE, "", maintenance.summed_up(done))
    except StorageError as fault:
        raise click.UsageError(str(fault)) from None
    if as_json:
        print_json({"done": not dry_run, **{kind: done[kind] for kind in maintenance.WORDS}})
        return
    said = maintenance.summed_up(done) or "nothing"
    click.echo(f"{'due' if dry_run else 'done'}: {said}")
    if unread:
        click.echo(f"{counted(unread, 'table')} of rules that this program does not have: left")
