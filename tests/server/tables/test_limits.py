"""Back and forth has an end, and gains nobody time; the log stays as short as the game."""

from collections.abc import Callable

import pytest
from tests.support.driven_table import ADA, BOB, CLEO, LEVEL, DrivenTable, refused, start_table

from mauerwerk.core.game import Seat
from mauerwerk.server.tables import folding, requests
from mauerwerk.server.tables.errors import NotYoursError, OtherRulesError, RequestError
from mauerwerk.server.tables.log import Kind
from mauerwerk.server.tables.requests import BACK_AND_FORTH, SITTINGS, Submission
from mauerwerk.server.tables.table import LAPSE

ENOUGH = "too much back and forth; play on"


def for_ever(back_and_forth: Callable[[DrivenTable], None], driven: DrivenTable) -> None:
    """More often than anybody has a reason to."""
    for _ in range(BACK_AND_FORTH):
        back_and_forth(driven)


@pytest.fixture
def driven() -> DrivenTable:
    """Die Mauer for Ada, Bob and Cleo."""
    return start_table()


@pytest.fixture
def steps() -> DrivenTable:
    """Mauerbauer with 30 seconds a decision; Ada has rolled the dice and decides the rest."""
    driven = start_table(
        "mauerbauer", "hh", options={"board": "small", "first": "0"}, seconds_per_move=30
    )
    driven.move(0, driven.legal(0)[0])
    assert driven.table.waiting == (0,)
    return driven


# --- No end of entries -----------------------------------------------------------------------


def test_a_bot_that_plays_already_does_not_take_over_again(driven: DrivenTable) -> None:
    """Nothing is written, unless the level is another one."""
    driven.do(requests.hand_over, Seat(0), LEVEL)
    length = driven.table.seq

    driven.do(requests.hand_over, Seat(0), LEVEL)
    assert driven.table.seq == length
    driven.do(requests.hand_over, Seat(0), "master")
    assert driven.table.seq == length + 1


def change_a_choice(driven: DrivenTable) -> None:
    """Put something else into the fist."""
    driven.play("0:4 0:T")


def choose_and_take_back(driven: DrivenTable) -> None:
    """Open the fist, and close it again."""
    driven.take_back(0)
    driven.play("0:T")


def choose_by_turns(driven: DrivenTable) -> None:
    """Two of them, so that there is always a choice that is new."""
    for seat in (0, 1):
        driven.take_back(seat)
        driven.move(seat, "T")


def call_a_bot(driven: DrivenTable) -> None:
    """It plays, and does not."""
    driven.do(requests.hand_over, Seat(2), LEVEL)
    driven.do(requests.come_back, Seat(2))


def step_and_take_back(driven: DrivenTable) -> None:
    """Where one's turn has several steps."""
    driven.move(0, driven.legal(0)[0])
    driven.take_back(0)


def sit_and_stand(driven: DrivenTable) -> None:
    """Before the game begins."""
    driven.do(requests.sit, Seat(1), BOB)
    driven.do(requests.stand, Seat(1))


@pytest.mark.parametrize("again", [change_a_choice, choose_and_take_back, choose_by_turns])
def test_a_choice_is_not_changed_for_ever(
    driven: DrivenTable, again: Callable[[DrivenTable], None]
) -> None:
    """A player who has not chosen still can, and then the count starts again."""
    driven.play("0:T 1:T")
    with refused(RequestError, ENOUGH):
        for_ever(again, driven)
    assert driven.table.seq < BACK_AND_FORTH + 10

    driven.play("2:4")

    builder = driven.table.waiting[0]
    driven.do(requests.hand_over, Seat(builder), LEVEL)


