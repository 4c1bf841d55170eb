"""Burgbaumeister as a kernel: a game in 128 bytes, clauses from `docs/rules/burgbaumeister.md`.

This is the rules a second time, in their order, on records of integers. Without the variant no card
shows anything, so that nothing here needs to ask for it.

Cards and places are bits of a set, both counted from 0: the lowest number, a 2, is bit 0, and 46 is
bit 44. A wall rises from left to right, so it is no more than a set. No number stands in two walls:
of two sets, that with the higher last number is the larger integer.
"""

from typing import Final

import numpy as np
from numpy import int64, uint64

from mauerwerk.games.burgbaumeister.values import CARDS, LAYOUTS, PLACES, START_TOWER, Ending
from mauerwerk.kernels import contract
from mauerwerk.kernels.bits import lowest, size
from mauerwerk.kernels.contract import Array, Int, Record, compile_all

compile_all(__name__)

MOST_SEATS: Final = 4
MOST_SHOTS: Final = 3
"""There are three cannons, and each fires once (BB-24)."""
LOWEST: Final = CARDS[0]
NOBODY: Final = -1
RECTANGLE: Final = -1

SETUP: Final = np.dtype(
    [
        ("seats", "i4"),
        ("first", "i4"),
        ("variant", "i4"),
        ("chaotic", "i4"),
        ("aid", "i4"),
        ("full_wall", "i4"),
        ("most_idle", "i4"),
        ("all_cards", "i8"),  # and the places where they lie: as many, from 0 on
        ("ones", "i8"),  # the cards worth one extra point, and so on; no cards without the variant
        ("twos", "i8"),
        ("threes", "i8"),
        ("knights", "i8"),
        ("damsels", "i8"),
        ("cannons", "i8"),
        ("towers", "i8"),
        ("wizards", "i8"),
        ("pictures", "i1", (len(CARDS),)),  # of each card, 1 + its place in `Picture`; 0: none
    ],
    align=True,
)
"""`first` is -1 where the lot decides."""

STATE: Final = np.dtype(
    [
        ("depot", "i8"),  # the places where a card lies
        ("left", "i8"),  # those turned and left since a card was last added or inserted
        ("lying", "i8"),  # the numbers that are in no wall and not destroyed
        ("unseen", "i8"),  # the numbers that no card has shown yet
        ("walls", "i8", (MOST_SEATS,)),
        ("turns", "i4"),
        ("phase", "i1"),
        ("player", "i1"),
        ("place", "i1"),  # the card that is being turned or lies face up; else 0
        ("spell", "i1"),
        ("idle", "i1"),
        ("layout", "i1"),
        ("ending", "i1"),
        ("shots", "i1"),  # how many cards are destroyed
        ("destroyed", "i1", (MOST_SHOTS,)),
        ("numbers", "i1", (len(PLACES),)),  # what each place has shown; 0: nothing yet
    ],
    align=True,
)

BELIEF: Final = np.dtype(
    [
        ("left", "i8"),
        ("shots", "i1"),
        ("destroyed", "i1", (MOST_SHOTS,)),
        ("numbers", "i1", (len(PLACES),)),
    ],
    align=True,
)
"""What a viewer knows beyond what the table shows; the fields are those of the state."""

DRAWING, SPREADING, TURNING, SHOWING, DECIDING, FIRING, OVER = range(7)
"""The phases."""

REASONS: Final = tuple(ending.value for ending in Ending)
NINE, EMPTY, BLOCKED, STALL = range(4)

TURN: Final = 0
ADD: Final = TURN + len(PLACES)
INSERT: Final = ADD + 1
LEAVE: Final = ADD + 2
FIRE: Final = LEAVE + 1
HOLD_FIRE: Final = FIRE + len(CARDS)
SHOW: Final = HOLD_FIRE + 1
APPOINT: Final = SHOW + len(CARDS)
SPREAD: Final = APPOINT + MOST_SEATS
"""Where the numbers of each kind of action begin."""
END: Final = SPREAD + len(LAYOUTS)

