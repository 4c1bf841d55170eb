"""The cards of Burgbaumeister: which number shows what, and what that is worth (BB-20 to BB-29).

`cards.json` holds our distribution. Owners of the printed game enter theirs as a file of the same
form or as a word, the option `pictures`: numbers and letters, as in `3r,11rr,44k`.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import resources
from typing import Final, NamedTuple

import msgspec

from mauerwerk.core.errors import SetupError
from mauerwerk.games.burgbaumeister.values import CARDS, START_TOWER, Card, Options, Picture, Wall

Pictures = Mapping[int, Picture]
STANDARD: Final = "standard"

LETTERS: Final[Mapping[str, Picture]] = {
    "k": Picture.KING,
    "q": Picture.QUEEN,
    "n": Picture.KNIGHT,
    "d": Picture.DAMSEL,
    "r": Picture.RAVEN,
    "rr": Picture.TWO_RAVENS,
    "c": Picture.CANNON,
    "t": Picture.TOWER,
    "w": Picture.WIZARD,
}
"""How the option `pictures` names them; a knight is an n, as in chess."""


class Kind(NamedTuple):
    """Cards that count alike."""

    pictures: tuple[Picture, ...]
    cards: int
    """How many there are."""
    clause: str
    """The clause that says so, and what they do."""


KINDS: Final[Mapping[str, Kind]] = {
    "king": Kind((Picture.KING,), 1, "BB-21"),
    "queen": Kind((Picture.QUEEN,), 1, "BB-21"),
    "knights": Kind((Picture.KNIGHT,), 3, "BB-22"),
    "damsels": Kind((Picture.DAMSEL,), 3, "BB-22"),
    "ravens": Kind((Picture.RAVEN, Picture.TWO_RAVENS), 5, "BB-23"),
    "cannons": Kind((Picture.CANNON,), 3, "BB-24"),
    "towers": Kind((Picture.TOWER,), 4, "BB-25"),
    "wizard": Kind((Picture.WIZARD,), 1, "BB-26"),
}
"""All kinds, by the options that switch them off; ravens count whether one or two."""

EXTRA: Final[Mapping[Picture, int]] = {
    Picture.KING: 3,
    Picture.QUEEN: 3,
    Picture.KNIGHT: 1,
    Picture.DAMSEL: 1,
    Picture.RAVEN: 1,
    Picture.TWO_RAVENS: 2,
}
"""What a picture is worth by itself, in addition to the card's own point (BB-21 to BB-23)."""


# --- The table of pictures -------------------------------------------------------------------


@lru_cache(maxsize=64)
def pictures(word: str) -> Pictures:
    """The table that the option names. Raises SetupError where it breaks a rule (BB-29)."""
    if word == STANDARD:
        file = resources.files("mauerwerk.games.burgbaumeister").joinpath("cards.json")
        entries = _entries(file.read_text(encoding="utf-8"))
    else:
        entries = [_entry(part) for part in word.split(",")]
    if fault := _fault(entries):
        raise SetupError(f"option pictures: {fault}")
    return dict(entries)


def word_of(text: str) -> str:
    """The option's word for a file in the form of `cards.json`, whatever it says."""
    letters = {picture: word for word, picture in LETTERS.items()}
    return ",".join(f"{number}{letters[picture]}" for number, picture in _entries(text))


def _entries(text: str) -> list[tuple[int, Picture]]:
    try:
        table = msgspec.json.decode(text, type=dict[Picture, list[int]])
    except msgspec.DecodeError as fault:
        kinds = ", ".join(Picture)
        raise SetupError(
            f"option pictures: the file should list numbers under {kinds}: {fault} (BB-29)"
        ) from fault
    return sorted((number, picture) for picture, numbers in table.items() for number in numbers)


def _entry(part: str) -> tuple[int, Picture]:
    found = re.fullmatch(r"([0-9]{1,3})([a-z]{1,2})", part)
    if found is None or found[2] not in LETTERS:
        letters = " ".join(LETTERS)
        raise SetupError(
            f"option pictures: {part!r} should be a number and one of {letters}, as in 11rr, "
            f"or the whole option {STANDARD} (BB-29)"
        )
    return int(found[1]), LETTERS[found[2]]


def _fault(entries: Iterable[tuple[int, Picture]]) -> str:
    """What is wrong with a table of pictures, with its clause; empty when nothing is."""
    table: dict[int, Picture] = {}
    for number, picture in entries:
        if number not in CARDS:
            return f"there is no card {number}, only {CARDS[0]} to {CARDS[-1]} (BB-1)"
        if number in table:
            return f"card {number} cannot show both {table[number]} and {picture} (BB-29)"
        table[number] = picture
    for name, (kinds, due, clause) in KINDS.items():
        found = sum(picture in kinds for picture in table.values())
        if found != due:
            cards = "card shows" if due == 1 else "cards show"
            return f"{due} {cards} a {name.removesuffix('s')}, not {found} ({clause})"
    return ""


def shown(options: Options) -> Pictures:
    """What the cards show at this table: nothing but their numbers in the basic game (BB-20)."""
    if not options.variant:
        return {}
    table = pictures(options.pictures)
    off = [name for name in KINDS if not getattr(options, name)]
    if not off and options.cards == len(CARDS):
        return table
    return _shown(options.pictures, options.cards, tuple(off))


@lru_cache(maxsize=64)
def _shown(word: str, cards: int, off: tuple[str, ...]) -> Pictures:
    """Without what house rules leave out: cards, and what some of them show."""
    gone = {picture for name in off for picture in KINDS[name].pictures}
    return {
        number: picture
        for number, picture in pictures(word).items()
        if number in CARDS[:cards] and picture not in gone
    }


def card(number: int, table: Pictures) -> Card:
    """The face of the card with this number."""
    return Card(number, table.get(number))


# --- One wall --------------------------------------------------------------------------------


def last(wall: Wall) -> int:
    """The number at the right end, which the next card must exceed (BB-7)."""
    return wall[-1] if wall else START_TOWER


def safe(wall: Wall, table: Pictures) -> int:
    """How many cards, from the left, are safe: all up to the last tower, itself included (BB-25).

    The start tower at the left end makes a pair with any tower, so what has a tower anywhere to its
    right stands between two.
    """
    for index in range(len(wall), 0, -1):
        if table.get(wall[index - 1]) is Picture.TOWER:
            return index
    return 0


def points(wall: Wall, table: Pictures) -> int:
    """A point for each card, and what the pictures add (BB-20 to BB-23)."""
    shown = [table[number] for number in wall if number in table]
    pairs = min(shown.count(Picture.KNIGHT), shown.count(Picture.DAMSEL))
    return len(wall) + sum(EXTRA.get(picture, 0) for picture in shown) + pairs
