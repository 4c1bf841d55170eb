"""Mauerbauer in the middle of a game: boards and hands in notation.

`start_board(walls="h3-j3", towers="Bh3", houses="r3h", hands="cities; land-red")` lays a table;
what the walls enclose is a closed city, and what is not named is in the supply or in the pile.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final, Protocol

import pytest
from msgspec.structs import replace
from tests.support.game_table import Table

from mauerwerk.core.game import AnyGame, Seat
from mauerwerk.core.options import from_words
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer import values as mv
from mauerwerk.games.mauerbauer.board import Board, Field, Line, Point, board_of
from mauerwerk.games.mauerbauer.cities import enclosed
from mauerwerk.games.mauerbauer.events import Event, View
from mauerwerk.games.mauerbauer.guild import DECK, Card, Hand, in_order

FULL: Final = mv.FULL_SUPPLY


class MauerbauerTable(Table[mv.State, mv.Action, Event, View]):
    """A table of Mauerbauer that speaks of its board and hands in notation."""

    @property
    def on_table(self) -> mv.Table:
        """What every phase but the lot has."""
        assert not isinstance(self.state, mv.Appointing)
        return self.state.table

    @property
    def phase(self) -> type[mv.State]:
        """What is asked for."""
        return type(self.state)

    @property
    def walls(self) -> str:
        """All walls: `h3-j3 i4-j3`."""
        return " ".join(self.on_table.walls)

    @property
    def towers(self) -> str:
        """All towers: `Wh3 Bj3`."""
        return " ".join(f"{tower.value}{point}" for point, tower in self.on_table.towers)

    @property
    def houses(self) -> str:
        """All houses outside closed cities: `r3h g3h`."""
        return " ".join(f"{colour.value}{field}" for field, colour in self.on_table.houses)

    @property
    def cities(self) -> str:
        """All cities with houses and palaces: `3h,3i=rg+y`."""
        return " ".join(
            f"{','.join(city.fields)}={_letters(city.houses)}+{_letters(city.palaces)}"
            for city in self.on_table.cities
        )

    @property
    def supply(self) -> mv.Supply:
        """What lies beside the board."""
        return self.on_table.supply

    @property
    def points(self) -> tuple[int, ...]:
        """The score track."""
        return self.on_table.points

    @property
    def builder(self) -> Seat:
        """Whose turn it is."""
        return self.on_table.builder

    def hand(self, seat: int) -> str:
        """The cards of a seat: `city-7 cities`."""
        return words(self.on_table.hands[seat])

    @property
    def pile(self) -> str:
        """What nature may still deal."""
        return words(self.on_table.pile)

    @property
    def discard(self) -> str:
        """The discard pile."""
        return words(self.on_table.discard)


def words(cards: Iterable[Card]) -> str:
    """Cards in notation."""
    return " ".join(card.value for card in cards)


def cards(notation: str) -> Hand:
    """Read a hand or a pile: `city-7 cities`."""
    return in_order(*(Card(word) for word in notation.split()))


def ring(fields: str, board: str = "default") -> str:
    """The lines around these fields, in notation: what to wall off for a city."""
    around = board_of(board).around
    counts = Counter(line for field in fields.split() for line in around[Field(field)])
    return " ".join(line for line, sides in counts.items() if sides == 1)


def without(lines: str, *left_out: str) -> str:
    """These lines but for some."""
    rest = lines.split()
    for line in left_out:
        rest.remove(line)
    return " ".join(rest)


def _letters(colours: Iterable[mv.Colour]) -> str:
    return "".join(colour.value for colour in colours)


@pytest.fixture
def game() -> AnyGame:
    """The game that all tests here are about."""
    return mauerbauer


class StartBoard(Protocol):
    """Begins Mauerbauer in the middle of a game."""

    def __call__(  # noqa: PLR0913 - all that can lie on a table
        self,
        walls: str = ...,
        towers: str = ...,
        houses: str = ...,
        *,
        palaces: str = ...,
        hands: str = ...,
        points: str = ...,
        builder: int = ...,
        pile: str | None = ...,
        discard: str = ...,
        supply: mv.Supply | None = ...,
        **options: str,
    ) -> MauerbauerTable:
        """Lay the table; the position need not be one that play can lead to."""
        ...


@pytest.fixture
def start_board() -> StartBoard:
    """How to begin Mauerbauer from a position; by default an empty board and two players.

    The builder, seat 0 by default, is about to build. Hands are separated by `;`. A supply that is
    given stands as it is, else it is what the board leaves of the full one.
    """

    def begin(  # noqa: PLR0913
        walls: str = "",
        towers: str = "",
        houses: str = "",
        *,
        palaces: str = "",
        hands: str = "cities; cities",
        points: str = "",
        builder: int = 0,
        pile: str | None = None,
        discard: str = "",
        supply: mv.Supply | None = None,
        **options: str,
    ) -> MauerbauerTable:
        chosen = from_words(mv.Options, options)
        board = board_of(chosen.board)
        in_hands = tuple(cards(hand) for hand in hands.split(";"))
        put_away = cards(discard)
        standing = mv.Table(
            options=chosen,
            builder=Seat(builder),
            walls=tuple(sorted(map(Line, set(walls.split())), key=board.place.__getitem__)),
            towers=tuple(
                (Point(word[1:]), mv.Tower(word[0]))
                for word in sorted(towers.split(), key=lambda word: board.place[word[1:]])
            ),
            houses=_houses(board, houses),
            cities=(),
            supply=FULL,
            hands=in_hands,
            pile=_unseen(in_hands, put_away) if pile is None else cards(pile),
            discard=put_away,
            points=tuple(map(int, points.split())) or (0,) * len(in_hands),
            turns=0,
            ending=None,
            last=None,
        )
        standing = _with_cities(board, standing, _houses(board, palaces))
        standing = replace(standing, supply=supply or _left_over(standing))
        return MauerbauerTable(mauerbauer, len(in_hands), mv.Building(standing, hasty=False))

    return begin


def _houses(board: Board, notation: str) -> tuple[tuple[Field, mv.Colour], ...]:
    houses = [(Field(word[1:]), mv.Colour(word[0])) for word in notation.split()]
    return tuple(sorted(houses, key=lambda house: (board.place[house[0]], _rank(house[1]))))


def _rank(colour: mv.Colour) -> int:
    return mv.COLOURS.index(colour)


def _unseen(hands: tuple[Hand, ...], discard: Hand) -> Hand:
    left = list(DECK)
    for card in (*discard, *(card for hand in hands for card in hand)):
        left.remove(card)
    return tuple(left)


def _with_cities(
    board: Board, table: mv.Table, palaces: tuple[tuple[Field, mv.Colour], ...]
) -> mv.Table:
    found = dict.fromkeys(
        city for field in board.fields if (city := enclosed(board, table.walls, field))
    )
    cities = tuple(
        mv.City(
            fields,
            tuple(sorted((c for f, c in table.houses if f in fields), key=_rank)),
            tuple(sorted((c for f, c in palaces if f in fields), key=_rank)),
        )
        for fields in found
    )
    inside = {field for city in cities for field in city.fields}
    outside = tuple(house for house in table.houses if house[0] not in inside)
    return replace(table, houses=outside, cities=cities)


def _left_over(table: mv.Table) -> mv.Supply:
    towers = Counter(tower for _, tower in table.towers)
    houses = Counter(colour for _, colour in table.houses)
    palaces: Counter[mv.Colour] = Counter()
    for city in table.cities:
        houses.update(city.houses)
        palaces.update(city.palaces)
    return mv.Supply(
        FULL.walls - len(table.walls),
        tuple(10 - towers[tower] for tower in mv.TOWERS),
        tuple(12 - houses[colour] for colour in mv.COLOURS),
        tuple(3 - palaces[colour] for colour in mv.COLOURS),
    )
