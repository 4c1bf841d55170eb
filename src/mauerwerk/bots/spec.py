"""Players as words: a bot or a level, such as `greedy`, `search:0.2s` or `journeyman`.

For games about memory a bot can be given the memory of a level, or one in thousandths:
`greedy:memory=apprentice`, `search:0.2s:memory=990/960`. A trained network plays by its file,
`net:FILE`, or guides a search, `guided:0.2s:net=FILE`; without a file (`net`, `guided:0.2s`) it is
the game's own. A table of what to do in each information state plays by its file too, `table:FILE`.
A bot that searches uses one core, or as many as it is given:
`search:0.2s:threads=2`. With `search:simulations=800` it makes that many simulations instead of
watching the clock, so that its games can be repeated.

Bots of other people are named by their class, `package.module:Class:0.2s`, by the name that their
package gives them (an entry point of `mauerwerk.players`), or by a command that speaks JSON lines,
`run:node bot.js` or `run:0.2s:node bot.js`. Each plays in a process of its own (`bots.external`).

A language model is named as its server names it, `llm:MODEL`, with a time, `llm:120s:MODEL`, or in
disguise, `llm:disguised:MODEL`: then other words stand for the game and its pieces. It plays in a
process of its own too (`adapters.language_model`), and is asked again after an illegal move.
"""

import re
import shlex
import sys
from collections.abc import Iterable
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

from mauerwerk.bots import (
    BOTS,
    GUIDED,
    REMEMBERING,
    SEARCHERS,
    levels,
    network_bot,
    why_no_search,
    why_not_searched,
)
from mauerwerk.bots.bot import Player
from mauerwerk.bots.external import LLM_PLAYER, ExternalBot
from mauerwerk.bots.greedy import Greedy
from mauerwerk.bots.networks import file_of, shipped
from mauerwerk.bots.rooms import has_room, remark
from mauerwerk.bots.table import Table
from mauerwerk.core.beliefs import ABSENT, PERFECT, Memory, is_about_memory
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Chance, Setup, Value, shown
from mauerwerk.core.registry import Registry
from mauerwerk.kernels import has_kernel

SECONDS: Final = 1.0
"""How long a bot may think about a decision by default."""
LONGEST: Final = 600.0
"""The longest time to think, in seconds."""
MOST_THREADS: Final = 256
MOST_SIMULATIONS: Final = 10_000_000
NAMES: Final = (*BOTS, *levels.LEVELS)
UNIFORM: Final = "uniform"
"""The bot that needs no rules of thumb."""

SEARCHING: Final = {
    "search",
    GUIDED,
    *(name for name, level in levels.LEVELS.items() if level.looks_ahead),
}
"""The bots and levels that need a kernel."""

UNITS: Final = {"s": 1.0, "ms": 0.001}

MEMORIES: Final = {
    "absent": ABSENT,
    **{name: level.memory for name, level in levels.LEVELS.items()},
    "perfect": PERFECT,
}
"""Memories that have a name: none, that of each level, and one that forgets nothing."""

NET: Final = "net"
"""The bot that is a network: the one in the file that follows, or the game's own."""
TABLE: Final = "table"
"""The bot that plays by a table, in the file that follows."""
RUN: Final = "run"
"""The bot that is a program; in its word the command follows."""
LLM: Final = "llm"
"""The bot that is a language model; in its word the model follows."""
DISGUISED: Final = "disguised:"
PLAYERS: Final = Registry[str]("mauerwerk.players", {}, load=attrgetter("value"))
"""Bots of other packages by their names: where their classes are, `package.module:Class`."""
_LLM_SECONDS: Final = 60.0
_LLM_TRIES: Final = 3
"""How many illegal moves a language model may answer to one question before it loses."""
_RUNNER: Final = (sys.executable, "-m", "mauerwerk.bots.external_runner")
_PATH: Final = re.compile(r"([A-Za-z_][\w.]*:[A-Za-z_][\w.]*)(?::([^:]*))?")
_TIMED: Final = re.compile(r"(?:(\d[\d.]*m?s):)?(.*)")
_MEMORY: Final = "memory="
_FILE: Final = "net="
_THREADS: Final = "threads="
_SIMULATIONS: Final = "simulations="
_WHOLE: Final = 1000


class Spec(Value):
    """A bot or level, and how long it may think about each decision."""

    word: str
    """As it was written, such as `search:0.2s`."""
    name: str
    """One of `BOTS` or `LEVELS`, `NET`, `LLM`, `RUN`, or the name or class of another bot."""
    seconds: float
    memory: Memory | None = None
    """How much it remembers in games about memory; None: the bot's default."""
    file: str = ""
    program: tuple[str, ...] = ()
    """The command that runs a bot of other people."""
    threads: int = 1
    """How many cores it may use, if it searches."""
    simulations: int | None = None
    """How many simulations it makes, if it searches; None: as many as it has time for."""


