"""What a search wants to know of a game besides its rules: the contract of every `advice` module.

Such a module is a kernel with the slots below besides. `tree` imports them as it imports the slots
of the rules; `search` puts those of the game in.
"""

from typing import Final

from numpy import uint64

from mauerwerk.kernels.contract import Array, Int, Record, compiled, slot

_ODD: Final = uint64(0x9E3779B97F4A7C15)
_HALF: Final = uint64(32)


@compiled
def mix(seen: Int, part: Int) -> Int:
    """A fingerprint, and one more part of what it stands for; 64 bits, unsigned."""
    mixed = (uint64(seen) ^ uint64(part)) * _ODD
    return mixed ^ (mixed >> _HALF)


@slot
def infoset_key(setup: Record, state: Record, seat: Int) -> Int:
    """A fingerprint of what this seat sees, as far as it matters from here on.

    Positions that look alike to the seat have the same one; those in which it may do different
    things have not.
    """
    raise NotImplementedError


@slot
def told(setup: Record, state: Record, seat: Int, action: Int, viewer: Int) -> Int:
    """What a viewer keeps in mind of a move that is about to be made, and no view will show.

    A fingerprint, 0 for nothing. They are added up, so that the order does not matter.
    """
    raise NotImplementedError


@slot
def reopen(setup: Record, state: Record, seat: Int) -> None:
    """Ask again all those who chose before this seat does, when they choose together with it."""
    raise NotImplementedError


@slot
def canonical_action(setup: Record, state: Record, seat: Int, action: Int) -> Int:
    """The action to be tried instead of this one, to which it is equal; often itself."""
    raise NotImplementedError


@slot
def prior(setup: Record, state: Record, seat: Int, action: Int) -> float:
    """How promising an action is before it is tried: a weight above 0."""
    raise NotImplementedError


@slot
def rollout_action(
    setup: Record, state: Record, seat: Int, seed: Int, number: Int, draw: Int
) -> Int:
    """What a player does without much thought; `chance` draws, by draw and the seven after it."""
    raise NotImplementedError


@slot
def temperature(setup: Record, root: Record) -> float:
    """By how much an action may be worse, in shares, to be taken only 1/e times as often.

    For seats that choose together; nobody can know so well what the others do.
    """
    raise NotImplementedError


@slot
def settled(setup: Record, state: Record, root: Record) -> bool:
    """Whether a game has gone on for long enough since the root to be judged."""
    raise NotImplementedError


@slot
def evaluate(setup: Record, state: Record, shares: Array) -> None:
    """Write for each seat its share in the win: what it has, or what it may expect."""
    raise NotImplementedError
