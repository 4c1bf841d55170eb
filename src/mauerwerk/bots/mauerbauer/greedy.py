"""Rules of thumb for Mauerbauer: what every card scores now, and what it may score later.

All players score every city, so that a wall is worth what one's own cards gain by it less what the
others' cards may gain. A reason is one for the choice that it is given with: a player who asks what
to do is not told what speaks against it.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Final

from mauerwerk.bots.evaluation import Choice, Evaluation, Reason, because
from mauerwerk.bots.mauerbauer.census import Census, Values
from mauerwerk.core.game import Seat, Sight
from mauerwerk.core.language import message, messages
from mauerwerk.games.mauerbauer import cities, scoring, values, views
from mauerwerk.games.mauerbauer.board import Field, Line, Point
from mauerwerk.games.mauerbauer.events import Event, Task, View
from mauerwerk.games.mauerbauer.guild import KINDS, Card, Hand
from mauerwerk.games.mauerbauer.scoring import CITY, LAND

# --- Reasons: cards --------------------------------------------------------------------------

DISCARD: Final = messages(
    "“{card}” is worth only about {number} point to you, and you draw two cards for it.",
    "“{card}” is worth only about {number} points to you, and you draw two cards for it.",
)
DISCARD_FOR: Final = message("You draw two cards for “{card}”.")
IN_THE_END: Final = message("Your other cards are worth more in the last scoring.")
KEEP: Final = message("The cards you keep may score more later.")
TIE: Final = message("If points are equal, more cards in hand decide the order.")
SWAP: Final = messages(
    "“{card}” is worth only about {number} point to you, and you draw another card for it.",
    "“{card}” is worth only about {number} points to you, and you draw another card for it.",
)
SWAP_FOR: Final = message("You draw another card for “{card}”.")
SPENT: Final = message("“{card}” will hardly score more later.")
PLAY: Final = messages(
    "“{card}” scores {number} point now.",
    "“{card}” scores {number} points now.",
)
BEST_TWO: Final = messages(
    "Your best cards score {number} point there.",
    "Your best cards score {number} points there.",
)
WITHOUT: Final = messages(
    "Your best cards score {number} point without a city.",
    "Your best cards score {number} points without a city.",
)

# --- Reasons: walls --------------------------------------------------------------------------

CLOSES: Final = messages(
    "It closes a city in which your cards score about {number} point; the best is “{card}”.",
    "It closes a city in which your cards score about {number} points; the best is “{card}”.",
)
CLOSES_EARLY: Final = message("It closes a city before it is worth more to the others.")
PREPARES: Final = message("One more wall closes a city that suits your cards.")
GROWS: Final = message("It closes nothing yet, but your card “{card}” gains by it.")
QUIET: Final = message("It closes nothing yet, and gives nothing away.")
LEAST: Final = message("It gives the others less than other walls would.")

# --- Reasons: towers, houses, joining --------------------------------------------------------

SUITS: Final = message("It suits your card “{card}”.")
HELPS_LEAST: Final = message("It helps the others less than the other choices.")
SPARES: Final = message("It leaves the others fewer points.")
EARLY: Final = message("You see the dice before you choose a line.")


def title(card: Card) -> Reason:
    """What a card says of itself, in any language."""
    return Reason(card.title, {}, context="card")


# --- Walls -----------------------------------------------------------------------------------

GROWTH: Final = 0.35
"""What a point counts for by which a card grows before anything is scored."""
SETUP: Final = 0.3
THREAT: Final = 0.5
"""How likely oneself, or another, closes the city for which only one more wall is missing."""


class Walls:
    """The walls that could be built next."""

    def __init__(self, view: View, own: Hand, census: Census) -> None:
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

    def _city_by(self, line: Line, walls: set[Line]) -> tuple[Values, float] | None:
        """What cards would score for the city that a wall here closes, and the swing of that."""
        fields = cities.closed_by(self._census.board, walls | {line}, line)
        return self._census.city(fields) if fields else None

    def _closes(self, line: Line, scores: Values, swing: float) -> Choice:
        mine = self._census.mine(scores)
        best = max(self._own, key=scores.__getitem__, default=None)
        if best is None:
            return Choice(values.Build(line), swing, because(message("It closes a city.")))
        if not round(mine):
            return Choice(values.Build(line), swing, because(CLOSES_EARLY), mine)
        reason = because(CLOSES, number=round(mine), card=title(best))
        return Choice(values.Build(line), swing, reason, mine)

    def _leaves_open(
        self, line: Line, beside: Sequence[Line], walls: set[Line], waiting: float
    ) -> Choice:
        """No city yet: what it adds to the country, and what the next may close (MB-11)."""
        value = waiting + self._growth(line)
        walled = walls | {line}
        offered = [
            city[1]
            for other in beside
            if other != line and (city := self._city_by(other, walled)) is not None
        ]
        if not offered:
            return Choice(values.Build(line), value, self._gains(line) or because(QUIET))
        good, bad = max(offered), min(offered)
        value += SETUP * max(good, 0.0) + THREAT * min(bad, 0.0)
        if good > -bad:
            return Choice(values.Build(line), value, because(PREPARES))
        return Choice(values.Build(line), value, self._gains(line) or because(LEAST))

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
            *(LAND[board.regions[field]] for field in board.sides[line]),
            *([Card.LAND_TOWERS] if free else []),
            Card.LAND_WALLS,
        ]
        best = next((card for card in cards if card in self._own), None)
        return None if best is None else because(GROWS, card=title(best))

    def _growth(self, line: Line) -> float:
        board, census = self._census.board, self._census
        value = census.interest(Card.LAND_WALLS)
        for point in board.ends[line]:
            if point not in census.towers and point not in census.city_points:
                value += census.interest(Card.LAND_TOWERS)
                value += 2 * census.interest(Card.LAND_WATER) * (point in board.shore)
        for field in board.sides[line]:
            value += census.interest(LAND[board.regions[field]])
        return GROWTH * value


def _connected(
    ends: Mapping[Line, tuple[Point, Point]], walls: Sequence[Line]
) -> Mapping[Point, int]:
    parts: dict[Point, int] = {}
    for number, line in enumerate(walls):
        old = {parts[end] for end in ends[line] if end in parts}
        for point, part in parts.items():
            if part in old:
                parts[point] = number
        for end in ends[line]:
            parts[end] = number
    return parts


# --- Choices ---------------------------------------------------------------------------------

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
    **{CITY[tower]: 3.5 for tower in values.TOWERS},
    Card.CITY_PALACES: 1.0,
    **{CITY[colour]: 1.5 for colour in values.COLOURS},
    Card.CITY_TOWERS: 4.5,
}
"""What city cards score in the next city that suits them."""


def consider(
    sight: Sight[values.Action, Event, View],
    options: values.Options,
    _remembered: Callable[[], object],
    /,
) -> Evaluation:
    """The value of every legal action, by the cards in the hand and those that are unseen."""
    view, seat = sight.view, sight.seat
    joins = [action.city for action in sight.legal if isinstance(action, values.Join)]
    decision = _Decision(view, seat, options, joins)
    choices = [decision.choice(action) for action in sight.legal]
    lead = view.points[seat] - max(p for each, p in enumerate(view.points) if each != seat)
    return Evaluation(choices, lead=lead, swing=SWING * (0.3 + decision.time_left))


def time_left(supply: values.Supply, options: values.Options) -> float:
    """How much of the game is left, from 1 to 0, by the kind that runs out first (MB-70)."""
    full = values.full_supply(options)
    parts = (
        supply.walls / full.walls,
        sum(supply.towers) / sum(full.towers),
        sum(supply.houses) / sum(full.houses),
        sum(supply.palaces) / sum(full.palaces) if options.palaces else 1.0,
    )
    return min(parts)


class _Decision:
    """One decision, with what has been counted for it."""

    def __init__(
        self, view: View, seat: Seat, options: values.Options, joins: Sequence[Field | None]
    ) -> None:
        self.view, self.seat, self.options = view, seat, options
        self._neighbours = joins
        self.own = view.hands[seat] or ()
        self.census = Census(view, self.own)
        self.time_left = 0.0 if view.ending else time_left(view.supply, options)
        self.country = self.census.country()
        self.discount = LATER * min(2 * self.time_left, 1.0)
        self._closing = self._closed_by_the_wall() if view.line else None

    @cached_property
    def _lines(self) -> Mapping[Line, Choice]:
        return Walls(self.view, self.own, self.census).choices()

    def choice(self, action: values.Action) -> Choice:
        """What an action is worth, and why."""
        match action:
            case values.Build(line=line):
                return self._lines[line]
            case values.RollEarly():
                return Choice(action, -50.0, because(EARLY))
            case values.PlaceTower(point=point, tower=tower):
                return self._tower(action, point, tower)
            case values.PlaceHouse(field=field, colour=colour):
                return self._house(action, field, colour)
            case values.Join(city=city):
                return self._join(action, city)
            case values.Play(card=card):
                return self._play(action, card)
            case values.Discard() if self.view.ending:
                return Choice(action, -KEPT, because(IN_THE_END))
            case values.Discard(card=card):
                return self._traded(action, card, DISCARD, DISCARD_FOR)
            case values.Swap(card=card):
                return self._traded(action, card, SWAP, SWAP_FOR)
            case values.Done():
                return Choice(action, 0.0, because(TIE if self.view.ending else KEEP))
            case values.Choose(city=city):
                return self._choose(action, city)
            case values.Appoint() | values.Deal() | values.Roll():
                raise AssertionError(action)

    # --- Cards -------------------------------------------------------------------------------

    def later(self, card: Card) -> float:
        """What a card in the hand is worth, as long as there is time to play it."""
        typical = TYPICAL.get(card)
        value = self.country[card] if typical is None else typical
        if card is Card.CITIES:
            value += 1
        return self.discount * value

    def _traded(
        self, action: values.Action, card: Card, forms: tuple[str, str], plain: str
    ) -> Choice:
        """A card for new ones; that it is worth little is said only where it is so.

        What it may be worth later is known only of cards that score as printed.
        """
        new, old = NEW_CARD * self.discount, self.later(card)
        printed = scoring.paid(card, self.options) == scoring.paid(card, values.Options())
        reason = (
            because(forms, card=title(card), number=round(old))
            if printed and 0 < round(old) < new
            else because(plain, card=title(card))
        )
        return Choice(action, new - old, reason)

    def _net(self, card: Card, scores: int) -> float:
        """What it is worth to play a card now and not later."""
        if self.view.ending:
            return scores - KEPT
        return scores - self.later(card)

    def _play(self, action: values.Play, card: Card) -> Choice:
        """The card's points, and those of another that may follow (MB-43)."""
        scores = self.view.worth[self.own.index(card)]
        value = self._net(card, scores)
        if self.view.task is Task.SCORE:
            rest = list(zip(self.own, self.view.worth, strict=True))
            rest.remove((card, scores))
            value += max([0.0, *(self._net(other, more) for other, more in rest)])
        reason = (
            because(PLAY, card=title(card), number=scores)
            if scores
            else because(SPENT, card=title(card))
        )
        return Choice(action, value, reason, scores)

    def _choose(self, action: values.Choose, city: Field | None) -> Choice:
        table = views.known_table(self.view, self.options)
        chosen = None if city is None else cities.city_named(table, city)
        scores = sorted((scoring.value(card, table, chosen) for card in self.own), reverse=True)
        best = sum(scores[:2])
        reason = because(WITHOUT if city is None else BEST_TWO, number=best)
        return Choice(action, best, reason if best else because(TIE), best)

    # --- Towers and houses -------------------------------------------------------------------

    def _closed_by_the_wall(self) -> tuple[Field, ...] | None:
        assert self.view.line is not None
        return cities.closed_by(self.census.board, set(self.view.walls), self.view.line)

    def _tower(self, action: values.PlaceTower, point: Point, tower: values.Tower) -> Choice:
        census = self.census
        value = 0.0
        if self._closing:
            value = census.swing(census.closed(self._closing, towers=((point, tower),)))
        elif point not in census.city_points:
            value = 2 * GROWTH * census.interest(LAND[tower])
        value += GROWTH * census.interest(CITY[tower])
        # Around a city a tower counts for cards of the city alone.
        cards = (CITY[tower],) if self._closing else (LAND[tower], CITY[tower])
        return Choice(action, value, self._about(*cards))

    def _house(self, action: values.PlaceHouse, field: Field, colour: values.Colour) -> Choice:
        census = self.census
        cards = (CITY[colour], LAND[colour])
        if self._closing and field in self._closing:
            value = census.swing(census.closed(self._closing, houses=((field, colour),)))
            return Choice(action, value, self._about(CITY[colour]))
        region = LAND[census.board.regions[field]]
        value = GROWTH * (census.interest(LAND[colour]) + census.interest(region))
        twins = colour in census.houses.get(field, ())
        value += GROWTH * census.interest(CITY[colour]) * (1 if twins else 0.5)
        return Choice(action, value, self._about(*cards, region))

    def _about(self, *cards: Card) -> Reason:
        for card in cards:
            if card in self.own:
                return because(SUITS, card=title(card))
        return because(HELPS_LEAST)

    # --- Joining -----------------------------------------------------------------------------

    def _join(self, action: values.Join, other: Field | None) -> Choice:
        """Both ways scored by the rules themselves (MB-40)."""
        scores = self._joined(other)
        mine = self.census.mine(scores)
        most = max(self.census.mine(self._joined(each)) for each in self._neighbours)
        best = round(mine) and mine >= most
        reason = because(BEST_TWO, number=round(mine)) if best else because(SPARES)
        return Choice(action, self.census.swing(scores), reason, mine)

    def _joined(self, other: Field | None) -> Mapping[Card, float]:
        """What each kind of card would score in the city, joined with another or not."""
        table, name = views.known_table(self.view, self.options), self.view.city
        assert name is not None
        if other is not None:
            table, _ = cities.join(table, name, other)
            name = min(name, other, key=self.census.board.place.__getitem__)
        city = cities.city_named(table, name)
        return {card: float(scoring.value(card, table, city)) for card in KINDS}
