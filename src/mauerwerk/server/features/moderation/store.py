"""What hosts decide, in the database: blocks, reports, names, tables ended or deleted, the secret.

Every action is a line of the audit log. Servers look for new lines every second (`service`), so
that all of them follow, wherever it was done.
"""

import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, Literal, TypeAlias, get_args

import msgspec
import sqlalchemy as sa
from msgspec.structs import asdict, replace

from mauerwerk.core.game import Seat, Value
from mauerwerk.server.database import rows, schema
from mauerwerk.server.database.personal_data import PersonalData, Rows, rows_in
from mauerwerk.server.database.queries import command, query
from mauerwerk.server.database.schema import (
    AUDIT,
    GUEST_STATUS,
    METADATA,
    OWNERS,
    SERVER_STATE,
    TABLES,
)
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.engine.blocklist import Block, Blocked
from mauerwerk.server.features.moderation import actions, state
from mauerwerk.server.features.moderation.actions import DAY, HOUR
from mauerwerk.server.features.moderation.state import Action, AdminError, Decisions, Report
from mauerwerk.server.features.notifications.store import forget_addresses
from mauerwerk.server.features.results import store as results
from mauerwerk.server.http.identity import SESSION, named
from mauerwerk.server.keys import GuestStatus, Keys
from mauerwerk.server.tables import errors, folding, log, requests
from mauerwerk.server.tables.table import Card, Status
from mauerwerk.server.tables.transcript import transcript

BLOCKS: Final = sa.Table(
    "blocks",
    METADATA,
    sa.Column("kind", sa.Text, primary_key=True),  # guest, or network
    sa.Column("what", sa.Text, primary_key=True),  # the id of a guest, or a network such as ::/64
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("since", sa.BigInteger, nullable=False),
    sa.Column("until", sa.BigInteger),  # for ever, where there is no end
)

REPORTS: Final = sa.Table(
    "reports",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("table_id", sa.Text, nullable=False),  # which may be deleted by now
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("seat", sa.Integer),  # none, where the whole table is reported
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("about", sa.Text, nullable=False),  # name, behaviour, table, chat
    sa.Column("text", sa.Text, nullable=False),  # what the reporter adds
    sa.Column("said", sa.Text, nullable=False),  # what was said at the table, for chat
    sa.Column("reporter", sa.Text, nullable=False),
    sa.Column("reporter_name", sa.Text, nullable=False),
    sa.Column("resolved", sa.Text, nullable=False),  # empty until dealt with
    sa.Index("reports_by_state", "resolved", "at"),
    sa.Index("reports_by_guest", "guest", "at"),
)

ENDED_SESSIONS: Final = sa.Table(
    "ended_sessions",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),  # named in the cookie of a host
    sa.Column("until", sa.BigInteger, nullable=False),  # no such cookie is valid after that anyway
)

CLOSED: Final = "closed"
FORMER: Final = "secret-before"
"""Names in `server_state`. The former secret has the time until which it counts before it."""
TIME_BYTES: Final = 8
ENDED: Final = schema.ENDED.union_all(sa.select(ENDED_SESSIONS.c.id)).order_by("id")
"""The devices and the sessions of hosts whose cookies are not valid any more."""
Write = Callable[[requests.PendingEntries], object]
"""Looks at a table, and adds entries."""


# --- Decisions -------------------------------------------------------------------------------


@query
def decisions(transaction: Transaction) -> Decisions:
    """All that servers have to apply."""
    held = {row.name: bytes(row.value) for row in transaction.execute(sa.select(SERVER_STATE))}
    former = held.get(FORMER, bytes(TIME_BYTES))
    until = int.from_bytes(former[:TIME_BYTES])
    blocks = transaction.values(Block, sa.select(BLOCKS))
    return Decisions(
        last=transaction.scalar(sa.select(sa.func.max(AUDIT.c.id))) or 0,
        blocks=tuple(block for block in blocks if block.holds(transaction.now)),
        guest_statuses=transaction.values(GuestStatus, sa.select(GUEST_STATUS)),
        closed=CLOSED in held,
        secret=held.get(schema.SECRET, b""),
        former=former[TIME_BYTES:] if transaction.now < until else b"",
        former_until=until,
        ended=tuple(transaction.scalars(ENDED)),
    )


