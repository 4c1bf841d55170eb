"""Mauerbauer in a kernel, sets: of lines, points and fields, and of cards.

A set is a word of 64 bits or several of them; see `records`.
"""

from mauerwerk.kernels.bits import size
from mauerwerk.kernels.contract import Array, Int, compiled

# --- One word --------------------------------------------------------------------------------


@compiled
def nth(word: Int, number: Int) -> Int:
    """The place of the set bit after this many others, by halving the word."""
    place = 0
    width = 32
    while width:
        below = size(word & (1 << width) - 1)
        if number >= below:
            number -= below
            word >>= width
            place += width
        width >>= 1
    return place


# --- Several words ---------------------------------------------------------------------------


@compiled
def has(words: Array, place: Int) -> bool:
    """Whether this is in the set."""
    return bool(words[place >> 6] >> (place & 63) & 1)


@compiled
def put(words: Array, place: Int) -> None:
    """Put this into the set."""
    words[place >> 6] |= 1 << (place & 63)


@compiled
def drop(words: Array, place: Int) -> None:
    """Take this out of the set."""
    words[place >> 6] &= ~(1 << (place & 63))


@compiled
def size_of(words: Array) -> Int:
    """The size of the set."""
    number = 0
    for word in range(words.shape[0]):
        number += size(words[word])
    return number


@compiled
def nth_of(words: Array, number: Int) -> Int:
    """The member of the set after this many others."""
    word = 0
    held = size(words[0])
    while number >= held:
        number -= held
        word += 1
        held = size(words[word])
    return (word << 6) + nth(words[word], number)


# --- Cards -----------------------------------------------------------------------------------


@compiled
def kind_at(cards: Int, number: Int) -> Int:
    """The kind of the card after this many others; cards of a kind are adjacent."""
    return nth(cards, number) >> 1


@compiled
def number_of(cards: Int, kind: Int) -> Int:
    """How many there are of a kind."""
    bits = cards >> 2 * kind
    return (bits & 1) + (bits >> 1 & 1)


@compiled
def with_card(cards: Int, kind: Int) -> Int:
    """These cards and one more."""
    return cards | 1 << 2 * kind + (cards >> 2 * kind & 1)


@compiled
def without_card(cards: Int, kind: Int) -> Int:
    """These cards without one."""
    return cards & ~(1 << 2 * kind + (cards >> 2 * kind + 1 & 1))
