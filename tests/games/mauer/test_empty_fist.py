"""Die Mauer, the empty fist: DM-18 to DM-22."""

import pytest
from tests.games.mauer.conftest import FULL, StartMauer

from mauerwerk.games.mauer.events import Built, Chosen, Given, NobodyBuilds
from mauerwerk.games.mauer.values import Building, Choosing

SIX_FULL = " ".join([FULL] * 6)


@pytest.mark.rule("DM-18")
@pytest.mark.parametrize(
    ("wall", "hand", "choices"),
    [
        ("", FULL, "!T !C !1 !2 !3 !4 !6"),
        ("44T4", "TC6", "!T !C !6"),
        ("4T", "T1", "!T !1"),
        ("T4C", FULL, "!1 !2 !3 !4 !6"),
        ("T4C", "TC3", "!3"),
        ("4", "TTC", "!T !C"),
    ],
)
def test_alone_with_an_empty_fist_the_master_builder_chooses(
    mauer_table: StartMauer, wall: str, hand: str, choices: str
) -> None:
    """He builds any piece of his that fits, and is asked even if only one does (DM-18)."""
    table = mauer_table(wall=wall, hands=f"{FULL} {hand} {FULL}", master=1)

    table.open_fists("4-4")

    assert (table.to_act, table.legal(1)) == ((1,), choices)


@pytest.mark.rule("DM-16", "DM-18")
def test_the_chosen_piece_goes_to_the_end_he_chooses(mauer_table: StartMauer) -> None:
    """Choice of piece, then choice of end: the one case of a piece not shown (DM-16, DM-18)."""
    table = mauer_table(wall="44T", hands=f"C46 {FULL} {FULL}")

    told = table.play("0:- 1:6 2:6 0:!6")
    assert told.only(Chosen).piece.value == "6"
    assert table.legal(0) == "< >"
    told = table.play("0:>")

    assert told.only(Built).seat == 0
    assert (table.wall, table.hands) == ("44T6", f"C4 {FULL} {FULL}")


@pytest.mark.rule("DM-9", "DM-18")
def test_the_chosen_tower_keeps_to_the_building_code(mauer_table: StartMauer) -> None:
    """A chosen tower is offered the one end that is wall, and asked for it (DM-9, DM-18)."""
    table = mauer_table(wall="44T")

    table.play("0:- 1:6 2:6 0:!T")

    assert (table.to_act, table.legal(0)) == ((0,), "<")


@pytest.mark.rule("DM-18")
def test_a_choice_is_not_taken_from_the_master_builder(mauer_table: StartMauer) -> None:
    """Rivals who show the piece he then chooses do not build it (DM-18)."""
    table = mauer_table()

    table.play("0:- 1:6 2:6 0:!6")

    assert isinstance(table.state, Building)
    assert table.state.builders == (0,)


@pytest.mark.rule("DM-18")
@pytest.mark.parametrize("hand", ["T", "C", "TC", "TTCC"])
def test_nothing_is_built_when_nothing_the_master_builder_holds_fits(
    mauer_table: StartMauer, hand: str
) -> None:
    """With towers and gates alone before a closed wall he builds nothing (DM-18)."""
    table = mauer_table(wall="T4C", hands=f"{hand} {FULL} {FULL}")

    told = table.open_fists("-44")

    assert told.only(NobodyBuilds).clause == "DM-18"
    assert (table.wall, table.hands) == ("T4C", f"{hand} {FULL} {FULL}")
    assert (table.master, table.on_table.idle) == (1, 1)


@pytest.mark.rule("DM-19")
@pytest.mark.parametrize(("plans", "giver"), [("--4", 1), ("-4-", 2)])
def test_the_one_rival_with_an_empty_fist_too_gives_a_piece(
    mauer_table: StartMauer, plans: str, giver: int
) -> None:
    """Nothing is built; that rival, and nobody else, chooses a piece to give (DM-19)."""
    table = mauer_table(wall="T4C", hands=f"C {FULL} {FULL}")

    told = table.open_fists(plans)
    assert (table.to_act, table.legal(giver)) == ((giver,), "*T *C *1 *2 *3 *4 *6")
    told = table.play(f"{giver}:*T")

    assert told.of(Built) == ()
    assert table.wall == "T4C"
    assert table.hands.split()[0] == "TC"
    assert table.hands.split()[giver] == "C12346"


