"""`mauerwerk check`: whether a game keeps all laws, and who is told what."""

from typing import Any

import click
from rich.console import Console

from mauerwerk.cli import common, contests, per_game
from mauerwerk.core import laws
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.core.language import ENGLISH, TITLES, counted, language_of
from mauerwerk.lab.check import Told, as_po, broken_laws, untranslated, who_is_told


@per_game.game_command()
@click.option(
    "--games", type=common.POSITIVE, default=20, help="How many games each law is tried in."
)
@click.option("--seed", type=int, default=0, help="The seed of the first game.")
@click.option(
    "--untranslated",
    "code",
    type=click.Choice([code for code in TITLES if code != ENGLISH.code]),
    help="Print what the game says and this language has no words for, as entries of a .po file, "
    "instead of checking anything.",
)
@common.AS_JSON
def check(
    game: AnyGame,
    setup: Setup[Any],
    *,
    games: int,
    seed: int,
    code: str | None,
    as_json: bool,
) -> None:
    """Check that a game keeps all laws, and say who is told what.

    The exit code is 1 if a law is broken. The laws find a leak where two games look alike that
    should not. Whether a card that is dealt is a secret they cannot know: read the table.

    Example: mauerwerk check GAME --games 50
    """
    seeds = range(seed, seed + games)
    if code is not None:
        click.echo(as_po(untranslated(game, setup, seeds, language_of(code))), nl=False)
        return
    broken = list(broken_laws(game, setup, seeds))
    told = [] if broken else who_is_told(game, setup, seeds)
    if as_json:
        common.print_json({"broken": broken, "told": told})
    else:
        for each in broken:
            click.echo(f"{each.law}, seed {each.seed}: {each.said}\n")
        if told:
            _print_told(told)
        kept = f"{len(laws.LAWS) - len(broken)} of {counted(len(laws.LAWS), 'law')}"
        click.echo(f"{game.NAME} keeps {kept} in {counted(games, 'game')} of {setup.seats} seats")
    if broken:
        raise click.exceptions.Exit(common.UNSOUND)


def _print_told(told: list[Told]) -> None:
    table = contests.start_table("Who is told what:", "event", "field", "told to")
    table.columns[1].justify = table.columns[2].justify = "left"
    last = ""
    for each in told:
        once = " (told once, and never again)" if each.once else ""
        table.add_row("" if each.event == last else each.event, each.field, each.who + once)
        last = each.event
    Console().print(table)
