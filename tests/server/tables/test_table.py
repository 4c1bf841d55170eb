"""A table: who sits where, who may play what, and what others notice of it."""

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.support.driven_table import (
    ADA,
    BOB,
    CLEO,
    DAN,
    LEVEL,
    SEED,
    DrivenTable,
    bytes_of,
    chairs,
    order,
    refused,
    start_table,
)

from mauerwerk.core.errors import IllegalMoveError, NotAWordError, SetupError, StaleMoveError
from mauerwerk.core.game import NATURE, Seat
from mauerwerk.server.tables import charter, requests
from mauerwerk.server.tables.charter import Chair, Guest
from mauerwerk.server.tables.errors import KeyReusedError, NotYoursError, RequestError, StaleError
from mauerwerk.server.tables.folding import after
from mauerwerk.server.tables.log import Entry, Kind
from mauerwerk.server.tables.requests import PendingEntries, Submission
from mauerwerk.server.tables.seed import check, commitment, nature_word
from mauerwerk.server.tables.table import KEPT, Status

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def driven() -> DrivenTable:
    """Die Mauer for Ada, Bob and Cleo."""
    return start_table()


# --- Setting up ------------------------------------------------------------------------------


def test_the_game_begins_when_every_seat_is_taken() -> None:
    """Nobody can move before that."""
    driven = start_table(letters="hoh", guests=(ADA,))
    assert driven.table_view(None).status is Status.OPEN
    with refused(RequestError, "has not begun"):
        driven.move(0, "T")

    driven.do(requests.sit, None, BOB)
    assert driven.table_view(None).status is Status.OPEN
    driven.do(requests.claim, Seat(2), CLEO)

    assert driven.table_view(None).status is Status.RUNNING
    assert [occupant.name for occupant in driven.table.occupants] == ["Ada", "Bob", "Cleo"]
    assert [notice.kind for notice in driven.heard[None]] == ["sit", "sit", "sit", "start"]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"game": "schach"}, "there is no game 'schach'"),
        ({"letters": "hh"}, "for 3 to 6 seats, not 2"),
        ({"options": {"rounds": "0"}}, "rounds"),
        ({"options": {"colour": "red"}}, "colour"),
        ({"mine": (Seat(7),)}, "seat 8 is not one to take"),
        ({"letters": "bhh", "mine": (Seat(0),)}, "seat 1 is not one to take"),
        ({"letters": "bbb", "options": {"stall": "off"}}, "sure to end"),
        ({"chairs": (Chair("bot"), *chairs("hh"))}, "level"),
        ({"chairs": (Chair("human", "wizard"), *chairs("hh"))}, "level"),
    ],
)
def test_what_cannot_be_played_is_not_set_up(wrong: dict[str, object], says: str) -> None:
    """The message says what is wrong."""
    seated = wrong.get("chairs")
    wanted = order(**{name: each for name, each in wrong.items() if name != "chairs"})  # type: ignore[arg-type]
    if seated:
        wanted = msgspec.structs.replace(wanted, chairs=seated)
    with refused(SetupError, says):
        charter.charter_for(wanted, "table", SEED, 0)


@pytest.mark.parametrize(
    ("more", "rated"),
    [
        ({}, True),
        ({"hints": True}, False),
        ({"dice": "players"}, False),
        ({"moves": ("0:T",)}, False),
        ({"seconds_per_move": 0}, False),
        ({"options": {"penalties": "T:9"}}, False),
    ],
)
def test_a_game_counts_where_it_shows_who_plays_well(more: dict[str, Any], *, rated: bool) -> None:
    """Against the clock, without hints, with the server's dice, from the beginning."""
    wanted = order(**{"seconds_per_move": 60, "hints": False} | more)
    assert charter.charter_for(wanted, "table", SEED, 0).rated is rated


def test_entries_follow_each_other(driven: DrivenTable) -> None:
    """A log has no gap and no entry twice."""
    with pytest.raises(ValueError, match="entry 5 does not follow 4 others"):
        after(driven.table, Entry(seq=driven.table.seq + 1, at=0, kind=Kind.START))


# --- Coming and going ------------------------------------------------------------------------


def test_an_open_seat_is_for_anybody_a_kept_one_for_its_link() -> None:
    """A guest who names no seat gets the first free one."""
    driven = start_table(letters="hoo", guests=())
    with refused(RequestError, "seat 1 is not free"):
        driven.do(requests.sit, Seat(0), ADA)

    driven.do(requests.sit, None, ADA)
    driven.do(requests.sit, Seat(2), BOB)

    assert [occupant.name for occupant in driven.table.occupants] == ["", "Ada", "Bob"]
    with refused(RequestError, "no free seat"):
        driven.do(requests.sit, None, CLEO)