@query
def audit_log(
    transaction: Transaction, *, after: int = 0, most: int | None = None
) -> tuple[state.AuditEntry, ...]:
    """The audit log beyond that number, the last first."""
    wanted = sa.select(AUDIT).where(AUDIT.c.id > after).order_by(AUDIT.c.id.desc())
    return transaction.values(state.AuditEntry, wanted.limit(most))


# --- Tables ----------------------------------------------------------------------------------


@command(by="page")
def end_table(
    transaction: Transaction, table: str, reason: str = "", why: log.Ending = log.Ending.HOST
) -> bool:
    """End a running game, whose players are told so. Raises AdminError."""
    try:
        return write_at(
            transaction, table, Action.END_TABLE, lambda it: requests.end(it, why), detail=reason
        )
    except errors.OtherRulesError:
        return _end_unsupported(transaction, table, why)


def _end_unsupported(transaction: Transaction, table: str, why: log.Ending) -> bool:
    """End a game whose log cannot be read here; a program with its rules reads it as any other."""
    wanted = sa.select(TABLES).where(TABLES.c.id == table).with_for_update()
    row = transaction.execute(wanted).first()
    if row is None or row.status != Status.RUNNING:
        return False
    entry = log.Entry(row.length, transaction.now, log.Kind.END, word=why)
    card = replace(
        msgspec.json.decode(row.card, type=Card),
        status=Status.OVER,
        changed=transaction.now,
        waiting=(),
        due=None,
    )
    values = {
        "status": Status.OVER.value,
        "changed": transaction.now,
        "due": None,
        "length": row.length + 1,
        "card": msgspec.json.encode(card).decode(),
        "size": row.size + rows.log_size([entry]),
    }
    transaction.update(TABLES, TABLES.c.id == table, **values)
    transaction.insert(schema.ENTRIES, table_id=table, **asdict(entry))
    transaction.update(OWNERS, OWNERS.c.table_id == table, changed=transaction.now)
    transaction.audit(Action.END_TABLE, table, "")
    return True


@command(by="page", lasting="delete-table")
def delete_table(transaction: Transaction, table: str, reason: str = "") -> None:
    """Delete a table with its log. Raises AdminError."""
    if not transaction.delete(table):
        raise AdminError(f"there is no table {table}")
    transaction.audit(Action.DELETE_TABLE, table, reason)


@query
def deleted_tables(transaction: Transaction, tables: Collection[str]) -> frozenset[str]:
    """Which of these tables were deleted."""
    theirs = (AUDIT.c.action == Action.DELETE_TABLE, AUDIT.c.what.in_(tables))
    return frozenset(transaction.scalars(sa.select(AUDIT.c.what).where(*theirs)))


@command(by="page", lasting="void-game")
def void_game(transaction: Transaction, table: str, reason: str = "") -> None:
    """Take a game out of all ratings. Raises AdminError."""
    if not results.void(transaction, table):
        raise AdminError(f"table {table} has no game that was rated")
    transaction.audit(Action.VOID, table, reason)


def write_at(
    transaction: Transaction, table: str, action: Action, write: Write, *, detail: str
) -> bool:
    """Write at a table as a server would; whether there was anything to write."""
    stored = transaction.load(table)
    if stored is None:
        raise AdminError(f"there is no table {table}")
    before = folding.fold(stored.charter, stored.entries)
    pending = requests.PendingEntries(before, stored.seed, transaction.now)
    try:
        write(pending)
    except errors.RefusedError as fault:
        raise AdminError(f"table {table} is not running") from fault
    if not pending.entries:
        return False
    after = pending.table
    over = after.status is Status.OVER and before.status is not Status.OVER
    record = transcript(after, stored.seed) if over else None
    transaction.put(rows.change(table, pending.entries, after.card(), after.owners, record))
    transaction.audit(action, table, detail)
    return True


