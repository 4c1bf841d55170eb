"""`mauerwerk analyse`: how a recorded game went, and the moments that decided it."""

from collections.abc import Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import click
from rich.console import Console
from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn

from mauerwerk.bots import external, spec
from mauerwerk.cli.common import AS_JSON, Number, jobs_option, print_json, progress_bar, text_of
from mauerwerk.cli.contests import FAILED, cores, start_table
from mauerwerk.core import record
from mauerwerk.core.game import AnyGame, Seat, name_of
from mauerwerk.core.language import counted
from mauerwerk.games import GAMES, game_in
from mauerwerk.lab import analysis
from mauerwerk.lab.analysis.play import how_played
from mauerwerk.lab.analysis.positions import bot_choices
from mauerwerk.lab.match.match import seated

LEVELS: Final = "▁▂▃▄▅▆▇█"
WIDTH: Final = 36


@click.command("analyse")
@click.argument("file", type=click.File("rb"))
@click.option(
    "--seconds",
    type=Number(min=1),
    default=analysis.SECONDS,
    help="How long the whole analysis may take.",
)
@jobs_option("positions are analysed")
@click.option("--net", metavar="FILE", help="A trained network that guides the search.")
@click.option(
    "--bot",
    metavar="BOT",
    help="Print what this bot would have chosen instead: package.module:Class, or any other.",
)
@AS_JSON
def analyse(
    file: Any,
    *,
    seconds: float,
    jobs: int | None,
    net: str | None,
    bot: str | None,
    as_json: bool,
) -> None:
    """Say how a recorded game went: chances to win all along, mistakes, luck.

    Example: mauerwerk analyse game.txt
    """
    game_record = record.read(text_of(file.read(), file.name), GAMES)
    if bot:
        _print_bot_choices(game_record, bot, as_json=as_json)
        return
    if net:  # before anything is begun
        from mauerwerk.bots.net import guiding  # noqa: PLC0415 - needs numba

        guiding(GAMES[game_record.game], game_record.setup, Path(net))
    whole = analysis.gather(
        game_record, _analyse_with_progress(game_record, seconds, jobs or cores(), net or "")
    )
    if as_json:
        print_json(whole)
    else:
        _print_analysis(game_in(game_record), game_record, whole)


def _print_bot_choices(game_record: record.Record, word: str, *, as_json: bool) -> None:
    game = game_in(game_record)
    spec.check([word], game, game_record.setup)
    setup = game_record.setup
    players = seated(game, setup, [word] * setup.seats, seed=0, number=0)
    choices = list(bot_choices(game, game_record, players))
    bots = [player.bot for player in players]
    external.show_faults(bots)
    if external.faults_of(bots):
        raise click.exceptions.Exit(FAILED)
    if as_json:
        print_json({"bot": word, "choices": choices})
        return
    same = sum(each.agrees for each in choices)
    click.echo(
        f"{word} would have chosen the same in {same} of {counted(len(choices), 'decision')}"
    )
    for each in choices:
        if not each.agrees:
            played, better = (game.say(game.parse(which)) for which in (each.played, each.chosen))
            click.echo(
                f"after {each.at:>3} moves: {name_of(each.seat)}: {played}; {word}: {better}"
            )


def _analyse_with_progress(
    game_record: record.Record, seconds: float, jobs: int, net: str
) -> list[analysis.AnalysedPosition]:
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    found: list[analysis.AnalysedPosition] = []
    with (
        progress_bar(*columns, TimeRemainingColumn()) as progress,
        closing(analysis.analyse(game_record, seconds=seconds, jobs=jobs, net=net)) as positions,
    ):
        bar = progress.add_task("getting ready", total=len(game_record.moves) + 1)
        for position in positions:
            found.append(position)
            progress.update(bar, description="thinking", completed=len(found))
    return found


# --- What is printed -------------------------------------------------------------------------


def _print_analysis(game: AnyGame, game_record: record.Record, whole: analysis.Analysis) -> None:
    seats = [Seat(seat) for seat in range(game_record.setup.seats)]
    table = start_table(
        f"{game.TITLE}, {len(game_record.moves)} moves, analysed by {_NAMES[whole.by]}",
        *("chance to win", "over the game", "end", "given away, in decisions", "luck"),
    )
    played = how_played(whole)
    for seat in seats:
        curve = [position.chances[seat] for position in whole.positions]
        table.add_row(
            name_of(seat),
            sparkline(curve),
            f"{curve[-1]:.0%}",
            f"{played[seat].given_away:.0%}, {len(played[seat].decisions)}",
            f"{whole.luck[seat]:+.0%}",
        )
    Console().print(table)
    if whole.ahead_from is not None:
        winner = seats[whole.positions[-1].chances.index(1.0)]
        click.echo(f"{name_of(winner)} was ahead for good after {whole.ahead_from} moves")
    for moment in whole.moments:
        click.echo(f"after {moment.at:>3} moves: {_told(game, moment)}")
    if not whole.moments:
        click.echo("no single moment decided it")


_NAMES: Final = {"search": "search", "greedy": "rules of thumb, as no search plays such a game"}


def _told(game: AnyGame, moment: analysis.Moment) -> str:
    who, what = name_of(moment.seat), game.say(game.parse(moment.word))
    if moment.kind == "luck":
        word = "luck" if moment.swing > 0 else "bad luck"
        return f"{word} for {who} ({moment.swing:+.0%}): {what}"
    if moment.kind == "mistake":
        better = game.say(game.parse(moment.better))
        return f"{who} errs ({moment.swing:+.0%}): {what}; better: {better}"
    return f"it turns for {who} ({moment.swing:+.0%}): {what}"


def sparkline(curve: Sequence[float], width: int = WIDTH) -> str:
    """Chances from 0 to 1 as a line of blocks.

    >>> sparkline([0.5, 0.6, 0.3, 0.9, 1.0])
    '▅▅▃██'
    >>> sparkline([0.0, 0.0, 1.0, 1.0], width=2)
    '▁█'
    """
    width = min(width, len(curve))
    cuts = [len(curve) * place // width for place in range(width + 1)]
    means = (fmean(curve[begin:end]) for begin, end in pairwise(cuts))
    return "".join(LEVELS[min(int(mean * len(LEVELS)), len(LEVELS) - 1)] for mean in means)
