"""Burgbaumeister on paper: words, sentences, questions, numbers."""

import pytest
from tests.support.castle_table import StartCastle

from mauerwerk.core.errors import NotAWordError
from mauerwerk.core.game import NATURE, Seat, Setup
from mauerwerk.games import burgbaumeister as bb
from mauerwerk.games.burgbaumeister.events import Shown
from mauerwerk.games.burgbaumeister.numbering import number
from mauerwerk.games.burgbaumeister.values import (
    ACTIONS,
    Add,
    Appoint,
    Fire,
    HoldFire,
    Insert,
    Leave,
    Show,
    Spread,
    Turn,
)

NAMES = ["Ada", "Bo", "Cem"]

WORDS = [
    ("a1", Turn(0), "turn the card at a1"),
    ("i1", Turn(8), "turn the card at i1"),
    ("a2", Turn(9), "turn the card at a2"),
    ("i5", Turn(44), "turn the card at i5"),
    ("44", Show(44), "show 44"),
    ("+", Add(), "add it"),
    ("^", Insert(), "have the wizard insert it"),
    ("-", Leave(), "leave it"),
    ("x31", Fire(31), "destroy 31"),
    ("x-", HoldFire(), "hold fire"),
    ("@2", Appoint(Seat(2)), "let seat 3 begin"),
    ("L17", Spread(17), "spread the cards in layout 17"),
]


@pytest.mark.parametrize(("word", "action", "said"), WORDS)
def test_a_word_an_action_and_how_it_is_said(word: str, action: bb.Action, said: str) -> None:
    assert (bb.write(action), bb.parse(word), bb.say(action)) == (word, action, said)


@pytest.mark.parametrize("word", ["", "A1", "j1", "a6", "1", "47", "044", "x", "x1", "@4", "L64"])
def test_what_is_not_a_word_is_refused(word: str) -> None:
    with pytest.raises(NotAWordError, match="is not a move: a place is a1 to i5"):
        bb.parse(word)


def test_every_action_has_a_word_and_a_number_of_its_own() -> None:
    assert len({bb.write(action) for action in ACTIONS}) == len(ACTIONS) == 207
    assert [number(action) for action in ACTIONS] == list(range(207))
    assert [number(Add()), number(Leave())] == [45, 47]


def test_the_story_of_a_game(castle: StartCastle) -> None:
    """Each event is a sentence; the turning itself goes without saying."""
    table = castle("4 17 30 | 5 7 | .", variant="yes", spell=0)
    told = table.play("0:a1 ~:13 0:^ 0:x5  1:b1 ~:44 1:-  2:b1 ~:44 2:+  0:c1 ~:36 0:+ 0:x-")

    assert [line for event in told[None] if (line := bb.tell(event, NAMES))] == [
        "Ada turned up a1: 13, a cannon.",
        "Ada's wizard inserted 13, a cannon.",
        "Ada fired at Bo and hit 5, a damsel.",
        "Bo turned up b1: 44, the king.",
        "Bo left the card.",
        "Cem turned up b1: 44, the king.",
        "Cem added 44, the king.",
        "Ada turned up c1: 36, a cannon.",
        "Ada added 36, a cannon.",
        "Ada held fire.",
    ]


def test_the_beginning_and_the_end_are_told(castle: StartCastle) -> None:
    state = bb.start(Setup(2, bb.Options(first="lot", depot="chaotic")))
    told = [bb.apply(state, NATURE, bb.parse("@1"))]
    told.append(bb.apply(told[0].state, NATURE, bb.parse("L3")))
    end = castle("40 | 41", remaining="6 39").play("0:a1 ~:6 0:-")

    assert [bb.tell(step.events[0], NAMES) for step in told] == [
        "Bo will go first.",
        "The cards lie scattered across the table.",
    ]
    assert bb.tell(end[None][-1], NAMES) == (
        "The game is over: no card that is left fits any wall."
    )


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("", "It is your turn. Which card do you turn?"),
        ("0:a1 ~:44", "You turned up 44, the king. Do you add it?"),
        ("0:a1 ~:8", "You turned up 8. Does your wizard insert it?"),
        ("0:a1 ~:36 0:+", "Your cannon is loaded. Which card do you destroy?"),
        ("0:a1 ~:44 0:-", "Bo is choosing a card to turn."),
        ("0:a1", "A card is being turned."),
    ],
)
def test_what_the_table_asks(castle: StartCastle, words: str, asked: str) -> None:
    table = castle("4 17 30 | 5 7", variant="yes", spell=0)
    table.play(words)

    assert bb.ask(table.view(0), NAMES) == asked


@pytest.mark.rule("BB-20")
def test_in_the_basic_game_a_card_is_its_number(castle: StartCastle) -> None:
    """Pictures come to life with the variant; before, nobody speaks of them (BB-20)."""
    table = castle("4 17 | 5 7")
    told = table.play("0:c4 ~:44")
    asked = bb.ask(table.view(0), NAMES)
    told_later = table.play("0:+")

    assert [bb.tell(event, NAMES) for event in told[None]] == ["", "Ada turned up c4: 44."]
    assert asked == "You turned up 44. Do you add it?"
    assert [bb.tell(event, NAMES) for event in told_later[None]] == ["Ada added 44."]
    assert {card.picture for wall in table.view(None).walls for card in wall} == {None}


@pytest.mark.rule("BB-9")
def test_where_a_card_lay_is_said_once(castle: StartCastle) -> None:
    """The card is told when it is turned; leaving it does not reveal it again (BB-9)."""
    told = castle("4 | 5 7", variant="yes").play("0:c4 ~:10 0:-")

    for event in told[1]:
        words = bb.tell(event, NAMES)
        assert ("c4" in words) is ("10" in words) is isinstance(event, Shown)
    assert bb.tell(told[1][-1], NAMES) == "Ada left the card."


def test_you_are_spoken_to_as_you(castle: StartCastle) -> None:
    table = castle("4 17 30 | 5 7", variant="yes", spell=0)
    told = table.play("0:a1 ~:13 0:^")

    assert bb.tell(told[0][-1], ["you", "Bo"]) == "Your wizard inserted 13, a cannon."


def test_a_card_that_is_too_low_needs_no_question(castle: StartCastle) -> None:
    table = castle("4 30 | 5 7")
    table.play("0:a1 ~:8")

    assert bb.ask(table.view(0), NAMES) == "You turned up 8. It is too low for your wall."
    assert bb.ask(table.view(None), NAMES) == "Ada turned up 8."


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("", "Ada is choosing a card to turn."),
        ("0:a1 ~:44", "Ada turned up 44, the king."),
        ("0:a1 ~:36 0:+", "Ada may fire a cannon."),
    ],
)
def test_the_others_are_told_what_is_being_done(castle: StartCastle, words: str, told: str) -> None:
    """Nobody merely waits while a card lies open."""
    table = castle("4 17 30 | 5 7", variant="yes", spell=0)
    table.play(words)

    assert {bb.ask(table.view(who), NAMES) for who in (None, 1)} == {told}
