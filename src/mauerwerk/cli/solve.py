"""`mauerwerk solve`: a small game solved, and what was found saved as a bot."""

from pathlib import Path
from time import perf_counter
from typing import Any, Final

import click

from mauerwerk.bots import table
from mauerwerk.cli import common, per_game
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.core.language import counted
from mauerwerk.lab.solve import MOST_NODES

ITERATIONS: Final = 1_000
MINIATURE: Final = click.option(
    "--miniature", is_flag=True, help="Play the game's own miniature, whatever its other options."
)
NODES: Final = click.option(
    "--nodes",
    type=common.POSITIVE,
    default=MOST_NODES,
    show_default=True,
    help="The most positions that the whole tree of the game may have.",
)


@per_game.game_command()
@MINIATURE
@NODES
@click.option(
    "--iterations", type=common.POSITIVE, default=ITERATIONS, show_default=True, help="Of CFR+."
)
@click.option("--minutes", type=common.Number(min=0.01), help="Stop after this time.")
@click.option("--save", "path", type=common.FILE, help="Save the policy: table:FILE plays it.")
@common.AS_JSON
def solve(
    game: AnyGame,
    setup: Setup[Any],
    *,
    miniature: bool,
    nodes: int,
    iterations: int,
    minutes: float | None,
    path: Path | None,
    as_json: bool,
) -> None:
    """Solve a game that is small enough, by CFR+, and say exactly how exploitable the result is.

    Example: mauerwerk solve GAME --miniature --save policy.json
    """
    from mauerwerk.lab.solve import cfr  # noqa: PLC0415 - needs NumPy
    from mauerwerk.lab.solve.tree import miniature_of, tree_of, uniform  # noqa: PLC0415

    common.check_folder(path, "a policy")
    setup = miniature_of(game) if miniature else setup
    tree = tree_of(game, setup, nodes)
    choices = sum(len(each.actions) > 1 for each in tree.sets)
    until = None if minutes is None else perf_counter() + 60 * minutes
    done = iterations

    def go_on(iteration: int) -> bool:
        nonlocal done
        if until is not None and perf_counter() >= until:
            done = iteration
        return until is None or perf_counter() < until

    policy = cfr.solve(tree, iterations, go_on)
    found, before = cfr.exploitability(tree, policy), cfr.exploitability(tree, uniform(tree))
    if path is not None:
        by_key = {
            table.key_of(each.sight): tuple(policy[list(each.actions)].tolist())
            for each in tree.sets
            if len(each.actions) > 1
        }
        table.save(path, game, setup, by_key, f"CFR+, {done} iterations")
    if as_json:
        common.print_json(
            {
                "game": game.NAME,
                "rules": game.RULES,
                "seats": setup.seats,
                "positions": tree.nodes,
                "information_states": choices,
                "iterations": done,
                "values": found.values,
                "nash_conv": found.nash_conv,
                "exploitability": found.mean,
                "of_uniform": before.mean,
            }
        )
        return
    click.echo(
        f"{game.TITLE}, {setup.seats} seats: {counted(tree.nodes, 'position')}, "
        f"{counted(choices, 'information state')} with a choice"
    )
    values = ", ".join(f"seat {seat} {value:+.4f}" for seat, value in enumerate(found.values, 1))
    click.echo(f"after {counted(done, 'iteration')} of CFR+: {values}")
    click.echo(
        f"a best response gains {found.mean:.6f} a seat on average (NashConv "
        f"{found.nash_conv:.6f}), against uniform players {before.mean:.6f}"
    )
    if path is not None:
        click.echo(f"saved in {path}; play it as table:{path}")
