"""The names of people and bots on a page, in the reader's language."""

import secrets
from collections.abc import Collection, Sequence
from typing import Final

from mauerwerk.bots.levels import level_of, title_of
from mauerwerk.core.game import AnyGame
from mauerwerk.core.language.translation import YOU, Language, is_you
from mauerwerk.server.tables.log import ANONYMOUS
from mauerwerk.server.tables.table import Card, Status, Viewer
from mauerwerk.server.ui.names import BOTS, Named, apart

FRIENDLY: Final = (
    *("Alex", "Andrea", "Charlie", "Dominique", "Eike", "Francis", "Kai", "Kim", "Luca"),
    *("Maxi", "Mika", "Nicola", "Nico", "Robin", "Sam", "Sascha", "Toni", "Yuki"),
)
"""Names for guests who have not given one."""


def friendly_name() -> str:
    """A random name for a guest."""
    return secrets.choice(FRIENDLY)


def names_for(players: Sequence[Named], viewer: Viewer, language: Language) -> tuple[str, ...]:
    """The names of the seats in sentences; the reader is `you`."""
    names = [player.name for player in players]
    called = all_called(names, [player.level for player in players], language)
    return tuple(YOU if seat == viewer else name for seat, name in enumerate(called))


def all_called(names: Sequence[str], levels: Sequence[str], language: Language) -> tuple[str, ...]:
    """People by their own names, bots by the bot's name of the seat, others as a free seat."""
    free = language("free seat")
    called: list[str] = []
    for seat, (name, level) in enumerate(zip(names, levels, strict=True)):
        if name == ANONYMOUS:
            called.append(language("anonymous"))
        elif name:
            # A player with this name must not be taken for the reader.
            called.append(f"“{name}”" if is_you(name) else name)
        else:
            called.append(BOTS[seat % len(BOTS)] if level else "")
    if all(called):
        return apart(called)
    # Free seats have no numbers, but nobody can be taken for one.
    told = iter(apart([free, *filter(None, called)])[1:])
    return tuple(next(told) if name else free for name in called)


def level_named(level: str, language: Language, game: AnyGame | None = None) -> str:
    """The title of a level; in a game where it cannot think as it should, with the reason."""
    known = level_of(level)
    return title_of(known, game, language) if game else language(known.title)


def names_on(card: Card, language: Language) -> tuple[str, ...]:
    """The names on a card of the lobby."""
    return all_called(card.names, card.levels, language)


def company(card: Card, own: Collection[int], language: Language) -> str:
    """The other players at a table, if there are any yet: `with Clara and Bruno`."""
    others = [
        name
        for seat, name in enumerate(names_on(card, language))
        if seat not in own and (card.names[seat] or card.levels[seat])
    ]
    return language("with {who}", who=language.listed(others)) if others else ""


def turn_of(card: Card, own: Collection[int], language: Language) -> tuple[str, bool]:
    """Whose turn it is at a table, and whether it is that of a reader with these seats."""
    if card.status is Status.OPEN:
        return language("waiting for players"), False
    if card.late and not own:  # spectators see it later
        return language("being played"), False
    names = names_on(card, language)
    asked = [seat for seat in card.waiting if seat >= 0]
    # While a bot plays for a seat, its owner has nothing to decide.
    if any(seat in own and not card.levels[seat] for seat in asked):
        return language("Your turn"), True
    if not asked:
        return language("waiting for the dice"), False
    if len(asked) == 1:
        return language("{who}'s turn", who=names[asked[0]]), False
    return language("everybody chooses"), False


def tab_title(game: str, asked: bool, deciding: Sequence[str], language: Language) -> str:  # noqa: FBT001 - a fact
    """What a table's tab says: whether it is the reader's turn, or whose it is."""
    if asked:
        return f"{language('Your turn')} · {game}"
    if len(deciding) == 1:
        whose = language("{who}'s turn", who=deciding[0])
        return f"{game} · {whose}"
    return game
