"""Draw the charts of the studies from the figures in `results`.

    python docs/studies/draw.py

The same figures give byte-identical charts with the same release of matplotlib.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, TypeAlias

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

HERE: Final = Path(__file__).parent

INK: Final = "#2A211A"
BRICK: Final = "#A3432B"
SEA: Final = "#446D7B"
MOSS: Final = "#86956A"
OCHRE: Final = "#B08A45"
MORTAR: Final = "#D5C8B4"
PAPER: Final = "#FAF6EE"

STYLE: Final = {
    "svg.hashsalt": "mauerwerk",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9.5,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.titlesize": 10.5,
    "axes.titlelocation": "left",
    "axes.facecolor": PAPER,
    "figure.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    "legend.frameon": False,
}

SEATS: Final = {
    "mauer": ("Die Mauer", (3, 4, 5, 6)),
    "burgbaumeister": ("Burgbaumeister", (2, 3, 4)),
    "mauerbauer": ("Mauerbauer", (2, 3, 4)),
}
BOTS: Final = {"uniform": ("by chance", SEA), "greedy": ("by rules of thumb", BRICK)}
MEMORIES: Final = ("absent", "apprentice", "journeyman", "foreman", "perfect")
VARIANTS: Final = {"no": ("basic", SEA), "yes": ("variant", BRICK)}

# Matplotlib does not annotate its keywords, so its objects are untyped here.
Axes: TypeAlias = Any
Drawing: TypeAlias = Any


class Results:
    """The figures of a file in `results`."""

    def __init__(self, name: str) -> None:
        """Read it."""
        self._runs: dict[str, Any] = json.loads(
            (HERE / "results" / f"{name}.json").read_text("utf-8")
        )

    def rows(self, run: str, section: str) -> list[str]:
        """The rows of a section."""
        return list(self._runs[run]["figures"][section])

    def get(self, run: str, section: str, row: str, head: str) -> tuple[float, float, float] | None:
        """A figure and the ends of its interval; None if there was nothing to count."""
        kept = self._runs[run]["figures"][section][row][head]
        if kept is None:
            return None
        mean, low, high = kept
        return mean, mean if low is None else low, mean if high is None else high

    def sure(self, run: str, section: str, row: str, head: str) -> tuple[float, float, float]:
        """A figure that always exists."""
        found = self.get(run, section, row, head)
        assert found is not None
        return found


# --- The pictures ----------------------------------------------------------------------------


def seat_advantage() -> Drawing:
    """Each seat's share of wins compared with an even share."""
    figure: Drawing = Figure(figsize=(9, 8), layout="constrained")
    grid = figure.subplots(3, 4, squeeze=False)
    for line, (game, (title, numbers)) in zip(grid, SEATS.items(), strict=True):
        results = Results(game)
        for place, axes in enumerate(line):
            if place >= len(numbers):
                axes.set_visible(False)
                continue
            seats = numbers[place]
            axes.axhline(0, color=INK, linewidth=0.8)
            for shift, (bot, (_, colour)) in zip((-0.12, 0.12), BOTS.items(), strict=True):
                for seat in range(seats):
                    found = results.sure(f"{seats} {bot}", "seats", f"seat {seat + 1}", "wins")
                    mean, low, high = ((end - 1 / seats) * 100 for end in found)
                    _reach(axes, seat + 1 + shift, (mean, low, high), colour)
            axes.set_xticks(range(1, seats + 1))
            axes.set_xlim(0.5, seats + 0.5)
            axes.set_ylim(-5, 5)
            _plain(axes, "y")
            axes.set_title(f"{seats} seats" if place else f"{title}, {seats} seats")
            axes.set_xlabel("seat; 1 begins")
            if not place:
                axes.set_ylabel("wins, points of percent\nmore than an even share")
    _key(grid[1][3], BOTS.values())
    return figure


