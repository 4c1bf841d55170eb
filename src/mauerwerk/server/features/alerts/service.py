"""Looks every few minutes for what the hosts should see to, and tells them if they wish.

The page for hosts shows it at once. A message goes out when something is found that was not there
before, and again after a day. Which server sends it is decided in the database.
"""

import asyncio
import logging
import re
import shutil
import time
from collections.abc import Mapping
from contextlib import suppress
from email.message import EmailMessage
from email.utils import formatdate
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import quote

import msgspec
from msgspec import Meta

from mauerwerk import __version__
from mauerwerk.core.game import Value
from mauerwerk.core.language import ENGLISH, Language, message
from mauerwerk.server.background import BackgroundService
from mauerwerk.server.database.backup import last_backup
from mauerwerk.server.database.errors import StorageError
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.alerts import store
from mauerwerk.server.features.notifications.delivery import Mail, send
from mauerwerk.server.features.notifications.store import CONFIRM, EMAIL, PUSH, State, count_items
from mauerwerk.server.http import outgoing
from mauerwerk.server.http.outgoing import OutgoingError, Reach
from mauerwerk.server.http.settings import Settings, SettingsError

_log = logging.getLogger(__name__)
EVERY: Final = 300.0
"""Seconds between two looks."""
DAY: Final = 86_400
LONGEST_INDEX: Final = 5_000_000
"""The most bytes of an index of releases that are read."""
NUMBERS: Final = re.compile(r"v?(\d{1,9}(?:\.\d{1,9}){0,5})", re.ASCII)
ADDRESS: Final = re.compile(r"[!-?A-~]+@[!-?A-~]+")
"""Perhaps one on this machine, such as `root@localhost`."""
BY_HOST: Final = Reach(anywhere=True)
WATCHED: Final = (PUSH, EMAIL, CONFIRM)
"""The ways of the server itself. An address of somebody's own that refuses messages is theirs to
mend, and nobody is to alarm the hosts by it."""

TEXTS: Final = {
    "storing": message("Something could not be stored."),
    "no_backup": message("There is no backup yet."),
    "backup": message("The last backup is older than a day."),
    "disk": message("The disk is {percent} % full."),
    "notifications": message("{number} notifications could not be sent in 24 hours."),
    "release": message("Mauerwerk {new} is out; this server runs {old}."),
}
"""What is told about each."""


class Alerts(Value, tag=False):
    """When hosts are warned, and how; the page for hosts shows it in any case."""

    disk_percent: Annotated[int, Meta(ge=1, le=100)] = 90
    """From when on a disk counts as full."""
    failed_notifications: Annotated[int, Meta(ge=1)] = 20
    """From when on so many that could not be sent in a day are pointed out."""
    email: tuple[str, ...] = ()
    """Addresses that are written to, by the server in [mail]."""
    ntfy: str = ""
    """The address of a topic of ntfy that gets a message."""


class Releases(Value, tag=False):
    """A notice of newer releases; nothing is asked for unless the host says where."""

    index: str = ""
    """The address of JSON that names the newest version; `{version}` stands for this one."""


class Alert(Value):
    """Something that the hosts should see to."""

    kind: str
    values: tuple[tuple[str, str | int], ...] = ()

    def words(self, language: Language) -> str:
        """As a sentence."""
        return language(TEXTS[self.kind], **dict(self.values))