_CARDS: Final = len(CARDS)
_PLACES: Final = len(PLACES)
_LAYOUTS: Final = len(LAYOUTS)

_PLAYED: Final = 1 << TURNING | 1 << DECIDING | 1 << FIRING
"""The phases in which a player is to act, a bit each: a GPU takes far longer to search a tuple."""

_MAY_ADD: Final = 1 << ADD - ADD | 1 << LEAVE - ADD
_MAY_INSERT: Final = 1 << INSERT - ADD | 1 << LEAVE - ADD
_MAY_LEAVE: Final = 1 << LEAVE - ADD
_MAY_HOLD_FIRE: Final = 1 << HOLD_FIRE - FIRE


# --- Sets of bits ----------------------------------------------------------------------------


def nth(held: Int, place: Int) -> Int:
    """The place of the set bit after this many others, of 48: first its byte, then by halving.

    The sums of bytes are compared all at once: where `place` is not less than a sum, the high bit
    put before the difference stays. Six bytes keep clear of the sign.
    """
    twos = held - (held >> 1 & 0x5555555555555555)
    fours = (twos & 0x3333333333333333) + (twos >> 2 & 0x3333333333333333)
    eights = fours + (fours >> 4) & 0x0F0F0F0F0F0F0F0F
    sums = eights * 0x010101010101 & 0xFFFFFFFFFFFF
    before = (place * 0x010101010101 | 0x808080808080) - sums & 0x808080808080
    bit = ((before >> 7) * 0x010101010101 >> 40 & 0xFF) * 8
    place -= sums << 8 >> bit & 0xFF
    half = fours >> bit & 0xF
    if place >= half:
        place -= half
        bit += 4
    half = twos >> bit & 3
    if place >= half:
        place -= half
        bit += 2
    if place >= held >> bit & 1:
        bit += 1
    return bit


def up_to_highest(held: Int) -> Int:
    """All bits up to the highest that is set, itself included."""
    held |= held >> 1
    held |= held >> 2
    held |= held >> 4
    held |= held >> 8
    held |= held >> 16
    return held | held >> 32


def last_of(wall: Int) -> Int:
    """The number of a wall's last card; the start tower's without any (BB-2)."""
    return size(up_to_highest(wall)) + START_TOWER


def write(held: Int, out: Array, begin: Int) -> None:
    """Spread a set out from here on: a 1 for each bit, where zeros have been written before."""
    while held:
        out[uint64(begin + lowest(held))] = 1
        held &= held - 1


# --- Set-up ----------------------------------------------------------------------------------


def start(setup: Record, state: Record) -> None:
    """All cards face down; who begins, or nature (BB-1 to BB-4)."""
    state.depot = setup.all_cards
    state.left = 0
    state.lying = setup.all_cards
    state.unseen = setup.all_cards
    for seat in range(MOST_SEATS):
        state.walls[seat] = 0
    state.turns = 0
    state.place = 0
    state.spell = NOBODY
    state.idle = 0
    state.layout = RECTANGLE
    state.ending = 0
    state.shots = 0
    for shot in range(MOST_SHOTS):
        state.destroyed[shot] = 0
    for place in range(_PLACES):
        state.numbers[place] = 0
    state.player = 0
    state.phase = DRAWING
    if setup.first >= 0:
        _lay_out(setup, state, setup.first)


def _lay_out(setup: Record, state: Record, first: Int) -> None:
    """Nature spreads the cards where the table wants chaos (BB-3)."""
    state.player = first
    state.phase = SPREADING if setup.chaotic else TURNING


# --- What fits, and what can be hit ----------------------------------------------------------


def up_to_last_tower(setup: Record, state: Record, seat: Int) -> Int:
    """The cards of a wall that are safe (BB-25)."""
    wall = state.walls[seat]
    return wall & up_to_highest(wall & setup.towers)


def targets(setup: Record, state: Record) -> Int:
    """What a cannon of the player whose turn it is can destroy (BB-24, BB-25)."""
    found = 0
    for seat in range(setup.seats):
        if seat != state.player:
            found |= state.walls[seat] & ~up_to_last_tower(setup, state, seat)
    return found


