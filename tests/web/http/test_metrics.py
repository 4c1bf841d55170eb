"""Metrics: those of each server, in its own registry."""

import pytest
from tests.support.web_server import serving

from mauerwerk.core.game import NATURE, Seat
from mauerwerk.play.tables.entries import Entry, Kind
from mauerwerk.web.http.metrics import BOUNDS, Metrics
from mauerwerk.web.http.settings import Limits, Settings


def lines(metrics: Metrics, **tables: int) -> list[str]:
    """The samples, without the comments."""
    text = metrics.text(tables).decode()
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_servers_share_no_metrics() -> None:
    """Two servers in one process count separately."""
    one, other = Metrics(), Metrics()
    one.show_level("streams", "Streams.", lambda: 3)
    one.show_count("refusals", "Refusals.", lambda: 4)
    one.count_request("GET", "/", 200)

    assert 'mauerwerk_requests_total{method="GET",route="/",status="200"} 1.0' in lines(one)
    assert "mauerwerk_streams 3.0" in lines(one)
    assert "mauerwerk_refusals_total 4.0" in lines(one)
    assert [line for line in lines(other) if line.startswith("mauerwerk_requests")] == []


def test_a_commit_is_measured_and_its_moves_are_counted() -> None:
    """Only players' moves count; every bucket has a line, and no series has its age."""
    metrics = Metrics()
    entries = [
        Entry(seq=number, at=0, kind=kind, seat=seat)
        for number, (kind, seat) in enumerate(
            [(Kind.MOVE, Seat(0)), (Kind.MOVE, NATURE), (Kind.SIT, Seat(1)), (Kind.MOVE, Seat(2))]
        )
    ]
    metrics.observe_commit(entries, 0.003)
    metrics.observe_commit([], 7.0)
    shown = lines(metrics, open=2)

    assert "mauerwerk_moves_total 2.0" in shown
    assert 'mauerwerk_tables{status="open"} 2.0' in shown
    assert 'mauerwerk_commit_seconds_bucket{le="0.0025"} 0.0' in shown
    assert 'mauerwerk_commit_seconds_bucket{le="0.005"} 1.0' in shown
    assert 'mauerwerk_commit_seconds_bucket{le="+Inf"} 2.0' in shown
    assert len([line for line in shown if "_bucket" in line]) == len(BOUNDS) + 1
    assert not any("_created" in line for line in shown)


def test_metrics_are_for_the_people_who_run_the_server(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Metrics can be read from this machine, not through a proxy, or with the token."""
    settings = Settings(metrics_token="open-sesame", limits=Limits(requests=0))  # noqa: S106
    with serving(tmp_path_factory.mktemp("data"), settings) as site:
        ada = site.guest()
        table = ada.open(mine=[0, 1, 2])["table"]
        ada.move(table, "T", seat=0)
        text = site.client().get("/metrics").text
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
    assert figures['mauerwerk_tables{status="running"}'] == "1.0"
    assert figures["mauerwerk_commit_seconds_count"] == "2.0"
    assert figures['mauerwerk_commit_seconds_bucket{le="+Inf"}'] == "2.0"
    assert "_created" not in text
