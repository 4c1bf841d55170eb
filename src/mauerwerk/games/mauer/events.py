"""Die Mauer, what is told and shown: events, and the view."""

from enum import StrEnum
from typing import TypeAlias

from mauerwerk.core.game import DrawnView, Seat, Value
from mauerwerk.core.options import PRINTED
from mauerwerk.games.mauer.values import FULL_SET, End, Ending, Hand, Piece, Plan

# --- Events ----------------------------------------------------------------------------------


class Appointed(Value):
    """The first master builder was drawn by lot."""

    master: Seat


class FistClosed(Value):
    """A player closed a fist."""

    seat: Seat
    plan: Plan | None
    """None: not for you."""


class FistsOpened(Value):
    """All fists opened at the same time."""

    master: Seat
    fists: tuple[Plan, ...]


class NobodyBuilds(Value):
    """The turn passes without a piece."""

    clause: str
    """Which one says so: DM-12, DM-18 or DM-20."""


class Chosen(Value):
    """The master builder named the piece he builds."""

    seat: Seat
    piece: Piece


class Built(Value):
    """A piece was added to the wall."""

    seat: Seat
    piece: Piece
    end: End


class Given(Value):
    """A piece changed hands."""

    giver: Seat
    receiver: Seat
    piece: Piece | None
    """None: not for you."""


class RoundEnded(Value):
    """The round is scored; all hands are shown (DM-2)."""

    ending: Ending
    hands: tuple[Hand, ...]
    points: tuple[int, ...]


class StonePassed(Value):
    """The master builder's stone went to the left (DM-7)."""

    master: Seat


Event: TypeAlias = (
    Appointed
    | FistClosed
    | FistsOpened
    | NobodyBuilds
    | Chosen
    | Built
    | Given
    | RoundEnded
    | StonePassed
)


# --- The view --------------------------------------------------------------------------------


class Thinking(Value):
    """A fist that is still open."""


class Closed(Value):
    """A closed fist, seen from outside."""


class Task(StrEnum):
    """What the table waits for."""

    LOT = "lot"
    PLAN = "plan"
    CHOOSE = "choose"
    BUILD = "build"
    GIVE = "give"
    NOTHING = "nothing"


class View(DrawnView):
    """The table as one seat, or a spectator, sees it now."""

    seat: Seat | None
    """Whose view it is; None for a spectator."""
    task: Task
    waiting: tuple[Seat, ...]
    master: Seat | None
    """None while the lot is being drawn."""
    wall: tuple[Piece, ...]
    counts: tuple[int, ...]
    """How many pieces each seat holds, the one in its fist included."""
    hands: tuple[Hand | None, ...]
    """None: not for you."""
    fists: tuple[Thinking | Closed | Plan, ...]
    piece: Piece | None
    """What is being built, while something is."""
    rounds: int
    scores: tuple[tuple[int, ...], ...]
    turns: int
    idle: int
    left: int
    """How many pieces of the wall were added at its left end."""
    last: tuple[Seat, End] | None
    """The seat that built last in this round, and where; None before the first piece."""
    pieces: Hand = FULL_SET
    """The pieces that each player begins a round with (DM-1)."""
    penalties: str = PRINTED
    """The option: what pieces cost, as `values.penalties` reads it (DM-24)."""
