"""`mauerwerk dataset`: the decisions of many games in files, for learners."""

from functools import partial
from pathlib import Path
from typing import Any

import click

from mauerwerk.bots.external import count_forfeits
from mauerwerk.cli.common import AS_JSON, POSITIVE, jobs_option, print_json
from mauerwerk.cli.contests import STOPPED, cores, print_forfeits, say_remarks, take_all
from mauerwerk.cli.per_game import BOTS_OPTION, any_seed, bots_at, game_command
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.core.language import counted
from mauerwerk.lab.workers import map_unordered, processes


@game_command()
@click.option(
    "--out",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="The folder for the files. The same command continues where it was stopped.",
)
@click.option("--games", type=POSITIVE, default=1000, help="The number of games.")
@click.option(
    "--seed", type=click.IntRange(0, 2**64 - 1), help="Play the same games again.  [default: any]"
)
@BOTS_OPTION
@click.option("--remember", is_flag=True, help="Also write what a perfect memory would know.")
@click.option(
    "--values",
    "simulations",
    type=POSITIVE,
    metavar="SIMULATIONS",
    default=None,
    help="Search every position with this many simulations, and write the value of each action.",
)
@jobs_option("files are written")
@AS_JSON
def dataset(
    game: AnyGame,
    setup: Setup[Any],
    *,
    folder: Path,
    games: int,
    seed: int | None,
    bots: str,
    remember: bool,
    simulations: int | None,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Let bots play many games, and write every decision into files for learners.

    Example: mauerwerk dataset GAME --games 100000 --out positions
    """
    from mauerwerk.lab.dataset import decisions, files, reading  # noqa: PLC0415 - need PyArrow

    names = tuple(bots_at(bots, setup.seats))
    earlier = files.read_description(folder).plan if (folder / files.DESCRIPTION).exists() else None
    plan = decisions.plan_of(
        game,
        setup,
        names,
        any_seed(seed if seed is not None or earlier is None else earlier.seed),
        games,
        remember=remember,
        simulations=simulations or 0,
    )
    lacking = files.open_for_writing(folder, plan)
    say_remarks(names, game)
    if lacking:
        decisions.prepare(plan)
    forfeits = count_forfeits()
    try:
        with processes(jobs or cores()) as workers:
            whole = take_all(
                map_unordered(partial(files.write_file, plan, folder), lacking, workers),
                lambda _played: None,
                title=game.TITLE,
                games=plan.games,
                played=plan.games - sum(len(plan.numbers(each)) for each in lacking),
                size=int,
            )
    finally:
        files.clear_unfinished(folder)
    there = reading.Dataset(folder)
    size = sum(path.stat().st_size for path in there.files)
    if as_json:
        told = {"plan": plan, "stopped": not whole, "files": len(there.files)}
        print_json({**told, "decisions": len(there), "bytes": size, "forfeits": forfeits})
    else:
        click.echo(
            f"{folder}: {counted(len(there), 'decision')} in {counted(len(there.files), 'file')}, "
            f"{size / 1e6:.1f} MB, seed {plan.seed}"
        )
        print_forfeits(forfeits)
        if not whole:
            click.echo("stopped; the same command continues")
    if not whole:
        raise click.exceptions.Exit(STOPPED)
