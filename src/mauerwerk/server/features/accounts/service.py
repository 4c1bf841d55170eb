"""What guests can ask about themselves: to get their data, and to be forgotten; their browsers."""

import io
import zipfile
from typing import Final

import msgspec

from mauerwerk.core.game import Value
from mauerwerk.server.database.changes import ChangeKind, record_change
from mauerwerk.server.database.queries import command
from mauerwerk.server.database.store import Store
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.accounts import store
from mauerwerk.server.features.retention import store as retention
from mauerwerk.server.http.request import Request
from mauerwerk.server.tables.charter import Guest

README: Final = """\
This is all that the server has stored about you.

data.json has each table at which you sat or which you opened, the names that you gave there, and
what else names you. In the folder games is the record of each finished game; mauerwerk replay FILE
tells it, and the page Replay of any server shows it.
"""


async def export(database: Store, guest: Guest) -> bytes:
    """A ZIP file with all that is stored about a guest."""
    data, records = await store.data_of(database, guest.id, guest.name)
    await record_change(database, guest.id, ChangeKind.TAKEN_ALONG)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", README)
        archive.writestr("data.json", msgspec.json.format(msgspec.json.encode(data)))
        for name, text in records.items():
            archive.writestr(name, text)
    return file.getvalue()


_leave_and_forget = command(by="guest")(retention.leave_and_forget)


@command(by="guest", lasting="forget")
def _finish(transaction: Transaction, guest: str) -> None:
    """Forget the rest; after an older backup was restored, that is all of it."""
    for table in retention.tables_naming(transaction, guest):
        retention.leave_and_forget(transaction, table, guest)
    store.log_out_everywhere(transaction, guest)
    retention.forget_elsewhere(transaction, guest)


async def forget(database: Store, guest: Guest) -> int:
    """Remove a guest from everything that is stored; from how many tables.

    Where a game goes on, a bot plays in their place. It is done table by table, so that nobody else
    has to wait for all of it. At the end no token of the guest is valid any more.
    """
    tables = await retention.tables_naming(database, guest.id)
    for table in tables:
        await _leave_and_forget(database, table, guest.id)
    await _finish(database, guest.id)
    return len(tables)


# --- Browsers --------------------------------------------------------------------------------

BROWSERS: Final = {
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Chrome/": "Chrome",
    "CriOS/": "Chrome",
    "Safari/": "Safari",
}
"""By what each says of itself; the first that is found counts, since most name others, too."""

SYSTEMS: Final = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}


class Browser(Value):
    """A browser and the system it runs on."""

    label: str
    phone: bool


def browser_of(request: Request) -> Browser:
    """The browser of a visit; what it says of itself need not be true."""
    return named_by(request.headers.get("user-agent", ""))


def named_by(said: str) -> Browser:
    """The browser that calls itself so.

    >>> named_by("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0").label
    'Firefox, Linux'
    """
    names = [
        next((name for word, name in known.items() if word in said), "")
        for known in (BROWSERS, SYSTEMS)
    ]
    label = ", ".join(name for name in names if name)
    return Browser(label, phone="Mobi" in said or "iPhone" in said)
