"""The forward pass of a network, compiled for every game; `network` says what it computes.

Most numbers of an observation are 0, so the first layer adds up the rows of those that are not, as
the evaluations of chess programs do (NNUE). Logits are computed for the actions that are asked for.
Where a network looks up what lies at the places of some actions, it computes once what each kind is
worth.
"""

from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np
from numpy import float32

from mauerwerk.kernels import contract
from mauerwerk.kernels.contract import Array, Int, Record, compiled
from mauerwerk.kernels.exponential import exp
from mauerwerk.kernels.networks.network import Network, Weights
from mauerwerk.kernels.observation import Lookup

INPUTS, FIRST, SECOND, SEATS, LOGITS, SHARES, WORTH, ACTION, FEATURE, PLACES, KINDS = range(11)
"""What `offsets` holds: sizes, where logits, shares and what kinds are worth begin in
`activations`, and the lookup."""
AT: Final = 11
"""After these, where each array of `Weights` begins in `weights`."""
AT_SCALE, AT_FIRST, AT_FIRST_BIAS, AT_SECOND, AT_SECOND_BIAS, AT_POLICY, AT_POLICY_BIAS = range(
    AT, AT + 7
)
AT_WINS, AT_WINS_BIAS = range(AT + 7, AT + 9)
AT_LOOKUP, AT_LOOKUP_BIAS = range(AT + 13, AT + 15)


class Inference(NamedTuple):
    """A network, and memory for what it computes for one position.

    It is part of what every function of a search is called with. So it has few arrays: each costs
    time in every call.
    """

    weights: Array
    """All weights, one after another; none without a network."""
    offsets: Array
    features: Array
    activations: Array
    """The units of both layers, the logits of legal actions in their order, shares, and what the
    kinds of things that are looked up are worth."""


def inference_of(network: Network | None) -> Inference:
    """What computes this network, or none."""
    if network is None:
        return Inference(
            np.zeros(0, np.float32),
            np.zeros(AT + len(Weights._fields), np.int64),
            np.zeros(0, np.int16),
            np.zeros(0, np.float32),
        )
    weights = network.weights
    first, second = len(weights.first_bias), len(weights.second_bias)
    logits = first + second
    shares = logits + len(weights.policy)
    worth = shares + contract.MOST_SEATS
    lookup = network.lookup or Lookup(0, len(weights.scale), 0, 0)
    sizes = (len(weights.scale), first, second, len(weights.wins_bias), logits, shares, worth)
    begins = accumulate((each.size for each in weights[:-1]), initial=0)
    return Inference(
        np.concatenate([each.ravel() for each in weights]),
        np.array([*sizes, *lookup, *begins], np.int64),
        np.zeros(len(weights.scale), np.int16),
        np.zeros(worth + lookup.kinds, np.float32),
    )


def with_own_buffers(inference: Inference) -> Inference:
    """The same network, with memory of its own: threads must not share it."""
    return inference._replace(
        features=np.zeros_like(inference.features), activations=np.zeros_like(inference.activations)
    )


@compiled
def has_network(inference: Inference) -> bool:
    """Whether there is a network."""
    return bool(inference.features.shape[0])


@compiled
def forward(inference: Inference, setup: Record, state: Record, seat: Int) -> None:
    """Compute both layers for a position as this seat sees it, for `logit` and `predict_wins`."""
    features = inference.features
    for each in range(features.shape[0]):
        features[each] = 0
    contract.observe(setup, state, seat, features, 0, 1)
    _compute_layers(inference)