class Watch(BackgroundService):
    """Knows what the hosts should see to."""

    def __init__(self, host: Host, settings: Settings) -> None:
        """Nothing is looked at yet. Raises SettingsError."""
        super().__init__(_log, "could not look for what the hosts should see to")
        self._host = host
        self._folder = settings.folder
        self._backups = settings.backups.folder
        self._alerts = settings.section(Alerts)
        self._mail = settings.section(Mail)
        self._index = settings.section(Releases).index
        self._address = settings.address
        self._asked = -DAY * 1_000.0
        self._told: dict[str, int] = {}
        """What this process has told lately, and when; for times when nothing can be stored."""
        self.newer = ""
        """The newest release, if it is newer than this program."""

        for address in self._alerts.email:
            if ADDRESS.fullmatch(address) is None:
                raise SettingsError(f"[alerts]: email: {address!r} is not an address")
        if self._alerts.email and not self._mail.server:
            raise SettingsError("[alerts]: email needs a server in [mail]")
        for name, url in (
            ("[alerts]: ntfy", self._alerts.ntfy),
            ("[releases]: index", self._index),
        ):
            try:
                outgoing.checked_url(url.replace("{version}", "0") or "https://x.example", BY_HOST)
            except OutgoingError as fault:
                raise SettingsError(f"{name}: {url}: {fault}") from None

    async def begin(self) -> None:
        """Look from now on, if anybody is to be told or something to be asked for."""
        if self._alerts.email or self._alerts.ntfy or self._index:
            self._background.repeat(self.look, EVERY)

    # --- What there is -----------------------------------------------------------------------

    def disk_used(self) -> float:
        """How full the disk is with the tables, or if fuller, that with the backups: from 0 to 1.

        Raises OSError.
        """
        places = [each for each in (self._folder, self._backups) if each and Path(each).exists()]
        usages = [shutil.disk_usage(each) for each in places or ["/"]]
        return max(1 - usage.free / max(1, usage.total) for usage in usages)

    def backup_age(self) -> float:
        """Seconds since the last backup. Raises OSError if there is none, or nobody knows where."""
        found = last_backup(Path(self._backups)) if self._backups else None
        if found is None:
            raise OSError("there is no backup")
        return time.time() - found.timestamp()

    def found(self, sent: Mapping[str, int]) -> tuple[Alert, ...]:
        """All that there is now; `sent` is how the notifications of the last day went."""
        alerts: list[Alert] = []
        if time.time() - self._host.store.failed_at < DAY:
            alerts.append(Alert("storing"))
        try:
            if self._backups and self.backup_age() > DAY:
                alerts.append(Alert("backup"))
        except OSError:
            alerts.append(Alert("no_backup"))
        with suppress(OSError):
            percent = round(100 * self.disk_used())
            if percent >= self._alerts.disk_percent:
                alerts.append(Alert("disk", (("percent", percent),)))
        failed = sent.get(State.FAILED, 0) + sent.get(State.UNKNOWN, 0)
        if failed >= self._alerts.failed_notifications:
            alerts.append(Alert("notifications", (("number", failed),)))
        if self.newer:
            alerts.append(Alert("release", (("new", self.newer), ("old", __version__))))
        return tuple(alerts)

    # --- Telling the hosts -------------------------------------------------------------------

    async def look(self) -> None:
        """Find out what there is, and tell what is new."""
        await self._ask_for_releases()
        now = self._host.now()
        sent: Mapping[str, int] = {}
        with suppress(StorageError):
            await self._host.store.try_writing()  # where nobody plays, nobody else would notice
            sent = await count_items(self._host.store, now - DAY * 1_000, WATCHED)
        alerts = self.found(sent)
        if not (self._alerts.email or self._alerts.ntfy):
            return
        new = await self._to_tell(tuple(each.kind for each in alerts), now)
        said = [each.words(ENGLISH) for each in alerts if each.kind in new]
        if said and not await self._tell("\n".join(said)):
            self._told = {each: at for each, at in self._told.items() if each not in new}
            with suppress(StorageError):
                await store.forget_told(self._host.store, new)

    async def _to_tell(self, kinds: tuple[str, ...], now: int) -> frozenset[str]:
        """Those of these alerts that are to be told now.

        If that cannot be stored, which hosts must hear above all, several servers may tell them.
        """
        new = frozenset(each for each in kinds if self._told.get(each, 0) <= now - DAY * 1_000)
        with suppress(StorageError):
            new &= await store.to_tell(self._host.store, kinds, now)
        self._told = {each: now if each in new else self._told.get(each, 0) for each in kinds}
        return new

    async def _tell(self, text: str) -> bool:
        """Send a message to the hosts; whether somebody took it."""
        took = False
        for address in self._alerts.email:
            letter = EmailMessage()
            letter["From"], letter["To"] = self._mail.sender, address
            letter["Subject"] = "Mauerwerk: see to your server"
            letter["Date"] = formatdate()
            letter["Auto-Submitted"] = "auto-generated"
            letter.set_content(f"{text}\n\n{self._address}/admin\n")
            took |= (await asyncio.to_thread(send, letter, self._mail, lambda: True)) == "sent"
        if self._alerts.ntfy:
            parts = outgoing.checked_url(self._alerts.ntfy, BY_HOST)
            with suppress(OSError, TimeoutError):
                headers = {"title": "Mauerwerk", "tags": "warning"}
                status = await outgoing.post(parts, text.encode(), headers, BY_HOST)
                took |= outgoing.is_success(status)
        return took

    # --- Releases ----------------------------------------------------------------------------

    async def _ask_for_releases(self) -> None:
        """Once a day, where the host has named an index."""
        if not self._index or time.monotonic() - self._asked < DAY:
            return
        self._asked = time.monotonic()
        url = self._index.replace("{version}", quote(__version__))
        try:
            status, body = await outgoing.get(
                outgoing.checked_url(url, BY_HOST), BY_HOST, most=LONGEST_INDEX
            )
        except (OSError, TimeoutError):
            return
        latest = version_in(body) if outgoing.is_success(status) else ""
        self.newer = latest if is_newer(latest, __version__) else ""


class Info(msgspec.Struct, frozen=True):
    """The part of PyPI's index that names a version."""

    version: str = ""


class Index(msgspec.Struct, frozen=True):
    """What an index of releases may say."""

    info: Info = Info()
    version: str = ""
    tag_name: str = ""


def version_in(body: bytes) -> str:
    """The newest version that an index names, as those of PyPI, GitHub and Gitea do, or our own.

    >>> version_in(b'{"info": {"version": "0.3.0"}}'), version_in(b'{"tag_name": "v0.3.0"}')
    ('0.3.0', '0.3.0')
    >>> version_in(b'{"version": "0.3.0"}'), version_in(b'[]'), version_in(b'<html>')
    ('0.3.0', '', '')
    """
    try:
        said = msgspec.json.decode(body, type=Index)
    except msgspec.DecodeError:
        return ""
    named = said.info.version or said.version or said.tag_name
    matched = NUMBERS.fullmatch(named)
    return matched[1] if matched else ""  # not one that is tried out, such as 0.3.0rc1


def is_newer(version: str, than: str) -> bool:
    """Whether a version comes after another.

    >>> is_newer("0.10.0", "0.9.3"), is_newer("0.2.0", "0.2.0"), is_newer("", "0.2.0")
    (True, False, False)
    """
    found = [NUMBERS.match(each) for each in (version, than)]
    one, other = (tuple(map(int, each[1].split("."))) if each else () for each in found)
    return bool(one) and one > other
