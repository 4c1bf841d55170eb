"""Die Mauer as JSON: every kind of value comes back as it went."""

from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest

from mauerwerk.core.game import Outcome, Seat, Setup, Step, Value
from mauerwerk.games import mauer
from mauerwerk.games.mauer import events as me
from mauerwerk.games.mauer import values as mv

PLAYED = [
    (
        Setup(3, mv.Options(rounds=1, first="lot", stall=2)),
        "~:@0 0:4 1:4 2:- 1:> 0:- 1:- 2:T 0:*C 0:T 1:T 2:- 2:!6 2:< 0:- 1:- 2:- 0:- 1:- 2:-",
    ),
    (Setup(6, mv.Options(first=5, stall="off")), "0:T 1:T 2:4 3:6 4:- 5:T"),
]


def steps() -> Iterator[tuple[Setup[mv.Options], mv.State, Step[mv.State, me.Event]]]:
    """Games that reach every phase, action and event."""
    for setup, words in PLAYED:
        state = mauer.start(setup)
        for word in words.split():
            who, _, what = word.partition(":")
            seat = Seat(-1) if who == "~" else Seat(int(who))
            step = mauer.apply(state, seat, mauer.parse(what))
            yield setup, state, step
            state = step.state


STATES = [each for _, before, step in steps() for each in (before, step.state)]
EVENTS = [event for _, _, step in steps() for event in step.events]
VIEWERS = (None, *map(Seat, range(3)))


def is_the_same_after_json(value: Value, kind: Any) -> bool:  # noqa: ANN401 - any type or union
    """Whether the value comes back equal, read as this kind, and as text the same again."""
    text = msgspec.json.encode(value)
    back = msgspec.json.decode(text, type=kind)
    return bool(back == value and type(back) is type(value) and msgspec.json.encode(back) == text)


def test_every_state_goes_there_and_back() -> None:
    """All phases, read as one of them without being told which."""
    assert {type(state) for state in STATES} == set(get_args(mv.State))
    assert all(is_the_same_after_json(state, mv.State) for state in STATES)


def test_every_action_goes_there_and_back() -> None:
    """All that can be done, nature's moves included."""
    assert {type(action) for action in mv.ACTIONS} == set(get_args(mv.Action))
    assert all(is_the_same_after_json(action, mv.Action) for action in mv.ACTIONS)


def test_every_event_goes_there_and_back() -> None:
    """As it happened, and as each viewer was told."""
    assert {type(event) for event in EVENTS} == set(get_args(me.Event))
    for viewer in VIEWERS:
        told = [mauer.seen(event, viewer) for event in EVENTS]
        assert all(is_the_same_after_json(event, me.Event) for event in told if event is not None)


def test_every_view_goes_there_and_back() -> None:
    """Of each viewer, in every phase; together they show every task and every kind of fist."""
    views = [mauer.view(state, viewer) for state in STATES for viewer in VIEWERS]

    assert {view.task for view in views} == set(me.Task)
    assert {type(fist) for view in views for fist in view.fists} == {
        me.Thinking,
        me.Closed,
        mv.Plan,
    }
    assert all(is_the_same_after_json(view, me.View) for view in views)


def test_setups_steps_and_outcomes_go_there_and_back() -> None:
    """What goes round a game does so too."""
    for setup, _, step in steps():
        assert is_the_same_after_json(setup, Setup[mv.Options])
        assert is_the_same_after_json(setup.options, mv.Options)
        assert is_the_same_after_json(step, Step[mv.State, me.Event])
    outcomes = [outcome for state in STATES if (outcome := mauer.outcome(state)) is not None]
    assert outcomes
    assert all(is_the_same_after_json(outcome, Outcome) for outcome in outcomes)


def test_a_value_says_its_kind() -> None:
    """The kind stands under `type`, pieces are their letters, and None is null."""
    closed = me.FistClosed(Seat(1), mv.Plan(mv.Piece.TOWER))

    assert msgspec.json.encode(closed) == (
        b'{"type":"fistclosed","seat":1,"plan":{"type":"plan","piece":"T"}}'
    )
    assert msgspec.json.encode(mauer.seen(closed, None)) == (
        b'{"type":"fistclosed","seat":1,"plan":null}'
    )


@pytest.mark.parametrize(
    "text",
    [
        b'{"type":"plan","piece":"5"}',
        b'{"type":"plan"}',
        b'{"type":"plan","piece":"T","also":1}',
        b'{"type":"build","end":"left"}',
        b'{"type":"demolish","end":"<"}',
        b'{"piece":"T"}',
    ],
)
def test_what_is_no_action_is_not_read_as_one(text: bytes) -> None:
    """An unknown piece, kind or field is an error, not a guess."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=mv.Action)


def test_values_are_compared_by_content_and_cannot_be_changed() -> None:
    """Two games that went the same way are in the same state."""
    twice = [[step.state for _, _, step in steps()] for _ in range(2)]

    assert twice[0] == twice[1]
    assert len(set(twice[0] + twice[1])) == len(set(twice[0]))
    with pytest.raises(AttributeError, match="immutable"):
        setattr(twice[0][-1], "table", None)  # noqa: B010 - a checker would not let it pass
