"""Mauerbauer, scoring a city, drawing and swapping: MB-43 to MB-48."""

import pytest
from tests.games.mauerbauer.conftest import MauerbauerTable, StartBoard, ring, without

from mauerwerk.core.game import NATURE
from mauerwerk.games.mauerbauer import views
from mauerwerk.games.mauerbauer.events import Discarded, Drawn, Played, Reshuffled, Swapped
from mauerwerk.games.mauerbauer.notation import ask
from mauerwerk.games.mauerbauer.values import Adding, Building, Drawing, Scoring, Swapping

NAMES = ("Ann", "Bo", "Cy")


def closed(  # noqa: PLR0913 - what differs from test to test
    start_board: StartBoard,
    hands: str,
    *,
    points: str = "",
    pile: str | None = None,
    discard: str = "",
    builder: int = 0,
) -> MauerbauerTable:
    """A city of the field 3h was just closed: its towers are white, grey and black."""
    table = start_board(
        walls=without(ring("3h"), "g4-h3"),
        towers="Wg4 Gh3 Bi4",
        hands=hands,
        points=points,
        pile=pile,
        discard=discard,
        builder=builder,
    )
    table.play(f"{builder}:g4-h3 ~:*yb {builder}:y3h {builder}:b3g")
    assert table.phase is Scoring
    return table


# --- Playing ---------------------------------------------------------------------------------


@pytest.mark.rule("MB-43")
def test_clockwise_from_who_closed_the_city(start_board: StartBoard) -> None:
    """Everybody must play or discard, one after the other (MB-43)."""
    table = closed(start_board, "cities; city-1; land-red", builder=1)

    asked = [table.to_act]
    for word in ("1:city-1", "2:land-red"):
        table.play(word)
        asked.append(table.to_act)
    assert asked == [(1,), (2,), (0,)]
    assert table.why_not("1:cities") == "MB-43"


@pytest.mark.rule("MB-43")
def test_play_one_or_discard_one_of_each_kind_in_hand(start_board: StartBoard) -> None:
    """Two of a kind are one choice; to pass is none (MB-43)."""
    table = closed(start_board, "cities cities city-1; city-2")

    assert table.legal(0) == "city-1 cities -city-1 -cities"
    assert [table.why_not(word) for word in ("0:.", "0:land-red", "0:^cities")] == ["MB-43"] * 3


@pytest.mark.rule("MB-43")
def test_after_one_card_another_or_enough(start_board: StartBoard) -> None:
    """Two cards at most, and no discarding once one is played (MB-43)."""
    table = closed(start_board, "cities cities city-1 land-red; city-2")

    table.play("0:cities")
    assert (table.phase, table.legal(0)) == (Adding, "city-1 land-red cities .")
    assert table.why_not("0:-city-1") == "MB-43"
    table.play("0:city-1")
    assert table.to_act == (1,)


@pytest.mark.rule("MB-43")
def test_enough_is_enough(start_board: StartBoard) -> None:
    """A player who has played one card may stop (MB-43)."""
    table = closed(start_board, "cities city-1; cities")

    table.play("0:cities 0:.")

    assert table.to_act == (1,)
    assert table.hand(0) == "city-1"


@pytest.mark.rule("MB-43")
def test_with_no_card_left_nobody_is_asked_for_another(start_board: StartBoard) -> None:
    """The last card ends it (MB-43)."""
    table = closed(start_board, "cities; cities")

    table.play("0:cities")

    assert (table.phase, table.to_act) == (Scoring, (1,))


@pytest.mark.rule("MB-43")
def test_a_player_without_cards_is_passed_over_and_draws_one(start_board: StartBoard) -> None:
    """He is not asked, but cards are dealt to him as to all (MB-43)."""
    table = closed(start_board, "cities; ; cities")

    assert views.state_on(table.view(None), table.on_table) == table.state
    table.play("0:cities")
    assert table.to_act == (2,)
    table.play("2:-cities")
    told = table.play("~:+land-red ~:+city-1 ~:+city-1 ~:+city-2")
    assert [event.seat for event in told.of(Drawn)] == [0, 1, 2, 2]


@pytest.mark.rule("MB-43")
def test_if_nobody_has_cards_all_draw(start_board: StartBoard) -> None:
    """The scoring is over before it begins (MB-43)."""
    table = start_board(
        walls=without(ring("3h"), "g4-h3"), towers="Wg4 Gh3 Bi4", hands=" ; ", points="1 2"
    )

    table.play("0:g4-h3 ~:*yb 0:y3h 0:b3g ~:+cities")

    assert table.phase is Drawing
    assert (table.hand(0), table.to_act) == ("cities", (NATURE,))