def _at_tables_of(transaction: Transaction, guest: str, action: Action, write: Write) -> None:
    """Write at the tables where a guest sits that are not over."""
    theirs = sa.select(OWNERS.c.table_id).where(OWNERS.c.guest == guest)
    wanted = sa.select(TABLES.c.id).where(TABLES.c.id.in_(theirs), TABLES.c.status != Status.OVER)
    in_order = wanted.order_by(TABLES.c.id)  # as all writers lock them
    for table in transaction.scalars(in_order).all():
        with suppress(errors.OtherRulesError):  # nobody can play there
            write_at(transaction, table, action, write, detail=guest)


@query
def lengths(transaction: Transaction, tables: Sequence[str]) -> Mapping[str, int]:
    """How long the logs of these tables are, as far as there are such tables."""
    wanted = sa.select(TABLES.c.id, TABLES.c.length).where(TABLES.c.id.in_(tables))
    return {row.id: row.length for row in transaction.execute(wanted)}


# --- Guests and networks ---------------------------------------------------------------------


@command(by="page", lasting="block")
def block(
    transaction: Transaction, kind: Blocked, what: str, reason: str, until: int | None
) -> None:
    """Keep a guest or a network out until then; bots play on for a guest. Raises AdminError."""
    if not what:  # it would be all who have no name yet
        raise AdminError(f"say whom to block: the id of a {kind}")
    if until is not None and until <= transaction.now:
        raise AdminError("a block ends in the future, or never")
    transaction.remove(BLOCKS, BLOCKS.c.kind == kind, BLOCKS.c.what == what)
    values = {"reason": reason, "since": transaction.now, "until": until}
    transaction.insert(BLOCKS, kind=kind, what=what, **values)
    transaction.audit(Action.BLOCK, f"{kind} {what}", reason)
    if kind is Blocked.GUEST:
        write = partial(requests.send_away, guest=what)
        _at_tables_of(transaction, what, Action.SEND_AWAY_TABLE, write)


@command(by="page", lasting="unblock")
def unblock(transaction: Transaction, kind: Blocked, what: str) -> None:
    """Let a guest or a network in again. Raises AdminError."""
    if not transaction.remove(BLOCKS, BLOCKS.c.kind == kind, BLOCKS.c.what == what):
        raise AdminError(f"the {kind} {what} is not blocked")
    transaction.audit(Action.UNBLOCK, f"{kind} {what}", "")


@command(by="page", lasting="log-out")
def log_out(transaction: Transaction, guest: str) -> None:
    """Make every cookie, token and personal link of a guest invalid, and send no more."""
    set_status(transaction, guest, logged_out=transaction.now)
    forget_addresses(transaction, guest)
    transaction.audit(Action.LOG_OUT, guest, "")


@command(by="page", lasting="rename")
def rename(transaction: Transaction, guest: str, name: str) -> None:
    """Call a guest by another name, here and at all their tables that are not over."""
    set_status(transaction, guest, name=name, renamed=transaction.now)
    for table in schema.METADATA.sorted_tables:
        for whose in table.c:
            if whose.info.get(schema.NAMED):
                transaction.update(table, whose == guest, name=name)
    transaction.audit(Action.RENAME, guest, name)
    write = partial(requests.rename, guest=guest, name=name)
    _at_tables_of(transaction, guest, Action.RENAME_TABLE, write)


def set_status(transaction: Transaction, guest: str, **changes: int | str) -> None:
    """Change what holds for a guest, without a line in the audit log."""
    mine = GUEST_STATUS.c.guest == guest
    found = transaction.value(GuestStatus, sa.select(GUEST_STATUS).where(mine))
    changed = replace(found or GuestStatus(guest), **changes)
    transaction.remove(GUEST_STATUS, mine)
    transaction.insert(GUEST_STATUS, **asdict(changed))


# --- Reports ---------------------------------------------------------------------------------


