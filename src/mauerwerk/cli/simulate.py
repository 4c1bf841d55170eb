"""`mauerwerk simulate`: many games between bots, and their summary."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal

import click
from rich.console import Console
from rich.table import Table

from mauerwerk.bots import spec
from mauerwerk.cli.common import AS_JSON, module_of, new_folder, print_json, progress_bar
from mauerwerk.cli.contests import interval, plus_minus, say_remarks
from mauerwerk.cli.per_game import BOTS_OPTION, GameGroup, any_seed, bots_at, with_each_game
from mauerwerk.core import record
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.core.language.words import counted
from mauerwerk.lab.intervals import CONFIDENCE
from mauerwerk.lab.match.match import Played, simulate
from mauerwerk.lab.match.summary import Summary, Tally

GAMES_AT_ONCE: Final = 100_000
"""The number of games that a kernel plays between two updates of the progress bar."""


@click.group("simulate", cls=GameGroup)
def simulate_group() -> None:
    """Let bots play many games, and sum them up.

    Example: mauerwerk simulate GAME --seats 4 --games 1000 --seed 1 --bots uniform
    """


@with_each_game(simulate_group)
@click.option(
    "--games", type=click.IntRange(min=1), default=100, show_default=True, help="How many."
)
@click.option("--seed", type=int, help="Play the same games again.  [default: any]")
@BOTS_OPTION
@click.option(
    "--engine",
    type=click.Choice(["rules", "cpu", "cuda"]),
    default="rules",
    show_default=True,
    help="The rules, or a compiled kernel (uniform bots, other games by the same seed).",
)
@click.option("--records", type=click.Path(file_okay=False), help="Write the games down here.")
@AS_JSON
def simulate_games(
    game: AnyGame,
    setup: Setup[Any],
    *,
    games: int,
    seed: int | None,
    bots: str,
    engine: Literal["rules", "cpu", "cuda"],
    records: str | None,
    as_json: bool,
) -> None:
    """Play, count, report."""
    names = bots_at(bots, setup.seats)
    if engine != "rules" and (records or set(names) != {"uniform"}):
        raise click.UsageError(f"--engine {engine} plays uniform bots and keeps no records")
    chosen_seed = any_seed(seed)
    spec.check(names, game, setup)
    say_remarks(names, game)
    tally = Tally(names)
    if engine == "rules":
        played = simulate(game, setup, names, games, chosen_seed)
        counting = _by_rules(game, played, tally, new_folder(records))
    else:
        if engine == "cuda":
            module_of("mauerwerk.kernels.play.cuda", "cuda").check_gpu()
        batch = module_of("mauerwerk.kernels.play.batch", "kernels")
        counting = _by_kernel(
            partial(batch.run, game, setup, device=engine), games, chosen_seed, tally
        )
    with progress_bar() as progress:
        task = progress.add_task(game.TITLE, total=games)
        for done in counting:
            progress.advance(task, done)
    summary = tally.summary()
    if as_json:
        print_json(
            {
                "game": game.NAME,
                "setup": setup,
                "seed": chosen_seed,
                "engine": engine,
                "confidence": CONFIDENCE,
                "summary": summary,
            }
        )
    else:
        _print_summary(game, summary, chosen_seed)


def _by_rules(
    game: AnyGame, games: Iterable[Played], tally: Tally, folder: Path | None
) -> Iterator[int]:
    """Count games as they are played, and write their records; yield how many were played."""
    for number, played in enumerate(games):
        tally.add(played)
        if folder:
            text = record.write(game, played.record)
            (folder / f"{game.NAME}-{number:06}.txt").write_text(text, encoding="utf-8")
        yield 1


def _by_kernel(run: Callable[..., Any], games: int, seed: int, tally: Tally) -> Iterator[int]:
    """Count games as a kernel plays them; yield how many were played."""
    for first in range(0, games, GAMES_AT_ONCE):
        some = min(GAMES_AT_ONCE, games - first)
        tally.add_all(run(games=some, seed=seed, first=first))
        yield some


def _print_summary(game: AnyGame, summary: Summary, seed: int) -> None:
    table = Table(title=f"{game.TITLE}, {counted(summary.games, 'game')}, seed {seed}")
    for heading in ("seat", "bot", "points", "±", "rank", "±", "wins", "95 %"):
        table.add_column(heading, justify="left" if heading == "bot" else "right")
    for seat, of in enumerate(summary.seats, start=1):  # readers count seats from 1
        table.add_row(
            str(seat),
            of.bot,
            f"{of.points.mean:.2f}",
            plus_minus(of.points, ".2f"),
            f"{of.rank.mean:.2f}",
            plus_minus(of.rank, ".2f"),
            f"{of.wins.mean:.1%}",
            interval(of.wins, ".1%"),
        )
    Console().print(table)
    click.echo(
        f"length: {summary.turns:.1f} turns ({summary.shortest} to {summary.longest}), "
        f"{summary.moves:.0f} moves"
    )
    shares = (f"{reason} {count / summary.games:.1%}" for reason, count in summary.reasons.items())
    click.echo(f"ended by: {', '.join(shares)}")
