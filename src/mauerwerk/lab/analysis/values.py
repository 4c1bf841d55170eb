"""What an analysis of a game says: the chances all along, every choice weighed, what decided it."""

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
    """How often it was tried; 0 where it was weighed by rule of thumb."""


class AnalysedPosition(Value, tag="position"):
    """The game after so many moves, and the move that came next."""

    at: int
    """How many moves lie behind, nature's included."""
    chances: tuple[float, ...]
    """Every seat's chance to win, for an observer who sees all cards; together they are 1.

    While seats choose together nothing is decided, and the chances stay as they were before."""
    seat: Seat | None = None
    """Who decided; None where nature moved, or nobody any more."""
    chosen: str = ""
    """The word that was played; empty at the end of the record."""
    choices: tuple[Judged, ...] = ()
    """What the seat could do, the best first: the best few and the chosen one.

    Empty where nature moved and where there was nothing to choose."""
    cost: float = 0.0
    """How much of its chance the seat gave away; 0 where that cannot be told from noise."""


class Moment(Value):
    """A move that decided much."""

    at: int
    """How many moves lie before it."""
    seat: Seat
    """Whose chance moved: who erred, or who gained or lost most."""
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
    """Who thought: the search, or, where no kernel plays such a game, rules of thumb."""
    positions: tuple[AnalysedPosition, ...]
    """One for every number of moves from 0 to all of them: `positions[at].at == at`."""
    moments: tuple[Moment, ...]
    """The few that decided most, in the order of the game."""
    lost: tuple[float, ...]
    """What each seat's mistakes cost it in all."""
    luck: tuple[float, ...]
    """What nature gave each seat in all, or took from it."""
    ahead_from: int | None = None
    """After so many moves the winner was ahead, and stayed so; None without a single winner."""
