"""Hosts learn of old backups, a full disk, lost notifications and a new release."""

import asyncio
import shutil
import sqlite3
import time
from collections import namedtuple
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.support.hosts import folder, opened
from tests.support.notifications import Clock
from tests.support.web_pages import look
from tests.support.web_server import serving

from mauerwerk import __version__
from mauerwerk.server.database import sqlite
from mauerwerk.server.database.sqlite import SQLiteStore
from mauerwerk.server.features.alerts.service import Alerts, Releases, Watch
from mauerwerk.server.http import outgoing
from mauerwerk.server.http.settings import Admin, Backups, Limits, Settings, SettingsError

__all__ = ["folder"]  # pytest finds a fixture by its name

TOKEN = "correct horse battery staple"  # noqa: S105 - for tests
Usage = namedtuple("Usage", ("total", "used", "free"))  # noqa: PYI024 - as `shutil` has it
FULL = Usage(1_000, 950, 50)
ROOMY = Usage(1_000, 100, 900)


@pytest.fixture
def anyio_backend() -> str:
    """Tests that are coroutines run on asyncio."""
    return "asyncio"


@pytest.fixture(autouse=True)
def disk(monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: ANN401 - a function that sets it
    """A disk that is as full as the test says."""

    def set_to(usage: Usage) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)

    set_to(ROOMY)
    return set_to


class Web:
    """Takes requests, and answers with the same text."""

    def __init__(self) -> None:
        """Nothing has come yet."""
        self.status, self.answer, self.port = 200, b"", 0
        self.asked: list[str] = []
        self.bodies: list[str] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take one request."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = head.partition("content-length: ")[2].partition("\r\n")[0]
        self.asked.append(head.partition("\r\n")[0].rpartition(" ")[0])
        self.bodies.append((await reader.readexactly(int(length or 0))).decode())
        said = f"HTTP/1.1 {self.status} x\r\ncontent-length: {len(self.answer)}\r\n\r\n"
        writer.write(said.encode() + self.answer)
        await writer.drain()
        writer.close()
        await writer.wait_closed()


@asynccontextmanager
async def web() -> AsyncGenerator[Web, None]:
    """Such a server that is up."""
    found = Web()
    server = await asyncio.start_server(found.serve, "127.0.0.1", 0)
    found.port = server.sockets[0].getsockname()[1]
    async with server:
        yield found


def backup(folder: Path, age: timedelta) -> None:
    """A backup that was made then."""
    (folder / f"mauerwerk-{datetime.now(UTC) - age:%Y%m%dT%H%M%SZ}.db").touch()


@pytest.mark.anyio
async def test_what_is_found(folder: str, tmp_path: Path, disk: Any) -> None:  # noqa: ANN401
    """Nothing, where all is well; otherwise a line for each."""
    backups = tmp_path / "backups"
    backups.mkdir()
    async with opened(folder, Settings(backups=Backups(str(backups)))) as host:
        watch = host.service(Watch)

        def said(**sent: int) -> list[str]:
            return [each.kind for each in watch.found(sent)]

        assert said() == ["no_backup"]
        backup(backups, timedelta(hours=25))
        assert said() == ["backup"]
        backup(backups, timedelta(hours=23))
        assert said(failed=19, sent=500) == []
        assert said(failed=19, unknown=1) == ["notifications"]
        disk(FULL)
        assert said() == ["disk"]
        assert watch.disk_used() == pytest.approx(0.95)
        assert watch.backup_age() == pytest.approx(23 * 3_600, abs=60)


