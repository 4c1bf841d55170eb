"""The board of Mauerbauer: pieces keep their names, hands are secret, dice and scores stay."""

import re
from itertools import islice

import pytest
from tests.server.games.positions import elements, moments, played, read, whole

from mauerwerk.core.language import ENGLISH
from mauerwerk.games.mauerbauer import view, write
from mauerwerk.games.mauerbauer.board import Field
from mauerwerk.games.mauerbauer.values import COLOURS, Action, Colour, PlaceHouse
from mauerwerk.server.games.mauerbauer.board import plates

PLACING = {"rolled-tower", "free-tower", "first-house", "second-house", "edge-house"}


def test_walls_and_towers_keep_their_names_until_they_are_cleared() -> None:
    """From one drawing to the next all pieces that are still there have the same id."""
    for moment in list(moments("mauerbauer", 3, {}, 2))[::23]:
        spectator = moment.seen()[0]
        ids = {each.id for each in elements(spectator.parts().stage)}

        assert {f"wall-{line}" for line in spectator.view.walls} <= ids
        assert {f"tower-{point}" for point, _ in spectator.view.towers} <= ids


@pytest.mark.rule("MB-8")
def test_cards_of_others_are_not_in_the_page() -> None:
    """The titles of cards on a page are those of the viewer's own hand, and what was played."""
    for moment in list(moments("mauerbauer", 3, {}, 4))[40:200:20]:
        own = moment.seen()[1]
        parts = own.parts()
        mine = {f"card-{card.value}" for card in own.view.hands[0]}
        shown = {each.id for each in elements(whole(parts)) if each.id.startswith("card-")}

        assert shown == mine


def test_the_last_roll_lies_on_the_sea_until_the_next() -> None:
    """Also when all is placed and somebody else chooses a line."""
    for spectator, *_ in played("mauerbauer", 2, {}, 1):
        rolled = [event for event in spectator.told if type(event).__name__ == "Rolled"]
        if rolled and spectator.view.task == "build":
            drawn = [
                each for each in elements(spectator.parts().stage) if each.id.startswith("die-")
            ]
            assert len(drawn) == len(rolled[-1].roll.houses) + bool(rolled[-1].roll.tower)
            return
    pytest.fail("nobody built a second wall")


def test_a_scoring_is_shown_seat_by_seat() -> None:
    """Who played what, and the points, until the next wall is built."""
    seen: set[tuple[int, ...]] = set()
    for spectator, *_ in played("mauerbauer", 3, {}, 4):
        kinds = [type(event).__name__ for event in spectator.told]
        since = len(kinds) - kinds[::-1].index("Built") if "Built" in kinds else len(kinds)
        points = dict.fromkeys(range(3), 0)
        for event in spectator.told[since:]:
            if type(event).__name__ == "Played":
                points[event.seat] += event.points
        scored = {seat: total for seat, total in points.items() if total}
        if not scored:
            continue
        rows = re.findall(
            r'<li id="scored-(\d)".*?</li>', html := spectator.parts().aside, re.DOTALL
        )
        assert set(map(str, scored)) <= set(rows)
        for seat, total in scored.items():
            row = re.search(rf'<li id="scored-{seat}".*?</li>', html, re.DOTALL)
            assert row is not None
            assert f"+{total}" in read(row[0]).words
        seen.add(tuple(sorted(scored.values())))

    assert len(seen) > 3
    assert any(len(points) > 1 for points in seen), "several seats score at once"


def test_a_place_with_several_answers_opens_a_plate_of_chips() -> None:
    """What glows can be pressed: every answer is in one target, or on the plate of its place."""
    placing = (
        each for each in moments("mauerbauer", 2, {}, 3) if view(each.state, None).task in PLACING
    )
    seen = 0
    for moment in islice(placing, 12):
        own = next(each for each in moment.seen() if each.legal)
        parts = own.parts()
        drawn = elements(parts.stage)
        chips = [each for each in drawn if each.attributes.get("class") == "tokens"]
        openers = [each for each in drawn if "data-opens" in each.attributes]
        offered = [each.data_word for each in drawn if each.data_word]

        assert sorted(offered) == sorted(map(write, own.legal))
        assert [each.data_opens for each in openers] == [each.id for each in chips]
        assert all("hidden" in each.attributes for each in chips)
        assert parts.buttons == ()
        seen += len(chips)
    assert seen > 3, "hardly ever was there a choice"


def test_chips_come_in_the_order_of_colours_less_what_the_supply_lacks() -> None:
    """Yellow, green, blue, pink, red: a colour is where it was the last time."""
    houses: dict[Action, tuple[str, str]] = {
        PlaceHouse(Field("3h"), colour): (colour.value, "") for colour in reversed(COLOURS)
    }
    del houses[PlaceHouse(Field("3h"), Colour.BLUE)]
    (plate,) = plates(houses, ENGLISH)

    assert [each.get("data-word") for each in plate] == ["y", "g", "p", "r"]
    assert plate.get("aria-label") == "Which house on field 3h?"


def test_a_pair_of_numbers_is_set_smaller() -> None:
    """By house rules a card may pay 12 for each house and 20 for each palace."""
    points = ",".join(
        f"city-{each.name.lower()}-palace:20,city-{each.name.lower()}-house:12" for each in COLOURS
    )
    for options, kind in (({}, "num long"), ({"points": points}, "num long longer")):
        trays = [
            own.parts().tray
            for moment in islice(moments("mauerbauer", 4, options, 3), 60)
            for own in moment.seen()[1:]
        ]
        shown = {each for tray in trays for each in re.findall(r'class="(num[^"]*)"', tray)}
        assert shown == {"num", kind}
