"""Die Mauer on paper: words for actions, sentences for actions, events and questions."""

import pytest
from tests.games.mauer.conftest import StartMauer
from tests.support.game_table import SPECTATOR

from mauerwerk.core.errors import NotAWordError
from mauerwerk.games import mauer
from mauerwerk.games.mauer.values import ACTIONS, Appoint, Build, Choose, End, Give, Piece, Plan

NAMES = ("Anna", "Ben", "Clara")


@pytest.mark.parametrize("action", ACTIONS, ids=mauer.write)
def test_what_is_written_is_read_back(action: mauer.Action) -> None:
    """One word per action, without white space, and back."""
    word = mauer.write(action)

    assert word.split() == [word]
    assert mauer.parse(word) == action


def test_no_two_actions_share_a_word_or_a_sentence() -> None:
    """A record, or a player, could not tell them apart."""
    assert len({mauer.write(action) for action in ACTIONS}) == len(ACTIONS)
    assert len({mauer.say(action) for action in ACTIONS}) == len(ACTIONS)


@pytest.mark.parametrize(
    ("word", "kind", "said"),
    [
        ("T", Plan, "plan the tower"),
        ("6", Plan, "plan a 6"),
        ("-", Plan, "close an empty fist"),
        ("!4", Choose, "build a 4"),
        ("<", Build, "build at the left end"),
        (">", Build, "build at the right end"),
        ("*C", Give, "give away the gate"),
        ("@2", Appoint, "appoint seat 3 master builder"),
    ],
)
def test_a_word_and_what_a_player_would_say(word: str, kind: type, said: str) -> None:
    """Each kind of action has its own form."""
    action = mauer.parse(word)

    assert type(action) is kind
    assert mauer.say(action) == said


@pytest.mark.parametrize("word", ["", "5", "t", "!", "!5", "!-", "*", "*-", "@6", "@-1", "<>"])
def test_anything_else_is_not_a_word(word: str) -> None:
    """The error names the word and shows what would have been one."""
    with pytest.raises(NotAWordError) as refused:
        mauer.parse(word)

    assert refused.value.word == word
    expected = "a plan is T C 1 2 3 4 6 or -, then there are !4, < or > and *C"
    assert str(refused.value) == f"{word!r} is not a move: {expected}"


def test_pieces_and_ends_are_their_letters() -> None:
    """The word of a piece is the letter or number on it."""
    assert "".join(piece.value for piece in Piece) == "TC12346"
    assert [end.value for end in End] == ["<", ">"]


@pytest.mark.parametrize(
    ("words", "story"),
    [
        (
            "0:4 1:4 2:- 1:>",
            [
                "Anna planned a 4; Ben guessed it; Clara showed nothing.",
                "Ben built a 4 at the right end.",
                "The master builder's stone passed to Ben.",
            ],
        ),
        (
            "0:- 1:T 2:- 2:*C",
            [
                "Anna planned nothing; Clara also showed an empty fist; Ben showed the tower.",
                "Clara gave Anna a piece in secret.",
                "The master builder's stone passed to Ben.",
            ],
        ),
        (
            "0:- 1:T 2:1 0:!6 0:>",
            [
                "Anna planned nothing; Ben showed the tower; Clara showed a 1.",
                "Anna chose a 6.",
                "Anna built a 6 at the right end.",
                "The master builder's stone passed to Ben.",
            ],
        ),
        (
            "0:- 1:- 2:-",
            [
                "Anna planned nothing; Ben and Clara also showed an empty fist.",
                "Too many empty fists: nothing happens.",
                "The master builder's stone passed to Ben.",
            ],
        ),
    ],
)
def test_a_turn_is_told_in_sentences(mauer_table: StartMauer, words: str, story: list[str]) -> None:
    """To a spectator, with the players' names; closing a fist goes without saying."""
    told = mauer_table().play(words)

    sentences = [mauer.tell(event, NAMES) for event in told[SPECTATOR]]
    assert [sentence for sentence in sentences if sentence] == story


