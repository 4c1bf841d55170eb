"""Die Mauer, the end of the game: DM-28."""

import pytest
from tests.games.mauer.conftest import MauerTable, StartMauer

from mauerwerk.core.errors import StaleMoveError
from mauerwerk.games import mauer
from mauerwerk.games.mauer.events import RoundEnded, StonePassed
from mauerwerk.games.mauer.values import ACTIONS, Over


def last_turn(start_table: StartMauer, *scores: tuple[int, ...]) -> MauerTable:
    """The last round of several, one build before its end; it will be scored 0, 4, 2, 3."""
    table = start_table(hands="1 4 2 3", scores=scores, rounds=str(len(scores) + 1))
    table.play("0:1 1:- 2:- 3:-")
    return table


@pytest.mark.rule("DM-28")
@pytest.mark.parametrize(
    ("before", "points", "ranks"),
    [
        ((0, 0, 0, 0), (0, 4, 2, 3), (1, 4, 2, 3)),
        ((9, 0, 0, 0), (9, 4, 2, 3), (4, 3, 1, 2)),
        ((2, 0, 0, 5), (2, 4, 2, 8), (1, 3, 1, 4)),
        ((9, 0, 2, 1), (9, 4, 4, 4), (4, 1, 1, 1)),
        ((0, 5, 7, 9), (0, 9, 9, 12), (1, 2, 2, 4)),
        ((0, 5, 7, 6), (0, 9, 9, 9), (1, 2, 2, 2)),
        ((4, 0, 2, 1), (4, 4, 4, 4), (1, 1, 1, 1)),
    ],
)
def test_the_fewest_penalty_points_win(
    mauer_table: StartMauer,
    before: tuple[int, ...],
    points: tuple[int, ...],
    ranks: tuple[int, ...],
) -> None:
    """All rounds are added up; who is equal shares a rank, the next is left out (DM-28)."""
    table = last_turn(mauer_table, before)

    table.play("0:>")

    assert table.outcome is not None
    assert (table.outcome.points, table.outcome.ranks) == (points, ranks)
    assert table.outcome.winners == tuple(seat for seat, rank in enumerate(ranks) if rank == 1)


@pytest.mark.rule("DM-28")
@pytest.mark.parametrize(
    ("before", "told"),
    [
        ((0, 0, 0, 0), "Ada won with 0 penalty points."),
        ((2, 0, 0, 5), "Ada and Cem share the win with 2 penalty points each."),
        ((9, 0, 2, 1), "Bo, Cem and Dan share the win with 4 penalty points each."),
    ],
)
def test_whoever_won_is_named(mauer_table: StartMauer, before: tuple[int, ...], told: str) -> None:
    """One alone, or all who share (DM-28)."""
    table = last_turn(mauer_table, before)

    table.play("0:>")

    assert mauer.ask(table.view(0), ["Ada", "Bo", "Cem", "Dan"]).endswith(told)


@pytest.mark.rule("DM-4", "DM-28")
def test_there_is_no_outcome_before_the_last_round_is_over(mauer_table: StartMauer) -> None:
    """Until the last piece of the last round nobody has won (DM-28)."""
    table = last_turn(mauer_table, (1, 2, 3, 4), (4, 3, 2, 1))

    before = table.outcome
    table.play("0:>")

    assert before is None
    assert table.outcome is not None
    assert table.outcome.points == (5, 9, 7, 8)


@pytest.mark.rule("DM-28")
@pytest.mark.parametrize(
    ("wall", "hands", "words", "reason"),
    [
        ("4", "1 T T", "0:1 1:T 2:T 0:<", "out"),
        ("T4C", "TC T T", "0:T 1:T 2:T", "deadlock"),
        ("4", "1 T T", "0:- 1:- 2:-", "stall"),
    ],
)
def test_the_outcome_says_how_the_last_round_ended(
    mauer_table: StartMauer, wall: str, hands: str, words: str, reason: str
) -> None:
    """Out, deadlock or stall (DM-28)."""
    table = mauer_table(wall=wall, hands=hands, rounds="1", stall="1")

    table.play(words)

    assert table.outcome is not None
    assert table.outcome.reason == reason


@pytest.mark.rule("DM-28")
def test_when_the_game_is_over_nobody_is_asked(mauer_table: StartMauer) -> None:
    """No new round is dealt and the stone stays: the table shows how it ended (DM-28)."""
    table = last_turn(mauer_table)

    told = table.play("0:>")

    assert isinstance(table.state, Over)
    assert told.of(StonePassed) == ()
    assert len(told.of(RoundEnded)) == 1
    assert (table.wall, table.hands) == ("1", ". 4 2 3")
    assert (table.to_act, [table.legal(seat) for seat in range(4)]) == ((), [""] * 4)
    assert table.game.turn(table.state) == 1


@pytest.mark.rule("DM-28")
def test_a_move_after_the_end_came_too_late(mauer_table: StartMauer) -> None:
    """Whatever it is, it is stale rather than illegal, and changes nothing (DM-28)."""
    table = last_turn(mauer_table)
    table.play("0:>")
    over = table.state

    for word in map(table.game.write, ACTIONS):
        assert table.why_not(f"1:{word}") == "DM-28"
        with pytest.raises(StaleMoveError) as refused:
            table.play(f"1:{word}")
        assert str(refused.value) == f"the game is over: {word!r} came too late"
    assert table.state == over
