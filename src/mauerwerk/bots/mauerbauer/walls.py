"""The worth of a wall at Mauerbauer: the city that it closes, or what it leaves to the next."""

from collections.abc import Mapping, Sequence
from typing import Final

from mauerwerk.bots.evaluation import Choice, Reason, because
from mauerwerk.bots.mauerbauer.census import LAND_REGION, Census, Worths
from mauerwerk.bots.mauerbauer.reasons import (
    CLOSES,
    CLOSES_EARLY,
    GROWS,
    LEAST,
    PREPARES,
    QUIET,
    title,
)
from mauerwerk.core.language.translation import message
from mauerwerk.games.mauerbauer.board import Line, Point
from mauerwerk.games.mauerbauer.cities import enclosed
from mauerwerk.games.mauerbauer.events import View
from mauerwerk.games.mauerbauer.guild import Card, Hand
from mauerwerk.games.mauerbauer.values import Build

GROWTH: Final = 0.35
"""What a point counts for by which a card grows before anything is scored."""

SETUP: Final = 0.3
THREAT: Final = 0.5
"""How likely oneself, or another, closes the city for which only one more wall is missing."""


class Walls:
    """The walls that could be built next."""

    def __init__(self, view: View, own: Hand, census: Census) -> None:
        """On this board, for a player with this hand."""
        self._view, self._own, self._census = view, own, census

    def choices(self) -> Mapping[Line, Choice]:
        """Every free line."""
        board, walls = self._census.board, set(self._view.walls)
        closed = {field for city in self._view.cities for field in city.fields}
        free = [
            line for line in board.lines if line not in walls and board.sides[line][0] not in closed
        ]
        parts = _connected(board.ends, self._view.walls)
        between: dict[frozenset[int | Point], list[Line]] = {}
        for line in free:
            between.setdefault(self._joined(parts, line), []).append(line)
        closing = (
            {line: city for line in free if (city := self._city_by(line, walls)) is not None}
            if any(len(ends) == 1 for ends in between)
            else {}
        )
        waiting = SETUP * min([0.0, *(swing for _, swing in closing.values())])
        choices: dict[Line, Choice] = {}
        for line in free:
            if line in closing:
                choices[line] = self._closes(line, *closing[line])
            else:
                beside = between[self._joined(parts, line)]
                choices[line] = self._leaves_open(line, beside, walls, waiting)
        return choices

    def _joined(self, parts: Mapping[Point, int], line: Line) -> frozenset[int | Point]:
        """The parts of the wall that a line would join; one if it closes something."""
        one, other = self._census.board.ends[line]
        return frozenset((parts.get(one, one), parts.get(other, other)))

    def _city_by(self, line: Line, walls: set[Line]) -> tuple[Worths, float] | None:
        """What cards would score for the city that a wall here closes, and the swing of that."""
        board, walled = self._census.board, walls | {line}
        for field in board.sides[line]:
            if fields := enclosed(board, walled, field):
                return self._census.city(fields)
        return None

    def _closes(self, line: Line, worths: Worths, swing: float) -> Choice:
        mine = self._census.mine(worths)
        best = max(self._own, key=worths.__getitem__, default=None)
        if best is None:
            return Choice(Build(line), swing, because(message("It closes a city.")))
        if not round(mine):
            return Choice(Build(line), swing, because(CLOSES_EARLY), mine)
        reason = because(CLOSES, number=round(mine), card=title(best))
        return Choice(Build(line), swing, reason, mine)

    def _leaves_open(
        self, line: Line, beside: Sequence[Line], walls: set[Line], waiting: float
    ) -> Choice:
        """No city yet: what it adds to the country, and what the next may close (MB-11)."""
        worth = waiting + self._growth(line)
        walled = walls | {line}
        offered = [
            city[1]
            for other in beside
            if other != line and (city := self._city_by(other, walled)) is not None
        ]
        if not offered:
            return Choice(Build(line), worth, self._gains(line) or because(QUIET))
        good, bad = max(offered), min(offered)
        worth += SETUP * max(good, 0.0) + THREAT * min(bad, 0.0)
        if good > -bad:
            return Choice(Build(line), worth, because(PREPARES))
        return Choice(Build(line), worth, self._gains(line) or because(LEAST))

    def _gains(self, line: Line) -> Reason | None:
        """That one of one's own cards is worth more with this wall, if one is."""
        board, census = self._census.board, self._census
        free = [
            point
            for point in board.ends[line]
            if point not in census.towers and point not in census.city_points
        ]
        cards = [
            *([Card.LAND_WATER] if any(point in board.shore for point in free) else []),
            *(LAND_REGION[board.regions[field]] for field in board.sides[line]),
            *([Card.LAND_TOWERS] if free else []),
            Card.LAND_WALLS,
        ]
        best = next((card for card in cards if card in self._own), None)
        return None if best is None else because(GROWS, card=title(best))

    def _growth(self, line: Line) -> float:
        """What a wall with its towers and houses adds to the cards one cares for."""
        board, census = self._census.board, self._census
        worth = census.interest(Card.LAND_WALLS)
        for point in board.ends[line]:
            if point not in census.towers and point not in census.city_points:
                worth += census.interest(Card.LAND_TOWERS)
                worth += 2 * census.interest(Card.LAND_WATER) * (point in board.shore)
        for field in board.sides[line]:
            worth += census.interest(LAND_REGION[board.regions[field]])
        return GROWTH * worth


def _connected(
    ends: Mapping[Line, tuple[Point, Point]], walls: Sequence[Line]
) -> Mapping[Point, int]:
    """The points that walls touch, and which part of the wall each belongs to."""
    parts: dict[Point, int] = {}
    for number, line in enumerate(walls):
        old = {parts[end] for end in ends[line] if end in parts}
        for point, part in parts.items():
            if part in old:
                parts[point] = number
        for end in ends[line]:
            parts[end] = number
    return parts
