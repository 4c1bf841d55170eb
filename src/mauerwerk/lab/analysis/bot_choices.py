"""What a bot would have chosen in a game that others played."""

from collections.abc import Iterator
from typing import Any

from mauerwerk.bots.bot import Player
from mauerwerk.core.game import NATURE, AnyGame, Seat, Value
from mauerwerk.core.record import Record, replay
from mauerwerk.core.sight import Observer


class BotChoice(Value):
    """A decision of the game, and what the bot would have chosen."""

    at: int
    """After how many moves."""
    seat: Seat
    played: str
    chosen: str
    """As words."""

    @property
    def agrees(self) -> bool:
        """Whether it is the same."""
        return self.played == self.chosen


def bot_choices(game: AnyGame, record: Record, players: list[Player]) -> Iterator[BotChoice]:
    """What the player at each seat would have chosen, wherever the seat had a choice."""
    state: Any = game.start(record.setup)
    observers = [Observer(game, Seat(seat)) for seat in range(record.setup.seats)]
    for at, (move, step) in enumerate(replay(game, record)):
        if move.seat != NATURE:
            sight = observers[move.seat].sight(state)
            if len(sight.legal) > 1:
                bot, seconds = players[move.seat]
                yield BotChoice(at, move.seat, move.word, game.write(bot.act(sight, seconds)))
        for observer in observers:
            observer.follow(step)
        state = step.state
