"""What the seats of a table are called in sentences, so that nobody is taken for somebody else."""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Protocol

from mauerwerk.core.game import Seat, name_of

BOTS: Final = ("Olmo", "Bruno", "Clara", "Emil", "Greta", "Jonas")
"""Names for bots, one per seat, so that they can be told apart; their level stands beside it."""


class Named(Protocol):
    """Whatever says who plays a seat: a name, and the level of a bot."""

    @property
    def name(self) -> str:
        """The name of the person; empty where there is none."""
        ...

    @property
    def level(self) -> str:
        """The level of the bot that plays; empty where a person does."""
        ...


def names_of(players: Sequence[Named]) -> tuple[str, ...]:
    """The names for programs: people by their names, bots by theirs, a free seat by its number."""
    return apart(
        [
            player.name or (BOTS[seat % len(BOTS)] if player.level else name_of(Seat(seat)))
            for seat, player in enumerate(players)
        ]
    )


LETTERS: Final = str.maketrans(
    "АВЕКМНОРСТУХІЈЅаеорсухіјѕԁԛԝһӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧοιαρνυı",  # noqa: RUF001 - that is what they look like
    "ABEKMHOPCTYXIJSaeopcyxijsdqwhlABEZHIKMNOPTYXoiapvui",
)
"""Cyrillic and Greek letters that look like Latin ones: a selection of Unicode's confusables."""

STROKES: Final = str.maketrans("I1|0", "lllO")
"""What looks alike in most typefaces."""


def apart(called: Sequence[str]) -> tuple[str, ...]:
    """The same names, with a number where one could be taken for one before it.

    >>> apart(["Ada", "Bruno", "Bruno"])
    ('Ada', 'Bruno', 'Bruno 2')
    >>> apart(["Clara", "C1ara", "CLARA"])
    ('Clara', 'C1ara 2', 'CLARA 2')
    >>> apart(["Ada", "Ada 2", "Ada"])
    ('Ada', 'Ada 2', 'Ada 3')
    """
    told: list[str] = []
    taken: set[str] = set()
    """How all that was told looks."""

    alike: dict[str, set[int]] = {}
    """By how a name looks: the seats whose names look like that."""

    for seat, name in enumerate(called):
        looks = _looks(name)
        number = 1 + len({each for look in looks for each in alike.get(look, ())})
        new = f"{name} {number}" if number > 1 else name
        while not taken.isdisjoint(_looks(new)):
            number += 1
            new = f"{name} {number}"
        told.append(new)
        taken |= _looks(new)
        for look in looks:
            alike.setdefault(look, set()).add(seat)
    return tuple(told)


@lru_cache(maxsize=4096)
def _looks(name: str) -> frozenset[str]:
    """How a name looks: in small letters, and in its own where strokes are taken for others."""
    latin = unicodedata.normalize("NFKC", name).translate(LETTERS).replace(" ", "")
    return frozenset({latin.casefold(), latin.translate(STROKES).replace("rn", "m")})
