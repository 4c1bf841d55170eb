"""What `mauerwerk admin` does, in a database or at a running server."""

import getpass
import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final, TypeVar

import click
import msgspec

from mauerwerk.cli.common import ADMIN_TOKEN, UNSOUND, print_json
from mauerwerk.core.language import counted
from mauerwerk.server.database import connect
from mauerwerk.server.database.errors import OvertakenError, StorageError
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.engine import blocklist
from mauerwerk.server.features.moderation import actions, state, store
from mauerwerk.server.features.registry import know_tables
from mauerwerk.server.features.results import store as results
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.identity import named
from mauerwerk.server.tables.table import Status

SECONDS: Final = 10.0
"""How long a server may take to answer."""
T = TypeVar("T")


@contextmanager
def _open(opened: AbstractContextManager[Transaction]) -> Generator[Transaction, None, None]:
    """A transaction; what cannot be done in it is said in one line."""
    know_tables()
    try:
        with opened as transaction:
            yield transaction
    except (
        state.AdminError,
        HttpError,
        StorageError,
        OvertakenError,
        msgspec.ValidationError,
    ) as fault:
        raise click.UsageError(str(fault)) from None


def _acting(place: str) -> AbstractContextManager[Transaction]:
    return _open(connect.transaction_at(place, by=f"command:{_person()}"))


def _person() -> str:
    """Who gives the command, also as another user."""
    try:
        return os.environ.get("SUDO_USER") or getpass.getuser()
    except (KeyError, OSError):  # a user without a name
        return str(os.getuid())


def _looking(place: str) -> AbstractContextManager[Transaction]:
    return _open(connect.reading_at(place))


def _show(found: Iterable[T], line: Callable[[T], str], *, as_json: bool) -> None:
    if as_json:
        print_json(found)
    else:
        for each in found:
            click.echo(line(each))


def _ago(at: int) -> str:
    seconds = max(0, time.time() - at / 1_000)
    for unit, name in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= unit:
            return f"{seconds // unit:.0f} {name}"
    return "now"


# --- Actions ---------------------------------------------------------------------------------


def act(place: str, kind: type[actions.AnyAction], given: Sequence[Mapping[str, Any]]) -> None:
    """Do something, once or several times, and say what was done."""
    with _acting(place) as transaction:
        for each in given:
            action = msgspec.convert(each, kind)
            done = store.carry_out(transaction, action)
            click.echo(_told(transaction, action, done=done))


def _told(transaction: Transaction, action: actions.AnyAction, *, done: bool) -> str:
    match action:
        case actions.EndTable():
            return f"{action.table}: {'ended' if done else 'was over already'}"
        case actions.DeleteTable():
            return f"{action.table}: deleted"
        case actions.VoidGame():
            return f"{action.table}: out of the ratings"
        case actions.Block():
            return f"{action.kind} {action.target} is {_blocked(action.until(transaction.now))}"
        case actions.LiftBlock():
            return f"{action.kind} {action.target} is not blocked any more"
        case actions.LogOutGuest():
            theirs = [
                f"sits at table {each.card.id}"
                for each in store.tables(transaction, guest=action.guest)
                if each.card.status is not Status.OVER and action.guest in each.guests
            ]
            return "\n".join([f"{action.guest} is logged out everywhere", *theirs])
        case actions.RenameGuest():
            return f"{action.guest} is called {named(action.name)}"
        case actions.ResolveReport():
            return f"{action.report}: {action.how}"
        case actions.CloseServer():
            return "closed for new tables"
        case actions.ReopenServer():
            return "open for new tables"
        case actions.RotateSecret():
            days = action.grace_days
            left = f"are valid for {days} more days" if days else "are invalid now"
            return f"there is a new secret; old links and cookies {left}"


def _blocked(until: int | None) -> str:
    return f"blocked {f'until {actions.moment(until)}' if until else 'for ever'}"


# --- Lists -----------------------------------------------------------------------------------