@command(by="")
def add_report(transaction: Transaction, report: Report) -> None:
    """Keep a report, in place of an older one about the same; the audit log does not have it."""
    same = (
        REPORTS.c.reporter == report.reporter,
        REPORTS.c.table_id == report.table,
        REPORTS.c.guest == report.guest,
        REPORTS.c.about == report.about,
        REPORTS.c.resolved == "",
    )
    transaction.remove(REPORTS, *same)
    values = asdict(report)
    table = values.pop("table")
    transaction.insert(REPORTS, table_id=table, **values)


@command(by="page")
def resolve(transaction: Transaction, report: str, how: str) -> None:
    """Note how a report was dealt with. Raises AdminError."""
    if not transaction.update(REPORTS, REPORTS.c.id == report, resolved=how):
        raise AdminError(f"there is no report {report}")
    transaction.audit(Action.RESOLVE, report, how)


@query
def reports(
    transaction: Transaction, *, resolved: bool = False, most: int = 200
) -> tuple[Report, ...]:
    """Reports that wait for the host, or those that were dealt with; the last first."""
    done = REPORTS.c.resolved != ""
    wanted = sa.select(REPORTS, REPORTS.c.table_id.label("table"))
    wanted = wanted.where(done if resolved else ~done)
    return transaction.values(
        Report, wanted.order_by(REPORTS.c.at.desc(), REPORTS.c.id).limit(most)
    )


# --- The server ------------------------------------------------------------------------------


@command(by="page", lasting="close")
def close(transaction: Transaction, *, closed: bool) -> None:
    """Take no new tables from now on, or take them again."""
    transaction.set_state(CLOSED, b"1" if closed else b"")
    transaction.audit(Action.CLOSE if closed else Action.REOPEN, "", "")


@command(by="page", lasting="rotate-secret")
def rotate_secret(transaction: Transaction, grace: int) -> None:
    """Sign with a new secret; the old one stays valid for this many milliseconds."""
    old = transaction.state(schema.SECRET)
    until = (transaction.now + grace).to_bytes(TIME_BYTES)
    transaction.set_state(FORMER, until + old if old and grace else b"")
    transaction.set_state(schema.SECRET, secrets.token_bytes(schema.SECRET_BYTES))
    said = f"old links are valid for {grace // DAY} days" if grace else "old links are invalid"
    transaction.audit(Action.ROTATE, "", said)


@command(by="page")
def end_session(transaction: Transaction, session: str) -> None:
    """Make the cookie invalid by which a host was signed in."""
    transaction.remove(ENDED_SESSIONS, ENDED_SESSIONS.c.until < transaction.now)
    if not transaction.has(ENDED_SESSIONS, ENDED_SESSIONS.c.id == session):
        until = transaction.now + 2 * SESSION * 1_000
        transaction.insert(ENDED_SESSIONS, id=session, until=until)
        transaction.audit(Action.SIGN_OUT, "", "")


def carry_out(transaction: Transaction, action: actions.AnyAction) -> bool:
    """Do what a host asks for; whether anything had to be done. Raises AdminError and HttpError.

    A report that the action names is dealt with, too.
    """
    match action:
        case actions.EndTable():
            return end_table(transaction, action.table, action.reason)
        case actions.DeleteTable():
            delete_table(transaction, action.table, action.reason)
        case actions.VoidGame():
            void_game(transaction, action.table, action.reason)
        case actions.Block():
            until = action.until(transaction.now)
            block(transaction, action.kind, action.target, action.reason, until)
            if action.report:
                resolve(transaction, action.report, "blocked")
        case actions.LiftBlock():
            unblock(transaction, action.kind, action.target)
        case actions.LogOutGuest():
            log_out(transaction, action.guest)
        case actions.RenameGuest():
            rename(transaction, action.guest, named(action.name))
            if action.report:
                resolve(transaction, action.report, "renamed")
        case actions.ResolveReport():
            resolve(transaction, action.report, action.how)
        case actions.CloseServer() | actions.ReopenServer():
            close(transaction, closed=isinstance(action, actions.CloseServer))
        case actions.RotateSecret():
            rotate_secret(transaction, action.grace_days * DAY)
    return True


# --- What hosts look at ----------------------------------------------------------------------

