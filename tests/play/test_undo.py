"""Taking back: freely while nobody has learned anything, else if all agree."""

import pytest
from tests.play.laying import ADA, BOB, CLEO, DAN, LEVEL, Laid, lay

from mauerwerk.core.game import NATURE, Seat, StaleMoveError
from mauerwerk.play import requests
from mauerwerk.play.entries import Kind, Status
from mauerwerk.play.errors import RequestError, StaleError
from mauerwerk.play.table import LAPSE
from mauerwerk.play.undo import Way

SEEN = "0:T 1:4 2:4"
"""All fists are open; Ada, the master builder, builds."""


@pytest.fixture
def laid() -> Laid:
    """Die Mauer for Ada, Bob and Cleo."""
    return lay()


def ways(laid: Laid) -> str:
    """How each seat could take back its last move."""
    return " ".join(laid.scene(seat).undo for seat in range(laid.table.setup.seats))


# --- Freely ----------------------------------------------------------------------------------


def test_a_choice_that_nobody_has_seen_is_taken_back_freely(laid: Laid) -> None:
    """The others keep theirs, and notice that a fist is open again."""
    laid.play("0:T 1:4")
    assert ways(laid) == "free free no"

    laid.take_back(0)

    assert laid.words() == "1:4"
    assert laid.table.waiting == (0, 2)
    assert (laid.last(1).kind, laid.last(1).seat) == (Kind.UNDO, 0)
    laid.play("2:4 0:6")
    assert laid.fist(None, 0).piece.value == "6"


def test_what_goes_back_is_the_same_for_all_however_often_it_was_changed() -> None:
    """A notice names the first of the choices that a seat changed: others know of no second."""
    told: list[bytes] = []
    for first, then in (("0:4", ""), ("0:T", "0:6 0:4")):
        laid = lay()
        laid.play(f"{first} 1:4 {then}")
        laid.take_back(0)
        told.append(laid.seen_by(1))
        assert laid.last(1).back_to == laid.number(1) - 2
    assert told[0] == told[1]


def test_a_step_of_ones_own_is_taken_back_freely() -> None:
    """Where a turn has several, and the board is no secret (MB-12)."""
    laid = lay("mauerbauer", "hh", options={"board": "small", "first": "0"})
    seat = laid.table.waiting[0]
    # A wall is a roll of dice, which is news; what the seat decides then is not.
    laid.move(seat, laid.scene(seat).legal[0].word)
    assert laid.table.plays[-1].seat == NATURE
    assert laid.scene(seat).undo is Way.ASK
    laid.move(seat, laid.scene(seat).legal[0].word)
    assert laid.scene(seat).undo is Way.FREE
    before = laid.words()

    laid.take_back(seat)

    assert laid.words() == before.rpartition(" ")[0]


def test_among_bots_everything_goes_back() -> None:
    """They have nothing against it; all who chose together choose again."""
    laid = lay(letters="hbb")
    laid.play("0:T")
    for seat in (1, 2):
        laid.do(requests.play_for, Seat(seat), "4", laid.number(seat))
    assert laid.scene(0).undo is Way.FREE

    laid.take_back(0)

    assert laid.words() == ""
    assert laid.table.waiting == (0, 1, 2)


def test_who_plays_all_seats_need_not_ask() -> None:
    """Nor do two seats of one guest among bots."""
    laid = lay(guests=(ADA, ADA, ADA))
    laid.play(SEEN)
    assert ways(laid) == "free free free"


# --- With consent ----------------------------------------------------------------------------


def test_what_others_have_seen_goes_back_if_all_agree(laid: Laid) -> None:
    """Then all who chose together choose again: they have seen what the others had."""
    laid.play(SEEN)
    assert ways(laid) == "ask ask ask"

    laid.take_back(1)
    question = laid.scene(2).question
    assert question is not None
    assert (question.seat, question.waits_for) == (1, (0, 2))
    laid.consent(0)
    assert laid.words() == SEEN
    laid.consent(2)

    assert laid.words() == ""
    assert laid.table.waiting == (0, 1, 2)
    assert laid.last(0).back_to == question.back_to == laid.number(0) - 6
    assert laid.scene(0).question is None


@pytest.mark.parametrize("changed", [False, True])
def test_what_goes_back_does_not_tell_who_hesitated(*, changed: bool) -> None:
    """Whether Ada chose at once or changed her mind: the others are told the same (DM-5)."""
    laid = lay()
    laid.play("0:T 1:4 0:6 0:T 2:4" if changed else SEEN)
    laid.take_back(0)
    laid.consent(1)
    laid.consent(2)

    plain = lay()
    plain.play(SEEN)
    plain.take_back(0)
    plain.consent(1)
    plain.consent(2)
    for viewer in (None, 1, 2):
        assert laid.seen_by(viewer) == plain.seen_by(viewer)


