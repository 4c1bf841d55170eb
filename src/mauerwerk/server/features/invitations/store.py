"""Invitations to tables, among people who have played with each other.

Nobody learns the id of anybody else. People who want no invitations, from one person or from all,
are not offered as somebody to invite, and get none.
"""

from typing import Final

import msgspec
import sqlalchemy as sa

from mauerwerk.core.game import Value
from mauerwerk.server.database.personal_data import PersonalData, Rows, of_guest, rows_in
from mauerwerk.server.database.queries import command, query
from mauerwerk.server.database.schema import METADATA, NAMED, TABLES
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.matchmaking.store import SEEKS
from mauerwerk.server.features.results.store import Met, people_met
from mauerwerk.server.keys import new_id
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.tables.table import Card, Status

INVITATIONS: Final = sa.Table(
    "invitations",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("guest", sa.Text, nullable=False),  # who is invited
    sa.Column("inviter", sa.Text, nullable=False, info={NAMED: True}),
    sa.Column("name", sa.Text, nullable=False),  # of the inviter
    sa.Column("table_id", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Index("invitations_by_guest", "guest", "at"),
    sa.Index("invitations_by_inviter", "inviter", "at"),
)

REFUSED_INVITERS: Final = sa.Table(
    "refused_inviters",
    METADATA,
    sa.Column("guest", sa.Text, primary_key=True),
    sa.Column(
        "other", sa.Text, primary_key=True, info={NAMED: True}
    ),  # from whom they want none; empty: from nobody
    sa.Column("name", sa.Text, nullable=False),  # of the other, as they knew them
    sa.Index("refused_inviters_by_other", "other"),
)

NOBODY: Final = ""
"""In the place of a person, for somebody who wants no invitations at all."""
MOST: Final = 20
"""The most invitations that a person may have open, and that one may send in an hour."""
HOUR: Final = 3_600_000
DAY: Final = 24 * HOUR


class Invitation(Value, tag=False):
    """An invitation to a table that still has room."""

    id: str
    inviter: str
    name: str
    """Of the inviter."""
    card: Card


class Uninvited(Value, tag=False):
    """Somebody from whom a guest wants no invitations."""

    other: str
    name: str


@query
def people_to_invite(transaction: Transaction, guest: str) -> tuple[Met, ...]:
    """The people with whom a guest has played, as far as they take invitations from them."""
    met = people_met(transaction, guest)
    refused = sa.select(REFUSED_INVITERS.c.guest).where(
        REFUSED_INVITERS.c.guest.in_([each.guest for each in met]),
        REFUSED_INVITERS.c.other.in_([guest, NOBODY]),
    )
    unwilling = set(transaction.scalars(refused))
    return tuple(each for each in met if each.guest not in unwilling)


@command(by="invitation")
def invite(transaction: Transaction, inviter: Guest, guest: str, table: str) -> bool:
    """Invite somebody to a table, once; whether they were invited, now or before."""
    if guest not in {each.guest for each in people_to_invite(transaction, inviter.id)}:
        return False
    transaction.remove(INVITATIONS, INVITATIONS.c.at < transaction.now - DAY)
    sent = sa.select(INVITATIONS).where(
        INVITATIONS.c.inviter == inviter.id, INVITATIONS.c.at > transaction.now - HOUR
    )
    lately = transaction.execute(sent).all()
    if any(each.guest == guest and each.table_id == table for each in lately):
        return True
    theirs = transaction.count(INVITATIONS, INVITATIONS.c.guest == guest)
    if len(lately) >= MOST or theirs >= MOST:
        return False
    sender = {"inviter": inviter.id, "name": inviter.name, "at": transaction.now}
    transaction.insert(INVITATIONS, id=new_id(), guest=guest, table_id=table, **sender)
    return True


@query
def invited_to(transaction: Transaction, inviter: str, table: str) -> frozenset[str]:
    """The people whom somebody has invited to a table."""
    wanted = sa.select(INVITATIONS.c.guest).where(
        INVITATIONS.c.inviter == inviter, INVITATIONS.c.table_id == table
    )
    return frozenset(transaction.scalars(wanted))


@query
def invitations_of(transaction: Transaction, guest: str) -> tuple[Invitation, ...]:
    """The invitations of a guest to tables that wait for players, the newest first."""
    refused = sa.select(REFUSED_INVITERS.c.other).where(REFUSED_INVITERS.c.guest == guest)
    wanted = (
        sa.select(INVITATIONS, TABLES.c.card)
        .join(TABLES, TABLES.c.id == INVITATIONS.c.table_id)
        .where(
            INVITATIONS.c.guest == guest,
            INVITATIONS.c.at > transaction.now - DAY,
            TABLES.c.status == Status.OPEN.value,
            INVITATIONS.c.inviter.not_in(refused),
        )
        .order_by(INVITATIONS.c.at.desc(), INVITATIONS.c.id)
    )
    return tuple(
        Invitation(row.id, row.inviter, row.name, msgspec.json.decode(row.card, type=Card))
        for row in transaction.execute(wanted)
    )


@command(by="invitation")
def drop_invitation(transaction: Transaction, guest: str, invitation: str) -> None:
    """An invitation was taken or declined."""
    transaction.remove(INVITATIONS, INVITATIONS.c.id == invitation, INVITATIONS.c.guest == guest)


@command(by="invitation")
def refuse_from(transaction: Transaction, guest: str, invitation: str) -> None:
    """Take no more invitations from the person who sent this one."""
    row = transaction.execute(
        sa.select(INVITATIONS).where(INVITATIONS.c.id == invitation, INVITATIONS.c.guest == guest)
    ).first()
    if row is not None:
        _refuse(transaction, guest, Uninvited(row.inviter, row.name))


@command(by="invitation")
def refuse_all(transaction: Transaction, guest: str) -> None:
    """Take no invitations at all."""
    _refuse(transaction, guest, Uninvited(NOBODY, ""))


def _refuse(transaction: Transaction, guest: str, whom: Uninvited) -> None:
    allow(transaction, guest, whom.other)
    transaction.insert(REFUSED_INVITERS, guest=guest, other=whom.other, name=whom.name)
    theirs = INVITATIONS.c.guest == guest
    if whom.other != NOBODY:
        theirs &= INVITATIONS.c.inviter == whom.other
    transaction.remove(INVITATIONS, theirs)


@command(by="invitation")
def allow(transaction: Transaction, guest: str, other: str) -> None:
    """Take invitations from somebody again."""
    transaction.remove(
        REFUSED_INVITERS, REFUSED_INVITERS.c.guest == guest, REFUSED_INVITERS.c.other == other
    )


@query
def uninvited_by(transaction: Transaction, guest: str) -> tuple[Uninvited, ...]:
    """From whom a guest wants no invitations."""
    wanted = (
        sa.select(REFUSED_INVITERS)
        .where(REFUSED_INVITERS.c.guest == guest)
        .order_by(REFUSED_INVITERS.c.name, REFUSED_INVITERS.c.other)
    )
    return transaction.values(Uninvited, wanted)


# --- What belongs to a person ----------------------------------------------------------------


def _sent_and_got(transaction: Transaction, guest: str) -> Rows:
    """Invitations that they got, and that they sent; not the ids of others."""
    got = sa.select(INVITATIONS.c.name, INVITATIONS.c.table_id, INVITATIONS.c.at)
    sent = sa.select(INVITATIONS.c.table_id, INVITATIONS.c.at)
    return (
        *rows_in(transaction, got.where(INVITATIONS.c.guest == guest)),
        *rows_in(transaction, sent.where(INVITATIONS.c.inviter == guest)),
    )


def _forget(transaction: Transaction, guest: str) -> None:
    either = (INVITATIONS.c.guest == guest) | (INVITATIONS.c.inviter == guest)
    transaction.remove(INVITATIONS, either)


def _forget_uninvited(transaction: Transaction, guest: str) -> None:
    either = (REFUSED_INVITERS.c.guest == guest) | (REFUSED_INVITERS.c.other == guest)
    transaction.remove(REFUSED_INVITERS, either)


OF_GUEST: Final = (
    of_guest("seeks", SEEKS),
    PersonalData("invitations", INVITATIONS, _sent_and_got, _forget),
    of_guest("no_invitations_from", REFUSED_INVITERS, "other")._replace(forget=_forget_uninvited),
)
