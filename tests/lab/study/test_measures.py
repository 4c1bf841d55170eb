"""What is counted in a game is what happened in it."""

from typing import Any

import pytest
from tests.lab.study.games import EACH, SETUPS, counted, rows
from tests.support.amounts import amount

from mauerwerk.core.game import Setup
from mauerwerk.games import GAMES, burgbaumeister
from mauerwerk.games.mauer.values import PENALTY
from mauerwerk.lab.study.rooms import columns_of, pairs_of, room_of
from mauerwerk.lab.study.tally import MEANINGS, WIN, Row

GAMES_EACH = amount(1, 1, 20)


def named(setup: object) -> str:
    """A setup for a test's name."""
    return repr(setup)[:60]


@pytest.mark.parametrize(("name", "setup"), EACH, ids=map(named, (setup for _, setup in EACH)))
def test_every_count_has_a_column_and_a_meaning(name: str, setup: Setup[Any]) -> None:
    """Nothing is counted that is not announced, and every stem is explained."""
    room = room_of(GAMES[name])
    columns = columns_of(GAMES[name], setup)
    assert len(set(columns)) == len(columns)
    stems = {column.partition("/")[0] for column in columns}
    assert stems == {*MEANINGS, *room.MEANINGS}
    for pair in pairs_of(name, setup):
        assert set(pair) <= set(columns)
    for row in rows(name, setup, amount(1, 1, 10)):
        assert set(row) <= set(columns)


@pytest.mark.parametrize(("name", "setup"), EACH, ids=map(named, (setup for _, setup in EACH)))
def test_wins_ranks_and_moves_add_up(name: str, setup: Setup[Any]) -> None:
    """A win in all, one reason, and every move is somebody's."""
    for row in rows(name, setup, GAMES_EACH):
        seats = range(setup.seats)
        assert sum(row.get(f"win/{seat}", 0) for seat in seats) == WIN
        assert row.get("shared", 0) == (sum(row[f"rank/{seat}"] == 1 for seat in seats) > 1)
        assert sum(row.get(f"reason/{reason}", 0) for reason in GAMES[name].ENDINGS) == 1
        assert sum(row[f"decisions/{seat}"] for seat in seats) <= row["moves"]
        assert row.get("gap", 0) <= row.get("spread", 0)


@pytest.mark.parametrize("setup", SETUPS["mauer"], ids=named)
def test_in_die_mauer_pieces_and_turns_add_up(setup: Setup[Any]) -> None:
    """What is left costs what was scored; a turn has one clause; nothing is built in idle ones."""
    turn = ("DM-12", "DM-13", "DM-14", "DM-15", "DM-18", "DM-19", "DM-20")
    end = ("DM-23", "DM-26", "DM-27")
    for row in rows("mauer", setup, GAMES_EACH):
        points = sum(row.get(f"points/{seat}", 0) for seat in range(setup.seats))
        rounds = setup.options.rounds
        left = {piece: row.get(f"left/{piece.value}", 0) for piece in PENALTY}
        built = {piece: row.get(f"built/{piece.value}", 0) for piece in PENALTY}
        assert sum(PENALTY[piece] * count for piece, count in left.items()) == points
        assert sum(row.get(f"round/{number}", 0) for number in range(1, rounds + 1)) == points
        for piece in PENALTY:
            assert left[piece] + built[piece] == rounds * setup.seats
        by = row.get("builder/master", 0) + row.get("builder/rival", 0)
        assert by == sum(built.values())
        assert sum(row.get(f"clause/{clause}", 0) for clause in turn) == row["turns"]
        assert sum(row.get(f"clause/{clause}", 0) for clause in end) == rounds


