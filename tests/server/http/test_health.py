"""Health: a server that can read but not write says so, logs the cause once and counts failures."""

import json
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from tests.support.web_server import Running, serving

from mauerwerk.server.database import sqlite
from mauerwerk.server.http import health

ORDER = {"game": "mauer", "chairs": [{"kind": "human"}] * 3}


@pytest.fixture(autouse=True)
def _checks_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No result of a check stands for longer than this test wants."""
    monkeypatch.setattr(health, "PROBED", 0.0)


@contextmanager
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Generator[None, None, None]:
    """While this lasts, the file may not grow, as on a disk that is full."""
    real = sqlite.connect

    def connect(path: Path, mode: str) -> sqlite3.Connection:
        connection = real(path, mode)
        if mode == "rw":
            connection.execute("PRAGMA query_only = ON")
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(sqlite, "connect", connect)
        yield


def break_connection(site: Running) -> None:
    """Let the writer connect anew, so that it meets the disk as it is now."""
    store = site.app.state.host.store
    assert store._writer  # noqa: SLF001
    store._writer._disconnect()  # noqa: SLF001 - what a full disk leads to


def test_a_full_disk_is_told_logged_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Reading goes on; when there is room again, that is told too."""
    with serving(tmp_path) as site:
        ada = site.guest()
        with full_disk(monkeypatch):
            break_connection(site)
            refused = [ada.client.post("/api/tables", json=ORDER) for _ in range(3)]
            broken = site.client().get("/healthz")
            unready = site.client().get("/readyz")
            metrics = site.client().get("/metrics")
        whole = site.client().get("/healthz")
        opened = ada.client.post("/api/tables", json=ORDER)

    assert {answer.status_code for answer in refused} == {503}
    assert broken.status_code == unready.status_code == 503
    assert json.loads(broken.text) == {"status": "broken", "reading": "ok", "writing": "broken"}
    assert metrics.status_code == 200
    failed = [line for line in metrics.text.splitlines() if line.startswith("mauerwerk_failed_wr")]
    assert failed[0].split()[0] == "mauerwerk_failed_writes_total"
    assert float(failed[0].split()[1]) >= 4.0
    assert whole.status_code == 200
    assert opened.status_code == 201
    told = [message for message in caplog.messages if "stor" in message]
    assert len(told) == 2
    assert told[0].startswith("nothing can be stored: ")
    assert told[1] == "storing works again"


def test_what_could_not_be_written_is_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A check stands for a while, but not once something else has shown that it is wrong."""
    monkeypatch.setattr(health, "PROBED", 1_000.0)
    with serving(tmp_path) as site:
        ada = site.guest()
        before = site.client().get("/healthz")
        with full_disk(monkeypatch):
            break_connection(site)
            ada.client.post("/api/tables", json=ORDER)
            broken = site.client().get("/healthz")

    assert (before.status_code, broken.status_code) == (200, 503)


def test_a_database_that_hangs_is_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks for health is answered in time, though nothing can be written meanwhile."""
    monkeypatch.setattr(health, "DATABASE_SECONDS", 0.05)
    hangs = Event()
    with serving(tmp_path) as site:
        store: Any = site.app.state.host.store
        writer = store._writer  # noqa: SLF001 - its thread
        monkeypatch.setattr(writer, "_connected", hangs.wait)
        try:
            answer = site.client().get("/healthz")
        finally:
            monkeypatch.undo()
            hangs.set()

    assert answer.json() == {"status": "broken", "reading": "ok", "writing": "broken"}


def test_metrics_are_there_without_a_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are wanted most when something fails; only the number of tables is missing."""
    with serving(tmp_path) as site:

        async def count() -> dict[str, int]:
            raise OSError("no such file")

        monkeypatch.setattr(site.app.state.host.store, "count", count)
        answer = site.client().get("/metrics")

    assert answer.status_code == 200
    assert "mauerwerk_connections " in answer.text
    assert "mauerwerk_tables{" not in answer.text


def test_a_server_that_stops_is_not_ready(tmp_path: Path) -> None:
    """A proxy sends players elsewhere, while requests under way are finished."""
    with serving(tmp_path) as site:
        before = site.client().get("/readyz").status_code
        site.app.streams.closed = True
        after = site.client().get("/readyz")

    assert before == 200
    assert (after.status_code, after.json()["status"]) == (503, "stopping")


def test_health_is_for_everybody(site: Running) -> None:
    """Anybody can ask whether the process and its database work."""
    assert json.loads(site.client().get("/healthz").text) == {
        "status": "ok",
        "reading": "ok",
        "writing": "ok",
    }
