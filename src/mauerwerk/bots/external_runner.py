"""Runs a bot of a Python package as a program: `python -m mauerwerk.bots.external_runner a.b:C`.

The class is called with the game, the setup and a `Chance`, or with nothing if it takes nothing.
What the bot prints goes to stderr, as stdout is for answers.
"""

import inspect
import json
import random
import reprlib
import sys
import traceback
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, TextIO

import msgspec

from mauerwerk.bots.bot import Bot
from mauerwerk.core import errors, options
from mauerwerk.core.game import AnyGame, Chance, Seat, Setup, Sight
from mauerwerk.games import game_of


class NoBotError(Exception):
    """There is no such module, or it has no such class; the bot has done nothing yet."""


def maker_of(path: str) -> Callable[[AnyGame, Setup[Any], Chance], Bot]:
    """The function that makes the bot at `package.module:Name`. Raises NoBotError.

    It also raises what importing the module raises.
    """
    module, _, name = path.partition(":")
    try:
        thing: Any = import_module(module)
    except ModuleNotFoundError as fault:
        if not f"{module}.".startswith(f"{fault.name}."):
            raise  # it is there, and imports another one that is not
        raise NoBotError(f"there is no module {fault.name}") from None
    for part in name.split("."):
        if not hasattr(thing, part):
            raise NoBotError(f"there is no {name} in {module}")
        thing = getattr(thing, part)
    try:
        inspect.signature(thing).bind(None, None, None)
    except TypeError:
        return lambda _game, _setup, _draw: thing()
    return thing  # type: ignore[no-any-return]


class NotAllowedError(Exception):
    """The bot chose something else than a legal action; there is no traceback worth showing."""


class Runner:
    """Plays one seat of one game after the other."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._told: tuple[Any, ...] = ()

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a line."""
        if question["type"] == "game":
            self._begin(question)
            return {"ready": True}
        return {"word": self._chosen(question)}

    def _begin(self, question: Mapping[str, Any]) -> None:
        game = game_of(question["game"], question["rules"])
        if game is None:
            raise errors.SetupError(f"there is no game {question['game']}/{question['rules']} here")
        self._game = game
        setup = Setup(question["seats"], options.from_words(game.OPTIONS, question["options"]))
        draw: Chance = random.Random(question["seed"]).randrange  # noqa: S311 - no secret
        self._bot = maker_of(self._path)(game, setup, draw)
        self._told = ()

    def _chosen(self, question: Mapping[str, Any]) -> str:
        game = self._game
        events: Any = game.EVENTS[0]
        for kind in game.EVENTS[1:]:
            events |= kind
        self._told += msgspec.convert(question["told"], tuple[events, ...])
        sight = Sight(
            seat=Seat(question["seat"]),
            view=msgspec.convert(question["view"], game.VIEW),
            told=self._told,
            legal=tuple(map(game.parse, question["legal"])),
        )
        action = self._bot.act(sight, question["seconds"])
        if action not in sight.legal:
            raise NotAllowedError(f"it chose {reprlib.repr(action)}, which is not allowed")
        return game.write(action)


def run(path: str, lines: TextIO, answers: TextIO) -> None:
    """Answer line by line, until there are no more."""
    runner = Runner(path)
    for line in lines:
        try:
            answer = runner.answer(json.loads(line))
        except (NoBotError, NotAllowedError) as fault:
            answer = {"error": str(fault)}
        except Exception:  # noqa: BLE001 - the bot's fault, whatever it is
            answer = {"error": traceback.format_exc()}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    answers, sys.stdout = sys.stdout, sys.stderr
    run(sys.argv[1], sys.stdin, answers)
