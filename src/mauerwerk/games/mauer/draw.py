"""Die Mauer, drawn from a view: the table as a picture, and as text for a terminal.

Here the parts of the picture are put together: the stage above, below it the viewer's own pieces
and the score sheet.
"""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.drawing import (
    NAME,
    PROMPT,
    SMALL,
    TEXT,
    TOUCH,
    Drawing,
    Node,
    cut,
    ems,
    group,
    hit,
    label,
    node,
    picture,
    rows,
    size_of,
    target,
    use,
)
from mauerwerk.games.mauer.draw_stage import (
    FRAME,
    Block,
    Foot,
    Offers,
    Words,
    ghost,
    height_of,
    stage,
    standing,
)
from mauerwerk.games.mauer.draw_text import places, text
from mauerwerk.games.mauer.notation import TITLE, piece_name, say, write
from mauerwerk.games.mauer.values import (
    PENALTY,
    Action,
    Choose,
    Give,
    Hand,
    Piece,
    Plan,
    Task,
    View,
)

__all__ = ["svg", "text"]

_WIDTH: Final = 1080
_SLATE: Final = 452
_LONG_SLATE: Final = 500
_LONG_GAME: Final = 6
_GAP: Final = 14


def svg(
    view: View, legal: Sequence[Action], names: Sequence[str], /, *, width: float = _WIDTH
) -> Drawing:
    """The table as a picture, with the word of each legal action on its target.

    It is drawn for this width: in a narrow one, fists, wall and pieces break into more rows.
    """
    offers = {action: (write(action), say(action)) for action in legal}
    above = stage(view, offers, names, width)
    beside = width >= 2 * _LONG_SLATE
    across = width if not beside else _SLATE if view.rounds <= _LONG_GAME else _LONG_SLATE
    hand = None if view.seat is None else view.hands[view.seat]
    if hand is None or view.task in {Task.LOT, Task.NOTHING}:
        slate = _slate(view, names, across, 0)
        below = Block(group(slate.body, x=(width - across) / 2), slate.height)
    elif beside:
        tray = _tray(view, hand, offers, width - across - _GAP, _slate_height(view))
        slate = _slate(view, names, across, tray.height)
        below = Block(group(tray.body, group(slate.body, x=width - across)), tray.height)
    else:
        tray = _tray(view, hand, offers, width, 0)
        slate = _slate(view, names, across, 0)
        under = tray.height + _GAP
        below = Block(group(tray.body, group(slate.body, y=under)), under + slate.height)
    top = above.height + _GAP
    return picture(width, top + below.height, TITLE, above.body, group(below.body, y=top))


# --- The viewer's own pieces -----------------------------------------------------------------

_IN_TRAY: Final = (
    Piece.WALL_1,
    Piece.WALL_2,
    Piece.WALL_3,
    Piece.WALL_4,
    Piece.WALL_6,
    Piece.TOWER,
    Piece.GATE,
    None,
)
"""A slot for each kind, and one for the empty fist."""


def _tray(view: View, hand: Hand, offers: Offers, width: float, least: float) -> Block:
    """The viewer's pieces on their shelf; what is gone leaves its outline."""
    scale = 0.84 if width > _SLATE else 0.7
    widths = [
        (54 if kind is None else max(scale * size_of(f"piece-{kind.value}")[0], TOUCH)) + 6
        for kind in _IN_TRAY
    ]
    levels = rows(widths, width - 28)
    high = scale * 121 + 40
    height = max(least, 40 + high * len(levels))
    parts: list[Node] = []
    for level, row in enumerate(levels):
        foot = height - 34 - high * (len(levels) - 1 - level)
        parts.append(
            node("rect", x=14, y=foot, width=width - 28, height=4, rx=2, fill="var(--tray-deep)")
        )
        gap = (width - 36 - sum(widths[place] for place in row)) / max(len(row) - 1, 1)
        x = 18.0
        for place in row:
            slot = _slot(view, hand, _IN_TRAY[place], offers, (widths[place], scale))
            parts.append(group(slot, x=x, y=foot))
            x += widths[place] + gap
    cost = sum(PENALTY[piece] for piece in hand)
    words = "Cost if the round ended now" if width > _SLATE else "Cost now"
    return Block(
        group(
            node("rect", width=width, height=height, rx=7, fill="var(--tray)"),
            label(18, 30, "Your pieces", size=NAME, fill="tray-ink", bold=True, serif=True),
            label(width - 18, 30, f"{words}: {cost}", size=SMALL, fill="tray-ink", anchor="end"),
            *parts,
            id="tray",
        ),
        height,
    )


