"""At a real table: a city tapped together, a sheet filled in, dice entered with a finger."""

import pytest
from playwright.sync_api import Locator, Route, expect
from tests.browser.conftest import Meet
from tests.browser.measured import until
from tests.browser.test_connection import forgive
from tests.support.people import PHONE, Person


def expect_worth(person: Person, **worth: str) -> None:
    """The helper says that these cards are worth so much."""
    for card, points in worth.items():
        number = person.page.locator(f"#worth-{card.replace('_', '-')} .num")
        expect(number).to_have_text(points)


def tap(person: Person, name: str) -> None:
    """Tap what has this id, and wait until the address has followed."""
    before = person.page.url
    person.page.locator(f'[id="{name}"]').click()
    person.page.wait_for_function("before => location.href !== before", arg=before)


def test_a_city_is_tapped_together_and_its_cards_are_read(ada: Person) -> None:
    """Nothing is loaded anew meanwhile, and the address can be opened by somebody else."""
    ada.go("/real/mauerbauer")
    ada.page.evaluate("window.same = true")
    for name in ("line-a2-b1", "line-b1-c2", "line-a2-c2", "tool-9", "field-1b", "field-1c"):
        tap(ada, name)
    expect(ada.page.locator('[id="city-1b"]')).to_have_count(1)
    expect_worth(ada, city_1="6", city_red="1", land_red="1")
    tap(ada, "field-1b")
    expect(ada.page.locator(".remarks")).to_contain_text("a red palace")
    expect_worth(ada, city_palaces="1", city_red="3")
    assert ada.page.evaluate("window.same") is True

    ada.page.goto(ada.page.url)

    expect_worth(ada, city_palaces="1", city_red="3")


@pytest.mark.thorough
def test_points_are_kept_by_one_tap_each(ada: Person) -> None:
    """The page asks for the players once; the last points can be taken back."""
    ada.go("/real/mauerbauer?on=a2-b1.b1-c2.a2-c2.r1b")
    ada.page.get_by_label("Name 1").fill("Ada")
    ada.page.get_by_label("Name 2").fill("Bob")
    ada.page.get_by_role("button", name="Keep the score").click()
    tap(ada, "player-1")
    for card in ("city-1", "cities"):
        before = ada.page.url
        ada.page.locator(f"#worth-{card} a").click()
        ada.page.wait_for_function("before => location.href !== before", arg=before)
    expect(ada.page.locator("#player-1 .pts")).to_have_text("7")
    tap(ada, "undo")
    expect(ada.page.locator("#player-1 .pts")).to_have_text("6")
    expect(ada.page.locator("#player-0 .pts")).to_have_text("0")


@pytest.mark.thorough
def test_the_helper_by_keyboard(ada: Person) -> None:
    """Tab to a line, Enter builds the wall, an arrow goes to the next line."""
    ada.go("/real/mauerbauer?board=small")
    ada.page.locator('[id="line-d1-f1"]').focus()
    before = ada.page.url
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_function("before => location.href !== before", arg=before)
    assert "on=d1-f1" in ada.page.url
    ada.page.keyboard.press("ArrowRight")
    assert ada.page.evaluate("document.activeElement.id").startswith("line-")
    assert ada.page.evaluate("document.activeElement.id") != "line-d1-f1"


def test_a_sheet_is_filled_on_a_phone_in_german(meet: Meet) -> None:
    """Pieces are tapped, the sums follow, and the sheet fits."""
    person = meet(locale="de", **PHONE)
    person.go("/real/mauer?who=Ada~Bob~Cem")
    for name in ("bit-0-T", "bit-0-6", "bit-1-1", "round-2", "bit-2-C"):
        tap(person, name)
    expect(person.page.get_by_role("heading", level=1)).to_have_text("Wertungsblatt")
    expect(sums(person)).to_have_text(["21", "1", "10"])
    person.page.locator("input[name=points-2-1]").fill("4")
    person.page.get_by_role("button", name="Zusammenzählen").click()
    expect(person.page.locator("#row-1 .sum")).to_have_text("5")
    assert person.page.evaluate("document.scrollingElement.scrollWidth") == 360
    person.photograph("real-mauer-phone-de", whole=True)


@pytest.mark.parametrize("then", ["more", "round-2", "bit-1-T", "names", "nothing"])
def test_points_that_were_typed_are_kept_by_whatever_is_done_next(ada: Person, then: str) -> None:
    """The address has them at once, so even loading the page again keeps them."""
    ada.go("/real/mauer")
    ada.page.get_by_label("Round 1: Player 1").press_sequentially("7")
    if then == "names":
        ada.page.get_by_text("Who plays?").click()
        ada.page.get_by_label("Name 1").fill("Ada")
        ada.page.get_by_role("button", name="Write the names").click()
        expect(ada.page.locator("#row-0 th")).to_have_text("Ada")
    elif then == "nothing":
        ada.page.reload()
    else:
        tap(ada, then)
    expect(sums(ada).first).to_have_text("7")
    expect(ada.page.locator("input[name=points-1-0]")).to_have_value("7")


