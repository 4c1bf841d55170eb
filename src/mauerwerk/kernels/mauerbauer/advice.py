"""Mauerbauer for the search: what a seat sees, a rollout policy, and an evaluation."""

from typing import Final

from numpy import int64, uint64

from mauerwerk.kernels.bits import lowest, size
from mauerwerk.kernels.chance import below
from mauerwerk.kernels.contract import Array, Int, Record, compile_all, mix
from mauerwerk.kernels.exponential import exp
from mauerwerk.kernels.mauerbauer import records
from mauerwerk.kernels.mauerbauer.cities import value
from mauerwerk.kernels.mauerbauer.rules import count, pick, rank, time_left

compile_all(__name__)

_TURNS: Final = 6
"""How many turns a simulation looks ahead."""
_OTHER_SIDES: Final = 2
"""With this many walls around a field, one more on its last side closes it."""
_LINES: Final = 4
"""How many lines a rollout examines to find one that closes a city."""
_SPREAD: Final = 10.0
"""A lead of this many points, in the sense of `evaluate`, multiplies the odds of winning by e."""
_CARD: Final = 2.8
"""The worth of an unknown card while there is time to play it."""
_EDGE: Final = 0.5
"""What a card is worth even in the end, as it decides between equals (MB-73)."""
_SWAP: Final = 0.5
"""How much better a new card must be expected to be for a swap."""


# --- What is known ---------------------------------------------------------------------------


def infoset_key(setup: Record, state: Record, seat: Int) -> Int:
    """The board, the points, one's own cards, and how many the others hold."""
    seen = mix(uint64(1), int64(state.phase) | int64(state.builder) << 8)
    seen = mix(seen, int64(state.line) & 0xFFFF | (int64(state.city) & 0xFF) << 16)
    seen = mix(seen, int64(state.field) & 0xFF | (int64(state.waiting) & 0xFF) << 8)
    seen = mix(seen, int64(state.die) & 15 | (int64(state.dice[0]) & 15) << 4)
    seen = mix(seen, int64(state.dice[1]) & 15 | (int64(state.ending) & 15) << 4)
    seen = mix(seen, int64(state.swapped) | int64(state.discarded) << 8 | int64(state.hasty) << 16)
    seen = mix(seen, state.hands[seat])
    for word in range(records.LINE_WORDS):
        seen = mix(seen, state.walls[word])
    for word in range(records.TOWER_COLOURS * records.POINT_WORDS):
        seen = mix(seen, state.towers[word])
    for each in range(setup.seats):
        seen = mix(seen, int64(state.points[each]) | size(state.hands[each]) << 16)
        seen = mix(seen, int64(state.laid[2 * each]) | int64(state.laid[2 * each + 1]) << 8)
    for field in range(setup.fields):
        if state.houses[field] or state.city_of[field]:
            seen = mix(seen, field << 40 | int64(state.houses[field]) << 8)
            seen = mix(seen, int64(state.city_of[field]))
    return seen


# --- How people play -------------------------------------------------------------------------


def prior(setup: Record, state: Record, seat: Int, action: Int) -> float:
    """Walls where others stand already; cards by what they score."""
    if state.phase == records.BUILDING and action < setup.lines:
        return float(0.3 + _walls_near(setup, state, action))
    if (
        state.phase in (records.SCORING, records.ADDING, records.FINISHING)
        and setup.play <= action < setup.discard
    ):
        return float(1 + value(setup, state, action - setup.play, int64(state.city)))
    return 1.0


def _walls_near(setup: Record, state: Record, line: Int) -> Int:
    """How many walls the more closed of the fields beside a line has already."""
    most = 0
    for side in range(2 * line, 2 * line + 2):
        field = int64(setup.sides[side])
        if field != records.NONE:
            walls = 0
            for around in range(3 * field, 3 * field + 3):
                walls += records.has(state.walls, int64(setup.around[around]))
            most = max(most, walls)
    return most