def test_leaving_before_the_game_frees_the_seat() -> None:
    """The next guest can sit down there."""
    driven = start_table(letters="oho", guests=(ADA, BOB))
    driven.do(requests.stand, Seat(0))
    assert driven.last(1).kind is Kind.STAND

    driven.do(requests.sit, None, CLEO)

    assert driven.table.occupants[0].name == "Cleo"
    with refused(RequestError, "nobody sits at seat 3"):
        driven.do(requests.stand, Seat(2))


def test_leaving_during_the_game_leaves_the_seat_to_a_bot() -> None:
    """The bot plays on; after a while an open seat can be taken over from it."""
    driven = start_table(letters="ohh")
    driven.do(requests.stand, Seat(0))
    assert (driven.table.occupants[0].guest, driven.table.occupants[0].level) == (
        "",
        requests.SUBSTITUTE,
    )

    with refused(RequestError, "no free seat"):
        driven.do(requests.sit, None, DAN)
    driven.now += KEPT
    driven.do(requests.sit, None, DAN)

    assert driven.table.occupants[0].person
    assert driven.table_view(1).seats[0].name == "Dan"


def test_who_left_may_change_their_mind() -> None:
    """For ten minutes the seat is theirs alone, however it was to be taken; not for longer."""
    driven = start_table()
    driven.do(requests.stand, Seat(1))
    with refused(RequestError, "no free seat"):
        driven.do(requests.sit, Seat(1), DAN)
    with refused(RequestError, "seat 2 is not free"):
        driven.do(requests.claim, Seat(1), DAN)
    driven.now += KEPT - 1
    for come_back in (requests.sit, requests.claim):
        driven.do(come_back, Seat(1), BOB)
        assert driven.table.occupants[1].person
        assert driven.table_view(0).seats[1].name == "Bob"
        driven.do(requests.stand, Seat(1))

    driven.now += KEPT
    with refused(RequestError, "no free seat"):
        driven.do(requests.sit, Seat(1), BOB)
    driven.do(requests.claim, Seat(1), DAN)
    assert driven.table_view(0).seats[1].name == "Dan"


def test_a_bot_plays_until_the_owner_is_back(driven: DrivenTable) -> None:
    """The seat stays the owner's, who comes back by saying so, by playing or by the link."""
    ways: tuple[Callable[[], None], ...] = (
        lambda: driven.do(requests.come_back, Seat(1)),
        lambda: driven.move(1, "4"),
        lambda: driven.do(requests.claim, Seat(1), BOB),
    )
    for come_back in ways:
        driven.do(requests.hand_over, Seat(1), LEVEL)
        place = driven.table_view(0).seats[1]
        assert (place.name, place.level, place.away) == ("Bob", LEVEL, True)

        come_back()

        assert driven.table_view(0).seats[1].level == ""
    with refused(RequestError, "no bot plays for seat 2"):
        driven.do(requests.come_back, Seat(1))


def test_only_a_level_that_exists_takes_over(driven: DrivenTable) -> None:
    """A bot can take over only while the game goes on."""
    with refused(SetupError, "there is no level 'genius'"):
        driven.do(requests.hand_over, Seat(1), "genius")
    waiting = start_table(letters="hho", guests=(ADA, BOB))
    with refused(RequestError, "while the game goes on"):
        waiting.do(requests.hand_over, Seat(1), LEVEL)


def test_a_link_takes_no_seat_from_anybody(driven: DrivenTable) -> None:
    """Who comes by the link of a seat that became somebody's is refused, and nothing changes."""
    before = driven.table

    with pytest.raises(NotYoursError):
        driven.do(requests.claim, Seat(1), DAN)

    assert driven.table == before


# --- Choosing together -----------------------------------------------------------------------


@pytest.mark.parametrize("words", ["0:T 1:4 2:-", "2:- 0:T 1:4", "1:4 2:- 0:T"])
def test_who_choose_together_answer_in_any_order(words: str) -> None:
    """A choice may answer an older number, as long as the question is the same (DM-5)."""
    driven = start_table()
    number = driven.number(0)
    for word in words.split():
        driven.move(int(word[0]), word[2:], version=number)

    assert driven.table_view(0) == start_and_play("0:T 1:4 2:-").table_view(0)


def start_and_play(words: str) -> DrivenTable:
    driven = start_table()
    driven.play(words)
    return driven