@pytest.mark.rule("DM-19")
def test_the_master_builder_must_take_the_gift(mauer_table: StartMauer) -> None:
    """He is not asked: with the gift the turn is over (DM-19)."""
    table = mauer_table(master=1, hands=" ".join([FULL] * 4))

    table.play("0:- 1:- 2:T 3:T 0:*T")

    assert table.hands == f"C12346 TTC12346 {FULL} {FULL}"
    assert (table.to_act, table.master) == ((0, 1, 2, 3), 2)


@pytest.mark.rule("DM-2", "DM-19")
def test_two_of_a_kind_after_a_gift_are_one_gift_again(mauer_table: StartMauer) -> None:
    """A hand keeps its order, and a kind is named once, when planning and when giving (DM-2)."""
    table = mauer_table(hands="C4 46 6")

    table.play("0:- 1:- 2:6 1:*4")
    assert table.hands == "C44 6 6"
    assert table.legal(0) == "C 4 -"
    table.play("1:- 0:- 2:6")
    assert (table.to_act, table.legal(0)) == ((0,), "*C *4")
    table.play("0:*4")
    assert table.hands == "C4 46 6"


@pytest.mark.rule("DM-19")
def test_a_giver_with_one_piece_is_asked_too(mauer_table: StartMauer) -> None:
    """Giving the only piece is a move like any other (DM-19)."""
    table = mauer_table(hands="TC C 6")

    table.open_fists("--6")

    assert (table.to_act, table.legal(1)) == ((1,), "*C")


@pytest.mark.rule("DM-20")
@pytest.mark.parametrize("plans", ["--444-", "---444", "------", "-4-4-4"])
def test_two_or_more_empty_fists_beside_his_and_nothing_happens(
    mauer_table: StartMauer, plans: str
) -> None:
    """No piece is built and none is given (DM-20)."""
    table = mauer_table(wall="T", hands=SIX_FULL)

    told = table.open_fists(plans)

    assert told.only(NobodyBuilds).clause == "DM-20"
    assert (told.of(Built), told.of(Given)) == ((), ())
    assert (table.wall, table.hands, table.master) == ("T", SIX_FULL, 1)


@pytest.mark.rule("DM-21")
@pytest.mark.parametrize(
    ("wall", "plans", "builders"),
    [
        ("", "T-----", (0,)),
        ("4", "T-4---", (0,)),
        ("4T", "C-C---", (2,)),
        ("4", "C-C-C-", (2, 4)),
        ("T", "4-4444", (2, 3, 4, 5)),
    ],
)
def test_a_rivals_empty_fist_guesses_nothing(
    mauer_table: StartMauer, wall: str, plans: str, builders: tuple[int, ...]
) -> None:
    """While the master builder shows a piece, empty fists change nothing (DM-21)."""
    table = mauer_table(wall=wall, hands=SIX_FULL)

    table.open_fists(plans)

    assert isinstance(table.state, Building)
    assert table.state.builders == builders


@pytest.mark.rule("DM-22")
@pytest.mark.parametrize(
    ("hands", "words"),
    [
        (f"{FULL} {FULL} {FULL}", "0:- 1:4 2:4 0:!T 0:<"),
        (f"TC {FULL} {FULL}", "0:- 1:4 2:4"),
        (f"{FULL} {FULL} {FULL}", "0:- 1:- 2:4 1:*T"),
        (f"{FULL} {FULL} {FULL}", "0:- 1:- 2:-"),
    ],
)
def test_each_case_of_the_empty_fist_is_a_complete_turn(
    mauer_table: StartMauer, hands: str, words: str
) -> None:
    """One turn is counted, and everybody plans anew under the next master builder (DM-22)."""
    table = mauer_table(wall="T4C" if hands.startswith("TC ") else "44C", hands=hands)

    table.play(words)

    assert table.game.turn(table.state) == 1
    assert (table.master, table.to_act) == (1, (0, 1, 2))


@pytest.mark.rule("DM-18")
def test_a_choice_is_asked_in_two_steps(mauer_table: StartMauer) -> None:
    """First the piece, then the end; the fists stay open meanwhile (DM-18)."""
    table = mauer_table()

    table.open_fists("-46")
    assert isinstance(table.state, Choosing)
    fists = table.view(2).fists
    table.play("0:!3")

    assert isinstance(table.state, Building)
    assert table.view(2).fists == fists
