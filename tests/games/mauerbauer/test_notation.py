"""Mauerbauer on paper and in words: one word per action, sentences for people."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.mauerbauer.conftest import StartBoard

from mauerwerk.core.errors import NotAWordError
from mauerwerk.core.game import Seat, Setup
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer.board import BOARDS, Field, Line
from mauerwerk.games.mauerbauer.events import (
    Appointed,
    Cleared,
    Closed,
    Drawn,
    Finished,
    Joined,
    PalacesBuilt,
    Played,
    Rolled,
    RolledEarly,
)
from mauerwerk.games.mauerbauer.guild import Card
from mauerwerk.games.mauerbauer.notation import ask, parse, say, tell, write
from mauerwerk.games.mauerbauer.numbering import actions, number
from mauerwerk.games.mauerbauer.values import Build, Colour, Roll, Supply, Tower

NAMES = ["Ada", "Bruno", "Clara", "Dora"]
LAST_WALL = Supply(1, (5, 5, 5), (5,) * 5, (3,) * 5)


@pytest.mark.parametrize("board", BOARDS)
def test_every_action_is_one_word_and_reads_back(board: str) -> None:
    """No two actions share a word, no word has a space or a colon."""
    words = [write(action) for action in actions(board)]

    assert len(set(words)) == len(words)
    assert [parse(word) for word in words] == list(actions(board))
    assert not any(set(word) & set(" :#\t\n") for word in words)


@pytest.mark.parametrize(
    "word",
    [
        "",
        "h3",
        "h3-",
        "h3-j3-",
        "H3-j3",
        "Xh3",
        "x3h",
        "r3",
        "&",
        "=",
        "@4",
        "*B",
        "*Brrr",
        "city-4",
    ],
)
def test_what_is_no_word_is_refused(word: str) -> None:
    """The message names the word and those that are."""
    with pytest.raises(NotAWordError, match=r"is not a move: there are h3-j3 ! Bh3 .* and =-$"):
        parse(word)


@given(word=st.text(alphabet="abch123-&=.!*^+@?WGBygbpr", max_size=12))
def test_any_text_is_a_word_or_is_refused(word: str) -> None:
    """What reads as an action is written as it was."""
    try:
        action = parse(word)
    except NotAWordError:
        return
    assert write(action) == word


def test_numbers_are_places_in_the_list_of_all_actions() -> None:
    """Every action of the default board has its number; lines come first, nature last."""
    everything = actions()

    assert [number(action) for action in everything] == list(range(len(everything)))
    assert number(Build(Line("b1-d1"))) == 0
    assert isinstance(everything[-1], Roll)


@pytest.mark.parametrize("board", BOARDS)
def test_every_board_has_its_own_numbers(start_board: StartBoard, board: str) -> None:
    """Legal actions are at their numbers, in canonical order."""
    table = start_board(board=board)
    legal = table.game.legal(table.state, Seat(0))

    numbers = [number(action, board) for action in legal]
    assert [actions(board)[each] for each in sorted(numbers)] == list(legal)


def test_legal_actions_come_in_canonical_order() -> None:
    """All through a game, the list of legal actions ascends."""
    random = Random(5)
    state = mauerbauer.start(Setup(4, mauerbauer.Options(early=True)))
    while asked := mauerbauer.to_act(state):
        legal = mauerbauer.legal(state, asked[0])
        numbers = [number(action) for action in legal]
        assert numbers == sorted(numbers)
        state = mauerbauer.apply(state, asked[0], random.choice(legal)).state


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("h3-j3", "build from h3 to j3"),
        ("!", "roll before building, for a point"),
        ("Bh3", "put a black tower on h3"),
        ("r3h", "put a red house on field 3h"),
        ("&3h", "join the city of field 3h"),
        ("&-", "join no city"),
        ("land-water", "play “Towers by the water”"),
        ("-city-7", "discard “7 fields or more”"),
        ("^cities", "swap out “Cities”"),
        (".", "done"),
        ("=-", "choose no city"),
        ("*Br?", "roll a black tower, a red house and a free choice"),
    ],
)
def test_an_action_is_said_as_a_player_would(word: str, words: str) -> None:
    """In a few words."""
    assert say(parse(word)) == words


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (
            Rolled(Seat(0), Roll(None, (Colour.RED, None))),
            "Ada rolled a red house and a free choice.",
        ),
        (RolledEarly(Seat(1), 1), "Bruno rolled before building and lost 1 point."),
        (RolledEarly(Seat(1), 0), "Bruno rolled before building and lost nothing."),
        (Closed(Seat(0), (Field("3h"),)), "Ada closed a city of 1 field."),
        (
            PalacesBuilt(Field("3h"), (Colour.RED, Colour.RED, Colour.BLUE)),
            "The houses became 2 red palaces and a blue palace.",
        ),
        (Cleared(Field("3h"), (Line("g4-h3"),), ()), "1 wall went back to the supply."),
        (Joined(Seat(2), Field("3h"), None), "Clara did not join the city."),
        (Drawn(Seat(2), None), "Clara drew a card."),
        (Appointed(Seat(2)), "Clara will go first."),
        (Finished(Seat(2)), "Clara finished."),
        (Drawn(Seat(2), Card.CITIES), "Clara drew “Cities”."),
        (Played(Seat(3), Card.CITY_2, 7), "Dora played “Exactly 2 fields” for 7 points."),
    ],
)
def test_an_event_is_told_in_a_sentence(event: mauerbauer.Event, words: str) -> None:
    """With the players' names."""
    assert tell(event, NAMES) == words


