"""Chat at the tables of a process, beside the moves: viewers get a message once it is stored."""

import asyncio
from collections.abc import Sequence
from weakref import WeakKeyDictionary

from mauerwerk.core.game import Seat, Value
from mauerwerk.core.language import ENGLISH
from mauerwerk.server.database.errors import OvertakenError
from mauerwerk.server.engine import audience, events
from mauerwerk.server.engine.host import Host
from mauerwerk.server.engine.live_tables import LiveTable
from mauerwerk.server.features.chat import messages
from mauerwerk.server.features.chat.messages import Form, Message, Side, Speaker
from mauerwerk.server.features.chat.store import messages_at, say
from mauerwerk.server.features.moderation.service import send_report
from mauerwerk.server.features.moderation.state import Subject
from mauerwerk.server.http.identity import cleaned, guest_in
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.seats import seats_played
from mauerwerk.server.tables import errors, table_views
from mauerwerk.server.tables.charter import ChatRule, Guest, stricter
from mauerwerk.server.tables.table import Status, Table


class ChatSettings(Value, tag=False):
    """What people may say at tables."""

    allowed: ChatRule = "phrases"
    """Smileys and `phrases`; also `free` text, where a table wants it; or `off`."""


class _Conversation:
    """What was said at a table in memory."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.messages: tuple[Message, ...] | None = None
        """None until somebody asks."""

        self.told: int | None = None
        """The number of the last message that viewers know."""


class Chat:
    """What is said at all tables."""

    def __init__(self, host: Host, allowed: ChatRule) -> None:
        """At most what is `allowed` may be said at any table."""
        self._host = host
        self.allowed: ChatRule = allowed
        self._conversations: WeakKeyDictionary[LiveTable, _Conversation] = WeakKeyDictionary()
        host.events.subscribe(events.NamesChanged, self._forget_names)
        host.events.subscribe(events.WrittenElsewhere, self._read_on)

    def allowed_at(self, table: Table) -> ChatRule:
        """What may be said at a table."""
        return stricter(self.allowed, table.charter.chat)

    async def said(self, table: str) -> tuple[Message, ...]:
        """What was said at a table, as far as it is kept. Raises NoTableError."""
        live = await self._host.live_tables.at(table)
        conversation = self._at(live)
        if conversation.messages is None or self._host.store.shared:
            async with conversation.lock:
                await self._catch_up(live, conversation)
        return conversation.messages or ()

    async def prepare(self, table: str) -> None:
        """Know what was said before somebody follows the table: they are told what comes next."""
        live = await self._host.live_tables.at(table)
        if self._at(live).messages is None:
            await self.said(table)

    async def say(self, table: str, speaker: Speaker, form: Form, word: str) -> Message:
        """Say one line without anything invisible. Raises NoTableError and RequestError."""
        word = cleaned(word, messages.LONGEST_TEXT) if form is Form.TEXT else word
        live, store = await self._host.live_tables.at(table), self._host.store
        conversation = self._at(live)
        async with conversation.lock:
            while True:
                if conversation.messages is None or store.shared:
                    await self._catch_up(live, conversation)
                said = conversation.messages or ()
                number = said[-1].number + 1 if said else 1
                at = max(self._host.now(), said[-1].at + 1 if said else 0)
                message = speaker.says(number, at, form, word)
                messages.check(said, message, self.allowed_at(live.table))
                kept = {each.number for each in messages.trimmed((*said, message))}
                gone = [each.number for each in said if each.number not in kept]
                try:
                    await say(store, table, message, gone)
                except OvertakenError as fault:
                    if not await messages_at(store, table, number - 1):
                        raise errors.NoTableError from fault  # it was deleted meanwhile
                    await self._catch_up(live, conversation)
                else:
                    _tell(live, conversation, (message,))
                    return message

    def _at(self, live: LiveTable) -> _Conversation:
        return self._conversations.setdefault(live, _Conversation())

    async def _catch_up(self, live: LiveTable, conversation: _Conversation) -> None:
        """Read what others have said. The lock of the conversation must be held."""
        last = conversation.messages[-1].number if conversation.messages else 0
        said = await messages_at(self._host.store, live.table.charter.id, last)
        _tell(live, conversation, said)

    async def _read_on(self, event: events.WrittenElsewhere) -> None:
        conversation = self._at(event.live)
        if conversation.told is not None:
            async with conversation.lock:
                await self._catch_up(event.live, conversation)

    def _forget_names(self, _event: events.NamesChanged) -> None:
        """Read again what was said: somebody is called otherwise now."""
        for conversation in self._conversations.values():
            conversation.messages = None


def _tell(live: LiveTable, conversation: _Conversation, said: tuple[Message, ...]) -> None:
    """This was said, and the store has it: tell everybody what they do not know yet."""
    conversation.messages = messages.trimmed((*(conversation.messages or ()), *said))
    last = conversation.messages[-1].number if conversation.messages else 0
    known = last if conversation.told is None else conversation.told
    if new := tuple(each for each in said if each.number > known):
        live.audience.announce(new, live.snapshot())
    conversation.told = last


def messages_in(batch: audience.NoticeBatch) -> tuple[Message, ...]:
    """What people said, of all that viewers are told."""
    return tuple(each for each in batch.announcements if isinstance(each, Message))


# --- For pages and programs alike ------------------------------------------------------------


def heard_by(request: Request, table: Table, said: Sequence[Message]) -> tuple[Message, ...]:
    """What of this the caller may hear now; spectators who are behind hear players later."""
    player = bool(seats_played(request, table))
    heard = messages.audible(said, player=player, over=table.status is Status.OVER)
    if player or not table_views.is_late(table):
        return heard
    last = table_views.seen_until(table)
    return tuple(each for each in heard if each.side is Side.SPECTATORS or each.at <= last)


def speaker_at(request: Request, table: Table, wanted: int | None) -> Speaker:
    """As whom the caller speaks: from a seat of theirs, or as a spectator. Raises HttpError."""
    own = seats_played(request, table)
    if not own:
        guest = guest_in(request)
        return Speaker(guest.id, guest.name)
    seat = Seat(wanted) if wanted is not None and wanted in own else own[0]
    occupant = table.occupants[seat]
    return Speaker(occupant.guest, occupant.name, seat)


async def heard_at(request: Request, table: Table) -> tuple[Message, ...]:
    """All that the caller may hear at the table of the request."""
    said = await request.host.service(Chat).said(table.charter.id)
    return heard_by(request, table, said)


async def report(request: Request, at: int, text: str = "") -> None:
    """Report what somebody said, with what came before it. Raises HttpError and RequestError."""
    table = await request.host.table(request.table)
    heard = await heard_at(request, table)
    quoted = messages.with_context(heard, at)
    if not quoted:
        raise errors.RequestError(errors.Reason.NOTHING_SAID)
    told, speaker = quoted[-1], speaker_at(request, table, None)
    await send_report(
        request,
        table,
        about=Subject.CHAT,
        reporter=Guest(speaker.guest, speaker.name),
        whom=Guest(told.guest, told.name),
        seat=told.seat,
        text=cleaned(text, messages.LONGEST_TEXT),
        said="\n".join(f"{each.name}: {each.in_words(ENGLISH)}" for each in quoted),
    )
