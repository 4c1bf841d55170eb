"""A table: who sits where, who may play what, and what others notice of it."""

from typing import TYPE_CHECKING

import pytest
from tests.play.laying import ADA, BOB, CLEO, DAN, LEVEL, SEED, Laid, bytes_of, lay, order

from mauerwerk.core.game import (
    NATURE,
    IllegalMoveError,
    NotAWordError,
    Seat,
    SetupError,
    StaleMoveError,
)
from mauerwerk.play import requests
from mauerwerk.play.entries import Entry, Kind, Status
from mauerwerk.play.errors import KeyReusedError, NotYoursError, RequestError, StaleError
from mauerwerk.play.fairness import check, commitment, nature_word
from mauerwerk.play.folding import after
from mauerwerk.play.requests import Asked, Guest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def laid() -> Laid:
    """Die Mauer for Ada, Bob and Cleo."""
    return lay()


# --- Setting up ------------------------------------------------------------------------------


def test_the_game_begins_when_every_seat_is_taken() -> None:
    """Not before; nobody can move until then."""
    laid = lay(letters="hoh", guests=(ADA,))
    assert laid.scene(None).status is Status.OPEN
    with pytest.raises(RequestError, match="has not begun"):
        laid.move(0, "T")

    laid.do(requests.sit, None, BOB)
    assert laid.scene(None).status is Status.OPEN
    laid.do(requests.claim, Seat(2), CLEO)

    assert laid.scene(None).status is Status.RUNNING
    assert [sitter.name for sitter in laid.table.sitters] == ["Ada", "Bob", "Cleo"]
    assert [notice.kind for notice in laid.heard[None]] == ["sit", "sit", "sit", "start"]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"game": "schach"}, "there is no game 'schach'"),
        ({"letters": "hh"}, "for 3 to 6 seats, not 2"),
        ({"options": {"rounds": "0"}}, "rounds"),
        ({"options": {"colour": "red"}}, "colour"),
        ({"mine": (Seat(7),)}, "seat 7 is not one to take"),
        ({"letters": "bhh", "mine": (Seat(0),)}, "seat 0 is not one to take"),
        ({"letters": "bbb", "options": {"stall": "off"}}, "sure to end"),
    ],
)
def test_what_cannot_be_played_is_not_set_up(wrong: dict[str, object], says: str) -> None:
    """The message says what is wrong."""
    with pytest.raises(SetupError, match=says):
        requests.charter_for(order(**wrong), "table", SEED, 0)  # type: ignore[arg-type]


def test_entries_follow_each_other(laid: Laid) -> None:
    """A log has no gap and nothing twice."""
    with pytest.raises(ValueError, match="does not follow"):
        after(laid.table, Entry(seq=laid.table.seq + 1, at=0, kind=Kind.START))


# --- Coming and going ------------------------------------------------------------------------


def test_an_open_seat_is_for_anybody_a_kept_one_for_its_link() -> None:
    """Who names no seat gets the first that is free."""
    laid = lay(letters="hoo", guests=())
    with pytest.raises(RequestError, match="seat 0 is not free"):
        laid.do(requests.sit, Seat(0), ADA)

    laid.do(requests.sit, None, ADA)
    laid.do(requests.sit, Seat(2), BOB)

    assert [sitter.name for sitter in laid.table.sitters] == ["", "Ada", "Bob"]
    with pytest.raises(RequestError, match="no free seat"):
        laid.do(requests.sit, None, CLEO)


def test_who_leaves_before_the_game_leaves_a_free_seat() -> None:
    """And the next one sits down there."""
    laid = lay(letters="oho", guests=(ADA, BOB))
    laid.do(requests.stand, Seat(0))
    assert laid.last(1).kind is Kind.STAND

    laid.do(requests.sit, None, CLEO)

    assert laid.table.sitters[0].name == "Cleo"
    with pytest.raises(RequestError, match="nobody sits at seat 2"):
        laid.do(requests.stand, Seat(2))


def test_who_leaves_during_the_game_leaves_it_to_a_bot() -> None:
    """For good; but an open seat can be taken over from the bot."""
    laid = lay(letters="ohh")
    laid.do(requests.stand, Seat(0))
    assert (laid.table.sitters[0].guest, laid.table.sitters[0].level) == ("", requests.STAND_IN)

    laid.do(requests.sit, None, DAN)

    assert laid.table.sitters[0].person
    assert laid.scene(1).places[0].name == "Dan"


def test_a_bot_plays_until_the_owner_is_back(laid: Laid) -> None:
    """The seat stays the owner's, who comes back by saying so, by playing or by the link."""
    ways: tuple[Callable[[], None], ...] = (
        lambda: laid.do(requests.come_back, Seat(1)),
        lambda: laid.move(1, "4"),
        lambda: laid.do(requests.claim, Seat(1), BOB),
    )
    for come_back in ways:
        laid.do(requests.hand_over, Seat(1), LEVEL)
        place = laid.scene(0).places[1]
        assert (place.name, place.level, place.away) == ("Bob", LEVEL, True)

        come_back()

        assert laid.scene(0).places[1].level == ""
    with pytest.raises(RequestError, match="no bot plays for seat 1"):
        laid.do(requests.come_back, Seat(1))


