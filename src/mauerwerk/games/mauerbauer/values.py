"""Mauerbauer, what it is made of: pieces, options, actions and phases, in the rulebook's words."""

from collections.abc import Mapping
from enum import Enum, StrEnum
from functools import cache, lru_cache
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta

from mauerwerk.core.game import Seat, Value
from mauerwerk.core.language import message
from mauerwerk.core.options import FILE, PRINTED, SEAT, house_rule, named, numbered, numbers
from mauerwerk.games.mauerbauer.board import OWN, Field, Line, Point
from mauerwerk.games.mauerbauer.guild import COPIES, KINDS, POINTS, Card, Hand


class Tower(Enum):
    """A tower; the value is its word (MB-2)."""

    WHITE = "W"
    GREY = "G"
    BLACK = "B"

    # Each member is one object, so that this is enough; Enum's own hash is eight times slower.
    __hash__ = object.__hash__


class Colour(Enum):
    """The colour of a house or palace; the value is its word (MB-2)."""

    YELLOW = "y"
    GREEN = "g"
    BLUE = "b"
    PINK = "p"
    RED = "r"
    __hash__ = object.__hash__


TOWERS: Final = tuple(Tower)
COLOURS: Final = tuple(Colour)
FirstSeat: TypeAlias = Annotated[int, Meta(ge=0, le=3)]

BOARD_NAMES: Final = (
    ("default", message("the usual board")),
    ("small", message("a small board")),
    ("large", message("a large board")),
)
"""The boards that come with the game, as a form calls them."""


class Options(Value):
    """What a table chooses."""

    first: Annotated[
        FirstSeat | Literal["lot"],
        Meta(description="who builds the first wall (MB-8)", extra=SEAT),
    ] = "lot"
    board: Annotated[
        str,
        Meta(
            pattern=r"^\S+$",
            description="default, small, large, or one in letters (MB-6)",
            extra=FILE | named(BOARD_NAMES, OWN),
        ),
    ] = "default"
    early: Annotated[
        bool, Meta(description="whether one may roll before building, for a point (MB-14)")
    ] = False
    walls: Annotated[int, house_rule("walls in the box (MB-2)", 1, 100)] = 33
    towers: Annotated[int, house_rule("towers of each colour (MB-2)", 1, 30)] = 10
    houses: Annotated[int, house_rule("houses of each colour (MB-2)", 1, 30)] = 12
    palaces: Annotated[int, house_rule("palaces of each colour (MB-2)", 0, 12)] = 3
    tower_colours: Annotated[
        int, house_rule("colours of towers, and on their die (MB-3)", 1, 3)
    ] = 3
    colours: Annotated[int, house_rule("colours of houses, and on their dice (MB-3)", 1, 5)] = 5
    hand: Annotated[int, house_rule("cards dealt to each player (MB-8)", 1, 15)] = 6
    deck: Annotated[
        str,
        house_rule(
            "how many there are of each guild card (MB-7)",
            **numbered({card.value: COPIES for card in KINDS}, 0, 4),
        ),
    ] = PRINTED
    points: Annotated[
        str,
        house_rule("what guild cards score (MB-50 to MB-64)", **numbered(POINTS, 0, 20)),
    ] = PRINTED


def points_of(options: Options) -> Mapping[str, int]:
    """What guild cards score, by the names of `guild.POINTS`."""
    return _points(options.points)


@lru_cache(maxsize=64)
def _points(word: str) -> Mapping[str, int]:
    return numbers(Options, "points", word)


@lru_cache(maxsize=64)
def deck_of(options: Options) -> Hand:
    """All guild cards of this table, in canonical order (MB-7)."""
    copies = numbers(Options, "deck", options.deck)
    return tuple(card for card in KINDS for _ in range(copies[card.value]))


# --- Actions ---------------------------------------------------------------------------------


class Appoint(Value):
    """Nature draws the first player by lot (MB-8)."""

    seat: Seat


class Deal(Value):
    """Nature gives this card to the player who draws (MB-8, MB-45, MB-47)."""

    card: Card


