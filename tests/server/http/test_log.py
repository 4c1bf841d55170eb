"""The log of a server."""

import asyncio
import json
import logging
from types import SimpleNamespace
from typing import Any, cast

import pytest
from starlette.types import Scope
from tests.support.web_server import serving

from mauerwerk.server.http import log
from mauerwerk.server.http.log import LogHandler
from mauerwerk.server.http.metrics import Metrics


def test_the_log_tells_no_secrets(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Each line has the route instead of the path: no token, no name, no address."""
    with serving(tmp_path_factory.mktemp("data")) as site:
        ada = site.browser("Ada")
        opened = ada.open(mine=[0])
        link = opened["seats"][1]
        site.anybody().get(link["link"].removeprefix(site.address))
        site.bearer(link["token"]).get(f"/api/tables/{opened['table']}", seat=1)
        site.anybody().post(f"/api/tables/{opened['table']}/claim", token=link["token"], name="Bob")
        logged, lines = site.log, b"".join(site.lines).decode()
        secrets = [link["token"], opened["table"], "Ada", "Bob", "127.0.0.1", "?", "eyJ"]

    assert [secret for secret in secrets if secret in lines] == []
    assert {"at", "method", "route", "status", "ms"} == set(logged[0])
    assert all(0 < line["ms"] < 60_000 for line in logged)
    assert "/t/{table}/s/{seat}/{token}" in {line["route"] for line in logged}


def test_a_line_says_how_long_a_request_took(monkeypatch: pytest.MonkeyPatch) -> None:
    """In milliseconds, to the thousandth."""
    times = iter((10.0, 10.25, 10.2500041))
    monkeypatch.setattr(log, "time", SimpleNamespace(perf_counter=lambda: next(times)))
    written: list[bytes] = []

    async def app(*_: object) -> None:
        pass

    observed = log.Observed(app, Metrics(), {}, written.append)
    asyncio.run(observed({"method": "GET"}, cast("Any", None), cast("Any", None)))
    assert json.loads(written[0])["ms"] == 250.004


def test_a_quiet_server_still_logs_what_breaks() -> None:
    """Nobody could find the fault otherwise."""
    written: list[bytes] = []

    async def app(scope: Scope, *_: object) -> None:
        if scope["path"] == "/breaks":
            raise ZeroDivisionError("deep inside")

    async def send(_: object) -> None:
        pass

    observed = log.Observed(app, Metrics(), {}, written.append, every=False)
    for path in ("/", "/breaks"):
        scope = {"type": "http", "method": "GET", "path": path, "headers": ()}
        asyncio.run(observed(scope, cast("Any", None), send))
    (line,) = written
    assert any("deep inside" in part for part in json.loads(line)["trace"])


def test_what_breaks_is_logged_and_answered(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client gets an error like any other; the trace is only in the log."""

    async def breaks(*_: object, **__: object) -> None:
        raise ZeroDivisionError("deep inside")

    with serving(tmp_path_factory.mktemp("data")) as site:
        monkeypatch.setattr(site.app.state.host.store, "lobby", breaks)
        answer = site.client().get("/api/tables")
        page = site.client().get("/")
        health = site.client().get("/healthz")
        log = site.log

    assert (answer.status_code, answer.json()["error"]) == (500, "broken")
    assert "deep inside" not in answer.text
    assert page.status_code == 500
    assert "<h1>Something broke here; it was not your fault</h1>" in page.text
    for line in log[:2]:
        assert any("deep inside" in part for part in line["trace"])
    assert (health.status_code, health.json()["reading"]) == (503, "broken")


def test_other_reports_are_lines_too() -> None:
    """A report of another part of the program is a line with its trace."""
    lines: list[bytes] = []
    logger = logging.Logger("somewhere")  # noqa: LOG001 - one that nobody else has
    logger.addHandler(LogHandler(lines.append))
    logger.error("a bot failed", exc_info=ZeroDivisionError("deep inside"))

    note = json.loads(lines[0])
    assert (note["level"], note["message"]) == ("error", "a bot failed")
    assert any("deep inside" in part for part in note["trace"])
