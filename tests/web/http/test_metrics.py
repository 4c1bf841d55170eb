"""Metrics: those of each server, in its own registry."""

from mauerwerk.core.game import NATURE, Seat
from mauerwerk.play.tables.entries import Entry, Kind
from mauerwerk.web.http.metrics import BOUNDS, Metrics


def lines(metrics: Metrics, **tables: int) -> list[str]:
    """The samples, without the comments."""
    text = metrics.text(tables).decode()
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_servers_share_no_metrics() -> None:
    """Two of them in one process count apart."""
    one, other = Metrics(), Metrics()
    one.show_level("streams", "Streams.", lambda: 3)
    one.show_count("refusals", "Refusals.", lambda: 4)
    one.count_request("GET", "/", 200)

    assert 'mauerwerk_requests_total{method="GET",route="/",status="200"} 1.0' in lines(one)
    assert "mauerwerk_streams 3.0" in lines(one)
    assert "mauerwerk_refusals_total 4.0" in lines(one)
    assert [line for line in lines(other) if line.startswith("mauerwerk_requests")] == []


def test_a_commit_is_measured_and_its_moves_are_counted() -> None:
    """Moves of players, not those of nature; every bucket has a line, and no series its age."""
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
