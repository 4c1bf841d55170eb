"""What is refused is said in a line that can be read, and can come out of another process."""

import pickle
import re
from typing import Any

import pytest

from mauerwerk.core.errors import IllegalMoveError, NotAWordError, SetupError, StaleMoveError
from mauerwerk.core.game import AnyGame, Seat, Setup
from mauerwerk.core.language import language_of
from mauerwerk.core.options import from_words
from mauerwerk.core.record import RecordError, read
from mauerwerk.games import GAMES, mauer


@pytest.mark.parametrize(
    "error",
    [
        SetupError("{game} is for {seats}", game="Die Mauer", seats=3),
        SetupError("option {x}"),
        NotAWordError("x", "a piece"),
        IllegalMoveError(Seat(1), "T", "DM-9", "not beside a gate"),
        StaleMoveError("the game is over"),
        RecordError("what is this", line=3, word="x", clause="DM-9"),
        RecordError("what is {said}", line=3, word="x", said="this"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_can_travel(error: Exception) -> None:
    """Else a worker that meets one takes all others of its pool with it."""
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own

    assert type(again) is type(error)
    assert (str(again), vars(again)) == (str(error), vars(error))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_word_is_not_an_action(game: AnyGame) -> None:
    """The error says that `parse` was forgotten, and does not cite a clause."""
    state = game.start(Setup(game.SEATS[0], game.OPTIONS()))
    seat = game.to_act(state)[0]
    word: Any = game.write(game.legal(state, seat)[0])

    with pytest.raises(TypeError, match=re.escape(f"{word!r} is not an action; the game's")):
        game.apply(state, seat, word)


def test_an_error_that_has_travelled_is_told_in_any_language() -> None:
    """With what the option takes."""
    with pytest.raises(SetupError) as refused:
        from_words(mauer.Options, {"stall": "never"})
    again = pickle.loads(pickle.dumps(refused.value))  # noqa: S301 - our own

    assert str(again) == "option stall can be 1 to 1000 or off, not never"
    told = again.told(language_of("de"))
    assert told == "Option stall kann 1 bis 1000 oder off sein, nicht never"


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("9" * 5_000, "not '999999999999...9999999999999'"),
        ("\udcff", r"not '\udcff'"),
        ("\x1b[31m", r"not '\x1b[31m'"),
        ("three", "not three"),
    ],
)
def test_a_word_for_an_option_is_refused_legibly(word: str, said: str) -> None:
    """However long it is, and whatever a terminal would make of it."""
    with pytest.raises(SetupError, match="option rounds can be 1 to 10") as refused:
        from_words(mauer.Options, {"rounds": word})

    assert str(refused.value).endswith(said)


def test_a_record_with_a_long_number_is_no_record() -> None:
    """As with any other word that is wrong."""
    with pytest.raises(RecordError, match="option rounds"):
        read(f"mauer/1 seats=3 rounds={'9' * 5_000}", GAMES)
