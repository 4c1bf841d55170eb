"""The messages of the API. Tables, notices and cards are values of `play` and not repeated here."""

from typing import Annotated, Literal

from msgspec import Meta, field

from mauerwerk.core.game import Value
from mauerwerk.core.options import Option
from mauerwerk.server.api.table_messages import Notice
from mauerwerk.server.http.identity import LONGEST_NAME
from mauerwerk.server.tables.charter import Chair, Chance, TalkRule
from mauerwerk.server.tables.clocks import Clock
from mauerwerk.server.tables.table import Card, Status

Key = Annotated[
    str,
    Meta(
        max_length=64,
        pattern=r"^[^\x00]*$",
        description="Yours to choose, new each time; who asks again with the same key gets the "
        "same answer, and it is done once.",
    ),
]
Which = Annotated[
    int | None,
    Meta(description="Which of your seats; not needed where you have one."),
]
Viewing = Annotated[
    int | Literal["none"] | None,
    Meta(
        description="Through whose eyes: a seat of yours, or `none` for a spectator. "
        "Yours, where you have one; a spectator's, where you have none."
    ),
]
Version = Annotated[
    int, Meta(ge=0, description="The `number` of the table view or notice that this answers.")
]
Count = Annotated[int, Meta(ge=1, le=100, description="How many at most.")]
Before = Annotated[
    Annotated[int, Meta(ge=0, le=2**53)] | None,
    Meta(description="Only tables changed before this: `changed` of the last one you have."),
]


# --- Asked -----------------------------------------------------------------------------------


class Ask(Value, tag=False):
    """What a request brings: the fields of its body, or of its query."""


class Nothing(Ask):
    """No fields."""


class Forget(Ask):
    """Somebody wants to be forgotten."""

    sure: Annotated[bool, Meta(description="It cannot be undone.")]


class NewGuest(Ask):
    """Somebody wants to be known by a name."""

    name: Annotated[
        str, Meta(min_length=1, max_length=LONGEST_NAME, description="How others see you.")
    ]


class Browse(Ask):
    """Which tables to list."""

    status: Status = Status.OPEN
    before: Before = None
    most: Count = 50


class BrowseOwn(Ask):
    """Which of one's own tables to list."""

    before: Before = None
    most: Count = 50


class NewTable(Ask):
    """How a table shall be set up."""

    game: Annotated[str, Meta(description="One of `/api/games`.")]
    chairs: Annotated[
        tuple[Chair, ...],
        Meta(
            max_length=32,
            description="One chair per seat: `open` for anybody, `human` for the person with "
            "its link, `bot` with a level.",
        ),
    ]
    options: Annotated[dict[str, str], Meta(description="The game's own, as words.")] = field(
        default_factory=dict[str, str]
    )
    mine: Annotated[
        tuple[int, ...], Meta(max_length=32, description="The seats that you take yourself.")
    ] = ()
    public: Annotated[bool, Meta(description="Whether the lobby lists it.")] = False
    pace: Annotated[
        int, Meta(ge=0, le=1_000_000, description="Seconds for a decision; 0: no limit.")
    ] = 0
    clock: Annotated[
        Clock,
        Meta(
            description="Instead of a pace: `total` seconds for each player's game, with an "
            "`increment` for each decision. Beside a pace of a day or more: `days_off`, and the "
            "minute of the day in UTC at which the `night` begins."
        ),
    ] = Clock()
    tempo: Annotated[
        int, Meta(ge=0, le=60_000, description="Milliseconds that a bot lets pass.")
    ] = 800
    hints: Annotated[bool, Meta(description="Whether a seat may ask for advice.")] = True
    rated: Annotated[
        bool | None,
        Meta(
            description="Whether the game changes ratings, which hints, real dice and a given"
            " beginning rule out. null: if it is played against the clock and nothing does."
        ),
    ] = None
    chance: Annotated[
        Chance,
        Meta(
            description="Who rolls and deals: `house`; `dice`, where people enter what everybody "
            "sees; `all`, where you enter all of nature's moves."
        ),
    ] = "house"
    delay: Annotated[
        int,
        Meta(
            ge=-1,
            le=1_000,
            description="By how many moves spectators are behind; -1: they see nothing before the "
            "end.",
        ),
    ] = 0
    talk: Annotated[
        TalkRule,
        Meta(description="What may be said: `phrases` and faces; also `free` text; or `off`."),
    ] = "phrases"
    moves: Annotated[
        str,
        Meta(description="Words of a record with which the game begins, such as `~:@2 0:T`."),
    ] = ""


class Look(Ask):
    """Through whose eyes."""

    seat: Viewing = None


class LookBack(Ask):
    """Through whose eyes, and from where on."""

    seat: Viewing = None
    after: Annotated[int, Meta(ge=0, description="What you have already been told.")] = 0
    most: Annotated[int, Meta(ge=1, le=500, description="How many notices at most.")] = 200


