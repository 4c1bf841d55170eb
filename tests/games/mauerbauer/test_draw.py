"""Mauerbauer, drawn: what is in the picture and in the text, and what is not."""

from collections import Counter
from functools import cache
from random import Random
from typing import get_args
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace
from tests.games.mauerbauer.conftest import StartBoard, ring
from tests.support.amounts import amount
from tests.support.setups.mauerbauer import random_board

from mauerwerk.core.game import NATURE, Seat, Setup, draw_lot
from mauerwerk.core.language import ENGLISH, language_of
from mauerwerk.core.svg.fitting import columns
from mauerwerk.games import mauerbauer as mb
from mauerwerk.games.mauerbauer.board import BOARDS, Region, board_of
from mauerwerk.games.mauerbauer.drawing.hand import pays, pays_words
from mauerwerk.games.mauerbauer.drawing.picture import svg, text
from mauerwerk.games.mauerbauer.guild import Card, in_order
from mauerwerk.games.mauerbauer.scoring import value
from mauerwerk.games.mauerbauer.values import Appointing, City, Colour, Options, Over, State

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("Ada", "Bo <& Söhne>", "長城 Cem", "Dagobert von und zu Hohenstein der Ältere")

GROWN = [random_board(Random(seed)) for seed in range(12)]
"""Boards that grew by chance, with bays and holes."""

HOUSE_POINTS = (
    "city-1:13,city-colours-2:3,city-colours-4:11,city-palaces:4,city-red-palace:12,"
    "city-red-house:2,land-water:9"
)
"""House rules: what some cards score."""

OPTIONS = [Options(), Options(board="small", early=True), Options(board="large")]


@cache
def played(seats: int) -> list[State]:
    """A game by chance."""
    draw = Random(seats).randrange
    game = [mb.start(Setup(seats, OPTIONS[mb.SEATS.index(seats)]))]
    while asked := mb.to_act(game[-1]):
        legal = mb.legal(game[-1], asked[0])
        nature = asked[0] == NATURE
        action = draw_lot(mb.odds(game[-1]), draw) if nature else legal[draw(len(legal))]
        game.append(mb.apply(game[-1], asked[0], action).state)
    return game


@cache
def states_of(seats: int) -> list[State]:
    """Some states of a game: its last one, and those of the phases that are this game's share.

    A thorough test has one state of each phase from each game, and some more.
    """
    phases = {each: {type(state): state for state in played(each)} for each in mb.SEATS}
    few = [played(seats)[-1]]
    for number, phase in enumerate(get_args(State)):
        games = [each for each in mb.SEATS if phase in phases[each] and phase is not Over]
        if games and games[number % len(games)] == seats:
            few.append(phases[seats][phase])
    return amount(few, few, [*phases[seats].values(), *played(seats)[50::60]])


def states() -> list[State]:
    """The same with any number of seats."""
    return [state for seats in mb.SEATS for state in states_of(seats)]


def test_three_games_have_every_phase() -> None:
    """So that each is drawn."""
    assert {type(state) for state in states()} == set(get_args(State))


def viewers(state: State) -> tuple[Seat | None, ...]:
    """All seats, and a spectator."""
    return (None, *(Seat(seat) for seat in range(len(mb.view(state, None).counts))))


@cache
def drawn(state: State, seat: Seat | None) -> ET.Element:
    """The picture as a tree."""
    picture = svg(mb.view(state, seat), NAMES)
    return ET.fromstring(picture)  # noqa: S314 - drawn by ourselves


@pytest.mark.parametrize("seats", mb.SEATS)
def test_an_id_names_one_thing(seats: int) -> None:
    """No id stands twice in a picture."""
    for state in states_of(seats):
        for seat in viewers(state):
            ids = Counter(each.get("id") for each in drawn(state, seat).iter() if each.get("id"))
            assert set(ids.values()) == {1}


def test_what_lies_on_the_board_is_drawn_and_named(start_board: StartBoard) -> None:
    """Walls, towers, houses and cities, each with its words."""
    table = start_board(walls=f"a2-b1 {ring('3h')}", towers="Wa2 Bg4", houses="r3h y1b y1b")
    told = [each.get("aria-label") for each in drawn(table.state, None).iter()]

    for words in (
        "Three lands: 45 fields, 1 closed city",
        "wall from a2 to b1",
        "white tower on a2",
        "black tower on g4",
        "field 1b: 2 yellow houses",
        "city of field 3h, 1 field: 1 red house",
    ):
        assert words in told


