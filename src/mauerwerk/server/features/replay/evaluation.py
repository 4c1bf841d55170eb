"""What a bot thinks of a game, for the page: the curve, the moments, and each choice weighed.

A seat is shown what its own choices were worth by what it knew then. The curve and the moments are
an observer's who sees all, so they are there only where every hand is open.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from mauerwerk.core.game import NATURE, Seat, Value
from mauerwerk.core.language import Language, capital
from mauerwerk.core.svg import Node, node, use
from mauerwerk.lab.analysis.results import Analysis, Moment
from mauerwerk.server.features.replay.frame import ALL, Frame
from mauerwerk.server.features.replay.replay import Replay
from mauerwerk.server.ui.markup import html, without_overlap

MINUS: Final = "\N{MINUS SIGN}"
ROWS: Final = 30
"""The approximate number of rows of the curve as a table."""


class Bar(Value):
    """A choice, and what it was worth."""

    said: str
    chance: int
    """In per cent."""
    chosen: bool


class Weighed(Value):
    """An action that was possible in a position."""

    title: str
    bars: tuple[Bar, ...]
    cost: int
    """How many per cent of the chance to win were lost."""


class TurningPoint(Value):
    """A moment that decided much."""

    number: int
    at: int
    """The position in which it was decided."""
    mark: int
    said: str
    effect: str


class Chance(Value):
    """A seat's chance to win in a position, for the legend."""

    seat: int
    name: str
    chance: int


class ChanceRow(Value):
    """A position in the table of chances."""

    at: int
    chances: tuple[int, ...]


class Share(Value):
    """What mistakes cost a seat a choice, and what nature gave it in all, in per cent."""

    name: str
    lost: str
    luck: str


class Evaluation(Value):
    """All of it that belongs to one position and one pair of eyes."""

    curve: str
    legend: tuple[Chance, ...]
    rows: tuple[ChanceRow, ...]
    moments: tuple[TurningPoint, ...]
    here: TurningPoint | None
    """The turning point of this position."""
    following: int | None
    """Where the next turning point is."""
    shares: tuple[Share, ...]
    weighed: Weighed | None
    by_thumb: bool
    """Whether it was weighed by rules of thumb, since no search plays such a game."""


def evaluate(found: Analysis, replay: Replay, shown: Frame, language: Language) -> Evaluation:
    """What is said of the game in this position, to these eyes."""
    weighed = _weighed(found, replay, shown, language)
    by_thumb = found.by == "greedy"
    if shown.viewpoint != ALL:
        return Evaluation("", (), (), (), None, None, (), weighed, by_thumb)
    in_order = sorted(found.moments, key=lambda moment: moment.at)
    moments = tuple(
        _moment(number, each, found, replay, shown, language)
        for number, each in enumerate(in_order, start=1)
    )
    return Evaluation(
        curve=curve_drawing(found, shown.at, shown.names, moments, language),
        legend=_legend(found, shown),
        rows=_rows(found),
        moments=moments,
        here=next((each for each in moments if each.at == shown.at), None),
        following=next((each.at for each in moments if each.at > shown.at), None),
        shares=_shares(found, shown),
        weighed=weighed,
        by_thumb=by_thumb,
    )


def _legend(found: Analysis, shown: Frame) -> tuple[Chance, ...]:
    chances = found.positions[min(shown.at, len(found.positions) - 1)].chances
    return tuple(
        Chance(seat, capital(name), round(100 * chance))
        for seat, (name, chance) in enumerate(zip(shown.names, chances, strict=True))
    )


