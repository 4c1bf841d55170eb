"""Die Mauer drawn, the stage: the fists in the sky, the wall on its ground, the question.

Blocks are drawn from their own corner and say how high they are; whoever stacks them moves them.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias, assert_never

from mauerwerk.core.drawing import (
    NAME,
    PROMPT,
    SMALL,
    TEXT,
    Node,
    cut,
    ems,
    group,
    hit,
    label,
    node,
    outline,
    rows,
    size_of,
    target,
    use,
    wrap,
)
from mauerwerk.core.game import Seat
from mauerwerk.core.words import signed
from mauerwerk.games.mauer.draw_text import fist_words, places, when
from mauerwerk.games.mauer.notation import ask, piece_name
from mauerwerk.games.mauer.rules import is_wall, totals
from mauerwerk.games.mauer.values import (
    Action,
    Appoint,
    Build,
    Closed,
    End,
    Piece,
    Plan,
    Task,
    Thinking,
    View,
)

FRAME: Final = 6
NARROW: Final = 700
"""What is not wider than this is drawn for a phone: smaller pieces, more rows."""

_FOOT: Final = 121
"""Where the foot of a piece stands in its symbol, which is 124 high."""

Words: TypeAlias = tuple[str, str]
"""An action's word, and what a player would say."""

Offers: TypeAlias = Mapping[Action, Words]
"""What may be done now."""


class Foot(NamedTuple):
    """Where a piece stands, by the middle of its foot, and how large it is."""

    x: float
    y: float
    scale: float


class Block(NamedTuple):
    """A part of the picture."""

    body: Node
    height: float


def stage(view: View, offers: Offers, names: Sequence[str], width: float) -> Block:
    """Everything that all see."""
    inner = width - 2 * FRAME
    fists = _fists(view, offers, names, inner)
    wall = _wall(view, offers, inner)
    prompt = _prompt(view, names, inner)
    top = 38.0
    ground = top + fists.height + wall.height
    height = ground + prompt.height
    sun = [node("circle", cx=inner - 54, cy=50, r=32, fill="var(--sun)")] if width > NARROW else []
    return Block(
        group(
            node("rect", width=width, height=height + 2 * FRAME, rx=7, fill="var(--tray)"),
            group(
                node("rect", width=inner, height=height, fill="var(--sky)"),
                *sun,
                _hills(top + fists.height - 56, 56 + wall.height, inner),
                label(14, 25, when(view), fill="ink-2"),
                group(fists.body, y=top),
                group(wall.body, y=top + fists.height),
                group(prompt.body, y=ground),
                x=FRAME,
                y=FRAME,
            ),
            id="stage",
        ),
        height + 2 * FRAME,
    )


def _hills(top: float, height: float, width: float) -> Node:
    far = "M-40 100C60 20 240 10 380 56S640 100 800 46 1120 20 1300 86V150H-40Z"
    near = "M-40 120C90 76 260 64 430 96S760 126 930 88 1180 76 1300 112V150H-40Z"
    return group(
        node(
            "svg",
            node("path", d=far, fill="var(--hill-1)"),
            node("path", d=near, fill="var(--hill-2)"),
            width=width,
            height=150,
            viewBox="0 0 1240 150",
            preserveAspectRatio="none",
        ),
        node("rect", y=149, width=width, height=max(height - 149, 0), fill="var(--hill-2)"),
        y=top,
        aria_hidden="true",
    )


def _prompt(view: View, names: Sequence[str], width: float) -> Block:
    """The question, on the ground under the wall; a brick bar when it is the viewer's to answer."""
    words = ask(view, [cut(name, 12, ems) for name in names]).replace("….", "…")
    lines = wrap(words, (width - 40) / PROMPT, ems)
    height = 24 + 28 * len(lines)
    asked = view.seat is not None and view.seat in view.waiting
    bar = node("rect", width=width, height=4, y=height - 4, fill="var(--brick)")
    return Block(
        group(
            node("rect", y=-1, width=width, height=height + 1, fill="var(--ground)"),
            *(_centred(width / 2, 26 + 28 * row, line) for row, line in enumerate(lines)),
            *([bar] if asked else []),
            id="prompt",
        ),
        height,
    )


