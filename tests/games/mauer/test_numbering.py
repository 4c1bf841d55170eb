"""Die Mauer in integers: a number per action."""

from tests.games.mauer.conftest import StartMauer

from mauerwerk.core.game import Seat
from mauerwerk.games import mauer
from mauerwerk.games.mauer.numbering import number
from mauerwerk.games.mauer.values import ACTIONS


def test_every_action_has_a_number_of_its_own() -> None:
    """The numbers are 0, 1, 2, ... without a gap, in the order of `ACTIONS`."""
    assert [number(action) for action in ACTIONS] == list(range(len(ACTIONS)))


def test_the_numbers_keep_to_the_words_they_have_always_had() -> None:
    """Learners and kernels keep what they learnt: the order of the words does not change."""
    words = " ".join(mauer.write(action) for action in ACTIONS)

    assert words == (
        "T C 1 2 3 4 6 - !T !C !1 !2 !3 !4 !6 < > *T *C *1 *2 *3 *4 *6 @0 @1 @2 @3 @4 @5"
    )


def test_legal_actions_are_in_the_order_of_their_numbers(mauer_table: StartMauer) -> None:
    """Learners mark them without sorting."""
    table = mauer_table(wall="T4C", hands="C246 T C")

    for words in ("", "0:- 1:T 2:C", "0:!4"):
        table.play(words)
        numbers = [number(action) for action in mauer.legal(table.state, Seat(0))]
        assert numbers == sorted(numbers)