def test_only_a_level_that_exists_takes_over(laid: Laid) -> None:
    """And only while the game goes on."""
    with pytest.raises(SetupError, match="there is no level 'genius'"):
        laid.do(requests.hand_over, Seat(1), "genius")
    waiting = lay(letters="hho", guests=(ADA, BOB))
    with pytest.raises(RequestError, match="while the game goes on"):
        waiting.do(requests.hand_over, Seat(1), LEVEL)


def test_a_link_takes_no_seat_from_anybody(laid: Laid) -> None:
    """Who comes by the link of a seat that became somebody's is refused, and nothing changes."""
    before = laid.table

    with pytest.raises(NotYoursError):
        laid.do(requests.claim, Seat(1), DAN)

    assert laid.table == before


# --- Choosing together -----------------------------------------------------------------------


@pytest.mark.parametrize("words", ["0:T 1:4 2:-", "2:- 0:T 1:4", "1:4 2:- 0:T"])
def test_who_choose_together_answer_in_any_order(words: str) -> None:
    """All may have thought of it before the others chose (DM-5)."""
    laid = lay()
    number = laid.number(0)
    for word in words.split():
        laid.move(int(word[0]), word[2:], answers=number)

    assert laid.scene(0) == lay_and_play("0:T 1:4 2:-").scene(0)


def lay_and_play(words: str) -> Laid:
    laid = lay()
    laid.play(words)
    return laid


def test_nobody_notices_that_a_choice_is_changed(laid: Laid) -> None:
    """No notice, the same number, the same scene, byte by byte; for the seat itself it counts."""
    laid.play("0:T")
    before = {viewer: laid.seen_by(viewer) for viewer in laid.viewers}
    card, own = laid.table.card(), laid.number(0)
    laid.now += 60_000

    laid.play("0:4 0:-")

    assert {viewer: laid.seen_by(viewer) for viewer in (None, 1, 2)} == {
        viewer: before[None if viewer is None else Seat(viewer)] for viewer in (None, 1, 2)
    }
    assert laid.number(0) == own + 2
    assert laid.table.card() == card
    laid.play("1:4 2:4")
    assert laid.fist(None, 0).piece is None


def test_a_change_is_offered_until_the_last_one_has_chosen(laid: Laid) -> None:
    """With the same choices as before, then no more."""
    offered = laid.scene(0).legal
    laid.play("0:T")
    assert (laid.scene(0).changes, laid.scene(0).legal) == (True, offered)
    assert (laid.scene(1).changes, laid.scene(1).legal) == (False, offered)

    laid.play("1:4 2:4")

    assert not laid.scene(0).changes
    with pytest.raises(IllegalMoveError):
        laid.move(0, "6")


def test_a_change_must_be_allowed_too(laid: Laid) -> None:
    """What is refused leaves the first choice as it was."""
    laid.play("0:T")
    before = laid.table
    for word, error in (("*C", IllegalMoveError), ("castle", NotAWordError)):
        with pytest.raises(error):
            laid.move(0, word)
    assert laid.table == before


# --- Too late, not allowed -------------------------------------------------------------------


def test_what_was_thought_of_for_another_position_is_too_late(laid: Laid) -> None:
    """Nothing changes, and the message says where the table is."""
    number = laid.number(0)
    laid.play("0:T 1:4 2:4")
    builder = laid.table.waiting[0]
    before = laid.table
    for answers in (0, number, laid.number(0) + 1):
        with pytest.raises(StaleError, match=f"the table is at {laid.number(0)}"):
            laid.move(builder, ">", answers=answers)
    assert laid.table == before


def test_who_has_chosen_must_have_heard_of_it_to_choose_again(laid: Laid) -> None:
    """A second click that answers the first question changes nothing."""
    number = laid.number(0)
    laid.move(0, "T", answers=number)
    with pytest.raises(StaleError):
        laid.move(0, "4", answers=number)


def test_what_others_do_besides_makes_no_move_late(laid: Laid) -> None:
    """Somebody leaves while somebody else thinks: the position is the same."""
    number = laid.number(0)
    laid.do(requests.hand_over, Seat(1), LEVEL)
    laid.move(0, "T", answers=number)


def test_an_illegal_move_names_its_clause(laid: Laid) -> None:
    """And nothing has changed."""
    before = laid.table
    with pytest.raises(IllegalMoveError) as refused:
        laid.move(0, "*C")
    assert refused.value.clause == "DM-5"
    assert laid.table == before


