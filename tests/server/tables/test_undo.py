"""Taking back: freely while nobody has learned anything, else if all agree."""

import pytest
from tests.support.driven_table import ADA, BOB, CLEO, DAN, LEVEL, DrivenTable, refused, start_table

from mauerwerk.core.errors import StaleMoveError
from mauerwerk.core.game import NATURE, Seat
from mauerwerk.server.tables import requests
from mauerwerk.server.tables.errors import RequestError, StaleError
from mauerwerk.server.tables.log import Kind
from mauerwerk.server.tables.table import KEPT, LAPSE, Status
from mauerwerk.server.tables.undo import Way

SEEN = "0:T 1:4 2:4"
"""All fists are open; Ada, the master builder, builds."""


@pytest.fixture
def driven() -> DrivenTable:
    """Die Mauer for Ada, Bob and Cleo."""
    return start_table()


def ways(driven: DrivenTable) -> str:
    """How each seat could take back its last move."""
    return " ".join(driven.table_view(seat).undo for seat in range(driven.table.setup.seats))


# --- Freely ----------------------------------------------------------------------------------


def test_a_choice_that_nobody_has_seen_is_taken_back_freely(driven: DrivenTable) -> None:
    """The others keep their choices and notice that a fist is open again."""
    driven.play("0:T 1:4")
    assert ways(driven) == "free free no"

    driven.take_back(0)

    assert driven.words() == "1:4"
    assert driven.table.waiting == (0, 2)
    assert (driven.last(1).kind, driven.last(1).seat) == (Kind.UNDO, 0)
    driven.play("2:4 0:6")
    assert driven.fist(None, 0).piece.value == "6"


def test_what_goes_back_is_the_same_for_all_however_often_it_was_changed() -> None:
    """A notice names the first of the choices that a seat changed: others know of no second."""
    told: list[bytes] = []
    for first, then in (("0:4", ""), ("0:T", "0:6 0:4")):
        driven = start_table()
        driven.play(f"{first} 1:4 {then}")
        driven.take_back(0)
        told.append(driven.seen_by(1))
        assert driven.last(1).back_to == driven.number(1) - 2
    assert told[0] == told[1]


def test_a_step_of_ones_own_is_taken_back_freely() -> None:
    """Where a turn has several, and the board is no secret (MB-12)."""
    driven = start_table("mauerbauer", "hh", options={"board": "small", "first": "0"})
    seat = driven.table.waiting[0]
    # A wall is a roll of dice, which is news; what the seat decides then is not.
    driven.move(seat, driven.legal(seat)[0])
    assert driven.table.plays[-1].seat == NATURE
    assert driven.table_view(seat).undo is Way.ASK
    driven.move(seat, driven.legal(seat)[0])
    assert driven.table_view(seat).undo is Way.FREE
    before = driven.words()

    driven.take_back(seat)

    assert driven.words() == before.rpartition(" ")[0]


def test_a_forced_move_goes_back_with_the_decision_before_it() -> None:
    """There is nothing to decide about the second house, and the first one was chosen (MB-25)."""
    driven = start_table("mauerbauer", "hh", options={"board": "small", "first": "0"})
    chosen = before = None
    while len(legal := driven.legal(seat := driven.table.deciding[0])) > 1 or chosen != seat:
        before = driven.words()
        driven.move(seat, legal[0])
        # After a wall nature rolls the dice, which is news.
        chosen = driven.table.plays[-1].seat if len(legal) > 1 else None
    driven.move(seat, legal[0])
    assert driven.table_view(seat).undo is Way.FREE

    driven.take_back(seat)

    assert driven.words() == before
    assert len(driven.legal(seat)) > 1


def test_among_bots_everything_goes_back() -> None:
    """Bots agree to everything; all who chose together choose again."""
    driven = start_table(letters="hbb")
    driven.play("0:T")
    for seat in (1, 2):
        driven.do(requests.play_for, Seat(seat), "4", driven.number(seat))
    assert driven.table_view(0).undo is Way.FREE

    driven.take_back(0)

    assert driven.words() == ""
    assert driven.table.waiting == (0, 1, 2)