class Follow(Ask):
    """Through whose eyes, and from where on; the header `Last-Event-ID` says it too."""

    seat: Viewing = None
    after: Annotated[
        Annotated[int, Meta(ge=0)] | None,
        Meta(description="What you have already been told; else from now on."),
    ] = None
    talk: Annotated[
        bool, Meta(description="Whether to send what is said, too, as events named `talk`.")
    ] = False


class FollowGame(Ask):
    """Whether to follow a game."""

    follow: Annotated[bool, Meta(description="False: no longer.")] = True


class Sit(Ask):
    """Which seat to take."""

    seat: Annotated[int | None, Meta(description="An open seat; any, where none is named.")] = None
    key: Key = ""


class Claim(Ask):
    """The secret of a personal link, and who comes by it."""

    token: Annotated[str, Meta(max_length=200, description="The last part of a personal link.")]
    name: Annotated[
        str,
        Meta(
            max_length=LONGEST_NAME,
            description="How others see you, if you are no guest yet.",
        ),
    ] = ""


class Leave(Ask):
    """Who leaves, or comes back."""

    seat: Which = None
    key: Key = ""


class HandOver(Ask):
    """Which bot plays for whom."""

    level: Annotated[str, Meta(max_length=64, description="One of `levels` in `/api/games`.")]
    seat: Which = None
    key: Key = ""


class Move(Ask):
    """A word of the game's notation."""

    word: Annotated[str, Meta(max_length=200, description="One of `legal` in the scene.")]
    version: Version
    seat: Which = None
    key: Key = ""


class Enter(Ask):
    """What was rolled, drawn or dealt, as a word of nature's."""

    word: Annotated[
        str, Meta(max_length=200, description="As a record has it behind `~:`, such as `*Wgr`.")
    ]
    version: Version
    seat: Which = None
    key: Key = ""


class Undo(Ask):
    """Whose last move is taken back."""

    version: Version
    seat: Which = None
    key: Key = ""


class Consent(Ask):
    """Whether a move may be taken back."""

    agree: bool
    seat: Which = None
    key: Key = ""


class NewReport(Ask):
    """What to tell the people who run the server."""

    seat: Annotated[int | None, Meta(description="Whose seat; none: the whole table.")] = None
    about: Annotated[
        Literal["name", "behaviour", "table"], Meta(description="What it is about.")
    ] = "behaviour"
    text: Annotated[str, Meta(max_length=300, description="What happened, if you like.")] = ""


class Advise(Ask):
    """Whom to advise."""

    seat: Which = None


# --- Answered --------------------------------------------------------------------------------


class Answer(Value, tag=False):
    """What a request gets."""


class Level(Answer):
    """A level of bots."""

    name: str
    title: str
    character: str
    seconds: Annotated[float, Meta(description="How long it may think over a decision.")]


class GameInfo(Answer):
    """A game that can be played."""

    name: str
    title: str
    rules: Annotated[int, Meta(description="The revision of its rules.")]
    seats: tuple[int, ...]
    options: tuple[Option, ...]
    levels: tuple[Level, ...]


class Games(Answer):
    """All games."""

    games: tuple[GameInfo, ...]


class Known(Answer):
    """A guest."""

    guest: str
    name: str


class Welcome(Answer):
    """A new guest, and the token by which to know them again: show it to nobody."""

    guest: str
    name: str
    token: str


class Ended(Answer):
    """A game was ended without a winner."""

    table: str


class Forgotten(Answer):
    """What was deleted."""

    tables: int
    """From how many tables the name was removed."""


class Tables(Answer):
    """Tables, those changed last first."""

    tables: tuple[Card, ...]


class Link(Answer):
    """The way to a seat. Anybody who has it can play there."""

    seat: int
    link: str
    token: str


class Opened(Answer):
    """A new table, and the links to the seats that are kept for somebody."""

    table: str
    link: str
    seats: tuple[Link, ...]


class Done(Answer):
    """It is done, and on disk."""

    number: Annotated[int, Meta(description="The number of your notice of it.")]


class Seated(Answer):
    """You have a seat, and its token for programs that play there."""

    number: int
    seat: int
    token: str


class Story(Answer):
    """What was told, in order."""

    notices: tuple[Notice, ...]
    more: bool
    """Whether there are others: ask again, with the last number as `after`."""


class Reported(Answer):
    """The people who run the server will see it."""

    reported: bool = True


class Followed(Answer):
    """Whether you follow the game."""

    follows: bool


class Watchers(Answer):
    """Who watches, at this server."""

    names: tuple[str, ...]
    guests: int
    """Those without a name, or who do not want to be seen."""


class Elsewhere(Answer):
    """The table at which it goes on."""

    table: str


class Advice(Answer):
    """A move that a bot would think about."""

    word: str
    say: str
    value: Annotated[
        float | None,
        Meta(description="The chance to win, from 0 to 1; null where a bot only chose a move."),
    ]
    reason: str


class Advices(Answer):
    """What a bot would think about, the best first."""

    hints: tuple[Advice, ...]
