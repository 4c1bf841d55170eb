"""What a study counts in Mauerbauer, and what it shows of it."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from mauerwerk.core.game import Outcome, Seat, Setup, Step
from mauerwerk.core.language import Language, message
from mauerwerk.games.mauerbauer import board, events, naming, values
from mauerwerk.games.mauerbauer.drawing.picture import bare
from mauerwerk.games.mauerbauer.guild import KINDS, Card
from mauerwerk.games.mauerbauer.notation import clause as clause_of
from mauerwerk.games.mauerbauer.rules import turn
from mauerwerk.games.mauerbauer.scoring import CARD_CLAUSES, CLAUSE_OF, is_city_card
from mauerwerk.lab.study.figures import Chapter, Mean, Quotient, Rate, Row, Section, clauses_section
from mauerwerk.lab.study.tally import WIN, win_of

ENDINGS: Final = naming.ENDINGS
_MINIATURE_CARDS: Final = ("city-1", "land-towers", "land-walls")
MINIATURE: Final = {
    "seats": "2",
    "first": "0",
    "board": "w",
    "walls": "2",
    "hand": "1",
    "colours": "1",
    "tower_colours": "1",
    "deck": ",".join(f"{card.value}:{int(card.value in _MINIATURE_CARDS)}" for card in KINDS),
}
"""A game that is small enough to be solved, by its options and its seats."""
ENDINGS_NOTE: Final = ""

CLAUSES: Final[Mapping[str, str]] = {
    "MB-13": message("There is no line left, the game ends"),
    "MB-14": message("Somebody rolls early"),
    "MB-20": message("A wall between two towers: the tower die is left out"),
    "MB-22": message("A second tower is placed, of any colour"),
    "MB-23": message("The tower die shows a colour that is out"),
    "MB-26": message("A house die shows a free choice"),
    "MB-27": message("A house die shows a colour that is out"),
    "MB-28": message("A wall is built on the edge"),
    "MB-31": message("A city is closed"),
    "MB-34": message("Houses become palaces"),
    "MB-35": message("What stands free in a city goes back"),
    "MB-40": message("Somebody may join cities"),
    "MB-43": message("A card is discarded in a scoring"),
    "MB-46": message("The pile is shuffled anew"),
    "MB-47": message("The last player swaps a card"),
    "MB-50": message("A card for the size of the city is played"),
    "MB-51": message("The card for the colours of the city is played"),
    "MB-52": message("A card for towers of one colour of the city is played"),
    "MB-53": message("The card for the palaces of the city is played"),
    "MB-54": message("A card for one colour in the city is played"),
    "MB-55": message("The card for the towers of the city is played"),
    "MB-57": message("A card for houses of one colour is played"),
    "MB-58": message("A card for houses in a region is played"),
    "MB-59": message("The card for towers is played"),
    "MB-60": message("A card for towers of one colour is played"),
    "MB-61": message("The card for towers by the water is played"),
    "MB-62": message("The card for walls is played"),
    "MB-64": message("The card for cities is played"),
    "MB-70": message("The last piece of a kind decides the end"),
    "MB-71": message("The last turn closes a city"),
    "MB-72": message("Somebody chooses a city for the last scoring"),
}
"""Not among them is MB-73, which says no more than that the game is over.

MB-20: the tower die was left out. MB-22: a second tower was placed. MB-23, MB-27: a tower die, a
house die showed a colour of which none was left when it was rolled. MB-26: a house die showed `?`.
MB-28: a wall was built on the edge. MB-43: a card was discarded. MB-71: a city was scored after the
end was decided. MB-72: a seat chose a city or none; it is not asked without a city. The clauses of
cards count how often these were played. The rest is as their events say."""

_KINDS: Final[Mapping[str, str]] = {
    "city": message("City cards"),
    "land": message("Country cards"),
    "cities": message("The card that counts cities"),
}

_THIRDS: Final[Mapping[str, str]] = {
    "early": message("First third of the game"),
    "middle": message("Second third"),
    "late": message("Last third"),
}

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
}
"""Scorings are counted from 1, the last one without a city (MB-72) too. A play belongs to the third
of the game in which its turn lies: with t complete turns behind it of T, it is third 3t/T, rounded
down, or the last."""


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
        *(f"{stem}-{third}" for third in _THIRDS for stem in ("play", "score")),
    )
    return (
        *(f"{stem}/{card.value}" for stem in by_card for card in KINDS),
        *(f"{stem}/{kind}" for stem in ("earned", "earned-won") for kind in _KINDS),
        *(f"earned-{third}" for third in _THIRDS),
        *(f"source/{clause}" for clause in CARD_CLAUSES),
        "closed",
        *(f"size/{size}" for size in range(1, LARGEST + 1)),
        *("joined", "palaces", "closer", "others", "laid/one", "laid/two", "laid/discard"),
    )


def began(_state: values.State, seat: Seat, /) -> Seat:
    """The first to decide."""
    return seat


class Count:
    """Counts in one game as it is played."""

    def __init__(self, setup: Setup[Any]) -> None:
        self._board = board.board_of(setup.options.board)
        self._row: Counter[str] = Counter()
        self._plays: list[Play] = []
        self._closed = 0

    def see(self, before: values.State, step: Step[values.State, events.Event]) -> None:
        """Count the next move."""
        for event in step.events:
            clause = clause_of(event)
            if clause in CLAUSES:
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
            third = tuple(_THIRDS)[min(3 * play.turn // turns, 2)]
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


# --- What is shown ---------------------------------------------------------------------------


def pictured(setup: Setup[Any], language: Language, /) -> tuple[str, str, str] | None:
    """The board, where it is not the printed one: its word, its title and its drawing."""
    played = board.board_of(setup.options.board)
    if played.word == values.Options().board:
        return None
    return played.word, language(played.title), bare(played.word, language)


def sections(setup: Setup[Any], language: Language) -> tuple[Chapter, ...]:
    """The game's own sections, in their order."""
    return (
        Section(
            name="sources",
            title=language("Where the points come from"),
            note=language("Points of all seats together, and of those who win."),
            heads=(language("all seats"), language("winners")),
            rows=tuple(
                Row(language(title), (Mean(f"earned/{kind}"), Mean(f"earned-won/{kind}")))
                for kind, title in _KINDS.items()
            ),
            drawn=(0, 1),
        ),
        Section(
            name="when",
            title=language("When points are scored"),
            note=language("Points of all seats together; thirds by the turns of the game."),
            heads=(language("points"),),
            rows=tuple(
                Row(language(title), (Mean(f"earned-{third}"),)) for third, title in _THIRDS.items()
            ),
        ),
        *_of_cards(frozenset(values.deck_of(setup.options)), language),
        *_of_cities(setup.seats, language),
        clauses_section(CLAUSES, language, CARD_CLAUSES),
    )


