"""What was just made, kept for the next reader of the same: a page, a stream, a picture."""

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable
from typing import Any, Final, Generic, TypeVar

T = TypeVar("T")
KEPT: Final = 512
"""The number of drawings of each kind that are kept."""


class Recent(Generic[T]):
    """What was used last. Each thing takes as much of the room as `size` says."""

    def __init__(self, room: int, size: Callable[[T], int] = lambda _: 1) -> None:
        """Nothing is kept yet."""
        self._room = room
        self._size = size
        self._kept: OrderedDict[Hashable, T] = OrderedDict()
        self._taken = 0

    def get(self, key: Hashable) -> T | None:
        """What is kept under this key."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def put(self, key: Hashable, thing: T) -> T:
        """Keep a thing; those that were not used for longest go."""
        self.pop(key)
        self._kept[key] = thing
        self._taken += self._size(thing)
        while self._taken > self._room and len(self._kept) > 1:
            self.pop(next(iter(self._kept)))
        return thing

    def pop(self, key: Hashable) -> T | None:
        """What is kept under this key, and no longer."""
        thing = self._kept.pop(key, None)
        self._taken -= 0 if thing is None else self._size(thing)
        return thing

    def __len__(self) -> int:
        return len(self._kept)


class Drawings:
    """A cache of drawings. A key says all that a drawing depends on; its first part is the kind.

    Each kind has room of its own: many previews must not displace the tables that others look at.
    """

    def __init__(self, most: int = KEPT) -> None:
        """Nothing is drawn yet."""
        self._kinds = defaultdict[str, Recent[Any]](lambda: Recent(most))

    def once(self, key: tuple[str, *tuple[Hashable, ...]], draw: Callable[[], T]) -> T:
        """The drawing with this key, drawn now if it is not at hand."""
        kept = self._kinds[key[0]]
        drawing: T | None = kept.get(key)
        return kept.put(key, draw()) if drawing is None else drawing

    def clear(self) -> None:
        """Draw everything anew: names may have been removed from tables, and no key says so."""
        self._kinds.clear()

    def grown(self, key: tuple[str, *tuple[Hashable, ...]], grow: Callable[[T | None], T]) -> T:
        """The drawing with this key after it has grown; it grows from None, if not at hand."""
        kept = self._kinds[key[0]]
        return kept.put(key, grow(kept.pop(key)))  # type: ignore[no-any-return]