# --- Who must move, and the choices ----------------------------------------------------------


def to_act(setup: Record, state: Record) -> Int:
    """One player at a time; nature answers every card that is turned (BB-5, BB-9)."""
    if _PLAYED >> state.phase & 1:
        return 1 << state.player
    return 0 if state.phase == OVER else contract.NATURE_TO_ACT


def choices(setup: Record, state: Record) -> Int:
    """The choices of the seat that is to act, one bit each, from the phase's `base` on."""
    if state.phase == TURNING:
        return state.depot
    if state.phase == SHOWING:
        number = state.numbers[state.place]
        return 1 << number - LOWEST if number else state.unseen
    if state.phase == DECIDING:
        # Nothing in the wall is higher, or the wizard finds the one place for it (BB-7, BB-26).
        if state.walls[state.player] >> state.numbers[state.place] - LOWEST == 0:
            return _MAY_ADD
        return _MAY_INSERT if state.spell == state.player else _MAY_LEAVE
    if state.phase == FIRING:
        return targets(setup, state) | _MAY_HOLD_FIRE
    if state.phase == DRAWING:
        return (1 << setup.seats) - 1
    return -1 if state.phase == SPREADING else 0


def base(state: Record) -> Int:
    """The number of the action that bit 0 of the choices stands for.

    It is not looked up in a tuple: an index out of range would end a lane early, and where lanes of
    a GPU can end one by one, the others no longer run together.
    """
    if state.phase == TURNING:
        return TURN
    if state.phase == SHOWING:
        return SHOW
    if state.phase == DECIDING:
        return ADD
    if state.phase == FIRING:
        return FIRE
    return APPOINT if state.phase == DRAWING else SPREAD


def count(setup: Record, state: Record, seat: Int) -> Int:
    """How many choices there are."""
    if state.phase == SPREADING:
        return _LAYOUTS
    return size(choices(setup, state))


def pick(setup: Record, state: Record, seat: Int, ticket: Int) -> Int:
    """The choice with this place; nature's are all as likely (BB-3, BB-4, BB-9)."""
    place = int64(ticket)  # the caller may pass an integer of another type
    if state.phase == SPREADING:
        return SPREAD + place
    return base(state) + nth(choices(setup, state), place)


def allowed(setup: Record, state: Record, seat: Int, action: Int) -> bool:
    """Whether it is among the choices of a seat that is to act."""
    bit = action - base(state)
    # No phase has more choices than there are layouts.
    if not contract.is_to_act(setup, state, seat) or bit < 0 or bit >= _LAYOUTS:
        return False
    return bool(choices(setup, state) >> bit & 1)


def legal(setup: Record, state: Record, seat: Int, mask: Array, lane: Int, lanes: Int) -> None:
    """The choices of a seat, one place each; none when it is not to act."""
    if contract.is_to_act(setup, state, seat):
        own = choices(setup, state) & contract.bits_of(lane, lanes)
        write(own, mask, base(state))


# --- A turn ----------------------------------------------------------------------------------


def apply(setup: Record, state: Record, seat: Int, action: Int) -> None:
    """Make a legal move."""
    if state.phase == TURNING:
        state.place = action - TURN
        state.phase = SHOWING
    elif state.phase == SHOWING:
        card = action - SHOW
        state.numbers[state.place] = card + LOWEST
        state.unseen &= ~(1 << card)
        state.phase = DECIDING
    elif state.phase == DECIDING:
        if action == LEAVE:  # the card is turned face down in its place (BB-8)
            state.left |= 1 << state.place
            state.idle += 1
            _end_turn(setup, state)
        else:
            _build(setup, state, action)
    elif state.phase == FIRING:
        if action != HOLD_FIRE:
            _fire(setup, state, action - FIRE)
        _end_turn(setup, state)
    elif state.phase == DRAWING:
        _lay_out(setup, state, action - APPOINT)
    elif state.phase == SPREADING:
        state.layout = action - SPREAD
        state.phase = TURNING