def rollout_action(
    setup: Record, state: Record, seat: Int, seed: Int, number: Int, draw: Int
) -> Int:
    """Play cards that score more now than they are worth in hand; close a city if one is seen."""
    if state.phase in (records.SCORING, records.ADDING, records.FINISHING, records.SWAPPING):
        return _use_cards(setup, state, seat)
    choices = count(setup, state, seat)
    action = pick(setup, state, seat, below(seed, number, draw, choices))
    if state.phase == records.BUILDING:
        for look in range(1, _LINES):
            if action < setup.lines and _walls_near(setup, state, action) == _OTHER_SIDES:
                return action
            action = pick(setup, state, seat, below(seed, number, draw + look, choices))
    return action


def _use_cards(setup: Record, state: Record, seat: Int) -> Int:
    """The best card to play, or to trade for new ones, or none."""
    remaining = time_left(setup, state)
    point = _worth_of_a_point(remaining)
    new = min(_CARD, 12.0 * remaining)
    left = state.hands[seat] & records.ONE_OF_EACH
    best = cheapest = int64(records.NONE)
    gain = second = trade = -99.0
    while left:
        kind = lowest(left) >> 1
        left &= left - 1
        kept = max(_worth_in_hand(setup, state, kind, remaining), _EDGE)
        more = point * value(setup, state, kind, int64(state.city)) - kept
        second = max(second, min(gain, more))
        if more > gain:
            best, gain = kind, more
        if new - kept > trade:
            cheapest, trade = kind, new - kept
    if state.phase == records.SWAPPING:
        return int64(setup.swap + cheapest if trade > _SWAP else setup.done)
    if state.phase == records.SCORING:
        if gain + max(second, 0.0) >= trade:
            return int64(setup.play + best)
        return int64(setup.discard + cheapest)
    return int64(setup.play + best if gain > 0 else setup.done)


def _worth_of_a_point(remaining: float) -> float:
    """What remains of a lead of one point, since players behind may swap cards (MB-47)."""
    return 1.0 - min(0.5, 1.3 * remaining)


def _worth_in_hand(setup: Record, state: Record, kind: Int, remaining: float) -> float:
    """What a card adds to the final lead, by a fitted formula.

    For long one is worth about as much as another. Later it matters what a country card scores.
    """
    if remaining <= 0:
        return 0.0
    if kind < records.LAND_COLOUR:
        return min(_CARD, 1.2 + 9.0 * remaining)
    grown = float(value(setup, state, kind, int64(records.NONE)) + (kind == records.CITIES))
    return min(1.6, 3.5 * remaining) + max(0.1, 0.55 - 0.5 * remaining) * grown


# --- What it is worth ------------------------------------------------------------------------


def rollout_done(setup: Record, state: Record, root: Record) -> bool:
    """After a few turns, when no city is being scored."""
    return bool(state.phase == records.BUILDING and state.turns >= root.turns + _TURNS)


def evaluate(setup: Record, state: Record, shares: Array) -> None:
    """By points and the cards in hand; once it is over, half by the ranks (MB-73)."""
    remaining = time_left(setup, state)
    point = _worth_of_a_point(remaining)
    most = -1e9
    for seat in range(setup.seats):
        shares[seat] = point * state.points[seat]
        left = state.hands[seat]
        while left:
            shares[seat] += _worth_in_hand(setup, state, lowest(left) >> 1, remaining)
            left &= left - 1
        most = max(most, shares[seat])
    total = 0.0
    for seat in range(setup.seats):
        shares[seat] = exp((shares[seat] - most) / _SPREAD)
        total += shares[seat]
    first = 0
    for seat in range(setup.seats):
        shares[seat] /= total
        first += rank(setup, state, seat) == 1
    if state.phase == records.OVER:
        for seat in range(setup.seats):
            won = 1.0 / first if rank(setup, state, seat) == 1 else 0.0
            shares[seat] = (shares[seat] + won) / 2
