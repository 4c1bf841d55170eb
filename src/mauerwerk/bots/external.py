"""Bots of other people: programs that play, their seats, and the games that they lose by failing.

A program is told a line of JSON and answers with a line of JSON; `docs/how-to/write-a-bot.md`
describes the lines. It is told what its seat may know, and nothing else. A program that ends, is
late or answers nonsense is stopped and loses the game: `ExternalBot.fault` says why, and any legal
moves are played for it to the end, so that the others can finish theirs.

Such games are counted, and the user is told once for each bot. A worker tells the process that it
works for, so a traceback is shown once, however many workers there are.
"""

import atexit
import json
import os
import queue
import subprocess
import sys
import threading
import weakref
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, cast

import msgspec

from mauerwerk.core import errors, options
from mauerwerk.core.game import AnyGame, Chance, Setup, Sight, shown

# --- Programs --------------------------------------------------------------------------------

LONGEST_LINE: Final = 100_000
"""The most characters that an answer may have."""
KEPT_LINES: Final = 40
"""How many of the last lines on stderr are shown when a program fails."""


LLM_PLAYER: Final = (sys.executable, "-m", "mauerwerk.adapters.language_model")
"""The program that asks language models."""
LLM_KEY: Final = "MAUERWERK_LLM_KEY"
"""The variable with the key to them, which no other program gets."""


class BotFault(Exception):  # noqa: N818 - a fault of somebody else's program, not of this one
    """Why a program cannot play on: one line, and what it said itself, such as a traceback."""

    def __init__(
        self, why: str, trace: str = "", *, stops: bool = False, spent: object = None
    ) -> None:
        super().__init__(why)
        self.why = why
        self.trace = trace.strip()
        self.stops = stops
        """Whether it would fail in every game, however it plays."""
        self.spent = spent
        """What its last answer has cost, as it says."""


