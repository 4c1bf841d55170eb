"""Miniatures: for each game a setup that is small enough to be solved, and bots on its tree."""

from typing import Any

from mauerwerk.bots import spec
from mauerwerk.core import options
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.lab.match.match import chance
from mauerwerk.lab.solve.tree import Floats, Tree, policy_by
from mauerwerk.lab.study.rooms import room_of


def miniature_of(game: AnyGame) -> Setup[Any]:
    """The game's own miniature, which its study room names. Raises SetupError if there is none."""
    words = dict(getattr(room_of(game), "MINIATURE", {}))
    if not words:
        raise SetupError(f"{game.NAME} has no miniature of its own: name the options of one")
    seats = int(words.pop("seats"))
    return Setup(seats, options.from_words(game.OPTIONS, words))


def policy_of(tree: Tree, game: AnyGame, setup: Setup[Any], word: str, seed: int = 0) -> Floats:
    """What a bot does in each information set. Raises SetupError if it does not say."""
    read = spec.read(word)
    found: dict[int, tuple[float, ...]] = {}
    for number, each in enumerate(tree.sets):
        if len(each.sight.legal) > 1:
            bot: Any = spec.sit(read, game, setup, chance(seed, number, "policy")).bot
            if not hasattr(bot, "policy"):
                raise SetupError(
                    f"the bot {word} does not say how likely it does what; uniform, greedy, net "
                    "and table do"
                )
            found[number] = tuple(bot.policy(each.sight))
    return policy_by(tree, found)
