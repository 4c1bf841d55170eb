"""Long stories: told in pages, so that nobody waits for those of another."""

from pathlib import Path

import pytest
from tests.support.web_server import Player, Running, serving

from mauerwerk.server.engine import host
from mauerwerk.server.http.settings import Limits, Settings
from mauerwerk.server.tables.notices import notices, pages


def long_table(site: Running, moves: int = 60) -> tuple[Player, str]:
    """A table at which a fist was changed many times."""
    ada = site.guest()
    table: str = ada.open("hhh", mine=[0, 1, 2])["table"]
    for number in range(moves):
        ada.move(table, "T4"[number % 2], seat=0)
    return ada, table


def test_a_story_is_told_in_pages(site: Running) -> None:
    """Page after page it is the whole story; what a viewer may not know leaves no gap."""
    ada, table = long_table(site)
    path = f"/api/tables/{table}/history"
    for seat in (0, 1):
        whole = ada.get(path, seat=seat, limit=500).json()
        told: list[object] = []
        after, more = 0, True
        while more:
            page = ada.get(path, seat=seat, limit=7, after=after).json()
            assert len(page["notices"]) <= 7
            told += page["notices"]
            after, more = page["notices"][-1]["number"], page["more"]
        assert told == whole["notices"]
        assert whole["more"] is False
        after_all = ada.get(path, seat=seat, after=after).json()
        assert after_all == {"notices": [], "more": False}


def test_a_stream_tells_what_was_missed_in_pages(
    site: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In order and without a gap, then what happens now."""
    monkeypatch.setattr(host, "MISSED_AT_ONCE", 5)
    ada, table = long_table(site, 20)
    with ada.listen(table, seat=0, after=0) as told:
        numbers = told.numbers(24)
        ada.move(table, "4", seat=1)
        numbers += told.numbers(1)
    assert numbers == list(range(1, 26))


def test_pages_are_made_when_they_are_asked_for(site: Running) -> None:
    """The second page costs nothing before somebody has read the first."""
    ada, table = long_table(site, 30)
    live = site.app.state.host.live_tables.get(table)
    assert live is not None
    del ada
    paged = list(pages(live.table, None, after=0, most=4))

    assert len(paged) > 1
    assert tuple(notice for page in paged for notice in page) == notices(live.table, None)


def test_telling_much_counts_as_many_requests(tmp_path: Path) -> None:
    """A client that asks for long stories uses up its requests sooner."""
    limits = Limits(requests=0.01, burst=260)
    with serving(tmp_path, Settings(limits=limits)) as site:
        ada, table = long_table(site, 60)
        path = f"/api/tables/{table}/history"
        answers: list[int] = []
        while len(answers) < 100 and answers.count(429) < 2:  # to refuse takes a second
            answers.append(ada.get(path, seat=0, limit=500).status_code)

    allowed = answers.index(429)
    assert allowed <= 260 // (60 // limits.notices)
    assert set(answers[allowed:]) == {429}
