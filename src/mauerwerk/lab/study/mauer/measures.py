"""What is counted in Die Mauer."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from mauerwerk.core.game import Outcome, Seat, Setup, Step
from mauerwerk.games.mauer.clauses import clause as clause_of
from mauerwerk.games.mauer.events import Built, Event, FistsOpened, Given, NobodyBuilds, RoundEnded
from mauerwerk.games.mauer.values import FULL_SET, Building, Planning, State
from mauerwerk.lab.study.tally import Pair

CLAUSES: Final = (
    *("DM-12", "DM-13", "DM-14", "DM-15", "DM-18", "DM-19", "DM-20", "DM-21"),
    *("DM-23", "DM-26", "DM-27"),
)

MEANINGS: Final[Mapping[str, str]] = {
    "left": "pieces of a kind in all hands when rounds end",
    "round": "penalty points of all seats in a round",
    "built": "pieces of a kind that were built",
    "builder": "pieces built by master builders, and by rivals who guessed",
    "idle": "turns in which nothing was built",
    "clean": "hands that were empty when a round ended",
    "clause": "how often a clause applied",
}
"""A turn has one of DM-12 to DM-15 or DM-18 to DM-20, as its fists are opened: DM-13 where no rival
guessed, DM-14 where rivals build, DM-15 where they are too many; DM-18 whether or not the master
builder can build. DM-21 is counted for each rival's empty fist while the master builder shows a
piece. DM-23, DM-26 and DM-27 end rounds."""


def columns(setup: Setup[Any]) -> tuple[str, ...]:
    """Its own columns, in their order."""
    kinds = [piece.value for piece in FULL_SET]
    return (
        *(f"{stem}/{kind}" for stem in ("left", "built") for kind in kinds),
        *(f"round/{number}" for number in range(1, setup.options.rounds + 1)),
        *("builder/master", "builder/rival", "idle", "clean"),
        *(f"clause/{clause}" for clause in CLAUSES),
    )


def pairs(_setup: Setup[Any]) -> tuple[Pair, ...]:
    """Columns that are divided by others."""
    return (("idle", "turns"),)


def began(state: State, _seat: Seat, /) -> Seat:
    """The first master builder (DM-3), while all choose at the same time."""
    assert isinstance(state, Planning)
    return state.table.master


class Count:
    """Counts in one game as it is played."""

    def __init__(self, _setup: Setup[Any]) -> None:
        """Nothing has happened yet."""
        self._row: Counter[str] = Counter()
        self._master = -1
        self._rounds = 0

    def see(self, _before: State, step: Step[State, Event]) -> None:
        """Count the next move."""
        for event in step.events:
            if clause := clause_of(event):
                self._row[f"clause/{clause}"] += 1
            match event:
                case FistsOpened():
                    self._open(event, step.state)
                case Built(seat=seat, piece=piece):
                    self._row[f"built/{piece.value}"] += 1
                    self._row[f"builder/{'master' if seat == self._master else 'rival'}"] += 1
                case NobodyBuilds() | Given():
                    self._row["idle"] += 1
                case RoundEnded():
                    self._end_round(event)
                case _:
                    pass

    def _open(self, event: FistsOpened, state: State) -> None:
        """Who builds, and by which clause (DM-12 to DM-15, DM-21)."""
        self._master = event.master
        plan, fists = event.fists[event.master], event.fists
        if plan.piece is not None:
            self._row["clause/DM-21"] += sum(fist.piece is None for fist in fists)
        if isinstance(state, Building):
            alone = fists.count(plan) == 1
            by_master = state.builders == (event.master,)
            clause = "DM-13" if alone else "DM-15" if by_master else "DM-14"
            self._row[f"clause/{clause}"] += 1

    def _end_round(self, event: RoundEnded) -> None:
        self._rounds += 1
        self._row[f"round/{self._rounds}"] += sum(event.points)
        self._row["clean"] += sum(not hand for hand in event.hands)
        for hand in event.hands:
            for piece in hand:
                self._row[f"left/{piece.value}"] += 1

    def row(self, _over: State, outcome: Outcome) -> Mapping[str, int]:
        """The game's own columns."""
        del outcome
        return self._row
