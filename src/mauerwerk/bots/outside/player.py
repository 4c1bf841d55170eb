"""A program at a seat. It is told what its seat may know, and nothing else.

A program that fails loses the game: `OutsideBot.fault` says why, and any legal moves are played for
it to the end, so that the others can finish theirs.
"""

import atexit
import weakref
from collections import defaultdict
from typing import Any, Final

import msgspec

from mauerwerk.bots.outside.process import BotFault, BotProcess
from mauerwerk.core import options
from mauerwerk.core.errors import NotAWordError
from mauerwerk.core.game import AnyGame, Chance, Setup, shown
from mauerwerk.core.sight import Sight

START: Final = 30.0
"""Seconds in which a program must be ready for a game: it may have to be compiled first."""

GRACE: Final = 15.0
"""Seconds beyond its time after which a program is given up: the machine may be busy."""

Command = tuple[str, ...]

_IDLE: Final[defaultdict[Command, list[BotProcess]]] = defaultdict(list)
"""Programs that have finished a game, and can play another."""


@atexit.register
def stop_idle() -> None:
    """End the programs that wait for another game."""
    for waiting in _IDLE.values():
        while waiting:
            waiting.pop().stop()


class OutsideBot:
    """A program at a seat, in a process of its own."""

    def __init__(
        self, command: Command, word: str, game: AnyGame, setup: Setup[Any], draw: Chance
    ) -> None:
        """The program is started when it is first asked."""
        self.word = word
        """What it is called in commands."""
        self.fault: BotFault | None = None
        """Why it has lost the game."""

        self._command = command
        self._game = game
        self._draw = draw
        self._begin = {
            "type": "game",
            "game": game.NAME,
            "rules": game.RULES,
            "seats": setup.seats,
            "options": options.to_words(setup.options),
            "seed": draw(1 << 32),
        }
        self._process: BotProcess | None = None
        self._told: tuple[Any, ...] = ()

    def warm(self) -> None:
        """Start the program, so that no decision has to wait."""
        try:
            self._ready()
        except BotFault as fault:
            self.fault = fault

    def act(self, sight: Sight[Any, Any, Any], seconds: float, /) -> Any:  # noqa: ANN401
        """What the program answers; once it has failed, any legal action."""
        if self.fault is None:
            try:
                return self.choose(sight, seconds)
            except BotFault as fault:
                self.fault = fault
        return sight.legal[self._draw(len(sight.legal))]

    def choose(self, sight: Sight[Any, Any, Any], seconds: float) -> Any:  # noqa: ANN401
        """What the program answers. Raises BotFault, and then the program is stopped."""
        if sight.told[: len(self._told)] != self._told:
            self._process, self._told = None, ()  # another game, or another past of this one
        process = self._ready()
        question = {
            "type": "act",
            "seat": sight.seat,
            "seconds": seconds,
            "view": msgspec.to_builtins(sight.view),
            "told": msgspec.to_builtins(sight.told[len(self._told) :]),
            "legal": [self._game.write(action) for action in sight.legal],
        }
        word = process.ask(question, seconds + GRACE).get("word")
        self._told = sight.told
        try:
            action = self._game.parse(word) if isinstance(word, str) else None
        except NotAWordError:
            action = None
        if action not in sight.legal:
            process.stop()
            raise BotFault(f"it chose {shown(str(word))}, which is not allowed")
        return action

    def _ready(self) -> BotProcess:
        """The program, told which game it plays."""
        if self._process is None:
            process = _idle(self._command) or BotProcess(self._command)
            process.ask(self._begin, START)
            weakref.finalize(self, _give_back, self._command, process).atexit = False
            self._process = process
        return self._process


def _idle(command: Command) -> BotProcess | None:
    """A program that waits for another game."""
    waiting = _IDLE[command]
    while waiting:
        if (process := waiting.pop()).runs:
            return process
    return None


def _give_back(command: Command, process: BotProcess) -> None:
    """Keep a program for the next game, unless it has ended."""
    if process.runs:
        _IDLE[command].append(process)