def test_nobody_notices_that_a_choice_is_changed(driven: DrivenTable) -> None:
    """The others get no notice, and the same number and view, byte by byte."""
    driven.play("0:T")
    before = {viewer: driven.seen_by(viewer) for viewer in driven.viewers}
    card, own = driven.table.card(), driven.number(0)
    driven.now += 60_000

    driven.play("0:4 0:-")

    assert {viewer: driven.seen_by(viewer) for viewer in (None, 1, 2)} == {
        viewer: before[None if viewer is None else Seat(viewer)] for viewer in (None, 1, 2)
    }
    assert driven.number(0) == own + 2
    assert driven.table.card() == card
    driven.play("1:4 2:4")
    assert driven.fist(None, 0).piece is None


def test_a_change_is_offered_until_the_last_one_has_chosen(driven: DrivenTable) -> None:
    """The choices stay the same until all have chosen."""
    offered = driven.table_view(0).legal
    driven.play("0:T")
    assert (driven.table_view(0).replaces_choice, driven.table_view(0).legal) == (True, offered)
    assert (driven.table_view(1).replaces_choice, driven.table_view(1).legal) == (False, offered)

    driven.play("1:4 2:4")

    assert not driven.table_view(0).replaces_choice
    with pytest.raises(IllegalMoveError):
        driven.move(0, "6")


def test_a_change_must_be_allowed_too(driven: DrivenTable) -> None:
    """A refused change leaves the first choice as it was."""
    driven.play("0:T")
    before = driven.table
    for word, error in (("*C", IllegalMoveError), ("castle", NotAWordError)):
        with pytest.raises(error):
            driven.move(0, word)
    assert driven.table == before


# --- Too late, not allowed -------------------------------------------------------------------


def test_what_was_thought_of_for_another_position_is_refused(driven: DrivenTable) -> None:
    """Nothing changes, and the message says where the table is."""
    number = driven.number(0)
    driven.play("0:T 1:4 2:4")
    builder = driven.table.waiting[0]
    before = driven.table
    for version in (0, number):
        with refused(StaleError, f"at {driven.number(0)}; what answers {version} came too late"):
            driven.move(builder, ">", version=version)
    ahead = driven.number(0) + 1
    with refused(StaleError, f"only at {ahead - 1}; nothing can answer {ahead} yet"):
        driven.move(builder, ">", version=ahead)
    assert driven.table == before


def test_who_has_chosen_must_have_heard_of_it_to_choose_again(driven: DrivenTable) -> None:
    """A second click that answers the first question changes nothing."""
    number = driven.number(0)
    driven.move(0, "T", version=number)
    with pytest.raises(StaleError):
        driven.move(0, "4", version=number)


def test_what_others_do_besides_makes_no_move_late(driven: DrivenTable) -> None:
    """A player who leaves does not change the position for another who thinks."""
    number = driven.number(0)
    driven.do(requests.hand_over, Seat(1), LEVEL)
    assert driven.number(0) > number, "the player was told of it"
    driven.move(0, "T", version=number)

    assert [(play.seat, play.word) for play in driven.table.plays] == [(0, "T")]
    assert 0 not in driven.table.deciding


def test_an_illegal_move_names_its_clause(driven: DrivenTable) -> None:
    """The table is not changed."""
    before = driven.table
    with pytest.raises(IllegalMoveError) as refused:
        driven.move(0, "*C")
    assert refused.value.clause == "DM-5"
    assert driven.table == before


def test_after_the_end_every_move_is_too_late() -> None:
    """Seats cannot be left or handed over either."""
    driven = lay_and_play_out()
    with refused(StaleMoveError, "the game is over"):
        driven.move(0, "T")
    for request in (requests.stand, requests.come_back):
        with pytest.raises(RequestError):
            driven.do(request, Seat(0))
    with pytest.raises(RequestError):
        driven.do(requests.sit, None, DAN)


def lay_and_play_out() -> DrivenTable:
    """A game of one round that stalls at once."""
    driven = start_table(options={"rounds": "1", "stall": "1"})
    driven.play("0:- 1:- 2:-")
    assert driven.table_view(None).status is Status.OVER
    return driven


# --- Keys ------------------------------------------------------------------------------------


def request(seat: int, key: str, word: str, kind: Kind = Kind.MOVE) -> Submission:
    """A request of a seat."""
    return Submission(Seat(seat), frozenset({kind}), key, word)


def test_the_same_key_gets_the_same_answer(driven: DrivenTable) -> None:
    """This holds much later and after other moves; each seat has its own keys."""
    driven.move(0, "T", key="k")
    number = driven.number(0)
    driven.play("1:4 2:4")

    assert requests.answered(driven.table, request(0, "k", "T")) == number
    assert requests.answered(driven.table, request(1, "k", "T")) is None
    assert requests.answered(driven.table, request(0, "", "T")) is None


def test_a_key_is_for_one_request(driven: DrivenTable) -> None:
    """It cannot be used for another word or another kind of request."""
    driven.move(0, "T", key="k")
    for other in (request(0, "k", "4"), request(0, "k", "T", Kind.AWAY)):
        with pytest.raises(KeyReusedError):
            requests.answered(driven.table, other)


