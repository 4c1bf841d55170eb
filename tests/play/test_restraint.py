"""Back and forth has an end, and gains nobody time; the log stays as short as the game."""

from collections.abc import Callable

import pytest
from tests.play.laying import ADA, BEGAN, BOB, CLEO, LEVEL, Laid, lay

from mauerwerk.core.game import Seat
from mauerwerk.play import folding, requests, restraint
from mauerwerk.play.entries import Entry, Kind
from mauerwerk.play.errors import NotYoursError, OtherRulesError, RequestError
from mauerwerk.play.folding import fold
from mauerwerk.play.requests import Asked
from mauerwerk.play.restraint import BACK_AND_FORTH, SITTINGS
from mauerwerk.play.table import LAPSE, Table

ENOUGH = "too much back and forth; play on"


def for_ever(back_and_forth: Callable[[Laid], None], laid: Laid) -> None:
    """More often than anybody has a reason to."""
    for _ in range(BACK_AND_FORTH):
        back_and_forth(laid)


@pytest.fixture
def laid() -> Laid:
    """Die Mauer for Ada, Bob and Cleo."""
    return lay()


@pytest.fixture
def steps() -> Laid:
    """Mauerbauer with 30 seconds a decision; Ada has rolled the dice and decides the rest."""
    laid = lay("mauerbauer", "hh", options={"board": "small", "first": "0"}, pace=30)
    laid.move(0, laid.scene(0).legal[0].word)
    assert laid.table.waiting == (0,)
    return laid


# --- No end of entries -----------------------------------------------------------------------


def test_a_bot_that_plays_already_does_not_take_over_again(laid: Laid) -> None:
    """Nothing is written; another level is something else."""
    laid.do(requests.hand_over, Seat(0), LEVEL)
    length = laid.table.seq

    laid.do(requests.hand_over, Seat(0), LEVEL)
    assert laid.table.seq == length
    laid.do(requests.hand_over, Seat(0), "master")
    assert laid.table.seq == length + 1


def change_a_choice(laid: Laid) -> None:
    """Put something else into the fist."""
    laid.play("0:4 0:T")


def choose_and_take_back(laid: Laid) -> None:
    """Open the fist, and close it again."""
    laid.take_back(0)
    laid.play("0:T")


def choose_by_turns(laid: Laid) -> None:
    """Two of them, so that there is always a choice that is new."""
    for seat in (0, 1):
        laid.take_back(seat)
        laid.move(seat, "T")


def call_a_bot(laid: Laid) -> None:
    """It plays, and does not."""
    laid.do(requests.hand_over, Seat(2), LEVEL)
    laid.do(requests.come_back, Seat(2))


def step_and_take_back(laid: Laid) -> None:
    """Where one's turn has several steps."""
    laid.move(0, laid.scene(0).legal[0].word)
    laid.take_back(0)


def sit_and_stand(laid: Laid) -> None:
    """Before the game begins."""
    laid.do(requests.sit, Seat(1), BOB)
    laid.do(requests.stand, Seat(1))


@pytest.mark.parametrize("again", [change_a_choice, choose_and_take_back, choose_by_turns])
def test_a_choice_is_not_changed_for_ever(laid: Laid, again: Callable[[Laid], None]) -> None:
    """Whoever has not chosen yet still can, and then all is new."""
    laid.play("0:T 1:T")
    with pytest.raises(RequestError, match=ENOUGH):
        for_ever(again, laid)
    assert laid.table.seq < BACK_AND_FORTH + 10

    laid.play("2:4")

    builder = laid.table.waiting[0]
    laid.do(requests.hand_over, Seat(builder), LEVEL)


def test_how_often_one_may_change_does_not_tell_how_often_others_did() -> None:
    """Ada is refused at the same moment, whether Bob hesitated or not (DM-5)."""
    counts: list[int] = []
    for hesitation in ("", "1:4 1:6 " * 20):
        laid = lay()
        laid.play(f"0:T 1:T {hesitation}")
        with pytest.raises(RequestError, match=ENOUGH):
            for_ever(change_a_choice, laid)
        counts.append(laid.number(0))

    assert counts[0] == counts[1]


def test_bots_do_not_come_and_go_for_ever(laid: Laid) -> None:
    """Who is away then comes back with a move."""
    with pytest.raises(RequestError, match=ENOUGH):
        for_ever(call_a_bot, laid)

    laid.move(2, "T")
    assert laid.table.sitters[2].person


def test_a_step_is_not_taken_back_for_ever(steps: Laid) -> None:
    """In the end it stands, and the game goes on."""
    word = steps.scene(0).legal[0].word
    with pytest.raises(RequestError, match=ENOUGH):
        for_ever(step_and_take_back, steps)

    assert steps.table.plays[-1].word == word
    assert steps.table.seq < BACK_AND_FORTH + 20


def test_a_guest_does_not_come_and_go_for_ever() -> None:
    """Others still find the seat free."""
    laid = lay(letters="hoh", guests=(ADA,))
    with pytest.raises(RequestError, match="come and gone too often"):
        for_ever(sit_and_stand, laid)

    assert [notice.kind for notice in laid.story(None)].count(Kind.SIT) == 1 + SITTINGS
    laid.do(requests.sit, Seat(1), CLEO)
    assert laid.table.sitters[1].name == "Cleo"