Filter: TypeAlias = Literal["all", "open", "running", "finished", "silent"]
"""Which tables: by how far they are; or those that nobody has touched for a week."""
FILTERS: Final[tuple[Filter, ...]] = get_args(Filter)
SILENT: Final = 7 * DAY
"""Milliseconds after which a table that is not over is silent."""
SEATS_READ: Final = 2_000
"""Of how many seats, newest first, the list of guests is made."""


class ListedTable(Value, tag=False):
    """A table as hosts see it: no hands, and no more than players know, but who they are."""

    card: Card
    guests: tuple[str, ...]
    """The id of the guest at each seat; empty for none."""
    opener: str
    entries: int
    size: int
    """About how many bytes it takes up."""
    rated: bool = False
    """Whether it is over and counts for ratings."""


class ListedGuest(Value, tag=False):
    """A guest as hosts see them."""

    guest: str
    name: str
    tables: int
    """Unfinished tables."""
    opened: int
    """Tables that they opened in the last hour."""
    seen: int
    """When a table of theirs last changed."""
    reports: int = 0
    block: Block | None = None


@query
def tables(  # noqa: PLR0913 - what is looked for
    transaction: Transaction,
    which: Filter = "all",
    *,
    guest: str = "",
    text: str = "",
    before: int | None = None,
    most: int = 50,
) -> tuple[ListedTable, ...]:
    """Tables, those changed last first. `text` is a name or the beginning of an id."""
    wanted = sa.select(TABLES)
    match which:
        case "open" | "running":
            wanted = wanted.where(TABLES.c.status == which)
        case "finished":
            wanted = wanted.where(TABLES.c.status == Status.OVER)
        case "silent":
            quiet = TABLES.c.changed < transaction.now - SILENT
            wanted = wanted.where(TABLES.c.status != Status.OVER, quiet)
        case "all":
            pass
    if guest:
        theirs = sa.select(OWNERS.c.table_id).where(OWNERS.c.guest == guest)
        wanted = wanted.where(sa.or_(TABLES.c.id.in_(theirs), TABLES.c.opener == guest))
    if text:
        in_json = msgspec.json.encode(text).decode().strip('"')
        by_name = TABLES.c.card.icontains(in_json, autoescape=True)
        wanted = wanted.where(sa.or_(by_name, TABLES.c.id.startswith(text, autoescape=True)))
    if before is not None:
        wanted = wanted.where(TABLES.c.changed < before)
    wanted = wanted.order_by(TABLES.c.changed.desc(), TABLES.c.id.desc()).limit(most)
    listed = transaction.execute(wanted).all()
    seated = sa.select(OWNERS).where(OWNERS.c.table_id.in_([row.id for row in listed]))
    owners = {(row.table_id, row.seat): row.guest for row in transaction.execute(seated)}
    rated = results.rated_among(transaction, [row.id for row in listed])
    return tuple(
        ListedTable(
            card := msgspec.json.decode(row.card, type=Card),
            tuple(owners.get((row.id, seat), "") for seat in range(card.seats)),
            row.opener,
            row.length,
            row.size,
            row.id in rated,
        )
        for row in listed
    )


@query
def guests(transaction: Transaction, most: int = 20) -> tuple[ListedGuest, ...]:
    """Guests who need the host first: blocked, reported, with many tables; then those seen last."""
    seats = (
        sa.select(OWNERS, TABLES.c.card, TABLES.c.status)
        .join(TABLES, TABLES.c.id == OWNERS.c.table_id)
        .order_by(OWNERS.c.changed.desc())
        .limit(SEATS_READ)
    )
    opened = (
        sa.select(TABLES.c.opener, sa.func.count().label("number"))
        .where(TABLES.c.created > transaction.now - HOUR)
        .group_by(TABLES.c.opener)
    )
    lately = {row.opener: row.number for row in transaction.execute(opened)}
    found: dict[str, ListedGuest] = {}
    counted: set[tuple[str, str]] = set()
    for row in transaction.execute(seats):
        card: Card = msgspec.json.decode(row.card, type=Card)
        name = card.names[int(row.seat)]
        known = found.get(row.guest) or ListedGuest(
            row.guest, name, 0, lately.get(row.guest, 0), row.changed
        )
        more = row.status != Status.OVER and (row.guest, row.table_id) not in counted
        counted.add((row.guest, row.table_id))
        found[row.guest] = replace(known, tables=known.tables + more)
    for report in reports(transaction):
        if report.guest:
            known = found.get(report.guest) or ListedGuest(report.guest, report.name, 0, 0, 0)
            found[report.guest] = replace(known, reports=known.reports + 1)
    for block in decisions(transaction).blocks:
        if block.kind is Blocked.GUEST:
            known = found.get(block.what) or ListedGuest(block.what, "", 0, 0, block.since)
            found[block.what] = replace(known, block=block)

    def need(guest: ListedGuest) -> tuple[bool, int, int, int]:
        return guest.block is None, -guest.reports, -guest.opened, -guest.seen

    return tuple(sorted(found.values(), key=need)[:most])


