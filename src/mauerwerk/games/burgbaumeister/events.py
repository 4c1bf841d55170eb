"""Burgbaumeister, what is told and shown: events, and the view."""

from enum import StrEnum
from typing import TypeAlias

from mauerwerk.core.game import DrawnView, Ephemeral, Seat, Value
from mauerwerk.games.burgbaumeister.values import CARDS, FULL_WALL, MOST_IDLE_TURNS, Card, Ending

# --- Events ----------------------------------------------------------------------------------


class Appointed(Value):
    """The first player was drawn by lot."""

    first: Seat


class SpreadOut(Value):
    """The cards lie in this layout."""

    layout: int


class Turned(Ephemeral):
    """A player turned this card. Told once: which cards were turned is memory (BB-9)."""

    seat: Seat
    place: int


class Shown(Ephemeral):
    """This is the card that was turned. Told once: numbers are memory (BB-9)."""

    seat: Seat
    place: int
    card: Card


class Added(Value):
    """A card went from its place to the right end of a wall."""

    seat: Seat
    place: int
    card: Card


class Inserted(Value):
    """The wizard put a card into a wall."""

    seat: Seat
    place: int
    card: Card


class Left(Value):
    """A player left the turned card in its place. Which one it was is not said (BB-9)."""

    seat: Seat


class Fired(Value):
    """A cannon destroyed a card."""

    seat: Seat
    victim: Seat
    card: Card


class FireHeld(Value):
    """A cannon could have fired and did not."""

    seat: Seat


class Ended(Value):
    """The game is over."""

    ending: Ending
    full_wall: int = FULL_WALL
    """The number of cards of a wall that ends the game (BB-10)."""


Event: TypeAlias = (
    Appointed | SpreadOut | Turned | Shown | Added | Inserted | Left | Fired | FireHeld | Ended
)


# --- The view --------------------------------------------------------------------------------


class Task(StrEnum):
    """What the table waits for."""

    LOT = "lot"
    SPREAD = "spread"
    TURN = "turn"
    SHOW = "show"
    DECIDE = "decide"
    FIRE = "fire"
    NOTHING = "nothing"


class Lying(Value):
    """A card of the depot, in its place."""

    place: int
    card: Card | None
    """None: face down."""


class View(DrawnView):
    """The table as one seat, or a spectator, sees it now; all seats see the same."""

    seat: Seat | None
    """Whose view it is; None for a spectator."""
    task: Task
    waiting: tuple[Seat, ...]
    player: Seat | None
    """Whose turn it is; None while the lot is being drawn."""
    variant: bool
    layout: int | None
    """None: a rectangle, or not spread yet."""
    depot: tuple[int, ...]
    """The places where a card lies."""
    turned: Lying | None
    """The card that is being turned or lies face up."""
    walls: tuple[tuple[Card, ...], ...]
    safe: tuple[int, ...]
    """How many cards of each wall, from the left, no cannon can destroy (BB-25)."""
    points: tuple[int, ...]
    spell: Seat | None
    """The player who can still have the wizard insert a card (BB-26)."""
    idle: int
    """Turns in a row without a new card in any wall (BB-12)."""
    stall: bool
    """Whether too many of them end the game (BB-12)."""
    turns: int
    seen: tuple[Lying, ...] | None
    """With the memory aid, all cards of the depot that were ever turned; None without it (BB-9)."""
    ending: Ending | None
    """None while the game goes on."""
    cards: int = len(CARDS)
    """How many cards the game is played with (BB-1)."""
    full_wall: int = FULL_WALL
    """The number of cards of a wall that ends the game (BB-10)."""
    most_idle: int = MOST_IDLE_TURNS
    """How many turns without a new card end it (BB-12)."""
