"""Metrics: those of each server, in its own registry."""

import asyncio
import time
from pathlib import Path

import pytest
from tests.support.web_server import serving

from mauerwerk.core.game import NATURE, Seat
from mauerwerk.server.app import App
from mauerwerk.server.database.connect import store_at
from mauerwerk.server.engine.events import EntriesStored
from mauerwerk.server.engine.host import Host
from mauerwerk.server.http import metrics as loop_lag
from mauerwerk.server.http.metrics import BOUNDS, Metrics
from mauerwerk.server.http.settings import Limits, Settings
from mauerwerk.server.tables.log import Entry, Kind


def lines(metrics: Metrics, **tables: int) -> list[str]:
    """The samples, without the comments."""
    text = metrics.text(tables).decode()
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_servers_share_no_metrics() -> None:
    """Two servers in one process count separately."""
    one, other = Metrics(), Metrics()
    one.show_level("streams", "Streams.", lambda: 3)
    one.show_count("failures", "Failures.", lambda: 4)
    one.show_counts("refusals", "Refusals.", {"tables": 2, "guests": 5})
    one.count_request("GET", "/", 200)

    assert 'mauerwerk_requests_total{method="GET",route="/",status="200"} 1.0' in lines(one)
    assert "mauerwerk_streams 3.0" in lines(one)
    assert "mauerwerk_failures_total 4.0" in lines(one)
    refusals = [line for line in lines(one) if line.startswith("mauerwerk_refusals")]
    assert refusals == [
        'mauerwerk_refusals_total{what="guests"} 5.0',
        'mauerwerk_refusals_total{what="tables"} 2.0',
    ]
    assert [line for line in lines(other) if line.startswith("mauerwerk_requests")] == []


def test_methods_that_nobody_uses_are_counted_together() -> None:
    """A client may choose among dozens at each address, and none makes a series of its own."""
    metrics = Metrics()
    for method in ("PUT", "DELETE", "PROPFIND", "M-SEARCH"):
        metrics.count_request(method, "/", 405)

    found = [line for line in lines(metrics) if line.startswith("mauerwerk_requests")]
    assert found == ['mauerwerk_requests_total{method="other",route="/",status="405"} 4.0']


def test_a_commit_is_measured_and_its_moves_are_counted() -> None:
    """Only players' moves count; every bucket has a line, and no series has its age."""
    metrics = Metrics()
    entries = [
        Entry(seq=number, at=0, kind=kind, seat=seat)
        for number, (kind, seat) in enumerate(
            [(Kind.MOVE, Seat(0)), (Kind.MOVE, NATURE), (Kind.SIT, Seat(1)), (Kind.MOVE, Seat(2))]
        )
    ]
    metrics.observe_commit(EntriesStored(entries, 0.003))
    metrics.observe_commit(EntriesStored([], 7.0))
    shown = lines(metrics, open=2)

    assert "mauerwerk_moves_total 2.0" in shown
    assert 'mauerwerk_tables{status="open"} 2.0' in shown
    assert 'mauerwerk_commit_seconds_bucket{le="0.0025"} 0.0' in shown
    assert 'mauerwerk_commit_seconds_bucket{le="0.005"} 1.0' in shown
    assert 'mauerwerk_commit_seconds_bucket{le="+Inf"} 2.0' in shown
    assert len([line for line in shown if "commit_seconds_bucket" in line]) == len(BOUNDS) + 1
    assert not any("_created" in line for line in shown)


def test_the_event_loop_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is late by as long as something kept it busy."""
    monkeypatch.setattr(loop_lag, "PERIOD", 0.001)

    async def busy() -> float:
        lag: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        watching = asyncio.create_task(loop_lag.measure_lag(lag.set_result))
        await asyncio.sleep(0)
        time.sleep(0.02)  # noqa: ASYNC251 - this is what is measured
        late = await lag
        watching.cancel()
        return late

    assert asyncio.run(busy()) >= 0.015


def test_the_process_and_its_tables_are_measured(tmp_path: Path) -> None:
    """Memory and open files have the names that all programs use."""
    app = App(Host(store_at(tmp_path)))
    figures = dict(line.rsplit(" ", 1) for line in lines(app.metrics))

    assert float(figures["process_resident_memory_bytes"]) > 1e6
    assert 3 < float(figures["process_open_fds"]) < float(figures["process_max_fds"])
    assert figures["mauerwerk_live_tables"] == figures["mauerwerk_live_table_bytes"] == "0.0"
    assert figures["mauerwerk_bots_waiting"] == figures["mauerwerk_bots_waiting_alone"] == "0.0"


def test_metrics_are_for_the_people_who_run_the_server(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Metrics can be read from this machine, not through a proxy, or with the token."""
    settings = Settings(metrics_token="open-sesame", limits=Limits(requests=0))  # noqa: S106
    with serving(tmp_path_factory.mktemp("data"), settings) as site:
        began = time.monotonic()
        ada = site.guest()
        table = ada.open(mine=[0, 1, 2])["table"]
        ada.move(table, "T", seat=0)
        text = site.client().get("/metrics").text
        took = time.monotonic() - began
        proxied = site.client(x_forwarded_for="203.0.113.9")
        refused = proxied.get("/metrics")
        token = {"authorization": "Bearer open-sesame"}
        allowed = proxied.get("/metrics", headers=token)
        wrong = proxied.get("/metrics", headers={"authorization": "Bearer sesame"})

    assert [refused.status_code, allowed.status_code, wrong.status_code] == [403, 200, 403]
    figures = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    route = 'method="POST",route="/api/tables/{table}/moves",status="200"'
    assert figures[f"mauerwerk_requests_total{{{route}}}"] == "1.0"
    assert figures["mauerwerk_moves_total"] == "1.0"
    assert figures["mauerwerk_streams"] == "0.0"
    assert figures["mauerwerk_live_tables"] == "1.0"
    assert float(figures["mauerwerk_live_table_bytes"]) > 1_000
    assert figures['mauerwerk_tables{status="running"}'] == "1.0"
    assert figures["mauerwerk_commit_seconds_count"] == "2.0"
    assert figures['mauerwerk_commit_seconds_bucket{le="+Inf"}'] == "2.0"
    assert 0 < float(figures["mauerwerk_commit_seconds_sum"]) < took
    assert "_created" not in text