def test_after_the_end_every_move_is_too_late() -> None:
    """And there is nothing to leave or to hand over."""
    laid = lay_and_play_out()
    with pytest.raises(StaleMoveError, match="the game is over"):
        laid.move(0, "T")
    for request in (requests.stand, requests.come_back):
        with pytest.raises(RequestError):
            laid.do(request, Seat(0))
    with pytest.raises(RequestError):
        laid.do(requests.sit, None, DAN)


def lay_and_play_out() -> Laid:
    """A game of one round that stalls at once."""
    laid = lay(options={"rounds": "1", "stall": "1"})
    laid.play("0:- 1:- 2:-")
    assert laid.scene(None).status is Status.OVER
    return laid


# --- Keys ------------------------------------------------------------------------------------


def asked(seat: int, key: str, word: str, kind: Kind = Kind.MOVE) -> Asked:
    """A request of a seat."""
    return Asked(Seat(seat), frozenset({kind}), key, word)


def test_the_same_key_gets_the_same_answer(laid: Laid) -> None:
    """Also much later, and after others have moved; keys are each seat's own."""
    laid.move(0, "T", key="k")
    number = laid.number(0)
    laid.play("1:4 2:4")

    assert requests.answered(laid.table, asked(0, "k", "T")) == number
    assert requests.answered(laid.table, asked(1, "k", "T")) is None
    assert requests.answered(laid.table, asked(0, "", "T")) is None


def test_a_key_is_for_one_request(laid: Laid) -> None:
    """Neither for another word nor for something else."""
    laid.move(0, "T", key="k")
    for other in (asked(0, "k", "4"), asked(0, "k", "T", Kind.AWAY)):
        with pytest.raises(KeyReusedError):
            requests.answered(laid.table, other)


def test_a_key_of_an_earlier_move_does_not_swallow_a_later_one(laid: Laid) -> None:
    """A client that begins to count its keys anew is told so, be it the same word."""
    laid.move(0, "-", key="k")
    later = asked(0, "k", "-")._replace(answers=laid.number(0))
    again = asked(0, "k", "-")._replace(answers=laid.number(0) - 1)

    assert requests.answered(laid.table, again) == laid.number(0)
    with pytest.raises(KeyReusedError):
        requests.answered(laid.table, later)


def test_a_guest_has_keys_before_having_a_seat() -> None:
    """Who sits down twice with a key sits once."""
    laid = lay(letters="hoo", guests=(ADA,))
    laid.do(requests.sit, None, BOB, key="k")
    mine = Asked(BOB.id, frozenset({Kind.SIT}), "k")

    assert requests.answered(laid.table, mine) == laid.number(1)
    assert requests.answered(laid.table, Asked(CLEO.id, frozenset({Kind.SIT}), "k")) is None


# --- Nature ----------------------------------------------------------------------------------


def test_natures_words_follow_from_the_seed_and_their_place() -> None:
    """So that anybody can check them at the end (DM-3)."""
    laid = lay(options={"first": "lot", "rounds": "1", "stall": "1"})
    (drawn,) = (logged.entry for logged in laid.table.log if logged.entry.seat == NATURE)
    start = laid.table.game.start(laid.table.setup)

    assert drawn.word == nature_word(laid.table.game, start, SEED, drawn.seq)
    laid.play("0:- 1:- 2:-")
    numbers = tuple(play.seq for play in laid.table.plays)
    verdict = check(laid.table.game, laid.table.record(), SEED, numbers)
    assert (verdict.checked, verdict.faults) == (1, ())


def test_the_seed_is_shown_at_the_end() -> None:
    """Before, there is its commitment alone, in whatever anybody is shown."""
    laid = lay(options={"rounds": "1", "stall": "1"})
    for viewer in (None, 0, 1, 2):
        assert laid.scene(viewer).seed is None
        assert SEED.hex().encode() not in laid.seen_by(viewer)
    assert {laid.scene(viewer).commitment for viewer in (None, 0)} == {commitment(SEED)}
    laid.play("0:- 1:- 2:-")
    assert laid.scene(None).seed == SEED.hex()


# --- Names -----------------------------------------------------------------------------------


def test_who_built_is_called_as_they_were_called_then() -> None:
    """Though somebody else has the seat now."""
    laid = lay(letters="ohh")
    laid.play("0:T 1:4 2:4 0:>")
    told = laid.last(1).text
    assert "Ada" in " ".join(told)

    laid.do(requests.stand, Seat(0))
    laid.do(requests.sit, Seat(0), DAN)

    assert bytes_of(laid.story(1)) == bytes_of(laid.heard[Seat(1)])


def test_two_of_one_name_are_told_apart() -> None:
    """Also two bots of one level."""
    laid = lay(letters="hhbb", guests=(ADA, Guest("other", "Ada")))

    assert len(set(laid.scene(None).names)) == 4
    assert laid.scene(None).names[:2] == ("Ada", "Ada 2")
