"""What is stored about a person: an account's own part of it, and all of it as a file."""

import io
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from mauerwerk.core.game import Value
from mauerwerk.server.database import personal_data
from mauerwerk.server.database.personal_data import of_guest
from mauerwerk.server.database.queries import query
from mauerwerk.server.database.schema import DEVICES, ENTRIES, TABLES
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.accounts import schema
from mauerwerk.server.features.retention.store import tables_naming
from mauerwerk.server.tables.charter import Charter
from mauerwerk.server.tables.log import GONE, Kind
from mauerwerk.server.tables.table import Card


def _forget_devices(transaction: Transaction, guest: str) -> None:
    """They are signed out; what remains says that, and not whose they were."""
    transaction.execute(
        sa.update(DEVICES)
        .where(DEVICES.c.guest == guest)
        .values(guest=GONE, label="", ended=sa.func.coalesce(DEVICES.c.ended, transaction.now))
    )


PERSONAL_DATA: Final = (
    of_guest("person", schema.ACCOUNTS, "handle"),
    of_guest("passkeys", schema.PASSKEYS, "public_key", "sign_count"),
    of_guest("recovery_codes", schema.RECOVERY_CODES, "hash"),
    of_guest("devices", DEVICES, "id")._replace(forget=_forget_devices),
    of_guest("device_links", schema.DEVICE_LINKS, "hash", "browser", "code"),
)


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
def data_of(
    transaction: Transaction, guest: str, name: str
) -> tuple[dict[str, Any], dict[str, str]]:
    """Everything that names a guest, and the records of their games by file name."""
    records: dict[str, str] = {}
    tables: list[GuestTable] = []
    for table in tables_naming(transaction, guest):
        row = transaction.execute(sa.select(TABLES).where(TABLES.c.id == table)).one()
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
    personal = {each.name: each.taken(transaction, guest) for each in personal_data.everything()}
    return {"guest": guest, "name": name, "tables": tables, **personal}, records


def _sat(transaction: Transaction, table: str, guest: str) -> list[tuple[str, int]]:
    """The names and seats of a guest at a table. The log may be long, and is not read for it."""
    wanted = (
        sa.select(ENTRIES.c.word, ENTRIES.c.seat)
        .where(ENTRIES.c.table_id == table, ENTRIES.c.guest == guest, ENTRIES.c.guest != "")
        .where(ENTRIES.c.kind == Kind.SIT)
        .order_by(ENTRIES.c.seq)
    )
    return [(row.word, row.seat) for row in transaction.execute(wanted)]


def zipped(data: Mapping[str, Any], records: dict[str, str]) -> bytes:
    """All of it as one file."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", README)
        archive.writestr("data.json", msgspec.json.format(msgspec.json.encode(data)))
        for name, text in records.items():
            archive.writestr(name, text)
    return file.getvalue()