@pytest.mark.rule("MB-50")
@pytest.mark.rule("MB-51")
@pytest.mark.rule("MB-53")
@pytest.mark.rule("MB-54")
@pytest.mark.parametrize("points", ["printed", HOUSE_POINTS])
def test_a_city_card_says_what_it_pays(start_board: StartBoard, points: str) -> None:
    """The numbers on the cards are those of the rules, for cities that suit them."""
    state = start_board(hands="city-1; cities").state
    assert not isinstance(state, Appointing)
    options = Options(points=points)
    table, field = replace(state.table, options=options), board_of("default").fields[0]
    red, blue, pink, green = Colour.RED, Colour.BLUE, Colour.PINK, Colour.GREEN
    suits = {
        Card.CITY_1: [City((field,), (), ())],
        Card.CITY_2: [City((field,) * 2, (), ())],
        Card.CITY_3: [City((field,) * 3, (), ())],
        Card.CITY_7: [City((field,) * 7, (), ())],
        Card.CITY_COLOURS: [
            City((field,), (red, blue), ()),
            City((field,), (red, blue, pink), (green,)),
        ],
        Card.CITY_PALACES: [City((field,), (), (red,))],
        Card.CITY_RED: [City((field,), (red,), ()), City((field,), (), (red,))],
    }
    for card, cities in suits.items():
        said = "\N{EN DASH}".join(str(value(card, table, city)) for city in cities)
        assert pays(card, options).rstrip("\N{MULTIPLICATION SIGN}") == said


def test_a_card_shows_what_it_would_score(start_board: StartBoard) -> None:
    """City cards say what they would pay while no city is scored."""
    table = start_board(walls="a2-b1", hands="city-1 land-walls; cities")
    told = [each.get("aria-label") for each in drawn(table.state, Seat(0)).iter()]

    assert "Walls, 1 in hand: 1 point" in told
    assert "Exactly 1 field, 1 in hand: 6 points" in told


def test_with_house_rules_a_card_shows_what_it_would_score_there(start_board: StartBoard) -> None:
    """Not the printed points, neither on the card nor in words."""
    state = start_board(hands="city-1 city-colours city-red land-water; cities").state
    assert not isinstance(state, Appointing)
    options = Options(points=HOUSE_POINTS)
    state = replace(state, table=replace(state.table, options=options))
    told = [each.get("aria-label") for each in drawn(state, Seat(0)).iter()]
    shown = [*drawn(state, Seat(0)).itertext()]

    assert "Exactly 1 field, 1 in hand: 13 points" in told
    assert "Towers by the water, 1 in hand: 9 points for each" in told
    assert {"13", "3\N{EN DASH}11", "2\N{EN DASH}12\N{MULTIPLICATION SIGN}"} <= {*shown}
    assert pays_words(Card.CITY_COLOURS, options, language_of("de")) == "3 oder 11 Punkte"
    assert pays_words(Card.CITY_COLOURS, Options(points="city-colours-2:7"), ENGLISH) == "7 points"
    assert pays_words(Card.CITY_RED, options, language_of("it")) == (
        "12 punti per ogni palazzo, 2 per ogni casa"
    )


@pytest.mark.rule("MB-8", "MB-44")
@pytest.mark.parametrize("seats", mb.SEATS)
def test_no_card_of_another_hand_is_in_picture_or_text(seats: int) -> None:
    """Other hands changed, nothing changes."""
    compared = 0
    for state in states_of(seats):
        if isinstance(state, Appointing | Over):
            continue
        table = state.table
        for seat in viewers(state):
            others = [other for other in range(len(table.hands)) if other != seat]
            hands = list(table.hands)
            for other in others:
                hands[other] = in_order(*table.pile[: len(hands[other])])
            if any(len(hands[other]) != len(table.hands[other]) for other in others):
                continue
            twin = replace(state, table=replace(table, hands=tuple(hands)))
            seen, seen_of_twin = (mb.view(each, seat) for each in (state, twin))
            assert text(seen, NAMES) == text(seen_of_twin, NAMES)
            assert svg(seen, NAMES) == svg(seen_of_twin, NAMES)
            compared += 1
    assert compared > amount(4, 4, 16)


