"""Rules of thumb for Mauerbauer: what every card scores now, and what it may score later.

All players score every city, so that a wall is worth what one's own cards gain by it less what the
others' cards may gain; see `walls`.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Final, assert_never

from mauerwerk.bots.evaluation import Choice, Evaluation, Reason, because
from mauerwerk.bots.mauerbauer.census import (
    CITY_HOUSE,
    CITY_TOWER,
    LAND_HOUSE,
    LAND_REGION,
    LAND_TOWER,
    Census,
)
from mauerwerk.bots.mauerbauer.reasons import (
    BEST_TWO,
    DISCARD,
    DISCARD_FOR,
    EARLY,
    HELPS_LEAST,
    IN_THE_END,
    KEEP,
    PLAY,
    SPARES,
    SPENT,
    SUITS,
    SWAP,
    SWAP_FOR,
    TIE,
    WITHOUT,
    title,
)
from mauerwerk.bots.mauerbauer.walls import GROWTH, Walls
from mauerwerk.core.game import Seat
from mauerwerk.core.sight import Sight
from mauerwerk.games.mauerbauer.board import Field, Line, Point
from mauerwerk.games.mauerbauer.cities import city_named, enclosed, join
from mauerwerk.games.mauerbauer.events import Event, Task, View
from mauerwerk.games.mauerbauer.guild import KINDS, Card
from mauerwerk.games.mauerbauer.knowledge import known_table
from mauerwerk.games.mauerbauer.scoring import value
from mauerwerk.games.mauerbauer.values import (
    FULL_SUPPLY,
    Action,
    Appoint,
    Build,
    Choose,
    Colour,
    Deal,
    Discard,
    Done,
    Join,
    Options,
    PlaceHouse,
    PlaceTower,
    Play,
    Roll,
    RollEarly,
    Supply,
    Swap,
    Tower,
)

KEPT: Final = 0.5
"""What a card in the hand is worth in the end, as it decides between equals (MB-73)."""

LATER: Final = 1.0
"""What a point of a card in the hand counts for, against one scored now, early in the game."""

NEW_CARD: Final = 4.5
"""What a card from the pile scores some day."""

SWING: Final = 12.0

TYPICAL: Final[Mapping[Card, float]] = {
    Card.CITY_1: 3.0,
    Card.CITY_2: 2.5,
    Card.CITY_3: 2.0,
    Card.CITY_7: 1.5,
    Card.CITY_COLOURS: 4.0,
    Card.CITY_WHITE: 3.5,
    Card.CITY_GREY: 3.5,
    Card.CITY_BLACK: 3.5,
    Card.CITY_PALACES: 1.0,
    Card.CITY_YELLOW: 1.5,
    Card.CITY_GREEN: 1.5,
    Card.CITY_BLUE: 1.5,
    Card.CITY_PINK: 1.5,
    Card.CITY_RED: 1.5,
    Card.CITY_TOWERS: 4.5,
}
"""What city cards score in the next city that suits them."""


def consider(
    sight: Sight[Action, Event, View], options: Options, _remembered: Callable[[], object], /
) -> Evaluation:
    """The worth of every legal action, by the cards in the hand and those that are unseen."""
    view, seat = sight.view, sight.seat
    joins = [action.city for action in sight.legal if isinstance(action, Join)]
    decision = _Decision(view, seat, options, joins)
    choices = [decision.choice(action) for action in sight.legal]
    lead = view.points[seat] - max(p for each, p in enumerate(view.points) if each != seat)
    return Evaluation(choices, lead=lead, swing=SWING * (0.3 + decision.time_left))


def time_left(supply: Supply) -> float:
    """How much of the game is left, from 1 to 0, by the kind that runs out first (MB-70)."""
    parts = (
        supply.walls / FULL_SUPPLY.walls,
        sum(supply.towers) / sum(FULL_SUPPLY.towers),
        sum(supply.houses) / sum(FULL_SUPPLY.houses),
        sum(supply.palaces) / sum(FULL_SUPPLY.palaces),
    )
    return min(parts)


class _Decision:
    """One decision, with what has been counted for it."""

    def __init__(
        self, view: View, seat: Seat, options: Options, joins: Sequence[Field | None]
    ) -> None:
        self.view, self.seat, self.options = view, seat, options
        self._neighbours = joins
        self.own = view.hands[seat] or ()
        self.census = Census(view, self.own)
        self.time_left = 0.0 if view.ending else time_left(view.supply)
        self.country = self.census.country()
        self.patience = LATER * min(2 * self.time_left, 1.0)
        self._closing = self._closed_by_the_wall() if view.line else None

    @cached_property
    def _lines(self) -> Mapping[Line, Choice]:
        """Every free line, evaluated once for all."""
        return Walls(self.view, self.own, self.census).choices()

    def choice(self, action: Action) -> Choice:
        """What an action is worth, and why."""
        match action:
            case Build(line=line):
                return self._lines[line]
            case RollEarly():
                return Choice(action, -50.0, because(EARLY))
            case PlaceTower(point=point, tower=tower):
                return self._tower(action, point, tower)
            case PlaceHouse(field=field, colour=colour):
                return self._house(action, field, colour)
            case Join(city=city):
                return self._join(action, city)
            case Play(card=card):
                return self._play(action, card)
            case Discard() if self.view.ending:
                return Choice(action, -KEPT, because(IN_THE_END))
            case Discard(card=card):
                return self._traded(action, card, DISCARD, DISCARD_FOR)
            case Swap(card=card):
                return self._traded(action, card, SWAP, SWAP_FOR)
            case Done():
                return Choice(action, 0.0, because(TIE if self.view.ending else KEEP))
            case Choose(city=city):
                return self._choose(action, city)
            case Appoint() | Deal() | Roll():
                raise AssertionError(action)
            case _:
                assert_never(action)

    # --- Cards -------------------------------------------------------------------------------

    def later(self, card: Card) -> float:
        """What a card in the hand is worth, as long as there is time to play it."""
        typical = TYPICAL.get(card)
        worth = self.country[card] if typical is None else typical
        if card is Card.CITIES:
            worth += 1
        return self.patience * worth

    def _traded(self, action: Action, card: Card, forms: tuple[str, str], plain: str) -> Choice:
        """A card for new ones; that it is worth little is said only where it is so."""
        new, old = NEW_CARD * self.patience, self.later(card)
        reason = (
            because(forms, card=title(card), number=round(old))
            if 0 < round(old) < new
            else because(plain, card=title(card))
        )
        return Choice(action, new - old, reason)

    def _net(self, card: Card, scores: int) -> float:
        """What it is worth to play a card now and not later."""
        if self.view.ending:
            return scores - KEPT
        return scores - self.later(card)

    def _play(self, action: Play, card: Card) -> Choice:
        """The card's points, and those of another that may follow (MB-43)."""
        scores = self.view.worth[self.own.index(card)]
        worth = self._net(card, scores)
        if self.view.task is Task.SCORE:
            rest = list(zip(self.own, self.view.worth, strict=True))
            rest.remove((card, scores))
            worth += max([0.0, *(self._net(other, more) for other, more in rest)])
        reason = (
            because(PLAY, card=title(card), number=scores)
            if scores
            else because(SPENT, card=title(card))
        )
        return Choice(action, worth, reason, scores)

    def _choose(self, action: Choose, city: Field | None) -> Choice:
        table = known_table(self.view, self.options)
        chosen = None if city is None else city_named(table, city)
        scores = sorted((value(card, table, chosen) for card in self.own), reverse=True)
        best = sum(scores[:2])
        reason = because(WITHOUT if city is None else BEST_TWO, number=best)
        return Choice(action, best, reason if best else because(TIE), best)

    # --- Towers and houses -------------------------------------------------------------------

    def _closed_by_the_wall(self) -> tuple[Field, ...] | None:
        board, walls = self.census.board, set(self.view.walls)
        assert self.view.line is not None
        for field in board.sides[self.view.line]:
            if fields := enclosed(board, walls, field):
                return fields
        return None

    def _tower(self, action: PlaceTower, point: Point, tower: Tower) -> Choice:
        census = self.census
        worth = 0.0
        if self._closing:
            worth = census.swing(census.closed(self._closing, towers=((point, tower),)))
        elif point not in census.city_points:
            worth = 2 * GROWTH * census.interest(LAND_TOWER[tower])
        worth += GROWTH * census.interest(CITY_TOWER[tower])
        # Around a city a tower counts for cards of the city alone.
        cards = (CITY_TOWER[tower],) if self._closing else (LAND_TOWER[tower], CITY_TOWER[tower])
        return Choice(action, worth, self._about(*cards))

    def _house(self, action: PlaceHouse, field: Field, colour: Colour) -> Choice:
        census = self.census
        cards = (CITY_HOUSE[colour], LAND_HOUSE[colour])
        if self._closing and field in self._closing:
            worth = census.swing(census.closed(self._closing, houses=((field, colour),)))
            return Choice(action, worth, self._about(CITY_HOUSE[colour]))
        region = LAND_REGION[census.board.regions[field]]
        worth = GROWTH * (census.interest(LAND_HOUSE[colour]) + census.interest(region))
        twins = colour in census.houses.get(field, ())
        worth += GROWTH * census.interest(CITY_HOUSE[colour]) * (1 if twins else 0.5)
        return Choice(action, worth, self._about(*cards, region))

    def _about(self, *cards: Card) -> Reason:
        for card in cards:
            if card in self.own:
                return because(SUITS, card=title(card))
        return because(HELPS_LEAST)

    # --- Joining -----------------------------------------------------------------------------

    def _join(self, action: Join, other: Field | None) -> Choice:
        """Both ways scored by the rules themselves (MB-40)."""
        worths = self._joined(other)
        mine = self.census.mine(worths)
        most = max(self.census.mine(self._joined(each)) for each in self._neighbours)
        best = round(mine) and mine >= most
        reason = because(BEST_TWO, number=round(mine)) if best else because(SPARES)
        return Choice(action, self.census.swing(worths), reason, mine)

    def _joined(self, other: Field | None) -> Mapping[Card, float]:
        """What each kind of card would score in the city, joined with another or not."""
        table, name = known_table(self.view, self.options), self.view.city
        assert name is not None
        if other is not None:
            table, _ = join(table, name, other)
            name = min(name, other, key=self.census.board.place.__getitem__)
        city = city_named(table, name)
        return {card: float(value(card, table, city)) for card in KINDS}
