"""Pages for owners of the printed games."""

import pytest
from tests.support.web_pages import look
from tests.support.web_server import Running

from mauerwerk.server.games import WEB_GAMES

pytestmark = pytest.mark.slow

PAGES = (
    "/real",
    "/real/dice",
    *(each.real_table.link for each in WEB_GAMES.values() if each.real_table),
)


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", ["en", "de", "it"])
def test_every_page_is_there_in_every_language(site: Running, path: str, language: str) -> None:
    """For anybody, without a name, and with no style or script in it."""
    page = look(site.anybody(), path, accept_language=language)
    assert page.answer.status_code == 200
    assert f'<html lang="{language}"' in page.html
    assert " style=" not in page.html
    assert page.answer.headers.get("set-cookie") is None


def test_each_game_says_what_it_offers(site: Running) -> None:
    """In a line of its own, with a link; and whether people can roll themselves."""
    index, real = (look(site.anybody(), path) for path in ("/real", "/real/dice"))
    for name, game in WEB_GAMES.items():
        assert game.real_table is not None
        assert game.real_table.line in index.text
        assert f'href="{game.real_table.link}"' in index.html
        for dice in ("players", "scribe"):
            offered = f'href="/new/{name}?dice={dice}"' in real.html
            assert offered is (dice in game.real_table.dice)
