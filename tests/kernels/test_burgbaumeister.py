"""The kernel of Burgbaumeister: what its records hold, and corners that chance hardly reaches.

Whole games by chance, move by move against the rules, are in `test_equal`.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from msgspec.structs import replace
from tests.support.amounts import amount
from tests.support.castle_table import StartCastle, start_castle
from tests.support.compiled import functions

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import NATURE, Chance, Seat, Setup
from mauerwerk.core.options import from_words
from mauerwerk.games import burgbaumeister as bb
from mauerwerk.games.burgbaumeister.cards import last
from mauerwerk.games.burgbaumeister.events import Ended, Event, Fired, FireHeld, Inserted
from mauerwerk.games.burgbaumeister.numbering import number
from mauerwerk.games.burgbaumeister.values import Action, Deciding, HoldFire, Leave, Turning
from mauerwerk.kernels import actions_of, kernel_of
from mauerwerk.kernels.burgbaumeister import rules
from mauerwerk.kernels.compiler import compiler_for
from mauerwerk.kernels.play import single
from mauerwerk.kernels.play.single import SingleGame
from mauerwerk.kernels.search.worlds import packed

kernel: Any = kernel_of("burgbaumeister")

COMPILED = functions(compiler_for(bb.NAME, "cpu"), rules)

Taste = Callable[[bb.State, Chance], Action]


@pytest.fixture
def castle() -> StartCastle:
    """How to begin from a position."""
    return start_castle


def setup_for(seats: int, **options: str) -> Setup[bb.Options]:
    """A setup from words, as in a record."""
    return Setup(seats, from_words(bb.Options, options))


def position_of(state: bb.State, setup: Setup[bb.Options]) -> SingleGame:
    """The kernel, taken up in this state."""
    position = SingleGame(bb, setup)
    position.state = state
    return position


# --- Players with a taste --------------------------------------------------------------------


def eager(state: bb.State, draw: Chance) -> Action:
    """Turns anything, and builds and fires wherever possible."""
    legal = legal_in(state)
    return any_of(legal, draw) if isinstance(state, Turning) else legal[0]


def lazy(state: bb.State, draw: Chance) -> Action:
    """Turns anything, and wants nothing."""
    legal = legal_in(state)
    return any_of(legal, draw) if isinstance(state, Turning) else legal[-1]


def stubborn(state: bb.State, _draw: Chance) -> Action:
    """Turns the same card again and again, and leaves it."""
    legal = legal_in(state)
    return legal[0] if isinstance(state, Turning) else legal[-1]


def careful(state: bb.State, draw: Chance) -> Action:
    """Turns anything, and builds where little room is lost; fires at any card."""
    if isinstance(state, Deciding):
        near = last(state.table.walls[state.table.player]) + 7
        return legal_in(state)[0 if state.number <= near else -1]
    return any_of(legal_in(state), draw)


def legal_in(state: bb.State) -> Sequence[Action]:
    """The legal actions of the seat that must act."""
    return bb.legal(state, bb.to_act(state)[0])


def any_of(legal: Sequence[Action], draw: Chance) -> Action:
    """One of these, each as likely."""
    return legal[draw(len(legal))]


class Story(NamedTuple):
    """What happened in a game that rules and kernel played alike."""

    events: tuple[Event, ...]
    position: SingleGame

    @property
    def ending(self) -> str:
        """Why it ended."""
        (ended,) = (event for event in self.events if isinstance(event, Ended))
        return ended.ending


def played(setup: Setup[bb.Options], taste: Taste, seed: int) -> Story:
    """A whole game, in which after every move the record is to the byte what the rules say."""
    draw = Random(seed).randrange
    state, position = bb.start(setup), SingleGame(bb, setup)
    events: list[Event] = []
    while seats := bb.to_act(state):
        assert position.record.tobytes() == packed(bb, setup, state).tobytes()
        assert position.state == state
        legal = bb.legal(state, seats[0])
        assert position.legal(seats[0]) == [number(action) for action in legal]
        action = any_of(legal, draw) if seats[0] == NATURE else taste(state, draw)
        step = bb.apply(state, seats[0], action)
        assert position.apply(seats[0], number(action))
        state = step.state
        events.extend(step.events)
    assert position.record.tobytes() == packed(bb, setup, state).tobytes()
    assert position.outcome == bb.outcome(state)
    return Story(tuple(events), position)


@pytest.mark.rule("BB-10", "BB-11", "BB-12")
@pytest.mark.parametrize(
    ("taste", "endings"),
    [
        (eager, {"nine", "blocked", "stall"}),
        (lazy, {"stall"}),
        (stubborn, {"stall"}),
        (careful, {"nine", "stall"}),
    ],
)
def test_records_are_the_rules_to_the_byte(taste: Taste, endings: set[str]) -> None:
    """However it is played, and to every end that play can have (BB-10 to BB-12).

    By house rules with few cards a depot can also be empty.
    """
    setups = [kernel.random_setup(Random(seed).randrange) for seed in range(amount(16, 16, 40))]

    stories = [played(setup, taste, seed) for seed, setup in enumerate(setups)]

    assert {story.ending for story in stories} - {"empty"} == endings


@pytest.mark.rule("BB-12")
def test_the_same_card_ninety_times_is_a_stall() -> None:
    """The other way to stall than leaving every card (BB-12)."""
    story = played(setup_for(3), stubborn, seed=1)

    assert (story.ending, story.position.turn) == ("stall", 90)


@pytest.mark.rule("BB-24", "BB-26", "BB-27")
def test_cannons_and_the_wizard_do_their_work() -> None:
    """Cards are inserted and destroyed, spells shot away, shots held, on both sides alike."""
    setup = setup_for(3, variant="yes")
    seeds = range(*amount((20, 32), (20, 32), (0, 60)))
    stories = [played(setup, careful, seed) for seed in seeds]

    kinds = {type(event) for story in stories for event in story.events}
    shot = [
        event.card.number for story in stories for event in story.events if isinstance(event, Fired)
    ]
    assert {Inserted, Fired, FireHeld} <= kinds
    assert 17 in shot, "nobody hit the wizard"
    assert 3 in {int(story.position.record[0]["shots"]) for story in stories}


@pytest.mark.rule("BB-13")
def test_an_empty_depot_ends_the_game(castle: StartCastle) -> None:
    """It cannot happen with 45 cards, but a position can be laid so (BB-13)."""
    table = castle("3 4 | 5", known="a1=40")
    assert isinstance(table.state, Turning)
    last_card = Turning(replace(table.state.table, depot=(0,)))
    position = position_of(last_card, setup_for(2))
    for seat, word in [(0, "a1"), (NATURE, "40"), (0, "+")]:
        assert position.apply(Seat(seat), number(bb.parse(word)))
    table.state = last_card
    table.play("0:a1 ~:40 0:+")

    assert table.ending == "empty"
    assert position.state == table.state
    assert position.outcome == table.outcome


@pytest.mark.rule("BB-11")
def test_two_without_a_card_share_the_rank(castle: StartCastle) -> None:
    """Equal points are told apart by the last number, and a start tower has none (BB-11)."""
    table = castle("9 | . | . | 12", known="a1=30", idle=89)
    table.play("0:a1 ~:30 0:-")
    position = position_of(table.state, setup_for(4))

    assert position.outcome is not None
    assert position.outcome.ranks == (2, 3, 3, 1)
    assert position.outcome == table.outcome


# --- Any move at any time --------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_what_is_not_legal_is_not_allowed_and_changes_nothing(seed: int) -> None:
    """Any seat asks for any number, including numbers without an action."""
    draw = Random(seed).randrange
    setup = kernel.random_setup(draw)
    state, position = bb.start(setup), SingleGame(bb, setup)
    actions = len(actions_of(bb, setup))
    for _ in range(30):
        seats = bb.to_act(state)
        for seat in range(-2, 6):
            legal = {number(action) for action in bb.legal(state, Seat(seat))}
            before = position.record.tobytes()
            for refused in {*range(-3, actions + 70)} - legal:
                assert not position.apply(Seat(seat), refused)
            assert position.record.tobytes() == before
        if not seats:  # house rules can make a game short
            break
        legal_now = bb.legal(state, seats[0])
        action = legal_now[draw(len(legal_now))]
        state = bb.apply(state, seats[0], action).state
        assert position.apply(seats[0], number(action))


def test_a_start_leaves_nothing_of_the_game_before() -> None:
    """Every field is written, whatever was there."""
    setup = setup_for(3, variant="yes", first="lot", depot="chaotic")
    used = np.frombuffer(bytearray(b"\x55" * kernel.STATE.itemsize), kernel.STATE)
    begin = compiler_for(bb.NAME, "cpu").entry(single.begin)

    begin(kernel.pack_setup(setup), used)

    assert used[0] == packed(bb, setup, bb.start(setup))[0]


# --- Setups and records ----------------------------------------------------------------------


@pytest.mark.rule("BB-12")
def test_what_need_not_end_is_refused() -> None:
    """Without the stall everybody could leave every card for ever (BB-12)."""
    with pytest.raises(SetupError, match="need not end"):
        kernel.pack_setup(setup_for(2, stall="no"))


@pytest.mark.rule("BB-29")
def test_a_table_of_pictures_that_breaks_a_rule_is_refused() -> None:
    """Just as the rules refuse it (BB-29)."""
    with pytest.raises(SetupError, match="option pictures"):
        kernel.pack_setup(setup_for(2, variant="yes", pictures="3r"))


def test_a_game_has_room_in_256_bytes() -> None:
    """Aligned, so that a GPU reads every field at once."""
    assert kernel.STATE.itemsize == 128
    assert kernel.STATE.isalignedstruct


def test_setups_by_chance_leave_no_option_out() -> None:
    """Seats, who begins, variant, depot, aid and pictures."""
    draw = Random(1).randrange
    setups = [kernel.random_setup(draw) for _ in range(100)]
    chosen = [setup.options for setup in setups]

    assert {setup.seats for setup in setups} == {2, 3, 4}
    assert {each.first for each in chosen} == {0, 1, 2, 3, "lot"}
    assert {each.variant for each in chosen} == {True, False}
    assert {each.depot for each in chosen} == {"rectangle", "chaotic"}
    assert {each.memory_aid for each in chosen} == {True, False}
    assert len({each.pictures for each in chosen}) > 50


# --- Sets of bits ----------------------------------------------------------------------------


@pytest.mark.parametrize("found", [vars(rules), COMPILED], ids=["source", "compiled"])
def test_bits_are_counted_and_found(found: dict[str, Any]) -> None:
    """The source means the same to Python as to Numba."""
    draw = Random(7).randrange
    sets = [0, 1, 1 << 45, (1 << 46) - 1, *(draw(1 << 46) & draw(1 << 46) for _ in range(200))]
    for held in sets:
        bits = [bit for bit in range(48) if held >> bit & 1]
        out = np.zeros(48, np.int16)
        found["write"](held, out, 0)

        assert found["size"](held) == len(bits)
        assert [found["nth"](held, place) for place in range(len(bits))] == bits
        assert found["up_to_highest"](held) == (1 << held.bit_length()) - 1
        assert out.nonzero()[0].tolist() == bits


# --- What is seen ----------------------------------------------------------------------------


def seen_in(castle: StartCastle, known: str, left: str, **options: str) -> list[list[int]]:
    """The observations of both seats where these cards have been turned and left."""
    table = castle("3 11 | 5", known=known, left=left, **options)
    observations: list[list[int]] = position_of(
        table.state, setup_for(2, **options)
    ).features.tolist()
    return observations


@pytest.mark.rule("BB-9")
def test_an_observation_has_no_memory(castle: StartCastle) -> None:
    """Which cards were turned and what they showed does not show in it (BB-9)."""
    nothing = seen_in(castle, known="", left="", variant="yes")
    much = seen_in(castle, known="a1=30 c2=9 e3=17", left="a1 e3", variant="yes")

    assert nothing == much


@pytest.mark.rule("BB-9")
def test_the_memory_aid_shows_what_was_seen(castle: StartCastle) -> None:
    """What lies in the depot and has been turned, and nothing else (BB-9)."""
    seats = seen_in(castle, known="a1=30 c2=9", left="a1", memory_aid="yes")
    seen = kernel.OBSERVATION.layout(setup_for(2))["seen"]

    for observation in seats:
        assert {place: n for place, n in enumerate(observation[seen]) if n} == {0: 30, 11: 9}


@pytest.mark.rule("BB-9")
def test_while_a_card_is_being_turned_it_shows_nothing(castle: StartCastle) -> None:
    """Not even a card that has been seen before, until nature has answered (BB-9)."""
    setup, parts = setup_for(2), kernel.OBSERVATION.layout(setup_for(2))
    position = position_of(castle(known="b1=9").state, setup)
    position.apply(Seat(0), number(bb.parse("b1")))
    turning = position.features[1].copy()
    position.apply(NATURE, number(bb.parse("9")))
    face_up = position.features[1]

    assert turning[parts["turned"]].nonzero()[0].tolist() == [1]
    assert not turning[parts["number"]].any()
    assert face_up[parts["number"]].nonzero()[0].tolist() == [9 - 2]
    assert position.legal(Seat(0)) == [number(bb.parse("+")), number(Leave())]


@pytest.mark.rule("BB-24", "BB-25")
def test_a_shot_is_seen_by_all_and_towers_hold(castle: StartCastle) -> None:
    """Which cards may be hit, which are safe, and in whose wall they are (BB-24, BB-25)."""
    setup = setup_for(3, variant="yes")
    table = castle(". | 5 20 22 | 9", known="a1=13", variant="yes")
    table.play("0:a1 ~:13 0:+")
    position, parts = position_of(table.state, setup), kernel.OBSERVATION.layout(setup)

    assert [position.values[n] for n in position.legal(Seat(0))] == [
        *map(bb.parse, ("x9", "x22")),
        HoldFire(),
    ]
    assert position.features[1][parts["safe"]].tolist() == [2, 0, 0, 0]
    assert position.features[2][parts["points"]].tolist() == [1, 1, 6, 0]