def read(word: str) -> Spec:
    """Read one word. Raises SetupError.

    >>> read("uniform:200ms").seconds, read("uniform").seconds
    (0.2, 1.0)
    >>> read("greedy:memory=990/960").memory
    Memory(per_turn=990, per_card=960)
    """
    name, *parts = word.split(":")
    if name == NET:
        return Spec(word, NET, SECONDS, file=_file(word.removeprefix(f"{NET}:")) if parts else "")
    if name == TABLE:
        file = word.removeprefix(TABLE).removeprefix(":")
        if not file:
            raise SetupError(f"a table is named by its file, like {TABLE}:FILE")
        return Spec(word, TABLE, SECONDS, file=file)
    if name not in NAMES:
        return _read_external(word)
    seconds = levels.LEVELS[name].seconds if name in levels.LEVELS else SECONDS
    memory: Memory | None = None
    named = (_MEMORY, _FILE, _THREADS, _SIMULATIONS)
    times = [part for part in parts if not part.startswith(named)]
    memories, files, cores, numbers = (
        [part.removeprefix(what) for part in parts if part.startswith(what)] for what in named
    )
    if max(map(len, (times, memories, files, cores, numbers))) > 1:
        raise SetupError(
            "a bot has one time to think, one memory, one network, one number of threads and one "
            f"of simulations, not {shown(word)}"
        )
    if files and name != GUIDED:
        raise SetupError(f"no network guides the bot {name}, only {GUIDED}")
    for time in times:
        seconds = _seconds(time)
    for described in memories:
        memory = _memory(described)
        if name not in REMEMBERING:
            *most, last = REMEMBERING
            those = f"{', '.join(most)} and {last}"
            raise SetupError(f"the bot {name} has no memory of its own; {those} have")
    if cores and name not in SEARCHING:
        raise SetupError(f"the bot {name} does not search, so it has no use for threads")
    if numbers and name not in SEARCHERS:
        raise SetupError(
            f"the bot {name} takes no number of simulations; {' and '.join(SEARCHERS)} do"
        )
    if numbers and times:
        raise SetupError(f"a bot has a time to think or simulations, not both: {shown(word)}")
    return Spec(
        word,
        name,
        LONGEST if numbers else seconds,
        memory,
        file=_file(files[0]) if files else "",
        threads=_number(cores[0], "threads", MOST_THREADS) if cores else 1,
        simulations=_number(numbers[0], "simulations", MOST_SIMULATIONS) if numbers else None,
    )


def _read_external(word: str) -> Spec:
    name, _, rest = word.partition(":")
    if name == LLM:
        given = _TIMED.fullmatch(rest)
        assert given is not None
        model = given[2].removeprefix(DISGUISED)
        if not model or model != model.strip():
            raise SetupError(f"a language model is named as its server names it, like {LLM}:MODEL")
        look = ("--disguised",) if given[2].startswith(DISGUISED) else ()
        seconds = _seconds(given[1]) if given[1] else _LLM_SECONDS
        return Spec(word, LLM, seconds, program=(*LLM_PLAYER, *look, "--", model))
    if name == RUN:
        given = _TIMED.fullmatch(rest)
        assert given is not None
        if not (program := tuple(_split(given[2]))):
            raise SetupError(f"a program is named by its command, like {RUN}:./my-bot")
        return Spec(word, RUN, _seconds(given[1]) if given[1] else SECONDS, program=program)
    path, time = (PLAYERS[name], rest) if name in PLAYERS else _path_in(word)
    seconds = _seconds(time) if time else SECONDS
    return Spec(word, name if name in PLAYERS else path, seconds, program=(*_RUNNER, path))


def _path_in(word: str) -> tuple[str, str]:
    if given := _PATH.fullmatch(word):
        return given[1], given[2] or ""
    there = ", ".join((*NAMES, *PLAYERS))
    raise SetupError(
        f"there is no bot {shown(word.partition(':')[0])}; there is {there}, {NET}, "
        f"{NET}:FILE, {TABLE}:FILE, {LLM}:MODEL, package.module:Class and {RUN}:COMMAND"
    )


