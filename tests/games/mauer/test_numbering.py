"""Die Mauer in integers: a number per action, and masks."""

from tests.games.mauer.conftest import StartMauer

from mauerwerk.core.game import Seat
from mauerwerk.games import mauer
from mauerwerk.games.mauer.numbering import mask, number
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


def test_a_mask_is_true_where_an_action_is_legal(mauer_table: StartMauer) -> None:
    """Read back through the numbers, a mask gives the legal actions and no other."""
    table = mauer_table(wall="T4C", hands="C246 T C")

    for words in ("", "0:- 1:T 2:C", "0:!4"):
        table.play(words)
        legal = mauer.legal(table.state, Seat(0))
        allowed = mask(legal)
        assert len(allowed) == len(ACTIONS)
        assert tuple(action for action, yes in zip(ACTIONS, allowed, strict=True) if yes) == legal


def test_the_mask_of_who_is_not_asked_is_false_throughout(mauer_table: StartMauer) -> None:
    """Nothing is legal, so nothing is allowed."""
    table = mauer_table()
    table.play("1:T")

    assert mask(mauer.legal(table.state, Seat(1))) == (False,) * len(ACTIONS)


def test_legal_actions_come_in_canonical_order(mauer_table: StartMauer) -> None:
    """The order of `ACTIONS` is the order of `legal`, in every phase."""
    table = mauer_table(wall="44T4", hands="TTC1446 C26 C346")

    for words, seat in (("", 0), ("0:- 1:6 2:4", 0), ("0:!C", 0), ("0:< 0:1 1:- 2:-", 2)):
        table.play(words)
        numbers = [number(action) for action in mauer.legal(table.state, Seat(seat))]
        assert numbers
        assert numbers == sorted(set(numbers))
