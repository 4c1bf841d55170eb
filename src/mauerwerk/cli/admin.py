"""`mauerwerk admin`: managing a server through its database, whether the server runs or not."""

import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Final, cast

import click
import msgspec
from msgspec import inspect

from mauerwerk.cli.common import AS_JSON, print_json
from mauerwerk.cli.server_options import ADMIN_TOKEN, place_of, with_database_options
from mauerwerk.core.language.words import counted
from mauerwerk.server.database import connect
from mauerwerk.server.database.errors import OvertakenError, StorageError
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.engine import blocklist
from mauerwerk.server.features.moderation import actions, store
from mauerwerk.server.features.moderation.state import AdminError
from mauerwerk.server.features.results import store as results
from mauerwerk.server.features.results.ratings import rate
from mauerwerk.server.http.errors import HttpError

MOST: Final = click.option(
    "--most", type=click.IntRange(1, 10_000), default=50, show_default=True, help="How many."
)
ANY_ID: Final = {"ignore_unknown_options": True}
"""An id may begin with a hyphen, and is no option then."""

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
    except (
        AdminError,
        HttpError,
        StorageError,
        OvertakenError,
        msgspec.ValidationError,
    ) as fault:
        raise click.UsageError(str(fault)) from None


@contextmanager
def acting(data: str | None, database: str | None) -> Generator[Transaction, None, None]:
    """The transaction of the database that the options name, to write in it."""
    with (
        failing_plainly(),
        connect.transaction_at(place_of(data, database), by="command") as opened,
    ):
        yield opened


@contextmanager
def looking(data: str | None, database: str | None) -> Generator[Transaction, None, None]:
    """The same, only to look."""
    with failing_plainly(), connect.reading_at(place_of(data, database)) as opened:
        yield opened


def ago(at: int) -> str:
    """How long ago something was, in the largest unit that fits."""
    seconds = max(0, time.time() - at / 1_000)
    for unit, name in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= unit:
            return f"{seconds // unit:.0f} {name}"
    return "now"


# --- Actions ---------------------------------------------------------------------------------


def command_of(action: type[actions.AdminAction]) -> click.Command:
    """The command that does this: its arguments and options are the fields of the action."""
    fields = cast("inspect.StructType", inspect.type_info(action)).fields
    first = fields[0].name if fields else ""

    def run(*, data: str | None, database: str | None, yes: bool = True, **given: Any) -> None:  # noqa: ANN401 - fields of any type
        named: tuple[Any, ...] = given[first] if action.SEVERAL else (given.get(first),)
        if not yes:
            click.confirm(action.CONFIRM.format(", ".join(named)), abort=True)
        with acting(data, database) as transaction:
            for each in named:
                wanted = msgspec.convert({**given, first: each} if first else {}, action)
                done = wanted.do(transaction)
                click.echo(wanted.told(transaction, done=done))

    parameters = [
        _parameter(field, several=action.SEVERAL and field.name == first) for field in fields
    ]
    if action.CONFIRM:
        parameters.append(click.Option(["--yes"], is_flag=True, help="Do not ask."))
    command = click.Command(
        action.NAME,
        context_settings=ANY_ID,
        callback=with_database_options(run),
        params=parameters,
        help=action.__doc__,
    )
    command.params += getattr(command.callback, "__click_params__", [])[::-1]
    return command


def _parameter(field: inspect.Field, *, several: bool) -> click.Parameter:
    """An argument for what must be given, an option for what need not."""
    kind, about = field.type, ""
    if isinstance(kind, inspect.Metadata):
        schema = cast("dict[str, str]", kind.extra_json_schema or {})  # pyright: ignore[reportUnknownMemberType] # msgspec has a bare dict
        about = schema.get("description", "")
        kind = kind.type
    if field.required:
        metavar = f"{field.name.upper()}..." if several else None
        return click.Argument(
            [field.name],
            type=_type_of(kind),
            nargs=-1 if several else 1,
            required=True,
            metavar=metavar,
        )
    name = f"--{field.name.replace('_', '-')}"
    shown = field.default not in {"", None}
    return click.Option(
        [name], type=_type_of(kind), default=field.default, show_default=shown, help=about
    )


