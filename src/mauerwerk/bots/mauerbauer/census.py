"""Mauerbauer, what cards would score: in a city that a wall may close, and in the country.

`scoring.value` says what a card scores on a table as it lies. Here it is said of tables that may
come, all kinds at once and without making the table: a city of these fields, with a tower at every
end of its ring, since the builder puts them there.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from mauerwerk.games.mauerbauer import cities, events
from mauerwerk.games.mauerbauer.board import Field, Line, Point, board_of
from mauerwerk.games.mauerbauer.guild import KINDS, Card, Hand
from mauerwerk.games.mauerbauer.scoring import CITY, LAND
from mauerwerk.games.mauerbauer.values import COLOURS, TOWERS, Colour, Tower, deck_of, points_of

Values: TypeAlias = Mapping[Card, float]
"""What each kind of card would score."""
SIZES: Final = {1: Card.CITY_1, 2: Card.CITY_2, 3: Card.CITY_3, 7: Card.CITY_7}
"""The card of each size; larger cities count as 7."""
SECOND: Final = 0.5
"""What the second best card counts for: playing it leaves one card less for later."""


class Census:
    """Counts of a board: what stands in the country, and which seats may hold which card."""

    def __init__(self, view: events.View, own: Hand) -> None:
        self.board = board_of(view.board)
        self.view = view
        self.points = points_of(view.options)
        self.own = own
        self.towers: dict[Point, Tower] = dict(view.towers)
        self.houses: dict[Field, list[Colour]] = {}
        for field, colour in view.houses:
            self.houses.setdefault(field, []).append(colour)
        self.city_points = cities.ring_points(self.board, view.cities)
        in_cities = {line for city in view.cities for line in cities.ring(self.board, city)}
        self.outside_walls = frozenset(view.walls) - in_cities
        unseen = Counter(deck_of(view.options))
        unseen.subtract(own)
        unseen.subtract(view.discard)
        for laid in view.laid:
            unseen.subtract(laid.cards)
        self.unseen = [card for card in KINDS for _ in range(unseen[card])]
        rivals = [count for seat, count in enumerate(view.counts) if seat != view.seat]
        self.rival_cards = sum(rivals) / len(rivals)
        self._interests: dict[Card, float] = {}
        self._cities: dict[tuple[Field, ...], tuple[Values, float]] = {}
        self._country = self._counted()

    # --- Hands -------------------------------------------------------------------------------

    def swing(self, values: Values) -> float:
        """What a scoring is worth: one's own best cards less what another may have."""
        return self.mine(values) - self.theirs(values)

    def mine(self, values: Values) -> float:
        """One's own best two cards."""
        best = sorted((values[card] for card in self.own), reverse=True)
        return sum(best[:1]) + SECOND * sum(best[1:2])

    def theirs(self, values: Values) -> float:
        """The best two cards of another player, on average over all that is unseen."""
        scores = sorted((values[card] for card in self.unseen), reverse=True)
        size, held = len(scores), self.rival_cards
        if not size or not held:
            return 0.0
        best = second = 0.0
        none, one = 1.0, 0.0  # how likely the cards so far hold none of theirs, just one
        share = min(held / size, 1.0)
        for score in scores:
            best += none * share * score
            second += one * share * score
            one = one * (1 - share) + none * share
            none *= 1 - share
        return best + SECOND * second

    def interest(self, card: Card) -> float:
        """How much more this kind matters to oneself than to another player, by who may hold it."""
        if card not in self._interests:
            likely = self.unseen.count(card) * self.rival_cards / max(len(self.unseen), 1)
            self._interests[card] = (card in self.own) - min(likely, 1.0)
        return self._interests[card]

    # --- A city that may come ----------------------------------------------------------------

    def city(self, fields: tuple[Field, ...]) -> tuple[Values, float]:
        """What each kind would score, were these fields a city, and the swing of that.

        Many walls could come before the one that closes it, so that it is asked for often.
        """
        if fields not in self._cities:
            values = self.closed(fields)
            self._cities[fields] = values, self.swing(values)
        return self._cities[fields]

    def closed(
        self,
        fields: Collection[Field],
        towers: Iterable[tuple[Point, Tower]] = (),
        houses: Iterable[tuple[Field, Colour]] = (),
    ) -> Values:
        """What each kind would score if these fields, with these additional pieces, were a city."""
        board = self.board
        inside = set(fields)
        counts = Counter(line for field in fields for line in board.around[field])
        ring = [line for line, sides in counts.items() if sides == 1]
        points = {point for line in ring for point in board.ends[line]}
        present = {**self.towers, **dict(towers)}
        colours = [present[point] for point in points if point in present]
        to_come = (len(points) - len(colours)) / len(TOWERS)
        lived = [colour for field in fields for colour in self.houses.get(field, ())]
        lived += [colour for field, colour in houses if field in inside]
        values = self.country(ring, points, inside)
        values |= self._city(len(inside), Counter(lived), len(points))
        for tower in TOWERS:
            values[CITY[tower]] = self.points[CITY[tower].value] * (colours.count(tower) + to_come)
        return values

    def _city(self, size: int, lived: Mapping[Colour, int], towers: int) -> dict[Card, float]:
        values: dict[Card, float] = {
            card: self.points[card.value] if min(size, 7) == fields else 0.0
            for fields, card in SIZES.items()
        }
        palaces = 0
        for colour, left in zip(COLOURS, self.view.supply.palaces, strict=True):
            built = min(lived.get(colour, 0) // 2, left)
            palaces += built
            name = CITY[colour].value
            values[CITY[colour]] = self.points[f"{name}-palace"] * built + self.points[
                f"{name}-house"
            ] * (lived.get(colour, 0) - 2 * built)
        few, many = self.points["city-colours-2"], self.points["city-colours-4"]
        there = sum(map(bool, lived.values()))
        values[Card.CITY_COLOURS] = (0, 0, few, few, many, many)[there]
        values[Card.CITY_PALACES] = self.points["city-palaces"] * palaces
        values[Card.CITY_TOWERS] = self.points["city-towers"] * towers
        values[Card.CITIES] = self.points["cities"] * (len(self.view.cities) + 1)
        return values

    # --- The country -------------------------------------------------------------------------

    def country(
        self,
        ring: Sequence[Line] = (),
        points: Collection[Point] = (),
        inside: Collection[Field] = (),
    ) -> dict[Card, float]:
        """What country cards score, less what a city takes away: its ring, its points, itself."""
        board, shore, each = self.board, self.board.shore, self.points
        values = self._country.copy()
        for point in points:
            tower = self.towers.get(point)
            if tower is not None and point not in self.city_points:
                values[LAND[tower]] -= each[LAND[tower].value]
                values[Card.LAND_TOWERS] -= each["land-towers"]
                values[Card.LAND_WATER] -= each["land-water"] * (point in shore)
        for field in inside:
            if colours := self.houses.get(field):
                region = LAND[board.regions[field]]
                values[region] -= each[region.value] * len(colours)
                for colour in colours:
                    values[LAND[colour]] -= each[LAND[colour].value]
        outside = len(self.outside_walls.difference(ring))
        values[Card.LAND_WALLS] = each["land-walls"] * outside
        return values

    def _counted(self) -> dict[Card, float]:
        board, shore, each = self.board, self.board.shore, self.points
        values: dict[Card, float] = dict.fromkeys(KINDS, 0.0)
        for point, tower in self.towers.items():
            if point not in self.city_points:
                values[LAND[tower]] += each[LAND[tower].value]
                values[Card.LAND_TOWERS] += each["land-towers"]
                values[Card.LAND_WATER] += each["land-water"] * (point in shore)
        for field, colours in self.houses.items():
            region = LAND[board.regions[field]]
            values[region] += each[region.value] * len(colours)
            for colour in colours:
                values[LAND[colour]] += each[LAND[colour].value]
        values[Card.CITIES] = each["cities"] * len(self.view.cities)
        return values
