"""Die Mauer, revealing: DM-12 to DM-17, and every example of the rulebook."""

from collections.abc import Iterator

import pytest
from tests.games.mauer.conftest import FULL, StartMauer, letters

from mauerwerk.core.game import Seat
from mauerwerk.games import mauer
from mauerwerk.games.mauer.events import Built, NobodyBuilds
from mauerwerk.games.mauer.values import Building, Drawing, State

SIX_FULL = " ".join([FULL] * 6)


# Wall, the master builder's plan, the rivals' plans clockwise, who builds (0 is the master
# builder, 1 the rival to his left), and every wall that can come of it.
EXAMPLES = [
    pytest.param("", "T", "643C4", [0], {"T"}, id="A1"),
    pytest.param("T", "3", "64466", [0], {"T3", "3T"}, id="A2"),
    pytest.param("T", "4", "46446", [1, 3, 4], {"444T", "44T4", "4T44", "T444"}, id="B1"),
    pytest.param("44T4", "C", "CC64T", [1, 2], {"C44T4C"}, id="B2"),
    pytest.param("444T", "C", "C464T", [1], {"C444T"}, id="B3"),
    pytest.param("44T4", "C", "C3CC6", [0], {"C44T4", "44T4C"}, id="C1"),
    pytest.param("C44T4", "T", "TT64C", [0], {"C44T4T"}, id="C2"),
    pytest.param("C4T", "T", "64634", [], {"C4T"}, id="D"),
]


@pytest.mark.rule("DM-12", "DM-13", "DM-14", "DM-15")
@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("master", [0, 4])
@pytest.mark.parametrize(("wall", "plan", "rivals", "builders", "walls"), EXAMPLES)
def test_the_examples_of_the_rulebook(  # noqa: PLR0913 - the columns of the rulebook's table
    mauer_table: StartMauer,
    *,
    wall: str,
    plan: str,
    rivals: str,
    builders: list[int],
    walls: set[str],
    master: int,
    mirrored: bool,
) -> None:
    """Each example leads to the walls it names and to no other, mirrored or not (DM-12 to 15)."""
    table = mauer_table(wall=wall[::-1] if mirrored else wall, hands=SIX_FULL, master=master)
    clockwise = f"{plan}{rivals}"
    table.open_fists("".join(clockwise[(seat - master) % 6] for seat in range(6)))

    turns = list(ways_to_build(table.state))

    assert {built for built, _ in turns} == {each[::-1] if mirrored else each for each in walls}
    assert {who for _, who in turns} == {tuple((master + step) % 6 for step in builders)}


def ways_to_build(
    state: State, built_by: tuple[Seat, ...] = ()
) -> Iterator[tuple[str, tuple[Seat, ...]]]:
    """Every wall with which the turn can end, and who built, in order."""
    if not isinstance(state, Building):
        assert not isinstance(state, Drawing)
        yield letters(state.table.wall), built_by
        return
    (builder,) = mauer.to_act(state)
    for action in mauer.legal(state, builder):
        yield from ways_to_build(mauer.apply(state, builder, action).state, (*built_by, builder))


@pytest.mark.rule("DM-12")
@pytest.mark.parametrize("rivals", ["44", "T4", "TT", "--", "T-"])
def test_nobody_builds_what_fits_nowhere(mauer_table: StartMauer, rivals: str) -> None:
    """That is looked at first: not even rivals who guessed it build (DM-12)."""
    table = mauer_table(wall="C4T")

    told = table.open_fists(f"T{rivals}")

    assert told.only(NobodyBuilds).clause == "DM-12"
    assert (table.wall, table.hands) == ("C4T", f"{FULL} {FULL} {FULL}")


@pytest.mark.rule("DM-13")
def test_the_master_builder_builds_what_nobody_guessed(mauer_table: StartMauer) -> None:
    """No rival shows the same piece, so he builds it and they keep theirs (DM-13)."""
    table = mauer_table(wall="4", master=1)

    told = table.play("0:T 1:C 2:6 1:<")

    assert told.only(Built).seat == 1
    assert (table.wall, table.hands) == ("C4", f"{FULL} T12346 {FULL}")


@pytest.mark.rule("DM-14")
def test_who_guessed_builds_and_the_master_builder_does_not(mauer_table: StartMauer) -> None:
    """The rival with the same piece builds it; the others keep what they showed (DM-14)."""
    table = mauer_table(wall="4", master=1)

    told = table.play("0:C 1:C 2:6 0:<")

    assert told.only(Built).seat == 0
    assert (table.wall, table.hands) == ("C4", f"T12346 {FULL} {FULL}")