class BotProcess:
    """One running program, which plays one seat of one game at a time."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start it. Raises BotFault if there is no such program."""
        is_ours = tuple(command[: len(LLM_PLAYER)]) == LLM_PLAYER
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user chose the program
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
                env=None if is_ours else {k: v for k, v in os.environ.items() if k != LLM_KEY},
                # Ctrl-C is for those who play; a program ends when nobody talks to it any more.
                start_new_session=os.name == "posix",
            )
        except OSError as fault:
            raise BotFault(f"{command[0]} cannot be run: {fault.strerror}") from None
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._said: deque[str] = deque(maxlen=KEPT_LINES)
        self._readers = [
            threading.Thread(target=target, daemon=True) for target in (self._read, self._hear)
        ]
        for reader in self._readers:
            reader.start()

    @property
    def runs(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def ask(self, question: Mapping[str, Any], within: float) -> dict[str, Any]:
        """Its answer to a line. Raises BotFault, and then it is stopped."""
        try:
            return self._asked(question, within)
        except BotFault:
            self.stop()
            raise

    def _asked(self, question: Mapping[str, Any], within: float) -> dict[str, Any]:
        assert self._process.stdin is not None
        if not self._answers.empty() and self.runs:
            said = self._answers.get()
            raise BotFault(f"it spoke without being asked: {shown(said.strip())}", self._trace())
        try:
            self._process.stdin.write(json.dumps(question, ensure_ascii=False) + "\n")
        except (OSError, ValueError):
            raise self._ended() from None
        try:
            line = self._answers.get(timeout=within)
        except queue.Empty:
            raise BotFault(f"it gave no answer within {within:.1f} s", self._trace()) from None
        if not line:
            raise self._ended()
        try:
            answer: Any = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise BotFault(f"its answer is not a JSON object: {shown(line.strip())}", self._trace())
        fields = cast("dict[str, Any]", answer)
        if "error" in fields:
            trace = str(fields["error"]).strip()
            before, _, last = trace.rpartition("\n")
            raise BotFault(
                last,
                trace if before else "",
                stops=fields.get("stops") is True,
                spent=fields.get("spent"),
            )
        return fields

    def _ended(self) -> BotFault:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self._readers[1].join(1)
        return BotFault(f"it ended with status {self._process.returncode}", self._trace())

    def _trace(self) -> str:
        return "".join(self._said)

    def _read(self) -> None:
        assert self._process.stdout is not None
        with suppress(ValueError, OSError):  # closed by `stop`
            while line := self._process.stdout.readline(LONGEST_LINE):
                self._answers.put(line)
        self._answers.put("")

    def _hear(self) -> None:
        assert self._process.stderr is not None
        with suppress(ValueError, OSError):
            while line := self._process.stderr.readline(LONGEST_LINE):
                self._said.append(line)

    def stop(self) -> None:
        """End the program, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        for reader in self._readers:
            reader.join(1)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()


# --- Seats -----------------------------------------------------------------------------------

START: Final = 30.0
"""Seconds in which a program must be ready for a game: it may have to be compiled first."""
MOST_SPENT: Final = 1e15
"""What no program can spend on an answer."""
GRACE: Final = 15.0
"""Seconds beyond its time after which a program is given up: the machine may be busy."""
Command = tuple[str, ...]
Referee = Callable[[Any], errors.MoveError | None]
"""Says why an action is not allowed now; None if it is."""
_IDLE: Final[defaultdict[Command, list[BotProcess]]] = defaultdict(list)
"""Programs that have finished a game, and can play another."""


@atexit.register
def stop_idle() -> None:
    """End the programs that wait for another game."""
    for waiting in _IDLE.values():
        while waiting:
            waiting.pop().stop()


class ExternalBot:
    """A program at a seat, in a process of its own."""

    def __init__(  # noqa: PLR0913, PLR0917 - what makers of bots take, and which program it is
        self,
        command: Command,
        word: str,
        game: AnyGame,
        setup: Setup[Any],
        draw: Chance,
        tries: int = 1,
    ) -> None:
        """The program is started when it is first asked.

        It loses the game when it has answered with so many illegal moves to one question.
        """
        self.word = word
        """What it is called in commands."""
        self.fault: BotFault | None = None
        """Why it has lost the game."""
        self.spent = defaultdict[str, float](float)
        """What it says that its answers have cost, such as tokens, and its illegal moves."""

        self._tries = tries
        self._referee: Referee | None = None
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

    def judged_by(self, referee: "Referee", /) -> None:
        """Have somebody say which clause forbids a move, for its next decision."""
        self._referee = referee

    def act(self, sight: Sight[Any, Any, Any], seconds: float, /) -> Any:  # noqa: ANN401
        """What the program answers; once it has failed, any legal action.

        Raises SetupError if it would fail in every game.
        """
        if self.fault is None:
            try:
                return self.choose(sight, seconds)
            except BotFault as fault:
                self._count(fault.spent)
                self.fault = fault
        if self.fault.stops:
            raise errors.SetupError(f"the bot {self.word} cannot play: {self.fault.why}")
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
        self._told = sight.told
        word: object = None
        for _ in range(self._tries):
            answer = process.ask(question, seconds + GRACE)
            self._count(answer.get("spent"))
            word = answer.get("word")
            action = self._legal(word, sight)
            if action is not None:
                return action
            clause, why = self._judged(str(word))
            self.spent[f"illegal {clause}".strip()] += 1
            question = {"type": "illegal", "word": str(word), "clause": clause, "why": why}
        process.stop()
        raise BotFault(f"it chose {shown(str(word))}, which is not allowed")

    def _legal(self, word: object, sight: Sight[Any, Any, Any]) -> Any:  # noqa: ANN401
        """The action of a word, if it is legal; else None."""
        try:
            action = self._game.parse(word) if isinstance(word, str) else None
        except errors.NotAWordError:
            return None
        return action if action in sight.legal else None

    def _judged(self, word: str) -> tuple[str, str]:
        """The clause that forbids a move, if somebody knows it, and why it is forbidden."""
        try:
            fault = self._referee(self._game.parse(word)) if self._referee else None
        except errors.NotAWordError as error:
            return "", str(error)
        if isinstance(fault, errors.IllegalMoveError):
            return fault.clause, str(fault)
        return "", str(fault or f"{shown(word)} is not allowed now")

    def _count(self, spent: object) -> None:
        """Add what an answer has cost."""
        for name, amount in (
            cast("dict[str, Any]", spent).items() if isinstance(spent, dict) else ()
        ):
            if isinstance(amount, int | float) and 0 < amount < MOST_SPENT:
                self.spent[name] += amount

    def _ready(self) -> BotProcess:
        """The program, told which game it plays."""
        if self._process is None:
            process = _idle(self._command) or BotProcess(self._command)
            process.ask(self._begin, START)
            weakref.finalize(self, _give_back, self._command, process).atexit = False
            self._process = process
        return self._process


def _idle(command: Command) -> BotProcess | None:
    waiting = _IDLE[command]
    while waiting:
        if (process := waiting.pop()).runs:
            return process
    return None


def _give_back(command: Command, process: BotProcess) -> None:
    if process.runs:
        _IDLE[command].append(process)


# --- Faults ----------------------------------------------------------------------------------

Failure = tuple[str, str, str]
"""The word of a bot, why it lost, and its traceback."""
_SHOWN: Final[set[str]] = set()
_LOST: Final = Counter[str]()
_COLLECTED: Final[list[list[Failure]]] = []


def faults_of(bots: Sequence[object]) -> dict[int, BotFault]:
    """The seats of the bots that have lost by a fault, and why."""
    return {
        seat: bot.fault
        for seat, bot in enumerate(bots)
        if isinstance(bot, ExternalBot) and bot.fault is not None
    }


def show_faults(bots: Sequence[object]) -> None:
    """Count the games that bots have lost, and tell the user why."""
    for bot in bots:
        if isinstance(bot, ExternalBot) and bot.fault:
            show_fault(bot.word, bot.fault.why, bot.fault.trace)


def show_fault(word: str, why: str, trace: str) -> None:
    """Count a game that a bot lost; tell the user why, with its traceback, once for each bot."""
    if _COLLECTED:
        _COLLECTED[-1].append((word, why, trace))
        return
    _LOST[word] += 1
    if word not in _SHOWN:
        _SHOWN.add(word)
        said = f"{trace}\n" if trace else ""
        sys.stderr.write(f"{said}mauerwerk: the bot {word} loses a game: {why}\n")
        sys.stderr.flush()


@contextmanager
def collect_faults() -> Generator[list[Failure], None, None]:
    """Collect the games that are lost meanwhile, for `show_fault` in another process."""
    failures: list[Failure] = []
    _COLLECTED.append(failures)
    try:
        yield failures
    finally:
        _COLLECTED.pop()


def count_forfeits() -> Counter[str]:
    """How many games each bot loses from now on, counted as they are lost."""
    _LOST.clear()
    return _LOST
