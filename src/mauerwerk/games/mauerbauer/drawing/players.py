"""Mauerbauer, what stands around the board: players, score track, dice and supply."""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import YOU, Language, is_you
from mauerwerk.core.language.words import cards, signed
from mauerwerk.core.svg import NAME, POINTS, SMALL, TEXT, Node, group, label, node, use
from mauerwerk.core.svg.fitting import cut, ems
from mauerwerk.games.mauerbauer.events import Task, View
from mauerwerk.games.mauerbauer.values import COLOURS, TOWERS

SIDE: Final = 228
"""The width of what stands beside the board."""
_TRACK: Final = 76
"""The height of the score track."""

Block = tuple[Node, float]
"""A part of the picture, and its height."""
Entry = tuple[str, tuple[float, float], int]
"""A piece of the supply: its symbol, its size, and the number left."""


def draw_players(view: View, names: Sequence[str], width: float, language: Language) -> Block:
    """Points, cards, and what lies before each player; below them the score track."""
    parts: list[Node] = []
    y = 0.0
    for seat in (Seat(each) for each in range(len(view.counts))):
        told = seat_words(view, seat, language)
        fill = "paper-2" if seat in view.waiting else "paper"
        name = cut(signed(names[seat], language, own=seat == view.seat), (width - 112) / NAME, ems)
        bar = node("rect", width=5, height=50, rx=1, fill="var(--brick)")
        row = [
            node("rect", width=width, height=50, rx=3, fill=f"var(--{fill})"),
            *([bar] if seat in view.waiting else []),
            use(f"mark-{seat + 1}", 13, 14, 22, 22, color="var(--ink)"),
            label(44, 22, name, size=NAME, bold=True),
            label(44, 42, cut(told, (width - 56) / SMALL, ems), size=SMALL, fill="ink-2"),
            label(
                width - 12,
                26,
                str(view.points[seat]),
                size=POINTS,
                anchor="end",
                bold=True,
                serif=True,
            ),
        ]
        parts.append(node("g", *row, id=f"seat-{seat}", transform=f"translate(0 {y:.0f})"))
        y += 54
    parts.append(group(_track(view, width), y=y))
    return group(*parts, id="players"), y + _TRACK


def seat_words(view: View, seat: Seat, language: Language) -> str:
    """What a player is doing, and the number of cards they hold."""
    told = cards(view.counts[seat], language)
    laid = [each for each in view.laid if each.seat == seat]
    if laid:
        number = len(laid[0].cards)
        put = (
            language("discarded {number}", number=number)
            if laid[0].discarded
            else language("played {number}", number=number)
        )
        return f"{put}, {told}"
    if seat == view.builder and view.task is not Task.NOTHING:
        own = seat == view.seat
        builds = language.about("you", "building") if own else language("building")
        return f"{builds}, {told}"
    return told


def _track(view: View, width: float) -> Node:
    """The score track, as long as it must be, with each player's mark; equal ones are stacked."""
    end = 10 * (1 + max(*view.points, 39) // 10)
    step = (width - 24) / end
    parts: list[Node] = [
        node("path", d=f"M12 52H{width - 12:.0f}", stroke="var(--chalk)", stroke_width=2),
        *(
            label(12 + step * each, 68, str(each), size=SMALL, fill="chalk", anchor="middle")
            for each in range(0, end + 1, 10)
        ),
    ]
    stacked: dict[int, int] = {}
    for seat, points in enumerate(view.points):
        place = round(step * points / 18)
        stacked[place] = stacked.get(place, 0) + 1
        x, y = 12 + step * points, 56 - 14 * stacked[place]
        parts.append(node("circle", cx=x, cy=y, r=9, fill="var(--chalk)", stroke="var(--groove)"))
        mark = use(f"mark-{seat + 1}", x - 6, y - 6, 12, 12, color="var(--groove)")
        parts.append(group(mark, id=f"marker-{seat}"))
    return group(*parts, id="score-track")


def draw_dice(view: View, names: Sequence[str], language: Language) -> Node | None:
    """What was rolled, as long as it is being placed."""
    if view.roll is None or view.builder is None:
        return None
    faces: list[str | None] = [
        *([f"tower-{view.roll.tower.name.lower()}"] if view.roll.tower else []),
        *(f"house-{face.name.lower()}" if face else None for face in view.roll.houses),
    ]
    name = YOU if view.builder == view.seat else cut(names[view.builder], 6, ems)
    whose = language("Your roll") if is_you(name) else language("{who}'s roll", who=name)
    parts: list[Node] = [label(0, 16, whose, fill="chalk", bold=True, serif=True)]
    for place, face in enumerate(faces):
        x = 56 * place
        parts.append(node("rect", x=x, y=26, width=48, height=48, rx=7, fill="var(--die)"))
        if face is None:
            mark = label(
                x + 24, 60, "?", size=POINTS, fill="groove", anchor="middle", bold=True, serif=True
            )
            parts.append(mark)
        else:
            parts.append(use(face, x + 8, 33, 32, 34))
    return group(*parts, id="dice")


def draw_supply(view: View, language: Language) -> Block:
    """What is left of every piece and card; houses and palaces of a colour side by side."""
    supply = view.supply
    walls: Entry = ("wall-line", (48, 8), supply.walls)
    towers: list[Entry] = [
        (f"tower-{tower.name.lower()}", (24, 27.6), left)
        for tower, left in zip(TOWERS, supply.towers, strict=True)
    ]
    houses: list[Entry] = [
        (f"house-{colour.name.lower()}", (24, 25.4), left)
        for colour, left in zip(COLOURS, supply.houses, strict=True)
    ]
    palaces: list[Entry] = [
        (f"palace-{colour.name.lower()}", (28, 26), left)
        for colour, left in zip(COLOURS, supply.palaces, strict=True)
    ]
    pairs = [[house, palace] for house, palace in zip(houses, palaces, strict=True)]
    shelves = [[walls], towers, *pairs]
    title = language("Supply")
    parts: list[Node] = [label(0, 18, title, size=NAME, fill="chalk", bold=True, serif=True)]
    y = 44.0
    for shelf in shelves:
        x = 0.0
        for symbol, (wide, high), left in shelf:
            parts.append(use(symbol, x, y - high / 2, wide, high))
            parts.append(label(x + wide + 5, y + 6, str(left), size=NAME, fill="chalk", bold=True))
            x += wide + (60 if len(shelf) == 2 else 36)  # noqa: PLR2004 - a pair has more room
        y += 34
    piles = language("Pile {pile}, discard pile {cards}", pile=view.pile, cards=len(view.discard))
    parts.append(label(0, y + 4, piles, size=TEXT, fill="chalk"))
    return group(*parts, id="supply"), y + 14