@pytest.mark.anyio
async def test_the_fuller_disk_counts(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Backups often have one of their own; where it is not mounted, that of the tables counts."""
    backups = tmp_path / "elsewhere"
    monkeypatch.setattr(shutil, "disk_usage", lambda it: FULL if it == str(backups) else ROOMY)
    async with opened(folder, Settings(backups=Backups(str(backups)))) as host:
        watch = host.service(Watch)
        assert watch.disk_used() == pytest.approx(0.1)
        backups.mkdir()
        assert watch.disk_used() == pytest.approx(0.95)
        assert [each.kind for each in watch.found({})] == ["no_backup", "disk"]


@pytest.mark.anyio
async def test_hosts_are_told_once(folder: str, clock: Clock, disk: Any) -> None:  # noqa: ANN401
    """By one of the servers; again after a day, or when it comes back."""
    async with web() as ntfy:
        settings = Settings(sections=(Alerts(ntfy=f"http://127.0.0.1:{ntfy.port}/hosts"),))
        async with opened(folder, clock=clock) as host:
            watch = Watch(host, settings)
            other = Watch(host, settings)
            await watch.look()
            assert ntfy.bodies == []
            disk(FULL)
            for each in (watch, other, watch):
                await each.look()
            assert ntfy.asked == ["post /hosts"]
            assert ntfy.bodies == ["The disk is 95\xa0% full."]
            clock.pass_by(86_401)
            await other.look()
            assert len(ntfy.bodies) == 2
            disk(ROOMY)
            await watch.look()
            disk(FULL)
            await watch.look()
            assert len(ntfy.bodies) == 3


@pytest.mark.anyio
async def test_what_nobody_took_is_told_again(folder: str, disk: Any) -> None:  # noqa: ANN401
    """The service was busy."""
    async with web() as ntfy:
        settings = Settings(sections=(Alerts(ntfy=f"http://127.0.0.1:{ntfy.port}/hosts"),))
        async with opened(folder) as host:
            watch = Watch(host, settings)
            disk(FULL)
            ntfy.status = 503
            await watch.look()
            ntfy.status = 200
            await watch.look()
            await watch.look()
            assert len(ntfy.bodies) == 2


@pytest.mark.anyio
async def test_hosts_hear_that_nothing_can_be_stored(
    tmp_path: Path,
    clock: Clock,
    disk: Any,  # noqa: ANN401
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """While it is so, which cannot be noted either; and no longer than a day after it was so."""
    real = sqlite.connect

    def connect(path: Path, mode: str) -> sqlite3.Connection:
        connection = real(path, mode)
        connection.execute("PRAGMA query_only = ON")
        return connection

    async with web() as ntfy:
        settings = Settings(sections=(Alerts(ntfy=f"http://127.0.0.1:{ntfy.port}/hosts"),))
        store = SQLiteStore(tmp_path / "mauerwerk.db")
        async with opened(store, clock=clock) as host:
            watch = Watch(host, settings)
            await watch.look()
            disk(FULL)
            with monkeypatch.context() as patch:
                patch.setattr(sqlite, "connect", connect)
                assert store._writer  # noqa: SLF001 - what a full disk leads to
                store._writer._disconnect()  # noqa: SLF001
                await watch.look()
                await watch.look()
            said = "Something could not be stored.\nThe disk is 95\xa0% full."
            assert ntfy.bodies == [said]
            store._writer._disconnect()  # noqa: SLF001
            await watch.look()
            assert ntfy.bodies == [said]
            disk(ROOMY)
            assert [each.kind for each in watch.found({})] == ["storing"]
            tomorrow = time.time() + 86_401
            monkeypatch.setattr(time, "time", lambda: tomorrow)
            assert watch.found({}) == ()


@pytest.mark.anyio
async def test_nothing_is_asked_for_by_default(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that is not told where to ask asks nobody."""

    async def get(*_: object, **__: object) -> None:
        raise AssertionError("nothing may be asked for")

    monkeypatch.setattr(outgoing, "get", get)
    async with opened(folder) as host:
        await host.service(Watch).look()
        assert host.service(Watch).newer == ""


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("answer", "status", "newer"),
    [
        (b'{"info": {"version": "99.1.0"}}', 200, "99.1.0"),
        (b'{"tag_name": "v99.1.0"}', 200, "99.1.0"),
        (msgspec.json.encode({"version": __version__}), 200, ""),
        (b'{"version": "0.0.1"}', 200, ""),
        (b'{"version": "99.1.0rc1"}', 200, ""),
        (b'{"version": 7}', 200, ""),
        (b'{"version": "' + b"9" * 5_000 + b'"}', 200, ""),
        (b"no json", 200, ""),
        (b'{"version": "99.1.0"}', 404, ""),
    ],
)
async def test_a_newer_release(folder: str, answer: bytes, status: int, newer: str) -> None:
    """An index is asked once a day, with the version of this program if it wants to know."""
    async with web() as index:
        index.answer, index.status = answer, status
        address = f"http://127.0.0.1:{index.port}/index.json?from={{version}}"
        async with opened(folder) as host:
            watch = Watch(host, Settings(sections=(Releases(address),)))
            await watch.look()
            await watch.look()
            assert watch.newer == newer
            assert index.asked[-1] == f"get /index.json?from={__version__}"
            assert len(index.asked) == 1
            assert [each.kind for each in watch.found({})] == ["release"] * bool(newer)


def test_the_page_and_the_metrics_show_it(tmp_path: Path, disk: Any) -> None:  # noqa: ANN401
    """In the host's language; the metrics have the figures themselves."""
    disk(FULL)
    (tmp_path / "backups").mkdir()
    settings = Settings(
        limits=Limits(requests=0),
        admins=(Admin(TOKEN),),
        backups=Backups(str(tmp_path / "backups")),
    )
    with serving(tmp_path / "data", settings) as site:
        host = site.browser()
        host.client.post("/admin/sign-in", data={"token": TOKEN})
        said = "There is no backup yet. The disk is 95\xa0% full."
        assert said in look(host, "/admin").main
        figures = site.client().get("/metrics").text
        assert "mauerwerk_disk_used_ratio 0.95" in figures
        assert "mauerwerk_backup_age_seconds" not in figures.replace("# ", "")
        backup(tmp_path / "backups", timedelta(hours=1))
        assert "mauerwerk_backup_age_seconds 36" in site.client().get("/metrics").text
        host.client.headers["accept-language"] = "de"
        assert "Die Platte ist zu 95\xa0% voll." in look(host, "/admin").main


def test_wrong_settings_are_refused(tmp_path: Path) -> None:
    """When the server starts."""
    for section, why in (
        (Alerts(email=("host@walls.example",)), "needs a server in"),
        (Alerts(email=("host",)), "email: 'host' is not an address"),
        (Alerts(email=("a@b.example\nBcc: c@d.example",)), "is not an address"),
        (Alerts(ntfy="walls"), r"\[alerts\]: ntfy: walls"),
        (Releases("ftp://x"), r"\[releases\]: index: ftp://x"),
    ):
        with (
            pytest.raises(SettingsError, match=why),
            serving(tmp_path, Settings(sections=(section,))),
        ):
            pass
