"""The forward pass of a network, compiled for every game; `network` says what it computes.

Most numbers of an observation are 0, so the first layer adds up the rows of those that are not, as
the evaluations of chess programs do (NNUE). Logits are computed for the actions that are asked for.
"""

from math import exp
from typing import Final, NamedTuple

import numpy as np
from numpy import float32, int64

from mauerwerk.kernels.contract import Array, Int, Record, compiled, count, observe, pick
from mauerwerk.kernels.networks.network import Network, Weights
from mauerwerk.kernels.results import MOST_SEATS

_NOTHING: Final = {each: np.zeros((0,) * each, np.float32) for each in (1, 2)}
_DIMENSIONS: Final = (1, *(2, 1) * 6)
"""The dimensions of the arrays of `Weights`, in order."""


class Guide(NamedTuple):
    """A network, and memory for what it thinks of one position."""

    weights: Weights
    """Without a network, arrays of no length."""
    features: Array
    first: Array
    second: Array
    logits: Array
    """Of the legal actions, in their order."""
    shares: Array
    """Of every seat in the win."""


def guide_of(network: Network | None) -> Guide:
    """A guide with this network, or without one: arrays of no length, of the same kinds."""
    weights = network.weights if network else Weights(*(_NOTHING[each] for each in _DIMENSIONS))
    return Guide(
        weights,
        np.zeros(len(weights.scale), np.int16),
        np.zeros(len(weights.first_bias), np.float32),
        np.zeros(len(weights.second_bias), np.float32),
        np.zeros(len(weights.policy_bias)),
        np.zeros(MOST_SEATS),
    )


@compiled
def has_network(guide: Guide) -> bool:
    """Whether there is a network."""
    return bool(guide.features.shape[0])


@compiled
def consider(guide: Guide, setup: Record, state: Record, seat: Int) -> None:
    """Look at a position as this seat sees it; `logit` and `expect` say what the network thinks."""
    weights = guide.weights
    features = guide.features
    for each in range(features.shape[0]):
        features[each] = 0
    observe(setup, state, seat, features, 0, 1)
    first, second = guide.first, guide.second
    for unit in range(first.shape[0]):
        first[unit] = weights.first_bias[unit]
    for each in range(features.shape[0]):
        if features[each]:
            _add(first, weights.first[each], float32(features[each]) * weights.scale[each])
    for unit in range(second.shape[0]):
        second[unit] = weights.second_bias[unit]
    for unit in range(first.shape[0]):
        if first[unit] > 0:
            _add(second, weights.second[unit], first[unit])
    for unit in range(second.shape[0]):
        second[unit] = max(second[unit], float32(0))


@compiled
def _add(sums: Array, row: Array, factor: float) -> None:
    """Add the row, so many times; the machine adds several numbers at once."""
    for each in range(sums.shape[0]):
        sums[each] += row[each] * factor


@compiled
def logit(guide: Guide, action: Int) -> float:
    """The logit of this action, after `consider`."""
    row, second = guide.weights.policy[action], guide.second
    width = second.shape[0]
    even = width - width % 4
    a = b = c = d = float32(0)
    for unit in range(0, even, 4):  # four sums, as one would have to wait for itself
        a += row[unit] * second[unit]
        b += row[unit + 1] * second[unit + 1]
        c += row[unit + 2] * second[unit + 2]
        d += row[unit + 3] * second[unit + 3]
    for unit in range(even, width):
        a += row[unit] * second[unit]
    return float(a + b + (c + d) + guide.weights.policy_bias[action])


@compiled
def expect(guide: Guide, setup: Record, seat: Int, shares: Array) -> None:
    """Write each seat's share in the win, after `consider` for this seat."""
    weights, second = guide.weights, guide.second
    seats = setup.seats
    most = -1e9
    other = seat
    for step in range(seats):
        share = float(weights.wins_bias[step])
        for unit in range(second.shape[0]):
            share += second[unit] * weights.wins[unit, step]
        shares[other] = share
        most = max(most, share)
        other = other + 1 if other + 1 < seats else 0
    total = 0.0
    for each in range(seats):
        shares[each] = exp(shares[each] - most)
        total += shares[each]
    for each in range(seats):
        shares[each] /= total


@compiled
def judge(
    guide: Guide, setups: Array, states: Array, seats: Array, logits: Array, shares: Array
) -> None:
    """What the network thinks of each position: of the choices of one seat, and of every win.

    Logits of actions that are not legal stay as they are.
    """
    for place in range(states.shape[0]):
        seat = int64(seats[place])
        consider(guide, setups[0], states[place], seat)
        for ticket in range(count(setups[0], states[place], seat)):
            action = pick(setups[0], states[place], seat, ticket)
            logits[place, action] = logit(guide, action)
        expect(guide, setups[0], seat, shares[place])
