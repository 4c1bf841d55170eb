"""`mauerwerk tui`: a table at this terminal."""

from pathlib import Path
from typing import Any

import click

from mauerwerk import tui
from mauerwerk.bots import spec
from mauerwerk.cli.contests import say_remarks
from mauerwerk.cli.per_game import BOTS_OPTION, GameGroup, any_seed, bots_at, with_each_game
from mauerwerk.core import record
from mauerwerk.core.game import AnyGame, Seat, Setup


@click.group("tui", cls=GameGroup)
def tui_group() -> None:
    """Play at this terminal against bots.

    Example: mauerwerk tui GAME --seats 4
    """


@with_each_game(tui_group)
@click.option(
    "--seat", type=int, default=0, show_default=True, help="Where you sit, from 0 as in records."
)
@BOTS_OPTION
@click.option("--seed", type=int, help="Play the same game again.  [default: any]")
@click.option("--record", "file", type=click.Path(), help="Save the game as this new file.")
def play_at_terminal(
    game: AnyGame, setup: Setup[Any], *, seat: int, bots: str, seed: int | None, file: str | None
) -> None:
    """Sit down at a table."""
    if seat not in range(setup.seats):
        raise click.UsageError(f"--seat can be 0 to {setup.seats - 1}, not {seat}")
    names = bots_at(bots, setup.seats)
    others = [name for each, name in enumerate(names) if each != seat]
    spec.check(others, game, setup)
    say_remarks(others, game)
    if file is None:
        tui.sit_down(game, setup, Seat(seat), names, any_seed(seed))
        return
    with Path(file).open("x", encoding="utf-8") as output:
        played = tui.sit_down(game, setup, Seat(seat), names, any_seed(seed))
        output.write(record.write(game, played))
