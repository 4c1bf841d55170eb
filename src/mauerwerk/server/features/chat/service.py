"""Talk at the tables of a process: heard by all viewers once it is stored.

It goes its own way beside the moves, so that nobody who plays waits for somebody who talks.
"""

from collections.abc import Callable

from mauerwerk.server.database.store import OvertakenError, Store
from mauerwerk.server.engine.live_tables import LiveTables
from mauerwerk.server.features.chat import messages
from mauerwerk.server.features.chat.messages import Form, Message, Speaker
from mauerwerk.server.tables.charter import TalkRule
from mauerwerk.server.tables.errors import NoTableError
from mauerwerk.server.tables.table import Table


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
        return messages.stricter(self.allowed, table.charter.talk)

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
                messages.check(said, message, self.allowed_at(live.table))
                kept = {each.number for each in messages.trimmed((*said, message))}
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
