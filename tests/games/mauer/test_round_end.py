"""Die Mauer, the end of a round: DM-23 to DM-27."""

import pytest
from tests.games.mauer.conftest import FULL, MauerTable, StartMauer, letters
from tests.support.game_table import Told

from mauerwerk.games.mauer.events import Built, Event, RoundEnded, StonePassed
from mauerwerk.games.mauer.values import Building, Planning


def ending(told: Told[Event]) -> str:
    """Why the round ended; empty when it goes on."""
    return "".join(event.ending for event in told.of(RoundEnded))


def idle_turns(table: MauerTable, turns: int) -> list[str]:
    """Let turns pass in which all fists are empty; how the round ended after each."""
    return [ending(table.open_fists("---")) for _ in range(turns)]


# --- Out -------------------------------------------------------------------------------------


@pytest.mark.rule("DM-23")
@pytest.mark.parametrize(
    ("hands", "words"),
    [
        ("4 C4 C4", "0:4 1:C 2:C 0:>"),
        ("C4 4 C4", "0:4 1:4 2:C 1:>"),
        ("4 C C", "0:- 1:C 2:C 0:!4 0:<"),
        ("C4 C 4", "0:- 1:- 2:4 1:*C"),
    ],
    ids=["master builder", "rival", "choice", "gift"],
)
def test_the_round_ends_when_somebody_has_no_piece_left(
    mauer_table: StartMauer, hands: str, words: str
) -> None:
    """Built, guessed, chosen or given away: the last piece ends the round (DM-23)."""
    table = mauer_table(wall="4", hands=hands)

    assert ending(table.play(words)) == "out"
    assert len(table.on_table.scores) == 1


@pytest.mark.rule("DM-23")
def test_the_round_goes_on_while_everybody_holds_a_piece(mauer_table: StartMauer) -> None:
    """One piece in every hand is enough to go on (DM-23)."""
    table = mauer_table(hands="C4 4 4")

    assert ending(table.play("0:C 1:4 2:4 0:>")) == ""
    assert table.hands == "4 4 4"


@pytest.mark.rule("DM-23")
def test_all_who_are_entitled_to_build_still_build(mauer_table: StartMauer) -> None:
    """The first rival builds his last piece, and the next two build before it counts (DM-23)."""
    table = mauer_table(wall="T", hands="46 4 46 46")

    told = table.play("0:4 1:4 2:4 3:4 1:>")
    assert isinstance(table.state, Building)
    assert (ending(told), table.to_act) == ("", (2,))
    assert ending(table.play("2:>")) == ""
    told = table.play("3:<")

    assert told.only(RoundEnded).points == (10, 0, 6, 6)


@pytest.mark.rule("DM-23", "DM-24")
def test_several_players_may_end_with_nothing(mauer_table: StartMauer) -> None:
    """Two rivals build their last piece in one turn, and both get 0 (DM-23, DM-24)."""
    table = mauer_table(wall="T", hands="4 4 4", rounds="1")

    told = table.play("0:4 1:4 2:4 1:> 2:>")

    assert told.only(RoundEnded).points == (4, 0, 0)
    assert table.outcome is not None
    assert table.outcome.ranks == (3, 1, 1)


# --- Penalty points --------------------------------------------------------------------------


@pytest.mark.rule("DM-24")
@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("T", 15),
        ("C", 10),
        ("6", 6),
        ("4", 4),
        ("3", 3),
        ("2", 2),
        ("1", 1),
        (FULL, 41),
        ("TT44", 38),
    ],
)
def test_every_piece_still_held_costs(mauer_table: StartMauer, hand: str, points: int) -> None:
    """Tower 15, gate 10, a wall its merlons; two of a kind twice; a full set 41 (DM-24)."""
    table = mauer_table(hands=f"1 {hand} {FULL}")

    told = table.play("0:1 1:- 2:- 0:>")

    assert told.only(RoundEnded).points == (0, points, 41)
    assert table.on_table.scores == ((0, points, 41),)


@pytest.mark.rule("DM-24")
def test_a_gift_costs_who_holds_it_in_the_end(mauer_table: StartMauer) -> None:
    """The receiver pays for what the giver got rid of (DM-24)."""
    told = mauer_table(hands="1 T 2").play("0:- 1:- 2:2 1:*T")

    assert told.only(RoundEnded).points == (16, 0, 2)


# --- The next round --------------------------------------------------------------------------