def test_the_giver_is_told_what_was_given(mauer_table: StartMauer) -> None:
    """The same event, told to one who knows."""
    told = mauer_table().play("0:- 1:T 2:- 2:*C")

    assert "Clara gave Anna the gate in secret." in [mauer.tell(event, NAMES) for event in told[2]]
    assert "Clara gave Anna a piece in secret." in [mauer.tell(event, NAMES) for event in told[1]]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("0:T 1:T 2:T", "It fits nowhere, so nobody builds."),
        ("0:- 1:T 2:T", "Nothing the master builder holds fits anywhere, so nobody builds."),
        ("0:- 1:- 2:-", "Too many empty fists: nothing happens."),
    ],
)
def test_it_is_told_why_nobody_builds(mauer_table: StartMauer, words: str, sentence: str) -> None:
    """Each reason has its sentence."""
    told = mauer_table(wall="T4C", hands="TC T1 T").play(words)

    assert sentence in [mauer.tell(event, NAMES) for event in told[SPECTATOR]]


@pytest.mark.parametrize(
    ("wall", "hands", "words", "reason", "points"),
    [
        ("4", "1 T C", "0:1 1:T 2:C 0:<", "a hand is empty", "Anna 0, Ben 15, Clara 10"),
        ("T4C", "T T C", "0:T 1:T 2:C", "no piece fits any more", "Anna 15, Ben 15, Clara 10"),
        ("4", "1 T C", "0:- 1:- 2:-", "nothing was built for too long", "Anna 1, Ben 15, Clara 10"),
    ],
)
def test_it_is_told_why_a_round_ended_and_what_it_cost(  # noqa: PLR0913 - a position and its story
    mauer_table: StartMauer, *, wall: str, hands: str, words: str, reason: str, points: str
) -> None:
    """Each reason has its sentence, and everybody their points."""
    told = mauer_table(wall=wall, hands=hands, idle=23).play(words)

    sentence = f"The round is over: {reason}. Penalty points: {points}."
    assert sentence in [mauer.tell(event, NAMES) for event in told[SPECTATOR]]


@pytest.mark.parametrize(
    ("words", "questions"),
    [
        (
            "",
            [
                "Everybody is choosing in secret.",
                "You are the master builder. What do you plan to build?",
                "Anna plans in secret. What do you hold in your fist?",
                "Anna plans in secret. What do you hold in your fist?",
            ],
        ),
        (
            "2:T",
            [
                "Waiting for Anna and Ben.",
                "You are the master builder. What do you plan to build?",
                "Anna plans in secret. What do you hold in your fist?",
                "Your fist is closed around the tower. Waiting for Anna and Ben.",
            ],
        ),
        (
            "0:- 1:T 2:T",
            [
                "Only Anna has an empty fist and is choosing a piece.",
                "Yours is the only empty fist. Which piece do you build?",
                "Only Anna has an empty fist and is choosing a piece.",
                "Only Anna has an empty fist and is choosing a piece.",
            ],
        ),
        (
            "0:T 1:T 2:4",
            [
                "Ben is starting the wall with the tower.",
                "Ben is starting the wall with the tower.",
                "You start with the tower.",
                "Ben is starting the wall with the tower.",
            ],
        ),
        (
            "0:- 1:T 2:-",
            [
                "Clara is choosing a piece for Anna.",
                "Clara is choosing a piece for Anna.",
                "Clara is choosing a piece for Anna.",
                "Only you and Anna have empty fists. What do you give Anna?",
            ],
        ),
    ],
)
def test_everybody_is_asked_what_concerns_them(
    mauer_table: StartMauer, words: str, questions: list[str]
) -> None:
    """Spectator first: who is not asked learns what the others are doing."""
    table = mauer_table()
    table.play(words)

    assert [mauer.ask(table.view(who), NAMES) for who in table.viewers] == questions
