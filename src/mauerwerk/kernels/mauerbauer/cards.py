"""Mauerbauer in a kernel, the second half of a turn: scoring, drawing, swapping, and the end.

The clauses are those of `docs/rules/mauerbauer.md`.
"""

from numpy import int64

from mauerwerk.kernels.contract import Int, Record, compiled
from mauerwerk.kernels.mauerbauer.cities import turn_to, value
from mauerwerk.kernels.mauerbauer.records import (
    ADDING,
    BUILDING,
    CHOOSING,
    DRAWING,
    FINISHING,
    LINE_WORDS,
    MOST_SEATS,
    NO_LINE,
    NONE,
    OVER,
    SCORING,
    SWAPPING,
)
from mauerwerk.kernels.mauerbauer.sets import size_of, with_card, without_card


@compiled
def next_seat(setup: Record, seat: Int) -> Int:
    """Clockwise."""
    return seat + 1 if seat + 1 < setup.seats else 0


@compiled
def first_waiting(setup: Record, state: Record) -> Int:
    """The first of those waiting, clockwise from the player whose turn it is."""
    seat = int64(state.builder)
    while not state.waiting >> seat & 1:
        seat = next_seat(setup, seat)
    return seat


@compiled
def _all_with_cards(setup: Record, state: Record) -> None:
    state.waiting = 0
    for seat in range(setup.seats):
        if state.hands[seat]:
            state.waiting |= 1 << seat


# --- Playing cards ---------------------------------------------------------------------------


@compiled
def score(setup: Record, state: Record, name: Int) -> None:
    """All seats that have cards play or discard (MB-43)."""
    turn_to(setup, state, name)
    state.phase = SCORING
    _all_with_cards(setup, state)


@compiled
def _lay(state: Record, seat: Int, kind: Int) -> None:
    """A card leaves the hand and lies before its player."""
    state.hands[seat] = without_card(state.hands[seat], kind)
    state.laid[2 * seat + (state.laid[2 * seat] != 0)] = kind + 1


@compiled
def play(setup: Record, state: Record, seat: Int, kind: Int) -> None:
    """The card scores at once (MB-44); after one card another may follow (MB-43, MB-72)."""
    state.points[seat] += value(setup, state, kind, int64(state.city))
    _lay(state, seat, kind)
    if state.hands[seat] == 0 or state.laid[2 * seat + 1]:
        enough(setup, state, seat)
    elif state.phase == SCORING:
        state.phase = ADDING


@compiled
def discard(setup: Record, state: Record, seat: Int, kind: Int) -> None:
    """One card is laid down without scoring it (MB-43)."""
    _lay(state, seat, kind)
    state.discarded |= 1 << seat
    enough(setup, state, seat)


@compiled
def enough(setup: Record, state: Record, seat: Int) -> None:
    """No card more; the next one's turn to play, or to choose a city first (MB-72)."""
    state.waiting &= ~(1 << seat)
    if state.phase == FINISHING:
        turn_to(setup, state, NONE)
        state.phase = CHOOSING
    else:
        state.phase = SCORING


@compiled
def choose(setup: Record, state: Record, name: Int) -> None:
    """City cards will count for this city (MB-72)."""
    turn_to(setup, state, name)
    state.phase = FINISHING


# --- Drawing and swapping --------------------------------------------------------------------


@compiled
def draw(setup: Record, state: Record, kind: Int) -> None:
    """One card goes from the pile to the first seat that is owed one (MB-48)."""
    seat = int64(state.builder)
    while not state.owed[seat]:
        seat = next_seat(setup, seat)
    state.owed[seat] -= 1
    state.hands[seat] = with_card(state.hands[seat], kind)
    state.pile = without_card(state.pile, kind)
    _reshuffle(state)


@compiled
def _reshuffle(state: Record) -> None:
    """An empty pile is replaced by the discard pile, as far as there is one (MB-46)."""
    if state.pile == 0:
        state.pile = state.discard
        state.discard = 0


@compiled
def swap(state: Record, seat: Int, kind: Int) -> None:
    """A card goes to the discard pile; with the last one the player is done (MB-47)."""
    state.hands[seat] = without_card(state.hands[seat], kind)
    state.discard = with_card(state.discard, kind)
    state.swapped += 1
    if state.hands[seat] == 0:
        swapped_enough(state, seat)


@compiled
def swapped_enough(state: Record, seat: Int) -> None:
    """As many cards are drawn as were put away (MB-47)."""
    state.waiting &= ~(1 << seat)
    state.owed[seat] = state.swapped
    state.swapped = 0
    state.phase = DRAWING


# --- What follows ----------------------------------------------------------------------------


@compiled
def go_on(setup: Record, state: Record) -> None:
    """Move to the next phase as long as no seat has anything to do in this one."""
    if state.phase == SCORING and not state.waiting:
        _end_scoring(setup, state)
    if state.phase == DRAWING and not _can_draw(state):
        _to_swapping(setup, state)
    if state.phase == SWAPPING and not state.waiting:
        state.fixed = 0
        next_turn(setup, state)
    if state.phase == CHOOSING:
        if not state.waiting:
            _put_away(setup, state)
            _over(state)
        elif size_of(state.names) == 0:
            state.phase = FINISHING


@compiled
def _put_away(setup: Record, state: Record) -> None:
    """What was laid goes to the discard pile (MB-45)."""
    for place in range(2 * setup.seats):
        if state.laid[place]:
            state.discard = with_card(state.discard, state.laid[place] - 1)
            state.laid[place] = 0
    state.discarded = 0


@compiled
def _over(state: Record) -> None:
    """The turn is complete; but one that found no line was none (MB-13)."""
    if state.ending != NO_LINE:
        state.turns += 1
    state.phase = OVER


@compiled
def _end_scoring(setup: Record, state: Record) -> None:
    """All draw; those who discarded draw two (MB-45). Nobody does if the end is decided (MB-71)."""
    turn_to(setup, state, NONE)
    for seat in range(setup.seats):
        state.owed[seat] = 1 + (state.discarded >> seat & 1)
    _put_away(setup, state)
    state.phase = DRAWING
    if state.ending != NONE:
        _forget_owed(state)
        _over(state)


@compiled
def _forget_owed(state: Record) -> None:
    for seat in range(MOST_SEATS):
        state.owed[seat] = 0


@compiled
def _can_draw(state: Record) -> bool:
    """Whether a seat is owed a card and there is one (MB-46)."""
    owed = 0
    for seat in range(MOST_SEATS):
        owed += state.owed[seat]
    if owed:
        _reshuffle(state)
    return owed != 0 and state.pile != 0


@compiled
def _to_swapping(setup: Record, state: Record) -> None:
    """Those furthest behind who have cards may swap; this is fixed once (MB-47)."""
    _forget_owed(state)
    state.phase = SWAPPING
    if state.fixed:
        return
    fewest = int64(state.points[0])
    for seat in range(1, setup.seats):
        if state.points[seat] < fewest:
            fewest = int64(state.points[seat])
    _all_with_cards(setup, state)
    for seat in range(setup.seats):
        if state.points[seat] != fewest:
            state.waiting &= ~(1 << seat)
    state.fixed = 1


@compiled
def next_turn(setup: Record, state: Record) -> None:
    """The dice go clockwise (MB-10); if the end is decided, or no line is left, it is time."""
    if state.ending == NONE:
        state.builder = next_seat(setup, int64(state.builder))
        state.turns += 1
        for word in range(LINE_WORDS):
            if state.free[word]:
                state.phase = BUILDING
                return
        state.ending = NO_LINE  # MB-13
    _all_with_cards(setup, state)
    state.phase = CHOOSING
