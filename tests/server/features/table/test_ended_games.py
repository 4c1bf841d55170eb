"""A game that was ended without a winner, on every page that shows games."""

import re
from pathlib import Path

from tests.support.web_server import serving

from mauerwerk.games import GAMES
from mauerwerk.server.database.connect import transaction_at
from mauerwerk.server.features.moderation import store as moderation
from mauerwerk.server.tables.log import Ending


def test_it_is_shown_everywhere(tmp_path: Path) -> None:
    """Its page says so and leads to the replay; the home page lists it without a place."""
    with serving(tmp_path) as site:
        ada = site.browser("Ada")
        tables = [ada.open("hhh", game=game, mine=[0, 1, 2])["table"] for game in GAMES]
        for table in tables:
            ada.post(f"/api/tables/{table}/away", seat=2, level="apprentice")
            assert "away, a bot plays" in site.browser().get(f"/t/{table}").text
        cookie = ada.client.cookies["mauerwerk"]
    with transaction_at(tmp_path, by="test") as transaction:
        assert all(
            moderation.end_table(transaction, table, why=Ending.ABANDONED) for table in tables
        )

    with serving(tmp_path) as site:
        ada = site.browser()
        ada.client.cookies.set("mauerwerk", cookie)
        assert ada.get("/").text.count("no winner") == len(tables)
        for table in tables:
            page = ada.get(f"/t/{table}")
            assert page.status_code == 200
            assert "The game was ended without a winner." in page.text
            assert 'id="move"' not in page.text
            assert '<main id="main" class="tablepage playing' in page.text
            assert re.search(r'<main [^>]*class="[^"]* stopped"', page.text)
            assert "away, a bot plays" not in page.text
            assert f'href="/t/{table}/replay"' in page.text
            assert f'action="/t/{table}/rematch"' in page.text
            assert ada.get(f"/t/{table}/replay").status_code == 200
            seen = ada.table_view(table, seat=0)
            assert (seen["status"], seen["ended"], seen["outcome"]) == ("over", "abandoned", None)
            assert ada.get(f"/api/tables/{table}/record").status_code == 200
            late = ada.post(f"/api/tables/{table}/moves", move="-", version=9, seat=0)
            assert late.status_code == 409
            assert ada.post(f"/api/tables/{table}/rematch").status_code == 200
