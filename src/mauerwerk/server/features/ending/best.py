"""How a game went for its seats, turn by turn, and the moment that was best for one of them."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from mauerwerk.core.game import NATURE, Seat
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital, sentence
from mauerwerk.lab.analysis.results import Analysis
from mauerwerk.server.features.ending.values import Best
from mauerwerk.server.features.replay.replay import Replay
from mauerwerk.server.games.room import WebGame
from mauerwerk.server.ui.history import history_line

_MOST_TOLD: Final = 3
"""The most sentences about the best moment."""

LONGEST: Final = 1_500
"""The most moves of a game whose points are worked out turn by turn, which takes their square."""


class Told(NamedTuple):
    """A finished game, and in which words it is told to whom."""

    replay: Replay
    room: WebGame
    names: Sequence[str]
    language: Language
    hero: Seat
    """The seat that is followed: the reader's own, or for a spectator the winner's."""


def stops(replay: Replay) -> tuple[int, ...]:
    """The positions at which a turn ends, and the first."""
    found = [0]
    while found[-1] < replay.last:
        found.append(replay.turn_after(found[-1]))
    return tuple(found)


def points_by_turn(told: Told) -> tuple[tuple[int, ...], ...]:
    """Everybody's points at each stop; nothing for a game that does not say where they come from.

    Nor for a very long one: everybody else at this server would wait meanwhile.

    The sources of the events up to a turn are the points that the seats had then.
    """
    if told.room.sources is None or told.replay.last > LONGEST:
        return ()
    return tuple(_points(told, stop) for stop in stops(told.replay))


def _points(told: Told, at: int) -> tuple[int, ...]:
    assert told.room.sources is not None
    seats = told.replay.seats
    found = told.room.sources(events_until(told.replay, at), seats, told.language)
    return tuple(sum(source.points[seat] for source in found) for seat in range(seats))


def events_until(replay: Replay, at: int) -> list[Any]:
    """All that happened before a position."""
    return [event for step in replay.steps[:at] for event in step.events]


# --- By chances ------------------------------------------------------------------------------


def best_by_chances(told: Told, found: Analysis) -> Best | None:
    """The turn in which the hero's chance rose most, and the move of it that did most."""
    ends = stops(told.replay)
    chances = [position.chances[told.hero] for position in found.positions]
    chances[-1:] = chances[-2:-1]  # that the winner has won in the end is no moment
    rises = [chances[after] - chances[before] for before, after in pairwise(ends)]
    turn = max(range(len(rises)), key=rises.__getitem__, default=None)
    if turn is None or rises[turn] <= 0:
        return None
    before, after = ends[turn], ends[turn + 1]
    move = max(range(before, after), key=lambda at: chances[at + 1] - chances[at])
    effect = told.language(
        "{name}'s chances rose from {before} % to {after} %",
        name=told.names[told.hero],
        before=round(100 * chances[before]),
        after=round(100 * chances[after]),
    )
    return Best(
        turn=turn + 1,
        at=move + 1,
        stop=turn + 1,
        told=_words(told, range(before, move + 1)),
        effect=sentence(effect),
    )


# --- By points -------------------------------------------------------------------------------


def best_by_points(told: Told, rows: Sequence[Sequence[int]], *, low: bool) -> Best | None:
    """The turn in which the hero gained most on the others; `low` where few points are good."""
    ends, hero = stops(told.replay), told.hero
    gains = [_gain(before, after, hero) * (-1 if low else 1) for before, after in pairwise(rows)]
    turn = max(range(len(gains)), key=gains.__getitem__, default=None)
    if turn is None or gains[turn] <= 0:
        return None
    # Where one turn is worth as much as another, it counts when the lead was taken for good.
    taken = None if gains[turn] > 1 else takes_lead(rows, hero, low=low)
    turn = turn if taken is None else taken
    before, after = ends[turn], ends[turn + 1]
    totals = [_points(told, at) for at in range(before, after + 1)]
    moves = [
        before + place
        for place, (old, new) in enumerate(pairwise(totals))
        if old[hero] != new[hero] or (old != new and (low or _by_hero(told, before + place)))
    ]
    gained = rows[turn + 1][hero] - rows[turn][hero]
    effect = told.language.many(
        gained, "That was {number} point in one turn.", "That was {number} points in one turn."
    )
    if taken is not None:
        effect = sentence(
            told.language("{name} kept the lead from then on", name=told.names[hero]),
        )
    elif gained <= 1 or len(moves) <= 1 or low:
        effect = ""
    return Best(
        turn=turn + 1,
        at=(moves[-1] if moves else after - 1) + 1,
        stop=turn + 1,
        told=_words(told, moves),
        effect=effect,
    )


def takes_lead(rows: Sequence[Sequence[int]], hero: Seat, *, low: bool) -> int | None:
    """The turn after which the hero was ahead of all others until the end; None if it was never."""
    sign = -1 if low else 1
    ahead = [
        all(sign * own > sign * other for seat, other in enumerate(row) if seat != hero)
        for row, own in ((row, row[hero]) for row in rows)
    ]
    if not ahead[-1]:
        return None
    return max((place for place, leads in enumerate(ahead) if not leads), default=None)


def _by_hero(told: Told, at: int) -> bool:
    """Whether the hero made this move, such as a shot that cost another points."""
    return told.replay.moves[at].seat == told.hero


def _gain(before: Sequence[int], after: Sequence[int], hero: Seat) -> float:
    """By how much the hero gained more than the others did on average."""
    changes = [new - old for old, new in zip(before, after, strict=True)]
    others = sum(changes) - changes[hero]
    return changes[hero] - others / max(len(changes) - 1, 1)


def _words(told: Told, moves: Sequence[int]) -> str:
    """What these moves were, in sentences; of many the last."""
    sentences: list[str] = []
    replay = told.replay
    for at in moves:
        line = history_line(
            replay.game, replay.steps[at].events, told.names, told.language, number=at, mark=0
        )
        if line:
            sentences += line.sentences
        elif (seat := replay.moves[at].seat) != NATURE:
            words = replay.game.say(replay.game.parse(replay.moves[at].word), told.language)
            chose = told.language("{name} chose: {move}", name=told.names[seat], move=words)
            sentences.append(sentence(capital(chose)))
    return " ".join(sentences[-_MOST_TOLD:])
