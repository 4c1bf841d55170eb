"""What a study counts in Der Wettkampf der Burgbaumeister, and what it shows of it."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from mauerwerk.core.game import Outcome, Seat, Setup, Step
from mauerwerk.core.language import Language, message
from mauerwerk.games.burgbaumeister import events, notation, values
from mauerwerk.games.burgbaumeister.cards import EXTRA, KINDS, card, shown
from mauerwerk.games.burgbaumeister.legality import can_insert, fits
from mauerwerk.games.burgbaumeister.notation import clause as clause_of
from mauerwerk.lab.study.figures import Chapter, Mean, Part, Rate, Row, Section, clauses_section
from mauerwerk.lab.study.tally import WIN, win_of

CLAUSES: Final[Mapping[str, str]] = {
    "BB-7": message("A card is added"),
    "BB-8": message("A card is left lying"),
    "BB-10": message("A wall is complete, the game ends"),
    "BB-11": message("Nothing fits any more, the game ends"),
    "BB-12": message("Nobody has added a card for too long, the game ends"),
    "BB-13": message("The depot is empty, the game ends"),
    "BB-24": message("A cannon fires, or could have"),
    "BB-26": message("The wizard inserts a card"),
    "BB-27": message("A destroyed card takes a spell with it, or was the last of its wall"),
}

_NEEDS: Final[Mapping[str, values.Picture]] = {
    "BB-24": values.Picture.CANNON,
    "BB-26": values.Picture.WIZARD,
    "BB-27": values.Picture.CANNON,
}
"""What a clause needs to apply; others need no picture."""
# A study may compare walls of several lengths.
ENDINGS: Final = {**notation.ENDINGS, values.Ending.NINE: message("a wall is complete")}
MINIATURE: Final = {"seats": "2", "cards": "4", "wall": "2", "idle": "2"}
"""A game that is small enough to be solved, by its options and its seats."""
ENDINGS_NOTE: Final = ""

_SOURCES: Final[Mapping[str, str]] = {
    "cards": message("Cards"),
    "king": message("The king"),
    "queen": message("The queen"),
    "knights": message("Knights"),
    "damsels": message("Damsels"),
    "pairs": message("Pairs of knight and damsel"),
    "ravens": message("Ravens"),
}

_SOURCE_OF: Final = {picture: name for name, kind in KINDS.items() for picture in kind.pictures}
_PICTURES: Final[Mapping[values.Picture, str]] = {
    values.Picture.KING: message("The king"),
    values.Picture.QUEEN: message("The queen"),
    values.Picture.KNIGHT: message("A knight"),
    values.Picture.DAMSEL: message("A damsel"),
    values.Picture.RAVEN: message("A raven"),
    values.Picture.TWO_RAVENS: message("Two ravens"),
    values.Picture.CANNON: message("A cannon"),
    values.Picture.TOWER: message("A tower"),
    values.Picture.WIZARD: message("The wizard"),
}

MEANINGS: Final[Mapping[str, str]] = {
    "held": "1 where a number stands in somebody's wall at the end",
    "won": "what whoever holds this number has of the win, in sixtieths",
    "picture": "cards with a picture in all walls at the end",
    "picture-won": "what those who hold them have of the win, in sixtieths, card by card",
    "source": "points of all walls at the end from this",
    "source-won": "the same, in the walls of those who win",
    "again": "cards turned that had been turned before",
    "declined": "cards left lying that would have fitted",
    "cannon": "cannons added that fired, held their fire, or had nothing to hit",
    "destroyed": "1 where a cannon destroyed this number",
    "spell": "1 where the wizard's spell was used, destroyed, or never used",
}
"""A card would have fitted if it could have been added or inserted."""


def columns(_setup: Setup[Any]) -> tuple[str, ...]:
    """All columns, in their order; those of the variant are 0 in the basic game."""
    return (
        *(f"{stem}/{number}" for stem in ("held", "won", "destroyed") for number in values.CARDS),
        *(f"{stem}/{picture}" for stem in ("picture", "picture-won") for picture in values.Picture),
        *(f"{stem}/{source}" for stem in ("source", "source-won") for source in _SOURCES),
        *("again", "declined"),
        *("cannon/fired", "cannon/held", "cannon/no-target"),
        *("spell/used", "spell/destroyed", "spell/unused"),
    )


def began(_state: values.State, seat: Seat, /) -> Seat:
    """The first to decide."""
    return seat


class Count:
    """Counts in one game as it is played."""

    def __init__(self, setup: Setup[Any]) -> None:
        self._faces = shown(setup.options)
        self._row: Counter[str] = Counter()

    def see(self, before: values.State, step: Step[values.State, events.Event]) -> None:
        """Count the next move."""
        for event in step.events:
            if clause := clause_of(event):
                self._row[f"clause/{clause}"] += 1
            match event, before:
                case events.Shown(place=place), values.Showing(table=table):
                    self._row["again"] += table.numbers[place] is not None
                case events.Left(), values.Deciding(table=table, number=number):
                    player = table.player
                    fitting = fits(table, player, number) or can_insert(table, player, number)
                    self._row["declined"] += fitting
                    self._row["clause/BB-8"] += 1
                case ((events.Added() | events.Inserted()), _):
                    self._build(event, step.state)
                case events.Fired(), values.Firing(table=table):
                    self._fire(event, table)
                case events.FireHeld(), _:
                    self._row["cannon/held"] += 1
                case _:
                    pass

    def _build(self, event: events.Added | events.Inserted, after: values.State) -> None:
        """A card came into a wall; a cannon that finds nothing to hit is not heard (BB-24)."""
        if isinstance(event, events.Added):
            self._row["clause/BB-7"] += 1
        else:
            self._row["spell/used"] += 1
        if event.card.picture is values.Picture.CANNON and not isinstance(after, values.Firing):
            self._row["cannon/no-target"] += 1

    def _fire(self, event: events.Fired, table: values.Table) -> None:
        """A card left the game (BB-24, BB-27)."""
        number = event.card.number
        spell_lost = event.card.picture is values.Picture.WIZARD and table.spell is not None
        self._row["cannon/fired"] += 1
        self._row[f"destroyed/{number}"] += 1
        self._row["spell/destroyed"] += spell_lost
        self._row["clause/BB-27"] += spell_lost or table.walls[event.victim][-1] == number

    def row(self, over: values.State, outcome: Outcome) -> Mapping[str, int]:
        """The game's own columns."""
        assert isinstance(over, values.Over)
        self._row["spell/unused"] = int(over.table.spell is not None)
        for seat, wall in enumerate(over.table.walls):
            share = win_of(outcome, Seat(seat))
            for number in wall:
                self._row[f"held/{number}"] += 1
                self._row[f"won/{number}"] += share
                if picture := self._faces.get(number):
                    self._row[f"picture/{picture}"] += 1
                    self._row[f"picture-won/{picture}"] += share
            for source, points in self._sources(wall).items():
                self._row[f"source/{source}"] += points
                self._row[f"source-won/{source}"] += points if share else 0
        return self._row

    def _sources(self, wall: values.Wall) -> Mapping[str, int]:
        """Where the points of a wall come from (BB-20 to BB-23)."""
        pictures = [self._faces[number] for number in wall if number in self._faces]
        sources = Counter({"cards": len(wall)})
        for picture in pictures:
            if picture in EXTRA:
                sources[_SOURCE_OF[picture]] += EXTRA[picture]
        sources["pairs"] = min(
            pictures.count(values.Picture.KNIGHT), pictures.count(values.Picture.DAMSEL)
        )
        return sources