def test_a_log_is_not_copied_for_each_entry(laid: Laid, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read into one list, so that a long one takes no longer than its length."""
    laid.play("0:T 1:4 2:4")
    lists: list[object] = []

    def after(table: Table, entry: Entry) -> Table:
        changed = folding_after(table, entry)
        lists.append(changed.log)
        return changed

    folding_after = folding.after
    monkeypatch.setattr(folding, "after", after)
    read = fold(laid.table.charter, [logged.entry for logged in laid.table.log])

    assert len(lists) == read.seq
    assert all(each is lists[0] for each in lists)
    assert (read, type(read.log)) == (laid.table, tuple)


def test_reading_on_leaves_the_table_before_as_it_was(laid: Laid) -> None:
    """A table is a value, whoever read it."""
    before = laid.table
    length, keys = len(before.log), dict(before.keys)
    entry = Entry(before.seq, BEGAN, Kind.AWAY, Seat(0), LEVEL, key="k")

    assert folding.more(before, [entry]) == folding.after(before, entry)
    assert (len(before.log), before.keys) == (length, keys)


# --- No time to be had -----------------------------------------------------------------------


def test_a_step_taken_back_gains_no_time(steps: Laid) -> None:
    """The question is the one that was put before."""
    put = steps.table.asked_at
    steps.now += 10_000
    steps.move(0, steps.scene(0).legal[0].word)
    assert steps.table.asked_at == steps.now
    steps.now += 5_000

    steps.take_back(0)

    assert steps.table.asked_at == put
    assert steps.table.deadline == put + 30_000


def test_among_bots_who_take_their_time_the_clock_begins_anew() -> None:
    """What they thought is not taken off, and nobody else waits."""
    laid = lay(letters="hbb", pace=30)
    laid.play("0:T")
    laid.now += 40_000
    for seat in (1, 2):
        laid.do(requests.play_for, Seat(seat), "4", laid.number(seat))

    laid.take_back(0)

    assert laid.table.deadline == laid.now + 30_000


@pytest.mark.parametrize(("waited", "left"), [(10_000, 20_000), (30_000, 30_000)])
def test_who_comes_back_has_new_time_only_if_it_was_up(waited: int, left: int) -> None:
    """Else a bot that is called and sent away again would stop the clock."""
    laid = lay(pace=30)
    laid.now += waited
    laid.do(requests.hand_over, Seat(0), LEVEL)

    laid.do(requests.come_back, Seat(0))

    assert laid.table.deadline == laid.now + left


def test_who_runs_out_of_time_again_and_again_has_new_time_once() -> None:
    """Else one decision could take for ever; the next one has its own time."""
    laid = lay(pace=30)
    laid.now += 30_000
    laid.do(requests.run_out)
    laid.do(requests.come_back, Seat(0))
    new = laid.table.deadline
    laid.now += 30_000
    laid.do(requests.run_out)
    laid.do(requests.come_back, Seat(0))

    assert new == laid.now
    assert laid.table.deadline == laid.now
    laid.play("0:T 1:4 2:4")
    assert laid.table.deadline == laid.now + 30_000


@pytest.mark.rule("DM-27")
def test_a_game_that_does_not_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can play on, and everybody is told why."""
    monkeypatch.setattr(restraint, "MOST_MOVES", 7)
    laid = lay(options={"stall": "off"})
    laid.play("0:- 1:- 2:T 1:*1 1:- 2:- 0:-")
    with pytest.raises(RequestError, match="after 7 moves nobody plays on"):
        laid.move(2, laid.scene(2).legal[0].word)


# --- Questions that end ----------------------------------------------------------------------


def test_who_asks_can_withdraw_it() -> None:
    """The move stands, is not asked about again, and the time meanwhile does not count."""
    laid = lay(pace=30)
    laid.play("0:T 1:4 2:4")
    laid.now += 20_000
    laid.take_back(1)
    laid.now += 5_000
    with pytest.raises(RequestError, match="nobody asks seat 1"):
        laid.consent(1, agree=True)

    laid.consent(1, agree=False)

    assert (laid.last(0).kind, laid.last(0).seat) == (Kind.REFUSE, 1)
    assert (laid.scene(0).question, laid.scene(1).undo) == (None, "no")
    assert laid.table.deadline == laid.now + 10_000


def test_a_question_without_a_clock_lapses(laid: Laid) -> None:
    """After three minutes the move stands, and bots go on."""
    laid.play("0:T 1:4 2:4")
    dues = [laid.table.due]
    laid.take_back(1)
    dues.append(laid.table.due)
    laid.now += LAPSE

    laid.do(requests.run_out)

    dues.append(laid.table.due)
    assert dues == [None, laid.now, None]
    assert (laid.last(0).kind, laid.scene(0).question) == (Kind.REFUSE, None)


# --- Other hands, other rules ----------------------------------------------------------------


def test_a_seat_that_changed_hands_is_not_played_by_who_had_it(laid: Laid) -> None:
    """Even if it was theirs when they asked; coming by a link asks no such thing."""
    asked = Asked(Seat(1), frozenset({Kind.MOVE}), hands=laid.table.sitters[1].hands)
    requests.check_hands(laid.table, asked)
    laid.do(requests.stand, Seat(1))

    with pytest.raises(NotYoursError):
        requests.check_hands(laid.table, asked)
    requests.check_hands(laid.table, asked._replace(hands=None))


def test_a_table_of_other_rules_is_not_read(monkeypatch: pytest.MonkeyPatch, laid: Laid) -> None:
    """Its moves would mean something else."""
    monkeypatch.setattr(laid.table.game, "RULES", 2)

    said = "this table was played by mauer/1; this program has mauer/2"
    with pytest.raises(OtherRulesError, match=said):
        folding.begin(laid.table.charter)
