"""Clocks: measured from the log, for each seat that must act, to the end of time."""

from typing import Any

import pytest
from tests.support.driven_table import ADA, BOB, CLEO, LEVEL, SEED, DrivenTable, order, refused

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Seat
from mauerwerk.server.tables import requests
from mauerwerk.server.tables.charter import Charter, charter_for
from mauerwerk.server.tables.clocks import DAY, Clock, awake_until
from mauerwerk.server.tables.errors import RequestError
from mauerwerk.server.tables.log import Kind
from mauerwerk.server.tables.table_views import table_view
from mauerwerk.server.tables.transcript import transcript
from mauerwerk.server.tables.undo import Way

MINUTES = Clock(total=60, increment=5)
PEOPLE = {Seat(0): ADA, Seat(1): BOB, Seat(2): CLEO}


def at_table(**more: Any) -> DrivenTable:  # noqa: ANN401 - any field of an order
    """Three people at a table of Die Mauer, where all choose at the same time."""
    charter = charter_for(order("mauer", "hhh", **more), "table", SEED, 1_000_000)
    return DrivenTable(charter, PEOPLE)


def left(driven: DrivenTable) -> list[int]:
    """The whole seconds that each seat has left, when its clock last stopped."""
    return [clock.left // 1_000 for clock in driven.table.clocks]


def play(driven: DrivenTable, seconds: int, word: str) -> None:
    """Play a word such as `0:T` after so many seconds."""
    driven.now += 1_000 * seconds
    driven.play(word)


def ran_out(driven: DrivenTable, seconds: int) -> list[bool]:
    """Let so many seconds pass: for which seats a bot plays then."""
    driven.now += 1_000 * seconds
    driven.do(requests.run_out)
    return [bool(occupant.level) for occupant in driven.table.occupants]


def test_each_clock_runs_until_its_seat_has_chosen() -> None:
    """Players who choose together spend their own time, and gain the increment each."""
    driven = at_table(clock=MINUTES)
    play(driven, 10, "0:T")
    play(driven, 10, "1:4")
    assert left(driven) == [55, 45, 60]
    assert [clock.left for clock in driven.table.clocks] == [55_000, 45_000, 60_000]
    until = [time.until for time in table_view(driven.table, None, SEED).times]
    assert until == [None, None, driven.table.clocks[2].since + 60_000]
    assert driven.table.deadline == 1_000_000 + 60_000


def test_moves_that_are_given_cost_nothing_and_gain_nothing() -> None:
    """All clocks begin when the players do."""
    driven = at_table(clock=MINUTES, options={"first": "2"}, moves=("0:T", "1:4", "2:4", "1:>"))
    assert left(driven) == [60, 60, 60]
    play(driven, 10, "0:-")
    assert left(driven) == [55, 60, 60]


def test_changing_an_unseen_choice_costs_nothing() -> None:
    """Nobody can tell from a clock how often a mind was changed."""
    driven = at_table(clock=MINUTES)
    play(driven, 10, "0:T")
    before = driven.table.clocks
    play(driven, 10, "0:4")
    assert driven.table.clocks == before


def test_at_the_end_of_time_a_bot_plays_on() -> None:
    """Only for the seats whose own time is up, and for the rest of the game."""
    driven = at_table(clock=MINUTES)
    play(driven, 10, "0:T")
    assert ran_out(driven, 49) == [False, False, False]
    assert ran_out(driven, 1) == [False, True, True]
    assert left(driven) == [55, 0, 0]
    for request in (requests.come_back, requests.rest):
        with pytest.raises(RequestError):
            driven.do(request, Seat(1))
    with refused(RequestError, "your time for this game is up"):
        driven.do(requests.move, Seat(1), "4", driven.table.number(Seat(1)))


def test_somebody_out_of_time_takes_nothing_back() -> None:
    """Neither their own last choice, nor what a bot chooses in their place."""
    driven = at_table(clock=MINUTES)
    driven.play("1:4")
    driven.do(requests.take_back, Seat(1), driven.table.number(Seat(1)))
    assert ran_out(driven, 60) == [True, True, True]
    driven.do(requests.play_for, Seat(1), "4", driven.table.number(Seat(1)))
    assert driven.table_view(1).undo is Way.NO
    with pytest.raises(RequestError):
        driven.do(requests.take_back, Seat(1), driven.table.number(Seat(1)))


def test_who_is_out_of_time_comes_last_if_the_table_says_so() -> None:
    """A bot plays on, everybody is told, and the outcome puts the seat behind all others."""
    clock = Clock(total=60, forfeits=True)
    driven = at_table(clock=clock, options={"rounds": "1", "stall": "1"})
    driven.play("1:- 2:-")
    assert ran_out(driven, 60) == [True, False, False]
    assert driven.history(None)[-1].kind is Kind.FORFEIT
    driven.do(requests.play_for, Seat(0), "-", driven.table.number(Seat(0)))
    assert driven.table.outcome is not None
    assert driven.table.outcome.ranks[0] == 3
    assert "ran out of time, and lost" in transcript(driven.table, SEED)


def test_time_is_not_given_back_with_a_move() -> None:
    """Neither what was spent nor what was gained; a choice taken back lets the clock run again."""
    driven = at_table(clock=MINUTES)
    play(driven, 20, "0:T")
    assert left(driven) == [45, 60, 60]
    driven.now += 7_000
    driven.do(requests.take_back, Seat(0), driven.table.number(Seat(0)))
    assert left(driven) == [40, 60, 60]
    play(driven, 10, "0:T")
    assert left(driven) == [35, 60, 60]


def test_taking_back_gains_no_increment() -> None:
    """However often somebody moves and takes back, the time only goes down."""
    driven = at_table(clock=MINUTES)
    for _ in range(3):
        driven.play("0:T")
        driven.do(requests.take_back, Seat(0), driven.table.number(Seat(0)))
    assert left(driven) == [60, 60, 60]


@pytest.mark.parametrize("refuses", [True, False])
def test_clocks_stand_still_while_a_seat_asks_to_take_back(*, refuses: bool) -> None:
    """Until somebody answers, or a move drops the question."""
    driven = at_table(clock=MINUTES, options={"first": "2"})
    driven.play("0:T 1:4 2:4")
    assert left(driven) == [65, 65, 65]
    driven.now += 10_000
    driven.take_back(0)
    driven.now += 30_000
    if refuses:
        driven.consent(1, agree=False)
    driven.play("1:>")
    assert left(driven) == [65, 60, 65]


def test_a_bot_does_not_spend_the_time_of_a_player() -> None:
    """While a player lets a bot play, the clock stands still; coming back starts it again."""
    driven = at_table(clock=MINUTES)
    driven.now += 10_000
    driven.do(requests.hand_over, Seat(0), requests.SUBSTITUTE)
    assert left(driven) == [50, 60, 60]
    driven.now += 30_000
    driven.do(requests.come_back, Seat(0))
    play(driven, 10, "0:T")
    assert left(driven)[0] == 45


def test_clocks_stand_still_while_no_server_runs() -> None:
    """Of the time for a game, for a decision, and for an answer."""
    for more in ({"clock": MINUTES}, {"seconds_per_move": 60}):
        driven = at_table(**more)
        before = driven.table.deadline
        assert before is not None
        driven.now += 10_000_000
        driven.do(requests.pause, 9_990_000)
        assert driven.table.deadline == before + 9_990_000
        assert driven.history(None)[-1].kind is Kind.PAUSE
        assert ran_out(driven, 49) == [False] * 3
        assert ran_out(driven, 1) == [True] * 3


def test_a_day_off_is_one_day_more_for_one_decision() -> None:
    """Each player has so many; the others' time stays the same."""
    driven = at_table(seconds_per_move=86_400, clock=Clock(days_off=1))
    driven.now += DAY - 1_000
    driven.do(requests.rest, Seat(0))
    with refused(RequestError, "no days off left"):
        driven.do(requests.rest, Seat(0))
    assert ran_out(driven, 1) == [False, True, True]
    assert ran_out(driven, 86_399) == [False, True, True]
    assert ran_out(driven, 1) == [True, True, True]
    assert [time.off for time in table_view(driven.table, None, SEED).times] == [0, 1, 1]


def test_a_day_off_is_for_one_question() -> None:
    """The next decision has the usual time again."""
    driven = at_table(seconds_per_move=86_400, clock=Clock(days_off=2))
    driven.do(requests.rest, Seat(0))
    driven.play("0:- 1:- 2:-")
    assert driven.table.runs_out(driven.table.deciding[0]) == driven.table.asked_at + DAY


def test_nights_do_not_count_if_the_table_says_so() -> None:
    """From 22 to 6 UTC no time passes: a day that begins at night ends at 14 the day after."""
    driven = at_table(seconds_per_move=86_400, clock=Clock(night=22 * 60))
    assert driven.table.deadline == 38 * 3_600_000
    hour = 3_600_000
    assert awake_until(12 * hour, 10 * hour, 22 * 60) == 22 * hour  # up to the night, not after it
    assert awake_until(12 * hour, 10 * hour + 1, 22 * 60) == 30 * hour + 1
    always = at_table(seconds_per_move=86_400)
    assert always.table.deadline == always.table.asked_at + DAY


@pytest.mark.parametrize(
    "more",
    [
        {"seconds_per_move": 60, "clock": MINUTES},
        {"clock": Clock(increment=5)},
        {"seconds_per_move": 60, "clock": Clock(forfeits=True)},
        {"seconds_per_move": 60, "clock": Clock(days_off=3)},
        {"seconds_per_move": 60, "clock": Clock(days_off=1)},
        {"clock": Clock(night=0)},
    ],
)
def test_clocks_that_contradict_each_other_are_refused(more: dict[str, Any]) -> None:
    """A table has one clock."""
    with pytest.raises(SetupError):
        at_table(**more)


def test_a_table_of_before_has_the_clock_it_had() -> None:
    """A charter that was stored without a clock is read, and its pace counts."""
    import msgspec  # noqa: PLC0415 - only here

    charter = at_table(seconds_per_move=60).table.charter
    stored = msgspec.json.decode(msgspec.json.encode(charter))
    for new in ("clock", "chat"):
        del stored[new]
    read = msgspec.convert(stored, Charter)
    assert read == charter


def test_no_clock_runs_for_a_seat_that_a_bot_plays() -> None:
    """Its time stands still, and nobody is shown when it would be up; others have theirs."""
    driven = at_table(clock=MINUTES)
    driven.now += 10_000
    driven.do(requests.hand_over, Seat(1), LEVEL)
    times = table_view(driven.table, None, SEED).times
    assert [time.until for time in times] == [1_060_000, None, 1_060_000]
    assert [time.left for time in times][1] == 50_000
