"""Whole games by clicks in the pocket edition, without a network and without a server."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect
from tests.support.amounts import tier
from tests.support.people import DESK, GOES_ON, TIMEOUT
from tests.support.pocket_people import PlainServer, PocketPerson, opened

pytestmark = [pytest.mark.browser, pytest.mark.process, pytest.mark.kernels]


class Order(NamedTuple):
    """A table, as the address of its set-up says it."""

    title: str
    query: str
    seats: int


ORDERS = {
    "mauer": Order(
        "mauer", "seat-1=bot&level-1=foreman&seat-2=bot&option-rounds=1&option-pieces=12", 3
    ),
    "burgbaumeister": Order("burgbaumeister", "seat-1=bot&level-1=master", 2),
    "variant": Order("burgbaumeister", "seat-1=bot&option-variant=yes", 2),
    "mauerbauer": Order(
        "mauerbauer", "seat-1=bot&level-1=foreman&option-board=wwwme%2Fwwmme%2Ba2-b1", 2
    ),
    "one device": Order("mauer", "seat-1=here&seat-2=here&option-rounds=1&option-pieces=12", 3),
}
"""All games and the variant, against bots that search, and several people at one device."""

PLAYED = [*ORDERS] if tier() == "thorough" else ["mauer"]


@pytest.fixture(name="offline")
def player_offline(browser: Browser, tmp_path: Path) -> Iterator[PocketPerson]:
    """Somebody who opened the page once; then the network and the server went away."""
    plain = PlainServer(tmp_path)
    context = browser.new_context(locale="en-GB", reduced_motion="reduce", **DESK)
    context.set_default_timeout(2 * TIMEOUT)
    context.add_init_script(GOES_ON)
    shell = opened(context, plain.address)
    shell.evaluate("pocket.fetchRest()")
    plain.stop()
    context.set_offline(True)
    person = PocketPerson(shell)
    person.address = plain.address
    yield person
    context.close()
    assert person.faults == []


def choose(person: PocketPerson, chance: random.Random) -> None:
    """Make a move, or say who has the device now."""
    if (gate := person.page.locator("#i-am")).is_visible():
        gate.click()
        gate.wait_for(state="detached")
    else:
        person.play(chance.choice)


@pytest.mark.parametrize("name", PLAYED)
def test_a_whole_game_without_a_network(offline: PocketPerson, name: str) -> None:
    """The worker breaks down meanwhile; the game stays here, and another tab replays it."""
    order, chance = ORDERS[name], random.Random(name)
    asked = f"/new/{order.title}?{order.query}&seat-{order.seats}=nobody&bot_delay_ms=300"
    offline.page_at(asked)
    expect(offline.page.locator("#offline")).to_be_visible()
    offline.page.get_by_label("Your name").fill("Ada")
    offline.page.get_by_role("button", name="Create table").click()
    over = offline.page.locator("table.ranks")
    next_thing = offline.page.locator("main[data-asked], table.ranks, #i-am").first
    next_thing.wait_for(state="attached")
    moves = 0
    while not over.count():
        choose(offline, chance)
        next_thing.wait_for(state="attached")
        moves += 1
        if moves == 1:
            offline.break_down()
            next_thing.wait_for(state="attached")

    assert moves > 1  # after a breakdown, too; some games need no more than two of ours
    expect(over.locator("tbody tr")).to_have_count(order.seats)
    table, told = offline.page.url, offline.number

    # Another tab says so, takes over, and shows all that was seen.
    first, second = offline.shell, offline.shell.context.new_page()
    second.goto(first.url)
    expect(second.locator("#pocket-title")).to_have_text("Mauerwerk is open in another tab.")
    second.get_by_role("button", name="Play here instead").click()
    expect(first.locator("#pocket-title")).to_have_text("You play in another tab now.")
    offline.shell = second
    second.wait_for_function("globalThis.pocket?.isReady()")
    second.frame_locator("iframe").locator("table.ranks").wait_for()
    assert (offline.page.url, offline.number) == (table, told)
    # A link to another page, as somebody pastes it, changes only the end of the address.
    second.goto(f"{offline.address}#{urlsplit(table).path.partition('/app')[2]}/replay")
    expect(offline.page.get_by_role("slider")).to_be_visible()
    # A replay changes its address as it goes. The window keeps it, so that a reload finds it again.
    offline.page.get_by_role("slider").press("End")
    second.wait_for_url("**/#/t/*/replay?*")
    frame = urlsplit(offline.page.url)
    assert second.url.partition("#")[2] == f"{frame.path.partition('/app')[2]}?{frame.query}"
