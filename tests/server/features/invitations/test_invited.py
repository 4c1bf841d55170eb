"""Invitations: the welcome, links that lead to no seat, and a bot instead of a friend."""

import re
from typing import Any

import pytest
from tests.support.web_pages import Page, look, sent, table_of
from tests.support.web_server import LEVEL, Player, Running

from mauerwerk.core.language import ENGLISH
from mauerwerk.server.ui.names import all_called

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
"""An emoji that is a combination of three."""
CLICKED = {"sec_fetch_mode": "navigate", "sec_fetch_dest": "document", "sec_fetch_site": "none"}


def invitation(ada: Player, site: Running, **more: Any) -> tuple[str, str]:  # noqa: ANN401 - an order
    """A table of Ada's with a seat for a friend and a bot, and the link for the friend."""
    chairs = [{"kind": "human"}, {"kind": "human"}, {"kind": "bot", "level": LEVEL}]
    order = {"game": "burgbaumeister", "chairs": chairs, "mine": [0], "bot_delay_ms": 0, **more}
    opened = ada.post("/api/tables", **order).json()
    return f"/t/{opened['table']}", opened["seats"][1]["link"].removeprefix(site.address)


def opened(player: Player, link: str) -> Page:
    """The page that somebody sees who clicks on a link."""
    return look(player, link, **CLICKED)


def test_a_friend_is_told_who_invites_to_what(site: Running) -> None:
    """Game, variant, how long, with whom; rules and lesson; a name, and a way to watch."""
    ada, bo = site.browser("Ada"), site.browser()
    path, link = invitation(ada, site, options={"variant": "yes"}, seconds_per_move=120)
    page = opened(bo, link)

    assert page.path == path
    assert "Ada invites you to Burgbaumeister" in page.text
    assert "About 15 min 2 minutes per move" in page.text
    assert "3 players Ada, you and Clara (bot)" in page.text
    assert "With ravens, wizards and cannons" in page.text
    assert "Ada is waiting for you Your seat kept for you Clara bot" in page.text
    for address in ("/rules/burgbaumeister", "/learn/burgbaumeister", f"{path}?seat=watch"):
        assert f'href="{address}"' in page.main
    watching = look(bo, f"{path}?seat=watch")
    assert "invites you" not in watching.text
    assert "Take this seat" in watching.text
    assert 'class="tablepage playing bb"' in page.send("/claim", name="Bo").main


def test_the_seat_is_kept_while_a_friend_looks_around(site: Running) -> None:
    """Another with the same link is told so, cannot take it, and may watch."""
    ada, bo, cy = site.browser("Ada"), site.browser(), site.browser()
    path, link = invitation(ada, site)
    welcome = opened(bo, link)
    late = opened(cy, link)

    assert "kept for them for ten minutes" in late.text
    assert "/claim" not in late.main
    assert sent(cy, f"{path}/claim", seat="1", name="Cy").answer.status_code == 409
    assert "Somebody has opened the link" in look(ada, path).text
    assert welcome.send("/claim", name="Bo").answer.status_code == 200
    assert ada.table_view(path.removeprefix("/t/"))["names"][1] == "Bo"


@pytest.mark.parametrize(
    ("left", "sentence"), [("one", "This link has been used."), ("none", "The game has begun.")]
)
def test_a_used_link_leads_to_watching(site: Running, left: str, sentence: str) -> None:
    """It says why in one sentence, whom to ask, and offers the same game."""
    ada, bo, cy = site.browser("Ada"), site.browser(), site.browser()
    chairs = [{"kind": "human"}] * 2 + [{"kind": "human" if left == "one" else "bot"}]
    chairs[2] |= {"level": LEVEL} if left == "none" else {}
    path, link = invitation(ada, site, chairs=chairs)
    opened(bo, link).send("/claim", name="Bo")
    page = opened(cy, link)

    assert page.answer.status_code == 403
    assert sentence in page.text
    assert ("Ask Ada for a new one" in page.text) == (left == "one")
    assert f'<a class="btn brick" href="{path}">' in page.main
    assert look(cy, path).answer.status_code == 200
    assert sent(cy, "/play", game="burgbaumeister").path.startswith("/t/")
    assert 'name="game" value="burgbaumeister"' in page.main


