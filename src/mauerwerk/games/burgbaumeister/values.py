"""Der Wettkampf der Burgbaumeister, what it is made of, in the words of the rulebook."""

from enum import StrEnum
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta

from mauerwerk.core.game import Seat, Value
from mauerwerk.core.options import FILE, SEAT, house_rule, only_with

CARDS: Final = range(2, 47)
"""The numbers on the cards, each once (BB-1)."""
_ALL: Final = len(CARDS)
START_TOWER: Final = 1
"""The number of the start tower, the left end of every wall (BB-2)."""
FULL_WALL: Final = 9
"""The number of cards, without the start tower, that ends the game (BB-10)."""
LONGEST_WALL: Final = 15
"""The most cards that house rules can ask of a wall."""
COLUMNS: Final = 9
PLACES: Final = range(len(CARDS))
"""Where the cards of the depot lie, row by row, nine in a row (BB-3)."""
LAYOUTS: Final = range(64)
"""The chaotic layouts; `layouts.spread` says where the cards lie in each (BB-3)."""
MOST_IDLE_TURNS: Final = 90
"""The number of turns in a row without a new card in any wall that ends the game (BB-12)."""


class Picture(StrEnum):
    """What a card can show beside its number (BB-21 to BB-26)."""

    KING = "king"
    QUEEN = "queen"
    KNIGHT = "knight"
    DAMSEL = "damsel"
    RAVEN = "raven"
    TWO_RAVENS = "two_ravens"
    CANNON = "cannon"
    TOWER = "tower"
    WIZARD = "wizard"


class Card(Value):
    """The face of a card."""

    number: int
    picture: Picture | None = None


Wall: TypeAlias = tuple[int, ...]
"""The numbers of a wall from left to right, without the start tower."""
FirstSeat: TypeAlias = Annotated[int, Meta(ge=0, le=3)]
PICTURES: Final = only_with("variant", "yes")
"""Marks an option about what cards show, which is nothing without the variant (BB-20)."""


class Options(Value):
    """What a table chooses."""

    variant: Annotated[bool, Meta(description="play with the special cards (BB-20 to BB-28)")] = (
        False
    )
    first: Annotated[
        FirstSeat | Literal["lot"], Meta(description="who begins (BB-4)", extra=SEAT)
    ] = 0
    depot: Annotated[
        Literal["rectangle", "chaotic"], Meta(description="how the cards are laid out (BB-3)")
    ] = "rectangle"
    memory_aid: Annotated[bool, Meta(description="show what has been seen (BB-9)")] = False
    stall: Annotated[
        bool, Meta(description="end the game when nobody adds a card for too long (BB-12)")
    ] = True
    pictures: Annotated[
        str,
        Meta(
            description="standard, or which number shows what: 3r,11rr,44k (BB-29)",
            extra=FILE | PICTURES,
        ),
    ] = "standard"
    cards: Annotated[int, house_rule("cards in the depot, from 2 on (BB-1)", 1, _ALL)] = _ALL
    wall: Annotated[int, house_rule("cards that complete a wall (BB-10)", 1, LONGEST_WALL)] = (
        FULL_WALL
    )
    idle: Annotated[
        int,
        house_rule(
            "turns without a new card that end the game (BB-12)",
            1,
            MOST_IDLE_TURNS,
            **only_with("stall", "yes"),
        ),
    ] = MOST_IDLE_TURNS
    king: Annotated[bool, house_rule("the king counts (BB-21)", **PICTURES)] = True
    queen: Annotated[bool, house_rule("the queen counts (BB-21)", **PICTURES)] = True
    knights: Annotated[bool, house_rule("knights count (BB-22)", **PICTURES)] = True
    damsels: Annotated[bool, house_rule("damsels count (BB-22)", **PICTURES)] = True
    ravens: Annotated[bool, house_rule("ravens count (BB-23)", **PICTURES)] = True
    cannons: Annotated[bool, house_rule("cannons fire (BB-24)", **PICTURES)] = True
    towers: Annotated[bool, house_rule("towers protect (BB-25)", **PICTURES)] = True
    wizard: Annotated[bool, house_rule("the wizard inserts (BB-26)", **PICTURES)] = True


