"""Die Mauer as a kernel: a game in 128 bytes. The clauses are those of `docs/rules/mauer.md`.

This is the rules a second time, in their order, on records of integers. A kind of piece is its
place in `FULL_SET`: tower 0, gate 1, then the wall pieces. A hand is three planes of bits, one byte
each, with one bit per kind: the first plane holds the lowest bit of the number of pieces of each
kind, the second the next, the third the highest. A wall is two stacks of pieces that grow towards
each other, the left end on top of one, the right end on top of the other.
"""

from typing import Final

import numpy as np
from numpy import int64, uint32, uint64

from mauerwerk.games.mauer.values import FULL_SET, Ending
from mauerwerk.kernels import contract
from mauerwerk.kernels.bits import lowest, size
from mauerwerk.kernels.chance import below, by_weight
from mauerwerk.kernels.contract import Array, Int, Record, compile_all

compile_all(__name__)

MOST_SEATS: Final = 6
MOST_ROUNDS: Final = 10
MOST_PIECES: Final = MOST_SEATS * len(FULL_SET)

SETUP: Final = np.dtype(
    [
        ("seats", "i4"),
        ("rounds", "i4"),
        ("first", "i4"),
        ("stall", "i4"),
        ("pieces", "i4"),
        ("penalties", "i4", (len(FULL_SET),)),
        ("dearest", "i4", (len(FULL_SET),)),  # the kinds, by what they cost
    ],
    align=True,
)
"""`first` is -1 where the lot decides; `pieces` is the hand that a round begins with."""
MOST_OF_A_KIND: Final = 7
"""The most pieces of a kind that a hand has room for, in three planes,"""
MOST_POINTS: Final = 255
"""and the most points of a round that the sheet has room for."""

