"""Mauerbauer on paper: a word per action. What people say is in `sentences`."""

import re
from collections.abc import Mapping
from typing import Final, assert_never

from mauerwerk.core.errors import NotAWordError
from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import message
from mauerwerk.games.mauerbauer.board import Field, Line, Point
from mauerwerk.games.mauerbauer.guild import KINDS
from mauerwerk.games.mauerbauer.values import (
    FULL_ROLLS,
    HOUSE_ROLLS,
    Action,
    Appoint,
    Build,
    Choose,
    Colour,
    Deal,
    Discard,
    Done,
    Join,
    PlaceHouse,
    PlaceTower,
    Play,
    Roll,
    RollEarly,
    Swap,
    Tower,
)

NAME: Final = "mauerbauer"
TITLE: Final = "Mauerbauer"

CLAUSES: Final[Mapping[str, str]] = {
    "MB-4": "a wall goes on a line of the board, and this is none; its left end comes first",
    "MB-8": "lots decide who begins, then everybody is dealt six cards",
    "MB-10": "a turn is a wall, then the dice, then towers and houses, then the city",
    "MB-11": "a wall goes on a free line, and there is a wall on this one",
    "MB-12": "no wall goes inside a closed city",
    "MB-14": "you may roll before building once per turn, if the table allows it",
    "MB-19": "towers come before houses, the rolled tower before the free one, "
    "the first die's house before the other",
    "MB-21": "the rolled tower, or any other if it is out, goes on a free end of the new wall",
    "MB-22": "a tower of any colour in supply goes on the other end of the new wall",
    "MB-25": "each die's house goes beside the new wall, one on either side",
    "MB-28": "a house that one of the dice allows goes beside the new wall",
    "MB-40": "the city just closed is joined with one closed city that shares a wall, or with none",
    "MB-43": "clockwise, everybody plays one or two of their cards, or discards one",
    "MB-45": "cards are being drawn",
    "MB-47": "players who are furthest behind may swap cards, one after the other",
    "MB-72": "clockwise, everybody may choose a city and play up to two of their cards",
    "MB-73": "the game is over",
}
"""The gist of every clause that can forbid a move."""


def write(action: Action, /) -> str:
    """One word per action.

    `h3-j3` build, `!` roll early, `Bh3` tower, `r3h` house, `&3h` `&-` join, `city-7` play,
    `-city-7` discard, `^city-7` swap, `.` done, `=3h` `=-` choose; nature's are `@2` appoint,
    `+city-7` deal, `*Br?` `*r?` roll.
    """
    match action:
        case Appoint(seat=seat):
            return f"@{seat}"
        case Deal(card=card):
            return f"+{card.value}"
        case RollEarly():
            return "!"
        case Build(line=line):
            return line
        case Roll(tower=tower, houses=houses):
            faces = "".join("?" if face is None else face.value for face in houses)
            return f"*{tower.value if tower else ''}{faces}"
        case PlaceTower(point=point, tower=tower):
            return f"{tower.value}{point}"
        case PlaceHouse(field=field, colour=colour):
            return f"{colour.value}{field}"
        case Join(city=city):
            return f"&{city or '-'}"
        case Play(card=card):
            return card.value
        case Discard(card=card):
            return f"-{card.value}"
        case Swap(card=card):
            return f"^{card.value}"
        case Done():
            return "."
        case Choose(city=city):
            return f"={city or '-'}"
        case _:
            assert_never(action)


_FIXED: Final[Mapping[str, Action]] = {
    write(action): action
    for action in (
        *(kind(card) for kind in (Play, Discard, Swap, Deal) for card in KINDS),
        *(Appoint(Seat(seat)) for seat in range(4)),
        *FULL_ROLLS,
        *HOUSE_ROLLS,
        *(Join(None), Choose(None), RollEarly(), Done()),
    )
}
"""The words that are the same on every board."""

_POINT: Final = "[a-z][1-9][0-9]?"
_FIELD: Final = "[1-9][0-9]?[a-z]"
_BUILD: Final = re.compile(f"{_POINT}-{_POINT}", re.ASCII)
_TOWER: Final = re.compile(f"[WGB]{_POINT}", re.ASCII)
_HOUSE: Final = re.compile(f"[ygbpr]{_FIELD}", re.ASCII)
_CITY: Final = re.compile(f"[&=]{_FIELD}", re.ASCII)


def parse(word: str, /) -> Action:
    """Read what `write` wrote; whether this board has such a line or field, the rules tell."""
    if word in _FIXED:
        return _FIXED[word]
    first, rest = word[:1], word[1:]
    if _BUILD.fullmatch(word):
        return Build(Line(word))
    if _TOWER.fullmatch(word):
        return PlaceTower(Point(rest), Tower(first))
    if _HOUSE.fullmatch(word):
        return PlaceHouse(Field(rest), Colour(first))
    if _CITY.fullmatch(word):
        return Join(Field(rest)) if first == "&" else Choose(Field(rest))
    expected = message("there are h3-j3 ! Bh3 r3h &3h &- city-7 -city-7 ^city-7 . =3h and =-")
    raise NotAWordError(word, expected)
