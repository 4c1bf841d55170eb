"""`mauerwerk admin`: managing a server through its database, whether the server runs or not."""

import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Final

import click

from mauerwerk.cli.common import AS_JSON, print_json
from mauerwerk.cli.server_options import ADMIN_TOKEN, place_of, with_database_options
from mauerwerk.core.language.words import counted
from mauerwerk.server.database import transaction_access as ledger_access
from mauerwerk.server.database.store import OvertakenError, StorageError
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.engine import blocklist
from mauerwerk.server.features.moderation import admin_queries
from mauerwerk.server.features.moderation import state as decisions
from mauerwerk.server.features.moderation import store as moderation
from mauerwerk.server.features.results import recompute as recompute_ratings
from mauerwerk.server.features.results.ratings import rate
from mauerwerk.server.http import errors, identity

REASON: Final = click.option("--reason", default="", help="For the log of actions.")
MOST: Final = click.option(
    "--most", type=click.IntRange(1, 10_000), default=50, show_default=True, help="How many."
)
ANY_ID: Final = {"ignore_unknown_options": True}
"""An id may begin with a hyphen, and is no option then."""

KIND: Final = click.argument("kind", type=click.Choice(["guest", "network"]))
DAY: Final = 86_400_000
SECONDS: Final = 10.0
"""How long a server may take to answer."""

UNSOUND: Final = 1
"""The exit code where something is wrong."""


@click.group("admin")
def admin_group() -> None:
    """Manage a server: tables, guests, networks, reports, the secret.

    Servers on the same database follow within seconds. Every action is written to a log.

    Example: mauerwerk admin tables --data games --which silent
    """


@contextmanager
def failing_plainly() -> Generator[None, None, None]:
    """Say in one line what cannot be done."""
    try:
        yield
    except (decisions.AdminError, StorageError, OvertakenError) as fault:
        raise click.UsageError(str(fault)) from None


@contextmanager
def acting(data: str | None, database: str | None) -> Generator[Transaction, None, None]:
    """The transaction of the database that the options name, to write in it."""
    with (
        failing_plainly(),
        ledger_access.transaction_at(place_of(data, database), by="command") as opened,
    ):
        yield opened


@contextmanager
def looking(data: str | None, database: str | None) -> Generator[Transaction, None, None]:
    """The same, only to look."""
    with failing_plainly(), ledger_access.reading_at(place_of(data, database)) as opened:
        yield opened


def ago(at: int) -> str:
    """How long ago something was, in the largest unit that fits."""
    seconds = max(0, time.time() - at / 1_000)
    for unit, name in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= unit:
            return f"{seconds // unit:.0f} {name}"
    return "now"


def when(at: int) -> str:
    """A time, as people and programs sort it."""
    return f"{datetime.fromtimestamp(at / 1_000, UTC):%Y-%m-%d %H:%M:%S}"


# --- Tables ----------------------------------------------------------------------------------


@admin_group.command("tables")
@click.option(
    "--which",
    type=click.Choice(["all", "open", "running", "finished", "silent"]),
    default="all",
    show_default=True,
    help="silent: nobody has played for a week.",
)
@click.option("--guest", default="", metavar="ID", help="At which this guest sits, or opened.")
@click.option("--find", default="", metavar="TEXT", help="A name, or the beginning of an id.")
@MOST
@AS_JSON
@with_database_options
def list_tables(
    *,
    which: admin_queries.Filter,
    guest: str,
    find: str,
    most: int,
    as_json: bool,
    data: str | None,
    database: str | None,
) -> None:
    """List tables, those changed last first."""
    with looking(data, database) as transaction:
        found = admin_queries.tables(transaction, which, guest=guest, text=find, most=most)
    if as_json:
        print_json(found)
        return
    for each in found:
        card = each.card
        people = [
            name or (f"bot {level}" if level else "free")
            for name, level in zip(card.names, card.levels, strict=True)
        ]
        state = f"{card.status}, {ago(card.changed)}"
        click.echo(f"{card.id}  {card.game:15} {state:18} {', '.join(people)}")