def _of_cards(deck: frozenset[Card], language: Language) -> tuple[Section, ...]:
    titles = {card.value: naming.title_of(card, language) for card in KINDS if card in deck}
    return (
        Section(
            name="cards",
            title=language("What guild cards earn"),
            note=language(
                "Points each time a card is played, in the whole game and in each third of it, "
                "and points a game."
            ),
            heads=(
                language("points a play"),
                language("early"),
                language("in the middle"),
                language("late"),
                language("points a game"),
            ),
            rows=tuple(
                Row(
                    title,
                    (
                        Quotient(f"score/{word}", f"play/{word}"),
                        *(
                            Quotient(f"score-{third}/{word}", f"play-{third}/{word}")
                            for third in _THIRDS
                        ),
                        Mean(f"score/{word}"),
                    ),
                )
                for word, title in titles.items()
            ),
            drawn=(1, 3),
        ),
        Section(
            name="fate",
            title=language("What becomes of guild cards"),
            note=language(
                "How often a player who plays a card wins, and how often a game each card is "
                "played, played for nothing, discarded, swapped, and still in a hand at the end; "
                "and in which scoring it is played on average, counted from 1. Players who play "
                "more cards win more often, so compare cards with each other."
            ),
            heads=(
                language("wins with it"),
                language("played"),
                language("for nothing"),
                language("in scoring"),
                language("discarded"),
                language("swapped"),
                language("in hand at the end"),
            ),
            rows=tuple(
                Row(
                    title,
                    (
                        Rate(f"play-won/{word}", f"play/{word}", WIN),
                        Mean(f"play/{word}"),
                        Mean(f"zero/{word}"),
                        Quotient(f"when/{word}", f"play/{word}"),
                        *(Mean(f"{stem}/{word}") for stem in ("discard", "swap", "kept")),
                    ),
                )
                for word, title in titles.items()
            ),
        ),
    )


def _of_cities(seats: int, language: Language) -> tuple[Section, ...]:
    sizes = [
        *(
            language.many(number, "Cities of {number} field", "Cities of {number} fields")
            for number in range(1, LARGEST)
        ),
        language("Cities of {number} fields or more", number=LARGEST),
    ]
    return (
        Section(
            name="cities",
            title=language("Cities"),
            note=language("Sizes are those of cities as they are closed, before any are joined."),
            heads=(language("a game"),),
            rows=(
                Row(language("Cities closed"), (Mean("closed"),)),
                *(Row(size, (Mean(f"size/{number}"),)) for number, size in enumerate(sizes, 1)),
                Row(language("Cities joined"), (Mean("joined"),)),
                Row(language("Palaces"), (Mean("palaces"),)),
                Row(language("Palaces a city"), (Quotient("palaces", "closed"),)),
            ),
        ),
        Section(
            name="scorings",
            title=language("Scorings"),
            heads=(language("mean"),),
            rows=(
                Row(
                    language("Points per scoring of the player who closed the city"),
                    (Quotient("closer", "closed"),),
                ),
                Row(
                    language("Points per scoring of each other player"),
                    (Quotient("others", "closed", 1 / (seats - 1)),),
                ),
                Row(language("One card is played, times per game"), (Mean("laid/one"),)),
                Row(language("Two cards are played, times per game"), (Mean("laid/two"),)),
                Row(language("A card is discarded, times per game"), (Mean("laid/discard"),)),
            ),
            drawn=(),
        ),
    )
