"""What was just made, kept for the next reader of the same: a page, a stream, a picture."""

import gzip
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Sized
from functools import cached_property
from math import inf
from typing import Any, Final, Generic, TypeVar

T = TypeVar("T")
L = TypeVar("L", bound=Sized)
KEPT: Final = 512
"""The number of drawings of each kind that are kept."""
GROWN: Final = 10_000
"""The number of parts, such as lines of histories, of all that grows. Each takes about a kilobyte,
and the history of a finished game has hundreds."""
ROOM: Final = 8 * 2**20
"""Bytes of shared pages that are kept."""
SECONDS: Final = 1.0
"""For how long a shared page is kept at most."""
UNUSED: Final = 120.0
"""Seconds after which a drawing goes for which nobody has asked again, as tables do. With a limit
on their number alone, a server would grow for hours, for drawings of tables long left."""


class Recent(Generic[T]):
    """What was used last. Each thing takes as much of the room as `size` says."""

    def __init__(
        self,
        room: int,
        size: Callable[[T], int] = lambda _: 1,
        unused: float = inf,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Keep nothing that was not used for so many seconds."""
        self._room = room
        self._size = size
        self._unused = unused
        self._clock = clock
        self._kept: OrderedDict[Hashable, tuple[float, T]] = OrderedDict()
        """Each with the time of its last use, the earliest first."""
        self._taken = 0

    def get(self, key: Hashable) -> T | None:
        """What is kept under this key."""
        kept = self._kept.get(key)
        if kept is None:
            return None
        self._kept[key] = (self._clock(), kept[1])
        self._kept.move_to_end(key)
        return kept[1]

    def put(self, key: Hashable, thing: T) -> T:
        """Keep a thing; those that were not used for longest go."""
        self.pop(key)
        now = self._clock()
        self._kept[key] = (now, thing)
        self._taken += self._size(thing)
        while len(self._kept) > 1:
            oldest = next(iter(self._kept))
            if self._taken <= self._room and now - self._kept[oldest][0] < self._unused:
                break
            self.pop(oldest)
        return thing

    def pop(self, key: Hashable) -> T | None:
        """What is kept under this key, and no longer."""
        kept = self._kept.pop(key, None)
        if kept is None:
            return None
        self._taken -= self._size(kept[1])
        return kept[1]

    def clear(self) -> None:
        """Keep nothing."""
        self._kept.clear()
        self._taken = 0

    def __len__(self) -> int:
        return len(self._kept)


class SharedPages:
    """Whole pages for visitors of whom nothing is known: they all get the same, for a moment.

    A page is kept for a second, or until something happens that it may show.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._kept = Recent[tuple[float, SharedPage]](
            ROOM, lambda kept: len(kept[1].plain), SECONDS, clock
        )

    def __len__(self) -> int:
        """How many are in memory."""
        return len(self._kept)

    def get(self, key: Hashable) -> "SharedPage | None":
        """The page with this key, unless it is too old."""
        kept = self._kept.get(key)
        return kept[1] if kept and self._clock() < kept[0] + SECONDS else None

    def put(self, key: Hashable, plain: bytes) -> "SharedPage":
        """Keep a page. The key says all that it depends on."""
        page = SharedPage(plain)
        self._kept.put(key, (self._clock(), page))
        return page

    def clear(self) -> None:
        """Make all pages anew."""
        self._kept.clear()


class SharedPage:
    """A page, as it is and compressed."""

    def __init__(self, plain: bytes) -> None:
        """It is compressed when somebody wants it so."""
        self.plain = plain

    @cached_property
    def packed(self) -> bytes:
        """The page for clients that accept gzip."""
        return gzip.compress(self.plain, 6, mtime=0)


class Drawings:
    """A cache of drawings. A key says all that a drawing depends on; its first part is the kind.

    Each kind has room of its own: many previews must not displace the tables that others look at.
    """

    def __init__(self, most: int = KEPT, clock: Callable[[], float] = time.monotonic) -> None:
        self._kinds = defaultdict[str, Recent[Any]](
            lambda: Recent(most, unused=UNUSED, clock=clock)
        )
        self._grown = Recent[Any](GROWN, lambda grown: 1 + len(grown), UNUSED, clock)

    def once(self, key: tuple[str, *tuple[Hashable, ...]], draw: Callable[[], T]) -> T:
        """The drawing with this key, drawn now if it is not at hand."""
        kept = self._kinds[key[0]]
        drawing: T | None = kept.get(key)
        return kept.put(key, draw()) if drawing is None else drawing

    def clear(self) -> None:
        """Draw everything anew: names may have been removed from tables, and no key says so."""
        self._kinds.clear()
        self._grown.clear()

    def grown(self, key: Hashable, grow: Callable[[L | None], L]) -> L:
        """What has this key after it has grown; it grows from None, if not at hand."""
        made: L = self._grown.put(key, grow(self._grown.pop(key)))
        return made
