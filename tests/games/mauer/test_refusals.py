"""Die Mauer, moves that are refused: each names the clause that forbids it."""

import pytest
from tests.games.mauer.conftest import FULL, StartMauer
from tests.support.game_table import AnyTable, StartTable

from mauerwerk.core.errors import IllegalMoveError, NotAWordError
from mauerwerk.core.game import AnyGame, Seat
from mauerwerk.games import mauer
from mauerwerk.games.mauer.values import ACTIONS

HANDS = "TC1 C26 C346"

# The words that lead there, the move that is refused, and the clause.
REFUSALS = [
    ("", "0:6", "DM-5"),  # not in this hand
    ("", "0:>", "DM-5"),
    ("", "0:!1", "DM-5"),
    ("", "1:*C", "DM-5"),
    ("", "~:@1", "DM-5"),
    ("", "3:-", "DM-5"),  # no such seat
    ("0:T", "0:T", "DM-5"),  # the fist is closed
    ("0:T", "0:-", "DM-5"),
    ("0:1 1:C 2:C", "1:>", "DM-17"),  # the master builder builds
    ("0:1 1:C 2:C", "0:1", "DM-17"),
    ("0:1 1:C 2:C", "0:-", "DM-17"),
    ("0:1 1:C 2:C", "0:!1", "DM-17"),
    ("0:1 1:C 2:C", "0:*1", "DM-17"),
    ("0:C 1:C 2:6", "0:<", "DM-17"),  # the rival builds
    ("0:C 1:C 2:3", "1:>", "DM-9"),  # a gate beside the tower
    ("0:C 1:6 2:3", "0:>", "DM-9"),
    ("0:- 1:6 2:3 0:!T", "0:>", "DM-9"),  # chosen, and then the wrong end
    ("0:- 1:6 2:3", "0:!6", "DM-18"),  # not in this hand
    ("0:- 1:6 2:3", "1:!6", "DM-18"),  # a rival does not choose
    ("0:- 1:6 2:3", "0:1", "DM-18"),
    ("0:- 1:6 2:3", "0:<", "DM-18"),
    ("0:- 1:6 2:3", "0:-", "DM-18"),
    ("0:- 1:- 2:3", "1:*T", "DM-19"),  # not in this hand
    ("0:- 1:- 2:3", "0:*C", "DM-19"),  # the receiver
    ("0:- 1:- 2:3", "2:*C", "DM-19"),  # a rival with a piece
    ("0:- 1:- 2:3", "1:C", "DM-19"),
    ("0:- 1:- 2:3", "1:-", "DM-19"),
    ("0:- 1:- 2:3", "1:>", "DM-19"),
]


@pytest.fixture
def game() -> AnyGame:
    return mauer


def refuse(table: AnyTable, move: str) -> IllegalMoveError:
    """Try the move; nothing may have changed."""
    before = table.state
    with pytest.raises(IllegalMoveError) as refused:
        table.play(move)
    assert table.state is before
    return refused.value


@pytest.mark.rule("DM-5", "DM-9", "DM-17", "DM-18", "DM-19")
@pytest.mark.parametrize(("words", "move", "clause"), REFUSALS)
def test_a_forbidden_move_names_its_clause(
    mauer_table: StartMauer, words: str, move: str, clause: str
) -> None:
    """Who, what and why are in the error, and nothing has changed (DM-5 to DM-19)."""
    table = mauer_table(wall="4T", hands=HANDS)
    table.play(words)

    assert table.why_not(move) == clause
    refused = refuse(table, move)

    who, _, word = move.partition(":")
    assert refused.clause == clause
    assert refused.word == word
    assert refused.seat == (-1 if who == "~" else int(who))
    assert str(refused) == (
        f"{'nature' if who == '~' else f'seat {int(who) + 1}'} may not play {word!r} here: "
        f"{mauer.CLAUSES[clause]} ({clause})"
    )


@pytest.mark.rule("DM-9", "DM-18")
def test_a_choice_must_fit_somewhere(mauer_table: StartMauer) -> None:
    """A tower that he holds but that fits nowhere is refused by the building code (DM-9)."""
    table = mauer_table(wall="T4C", hands=f"T1 {FULL} {FULL}")
    table.open_fists("-44")

    assert table.legal(0) == "!1"
    assert refuse(table, "0:!T").clause == "DM-9"


@pytest.mark.rule("DM-8")
@pytest.mark.parametrize(("plans", "builder"), [("T46", 0), ("446", 1), ("444", 1)])
def test_the_first_piece_has_no_left_end(mauer_table: StartMauer, plans: str, builder: int) -> None:
    """On the empty table `<` is refused, for there is only one way to begin (DM-8)."""
    table = mauer_table()
    table.open_fists(plans)

    assert refuse(table, f"{builder}:<").clause == "DM-8"


@pytest.mark.rule("DM-3")
@pytest.mark.parametrize("move", ["0:T", "0:-", "0:@0", "~:T", "~:-", "~:@3", "~:@5"])
def test_before_the_lot_nothing_else_happens(start_table: StartTable, move: str) -> None:
    """Only nature moves, and only a seat at this table can be drawn (DM-3)."""
    table = start_table(3, first="lot")

    assert table.why_not(move) == "DM-3"
    assert refuse(table, move).clause == "DM-3"


@pytest.mark.rule("DM-17")
def test_builders_keep_to_their_order(mauer_table: StartMauer) -> None:
    """The second rival cannot build before the first (DM-17)."""
    table = mauer_table()
    table.open_fists("444")

    assert refuse(table, "2:>").clause == "DM-17"
    table.play("1:>")
    assert table.why_not("2:>") == ""
    assert refuse(table, "1:>").clause == "DM-17"


@pytest.mark.rule("DM-5", "DM-17", "DM-18", "DM-19")
@pytest.mark.parametrize("words", ["", "0:T", "0:- 1:6 2:3", "0:1 1:C 2:C", "0:- 1:- 2:3"])
def test_what_is_legal_is_what_nothing_forbids(mauer_table: StartMauer, words: str) -> None:
    """`legal` and `why_not` agree about every word and every seat."""
    table = mauer_table(wall="4T", hands=HANDS)
    table.play(words)

    for seat in (Seat(-1), Seat(0), Seat(1), Seat(2), Seat(3)):
        allowed = mauer.legal(table.state, seat)
        for action in ACTIONS:
            assert (mauer.why_not(table.state, seat, action) == "") == (action in allowed)


def test_every_clause_that_can_forbid_a_move_is_shown_here() -> None:
    """DM-3 and DM-8 have separate tests here, DM-28 is tested with the end of the game."""
    shown = {clause for _, _, clause in REFUSALS} | {"DM-3", "DM-8", "DM-28"}

    assert shown == set(mauer.CLAUSES)


def test_what_is_no_word_is_no_move(table: AnyTable) -> None:
    """A word that the notation does not know is refused before the rules are asked."""
    before = table.state

    with pytest.raises(NotAWordError, match="'5' is not a move"):
        table.play("0:5")
    assert table.state is before
