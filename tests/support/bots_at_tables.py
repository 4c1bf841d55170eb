"""Bots at tables that fail, and what they may play."""

from mauerwerk.core.game import Seat
from mauerwerk.server.tables.table import Table


def is_legal(table: Table, word: str) -> bool:
    """Whether the first seat may play it."""
    return table.game.parse(word) in table.game.legal(table.state, Seat(0))


class Failing:
    """Workers that fail in ways of which each is the next."""

    def __init__(self, *faults: Exception) -> None:
        """With these, one after the other."""
        self.faults = iter(faults)

    async def run(self, *_: object, **__: object) -> str:
        """Fail."""
        raise next(self.faults)
