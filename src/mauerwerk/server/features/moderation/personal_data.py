"""What moderation stores about people: their reports, and decisions about them."""

from typing import Final

import sqlalchemy as sa

from mauerwerk.server.database.personal_data import PersonalData, Rows, rows_in
from mauerwerk.server.database.schema import GUEST_STATUS
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.moderation.schema import BLOCKS, REPORTS
from mauerwerk.server.tables.log import GONE

REPORTED: Final = tuple(column for column in REPORTS.c if column is not REPORTS.c.guest)
"""What a reporter may know: not who is behind the name that they reported."""


def _reports(transaction: Transaction, guest: str) -> Rows:
    """What they reported to the people who run the server."""
    return rows_in(transaction, sa.select(*REPORTED).where(REPORTS.c.reporter == guest))


def _forget_reports(transaction: Transaction, guest: str) -> None:
    """A report about them stays while nobody has dealt with it."""
    transaction.execute(
        sa.update(REPORTS)
        .where(REPORTS.c.reporter == guest)
        .values(reporter=GONE, reporter_name="")
    )
    transaction.execute(
        sa.update(REPORTS)
        .where(REPORTS.c.guest == guest, REPORTS.c.resolved != "")
        .values(guest=GONE, name="", said="")
    )


def _decisions(transaction: Transaction, guest: str) -> Rows:
    """What the people who run the server decided about them."""
    return (
        *rows_in(transaction, sa.select(GUEST_STATUS).where(GUEST_STATUS.c.guest == guest)),
        *rows_in(transaction, sa.select(BLOCKS).where(BLOCKS.c.what == guest)),
    )


def _forget_decisions(transaction: Transaction, guest: str) -> None:
    """A block stays, and when they were logged out: tokens from before must not become valid."""
    mine = GUEST_STATUS.c.guest == guest
    transaction.execute(sa.delete(GUEST_STATUS).where(mine, GUEST_STATUS.c.logged_out == 0))
    transaction.execute(sa.update(GUEST_STATUS).where(mine).values(name="", renamed=0))


PERSONAL_DATA: Final = (
    PersonalData("reports", REPORTS, _reports, _forget_reports),
    PersonalData("decisions", GUEST_STATUS, _decisions, _forget_decisions),
)
