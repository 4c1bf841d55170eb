"""A game that is only in GAMES, without a room, can be played on the pages."""

from collections.abc import Generator

import pytest
from tests.support.web_pages import Page, look, sent
from tests.support.web_server import Running, serving
from tests.web.games.coins import COINS

from mauerwerk.games import GAMES
from mauerwerk.web.games import WEB_GAMES, web_game


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Generator[Running, None, None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(GAMES, COINS.NAME, COINS)
        with serving(tmp_path_factory.mktemp("coins")) as running:
            yield running


def set_up(site: Running, **fields: str) -> Page:
    """A table for three people at one device."""
    chairs = {"name": "Ada", "seat-0": "me", "seat-1": "here", "seat-2": "here"}
    return sent(site.browser(), "/new/coins", **chairs, **fields)


def played_on(page: Page) -> Page:
    """The page after the next choice, whoever's turn it is at the device."""
    if "Pass the device" in page.text:
        path = page.html.split('class="btn brick" href="', 1)[1].split('"', 1)[0]
        page = look(page.player, path)
    return page.send("/move", word="heads")


def test_the_home_page_offers_it(site: Running) -> None:
    """With its title and seats; it has neither lesson nor rules, so there are no links to them."""
    page = look(site.browser(), "/")

    assert 'name="game" value="coins"' in page.html
    assert 'href="/new/coins"' in page.html
    assert "3–4" in page.text  # noqa: RUF001 - as it is printed
    assert "/rules/coins" not in page.html
    assert "/learn/coins" not in page.html


@pytest.mark.parametrize("path", ["/rules/coins", "/learn/coins", "/learn/coins/1"])
def test_what_it_does_not_bring_is_not_there(site: Running, path: str) -> None:
    """The page says so in words."""
    page = look(site.browser(), path)

    assert page.answer.status_code == 404
    assert "There is nothing here." in page.text


def test_its_text_is_the_board_and_its_choices_are_buttons(site: Running) -> None:
    """Text is escaped; each legal action is a button, and there is a list of seats."""
    page = set_up(site)
    page = look(page.player, f"{page.path}?seat=0")

    assert "<pre" in page.main
    assert "chosen: &lt;-&gt;" in page.main
    assert page.words() == ["heads", "tails"]
    assert 'id="seats"' in page.main
    assert "/rules/coins" not in page.html


def test_a_game_is_played_to_its_end_and_replayed(site: Running) -> None:
    """The choices of three seats, the house's tosses, the result; then every position again."""
    page = set_up(site)
    for _ in range(6):
        page = played_on(page)
    assert "The game is over" in page.text
    table = page.path.partition("?")[0]

    for at in range(9):
        for seat in ("all", "0"):
            replay = look(page.player, f"{table}/replay?at={at}&seat={seat}")
            assert replay.answer.status_code == 200
            assert "<pre" in replay.main
            assert 'id="hands"' not in replay.html


def test_chance_by_hand_is_a_list_of_what_can_happen(site: Running) -> None:
    """Without a form of its own a game offers all that its `odds` name."""
    page = set_up(site, chance="all")
    for _ in range(3):
        page = played_on(page)

    assert "What happened?" in page.text
    assert '<option value="heads">Heads</option>' in page.html
    page = page.send("/chance", **{"word-0": "tails"})
    assert "The coin shows tails." in page.text


def test_a_stream_shows_the_moves_of_others(site: Running) -> None:
    """The page of a spectator is drawn anew after a move."""
    page = set_up(site)
    table = page.path.partition("?")[0]
    with site.browser().client.stream("GET", f"{table}/live?after=0") as stream:
        assert stream.status_code == 200
        lines = stream.iter_lines()
        assert any("<pre" in line for line in lines)


def test_a_room_can_bring_nothing_but_a_box(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game without a room gets a box from its title and seats."""
    monkeypatch.setitem(GAMES, COINS.NAME, COINS)
    room = web_game("coins")

    assert (room.box.title, room.box.seats, room.box.players) == ("Coins", 3, "3–4")  # noqa: RUF001
    assert (room.rulebook, room.lesson, room.picture, room.hand) == (None, None, "", None)
    assert "coins" not in WEB_GAMES
