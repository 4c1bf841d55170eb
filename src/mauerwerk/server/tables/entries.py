"""The log of a table: what was agreed at the start, and everything that happened since, in order.

The log is the truth. Where pieces lie, who sits where, who won: all of it follows from the charter
and the entries, and can be worked out again at any time.
"""

from enum import StrEnum
from typing import Final, Literal

from mauerwerk.core.game import Seat, Value
from mauerwerk.server.features.chat.messages import TalkRule
from mauerwerk.server.tables.clocks import Clock

GONE: Final = "-"
"""In the place of a guest who was forgotten; no guest has this id."""

ANONYMOUS: Final = "Anonymous"
"""The name of a guest who was forgotten."""


class Chair(Value):
    """What a seat is set out for: anybody, somebody with its link, or a bot of some level."""

    kind: Literal["open", "human", "bot"]
    level: str = ""


class Charter(Value):
    """What a table agrees on when it is set up. It never changes."""

    id: str
    """The table's name in links; it cannot be guessed."""

    game: str
    rules: int
    options: dict[str, str]
    """The game's options, as words."""

    chairs: tuple[Chair, ...]
    public: bool
    """Whether the lobby lists it."""

    pace: int
    """Seconds for a decision; then a bot plays for the seat. 0: no limit."""

    tempo: int
    """Milliseconds that a bot lets pass before it acts, so that people can follow."""

    hints: bool
    """Whether a seat may ask a bot for advice."""

    commitment: str
    """The hash of the seed that all of nature's moves come from."""

    created: int
    """Milliseconds since 1970."""

    before: str = ""
    """The table of which this is the rematch."""

    opener: str = ""
    """The guest who set it up and hands out the links of its seats. This is told to nobody."""

    moves: tuple[str, ...] = ()
    """Words of a record with which the game begins; they were given, not played or drawn here."""

    chance: Literal["house", "dice", "all"] = "house"
    """Where nature's moves come from (`server.tables.chance`)."""

    clock: Clock = Clock()
    """How time is measured, beside the pace."""

    delay: int = 0
    """By how many moves spectators are behind; -1: they see nothing before the end."""

    talk: TalkRule = "phrases"
    """What may be said at the table."""

    rated: bool = False
    """Whether the game changes the ratings of its players."""

    language: str = ""
    """The language of the player who set it up; empty where nobody said."""

    evening: str = ""
    """The evening to which it belongs. Only its players are told."""

    @property
    def given(self) -> int:
        """How many moves were given: the first plays of the table, which cannot be taken back."""
        return len(self.moves)


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


class Status(StrEnum):
    """How far a table is."""

    OPEN = "open"
    """A seat is still free."""

    RUNNING = "running"
    OVER = "over"


class Card(Value):
    """A table as the lobby shows it; nothing on it is a secret."""

    id: str
    game: str
    seats: int
    public: bool
    status: Status
    created: int
    changed: int
    names: tuple[str, ...]
    """The name of each player; empty for a free seat."""

    levels: tuple[str, ...]
    """The level of the bot that plays for a seat; empty where a person does."""

    waiting: tuple[Seat, ...] = ()
    """Whose turn it is."""

    due: int | None = None
    """When the table acts by itself: a bot moves, or a player's time is up."""

    ranks: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    """How it ended, seat by seat."""

    pace: int = 0
    """Seconds for a decision; 0: no limit."""

    clock: Clock = Clock()
    rated: bool = False
    language: str = ""
    """The language of the player who set it up."""

    turn: int = 0
    """When the present question was put, in milliseconds since 1970."""

    late: bool = False
    """Whether spectators see the game later than those who play, or not at all."""
