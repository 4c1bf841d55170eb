"""A table without a house: requests go in, and everybody hears what they may.

laid = lay("mauer", "hhh")
laid.play("0:T 1:4 2:-")
"""

import re
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest

from mauerwerk.bots.levels import LEVELS
from mauerwerk.core.game import Seat
from mauerwerk.server.api import table_messages
from mauerwerk.server.api.table_messages import notice_messages
from mauerwerk.server.engine.snapshot import Snapshot
from mauerwerk.server.tables import charter as orders
from mauerwerk.server.tables import requests
from mauerwerk.server.tables.charter import Chair, Charter, Guest, Order
from mauerwerk.server.tables.folding import fold
from mauerwerk.server.tables.notices import Notice, new_notices, notices
from mauerwerk.server.tables.requests import PendingEntries
from mauerwerk.server.tables.table import Table, Viewer
from mauerwerk.server.tables.table_views import TableView, table_view

SEED = bytes(range(32))
GUESTS = tuple(Guest(name.lower(), name) for name in ("Ada", "Bob", "Cleo", "Dan"))
ADA, BOB, CLEO, DAN = GUESTS
LEVEL = next(iter(LEVELS))
BEGAN = 1_000_000
"""Milliseconds: when every table is set up."""

SHORT = 40
"""Entries: the log of a shorter table is checked after each request."""


def chairs(letters: str) -> tuple[Chair, ...]:
    """A chair a letter: `h`uman, `o`pen or `b`ot."""
    kinds = {"h": Chair("human"), "o": Chair("open"), "b": Chair("bot", LEVEL)}
    return tuple(kinds[letter] for letter in letters)


def order(game: str = "mauer", letters: str = "hhh", **more: Any) -> Order:  # noqa: ANN401
    """An order for a table; bots do not wait for anybody."""
    more.setdefault("options", {})
    more.setdefault("bot_delay_ms", 0)
    return Order(game, chairs(letters), **more)


def bytes_of(value: object) -> bytes:
    """What goes over the wire."""
    return msgspec.json.encode(value)


@contextmanager
def refused(
    error: type[Exception], match: str
) -> Generator[pytest.ExceptionInfo[Exception], None, None]:
    """Expect a request to be refused with a sentence that has this in it."""
    with pytest.raises(error) as caught:
        yield caught
    assert re.search(match, str(caught.value))


class DrivenTable:
    """A table, and what each viewer has been told of it while it happened."""

    table: Table
    viewers: tuple[Viewer, ...]

    def __init__(self, charter: Charter, sitting: dict[Seat, Guest], seed: bytes = SEED) -> None:
        """Set it up."""
        self.seed = seed
        self.now = BEGAN
        self.table = requests.set_up(charter, seed, sitting).table
        self.viewers = (None, *map(Seat, range(len(charter.chairs))))
        self.heard: dict[Viewer, list[Notice]] = {
            viewer: list(self.history(viewer)) for viewer in self.viewers
        }

    # --- Asking ------------------------------------------------------------------------------

    def do(self, write: Callable[..., object], *given: Any, key: str = "", **more: Any) -> None:  # noqa: ANN401
        """A request, as a house would take it; a log leads to the same table again."""
        pending = PendingEntries(self.table, self.seed, self.now, key)
        write(pending, *given, **more)
        before, self.table = self.table, pending.table
        for viewer, told in new_notices(before, self.table, self.heard).items():
            self.heard[viewer].extend(told)
        if self.table.seq < SHORT:
            self.check_log()

    def check_log(self) -> None:
        """The log alone must lead to the same table."""
        entries = [logged.entry for logged in self.table.log]
        assert fold(self.table.charter, entries) == self.table

    def move(self, seat: int, word: str, *, version: int | None = None, key: str = "") -> None:
        """Play a word, in answer to what this seat sees now."""
        number = self.number(seat) if version is None else version
        self.do(requests.move, Seat(seat), word, number, key=key)

    def play(self, words: str) -> None:
        """Moves such as `0:T 1:4 2:-`."""
        for word in words.split():
            who, _, what = word.partition(":")
            self.move(int(who), what)

    def take_back(self, seat: int) -> None:
        """The last move of this seat."""
        self.do(requests.take_back, Seat(seat), self.number(seat))

    def consent(self, seat: int, *, agree: bool = True) -> None:
        """Say whether somebody may take back theirs."""
        self.do(requests.consent, Seat(seat), agree=agree)

    # --- Looking -----------------------------------------------------------------------------

    def number(self, viewer: int | None) -> int:
        """How many entries a viewer has noticed."""
        return self.table.number(None if viewer is None else Seat(viewer))

    def table_view(self, viewer: int | None) -> TableView:
        """The table as a viewer sees it."""
        return table_view(self.table, None if viewer is None else Seat(viewer), self.seed)

    def legal(self, viewer: int | None) -> list[str]:
        """The words that a viewer may play."""
        return [self.table.game.write(action) for action in self.table_view(viewer).legal]

    @property
    def snapshot(self) -> Snapshot:
        """The table as it stands."""
        return Snapshot(self.table, self.seed)

    def history(self, viewer: int | None, after: int = 0) -> tuple[Notice, ...]:
        """What a viewer is told when they ask again."""
        return notices(self.table, None if viewer is None else Seat(viewer), after=after)

    def last(self, viewer: int | None) -> Notice:
        """What a viewer heard last."""
        return self.heard[None if viewer is None else Seat(viewer)][-1]

    def text(self, viewer: int | None) -> str:
        """What a viewer heard last, in sentences."""
        (message,) = notice_messages(self.table.game, [self.last(viewer)])
        return " ".join(message.text)

    def view_message(self, viewer: int | None) -> table_messages.TableMessage:
        """The table as a program gets it for a viewer."""
        return table_messages.view_message(self.snapshot, None if viewer is None else Seat(viewer))

    def fist(self, viewer: int | None, seat: int) -> Any:  # noqa: ANN401 - the game's own
        """What a viewer sees in a fist of Die Mauer."""
        view = self.table_view(viewer).view
        assert view is not None
        return view.fists[seat]

    def words(self) -> str:
        """The moves that stand: `0:T 1:4`."""
        return " ".join(f"{play.seat}:{play.word}" for play in self.table.plays)

    def seen_by(self, viewer: int | None) -> bytes:
        """Every byte that a viewer can have of it."""
        game = self.table.game
        heard = notice_messages(game, self.heard[None if viewer is None else Seat(viewer)])
        again = notice_messages(game, self.history(viewer))
        return bytes_of((self.view_message(viewer), again, heard))


def start_table(
    game: str = "mauer",
    letters: str = "hhh",
    *,
    guests: Iterable[Guest] = GUESTS,
    seed: bytes = SEED,
    **more: Any,  # noqa: ANN401 - fields of an order
) -> DrivenTable:
    """A table at which these guests sit, a guest a chair; bots have their own."""
    wanted = order(game, letters, **more)
    charter = orders.charter_for(wanted, "table", seed, BEGAN)
    sitting = {
        Seat(seat): guest
        for seat, (guest, letter) in enumerate(zip(guests, letters, strict=False))
        if letter != "b"
    }
    return DrivenTable(charter, sitting, seed)
