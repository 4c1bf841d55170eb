"""Die Mauer, material and set-up: DM-1 to DM-4, and the options' bounds."""

import pytest
from tests.games.mauer.conftest import FULL, StartMauer, letters
from tests.support.game_table import AnyTable, StartTable

from mauerwerk.core import record
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import NATURE, AnyGame, Seat, Setup
from mauerwerk.core.options import from_words
from mauerwerk.games import GAMES, mauer
from mauerwerk.games.mauer.events import Appointed, RoundEnded
from mauerwerk.games.mauer.values import Appoint, Options


@pytest.fixture
def game() -> AnyGame:
    return mauer


@pytest.mark.rule("DM-1")
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_everybody_begins_with_the_same_seven_pieces(start_table: StartTable, seats: int) -> None:
    """3 to 6 play; each has tower, gate and the walls 1, 2, 3, 4 and 6, none has a 5 (DM-1)."""
    hands = start_table(seats).state.table.hands

    assert [letters(hand) for hand in hands] == ["TC12346"] * seats


@pytest.mark.rule("DM-1")
@pytest.mark.parametrize("seats", [-1, 0, 2, 7])
def test_neither_two_nor_seven_can_play(start_table: StartTable, seats: int) -> None:
    """Fewer than 3 or more than 6 are refused (DM-1)."""
    with pytest.raises(SetupError, match=rf"^mauer is for 3 to 6 seats, not {seats}$"):
        start_table(seats)


@pytest.mark.rule("DM-1", "DM-25")
def test_a_miniature_has_fewer_pieces_in_every_round(start_table: StartTable) -> None:
    """A table can agree on a smaller set; the next round begins with it too (DM-1, DM-25)."""
    table = start_table(pieces="T1", rounds="2")
    assert table.legal(0) == "T 1 -"

    told = table.play("0:1 1:1 2:T 1:>  0:1 1:T 2:1 1:<")

    assert [letters(hand) for hand in told.only(RoundEnded).hands] == ["T1", "", "T1"]
    assert [letters(hand) for hand in table.state.table.hands] == ["T1"] * 3


@pytest.mark.rule("DM-1")
def test_a_record_names_the_pieces_only_where_they_are_fewer() -> None:
    """Records from before there were miniatures stay as they are, to the letter (DM-1)."""
    whole, fewer = (
        record.Record("mauer", 1, Setup(3, options))
        for options in (Options(), Options(pieces="T1"))
    )

    assert record.write(mauer, whole) == "mauer/1 seats=3 rounds=4 first=0 stall=24\n"
    assert record.write(mauer, fewer) == "mauer/1 seats=3 rounds=4 first=0 stall=24 pieces=T1\n"
    assert record.read(record.write(mauer, fewer), GAMES) == fewer


@pytest.mark.rule("DM-2")
def test_a_plan_names_a_kind_not_a_copy(mauer_table: StartMauer) -> None:
    """Two of a kind are one plan; building it takes one of them away (DM-2)."""
    table = mauer_table(hands=f"C44 {FULL} {FULL}")

    assert table.legal(0) == "C 4 -"
    table.play("0:4 1:T 2:T 0:>")
    assert (table.wall, table.hands) == ("4", f"C4 {FULL} {FULL}")


@pytest.mark.rule("DM-3")
def test_the_first_seat_is_master_builder_unless_the_table_says_otherwise(table: AnyTable) -> None:
    """Without a choice seat 0 stands for the youngest (DM-3)."""
    assert table.state.table.master == 0
    assert table.to_act == (0, 1, 2)


@pytest.mark.rule("DM-3")
def test_a_table_names_the_first_master_builder(start_table: StartTable) -> None:
    """A seat can be chosen to begin (DM-3)."""
    assert start_table(6, first="5").state.table.master == 5


@pytest.mark.rule("DM-3")
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_the_lot_may_fall_on_every_seat_and_on_each_as_likely(
    start_table: StartTable, seats: int
) -> None:
    """Nature draws the first master builder, everybody with the same odds (DM-3)."""
    table = start_table(seats, first="lot")

    assert table.to_act == (NATURE,)
    assert table.game.odds(table.state) == {Appoint(Seat(seat)): 1 for seat in range(seats)}
    assert table.legal(NATURE) == " ".join(f"@{seat}" for seat in range(seats))


@pytest.mark.rule("DM-3")
def test_the_lot_is_drawn_before_anything_else_and_told_to_all(start_table: StartTable) -> None:
    """Nobody plans before the lot; then the one it fell on has the stone (DM-3)."""
    table = start_table(4, first="lot")

    assert [table.legal(seat) for seat in range(4)] == ["", "", "", ""]
    told = table.play("~:@2")

    assert [told.only(Appointed, who).master for who in table.viewers] == [2] * 5
    assert table.state.table.master == 2
    assert table.to_act == (0, 1, 2, 3)
    assert table.game.odds(table.state) == {}