@pytest.mark.rule("MB-44")
def test_played_cards_score_at_once_even_for_nothing(start_board: StartBoard) -> None:
    """A card worth 0 may be played; all see card and points (MB-44)."""
    table = closed(start_board, "city-1 city-7; cities", points="3 0")

    told = table.play("0:city-1")
    assert [told.only(Played, who).points for who in table.viewers] == [6, 6, 6]
    assert table.points == (9, 0)
    assert table.play("0:city-7").only(Played).points == 0
    assert table.points == (9, 0)


@pytest.mark.rule("MB-44")
def test_what_is_played_or_discarded_lies_open(start_board: StartBoard) -> None:
    """Played and discarded cards are seen by all, and then lie on the discard pile (MB-44)."""
    table = closed(start_board, "cities; city-7; land-red", discard="city-2")

    told = table.play("0:cities 1:-city-7")
    assert told.only(Discarded, 2).card.value == "city-7"
    assert [(laid.seat, laid.discarded) for laid in table.view(None).laid] == [
        (0, False),
        (1, True),
    ]
    table.play("2:land-red")
    assert table.discard == "city-2 city-7 land-red cities"
    assert table.view(None).laid == ()
    assert table.view(None).discard == table.on_table.discard


# --- Drawing ---------------------------------------------------------------------------------


@pytest.mark.rule("MB-45", "MB-48")
def test_one_card_who_played_two_who_discarded(start_board: StartBoard) -> None:
    """Clockwise from who closed the city, both cards before the next draws (MB-45, MB-48)."""
    table = closed(
        start_board, "cities city-1; cities city-1; land-red land-blue", builder=1, points="9 8 7"
    )

    table.play("1:-cities 2:land-red 2:land-blue 0:cities 0:.")
    assert table.view(0).owed == (1, 1, 2, 0)
    told = table.play("~:+city-2 ~:+city-3 ~:+city-2 ~:+city-3")
    assert [event.seat for event in told.of(Drawn)] == [1, 1, 2, 0]
    assert [len(hand) for hand in table.on_table.hands] == [2, 3, 1]


@pytest.mark.rule("MB-45")
def test_what_is_drawn_is_a_secret(start_board: StartBoard) -> None:
    """Only who drew it knows the card (MB-45)."""
    table = closed(start_board, "cities; cities")
    told = table.play("0:cities 1:cities ~:+land-red")

    cards = [told.only(Drawn, who).card for who in table.viewers]
    assert [card and card.value for card in cards] == [None, "land-red", None]
    assert [table.why_not(word) for word in ("~:+city-7", "0:land-red")] == ["", "MB-45"]


@pytest.mark.rule("MB-46")
def test_with_the_last_card_the_discard_pile_becomes_the_pile(start_board: StartBoard) -> None:
    """It is shuffled at once, so that its cards can be drawn next (MB-46)."""
    table = closed(start_board, "cities; city-1", pile="land-red", discard="city-7")
    table.play("0:cities 1:-city-1")

    assert table.legal(NATURE) == "+land-red"
    told = table.play("~:+land-red")
    assert [told.only(Reshuffled, who).cards for who in table.viewers] == [3, 3, 3]
    assert (table.pile, table.discard) == ("city-1 city-7 cities", "")
    assert table.legal(NATURE) == "+city-1 +city-7 +cities"


@pytest.mark.rule("MB-46")
def test_the_pile_is_replaced_even_when_nobody_draws_on(start_board: StartBoard) -> None:
    """The last card owed is the last of the pile: all know at once what the new one holds."""
    table = closed(start_board, "cities; city-1", pile="land-red land-blue", points="9 0")
    table.play("0:cities 1:city-1 ~:+land-red")

    told = table.play("~:+land-blue")

    assert told.only(Reshuffled).cards == 2
    assert (table.pile, table.discard) == ("city-1 cities", "")
    assert table.phase is Swapping


@pytest.mark.rule("MB-46")
def test_with_both_piles_empty_a_player_draws_what_there_is(start_board: StartBoard) -> None:
    """Two cards are owed to seat 1, one is left in all: the rest is dropped (MB-46)."""
    table = closed(start_board, "; cities city-1", pile="land-red", points="4 0")

    table.play("1:-cities")
    told = table.play("~:+land-red ~:+cities")
    assert told.only(Reshuffled).cards == 1
    assert (table.phase, table.pile, table.discard) == (Swapping, "", "")
    assert (table.hand(0), table.hand(1)) == ("land-red", "city-1 cities")


