"""The board of Mauerbauer: pieces keep their names, hands are secret, dice and scores stay."""

import pytest
from tests.web.games.positions import elements, moments, played, read, whole


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
    for spectator, *_ in played("mauerbauer", 3, {}, 4):
        scored = [event for event in spectator.told if type(event).__name__ == "Played"]
        if scored and spectator.view.laid:
            words = " ".join(read(spectator.parts().aside).words)
            assert f"+{scored[0].points}" in words or len(scored) > 1
            return
    pytest.fail("no city was closed")
