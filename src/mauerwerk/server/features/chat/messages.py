"""What is said at a table: faces, phrases that everybody reads in their own language, free text.

Chat is kept beside the log and changes nothing in it: no replay, no fairness and nothing that can
be taken back depends on it. Players chat with each other, and so do spectators; what spectators say
reaches players once the game is over. A phrase is the same words for all, whatever is on the table,
so that none can tell what somebody holds.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from mauerwerk.core.game import Seat, Value
from mauerwerk.server.engine.audience import Announcement
from mauerwerk.server.tables.charter import ChatRule
from mauerwerk.server.tables.errors import Reason, RequestError

FACES: Final = ("smile", "laugh", "wow", "hmm", "oh", "wink")

PHRASES: Final = (
    *("well-built", "thank-you", "one-moment", "hello", "good-luck", "your-turn"),
    *("well-played", "sorry", "back-soon", "good-game", "again", "goodbye"),
)

LONGEST_TEXT: Final = 200
"""The most characters of a free text."""

AT_ONCE: Final = 5
WITHIN: Final = 10_000
"""How many messages a guest may send at a table within how many milliseconds."""

ALL_AT_ONCE: Final = 40
"""How many messages all spectators of a table together may send within that time."""

CONTEXT: Final = 4
"""How many messages before one are reported with it."""


class Side(StrEnum):
    """Who chats with each other."""

    PLAYERS = "players"
    SPECTATORS = "spectators"


KEPT: Final = {Side.PLAYERS: 300, Side.SPECTATORS: 200}
"""How many messages are kept of each side of a table; older ones go."""


class Form(StrEnum):
    """How something is said."""

    FACE = "face"
    PHRASE = "phrase"
    TEXT = "text"


class Speaker(Value):
    """A guest who says something, at a seat of theirs or as a spectator."""

    guest: str
    name: str
    seat: Seat | None = None

    def says(self, number: int, at: int, form: Form, word: str) -> "Message":
        """What they say at that time, as the message of this number."""
        side = Side.SPECTATORS if self.seat is None else Side.PLAYERS
        return Message(number, at, side, self.seat, self.guest, self.name, form, word)


class Message(Announcement):
    """Something that was said."""

    number: int
    """Counts all that was said at the table, from 1."""

    at: int
    """Milliseconds since 1970."""

    side: Side
    seat: Seat | None
    guest: str
    name: str
    form: Form
    word: str
    """The name of the face or phrase, or the text."""


def check(said: Sequence[Message], message: Message, allowed: ChatRule) -> None:
    """Refuse what may not be said at this table, or not yet. Raises RequestError."""
    if allowed == "off":
        raise RequestError(Reason.CHAT_OFF)
    match message.form:
        case Form.FACE:
            fine = message.word in FACES
        case Form.PHRASE:
            fine = message.word in PHRASES
        case Form.TEXT if allowed != "free":
            raise RequestError(Reason.NO_FREE_TEXT)
        case Form.TEXT:
            fine = 0 < len(message.word) <= LONGEST_TEXT
    if not fine:
        raise RequestError(Reason.NOT_SAID_LIKE_THIS)
    lately = [each for each in said if each.at > message.at - WITHIN]
    own = sum(each.guest == message.guest for each in lately)
    watching = sum(each.side is Side.SPECTATORS for each in lately)
    if own >= AT_ONCE or (message.side is Side.SPECTATORS and watching >= ALL_AT_ONCE):
        raise RequestError(Reason.TOO_FAST)


def audible(said: Sequence[Message], *, player: bool, over: bool) -> tuple[Message, ...]:
    """What a player may hear, or a spectator: players hear spectators once the game is over."""
    return tuple(each for each in said if each.side is Side.PLAYERS or over or not player)


def with_context(said: Sequence[Message], number: int) -> tuple[Message, ...]:
    """The message of this number and the ones before it on its side; nothing, if there is none."""
    place = next((place for place, each in enumerate(said) if each.number == number), None)
    if place is None:
        return ()
    same = [each for each in said[: place + 1] if each.side is said[place].side]
    return tuple(same[-CONTEXT - 1 :])


def trimmed(said: Sequence[Message]) -> tuple[Message, ...]:
    """What is kept of what was said: of each side, the last."""
    kept = {side: [m.number for m in said if m.side is side][-most:] for side, most in KEPT.items()}
    return tuple(each for each in said if each.number in kept[each.side])
