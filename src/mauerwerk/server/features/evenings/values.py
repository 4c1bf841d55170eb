"""An evening as it is kept: who is there, which games, who sat where, and how it ended."""

from typing import Final, Literal

import msgspec

from mauerwerk.core.game import Value

BOT: Final = -1
"""In the place of a person, for a bot that fills a table."""

MOST_PEOPLE: Final = 24
MOST_ROUNDS: Final = 30

Way = Literal["mixed", "swiss"]
"""How tables are made up: everybody meets everybody, or people with similar sums meet."""


class Person(Value, tag=False):
    """Somebody who takes part. People are told apart by their number, from 0; the host has 0."""

    number: int
    guest: str
    name: str
    left: bool = False
    """Whether they have gone home: they play no further rounds, and keep their points."""


class RoundTable(Value, tag=False):
    """A table of a round: who sits there, and how the game ended."""

    id: str
    people: tuple[int, ...]
    """The person at each seat, or `BOT`."""

    over: bool = False
    ended: int = 0
    ranks: tuple[int, ...] = ()
    """The place of each seat; empty where the game was ended without a winner."""

    points: tuple[int, ...] = ()
    stand_ins: tuple[int, ...] = ()
    """The people for whom a bot played at the end."""


class Round(Value, tag=False):
    """One game of the programme, at one or several tables at the same time."""

    game: str
    options: dict[str, str] = msgspec.field(default_factory=dict[str, str])
    size: int = 0
    """How many people are to sit at a table; 0: as many as possible."""

    swapped: tuple[tuple[int, ...], ...] = ()
    """The tables as the host has changed them; empty: as they are worked out."""

    started: int = 0
    tables: tuple[RoundTable, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether every table is done."""
        return bool(self.tables) and all(table.over for table in self.tables)


class Evening(Value, tag=False):
    """An evening."""

    title: str
    people: tuple[Person, ...] = ()
    rounds: tuple[Round, ...] = ()
    way: Way = "mixed"
    seconds_per_move: int = 300
    """Seconds for a decision; then a bot plays. 0: no limit."""

    level: str = ""
    """The level of bots that fill tables."""

    created: int = 0
    version: int = 0
    """How often it was changed."""

    @property
    def here(self) -> tuple[int, ...]:
        """The people who play the next round."""
        return tuple(person.number for person in self.people if not person.left)

    @property
    def current(self) -> int | None:
        """The round that is being played; None before the first, between two and after the last."""
        for number, each in enumerate(self.rounds):
            if each.tables and not each.is_over:
                return number
        return None

    @property
    def following(self) -> int | None:
        """The first round that was not started."""
        return next((at for at, each in enumerate(self.rounds) if not each.tables), None)

    def person_of(self, guest: str) -> Person | None:
        """The person who is this guest."""
        return next((each for each in self.people if guest and each.guest == guest), None)
