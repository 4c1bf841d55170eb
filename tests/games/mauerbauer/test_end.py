"""Mauerbauer, the end: MB-70 to MB-73."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.mauerbauer.conftest import MauerbauerTable, StartBoard, ring, without
from tests.support.amounts import amount
from tests.support.setups.mauerbauer import setups

from mauerwerk.core import laws
from mauerwerk.core.errors import StaleMoveError
from mauerwerk.core.game import Setup
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer import ask
from mauerwerk.games.mauerbauer.events import Built, Chosen, EndDecided, GameEnded
from mauerwerk.games.mauerbauer.values import (
    Building,
    Choosing,
    Ending,
    Finishing,
    Options,
    Over,
    Scoring,
    Supply,
)

TOWERS, HOUSES, PALACES = (9, 9, 9), (9,) * 5, (3,) * 5


def last_wall(
    start_board: StartBoard, hands: str, *, walls: str = "", points: str = ""
) -> MauerbauerTable:
    """Seat 0 has built the last wall, and it closed no city."""
    table = start_board(
        walls=walls,
        towers="Wa2 Wb1",
        hands=hands,
        points=points,
        supply=Supply(1, TOWERS, HOUSES, PALACES),
    )
    table.play("0:a2-b1 ~:*rr 0:r1b")
    return table


# --- When ------------------------------------------------------------------------------------


@pytest.mark.rule("MB-70")
@pytest.mark.parametrize(
    ("supply", "ending"),
    [
        (Supply(1, TOWERS, HOUSES, PALACES), Ending.WALLS),
        (Supply(9, (0, 0, 1), HOUSES, PALACES), Ending.TOWERS),
        (Supply(9, TOWERS, (0, 0, 0, 0, 2), PALACES), Ending.HOUSES),
    ],
)
def test_the_last_piece_of_a_kind_ends_the_game(
    start_board: StartBoard, supply: Supply, ending: Ending
) -> None:
    """The last of all colours together; the turn is finished first (MB-70)."""
    table = start_board(towers="Wh3", supply=supply)

    told = table.play("0:h3-j3 ~:*Brr 0:Bj3 0:r3i 0:r2i")

    assert told.only(EndDecided).ending is ending
    assert table.phase is Finishing


@pytest.mark.rule("MB-70")
def test_the_last_of_one_colour_does_not_end_it(start_board: StartBoard) -> None:
    """No black tower and no red house is left, but others are (MB-70)."""
    table = start_board(towers="Wh3", supply=Supply(9, (1, 0, 1), (1, 0, 0, 0, 2), PALACES))

    table.play("0:h3-j3 ~:*Brr 0:Bj3 0:r3i 0:r2i")

    assert table.phase is Building


@pytest.mark.rule("MB-70", "MB-71")
def test_the_last_palace_ends_the_game(start_board: StartBoard) -> None:
    """It is built when a city is closed, so that the city is scored (MB-70, MB-71)."""
    table = start_board(
        walls=without(ring("3h"), "g4-h3"),
        towers="Wg4 Gh3 Bi4",
        houses="r3h",
        supply=Supply(9, TOWERS, HOUSES, (0, 0, 0, 0, 1)),
    )

    told = table.play("0:g4-h3 ~:*rb 0:r3h 0:b3g")

    assert told.only(EndDecided).ending is Ending.PALACES
    assert table.phase is Scoring


@pytest.mark.rule("MB-70", "MB-71")
def test_the_end_stands_even_when_pieces_flow_back(start_board: StartBoard) -> None:
    """The last wall closes a city, and a wall in it returns: it is over all the same (MB-70)."""
    table = start_board(
        walls=f"{without(ring('3f 3g 3h 4f 4g 4h'), 'f3-h3')} g4-i4",
        towers="We4 Wf3 Bg4 Wh3 Gi4 Wf5 Wh5",
        supply=Supply(1, TOWERS, HOUSES, PALACES),
    )

    told = table.play("0:f3-h3 ~:*rg 0:r3g 0:g2g")
    assert told.only(EndDecided).ending is Ending.WALLS
    assert table.supply.walls == 1
    table.play("0:cities 1:cities")
    assert table.phase is Over


@pytest.mark.rule("MB-71")
def test_a_city_of_the_last_turn_is_scored_as_usual_but_nobody_draws(
    start_board: StartBoard,
) -> None:
    """Everyone must play or discard; nobody draws or swaps (MB-71)."""
    table = start_board(
        walls=without(ring("3h"), "g4-h3"),
        towers="Wg4 Gh3 Bi4",
        hands="city-1 cities; land-red cities",
        supply=Supply(1, TOWERS, HOUSES, PALACES),
    )
    table.play("0:g4-h3 ~:*rb 0:r3h 0:b3g")

    assert table.legal(0) == "city-1 cities -city-1 -cities"
    assert ask(table.view(0), ["Ada", "Bo"]) == "Play a card, or discard one for nothing."
    told = table.play("0:city-1 0:. 1:-cities")
    assert table.phase is Over
    assert told.only(GameEnded).points == (6, 0)
    assert table.discard == "city-1 cities"


@pytest.mark.rule("MB-70", "MB-73")
@settings(max_examples=amount(4, 10, 300))
@given(setup=setups(), seed=st.integers(min_value=0))
def test_the_end_is_announced_once_and_every_wall_was_a_turn(
    setup: Setup[Options], seed: int
) -> None:
    """In whole games: the end is told when it is decided, and not again (MB-70)."""
    play = laws.Play(mauerbauer, setup, Random(seed).randrange)
    told = [event for _ in play.positions() for event in play.events]

    announced = [event.ending for event in told if isinstance(event, EndDecided)]
    assert announced == [play.state.table.ending]
    assert mauerbauer.turn(play.state) == sum(isinstance(event, Built) for event in told)


# --- The last scoring ------------------------------------------------------------------------


@pytest.mark.rule("MB-72")
def test_everybody_may_choose_a_city_and_play_up_to_two_cards(start_board: StartBoard) -> None:
    """Clockwise from the player whose turn it is; one city for both cards (MB-72)."""
    table = last_wall(
        start_board,
        "city-1 city-2 cities; city-1 land-walls",
        walls=f"{ring('3h')} {ring('4b 4c')}",
    )

    assert (table.phase, table.legal(0)) == (Choosing, "=3h =4b =-")
    assert [table.why_not(word) for word in ("1:=-", "0:=3i", "0:cities")] == ["MB-72"] * 3
    told = table.play("0:=4b")
    assert [told.only(Chosen, who).city for who in table.viewers] == ["4b"] * 3
    assert table.legal(0) == "city-1 city-2 cities ."
    table.play("0:city-2 0:city-1")
    assert table.points == (7, 0)
    table.play("1:=3h 1:city-1 1:land-walls")
    assert table.points == (7, 7)
    assert table.phase is Over


@pytest.mark.rule("MB-72")
def test_a_city_that_another_chose_may_be_chosen_again(start_board: StartBoard) -> None:
    """Nothing is used up (MB-72)."""
    table = last_wall(start_board, "city-1; city-1", walls=ring("3h"))

    table.play("0:=3h 0:city-1 1:=3h 1:city-1")

    assert table.points == (6, 6)


@pytest.mark.rule("MB-72")
def test_none_may_be_chosen_and_nothing_played(start_board: StartBoard) -> None:
    """City cards are worth 0 with none; 0 cards are allowed (MB-72)."""
    table = last_wall(start_board, "city-1 cities; city-1", walls=ring("3h"))

    table.play("0:=- 0:city-1 0:. 1:=- 1:.")

    assert table.points == (0, 0)
    assert (table.hand(0), table.hand(1)) == ("cities", "city-1")


@pytest.mark.rule("MB-72")
def test_without_a_city_on_the_board_cards_are_asked_for_all_the_same(
    start_board: StartBoard,
) -> None:
    """Nobody is asked for a city (MB-72)."""
    table = last_wall(start_board, "land-walls land-red; cities")

    assert (table.phase, table.legal(0)) == (Finishing, "land-red land-walls .")
    table.play("0:land-walls 0:land-red 1:.")
    assert table.points == (2, 0)


@pytest.mark.rule("MB-72")
def test_a_player_without_cards_is_not_asked(start_board: StartBoard) -> None:
    """And with the last card one is done (MB-72)."""
    table = last_wall(start_board, "; land-walls; cities", walls=ring("3h"))

    assert table.to_act == (1,)
    table.play("1:=3h 1:land-walls")
    assert table.to_act == (2,)


@pytest.mark.rule("MB-72")
def test_if_nobody_has_cards_it_is_over(start_board: StartBoard) -> None:
    """There is nothing to ask (MB-72)."""
    assert last_wall(start_board, " ; ", walls=ring("3h")).phase is Over


# --- Who wins --------------------------------------------------------------------------------


@pytest.mark.rule("MB-73")
@pytest.mark.parametrize(
    ("points", "hands", "ranks"),
    [
        ("5 9 7", "cities; cities; city-1", (3, 1, 2)),
        ("9 9 7", "cities; cities city-1; city-1", (2, 1, 3)),
        ("9 9 9", "cities; city-1; city-1", (1, 1, 1)),
        ("9 5 5", "cities; city-1 city-2; city-1 city-2", (1, 2, 2)),
    ],
)
def test_most_points_then_more_cards_then_shared(
    start_board: StartBoard, points: str, hands: str, ranks: tuple[int, ...]
) -> None:
    """In this order (MB-73)."""
    table = last_wall(start_board, hands, points=points)
    table.play("0:. 1:. 2:.")

    assert table.outcome
    assert table.outcome.ranks == ranks
    assert table.outcome.reason == "walls"


@pytest.mark.rule("MB-73")
def test_at_the_end_nothing_is_hidden(start_board: StartBoard) -> None:
    """All hands are shown to everybody, spectators too (MB-73)."""
    table = last_wall(start_board, "cities; city-1")
    told = table.play("0:.")
    assert table.view(0).hands[1] is None
    told = table.play("1:.")

    hands = table.on_table.hands
    assert [table.view(who).hands for who in table.viewers] == [hands] * 3
    assert [told.only(GameEnded, who).hands for who in table.viewers] == [hands] * 3


@pytest.mark.rule("MB-73")
def test_after_the_end_every_move_comes_too_late(start_board: StartBoard) -> None:
    """The game is over (MB-73)."""
    table = last_wall(start_board, "cities; city-1")
    table.play("0:. 1:.")

    assert table.to_act == ()
    assert table.why_not("0:h3-j3") == "MB-73"
    with pytest.raises(StaleMoveError, match="'h3-j3' came too late"):
        table.play("0:h3-j3")