class RollEarly(Value):
    """Roll before building; it costs a point and counts for nothing (MB-14)."""


class Build(Value):
    """Build a wall on this line (MB-11)."""

    line: Line


class Roll(Value):
    """Nature rolls the dice, which are told apart (MB-3, MB-19)."""

    tower: Tower | None
    """None: the tower die was left out (MB-20)."""
    houses: tuple[Colour | None, Colour | None]
    """None is the face `?`."""


FACES: Final = (*COLOURS, None)
"""The six faces of a house die; None is `?` (MB-3)."""
HOUSE_ROLLS: Final = tuple(Roll(None, (one, other)) for one in FACES for other in FACES)
FULL_ROLLS: Final = tuple(Roll(tower, roll.houses) for tower in TOWERS for roll in HOUSE_ROLLS)
"""All rolls, each as likely; every tower colour is on two faces (MB-3, MB-19)."""


@cache
def house_rolls(colours: int) -> tuple[Roll, ...]:
    """All rolls of house dice with this many colours, and a face `?` each."""
    faces = {*COLOURS[:colours], None}
    return tuple(roll for roll in HOUSE_ROLLS if faces.issuperset(roll.houses))


@cache
def full_rolls(towers: int, colours: int) -> tuple[Roll, ...]:
    """All rolls of the three dice with this many colours."""
    rolls = house_rolls(colours)
    return tuple(Roll(tower, roll.houses) for tower in TOWERS[:towers] for roll in rolls)


class PlaceTower(Value):
    """Put a tower on an end of the new wall (MB-21, MB-22)."""

    point: Point
    tower: Tower


class PlaceHouse(Value):
    """Put a house on a field beside the new wall (MB-25, MB-28)."""

    field: Field
    colour: Colour


Placement: TypeAlias = PlaceTower | PlaceHouse


class Join(Value):
    """Join the city just closed with this one, named by its first field, or with none (MB-40)."""

    city: Field | None


class Play(Value):
    """Play a card and score it (MB-43, MB-72)."""

    card: Card


class Discard(Value):
    """Discard a card without scoring it (MB-43)."""

    card: Card


class Swap(Value):
    """Put a card away in order to draw another (MB-47)."""

    card: Card


class Done(Value):
    """Play or swap no more (MB-43, MB-47, MB-72)."""


class Choose(Value):
    """For the last scoring, choose a city by its first field, or none (MB-72)."""

    city: Field | None


Action: TypeAlias = (
    Appoint
    | Deal
    | RollEarly
    | Build
    | Roll
    | PlaceTower
    | PlaceHouse
    | Join
    | Play
    | Discard
    | Swap
    | Done
    | Choose
)


# --- States: a table, and what the phase adds ------------------------------------------------


class Ending(StrEnum):
    """Why the game ends: the last of a whole kind was built (MB-70), or nothing can be (MB-13)."""

    WALLS = "walls"
    TOWERS = "towers"
    HOUSES = "houses"
    PALACES = "palaces"
    NO_LINE = "no-line"


class Supply(Value):
    """What lies beside the board, colour by colour in canonical order (MB-2)."""

    walls: int
    towers: tuple[int, ...]
    houses: tuple[int, ...]
    palaces: tuple[int, ...]


def full_supply(options: Options) -> Supply:
    """What lies there before anything is built (MB-2)."""
    more_towers, more = len(TOWERS) - options.tower_colours, len(COLOURS) - options.colours
    return Supply(
        options.walls,
        (options.towers,) * options.tower_colours + (0,) * more_towers,
        (options.houses,) * options.colours + (0,) * more,
        (options.palaces,) * options.colours + (0,) * more,
    )


FULL_SUPPLY: Final = full_supply(Options())


class City(Value):
    """A closed city. Its houses and palaces count for all of it, so they are kept here (MB-36)."""

    fields: tuple[Field, ...]
    houses: tuple[Colour, ...]
    palaces: tuple[Colour, ...]

    @property
    def name(self) -> Field:
        """The first of its fields; no other city has it."""
        return self.fields[0]


class Laid(Value):
    """What a player laid down in a scoring: played, or one card discarded (MB-43)."""

    seat: Seat
    cards: tuple[Card, ...]
    discarded: bool


