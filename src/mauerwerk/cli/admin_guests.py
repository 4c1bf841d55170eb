"""`mauerwerk admin`: guests, networks and reports; and who fills the queues of a server."""

import json
import os
import urllib.error
import urllib.request
from typing import Any, Final

import click

from mauerwerk.cli.admin import (
    ANY_ID,
    MOST,
    acting,
    admin_group,
    ago,
    failing_plainly,
    lists,
    looking,
    when,
)
from mauerwerk.cli.common import AS_JSON, module_of, print_json
from mauerwerk.cli.database_options import with_database_options
from mauerwerk.cli.serve import ADMIN_TOKEN

__all__ = ["admin_group"]

KIND: Final = click.argument("kind", type=click.Choice(["guest", "network"]))
DAY: Final = 86_400_000
SECONDS: Final = 10.0
"""How long a server may take to answer."""


@admin_group.command("guests")
@MOST
@AS_JSON
@with_database_options
def list_guests(*, most: int, as_json: bool, data: str | None, database: str | None) -> None:
    """List guests: blocked, reported and busy ones first."""
    with looking(data, database) as ledger:
        found = lists().guests(ledger, most)
    if as_json:
        print_json(found)
        return
    for each in found:
        notes = [f"{each.tables} tables", f"{each.opened} opened in an hour"]
        notes += [f"{each.reports} reports"] if each.reports else []
        notes += [_said(each.block)] if each.block else []
        click.echo(f"{each.guest}  {each.name or '?'}: {', '.join(notes)}; {ago(each.seen)}")


def _said(block: Any) -> str:  # noqa: ANN401 - a block
    until = f"until {when(block.until)}" if block.until else "for ever"
    return f"blocked {until}{f' ({block.reason})' if block.reason else ''}"


def _named(kind: str, what: str) -> tuple[Any, str]:
    """What is blocked, in its usual form."""
    rulings = module_of("mauerwerk.play.storage.rulings", "server")
    blocked = rulings.Blocked(kind)
    with failing_plainly():
        is_network = blocked is rulings.Blocked.NETWORK
        return blocked, rulings.network_of(what) if is_network else what


@admin_group.command("block", context_settings=ANY_ID)
@KIND
@click.argument("what")
@click.option("--reason", default="", help="What they are told.")
@click.option("--days", type=click.FloatRange(0.001, 36_500), help="How long.  [default: for ever]")
@with_database_options
def block(
    kind: str,
    what: str,
    *,
    reason: str,
    days: float | None,
    data: str | None,
    database: str | None,
) -> None:
    """Block a guest by their id, or a network such as 192.0.2.0/24.

    Bots play on for a blocked guest.
    """
    blocked, what = _named(kind, what)
    with acting(data, database) as ledger:
        until = None if days is None else ledger.now + int(days * DAY)
        ledger.block(blocked, what, reason, until)
    click.echo(f"{kind} {what} is blocked {f'until {when(until)}' if until else 'for ever'}")


@admin_group.command("unblock", context_settings=ANY_ID)
@KIND
@click.argument("what")
@with_database_options
def unblock(kind: str, what: str, *, data: str | None, database: str | None) -> None:
    """Let a guest or a network in again."""
    blocked, what = _named(kind, what)
    with acting(data, database) as ledger:
        ledger.unblock(blocked, what)
    click.echo(f"{kind} {what} is not blocked any more")


@admin_group.command("blocks")
@AS_JSON
@with_database_options
def list_blocks(*, as_json: bool, data: str | None, database: str | None) -> None:
    """List who is blocked."""
    with looking(data, database) as ledger:
        blocks = ledger.rulings().blocks
    if as_json:
        print_json(blocks)
        return
    for each in blocks:
        click.echo(f"{each.kind} {each.what}: {_said(each)}")


