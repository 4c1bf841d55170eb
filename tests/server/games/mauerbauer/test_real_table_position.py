"""A board that is tapped together: its words, its cities, and what every card is worth on it."""

import random
from typing import Final

import pytest

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Setup
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer.board import Board, Field, Line, Point, board_of
from mauerwerk.games.mauerbauer.cities import enclosed, newly_closed
from mauerwerk.games.mauerbauer.guild import Card
from mauerwerk.games.mauerbauer.scoring import value
from mauerwerk.games.mauerbauer.values import (
    Action,
    Appointing,
    Build,
    Building,
    Colour,
    State,
    Table,
    Tower,
)
from mauerwerk.server.games.mauerbauer.real_table.counting import (
    MOST,
    BoardPosition,
    Counting,
    Piece,
    PositionError,
    Score,
    after,
    bare_towers,
    cities_of,
    counting_in,
    read,
    renamed,
    settled,
    stray_palaces,
    supply_of,
    table_of,
    tapped,
    tidied,
    worth,
)

TRIANGLE: Final = ["a2-b1", "b1-c2", "a2-c2"]
"""The walls of field 1b."""


def laid(words: str, board: str = "default") -> BoardPosition:
    """A position in words."""
    return read(board, words.split())


# --- Pieces ----------------------------------------------------------------------------------


def test_words_come_back_as_they_were() -> None:
    """Walls and towers in the board's order, houses and palaces as they came."""
    position = laid("c2-d1 a2-b1 Wa2 r1b R1b r1b")
    assert position.words == ("a2-b1", "c2-d1", "Wa2", "r1b", "R1b", "r1b")
    assert read("default", position.words) == position


@pytest.mark.parametrize("word", ["a1-b2", "Wz9", "r9z", "x1b", "W1b", "", "a2-b1-c2", "r1b "])
def test_what_is_no_piece_of_this_board_is_refused(word: str) -> None:
    """In one line that names it."""
    with pytest.raises(PositionError, match="is no piece on this board"):
        read("default", [word])


def test_a_board_that_is_none_and_a_heap_that_is_too_large() -> None:
    """Neither is laid out."""
    with pytest.raises(SetupError, match="board"):
        read("nonsense", [])
    with pytest.raises(PositionError, match="no room"):
        read("default", ["r1b"] * (MOST + 1))


def test_a_wall_and_a_tower_come_and_go() -> None:
    """The same tap twice changes nothing; another tower takes the place of the first."""
    bare = laid("")
    assert tapped(bare, "a2-b1").walls == ("a2-b1",)
    assert tapped(tapped(bare, "a2-b1"), "a2-b1") == bare
    white = tapped(bare, "Wa2")
    assert tapped(white, "Ba2").towers == (("a2", Tower.BLACK),)
    assert tapped(white, "Wa2") == bare


def test_houses_and_palaces_heap_up_and_are_taken_away_one_by_one() -> None:
    """A field may hold any number (MB-30); what came last goes first."""
    position = laid("r1b")
    for word in ("b1b", "R1b", "-1b"):
        position = tapped(position, word)
    assert [piece for _, piece in position.pieces] == [
        Piece(Colour.RED, palace=False),
        Piece(Colour.BLUE, palace=False),
    ]
    assert tapped(laid("r1c"), "-1b") == laid("r1c")


# --- What the rules make of it ---------------------------------------------------------------


def test_three_walls_close_a_city() -> None:
    """With what stands in it; the house outside stays outside (MB-31)."""
    table = table_of(laid(" ".join([*TRIANGLE, "r1b", "b1c"])))
    (city,) = table.cities
    assert (city.fields, city.houses) == (("1b",), (Colour.RED,))
    assert table.houses == (("1c", Colour.BLUE),)