class Table(Value):
    """What is on the board, beside it and in the hands, in every phase."""

    options: Options
    builder: Seat
    walls: tuple[Line, ...]
    towers: tuple[tuple[Point, Tower], ...]
    houses: tuple[tuple[Field, Colour], ...]
    """Houses outside all closed cities. Like walls and towers they are in the board's order."""
    cities: tuple[City, ...]
    supply: Supply
    hands: tuple[Hand, ...]
    pile: Hand
    discard: Hand
    points: tuple[int, ...]
    turns: int
    ending: Ending | None
    """Set as soon as the end is decided (MB-70)."""
    last: tuple[Seat, Line] | None
    """The builder of the last wall, and its line."""


class Appointing(Value):
    """Nature is about to draw the first player."""

    seats: int
    options: Options


class Dealing(Value):
    """Nature deals six cards to each player."""

    table: Table


class Building(Value):
    """The player whose turn it is builds a wall."""

    table: Table
    hasty: bool
    """Whether he has rolled before building in this turn (MB-14)."""


class Rolling(Value):
    """A wall was built; nature rolls."""

    table: Table
    line: Line


class PlacingRolledTower(Value):
    """The rolled tower goes on a free end of the wall."""

    table: Table
    line: Line
    roll: Roll


class PlacingFreeTower(Value):
    """A tower of any colour goes on the other end."""

    table: Table
    line: Line
    roll: Roll


class PlacingFirstHouse(Value):
    """The house of the first die goes on one side of the wall."""

    table: Table
    line: Line
    roll: Roll


class PlacingSecondHouse(Value):
    """The house of the second die goes on the other side."""

    table: Table
    line: Line
    roll: Roll
    field: Field
    """Which is this one."""


class PlacingEdgeHouse(Value):
    """The house of either die goes on the only side."""

    table: Table
    line: Line
    roll: Roll


class Joining(Value):
    """A city was closed beside others; it may be joined with one of them."""

    table: Table
    city: Field


class Scoring(Value):
    """A closed city is scored: the first of those waiting plays a card or discards one."""

    table: Table
    city: Field
    waiting: tuple[Seat, ...]
    laid: tuple[Laid, ...]


class Adding(Value):
    """The first of those waiting has played a card and may play another."""

    table: Table
    city: Field
    waiting: tuple[Seat, ...]
    laid: tuple[Laid, ...]


class Drawing(Value):
    """Nature gives the cards that are owed, one by one."""

    table: Table
    owed: tuple[Seat, ...]
    """A seat for each card; never empty."""
    swappers: tuple[Seat, ...] | None
    """The players who may still swap; None until all have drawn, for then it is fixed (MB-47)."""


class Swapping(Value):
    """The first of those furthest behind may put cards away, one by one."""

    table: Table
    swappers: tuple[Seat, ...]
    swapped: int


class Choosing(Value):
    """The end without a city: the first of those waiting chooses one."""

    table: Table
    waiting: tuple[Seat, ...]
    laid: tuple[Laid, ...]


class Finishing(Value):
    """The end without a city: the first of those waiting plays up to two cards."""

    table: Table
    waiting: tuple[Seat, ...]
    laid: tuple[Laid, ...]
    city: Field | None


class Over(Value):
    """Everything is scored."""

    table: Table


Placing: TypeAlias = (
    PlacingRolledTower
    | PlacingFreeTower
    | PlacingFirstHouse
    | PlacingSecondHouse
    | PlacingEdgeHouse
)
"""What was rolled is placed beside the new wall."""

Laying: TypeAlias = Scoring | Adding | Choosing | Finishing
"""Cards are laid down for a scoring."""
WithCity: TypeAlias = Joining | Scoring | Adding | Finishing
"""One city is in question; in the last scoring there may be none."""

State: TypeAlias = (
    Appointing
    | Dealing
    | Building
    | Rolling
    | Placing
    | Joining
    | Scoring
    | Adding
    | Drawing
    | Swapping
    | Choosing
    | Finishing
    | Over
)