@pytest.mark.rule("DM-4")
def test_a_game_is_four_rounds_unless_the_table_says_otherwise(start_table: StartTable) -> None:
    """Four rounds are the default (DM-4)."""
    assert start_table().state.table.options.rounds == 4


@pytest.mark.rule("DM-4")
@pytest.mark.parametrize("rounds", [1, 5, 10])
def test_the_game_ends_with_its_last_round_and_not_before(
    mauer_table: StartMauer, rounds: int
) -> None:
    """As many rounds are played as the table chose, from 1 to 10 (DM-4)."""
    played = ((1, 2, 3),) * (rounds - 1)
    last = mauer_table(hands="1 T T", scores=played, rounds=str(rounds))
    last_but_one = mauer_table(hands="1 T T", scores=played[1:], rounds=str(rounds))

    last.play("0:1 1:T 2:T 0:>")
    assert last.outcome is not None
    if rounds > 1:
        last_but_one.play("0:1 1:T 2:T 0:>")
        assert last_but_one.outcome is None


@pytest.mark.rule("DM-27")
def test_a_round_stalls_after_24_turns_unless_the_table_says_otherwise(
    start_table: StartTable,
) -> None:
    """24 turns are the default (DM-27)."""
    assert start_table().state.table.options.stall == 24


@pytest.mark.rule("DM-3", "DM-4", "DM-27")
@pytest.mark.parametrize(
    ("option", "word", "refusal"),
    [
        ("rounds", "0", "option rounds can be 1 to 10, not 0"),
        ("rounds", "11", "option rounds can be 1 to 10, not 11"),
        ("rounds", "many", "option rounds can be 1 to 10, not many"),
        ("first", "-1", "option first can be 0 to 5 or lot, not -1"),
        ("first", "6", "option first can be 0 to 5 or lot, not 6"),
        ("first", "youngest", "option first can be 0 to 5 or lot, not youngest"),
        ("stall", "0", "option stall can be 1 to 1000 or off, not 0"),
        ("stall", "1001", "option stall can be 1 to 1000 or off, not 1001"),
        ("stall", "never", "option stall can be 1 to 1000 or off, not never"),
        (
            "walls",
            "5",
            "there is no option 'walls', only rounds, first, stall, pieces and penalties",
        ),
    ],
)
def test_an_option_out_of_bounds_is_refused_by_name(option: str, word: str, refusal: str) -> None:
    """The message names the option and what is allowed (DM-3, DM-4, DM-27)."""
    with pytest.raises(SetupError) as refused:
        from_words(Options, {option: word})

    assert str(refused.value) == refusal


@pytest.mark.rule("DM-3", "DM-4", "DM-27")
@pytest.mark.parametrize(
    ("options", "refusal"),
    [
        (Options(rounds=0), "option rounds can be 1 to 10, not 0"),
        (Options(rounds=11), "option rounds can be 1 to 10, not 11"),
        (Options(rounds=True), "option rounds can be 1 to 10, not yes"),
        (Options(first=6), "option first can be 0 to 5 or lot, not 6"),
        (Options(first=4), "option first can be 0 to 3 or lot at 4 seats, not 4"),
        (Options(stall=0), "option stall can be 1 to 1000 or off, not 0"),
        (Options(stall=1001), "option stall can be 1 to 1000 or off, not 1001"),
        (
            Options(pieces=""),
            "option pieces can be some of TC12346, in this order, up to 3 of each, not ''",
        ),
        (
            Options(pieces="1T"),
            "option pieces can be some of TC12346, in this order, up to 3 of each, not '1T'",
        ),
        (
            Options(pieces="1111"),
            "option pieces can be some of TC12346, in this order, up to 3 of each, not '1111'",
        ),
        (
            Options(pieces="T5"),
            "option pieces can be some of TC12346, in this order, up to 3 of each, not 'T5'",
        ),
    ],
)
def test_a_game_does_not_start_with_an_option_out_of_bounds(options: Options, refusal: str) -> None:
    """Options that no words went through are checked too (DM-3, DM-4, DM-27)."""
    with pytest.raises(SetupError) as refused:
        mauer.start(Setup(4, options))

    assert str(refused.value) == refusal


@pytest.mark.rule("DM-3", "DM-4", "DM-27")
@pytest.mark.parametrize(
    ("option", "word"),
    [
        *(("rounds", word) for word in ("1", "10")),
        *(("first", word) for word in ("0", "5", "lot")),
        *(("stall", word) for word in ("1", "1000", "off")),
        *(("pieces", word) for word in ("T", "6", "TC12346")),
    ],
)
def test_an_option_at_its_bounds_is_allowed(
    start_table: StartTable, option: str, word: str
) -> None:
    """The first and the last value that a clause allows can be played (DM-3, DM-4, DM-27)."""
    state = start_table(6, **{option: word}).state
    chosen = state.options if word == "lot" else state.table.options

    assert str(getattr(chosen, option)) == word