@query
def totals(transaction: Transaction) -> tuple[dict[str, int], int]:
    """The number of tables by status, and about how many bytes all of them take up."""
    wanted = sa.select(
        TABLES.c.status, sa.func.count().label("number"), sa.func.sum(TABLES.c.size).label("size")
    ).group_by(TABLES.c.status)
    rows = transaction.execute(wanted).all()
    return {row.status: row.number for row in rows}, sum(int(row.size or 0) for row in rows)


@query
def count_guests(transaction: Transaction, since: int) -> int:
    """The number of guests at tables that have changed since then."""
    seen = sa.select(sa.func.count(sa.distinct(OWNERS.c.guest))).where(OWNERS.c.changed > since)
    return transaction.scalar(seen) or 0


class SeatLink(Value, tag=False):
    """The token of a seat: whoever has it can play there."""

    seat: int
    name: str
    token: str


@query
def seat_links(transaction: Transaction, table: str) -> tuple[SeatLink, ...]:
    """New links for the people at a table, for a host to pass on. Raises AdminError."""
    stored = transaction.load(table, lock=False)
    if stored is None:
        raise AdminError(f"there is no table {table}")
    found = folding.fold(stored.charter, stored.entries)
    decided = decisions(transaction)
    keys = Keys(decided.secret, b"", {each.guest: each for each in decided.guest_statuses})
    return tuple(
        SeatLink(seat, occupant.name, keys.seat_token(found, Seat(seat)))
        for seat, occupant in enumerate(found.occupants)
        if occupant.guest
    )


# --- What belongs to a person ----------------------------------------------------------------

REPORTED: Final = tuple(column for column in REPORTS.c if column is not REPORTS.c.guest)
"""What a reporter may know: not who is behind the name that they reported."""


def _reports(transaction: Transaction, guest: str) -> Rows:
    return rows_in(transaction, sa.select(*REPORTED).where(REPORTS.c.reporter == guest))


def _forget_reports(transaction: Transaction, guest: str) -> None:
    """A report about them stays while nobody has dealt with it."""
    transaction.update(REPORTS, REPORTS.c.reporter == guest, reporter=log.GONE, reporter_name="")
    resolved = (REPORTS.c.guest == guest, REPORTS.c.resolved != "")
    transaction.update(REPORTS, *resolved, guest=log.GONE, name="", said="")


def _decisions(transaction: Transaction, guest: str) -> Rows:
    return (
        *rows_in(transaction, sa.select(GUEST_STATUS).where(GUEST_STATUS.c.guest == guest)),
        *rows_in(transaction, sa.select(BLOCKS).where(BLOCKS.c.what == guest)),
    )


def _forget_decisions(transaction: Transaction, guest: str) -> None:
    """A block stays, and when they were logged out: tokens from before must not become valid."""
    mine = GUEST_STATUS.c.guest == guest
    transaction.remove(GUEST_STATUS, mine, GUEST_STATUS.c.logged_out == 0)
    transaction.update(GUEST_STATUS, mine, name="", renamed=0)


PERSONAL_DATA: Final = (
    PersonalData("reports", REPORTS, _reports, _forget_reports),
    PersonalData("decisions", GUEST_STATUS, _decisions, _forget_decisions),
)
