"""What was just drawn, kept for the next reader of the same: a page, or a stream."""

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable
from typing import Any, Final, TypeVar

T = TypeVar("T")

KEPT: Final = 512
"""The number of drawings of each kind that are kept."""


class Drawings:
    """A cache of drawings. A key says all that a drawing depends on; its type is their kind.

    Each kind has room of its own: many previews must not displace the tables that others look at.
    """

    def __init__(self, most: int = KEPT) -> None:
        """Nothing is drawn yet."""
        self._most = most
        self._kinds = defaultdict[type, OrderedDict[Hashable, Any]](OrderedDict)

    def once(self, key: Hashable, draw: Callable[[], T]) -> T:
        """The drawing with this key, drawn now if it is not at hand."""
        kept = self._kinds[type(key)]
        if key in kept:
            kept.move_to_end(key)
        else:
            kept[key] = draw()
            if len(kept) > self._most:
                kept.popitem(last=False)
        drawing: T = kept[key]
        return drawing

    def clear(self) -> None:
        """Draw everything anew: names may have been removed from tables, and no key says so."""
        self._kinds.clear()

    def grown(self, key: Hashable, grow: Callable[[T | None], T]) -> T:
        """The drawing with this key after it has grown; it grows from None, if not at hand."""
        drawing = grow(self._kinds[type(key)].pop(key, None))
        return self.once(key, lambda: drawing)
