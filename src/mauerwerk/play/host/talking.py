"""Talk at the tables of a process: heard by all viewers once it is stored.

It goes its own way beside the moves, so that nobody who plays waits for somebody who talks.
"""

from collections.abc import Callable

from mauerwerk.play.host.live_tables import LiveTables
from mauerwerk.play.storage.store import OvertakenError, Store
from mauerwerk.play.tables import talk
from mauerwerk.play.tables.errors import NoTableError
from mauerwerk.play.tables.table import Table
from mauerwerk.play.tables.talk import Form, Message, Speaker, TalkRule


class Talking:
    """What is said at all tables."""

    def __init__(
        self, store: Store, live_tables: LiveTables, allowed: TalkRule, now: Callable[[], int]
    ) -> None:
        """At most what is `allowed` may be said at any table."""
        self._store = store
        self._live_tables = live_tables
        self.allowed: TalkRule = allowed
        self._now = now

    def allowed_at(self, table: Table) -> TalkRule:
        """What may be said at a table."""
        return talk.stricter(self.allowed, table.charter.talk)

    async def said(self, table: str) -> tuple[Message, ...]:
        """What was said at a table, as far as it is kept. Raises NoTableError."""
        live = await self._live_tables.at(table)
        if live.talk is None or self._store.shared:
            async with live.talking:
                await self._live_tables.catch_up_talk(live)
        return live.talk or ()

    async def say(self, table: str, speaker: Speaker, form: Form, word: str) -> Message:
        """Say something. Raises NoTableError and RequestError."""
        live = await self._live_tables.at(table)
        async with live.talking:
            while True:
                if live.talk is None or self._store.shared:
                    await self._live_tables.catch_up_talk(live)
                said = live.talk or ()
                number = said[-1].number + 1 if said else 1
                message = speaker.says(number, self._now(), form, word)
                talk.check(said, message, self.allowed_at(live.table))
                kept = {each.number for each in talk.trimmed((*said, message))}
                gone = [each.number for each in said if each.number not in kept]
                try:
                    await self._store.say(table, message, gone)
                except OvertakenError as fault:
                    if not await self._store.talk(table, number - 1):
                        raise NoTableError from fault  # it was deleted meanwhile
                    await self._live_tables.catch_up_talk(live)
                else:
                    live.hear((message,))
                    return message