def numbers_of(chosen: Options) -> range:
    """The numbers on the cards that this table plays with (BB-1)."""
    return CARDS[: chosen.cards]


def places_of(chosen: Options) -> range:
    """Where the cards of its depot lie (BB-3)."""
    return PLACES[: chosen.cards]


# --- Actions ---------------------------------------------------------------------------------


class Turn(Value):
    """Turn a card of the depot face up (BB-5)."""

    place: int


class Add(Value):
    """Add the card at the right end of one's wall (BB-7)."""


class Insert(Value):
    """Have the wizard insert the card where its number belongs (BB-26)."""


class Leave(Value):
    """Leave the card in its place, face down again (BB-8)."""


class Fire(Value):
    """Destroy this card in an opponent's wall (BB-24)."""

    number: int


class HoldFire(Value):
    """Let the cannon's shot lapse (BB-24)."""


class Show(Value):
    """Nature says which number the turned card carries (BB-9)."""

    number: int


class Appoint(Value):
    """Nature draws the first player by lot (BB-4)."""

    first: Seat


class Spread(Value):
    """Nature spreads the cards in one of the chaotic layouts (BB-3)."""

    layout: int


Action: TypeAlias = Turn | Add | Insert | Leave | Fire | HoldFire | Show | Appoint | Spread

ACTIONS: Final[tuple[Action, ...]] = (
    *(Turn(place) for place in PLACES),
    Add(),
    Insert(),
    Leave(),
    *(Fire(number) for number in CARDS),
    HoldFire(),
    *(Show(number) for number in CARDS),
    *(Appoint(Seat(seat)) for seat in range(4)),
    *(Spread(layout) for layout in LAYOUTS),
)
"""Every action there is, in canonical order; nature's come last."""


# --- States: a table, and what the phase adds ------------------------------------------------


class Ending(StrEnum):
    """Why the game ended; of several reasons the first of these counts (BB-12)."""

    NINE = "nine"
    """A wall has nine cards (BB-10)."""
    EMPTY = "empty"
    """The depot is empty (BB-13)."""
    BLOCKED = "blocked"
    """No card that is left fits anywhere (BB-11)."""
    STALL = "stall"
    """No card was added for too long (BB-12)."""


class Table(Value):
    """What is on the table in every phase, and what nature has let slip so far."""

    options: Options
    layout: int | None
    """None: a rectangle."""
    player: Seat
    depot: tuple[int, ...]
    """The places where a card still lies, in order."""
    numbers: tuple[int | None, ...]
    """For each place the number that was turned up there; None as long as none was (BB-9)."""
    walls: tuple[Wall, ...]
    destroyed: Wall
    """The numbers that cannons took out of the game, in that order (BB-24)."""
    spell: Seat | None
    """The player who has the wizard and has not used his spell (BB-26)."""
    left: tuple[int, ...]
    """The places turned and left since a card was last added or inserted, in order (BB-12)."""
    idle: int
    """Turns in a row without a card added or inserted (BB-12)."""
    turns: int


class Drawing(Value):
    """Nature is about to draw the first player."""

    seats: int
    options: Options


class Spreading(Value):
    """Nature is about to spread the cards."""

    seats: int
    options: Options
    first: Seat


class Turning(Value):
    """A player is about to turn a card."""

    table: Table


class Showing(Value):
    """A card is being turned; nature is about to say which it is."""

    table: Table
    place: int


class Deciding(Value):
    """A card lies face up: add it, insert it or leave it."""

    table: Table
    place: int

    @property
    def number(self) -> int:
        """What the card shows."""
        number = self.table.numbers[self.place]
        assert number is not None, "a card that lies face up has a number"
        return number


class Firing(Value):
    """A cannon has just been added or inserted and can hit something."""

    table: Table


class Over(Value):
    """The game is over."""

    table: Table
    ending: Ending


State: TypeAlias = Drawing | Spreading | Turning | Showing | Deciding | Firing | Over
