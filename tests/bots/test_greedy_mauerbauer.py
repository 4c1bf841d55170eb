"""The greedy bot at Mauerbauer: it builds what its cards score."""

import pytest
from msgspec.structs import replace
from tests.support.positions import draws, masons, seen_after, setup_of

from mauerwerk.bots.greedy import Greedy
from mauerwerk.bots.mauerbauer.census import Census
from mauerwerk.core.game import AnyGame, Seat
from mauerwerk.core.language import ENGLISH
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer import values as mv
from mauerwerk.games.mauerbauer.board import Field, Line, board_of
from mauerwerk.games.mauerbauer.cities import close, newly_closed
from mauerwerk.games.mauerbauer.guild import KINDS
from mauerwerk.games.mauerbauer.scoring import value

AROUND = board_of("default").around[Field("3e")]


def answer(state: mv.State, seat: int = 0, words: str = "", game: AnyGame = mauerbauer) -> str:
    """What the bot does in this state, as a word."""
    sight = seen_after(game, state, words, seat)
    return game.write(Greedy(game, setup_of(game, 2), draws()).act(sight, 1.0))


def two_walls(*hands: str) -> mv.Table:
    """One wall more closes the field 3e."""
    return masons(" ".join(AROUND[:2]), *hands)


@pytest.mark.rule("MB-31")
def test_it_closes_the_city_that_its_cards_want() -> None:
    """Two cards for a city of one field, and one wall is missing (MB-50)."""
    table = two_walls("city-1 city-1 land-red", "cities cities land-blue")
    assert answer(mv.Building(table, hasty=False)) == AROUND[2]


def test_it_leaves_a_city_open_that_serves_others_better() -> None:
    """Its cards score nothing there, and somebody else's may."""
    table = two_walls("city-7 city-7 city-3", "cities cities land-blue")
    assert answer(mv.Building(table, hasty=False)) != AROUND[2]


def scored(*hands: str, ending: mv.Ending | None = None) -> mv.Table:
    """The field 3e closed."""
    table = masons(" ".join(AROUND), *hands)
    return replace(close(table, (Field("3e"),))[0], ending=ending)


@pytest.mark.rule("MB-43")
def test_it_plays_the_cards_that_score() -> None:
    """Six points each for a city of one field (MB-50)."""
    table = scored("city-1 city-1 city-7 land-red", "cities")
    state = mv.Scoring(table, Field("3e"), (Seat(0), Seat(1)), ())
    assert answer(state) == "city-1"
    assert answer(state, words="0:city-1") == "city-1"


@pytest.mark.rule("MB-43")
def test_it_keeps_a_card_that_will_score_more() -> None:
    """One card is enough when the other scores nothing here (MB-43)."""
    table = scored("city-1 city-7", "cities")
    state = mv.Scoring(table, Field("3e"), (Seat(0), Seat(1)), ())
    assert answer(state, words="0:city-1") == "."


@pytest.mark.rule("MB-71")
def test_at_the_end_nothing_is_worth_keeping() -> None:
    """The last scoring takes every point there is."""
    table = scored("city-1 cities land-red", "cities", ending=mv.Ending.WALLS)
    state = mv.Scoring(table, Field("3e"), (Seat(0), Seat(1)), ())
    assert answer(state, words="0:city-1") == "cities"


@pytest.mark.rule("MB-71")
def test_at_the_end_nothing_is_said_of_later() -> None:
    """Cards that are kept can score then, and decide between equals (MB-73)."""
    table = scored("city-1 cities land-red", "cities", ending=mv.Ending.WALLS)
    state = mv.Scoring(table, Field("3e"), (Seat(0), Seat(1)), ())
    first, then = reasons(state), reasons(state, "0:city-1")

    assert first["-city-1"] == "Your other cards are worth more in the last scoring."
    assert then["."] == "If points are equal, more cards in hand decide the order."


def reasons(state: mv.State, words: str = "") -> dict[str, str]:
    """Why the bot at seat 0 would do each thing after these moves."""
    sight = seen_after(mauerbauer, state, words, 0)
    thoughts = Greedy(mauerbauer, setup_of(mauerbauer, 2), draws()).consider(sight).choices
    return {mauerbauer.write(each.action): each.reason.said(ENGLISH) for each in thoughts}


@pytest.mark.rule("MB-43")
def test_it_discards_what_will_hardly_score() -> None:
    """Two new cards are better than a point (MB-45)."""
    table = scored("city-7 city-palaces land-red", "cities")
    state = mv.Scoring(table, Field("3e"), (Seat(0), Seat(1)), ())
    assert answer(state) in {"-land-red", "-city-palaces"}


@pytest.mark.rule("MB-26")
def test_a_free_house_takes_the_colour_of_its_card() -> None:
    """For `?` any colour will do, so red it is (MB-57)."""
    table = masons("a2-b1", "land-red city-7", "cities")
    state = mv.PlacingEdgeHouse(table, Line("a2-b1"), mv.Roll(None, (None, None)))
    assert answer(state).startswith("r")


@pytest.mark.rule("MB-22")
def test_a_free_tower_takes_the_colour_of_its_card() -> None:
    """At the second end any colour will do (MB-60)."""
    table = masons("h3-j3", "land-black city-7", "cities")
    state = mv.PlacingFreeTower(table, Line("h3-j3"), mv.Roll(mv.Tower.WHITE, (None, None)))
    assert answer(state).startswith("B")


@pytest.mark.rule("MB-14")
def test_it_never_rolls_early() -> None:
    """That costs a point and brings nothing (MB-14)."""
    setup = setup_of(mauerbauer, 2, early="yes", first="0")
    start = mauerbauer.start(setup)
    assert isinstance(start, mv.Dealing)
    table = replace(masons("", "land-red", "cities"), options=setup.options)
    assert answer(mv.Building(table, hasty=False)) != mauerbauer.write(mv.RollEarly())


def test_the_census_counts_as_the_rules_do() -> None:
    """With all towers standing, what it says of a city to come is what the city then scores."""
    table = masons(" ".join(AROUND), "city-1 land-red", "cities", houses="r3e r3e g3e b1b y5j")
    points = sorted({point for line in AROUND for point in board_of("default").ends[line]})
    towers = tuple(zip(points, mv.TOWERS, strict=True))
    table = replace(table, towers=towers)
    view = mauerbauer.view(mv.Building(table, hasty=False), Seat(0))
    fields = newly_closed(table, AROUND[0])
    assert fields is not None
    closed, _ = close(table, fields)
    [city] = closed.cities
    counted = Census(view, table.hands[0]).closed(fields)
    assert counted == {card: value(card, closed, city) for card in KINDS}
