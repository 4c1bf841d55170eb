"""What happens at a host, as typed events: features subscribe to them, and the host names none.

    host.events.subscribe(GameEnded, worker.game_ended)

Handlers run in the order in which they subscribed, on the event loop, and must not take long. An
event says what is already so: what it tells of is on disk.
"""

import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

import msgspec

from mauerwerk.server.engine.live_tables import LiveTable
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.tables.log import Entry
from mauerwerk.server.tables.table import Table

_log = logging.getLogger(__name__)


class Event(msgspec.Struct, frozen=True):
    """Something that happened."""


class EntriesStored(Event, frozen=True):
    """Entries of a table's log are on disk."""

    entries: Sequence[Entry]
    seconds: float
    """How long it took."""


class TableChanged(Event, frozen=True):
    """A table in memory has new entries; bots and clocks go on after this."""

    live: LiveTable


class GameEnded(Event, frozen=True):
    """A game is over."""

    table: Table


class WrittenElsewhere(Event, frozen=True):
    """Another process has written something about a table that is in memory here."""

    live: LiveTable


class AuditLogGrew(Event, frozen=True):
    """This process has added to the audit log; handlers are awaited."""


class GuestRenamed(Event, frozen=True):
    """A guest with several devices has taken another name; handlers are awaited."""

    guest: Guest


class AccessChanged(Event, frozen=True):
    """Somebody else may enter than before: blocks, sign-ins or keys have changed."""


class NamesChanged(Event, frozen=True):
    """Players have other names now, also in what was told before."""


E = TypeVar("E", bound=Event)
Handler = Callable[[E], Awaitable[object] | None]


class Events:
    """Who wants to know of which events."""

    def __init__(self) -> None:
        self._handlers: defaultdict[type[Event], list[Handler[Any]]] = defaultdict(list)

    def subscribe(self, kind: type[E], handler: Handler[E]) -> None:
        """Call this from now on whenever such an event is published."""
        self._handlers[kind].append(handler)

    def publish(self, event: Event) -> None:
        """Tell all who want to know; where one of them fails, the others are told all the same."""
        for handler in self._handlers[type(event)]:
            try:
                handler(event)
            except Exception:  # noqa: BLE001 - what happened is on disk, whatever a feature does
                _log.exception("a feature failed after %s", type(event).__name__)

    async def publish_and_wait(self, event: Event) -> None:
        """Tell all who want to know, and go on when they have dealt with it."""
        for handler in self._handlers[type(event)]:
            waiting = handler(event)
            if waiting is not None:
                await waiting
