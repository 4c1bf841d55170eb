"""Burgbaumeister for a search: which cards are alike, and how people play without much thought.

Whoever searches knows some cards of the depot, and takes it that the others know the same ones.
"""

from typing import Final

from numpy import int64, uint64

from mauerwerk.games.burgbaumeister.values import CARDS, FULL_WALL, MOST_IDLE_TURNS, PLACES
from mauerwerk.kernels.burgbaumeister import (
    allowed,
    count,
    nth,
    pick,
    rank,
    size,
    targets,
    up_to_highest,
)
from mauerwerk.kernels.burgbaumeister_records import (
    ADD,
    DECIDING,
    FIRE,
    FIRING,
    HOLD_FIRE,
    INSERT,
    LEAVE,
    LOWEST,
    TURN,
    TURNING,
)
from mauerwerk.kernels.chance import below
from mauerwerk.kernels.kernel import Array, Int, Record, compiled
from mauerwerk.kernels.tree_advice import mix

_BEYOND: Final = CARDS[-1] + 1
"""The number after the highest."""
_PLACES: Final = len(PLACES)
_NEAR: Final = 8
"""So many turns before nothing built ends the game, the count of them begins to matter."""
_NOWHERE: Final = -1


# --- What is known ---------------------------------------------------------------------------


@compiled
def glance(setup: Record, state: Record, seat: Int) -> Int:  # noqa: ARG001 - all see the same
    """The walls and the cards that are known, which nobody in the search forgets (BB-9)."""
    patience: Int = min(MOST_IDLE_TURNS - int64(state.idle), _NEAR)
    seen = mix(uint64(1), int64(state.phase) | int64(state.player) << 4 | patience << 8)
    seen = mix(seen, int64(state.place) | int64(state.spell) << 8)
    for each in range(setup.seats):
        seen = mix(seen, state.walls[each])
    for place in range(_PLACES):
        if state.numbers[place] and state.depot >> place & 1:
            seen = mix(seen, place | int64(state.numbers[place]) << 8)
    return seen


@compiled
def told(setup: Record, state: Record, seat: Int, action: Int, viewer: Int) -> Int:  # noqa: ARG001
    """Nothing: what was seen is in the state."""
    return uint64(0)


@compiled
def reopen(setup: Record, state: Record, seat: Int) -> None:
    """Nobody chooses together with others."""


@compiled
def stand_in(setup: Record, state: Record, seat: Int, action: Int) -> Int:
    """Cards that nobody can name are alike; so are known ones that do not fit (BB-7)."""
    if state.phase != TURNING:
        return int64(action)
    place = action - TURN
    if state.numbers[place] and _fits(setup, state, seat, place):
        return int64(action)
    known = state.numbers[place] != 0
    for other in range(place):
        alike = state.depot >> other & 1 and (state.numbers[other] != 0) == known
        if alike and not (known and _fits(setup, state, seat, other)):
            return int64(TURN + other)
    return int64(action)


@compiled
def _fits(setup: Record, state: Record, seat: Int, place: Int) -> bool:  # noqa: ARG001
    """Whether a known card can be added or inserted by this seat."""
    if state.spell == seat:
        return True
    return bool(state.walls[seat] >> int64(state.numbers[place]) - LOWEST == 0)


# --- How people play -------------------------------------------------------------------------


@compiled
def _last(wall: Int) -> Int:
    """The number of a wall's last card; 1, the start tower's, without any (BB-2)."""
    return size(up_to_highest(wall)) + LOWEST - 1


@compiled
def _leap(state: Record, seat: Int, number: Int) -> float:
    """By how much this number is higher than the last, in steps of a wall that comes out even."""
    wall = state.walls[seat]
    last = _last(wall)
    missing = max(FULL_WALL - size(wall), 1)
    even = (_BEYOND - last) / missing
    return float((number - last) / even)


@compiled
def _extra(setup: Record, number: Int) -> Int:
    """About what the picture on a card adds (BB-21 to BB-26)."""
    if not setup.variant:
        return 0
    card = 1 << number - LOWEST
    extra = 0
    if (setup.ones | setup.knights | setup.damsels | setup.cannons | setup.wizards) & card:
        extra = 1
    if setup.twos & card:
        extra = 2
    if setup.threes & card:
        extra = 3
    return extra


