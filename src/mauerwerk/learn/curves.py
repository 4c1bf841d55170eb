"""The course of a training as a picture: one panel for each figure, over the time."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

WIDTH: Final = 640
PANEL: Final = 120
LEFT: Final = 70
TOP: Final = 46
GAP: Final = 44

BRICK: Final = "#A3432B"
INK: Final = "#2A211A"
MORTAR: Final = "#D5C8B4"


def render(title: str, history: Sequence[Mapping[str, float]], panels: Mapping[str, str]) -> str:
    """An SVG of the history; `panels` are its figures with their titles, `minutes` is the time."""
    end = max((moment["minutes"] for moment in history), default=0.0) or 1.0
    height = TOP + len(panels) * (PANEL + GAP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        f'<g font-family="sans-serif" font-size="12" fill="{INK}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#FFFFFF"/>',
        f'<text x="{LEFT}" y="20" font-size="15">{escape(title)}</text>',
    ]
    for number, (name, about) in enumerate(panels.items()):
        points = [(each["minutes"] / end, each[name]) for each in history if name in each]
        parts += _panel(TOP + number * (PANEL + GAP), about, points, end)
    return "\n".join([*parts, "</g>", "</svg>", ""])


def _panel(top: float, about: str, points: Sequence[tuple[float, float]], end: float) -> list[str]:
    low = min((value for _, value in points), default=0.0)
    high = max((value for _, value in points), default=1.0)
    span = (high - low) or 1.0
    right, bottom = WIDTH - 20, top + PANEL
    places = " ".join(
        f"{LEFT + share * (right - LEFT):.1f},{bottom - (value - low) / span * PANEL:.1f}"
        for share, value in points
    )
    label = f'text-anchor="end" x="{LEFT - 8}"'
    return [
        f'<text x="{LEFT}" y="{top - 6}">{escape(about)}</text>',
        f'<path d="M{LEFT} {top}V{bottom}H{right}" fill="none" stroke="{MORTAR}"/>',
        f'<text {label} y="{top + 10}">{high:.3g}</text>',
        f'<text {label} y="{bottom}">{low:.3g}</text>',
        f'<text text-anchor="end" x="{right}" y="{bottom + 16}">{end:.3g} min</text>',
        f'<polyline points="{places}" fill="none" stroke="{BRICK}" stroke-width="2"/>',
    ]