def _centred(x: float, y: float, line: str) -> Node:
    return label(x, y, line, size=PROMPT, fill="chalk", anchor="middle", bold=True, serif=True)


# --- The fists -------------------------------------------------------------------------------

_FIST: Final = 186
"""The height of a hand with its plate."""

_PLATE: Final = 130
"""A plate that is not wider than this has its name set smaller."""

_OPEN: Final = use("hand-open", 0, 0, 120, 122)
_CLOSED: Final = use("hand-fist", 0, 0, 120, 122)


def _fists(view: View, offers: Offers, names: Sequence[str], width: float) -> Block:
    """Everybody in the order of the seats; the stone lies beside the master builder's hand."""
    levels = rows([118] * len(view.counts), width - 12)
    slot = min((width - 12) / max(map(len, levels)), 206)
    fists: list[Node] = []
    stone: list[Node] = []
    for level, row in enumerate(levels):
        left = (width - slot * len(row)) / 2
        for place in row:
            seat = Seat(place)
            x, y = left + slot * (place - row.start) + 4, level * (_FIST + 8)
            fists.append(group(_player(view, seat, names[seat], slot - 8, offers), x=x, y=y))
            if seat == view.master and view.task is not Task.NOTHING:
                beside = x + min(slot / 2 + 38, slot - 48)
                stone.append(_stone(beside, y + 76))
    return Block(group(*fists, *stone, id="fists"), (_FIST + 8) * len(levels))


def _stone(x: float, y: float) -> Node:
    lying = node("g", use("stone", 0, 0, 44, 40), class_="lift")
    named = "the master builder's stone"
    return group(lying, x=x, y=y, id="masters-stone", class_="glide", role="img", aria_label=named)


def _player(view: View, seat: Seat, name: str, width: float, offers: Offers) -> Node:
    """A hand, its cuff with the mason's mark, and a plate with name and state."""
    over = view.task is Task.NOTHING
    hand = _left_over(view, seat, width) if over else _hand(view, seat)
    told = f"{name}: {_told(view, seat)}"
    waited = seat in view.waiting or (over and places(view)[seat] == 1)
    bar = "brick" if waited else "mortar-2" if seat == view.master and not over else "paper"
    size = NAME if width > _PLATE else TEXT
    short = cut(name, 0.92 * width / size - 4 * (view.seat == seat), ems)
    status = next(
        (words for words in _status(view, seat) if ems(words) * SMALL <= width),
        cut(_status(view, seat)[-1], width / SMALL, ems),
    )
    middle, name = width / 2, signed(short, own=seat == view.seat)
    parts = (
        group(*hand, x=middle - 60, y=2, class_="lift"),
        node("rect", y=125, width=width, height=58, rx=3, fill="rgb(var(--shadow))", opacity=".22"),
        node("rect", y=124, width=width, height=57, rx=3, fill="var(--paper)"),
        node("rect", y=124, width=width, height=4, rx=1, fill=f"var(--{bar})"),
        label(middle, 148, name, size=size, anchor="middle", bold=True),
        label(middle, 169, status, size=SMALL, fill="ink-2", anchor="middle"),
    )
    appoint = offers.get(Appoint(seat))
    if appoint is not None:
        return target(f"fist-{seat}", *appoint, *parts, hit(0, 0, width, _FIST - 5))
    return node("g", *parts, id=f"fist-{seat}", role="img", aria_label=told)


def _hand(view: View, seat: Seat) -> tuple[Node, ...]:
    """Open while thinking, closed, or open with what it held; one's own plan sticks out."""
    mark = _mark(seat)
    fist = view.fists[seat]
    match fist:
        case Thinking():
            return (_OPEN, mark)
        case Closed():
            return (_CLOSED, mark)
        case Plan(piece=piece):
            return _planned(view, piece, mark)
        case _:
            assert_never(fist)