@admin_group.command("log-out", context_settings=ANY_ID)
@click.argument("guest")
@with_database_options
def log_out(guest: str, *, data: str | None, database: str | None) -> None:
    """Log a guest out everywhere: their cookies and personal links are invalid.

    `mauerwerk admin links TABLE` prints a new link, which you can pass on to the right person.
    """
    with acting(data, database) as ledger:
        ledger.log_out(guest)
        theirs = lists().tables(ledger, guest=guest)
    click.echo(f"{guest} is logged out everywhere")
    for each in theirs:
        if each.card.status != "over" and guest in each.guests:
            click.echo(f"sits at table {each.card.id}")


@admin_group.command("rename", context_settings=ANY_ID)
@click.argument("guest")
@click.argument("name")
@with_database_options
def rename(guest: str, name: str, *, data: str | None, database: str | None) -> None:
    """Give a guest another name, also at their tables and in what was told there."""
    names = module_of("mauerwerk.web.http.names", "server")
    faults = module_of("mauerwerk.web.http.faults", "server")
    try:
        name = names.named(name)
    except faults.Fault as fault:
        raise click.UsageError(str(fault)) from None
    with acting(data, database) as ledger:
        ledger.rename(guest, name)
    click.echo(f"{guest} is called {name}")


# --- Reports ---------------------------------------------------------------------------------


@admin_group.command("reports")
@click.option("--settled", is_flag=True, help="Those that were dealt with.")
@MOST
@AS_JSON
@with_database_options
def list_reports(
    *, settled: bool, most: int, as_json: bool, data: str | None, database: str | None
) -> None:
    """List what players reported."""
    with looking(data, database) as ledger:
        found = lists().reports(ledger, settled=settled, most=most)
    if as_json:
        print_json(found)
        return
    for each in found:
        whom = f"{each.name} ({each.guest})" if each.guest else "the table"
        text = f": {each.text}" if each.text else ""
        done = f" [{each.settled}]" if each.settled else ""
        click.echo(f"{each.id}  {when(each.at)}  {each.about}, {whom} at {each.table}{text}{done}")


@admin_group.command("dismiss", context_settings=ANY_ID)
@click.argument("report")
@with_database_options
def dismiss(report: str, *, data: str | None, database: str | None) -> None:
    """Note that a report needs nothing more."""
    with acting(data, database) as ledger:
        ledger.settle(report, "dismissed")
    click.echo(f"{report}: dismissed")


# --- A running server ------------------------------------------------------------------------


@admin_group.command("queues")
@click.option(
    "--server", default="http://127.0.0.1:8080", show_default=True, metavar="URL", help="Which."
)
@AS_JSON
def show_queues(*, server: str, as_json: bool) -> None:
    """Show who fills the queues of a running server.

    It is asked over its API, with the token in the variable MAUERWERK_ADMIN_TOKEN.
    """
    token = os.environ.get(ADMIN_TOKEN, "").strip()
    if not token:
        raise click.UsageError(f"put the token of the server into the variable {ADMIN_TOKEN}")
    if not server.startswith(("http://", "https://")):
        raise click.UsageError(f"--server is like http://127.0.0.1:8080, not {server}")
    asked = urllib.request.Request(  # noqa: S310 - checked above
        f"{server.rstrip('/')}/api/admin/queues", headers={"authorization": f"Bearer {token}"}
    )
    try:
        with urllib.request.urlopen(asked, timeout=SECONDS) as answer:  # noqa: S310 - as above
            queues = json.load(answer)["queues"]
    except urllib.error.HTTPError as fault:
        raise click.UsageError(f"{server} answers with status {fault.code}") from None
    except (OSError, ValueError, KeyError) as fault:
        raise click.UsageError(f"{server} does not answer: {fault}") from None
    if as_json:
        print_json(queues)
        return
    for queue in queues:
        most = "" if queue["most"] is None else f" of {queue['most']}"
        shares = ", ".join(f"{each['who'] or '?'} {each['count']}" for each in queue["shares"])
        click.echo(f"{queue['name']}: {queue['held']}{most}{f' ({shares})' if shares else ''}")
