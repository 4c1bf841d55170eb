"""`mauerwerk admin`: managing a server through its database, whether the server runs or not."""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

import click

from mauerwerk.cli.common import AS_JSON, module_of, print_json
from mauerwerk.cli.database_options import place_of, with_database_options

F = TypeVar("F", bound=Callable[..., Any])

REASON: Final = click.option("--reason", default="", help="For the log of actions.")
MOST: Final = click.option(
    "--most", type=click.IntRange(1, 10_000), default=50, show_default=True, help="How many."
)
ANY_ID: Final = {"ignore_unknown_options": True}
"""An id may begin with a hyphen, and is no option then."""


@click.group("admin")
def admin_group() -> None:
    """Manage a server: tables, guests, networks, reports, the secret.

    Servers on the same database obey within seconds. Every action is written to a log.

    Example: mauerwerk admin tables --data games --which silent
    """


@contextmanager
def failing_plainly() -> Generator[None, None, None]:
    """Say in one line what cannot be done."""
    rulings = module_of("mauerwerk.play.storage.rulings", "server")
    store = module_of("mauerwerk.play.storage.store", "server")
    try:
        yield
    except (rulings.RulingError, store.StorageError, store.OvertakenError) as fault:
        raise click.UsageError(str(fault)) from None


@contextmanager
def acting(data: str | None, database: str | None) -> Generator[Any, None, None]:
    """The ledger of the database that the options name, to write in it."""
    ledger = module_of("mauerwerk.play.storage.ledger_access", "server")
    with failing_plainly(), ledger.ledger_at(place_of(data, database), by="command") as opened:
        yield opened


@contextmanager
def looking(data: str | None, database: str | None) -> Generator[Any, None, None]:
    """The same, only to look."""
    ledger = module_of("mauerwerk.play.storage.ledger_access", "server")
    with failing_plainly(), ledger.reading_at(place_of(data, database)) as opened:
        yield opened


def lists() -> Any:  # noqa: ANN401 - a module
    """What there is to look at."""
    return module_of("mauerwerk.play.storage.ruling_lists", "server")


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
    which: str,
    guest: str,
    find: str,
    most: int,
    as_json: bool,
    data: str | None,
    database: str | None,
) -> None:
    """List tables, those changed last first."""
    with looking(data, database) as ledger:
        found = lists().tables(ledger, which, guest=guest, text=find, most=most)
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
    with acting(data, database) as ledger:
        for table in tables:
            ended = ledger.end_table(table, reason)
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
    with acting(data, database) as ledger:
        for table in tables:
            ledger.delete_table(table, reason)
            click.echo(f"{table}: deleted")


@admin_group.command("links", context_settings=ANY_ID)
@click.argument("table")
@click.option("--address", default="", metavar="URL", help="The public address of the server.")
@with_database_options
def show_links(table: str, *, address: str, data: str | None, database: str | None) -> None:
    """Print new personal links for the people at a table, to pass on.

    Anybody who has such a link can play at that seat.
    """
    with looking(data, database) as ledger:
        found = lists().seat_links(ledger, table)
    for each in found:
        link = f"{address.rstrip('/')}/t/{table}/s/{each.seat}/{each.token}"
        click.echo(f"{each.name}: {link}")


# --- The server ------------------------------------------------------------------------------


@admin_group.command("close")
@with_database_options
def close(*, data: str | None, database: str | None) -> None:
    """Take no new tables; games that run go on."""
    with acting(data, database) as ledger:
        ledger.close(closed=True)
    click.echo("closed for new tables")


@admin_group.command("reopen")
@with_database_options
def reopen(*, data: str | None, database: str | None) -> None:
    """Take new tables again."""
    with acting(data, database) as ledger:
        ledger.close(closed=False)
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
    with acting(data, database) as ledger:
        ledger.rotate_secret(0 if leaked else grace * 86_400_000)
    left = "are invalid now" if leaked else f"are valid for {grace} more days"
    click.echo(f"there is a new secret; old links and cookies {left}")


@admin_group.command("audit")
@MOST
@AS_JSON
@with_database_options
def show_audit(*, most: int, as_json: bool, data: str | None, database: str | None) -> None:
    """List what was done, the last first."""
    with looking(data, database) as ledger:
        deeds = ledger.deeds(most=most)
    if as_json:
        print_json(deeds)
        return
    for deed in deeds:
        detail = f": {deed.detail}" if deed.detail else ""
        click.echo(f"{when(deed.at)}  {deed.by:8} {deed.action:16} {deed.what}{detail}")
