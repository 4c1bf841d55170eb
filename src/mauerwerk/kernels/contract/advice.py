"""What the search needs to know about a game beyond its rules: the contract of `Kernel.advice`.

`search.tree` imports the slots below as it imports those of the rules, and the compiler replaces
them by the game's functions.
"""

from typing import Final

from numpy import uint64

from mauerwerk.kernels.contract import Array, Int, Record, compiled, slot

_ODD: Final = uint64(0x9E3779B97F4A7C15)
_HALF: Final = uint64(32)


@compiled
def mix(seen: Int, part: Int) -> Int:
    """A fingerprint extended by one more part of what it stands for; 64 bits, unsigned."""
    mixed = (uint64(seen) ^ uint64(part)) * _ODD
    return mixed ^ (mixed >> _HALF)


@slot
def infoset_key(setup: Record, state: Record, seat: Int) -> Int:
    """A fingerprint of what this seat sees, as far as it matters from here on.

    Positions that look alike to the seat have the same one; positions in which its legal actions
    differ have different ones.
    """
    raise NotImplementedError


@slot
def observed_key(setup: Record, state: Record, seat: Int, action: Int, viewer: Int) -> Int:
    """What a viewer remembers of a move that is about to be made, if no view will show it.

    It is a fingerprint, 0 for nothing. Fingerprints are added, so that the order does not matter.
    """
    raise NotImplementedError


@slot
def reopen(setup: Record, state: Record, seat: Int) -> None:
    """Undo the choices of seats that choose together with this one, so that they choose again."""
    raise NotImplementedError


@slot
def canonical_action(setup: Record, state: Record, seat: Int, action: Int) -> Int:
    """The action that stands for this one and all that are equal to it; often itself."""
    raise NotImplementedError


@slot
def prior(setup: Record, state: Record, seat: Int, action: Int) -> float:
    """The weight of an action before it is tried, above 0."""
    raise NotImplementedError


@slot
def rollout_action(
    setup: Record, state: Record, seat: Int, seed: Int, number: Int, draw: Int
) -> Int:
    """A quick choice for rollouts; it may use this draw and the seven after it."""
    raise NotImplementedError


@slot
def temperature(setup: Record, root: Record) -> float:
    """How much worse an action must be, in shares, to be played 1/e times as often.

    It is for seats that choose together, as none can know what the others do.
    """
    raise NotImplementedError


@slot
def rollout_done(setup: Record, state: Record, root: Record) -> bool:
    """Whether a simulation has gone far enough from the root to be evaluated."""
    raise NotImplementedError


@slot
def evaluate(setup: Record, state: Record, shares: Array) -> None:
    """Write each seat's share in the win: the actual one, or the expected one."""
    raise NotImplementedError
