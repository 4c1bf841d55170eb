"""Players report a name or behaviour at their table, and the host of the server sees it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.web_server import Player, Running, serving

from mauerwerk.server.features.moderation.state import Report
from mauerwerk.server.features.moderation.store import reports
from mauerwerk.server.http.settings import Limits, Settings


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Running]:
    """A running server, at which a client may report four times at once."""
    settings = Settings(limits=Limits(requests=10_000, burst=10_000, reports=8))
    with serving(tmp_path / "data", settings) as site:
        yield site


@pytest.fixture
def table(site: Running) -> tuple[str, Player, Player]:
    """A table at which Ada and Bob sit."""
    ada, bob = site.browser("Ada"), site.browser("Bob <b>")
    name = ada.open("ooo", mine=[0])["table"]
    assert bob.post(f"/api/tables/{name}/sit", seat=1).status_code == 200
    return name, ada, bob


def kept(site: Running) -> list[Report]:
    """The reports that wait for the host."""
    found: list[Report] = []
    site.write(lambda transaction: found.extend(reports(transaction)))
    return found


def test_a_player_is_reported_with_one_tap(
    site: Running, table: tuple[str, Player, Player]
) -> None:
    """The page offers each other player, and says thank you. The same again is one report."""
    name, ada, _ = table
    page = ada.get(f"/t/{name}").text
    assert 'value="name-1"' in page
    assert 'value="name-0"' not in page
    for text in ("", "really"):
        sent = ada.client.post(
            f"/t/{name}/report", data={"what": "name-1", "text": text}, follow_redirects=True
        )
        assert "Thank you" in sent.text
    (report,) = kept(site)
    assert (report.about, report.name, report.seat, report.text) == ("name", "Bob <b>", 1, "really")
    assert report.reporter_name == "Ada"


def test_who_does_not_sit_there_reports_nobody(
    site: Running, table: tuple[str, Player, Player]
) -> None:
    """Neither strangers nor oneself, nor an empty seat."""
    name, ada, _ = table
    path = f"/api/tables/{name}/reports"
    assert site.guest("Eve").post(path, seat=1).status_code == 403
    assert ada.post(path, seat=0).status_code == 422
    assert ada.post(path, seat=2).status_code == 422
    assert ada.post(path, seat=-1).status_code == 422
    assert 'id="report"' not in site.browser().get(f"/t/{name}").text


def test_reports_have_a_limit(table: tuple[str, Player, Player]) -> None:
    """Nobody fills the host's page."""
    name, _, bob = table
    path = f"/api/tables/{name}/reports"
    statuses = [bob.post(path, about="name", seat=0).status_code for _ in range(5)]
    assert statuses[0] == 200
    assert statuses[-1] == 429