@pytest.mark.rule("DM-7", "DM-25")
@pytest.mark.parametrize(
    ("master", "words", "wall"),
    [
        (0, "0:1 1:T 2:T 0:>", ""),
        (1, "0:1 1:1 2:T 0:>", ""),
        (2, "0:- 1:T 2:- 0:*1", ""),
        (2, "0:T 1:T 2:T", "T4C"),
    ],
    ids=["out", "out by a guess", "out by a gift", "deadlock"],
)
def test_the_next_round_begins_with_full_sets(
    mauer_table: StartMauer, master: int, words: str, wall: str
) -> None:
    """Full hands, no wall, no idle turns; the stone passed on as ever (DM-7, DM-25)."""
    hands = "TC TC TC" if wall else "1 1T 1T"
    table = mauer_table(wall=wall, hands=hands, master=master, idle=5)

    told = table.play(words)

    assert isinstance(table.state, Planning)
    assert (table.wall, table.hands) == ("", f"{FULL} {FULL} {FULL}")
    assert table.on_table.idle == 0
    assert told.only(StonePassed).master == table.master == (master + 1) % 3


@pytest.mark.rule("DM-25")
def test_the_score_sheet_grows_by_a_line(mauer_table: StartMauer) -> None:
    """What was scored before stays (DM-25)."""
    table = mauer_table(hands="1 T C", scores=((41, 0, 7),))

    table.play("0:1 1:T 2:C 0:>")

    assert table.on_table.scores == ((41, 0, 7), (0, 15, 10))


# --- Deadlock --------------------------------------------------------------------------------


@pytest.mark.rule("DM-26")
@pytest.mark.parametrize(
    ("wall", "hands", "words"),
    [
        ("T4", "TC T TC", "0:C 1:T 2:T 0:>"),
        ("4", "TC TC TC", "0:C 1:C 2:C 1:< 2:>"),
        ("4T", "TC C T", "0:- 1:C 2:T 0:!T 0:<"),
    ],
    ids=["master builder", "rivals", "choice"],
)
def test_the_round_ends_when_no_piece_fits_any_more(
    mauer_table: StartMauer, wall: str, hands: str, words: str
) -> None:
    """Tower or gate at both ends and no wall piece in any hand: it is scored (DM-26)."""
    table = mauer_table(wall=wall, hands=hands)

    assert ending(table.play(words)) == "deadlock"
    assert len(table.on_table.scores) == 1


@pytest.mark.rule("DM-26")
@pytest.mark.parametrize(
    ("wall", "hands"),
    [("T4", "TC T TC1"), ("T4", "CC1 T T"), ("44T4", "TC TC TC")],
    ids=["a rival holds a wall", "the builder holds a wall", "an end is free"],
)
def test_the_round_goes_on_while_any_piece_fits(
    mauer_table: StartMauer, wall: str, hands: str
) -> None:
    """One wall piece in any hand, or one free end, is enough (DM-26)."""
    table = mauer_table(wall=wall, hands=hands)

    assert ending(table.play("0:C 1:T 2:T 0:>")) == ""
    assert isinstance(table.state, Planning)


@pytest.mark.rule("DM-26")
@pytest.mark.parametrize("words", ["0:T 1:T 2:T", "0:- 1:T 2:T", "0:- 1:- 2:-"])
def test_a_deadlock_is_looked_at_after_each_turn(mauer_table: StartMauer, words: str) -> None:
    """Also after a turn in which nothing was built (DM-26)."""
    table = mauer_table(wall="T4C", hands="TC TC TC")

    assert ending(table.play(words)) == "deadlock"


@pytest.mark.rule("DM-26")
def test_a_gift_does_not_put_off_a_deadlock(mauer_table: StartMauer) -> None:
    """The round ends although the giver could soon give the last piece away (DM-26)."""
    table = mauer_table(wall="T4C", hands="T TC T")

    told = table.play("0:- 1:- 2:T 1:*T")

    assert told.only(RoundEnded).points == (30, 10, 15)
    assert ending(told) == "deadlock"


@pytest.mark.rule("DM-23", "DM-26")
@pytest.mark.parametrize(
    ("wall", "words"), [("4T", "0:C 1:T 2:T 0:<"), ("T4C", "2:- 0:- 1:T 2:*T")]
)
def test_an_empty_hand_is_looked_at_before_a_deadlock(
    mauer_table: StartMauer, wall: str, words: str
) -> None:
    """Out and deadlock in one turn is out (DM-23, DM-26)."""
    table = mauer_table(wall=wall, hands="C T T")

    assert ending(table.play(words)) == "out"


# --- Stall -----------------------------------------------------------------------------------


@pytest.mark.rule("DM-27")
def test_a_round_ends_after_24_turns_without_building(mauer_table: StartMauer) -> None:
    """Not after 23, but after 24 in a row, and everybody pays (DM-27)."""
    table = mauer_table()

    assert idle_turns(table, 24) == [""] * 23 + ["stall"]
    assert table.on_table.scores == ((41, 41, 41),)


