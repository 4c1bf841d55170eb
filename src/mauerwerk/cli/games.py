"""`mauerwerk games`: the games and their options."""

from typing import Any

import click

from mauerwerk.bots import networks
from mauerwerk.cli.common import AS_JSON, print_json
from mauerwerk.cli.per_game import flag, takes
from mauerwerk.core import options
from mauerwerk.core.game import AnyGame
from mauerwerk.games import GAMES


@click.command("games")
@AS_JSON
def list_games(*, as_json: bool) -> None:
    """List the games and their options.

    Example: mauerwerk games --json
    """
    if as_json:
        print_json([_described(game) for game in GAMES.values()])
        return
    for game in GAMES.values():
        seats = f"{game.SEATS[0]} to {game.SEATS[-1]} seats"
        click.echo(f"{game.NAME}: {game.TITLE}, {seats}, revision {game.RULES} of the rules")
        for option in options.described(game.OPTIONS):
            click.echo(f"  {flag(option):<13} {takes(game, option)}; default {option.default}")
        for name, said in networks.card(game).items():
            click.echo(f"  network: {name:<12} {said}")


def _described(game: AnyGame) -> dict[str, Any]:
    return {
        "name": game.NAME,
        "title": game.TITLE,
        "rules": game.RULES,
        "seats": list(game.SEATS),
        "options": options.described(game.OPTIONS),
        "network": networks.card(game),
    }
