"""The big screen: what a spectator sees, whoever opens it, and the way to a free seat."""

import re
from contextlib import AbstractContextManager
from itertools import takewhile

from httpx import Response
from tests.support.web_pages import look
from tests.support.web_server import Player, Running


def test_a_screen_shows_no_hand_not_even_to_its_owner(site: Running) -> None:
    """Ada has closed her fist: on her own page she sees the piece, on the screen nobody does."""
    ada = site.browser("Ada")
    table = ada.open("hbb", mine=[0], bot_delay_ms=60_000)["table"]
    assert ada.move(table, "T", seat=0).status_code == 200
    own, screen = (look(ada, f"/t/{table}{path}") for path in ("", "/screen"))

    assert 'id="tray"' in own.html
    assert 'id="tray"' not in screen.html
    assert "data-word" not in screen.html
    stage = re.search(r"<main.*?</main>", screen.html, re.DOTALL)
    assert stage
    assert 'href="#piece-T"' not in stage[0]


def test_the_code_of_a_kept_seat_is_for_who_hands_out_links(site: Running) -> None:
    """Others who open the screen see no code; for seats that are open to all everybody does."""
    ada, bo = site.browser("Ada"), site.browser("Bo")
    kept, free = (ada.open(chairs, mine=[0])["table"] for chairs in ("hhh", "hoo"))

    assert "Scan to sit down" in look(ada, f"/t/{kept}/screen").text
    assert "Scan to sit down" not in look(bo, f"/t/{kept}/screen").text
    assert "Scan to sit down" in look(bo, f"/t/{free}/screen").text
    assert f"/t/{free}" in look(bo, f"/t/{free}/screen").text


def test_where_nobody_may_watch_there_is_no_screen(site: Running) -> None:
    """Not even for a player, who could show it to others."""
    ada = site.browser("Ada")
    table = ada.open("hbb", mine=[0], spectator_delay=-1, bot_delay_ms=60_000)["table"]

    assert look(ada, f"/t/{table}/screen").answer.status_code == 403


def test_a_screen_is_as_far_behind_as_spectators_are(site: Running) -> None:
    """The fists of the first turn are open; where spectators are late, no screen shows a piece."""
    shown: dict[int, str] = {}
    for delay in (0, 9):
        ada = site.browser("Ada")
        table = ada.open("hhh", mine=[0, 1, 2], options={"first": "0"}, spectator_delay=delay)[
            "table"
        ]
        for seat, word in enumerate(("6", "-", "-")):
            assert ada.move(table, word, seat=seat).status_code == 200
        found = re.search(r"<main.*?</main>", look(ada, f"/t/{table}/screen").html, re.DOTALL)
        assert found
        shown[delay] = found[0]

    assert "Ada is starting the wall with a 6." in shown[0]
    assert "with a 6" not in shown[9]
    assert "piece-6" not in shown[9]


def streams(who: Player, path: str) -> AbstractContextManager[Response]:
    """What is told there, for as long as it is read."""
    return who.client.stream("GET", path)


def test_players_know_of_a_screen_in_their_room(site: Running) -> None:
    """Spectators are not told, and a stranger's screen at a public table is none of theirs."""
    ada, bo = site.browser("Ada"), site.browser("Bo")
    own, listed = (
        ada.open("hbb", mine=[0], bot_delay_ms=60_000, public=public)["table"]
        for public in (False, True)
    )
    with (
        streams(bo, f"/t/{own}/screen/live?seat=watch"),
        streams(bo, f"/t/{listed}/screen/live?seat=watch"),
    ):
        assert "On the big screen" in look(ada, f"/t/{own}").html
        assert "On the big screen" not in look(bo, f"/t/{own}").html
        assert "On the big screen" not in look(ada, f"/t/{listed}").html
        with streams(ada, f"/t/{listed}/screen/live?seat=watch"):
            assert "On the big screen" in look(ada, f"/t/{listed}").html


def test_going_on_is_told_once_and_only_where_there_is_a_screen(site: Running) -> None:
    """A player who presses ends the moment on all pages; a spectator ends nothing."""
    ada, bo = site.browser("Ada"), site.browser("Bo")
    table = ada.open("hhh", mine=[0, 1, 2], options={"first": "0"}, public=False)["table"]
    path = f"/t/{table}"

    def play(*words: str) -> int:
        """The number that spectators have been told since."""
        for seat, word in enumerate(words):
            assert ada.move(table, word, seat=seat).status_code == 200
        number: int = bo.table_view(table)["number"]
        return number

    def press(who: Player, number: int) -> int:
        form = {"seat": "0", "number": str(number), "pressed": "1"}
        return who.client.post(f"{path}/seen", data=form).status_code

    first = play("6", "-", "-")
    assert press(ada, first) == 204  # nobody is there to be told
    with streams(bo, f"{path}/screen/live?seat=watch") as told:
        lines = told.iter_lines()
        assert "event: table" in lines
        assert press(bo, first) == 403
        assert press(ada, first) == press(ada, first) == press(ada, first + 9) == 204
        play(ada.table_view(table, seat=0)["legal"][0]["move"])
        ended = [*takewhile(lambda line: line != "event: table", lines)]
    assert ended.count("event: on") == 1
    assert ended[ended.index("event: on") + 1] == f"data: {first}"
