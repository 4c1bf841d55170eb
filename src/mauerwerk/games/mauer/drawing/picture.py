"""Die Mauer, drawn from a view: the stage, below it the viewer's pieces and the score sheet."""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.language import ENGLISH, Language
from mauerwerk.core.svg import (
    FRAME,
    NAME,
    PROMPT,
    SMALL,
    TEXT,
    TOUCH,
    Drawing,
    Node,
    framed,
    group,
    label,
    node,
    picture,
    use,
)
from mauerwerk.core.svg.fitting import cut, ems, rows
from mauerwerk.games.mauer.drawing import PIECES, hands
from mauerwerk.games.mauer.drawing.stage import stage
from mauerwerk.games.mauer.drawing.text import places, text
from mauerwerk.games.mauer.events import Task, View
from mauerwerk.games.mauer.notation import TITLE, piece_name
from mauerwerk.games.mauer.values import Choose, Give, Hand, Piece, Plan, penalties

__all__ = ["IN_TRAY", "offer_of", "svg", "text"]
_WIDTH: Final = 1080
_SLATE: Final = 452
_LONG_SLATE: Final = 500
_LONG_GAME: Final = 6
_GAP: Final = 14


def svg(view: View, names: Sequence[str], language: Language = ENGLISH, /) -> Drawing:
    """The table as a picture."""
    above = stage(view, {}, names, _WIDTH, language)
    across = _SLATE if view.rounds <= _LONG_GAME else _LONG_SLATE
    hand = None if view.seat is None else view.hands[view.seat]
    if hand is None or view.task in {Task.LOT, Task.NOTHING}:
        slate = _slate(view, names, across, 0, language)
        below = hands.Block(group(slate.body, x=(_WIDTH - across) / 2), slate.height)
    else:
        tray = _tray(view, hand, (_WIDTH - across - _GAP, _slate_height(view)), language)
        slate = _slate(view, names, across, tray.height, language)
        below = hands.Block(group(tray.body, group(slate.body, x=_WIDTH - across)), tray.height)
    top = above.height + _GAP
    return picture(PIECES, _WIDTH, top + below.height, TITLE, above.body, group(below.body, y=top))


# --- The viewer's own pieces -----------------------------------------------------------------

IN_TRAY: Final = (
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


def _tray(view: View, hand: Hand, room: tuple[float, float], language: Language) -> hands.Block:
    """The viewer's pieces on their shelf; what is gone leaves its outline. `room` is the least."""
    width, least = room
    scale = 0.84 if width > _SLATE else 0.7
    widths = [
        (54 if kind is None else max(scale * PIECES.size_of(f"piece-{kind.value}")[0], TOUCH)) + 6
        for kind in IN_TRAY
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
            slot = _slot(view, hand, IN_TRAY[place], (widths[place], scale), language)
            parts.append(group(slot, x=x, y=foot))
            x += widths[place] + gap
    cost = sum(penalties(view.penalties)[piece] for piece in hand)
    told = (
        language("Cost if the round ended now: {cost}", cost=cost)
        if width > _SLATE
        else language("Cost now: {cost}", cost=cost)
    )
    return hands.Block(
        group(
            node("rect", width=width, height=height, rx=7, fill="var(--tray)"),
            label(
                18, 30, language("Your pieces"), size=NAME, fill="tray-ink", bold=True, serif=True
            ),
            label(width - 18, 30, told, size=SMALL, fill="tray-ink", anchor="end"),
            *parts,
            id="tray",
        ),
        height,
    )


def _slot(
    view: View, hand: Hand, kind: Piece | None, size: tuple[float, float], language: Language
) -> Node:
    width, scale = size
    foot = hands.Foot(width / 2, 0, scale)
    count = 1 if kind is None else hand.count(kind)
    mine = None if view.seat is None else view.fists[view.seat]
    in_fist = view.task is Task.PLAN and mine == Plan(kind)
    if kind is None:
        name, meant = "hand-empty", language("the empty fist")
        body = [use("hand-fist", foot.x - 30, -60, 60, 61)]
        state = language("empty")
    else:
        name = f"hand-{kind.value}"
        body = _pieces(kind, count - in_fist, foot)
        piece = piece_name(kind, language)
        meant = language("{piece}: {number} in hand", piece=piece, number=count)
        state = "" if count else language("gone")
    state = language("in fist") if in_fist else state
    told = label(foot.x, 24, state, size=SMALL, fill="tray-ink", anchor="middle")
    return node("g", *body, told, id=name, role="img", aria_label=meant)


def _pieces(kind: Piece, count: int, foot: hands.Foot) -> list[Node]:
    if not count:
        return [
            hands.ghost(
                kind, foot, class_="chalk", fill="var(--chalk)", fill_opacity=".2", opacity=".6"
            )
        ]
    stands = node("g", hands.standing(kind, foot), class_="lift")
    if count == 1:
        return [stands]
    x = foot.x + foot.scale * PIECES.size_of(f"piece-{kind.value}")[0] / 2 - 2
    y = 4 - foot.scale * hands.height_of(kind)
    disc = node("circle", cx=x, cy=y, r=13, fill="var(--ink)")
    number = label(x, y + 5, f"{count}\N{MULTIPLICATION SIGN}", fill="paper", anchor="middle")
    return [stands, disc, number]


def offer_of(kind: Piece | None, offers: hands.Offers) -> hands.Words | None:
    """What may be done with this kind: planned, chosen or given; never two of them at once."""
    if kind is None:
        return offers.get(Plan(None))
    for action in (Plan(kind), Choose(kind), Give(kind)):
        if action in offers:
            return offers[action]
    return None


# --- The score sheet -------------------------------------------------------------------------


_LEAST_NAME: Final = 112


def _slate(
    view: View, names: Sequence[str], width: float, least: float, language: Language
) -> hands.Block:
    over = view.task is Task.NOTHING
    inner = width - 2 * FRAME
    right = inner - (62 if over else 16)
    room = max(inner - 70 - 62 - 44 * view.rounds, _LEAST_NAME)
    step = (right - 60 - room) / view.rounds
    size = TEXT if room > _LEAST_NAME else SMALL
    heads = [f"{number}" for number in range(1, view.rounds + 1)]
    ends = [room + step * number for number in range(1, view.rounds + 1)]
    body = [
        label(14, 28, language("Score sheet"), size=NAME, fill="chalk", bold=True, serif=True),
        label(inner - 14, 28, language("lowest wins"), size=SMALL, fill="chalk", anchor="end"),
        *_cells(heads, ends, 50, SMALL, "chalk-2"),
        *_cells([language("Sum")], [right], 50, SMALL, "chalk-2"),
        *(_cells([language("Place")], [inner - 14], 50, SMALL, "chalk-2") if over else []),
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
            label(40, y, cut(language.called(name), (room - 40) / TEXT, ems), fill=fill, bold=True),
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
    return hands.Block(framed("slate", width, height, "slate", *body), height)


def _slate_height(view: View) -> float:
    return 66 + 28 * len(view.counts) + 2 * FRAME


def _cells(
    words: Sequence[str], ends: Sequence[float], y: float, size: float, fill: str
) -> list[Node]:
    return [
        label(end, y, word, size=size, fill=fill, anchor="end")
        for word, end in zip(words, ends, strict=True)
    ]
