"""Rules, kernels and other libraries side by side; writes `bench/results.md`.

    python -m bench.kernels [seconds] [--no-others]

Needs the extra `bench`. All play is uniform. A decision is one choice of a player or of nature, for
all contestants.
"""

import argparse
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path

from bench import ours, pgx_games, spiel
from bench.contest import Score, Work, contest
from bench.timing import setup_of

from mauerwerk.games import GAMES
from mauerwerk.kernels import KERNELS, kernel_of

RESULTS = Path(__file__).parent / "results.md"
SIZES = (16, 64, 256, 1_024, 4_096, 16_384)

GOALS = {
    "mauer": ("goofspiel(players=4)", 5, 10),
    "burgbaumeister": ("hearts", 2, 40),
    "mauerbauer": ("backgammon", 10, 5),
}
"""The game of OpenSpiel to compare with, and the goals: times as fast in the loop and stepwise."""


def our_contenders(name: str) -> Iterator[tuple[str, Work]]:
    """Our contestants in one game."""
    game, setup = GAMES[name], setup_of(name)
    cores = os.cpu_count() or 1
    yield f"{name}, rules", ours.by_rules(game, setup)
    yield f"{name}, loop, one core", ours.in_the_loop(game, setup)
    yield f"{name}, loop, {cores} cores", ours.in_the_loop(game, setup, 8_000, threads=cores)
    yield f"{name}, stepwise, masks", ours.stepwise(game, setup, observe=False)
    yield f"{name}, stepwise, masks and observations", ours.stepwise(game, setup)
    yield (
        f"{name}, stepwise, masks and observations, {cores} threads",
        ours.stepwise(game, setup, 4 * 1_024, threads=cores),
    )
    yield f"{name}, stepwise, those to act", ours.stepwise(game, setup, packed=True)
    yield (
        f"{name}, stepwise, those to act, remembering",
        ours.stepwise(game, setup, packed=True, remember=True),
    )
    yield (
        f"{name}, stepwise, those to act, {cores} threads",
        ours.stepwise(game, setup, 4 * 1_024, packed=True, threads=cores),
    )


def their_contenders() -> Iterator[tuple[str, Work]]:
    """The contestants of other libraries."""
    for name in spiel.GAMES:
        yield f"OpenSpiel {name}, rollouts in C++", spiel.by_rollouts(name)
        yield f"OpenSpiel {name}, bots in C++", spiel.with_bots(name)
        yield f"OpenSpiel {name}, from Python", spiel.from_python(name, tensor=False)
        yield f"OpenSpiel {name}, from Python with tensor", spiel.from_python(name, tensor=True)
    for name in pgx_games.GAMES:
        yield f"Pgx {name}, batch 1,024, all cores", pgx_games.stepping(name)


def first_step() -> str:
    """How long a new Python process takes to the first step, with a warm cache."""
    words = (
        "from mauerwerk.core.game import Setup; from mauerwerk.games import mauer;"
        "from mauerwerk.kernels.play.batch import Batch;"
        "batch = Batch(mauer, Setup(4, mauer.Options()), 8, seed=1); batch.choose(); batch.step()"
    )
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", words], check=True)  # noqa: S603 - ourselves
    return f"{time.perf_counter() - began:.2f} s"


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("seconds", type=float, nargs="?", default=2.0, help="for each")
    parser.add_argument("--no-others", action="store_true", help="only what is ours")
    given = parser.parse_args()
    names = [name for name in KERNELS if name in GAMES]
    contenders = [each for name in names for each in our_contenders(name)]
    if not given.no_others:
        contenders += their_contenders()
    scores = contest(contenders, given.seconds)
    growth = {name: contest(_sizes(name), given.seconds / 4) for name in names}
    text = "\n".join(_report(scores, growth, with_others=not given.no_others))
    RESULTS.write_text(f"{text}\n", encoding="utf-8")
    sys.stdout.write(f"{text}\n")


def _sizes(name: str) -> list[tuple[str, Work]]:
    game, setup = GAMES[name], setup_of(name)
    return [(f"{size:,}", ours.stepwise(game, setup, size)) for size in SIZES]


def _report(
    scores: Sequence[Score], growth: dict[str, list[Score]], *, with_others: bool
) -> Iterator[str]:
    yield "# Benchmarks of rules and kernels"
    yield ""
    yield "`make bench` writes this page. All games are played on one machine in one run, in turns,"
    yield "with four seats and uniform play. A decision is a choice of a player or of nature."
    yield ""
    yield f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores, {_processor()}, {_versions()}."
    yield ""
    yield from _table(["", "games/s", "decisions/s"], [_row(score) for score in scores])
    if with_others:
        yield ""
        yield from _goals({score.name: score.decisions for score in scores})
    yield ""
    yield "Stepwise play with masks and observations by size of the batch, decisions/s:"
    yield ""
    heads = ["batch", *(f"{size:,}" for size in SIZES)]
    rows = [[name, *(f"{s.decisions:,.0f}" for s in each)] for name, each in growth.items()]
    yield from _table(heads, rows)
    yield ""
    sizes = [[name, f"{kernel_of(name).STATE.itemsize}"] for name in growth]
    if with_others:
        sizes += [[f"Pgx {name}", f"{pgx_games.bytes_a_game(name)}"] for name in pgx_games.GAMES]
    yield from _table(["", "bytes per game"], sizes)
    yield ""
    yield f"From the start of Python to the first step, with compiled code on disk: {first_step()}."


def _goals(decisions: dict[str, float]) -> Iterator[str]:
    rows: list[list[str]] = []
    cores = os.cpu_count() or 1
    for name, (theirs, loop, stepwise) in GOALS.items():
        if f"{name}, rules" not in decisions:
            continue
        one = decisions[f"{name}, loop, one core"]
        steps = decisions[f"{name}, stepwise, masks and observations"]
        in_cpp = decisions[f"OpenSpiel {theirs}, rollouts in C++"]
        bots = decisions[f"OpenSpiel {theirs}, bots in C++"]
        tensor = decisions[f"OpenSpiel {theirs}, from Python with tensor"]
        all_cores = decisions[f"{name}, loop, {cores} cores"]
        rows.append(
            [
                f"{name} : {theirs}",
                f"{one / in_cpp:.1f} times rollouts, {one / bots:.1f} times bots (goal {loop})",
                f"{steps / tensor:.1f} times (goal {stepwise})",
                f"{all_cores / one:.2f} times",
            ]
        )
    heads = ["", "loop, one core : C++", "stepwise : Python with tensor", f"{cores} cores : one"]
    return _table(heads, rows)


def _row(score: Score) -> list[str]:
    return [score.name, f"{score.games:,.0f}", f"{score.decisions:,.0f}"]


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|---|{'---:|' * (len(heads) - 1)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(": ")[2] for line in lines if "model name" in line), "")


def _versions() -> str:
    named = ("numpy", "numba", "open_spiel", "pgx", "jax")
    found: list[str] = []
    for name in named:
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    return ", ".join([f"Python {platform.python_version()}", *found])


if __name__ == "__main__":
    main()
