"""What is counted in Mauerbauer."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from mauerwerk.core.game import Outcome, Seat, Setup, Step
from mauerwerk.games.mauerbauer import board, events, values
from mauerwerk.games.mauerbauer.clauses import CARD_CLAUSES, CLAUSE_OF
from mauerwerk.games.mauerbauer.clauses import clause as clause_of
from mauerwerk.games.mauerbauer.guild import KINDS, Card
from mauerwerk.games.mauerbauer.rules import turn
from mauerwerk.games.mauerbauer.scoring import is_city_card
from mauerwerk.lab.study.tally import Pair, win_of

CLAUSES: Final = (
    *("MB-13", "MB-14", "MB-20", "MB-22", "MB-23", "MB-26", "MB-27", "MB-28"),
    *("MB-31", "MB-34", "MB-35", "MB-40", "MB-43", "MB-46", "MB-47", *CARD_CLAUSES),
    *("MB-70", "MB-71", "MB-72"),
)

_COUNTED: Final = frozenset(CLAUSES)
"""Not among them is MB-73, which says no more than that the game is over."""

THIRDS: Final = ("early", "middle", "late")
"""The thirds of a game by its complete turns."""

KINDS_OF_CARD: Final = ("city", "land", "cities")
"""City cards look at one city, land cards at the open country; one card counts the cities."""

_KIND_OF: Final[Mapping[Card, str]] = {
    card: "cities" if card is Card.CITIES else "city" if is_city_card(card) else "land"
    for card in KINDS
}

LARGEST: Final = 7
"""Cities of this many fields or more are counted together."""

MEANINGS: Final[Mapping[str, str]] = {
    "play": "how often a card was played",
    "score": "the points it scored",
    "play-early": "how often a card was played in the first third of the game",
    "score-early": "the points it scored there",
    "play-middle": "how often a card was played in the second third",
    "score-middle": "the points it scored there",
    "play-late": "how often a card was played in the last third",
    "score-late": "the points it scored there",
    "zero": "how often a card was played for nothing",
    "when": "the numbers of the scorings it was played in, added up",
    "play-won": "what those who played it have of the win, in sixtieths, play by play",
    "discard": "how often a card was discarded in a scoring",
    "swap": "how often a card was swapped",
    "kept": "cards in hands at the end",
    "earned": "points from city cards, land cards and the card that counts cities",
    "earned-won": "the same, by those who win",
    "earned-early": "points of all seats in the first third of the game",
    "earned-middle": "points of all seats in the second third",
    "earned-late": "points of all seats in the last third",
    "source": "points from the cards of a clause",
    "closed": "cities closed",
    "size": "cities closed of so many fields, before they are joined",
    "joined": "cities joined with another",
    "palaces": "palaces built",
    "closer": "points that who closed a city scored for it at once",
    "others": "points that the others scored for it",
    "laid": "scorings of a city in which a seat played one card, two, or discarded",
    "clause": "how often a clause applied",
}
"""Scorings are counted from 1, the last one without a city (MB-72) too. A play belongs to the third
of the game in which its turn lies: with t complete turns behind it of T, it is third 3t/T, rounded
down, or the last.

