"""The kernel of Mauerbauer: what its records hold, and corners that chance hardly reaches.

Whole games by chance, move by move against the rules, are in `test_equal`.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from random import Random
from typing import Any, NamedTuple, get_args

import numpy as np
import pytest
from msgspec.structs import replace
from tests.support.amounts import amount
from tests.support.compiled import functions

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import NATURE, Chance, Seat, Setup, draw_lot
from mauerwerk.core.options import from_words
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer.board import BOARDS, board_of
from mauerwerk.games.mauerbauer.cities import newly_closed
from mauerwerk.games.mauerbauer.events import (
    Cleared,
    Closed,
    Event,
    Joined,
    PalacesBuilt,
    Reshuffled,
    RolledEarly,
    Swapped,
)
from mauerwerk.games.mauerbauer.guild import KINDS, in_order
from mauerwerk.games.mauerbauer.numbering import number
from mauerwerk.games.mauerbauer.values import (
    Action,
    Build,
    Building,
    Choose,
    Discard,
    Done,
    Join,
    Options,
    State,
    Supply,
    Swap,
)
from mauerwerk.kernels import actions_of, bits, kernel_of
from mauerwerk.kernels.compare import compare
from mauerwerk.kernels.compiler import compiler_for
from mauerwerk.kernels.mauerbauer import records
from mauerwerk.kernels.play import single
from mauerwerk.kernels.play.single import SingleGame
from mauerwerk.kernels.search.worlds import packed

kernel: Any = kernel_of("mauerbauer")

SOURCE = vars(records) | vars(bits)
_COMPILER = compiler_for(mauerbauer.NAME, "cpu")
COMPILED = functions(_COMPILER, records, bits)

Taste = Callable[[State, Sequence[Action], Chance], Action]


def setup_for(seats: int, **options: str) -> Setup[Options]:
    """A setup from words, as in a record."""
    return Setup(seats, from_words(Options, options))


# --- Players with a taste --------------------------------------------------------------------


def fond_of_cities(state: State, legal: Sequence[Action], draw: Chance) -> Action:
    """Closes a city where one can be closed, and else builds beside other walls."""
    if not isinstance(state, Building):
        return legal[draw(len(legal))]
    table = state.table
    lines = [action for action in legal if isinstance(action, Build)]
    closing = [each for each in lines if newly_closed(table, each.line)]
    at = board_of(table.options.board).ends
    built = {point for line in table.walls for point in at[line]}
    beside = [each for each in lines if not built.isdisjoint(at[each.line])]
    wanted = closing or beside or lines
    return wanted[draw(len(wanted))]


def generous(state: State, legal: Sequence[Action], draw: Chance) -> Action:
    """The same, but joins whatever can be joined, and gives away every card it can."""
    wanted = [
        action
        for action in legal
        if isinstance(action, Discard | Swap) or (isinstance(action, Join) and action.city)
    ]
    return fond_of_cities(state, wanted or legal, draw)


def hesitant(state: State, legal: Sequence[Action], draw: Chance) -> Action:
    """The same, but rolls early, joins and chooses nothing, and is done as soon as possible."""
    wanted = [action for action in legal if action in (Done(), Join(None), Choose(None))]
    if isinstance(state, Building) and state.table.options.early and not state.hasty:
        return legal[-1]
    return fond_of_cities(state, wanted or legal, draw)


TASTES: tuple[Taste, ...] = (fond_of_cities, generous, hesitant)
OFTEN = {(fond_of_cities, "default"), (generous, "large"), (hesitant, "small")}
"""Each taste and each board once; all pairs of them are for `make thorough`."""


class Story(NamedTuple):
    """What happened in a game that rules and kernel played alike."""

    events: tuple[Event, ...]
    ending: str

    def tells_of(self, kind: type[Event]) -> bool:
        """Whether something of this kind happened."""
        return any(isinstance(event, kind) for event in self.events)


def played(setup: Setup[Options], taste: Taste, seed: int, begin: State | None = None) -> Story:
    """A whole game, in which after every move the record is to the byte what the rules say."""
    draw = Random(seed).randrange
    state: State = begin or mauerbauer.start(setup)
    position = SingleGame(mauerbauer, setup)
    position.state = state
    board = setup.options.board
    events: list[Event] = []
    while seats := mauerbauer.to_act(state):
        assert position.record.tobytes() == packed(mauerbauer, setup, state).tobytes()
        assert position.state == state
        legal = mauerbauer.legal(state, seats[0])
        assert position.legal(seats[0]) == [number(action, board) for action in legal]
        if seats[0] == NATURE:
            action = draw_lot(mauerbauer.odds(state), draw)
        else:
            action = taste(state, legal, draw)
        step = mauerbauer.apply(state, seats[0], action)
        assert position.apply(seats[0], number(action, board))
        state = step.state
        events.extend(step.events)
    assert position.record.tobytes() == packed(mauerbauer, setup, state).tobytes()
    outcome = mauerbauer.outcome(state)
    assert outcome is not None
    assert position.outcome == outcome
    return Story(tuple(events), outcome.reason)


@pytest.mark.rule("MB-34", "MB-35", "MB-41", "MB-46")
@pytest.mark.parametrize(
    ("taste", "board"),
    [
        pytest.param(*pair, marks=[] if pair in OFTEN else [pytest.mark.thorough])
        for pair in product(TASTES, BOARDS)
    ],
)
def test_records_are_the_rules_to_the_byte(taste: Taste, board: str) -> None:
    """However it is played, with many more cities than chance would close (MB-31 to MB-48)."""
    one = (2 + TASTES.index(taste),)
    seats = amount(one, one, (2, 3, 4))

    stories = [
        played(setup_for(number, board=board, early="yes"), taste, number - 2) for number in seats
    ]

    assert any(story.tells_of(Closed) for story in stories)
    assert any(story.tells_of(PalacesBuilt) for story in stories)


@pytest.mark.rule("MB-14", "MB-35", "MB-40", "MB-46", "MB-47")
def test_everything_that_can_happen_does() -> None:
    """Cities are joined, walls cleared, cards swapped and shuffled, dice rolled too early."""
    small, hasty = setup_for(3, board="small"), setup_for(3, board="small", early="yes")
    stories = [played(small, generous, seed) for seed in range(amount(1, 1, 20))]
    stories += [played(hasty, hesitant, seed) for seed in range(amount(1, 1, 20))]

    for kind in (Cleared, Joined, Reshuffled, RolledEarly, Swapped):
        assert any(story.tells_of(kind) for story in stories), kind
    joined = [e.other for s in stories for e in s.events if isinstance(e, Joined)]
    assert None in joined
    assert any(joined)


SCARCE = {
    "walls": Supply(1, (9, 9, 9), (9,) * 5, (3,) * 5),
    "towers": Supply(9, (0, 1, 0), (9,) * 5, (3,) * 5),
    "houses": Supply(9, (9, 9, 9), (0, 1, 0, 1, 0), (3,) * 5),
    "palaces": Supply(33, (30, 30, 30), (60,) * 5, (0, 1, 0, 0, 0)),
}


def midway(setup: Setup[Options], seed: int) -> Building:
    """A position in the first turns."""
    draw = Random(seed).randrange
    state: State = mauerbauer.start(setup)
    while not (isinstance(state, Building) and state.table.turns > seed % 4):
        (seat,) = mauerbauer.to_act(state)
        nature = seat == NATURE
        legal = mauerbauer.legal(state, seat)
        action = draw_lot(mauerbauer.odds(state), draw) if nature else legal[draw(len(legal))]
        state = mauerbauer.apply(state, seat, action).state
    return state


@pytest.mark.rule("MB-23", "MB-24", "MB-27", "MB-29", "MB-70")
@pytest.mark.parametrize("ending", SCARCE)
def test_the_last_of_a_kind_ends_the_game(ending: str) -> None:
    """With hardly anything left, other colours are taken and the end comes at once (MB-70)."""
    setup = setup_for(2, board="small")
    seen: set[str] = set()
    for seed in range(8):
        begin = midway(setup, seed)
        table = replace(begin.table, supply=SCARCE[ending])
        story = played(setup, fond_of_cities, seed, Building(table, hasty=False))
        seen.add(story.ending)

    assert ending in seen


@pytest.mark.rule("MB-13", "MB-72")
@pytest.mark.parametrize("taste", TASTES)
def test_a_full_board_ends_the_game(taste: Taste) -> None:
    """One field has three lines; then everybody may choose the city, or none (MB-13, MB-72)."""
    stories = [played(setup_for(seats, board="w"), taste, seats) for seats in (2, 3, 4)]

    assert {story.ending for story in stories} == {"no-line"}


# --- Any move at any time --------------------------------------------------------------------


def states_of(setup: Setup[Options], seed: int) -> Iterator[State]:
    """The states of a game by chance."""
    draw = Random(seed).randrange
    state: State = mauerbauer.start(setup)
    yield state
    while seats := mauerbauer.to_act(state):
        nature, legal = seats[0] == NATURE, mauerbauer.legal(state, seats[0])
        action = draw_lot(mauerbauer.odds(state), draw) if nature else legal[draw(len(legal))]
        state = mauerbauer.apply(state, seats[0], action).state
        yield state


def test_what_is_not_legal_is_not_allowed_and_changes_nothing() -> None:
    """Any seat asks for any number in any phase, including numbers without an action."""
    setup = setup_for(2, board="wme/wme", early="yes")
    actions = {action: place for place, action in enumerate(actions_of(mauerbauer, setup))}
    position = SingleGame(mauerbauer, setup)
    left = dict.fromkeys(get_args(State), 3)
    for seed in range(4):
        for state in states_of(setup, seed):
            left[type(state)] -= 1
            if left[type(state)] < 0:
                continue
            position.state = state
            before = position.record.tobytes()
            for seat in range(-2, 4):
                legal = {actions[action] for action in mauerbauer.legal(state, Seat(seat))}
                for refused in {*range(-3, len(actions) + 70)} - legal:
                    assert not position.apply(Seat(seat), refused)
            assert position.record.tobytes() == before
    assert max(left.values()) < 3, "a phase did not come up"


def test_a_start_leaves_nothing_of_the_game_before() -> None:
    """Every field is written, whatever was there."""
    setup = setup_for(3, board="small")
    used = np.frombuffer(bytearray(b"\x55" * kernel.STATE.itemsize), kernel.STATE)
    begin = compiler_for(mauerbauer.NAME, "cpu").entry(single.begin)

    begin(kernel.pack_setup(setup), used)

    assert used[0] == packed(mauerbauer, setup, mauerbauer.start(setup))[0]


# --- Setups and records ----------------------------------------------------------------------

WIDE = "/".join(["w" * 24] * 4)
"""96 fields, as many as there is room for."""
LONG = "/".join(["w" * 24, "ww"] * 3 + ["w" * 16])
"""Strips far apart, with 96 points and 189 lines."""


@pytest.mark.rule("MB-6")
@pytest.mark.parametrize(
    ("board", "fault"),
    [
        (f"{WIDE}/.w", "room for 96 fields, not for 97"),
        (f"{LONG}ww", "room for 192 lines, not for 193"),
    ],
)
def test_a_board_without_room_is_refused(board: str, fault: str) -> None:
    """The message names the limit (MB-6)."""
    with pytest.raises(SetupError, match=fault):
        kernel.pack_setup(setup_for(2, board=board))


@pytest.mark.rule("MB-6")
def test_the_largest_boards_are_played() -> None:
    """All words of a set are used (MB-6)."""
    for board in (WIDE, LONG):
        laid_out = board_of(board)
        assert len(laid_out.lines) > 128
        assert max(len(laid_out.fields), len(laid_out.points)) == 96
        draw = Random(board).randrange
        assert compare(mauerbauer, setup_for(3, board=board), draw) > 100


def test_a_game_has_room_in_1024_bytes() -> None:
    """Aligned, so that a GPU reads every field at once."""
    assert kernel.STATE.itemsize == 984
    assert kernel.STATE.isalignedstruct


def test_setups_by_chance_leave_no_option_out() -> None:
    """Seats, who begins, boards with and without lakes and coasts, and the early roll."""
    draw = Random(1).randrange
    setups = [kernel.random_setup(draw) for _ in range(200)]
    boards = {setup.options.board for setup in setups}

    assert {setup.seats for setup in setups} == {2, 3, 4}
    assert {setup.options.first for setup in setups} == {0, 1, 2, 3, "lot"}
    assert {setup.options.early for setup in setups} == {True, False}
    assert {"default", "small", "large"} < boards
    assert any("." in board for board in boards)
    assert any("+" in board for board in boards)


# --- Sets of bits ----------------------------------------------------------------------------


@pytest.mark.parametrize("found", [SOURCE, COMPILED], ids=["source", "compiled"])
def test_bits_are_counted_and_found(found: dict[str, Any]) -> None:
    """Also where the last bit, the sign, is one of them."""
    draw = Random(7).randrange
    sets = [0, 1, -1, -(2**63), 2**63 - 1, *(draw(2**64) - 2**63 for _ in range(200))]
    for word in sets:
        ones = [bit for bit in range(64) if word >> bit & 1]

        assert found["size"](word) == len(ones)
        assert [found["nth"](word, place) for place in range(len(ones))] == ones
        if ones:
            assert found["lowest"](word) == ones[0]


# --- What is seen ----------------------------------------------------------------------------


@pytest.mark.rule("MB-8", "MB-44")
def test_an_observation_does_not_show_what_others_hold() -> None:
    """With the others' cards and some of the pile exchanged it is the same (MB-8, MB-44)."""
    setup = setup_for(3, first="0")
    state = midway(setup, seed=3)
    own, one, two = state.table.hands
    drawn, rest = state.table.pile[: len(two)], state.table.pile[len(two) :]
    exchanged = replace(state.table, hands=(own, two, drawn), pile=in_order(*rest, *one))
    position = SingleGame(mauerbauer, setup)
    seen: list[list[int]] = []
    for table in (state.table, exchanged):
        position.state = Building(table, hasty=False)
        seen.append(position.features[0].tolist())

    assert state.table != exchanged
    assert seen[0] == seen[1]


@pytest.mark.rule("MB-50", "MB-62", "MB-64")
def test_an_observation_says_what_cards_are_worth() -> None:
    """One's own, in the order of the kinds; what is not held is worth nothing there."""
    setup = setup_for(2, board="small", first="0")
    worth = kernel.OBSERVATION.layout(setup)["worth"]
    position = SingleGame(mauerbauer, setup)
    for state in list(states_of(setup, seed=5))[-60:]:
        position.state = state
        view = mauerbauer.view(state, Seat(1))
        values = dict(zip(view.hands[1] or (), view.worth, strict=True))

        told = position.features[1][worth].tolist()

        assert told == [values.get(card, 0) for card in KINDS]
