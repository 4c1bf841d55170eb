"""The messages of the API about evenings."""

from typing import Annotated

from msgspec import Meta, field

from mauerwerk.core.game import Value
from mauerwerk.play.evenings.values import Way
from mauerwerk.web.api.messages import Ask

Pace = Annotated[
    int, Meta(ge=0, le=86_400, description="Seconds for a decision; then a bot plays. 0: no limit.")
]
Size = Annotated[
    int, Meta(ge=0, le=6, description="People at a table; 0: as many as the game allows.")
]
Person = Annotated[int, Meta(ge=0, description="A person, by number.")]
Number = Annotated[int, Meta(ge=0, description="A round, from 0.")]


class NewEvening(Ask):
    """Somebody wants to spend an evening with others."""

    title: Annotated[str, Meta(max_length=60, description="What it is called; may be empty.")] = ""
    way: Annotated[
        Way, Meta(description="Whether everybody meets everybody, or people with similar points.")
    ] = "mixed"
    pace: Pace = 300


class AddGame(Ask):
    """The host puts a game at the end of the programme."""

    game: str
    options: dict[str, str] = field(default_factory=dict[str, str])
    size: Size = 0


class SwapPeople(Ask):
    """The host lets two people change places in the next round."""

    one: Person
    other: Person


class StartRound(Ask):
    """The host starts a round."""

    round: Number


class LeaveEvening(Ask):
    """Somebody goes home."""

    person: Annotated[
        Person | None, Meta(description="Somebody else, if you are the host; you, if left out.")
    ] = None


class EveningPerson(Value, tag=False):
    """Somebody who takes part."""

    number: int
    name: str
    here: bool
    """Whether they play the next round."""

    you: bool
    host: bool


class EveningTable(Value, tag=False):
    """A table of a round."""

    table: str
    people: tuple[int, ...]
    """The person at each seat; -1 for a bot."""

    over: bool
    ranks: tuple[int, ...]
    points: tuple[int, ...]
    stand_ins: tuple[int, ...]
    """People for whom a bot played at the end."""


class EveningRound(Value, tag=False):
    """A game of the programme."""

    game: str
    options: dict[str, str]
    size: int
    started: int
    """Milliseconds since 1970; 0 before it starts."""

    tables: tuple[EveningTable, ...]


class EveningRank(Value, tag=False):
    """A line of the ranking."""

    place: int
    person: int
    points: tuple[float | None, ...]
    """What each round brought: by place 3, 2, 1, shared by those who tie."""

    total: float


class EveningInfo(Value, tag=False):
    """An evening: who takes part, what was and what will be played, and the ranking."""

    evening: str
    title: str
    link: str
    way: Way
    pace: int
    people: tuple[EveningPerson, ...]
    rounds: tuple[EveningRound, ...]
    current: int | None
    """The round that is being played."""

    next_tables: tuple[tuple[int, ...], ...]
    """The tables of the next round: people in the order of the seats."""

    ranking: tuple[EveningRank, ...]


class EveningShort(Value, tag=False):
    """An evening in a list."""

    evening: str
    title: str
    created: int


class EveningList(Value, tag=False):
    """Evenings in which somebody takes part."""

    evenings: tuple[EveningShort, ...]
