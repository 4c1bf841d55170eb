"""A seat that somebody left is kept for ten minutes: it is offered back, and the story tells."""

import pytest
from tests.support.driven_table import ADA, BOB, CLEO, LEVEL
from tests.support.hosts import folder, opened, set_up
from tests.support.moved_time import MovedTime, anyio_backend, clock
from tests.support.web_pages import look, sent
from tests.support.web_server import Running

from mauerwerk.core.game import Seat
from mauerwerk.core.language import language_of
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.table.store import reserved_seats
from mauerwerk.server.tables.table import KEPT
from mauerwerk.server.ui.history import history_at

__all__ = ["anyio_backend", "clock", "folder"]


async def told(host: Host, table: str, code: str = "en") -> list[str]:
    """The story of a table for spectators."""
    lines = history_at(await host.snapshot(table), None, language_of(code)).lines
    return [sentence for line in lines for sentence in line.sentences]


@pytest.mark.anyio
async def test_a_seat_is_kept_for_its_player_alone(folder: str, clock: MovedTime) -> None:
    """For ten minutes, and no longer; not for one who only watched, nor for the others."""
    async with opened(folder, clock=clock) as host:
        table = await set_up(host, letters="hho", mine=(Seat(0),))
        await host.claim(table, Seat(1), BOB)
        await host.sit(table, Seat(2), CLEO)
        assert await reserved_seats(host.store, BOB.id, host.now()) == ()
        await host.stand(table, Seat(1))

        (kept,) = await reserved_seats(host.store, BOB.id, host.now())
        left = (await host.table(table)).occupants[1].left
        assert (kept.card.id, kept.seat, kept.until) == (table, 1, left + KEPT)
        assert not await reserved_seats(host.store, ADA.id, host.now())
        last = left + KEPT - 1
        assert await reserved_seats(host.store, BOB.id, last)
        assert not await reserved_seats(host.store, BOB.id, last + 1)

        await host.sit(table, Seat(1), BOB)
        assert not await reserved_seats(host.store, BOB.id, host.now()), "it is theirs again"


@pytest.mark.anyio
async def test_nothing_is_offered_once_the_game_is_over(folder: str, clock: MovedTime) -> None:
    """Nor is a seat that a player left before the game."""
    async with opened(folder, clock=clock) as host:
        table = await set_up(host, letters="hoo", mine=(Seat(0),))
        await host.sit(table, Seat(1), BOB)
        await host.stand(table, Seat(1))
        assert not await reserved_seats(host.store, BOB.id, host.now())


@pytest.mark.anyio
async def test_the_story_says_who_left_and_who_plays_on(folder: str, clock: MovedTime) -> None:
    """And who takes over from whom, in each language."""
    async with opened(folder, clock=clock) as host:
        table = await set_up(host, letters="hho", mine=(Seat(0),))
        await host.claim(table, Seat(1), BOB)
        await host.put_bot(table, Seat(2), LEVEL)
        assert (await told(host, table))[-2:] == [
            "Clara sat down, a bot: Apprentice.",
            "The game begins.",
        ]
        await host.stand(table, Seat(1))
        assert (await told(host, table))[-1] == "Bob left; Bruno plays on, a bot: Journeyman."
        german = (await told(host, table, "de"))[-1]
        assert german == "Bob ist gegangen; Bruno spielt weiter, ein Bot: Geselle."
        await host.sit(table, Seat(1), BOB)
        assert (await told(host, table))[-1] == "Bob took over from Bruno."


def test_home_and_my_page_offer_the_seat_back(site: Running) -> None:
    """With the time that is left; programs are told too."""
    ada, ben = site.browser("Ada"), site.browser("Ben")
    table = ada.open("hoo", mine=[0], bot_delay_ms=60_000)["table"]
    for each in (ben, site.browser("Cem")):
        sent(each, f"/t/{table}/sit")
    assert "Return to my seat" not in look(ben, "/").text
    sent(ben, f"/t/{table}/stand", seat="1")

    for path in ("/", "/me"):
        page = look(ben, path)
        assert "Games you left" in page.text
        assert "Bruno plays in your place." in page.text
        assert "9 min left" in page.text
    (seat,) = ben.get("/api/guests/me/left").json()["seats"]
    assert (seat["table"], seat["seat"]) == (table, 1)
    (form,) = [each for each in look(ben, "/").forms if each.action.endswith("/sit")]
    back = sent(ben, form.action, **form.fields)
    assert back.path == f"/t/{table}"
    assert ben.table_view(table)["seat"] == 1
    assert "Games you left" not in look(ben, "/").text
    assert ben.get("/api/guests/me/left").json()["seats"] == []
    assert site.anybody().get("/api/guests/me/left").status_code == 401
