"""An evening as a page shows it to one reader."""

from typing import Literal

from mauerwerk.core.game import Value


class Mark(Value):
    """A person as they are shown beside others: a name and a mason's mark."""

    name: str
    mark: int
    number: int = -1
    you: bool = False
    bot: bool = False
    """Whether a bot plays, for itself or for the person."""


class Step(Value):
    """A game of the programme."""

    number: int
    thumb: str
    title: str
    told: str
    state: Literal["done", "now", "next"]
    at: int = 0
    """When it began or ended, in milliseconds since 1970."""

    clock: str = ""
    """The same for a page without a script."""


class TableNow(Value):
    """A table of the round that is being played."""

    number: int
    thumb: str
    told: str
    link: str
    people: tuple[Mark, ...]
    mine: bool
    over: bool
    percent: int
    """How much of it is played, about; 0 where that is not known."""


class RankRow(Value):
    """A line of the ranking."""

    place: int
    person: Mark
    cells: tuple[str, ...]
    total: str
    note: str
    gone: bool


class Next(Value):
    """The round that comes next."""

    number: int
    title: str
    more: str
    tables: tuple[tuple[Mark, ...], ...]
    ready: bool
    """Whether it can be started."""

    why: str
    """What the host has to know before it starts."""


class Past(Value):
    """A round that is over, in one line."""

    number: int
    title: str
    told: str
    links: tuple[str, ...]
    """Its tables."""


class EveningLine(Value):
    """An evening in a list."""

    link: str
    title: str
    told: str


class EveningPage(Value):
    """Everything on the page."""

    id: str
    title: str
    where: str
    told: str
    address: str
    steps: tuple[Step, ...]
    now: tuple[TableNow, ...]
    rows: tuple[RankRow, ...]
    columns: tuple[int, ...]
    """The rounds that the ranking shows, from 1."""

    lead: str
    """Who is first, as it is announced when it changes."""

    following: Next | None
    past: tuple[Past, ...]
    host: bool
    """Whether the reader is the host."""

    takes_part: bool
    was_there: bool
    """Whether the reader went home."""

    host_name: str
    here: tuple[Mark, ...]
    over: bool
    way: str