def test_cities_are_those_that_no_field_leads_out_of() -> None:
    """Whatever walls there are, in the board's order: as if each field were asked (MB-31)."""
    board, chance = board_of("default"), random.Random(31)
    closed = 0
    for _ in range(60):
        walls = chance.sample(board.lines, chance.randrange(len(board.lines)))
        asked = [enclosed(board, walls, field) for field in board.fields]
        cities = tuple(dict.fromkeys(city for city in asked if city))
        closed += len(cities)
        assert cities_of(board, walls) == cities
    assert closed > 0


def test_open_land_is_walked_over_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However large it is, only what it does not reach is asked for cities."""
    asked: list[Field] = []

    def ask(board: Board, walls: frozenset[Line], field: Field) -> tuple[Field, ...] | None:
        asked.append(field)
        return enclosed(board, walls, field)

    monkeypatch.setattr("mauerwerk.server.games.mauerbauer.real_table.counting.enclosed", ask)

    assert cities_of(board_of("large"), [Line(line) for line in TRIANGLE]) == (("1b",),)
    assert asked == ["1b"]


def test_two_houses_of_a_colour_count_as_the_palace_they_become() -> None:
    """The rules do it at once, whatever people have done so far (MB-34)."""
    position = laid(" ".join([*TRIANGLE, "r1b", "r1b", "y1b"]))
    points = worth(Counting(position))
    assert (points[Card.CITY_RED], points[Card.CITY_PALACES], points[Card.CITY_COLOURS]) == (
        3,
        1,
        4,
    )

    neat = tidied(position)

    assert sorted(neat.words) == sorted([*TRIANGLE, "R1b", "y1b"])
    assert worth(Counting(neat)) == points
    assert settled(neat)[1] == ()


def test_without_a_palace_in_the_box_houses_stay() -> None:
    """There are three of each colour (MB-2, MB-34)."""
    palaces = ["R1b"] * 3
    table, events = settled(laid(" ".join([*TRIANGLE, *palaces, "r1b", "r1b"])))
    assert events == ()
    assert table.cities[0].houses == (Colour.RED, Colour.RED)


def test_a_wall_inside_a_city_counts_as_gone() -> None:
    """And so does a tower that then touches no wall (MB-35)."""
    board = board_of("default")
    spokes = board.lines_at[Point("d3")]
    city = [field for field in board.fields if "d3" in board.corners[field]]
    ring = {line for field in city for line in board.around[field]} - {*spokes}
    position = laid(" ".join([*sorted(ring), spokes[0], "Wd3"]))
    assert len(table_of(position).cities[0].fields) == 6

    points = worth(Counting(position))

    assert (points[Card.LAND_WALLS], points[Card.LAND_TOWERS]) == (0, 0)
    assert tidied(position) == laid(" ".join(sorted(ring)))


def test_what_the_rules_do_not_know_is_told() -> None:
    """A palace in the open, a tower without a wall, more pieces than there are."""
    position = laid("R1b Wa2 Wb1 a2-b1 Bc2")
    assert stray_palaces(position) == ("1b",)
    assert bare_towers(position) == ("c2",)
    assert min(supply_of(laid(" ".join(["R1b"] * 4))).palaces) == -1


def position_of(table: Table) -> BoardPosition:
    """The table of a game as people would tap it together; in a city, all on its first field."""
    return read(
        table.options.board,
        [
            *table.walls,
            *(f"{tower.value}{point}" for point, tower in table.towers),
            *(f"{colour.value}{field}" for field, colour in table.houses),
            *(f"{colour.value}{city.name}" for city in table.cities for colour in city.houses),
            *(
                f"{colour.value.upper()}{city.name}"
                for city in table.cities
                for colour in city.palaces
            ),
        ],
    )


def somewhere(state: State, chance: random.Random) -> Action:
    """Anything that is allowed; a wall closes a city if it can, or else goes on from another."""
    legal = mauerbauer.legal(state, mauerbauer.to_act(state)[0])
    if isinstance(state, Building):
        closing = [
            action
            for action in legal
            if isinstance(action, Build) and newly_closed(state.table, action.line)
        ]
        near = [
            action
            for action in legal
            if isinstance(action, Build)
            and any(end in line for end in action.line.split("-") for line in state.table.walls)
        ]
        return chance.choice(closing or near or legal)
    return chance.choice(legal)


@pytest.mark.parametrize("board", ["default", "small", "large"])
def test_every_card_is_worth_what_it_is_in_the_game(board: str) -> None:
    """In whole games, after every turn, for every closed city and for the country."""
    chance = random.Random(board)
    state = mauerbauer.start(Setup(3, mauerbauer.Options(board=board)))
    seen = cities = 0
    while asked := mauerbauer.to_act(state):
        turn = mauerbauer.turn(state)
        state = mauerbauer.apply(state, asked[0], somewhere(state, chance)).state
        if mauerbauer.turn(state) == turn:
            continue
        assert not isinstance(state, Appointing)
        table = state.table
        position = position_of(table)
        found, events = settled(position)
        assert events == ()
        assert [city.fields for city in found.cities] == [city.fields for city in table.cities]
        for city in table.cities or (None,):
            points = worth(Counting(position, city=city.name if city else None))
            assert points == {card: value(card, table, city) for card in points}
            assert len(points) == (30 if city else 15)
            cities += city is not None
        seen += 1
    assert seen > 10
    assert cities > 0


# --- Keeping the score -----------------------------------------------------------------------


def test_a_card_is_given_to_whoever_is_chosen() -> None:
    """With the points it has now, which stay whatever is built later."""
    now = Counting(laid(" ".join([*TRIANGLE, "r1b"])), names=("Ada", "Bob"))
    for word in ("got:city-1", "seat:1", "got:city-red", "a2-b1"):
        now = after(now, word)
    assert now.totals == (6, 1)
    assert now.scores == (Score(now.scores[0].seat, Card.CITY_1, 6), now.scores[1])
    assert after(now, "back").totals == (6, 0)


def test_the_address_holds_everything() -> None:
    """Board, pieces, piece at hand, city, names, who is next and what they got."""
    now = Counting(laid(" ".join([*TRIANGLE, "r1b", "Wa2"])), names=("Ada", "Bo Ö"))
    for word in ("use:palace-G", "city:1b", "seat:1", "got:cities"):
        now = after(now, word)
    assert counting_in(now.fields) == now
    assert after(now, "clear").position == laid("")
    assert counting_in(after(now, "clear").fields).totals == (0, 1)


def test_who_leaves_takes_their_points_along() -> None:
    """Names are changed at any time."""
    now = Counting(laid(""), names=("Ada", "Bob"))
    for word in ("seat:1", "got:cities"):
        now = after(now, word)
    assert counting_in(renamed(now.fields, ["Ada~", "", "", ""])).scores == ()
    bob = counting_in(renamed(after(after(now, "seat:0"), "got:land-walls").fields, ["", "Bob"]))
    assert (bob.names, [score.card for score in bob.scores]) == (("Bob",), [Card.CITIES])
    nobody = counting_in(renamed(now.fields, []))
    assert (nobody.names, nobody.scores) == ((), ())
    assert counting_in(renamed(now.fields, ["Ada", "Bob", "Cem"])).names == ("Ada", "Bob", "Cem")


@pytest.mark.parametrize(
    "word", ["use:anvil", "city:9z", "seat:7", "got:city-1", "got:nonsense", "-9z", "x"]
)
def test_a_tap_that_means_nothing_is_refused(word: str) -> None:
    """No city is closed, so no city card can be given."""
    with pytest.raises(PositionError):
        after(Counting(laid(""), names=("Ada", "Bob")), word)


@pytest.mark.parametrize("got", ["0:city-1:9999", "5:city-1:6", "0:city-99:6", "0", "0:city-1:-3"])
def test_a_score_that_is_none_is_refused(got: str) -> None:
    """Nobody gets it."""
    with pytest.raises(PositionError, match="is no score"):
        counting_in({"who": "Ada~Bob", "got": got})