def _split(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as fault:
        raise SetupError(f"{shown(command)} is not a command: {fault}") from None


def _file(path: str) -> str:
    if not path:
        raise SetupError(f"a network is named by its file, like {NET}:FILE")
    return path


def _memory(word: str) -> Memory:
    """A memory by its name, or by thousandths per turn and per card."""
    if word in MEMORIES:
        return MEMORIES[word]
    given = re.fullmatch(r"(\d{1,4})/(\d{1,4})", word, re.ASCII)
    if given is None or max(thousandths := (int(given[1]), int(given[2]))) > _WHOLE:
        names = ", ".join(MEMORIES)
        raise SetupError(f"a memory is {names} or thousandths like 990/960, not {shown(word)}")
    return Memory(*thousandths)


def _number(word: str, of: str, most: int) -> int:
    given = re.fullmatch(r"\d{1,8}", word, re.ASCII)
    if given is None or not 1 <= int(word) <= most:
        raise SetupError(f"a bot can have 1 to {most} {of}, not {shown(word)}")
    return int(word)


def _seconds(time: str) -> float:
    given = re.fullmatch(r"(\d{1,6}(?:\.\d{1,6})?)(s|ms)", time, re.ASCII)
    seconds = float(given[1]) * UNITS[given[2]] if given else 0.0
    if not 0 < seconds <= LONGEST:
        raise SetupError(
            f"a bot thinks for a time like 0.2s or 50ms, at most {LONGEST:.0f}s, not {shown(time)}"
        )
    return seconds


def sit(word: str, game: AnyGame, setup: Setup[Any], draw: Chance) -> Player:
    """The player for a seat at a table, by its word, with a source of chance of its own."""
    spec = read(word)
    if spec.name in levels.LEVELS:
        level = levels.LEVELS[spec.name]
        return Player(levels.sit(level, game, setup, draw, spec.threads), spec.seconds)
    if spec.program:
        tries = _LLM_TRIES if spec.name == LLM else 1
        bot = ExternalBot(spec.program, spec.word, game, setup, draw, tries)
        return Player(bot, spec.seconds)
    if spec.name == NET:
        return Player(network_bot(game, setup, draw, file_of(spec.file, game)), spec.seconds)
    if spec.name == TABLE:
        return Player(Table(game, setup, draw, Path(spec.file)), spec.seconds)
    if spec.memory is not None and not is_about_memory(game):
        raise SetupError(f"{shown(spec.word)}: there is nothing to remember in {game.NAME}")
    if spec.name in SEARCHERS:
        memory = PERFECT if spec.memory is None else spec.memory
        path = Path(spec.file) if spec.file else None
        share = None if spec.simulations is None else -(-spec.simulations // spec.threads)
        more = {"path": path, "simulations": share, "threads": spec.threads}
        return Player(SEARCHERS[spec.name](game, setup, draw, memory, **more), spec.seconds)
    if spec.memory is not None:
        return Player(Greedy(game, setup, draw, spec.memory), spec.seconds)
    return Player(BOTS[spec.name](game, setup, draw), spec.seconds)


def check(words: Iterable[str], game: AnyGame, setup: Setup[Any]) -> None:
    """Refuse words that name no player for such a table. Raises SetupError."""
    for word in set(words):
        player = sit(word, game, setup, draw=lambda _: 0)
        if isinstance(player.bot, ExternalBot):
            player.bot.warm()
            if player.bot.fault:
                if trace := player.bot.fault.trace.rstrip():
                    sys.stderr.write(f"{trace}\n")
                raise SetupError(f"the bot {word} cannot play: {player.bot.fault.why}")


def names_for(game: AnyGame) -> tuple[str, ...]:
    """The bots and levels that differ in this game; without rules of thumb, greedy is uniform."""
    absent = {
        "greedy": not has_room(game),
        "search": not _is_searched(game),
        GUIDED: not _is_searched(game) or shipped(game) is None,
    }
    return (*(name for name in BOTS if not absent.get(name)), *levels.levels_of(game))


def _is_searched(game: AnyGame) -> bool:
    """Whether there is all that a search of this game needs, apart from a compiler."""
    return has_kernel(game.NAME) and not why_not_searched(game)


def label(word: str, game: AnyGame, setup: Setup[Any]) -> str:
    """The word of a player, with the reason if it cannot think as it should at such a table."""
    if read(word).name not in SEARCHING:
        return word
    return levels.labelled(word, why_no_search(game, setup))


def remarks(words: Iterable[str], game: AnyGame) -> tuple[str, ...]:
    """One line for each thing that a chosen bot lacks in this game: a kernel, rules of thumb."""
    named = [read(word) for word in words]
    chosen = {each.name for each in named if not (each.file or each.program)} - {UNIFORM, NET}
    lines: list[str] = []
    if chosen & SEARCHING and not has_kernel(game.NAME):
        lines.append(f"there is no kernel for {game.NAME}, so bots that search play as greedy does")
    elif chosen & SEARCHING and (why := why_not_searched(game)):
        lines.append(f"{game.NAME}: {why}, so bots that search play as greedy does")
    if GUIDED in chosen and _is_searched(game) and shipped(game) is None:
        lines.append(f"there is no network for {game.NAME}, so {GUIDED} searches without one")
    if chosen and remark(game):
        lines.append(remark(game))
    return tuple(lines)