def lengths() -> Drawing:
    """The 5th, 50th and 95th percentiles of the number of turns."""
    figure: Drawing = Figure(figsize=(9, 3.2), layout="constrained")
    for axes, (game, (title, numbers)) in zip(figure.subplots(1, 3), SEATS.items(), strict=True):
        results = Results(game)
        for place, seats in enumerate(reversed(numbers)):
            for shift, (bot, (_, colour)) in zip((0.15, -0.15), BOTS.items(), strict=True):
                short, middle, long = (
                    results.sure(f"{seats} {bot}", "length", "turns", head)[0]
                    for head in (
                        "5 in 100 are at most",
                        "half are at most",
                        "95 in 100 are at most",
                    )
                )
                level = place + shift
                axes.plot([short, long], [level, level], color=colour, linewidth=4, alpha=0.45)
                axes.plot([middle], [level], marker="o", color=colour, markersize=6)
        axes.set_yticks(range(len(numbers)), [f"{seats} seats" for seats in reversed(numbers)])
        axes.set_ylim(-0.6, len(numbers) - 0.4)
        axes.margins(x=0.08)
        axes.set_xlim(left=0)
        _plain(axes, "x")
        axes.set_title(title)
        axes.set_xlabel("turns: median, 5 to 95 in 100")
    _key(figure, BOTS.values(), outside=True)
    return figure


def guild_cards() -> Drawing:
    """What each card earns per play in each third of the game."""
    results = Results("mauerbauer")
    figure: Drawing = Figure(figsize=(9, 9), layout="constrained")
    names = results.rows("4 greedy", "cards")
    names.sort(key=lambda card: (results.get("4 greedy", "cards", card, "late") or (0,))[0])
    thirds = {
        "early": ("first third", OCHRE, 0.22),
        "in the middle": ("second third", MOSS, 0.0),
        "late": ("last third", BRICK, -0.22),
    }
    both = figure.subplots(1, 2, sharey=True, sharex=True)
    for axes, (run, title) in zip(
        both, {"4 greedy": "4 seats", "2 greedy": "2 seats"}.items(), strict=True
    ):
        for head, (_, colour, shift) in thirds.items():
            found = {
                place + shift: each
                for place, card in enumerate(names)
                if (each := results.get(run, "cards", card, head))
            }
            means, lows, highs = zip(*found.values(), strict=True)
            axes.hlines(list(found), lows, highs, color=colour, linewidth=1.4)
            axes.plot(means, list(found), "o", color=colour, markersize=4.5)
        axes.set_yticks(range(len(names)), names)
        axes.set_ylim(-0.7, len(names) - 0.3)
        axes.set_xlim(0, 10)
        _plain(axes, "both")
        axes.set_title(f"Greedy, {title}")
        axes.set_xlabel("points a play, with 95 % intervals")
    _key(figure, [(label, colour) for label, colour, _ in thirds.values()], outside=True)
    return figure


def card_wins() -> Drawing:
    """How often the player of a card wins, against what the card earns."""
    results = Results("mauerbauer")
    figure: Drawing = Figure(figsize=(9, 5.2), layout="constrained")
    for axes, seats in zip(figure.subplots(1, 2), (4, 2), strict=True):
        run = f"{seats} greedy"
        axes.axhline(100 / seats, color=INK, linewidth=0.8)
        for card in results.rows(run, "cards"):
            points = results.sure(run, "cards", card, "points a play")[0]
            wins = tuple(100 * end for end in results.sure(run, "fate", card, "wins with it"))
            colour = SEA if card in CITY_CARDS else BRICK
            _reach(axes, points, (wins[0], wins[1], wins[2]), colour)
        axes.set_title(f"Greedy, {seats} seats")
        axes.set_xlabel("points a play")
        axes.set_ylabel("who plays it wins, %")
        _plain(axes, "y")
    _key(figure, [("city cards", SEA), ("country cards and cities", BRICK)], outside=True)
    return figure


CITY_CARDS: Final = frozenset(
    {
        *("Exactly 1 field", "Exactly 2 fields", "Exactly 3 fields", "7 fields or more"),
        *("Colours of the city", "Palaces of the city", "Towers of the city"),
        *(f"{colour} towers of the city" for colour in ("White", "Grey", "Black")),
        *(f"{colour} in the city" for colour in ("Yellow", "Green", "Blue", "Pink", "Red")),
    }
)


def memory_lengths() -> Drawing:
    """Turns of a game by the players' memory."""
    figure: Drawing = Figure(figsize=(9, 3.6), layout="constrained")
    results = Results("memory")
    for axes, seats in zip(figure.subplots(1, 2, sharey=True), (2, 4), strict=True):
        for shift, (variant, (_, colour)) in zip((-0.08, 0.08), VARIANTS.items(), strict=True):
            runs = [f"{seats} {variant} {memory}" for memory in MEMORIES]
            found = [results.sure(run, "length", "turns", "mean") for run in runs]
            places = [place + shift for place in range(len(MEMORIES))]
            axes.plot(places, [mean for mean, _, _ in found], color=colour, linewidth=1)
            for place, each in zip(places, found, strict=True):
                _reach(axes, place, each, colour)
        axes.set_xticks(range(len(MEMORIES)), MEMORIES)
        _plain(axes, "y")
        axes.set_title(f"{seats} seats")
        axes.set_xlabel("memory of everybody")
        axes.set_ylabel("turns of a game")
    figure.axes[0].set_ylim(bottom=0)
    _key(figure, VARIANTS.values(), outside=True)
    return figure