def test_a_game_of_die_mauer_counted_by_hand() -> None:
    """Two guess the 4; nobody the 6; a tower of his choice; a gift; too many empty fists."""
    row = counted("""mauer/1 seats=3 rounds=1 first=0 stall=2
0:4 1:4 2:4 1:> 2:>
0:- 1:6 2:3 1:<
0:T 1:T 2:- 2:!T 2:<
0:- 1:- 2:3 1:*C
0:- 1:- 2:-
= 0:51 1:21 2:22 stall
""")
    clauses = {column: times for column, times in row.items() if column.startswith("clause/")}
    assert clauses == {
        "clause/DM-14": 1,
        "clause/DM-13": 1,
        "clause/DM-21": 1,
        "clause/DM-18": 1,
        "clause/DM-19": 1,
        "clause/DM-20": 1,
        "clause/DM-27": 1,
    }
    assert (row["builder/rival"], row["builder/master"], row["idle"]) == (2, 2, 2)
    assert (row["built/4"], row["built/6"], row["built/T"]) == (2, 1, 1)
    assert (row["left/T"], row["left/4"], row["round/1"]) == (2, 1, 94)
    assert (row["win/1"], row["gap"], row["spread"], row["turns"]) == (WIN, 1, 30, 5)


@pytest.mark.parametrize("setup", SETUPS["burgbaumeister"], ids=named)
def test_in_burgbaumeister_cards_and_turns_add_up(setup: Setup[Any]) -> None:
    """Points have a source, held cards were added, and every turn adds, inserts or leaves."""
    for row in rows("burgbaumeister", setup, GAMES_EACH):
        seats = range(setup.seats)
        sources = sum(count for column, count in row.items() if column.startswith("source/"))
        held = sum(count for column, count in row.items() if column.startswith("held/"))
        destroyed = sum(n for column, n in row.items() if column.startswith("destroyed/"))
        assert sources == sum(row.get(f"points/{seat}", 0) for seat in seats)
        assert held == row.get("source/cards", 0)
        built = row.get("clause/BB-7", 0) + row.get("clause/BB-26", 0)
        assert held + destroyed == built
        assert built + row.get("clause/BB-8", 0) == row["turns"]
        assert row.get("cannon/fired", 0) == destroyed
        for number in range(2, 47):
            assert row.get(f"won/{number}", 0) <= WIN * row.get(f"held/{number}", 0)


@pytest.mark.slow
def test_in_burgbaumeister_bots_use_cannons_and_the_wizard() -> None:
    """What becomes of a cannon or a spell is counted once."""
    setup = Setup(2, burgbaumeister.Options(variant=True))
    spells = shots = 0
    for row in rows("burgbaumeister", setup, 12, "greedy"):
        fates = [row.get(f"spell/{fate}", 0) for fate in ("used", "destroyed", "unused")]
        assert sum(fates) <= 1
        assert row.get("spell/used", 0) == row.get("clause/BB-26", 0)
        fired, held = row.get("cannon/fired", 0), row.get("cannon/held", 0)
        assert fired + held == row.get("clause/BB-24", 0)
        assert fired + held + row.get("cannon/no-target", 0) <= 3
        spells += sum(fates)
        shots += fired
    assert spells > 0
    assert shots > 0


@pytest.mark.parametrize("setup", SETUPS["mauerbauer"], ids=named)
def test_in_mauerbauer_points_and_cards_add_up(setup: Setup[Any]) -> None:
    """Points come from cards that were played, in some third, by some clause."""

    def total(row: Row, *stems: str) -> int:
        return sum(n for column, n in row.items() if column.partition("/")[0] in stems)

    for row in rows("mauerbauer", setup, GAMES_EACH):
        earned = total(row, "earned")
        points = sum(row.get(f"points/{seat}", 0) for seat in range(setup.seats))
        assert points <= earned
        assert setup.options.early or points == earned
        assert earned == total(row, "score") == total(row, "source")
        assert earned == total(row, "earned-early", "earned-middle", "earned-late")
        assert total(row, "play") == total(row, "play-early", "play-middle", "play-late")
        assert total(row, "size") == row.get("closed", 0) == row.get("clause/MB-31", 0)
        assert total(row, "discard") == row.get("clause/MB-43", 0) == row.get("laid/discard", 0)
        assert total(row, "swap") == row.get("clause/MB-47", 0)
        assert total(row, "laid") <= row.get("closed", 0) * setup.seats
        assert row.get("closer", 0) + row.get("others", 0) <= earned
        assert row.get("clause/MB-71", 0) + (row.get("clause/MB-72", 0) > 0) <= 1
