"""An evening of four people in four browsers: they come, play, and see the ranking change."""

import random

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.support.evenings import QUICK
from tests.support.people import ONCE, PHONE, Person

pytestmark = [pytest.mark.browser, pytest.mark.thorough]


def play_to_the_end(table: str, people: list[Person]) -> None:
    """Everybody plays by chance, as a program would."""
    chance = random.Random(1)
    while True:
        for person in people:
            person.table = table
            path = f"{person.address}/api/tables/{table}"
            said = person.context.request.get(path, headers=ONCE)
            seen = said.json()
            if seen["status"] == "over":
                return
            if seen["legal"]:
                word = chance.choice(seen["legal"])["move"]
                path = f"/api/tables/{table}/moves"
                answer = person.send(path, move=word, version=seen["number"])
                assert answer.status in {200, 409}, answer.text()


def test_four_people_spend_an_evening(meet: Meet) -> None:
    """Nobody has to load a page: who comes, which round is played and who is first, all see."""
    ada, ben, clara, dora = meet("Ada"), meet("Ben"), meet("Clara", **PHONE), meet("Dora")
    ada.go("/evening")
    ada.page.get_by_label("What is it called?").fill("Friday")
    ada.page.get_by_role("button", name="Begin the evening").click()
    expect(ada.page.get_by_text("Invite people, then choose the games.")).to_be_visible()
    ada.page.locator("#invite summary").click()
    link = ada.page.locator("#invite input").input_value()
    ada.page.keyboard.press("Escape")
    for person in (ben, clara, dora):
        person.page.goto(link)
        person.page.get_by_role("button", name="Take part").click()
    expect(ada.page.locator(".evemain .tb-w li")).to_have_count(4)

    evening = link.rpartition("/")[2]
    for _ in range(2):
        ada.ask(f"/api/evenings/{evening}/games", game="mauer", options=QUICK)
    start = ada.page.get_by_role("button", name="Start round 1")
    expect(start).to_be_enabled()
    expect(ben.page.get_by_text("Ada starts the round.")).to_be_visible()
    expect(ben.page.get_by_role("button", name="Start round 1")).to_have_count(0)
    start.click()
    for person in (ada, ben, clara, dora):
        expect(person.page.get_by_role("link", name="Play", exact=True)).to_be_visible()
    expect(ada.page.get_by_role("button", name="Start round 2")).to_be_disabled()
    ada.photograph("evening-playing", whole=True)
    clara.photograph("evening-playing-phone", whole=True)

    ben.page.get_by_role("link", name="Play", exact=True).click()
    expect(ben.main).to_be_visible()
    table = ben.page.url.rpartition("/")[2].partition("?")[0]
    play_to_the_end(table, [ada, ben, clara, dora])
    expect(ada.page.get_by_role("button", name="Start round 2")).to_be_enabled()
    for person in (ada, clara, dora):
        expect(person.page.locator("#said")).to_contain_text("now first")
    expect(clara.page.locator(".slate2 tbody tr")).to_have_count(4)


def test_why_a_name_was_refused_stays(meet: Meet) -> None:
    """With the name, while the page shows who comes meanwhile."""
    ada, ben, new = meet("Ada"), meet("Ben"), meet("", **PHONE)
    evening = ada.ask("/api/evenings", title="")["evening"]
    new.go(f"/e/{evening}")
    name = "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}"
    new.page.get_by_label("Your name").fill(name)
    new.page.get_by_role("button", name="Take part").click()
    expect(new.page.locator(".joining #refusal")).to_be_focused()
    ben.ask(f"/api/evenings/{evening}/join")
    expect(new.page.get_by_text("2 people.")).to_be_visible()
    expect(new.page.locator(".joining #refusal")).to_be_visible()
    expect(new.page.get_by_label("Your name")).to_have_value(name)
    assert all("422" in fault for fault in new.faults), new.faults
    new.faults.clear()


def test_the_round_begins_where_the_invitation_is_open(meet: Meet) -> None:
    """Whoever shows the link sees the page go on, and the link stays."""
    ada, ben = meet("Ada"), meet("Ben", **PHONE)
    evening = ada.ask("/api/evenings", title="")["evening"]
    ben.ask(f"/api/evenings/{evening}/join")
    ada.ask(f"/api/evenings/{evening}/games", game="mauerbauer")
    ben.go(f"/e/{evening}")
    ben.page.locator("#invite summary").click()
    ada.ask(f"/api/evenings/{evening}/start", round=0)
    expect(ben.page.get_by_role("link", name="Play", exact=True)).to_be_attached()
    expect(ben.page.locator("#invite input")).to_be_visible()


def test_what_the_host_chooses_stays_while_others_come(meet: Meet) -> None:
    """The page does not change under a hand that is choosing."""
    ada, ben = meet("Ada"), meet("Ben")
    evening = ada.ask("/api/evenings", title="")["evening"]
    ada.page.clock.install()
    ada.go(f"/e/{evening}")
    ada.page.locator("#add summary").click()
    ada.page.locator("#add-game-burgbaumeister").check()
    ben.ask(f"/api/evenings/{evening}/join")
    with ada.page.expect_response(f"**/e/{evening}"):
        ada.page.clock.run_for(5_000)
    expect(ada.page.locator("#add-game-burgbaumeister")).to_be_checked()
    ada.page.locator("#add button.brick").click()
    expect(ada.page.get_by_text("Round 1: Burgbaumeister")).to_be_visible()
    expect(ada.page.get_by_text("2 people, 1 game.")).to_be_visible()