@compiled
def _compute_layers(inference: Inference) -> None:
    """Both layers from the features; the same code for all games, so it is compiled once."""
    weights, offsets, features = inference.weights, inference.offsets, inference.features
    first = inference.activations[: offsets[FIRST]]
    second = inference.activations[offsets[FIRST] : offsets[LOGITS]]
    for unit in range(first.shape[0]):
        first[unit] = weights[offsets[AT_FIRST_BIAS] + unit]
    looked_up = offsets[PLACES] * offsets[KINDS]
    _add_rows(inference, first, 0, offsets[FEATURE], 0)
    _add_rows(inference, first, offsets[FEATURE] + looked_up, features.shape[0], looked_up)
    for unit in range(second.shape[0]):
        second[unit] = weights[offsets[AT_SECOND_BIAS] + unit]
    for unit in range(first.shape[0]):
        if first[unit] > 0:
            begin = offsets[AT_SECOND] + unit * second.shape[0]
            _add(second, weights[begin : begin + second.shape[0]], first[unit])
    for unit in range(second.shape[0]):
        second[unit] = max(second[unit], float32(0))
    for kind in range(offsets[KINDS]):
        worth = weights[offsets[AT_LOOKUP_BIAS] + kind]
        for unit in range(second.shape[0]):
            worth += second[unit] * weights[offsets[AT_LOOKUP] + unit * offsets[KINDS] + kind]
        inference.activations[offsets[WORTH] + kind] = worth


@compiled
def _add_rows(inference: Inference, first: Array, begin: Int, end: Int, without: Int) -> None:
    """Add the rows of the numbers in a range, whose rows come this many earlier, to the sums."""
    weights, offsets, features = inference.weights, inference.offsets, inference.features
    for each in range(begin, end):
        if features[each]:
            at = offsets[AT_FIRST] + (each - without) * first.shape[0]
            factor = features[each] * weights[offsets[AT_SCALE] + each]
            _add(first, weights[at : at + first.shape[0]], factor)


@compiled
def _add(sums: Array, row: Array, factor: float) -> None:
    """Add a row this many times; both begin at 0, so the machine adds several numbers at once."""
    many = float32(factor)
    for each in range(sums.shape[0]):
        sums[each] += row[each] * many


@compiled
def logit(inference: Inference, action: Int) -> float:
    """The logit of this action, after `forward`."""
    weights, offsets = inference.weights, inference.offsets
    second = inference.activations[offsets[FIRST] : offsets[LOGITS]]
    width = second.shape[0]
    begin = offsets[AT_POLICY] + action * width
    row = weights[begin : begin + width]
    even = width - width % 4
    a = b = c = d = float32(0)
    for unit in range(0, even, 4):  # four sums, as one would have to wait for itself
        a += row[unit] * second[unit]
        b += row[unit + 1] * second[unit + 1]
        c += row[unit + 2] * second[unit + 2]
        d += row[unit + 3] * second[unit + 3]
    for unit in range(even, width):
        a += row[unit] * second[unit]
    total = a + b + (c + d) + weights[offsets[AT_POLICY_BIAS] + action]
    place = action - offsets[ACTION]
    if 0 <= place < offsets[PLACES]:
        at = offsets[FEATURE] + place * offsets[KINDS]
        for kind in range(offsets[KINDS]):
            if inference.features[at + kind]:
                total += inference.activations[offsets[WORTH] + kind]
    return float(total)


@compiled
def predict_wins(inference: Inference, setup: Record, seat: Int) -> None:
    """Write each seat's share in the win into `activations`, after `forward` for this seat."""
    weights, offsets, activations = inference.weights, inference.offsets, inference.activations
    first, shares, columns = offsets[FIRST], offsets[SHARES], offsets[SEATS]
    seats = setup.seats
    most = -1e9
    other = seat
    for step in range(seats):
        share = weights[offsets[AT_WINS_BIAS] + step]
        for unit in range(offsets[SECOND]):
            share += activations[first + unit] * weights[offsets[AT_WINS] + unit * columns + step]
        activations[shares + other] = share
        most = max(most, share)
        other = other + 1 if other + 1 < seats else 0
    total = 0.0
    for each in range(seats):
        activations[shares + each] = exp(activations[shares + each] - most)
        total += activations[shares + each]
    for each in range(seats):
        activations[shares + each] /= total
