"""The bot that takes what looks best now, by rules of thumb that a player would know.

It looks no turn ahead and takes about a millisecond. What it thinks of a choice, and why, is in
the module of each game: `mauer.greedy`, `burgbaumeister.greedy`, `mauerbauer.greedy`.
"""

from typing import Any

from mauerwerk.bots.burgbaumeister import greedy as greedy_burgbaumeister
from mauerwerk.bots.mauer import greedy as greedy_mauer
from mauerwerk.bots.mauerbauer import greedy as greedy_mauerbauer
from mauerwerk.bots.memory import Recollection, recollection
from mauerwerk.bots.thought import Judgement, sampled, shares
from mauerwerk.core.game import AnyGame, Chance, Setup, SetupError
from mauerwerk.core.sight import Sight
from mauerwerk.games import burgbaumeister, mauer, mauerbauer
from mauerwerk.games.burgbaumeister.beliefs import PERFECT, Memory


class Greedy:
    """Weighs every legal action, and takes the best, or mixes where it could be guessed."""

    def __init__(
        self,
        game: AnyGame,
        setup: Setup[Any],
        draw: Chance,
        memory: Memory | Recollection = PERFECT,
    ) -> None:
        """Made for the games of this program; the memory is for Burgbaumeister."""
        if game.NAME not in {mauer.NAME, burgbaumeister.NAME, mauerbauer.NAME}:
            raise SetupError(f"the bot greedy does not know the game {game.NAME}")
        self._game = game.NAME
        self._options = setup.options
        self._draw = draw
        self._recollection = recollection(memory, draw)

    def consider(self, sight: Sight[Any, Any, Any]) -> Judgement:
        """What every legal action is worth."""
        if self._game == mauer.NAME:
            return greedy_mauer.consider(sight)
        if self._game == burgbaumeister.NAME:
            belief = self._recollection.belief(sight)
            return greedy_burgbaumeister.consider(sight, self._options, belief)
        return greedy_mauerbauer.consider(sight, self._options)

    def act(self, sight: Sight[Any, Any, Any], seconds: float, /) -> Any:  # noqa: ANN401
        """The best, or one of those as good; where others guess, now and then another."""
        del seconds  # it needs next to none
        if len(sight.legal) == 1:
            return sight.legal[0]
        thoughts, temperature, *_ = self.consider(sight)
        return thoughts[
            sampled(shares([each.worth for each in thoughts], temperature), self._draw)
        ].action