def test_whoever_comes_back_late_has_new_time_once_a_question() -> None:
    """Also for the next question, however often it was at the one before."""
    driven = start_table(seconds_per_move=30)

    def left_after_coming_back_late() -> int:
        driven.now += 31_000
        driven.do(requests.run_out)
        driven.do(requests.come_back, Seat(0))
        assert driven.table.deadline is not None
        return driven.table.deadline - driven.now

    for _ in range(2):
        assert [left_after_coming_back_late() for _ in range(2)] == [30_000, -1_000]
        for seat in (1, 2):
            driven.do(requests.come_back, Seat(seat))
        driven.play("0:- 1:- 2:-")


def test_a_table_is_due_when_its_bot_is_to_play() -> None:
    """After the delay that the table has agreed on, counted from the question."""
    driven = start_table(letters="bhh", bot_delay_ms=700)
    driven.now += 5_000

    assert driven.table.due == driven.table.asked_at + 700


def test_how_often_one_may_change_does_not_tell_how_often_others_did() -> None:
    """Ada is refused at the same moment, whether Bob hesitated or not (DM-5)."""
    counts: list[int] = []
    for hesitation in ("", "1:4 1:6 " * 20):
        driven = start_table()
        driven.play(f"0:T 1:T {hesitation}")
        with refused(RequestError, ENOUGH):
            for_ever(change_a_choice, driven)
        counts.append(driven.number(0))

    assert counts[0] == counts[1]


def test_the_last_entry_before_it_is_too_much_is_allowed(driven: DrivenTable) -> None:
    """Counted from the start, not from the first seat that was taken; and not one more."""
    began = driven.number(1)
    driven.play("0:T")
    with refused(RequestError, ENOUGH):
        for _ in range(BACK_AND_FORTH):
            driven.do(requests.hand_over, Seat(1), LEVEL)
            driven.do(requests.come_back, Seat(1))

    assert driven.number(1) - began == BACK_AND_FORTH
    driven.do(requests.claim, Seat(1), BOB)
    assert driven.number(1) - began == BACK_AND_FORTH


def test_bots_do_not_come_and_go_for_ever(driven: DrivenTable) -> None:
    """A player who is away then comes back by making a move."""
    with refused(RequestError, ENOUGH):
        for_ever(call_a_bot, driven)

    driven.move(2, "T")
    assert driven.table.occupants[2].person


def test_a_step_is_not_taken_back_for_ever(steps: DrivenTable) -> None:
    """In the end it stands, and the game goes on."""
    word = steps.legal(0)[0]
    with refused(RequestError, ENOUGH):
        for_ever(step_and_take_back, steps)

    assert steps.table.plays[-1].word == word
    assert steps.table.seq < BACK_AND_FORTH + 20


def test_a_guest_does_not_come_and_go_for_ever() -> None:
    """The seat is still free for others."""
    driven = start_table(letters="hoh", guests=(ADA,))
    with refused(RequestError, "come and gone too often"):
        for_ever(sit_and_stand, driven)

    assert [notice.kind for notice in driven.history(None)].count(Kind.SIT) == 1 + SITTINGS
    driven.do(requests.sit, Seat(1), CLEO)
    assert driven.table.occupants[1].name == "Cleo"


# --- No time to be had -----------------------------------------------------------------------


def test_a_step_taken_back_gains_no_time(steps: DrivenTable) -> None:
    """The deadline is that of the question before."""
    put = steps.table.asked_at
    steps.now += 10_000
    steps.move(0, steps.legal(0)[0])
    assert steps.table.asked_at == steps.now
    steps.now += 5_000

    steps.take_back(0)

    assert steps.table.asked_at == put
    assert steps.table.deadline == put + 30_000


def test_among_bots_who_take_their_time_the_clock_begins_anew() -> None:
    """The time that bots took does not count, and nobody else waits."""
    driven = start_table(letters="hbb", seconds_per_move=30)
    driven.play("0:T")
    driven.now += 40_000
    for seat in (1, 2):
        driven.do(requests.play_for, Seat(seat), "4", driven.number(seat))

    driven.take_back(0)

    assert driven.table.deadline == driven.now + 30_000