def list_tables(
    *,
    which: store.Filter,
    guest: str | None,
    find: str | None,
    most: int,
    as_json: bool,
    place: str,
) -> None:
    """Tables, each with its players and how far it is."""

    def line(each: store.ListedTable) -> str:
        card = each.card
        people = [
            name or (f"bot {level}" if level else "free")
            for name, level in zip(card.names, card.levels, strict=True)
        ]
        how_far = f"{card.status}, {_ago(card.changed)}"
        return f"{card.id}  {card.game:15} {how_far:18} {', '.join(people)}"

    with _looking(place) as transaction:
        found = store.tables(transaction, which, guest=guest or "", text=find or "", most=most)
    _show(found, line, as_json=as_json)


def show_links(*, table: str, address: str | None, place: str) -> None:
    """New personal links for the people at a table."""
    with _looking(place) as transaction:
        found = store.seat_links(transaction, table)
    for each in found:
        link = f"{(address or '').rstrip('/')}/t/{table}/s/{each.seat}/{each.token}"
        click.echo(f"{each.name}: {link}")


def list_guests(*, most: int, as_json: bool, place: str) -> None:
    """Guests, and what is known about them."""

    def line(each: store.ListedGuest) -> str:
        notes = [f"{each.tables} tables", f"{each.opened} opened in an hour"]
        notes += [f"{each.reports} reports"] if each.reports else []
        notes += [_said(each.block)] if each.block else []
        return f"{each.guest}  {each.name or '?'}: {', '.join(notes)}; {_ago(each.seen)}"

    with _looking(place) as transaction:
        found = store.guests(transaction, most)
    _show(found, line, as_json=as_json)


def _said(block: blocklist.Block) -> str:
    return f"{_blocked(block.until)}{f' ({block.reason})' if block.reason else ''}"


def list_blocks(*, as_json: bool, place: str) -> None:
    """Guests and networks that are blocked."""
    with _looking(place) as transaction:
        blocks = store.decisions(transaction).blocks
    _show(blocks, lambda each: f"{each.kind} {each.what}: {_said(each)}", as_json=as_json)


def list_reports(*, resolved: bool, most: int, as_json: bool, place: str) -> None:
    """Reports, and what was done about them."""

    def line(each: state.Report) -> str:
        whom = f"{each.name} ({each.guest})" if each.guest else "the table"
        text = f": {each.text}" if each.text else ""
        done = f" [{each.resolved}]" if each.resolved else ""
        at = actions.moment(each.at)
        return f"{each.id}  {at}  {each.about}, {whom} at {each.table}{text}{done}"

    with _looking(place) as transaction:
        found = store.reports(transaction, resolved=resolved, most=most)
    _show(found, line, as_json=as_json)


def show_audit(*, most: int, as_json: bool, place: str) -> None:
    """The log of what hosts did."""

    def line(entry: state.AuditEntry) -> str:
        detail = f": {entry.detail}" if entry.detail else ""
        at = actions.moment(entry.at)
        return f"{at}  {entry.by:8} {entry.action:16} {entry.what}{detail}"

    with _looking(place) as transaction:
        entries = store.audit_log(transaction, most=most)
    _show(entries, line, as_json=as_json)


# --- Ratings, and a running server ------------------------------------------------------------


def check_ratings(*, again: bool, place: str) -> None:
    """Results and ratings: what does not follow from the games; or all ratings anew."""
    if again:
        with _acting(place) as transaction:
            made = results.recompute_ratings(transaction)
        click.echo(f"{counted(made, 'rating')} worked out again")
        return
    with _looking(place) as transaction:
        faults = [
            *results.result_faults(transaction),
            *results.rating_faults(transaction.connection),
        ]
    for each in faults:
        click.echo(each)
    click.echo(counted(len(faults), "fault") if faults else "all ratings follow from the games")
    if faults:
        raise click.exceptions.Exit(UNSOUND)


def show_queues(*, server: str, as_json: bool) -> None:
    """Who fills the queues of a running server, which is asked over its API."""
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

    def line(queue: Mapping[str, Any]) -> str:
        limit = "" if queue["limit"] is None else f" of {queue['limit']}"
        shares = ", ".join(f"{each['who'] or '?'} {each['count']}" for each in queue["shares"])
        return f"{queue['name']}: {queue['held']}{limit}{f' ({shares})' if shares else ''}"

    _show(queues, line, as_json=as_json)
