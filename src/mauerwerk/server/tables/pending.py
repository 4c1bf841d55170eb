"""Entries that a request adds to the log of a table. None of them counts until it is stored."""

from mauerwerk.core.game import NATURE, Seat
from mauerwerk.server.tables.chance import is_by_hand
from mauerwerk.server.tables.entries import Entry, Kind
from mauerwerk.server.tables.folding import Applied, after
from mauerwerk.server.tables.seed import nature_word
from mauerwerk.server.tables.table import Table


class PendingEntries:
    """Writes entries at the end of a table's log, none of which count until they are stored."""

    def __init__(self, table: Table, seed: bytes, at: int, key: str = "") -> None:
        """Begin where the log ends."""
        self.table = table
        self.entries: tuple[Entry, ...] = ()
        self._seed = seed
        self.at = at
        """When the request came, in milliseconds."""

        self._key = key

    def write(  # noqa: PLR0913 - the fields of an entry
        self,
        kind: Kind,
        seat: Seat | None = None,
        *,
        word: str = "",
        number: int | None = None,
        guest: str = "",
        keyed: bool = False,
        move: Applied | None = None,
    ) -> None:
        """Add an entry; the one that answers the request bears its key.

        `move` is the result of the word, where the request has already applied it.
        """
        entry = Entry(
            seq=self.table.seq,
            at=self.at,
            kind=kind,
            seat=seat,
            word=word,
            number=number,
            guest=guest,
            key=self._key if keyed else "",
        )
        self.table = after(self.table, entry, move)
        self.entries += (entry,)

    def let_nature_move(self) -> None:
        """Whatever nature owes, unless people enter it."""
        while self.table.waiting == (NATURE,) and not is_by_hand(self.table):
            word = nature_word(self.table.game, self.table.state, self._seed, self.table.seq)
            self.write(Kind.MOVE, NATURE, word=word)
