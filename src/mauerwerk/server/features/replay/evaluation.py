"""What a bot thinks of a game, for the page: the curve, the moments, and each choice weighed.

A seat is shown what its own choices were worth by what it knew then. The curve and the moments are
an observer's who sees all, so they are there only where every hand is open.
"""

from collections import Counter
from typing import Final

from mauerwerk.core.game import NATURE, Seat, Value
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital
from mauerwerk.lab.analysis.results import Analysis, Judged, Moment
from mauerwerk.server.features.replay.curve import Flag, drawing
from mauerwerk.server.features.replay.frame import ALL, Frame
from mauerwerk.server.features.replay.replays import Replay

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


class Judgement(Value):
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


def judged(found: Analysis, replay: Replay, shown: Frame, language: Language) -> Judgement:
    """What is said of the game in this position, to these eyes."""
    weighed = _weighed(found, replay, shown, language)
    by_thumb = found.by == "greedy"
    if shown.viewpoint != ALL:
        return Judgement("", (), (), (), None, None, (), weighed, by_thumb)
    in_order = sorted(found.moments, key=lambda moment: moment.at)
    moments = tuple(
        _moment(number, each, found, replay, shown, language)
        for number, each in enumerate(in_order, start=1)
    )
    flags = [Flag(each.number, each.at, _flagged(each, language)) for each in moments]
    return Judgement(
        curve=drawing(found, shown.at, shown.names, flags, language),
        legend=_legend(found, shown),
        rows=_rows(found),
        moments=moments,
        here=next((each for each in moments if each.at == shown.at), None),
        following=next((each.at for each in moments if each.at > shown.at), None),
        shares=_shares(found, shown),
        weighed=weighed,
        by_thumb=by_thumb,
    )


def _flagged(point: TurningPoint, language: Language) -> str:
    """A turning point as the words of its flag."""
    title = language("Turning point {number}", number=point.number)
    return f"{title}. {point.said}. {point.effect}"


def _legend(found: Analysis, shown: Frame) -> tuple[Chance, ...]:
    chances = found.positions[min(shown.at, len(found.positions) - 1)].chances
    return tuple(
        Chance(seat, capital(name), round(100 * chance))
        for seat, (name, chance) in enumerate(zip(shown.names, chances, strict=True))
    )


def _rows(found: Analysis) -> tuple[ChanceRow, ...]:
    """A few positions on the way, and the last."""
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
        bars=tuple(_bar(each, answer.word, replay, language) for each in position.choices),
        cost=round(100 * position.cost),
    )


def _bar(each: Judged, chosen: str, replay: Replay, language: Language) -> Bar:
    words = capital(replay.game.say(replay.game.parse(each.word), language))
    return Bar(words, round(100 * each.value), each.word == chosen)


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
