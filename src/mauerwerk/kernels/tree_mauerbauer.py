"""Mauerbauer for a search: what a seat sees, and how people play without much thought."""

from math import exp
from typing import Final

from numpy import int64, uint64

from mauerwerk.kernels.chance import below
from mauerwerk.kernels.kernel import Array, Int, Record, compiled
from mauerwerk.kernels.mauerbauer import count, pick, rank
from mauerwerk.kernels.mauerbauer_cities import value
from mauerwerk.kernels.mauerbauer_records import (
    ADDING,
    BUILDING,
    FINISHING,
    LINE_WORDS,
    NONE,
    ONE_OF_EACH,
    OVER,
    POINT_WORDS,
    SCORING,
    SWAPPING,
    TOWER_COLOURS,
)
from mauerwerk.kernels.mauerbauer_sets import has, lowest, size
from mauerwerk.kernels.tree_advice import mix

_TURNS: Final = 12
"""How many turns a simulation looks ahead."""
_SPREAD: Final = 10.0
"""So many points more make it e times as likely to win."""
_FAIR: Final = 2
_GOOD: Final = 4
"""What a card, and a second one, should score to be played now."""


# --- What is known ---------------------------------------------------------------------------


@compiled
def glance(setup: Record, state: Record, seat: Int) -> Int:
    """The board, the points, one's own cards, and how many the others hold."""
    seen = mix(uint64(1), int64(state.phase) | int64(state.builder) << 8)
    seen = mix(seen, int64(state.line) & 0xFFFF | (int64(state.city) & 0xFF) << 16)
    seen = mix(seen, int64(state.field) & 0xFF | (int64(state.waiting) & 0xFF) << 8)
    seen = mix(seen, int64(state.die) & 15 | (int64(state.dice[0]) & 15) << 4)
    seen = mix(seen, int64(state.dice[1]) & 15 | (int64(state.ending) & 15) << 4)
    seen = mix(seen, int64(state.swapped) | int64(state.discarded) << 8 | int64(state.hasty) << 16)
    seen = mix(seen, state.hands[seat])
    for word in range(LINE_WORDS):
        seen = mix(seen, state.walls[word])
    for word in range(TOWER_COLOURS * POINT_WORDS):
        seen = mix(seen, state.towers[word])
    for each in range(setup.seats):
        seen = mix(seen, int64(state.points[each]) | size(state.hands[each]) << 16)
        seen = mix(seen, int64(state.laid[2 * each]) | int64(state.laid[2 * each + 1]) << 8)
    for field in range(setup.fields):
        if state.houses[field] or state.city_of[field]:
            seen = mix(seen, field << 40 | int64(state.houses[field]) << 8)
            seen = mix(seen, int64(state.city_of[field]))
    return seen


@compiled
def told(setup: Record, state: Record, seat: Int, action: Int, viewer: Int) -> Int:  # noqa: ARG001
    """Nothing: cards that are drawn are hidden, all others lie open."""
    return uint64(0)


@compiled
def reopen(setup: Record, state: Record, seat: Int) -> None:
    """Nobody chooses together with others."""


@compiled
def stand_in(setup: Record, state: Record, seat: Int, action: Int) -> Int:  # noqa: ARG001
    """No two actions are alike."""
    return int64(action)


# --- How people play -------------------------------------------------------------------------


@compiled
def liking(setup: Record, state: Record, seat: Int, action: Int) -> float:  # noqa: ARG001
    """Walls where others stand already; cards by what they score."""
    if state.phase == BUILDING and action < setup.lines:
        return float(0.3 + _walls_near(setup, state, action))
    if state.phase in (SCORING, ADDING, FINISHING) and setup.play <= action < setup.discard:
        return float(1 + value(setup, state, action - setup.play, int64(state.city)))
    return 1.0


@compiled
def _walls_near(setup: Record, state: Record, line: Int) -> Int:
    """How many walls the more closed of the fields beside a line has already."""
    most = 0
    for side in range(2 * line, 2 * line + 2):
        field = int64(setup.sides[side])
        if field != NONE:
            walls = 0
            for around in range(3 * field, 3 * field + 3):
                walls += has(state.walls, int64(setup.around[around]))
            most = max(most, walls)
    return most


@compiled
def habit(setup: Record, state: Record, seat: Int, seed: Int, number: Int, draw: Int) -> Int:
    """Play the best card, and a second one that scores well; build anywhere."""
    if state.phase in (SCORING, ADDING, FINISHING):
        return _play(setup, state, seat, seed, number, draw)
    if state.phase == SWAPPING:
        return int64(setup.done)
    return pick(setup, state, seat, below(seed, number, draw, count(setup, state, seat)))


@compiled
def _play(setup: Record, state: Record, seat: Int, seed: Int, number: Int, draw: Int) -> Int:
    """The card that scores most, or none."""
    left = state.hands[seat] & ONE_OF_EACH
    best = int64(NONE)
    most = -1
    while left:
        kind = lowest(left) >> 1
        left &= left - 1
        scored = value(setup, state, kind, int64(state.city))
        if scored > most:
            best = kind
            most = scored
    if state.phase == SCORING:
        if most >= _FAIR:
            return int64(setup.play + best)
        kinds = size(state.hands[seat] & ONE_OF_EACH)
        return pick(setup, state, seat, kinds + below(seed, number, draw, kinds))
    enough = 1 if state.phase == FINISHING or state.ending != NONE else _GOOD
    return int64(setup.play + best if most >= enough else setup.done)


@compiled
def heat(setup: Record, root: Record) -> float:  # noqa: ARG001 - the contract's
    """Nobody chooses together with others."""
    return 1.0


# --- What it is worth ------------------------------------------------------------------------


@compiled
def settled(setup: Record, state: Record, root: Record) -> bool:  # noqa: ARG001 - the contract's
    """After so many turns, when no city is being scored."""
    return bool(state.phase == BUILDING and state.turns >= root.turns + _TURNS)


@compiled
def judge(setup: Record, state: Record, shares: Array) -> None:
    """By points; once it is over, half by who is first (MB-73)."""
    most: Int = -1000
    for seat in range(setup.seats):
        most = max(most, int64(state.points[seat]))
    total = 0.0
    for seat in range(setup.seats):
        shares[seat] = exp((state.points[seat] - most) / _SPREAD)
        total += shares[seat]
    first = 0
    for seat in range(setup.seats):
        shares[seat] /= total
        first += rank(setup, state, seat) == 1
    if state.phase == OVER:
        for seat in range(setup.seats):
            won = 1.0 / first if rank(setup, state, seat) == 1 else 0.0
            shares[seat] = (shares[seat] + won) / 2
