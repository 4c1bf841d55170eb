"""What a choice would do, as the page asks for it: for one's own seat, and from its view alone."""

from typing import Any

import pytest
from tests.support.web_server import LEVEL, Player, Running

from mauerwerk.core.language import capital
from mauerwerk.games import mauer
from mauerwerk.server.games import web_game
from mauerwerk.server.games.room import Preview, WebGame

BOT = {"kind": "bot", "level": LEVEL}


def table_of(player: Player, people: int) -> str:
    """A new table of Die Mauer at which this player has the first seats, and bots the others."""
    chairs = [*[{"kind": "human"}] * people, *[BOT] * (3 - people)]
    mine = [*range(people)]
    made = player.post("/api/tables", game="mauer", chairs=chairs, mine=mine, bot_delay_ms=0)
    return f"/t/{made.json()['table']}"


def test_it_says_the_choice_where_the_game_says_no_more(
    site: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The button that confirms it says the same."""
    monkeypatch.setitem(web_game("mauer").__dict__, "preview", None)
    ada = site.browser("Ada")
    path = table_of(ada, 2)
    made = ada.get(f"{path}/preview", word="4", seat=0, opened=0).json()

    assert made["said"] == made["act"] == capital(mauer.say(mauer.parse("4")))
    assert (made["drawing"], made["badges"]) == ("", {})


def test_a_game_shows_what_it_does(site: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is given the view of the seat, and is asked once for the same."""
    asked: list[Any] = []

    def preview(view: Any, *more: Any) -> Preview:  # noqa: ANN401 - the game's own
        asked.append((view.seat, more[0]))
        return Preview("It is high.", act="Take it", badges={"tray": "+4"})

    monkeypatch.setitem(web_game("mauer").__dict__, "preview", preview)
    ada = site.browser("Ada")
    path = table_of(ada, 2)
    made = [ada.get(f"{path}/preview", word="4", seat=0, opened=0).json() for _ in range(2)]

    assert made[0] == made[1]
    assert (made[0]["sentence"], made[0]["act"], made[0]["badges"]) == (
        "It is high.",
        "Take it",
        {"tray": "+4"},
    )
    assert [seat for seat, _ in asked] == [0]


def test_nobody_looks_through_other_eyes(site: Running) -> None:
    """Not for another's seat, not as a spectator, and not behind the curtain."""
    ada, bo = site.browser("Ada"), site.browser("Bo")
    path = table_of(ada, 1)
    shared = table_of(ada, 2)

    assert ada.get(f"{path}/preview", word="4", seat=0).status_code == 200
    assert ada.get(f"{path}/preview", word="4", seat=1).status_code == 403
    assert bo.get(f"{path}/preview", word="4", seat=0).status_code == 403
    assert site.browser().get(f"{path}/preview", word="4").status_code == 401
    ada.move(shared.removeprefix("/t/"), "4", seat=0)
    assert ada.get(f"{shared}/preview", word="4", seat=0).status_code == 403


def test_only_what_can_be_chosen_now_is_shown(site: Running) -> None:
    """A word that is no move is told apart from one that came too late."""
    ada = site.browser("Ada")
    path = table_of(ada, 1)

    assert ada.get(f"{path}/preview", word="nonsense", seat=0).status_code == 422
    assert ada.get(f"{path}/preview", word=">", seat=0).status_code == 204


def test_a_game_need_not_show_anything() -> None:
    """All of it is optional."""
    room = web_game("mauer")
    plain = WebGame(room.box, room.board)

    assert (plain.preview, plain.places, plain.recap) == (None, None, None)