def test_a_bot_that_comes_and_goes_twice_by_one_key_does_so_once(driven: DrivenTable) -> None:
    """A request that is sent again gets the answer of the first."""
    driven.do(requests.hand_over, Seat(0), LEVEL, key="away")
    gone = driven.number(0)
    driven.do(requests.come_back, Seat(0), key="back")

    assert requests.answered(driven.table, request(0, "away", LEVEL, Kind.AWAY)) == gone
    assert requests.answered(driven.table, request(0, "back", "", Kind.BACK)) == gone + 1


def test_a_key_of_an_earlier_move_does_not_swallow_a_later_one(driven: DrivenTable) -> None:
    """A client that starts to count its keys again gets an error, even for the same word."""
    driven.move(0, "-", key="k")
    later = request(0, "k", "-")._replace(version=driven.number(0))
    again = request(0, "k", "-")._replace(version=driven.number(0) - 1)

    assert requests.answered(driven.table, again) == driven.number(0)
    with pytest.raises(KeyReusedError):
        requests.answered(driven.table, later)


def test_a_guest_has_keys_before_having_a_seat() -> None:
    """Sitting down twice with one key takes one seat."""
    driven = start_table(letters="hoo", guests=(ADA,))
    driven.do(requests.sit, None, BOB, key="k")
    mine = Submission(BOB.id, frozenset({Kind.SIT}), "k")

    assert requests.answered(driven.table, mine) == driven.number(1)
    assert requests.answered(driven.table, Submission(CLEO.id, frozenset({Kind.SIT}), "k")) is None


# --- Nature ----------------------------------------------------------------------------------


def test_natures_words_follow_from_the_seed_and_their_place() -> None:
    """Anybody can check them at the end (DM-3)."""
    driven = start_table(options={"first": "lot", "rounds": "1", "stall": "1"})
    (drawn,) = (logged.entry for logged in driven.table.log if logged.entry.seat == NATURE)
    start = driven.table.game.start(driven.table.setup)

    assert drawn.word == nature_word(driven.table.game, start, SEED, "0:all:0")
    driven.play("0:- 1:- 2:-")
    numbers = tuple(play.seq for play in driven.table.plays)
    verdict = check(driven.table.game, driven.table.record(), SEED, numbers)
    assert (verdict.checked, verdict.faults) == (1, ())


def test_the_seed_is_shown_at_the_end() -> None:
    """Before that, only its commitment is shown."""
    driven = start_table(options={"rounds": "1", "stall": "1"})
    for viewer in (None, 0, 1, 2):
        assert driven.table_view(viewer).seed is None
        assert SEED.hex().encode() not in driven.seen_by(viewer)
    assert {driven.table_view(viewer).commitment for viewer in (None, 0)} == {commitment(SEED)}
    driven.play("0:- 1:- 2:-")
    assert driven.table_view(None).seed == SEED.hex()


# --- Names -----------------------------------------------------------------------------------


def test_who_built_is_called_as_they_were_called_then() -> None:
    """This holds although somebody else has the seat now."""
    driven = start_table(letters="ohh")
    driven.play("0:T 1:4 2:4 0:>")
    assert "Ada" in driven.text(1)

    driven.do(requests.stand, Seat(0))
    driven.now += KEPT
    driven.do(requests.sit, Seat(0), DAN)

    assert bytes_of(driven.history(1)) == bytes_of(driven.heard[Seat(1)])


def test_two_of_one_name_are_told_apart() -> None:
    """Two bots of one level are told apart too."""
    driven = start_table(letters="hhbb", guests=(ADA, Guest("other", "Ada")))

    assert len(set(driven.view_message(None).names)) == 4
    assert driven.view_message(None).names[:2] == ("Ada", "Ada 2")


# --- Applying --------------------------------------------------------------------------------


def test_a_move_is_applied_once(monkeypatch: pytest.MonkeyPatch, driven: DrivenTable) -> None:
    """The check of a request is what its entry leads to; a choice that is changed too."""
    game, played = driven.table.game, list[str]()
    apply = game.apply

    def counted(state: Any, seat: Seat, action: Any) -> Any:  # noqa: ANN401 - the game's own
        played.append(f"{seat}:{game.write(action)}")
        return apply(state, seat, action)

    monkeypatch.setattr(game, "apply", counted)
    for seat, word in ((0, "T"), (0, "4"), (1, "4")):
        played.clear()
        pending = PendingEntries(driven.table, driven.seed, driven.now)
        requests.move(pending, Seat(seat), word, driven.number(seat))
        driven.table = pending.table
        assert played == [f"{seat}:{word}"]