def test_one_who_is_against_it_is_enough(laid: Laid) -> None:
    """The move stands, and is not asked about again: bots would wait for ever."""
    laid.play(SEEN)
    laid.take_back(1)
    laid.consent(0)

    laid.consent(2, agree=False)

    assert laid.words() == SEEN
    assert laid.scene(0).question is None
    assert laid.scene(1).undo is Way.NO
    with pytest.raises(RequestError, match="nothing to take back"):
        laid.take_back(1)
    with pytest.raises(RequestError, match="nobody asks seat 0"):
        laid.consent(0)


def test_nobody_is_asked_twice_nor_for_their_own(laid: Laid) -> None:
    """Neither who asks nor who has agreed."""
    laid.play(SEEN)
    laid.take_back(1)
    laid.consent(0)
    for seat in (0, 1):
        with pytest.raises(RequestError, match="nobody asks"):
            laid.consent(seat)
    assert laid.scene(0).undo is Way.NO  # one question at a time


def test_a_move_ends_the_question(laid: Laid) -> None:
    """Who builds does not wait for it."""
    laid.play(SEEN)
    laid.take_back(1)
    laid.play("0:>")

    assert laid.scene(2).question is None
    with pytest.raises(RequestError):
        laid.consent(2)


def test_who_hands_over_has_nothing_against_it(laid: Laid) -> None:
    """A bot agrees; so it goes back once nobody is left to be asked."""
    laid.play(SEEN)
    laid.take_back(1)
    laid.consent(0)
    laid.do(requests.hand_over, Seat(2), LEVEL)

    assert laid.words() == ""


def test_a_question_leaves_with_who_asked() -> None:
    """Whoever sits there next did not ask."""
    laid = lay(letters="hoh")
    laid.play(SEEN)
    laid.take_back(1)
    laid.do(requests.stand, Seat(1))
    assert laid.scene(0).question is None
    laid.do(requests.sit, Seat(1), DAN)
    assert laid.words() == SEEN


def test_silence_is_no_consent() -> None:
    """When the time is up the move stands; the question stops the clock of who is to move."""
    laid = lay(pace=30)
    laid.play(SEEN)
    laid.now += 20_000
    laid.take_back(1)
    assert laid.table.deadline == laid.now + 30_000
    laid.now += 30_000

    laid.do(requests.run_out)

    assert laid.words() == SEEN
    assert (laid.last(1).kind, laid.scene(1).question) == (Kind.REFUSE, None)
    assert [place.away for place in laid.scene(0).places] == [False, False, False]
    assert laid.table.deadline == laid.now + 30_000


def test_bots_wait_for_the_answer() -> None:
    """What they think of meanwhile is too late."""
    laid = lay(letters="hbh", guests=(ADA, BOB, CLEO))
    laid.do(requests.play_for, Seat(1), "T", laid.number(1))
    laid.play("0:4 2:4")
    builder = laid.table.waiting[0]
    assert laid.table.sitters[builder].person
    laid.play(f"{builder}:>")
    laid.take_back(0)
    with pytest.raises(StaleError):
        laid.do(requests.play_for, Seat(1), "C", laid.number(1))
    assert laid.table.due == laid.now + LAPSE


# --- Never -----------------------------------------------------------------------------------


def test_before_the_first_move_there_is_nothing_to_take_back(laid: Laid) -> None:
    """Nor for somebody who has not moved."""
    assert ways(laid) == "no no no"
    with pytest.raises(RequestError, match="nothing to take back"):
        laid.take_back(0)


def test_after_the_end_nothing_goes_back() -> None:
    """The seed has been told."""
    laid = lay(options={"rounds": "1", "stall": "1"})
    laid.play("0:- 1:- 2:-")
    assert laid.table.status is Status.OVER
    assert ways(laid) == "no no no"
    with pytest.raises(StaleMoveError):
        laid.take_back(0)


def test_what_is_told_once_never_goes_back() -> None:
    """Not even if all agree, nor among bots: it would be told twice, or untold (BB-9)."""
    for letters in ("hh", "hb"):
        laid = lay("burgbaumeister", letters)
        laid.play("0:c3")
        assert laid.scene(0).undo is Way.NO
        assert len(laid.scene(0).legal) >= 1
        laid.play("0:-")
        assert laid.scene(0).undo is Way.NO
        with pytest.raises(RequestError, match="nothing to take back"):
            laid.take_back(0)


def test_a_late_wish_changes_nothing(laid: Laid) -> None:
    """Who asks for an older position hears that it is gone."""
    laid.play(SEEN)
    with pytest.raises(StaleError):
        laid.do(requests.take_back, Seat(0), 0)
    laid.take_back(0)
    with pytest.raises(RequestError):
        laid.take_back(0)