MB-20: the tower die was left out. MB-22: a second tower was placed. MB-23, MB-27: a tower die, a
house die showed a colour of which none was left when it was rolled. MB-26: a house die showed `?`.
MB-28: a wall was built on the edge. MB-43: a card was discarded. MB-71: a city was scored after the
end was decided. MB-72: a seat chose a city or none; it is not asked without a city. The clauses of
cards count how often these were played. The rest is as their events say."""


class Play(NamedTuple):
    """A card that was played."""

    seat: Seat
    card: Card
    points: int
    turn: int
    scoring: int


def columns(_setup: Setup[Any]) -> tuple[str, ...]:
    """Its own columns, in their order."""
    by_card = (
        *("play", "score", "zero", "when", "play-won", "discard", "swap", "kept"),
        *(f"{stem}-{third}" for third in THIRDS for stem in ("play", "score")),
    )
    return (
        *(f"{stem}/{card.value}" for stem in by_card for card in KINDS),
        *(f"{stem}/{kind}" for stem in ("earned", "earned-won") for kind in KINDS_OF_CARD),
        *(f"earned-{third}" for third in THIRDS),
        *(f"source/{clause}" for clause in CARD_CLAUSES),
        "closed",
        *(f"size/{size}" for size in range(1, LARGEST + 1)),
        *("joined", "palaces", "closer", "others", "laid/one", "laid/two", "laid/discard"),
        *(f"clause/{clause}" for clause in CLAUSES),
    )


def pairs(_setup: Setup[Any]) -> tuple[Pair, ...]:
    """Columns that are divided by others."""
    return (
        *((f"score/{card.value}", f"play/{card.value}") for card in KINDS),
        *((f"when/{card.value}", f"play/{card.value}") for card in KINDS),
        *((f"play-won/{card.value}", f"play/{card.value}") for card in KINDS),
        *(
            (f"score-{third}/{card.value}", f"play-{third}/{card.value}")
            for third in THIRDS
            for card in KINDS
        ),
        ("closer", "closed"),
        ("others", "closed"),
        ("palaces", "closed"),
    )


def began(_state: values.State, seat: Seat, /) -> Seat:
    """The first to decide."""
    return seat


class Count:
    """Counts in one game as it is played."""

    def __init__(self, setup: Setup[Any]) -> None:
        """Nothing has happened yet."""
        self._board = board.board_of(setup.options.board)
        self._row: Counter[str] = Counter()
        self._plays: list[Play] = []
        self._closed = 0

    def see(self, before: values.State, step: Step[values.State, events.Event]) -> None:
        """Count the next move."""
        for event in step.events:
            clause = clause_of(event)
            if clause in _COUNTED:
                self._row[f"clause/{clause}"] += 1
            match event:
                case events.Built(line=line):
                    self._row["clause/MB-28"] += len(self._board.sides[line]) == 1
                case events.Rolled(roll=roll):
                    self._roll(before, roll)
                case events.TowerPlaced():
                    self._row["clause/MB-22"] += isinstance(before, values.PlacingFreeTower)
                case events.Closed(fields=fields):
                    self._closed += 1
                    self._row[f"size/{min(len(fields), LARGEST)}"] += 1
                case events.PalacesBuilt(colours=colours):
                    self._row["palaces"] += len(colours)
                case events.Joined(other=other):
                    self._row["joined"] += other is not None
                case events.Played():
                    self._play(before, event)
                case events.Discarded(card=card):
                    self._row["laid/discard"] += 1
                    self._row[f"discard/{card.value}"] += 1
                case events.Swapped(card=card):
                    self._row[f"swap/{card.value}"] += 1
                case events.GameEnded():
                    self._row["clause/MB-71"] = int(
                        isinstance(before, values.Scoring | values.Adding)
                    )
                case _:
                    pass

    def _roll(self, before: values.State, roll: values.Roll) -> None:
        """What the dice showed, and whether there was any of it left (MB-20 to MB-27)."""
        assert isinstance(before, values.Rolling)
        supply = before.table.supply
        if roll.tower is None:
            self._row["clause/MB-20"] += 1
        else:
            self._row["clause/MB-23"] += not supply.towers[values.TOWERS.index(roll.tower)]
        for face in roll.houses:
            if face is None:
                self._row["clause/MB-26"] += 1
            else:
                self._row["clause/MB-27"] += not supply.houses[values.COLOURS.index(face)]

    def _play(self, before: values.State, event: events.Played) -> None:
        """A card was played, for a city just closed or in the last scoring without one (MB-72)."""
        match before:
            case values.Scoring(table=table) | values.Adding(table=table):
                scoring = self._closed
                whose = "closer" if event.seat == table.builder else "others"
                self._row[whose] += event.points
                second = isinstance(before, values.Adding)
                self._row["laid/two"] += second
                self._row["laid/one"] += -1 if second else 1
            case _:
                scoring = self._closed + 1
        self._plays.append(Play(event.seat, event.card, event.points, turn(before), scoring))

    def row(self, over: values.State, outcome: Outcome) -> Mapping[str, int]:
        """The game's own columns."""
        assert isinstance(over, values.Over)
        self._row["closed"] = self._closed
        for hand in over.table.hands:
            for card in hand:
                self._row[f"kept/{card.value}"] += 1
        turns = max(turn(over), 1)
        for play in self._plays:
            third = THIRDS[min(3 * play.turn // turns, 2)]
            self._attribute(play, third, win_of(outcome, play.seat))
        return self._row

    def _attribute(self, play: Play, third: str, share: int) -> None:
        """Say of a play what it earned, when, and for whom."""
        word, points = play.card.value, play.points
        kind = _KIND_OF[play.card]
        self._row[f"play/{word}"] += 1
        self._row[f"score/{word}"] += points
        self._row[f"zero/{word}"] += not points
        self._row[f"when/{word}"] += play.scoring
        self._row[f"play-won/{word}"] += share
        self._row[f"play-{third}/{word}"] += 1
        self._row[f"score-{third}/{word}"] += points
        self._row[f"earned/{kind}"] += points
        self._row[f"earned-won/{kind}"] += points if share else 0
        self._row[f"earned-{third}"] += points
        self._row[f"source/{CLAUSE_OF[play.card]}"] += points
