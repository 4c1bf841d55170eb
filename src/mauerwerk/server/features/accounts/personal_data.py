"""All that belongs to a person beside their tables: one list, to take along and to delete.

A feature that stores something about people adds an entry here, and nothing else: the file that
people download then has it, and it goes when they delete themselves.
"""

import io
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from mauerwerk.core.game import Value
from mauerwerk.server.database.personal_data import PersonalData, Rows, of_guest, rows_in
from mauerwerk.server.database.queries import query
from mauerwerk.server.database.schema import ENTRIES, TABLES
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.accounts import schema
from mauerwerk.server.features.chat.schema import CHAT_MESSAGES
from mauerwerk.server.features.evenings import store
from mauerwerk.server.features.invitations import store as invitations
from mauerwerk.server.features.moderation.schema import BLOCKS, GUEST_STATUS, REPORTS
from mauerwerk.server.features.notifications.schema import OUTBOX, PREFERENCES, PUSH_DEVICES, TURNS
from mauerwerk.server.features.results.schema import RATINGS, RESULTS
from mauerwerk.server.features.retention.policy import tables_naming
from mauerwerk.server.features.spectating.schema import FOLLOWS
from mauerwerk.server.tables.charter import Charter
from mauerwerk.server.tables.log import GONE, Kind
from mauerwerk.server.tables.table import Card

REPORTED: Final = tuple(column for column in REPORTS.c if column is not REPORTS.c.guest)
"""What a reporter may know: not who is behind the name that they reported."""


def _reports(transaction: Transaction, guest: str) -> Rows:
    """What they reported to the people who run the server."""
    return rows_in(transaction, sa.select(*REPORTED).where(REPORTS.c.reporter == guest))


def _forget_reports(transaction: Transaction, guest: str) -> None:
    """A report about them stays while nobody has dealt with it."""
    transaction.connection.execute(
        sa.update(REPORTS)
        .where(REPORTS.c.reporter == guest)
        .values(reporter=GONE, reporter_name="")
    )
    transaction.connection.execute(
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
    transaction.connection.execute(
        sa.delete(GUEST_STATUS).where(mine, GUEST_STATUS.c.logged_out == 0)
    )
    transaction.connection.execute(sa.update(GUEST_STATUS).where(mine).values(name="", renamed=0))


def _forget_devices(transaction: Transaction, guest: str) -> None:
    """They are signed out; what remains says that, and not whose they were."""
    transaction.connection.execute(
        sa.update(schema.DEVICES)
        .where(schema.DEVICES.c.guest == guest)
        .values(
            guest=GONE, label="", ended=sa.func.coalesce(schema.DEVICES.c.ended, transaction.now)
        )
    )


def _forget_results(transaction: Transaction, guest: str) -> None:
    """The others keep theirs, and how they placed."""
    transaction.connection.execute(
        sa.update(RESULTS).where(RESULTS.c.guest == guest).values(guest=GONE, counts="{}")
    )


_DEVICES: Final = of_guest("devices", schema.DEVICES, "id")
_RESULTS: Final = of_guest("results", RESULTS, "line", "number")

PERSONAL_DATA: Final = (
    of_guest("chat", CHAT_MESSAGES),
    of_guest("follows", FOLLOWS),
    of_guest("person", schema.ACCOUNTS, "handle"),
    of_guest("passkeys", schema.PASSKEYS, "public_key", "sign_count"),
    of_guest("recovery_codes", schema.RECOVERY_CODES, "hash"),
    _DEVICES._replace(forget=_forget_devices),
    of_guest("device_links", schema.DEVICE_LINKS, "hash", "browser", "code"),
    _RESULTS._replace(forget=_forget_results),
    of_guest("ratings", RATINGS),
    of_guest("calling", PREFERENCES, "proof", "stop"),
    of_guest("push_devices", PUSH_DEVICES, "auth"),
    of_guest("notifications", TURNS),
    of_guest("messages", OUTBOX),
    store.OF_GUEST,
    *invitations.OF_GUEST,
    PersonalData("reports", REPORTS, _reports, _forget_reports),
    PersonalData("decisions", GUEST_STATUS, _decisions, _forget_decisions),
)
"""In the order of the file."""


README: Final = """\
This is all that the server has stored about you.

data.json has each table at which you sat or which you opened, the names that you gave there, and
what else names you. In the folder games is the record of each finished game; mauerwerk replay FILE
tells it, and the page Replay of any server shows it.
"""


class GuestTable(Value, tag=False):
    """A table that names a guest."""

    table: str
    game: str
    rules: int
    status: str
    created: int
    """Milliseconds since 1970, like `changed`."""

    changed: int
    opened: bool
    """Whether they set it up."""

    names: tuple[str, ...]
    """The names under which they sat there."""

    seats: tuple[int, ...]
    """Where they sat."""

    record: str
    """The file with the game; empty while it goes on."""

    ranks: tuple[int, ...]
    points: tuple[int, ...]


@query
def personal_data(
    transaction: Transaction, guest: str, name: str
) -> tuple[dict[str, Any], dict[str, str]]:
    """Everything that names a guest, and the records of their games by file name."""
    records: dict[str, str] = {}
    tables: list[GuestTable] = []
    for table in tables_naming(transaction, guest):
        row = transaction.connection.execute(sa.select(TABLES).where(TABLES.c.id == table)).one()
        charter = msgspec.json.decode(row.charter, type=Charter)
        card = msgspec.json.decode(row.card, type=Card)
        sat = _sat(transaction, table, guest)
        day = datetime.fromtimestamp(row.created / 1_000, UTC).strftime("%Y-%m-%d")
        file = f"games/{day}-{row.game}-{table}.txt" if row.record else ""
        if row.record:
            records[file] = row.record
        tables.append(
            GuestTable(
                table=table,
                game=row.game,
                rules=row.rules,
                status=row.status,
                created=row.created,
                changed=row.changed,
                opened=charter.opener == guest,
                names=tuple(dict.fromkeys(name for name, _ in sat)),
                seats=tuple(dict.fromkeys(seat for _, seat in sat)),
                record=file,
                ranks=card.ranks,
                points=card.points,
            )
        )
    personal = {each.name: each.taken(transaction, guest) for each in PERSONAL_DATA}
    return {"guest": guest, "name": name, "tables": tables, **personal}, records


def _sat(transaction: Transaction, table: str, guest: str) -> list[tuple[str, int]]:
    """The names and seats of a guest at a table. The log may be long, and is not read for it."""
    wanted = (
        sa.select(ENTRIES.c.word, ENTRIES.c.seat)
        .where(ENTRIES.c.table_id == table, ENTRIES.c.guest == guest, ENTRIES.c.guest != "")
        .where(ENTRIES.c.kind == Kind.SIT)
        .order_by(ENTRIES.c.seq)
    )
    return [(row.word, row.seat) for row in transaction.connection.execute(wanted)]


def zipped(data: Mapping[str, Any], records: dict[str, str]) -> bytes:
    """All of it as one file."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", README)
        archive.writestr("data.json", msgspec.json.format(msgspec.json.encode(data)))
        for name, text in records.items():
            archive.writestr(name, text)
    return file.getvalue()
