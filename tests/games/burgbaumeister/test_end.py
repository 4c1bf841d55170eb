"""Burgbaumeister, the end of the basic game: BB-10 to BB-13."""

import pytest
from tests.support.castle_table import StartCastle

from mauerwerk.core.errors import StaleMoveError
from mauerwerk.core.game import Outcome
from mauerwerk.games.burgbaumeister import ask, tell
from mauerwerk.games.burgbaumeister.events import Ended
from mauerwerk.games.burgbaumeister.values import Ending

EIGHT = "2 4 6 8 10 12 14 16"


@pytest.mark.rule("BB-10")
def test_the_ninth_card_wins_at_once(castle: StartCastle) -> None:
    """Nine cards, not counting the start tower, end the game; there is no further turn (BB-10)."""
    table = castle(f"{EIGHT} | 3 5 46 | 7 9")
    told = table.play("0:a1 ~:18 0:+")

    assert told.only(Ended) == Ended(Ending.NINE)
    assert table.outcome == Outcome((1, 2, 3), (9, 3, 2), "nine")
    assert table.to_act == ()


@pytest.mark.rule("BB-10")
@pytest.mark.parametrize(
    ("built", "wall", "why"),
    [
        (".", "1", "a wall has 1 card"),
        ("2 4", "3", "a wall has 3 cards"),
        (EIGHT, "9", "a wall has nine cards"),
    ],
)
def test_the_end_says_how_many_cards_a_wall_has(
    castle: StartCastle, built: str, wall: str, why: str
) -> None:
    """As many as the table plays with (BB-10)."""
    table = castle(f"{built} | .", wall=wall)
    told = table.play("0:a1 ~:18 0:+")

    assert tell(told.only(Ended), ("Ada", "Bo")) == f"The game is over: {why}."
    assert ask(table.view(None), ("Ada", "Bo")).lower().startswith(f"{why}. ada won")


@pytest.mark.rule("BB-10")
def test_eight_cards_do_not_win(castle: StartCastle) -> None:
    """The start tower does not count (BB-10)."""
    table = castle(f"{EIGHT[:-3]} | .")
    table.play("0:a1 ~:18 0:+")

    assert (len(table.on_table.walls[0]), table.ending) == (8, "")


@pytest.mark.rule("BB-10")
def test_pictures_mean_nothing_in_the_basic_game(castle: StartCastle) -> None:
    """Points are cards: no king, no cannon, no wizard (BB-10)."""
    table = castle("2 | 3 17 44")
    table.play("0:a1 ~:13 0:+")

    assert table.player == 1
    assert table.view(None).points == (2, 3)
    assert table.view(None).spell is None


@pytest.mark.rule("BB-10")
def test_ranks_behind_the_winner_follow_cards_then_the_last_number(castle: StartCastle) -> None:
    """More cards first; as many cards: the higher last one (BB-10)."""
    table = castle(f"3 5 | {EIGHT} | 7 9 | 11", player=1)
    table.play("1:a1 ~:40 1:+")

    assert table.outcome == Outcome((3, 1, 2, 4), (2, 9, 2, 1), "nine")


@pytest.mark.rule("BB-10")
def test_two_start_towers_share_the_last_rank(castle: StartCastle) -> None:
    """All players without a card share the last rank (BB-10)."""
    table = castle(f"{EIGHT} | . | .")
    table.play("0:a1 ~:18 0:+")

    assert table.outcome == Outcome((1, 2, 2), (9, 0, 0), "nine")


@pytest.mark.rule("BB-10")
def test_nothing_is_played_after_the_end(castle: StartCastle) -> None:
    """A move that comes too late is told so (BB-10)."""
    table = castle(f"{EIGHT} | .")
    table.play("0:a1 ~:18 0:+")

    with pytest.raises(StaleMoveError, match="the game is over: 'b1' came too late"):
        table.play("1:b1")


@pytest.mark.rule("BB-11")
@pytest.mark.parametrize(
    ("walls", "ranks", "points"),
    [
        ("3 40 | 5 41", (2, 1), (2, 2)),
        ("3 40 42 | 5 41", (1, 2), (3, 2)),
        ("40 | 3 41 | 43 | 44", (4, 1, 3, 2), (1, 2, 1, 1)),
    ],
)
def test_when_no_card_fits_any_wall_the_most_cards_win(
    castle: StartCastle, walls: str, ranks: tuple[int, ...], points: tuple[int, ...]
) -> None:
    """All that is left is lower than every last card; equal: the higher last number (BB-11)."""
    table = castle(walls, remaining="2 6 39")
    told = table.play("0:a1 ~:6 0:-")

    assert told.only(Ended).ending is Ending.BLOCKED
    assert table.outcome == Outcome(ranks, points, "blocked")


