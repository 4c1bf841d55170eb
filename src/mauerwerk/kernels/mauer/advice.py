"""Die Mauer for the search: what matters in a position, a rollout policy, and an evaluation.

A simulation goes on for a few turns, or to the end of the round. What the pieces still held will
cost is known from experience, and what the rounds after this one bring is luck, of which there is
more the more of them are left.
"""

from math import sqrt
from typing import Final

from numpy import int64, uint64

from mauerwerk.kernels.bits import lowest
from mauerwerk.kernels.chance import below, draw_action
from mauerwerk.kernels.contract import Array, Int, Record, compile_all, mix
from mauerwerk.kernels.exponential import exp
from mauerwerk.kernels.mauer import rules

compile_all(__name__)

_NEAR: Final = 3
"""Turns without building are counted only this close to the limit that ends the round."""
_LUCK: Final = 8.0
"""The spread of the points of one round, in the sense of `evaluate`."""
_TEMPERATURE: Final = 0.8
"""How many points worse a choice must be to be played 1/e times as often."""
_HORIZON: Final = 2
"""How many turns a simulation looks ahead: beyond, chance outweighs the effect of a choice."""
_STAYS: Final = (-0.05, -0.2, -1.03, -1.2, -1.2, -1.13, -0.93)
"""The chance of each kind to stay in a hand to the end of the round, in logits."""
_DEAREST_FIRST: Final = (0, 1, 6, 5, 4, 3, 2)
"""The kinds, by what they cost at the end of a round (DM-24)."""
_MASTER: Final = (6, 5, 2, 2, 2, 3, 4, 5)
_RIVAL: Final = (6, 5, 2, 2, 2, 3, 4, 3)
"""The weight with which each kind, and last the empty fist, is planned."""


# --- What is known ---------------------------------------------------------------------------


def infoset_key(setup: Record, state: Record, seat: Int) -> Int:
    """One's own hand, the stone, and where pieces fit; other hands follow from what was told."""
    sites: Int = int64(state.sites)
    if state.phase != rules.BUILDING and sites == rules.LEFT:
        sites = rules.RIGHT  # only how many there are matters
    begun = state.left + state.right > 0
    left = min(setup.stall - int64(state.idle), _NEAR)
    seen = mix(uint64(1), int64(state.phase) | int64(state.master) << 4 | sites << 8)
    seen = mix(seen, int64(state.hands[seat]) | int64(begun) << 32 | left << 36)
    if state.phase == rules.BUILDING:
        seen = mix(seen, int64(state.piece) | int64(state.waiting) << 8)
    return seen


def observed_key(setup: Record, state: Record, seat: Int, action: Int, viewer: Int) -> Int:
    """The builder and the piece, or giver and receiver; the gift is their secret (DM-19)."""
    if state.phase == rules.BUILDING:
        return mix(mix(uint64(2), seat), int64(state.piece))
    if state.phase == rules.GIVING:
        secret = viewer not in (int64(seat), int64(state.master))
        kind = rules.KINDS if secret else action - rules.GIVE
        return mix(mix(uint64(3), seat | int64(state.master) << 8), kind)
    return uint64(0)


def reopen(setup: Record, state: Record, seat: Int) -> None:
    """Closed fists of others are chosen anew (DM-5)."""
    if state.phase == rules.PLANNING:
        for other in range(setup.seats):
            if other != seat and state.fists[other] != rules.OPEN and state.waiting >> seat & 1:
                state.fists[other] = rules.OPEN
                state.waiting |= 1 << other


def canonical_action(setup: Record, state: Record, seat: Int, action: Int) -> Int:
    """Plans for pieces that fit nowhere are equal (DM-12); so are two ends that look alike."""
    if state.phase == rules.PLANNING and action - rules.PLAN != rules.EMPTY:
        unfit = rules.kinds_in(int64(state.hands[seat])) & ~rules.fitting(state)
        if unfit >> action - rules.PLAN & 1:
            return rules.PLAN + lowest(unfit)
    if state.phase == rules.BUILDING and state.sites in (0, rules.LEFT | rules.RIGHT):
        return int64(rules.BUILD)
    return int64(action)