def _build(setup: Record, state: Record, action: Int) -> None:
    """The card goes into the wall; whatever is on it works at once (BB-7, BB-24, BB-26)."""
    card = 1 << state.numbers[state.place] - LOWEST
    state.walls[state.player] |= card
    state.lying &= ~card
    state.depot &= ~(1 << state.place)
    state.left = 0
    state.idle = 0
    if action == INSERT:
        state.spell = NOBODY
    if setup.wizards & card:
        state.spell = state.player
    if setup.cannons & card and targets(setup, state):
        state.place = 0
        state.phase = FIRING
    else:
        _end_turn(setup, state)


def _fire(setup: Record, state: Record, card: Int) -> None:
    """The card leaves the game, and with the wizard his spell (BB-24, BB-27)."""
    for seat in range(setup.seats):
        state.walls[seat] &= ~(1 << card)
    state.destroyed[state.shots] = card + LOWEST
    state.shots += 1
    if setup.wizards >> card & 1:
        state.spell = NOBODY


# --- The end ---------------------------------------------------------------------------------


def _end_turn(setup: Record, state: Record) -> None:
    """Either the game is over, or the next player clockwise turns a card (BB-4)."""
    state.turns += 1
    state.place = 0
    ending = _ending(setup, state)
    if ending >= 0:
        state.ending = ending
        state.phase = OVER
    else:
        state.player = state.player + 1 if state.player + 1 < setup.seats else 0
        state.phase = TURNING


def _ending(setup: Record, state: Record) -> Int:
    """Why the game is over; -1 when it is not (BB-10, BB-13, BB-11, BB-12)."""
    if size(state.walls[state.player]) >= setup.full_wall:
        return NINE
    if state.depot == 0:
        return EMPTY
    if state.spell == NOBODY and _blocked(setup, state):
        return BLOCKED
    if state.left == state.depot or state.idle >= setup.most_idle:
        return STALL
    return -1


def _blocked(setup: Record, state: Record) -> bool:
    """Whether all that lies in the depot is lower than every wall's last card (BB-11, BB-28)."""
    lowest = state.walls[0]
    for seat in range(1, setup.seats):
        lowest = min(lowest, state.walls[seat])
    return bool(state.lying < lowest)


def points(setup: Record, state: Record, seat: Int) -> Int:
    """A point for each card, and what the pictures add (BB-10, BB-20 to BB-23)."""
    return points_of(setup, state.walls[seat])


def points_of(setup: Record, wall: Int) -> Int:
    """The same of any wall."""
    total = size(wall)
    if setup.variant:
        extra = size(wall & setup.ones) + 2 * size(wall & setup.twos)
        pairs = min(size(wall & setup.knights), size(wall & setup.damsels))
        total += extra + 3 * size(wall & setup.threes) + pairs
    return total


def rank(setup: Record, state: Record, seat: Int) -> Int:
    """The most points win, then the higher last number (BB-10, BB-11, BB-20)."""
    own = points(setup, state, seat)
    better = 0
    for other in range(setup.seats):
        rival = points(setup, state, other)
        if rival > own or (rival == own and state.walls[other] > state.walls[seat]):
            better += 1
    return better + 1


# --- What a seat cannot see ------------------------------------------------------------------


def fill(setup: Record, state: Record, seat: Int, belief: Array, seed: Int, number: Int) -> None:
    """The numbers that are known, and those the aid shows; nature will deal the others (BB-9).

    So nothing is drawn here.
    """
    known = belief[0]
    state.left = known.left
    state.shots = known.shots
    for shot in range(MOST_SHOTS):
        state.destroyed[shot] = known.destroyed[shot]
    state.unseen = setup.all_cards
    for place in range(_PLACES):
        if known.numbers[place] or not setup.aid or not state.depot >> place & 1:
            state.numbers[place] = known.numbers[place]
        if state.numbers[place]:
            state.unseen &= ~(1 << state.numbers[place] - LOWEST)