@pytest.mark.rule("DM-14")
def test_rivals_who_agree_on_another_piece_build_nothing(mauer_table: StartMauer) -> None:
    """What counts is the master builder's piece, not what rivals have in common (DM-14)."""
    table = mauer_table(hands=SIX_FULL, master=3)

    table.open_fists("444T44")

    assert table.to_act == (3,)


@pytest.mark.rule("DM-15")
def test_two_rivals_with_one_site_leave_it_to_the_master_builder(mauer_table: StartMauer) -> None:
    """Neither of two rivals gets the only site: the master builder does (DM-15)."""
    table = mauer_table(wall="4T", master=2)

    table.play("0:C 1:C 2:C")

    assert table.to_act == (2,)
    table.play("2:<")
    assert (table.wall, table.hands) == ("C4T", f"{FULL} {FULL} T12346")


@pytest.mark.rule("DM-16")
@pytest.mark.parametrize(("plans", "builder"), [("C46", 0), ("CC6", 1)])
def test_a_builder_builds_what_he_showed(mauer_table: StartMauer, plans: str, builder: int) -> None:
    """Only the end is open to choice; another piece cannot be named (DM-16)."""
    table = mauer_table(wall="4")
    table.open_fists(plans)

    assert table.legal(builder) == "< >"
    assert table.why_not(f"{builder}:!T") == "DM-17"
    assert table.play(f"{builder}:>").only(Built).piece.value == "C"
    assert table.hands.split()[builder] == "T12346"


@pytest.mark.rule("DM-17")
@pytest.mark.parametrize(
    ("master", "plans", "clockwise"),
    [(4, "6464-4", []), (4, "646444", [5, 1, 3]), (0, "444444", [1, 2, 3, 4, 5])],
)
def test_several_rivals_build_clockwise(
    mauer_table: StartMauer, master: int, plans: str, clockwise: list[int]
) -> None:
    """The first is the one to the master builder's left; only one is asked at a time (DM-17)."""
    table = mauer_table(wall="T", hands=SIX_FULL, master=master)
    table.open_fists(plans)

    asked: list[Seat] = []
    while isinstance(table.state, Building):
        (builder,) = table.to_act
        asked.append(builder)
        table.play(f"{builder}:<")

    assert asked == clockwise


@pytest.mark.rule("DM-17")
def test_each_of_several_chooses_an_end(mauer_table: StartMauer) -> None:
    """Each builder chooses an end, whatever the builders before chose (DM-17)."""
    table = mauer_table(wall="T", hands=SIX_FULL)
    table.open_fists("444446")

    walls: list[str] = []
    for word in ("1:<", "2:>", "3:>", "4:<"):
        assert table.legal(int(word[0])) == "< >"
        table.play(word)
        walls.append(table.wall)

    assert walls == ["4T", "4T4", "4T44", "44T44"]


@pytest.mark.rule("DM-17")
def test_an_end_that_has_become_illegal_is_not_offered(mauer_table: StartMauer) -> None:
    """The second gate goes where the first did not (DM-17)."""
    table = mauer_table(wall="4")
    table.open_fists("CCC")

    assert table.legal(1) == "< >"
    table.play("1:<")
    assert (table.to_act, table.legal(2)) == ((2,), ">")
    table.play("2:>")
    assert table.wall == "C4C"


@pytest.mark.rule("DM-8", "DM-17")
def test_several_rivals_build_on_the_empty_table(mauer_table: StartMauer) -> None:
    """The first of them starts the wall, the next ones choose an end of it (DM-8, DM-17)."""
    table = mauer_table(hands=" ".join([FULL] * 4), master=2)
    table.open_fists("3333")

    offered: list[tuple[tuple[Seat, ...], str]] = []
    for word in ("3:>", "0:<", "1:>"):
        offered.append((table.to_act, table.legal(int(word[0]))))
        table.play(word)

    assert offered == [((3,), ">"), ((0,), "< >"), ((1,), "< >")]
    assert table.wall == "333"


@pytest.mark.rule("DM-17")
@pytest.mark.parametrize("plans", ["T46", "TT6"])
def test_building_is_compulsory(mauer_table: StartMauer, plans: str) -> None:
    """A builder cannot pass, even if only one end is possible (DM-17)."""
    table = mauer_table(wall="4C")
    table.open_fists(plans)
    (builder,) = table.to_act

    assert table.legal(builder) == "<"
    assert table.why_not(f"{builder}:-") == "DM-17"