def test_a_guest_with_all_seats_need_not_ask() -> None:
    """Two seats of one guest among bots need not ask either."""
    driven = start_table(guests=(ADA, ADA, ADA))
    driven.play(SEEN)
    assert ways(driven) == "free free free"


# --- With consent ----------------------------------------------------------------------------


def test_what_others_have_seen_goes_back_if_all_agree(driven: DrivenTable) -> None:
    """All who chose together choose again, because they have seen the choices."""
    driven.play(SEEN)
    assert ways(driven) == "ask ask ask"

    driven.take_back(1)
    question = driven.table_view(2).question
    assert question is not None
    assert (question.seat, question.waits_for) == (1, (0, 2))
    driven.consent(0)
    assert driven.words() == SEEN
    driven.consent(2)

    assert driven.words() == ""
    assert driven.table.waiting == (0, 1, 2)
    assert driven.last(0).back_to == question.back_to == driven.number(0) - 6
    assert driven.table_view(0).question is None


@pytest.mark.parametrize("changed", [False, True])
def test_what_goes_back_does_not_tell_who_hesitated(*, changed: bool) -> None:
    """Whether Ada chose at once or changed her mind: the others are told the same (DM-5)."""
    driven = start_table()
    driven.play("0:T 1:4 0:6 0:T 2:4" if changed else SEEN)
    driven.take_back(0)
    driven.consent(1)
    driven.consent(2)

    plain = start_table()
    plain.play(SEEN)
    plain.take_back(0)
    plain.consent(1)
    plain.consent(2)
    for viewer in (None, 1, 2):
        assert driven.seen_by(viewer) == plain.seen_by(viewer)


def test_one_who_is_against_it_is_enough(driven: DrivenTable) -> None:
    """The move stands and is not asked about again, or bots would wait for ever."""
    driven.play(SEEN)
    driven.take_back(1)
    driven.consent(0)

    driven.consent(2, agree=False)

    assert driven.words() == SEEN
    assert driven.table_view(0).question is None
    assert driven.table_view(1).undo is Way.NO
    with refused(RequestError, "nothing to take back"):
        driven.take_back(1)
    with refused(RequestError, "nobody asks seat 1"):
        driven.consent(0)


def test_nobody_is_asked_twice_nor_for_their_own(driven: DrivenTable) -> None:
    """The seat that asks and seats that have agreed are not asked."""
    driven.play(SEEN)
    driven.take_back(1)
    driven.consent(0)
    for seat in (0, 1):
        with refused(RequestError, "nobody asks"):
            driven.consent(seat)
    assert driven.table_view(0).undo is Way.NO  # one question at a time


def test_a_move_ends_the_question(driven: DrivenTable) -> None:
    """A player who is to build does not have to wait for the answer."""
    driven.play(SEEN)
    driven.take_back(1)
    driven.play("0:>")

    assert driven.table_view(2).question is None
    with pytest.raises(RequestError):
        driven.consent(2)


def test_handing_over_is_no_consent(driven: DrivenTable) -> None:
    """A bot plays for the seat but does not answer for its owner."""
    driven.play(SEEN)
    driven.take_back(1)
    driven.consent(0)
    driven.do(requests.hand_over, Seat(2), LEVEL)
    assert driven.words() == SEEN

    driven.consent(2)
    assert driven.words() == ""


def test_a_roll_is_not_repeated_while_the_opponent_is_away() -> None:
    """The clock of the opponent ran out, and a bot plays; the owner is asked all the same."""
    driven = start_table(
        "mauerbauer", "hh", seconds_per_move=30, options={"board": "small", "first": "0"}
    )
    other, seat = 1 - driven.table.waiting[0], driven.table.waiting[0]
    driven.do(requests.hand_over, Seat(other), LEVEL)
    driven.move(seat, driven.legal(seat)[0])
    rolled = driven.words()
    assert driven.table.plays[-1].seat == NATURE
    assert driven.table_view(seat).undo is Way.ASK

    driven.take_back(seat)
    assert driven.words() == rolled
    driven.now += 30_000
    driven.do(requests.run_out)

    assert driven.words() == rolled
    assert driven.table_view(seat).undo is Way.NO


