"""What the people who run a server look at: tables, guests, reports."""

from collections.abc import Iterable
from typing import Any, Final, Literal, TypeAlias, get_args

import msgspec
import sqlalchemy as sa

from mauerwerk.core.game import Seat, Value
from mauerwerk.server.database.schema import OWNERS, TABLES
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.engine.blocklist import Block, Blocked
from mauerwerk.server.features.moderation import schema, state, store
from mauerwerk.server.keys import Keys
from mauerwerk.server.tables.folding import fold
from mauerwerk.server.tables.table import Card, Status

Filter: TypeAlias = Literal["all", "open", "running", "finished", "silent"]
"""Which tables: by how far they are; or those that nobody has touched for a week."""

FILTERS: Final[tuple[Filter, ...]] = get_args(Filter)

SILENT: Final = 7 * 86_400_000
"""Milliseconds after which a table that is not over is silent."""

HOUR: Final = 3_600_000
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
        named = TABLES.c.card.icontains(_in_json(text), autoescape=True)
        wanted = wanted.where(sa.or_(named, TABLES.c.id.startswith(text, autoescape=True)))
    if before is not None:
        wanted = wanted.where(TABLES.c.changed < before)
    wanted = wanted.order_by(TABLES.c.changed.desc(), TABLES.c.id.desc()).limit(most)
    rows = transaction.execute(wanted).all()
    seated = sa.select(OWNERS).where(OWNERS.c.table_id.in_([row.id for row in rows]))
    owners = transaction.execute(seated).all()
    return tuple(_listed(row, (each for each in owners if each.table_id == row.id)) for row in rows)


def _in_json(text: str) -> str:
    return msgspec.json.encode(text).decode().strip('"')


def _listed(row: sa.Row[Any], owners: Iterable[sa.Row[Any]]) -> ListedTable:
    card = msgspec.json.decode(row.card, type=Card)
    held = {each.seat: each.guest for each in owners}
    guests = tuple(held.get(seat, "") for seat in range(card.seats))
    return ListedTable(card, guests, row.opener, row.length, row.size)


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
        found[row.guest] = msgspec.structs.replace(known, tables=known.tables + more)
    for report in reports(transaction):
        if report.guest:
            known = found.get(report.guest) or ListedGuest(report.guest, report.name, 0, 0, 0)
            found[report.guest] = msgspec.structs.replace(known, reports=known.reports + 1)
    for block in store.decisions(transaction).blocks:
        if block.kind is Blocked.GUEST:
            known = found.get(block.what) or ListedGuest(block.what, "", 0, 0, block.since)
            found[block.what] = msgspec.structs.replace(known, block=block)
    return tuple(sorted(found.values(), key=_need)[:most])


def _need(guest: ListedGuest) -> tuple[bool, int, int, int]:
    return guest.block is None, -guest.reports, -guest.opened, -guest.seen


def totals(transaction: Transaction) -> tuple[dict[str, int], int]:
    """The number of tables by status, and about how many bytes all of them take up."""
    wanted = sa.select(
        TABLES.c.status, sa.func.count().label("number"), sa.func.sum(TABLES.c.size).label("size")
    ).group_by(TABLES.c.status)
    rows = transaction.execute(wanted).all()
    return {row.status: row.number for row in rows}, sum(int(row.size or 0) for row in rows)


def count_guests(transaction: Transaction, since: int) -> int:
    """The number of guests at tables that have changed since then."""
    seen = sa.select(sa.func.count(sa.distinct(OWNERS.c.guest))).where(OWNERS.c.changed > since)
    return transaction.scalar(seen) or 0


def reports(
    transaction: Transaction, *, resolved: bool = False, most: int = 200
) -> tuple[state.Report, ...]:
    """Reports that wait for the host, or those that were dealt with; the last first."""
    done = schema.REPORTS.c.resolved != ""
    wanted = sa.select(schema.REPORTS).where(done if resolved else ~done)
    rows = transaction.execute(wanted.order_by(schema.REPORTS.c.at.desc()).limit(most))
    return tuple(store.report_in(row) for row in rows)


class SeatLink(Value, tag=False):
    """The token of a seat: whoever has it can play there."""

    seat: int
    name: str
    token: str


def seat_links(transaction: Transaction, table: str) -> tuple[SeatLink, ...]:
    """New links for the people at a table, for a host to pass on. Raises AdminError."""
    stored = transaction.load(table, lock=False)
    if stored is None:
        raise state.AdminError(f"there is no table {table}")
    found = fold(stored.charter, stored.entries)
    decisions = store.decisions(transaction)
    keys = Keys(decisions.secret, b"", {each.guest: each for each in decisions.guest_statuses})
    return tuple(
        SeatLink(seat, occupant.name, keys.seat_token(found, Seat(seat)))
        for seat, occupant in enumerate(found.occupants)
        if occupant.guest
    )