# --- How people play -------------------------------------------------------------------------


def rollout_action(
    setup: Record, state: Record, seat: Int, seed: Int, number: Int, draw: Int
) -> Int:
    """Get rid of dear pieces: give them, name them, and plan them more often than the rest."""
    if state.phase == rules.PLANNING:
        return rules.PLAN + _plan(state, seat, seed, number, draw)
    if state.phase == rules.CHOOSING:
        return rules.CHOOSE + _dearest(
            rules.kinds_in(int64(state.hands[seat])) & rules.fitting(state)
        )
    if state.phase == rules.GIVING:
        return rules.GIVE + _dearest(rules.kinds_in(int64(state.hands[seat])))
    return draw_action(setup, state, seat, seed, number, draw)


def temperature(setup: Record, root: Record) -> float:
    """The temperature in points, turned into shares: with more rounds left a point counts less."""
    others = (setup.seats - 1) / (setup.seats * setup.seats)
    return float(_TEMPERATURE * others / (_LUCK * sqrt(max(setup.rounds - int64(root.round), 1))))


def _dearest(kinds: Int) -> Int:
    for kind in _DEAREST_FIRST:
        if kinds >> kind & 1:
            return int64(kind)
    return int64(0)


def _plan(state: Record, seat: Int, seed: Int, number: Int, draw: Int) -> Int:
    """A kind that fits, or nothing, by weight."""
    weights = _MASTER if seat == state.master else _RIVAL
    fit = rules.kinds_in(int64(state.hands[seat])) & rules.fitting(state) | 1 << rules.EMPTY
    total = 0
    for kind in range(rules.KINDS + 1):
        if fit >> kind & 1:
            total += weights[kind]
    ticket = below(seed, number, draw, total)
    for kind in range(rules.KINDS + 1):
        if fit >> kind & 1:
            ticket -= weights[kind]
            if ticket < 0:
                return int64(kind)
    return int64(rules.EMPTY)


# --- What it is worth ------------------------------------------------------------------------


def rollout_done(setup: Record, state: Record, root: Record) -> bool:
    """Once the round is scored, or some turns have passed."""
    if state.phase != rules.PLANNING:
        return False
    return bool(state.round != root.round or state.turns >= root.turns + _HORIZON)


def _expected(setup: Record, state: Record, seat: Int, own: Int, fewest: Int) -> float:
    """What the pieces that a seat holds will cost it in this round, by a fitted formula.

    Each stays with a chance that falls with how few pieces some other seat has left.
    """
    after = seat - state.master
    if after < 0:
        after += setup.seats
    urgency = 0.05 * (own - 4) - 0.34 * (fewest - 4) + 0.25 * (after / setup.seats - 0.5)
    total = 0.0
    for kind in range(rules.KINDS):
        held = rules.number_of(int64(state.hands[seat]), kind)
        if held:
            total += held * setup.penalties[kind] / (1.0 + exp(-urgency - _STAYS[kind]))
    return total


def evaluate(setup: Record, state: Record, shares: Array) -> None:
    """The fewest points win; with rounds to go, every seat has a chance (DM-28)."""
    left = setup.rounds - int64(state.round)
    shortest = second = 1 << 10
    for seat in range(setup.seats):
        held = rules.size_of(rules.digits_of(int64(state.hands[seat])))
        second = min(second, max(shortest, held))
        shortest = min(shortest, held)
    fewest = 1e9
    for seat in range(setup.seats):
        shares[seat] = rules.points(setup, state, seat)
        if state.phase != rules.OVER:
            held = rules.size_of(rules.digits_of(int64(state.hands[seat])))
            others = second if held == shortest else shortest
            shares[seat] += _expected(setup, state, seat, held, others)
        fewest = min(fewest, shares[seat])
    total = 0.0
    for seat in range(setup.seats):
        behind = shares[seat] - fewest
        if left:
            shares[seat] = exp(-behind / (_LUCK * sqrt(left)))
        else:
            shares[seat] = 1.0 if behind == 0 else 0.0
        total += shares[seat]
    for seat in range(setup.seats):
        shares[seat] /= total