def _slot(
    view: View, hand: Hand, kind: Piece | None, offers: Offers, size: tuple[float, float]
) -> Node:
    """One kind of piece with its number and state, or the empty fist; on its own foot."""
    width, scale = size
    foot = Foot(width / 2, 0, scale)
    count = 1 if kind is None else hand.count(kind)
    mine = None if view.seat is None else view.fists[view.seat]
    in_fist = view.task is Task.PLAN and mine == Plan(kind)
    if kind is None:
        name, high = "hand-empty", 60.0
        body = [use("hand-fist", foot.x - 30, -60, 60, 61)]
    else:
        name, high = f"hand-{kind.value}", scale * height_of(kind)
        body = _pieces(kind, count - in_fist, foot)
    state = "in fist" if in_fist else "empty" if kind is None else "" if count else "gone"
    told = label(foot.x, 24, state, size=SMALL, fill="tray-ink", anchor="middle")
    words = _offered(kind, offers)
    if words is None:
        meant = "the empty fist" if kind is None else f"{piece_name(kind)}: {count} in hand"
        return node("g", *body, told, id=name, role="img", aria_label=meant)
    area = (0, -high - 7, width, high + 8)
    bar = node("rect", y=-1, width=width, height=5, rx=1, fill="var(--brick)")
    return target(name, *words, _offer(*area), *body, bar, told, hit(*area))


def _offer(x: float, y: float, width: float, height: float) -> Node:
    return node(
        "rect",
        x=x,
        y=y,
        width=width,
        height=height,
        rx=7,
        class_="chalk glow",
        fill="var(--glow)",
        fill_opacity=".4",
    )


def _pieces(kind: Piece, count: int, foot: Foot) -> list[Node]:
    """The piece, its outline when none is left, and how many when there are several."""
    if not count:
        return [
            ghost(kind, foot, class_="chalk", fill="var(--chalk)", fill_opacity=".2", opacity=".6")
        ]
    stands = node("g", standing(kind, foot), class_="lift")
    if count == 1:
        return [stands]
    x = foot.x + foot.scale * size_of(f"piece-{kind.value}")[0] / 2 - 2
    y = 4 - foot.scale * height_of(kind)
    disc = node("circle", cx=x, cy=y, r=13, fill="var(--ink)")
    number = label(x, y + 5, f"{count}\N{MULTIPLICATION SIGN}", fill="paper", anchor="middle")
    return [stands, disc, number]


def _offered(kind: Piece | None, offers: Offers) -> Words | None:
    """What may be done with this kind: planned, chosen or given; never two of them at once."""
    if kind is None:
        return offers.get(Plan(None))
    for action in (Plan(kind), Choose(kind), Give(kind)):
        if action in offers:
            return offers[action]
    return None


# --- The score sheet -------------------------------------------------------------------------


_LEAST_NAME: Final = 112


def _slate(view: View, names: Sequence[str], width: float, least: float) -> Block:
    """Penalty points round by round, in chalk."""
    over = view.task is Task.NOTHING
    inner = width - 2 * FRAME
    right = inner - (62 if over else 16)
    room = max(inner - 70 - 62 - 44 * view.rounds, _LEAST_NAME)
    step = (right - 60 - room) / view.rounds
    size = TEXT if room > _LEAST_NAME else SMALL
    heads = [f"{number}" for number in range(1, view.rounds + 1)]
    ends = [room + step * number for number in range(1, view.rounds + 1)]
    body = [
        label(14, 28, "Score sheet", size=NAME, fill="chalk", bold=True, serif=True),
        label(inner - 14, 28, "fewest wins", size=SMALL, fill="chalk", anchor="end"),
        *_cells(heads, ends, 50, SMALL, "chalk-2"),
        *_cells(["Sum"], [right], 50, SMALL, "chalk-2"),
        *(_cells(["Place"], [inner - 14], 50, SMALL, "chalk-2") if over else []),
    ]
    for seat, name in enumerate(names[: len(view.counts)]):
        y = 78 + 28 * seat
        fill = "glow" if seat == view.seat else "chalk"
        scores = [points[seat] for points in view.scores]
        shown = [str(score) for score in scores] + ["·"] * (view.rounds - len(scores))
        line = node(
            "path",
            d=f"M14 {y - 20}H{inner - 14}",
            stroke="var(--chalk)",
            stroke_opacity=".3",
            stroke_dasharray="3 3",
        )
        row = [
            line,
            use(f"mark-{seat + 1}", 14, y - 14, 18, 18, color=f"var(--{fill})"),
            label(40, y, cut(name, (room - 40) / TEXT, ems), fill=fill, bold=True),
            *_cells(shown, ends, y, size, fill),
            label(
                right,
                y + 1,
                str(sum(scores)),
                size=PROMPT,
                fill=fill,
                anchor="end",
                bold=True,
                serif=True,
            ),
            *(_cells([str(places(view)[seat])], [inner - 14], y, TEXT, fill) if over else []),
        ]
        body.append(node("g", *row, id=f"score-{seat}"))
    height = max(least, _slate_height(view))
    return Block(
        group(
            node("rect", width=width, height=height, rx=7, fill="var(--tray)"),
            group(
                node("rect", width=inner, height=height - 12, rx=3, fill="var(--slate)"),
                *body,
                x=FRAME,
                y=FRAME,
            ),
            id="slate",
        ),
        height,
    )


def _slate_height(view: View) -> float:
    return 66 + 28 * len(view.counts) + 2 * FRAME


def _cells(
    words: Sequence[str], ends: Sequence[float], y: float, size: float, fill: str
) -> list[Node]:
    return [
        label(end, y, word, size=size, fill=fill, anchor="end")
        for word, end in zip(words, ends, strict=True)
    ]
