"""`mauerwerk simulate`: many games between bots, and their summary."""

from collections.abc import Generator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Final, Literal

import click
from rich.console import Console
from rich.table import Table

from mauerwerk.bots import external, spec
from mauerwerk.cli import common, contests, per_game
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.core.language import counted
from mauerwerk.lab.intervals import CONFIDENCE
from mauerwerk.lab.match.match import check_end
from mauerwerk.lab.match.simulation import (
    Simulation,
    Summary,
    Tally,
    moves_writer,
    open_records,
    play_games,
)
from mauerwerk.lab.workers import processes

GAMES_AT_ONCE: Final = 100_000
"""The number of games that a kernel plays between two updates of the progress bar."""
MANY: Final = 1_000
"""The number of games from which on other processes are worth their start."""


@per_game.game_command()
@click.option("--games", type=common.POSITIVE, default=100, help="The number of games.")
@common.SEED
@per_game.BOTS_OPTION
@click.option(
    "--engine",
    type=click.Choice(["rules", "cpu", "cuda"]),
    default="rules",
    help="The rules, or a compiled kernel (uniform bots, other games by the same seed).",
)
@common.RECORDS
@click.option(
    "--jobs",
    type=common.POSITIVE,
    help=f"How many processes play by the rules.  [default: 1, and from {MANY} games on as many as "
    "there are cores]",
)
@common.AS_JSON
def simulate(
    game: AnyGame,
    setup: Setup[Any],
    *,
    games: int,
    seed: int | None,
    bots: str,
    engine: Literal["rules", "cpu", "cuda"],
    records: str | None,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Let bots play many games, and sum them up.

    Example: mauerwerk simulate GAME --seats 4 --games 1000 --seed 1 --bots uniform
    """
    names = per_game.bots_at(bots, setup.seats)
    if engine != "rules" and set(names) != {"uniform"}:
        raise click.UsageError(f"--engine {engine} plays uniform bots")
    if engine == "cuda" and records:
        raise click.UsageError("--engine cuda keeps no records; --engine cpu does")
    chosen_seed = per_game.any_seed(seed)
    spec.check(names, game, setup)
    contests.say_remarks(names, game)
    tally, forfeits = Tally(names), external.count_forfeits()
    if engine == "rules":
        check_end(game, setup)
        path = common.new_records(records)
        simulation = Simulation(game.NAME, setup, tuple(names), chosen_seed, path is not None)
        counting = _by_rules(simulation, games, jobs, tally, path)
    else:
        counting = _by_kernel(
            game, setup, games, chosen_seed, device=engine, tally=tally, records=records
        )
    whole = contests.take_all(counting, bool, title=game.TITLE, games=games, size=int)
    if not (whole or tally):
        raise click.Abort
    summary = tally.summary()
    if as_json:
        common.print_json(
            {
                "game": game.NAME,
                "setup": setup,
                "seed": chosen_seed,
                "engine": engine,
                "stopped": not whole,
                "confidence": CONFIDENCE,
                "summary": summary,
                "forfeits": forfeits,
            }
        )
    else:
        _print_summary(game, summary, chosen_seed)
        contests.print_forfeits(forfeits)
    if not whole:
        raise click.exceptions.Exit(contests.STOPPED)


def _by_rules(
    simulation: Simulation, games: int, jobs: int | None, tally: Tally, path: Path | None
) -> Generator[int]:
    """Count games as they are played, and write their records; yield how many were played."""
    number = jobs or (contests.cores() if games >= MANY else 1)
    with ExitStack() as stack:
        keep = stack.enter_context(open_records(path, simulation.game)) if path else None
        workers = stack.enter_context(processes(number))
        for some in stack.enter_context(closing(play_games(simulation, games, workers))):
            if keep:
                keep(some[0].number, [each.record for each in some])
            for each in some:
                tally.add(each.outcome, each.turns, each.moves)
            yield len(some)


def _by_kernel(
    game: AnyGame,
    setup: Setup[Any],
    games: int,
    seed: int,
    *,
    device: Literal["cpu", "cuda"],
    tally: Tally,
    records: str | None,
) -> Generator[int]:
    """The same, as a kernel plays them."""
    from mauerwerk.kernels.play import batch  # noqa: PLC0415 - needs numba

    if device == "cuda":
        from mauerwerk.kernels.play import cuda  # noqa: PLC0415 - needs numba-cuda

        cuda.check_gpu()
    path = common.new_records(records)
    if path is None:
        for first in range(0, games, GAMES_AT_ONCE):
            number = min(GAMES_AT_ONCE, games - first)
            tally.add_all(
                batch.run(game, setup, games=number, seed=seed, first=first, device=device)
            )
            yield number
        return
    check_end(game, setup)
    write = moves_writer(game, setup)
    with open_records(path, game.NAME) as keep:
        for some in batch.run_with_moves(game, setup, games, seed):
            keep(some.first, write(some))
            tally.add_all(batch.played_of(game, setup, some.results))
            yield len(some.results)


def _print_summary(game: AnyGame, summary: Summary, seed: int) -> None:
    table = Table(title=f"{game.TITLE}, {counted(summary.games, 'game')}, seed {seed}")
    for heading in ("seat", "bot", "points", "±", "rank", "±", "wins", "95 %"):
        table.add_column(heading, justify="left" if heading == "bot" else "right")
    for seat, of in enumerate(summary.seats, start=1):  # readers count seats from 1
        table.add_row(
            str(seat),
            of.bot,
            f"{of.points.mean:.2f}",
            contests.plus_minus(of.points, ".2f"),
            f"{of.rank.mean:.2f}",
            contests.plus_minus(of.rank, ".2f"),
            f"{of.wins.mean:.1%}",
            contests.interval(of.wins, ".1%"),
        )
    Console().print(table)
    click.echo(
        f"length: {summary.turns:.1f} turns ({summary.shortest} to {summary.longest}), "
        f"{summary.moves:.0f} moves"
    )
    shares = (f"{reason} {count / summary.games:.1%}" for reason, count in summary.reasons.items())
    click.echo(f"ended by: {', '.join(shares)}")