def test_a_player_is_asked_and_the_others_are_told_who(start_board: StartBoard) -> None:
    """The question names what matters for the answer."""
    table = start_board()
    asked = [ask(table.view(0), NAMES)]
    table.play("0:h3-j3 ~:*Br?")
    asked.append(ask(table.view(0), NAMES))

    assert asked == [
        "It is your turn. Where do you build?",
        (
            "The dice show a black tower, a red house and a free choice. "
            "Where does the black tower go?"
        ),
    ]
    assert ask(table.view(1), NAMES) == (
        "Ada rolled a black tower, a red house and a free choice and is placing a tower."
    )
    assert Tower.BLACK.value in table.legal(0)


HOUSES = (1, 1, 1, 1, 0)
"""There is no red house left."""


@pytest.mark.rule("MB-25", "MB-26", "MB-27")
@pytest.mark.parametrize(
    ("roll", "first", "second"),
    [
        (
            "*bp",
            "The dice show a blue house and a pink house. Where does the blue house go?",
            "The dice show a blue house and a pink house. The pink house goes on field 3g.",
        ),
        (
            "*??",
            "The dice show two free choices. Where does your free choice go?",
            "The dice show two free choices. Which house goes on field 3g?",
        ),
        (
            "*r?",
            "There is no red house left. Where does a house of your choice go?",
            "The dice show a red house and a free choice. Which house goes on field 3g?",
        ),
        (
            "*?r",
            "The dice show a free choice and a red house. Where does your free choice go?",
            "There is no red house left. Which house goes on field 3g?",
        ),
    ],
)
def test_a_house_is_asked_for_by_its_colour(
    start_board: StartBoard, roll: str, first: str, second: str
) -> None:
    """The die in question, or a free choice for `?` and for what is out (MB-25 to MB-27)."""
    table = start_board(towers="Wg4 Gh3", supply=Supply(9, (5, 5, 5), HOUSES, (3,) * 5))
    table.play(f"0:g4-h3 ~:{roll}")
    asked = [ask(table.view(0), NAMES)]
    table.play("0:b3h")
    asked.append(ask(table.view(0), NAMES))

    assert asked == [first, second]


@pytest.mark.rule("MB-19", "MB-23")
def test_dice_that_agree_and_towers_that_are_out(start_board: StartBoard) -> None:
    """Two houses of a colour are told apart; a tower that is out gives a choice (MB-19, MB-23)."""
    table = start_board(supply=Supply(9, (5, 5, 0), (2,) * 5, (3,) * 5))
    table.play("0:g4-h3 ~:*Bbb")
    asked = [ask(table.view(0), NAMES)]
    table.play("0:Wg4 0:Wh3")
    asked.append(ask(table.view(0), NAMES))
    table.play("0:b3h")
    asked.append(ask(table.view(0), NAMES))

    assert asked == [
        "There is no black tower left. Where does a tower of your choice go?",
        "The dice show two blue houses. Where does the first blue house go?",
        "The dice show two blue houses. The second blue house goes on field 3g.",
    ]


@pytest.mark.rule("MB-72")
def test_the_second_of_two_last_cards_is_asked_for_as_such(start_board: StartBoard) -> None:
    """Up to two cards at first, then another one (MB-72)."""
    table = start_board(
        towers="Wg4 Gh3", hands="land-red land-walls cities; cities", supply=LAST_WALL
    )
    table.play("0:g4-h3 ~:*bp 0:b3h 0:p3g")
    asked = [ask(table.view(0), NAMES)]
    table.play("0:land-red")
    asked.append(ask(table.view(0), NAMES))

    assert asked == [
        "The last scoring: you may play up to two cards.",
        "The last scoring: do you play another card?",
    ]
