"""What is said at a table: faces, phrases that everybody reads in their own language, free text.

Chat is kept beside the log and changes nothing in it: no replay, no fairness and nothing that can
be taken back depends on it. Players chat with each other, and so do spectators; what spectators say
reaches players once the game is over. A phrase is the same words for all, whatever is on the table,
so that none can tell what somebody holds.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

from mauerwerk.core.game import Seat, Value
from mauerwerk.core.language import Language, message
from mauerwerk.server.engine.audience import Announcement
from mauerwerk.server.tables.charter import ChatRule
from mauerwerk.server.tables.errors import Reason, RequestError

PHRASES: Final[Mapping[str, str]] = {
    "well-built": message("Well built!"),
    "thank-you": message("Thank you"),
    "one-moment": message("One moment"),
    "hello": message("Hello!"),
    "good-luck": message("Good luck, everybody!"),
    "your-turn": message("It is your turn"),
    "well-played": message("Well played!"),
    "sorry": message("Sorry!"),
    "back-soon": message("I will be right back"),
    "good-game": message("A fine game"),
    "again": message("Another game?"),
    "goodbye": message("Goodbye!"),
}
"""Each phrase; everybody reads it in their own language."""

FACES: Final[Mapping[str, str]] = {
    "smile": message("Smile"),
    "laugh": message("Laugh"),
    "wow": message("Surprised"),
    "hmm": message("Let me think"),
    "oh": message("Oh no"),
    "wink": message("Wink"),
}
"""What each face is called."""

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
    """Counts all that was said at the table, from 1. It is told to nobody, or players could count
    what spectators say."""
    at: int
    """Milliseconds since 1970; later than all that was said at the table before, so that others
    know a message by it."""
    side: Side
    seat: Seat | None
    guest: str
    name: str
    form: Form
    word: str
    """The name of the face or phrase, or the text."""

    def in_words(self, language: Language) -> str:
        """What was said, in words."""
        known = {Form.FACE: FACES, Form.PHRASE: PHRASES, Form.TEXT: {}}[self.form]
        return language(known[self.word]) if self.word in known else self.word


def check(said: Sequence[Message], new: Message, allowed: ChatRule) -> None:
    """Refuse what may not be said at this table, or not yet. Raises RequestError."""
    if allowed == "off":
        raise RequestError(Reason.CHAT_OFF)
    match new.form:
        case Form.FACE:
            fine = new.word in FACES
        case Form.PHRASE:
            fine = new.word in PHRASES
        case Form.TEXT if allowed != "free":
            raise RequestError(Reason.NO_FREE_TEXT)
        case Form.TEXT:
            fine = 0 < len(new.word) <= LONGEST_TEXT
    if not fine:
        raise RequestError(Reason.NOT_SAID_LIKE_THIS)
    lately = [each for each in said if each.at > new.at - WITHIN]
    own = sum(each.guest == new.guest for each in lately)
    watching = sum(each.side is Side.SPECTATORS for each in lately)
    if own >= AT_ONCE or (new.side is Side.SPECTATORS and watching >= ALL_AT_ONCE):
        raise RequestError(Reason.TOO_FAST)


def audible(said: Sequence[Message], *, player: bool, over: bool) -> tuple[Message, ...]:
    """What a player may hear, or a spectator: players hear spectators once the game is over."""
    return tuple(each for each in said if each.side is Side.PLAYERS or over or not player)


def with_context(said: Sequence[Message], at: int) -> tuple[Message, ...]:
    """The message of this time and the ones before it on its side; nothing, if there is none."""
    place = next((place for place, each in enumerate(said) if each.at == at), None)
    if place is None:
        return ()
    same = [each for each in said[: place + 1] if each.side is said[place].side]
    return tuple(same[-CONTEXT - 1 :])


def trimmed(said: Sequence[Message]) -> tuple[Message, ...]:
    """What is kept of what was said: of each side, the last."""
    kept = {side: [m.number for m in said if m.side is side][-most:] for side, most in KEPT.items()}
    return tuple(each for each in said if each.number in kept[each.side])