@admin_group.command("end", context_settings=ANY_ID)
@click.argument("tables", nargs=-1, required=True, metavar="TABLE...")
@REASON
@with_database_options
def end_tables(
    tables: tuple[str, ...], *, reason: str, data: str | None, database: str | None
) -> None:
    """End running games. Nobody wins; the players are told, and can replay the game."""
    with acting(data, database) as transaction:
        for table in tables:
            ended = moderation.end_table(transaction, table, reason)
            click.echo(f"{table}: {'ended' if ended else 'was over already'}")


@admin_group.command("delete", context_settings=ANY_ID)
@click.argument("tables", nargs=-1, required=True, metavar="TABLE...")
@REASON
@click.option("--yes", is_flag=True, help="Do not ask.")
@with_database_options
def delete_tables(
    tables: tuple[str, ...], *, reason: str, yes: bool, data: str | None, database: str | None
) -> None:
    """Delete tables for good, with their games."""
    if not yes:
        click.confirm(f"Delete {', '.join(tables)}? This cannot be undone.", abort=True)
    with acting(data, database) as transaction:
        for table in tables:
            moderation.delete_table(transaction, table, reason)
            click.echo(f"{table}: deleted")


@admin_group.command("links", context_settings=ANY_ID)
@click.argument("table")
@click.option("--address", default="", metavar="URL", help="The public address of the server.")
@with_database_options
def show_links(table: str, *, address: str, data: str | None, database: str | None) -> None:
    """Print new personal links for the people at a table, to pass on.

    Anybody who has such a link can play at that seat.
    """
    with looking(data, database) as transaction:
        found = admin_queries.seat_links(transaction, table)
    for each in found:
        link = f"{address.rstrip('/')}/t/{table}/s/{each.seat}/{each.token}"
        click.echo(f"{each.name}: {link}")


# --- Guests and networks ----------------------------------------------------------------------


@admin_group.command("guests")
@MOST
@AS_JSON
@with_database_options
def list_guests(*, most: int, as_json: bool, data: str | None, database: str | None) -> None:
    """List guests: blocked, reported and busy ones first."""
    with looking(data, database) as transaction:
        found = admin_queries.guests(transaction, most)
    if as_json:
        print_json(found)
        return
    for each in found:
        notes = [f"{each.tables} tables", f"{each.opened} opened in an hour"]
        notes += [f"{each.reports} reports"] if each.reports else []
        notes += [_said(each.block)] if each.block else []
        click.echo(f"{each.guest}  {each.name or '?'}: {', '.join(notes)}; {ago(each.seen)}")


def _said(block: blocklist.Block) -> str:
    until = f"until {when(block.until)}" if block.until else "for ever"
    return f"blocked {until}{f' ({block.reason})' if block.reason else ''}"


def _named(kind: str, what: str) -> tuple[blocklist.Blocked, str]:
    """What is blocked, in its usual form."""
    blocked = blocklist.Blocked(kind)
    with failing_plainly():
        is_network = blocked is blocklist.Blocked.NETWORK
        return blocked, decisions.network_of(what) if is_network else what


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
    with acting(data, database) as transaction:
        until = None if days is None else transaction.now + int(days * DAY)
        moderation.block(transaction, blocked, what, reason, until)
    click.echo(f"{kind} {what} is blocked {f'until {when(until)}' if until else 'for ever'}")


@admin_group.command("unblock", context_settings=ANY_ID)
@KIND
@click.argument("what")
@with_database_options
def unblock(kind: str, what: str, *, data: str | None, database: str | None) -> None:
    """Let a guest or a network in again."""
    blocked, what = _named(kind, what)
    with acting(data, database) as transaction:
        moderation.unblock(transaction, blocked, what)
    click.echo(f"{kind} {what} is not blocked any more")


@admin_group.command("blocks")
@AS_JSON
@with_database_options
def list_blocks(*, as_json: bool, data: str | None, database: str | None) -> None:
    """List who is blocked."""
    with looking(data, database) as transaction:
        blocks = moderation.decisions(transaction).blocks
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
    with acting(data, database) as transaction:
        moderation.log_out(transaction, guest)
        theirs = admin_queries.tables(transaction, guest=guest)
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
    try:
        name = identity.named(name)
    except errors.HttpError as fault:
        raise click.UsageError(str(fault)) from None
    with acting(data, database) as transaction:
        moderation.rename(transaction, guest, name)
    click.echo(f"{guest} is called {name}")


# --- Reports ---------------------------------------------------------------------------------


