"""Pictures of the results of contests."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import matplotlib as mpl
from matplotlib.figure import Figure

from mauerwerk.lab.match.ratings import Rating

FORMATS: Final = (".png", ".svg")
"""The formats of pictures, as suffixes of file names."""

BRICK: Final = "#A3432B"
INK: Final = "#2A211A"
MORTAR: Final = "#D5C8B4"


def plot_ratings(rated: Sequence[Rating], title: str, path: Path) -> None:
    """Draw the ratings and their intervals, the strongest on top.

    The same ratings give the same picture, to the byte.
    """
    # Matplotlib leaves its keywords untyped, so its objects are Any.
    figure: Any = Figure(figsize=(7, 1.4 + 0.42 * len(rated)), layout="constrained")
    axes: Any = figure.add_subplot()
    for place, each in enumerate(reversed(rated)):
        low, mean, high = each.rating.low, each.rating.mean, each.rating.high
        assert low is not None
        assert high is not None
        axes.plot([low, high], [place, place], color=INK, linewidth=2, solid_capstyle="butt")
        axes.plot([mean], [place], marker="o", color=BRICK, markersize=8)
    axes.set_yticks(range(len(rated)), [each.bot for each in reversed(rated)])
    axes.set_ylim(-0.6, len(rated) - 0.4)
    axes.grid(axis="x", color=MORTAR)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("rating (Plackett-Luce), with 95 % intervals")
    axes.set_title(title, loc="left")
    written = {"Date": None} if path.suffix == ".svg" else {"Software": None}
    style: Any = mpl
    with style.rc_context({"svg.hashsalt": "mauerwerk", "svg.fonttype": "none"}):
        figure.savefig(path, metadata=written, dpi=160)
