"""How evenings are kept: read, written, found by guest, and forgotten with one."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec
import sqlalchemy as sa
from msgspec.structs import asdict, replace

from mauerwerk.core.game import Value
from mauerwerk.server.database.personal_data import PersonalData, Rows, rows_in
from mauerwerk.server.database.queries import command, query
from mauerwerk.server.database.schema import METADATA, NAMED, TABLES
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.evenings import values
from mauerwerk.server.tables import log, table

EVENINGS: Final = sa.Table(
    "evenings",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("changed", sa.BigInteger, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),  # how often it was changed
    sa.Column("plan", sa.Text, nullable=False),  # JSON; people are named by number only
)

EVENING_PEOPLE: Final = sa.Table(
    "evening_people",
    METADATA,
    sa.Column("evening", sa.Text, sa.ForeignKey(EVENINGS.c.id), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("guest", sa.Text, nullable=False, info={NAMED: True}),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("gone", sa.Boolean, nullable=False),  # they went home, or were forgotten
    sa.Index("evening_people_by_guest", "guest", "evening"),
    sqlite_with_rowid=False,
)

MOST_LISTED: Final = 12
"""The most evenings of a guest that are listed."""
KEPT: Final = 365 * 86_400_000
"""Milliseconds for which an evening is kept after its last change."""


class Plan(Value, tag=False):
    """What is kept of an evening in one piece."""

    rounds: tuple[values.Round, ...]
    way: values.Way
    seconds_per_move: int
    level: str


@command(by="evening")
def add(transaction: Transaction, id_: str, evening: values.Evening) -> None:
    """Keep a new evening, and delete those of long ago."""
    old = sa.select(EVENINGS.c.id).where(EVENINGS.c.changed < transaction.now - KEPT)
    transaction.remove(EVENING_PEOPLE, EVENING_PEOPLE.c.evening.in_(old))
    transaction.remove(EVENINGS, EVENINGS.c.changed < transaction.now - KEPT)
    times = {"created": evening.created, "changed": evening.created, "version": 0}
    transaction.insert(EVENINGS, id=id_, title=evening.title, plan=_plan(evening), **times)
    _put_people(transaction, id_, evening.people)


@query
def read(transaction: Transaction, id_: str, *, held: bool = False) -> values.Evening:
    """An evening; if `held`, nobody changes it meanwhile. Raises EveningError."""
    wanted = sa.select(EVENINGS).where(EVENINGS.c.id == id_)
    row = transaction.execute(wanted.with_for_update() if held else wanted).first()
    if row is None:
        raise values.EveningError(values.Hindrance.MISSING)
    people = sa.select(EVENING_PEOPLE, EVENING_PEOPLE.c.gone.label("left"))
    theirs = people.where(EVENING_PEOPLE.c.evening == id_).order_by(EVENING_PEOPLE.c.number)
    return values.Evening(
        title=row.title,
        people=transaction.values(values.Person, theirs),
        created=row.created,
        version=row.version,
        **asdict(msgspec.json.decode(row.plan, type=Plan)),
    )


@command(by="evening")
def change(
    transaction: Transaction, id_: str, work: Callable[[values.Evening], values.Evening]
) -> values.Evening:
    """Change an evening; what it is then. Raises EveningError, with nothing changed."""
    before = read(transaction, id_, held=True)
    after = work(before)
    if after == before:
        return before
    changed = replace(after, version=before.version + 1)
    values = {"title": changed.title, "version": changed.version, "plan": _plan(changed)}
    transaction.update(EVENINGS, EVENINGS.c.id == id_, changed=transaction.now, **values)
    if changed.people != before.people:
        _put_people(transaction, id_, changed.people)
    return changed


def _plan(evening: values.Evening) -> str:
    plan = Plan(evening.rounds, evening.way, evening.seconds_per_move, evening.level)
    return msgspec.json.encode(plan).decode()


def _put_people(transaction: Transaction, id_: str, people: Sequence[values.Person]) -> None:
    transaction.remove(EVENING_PEOPLE, EVENING_PEOPLE.c.evening == id_)
    rows = [{"evening": id_, **asdict(person)} for person in people]
    for row in rows:
        row["gone"] = row.pop("left")
    if rows:
        transaction.execute(sa.insert(EVENING_PEOPLE), rows)


@query
def cards_of(transaction: Transaction, tables: Sequence[str]) -> Mapping[str, table.Card]:
    """What the lobby would show of these tables, as far as they exist."""
    if not tables:
        return {}
    cards = transaction.cards(sa.select(TABLES.c.card).where(TABLES.c.id.in_(tables)))
    return {card.id: card for card in cards}


@query
def evenings_of(transaction: Transaction, guest: str) -> tuple[tuple[str, values.Evening], ...]:
    """The evenings in which a guest takes part, the last changed first."""
    wanted = (
        sa.select(EVENINGS.c.id)
        .join(EVENING_PEOPLE, EVENING_PEOPLE.c.evening == EVENINGS.c.id)
        .where(EVENING_PEOPLE.c.guest == guest, ~EVENING_PEOPLE.c.gone)
        .order_by(EVENINGS.c.changed.desc(), EVENINGS.c.id)
        .limit(MOST_LISTED)
    )
    return tuple((id_, read(transaction, id_)) for id_ in transaction.scalars(wanted).all())


def _taken(transaction: Transaction, guest: str) -> Rows:
    wanted = sa.select(
        EVENINGS.c.id, EVENINGS.c.title, EVENINGS.c.created, EVENING_PEOPLE.c.name
    ).join(EVENING_PEOPLE, EVENING_PEOPLE.c.evening == EVENINGS.c.id)
    return rows_in(transaction, wanted.where(EVENING_PEOPLE.c.guest == guest))


def _forget(transaction: Transaction, guest: str) -> None:
    """The ranking stays for the others, without the name; so goes a title that they wrote."""
    hosted = sa.select(EVENING_PEOPLE.c.evening).where(
        EVENING_PEOPLE.c.guest == guest, EVENING_PEOPLE.c.number == 0
    )
    transaction.update(EVENINGS, EVENINGS.c.id.in_(hosted), title="")
    nobody = {"guest": log.GONE, "name": log.ANONYMOUS, "gone": True}
    transaction.update(EVENING_PEOPLE, EVENING_PEOPLE.c.guest == guest, **nobody)


OF_GUEST = PersonalData("evenings", EVENING_PEOPLE, _taken, _forget)