@pytest.mark.rule("DM-27")
@pytest.mark.parametrize("stall", [1, 2, 5])
def test_a_table_chooses_when_a_round_stalls(mauer_table: StartMauer, stall: int) -> None:
    """The option counts turns; 1 ends the round with the first idle one (DM-27)."""
    table = mauer_table(stall=str(stall))

    assert idle_turns(table, stall) == [""] * (stall - 1) + ["stall"]


@pytest.mark.rule("DM-27")
@pytest.mark.parametrize("words", ["0:T 1:4 2:4", "0:- 1:4 2:4", "0:- 1:- 2:-", "0:- 1:- 2:4 1:*4"])
def test_every_turn_without_building_counts_a_gift_too(mauer_table: StartMauer, words: str) -> None:
    """Nothing fits, nothing happens, or a piece is given: nothing was built (DM-27)."""
    table = mauer_table(wall="T4C", hands="TC C46 C46", idle=1, stall="3")

    assert ending(table.play(words)) == ""
    assert table.on_table.idle == 2
    assert ending(table.open_fists("---")) == "stall"


@pytest.mark.rule("DM-27")
@pytest.mark.parametrize("words", ["0:4 1:6 2:6 0:<", "0:4 1:4 2:6 1:<", "0:- 1:4 2:4 0:!6 0:<"])
def test_building_sets_the_count_back(mauer_table: StartMauer, words: str) -> None:
    """When any player builds, the count starts again (DM-27)."""
    table = mauer_table(wall="T4C", idle=2, stall="3")

    assert ending(table.play(words)) == ""
    assert idle_turns(table, 3) == ["", "", "stall"]


@pytest.mark.rule("DM-25", "DM-27")
def test_a_new_round_sets_the_count_back(mauer_table: StartMauer) -> None:
    """After a stall, or after a gift that ended a round, it counts from nothing (DM-27)."""
    stalled = mauer_table(stall="2")
    assert idle_turns(stalled, 4) == ["", "stall", "", "stall"]

    gone = mauer_table(hands="4 4 4", idle=1, stall="3")
    assert ending(gone.play("0:- 1:- 2:4 1:*4")) == "out"
    assert idle_turns(gone, 3) == ["", "", "stall"]


@pytest.mark.rule("DM-27")
def test_a_table_can_do_without_the_stall(mauer_table: StartMauer) -> None:
    """Switched off, a round goes on for as long as nobody builds (DM-27)."""
    table = mauer_table(stall="off")

    assert idle_turns(table, 1100) == [""] * 1100
    assert table.on_table.idle == 1100


@pytest.mark.rule("DM-23", "DM-26", "DM-27")
@pytest.mark.parametrize(
    ("wall", "hands", "words", "reason"),
    [
        ("T4C", "T C T", "0:- 1:- 2:T 1:*C", "out"),
        ("4", "4 4 4", "0:- 1:- 2:4 1:*4", "out"),
        ("T4C", "TC TC TC", "0:- 1:- 2:T 1:*C", "deadlock"),
        ("T4C", "TC TC TC", "0:T 1:T 2:T", "deadlock"),
        ("T4C", "TC TC TC1", "0:T 1:T 2:T", "stall"),
    ],
)
def test_empty_hand_then_deadlock_then_stall(
    mauer_table: StartMauer, wall: str, hands: str, words: str, reason: str
) -> None:
    """In the last idle turn the other reasons come first (DM-23, DM-26, DM-27)."""
    table = mauer_table(wall=wall, hands=hands, idle=23)

    assert ending(table.play(words)) == reason


# --- What is told ----------------------------------------------------------------------------


@pytest.mark.rule("DM-2")
def test_when_the_round_ends_all_hands_are_shown(mauer_table: StartMauer) -> None:
    """Everybody sees what was left, spectators too (DM-2)."""
    table = mauer_table(hands="1 T4 C66")

    told = table.play("0:1 1:T 2:C 0:>")

    shown = {tuple(map(letters, told.only(RoundEnded, who).hands)) for who in table.viewers}
    assert shown == {("", "T4", "C66")}


@pytest.mark.rule("DM-7", "DM-23", "DM-25")
def test_the_round_is_scored_before_the_stone_passes(mauer_table: StartMauer) -> None:
    """First the piece, then the score, then the stone (DM-7, DM-23, DM-25)."""
    table = mauer_table(hands="1 T C")

    told = table.play("0:1 1:T 2:C 0:>")

    assert [type(event) for event in told[None]][-3:] == [Built, RoundEnded, StonePassed]