@pytest.mark.parametrize(("waited", "left"), [(10_000, 20_000), (30_000, 30_000)])
def test_who_comes_back_has_new_time_only_if_it_was_up(waited: int, left: int) -> None:
    """Otherwise calling a bot and sending it away would stop the clock."""
    driven = start_table(seconds_per_move=30)
    driven.now += waited
    driven.do(requests.hand_over, Seat(0), LEVEL)

    driven.do(requests.come_back, Seat(0))

    assert driven.table.deadline == driven.now + left


def test_who_runs_out_of_time_again_and_again_has_new_time_once() -> None:
    """Otherwise one decision could take for ever; the next one has its own time."""
    driven = start_table(seconds_per_move=30)
    driven.now += 30_000
    driven.do(requests.run_out)
    driven.do(requests.come_back, Seat(0))
    new = driven.table.deadline
    driven.now += 30_000
    driven.do(requests.run_out)
    driven.do(requests.come_back, Seat(0))

    assert new == driven.now
    assert driven.table.deadline == driven.now
    driven.play("0:T 1:4 2:4")
    assert driven.table.deadline == driven.now + 30_000


@pytest.mark.rule("DM-27")
def test_a_game_that_does_not_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can play on, and the error says why."""
    monkeypatch.setattr(requests, "MOST_MOVES", 7)
    driven = start_table(options={"stall": "off"})
    driven.play("0:- 1:- 2:T 1:*1 1:- 2:- 0:-")
    with refused(RequestError, "after 7 moves nobody plays on"):
        driven.move(2, driven.legal(2)[0])


# --- Questions that end ----------------------------------------------------------------------


def test_a_question_can_be_withdrawn() -> None:
    """The move stands and is not asked about again; the time meanwhile does not count."""
    driven = start_table(seconds_per_move=30)
    driven.play("0:T 1:4 2:4")
    driven.now += 20_000
    driven.take_back(1)
    driven.now += 5_000
    with refused(RequestError, "nobody asks seat 2"):
        driven.consent(1, agree=True)

    driven.consent(1, agree=False)

    assert (driven.last(0).kind, driven.last(0).seat) == (Kind.REFUSE, 1)
    assert (driven.table_view(0).question, driven.table_view(1).undo) == (None, "no")
    assert driven.table.deadline == driven.now + 10_000


def test_a_question_without_a_clock_lapses(driven: DrivenTable) -> None:
    """After three minutes the move stands, and bots go on."""
    driven.play("0:T 1:4 2:4")
    dues = [driven.table.due]
    driven.take_back(1)
    dues.append(driven.table.due)
    driven.now += LAPSE

    driven.do(requests.run_out)

    dues.append(driven.table.due)
    assert dues == [None, driven.now, None]
    assert (driven.last(0).kind, driven.table_view(0).question) == (Kind.REFUSE, None)


# --- Other hands, other rules ----------------------------------------------------------------


def test_a_seat_that_changed_hands_is_not_played_by_who_had_it(driven: DrivenTable) -> None:
    """Even if it was theirs when they asked; coming by a link asks no such thing."""
    request = Submission(Seat(1), frozenset({Kind.MOVE}), tenure=driven.table.occupants[1].tenure)
    requests.check_tenure(driven.table, request)
    driven.do(requests.stand, Seat(1))

    with pytest.raises(NotYoursError):
        requests.check_tenure(driven.table, request)
    requests.check_tenure(driven.table, request._replace(tenure=None))


def test_a_table_of_other_rules_is_not_read(
    monkeypatch: pytest.MonkeyPatch, driven: DrivenTable
) -> None:
    """Its moves would mean something else."""
    monkeypatch.setattr(driven.table.game, "RULES", 2)

    said = "this table was played by mauer/1; this program has mauer/2"
    with refused(OtherRulesError, said):
        folding.begin(driven.table.charter)