@pytest.mark.rule("BB-11")
@pytest.mark.parametrize("walls", ["3 38 | 5 41", "3 40 | 5 38", "46 | 45 | 44 | 38", "46 | ."])
def test_as_long_as_a_card_fits_somebody_the_game_goes_on(castle: StartCastle, walls: str) -> None:
    """One card for one wall is enough, though nobody can reach nine (BB-11)."""
    table = castle(walls, remaining="2 6 39")
    table.play("0:a1 ~:6 0:-")

    assert table.ending == ""


@pytest.mark.rule("BB-11")
def test_the_last_card_that_fits_blocks_the_game_when_it_is_added(castle: StartCastle) -> None:
    """It is looked at after each turn (BB-11)."""
    table = castle("3 40 | 5 38", remaining="2 6 39", player=1)
    table.play("1:a1 ~:39 1:+")

    assert table.outcome == Outcome((2, 1), (2, 3), "blocked")


@pytest.mark.rule("BB-12")
def test_the_game_stalls_when_every_card_was_left(castle: StartCastle) -> None:
    """Any player may have left each of them since a card was last added (BB-12)."""
    table = castle("3 | 5", remaining="2 6 39", known="a1=2 b1=6", left="a1 b1")
    table.play("0:a1 ~:2 0:-")
    assert table.ending == ""
    told = table.play("1:c1 ~:39 1:-")

    assert told.only(Ended).ending is Ending.STALL
    assert table.outcome == Outcome((2, 1), (1, 1), "stall")


@pytest.mark.rule("BB-12")
def test_an_added_card_begins_the_count_anew(castle: StartCastle) -> None:
    """Cards left before that must be turned and left again (BB-12)."""
    table = castle("3 | 5", remaining="6 39 40", left="a1 b1", idle=88)
    table.play("0:c1 ~:6 0:+ 1:a1 ~:39 1:- 0:a1 ~:39 0:-")
    assert (table.ending, table.view(0).idle) == ("", 2)

    table.play("1:b1 ~:40 1:-")
    assert table.ending == "stall"


@pytest.mark.rule("BB-12")
def test_ninety_turns_without_a_card_stall_the_game(castle: StartCastle) -> None:
    """All players' turns count together (BB-12)."""
    table = castle("3 | 5", idle=88)
    table.play("0:a1 ~:40 0:-")
    assert table.ending == ""
    table.play("1:a1 ~:40 1:-")

    assert table.ending == "stall"


@pytest.mark.rule("BB-12", "BB-11")
def test_a_stall_without_any_card_is_shared(castle: StartCastle) -> None:
    """Nobody has built anything: nobody is ahead (BB-11, BB-12)."""
    table = castle(". | . | .", idle=89)
    table.play("0:a1 ~:40 0:-")

    assert table.outcome == Outcome((1, 1, 1), (0, 0, 0), "stall")


@pytest.mark.rule("BB-12")
def test_a_table_may_do_without_the_stall_ruling(castle: StartCastle) -> None:
    """Then cards can be left for ever (BB-12)."""
    table = castle("3 | 5", remaining="6 39", left="a1", idle=400, stall="no")
    table.play("0:b1 ~:39 0:-")

    assert table.ending == ""


@pytest.mark.rule("BB-12", "BB-11")
def test_blocked_comes_before_stalled(castle: StartCastle) -> None:
    """Of two reasons the earlier clause counts (BB-12)."""
    table = castle("40 | 41", remaining="6 39", left="a1", idle=89)
    table.play("0:b1 ~:39 0:-")

    assert table.ending == "blocked"


@pytest.mark.rule("BB-12", "BB-10")
def test_nine_cards_come_before_everything_else(castle: StartCastle) -> None:
    """The ninth card ends the game even if it is the last of the depot (BB-10, BB-12)."""
    table = castle(f"{EIGHT} | 40", remaining="39")
    table.play("0:a1 ~:39 0:+")

    assert table.ending == "nine"


@pytest.mark.rule("BB-13")
def test_an_empty_depot_ends_the_game(castle: StartCastle) -> None:
    """Then the most cards win, as in BB-11 (BB-13)."""
    table = castle("3 7 | 40", remaining="39")
    table.play("0:a1 ~:39 0:+")

    assert table.outcome == Outcome((1, 2), (3, 1), "empty")
