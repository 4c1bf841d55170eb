"""The end of a game: places, where the points came from, what can be pressed; and when it moves."""

import re
from collections.abc import Mapping
from typing import Final

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.measured import box
from tests.browser.places import only
from tests.support.almost_over import AlmostOver, almost_over
from tests.support.people import PHONE, Person

OPTIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "mauer": {"rounds": "1", "first": "0"},
    "burgbaumeister": {"variant": "yes", "first": "0"},
    "mauerbauer": {"board": "wwwme/wwmme+a2-b1", "first": "0"},
}

TIMES: Final = """places => Object.fromEntries(places.map(place => {
    const { animationDelay, animationDuration } = getComputedStyle(document.querySelector(place));
    const times = [animationDelay, animationDuration];
    const [delay, duration] = times.map(each => 1000 * parseFloat(each));
    return [place, [Math.round(delay), Math.round(delay + duration)]];
}))"""
"""When each motion begins and ends, in milliseconds."""


def to_the_end(person: Person, game: str) -> AlmostOver:
    """Make the last move of a game, which Ada wins."""
    found = almost_over(game, 3, OPTIONS[game])
    person.sit_down(game, options=OPTIONS[game], initial_moves=found.moves)
    person.await_turn()
    person.choice(found.last).evaluate("each => each.click()")
    person.page.locator("main.ended").wait_for()
    return found


@pytest.mark.parametrize("game", only("mauerbauer"))
def test_the_end_arrives_and_stays(meet: Meet, game: str) -> None:
    """Focus on "Play again", one announcement, why it is over; the same after a reload."""
    ada = meet()
    outcome = to_the_end(ada, game).outcome
    page = ada.page
    expect(page.locator("#again")).to_be_focused()
    expect(page.locator("#said")).to_have_text(
        re.compile(rf"^The game is over\. You won .*(Bruno|Clara) has {sorted(outcome.points)[1]}")
    )
    for _ in range(2):
        expect(page.locator("#prompt h1")).to_contain_text("You won")
        expect(page.locator("#prompt .why")).to_contain_text("It took")
        cells = page.locator("table.ranks tr td.num").all_inner_texts()
        assert sorted(map(int, cells)) == sorted(outcome.points)
        for name in ("Play again", "Replay"):
            expect(page.locator("#prompt .acts").get_by_text(name).first).to_be_attached()
        ada.photograph(f"end-{game}")
        page.reload()

    # On a page that shows it from the beginning nothing has happened, whatever settles on it.
    expect(page.locator("#again")).to_be_focused()
    page.evaluate("document.dispatchEvent(new Event('htmx:afterSettle'))")
    page.evaluate("later('ending')")
    assert page.locator("#said").inner_text() == ""
    page.locator("#best a").click()
    expect(page).to_have_url(re.compile(r"/replay\?at=\d+&seat=all$"))


@pytest.mark.thorough
def test_a_tower_for_each_place(meet: Meet) -> None:
    """The better the place, the higher; the bars say as much as the hidden table."""
    ada = meet()
    to_the_end(ada, "mauerbauer")
    page = ada.page
    tops = [box(page, f".podium .tower.rank-{rank}").top for rank in (1, 2, 3)]

    assert tops == sorted(tops)
    rows = [row.locator("td").all_inner_texts() for row in page.locator(".ranks tbody tr").all()]
    assert all(sum(map(int, row[1:-1])) == int(row[-1]) for row in rows)
    expect(page.locator(".legend li")).to_have_count(5)
    expect(page.locator("#final svg")).to_be_visible()
    expect(page.get_by_role("button", name="Analyse this game (about a minute)")).to_be_visible()


@pytest.mark.thorough
def test_towers_rise_one_after_the_other(meet: Meet) -> None:
    """Third, second, first, 300 ms each and 200 apart; then flags, bars and the line."""
    ada = meet(reduced_motion="no-preference")
    to_the_end(ada, "mauerbauer")
    towers = [f".tower.rank-{rank}" for rank in (3, 2, 1)]
    after = [".tower .flag", ".podium .flags", ".bars .bar", ".course-of-game .lines"]
    times = ada.page.evaluate(TIMES, [*towers, *after])

    third, second, first = (times[tower] for tower in towers)
    assert [end - begin for begin, end in (third, second, first)] == [300] * 3
    assert (second[0] - third[1], first[0] - second[1]) == (200, 200)
    ends = [first[1], *(times[each][1] for each in after)]
    assert all(times[each][0] >= end for each, end in zip(after, ends[:-1], strict=True))
    assert times[after[-1]][1] - times[after[-1]][0] == 600


@pytest.mark.thorough
def test_the_depot_is_turned_up(meet: Meet) -> None:
    """In a wave from the left, card by card; nothing lies face down any more."""
    ada = meet(reduced_motion="no-preference")
    to_the_end(ada, "burgbaumeister")
    page = ada.page
    begins = page.evaluate(
        """() => [...document.querySelectorAll(".faceup")]
            .map(each => [getComputedStyle(each.firstChild).animationDelay, each.offsetLeft])
            .map(([delay, x]) => [parseFloat(delay), x])
            .sort(([one], [other]) => one - other).map(([, x]) => x)"""
    )

    assert begins
    assert begins == sorted(begins)
    expect(page.locator(".depot .back")).to_have_count(0)
    expect(page.locator(".cap")).to_contain_text("face up")
    expect(page.locator("#tray .flag").first).to_be_attached()
    assert page.evaluate("document.documentElement.scrollHeight") <= 800


@pytest.mark.thorough
def test_a_phone_has_it_all_in_one_column(meet: Meet) -> None:
    """The buttons are in the dock; nothing is wider than the screen."""
    ada = meet(**PHONE)
    to_the_end(ada, "mauer")
    page = ada.page

    assert page.evaluate("document.documentElement.scrollWidth") == 360
    for name in ("Play again", "Replay", "Share"):
        button = page.locator("#prompt .acts").get_by_text(name, exact=True).bounding_box()
        assert button  # nothing is drawn anew after the end
        assert button["y"] + button["height"] <= 740
    ada.photograph("end-mauer-phone", whole=True)


@pytest.mark.thorough
def test_sharing_hands_on_a_link_and_a_picture(meet: Meet) -> None:
    """To the device's sheet where there is one; elsewhere the page has link and picture itself."""
    ada = meet()
    ada.page.add_init_script(
        """navigator.share = async (said) => { window.shared = said; };
        navigator.canShare = () => true;"""
    )
    to_the_end(ada, "mauer")
    page = ada.page
    page.locator("#share summary").click()
    page.locator("#hand-on").click()
    page.wait_for_function("() => window.shared")
    shared = page.evaluate(
        "({ ...shared, files: shared.files.map(file => [file.name, file.type, file.size]) })"
    )
    assert shared["url"] == f"{ada.address}/t/{ada.table}/replay"
    assert shared["text"].startswith("The game is over.")
    (name, kind, size), *_ = shared["files"]
    assert (name, kind) == (f"mauer-{ada.table}.png", "image/png")
    assert size > 5_000

    expect(page.locator("#link")).to_have_value(shared["url"])
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    page.evaluate("document.documentElement.classList.remove('shares')")
    expect(page.locator("#hand-on")).to_be_hidden()
    with page.expect_download() as kept:
        page.locator("#picture").click()
    assert kept.value.suggested_filename == name
    page.keyboard.press("Escape")
    expect(page.locator("#link")).to_be_hidden()
