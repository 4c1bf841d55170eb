"""What a study counts in Die Mauer, and what it shows of it."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from mauerwerk.core.game import Outcome, Seat, Setup, Step
from mauerwerk.core.language import Language, capital, message
from mauerwerk.games.mauer import notation
from mauerwerk.games.mauer.events import Built, Event, FistsOpened, Given, NobodyBuilds, RoundEnded
from mauerwerk.games.mauer.notation import clause as clause_of
from mauerwerk.games.mauer.rules import full_set
from mauerwerk.games.mauer.values import FULL_SET, Building, Planning, State, penalties
from mauerwerk.lab.study.figures import Chapter, Mean, Rate, Row, Section, clauses_section

CLAUSES: Final[Mapping[str, str]] = {
    "DM-12": message("The master builder shows what fits nowhere"),
    "DM-13": message("Nobody guesses, the master builder builds"),
    "DM-14": message("Rivals who guessed build"),
    "DM-15": message("Too many guess, the master builder builds"),
    "DM-18": message("Only the master builder's fist is empty"),
    "DM-19": message("One rival's fist is empty too: a gift"),
    "DM-20": message("Several rivals' fists are empty too"),
    "DM-21": message("A rival's fist is empty, the master builder's is not"),
    "DM-23": message("A hand is empty, the round ends"),
    "DM-26": message("No piece fits any more, the round ends"),
    "DM-27": message("Nothing was built for too long, the round ends"),
}
"""A turn has one of DM-12 to DM-15 or DM-18 to DM-20, as its fists are opened: DM-13 where no rival
guessed, DM-14 where rivals build, DM-15 where they are too many; DM-18 whether or not the master
builder can build. DM-21 is counted for each rival's empty fist while the master builder shows a
piece. DM-23, DM-26 and DM-27 end rounds."""

ENDINGS: Final = notation.ENDINGS
MINIATURE: Final = {"seats": "3", "rounds": "1", "pieces": "TC", "stall": "2"}
"""A game that is small enough to be solved, by its options and its seats."""
ENDINGS_NOTE: Final = message("Of rounds the last one counts.")

MEANINGS: Final[Mapping[str, str]] = {
    "left": "pieces of a kind in all hands when rounds end",
    "round": "penalty points of all seats in a round",
    "built": "pieces of a kind that were built",
    "builder": "pieces built by master builders, and by rivals who guessed",
    "idle": "turns in which nothing was built",
    "clean": "hands that were empty when a round ended",
}


def columns(setup: Setup[Any]) -> tuple[str, ...]:
    """Its own columns, in their order."""
    kinds = [piece.value for piece in FULL_SET]
    return (
        *(f"{stem}/{kind}" for stem in ("left", "built") for kind in kinds),
        *(f"round/{number}" for number in range(1, setup.options.rounds + 1)),
        *("builder/master", "builder/rival", "idle", "clean"),
    )


def began(state: State, _seat: Seat, /) -> Seat:
    """The first master builder (DM-3), while all choose at the same time."""
    assert isinstance(state, Planning)
    return state.table.master


class Count:
    """Counts in one game as it is played."""

    def __init__(self, _setup: Setup[Any]) -> None:
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

    def row(self, _over: State, _outcome: Outcome) -> Mapping[str, int]:
        """The game's own columns."""
        return self._row


def sections(setup: Setup[Any], language: Language) -> tuple[Chapter, ...]:
    """The game's own sections, in their order."""
    costs = penalties(setup.options.penalties)
    return (
        Section(
            name="pieces",
            title=language("Where the points come from"),
            note=language("Penalty points for the pieces left in all hands, all rounds together."),
            heads=(language("points a game"), language("pieces left"), language("pieces built")),
            rows=tuple(
                Row(
                    capital(notation.piece_name(piece, language)),
                    (
                        Mean(f"left/{piece.value}", costs[piece]),
                        Mean(f"left/{piece.value}"),
                        Mean(f"built/{piece.value}"),
                    ),
                )
                for piece in FULL_SET
                if piece in full_set(setup.options)
            ),
        ),
        Section(
            name="rounds",
            title=language("Round by round"),
            note=language("Penalty points of all seats together."),
            heads=(language("points"),),
            rows=tuple(
                Row(language("round {number}", number=number), (Mean(f"round/{number}"),))
                for number in range(1, setup.options.rounds + 1)
            ),
            drawn=(),
        ),
        Section(
            name="building",
            title=language("Who builds"),
            heads=(language("a game"),),
            rows=(
                Row(language("Pieces built by master builders"), (Mean("builder/master"),)),
                Row(language("Pieces built by rivals who guessed"), (Mean("builder/rival"),)),
                Row(language("Turns in which nothing is built"), (Mean("idle"),)),
                Row(language("Their share of all turns"), (Rate("idle", "turns"),)),
                Row(language("Hands that are empty when a round ends"), (Mean("clean"),)),
            ),
            drawn=(),
        ),
        clauses_section(CLAUSES, language),
    )
