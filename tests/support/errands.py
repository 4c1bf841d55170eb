"""Work for other processes that hangs, dies, raises or waits for a sign, and how to watch it."""

import asyncio
import os
import time
from pathlib import Path
from typing import Final, Never

from mauerwerk.server.engine.thinking import BotAtSeat, Turn, choose

LONG: Final = 60.0
"""Seconds after which nobody waits for a process any more: ten times what the slowest needs."""


def pid_of(_task: object) -> int:
    """The process that does this."""
    return os.getpid()


def die(_task: object) -> Never:
    """End the process in the middle of its work."""
    os._exit(3)


def complain(_task: object) -> Never:
    """Fail."""
    raise ValueError("the bricks are wet")


def hang(folder: str, *_: object, **__: object) -> Never:
    """Leave a sign, and do nothing for ever."""
    _sign(folder)
    while True:
        time.sleep(LONG)


def wait_for_go(folder: str) -> int:
    """Leave a sign, wait for one, and say which process waited."""
    _sign(folder)
    while not (Path(folder) / "go").exists():
        time.sleep(0.005)
    return os.getpid()


def faulty_bot(folder: str, fault: str, bot: BotAtSeat, turn: Turn) -> str:
    """Of the weakest level, a bot with this fault; of any other, one that waits for a sign."""
    if bot.level.name == "apprentice":
        match fault:
            case "hangs":
                time.sleep(10 * LONG)
            case "dies":
                die(turn)
            case "raises":
                complain(turn)
            case _:
                return fault
    wait_for_go(folder)
    return choose(bot, turn)


def _sign(folder: str) -> None:
    draft = Path(folder) / f"{os.getpid()}.draft"
    draft.write_text(str(os.getpid()))
    draft.replace(Path(folder) / "started")


async def started(folder: Path) -> int:
    """Wait until work in this folder has begun: its process."""
    async with asyncio.timeout(LONG):
        while not (folder / "started").exists():  # noqa: ASYNC110 - a sign of another process
            await asyncio.sleep(0.005)
    return int((folder / "started").read_text())


def is_running(pid: int) -> bool:
    """Whether there is such a process."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