_ANY_CARD: Final = Rate("source-won/cards", "source/cards")
"""How often a card that is in a wall is in the wall of a winner."""


def sections(setup: Setup[Any], language: Language) -> tuple[Chapter, ...]:
    """In this order; pictures only where they count."""
    faces = shown(setup.options)
    pictures = frozenset(faces.values())
    clauses = {
        clause: happened
        for clause, happened in CLAUSES.items()
        if clause not in _NEEDS or _NEEDS[clause] in pictures
    }
    return (
        Section(
            name="numbers",
            title=language("Which numbers win"),
            note=language(
                "How often a player who has a number in the wall at the end wins, and how often "
                "anybody has it. Winners have more cards than others, so compare a number with any "
                "card. It says which cards go with winning, not that they are the cause."
            ),
            heads=(language("wins with it"), language("in a wall")),
            rows=(
                Row(language("Any card"), (_ANY_CARD,)),
                *(
                    Row(
                        notation.card_name(card(number, faces), language),
                        (Rate(f"won/{number}", f"held/{number}", WIN), Part(f"held/{number}")),
                    )
                    for number in values.numbers_of(setup.options)
                ),
            ),
        ),
        *(_of_pictures(pictures, language) if pictures else ()),
        Section(
            name="looking",
            title=language("Looking and remembering"),
            heads=(language("a game"),),
            rows=(
                Row(language("Cards turned that had been turned before"), (Mean("again"),)),
                Row(language("Their share of all turns"), (Rate("again", "turns"),)),
                Row(language("Cards left lying that would have fitted"), (Mean("declined"),)),
            ),
            drawn=(),
        ),
        clauses_section(clauses, language),
    )


def _of_pictures(there: frozenset[values.Picture], language: Language) -> tuple[Section, ...]:
    """What the pictures that are in the game add."""
    scored = {"cards", *(name for name, kind in KINDS.items() if there & {*kind.pictures})}
    if {"knights", "damsels"} <= scored:
        scored.add("pairs")
    cannon, wizard = values.Picture.CANNON, values.Picture.WIZARD
    acts = (
        (cannon, language("Cannons that fire"), Mean("cannon/fired")),
        (cannon, language("Cannons that hold their fire"), Mean("cannon/held")),
        (cannon, language("Cannons with nothing to hit"), Mean("cannon/no-target")),
        (wizard, language("The spell is used"), Part("spell/used")),
        (wizard, language("The spell is destroyed"), Part("spell/destroyed")),
        (wizard, language("The spell is left over"), Part("spell/unused")),
    )
    happens = tuple(Row(label, (figure,)) for picture, label, figure in acts if picture in there)
    sections = (
        Section(
            name="sources",
            title=language("Where the points come from"),
            note=language("Points of all walls at the end, and of those of the winners."),
            heads=(language("all walls"), language("winners")),
            rows=tuple(
                Row(language(title), (Mean(f"source/{source}"), Mean(f"source-won/{source}")))
                for source, title in _SOURCES.items()
                if source in scored
            ),
            drawn=(0, 1),
        ),
        Section(
            name="pictures",
            title=language("Which pictures win"),
            note=language(
                "How often a player who has such a card in the wall at the end wins, card by card."
            ),
            heads=(language("wins with it"), language("in walls")),
            rows=(
                Row(language("Any card"), (_ANY_CARD, Mean("source/cards"))),
                *(
                    Row(
                        language(title),
                        (
                            Rate(f"picture-won/{picture}", f"picture/{picture}", WIN),
                            Mean(f"picture/{picture}"),
                        ),
                    )
                    for picture, title in _PICTURES.items()
                    if picture in there
                ),
            ),
        ),
        Section(
            name="cannons",
            title=language("Cannons and the wizard"),
            heads=(language("a game"),),
            rows=happens,
            drawn=(),
        ),
    )
    return tuple(section for section in sections if section.rows)
