"""`mauerwerk benchmark`: one row of the public benchmark."""

from typing import Any

import click

from mauerwerk.cli import common, contests, per_game
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.core.language import counted
from mauerwerk.lab.workers import processes


@per_game.game_command()
@click.option("--bot", required=True, help="The bot of this row, like greedy or my_bots:Bold.")
@click.option(
    "--games",
    type=click.IntRange(min=2),
    default=400,
    show_default=True,
    help="Against each of the opponents; as many are played without the bot.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Of all games.")
@click.option(
    "--jobs", type=common.POSITIVE, help="How many games are played at once.  [default: all cores]"
)
@common.AS_JSON
def benchmark(
    game: AnyGame,
    _setup: Setup[Any],
    *,
    bot: str,
    games: int,
    seed: int,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Play a bot against three frozen opponents, and compute how exploitable it is in a miniature.

    The setups are those of the benchmark, whatever the options.

    Example: mauerwerk benchmark GAME --bot greedy
    """
    from mauerwerk.lab import benchmark as rows  # noqa: PLC0415 - needs NumPy

    with processes(jobs or contests.cores()) as workers:
        row = rows.row_of(game, bot, games, seed, workers)
    if as_json:
        common.print_json(row)
        return
    click.echo(
        f"{game.TITLE}, benchmark {row.version}, {row.seats} seats, "
        f"{counted(row.pairings[0].games, 'game')} each, seed {seed}, network {row.network or '-'}"
    )
    for each in row.pairings:
        click.echo(
            f"  {bot} among {row.seats - 1} x {each.opponent}: wins {each.wins.mean:.1%} "
            f"({contests.interval(each.wins, '.1%')}), a fair share is {each.fair:.1%}"
        )
    known = "not known" if row.exploitability is None else f"{row.exploitability:.4f}"
    click.echo(f"  exploitability in the miniature: {known}")
    click.echo(rows.as_markdown(row))
