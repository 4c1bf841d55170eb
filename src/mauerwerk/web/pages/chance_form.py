"""Forms in which people enter what they rolled, drew or dealt at their own table.

Each kind of chance has a form of its own: a button for each seat that the lot can fall on, a row of
faces for each die, a list for each card. A form offers what the printed game could show, not what
`odds` allows: that may hold what nobody is to be told, such as which cards have been seen.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import Any, Final

from mauerwerk.core.game import Seat, Value
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital
from mauerwerk.games.burgbaumeister.values import CARDS, Drawing, Showing
from mauerwerk.games.mauer.values import Drawing as DrawingMaster
from mauerwerk.games.mauerbauer.building import rolls
from mauerwerk.games.mauerbauer.guild import KINDS
from mauerwerk.games.mauerbauer.naming import card_name, house_name, tower_name
from mauerwerk.games.mauerbauer.rules import HAND_SIZE, receiver
from mauerwerk.games.mauerbauer.scoring import is_city_card
from mauerwerk.games.mauerbauer.values import (
    FACES,
    TOWERS,
    Appointing,
    Dealing,
    Rolling,
)
from mauerwerk.games.mauerbauer.values import Drawing as DrawingCards
from mauerwerk.play.tables.chance import is_by_hand, scribes
from mauerwerk.play.tables.table import Table
from mauerwerk.web.games import Button
from mauerwerk.web.pages.page import Form
from mauerwerk.web.pages.people import names_for
from mauerwerk.web.pages.viewpoint import Viewpoint

PART: Final = "part-"
"""Fields whose values together are one word, in the order of their numbers."""

WORD: Final = "word-"
"""Fields each of which is a word of its own, in the order of their numbers."""

MOST_WORDS: Final = 12


class Die(Value):
    """A row of faces, one of which is chosen."""

    name: str
    label: str
    faces: tuple[Button, ...]


class Cards(Value):
    """A kind of cards in a list."""

    label: str
    cards: tuple[Button, ...]


class ChanceForm(Value):
    """What is to be entered, and how."""

    seat: Seat
    """The seat for which it is entered."""

    number: int
    """What that seat has been told."""

    legend: str
    buttons: tuple[Button, ...] = ()
    begin: str = ""
    """How a word begins that is put together from faces."""

    dice: tuple[Die, ...] = ()
    several: int = 0
    """How many lists of cards there are."""

    cards: tuple[Cards, ...] = ()
    numbers: tuple[int, int] | None = None
    """The lowest and the highest number on a card."""


def chance_form_at(table: Table, viewpoint: Viewpoint, language: Language) -> ChanceForm | None:
    """The form for whoever looks; None where there is nothing to enter, or not for them."""
    if not is_by_hand(table):
        return None
    may = [seat for seat in viewpoint.own if seat in scribes(table)]
    if not may:
        return None
    seat = viewpoint.seat if viewpoint.seat in may else may[0]
    assert seat is not None
    return _form(table, seat, names_for(table.occupants, None, language), language)


def _form(table: Table, seat: Seat, names: Sequence[str], language: Language) -> ChanceForm:
    number = table.number(seat)
    state: Any = table.state
    match state:
        case Appointing() | Drawing() | DrawingMaster():
            legend = language("On whom does the lot fall?")
            return ChanceForm(seat, number, legend, buttons=_lots(table, names))
        case Rolling(table=on_board, line=line):
            with_tower = rolls(on_board, line)[0].tower is not None
            legend = language("Roll the dice, and enter what they show.")
            return ChanceForm(
                seat, number, legend, begin="*", dice=_dice(language, with_tower=with_tower)
            )
        case Dealing(table=on_board):
            drawer = receiver(on_board)
            assert drawer is not None
            left = HAND_SIZE - len(on_board.hands[drawer])
            return _cards(seat, number, names[drawer], left, language)
        case DrawingCards(owed=owed):
            left = len(list(takewhile(owed[0].__eq__, owed)))
            return _cards(seat, number, names[owed[0]], left, language)
        case Showing():
            legend = language("Which number does the card show?")
            return ChanceForm(seat, number, legend, numbers=(CARDS[0], CARDS[-1]))
        case _:
            legend = language("What happened?")
            happened = tuple(
                Button(table.game.write(action), capital(table.game.say(action, language)))
                for action in table.game.odds(state)
            )
            return ChanceForm(seat, number, legend, several=1, cards=(Cards("", happened),))


def _lots(table: Table, names: Sequence[str]) -> tuple[Button, ...]:
    """A button a seat; the lot's words are in the order of the seats."""
    return tuple(
        Button(table.game.write(action), name, sign=f"mark-{place}")
        for place, (action, name) in enumerate(
            zip(table.game.odds(table.state), names, strict=True), start=1
        )
    )


def _dice(language: Language, *, with_tower: bool) -> tuple[Die, ...]:
    """The three dice, or two where both ends of the wall have towers (MB-3, MB-20)."""
    towers = tuple(
        Button(
            tower.value, capital(tower_name(tower, language)), sign=f"tower-{tower.name.lower()}"
        )
        for tower in TOWERS
    )
    houses = tuple(
        Button("?", capital(language("a free choice")))
        if face is None
        else Button(
            face.value, capital(house_name(face, language)), sign=f"house-{face.name.lower()}"
        )
        for face in FACES
    )
    thrown = [(language("Tower die"), towers)] if with_tower else []
    thrown += [(language("First house die"), houses), (language("Second house die"), houses)]
    return tuple(Die(f"{PART}{place}", label, faces) for place, (label, faces) in enumerate(thrown))


def _cards(seat: Seat, number: int, name: str, left: int, language: Language) -> ChanceForm:
    """A list for each card that somebody draws now; all kinds are in it, whatever was dealt."""
    kinds = tuple(
        Cards(
            label,
            tuple(
                Button(f"+{card.value}", card_name(card, language))
                for card in KINDS
                if is_city_card(card) is of_city
            ),
        )
        for label, of_city in ((language("City"), True), (language("Country"), False))
    )
    legend = language("Which cards does {who} draw?", who=name)
    return ChanceForm(seat, number, legend, several=left, cards=kinds)


def words_in(form: Form) -> tuple[str, ...]:
    """The words that a form enters, one after the other."""
    if word := form.get("word", "").strip():
        return (word,)
    parts = [form.get(f"{PART}{place}", "") for place in range(MOST_WORDS)]
    if any(parts):
        return (form.get("begin", "") + "".join(parts),)
    several = (form.get(f"{WORD}{place}", "").strip() for place in range(MOST_WORDS))
    return tuple(word for word in several if word)