def _type_of(kind: inspect.Type) -> click.ParamType[Any]:
    match kind:
        case inspect.EnumType():
            return click.Choice([each.value for each in kind.cls])
        case inspect.LiteralType():
            return click.Choice([str(each) for each in kind.values])
        case inspect.IntType():
            return click.IntRange(kind.ge, kind.le)
        case inspect.FloatType():
            return click.FloatRange(kind.ge, kind.le)
        case inspect.UnionType():
            (inner,) = (each for each in kind.types if not isinstance(each, inspect.NoneType))
            return _type_of(inner)
        case _:
            return click.STRING


for _action in actions.ACTIONS.values():
    admin_group.add_command(command_of(_action))


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
    which: store.Filter,
    guest: str,
    find: str,
    most: int,
    as_json: bool,
    data: str | None,
    database: str | None,
) -> None:
    """List tables, those changed last first."""
    with looking(data, database) as transaction:
        found = store.tables(transaction, which, guest=guest, text=find, most=most)
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


@admin_group.command("links", context_settings=ANY_ID)
@click.argument("table")
@click.option("--address", default="", metavar="URL", help="The public address of the server.")
@with_database_options
def show_links(table: str, *, address: str, data: str | None, database: str | None) -> None:
    """Print new personal links for the people at a table, to pass on.

    Anybody who has such a link can play at that seat.
    """
    with looking(data, database) as transaction:
        found = store.seat_links(transaction, table)
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
        found = store.guests(transaction, most)
    if as_json:
        print_json(found)
        return
    for each in found:
        notes = [f"{each.tables} tables", f"{each.opened} opened in an hour"]
        notes += [f"{each.reports} reports"] if each.reports else []
        notes += [_said(each.block)] if each.block else []
        click.echo(f"{each.guest}  {each.name or '?'}: {', '.join(notes)}; {ago(each.seen)}")


def _said(block: blocklist.Block) -> str:
    until = f"until {actions.moment(block.until)}" if block.until else "for ever"
    return f"blocked {until}{f' ({block.reason})' if block.reason else ''}"


@admin_group.command("blocks")
@AS_JSON
@with_database_options
def list_blocks(*, as_json: bool, data: str | None, database: str | None) -> None:
    """List who is blocked."""
    with looking(data, database) as transaction:
        blocks = store.decisions(transaction).blocks
    if as_json:
        print_json(blocks)
        return
    for each in blocks:
        click.echo(f"{each.kind} {each.what}: {_said(each)}")


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
        found = store.reports(transaction, resolved=resolved, most=most)
    if as_json:
        print_json(found)
        return
    for each in found:
        whom = f"{each.name} ({each.guest})" if each.guest else "the table"
        text = f": {each.text}" if each.text else ""
        done = f" [{each.resolved}]" if each.resolved else ""
        at = actions.moment(each.at)
        click.echo(f"{each.id}  {at}  {each.about}, {whom} at {each.table}{text}{done}")


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
            made = results.recompute_ratings(transaction, rate)
        click.echo(f"{counted(made, 'rating')} worked out again")
        return
    with looking(data, database) as transaction:
        faults = [
            *results.result_faults(transaction),
            *results.rating_faults(transaction.connection, rate),
        ]
    for each in faults:
        click.echo(each)
    click.echo(counted(len(faults), "fault") if faults else "all ratings follow from the games")
    if faults:
        click.get_current_context().exit(UNSOUND)


# --- The server ------------------------------------------------------------------------------


@admin_group.command("audit")
@MOST
@AS_JSON
@with_database_options
def show_audit(*, most: int, as_json: bool, data: str | None, database: str | None) -> None:
    """List what was done, the last first."""
    with looking(data, database) as transaction:
        entries = store.audit_log(transaction, most=most)
    if as_json:
        print_json(entries)
        return
    for entry in entries:
        detail = f": {entry.detail}" if entry.detail else ""
        click.echo(
            f"{actions.moment(entry.at)}  {entry.by:8} {entry.action:16} {entry.what}{detail}"
        )


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
