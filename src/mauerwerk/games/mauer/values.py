"""Die Mauer, what it is made of: pieces, options, actions and phases, in the rulebook's words."""

from collections.abc import Mapping
from enum import Enum, StrEnum
from functools import lru_cache
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta

from mauerwerk.core import options
from mauerwerk.core.game import Seat, Value
from mauerwerk.core.options import LATER, PRINTED, SEAT, house_rule, numbered


class Piece(Enum):
    """A building piece; the value is its word (DM-1)."""

    TOWER = "T"
    GATE = "C"
    WALL_1 = "1"
    WALL_2 = "2"
    WALL_3 = "3"
    WALL_4 = "4"
    WALL_6 = "6"

    # Each member is one object, so that this is enough; Enum's own hash is eight times slower.
    __hash__ = object.__hash__


FULL_SET: Final = tuple(Piece)
"""The pieces in the box, one of each kind, in canonical order (DM-1)."""

PENALTY: Final[Mapping[Piece, int]] = {
    Piece.TOWER: 15,
    Piece.GATE: 10,
    Piece.WALL_6: 6,
    Piece.WALL_4: 4,
    Piece.WALL_3: 3,
    Piece.WALL_2: 2,
    Piece.WALL_1: 1,
}
"""What a piece costs the player who still holds it when the round ends (DM-24)."""

Hand: TypeAlias = tuple[Piece, ...]
"""Pieces in canonical order; two of a kind stand side by side."""
Turns: TypeAlias = Annotated[int, Meta(ge=1, le=1000)]
FirstSeat: TypeAlias = Annotated[int, Meta(ge=0, le=5)]


class Options(Value):
    """What a table chooses."""

    rounds: Annotated[int, Meta(ge=1, le=10, description="rounds in a game (DM-4)")] = 4
    first: Annotated[
        FirstSeat | Literal["lot"],
        Meta(description="the first master builder (DM-3)", extra=SEAT),
    ] = 0
    stall: Annotated[
        Turns | Literal["off"],
        Meta(description="turns in a row without building that end a round (DM-27)"),
    ] = 24
    pieces: Annotated[
        str,
        Meta(
            description="which pieces everybody begins a round with; fewer make a miniature (DM-1)",
            extra=LATER,
        ),
    ] = "".join(piece.value for piece in FULL_SET)
    penalties: Annotated[
        str,
        house_rule(
            "what each piece costs that is left in a hand (DM-24)",
            **numbered({piece.value: cost for piece, cost in PENALTY.items()}, 0, 40),
        ),
    ] = PRINTED


@lru_cache(maxsize=64)
def penalties(word: str) -> Mapping[Piece, int]:
    """What each piece costs, by the word of the option, in the order of `PENALTY`."""
    numbers = options.numbers(Options, "penalties", word)
    return {piece: numbers[piece.value] for piece in PENALTY}


# --- Actions ---------------------------------------------------------------------------------


class Appoint(Value):
    """Nature draws the first master builder by lot (DM-3)."""

    master: Seat


class Plan(Value):
    """Close a fist around a piece, or around nothing (DM-5)."""

    piece: Piece | None


class Choose(Value):
    """The master builder, alone with an empty fist, says what he builds (DM-18)."""

    piece: Piece


class End(Enum):
    """An end of the wall."""

    LEFT = "<"
    RIGHT = ">"


class Build(Value):
    """Put one's piece down at an end of the wall (DM-17); the first piece goes to the right."""

    end: End


class Give(Value):
    """The one rival with an empty fist gives the master builder a piece (DM-19)."""

    piece: Piece


Action: TypeAlias = Appoint | Plan | Choose | Build | Give

ACTIONS: Final[tuple[Action, ...]] = (
    *(Plan(piece) for piece in Piece),
    Plan(None),
    *(Choose(piece) for piece in Piece),
    *(Build(end) for end in End),
    *(Give(piece) for piece in Piece),
    *(Appoint(Seat(seat)) for seat in range(6)),
)
"""Every action there is, in canonical order; nature's come last."""


# --- States: a table, and what the phase adds ------------------------------------------------


class Ending(StrEnum):
    """Why a round ended."""

    OUT = "out"
    """A player has no piece left (DM-23)."""
    DEADLOCK = "deadlock"
    """No piece in any hand can be built any more (DM-26)."""
    STALL = "stall"
    """Nothing was built for too long (DM-27)."""


class Table(Value):
    """What is on the table and in the hands, in every phase."""

    options: Options
    master: Seat
    wall: tuple[Piece, ...]
    hands: tuple[Hand, ...]
    idle: int
    """Turns in a row in which nothing was built (DM-27)."""
    turns: int
    scores: tuple[tuple[int, ...], ...]
    """Penalty points, round by round, seat by seat."""
    left: int = 0
    """How many pieces of the wall were added at its left end, so that each can be told apart."""
    last: tuple[Seat, End] | None = None
    """The seat that built last in this round, and at which end; None before the first piece."""


class Drawing(Value):
    """Nature is about to draw the first master builder."""

    seats: int
    options: Options


class Planning(Value):
    """All players close a fist; None where it is still open."""

    table: Table
    fists: tuple[Plan | None, ...]


class Choosing(Value):
    """The master builder's fist alone was empty: he is about to name a piece."""

    table: Table
    fists: tuple[Plan, ...]


class Building(Value):
    """The builders build, one after the other."""

    table: Table
    fists: tuple[Plan, ...]
    piece: Piece
    builders: tuple[Seat, ...]
    """The seats that still have to build, in order; never empty."""


class Giving(Value):
    """One rival is about to give the master builder a piece."""

    table: Table
    fists: tuple[Plan, ...]
    giver: Seat


class Over(Value):
    """All rounds are played; the table shows the last one as it ended."""

    table: Table
    ending: Ending


State: TypeAlias = Drawing | Planning | Choosing | Building | Giving | Over
