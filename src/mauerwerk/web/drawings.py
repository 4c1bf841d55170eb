"""What was just drawn, kept for the next reader of the same: a page, or a stream."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Final, TypeVar

T = TypeVar("T")

KEPT: Final = 512
"""The number of drawings that are kept."""


class Drawings:
    """A cache of drawings. A key says all that a drawing depends on."""

    def __init__(self, most: int = KEPT) -> None:
        """Nothing is drawn yet."""
        self._most = most
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()

    def once(self, key: Hashable, draw: Callable[[], T]) -> T:
        """The drawing with this key, drawn now if it is not at hand."""
        if key in self._kept:
            self._kept.move_to_end(key)
        else:
            self._kept[key] = draw()
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        drawing: T = self._kept[key]
        return drawing

    def grown(self, key: Hashable, grow: Callable[[T | None], T]) -> T:
        """The drawing with this key after it has grown; it grows from None, if not at hand."""
        drawing = grow(self._kept.pop(key, None))
        return self.once(key, lambda: drawing)
