"""Mauerbauer, material and set-up: MB-1 to MB-3, MB-7, MB-8, and the options' bounds."""

from collections import Counter

import pytest
from tests.games.mauerbauer.conftest import StartBoard, words
from tests.support.game_table import AnyTable, StartTable

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import NATURE, Seat, Setup
from mauerwerk.core.options import from_words
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer.events import Appointed, Drawn
from mauerwerk.games.mauerbauer.guild import DECK, KINDS
from mauerwerk.games.mauerbauer.values import Appoint, Building, Deal, Options


def deal(table: AnyTable, notation: str) -> None:
    """Let nature deal these cards in this order."""
    table.play(" ".join(f"~:+{word}" for word in notation.split()))


@pytest.mark.rule("MB-1")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_two_to_four_play_by_the_same_rules(start_table: StartTable, seats: int) -> None:
    """Whatever their number, all begin alike: nothing built, 0 points (MB-1)."""
    table = start_table(seats, first="0").state.table

    assert (table.walls, table.points) == ((), (0,) * seats)


@pytest.mark.rule("MB-1")
@pytest.mark.parametrize("seats", [-1, 0, 1, 5])
def test_neither_one_nor_five_can_play(start_table: StartTable, seats: int) -> None:
    """Fewer than 2 or more than 4 are refused (MB-1)."""
    with pytest.raises(SetupError, match=rf"^mauerbauer is for 2 to 4 seats, not {seats}$"):
        start_table(seats)


@pytest.mark.rule("MB-2")
def test_the_supply(start_table: StartTable) -> None:
    """33 walls, 10 towers of each of 3 colours, 12 houses and 3 palaces of each of 5 (MB-2)."""
    supply = start_table(first="0").state.table.supply

    assert supply.walls == 33
    assert supply.towers == (10, 10, 10)
    assert supply.houses == (12, 12, 12, 12, 12)
    assert supply.palaces == (3, 3, 3, 3, 3)


@pytest.mark.rule("MB-3")
def test_the_tower_die_shows_each_colour_as_often_and_a_house_die_has_a_free_face(
    start_board: StartBoard,
) -> None:
    """Three tower colours and twice five house colours or `?`, each as likely (MB-3)."""
    table = start_board()
    table.play("0:h3-j3")

    odds = table.game.odds(table.state)
    shown = Counter(table.game.write(roll) for roll in odds)
    assert set(odds.values()) == {1}
    assert Counter(word[1] for word in shown) == {"W": 36, "G": 36, "B": 36}
    assert Counter(word[2] for word in shown) == dict.fromkeys("ygbpr?", 18)
    assert Counter(word[3] for word in shown) == dict.fromkeys("ygbpr?", 18)


@pytest.mark.rule("MB-7")
def test_the_deck_has_two_cards_of_each_of_30_kinds() -> None:
    """60 cards, two of a kind (MB-7)."""
    assert len(KINDS) == 30
    assert Counter(DECK) == dict.fromkeys(KINDS, 2)


@pytest.mark.rule("MB-8")
def test_the_lot_falls_on_each_seat_as_likely(start_table: StartTable) -> None:
    """Unless the table says otherwise nature draws who begins, before anything else (MB-8)."""
    table = start_table(3)

    assert table.to_act == (NATURE,)
    assert table.game.odds(table.state) == {Appoint(Seat(seat)): 1 for seat in range(3)}
    assert [table.legal(seat) for seat in range(3)] == ["", "", ""]
    told = table.play("~:@2")
    assert [told.only(Appointed, who).seat for who in table.viewers] == [2] * 4
    assert table.state.table.builder == 2


@pytest.mark.rule("MB-8")
def test_six_cards_to_the_starting_player_then_six_to_the_next(start_table: StartTable) -> None:
    """Each has all six before the next is dealt any, clockwise (MB-8)."""
    table = start_table(3, first="2")

    deal(table, "city-1 city-1 city-2 city-2 city-3 city-3 cities")
    hands = [words(hand) for hand in table.state.table.hands]
    assert hands == ["cities", "", "city-1 city-1 city-2 city-2 city-3 city-3"]
    deal(table, "city-7 city-7 land-red land-red land-blue")
    deal(table, "land-blue land-pink land-pink land-west land-west land-east")
    assert isinstance(table.state, Building)
    assert [len(hand) for hand in table.state.table.hands] == [6, 6, 6]
    assert len(table.state.table.pile) == 42
    assert table.to_act == (2,)


@pytest.mark.rule("MB-8")
def test_every_card_of_the_pile_is_as_likely(start_table: StartTable) -> None:
    """With one of a kind gone the other is half as likely as a pair; gone are gone (MB-8)."""
    table = start_table(2, first="0")
    deal(table, "cities city-7 city-7")

    odds = table.game.odds(table.state)
    weights = {table.game.write(action): weight for action, weight in odds.items()}
    assert (weights["+cities"], weights["+city-1"]) == (1, 2)
    assert "+city-7" not in weights
    assert sum(weights.values()) == 57
    assert table.why_not("~:+city-7") == "MB-8"


@pytest.mark.rule("MB-8")
def test_what_is_dealt_is_seen_by_its_owner_alone(start_table: StartTable) -> None:
    """Others, spectators too, learn that a card was dealt, but not which (MB-8)."""
    table = start_table(2, first="1")

    told = table.play("~:+cities")

    assert [told.only(Drawn, who).card is None for who in table.viewers] == [True, True, False]
    assert [words(table.view(1).hands[1]), table.view(0).hands[1]] == ["cities", None]
    assert table.view(None).hands == (None, None)
    assert table.view(None).counts == (0, 1)
    assert table.view(None).pile == 59


@pytest.mark.rule("MB-6", "MB-8", "MB-14")
@pytest.mark.parametrize(
    ("option", "word", "refusal"),
    [
        ("first", "4", "option first can be 0 to 3 or lot, not 4"),
        ("first", "youngest", "option first can be 0 to 3 or lot, not youngest"),
        ("early", "perhaps", "option early can be yes or no, not perhaps"),
        ("board", "", "option board can be a text without spaces, not "),
        ("walls", "0", "option walls can be 1 to 100, not 0"),
    ],
)
def test_an_option_out_of_bounds_is_refused_by_name(option: str, word: str, refusal: str) -> None:
    """The message names the option and what is allowed (MB-6, MB-8, MB-14)."""
    with pytest.raises(SetupError) as refused:
        from_words(Options, {option: word})

    assert str(refused.value) == refusal


@pytest.mark.rule("MB-8")
def test_nobody_begins_who_does_not_play() -> None:
    """Seat 3 cannot begin when three play (MB-8)."""
    with pytest.raises(SetupError, match="option first can be 0 to 2 or lot at 3 seats, not 3"):
        mauerbauer.start(Setup(3, Options(first=3)))


@pytest.mark.rule("MB-8")
def test_only_nature_deals(start_table: StartTable) -> None:
    """A seat cannot help itself (MB-8)."""
    table = start_table(2, first="0")

    assert table.why_not("0:+cities") == "MB-8"
    assert Deal(DECK[0]) in table.game.legal(table.state, NATURE)