@pytest.mark.parametrize("options", OPTIONS)
def test_the_text_fits_a_terminal(options: Options) -> None:
    """80 columns, no trailing space, and the question at its foot."""
    for state in states():
        if isinstance(state, Appointing) or state.table.options.board != options.board:
            continue
        for seat in viewers(state):
            shown = text(mb.view(state, seat), NAMES)
            lines = shown.split("\n")
            assert max(map(columns, lines)) <= 80
            assert all(line == line.rstrip() for line in lines)


def test_the_text_shows_board_cities_and_hand(start_board: StartBoard) -> None:
    """Towers by letter, walls by = and #, houses by small letters."""
    table = start_board(
        walls=f"{ring('1b')} c2-e2",
        towers="Wa2 Bb1 Ge2",
        houses="r1b g1d y1d p2c p2c p2c p2c p2c p2c",
        hands="cities; city-1",
    )
    lines = text(table.view(0), NAMES).split("\n")

    assert lines[2:8] == [
        "    a   b   c   d   e   f   g   h   i   j   k",
        "1   ~~~~B . . . · . . . · . . . · . . . ·~~~~",
        "    ~~~#░#     . .     . .     . .     . .~~~",
        "    ~~#░░░# w . w . m . m . m . e . e . e .~~   1",
        "    ~#░░░░░# . yg  . .     . .     . .     .~",
        "2   W=======·=======G . . . · . . . · . . . ·",
    ]
    assert "City 1b: 1 field, 1 red house" in lines
    assert "Field 2c: 6 pink houses" in lines
    assert f"  cities         {in_order(*table.on_table.hands[0])[0].title:<26} 1" in lines


def test_at_the_end_nobody_builds_and_no_card_counts() -> None:
    """What is left of a hand scores no more, so that it shows no points."""
    last = [state for state in states() if isinstance(state, Over)]

    for state in last:
        for seat in viewers(state):
            shown = "".join(drawn(state, seat).itertext())
            assert not [words for words in ("builds", "if closed", "if played") if words in shown]
            assert ("Left over" in shown) is (seat is not None)


@pytest.mark.rule("MB-5", "MB-58")
@pytest.mark.parametrize("name", [*BOARDS, *GROWN])
def test_in_the_text_a_field_is_found_by_its_name(start_board: StartBoard, name: str) -> None:
    """Its row is on the right, its letter above; there its region stands (MB-5, MB-58)."""
    shown = text(start_board(board=name).view(0), NAMES)
    letters, *lines = shown.split("\n\n")[1].split("\n")
    rows = {line.split()[-1]: line for line in lines if line[-1].isdigit()}
    board = board_of(name)

    for field, region in board.regions.items():
        assert rows[field[:-1]][letters.index(field[-1])] == region.value
    legend = shown.split("\n\n")[2]
    assert f"Field {board.fields[0]}: row on the right and letter." in legend
    for region in Region:
        present = region in board.regions.values()
        assert (f"{region.value} {region.name.lower()}" in legend) == present


@pytest.mark.rule("MB-61")
@pytest.mark.parametrize("name", [*BOARDS, *GROWN, "www"])
def test_in_the_text_water_touches_coastal_points_and_no_other(
    start_board: StartBoard, name: str
) -> None:
    """A player sees which towers stand by the water, walled or not (MB-61)."""
    board = board_of(name)
    shown = text(start_board(walls=" ".join(board.coast), board=name).view(0), NAMES)
    letters, *lines = shown.split("\n\n")[1].split("\n")
    rows = {line.split()[0]: place for place, line in enumerate(lines) if line[0].isdigit()}

    wet: set[str] = set()
    for point in board.points:
        column, row = letters.index(point[0]), rows[point[1:]]
        around = [
            line[max(0, column - 2) : column + 3] for line in lines[max(0, row - 1) : row + 2]
        ]
        if "~" in "".join(around):
            wet.add(point)
    assert wet == board.shore
    assert ("Water: ~" in shown) == bool(board.coast)


def test_the_lake_is_full_of_water(start_board: StartBoard) -> None:
    """From shore to shore, in the middle of the large board."""
    lines = text(start_board(board="large").view(0), NAMES).split("\n")

    (middle,) = (line for line in lines if line.startswith("5 "))
    assert middle == "5   ~~~~· . . . · . . . ·~~~~~~~~~~~~~~~· . . . · . . . ·~~~~"


def test_at_the_end_the_winner_is_named() -> None:
    """In picture and text."""
    last = [state for state in states() if isinstance(state, Over)]

    for state in last:
        assert " won with " in mb.ask(mb.view(state, None), NAMES)
        assert " won with " in "".join(drawn(state, None).itertext())
