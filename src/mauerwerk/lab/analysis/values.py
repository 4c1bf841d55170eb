"""The results of an analysis: chances at every position, the value of choices, decisive moments."""

from typing import Literal, TypeAlias

from mauerwerk.core.game import Seat, Value

Source: TypeAlias = Literal["search", "greedy"]
Kind: TypeAlias = Literal["mistake", "luck", "turn"]


class Judged(Value):
    """One choice that a seat had."""

    word: str
    value: float
    """The chance to win that it promised, from 0 to 1, by what the seat knew then."""
    visits: int
    """How often it was tried; 0 where it was judged by rules of thumb."""


class AnalysedPosition(Value, tag="position"):
    """The game after this many moves, and the move that came next."""

    at: int
    """The number of moves so far, nature's included."""
    chances: tuple[float, ...]
    """Every seat's chance to win, for an observer who sees all cards; together they are 1.

    While seats choose together nothing is decided, and the chances stay as they were before."""
    seat: Seat | None = None
    """The seat that moved next; None where nature moved, or nobody."""
    chosen: str = ""
    """The word that was played; empty at the end of the record."""
    choices: tuple[Judged, ...] = ()
    """What the seat could do, the best first: the best few and the chosen one.

    Empty where nature moved and where there was nothing to choose."""
    cost: float = 0.0
    """How much of its chance the seat lost by the move; 0 if that cannot be told from noise."""


class Moment(Value):
    """A move that decided much."""

    at: int
    """The number of moves before it."""
    seat: Seat
    """The seat that made the mistake, or whose chance changed most."""
    kind: Kind
    """A `mistake` by what the seat knew; `luck`, where nature moved; a `turn`, where players did,
    and nobody could know better."""
    swing: float
    """By how much this seat's chance changed; below 0, it fell."""
    word: str
    """What was played, by the seat or by nature."""
    better: str = ""
    """After a mistake, what would have been better."""


class Analysis(Value):
    """A whole game, or as far as its record goes."""

    of: str
    """The fingerprint of the record; see `fingerprint`."""
    by: Source
    """The method: the search, or, where no kernel plays such a game, rules of thumb."""
    positions: tuple[AnalysedPosition, ...]
    """One for every number of moves from 0 to all of them: `positions[at].at == at`."""
    moments: tuple[Moment, ...]
    """The few that decided most, in the order of the game."""
    lost: tuple[float, ...]
    """The total cost of each seat's mistakes."""
    luck: tuple[float, ...]
    """The total change of each seat's chance by nature's moves."""
    ahead_from: int | None = None
    """The number of moves after which the winner stayed ahead; None if the win is shared."""
