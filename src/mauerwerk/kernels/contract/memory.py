"""Observations that remember: the contract of a kernel's part `memory`, which it may lack.

A plain observation is what a view shows. One that remembers has the same parts in the same places,
and after them what a perfect memory of all that the seat was told also knows. The module brings
some names of a kernel again, and they take the places of the kernel's own, so that loops and
batches for all games need not know about memory, and play without it costs nothing:

`STATE` is the dtype of a game with what is remembered: the fields of the kernel's own state, then
more. `start`, `apply` and `observe` are slots of `contract`; each calls the one of the rules.
`layout`, `tops` and `MEANINGS` also describe the parts that are added. `pack` is missing: a state
has no history. `remembered` is for comparisons, and for networks that play. Where a network guides
a search, `recall(setup, belief, told, out)` writes what is remembered into a record that the
kernel's own `pack` wrote; a module may lack it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from mauerwerk.core.game import Setup
from mauerwerk.core.sight import Sight


class Remembering(Protocol):
    """A kernel that remembers also has this function."""

    def remembered(self, setup: Setup[Any], sight: Sight[Any, Any, Any], /) -> Sequence[int]:
        """What `observe` writes, computed a second time from a sight by the game's `beliefs`."""
        ...


def extended(layout: Mapping[str, slice], widths: Mapping[str, int]) -> dict[str, slice]:
    """A layout with more parts after its own."""
    end = max(place.stop for place in layout.values())
    parts = dict(layout)
    for part, width in widths.items():
        parts[part] = slice(end, end + width)
        end += width
    return parts
