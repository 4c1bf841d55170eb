"""`mauerwerk bench`: how fast the kernels are here."""

from collections.abc import Sequence
from typing import Literal

import click
from rich.console import Console
from rich.table import Table

from mauerwerk.cli.common import AS_JSON, Number, print_json
from mauerwerk.games import GAMES
from mauerwerk.kernels import KERNELS


@click.command("bench")
@click.argument("names", metavar="[GAME]...", nargs=-1)
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu")
@click.option(
    "--seconds",
    type=Number(min=0.1, max=600),
    default=2.0,
    help="How long each figure is measured.",
)
@AS_JSON
def bench(
    names: Sequence[str], *, device: Literal["cpu", "cuda"], seconds: float, as_json: bool
) -> None:
    """Measure the kernels: four seats, uniform play, whole games and step by step.

    Example: mauerwerk bench --device cpu
    """
    if device == "cuda":
        from mauerwerk.kernels.play import cuda  # noqa: PLC0415 - needs numba-cuda

        cuda.check_gpu()
    for name in names:
        if name not in GAMES:
            raise click.UsageError(f"{name!r} is no game here; there are {', '.join(GAMES)}")
    from mauerwerk.kernels import timing  # noqa: PLC0415 - needs NumPy

    measured = [
        (name, each)
        for name in names or KERNELS
        for each in timing.timings(GAMES[name], timing.setup_of(name), device, seconds)
    ]
    if as_json:
        print_json([{"game": name, "timing": each} for name, each in measured])
        return
    table = Table(title=f"Kernels, four seats, uniform play, {device}")
    for heading in ("game", "what", "games at once", "games/s", "decisions/s"):
        table.add_column(heading, justify="left" if heading in {"game", "what"} else "right")
    for name, each in measured:
        figures = (each.at_once, each.games, each.decisions)
        table.add_row(name, each.what, *(f"{figure:,.0f}" for figure in figures))
    Console().print(table)
