"""What bots do in worker processes: choose a move, give advice, compile a search.

A worker is told what a seat may know (`Sight`), and nothing else of its table.
"""

import random
from collections import OrderedDict
from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from mauerwerk import bots
from mauerwerk.bots import external, spec
from mauerwerk.bots.bot import Bot
from mauerwerk.bots.hints import Hint, hints
from mauerwerk.bots.levels import Level, sit
from mauerwerk.core.game import AnyGame, Chance, Ephemeral, Setup, Sight
from mauerwerk.core.language import language_of
from mauerwerk.games import GAMES, game_of, is_current

_Bot = TypeVar("_Bot")


class Turn(NamedTuple):
    """What a bot is asked about."""

    game: str
    rules: int
    setup: Setup[Any]
    sight: Sight[Any, Any, Any]

    @property
    def played(self) -> AnyGame:
        """The rules of the table."""
        game = game_of(self.game, self.rules)
        assert game is not None
        return game


class BotAtSeat(NamedTuple):
    """A bot at a seat."""

    level: Level
    character: str
    """The table and the seat. It is the seed of what the bot forgets: what it has forgotten once
    stays forgotten, in whatever process it thinks."""
    ahead: bool
    """Whether it may search; until the search is compiled, it plays by rules of thumb."""
    threads: int = 1
    """How many cores it may use."""


def choose(bot: BotAtSeat, turn: Turn) -> str:
    """The word that this bot plays. Apart from what it forgets, it decides by fresh chance."""
    if bot.level.word:
        return _chosen_outside(bot.level, turn)
    # A player answers from the sight alone; what it has followed before only saves time. Where a
    # move was taken back, it follows the game anew (`Tracker`).
    player = _PLAYERS.pop(bot, None) or _seated(bot, turn)
    action = player.act(turn.sight, bot.level.seconds)
    _PLAYERS[bot] = player  # one that failed is not kept
    if len(_PLAYERS) > KEPT_PLAYERS:
        _PLAYERS.popitem(last=False)
    return turn.played.write(action)


def _seated(bot: BotAtSeat, turn: Turn) -> Bot:
    return seated(bot, turn, sit)


def seated(
    bot: BotAtSeat, turn: Turn, make: Callable[[Level, AnyGame, Setup[Any], Chance, int], _Bot]
) -> _Bot:
    """A new player for a seat. What it draws while it sits down is what it will forget."""
    game, level = turn.played, bot.level
    if not bot.ahead or not is_current(game):
        level = msgspec.structs.replace(level, looks_ahead=False)
    source: Chance = random.Random(bot.character).randrange  # noqa: S311 - no secret

    def draw(bound: int, /) -> int:
        return source(bound)

    if level.looks_ahead:
        warm(turn.game)
    player = make(level, game, turn.setup, draw, bot.threads)
    source = CHANCE
    return player


KEPT_PLAYERS: Final = 16
"""How many players a process keeps between their decisions."""

_PLAYERS: Final[OrderedDict[BotAtSeat, Bot]] = OrderedDict()
"""The players of this process, the one that decided last at the end."""


def _chosen_outside(level: Level, turn: Turn) -> str:
    """The word that a bot of other people plays. Raises BotFault, with its traceback."""
    game = turn.played
    player = spec.sit(level.word, game, turn.setup, CHANCE)
    if not isinstance(player.bot, external.ExternalBot):
        return game.write(player.bot.act(turn.sight, level.seconds))
    try:
        return game.write(player.bot.choose(turn.sight, level.seconds))
    except external.BotFault as fault:
        raise external.BotFault(f"{level.word}: {fault.why}\n{fault.trace}") from None


def choose_simply(name: str, turn: Turn) -> str:
    """The word that the bot of this name, one of `BOTS`, plays at once."""
    game = turn.played
    return game.write(bots.BOTS[name](game, turn.setup, CHANCE).act(turn.sight, 0.0))


def advise(seconds: float, language: str, turn: Turn) -> tuple[Hint, ...]:
    """The best choices, found in this many seconds, in words of this language."""
    game = turn.played
    if seconds > 0 and is_current(game):
        warm(turn.game)
    return hints(game, turn.setup, turn.sight, CHANCE, seconds, language=language_of(language))


def advise_as(level: Level, code: str, turn: Turn) -> tuple[Hint, ...]:
    """What a bot of other people would do. What is to be remembered, it is not told."""
    told = tuple(event for event in turn.sight.told if not isinstance(event, Ephemeral))
    sight = msgspec.structs.replace(turn.sight, told=told)
    word = _chosen_outside(level, turn._replace(sight=sight))
    language = language_of(code)
    reason = language("{who} would do this.", who=level.title)
    return (Hint(turn.played.parse(word), None, reason),)


@cache
def warm(name: str) -> None:
    """Compile or load the search of a game, once in each process, before a decision is timed."""
    game = GAMES[name]
    bots.warm(game, Setup(game.SEATS[0], game.OPTIONS()))


CHANCE: Final[Chance] = random.SystemRandom().randrange