@compiled
def liking(setup: Record, state: Record, seat: Int, action: Int) -> float:
    """Small leaps, and something new rather than a card that does not fit."""
    if state.phase == TURNING:
        number = int64(state.numbers[action - TURN])
        if number == 0:
            return 1.0
        if not _fits(setup, state, seat, action - TURN):
            return 0.25
        leap = _leap(state, seat, number)
        return 1.0 if leap < 0 else float((1.0 + _extra(setup, number)) / (0.5 + leap * leap))
    if state.phase == DECIDING:
        if action == ADD:
            leap = _leap(state, seat, int64(state.numbers[state.place]))
            return float(
                (1.0 + _extra(setup, int64(state.numbers[state.place]))) / (0.5 + leap * leap)
            )
        return 0.5
    if state.phase == FIRING:
        return 0.2 if action == HOLD_FIRE else 1.0 + _extra(setup, action - FIRE + LOWEST)
    return 1.0


@compiled
def habit(setup: Record, state: Record, seat: Int, seed: Int, number: Int, draw: Int) -> Int:
    """Take what leaps little enough; if nothing known does, turn up something new."""
    mood = 1.0 + below(seed, number, draw, 8) / 8.0
    if state.phase == TURNING:
        return int64(TURN + _turned(setup, state, seat, mood, seed, number, draw + 1))
    if state.phase == DECIDING:
        turned = int64(state.numbers[state.place])
        if allowed(setup, state, seat, ADD):
            leap = _leap(state, seat, turned)
            return int64(ADD if leap <= mood + 0.5 * _extra(setup, turned) else LEAVE)
        return int64(INSERT if allowed(setup, state, seat, INSERT) else LEAVE)
    if state.phase == FIRING:
        return _dearest_target(setup, state)
    return pick(setup, state, seat, below(seed, number, draw, count(setup, state, seat)))


@compiled
def _turned(
    setup: Record, state: Record, seat: Int, mood: float, seed: Int, number: Int, draw: Int
) -> Int:
    """The known card with the smallest leap, if that is small enough; else the first new one.

    Where all are known, any.
    """
    wall = state.walls[seat]
    last = _last(wall)
    even = (_BEYOND - last) / max(FULL_WALL - size(wall), 1)
    spell = state.spell == seat
    best = new = int64(_NOWHERE)
    least = mood
    for place in range(_PLACES):
        if state.depot >> place & 1:
            known = int64(state.numbers[place])
            if known == 0:
                if new == _NOWHERE:
                    new = int64(place)
            elif known > last or spell:
                leap = max((known - last) / even, 0.0) - 0.5 * _extra(setup, known)
                if leap <= least:
                    best = int64(place)
                    least = leap
    if best != _NOWHERE:
        return best
    if new != _NOWHERE:
        return new
    return nth(state.depot, below(seed, number, draw, size(state.depot)))


@compiled
def _dearest_target(setup: Record, state: Record) -> Int:
    """What adds most, and of these the highest."""
    left = targets(setup, state)
    best = int64(HOLD_FIRE)
    most = -1
    while left:
        lowest = left & -left
        left ^= lowest
        card = size(lowest - 1)
        if _extra(setup, card + LOWEST) >= most:
            best = int64(FIRE + card)
            most = _extra(setup, card + LOWEST)
    return best


@compiled
def heat(setup: Record, root: Record) -> float:  # noqa: ARG001 - the contract's
    """Nobody chooses together with others."""
    return 1.0


# --- What it is worth ------------------------------------------------------------------------


@compiled
def settled(setup: Record, state: Record, root: Record) -> bool:  # noqa: ARG001 - the contract's
    """Games are short enough to be played to their end."""
    return False


@compiled
def judge(setup: Record, state: Record, shares: Array) -> None:
    """Who is first wins; several share."""
    first = 0
    for seat in range(setup.seats):
        first += rank(setup, state, seat) == 1
    for seat in range(setup.seats):
        shares[seat] = 1.0 / first if rank(setup, state, seat) == 1 else 0.0