def _planned(view: View, piece: Piece | None, mark: Node) -> tuple[Node, ...]:
    planning = view.task is Task.PLAN
    if piece is None:
        return (_CLOSED if planning else _OPEN, mark)
    if planning:
        held = standing(piece, Foot(60, 47, 0.72 if is_wall(piece) else 0.52))
        return (held, _CLOSED, mark)
    wide, _ = size_of(f"piece-{piece.value}")
    scale = min(0.84, 84 / wide) if is_wall(piece) else 0.74
    return (_OPEN, standing(piece, Foot(60.5, 97, scale)), mark)


def _mark(seat: Seat) -> Node:
    return use(f"mark-{seat + 1}", 52, 102.5, 16, 16, color="var(--on-brick)")


def standing(piece: Piece, foot: Foot) -> Node:
    """A piece on its foot."""
    name = f"piece-{piece.value}"
    width, height = (foot.scale * side for side in size_of(name))
    return use(name, foot.x - width / 2, foot.y - foot.scale * _FOOT, width, height)


def ghost(piece: Piece, foot: Foot, **attributes: str) -> Node:
    """The outline of a piece, in chalk."""
    name = f"ghost-{piece.value}"
    left, top = foot.x - foot.scale * size_of(name)[0] / 2, foot.y - foot.scale * _FOOT
    at = f"translate({left:.2f} {top:.2f}) scale({foot.scale})"
    return node("path", d=outline(name), transform=at, **attributes)


def height_of(piece: Piece) -> float:
    """How high it stands, of the 124 of its symbol."""
    return 58 if is_wall(piece) else 86 if piece is Piece.GATE else 110


def _left_over(view: View, seat: Seat, width: float) -> tuple[Node, ...]:
    """What somebody was left with, once all hands are shown (DM-2); a hand if it is nothing."""
    hand = view.hands[seat] or ()
    if not hand:
        return (_OPEN, _mark(seat))
    for scale in (0.56, 0.46, 0.38, 0.3, 0.22):
        widths = [scale * size_of(f"piece-{piece.value}")[0] for piece in hand]
        levels = rows(widths, width, 2)
        if len(levels) * scale * _FOOT < _FIST - 60:
            break
    pieces: list[Node] = []
    for level, row in enumerate(levels):
        foot = 119 - scale * _FOOT * (len(levels) - 1 - level)
        x = 60 - (sum(widths[place] for place in row) + 2 * (len(row) - 1)) / 2
        for place in row:
            pieces.append(standing(hand[place], Foot(x + widths[place] / 2, foot, scale)))
            x += widths[place] + 2
    return tuple(pieces)


def _status(view: View, seat: Seat) -> tuple[str, ...]:
    """The line under a name, the longest first."""
    if view.task is Task.NOTHING:
        points = totals(view.scores, len(view.counts))[seat]
        place = places(view)[seat]
        words = "winner" if place == 1 else f"place {place}"
        return (f"{words} · {points} points", f"{words} · {points}")
    if view.task is Task.LOT:
        return (fist_words(view, seat),)
    count = view.counts[seat]
    if seat == view.master:
        return (f"master builder · {count} left", f"master · {count}")
    words = fist_words(view, seat)
    return (f"{words} · {count} left", f"{words} · {count}")


def _told(view: View, seat: Seat) -> str:
    """The same for who does not see the picture."""
    if view.task is Task.NOTHING:
        hand = ", ".join(piece_name(piece) for piece in view.hands[seat] or ())
        return f"{_status(view, seat)[0]}, left with {hand or 'nothing'}"
    master = "master builder, " if seat == view.master else ""
    return f"{master}{fist_words(view, seat)}, {view.counts[seat]} pieces left"


# --- The wall --------------------------------------------------------------------------------