def memory_endings() -> Drawing:
    """How games end, by the players' memory."""
    reasons = {
        "A wall is complete": ("nine cards", MOSS),
        "No card that is left fits any wall": ("nothing fits any more", OCHRE),
        "Nobody has added a card for too long": ("no progress", SEA),
    }
    figure: Drawing = Figure(figsize=(9, 4.4), layout="constrained")
    results = Results("memory")
    for line, seats in zip(figure.subplots(2, 2, sharex=True), (2, 4), strict=True):
        for axes, (variant, (title, _)) in zip(line, VARIANTS.items(), strict=True):
            for place, memory in enumerate(reversed(MEMORIES)):
                so_far = 0.0
                for reason, (_, colour) in reasons.items():
                    run = f"{seats} {variant} {memory}"
                    part = 100 * results.sure(run, "endings", reason, "games")[0]
                    axes.barh(place, part, left=so_far, color=colour, height=0.7)
                    so_far += part
            axes.set_yticks(range(len(MEMORIES)), list(reversed(MEMORIES)))
            axes.set_xlim(0, 100)
            _plain(axes, "x")
            axes.set_title(f"{title}, {seats} seats")
    for axes in figure.axes[2:]:
        axes.set_xlabel("games, %")
    _key(figure, reasons.values(), outside=True)
    return figure


def memory_matches() -> Drawing:
    """How often a perfect memory beats others."""
    figure: Drawing = Figure(figsize=(6.4, 3.4), layout="constrained")
    axes = figure.subplots()
    results = Results("memory")
    axes.axhline(50, color=INK, linewidth=0.8)
    others = MEMORIES[:-1]
    for shift, (variant, (_, colour)) in zip((-0.08, 0.08), VARIANTS.items(), strict=True):
        for place, memory in enumerate(others):
            found = results.sure(f"match {variant} {memory}", "match", "perfect", "wins")
            mean, low, high = (100 * end for end in found)
            _reach(axes, place + shift, (mean, low, high), colour)
    axes.set_xticks(range(len(others)), others)
    axes.set_xlim(-0.5, len(others) - 0.5)
    axes.set_ylim(40, 101)
    _plain(axes, "y")
    axes.set_xlabel("memory of the other player")
    axes.set_ylabel("perfect memory wins, %")
    _key(figure, VARIANTS.values(), outside=True)
    return figure


# --- Their parts -----------------------------------------------------------------------------


def _reach(axes: Axes, place: float, found: tuple[float, float, float], colour: str) -> None:
    """A point with its vertical interval."""
    mean, low, high = found
    axes.plot([place, place], [low, high], color=colour, linewidth=1.6)
    axes.plot([place], [mean], marker="o", color=colour, markersize=5)


def _plain(axes: Axes, lines: str) -> None:
    """Remove lines that carry no information."""
    axes.grid(axis=lines, color=MORTAR, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def _key(where: Drawing, entries: Iterable[tuple[str, str]], *, outside: bool = False) -> None:
    """The legend of colours."""
    handles: list[Any] = [
        Line2D([], [], color=colour, marker="o", markersize=6, label=label)
        for label, colour in entries
    ]
    if outside:
        where.legend(handles=handles, loc="outside upper center", ncols=len(handles))
        return
    where.set_visible(True)
    where.axis("off")
    where.legend(handles=handles, loc="center left")


PICTURES: Final = {
    "seat-advantage": seat_advantage,
    "lengths": lengths,
    "guild-cards": guild_cards,
    "card-wins": card_wins,
    "memory-lengths": memory_lengths,
    "memory-endings": memory_endings,
    "memory-matches": memory_matches,
}


def main() -> None:
    """Draw all charts."""
    style: Any = mpl
    with style.rc_context(STYLE):
        for name, drawn in PICTURES.items():
            picture: Any = drawn()
            picture.savefig(HERE / f"{name}.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