def _rows(found: Analysis) -> tuple[ChanceRow, ...]:
    last = len(found.positions) - 1
    places = [*range(0, last, max(1, last // ROWS)), last]
    return tuple(
        ChanceRow(at, tuple(round(100 * chance) for chance in found.positions[at].chances))
        for at in places
    )


def _shares(found: Analysis, shown: Frame) -> tuple[Share, ...]:
    rows = enumerate(zip(shown.names, found.lost, found.luck, strict=True))
    chosen = Counter(each.seat for each in found.positions if each.choices)
    return tuple(
        Share(
            capital(name),
            f"{100 * lost / max(1, chosen[Seat(seat)]):.1f}",
            f"{round(100 * luck):+}".replace("-", MINUS),
        )
        for seat, (name, lost, luck) in rows
    )


def _weighed(found: Analysis, replay: Replay, shown: Frame, language: Language) -> Weighed | None:
    """The choices of who is asked; where several are, of whose answer comes next in the record."""
    if not shown.chosen or shown.chosen[0].seat == NATURE:
        return None
    answer = min(shown.chosen, key=lambda each: each.at)
    position = found.positions[answer.at]
    if not position.choices:
        return None
    who = shown.names[answer.seat]
    return Weighed(
        title=language("What {name} could do", name=who),
        bars=tuple(
            Bar(
                capital(replay.game.say(replay.game.parse(each.word), language)),
                round(100 * each.value),
                each.word == answer.word,
            )
            for each in position.choices
        ),
        cost=round(100 * position.cost),
    )


def _moment(  # noqa: PLR0913, PLR0917 - all that a turning point depends on
    number: int, each: Moment, found: Analysis, replay: Replay, shown: Frame, language: Language
) -> TurningPoint:
    move = replay.moves[each.at]
    words = replay.game.say(replay.game.parse(move.word), language)
    names = [capital(name) for name in shown.names]
    if move.seat == NATURE:
        said = language("Luck: {move}", move=words)
    else:
        said = language("{who}: {move}", who=names[move.seat], move=words)
    return TurningPoint(
        number=number,
        at=each.at,
        mark=0 if move.seat == NATURE else move.seat + 1,
        said=said,
        effect=_effect(each, found, replay, names[each.seat], language),
    )


def _effect(each: Moment, found: Analysis, replay: Replay, who: str, language: Language) -> str:
    """What came of it. While others still choose, a chance changes only when all have."""
    if each.kind == "mistake":
        better = replay.game.say(replay.game.parse(each.better), language)
        lost = round(100 * abs(each.swing))
        return language("{number} % lost; better: {move}", number=lost, move=better)
    before = found.positions[each.at].chances[each.seat]
    return language(
        "{who}'s chances: {before} % → {after} %",
        who=who,
        before=round(100 * before),
        after=round(100 * min(max(before + each.swing, 0), 1)),
    )


# --- The curve: everybody's chance to win on the axis of moves, with flags -------------------


TOP: Final = 26
"""Where the chance is 100 %, below the flags."""
LOW: Final = 126
"""Where the chance is 0."""
HIGH: Final = 134
_MARK: Final = 16
_MOST: Final = 160
"""The most links in the picture; in a longer game each is a few moves wide."""


def curve_drawing(
    found: Analysis,
    at: int,
    names: Sequence[str],
    points: Sequence[TurningPoint],
    language: Language,
) -> str:
    """The picture, with the present position; each part of it leads to its own."""
    last = max(len(found.positions) - 1, 1)
    seats = range(len(names))
    now = found.positions[min(at, len(found.positions) - 1)]
    here = _across(at, last)
    lines = [
        node(
            "polyline",
            points=" ".join(
                f"{each.at},{100 - 100 * each.chances[seat]:.1f}" for each in found.positions
            ),
            class_=f"line s{seat}",
            vector_effect="non-scaling-stroke",
        )
        for seat in seats
    ]
    picture = node(
        "svg",
        *_grid(),
        node(
            "svg",
            *lines,
            y=TOP,
            width="100%",
            height=LOW - TOP,
            viewBox=f"0 0 {last} 100",
            preserveAspectRatio="none",
            overflow="visible",
        ),
        *_ends(found, len(names)),
        *_places(found, last, names, language),
        *(_flag(point, at, last, language) for point in points),
        node("line", x1=here, x2=here, y1=TOP - 4, y2=HIGH, class_="now"),
        *(
            node("circle", cx=here, cy=f"{_down(now.chances[seat]):.1f}", r=4, class_=f"s{seat}")
            for seat in seats
        ),
        class_="curve wide",
        width="100%",
        height=HIGH,
        role="group",
        aria_label=language("Chances to win"),
    )
    return html(picture)


def _across(at: int, last: int) -> str:
    return f"{100 * at / last:.2f}%"


def _down(chance: float) -> float:
    return LOW - (LOW - TOP) * chance


def _grid() -> list[Node]:
    nodes: list[Node] = []
    for part, words in ((1.0, "100 %"), (0.5, "50"), (0.0, "0")):
        y = _down(part)
        nodes += [
            node("line", x1=0, x2="100%", y1=y, y2=y, class_="grid"),
            node("text", words, x=-8, y=y + 4, class_="ax"),
        ]
    return nodes


def _ends(found: Analysis, seats: int) -> list[Node]:
    """The mason's marks where the lines end, none upon another."""
    final = found.positions[-1].chances
    order = sorted(range(seats), key=lambda seat: -final[seat])
    heights = without_overlap([_down(final[seat]) for seat in order], _MARK, LOW)
    marks = [
        use(f"mark-{seat + 1}", 6, y - _MARK / 2, _MARK, _MARK, class_=f"mark s{seat}")
        for seat, y in zip(order, heights, strict=True)
    ]
    return [node("svg", *marks, x="100%", overflow="visible", width=1, height=1)]


def _places(found: Analysis, last: int, names: Sequence[str], language: Language) -> list[Node]:
    """What can be pressed: a strip for each position, or for a few of them."""
    step = -(-(last + 1) // _MOST)
    return [
        node(
            "a",
            node("title", chances_said(found, at, names, language)),
            node(
                "rect",
                x=f"{100 * (at - step / 2) / last:.2f}%",
                y=TOP,
                width=f"{100 * step / last:.2f}%",
                height=LOW - TOP,
            ),
            href=f"?at={at}&seat=all",
            tabindex=-1,
            data_way="",
        )
        for at in range(0, last + 1, step)
    ]


def _flag(flag: TurningPoint, at: int, last: int, language: Language) -> Node:
    title = language("Turning point {number}", number=flag.number)
    words = f"{title}. {flag.said}. {flag.effect}"
    cloth = node(
        "svg",
        node("rect", x=-10, y=0, width=44, height=24, class_="hit"),
        node("path", d=f"M0 1V{LOW}", class_="pole"),
        node("path", d="M0 1H24L19 9.5L24 18H0Z", class_="cloth"),
        node("text", str(flag.number), x=10, y=14, class_="number"),
        x=_across(flag.at, last),
        overflow="visible",
        width=1,
        height=1,
    )
    return node(
        "a",
        node("title", words),
        cloth,
        class_="flag on" if flag.at == at else "flag",
        href=f"?at={flag.at}&seat=all",
        id=f"flag-{flag.number}",
        aria_label=words,
        data_way="",
    )


def chances_said(found: Analysis, at: int, names: Sequence[str], language: Language) -> str:
    """The chances in a position: `Move 12: Ada 54 %, Bo 46 %`."""
    chances = found.positions[at].chances
    parts = [
        f"{capital(name)} {round(100 * chance)} %"
        for name, chance in zip(names, chances, strict=True)
    ]
    return language("Move {number}: {chances}", number=at, chances=", ".join(parts))