@admin_group.command("reports")
@click.option("--resolved", is_flag=True, help="Those that were dealt with.")
@MOST
@AS_JSON
@with_database_options
def list_reports(
    *, resolved: bool, most: int, as_json: bool, data: str | None, database: str | None
) -> None:
    """List what players reported."""
    with looking(data, database) as transaction:
        found = admin_queries.reports(transaction, resolved=resolved, most=most)
    if as_json:
        print_json(found)
        return
    for each in found:
        whom = f"{each.name} ({each.guest})" if each.guest else "the table"
        text = f": {each.text}" if each.text else ""
        done = f" [{each.resolved}]" if each.resolved else ""
        click.echo(f"{each.id}  {when(each.at)}  {each.about}, {whom} at {each.table}{text}{done}")


@admin_group.command("dismiss", context_settings=ANY_ID)
@click.argument("report")
@with_database_options
def dismiss(report: str, *, data: str | None, database: str | None) -> None:
    """Note that a report needs nothing more."""
    with acting(data, database) as transaction:
        moderation.resolve(transaction, report, "dismissed")
    click.echo(f"{report}: dismissed")


# --- Ratings ----------------------------------------------------------------------------------


@admin_group.command("ratings")
@click.option("--again", is_flag=True, help="Work all of them out again from the finished games.")
@with_database_options
def ratings(*, again: bool, data: str | None, database: str | None) -> None:
    """Check that results follow from the games, and ratings from the results.

    The exit code is 1 if one does not. --again makes the ratings anew, for example after a ladder
    has given the bots other ones. A server may run meanwhile.

    Example: mauerwerk admin ratings --data games
    """
    if again:
        with acting(data, database) as transaction:
            made = recompute_ratings.recompute_ratings(transaction, rate)
        click.echo(f"{counted(made, 'rating')} worked out again")
        return
    with looking(data, database) as transaction:
        faults = [
            *recompute_ratings.result_faults(transaction),
            *recompute_ratings.rating_faults(transaction.connection, rate),
        ]
    for each in faults:
        click.echo(each)
    click.echo(counted(len(faults), "fault") if faults else "all ratings follow from the games")
    if faults:
        click.get_current_context().exit(UNSOUND)


# --- The server ------------------------------------------------------------------------------


@admin_group.command("close")
@with_database_options
def close(*, data: str | None, database: str | None) -> None:
    """Take no new tables; games that run go on."""
    with acting(data, database) as transaction:
        moderation.close(transaction, closed=True)
    click.echo("closed for new tables")


@admin_group.command("reopen")
@with_database_options
def reopen(*, data: str | None, database: str | None) -> None:
    """Take new tables again."""
    with acting(data, database) as transaction:
        moderation.close(transaction, closed=False)
    click.echo("open for new tables")


@admin_group.command("rotate-secret")
@click.option(
    "--grace",
    type=click.IntRange(1, 365),
    default=14,
    show_default=True,
    metavar="DAYS",
    help="How long old links and cookies stay valid.",
)
@click.option("--leaked", is_flag=True, help="They become invalid at once.")
@with_database_options
def rotate_secret(*, grace: int, leaked: bool, data: str | None, database: str | None) -> None:
    """Sign links and cookies with a new secret.

    People who visit the server within the time of grace notice nothing: their browsers get new
    cookies. After that time, old links and cookies are invalid. If somebody else may know the
    secret, use --leaked: everybody is logged out, and `mauerwerk admin links` prints new links.
    """
    with acting(data, database) as transaction:
        moderation.rotate_secret(transaction, 0 if leaked else grace * 86_400_000)
    left = "are invalid now" if leaked else f"are valid for {grace} more days"
    click.echo(f"there is a new secret; old links and cookies {left}")


@admin_group.command("audit")
@MOST
@AS_JSON
@with_database_options
def show_audit(*, most: int, as_json: bool, data: str | None, database: str | None) -> None:
    """List what was done, the last first."""
    with looking(data, database) as transaction:
        entries = moderation.audit_log(transaction, most=most)
    if as_json:
        print_json(entries)
        return
    for entry in entries:
        detail = f": {entry.detail}" if entry.detail else ""
        click.echo(f"{when(entry.at)}  {entry.by:8} {entry.action:16} {entry.what}{detail}")


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
