"""Mauerbauer, what is told and shown: the events, and the view."""

from enum import StrEnum
from typing import TypeAlias

from mauerwerk.core.game import DrawnView, Seat, Value
from mauerwerk.games.mauerbauer.board import Field, Line, Point
from mauerwerk.games.mauerbauer.guild import Card, Hand
from mauerwerk.games.mauerbauer.values import (
    City,
    Colour,
    Ending,
    Laid,
    Options,
    Roll,
    Supply,
    Tower,
)


class Appointed(Value):
    """The first player was drawn by lot."""

    seat: Seat


class Drawn(Value):
    """A player was dealt a card or drew one."""

    seat: Seat
    card: Card | None
    """None: not for you."""


class Reshuffled(Value):
    """The discard pile became the pile (MB-46)."""

    cards: int


class RolledEarly(Value):
    """A player rolled before building (MB-14)."""

    seat: Seat
    lost: int


class Built(Value):
    """A wall was built."""

    seat: Seat
    line: Line


class Rolled(Value):
    """The dice were rolled."""

    seat: Seat
    roll: Roll


class TowerPlaced(Value):
    """A tower was put on an end of the new wall."""

    seat: Seat
    point: Point
    tower: Tower


class HousePlaced(Value):
    """A house was put on a field beside the new wall."""

    seat: Seat
    field: Field
    colour: Colour


class EndDecided(Value):
    """The last piece of a kind was built, or there is no line left (MB-70, MB-13)."""

    ending: Ending


class Closed(Value):
    """A city was closed (MB-31)."""

    seat: Seat
    fields: tuple[Field, ...]


class PalacesBuilt(Value):
    """Two houses each gave way to a palace (MB-34)."""

    city: Field
    colours: tuple[Colour, ...]


class Cleared(Value):
    """What stood free in a city went back to the supply (MB-35, MB-41)."""

    city: Field
    walls: tuple[Line, ...]
    towers: tuple[tuple[Point, Tower], ...]


class Joined(Value):
    """The city just closed was joined with another, or not (MB-40)."""

    seat: Seat
    city: Field
    other: Field | None


class Played(Value):
    """A card was played and scored."""

    seat: Seat
    card: Card
    points: int


class Discarded(Value):
    """A card was discarded without scoring it."""

    seat: Seat
    card: Card


class Swapped(Value):
    """A player furthest behind put a card away."""

    seat: Seat
    card: Card


class Finished(Value):
    """A player plays or swaps no more cards."""

    seat: Seat


class Chosen(Value):
    """A player chose a city for the last scoring, or none."""

    seat: Seat
    city: Field | None


class TurnPassed(Value):
    """The dice went on clockwise."""

    builder: Seat


class GameEnded(Value):
    """All is scored; nothing is hidden any more (MB-73)."""

    points: tuple[int, ...]
    hands: tuple[Hand, ...]


Event: TypeAlias = (
    Appointed
    | Drawn
    | Reshuffled
    | RolledEarly
    | Built
    | Rolled
    | TowerPlaced
    | HousePlaced
    | EndDecided
    | Closed
    | PalacesBuilt
    | Cleared
    | Joined
    | Played
    | Discarded
    | Swapped
    | Finished
    | Chosen
    | TurnPassed
    | GameEnded
)


# --- The view --------------------------------------------------------------------------------


class Task(StrEnum):
    """What the table waits for."""

    LOT = "lot"
    DEAL = "deal"
    BUILD = "build"
    ROLL = "roll"
    ROLLED_TOWER = "rolled-tower"
    FREE_TOWER = "free-tower"
    FIRST_HOUSE = "first-house"
    SECOND_HOUSE = "second-house"
    EDGE_HOUSE = "edge-house"
    JOIN = "join"
    SCORE = "score"
    ADD = "add"
    DRAW = "draw"
    SWAP = "swap"
    CHOOSE = "choose"
    FINISH = "finish"
    NOTHING = "nothing"


class View(DrawnView):
    """The table as one seat, or a spectator, sees it now."""

    seat: Seat | None
    """Whose view it is; None for a spectator."""
    task: Task
    waiting: tuple[Seat, ...]
    board: str
    """The option: a name or a word that `board_of` reads."""
    builder: Seat | None
    """None while the lot is being drawn."""
    walls: tuple[Line, ...]
    towers: tuple[tuple[Point, Tower], ...]
    houses: tuple[tuple[Field, Colour], ...]
    cities: tuple[City, ...]
    supply: Supply
    counts: tuple[int, ...]
    hands: tuple[Hand | None, ...]
    """None: not for you."""
    worth: tuple[int, ...]
    """What each of one's own cards would score now; a city card 0 while no city is scored."""
    pile: int
    discard: Hand
    laid: tuple[Laid, ...]
    """What lies before the players while a city is scored."""
    points: tuple[int, ...]
    line: Line | None
    """The wall being built, while one is."""
    roll: Roll | None
    """The dice, until all that they showed is placed."""
    field: Field | None
    """The side of the wall that waits for the second house, while it does."""
    city: Field | None
    """The city being joined or scored, by its first field."""
    owed: tuple[Seat, ...]
    """The seats that are about to draw, one for each card."""
    swappers: tuple[Seat, ...] | None
    """The seats that may still swap; None while that is not fixed (MB-47)."""
    swapped: int
    """How many cards the first of them has put away."""
    hasty: bool
    """Whether the builder has rolled before building in this turn (MB-14)."""
    turns: int
    ending: Ending | None
    """Why the game will end, once that is decided (MB-70)."""
    last: tuple[Seat, Line] | None
    """The builder of the last wall, and its line."""
    options: Options = Options()
    """What the table agreed on; its board is the one above."""
