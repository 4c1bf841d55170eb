"""What people and bots are called on a page, in the reader's language."""

import secrets
from collections.abc import Sequence
from typing import Final

from mauerwerk.bots.levels import LEVELS
from mauerwerk.core.tongue import YOU, Tongue, is_you
from mauerwerk.play.entries import Card, Status
from mauerwerk.play.table import Sitter, Viewer

FRIENDLY: Final = (
    *("Alex", "Andrea", "Charlie", "Dominique", "Eike", "Francis", "Kai", "Kim", "Luca"),
    *("Maxi", "Mika", "Nicola", "Nico", "Robin", "Sam", "Sascha", "Toni", "Yuki"),
)
"""Names for somebody who has not given one; all can be anybody's."""


def friendly_name() -> str:
    """One of them."""
    return secrets.choice(FRIENDLY)


def names_for(sitters: Sequence[Sitter], viewer: Viewer, tongue: Tongue) -> tuple[str, ...]:
    """How the seats are called in sentences: the reader is `you`, bots go by their level."""
    called = [called_by(sitter.name, sitter.level, tongue) for sitter in sitters]
    told_apart = apart(called)
    return tuple(YOU if seat == viewer else name for seat, name in enumerate(told_apart))


def called_by(name: str, level: str, tongue: Tongue) -> str:
    """A person by their name, a bot by its level, nobody as a free seat."""
    if name:
        # Whoever is called so must not be taken for the reader.
        return f"“{name}”" if is_you(name) else name
    return tongue(LEVELS[level].title) if level in LEVELS else tongue("free seat")


def apart(called: Sequence[str]) -> tuple[str, ...]:
    """The same names, with a number where one is not the first of its kind.

    >>> apart(["Ada", "Journeyman", "Journeyman"])
    ('Ada', 'Journeyman', 'Journeyman 2')
    """
    return tuple(
        f"{name} {called[: seat + 1].count(name)}" if name in called[:seat] else name
        for seat, name in enumerate(called)
    )


def names_on(card: Card, tongue: Tongue) -> tuple[str, ...]:
    """The names on a card of the lobby."""
    pairs = zip(card.names, card.levels, strict=True)
    return apart([called_by(name, level, tongue) for name, level in pairs])


def company(card: Card, own: str, tongue: Tongue) -> str:
    """Who else sits at a table: `with Clara and Bruno`."""
    others = [name for name in names_on(card, tongue) if name != own]
    return tongue("with {who}", who=tongue.listed(others)) if others else ""


def turn_of(card: Card, own: str, tongue: Tongue) -> tuple[str, bool]:
    """Whose turn it is at a table, and whether it is the reader's."""
    if card.status is Status.OPEN:
        return tongue("waiting for players"), False
    names = names_on(card, tongue)
    asked = [names[seat] for seat in card.waiting if seat >= 0]
    if own and own in asked:
        return tongue("Your turn"), True
    if len(asked) == 1:
        return tongue("{who}'s turn", who=asked[0]), False
    return tongue("everybody chooses"), False