def test_a_question_leaves_with_its_seat() -> None:
    """The next owner of the seat did not ask."""
    driven = start_table(letters="hoh")
    driven.play(SEEN)
    driven.take_back(1)
    driven.do(requests.stand, Seat(1))
    assert driven.table_view(0).question is None
    driven.now += KEPT
    driven.do(requests.sit, Seat(1), DAN)
    assert driven.words() == SEEN


def test_somebody_who_left_may_come_back_and_find_all_as_it_was(driven: DrivenTable) -> None:
    """For ten minutes nothing goes back that they know of, since they cannot be asked."""
    driven.play(SEEN)
    assert ways(driven) == "ask ask ask"
    driven.do(requests.stand, Seat(2))
    assert ways(driven) == "no no no"
    with refused(RequestError, "nothing to take back"):
        driven.take_back(1)

    driven.now += KEPT
    driven.do(requests.hand_over, Seat(1), LEVEL)
    assert ways(driven) == "ask ask ask"


def test_silence_is_no_consent() -> None:
    """When the time is up the move stands; meanwhile the clock is stopped."""
    driven = start_table(seconds_per_move=30)
    driven.play(SEEN)
    driven.now += 20_000
    driven.take_back(1)
    assert driven.table.deadline == driven.now + 30_000
    driven.now += 30_000

    driven.do(requests.run_out)

    assert driven.words() == SEEN
    assert (driven.last(1).kind, driven.table_view(1).question) == (Kind.REFUSE, None)
    assert [place.away for place in driven.table_view(0).seats] == [False, False, False]
    assert driven.table.deadline == driven.now + 30_000


def test_bots_wait_for_the_answer() -> None:
    """A move that they chose meanwhile is too late."""
    driven = start_table(letters="hbh", guests=(ADA, BOB, CLEO))
    driven.do(requests.play_for, Seat(1), "T", driven.number(1))
    driven.play("0:4 2:4")
    builder = driven.table.waiting[0]
    assert driven.table.occupants[builder].person
    driven.play(f"{builder}:>")
    driven.take_back(0)
    with pytest.raises(StaleError):
        driven.do(requests.play_for, Seat(1), "C", driven.number(1))
    assert driven.table.due == driven.now + LAPSE


def test_a_question_waits_until_its_time_is_up(driven: DrivenTable) -> None:
    """However often somebody looks; then it is refused."""
    driven.play("0:- 1:- 2:-")
    driven.take_back(0)
    assert driven.table.proposal is not None
    for passed, asked in ((0, True), (LAPSE - 1, True), (1, False)):
        driven.now += passed
        driven.do(requests.run_out)
        assert (driven.table.proposal is not None) == asked
    assert driven.table.log[-1].entry.kind is Kind.REFUSE


# --- Never -----------------------------------------------------------------------------------


def test_before_the_first_move_there_is_nothing_to_take_back(driven: DrivenTable) -> None:
    """A player who has not moved cannot take anything back."""
    assert ways(driven) == "no no no"
    with refused(RequestError, "nothing to take back"):
        driven.take_back(0)


def test_after_the_end_nothing_goes_back() -> None:
    """The seed is known by then."""
    driven = start_table(options={"rounds": "1", "stall": "1"})
    driven.play("0:- 1:- 2:-")
    assert driven.table.status is Status.OVER
    assert ways(driven) == "no no no"
    with pytest.raises(StaleMoveError):
        driven.take_back(0)


def test_what_is_told_once_never_goes_back() -> None:
    """Not even if all agree, nor among bots: it would be told twice, or untold (BB-9)."""
    for letters in ("hh", "hb"):
        driven = start_table("burgbaumeister", letters)
        driven.play("0:c3")
        assert driven.table_view(0).undo is Way.NO
        assert len(driven.table_view(0).legal) >= 1
        driven.play("0:-")
        assert driven.table_view(0).undo is Way.NO
        with refused(RequestError, "nothing to take back"):
            driven.take_back(0)


def test_a_late_wish_changes_nothing(driven: DrivenTable) -> None:
    """A request for an older position is stale."""
    driven.play(SEEN)
    with pytest.raises(StaleError):
        driven.do(requests.take_back, Seat(0), 0)
    driven.take_back(0)
    with pytest.raises(RequestError):
        driven.take_back(0)