def test_a_refused_name_keeps_the_invitation(site: Running) -> None:
    """The welcome says why beside the field, and the next name is taken."""
    ada, bo = site.browser("Ada"), site.browser()
    _, link = invitation(ada, site)
    page = opened(bo, link).send("/claim", name=FAMILY)

    assert page.answer.status_code == 422
    assert "combined emoji are not possible" in page.text
    assert "Ada invites you to Burgbaumeister" in page.text
    assert 'class="tablepage playing bb"' in page.send("/claim", name="Bo").main


def test_a_refused_name_at_an_open_seat_is_answered_at_the_table(site: Running) -> None:
    """So there is a field for another one."""
    ada, bo = site.browser("Ada"), site.browser()
    chairs = [{"kind": "human"}, {"kind": "open"}, {"kind": "bot", "level": LEVEL}]
    page = look(bo, table_of(ada, "burgbaumeister", chairs=chairs)).send("/sit", name=FAMILY)

    assert page.answer.status_code == 422
    assert "combined emoji are not possible" in page.text
    assert 'class="tablepage playing bb"' in page.send("/sit", name="Bo").main


@pytest.mark.parametrize("kinds", ["hb", "hh"])
def test_a_used_link_leads_its_friend_to_the_table(site: Running, kinds: str) -> None:
    """Whether the game has begun or not; anybody else is told that it was used."""
    ada, bo, cy = site.browser("Ada"), site.browser(), site.browser()
    chairs = {"h": {"kind": "human"}, "b": {"kind": "bot", "level": LEVEL}}
    path, link = invitation(ada, site, chairs=[chairs["h"], *(chairs[kind] for kind in kinds)])
    opened(bo, link).send("/claim", name="Bo")
    again, other = opened(bo, link), opened(cy, link)

    assert (again.path, again.answer.status_code) == (path, 200)
    assert (other.path, other.answer.status_code) == (link, 403)


def test_a_link_to_no_table_says_so(site: Running) -> None:
    """And leads to the games."""
    page = opened(site.browser(), "/t/nowhere/s/1/abc")

    assert page.answer.status_code == 404
    assert "This table is gone." in page.text
    assert 'class="btn brick" href="/"' in page.main


def test_all_free_seats_are_counted(site: Running) -> None:
    """Those that anybody may take, too; they have no numbers that say nothing."""
    ada = site.browser("Ada")
    chairs = [{"kind": "human"}, {"kind": "human"}, {"kind": "open"}]
    path, _ = invitation(ada, site, chairs=chairs)
    page = look(ada, path)
    assert "2 seats are free. Send the link to a friend." in page.text
    assert "Free seat 2" not in page.text
    assert all_called(["", "Free Seat", ""], ["", "", ""], ENGLISH)[1] == "Free Seat 2"


def test_the_host_has_the_link_first_and_can_start_with_a_bot(site: Running) -> None:
    """Copy, share, e-mail and the code; whoever has the link then comes too late."""
    ada, eve = site.browser("Ada"), site.browser("Eve")
    path, link = invitation(ada, site)
    page = look(ada, path)
    assert "One seat is free. Send the link to a friend." in page.text
    assert page.main.index("data-copy=") < page.main.index("data-share=") < page.main.index("Seats")
    assert re.search(r'src="/api/tables/[^"]+/seats/1/qr"', page.main)
    assert "Put a bot there and start" in page.text
    assert sent(eve, f"{path}/bot", seat="1").answer.status_code == 403
    assert sent(ada, f"{path}/bot", seat="9").answer.status_code == 422
    begun = page.send("/bot")

    assert 'class="tablepage playing bb"' in begun.main
    assert sent(ada, f"{path}/bot", seat="1").answer.status_code == 422
    assert "The game has begun." in opened(eve, link).text