@pytest.mark.thorough
def test_points_that_are_typed_while_a_tap_is_under_way_are_kept(ada: Person) -> None:
    """Its answer does not know them."""
    ada.go("/real/mauer?who=Ada~Bob~Cem")
    held = hold_first(ada)
    ada.page.locator("#bit-0-T").click()
    until(ada.page, lambda: bool(held), "nothing was sent")
    ada.page.locator("input[name=points-2-1]").press_sequentially("12")
    ada.page.locator("#bit-2-1").click()
    held[0].continue_()

    expect(sums(ada)).to_have_text(["15", "12", "1"])


def sums(person: Person) -> Locator:
    """The sums of the sheet."""
    return person.page.locator("td.sum")


def hold_first(person: Person) -> list[Route]:
    """Have the first tap on the sheet wait for its answer: the request, once there is one."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    person.page.route("**/real/mauer?*", hold)
    return held


@pytest.mark.thorough
def test_taps_in_a_hurry_are_all_written(ada: Person) -> None:
    """Those made while the first answer is on its way wait for it, and none is lost."""
    ada.go("/real/mauer?who=Ada~Bob~Cem")
    held = hold_first(ada)
    for name in ("bit-0-T", "bit-1-6", "bit-1-6", "bit-2-1"):
        ada.page.locator(f'[id="{name}"]').click()
    until(ada.page, lambda: bool(held), "nothing was sent")
    held[0].continue_()

    expect(ada.page.locator("#row-2 .sum")).to_have_text("1")
    expect(sums(ada)).to_have_text(["15", "12", "1"])


@pytest.mark.thorough
def test_taps_without_a_network_are_written(ada: Person) -> None:
    """In a hurry too; once there is one again, the server knows all of them from the address."""
    ada.go("/real/mauer?who=Ada~Bob~Cem")
    ada.context.set_offline(True)
    for name in ("bit-0-T", "bit-1-6"):
        ada.page.locator(f'[id="{name}"]').click()
    expect(ada.page.locator("#row-1 .sum")).to_have_text("6")
    expect(ada.page.locator("#lost")).to_be_hidden()
    ada.context.set_offline(False)
    tap(ada, "bit-2-1")

    expect(sums(ada)).to_have_text(["15", "6", "1"])
    forgive(ada)


@pytest.mark.thorough
def test_what_is_refused_leaves_the_sheet_as_it_is(ada: Person) -> None:
    """A cell holds fourteen pieces; of the next one the page says that it cannot be."""
    ada.go(f"/real/mauer?who=Ada~Bob~Cem&left={'1' * 14}")
    refused = ada.page.locator("#refused")
    ada.page.locator("#bit-0-1").click()
    expect(refused).to_have_text("That cannot be done like this.")
    ada.faults.clear()  # the browser says so too
    expect(sums(ada)).to_have_text(["14", "0", "0"])
    assert ada.page.locator("header").count() == 1

    tap(ada, "bit-1-6")

    expect(refused).to_be_hidden()
    expect(sums(ada)).to_have_text(["14", "6", "0"])


@pytest.mark.thorough
def test_a_turn_of_mauerbauer_with_real_dice_on_a_phone_in_german(meet: Meet) -> None:
    """Set up by the page; a wall, three dice, and what they show is placed."""
    person = meet(locale="de", **PHONE)
    page = person.page
    person.go("/real")
    page.get_by_role("link", name="Echte Würfel").click()
    page.get_by_role("link", name="Mauerbauer").first.click()
    page.locator(".seatline").nth(1).click()
    page.get_by_role("radiogroup", name="Platz 2").get_by_label("Bot").check()
    page.locator(".seatline").nth(2).focus()
    page.keyboard.press("Delete")
    expect(page.locator(".seatline")).to_have_count(2)
    page.get_by_role("button", name="Tisch eröffnen").click()
    page.locator("#entering button[value='@0']").tap()
    page.locator("main[data-asked]").wait_for(state="attached")
    words = person.words()
    person.press(words[len(words) // 2])
    dice = page.locator("#entering fieldset")
    person.rest()
    for place, face in enumerate(("Ein schwarzer Turm", "Ein grünes Haus", "Ein Haus nach Wahl")):
        dice.nth(place).locator(f'label:has([aria-label="{face}"])').tap()
    page.get_by_role("button", name="Eintragen").tap()

    expect(page.locator("#prompt h1")).to_contain_text("schwarzen Turm")
    expect(page.locator("#dice .die")).to_have_count(3)
    assert page.evaluate("document.scrollingElement.scrollWidth") == 360


@pytest.mark.thorough
def test_others_see_the_dice_that_were_entered(meet: Meet) -> None:
    """Ada builds, Bob enters the dice, and Ada's page goes on by itself."""
    ada, bob = meet("Ada"), meet("Bob")
    ada.sit_down("mauerbauer", "mo", options={"first": "0", "board": "default"}, dice="players")
    bob.visit(ada.table)
    bob.page.get_by_role("button", name="Take this seat").click()
    ada.await_turn()
    ada.press(ada.words()[0])
    form = bob.page.locator("#entering")
    form.wait_for()
    bob.rest()
    for place, fieldset in enumerate(form.locator("fieldset").all()):
        fieldset.locator("label").nth(place).click()
    form.get_by_role("button").click()

    ada.await_turn()
    expect(ada.page.locator("#prompt h1")).to_contain_text("The dice show a white tower")
    expect(bob.page.locator("#entering")).to_have_count(0)
