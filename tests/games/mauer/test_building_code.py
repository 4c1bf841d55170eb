"""Die Mauer, the building code: DM-8 to DM-11."""

from itertools import product

import pytest
from tests.games.mauer.conftest import FULL, StartMauer

from mauerwerk.games.mauer.events import NobodyBuilds
from mauerwerk.games.mauer.values import Building

SIX_FULL = " ".join([FULL] * 6)


@pytest.mark.rule("DM-8")
def test_the_first_piece_starts_the_wall(mauer_table: StartMauer) -> None:
    """On the empty table there is one place to build, and its word is `>` (DM-8)."""
    table = mauer_table()
    table.open_fists("T44")

    assert table.legal(0) == ">"
    table.play("0:>")
    assert table.wall == "T"


@pytest.mark.rule("DM-8")
@pytest.mark.parametrize(("end", "wall"), [("<", "612T3"), (">", "12T36")])
def test_a_piece_is_added_at_an_end(mauer_table: StartMauer, end: str, wall: str) -> None:
    """The wall grows at its ends, and what stands stays as it is (DM-8)."""
    table = mauer_table(wall="12T3")

    table.play(f"0:6 1:T 2:T 0:{end}")

    assert table.wall == wall


@pytest.mark.rule("DM-9")
@pytest.mark.parametrize(("standing", "piece"), list(product(FULL, FULL)))
def test_only_tower_and_gate_keep_apart(mauer_table: StartMauer, standing: str, piece: str) -> None:
    """No tower or gate beside a tower or gate; a wall stands beside anything (DM-9)."""
    table = mauer_table(wall=standing)
    other = "4" if piece == "6" else "6"

    table.open_fists(f"{piece}{other}{other}")

    if {standing, piece} <= set("TC"):
        assert table.wall == standing
        assert table.master == 1
    else:
        assert table.legal(0) == "< >"


@pytest.mark.rule("DM-9", "DM-10")
@pytest.mark.parametrize(
    ("wall", "ends"),
    [
        ("", ">"),
        ("4", "< >"),
        ("44T4", "< >"),
        ("6C1T2", "< >"),
        ("444T", "<"),
        ("4C", "<"),
        ("T444", ">"),
        ("C4", ">"),
        ("T", ""),
        ("C", ""),
        ("T4C", ""),
        ("C4T6T", ""),
    ],
)
@pytest.mark.parametrize("piece", ["T", "C"])
def test_the_sites_of_tower_and_gate_are_the_ends_that_are_wall(
    mauer_table: StartMauer, wall: str, ends: str, piece: str
) -> None:
    """None, one or two ends; one on the empty table; two at a single wall piece (DM-9, DM-10)."""
    table = mauer_table(wall=wall)

    told = table.open_fists(f"{piece}66")

    assert table.legal(0) == ends or not ends
    assert [event.clause for event in told.of(NobodyBuilds)] == ([] if ends else ["DM-12"])


@pytest.mark.rule("DM-10", "DM-14", "DM-15")
@pytest.mark.parametrize(
    ("wall", "sites"), [("", 1), ("4T", 1), ("C4", 1), ("4", 2), ("44T4", 2), ("1C2", 2)]
)
@pytest.mark.parametrize("guessers", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("piece", ["T", "C"])
def test_rivals_build_while_there_is_a_site_for_each(
    mauer_table: StartMauer, wall: str, sites: int, guessers: int, piece: str
) -> None:
    """As many rivals as sites build; one more, and the master builder does (DM-10 to DM-15)."""
    table = mauer_table(wall=wall, hands=SIX_FULL)

    table.open_fists(piece + piece * guessers + "6" * (5 - guessers))

    assert isinstance(table.state, Building)
    rivals = tuple(range(1, guessers + 1))
    assert table.state.builders == (rivals if guessers <= sites else (0,))


@pytest.mark.rule("DM-11")
@pytest.mark.parametrize("wall", ["", "T", "C", "4", "T4", "4C", "T4C", "44T4"])
@pytest.mark.parametrize("piece", "12346")
def test_any_number_of_wall_pieces_can_be_built_in_a_turn(
    mauer_table: StartMauer, wall: str, piece: str
) -> None:
    """Five rivals guess a wall piece, and all five build it, whatever stands there (DM-11)."""
    table = mauer_table(wall=wall, hands=SIX_FULL)

    table.open_fists(piece * 6)
    for seat in (1, 2, 3, 4, 5):
        assert table.to_act == (seat,)
        assert table.legal(seat) == ("< >" if table.wall else ">")
        table.play(f"{seat}:>")

    assert table.wall == wall + piece * 5
    assert table.hands.split() == [FULL] + [FULL.replace(piece, "")] * 5


@pytest.mark.rule("DM-11")
@pytest.mark.parametrize("piece", ["T", "C"])
def test_at_most_two_towers_or_gates_are_built_in_a_turn(
    mauer_table: StartMauer, piece: str
) -> None:
    """Two rivals put one at either end, and no site is left for another (DM-11)."""
    table = mauer_table(wall="4", hands=SIX_FULL)

    table.open_fists(f"{piece}{piece}{piece}666")
    assert table.legal(1) == "< >"
    table.play("1:>")
    assert table.legal(2) == "<"
    table.play("2:<")

    assert table.wall == f"{piece}4{piece}"
