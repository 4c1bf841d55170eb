"""Bots of other people as opponents at a server: `mauerwerk serve --bot my_bots:Thrifty`."""

import re
from typing import Final

from mauerwerk.bots import spec
from mauerwerk.bots.levels import LEVELS, Level, known_levels, let_advise, offer_level
from mauerwerk.core.beliefs import PERFECT
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Setup, shown
from mauerwerk.core.language import message
from mauerwerk.games import GAMES

_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,19}")
CHARACTER: Final = message("A bot that only this server has.")
"""What everybody reads about it. The command by which it is run is not for everybody."""


def offer(word: str) -> None:
    """Offer the bot of `NAME=BOT` or `BOT` in every game that it plays. Raises SetupError."""
    name, bot = _named(word)
    read = spec.read(bot)
    if not _NAME.fullmatch(name):
        raise SetupError(
            f"{shown(name)} cannot name a bot: small letters and digits, like thrifty={bot}"
        )
    if name in known_levels():
        raise SetupError(
            f"{shown(name)} is the name of another bot; give this one its own, like my_{name}={bot}"
        )
    games: set[str] = set()
    why = ""
    for game in GAMES.values():
        try:
            spec.check([bot], game, Setup(game.SEATS[0], game.OPTIONS()))
        except SetupError as fault:
            why = str(fault)
        else:
            games.add(game.NAME)
    if not games:
        raise SetupError(why)
    level = Level(
        name=name,
        title=name.replace("_", " ").capitalize(),
        character=CHARACTER,
        seconds=read.seconds,
        memory=PERFECT,
        looks_ahead=False,
        word=bot,
    )
    offer_level(level, games)


def advise(name: str) -> None:
    """Let the bot of this name, which is offered, give hints. Raises SetupError."""
    if name in LEVELS or name not in known_levels():
        raise SetupError(f"{shown(name)} cannot give hints: first offer it, with --bot")
    let_advise(name)


def _named(word: str) -> tuple[str, str]:
    """The name of a bot and its word; without a name, that of its class or of its entry point."""
    name, equals, bot = word.partition("=")
    if equals and _NAME.fullmatch(name):
        return name, bot
    read = spec.read(word)
    return re.sub(r"\W", "", read.name.rpartition(":")[2]).lower(), word
