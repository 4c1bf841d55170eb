"""The forward pass for players of whole games: logits from what has changed since a seat's last.

Little changes from one decision of a seat to its next, so the first layer only adds what has, as
the evaluations of chess programs do (NNUE). About half of a layer's units are 0, so the next one
leaves their rows out. What takes time is to read weights: rows begin where cache lines do, and
eight are added at once. The heads add up in the order of `forward`, the layers in one of their own:
logits differ from those by rounding, but not from machine to machine.
"""

from math import prod
from typing import NamedTuple

import numpy as np
from numpy import float32

from mauerwerk.kernels import contract
from mauerwerk.kernels.contract import Array, Int, Record, compiled
from mauerwerk.kernels.networks.network import Floats, Network
from mauerwerk.kernels.observation import Lookup

AT_ONCE = 8
"""The number of rows that are added at once."""
LANES = 4
"""Each logit has so many sums, as in `forward.logit`."""
LINE = 16
"""The number of weights in a cache line."""


class Incremental(NamedTuple):
    """A network, and memory for what each seat observed and what follows from it."""

    scale: Array
    first: Array
    first_bias: Array
    second: Array
    second_bias: Array
    policy: Array
    """A column per action."""
    policy_bias: Array
    worth: Array
    """A column per kind of thing that is looked up."""
    worth_bias: Array
    lookup: Lookup
    features: Array
    """What a seat observes now, and the same four numbers at a time."""
    words: Array
    seen: Array
    """Of each seat, what it observed last, in both forms."""
    seen_words: Array
    sums: Array
    """Of each seat, the first layer for that, before the ReLU."""
    second_sums: Array
    lanes: Array
    worths: Array
    logits: Array
    """Of each action, after `update_logits`."""
    shares: Array
    """Scratch memory: the probability of each legal action,"""
    rows: Array
    """which rows of a layer are added,"""
    times: Array
    """and how often each."""


