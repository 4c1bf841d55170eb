"""How many games a second compiled players play on one core, with the shipped network on all seats.

    python -m bench.players [--games 1200] [--before FOLDER]

Needs the extra `kernels`. Seconds are CPU seconds; games are counted as in a study. The best of
four parts of the games counts, as other programs disturb. With the `src` of an older checkout both
take turns, and the last column says whether every number that they counted is the same.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from mauerwerk.core.game import Setup
from mauerwerk.games import GAMES
from mauerwerk.kernels.counting import counts
from mauerwerk.lab.study.study import compiled_players

PARTS = 4


def measure(name: str, seats: int, games: int) -> tuple[float, float, str]:
    """Games a second, microseconds a decision, and a fingerprint of what was counted."""
    game = GAMES[name]
    setup = Setup(seats, game.OPTIONS())
    players = compiled_players(game, setup, ("net",) * seats)
    counts(game, setup, 1, range(2), players=players)
    size = games // PARTS
    best, decisions, tables = float("inf"), 0, []
    for part in range(PARTS):
        began = time.process_time()
        counted = counts(game, setup, 1, range(part * size, (part + 1) * size), players=players)
        best = min(best, time.process_time() - began)
        own = [name.startswith("decisions/") for name in counted.columns]
        decisions += int(counted.table[:, own].sum())
        tables.append(counted.table)
    fingerprint = hashlib.sha256(np.concatenate(tables).tobytes()).hexdigest()
    return size / best, 1e6 * best * PARTS / decisions, fingerprint


def measure_there(source: Path, name: str, games: int) -> list[tuple[float, float, str]]:
    """The same with the program whose source lies there, for each number of seats."""
    command = [sys.executable, __file__, "--one", name, "--games", str(games)]
    environment = {**os.environ, "PYTHONPATH": str(source)}
    ran = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)  # noqa: S603
    return [(speed, each, fingerprint) for speed, each, fingerprint in json.loads(ran.stdout)]


def main() -> None:
    """One row for each game and number of seats."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=1200)
    parser.add_argument("--before", type=Path)
    parser.add_argument("--one", metavar="GAME", help="print the figures of one game as JSON")
    given = parser.parse_args()
    if given.one:
        seats = GAMES[given.one].SEATS
        sys.stdout.write(json.dumps([measure(given.one, each, given.games) for each in seats]))
        return
    now = Path(sys.modules["mauerwerk"].__path__[0]).parent
    both = [*([given.before] if given.before else []), now]
    sys.stdout.write("| game | seats | games/s | µs/decision | same |\n|---|---:|---:|---:|---|\n")
    for name in GAMES:
        measured = [measure_there(source, name, given.games) for source in both]
        for seats, *found in zip(GAMES[name].SEATS, *measured, strict=True):
            speeds = " → ".join(f"{speed:,.0f}" for speed, _, _ in found)
            each = " → ".join(f"{micros:.1f}" for _, micros, _ in found)
            same = "yes" if len({fingerprint for _, _, fingerprint in found}) == 1 else "no"
            sys.stdout.write(f"| {name} | {seats} | {speeds} | {each} | {same} |\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
