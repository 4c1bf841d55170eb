"""What was changed about how a guest is known, and when: so that people notice a thief."""

from enum import StrEnum
from typing import Final

import sqlalchemy as sa

from mauerwerk.core.game import Value
from mauerwerk.server.database.queries import command, query
from mauerwerk.server.database.schema import METADATA
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.keys import DAY, new_id

ACCOUNT_CHANGES: Final = sa.Table(
    "account_changes",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("what", sa.Text, nullable=False),
    sa.Column("label", sa.Text, nullable=False),  # the browser and system, if known
    sa.Index("account_changes_by_guest", "guest", "at"),
)

KEPT: Final = 180 * DAY
"""Milliseconds for which a change is known."""
MOST: Final = 100
"""How many of one guest are kept."""


class ChangeKind(StrEnum):
    """What was changed."""

    SIGNED_IN = "signed-in"
    RECOVERED = "recovered"
    JOINED = "joined"
    PASSKEY_MADE = "passkey-made"
    PASSKEY_REMOVED = "passkey-removed"
    CODES_MADE = "codes-made"
    ADDRESS = "address"
    RELAY = "relay"
    TAKEN_ALONG = "taken-along"
    SIGNED_OUT = "signed-out-elsewhere"


class Change(Value, tag=False):
    """One change."""

    at: int
    what: ChangeKind
    label: str


@command(by="guest")
def record_change(transaction: Transaction, guest: str, what: ChangeKind, label: str = "") -> None:
    """Note a change, and forget those that are old."""
    mine = ACCOUNT_CHANGES.c.guest == guest
    transaction.insert(
        ACCOUNT_CHANGES, id=new_id(), guest=guest, at=transaction.now, what=what, label=label
    )
    newest = sa.select(ACCOUNT_CHANGES.c.id).where(mine).order_by(ACCOUNT_CHANGES.c.at.desc())
    old = ACCOUNT_CHANGES.c.at < transaction.now - KEPT
    transaction.remove(
        ACCOUNT_CHANGES, mine, sa.or_(old, ACCOUNT_CHANGES.c.id.not_in(newest.limit(MOST)))
    )


@query
def changes_of(transaction: Transaction, guest: str, most: int) -> tuple[Change, ...]:
    """The last changes of a guest, the newest first."""
    mine = sa.select(ACCOUNT_CHANGES).where(ACCOUNT_CHANGES.c.guest == guest)
    return transaction.values(Change, mine.order_by(ACCOUNT_CHANGES.c.at.desc()).limit(most))
