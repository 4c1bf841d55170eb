"""The score sheet of Die Mauer: what is left, what it costs, and who wins."""

import random

import pytest

from mauerwerk.core.game import Setup
from mauerwerk.games import mauer
from mauerwerk.games.mauer.events import RoundEnded
from mauerwerk.server.games.mauer.real_table.pages import (
    MOST_ROUNDS,
    Sheet,
    SheetError,
    after,
    filled_in,
    points_of,
    sheet_in,
)


def tapped(sheet: Sheet, words: str) -> Sheet:
    """The sheet after these taps."""
    for word in words.split():
        sheet = after(sheet, word)
    return sheet


def test_pieces_cost_what_the_rules_say() -> None:
    """A full set is 41 (DM-24)."""
    assert points_of("TC12346") == 41
    assert [points_of(word) for word in "TC64321"] == [15, 10, 6, 4, 3, 2, 1]


def test_taps_write_what_somebody_still_holds() -> None:
    """Two of a kind are possible, since pieces are given; a wiped cell is empty again."""
    sheet = tapped(sheet_in({"who": "Ada~Bob~Cem"}), "0:T 0:6 1:1 1:1 2:4 2:")
    assert sheet.rounds[0] == ("T6", "11", "")
    assert sheet.points[0] == (21, 2, 0)
    assert sheet.points[1] is None
    assert sheet.ranks == (3, 2, 1)


def test_points_can_be_written_instead() -> None:
    """Where the number is that of the pieces, these stay."""
    sheet = tapped(sheet_in({"who": "Ada~Bob~Cem"}), "0:T")
    wrote = {"points-1-0": "15", "points-1-1": "3", "points-1-2": "0", "points-2-1": "7"}
    sheet = filled_in(sheet, wrote)
    assert sheet.rounds[:2] == (("T", "=3", ""), ("", "=7", ""))
    assert tapped(sheet, "1:4").rounds[0] == ("T", "4", "")


def test_a_number_can_be_wiped_out() -> None:
    """The whole form is sent, without what is empty; a round without a number is not played."""
    sheet = sheet_in({"who": "Ada~Bob~Cem", "left": "T_=3_.__=7"})
    wiped = filled_in(sheet, {"all": "1", "points-1-0": "15", "points-1-2": "0"})
    assert wiped.rounds[:2] == (("T", "", ""), ("", "", ""))
    assert wiped.points[:2] == ((15, 0, 0), None)
    assert filled_in(sheet, {"points-1-0": "15"}) == sheet


def test_rounds_come_and_go() -> None:
    """Four, or five, or more; one in which something is written stays."""
    sheet = tapped(sheet_in({}), "more at:5 0:T")
    assert (len(sheet.rounds), sheet.at) == (5, 4)
    with pytest.raises(SheetError):
        after(sheet, "less")
    assert len(tapped(sheet, "0: less").rounds) == 4
    full = tapped(sheet, "more " * (MOST_ROUNDS - 5))
    with pytest.raises(SheetError):
        after(full, "more")


def test_the_address_holds_the_sheet() -> None:
    """All of it comes back."""
    sheet = tapped(sheet_in({"who": "Ada~~Cem Ö"}), "more 0:T at:2 2:6 2:6")
    sheet = filled_in(sheet, {"points-1-1": "12"})
    assert sheet_in(sheet.fields) == sheet
    assert sheet.names == ("Ada", "", "Cem Ö")


def test_there_are_three_to_six_players() -> None:
    """Fewer names leave empty lines, more are not written (DM-1)."""
    assert sheet_in({"who": "Ada"}).names == ("Ada", "", "")
    assert len(sheet_in({"who": "~".join("abcdefgh")}).names) == 6
    assert len(sheet_in({}).names) == 4


def test_whoever_has_something_written_stays() -> None:
    """Also without a name; and once there, they stay when it is wiped out."""
    sheet = tapped(sheet_in({}), "0:T 1:C 2:6 3:4")
    named = sheet_in({**sheet.fields, "who": "Ada"})
    assert named.names == ("Ada", "", "", "")
    assert named.totals == (15, 10, 6, 4)
    assert sheet_in(after(named, "3:").fields).names == named.names
    assert len(sheet_in({"left": "_____T"}).names) == 6
    assert len(sheet_in({"who": "Ada", "left": "_______T"}).names) == 6


@pytest.mark.parametrize(
    "query",
    [
        {"left": "X"},
        {"left": "T" * 15},
        {"left": "=1000"},
        {"left": "=-1"},
        {"rounds": "0"},
        {"rounds": "11"},
        {"at": "9"},
        {"at": "x"},
    ],
)
def test_what_cannot_stand_on_a_sheet_is_refused(query: dict[str, str]) -> None:
    """In one line."""
    with pytest.raises(SheetError):
        sheet_in(query)


@pytest.mark.parametrize("word", ["7:T", "0:X", "at:9", "x", "", "0"])
def test_a_tap_that_means_nothing_is_refused(word: str) -> None:
    """Nothing is written then."""
    with pytest.raises(SheetError):
        after(sheet_in({}), word)


@pytest.mark.parametrize("seats", [3, 6])
def test_the_sheet_agrees_with_the_game(seats: int) -> None:
    """A whole game, of which every hand is written down at the end of its round."""
    chance = random.Random(seats)
    state = mauer.start(Setup(seats, mauer.Options(rounds=5)))
    sheet = tapped(sheet_in({"who": "~".join("abcdef"[:seats])}), "more")
    while asked := mauer.to_act(state):
        seat = asked[0]
        step = mauer.apply(state, seat, chance.choice(mauer.legal(state, seat)))
        for event in step.events:
            if isinstance(event, RoundEnded):
                for holder, hand in enumerate(event.hands):
                    sheet = tapped(sheet, " ".join(f"{holder}:{piece.value}" for piece in hand))
                if sheet.at < 4:
                    sheet = after(sheet, f"at:{sheet.at + 2}")
        state = step.state
    outcome = mauer.outcome(state)
    assert outcome is not None
    assert sheet.is_complete
    assert (sheet.totals, sheet.ranks) == (outcome.points, outcome.ranks)
