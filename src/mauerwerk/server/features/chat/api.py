"""Chat at a table, for programs."""

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from mauerwerk.core.game import Seat
from mauerwerk.core.language import ENGLISH
from mauerwerk.server.api.operation import TABLE, Answer, Ask, Operations, Reported, Which
from mauerwerk.server.features.chat import messages, service
from mauerwerk.server.features.chat.messages import Form, Message, Side
from mauerwerk.server.http.request import Request
from mauerwerk.server.tables.charter import ChatRule
from mauerwerk.server.tables.table import Table

OPERATIONS: Final = Operations()
_encode = msgspec.json.Encoder().encode


class Listen(Ask):
    """From where on."""

    after: Annotated[int, Meta(ge=0, description="The number of the last message you know.")] = 0


class Say(Ask):
    """Something to say."""

    form: Literal["face", "phrase", "text"]
    """How it is said."""
    content: Annotated[
        str, Meta(min_length=1, max_length=messages.LONGEST_TEXT, pattern=r"^[^\x00]*$")
    ]
    """The name of the face or phrase, or the text."""
    seat: Which = None


class ReportMessage(Ask):
    """A message to report to the people who run the server, with the four before it."""

    number: Annotated[int, Meta(ge=1, description="The number of the message.")]
    text: Annotated[str, Meta(max_length=300, description="What you want to add.")] = ""


class ChatMessage(Answer):
    """Something that was said."""

    number: int
    """Greater than that of every message before it."""
    at: int
    """Milliseconds since 1970."""
    side: Side
    """Whether a player said it, or a spectator."""
    seat: Seat | None
    name: str
    by: str
    """The same for all that one speaker says at this table."""
    form: Form
    content: str
    say: str
    """What was said, in English words."""


class ChatLog(Answer):
    """What was said, in order."""

    allowed: ChatRule
    """What may be said here: also `free` text, or nothing."""
    faces: tuple[str, ...]
    phrases: tuple[str, ...]
    messages: tuple[ChatMessage, ...]


@OPERATIONS.get(f"{TABLE}/chat")
async def listen(request: Request, ask: Listen) -> ChatLog:
    """What was said at the table; players hear spectators once the game is over."""
    table = await request.host.table(request.table)
    heard = await service.heard_at(request, table)
    new = [each for each in heard if each.at > ask.after]
    return ChatLog(
        allowed=request.host.service(service.Chat).allowed_at(table),
        faces=tuple(messages.FACES),
        phrases=tuple(messages.PHRASES),
        messages=tuple(message_for_programs(request, each) for each in new),
    )


@OPERATIONS.post(f"{TABLE}/chat", status=201, example={"form": "phrase", "content": "well-built"})
async def say(request: Request, ask: Say) -> ChatMessage:
    """Say something: from your seat to the table, or among spectators."""
    speaker = service.speaker_at(request, await request.host.table(request.table), ask.seat)
    chat = request.host.service(service.Chat)
    said = await chat.say(request.table, speaker, Form(ask.form), ask.content)
    return message_for_programs(request, said)


@OPERATIONS.post(f"{TABLE}/chat/reports", example={"number": 1})
async def report_message(request: Request, ask: ReportMessage) -> Reported:
    """Tell the people who run the server what somebody said."""
    await service.report(request, ask.number, ask.text)
    return Reported()


def message_for_programs(request: Request, said: Message) -> ChatMessage:
    """A message for programs, which does not say who the guest is."""
    return ChatMessage(
        number=said.at,
        at=said.at,
        side=said.side,
        seat=said.seat,
        name=said.name,
        by=request.host.keys.speaker_key(request.table, said.guest),
        form=said.form,
        content=said.word,
        say=said.in_words(ENGLISH),
    )


def chat_frame(request: Request, table: Table, said: tuple[Message, ...]) -> bytes:
    """What was said as server-sent events, less what the caller may not hear."""
    return b"".join(
        b"event: chat\ndata: %b\n\n" % _encode(message_for_programs(request, each))
        for each in service.heard_by(request, table, said)
    )