@pytest.mark.rule("MB-46")
def test_cards_discarded_later_become_the_pile_when_one_must_be_drawn(
    start_board: StartBoard,
) -> None:
    """Pile and discard pile were empty; what is swapped away can come back (MB-46, MB-47)."""
    table = closed(start_board, "; cities city-1", pile="land-red", points="4 0")
    table.play("1:-cities ~:+land-red ~:+cities")

    table.play("1:^city-1")
    assert (table.pile, table.discard) == ("", "city-1")
    told = table.play("1:.")
    assert told.only(Reshuffled).cards == 1
    assert table.legal(NATURE) == "+city-1"
    table.play("~:+city-1")
    assert table.hand(1) == "city-1 cities"


# --- Swapping --------------------------------------------------------------------------------


@pytest.mark.rule("MB-47")
def test_the_player_furthest_behind_may_swap(start_board: StartBoard) -> None:
    """Nobody else; when he is done the next turn begins (MB-47)."""
    table = closed(start_board, "cities; land-red city-1; land-blue", points="5 2 9")
    table.play("0:cities 1:land-red 1:. 2:-land-blue ~:+city-7 ~:+city-7 ~:+city-3 ~:+city-3")

    assert (table.phase, table.to_act) == (Swapping, (1,))
    assert ask(table.view(1), NAMES) == "You are furthest behind. Which cards do you swap?"
    assert ask(table.view(0), NAMES) == "Bo is furthest behind and may swap cards."
    assert table.legal(1) == "^city-1 ^city-7 ."
    assert [table.why_not(word) for word in ("0:.", "1:^cities", "1:city-7")] == ["MB-47"] * 3
    table.play("1:.")
    assert (table.phase, table.builder) == (Building, 1)


@pytest.mark.rule("MB-47", "MB-48")
def test_any_number_of_cards_one_by_one_and_then_as_many_are_drawn(start_board: StartBoard) -> None:
    """He discards first and draws then; all see what he puts away (MB-47, MB-48, MB-44)."""
    table = closed(start_board, "cities; land-red city-1 city-2 city-3", points="5 2")
    table.play("0:cities 1:land-red 1:. ~:+city-7 ~:+city-7")

    told = table.play("1:^city-1 1:^city-7")
    assert [event.card.value for event in told.of(Swapped, 0)] == ["city-1", "city-7"]
    assert table.view(0).swapped == 2
    table.play("1:.")
    assert table.view(0).owed == (1, 1)
    told = table.play("~:+cities ~:+land-blue")
    assert [event.card for event in told.of(Drawn, 0)] == [None, None]
    assert table.hand(1) == "city-2 city-3 land-blue cities"
    assert table.phase is Building


@pytest.mark.rule("MB-47")
def test_who_has_swapped_away_his_last_card_is_done(start_board: StartBoard) -> None:
    """Nothing is left to ask for (MB-47)."""
    table = closed(start_board, "cities; land-red", points="5 2")
    table.play("0:cities 1:land-red ~:+city-7 ~:+city-7 1:^city-7")

    assert table.phase is Drawing
    table.play("~:+land-east")
    assert table.hand(1) == "land-east"


@pytest.mark.rule("MB-47")
def test_all_who_are_tied_for_last_swap_one_after_the_other(start_board: StartBoard) -> None:
    """Beginning with the player whose turn it is, clockwise; each draws first (MB-47)."""
    table = closed(start_board, "land-red; land-red; land-blue", points="4 9 4", builder=1)
    table.play("1:land-red 2:-land-blue 0:-land-red")
    table.play("~:+city-1 ~:+city-1 ~:+city-2 ~:+city-2 ~:+city-3")

    assert table.view(1).swappers == (2, 0)
    assert ask(table.view(2), NAMES) == "You share last place. Which cards do you swap?"
    assert ask(table.view(1), NAMES) == "Cy shares last place and may swap cards."
    table.play("2:^city-1 2:.")
    assert table.to_act == (NATURE,)
    table.play("~:+cities")
    assert (table.to_act, table.hand(2)) == ((0,), "city-2 cities")
    table.play("0:.")
    assert (table.phase, table.builder) == (Building, 2)


@pytest.mark.rule("MB-47")
def test_who_is_last_without_cards_is_not_asked(start_board: StartBoard) -> None:
    """There was no card for him to draw (MB-47)."""
    table = closed(start_board, "city-1 cities; ", points="4 0", pile="")

    table.play("0:-city-1 ~:+city-1")

    assert (table.hand(0), table.hand(1)) == ("city-1 cities", "")
    assert (table.phase, table.builder) == (Building, 1)


@pytest.mark.rule("MB-47")
def test_who_is_last_is_fixed_by_the_points_after_the_scoring(start_board: StartBoard) -> None:
    """Seat 1 was last before it played (MB-47)."""
    table = closed(start_board, "cities; city-1", points="3 2")

    table.play("0:cities 1:city-1 ~:+city-7 ~:+city-7")

    assert table.points == (4, 8)
    assert table.to_act == (0,)
