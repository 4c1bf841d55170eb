"""The rules; no game knows another."""

from typing import Any, Final

from mauerwerk.core.defaults import unwritten
from mauerwerk.core.game import AnyGame, Game, of_revision, revisions
from mauerwerk.core.record import Record
from mauerwerk.core.registry import Registry, lacking
from mauerwerk.games import burgbaumeister, mauer, mauerbauer


def fault_of(name: str, game: Any) -> str:  # noqa: ANN401 - whatever a package calls a game
    """What is wrong with a game from another package; empty when nothing is."""
    if isinstance(game, type):
        return f"{game.__name__} is a class; a game is a module or an instance"
    if fault := lacking(game, Game, "game", unwritten(game)):
        return fault
    if name != game.NAME:
        return f"the game's own name is {game.NAME}, not {name}"
    for each in revisions(game)[1:]:
        if fault := lacking(each, Game, "game", unwritten(each)):
            return f"earlier rules: {fault}"
        if name != each.NAME or each.RULES >= game.RULES:
            return f"earlier rules are those of {name} before revision {game.RULES}"
    return ""


GAMES: Final = Registry[AnyGame](
    "mauerwerk.games",
    {
        "mauer": mauer,
        "burgbaumeister": burgbaumeister,
        "mauerbauer": mauerbauer,
    },
    fault_of,
)
"""Every game, by its word in records and commands; other packages can add games."""


def game_of(name: str, rules: int) -> AnyGame | None:
    """The rules of a game in this revision; None where this program does not have them."""
    game = GAMES.get(name)
    return None if game is None else of_revision(game, rules)


def game_in(record: Record) -> AnyGame:
    """The rules by which a record was played, which was read here."""
    game = game_of(record.game, record.rules)
    assert game is not None
    return game


def is_current(game: AnyGame) -> bool:
    """Whether these are the present rules: what else is known of a game is known of them alone."""
    present = GAMES.get(game.NAME)
    return present is None or present.RULES == game.RULES