_STRIP: Final = 32
"""The ground under a course."""


def _wall(view: View, offers: Offers, width: float) -> Block:
    """The wall in as many courses as it needs, with its open ends in chalk."""
    scale = 1.18 if width > NARROW else 0.8
    line = _line(view, offers)
    widths = [
        max(scale * size_of(f"piece-{piece.value}")[0] + 16, 80)
        if offer
        else scale * size_of(f"piece-{piece.value}")[0]
        for _, piece, offer in line
    ]
    high = scale * _FOOT
    ground = high + 6
    parts = [_strip(ground, width)]
    for number, row in enumerate(rows(widths, width - 24, 1)):
        if number:
            ground += _STRIP + high + 16
            parts.append(_strip(ground, width))
        x = (width - sum(widths[place] for place in row) - len(row) + 1) / 2
        for place in row:
            name, piece, offer = line[place]
            foot = Foot(x + widths[place] / 2, ground, scale)
            if offer:
                parts.append(_site(name, piece, offer, foot, first=not view.wall))
            else:
                parts.append(_built(name, piece, foot, _signature(view, place, offers)))
            x += widths[place] + 1
    return Block(group(*parts, id="wall", role="group", aria_label="The wall"), ground + _STRIP)


def _line(view: View, offers: Offers) -> list[tuple[str, Piece, Words | None]]:
    """The pieces of the wall by name, and before and behind them where one may build."""
    line: list[tuple[str, Piece, Words | None]] = [
        (_name(place - view.left), piece, None) for place, piece in enumerate(view.wall)
    ]
    if view.piece is not None and Build(End.LEFT) in offers:
        line.insert(0, ("end-left", view.piece, offers[Build(End.LEFT)]))
    if view.piece is not None and Build(End.RIGHT) in offers:
        line.append(("end-right", view.piece, offers[Build(End.RIGHT)]))
    return line


def _name(place: int) -> str:
    """A piece keeps its name while the wall grows at either end: the first is 0."""
    return f"wall-left-{-place}" if place < 0 else f"wall-{place}"


def _strip(ground: float, width: float) -> Node:
    return node("rect", y=ground, width=width, height=_STRIP + 1, fill="var(--ground)")


def _signature(view: View, place: int, offers: Offers) -> Seat | None:
    """Who built the piece at this place of the line, if it was the last one to be built."""
    if view.last is None:
        return None
    seat, end = view.last
    first = int(Build(End.LEFT) in offers)
    newest = first if end is End.LEFT else first + len(view.wall) - 1
    return seat if place == newest else None


def _built(name: str, piece: Piece, foot: Foot, builder: Seat | None) -> Node:
    """A piece of the wall; the last one built bears its builder's mark."""
    parts = [standing(piece, foot)]
    if builder is not None:
        y = foot.y - foot.scale * height_of(piece) - 18
        disc = {"fill": "var(--chalk)", "stroke": "var(--piece-line)", "stroke_width": "2"}
        parts.append(node("circle", cx=foot.x, cy=y, r=13, **disc))
        parts.append(use(f"mark-{builder + 1}", foot.x - 8, y - 8, 16, 16, color="#2A211A"))
    return node("g", *parts, id=name, class_="lift", role="img", aria_label=piece_name(piece))


def _site(name: str, piece: Piece, words: Words, foot: Foot, *, first: bool) -> Node:
    """An end of the wall where the piece may be built."""
    wide = foot.scale * size_of(f"ghost-{piece.value}")[0]
    high = foot.scale * height_of(piece)
    end = "Here" if first else "Left end" if name == "end-left" else "Right end"
    return target(
        name,
        *words,
        ghost(piece, foot, class_="chalk glow", fill="var(--glow)", fill_opacity=".4"),
        label(foot.x, foot.y + 21, end, fill="chalk", anchor="middle", bold=True),
        hit(foot.x - wide / 2, foot.y - high, wide, high + 28),
    )
