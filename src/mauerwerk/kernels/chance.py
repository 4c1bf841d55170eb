"""Random numbers without state: Philox4x32-10.

A draw depends on a seed, the number of a game and the number of the draw in it, and on nothing that
happened before. So a game is the same wherever and together with whatever others it is played.

J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw: Parallel Random Numbers: As Easy as 1, 2, 3
(SC 2011).
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy import int64, uint64

from mauerwerk.kernels.contract import Array, Int, Record, compiled, count, pick
from mauerwerk.kernels.exponential import exp

_M0: Final = uint64(0xD2511F53)
_M1: Final = uint64(0xCD9E8D57)
_W0: Final = uint64(0x9E3779B9)
_W1: Final = uint64(0xBB67AE85)
_LOW: Final = uint64(0xFFFFFFFF)
_HALF: Final = uint64(32)
_WORD: Final = 1 << 32
_TICKETS: Final = 1 << 30
_EQUAL: Final = 1e-7
"""What is worth less than this more is as good: sums may differ in their last digits."""


@compiled
def philox(seed: Int, game: Int, draw: Int, again: Int) -> Int:
    """64 bits. The key is the seed; the counter is game (64 bits), draw and again (32 each)."""
    k0 = uint64(seed) & _LOW
    k1 = uint64(seed) >> _HALF
    c0 = uint64(game) & _LOW
    c1 = uint64(game) >> _HALF
    c2 = uint64(draw) & _LOW
    c3 = uint64(again) & _LOW
    for _ in range(10):
        p0 = _M0 * c0
        p1 = _M1 * c2
        c0 = (p1 >> _HALF) ^ c1 ^ k0
        c1 = p1 & _LOW
        c2 = (p0 >> _HALF) ^ c3 ^ k1
        c3 = p0 & _LOW
        k0 = (k0 + _W0) & _LOW
        k1 = (k1 + _W1) & _LOW
    return c0 << _HALF | c1


@compiled
def below(seed: Int, game: Int, draw: Int, bound: Int) -> Int:
    """A number from 0 to bound - 1, each exactly as likely; a bound of at most 2**32.

    D. Lemire: Fast Random Integer Generation in an Interval (TOMACS 2019).
    """
    if bound == 1:
        return int64(0)
    many = uint64(bound)
    again = 0
    product = (philox(seed, game, draw, again) >> _HALF) * many
    if product & _LOW < many:
        spare = uint64((_WORD - bound) % bound)
        while product & _LOW < spare:
            again += 1
            product = (philox(seed, game, draw, again) >> _HALF) * many
    return int64(product >> _HALF)


@compiled
def draw_action(setup: Record, state: Record, seat: Int, seed: Int, game: Int, draw: Int) -> Int:
    """A legal action of this seat, each as likely; for nature, by their weights."""
    return pick(setup, state, seat, below(seed, game, draw, count(setup, state, seat)))


@compiled
def any_best(worth: Array, choices: Int, seed: Int, game: Int, draw: Int) -> Int:
    """The place of the largest of so many numbers; of several that are equal, each as likely."""
    best = worth[0]
    for place in range(1, choices):
        best = max(best, worth[place])
    equal = 0
    for place in range(choices):
        equal += worth[place] > best - _EQUAL
    left = below(seed, game, draw, equal)
    place = 0
    while left or worth[place] <= best - _EQUAL:
        left -= worth[place] > best - _EQUAL
        place += 1
    return place


@compiled
def by_temperature(
    worth: Array, choices: Int, temperature: float, seed: Int, game: Int, draw: Int
) -> Int:
    """The place of one of so many numbers: one that is a temperature less, 1/e times as often."""
    best = worth[0]
    for place in range(1, choices):
        best = max(best, worth[place])
    total = 0.0
    for place in range(choices):
        total += exp((worth[place] - best) / temperature)
    left = below(seed, game, draw, _TICKETS) / _TICKETS * total
    for place in range(choices - 1):
        left -= exp((worth[place] - best) / temperature)
        if left < 0:
            return place
    return choices - 1


@compiled
def by_weight(seed: Int, game: Int, draw: Int, sums: Array) -> Int:
    """The index of one of several, drawn exactly by weight, however large the weights are.

    `sums` has a row for each: its weight and all before it added up, in words of 32 bits, the most
    significant first. So the last row is the sum of all.
    """
    last = sums.shape[0] - 1
    again = 0
    while last > 0 and not _under(seed, game, draw, again, sums, last):
        again += sums.shape[1]
    low, high = 0, last
    while low < high:
        middle = (low + high) // 2
        if _under(seed, game, draw, again, sums, middle):
            high = middle
        else:
            low = middle + 1
    return low


@compiled
def _under(seed: Int, game: Int, draw: Int, again: Int, sums: Array, row: Int) -> bool:
    """Whether the ticket is less than this sum; it has as many bits as the sum of all."""
    top = int(sums[sums.shape[0] - 1, 0])
    mask = 1
    while mask <= top:
        mask <<= 1
    for word in range(sums.shape[1]):
        ticket = int(philox(seed, game, draw, again + word) >> _HALF)
        if word == 0:
            ticket &= mask - 1
        if ticket != int(sums[row, word]):
            return ticket < int(sums[row, word])
    return False


def key_of(seed: int) -> uint64:
    """The seed as the generator takes it: its last 64 bits."""
    return uint64(seed & (2**64 - 1))


def in_words(sums: Sequence[int]) -> Array:
    """Sums of weights, of any size, as `by_weight` reads them."""
    words = max(1, -(-sums[-1].bit_length() // 32))
    shifts = range(32 * (words - 1), -1, -32)
    return np.array([[each >> shift & 0xFFFFFFFF for shift in shifts] for each in sums], np.uint32)
