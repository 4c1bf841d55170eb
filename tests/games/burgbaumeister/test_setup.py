"""Burgbaumeister, material and set-up: BB-1 to BB-4, and the options' bounds."""

import pytest
from msgspec.structs import replace
from tests.support.game_table import AnyTable, StartTable

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import NATURE, Seat, Setup
from mauerwerk.games import burgbaumeister
from mauerwerk.games.burgbaumeister.events import Appointed, SpreadOut, Task
from mauerwerk.games.burgbaumeister.values import CARDS, Appoint, Show, Spread


@pytest.mark.rule("BB-1")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_first_card_may_be_any_of_forty_five(start_table: StartTable, seats: int) -> None:
    """2 to 4 play with the numbers 2 to 46, each once, and each as likely at first (BB-1)."""
    table = start_table(seats)
    table.play("0:e3")

    assert table.game.odds(table.state) == {Show(number): 1 for number in range(2, 47)}
    assert len(CARDS) == 45


@pytest.mark.rule("BB-1")
@pytest.mark.parametrize("seats", [0, 1, 5])
def test_neither_one_nor_five_can_play(start_table: StartTable, seats: int) -> None:
    """Fewer than 2 or more than 4 are refused (BB-1)."""
    with pytest.raises(SetupError, match=rf"^burgbaumeister is for 2 to 4 seats, not {seats}$"):
        start_table(seats)


@pytest.mark.rule("BB-2", "BB-7")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_wall_begins_with_a_start_tower(start_table: StartTable, seats: int) -> None:
    """The tower is number 1, so that even the 2 can be added (BB-2)."""
    table = start_table(seats)
    table.play("0:a1 ~:2 0:+")

    assert table.state.table.walls == ((2,), *[()] * (seats - 1))


@pytest.mark.rule("BB-3")
def test_the_depot_is_a_rectangle_of_nine_by_five(table: AnyTable) -> None:
    """All 45 cards lie face down, row by row (BB-3)."""
    places = [f"{column}{row}" for row in range(1, 6) for column in "abcdefghi"]

    assert table.legal(0).split() == places
    assert table.view(0).layout is None
    assert table.view(0).turned is None


@pytest.mark.rule("BB-3")
def test_a_chaotic_depot_is_spread_by_nature(start_table: StartTable) -> None:
    """Before the first turn one of the layouts is drawn, each as likely, and told to all (BB-3)."""
    table = start_table(3, depot="chaotic")

    assert table.to_act == (NATURE,)
    assert table.game.odds(table.state) == {Spread(layout): 1 for layout in range(64)}
    told = table.play("~:L17")

    assert [told.only(SpreadOut, who).layout for who in table.viewers] == [17] * 4
    assert [table.view(who).layout for who in table.viewers] == [17] * 4
    assert table.to_act == (0,)


@pytest.mark.rule("BB-4")
def test_the_first_seat_begins_unless_the_table_says_otherwise(start_table: StartTable) -> None:
    """Seat 0 stands for the youngest; another seat can be chosen (BB-4)."""
    assert start_table(4).to_act == (0,)
    assert start_table(4, first="3").to_act == (3,)


@pytest.mark.rule("BB-4")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_lot_may_fall_on_every_seat(start_table: StartTable, seats: int) -> None:
    """Nature draws who begins, each with the same odds, and tells all (BB-4)."""
    table = start_table(seats, first="lot")

    assert table.game.odds(table.state) == {Appoint(Seat(seat)): 1 for seat in range(seats)}
    told = table.play("~:@1")
    assert [told.only(Appointed, who).first for who in table.viewers] == [1] * (seats + 1)
    assert table.to_act == (1,)


@pytest.mark.rule("BB-3", "BB-4")
def test_the_lot_comes_before_the_layout(start_table: StartTable) -> None:
    """With both, nature first draws who begins, then spreads the cards (BB-3, BB-4)."""
    table = start_table(first="lot", depot="chaotic")

    assert table.legal(NATURE) == "@0 @1"
    table.play("~:@1")
    assert (table.view(0).player, table.to_act) == (1, (NATURE,))
    table.play("~:L0")
    assert table.to_act == (1,)


@pytest.mark.rule("BB-2", "BB-3", "BB-4")
@pytest.mark.parametrize("memory_aid", ["yes", "no"])
@pytest.mark.parametrize("variant", ["yes", "no"])
def test_before_the_first_turn_the_table_looks_as_at_its_beginning(
    start_table: StartTable, variant: str, memory_aid: str
) -> None:
    """Nature decides who begins and how the cards lie, and nothing else (BB-2 to BB-4)."""
    choices = {"variant": variant, "memory_aid": memory_aid, "stall": "no"}
    table = start_table(3, first="lot", depot="chaotic", **choices)
    views = [[table.view(who) for who in table.viewers]]
    for lot in ("~:@1", "~:L0"):
        table.play(lot)
        views.append([table.view(who) for who in table.viewers])

    drawing, spreading, begun = views
    for who, first in zip(table.viewers, begun, strict=True):
        assert (first.seat, first.walls, first.points, first.turns) == (who, ((),) * 3, (0,) * 3, 0)
    unknown = {"layout": None, "waiting": (NATURE,)}
    spread = [replace(first, task=Task.SPREAD, **unknown) for first in begun]
    assert spreading == spread
    assert drawing == [replace(view, task=Task.LOT, player=None) for view in spread]


@pytest.mark.rule("BB-4")
def test_who_begins_must_sit_at_the_table(start_table: StartTable) -> None:
    """A seat that is not there is refused with those that are (BB-4)."""
    with pytest.raises(SetupError, match="first can be 0 to 1 or lot at 2 seats, not 2"):
        start_table(2, first="2")


@pytest.mark.parametrize(
    ("option", "word", "allowed"),
    [
        ("variant", "maybe", "yes or no"),
        ("first", "4", "0 to 3 or lot"),
        ("depot", "heap", "chaotic or rectangle"),
        ("memory_aid", "2", "yes or no"),
        ("stall", "off", "yes or no"),
    ],
)
def test_an_option_says_what_it_takes(
    start_table: StartTable, option: str, word: str, allowed: str
) -> None:
    with pytest.raises(SetupError, match=f"option {option} can be {allowed}, not {word}"):
        start_table(2, **{option: word})


@pytest.mark.rule("BB-12")
def test_without_the_stall_ruling_a_game_need_not_end() -> None:
    """Programs that play thousands of games ask first (BB-12)."""
    setups = [Setup(2, burgbaumeister.Options(stall=stall)) for stall in (True, False)]

    assert [burgbaumeister.must_end(setup) for setup in setups] == [True, False]
