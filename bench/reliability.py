"""How true the chances of an analysis are: of all seats with a chance of 30 %, 30 % should win.

    python -m bench.reliability [games] [FILE.svg]

It plays games between greedy bots, other games than those that the parameters were fitted to, and
takes the chances of all seats at the beginning of each turn. A point of the diagram is all chances
within a tenth: how large they are on average, and how many of these seats won. On the diagonal they
are true. The larger a point, the more chances it stands for; its bar is the 95 % interval by games,
since the turns of one game are not independent.
"""

import sys
from collections.abc import Mapping, Sequence
from math import log10, sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

import matplotlib as mpl
from bench.analysis import SETUPS, foretold, played
from matplotlib.figure import Figure

from mauerwerk.core.game import Setup
from mauerwerk.games import GAMES

GAMES_EACH: Final = 60
TENTHS: Final = 10
FEWEST: Final = 5
"""A point needs chances from at least this many games."""
NORMAL: Final = 1.96
INK: Final = "#2A211A"
BRICK: Final = "#A3432B"
MORTAR: Final = "#D5C8B4"

Pair = tuple[float, float]
"""A seat's chance, and its share of the win."""


class Point(NamedTuple):
    """The chances within a tenth, over all games."""

    chance: float
    won: float
    half: float
    """Half of the interval of `won`."""
    size: int


def pairs_of(game: str, seats: int, number: int) -> list[Pair]:
    """The chances of all seats in one game, and what they won."""
    setup = Setup(seats, GAMES[game].OPTIONS())
    kept = played(GAMES[game], setup, ["greedy"] * seats, number)
    return [pair for turn in foretold(kept) for pair in zip(turn.chances, turn.result, strict=True)]


def points_of(games: Sequence[Sequence[Pair]]) -> list[Point]:
    """A point for each tenth that occurs in enough games."""
    points: list[Point] = []
    for tenth in range(TENTHS):
        inside = [
            [pair for pair in game if min(int(pair[0] * TENTHS), TENTHS - 1) == tenth]
            for game in games
        ]
        there = [each for each in inside if each]
        if len(there) < FEWEST:
            continue
        pairs = [pair for each in there for pair in each]
        won = fmean(pair[1] for pair in pairs)
        # A ratio of sums over games: how far each game's wins are from what the ratio expects.
        off = [sum(pair[1] - won for pair in each) for each in there]
        half = NORMAL * stdev(off) * sqrt(len(off)) / len(pairs)
        points.append(Point(fmean(pair[0] for pair in pairs), won, half, len(pairs)))
    return points


def table(found: Mapping[str, Sequence[Point]]) -> list[str]:
    """The points as lines of a table."""
    lines = [
        "| seats with a chance of | " + " | ".join(found) + " |",
        "|---" * (len(found) + 1) + "|",
    ]
    for tenth in range(TENTHS):
        cells = [
            next(
                (
                    f"{point.won:.0%} ± {point.half:.0%}"
                    for point in points
                    if min(int(point.chance * TENTHS), TENTHS - 1) == tenth
                ),
                "",
            )
            for points in found.values()
        ]
        if any(cells):
            bounds = f"{tenth * 10} to {tenth * 10 + 10} %"
            lines.append(f"| {bounds} | {' | '.join(cells)} |")
    return lines


def draw(found: Mapping[str, Sequence[Point]], path: Path) -> None:
    """One panel for each game and number of seats."""
    with mpl.rc_context({"svg.hashsalt": "mauerwerk", "svg.fonttype": "none", "font.size": 9}):
        figure: Any = Figure(figsize=(2.4 * len(found), 2.9), layout="constrained")
        panels = figure.subplots(1, len(found), sharex=True, sharey=True, squeeze=False)[0]
        for panel, (title, points) in zip(panels, found.items(), strict=True):
            panel.plot([0, 1], [0, 1], color=MORTAR, linewidth=1)
            for point in points:
                panel.errorbar(
                    *(point.chance, point.won, point.half),
                    color=BRICK,
                    marker="o",
                    markersize=1 + 2 * log10(point.size),
                )
            panel.set(title=title, xlim=(0, 1), ylim=(0, 1), xlabel="chance", aspect="equal")
        panels[0].set_ylabel("won")
        figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Play, print the table, and draw the diagram."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES_EACH
    path = Path(sys.argv[2] if len(sys.argv) > 2 else "bench/reliability.svg")  # noqa: PLR2004
    found: dict[str, Sequence[Point]] = {}
    for name, seats in SETUPS:
        pairs = [pairs_of(name, seats, number) for number in range(games)]
        title = GAMES[name].TITLE.removeprefix("Der Wettkampf der ")
        found[f"{title}, {seats} seats"] = points_of(pairs)
    sys.stdout.writelines(f"{line}\n" for line in table(found))
    draw(found, path)


if __name__ == "__main__":
    main()
