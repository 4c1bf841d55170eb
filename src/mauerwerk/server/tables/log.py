"""The log of a table: everything that happened since it was set up, in order.

The log is the truth. Where pieces lie, who sits where, who won: all of it follows from the charter
and the entries, and can be worked out again at any time.

A log is a value, and one with another entry is another log. They share their entries, so that a
long log is not copied for each of them. It knows what each viewer noticed, and the keys of
requests.

Nothing here takes longer the more entries a viewer has not noticed. Else the time that an answer
takes would tell how often another player has changed their mind.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from itertools import islice
from typing import Any, Final, Generic, Protocol, TypeVar, cast, overload

from mauerwerk.core.game import NATURE, Seat, Value

GONE: Final = "-"
"""In the place of a guest who was forgotten; no guest has this id."""

ANONYMOUS: Final = "Anonymous"
"""The name of a guest who was forgotten."""


RECALLED: Final = 96
"""How many entries a log recalls as a viewer saw them, somewhat more than a page tells."""


class Kind(StrEnum):
    """What an entry says, and what it uses the fields of `Entry` for."""

    SIT = "sit"
    """`guest`, called `word`, took the seat."""

    STAND = "stand"
    """The seat is free again."""

    BOT = "bot"
    """A bot of level `word` has the seat."""

    AWAY = "away"
    """A bot of level `word` plays for the seat until its owner is back."""

    BACK = "back"
    """The owner of the seat plays again."""

    FORFEIT = "forfeit"
    """The bot at the seat failed, or a player's time is up, and has lost: another bot plays on, and
    the seat comes last."""

    START = "start"
    """Every seat is taken: the game begins."""

    MOVE = "move"
    """The seat, or nature, played `word`; if `number` is given, instead of that entry's word.

    For nature `guest` may have entered it."""

    UNDO = "undo"
    """The move of entry `number` was taken back, and all that followed from it."""

    ASK = "ask"
    """The seat asks whether it may take back the move of entry `number`."""

    AGREE = "agree"
    """The seat consents."""

    REFUSE = "refuse"
    """The seat refuses; if it is the one that asked, it withdraws the question."""

    REMATCH = "rematch"
    """The table plays again, as table `word`."""

    REST = "rest"
    """The seat takes a day off."""

    PAUSE = "pause"
    """No server ran: clocks stood still for `number` milliseconds."""

    RENAME = "rename"
    """The host of the server calls the player at the seat `word` from the beginning on."""

    END = "end"
    """The game was ended without a winner; `word` says why (`Ending`)."""


class Ending(StrEnum):
    """Why a game was ended without a winner."""

    ABANDONED = "abandoned"
    """Nobody had played for a long time."""

    HOST = "host"
    """The people who run the server ended it."""

    RULES = "rules"
    """This server does not have its rules, and a player gave it up."""


class Entry(Value):
    """One line of the log. Table and sequence number are its key."""

    seq: int
    at: int
    """Milliseconds since 1970."""

    kind: Kind
    seat: Seat | None = None
    word: str = ""
    number: int | None = None
    guest: str = ""
    key: str = ""
    """Chosen by the caller, so that a request sent twice is carried out once."""


def noticed(entry: Entry, viewer: Seat | None) -> bool:
    """Whether a viewer notices an entry: any but another seat's change of an unseen choice."""
    return entry.kind is not Kind.MOVE or entry.number is None or entry.seat == viewer


class Item(Protocol):
    """An entry, with whatever else is known about it."""

    @property
    def entry(self) -> Entry:
        """The entry."""
        ...


_Item = TypeVar("_Item", bound=Item)