def incremental_of(network: Network | None, seats: int) -> Incremental:
    """What computes this network for so many seats, or none."""
    if network is None:
        nothing = np.zeros(0, np.float32)
        weights = [np.zeros((0, 0), np.float32), nothing] * 4
        scale, lookup, actions = nothing, None, 0
    else:
        given, lookup, actions = network.weights, network.lookup, len(network.weights.policy)
        weights = [given.first, given.first_bias, given.second, given.second_bias]
        weights += [given.policy.T, given.policy_bias, given.lookup, given.lookup_bias]
        scale = given.scale
    first, first_bias, second, second_bias, policy, policy_bias, worth, worth_bias = map(
        _aligned, weights
    )
    words = np.zeros(-(-len(scale) // 4), np.int64)
    seen = np.zeros((seats, len(words)), np.int64)
    most = max(len(scale), len(first_bias), len(second_bias)) + AT_ONCE
    return Incremental(
        scale=scale,
        first=first,
        first_bias=first_bias,
        second=second,
        second_bias=second_bias,
        policy=policy,
        policy_bias=policy_bias,
        worth=worth,
        worth_bias=worth_bias,
        lookup=lookup or Lookup(0, len(scale), 0, 0),
        features=words.view(np.int16)[: len(scale)],
        words=words,
        seen=seen.view(np.int16),
        seen_words=seen,
        sums=_aligned(np.zeros((seats, len(first_bias)), np.float32)),
        second_sums=_aligned(np.zeros_like(second_bias)),
        lanes=_aligned(np.zeros((LANES, len(policy_bias)), np.float32)),
        worths=_aligned(np.zeros_like(worth_bias)),
        logits=_aligned(np.zeros_like(policy_bias)),
        shares=np.zeros(actions, np.float32),
        rows=np.zeros(most, np.uint64),
        times=np.zeros(most, np.float32),
    )


def _aligned(weights: Floats) -> Floats:
    """A copy whose rows begin where cache lines do; they end with zeros."""
    shape = (*weights.shape[:-1], -(-weights.shape[-1] // LINE) * LINE)
    memory = np.zeros(prod(shape) + LINE, np.float32)
    begin = -(memory.ctypes.data // memory.itemsize) % LINE
    copy = memory[begin : begin + prod(shape)].reshape(shape)
    copy[..., : weights.shape[-1]] = weights
    return copy


# --- What is compiled ------------------------------------------------------------------------


@compiled
def forget(network: Incremental) -> None:
    """Forget what was observed in the last game."""
    network.seen_words[:] = 0
    for seat in range(network.sums.shape[0]):
        _copy(network.first_bias, network.sums[seat])


@compiled
def update_logits(network: Incremental, setup: Record, state: Record, seat: Int) -> None:
    """Compute the logits of all actions for a position as this seat sees it."""
    sums, second = network.sums[seat], network.second_sums
    rows, times, lookup = network.rows, network.times, network.lookup
    network.words[:] = 0
    contract.observe(setup, state, seat, network.features, 0, 1)
    looked_up = lookup.places * lookup.kinds  # these numbers do not enter the first layer
    begin, end = lookup.feature, lookup.feature + looked_up
    listed = _list_changes(network, seat, 0, begin, 0, 0)
    listed = _list_changes(network, seat, end, network.features.shape[0], looked_up, listed)
    _add_rows(network.first, rows, times, listed, sums)
    _copy(network.second_bias, second)
    _add_rows(network.second, rows, times, _list_positive(sums, 0, 1, rows, times), second)
    for lane in range(LANES):
        network.lanes[lane, :] = 0
        listed = _list_positive(second, lane, LANES, rows, times)
        _add_in_order(network.policy, rows, times, listed, network.lanes[lane])
    _add_lanes(network.lanes, network.policy_bias, network.logits)
    if looked_up:
        _copy(network.worth_bias, network.worths)
        listed = _list_positive(second, 0, 1, rows, times)
        _add_in_order(network.worth, rows, times, listed, network.worths)
        _look_up(network, begin, end)


@compiled
def _copy(source: Array, target: Array) -> None:
    for each in range(target.shape[0]):
        target[each] = source[each]


@compiled
def _list_changes(
    network: Incremental, seat: Int, begin: Int, end: Int, without: Int, listed: Int
) -> Int:
    """List what has changed in a range of the features, whose rows come this many earlier."""
    seen, seen_words = network.seen[seat], network.seen_words[seat]
    for word in range(begin >> 2, (end + 3) >> 2):
        if network.words[word] != seen_words[word]:
            for each in range(max(begin, word << 2), min(end, (word << 2) + 4)):
                if network.features[each] != seen[each]:
                    change = float32(network.features[each]) - float32(seen[each])
                    network.rows[listed] = each - without
                    network.times[listed] = change * network.scale[each]
                    listed += 1
                    seen[each] = network.features[each]
    return listed


@compiled
def _list_positive(sums: Array, first: Int, step: Int, rows: Array, times: Array) -> Int:
    """List the units above 0, from the first on at these steps.

    The machine could not guess which these are, so nothing branches.
    """
    listed = 0
    for unit in range(first, sums.shape[0], step):
        rows[listed] = unit
        times[listed] = sums[unit]
        listed += sums[unit] > 0
    return listed


@compiled
def _add_rows(matrix: Array, rows: Array, times: Array, listed: Int, sums: Array) -> None:
    """Add the rows of a matrix that are listed, each so many times."""
    _fill_up(rows, times, listed)
    for n in range(0, listed, AT_ONCE):
        a, b, c, d = matrix[rows[n]], matrix[rows[n + 1]], matrix[rows[n + 2]], matrix[rows[n + 3]]
        e, f = matrix[rows[n + 4]], matrix[rows[n + 5]]
        g, h = matrix[rows[n + 6]], matrix[rows[n + 7]]
        s, t, u, v = times[n], times[n + 1], times[n + 2], times[n + 3]
        w, x, y, z = times[n + 4], times[n + 5], times[n + 6], times[n + 7]
        for at in range(sums.shape[0]):  # the machine computes several numbers at a time
            sums[at] += (a[at] * s + b[at] * t) + (c[at] * u + d[at] * v)
            sums[at] += (e[at] * w + f[at] * x) + (g[at] * y + h[at] * z)


@compiled
def _add_in_order(matrix: Array, rows: Array, times: Array, listed: Int, sums: Array) -> None:
    """The same, one row after the other."""
    _fill_up(rows, times, listed)
    for n in range(0, listed, AT_ONCE):
        a, b, c, d = matrix[rows[n]], matrix[rows[n + 1]], matrix[rows[n + 2]], matrix[rows[n + 3]]
        e, f = matrix[rows[n + 4]], matrix[rows[n + 5]]
        g, h = matrix[rows[n + 6]], matrix[rows[n + 7]]
        s, t, u, v = times[n], times[n + 1], times[n + 2], times[n + 3]
        w, x, y, z = times[n + 4], times[n + 5], times[n + 6], times[n + 7]
        for at in range(sums.shape[0]):
            half = (((sums[at] + a[at] * s) + b[at] * t) + c[at] * u) + d[at] * v
            sums[at] = (((half + e[at] * w) + f[at] * x) + g[at] * y) + h[at] * z


@compiled
def _fill_up(rows: Array, times: Array, listed: Int) -> None:
    """List rows that are added 0 times, for the last that are added at once."""
    for spare in range(listed, listed + AT_ONCE):
        rows[spare] = 0
        times[spare] = 0


@compiled
def _add_lanes(lanes: Array, bias: Array, logits: Array) -> None:
    a, b, c, d = lanes[0], lanes[1], lanes[2], lanes[3]
    for at in range(logits.shape[0]):
        logits[at] = a[at] + b[at] + (c[at] + d[at]) + bias[at]


@compiled
def _look_up(network: Incremental, begin: Int, end: Int) -> None:
    """Add to the logits of places what the kinds of things that lie there are worth."""
    lookup, logits = network.lookup, network.logits
    for word in range(begin >> 2, (end + 3) >> 2):
        if network.words[word]:
            for each in range(max(begin, word << 2), min(end, (word << 2) + 4)):
                if network.features[each]:
                    place = (each - begin) // lookup.kinds
                    kind = each - begin - place * lookup.kinds
                    logits[lookup.action + place] += network.worths[kind]