STATE: Final = np.dtype(
    [
        ("hands", "u4", (MOST_SEATS,)),
        ("turns", "u4"),
        ("idle", "u2"),
        ("phase", "u1"),
        ("master", "u1"),
        ("waiting", "u1"),  # one bit per seat: who still has to plan, choose, build or give
        ("piece", "u1"),  # what is being built
        ("sites", "u1"),  # the ends at which a tower or gate fits: 1 left, 2 right
        ("left", "u1"),  # how many pieces the left stack of the wall has
        ("right", "u1"),
        ("round", "u1"),  # how many rounds are scored
        ("ending", "u1"),
        ("last", "u1"),  # who built last in this round, and at which end; 0: nobody
        ("fists", "u1", (MOST_SEATS,)),
        ("wall", "u1", (MOST_PIECES // 2,)),  # two pieces a byte
        ("sheet", "u1", (MOST_ROUNDS * MOST_SEATS,)),
    ],
    align=True,
)

DRAWING, PLANNING, CHOOSING, BUILDING, GIVING, OVER = range(6)
"""The phases."""

REASONS: Final = tuple(ending.value for ending in Ending)
OUT, DEADLOCK, STALL = range(3)

LEFT, RIGHT = 1, 2
KINDS: Final = len(FULL_SET)
ALL_KINDS: Final = (1 << KINDS) - 1
HELD: Final = tuple(0x010101 << kind for kind in range(KINDS))
"""The bits of each kind in a hand, one in each plane."""
TOWER_AND_GATE: Final = 0b11
WALLS: Final = ALL_KINDS & ~TOWER_AND_GATE
EMPTY: Final = KINDS
"""The plan that is an empty fist."""
OPEN: Final = KINDS + 1
"""A fist that is not closed yet."""

PLAN: Final = 0
CHOOSE: Final = KINDS + 1
BUILD: Final = CHOOSE + KINDS
GIVE: Final = BUILD + 2
APPOINT: Final = GIVE + KINDS
"""Where the numbers of each kind of action begin."""


# --- Hands -----------------------------------------------------------------------------------


def kinds_in(hand: Int) -> Int:
    """The kinds that a hand holds, a bit each."""
    return int64((hand | hand >> 8 | hand >> 16) & ALL_KINDS)


def number_of(hand: Int, kind: Int) -> Int:
    """How many of a kind a hand holds."""
    planes = hand >> kind
    return planes & 1 | planes >> 7 & 2 | planes >> 14 & 4


def with_one(hand: Int, kind: Int) -> Int:
    """The hand and one more of a kind: add, and carry from plane to plane."""
    bit = 1 << kind
    while hand & bit:
        hand ^= bit
        bit <<= 8
    return hand ^ bit


def less_one(hand: Int, kind: Int) -> Int:
    """The hand without one of a kind: subtract, and borrow from plane to plane."""
    bit = 1 << kind
    while not hand & bit:
        hand ^= bit
        bit <<= 8
    return hand ^ bit


def penalty(setup: Record, hand: Int) -> Int:
    """What the pieces still held cost (DM-24)."""
    total = 0
    for kind in range(KINDS):
        total += number_of(hand, kind) * setup.penalties[kind]
    return total


def digits_of(hand: Int) -> Int:
    """How many of each kind a hand holds, in digits of four bits.

    All fits into 32 bits, with which a GPU computes twice as fast as with 64.
    """
    digits = uint32(0)
    for plane in range(3):
        bits = uint32(hand >> 8 * plane & ALL_KINDS)
        bits = uint32((bits | bits << 12) & 0x000F000F)
        bits = uint32((bits | bits << 6) & 0x03030303)
        bits = uint32((bits | bits << 3) & 0x11111111)
        digits = uint32(digits + (bits << plane))
    return int64(digits)


def size_of(digits: Int) -> Int:
    """The sum of digits."""
    return ((digits & 0x0F0F0F0F) + (digits >> 4 & 0x0F0F0F0F)) * 0x01010101 >> 24 & 0xFF


# --- Building code ---------------------------------------------------------------------------


def fitting(state: Record) -> Int:
    """The kinds that can be built somewhere: walls always, the others where there are sites."""
    return ALL_KINDS if state.sites else WALLS


def ends_for(state: Record, kind: Int) -> Int:
    """The ends at which this kind can be built (DM-8 to DM-10)."""
    if TOWER_AND_GATE >> kind & 1 or state.left + state.right == 0:
        return state.sites
    return LEFT | RIGHT


def place_piece(state: Record, kind: Int, end: Int) -> None:
    """Put a piece at an end of the wall."""
    is_wall = WALLS >> kind & 1
    if state.left + state.right == 0:
        state.sites = (LEFT | RIGHT) * is_wall
    elif is_wall:
        state.sites |= end
    else:
        state.sites &= ~end
    if end == LEFT:
        _put(state, state.left, kind)
        state.left += 1
    else:
        state.right += 1
        _put(state, MOST_PIECES - state.right, kind)


def _put(state: Record, place: Int, kind: Int) -> None:
    shift = (place & 1) * 4
    state.wall[place >> 1] = state.wall[place >> 1] & ~(15 << shift) | kind << shift


def piece_at(state: Record, place: Int) -> Int:
    """The kind of a piece of the wall, counted from its left end."""
    slot = state.left - 1 - place
    if slot < 0:
        slot += MOST_PIECES
    return state.wall[slot >> 1] >> (slot & 1) * 4 & 15


# --- Set-up ----------------------------------------------------------------------------------


def start(setup: Record, state: Record) -> None:
    """Full hands; the first master builder, or nature (DM-1 to DM-4)."""
    state.turns = 0
    state.round = 0
    state.ending = 0
    state.piece = 0
    for place in range(MOST_PIECES // 2):
        state.wall[place] = 0
    for place in range(MOST_ROUNDS * MOST_SEATS):
        state.sheet[place] = 0
    for seat in range(MOST_SEATS):
        state.hands[seat] = 0
        state.fists[seat] = OPEN
    _new_round(setup, state)
    if setup.first < 0:
        state.phase = DRAWING
        state.master = 0
        state.waiting = 0
    else:
        state.master = setup.first
        _plan(setup, state)


def _new_round(setup: Record, state: Record) -> None:
    """A full set for every seat and no wall (DM-25)."""
    state.left = 0
    state.right = 0
    state.sites = RIGHT
    state.last = 0
    state.idle = 0
    for seat in range(setup.seats):
        state.hands[seat] = setup.pieces


def _plan(setup: Record, state: Record) -> None:
    state.phase = PLANNING
    state.waiting = (1 << setup.seats) - 1
    for seat in range(setup.seats):
        state.fists[seat] = OPEN


# --- Who must move, and the choices ----------------------------------------------------------


def to_act(setup: Record, state: Record) -> Int:
    """All who plan, or one (DM-5, DM-17)."""
    if state.phase == BUILDING:
        return 1 << _builder(setup, state)
    if state.phase == DRAWING:
        return contract.NATURE_TO_ACT
    return state.waiting


def _builder(setup: Record, state: Record) -> Int:
    """Those who build do so clockwise from the master builder, who builds alone (DM-17)."""
    seat = state.master
    while not state.waiting >> seat & 1:
        seat = seat + 1 if seat + 1 < setup.seats else 0
    return seat


def choices(setup: Record, state: Record, seat: Int) -> Int:
    """The choices of a seat that is to act, one bit for each action number."""
    if state.phase == PLANNING:
        return kinds_in(state.hands[seat]) << PLAN | 1 << PLAN + EMPTY
    if state.phase == BUILDING:
        return ends_for(state, state.piece) << BUILD
    if state.phase == CHOOSING:
        return (kinds_in(state.hands[seat]) & fitting(state)) << CHOOSE
    if state.phase == GIVING:
        return kinds_in(state.hands[seat]) << GIVE
    return ((1 << setup.seats) - 1) << APPOINT


def count(setup: Record, state: Record, seat: Int) -> Int:
    """How many choices there are."""
    return size(choices(setup, state, seat))


def pick(setup: Record, state: Record, seat: Int, ticket: Int) -> Int:
    """The choice with this place; nature's are all as likely (DM-3)."""
    left = choices(setup, state, seat)
    for _ in range(ticket):
        left &= left - 1
    return lowest(left)


def allowed(setup: Record, state: Record, seat: Int, action: Int) -> bool:
    """Whether it is among the choices of a seat that is to act."""
    if not contract.is_to_act(setup, state, seat) or action < 0 or action >= APPOINT + MOST_SEATS:
        return False
    return bool(choices(setup, state, seat) >> action & 1)


def legal(setup: Record, state: Record, seat: Int, mask: Array, lane: Int, lanes: Int) -> None:
    """The choices of a seat, one place each; none when it is not to act."""
    if contract.is_to_act(setup, state, seat):
        left = choices(setup, state, seat) & contract.bits_of(lane, lanes)
        while left:
            mask[uint64(lowest(left))] = 1
            left &= left - 1


# --- A turn ----------------------------------------------------------------------------------


def apply(setup: Record, state: Record, seat: Int, action: Int) -> None:
    """Make a legal move."""
    if state.phase == PLANNING:
        state.fists[seat] = action - PLAN
        state.waiting &= ~(1 << seat)
        if state.waiting == 0:
            _reveal(setup, state)
    elif state.phase == BUILDING:
        _build(setup, state, seat, action - BUILD + 1)
    elif state.phase == CHOOSING:
        state.phase = BUILDING
        state.piece = action - CHOOSE
        state.waiting = 1 << state.master
    elif state.phase == GIVING:
        kind = action - GIVE
        state.hands[seat] = less_one(state.hands[seat], kind)
        state.hands[state.master] = with_one(state.hands[state.master], kind)
        state.idle += 1
        _end_turn(setup, state)
    elif state.phase == DRAWING:
        state.master = action - APPOINT
        _plan(setup, state)


def _reveal(setup: Record, state: Record) -> None:
    """Who builds, now that every fist is open (DM-12 to DM-15)."""
    plan = state.fists[state.master]
    guessers = 0
    number = 0
    for seat in range(setup.seats):
        if state.fists[seat] == plan and seat != state.master:
            guessers |= 1 << seat
            number += 1
    if plan == EMPTY:
        _empty_fist(setup, state, guessers, number)
        return
    if not fitting(state) >> plan & 1:
        _nobody_builds(setup, state)
        return
    room = MOST_SEATS
    if TOWER_AND_GATE >> plan & 1:
        room = (state.sites & 1) + (state.sites >> 1)
    state.phase = BUILDING
    state.piece = plan
    state.waiting = guessers if 1 <= number <= room else 1 << state.master


def _empty_fist(setup: Record, state: Record, guessers: Int, number: Int) -> None:
    """The master builder's fist is empty; what of the rivals'? (DM-18 to DM-20)."""
    if number == 0 and kinds_in(state.hands[state.master]) & fitting(state):
        state.phase = CHOOSING
        state.waiting = 1 << state.master
    elif number == 1:
        state.phase = GIVING
        state.waiting = guessers
    else:
        _nobody_builds(setup, state)


def _nobody_builds(setup: Record, state: Record) -> None:
    state.idle += 1
    _end_turn(setup, state)


def _build(setup: Record, state: Record, seat: Int, end: Int) -> None:
    """Add the piece at this end; then the next builder, or the turn is over (DM-14, DM-17)."""
    place_piece(state, state.piece, end)
    state.hands[seat] = less_one(state.hands[seat], state.piece)
    state.idle = 0
    state.last = 2 * seat + end
    state.waiting &= ~(1 << seat)
    if state.waiting == 0:
        _end_turn(setup, state)


# --- End of a round and of the game ----------------------------------------------------------


def _end_turn(setup: Record, state: Record) -> None:
    """Score the round if it is over; in any case the stone passes on (DM-7, DM-22)."""
    state.turns += 1
    ending = _ending(setup, state)
    if ending >= 0:
        for seat in range(setup.seats):
            state.sheet[state.round * MOST_SEATS + seat] = penalty(setup, state.hands[seat])
        state.round += 1
        state.ending = ending
        if state.round == setup.rounds:
            state.phase = OVER
            state.waiting = 0
            return
        _new_round(setup, state)
    state.master = state.master + 1 if state.master + 1 < setup.seats else 0
    _plan(setup, state)


def _ending(setup: Record, state: Record) -> Int:
    """Why the round is over; -1 when it is not (DM-23, DM-26, DM-27)."""
    held = 0
    for seat in range(setup.seats):
        if state.hands[seat] == 0:
            return OUT
        held |= state.hands[seat]
    if not kinds_in(held) & fitting(state):
        return DEADLOCK
    if state.idle >= setup.stall:
        return STALL
    return -1


def points(setup: Record, state: Record, seat: Int) -> Int:
    """The sum on the score sheet."""
    total = 0
    for number in range(state.round):
        total += state.sheet[number * MOST_SEATS + seat]
    return total


def rank(setup: Record, state: Record, seat: Int) -> Int:
    """The fewest points win; equal seats share the rank (DM-28)."""
    own = points(setup, state, seat)
    better = 0
    for other in range(setup.seats):
        if points(setup, state, other) < own:
            better += 1
    return better + 1


# --- What a seat cannot see ------------------------------------------------------------------


def fill(setup: Record, state: Record, seat: Int, belief: Array, seed: Int, number: Int) -> None:
    """Hands by their weight, and in others' closed fists anything that fits in (DM-5, DM-19)."""
    hands, sums = belief
    world = by_weight(seed, number, 0, sums)
    for other in range(setup.seats):
        state.hands[other] = hands[world, other]
        if state.phase == PLANNING and other != seat and state.fists[other] != OPEN:
            ticket = below(seed, number, 1 + other, count(setup, state, other))
            state.fists[other] = pick(setup, state, other, ticket) - PLAN