class _Shared(Generic[_Item]):
    """What logs share. It may hold more than an older log does, whose length says how much."""

    __slots__ = ("items", "keys", "noticed", "seen")

    def __init__(self, seats: int, items: Sequence[_Item] = ()) -> None:
        self.items: list[_Item] = []
        self.keys: dict[tuple[str | Seat | None, str], int] = {}
        self.noticed: list[list[int]] = [[] for _ in range(seats + 1)]
        """The numbers of the entries that each seat noticed; in the last list, those of all."""

        self.seen: dict[Seat | None, dict[int, tuple[int, tuple[Any, ...]]]] = {}
        """What each viewer saw of the last entries that they noticed, with the entry's number."""

        for item in items:
            self.add(item)

    def add(self, item: _Item) -> None:
        entry, seq = item.entry, len(self.items)
        self.items.append(item)
        if entry.key:
            self.keys[entry.guest or entry.seat, entry.key] = seq
        if noticed(entry, None):
            for each in self.noticed:
                each.append(seq)
        elif entry.seat is not None:
            self.noticed[entry.seat].append(seq)


class Log(Sequence[_Item]):
    """The entries of a table."""

    __slots__ = ("_length", "_shared")
    __hash__ = None  # type: ignore[assignment] # as a list, it may be compared

    def __init__(self, seats: int, shared: _Shared[_Item] | None = None, length: int = 0) -> None:
        """Nothing has happened at a table with this many seats, but for what logs share."""
        self._shared: _Shared[_Item] = _Shared(seats) if shared is None else shared
        self._length = length

    def followed_by(self, item: _Item) -> "Log[_Item]":
        """The log with one more entry."""
        shared, seats = self._shared, len(self._shared.noticed) - 1
        if len(shared.items) != self._length:  # another log continues this one already
            shared = _Shared(seats, shared.items[: self._length])
        shared.add(item)
        return Log(seats, shared, self._length + 1)

    def retold(self, change: Callable[[_Item], _Item]) -> "Log[_Item]":
        """The same entries, with something else known about them."""
        seats = len(self._shared.noticed) - 1
        return Log(seats, _Shared(seats, [change(item) for item in self]), self._length)

    def noticed(
        self, viewer: Seat | None, *, after: int = 0, most: int | None = None
    ) -> Sequence[_Item]:
        """What this viewer noticed, but for the first `after` of it; not more than `most`."""
        seqs, end = self._seen_by(viewer)
        last = end if most is None else min(end, after + most)
        return [self._shared.items[seq] for seq in seqs[after:last]]

    def last(self, viewer: Seat | None) -> _Item | None:
        """The last entry that this viewer noticed."""
        seqs, end = self._seen_by(viewer)
        return self._shared.items[seqs[end - 1]] if end else None

    def length_when(self, viewer: Seat | None, told: int) -> int:
        """How long it was before this viewer noticed any entry beyond the first `told`."""
        seqs, end = self._seen_by(viewer)
        return seqs[told] if told < end else self._length

    def _seen_by(self, viewer: Seat | None) -> tuple[list[int], int]:
        """The numbers of all entries that a viewer noticed, and how many of them are in here."""
        seqs = self._shared.noticed[-1 if viewer is None or viewer == NATURE else viewer]
        return seqs, bisect_left(seqs, self._length)

    def seen(
        self, seq: int, viewer: Seat | None, number: int, see: Callable[[], tuple[Any, ...]]
    ) -> tuple[Any, ...]:
        """What a viewer saw of an entry, which `see` works out if nobody has asked lately.

        By their own number of it: which entries are recalled must not depend on others' hidden
        ones.
        """
        known = self._shared.seen.setdefault(viewer, {})
        found, seen = known.get(number % RECALLED, (None, ()))
        if found != seq:
            seen = see()
            known[number % RECALLED] = seq, seen
        return seen

    def keyed(self, who: str | Seat | None, key: str) -> Entry | None:
        """The entry that a request with this key has made, if one has."""
        seq = self._shared.keys.get((who, key))
        return None if seq is None or seq >= self._length else self._shared.items[seq].entry

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[_Item]:
        return islice(self._shared.items, self._length)

    @overload
    def __getitem__(self, place: int) -> _Item: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[_Item]: ...

    def __getitem__(self, place: int | slice) -> _Item | Sequence[_Item]:
        if isinstance(place, slice):
            return self._shared.items[slice(*place.indices(self._length))]
        return self._shared.items[range(self._length)[place]]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Log) and [*self] == [*cast("Log[Item]", other)]
