"""Which moves of a story are news, for the tests of each game."""

from tests.support.game_table import AnyTable

from mauerwerk.core.game import NATURE, Seat


def news(table: AnyTable, words: str) -> str:
    """Make these moves; those of them that cannot simply be taken back."""
    found: list[str] = []
    for word in words.split():
        who, _, what = word.partition(":")
        mover = NATURE if who == "~" else Seat(int(who))
        step = table.game.apply(table.state, mover, table.game.parse(what))
        table.state = step.state
        if any(map(table.game.reveals, step.events)):
            found.append(word)
    return " ".join(found)
