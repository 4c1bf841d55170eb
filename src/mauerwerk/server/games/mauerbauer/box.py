"""Mauerbauer on the home page, the questions about its options, and its dice and cards."""

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from mauerwerk.core.language import Language, capital, message
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer import values
from mauerwerk.games.mauerbauer.building import rolls
from mauerwerk.games.mauerbauer.guild import KINDS
from mauerwerk.games.mauerbauer.legality import receiver
from mauerwerk.games.mauerbauer.naming import card_name, house_name, tower_name
from mauerwerk.games.mauerbauer.scoring import is_city_card
from mauerwerk.server.games import room

BOX: Final = room.Box(
    name=mauerbauer.NAME,
    title=mauerbauer.TITLE,
    line=message("Build walls together, close cities, and play the guild cards that pay for them."),
    minutes=message("45 min"),
    moves=95,
    age=8,
    seats=3,
    bot_delay_ms=1_000,
    theme=room.WALLS,
    thumb="palace-blue",
    goal=message("close cities that your cards like."),
    symbols=(
        *("tower-white", "tower-grey", "tower-black", "wall-line", "palace-blue"),
        *("house-yellow", "house-green", "house-blue", "house-red"),
    ),
)


QUESTIONS: Final = (
    room.OptionQuestion(
        "board",
        message("Which board?"),
        (
            room.Answer("small", message("Small"), message("on a small board")),
            room.Answer("default", message("Usual")),
            room.Answer("large", message("Large"), message("on a large board")),
        ),
        short=message("Board"),
        why=message("A small board is over sooner."),
    ),
    room.OptionQuestion(
        "early",
        message("May players roll before building?"),
        (
            room.Answer("no", message("First build, then roll"), brief=message("no early rolls")),
            room.Answer(
                "yes",
                message("Yes, for one point"),
                message("with early rolls"),
                message("early rolls"),
            ),
        ),
        why=message("Rolling early costs one point."),
        expert=True,
    ),
)


def chance_form(
    state: values.State, names: Sequence[str], language: Language
) -> room.ChanceFields | None:
    """The form for what nature does now."""
    match state:
        case values.Appointing():
            return room.lots(mauerbauer, state, names, language)
        case values.Rolling(table=table, line=line):
            with_tower = rolls(table, line)[0].tower is not None
            legend = language("Roll the dice, and enter what they show.")
            return room.ChanceFields(legend, begin="*", dice=_dice(language, with_tower=with_tower))
        case values.Dealing(table=table):
            drawer = receiver(table)
            assert drawer is not None
            return _cards(names[drawer], table.options.hand - len(table.hands[drawer]), language)
        case values.Drawing(owed=owed):
            count = len(list(takewhile(owed[0].__eq__, owed)))
            return _cards(names[owed[0]], count, language)
        case _:
            return None


def _dice(language: Language, *, with_tower: bool) -> tuple[room.Die, ...]:
    """The three dice, or two where both ends of the wall have towers (MB-3, MB-20)."""
    towers = tuple(
        room.Button(
            tower.value, capital(tower_name(tower, language)), sign=f"tower-{tower.name.lower()}"
        )
        for tower in values.TOWERS
    )
    houses = tuple(
        room.Button("?", capital(language("a free choice")))
        if face is None
        else room.Button(
            face.value, capital(house_name(face, language)), sign=f"house-{face.name.lower()}"
        )
        for face in values.FACES
    )
    thrown = [(language("Tower die"), towers)] if with_tower else []
    thrown += [(language("First house die"), houses), (language("Second house die"), houses)]
    return tuple(
        room.Die(f"{room.PART}{place}", label, faces) for place, (label, faces) in enumerate(thrown)
    )


def _cards(name: str, count: int, language: Language) -> room.ChanceFields:
    """A list for each card that a player draws now; it offers all kinds, whatever was dealt."""
    kinds = tuple(
        room.Cards(
            label,
            tuple(
                room.Button(f"+{card.value}", card_name(card, language))
                for card in KINDS
                if is_city_card(card) is of_city
            ),
        )
        for label, of_city in ((language("City"), True), (language("Country"), False))
    )
    legend = language("Which cards does {who} draw?", who=name)
    return room.ChanceFields(legend, several=count, cards=kinds)


# --- For people who own the printed game -----------------------------------------------------

PLAN: Final = "/real/mauerbauer/plan.json"
"""Where the boards are for the helper's script."""

REAL_TABLE: Final = room.RealTable(
    link="/real/mauerbauer",
    action=message("Scoring helper"),
    line=message(
        "Tap the pieces onto your board: the page finds every city "
        "and says what every guild card is worth."
    ),
    dice=("players", "scribe"),
    keeps=(PLAN,),
)
