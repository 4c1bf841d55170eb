"""What a page shows of a game that is over, ready for the template."""

from mauerwerk.core.game import Seat, Value


class Place(Value):
    """A seat, its place and its points, and what it is called."""

    rank: int
    seat: Seat
    name: str
    points: int


class Best(Value):
    """The moment that was best for a seat."""

    turn: int
    at: int
    """The position in which one sees what came of it."""

    stop: int
    """The place of that turn's end among all ends."""

    told: str
    effect: str


class EndRow(Value):
    """A seat in the table of places."""

    place: Place
    note: str
    points: tuple[int, ...]
    """By source."""


class Legend(Value):
    """A source, and the hatching of its part of a bar."""

    title: str
    swatch: str


class GameCourse(Value):
    """The course of the game: everybody's chances, or points as long as these are not known."""

    title: str
    picture: str
    is_chances: bool


class GameEnd(Value):
    """All that a page shows of a game that is over."""

    headline: str
    reason: str
    others: str
    says: str
    """The one sentence for readers who hear the page."""

    rows: tuple[EndRow, ...]
    towers: str
    """The places as towers; empty where the table itself is shown instead."""

    bars: str
    legend: tuple[Legend, ...]
    course: GameCourse | None
    progress: int | None
    """How far the chances are worked out, in per cent; None where nobody asked, or it failed."""

    best: Best | None
    hero: Seat
    last: int
    """The last position."""

    board: str
    """The table, small."""
