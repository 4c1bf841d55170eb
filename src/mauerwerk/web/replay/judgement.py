"""What a bot thinks of a game, for the page: the curve, the moments, and each choice weighed.

A seat is shown what its own choices were worth by what it knew then. The curve and the moments are
an observer's who sees all, so they are there only where every hand is open.
"""

from collections import Counter
from typing import Final

from mauerwerk.core.game import NATURE, Seat, Value
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital
from mauerwerk.lab.analysis.values import Analysis, Judged, Moment
from mauerwerk.web.replay.curve import curve
from mauerwerk.web.replay.frame import ALL, Frame
from mauerwerk.web.replay.replays import Replay

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
    """How many per cent of the chance to win were given away."""


class MomentRow(Value):
    """A moment that decided much."""

    at: int
    """Where one sees what came of it."""

    mark: int
    said: str
    effect: str


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
    rows: tuple[ChanceRow, ...]
    moments: tuple[MomentRow, ...]
    shares: tuple[Share, ...]
    weighed: Weighed | None
    by_thumb: bool
    """Whether it was weighed by rules of thumb, since no search plays such a game."""


def judged(found: Analysis, replay: Replay, shown: Frame, language: Language) -> Judgement:
    """What is said of the game in this position, to these eyes."""
    is_open = shown.viewpoint == ALL
    return Judgement(
        curve=curve(found, shown.at, shown.names, language) if is_open else "",
        rows=_rows(found) if is_open else (),
        moments=tuple(_moment(each, found, replay, shown, language) for each in found.moments)
        if is_open
        else (),
        shares=_shares(found, shown) if is_open else (),
        weighed=_weighed(found, replay, shown, language),
        by_thumb=found.by == "greedy",
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


def _moment(
    each: Moment, found: Analysis, replay: Replay, shown: Frame, language: Language
) -> MomentRow:
    move = replay.moves[each.at]
    words = replay.game.say(replay.game.parse(move.word), language)
    names = [capital(name) for name in shown.names]
    if move.seat == NATURE:
        said = language("By chance: {move}", move=words)
    else:
        said = language("{who}: {move}", who=names[move.seat], move=words)
    return MomentRow(
        at=each.at + 1,
        mark=0 if move.seat == NATURE else move.seat + 1,
        said=said,
        effect=_effect(each, found, replay, names[each.seat], language),
    )


def _effect(each: Moment, found: Analysis, replay: Replay, who: str, language: Language) -> str:
    """What came of it. While others still choose, a chance changes only when all have."""
    if each.kind == "mistake":
        better = replay.game.say(replay.game.parse(each.better), language)
        lost = round(100 * abs(each.swing))
        effect = language("{number} % given away; better: {move}", number=lost, move=better)
    else:
        before = found.positions[each.at].chances[each.seat]
        effect = language(
            "The chance of {who}: from {before} % to {after} %",
            who=who,
            before=round(100 * before),
            after=round(100 * min(max(before + each.swing, 0), 1)),
        )
    return effect.replace(" %", "\N{NO-BREAK SPACE}%")
