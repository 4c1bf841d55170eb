"""The record of a table, with the line that its chance can be checked by."""

from typing import Final

import pytest
from tests.server.tables.test_seed import SEED, played

from mauerwerk.core import record
from mauerwerk.core.game import NATURE, AnyGame, Seat
from mauerwerk.core.record import Record, RecordError
from mauerwerk.games import GAMES
from mauerwerk.server.tables import transcript
from mauerwerk.server.tables.charter import Chair, Charter
from mauerwerk.server.tables.folding import after, begin
from mauerwerk.server.tables.log import Entry, Kind
from mauerwerk.server.tables.seed import check, commitment, nature_word

MAUER: Final = GAMES["mauer"]
SHORT: Final = """mauer/1 seats=3 rounds=1 first=lot stall=1
~:@2
0:T 1:4 2:4 1:>
0:- 1:- 2:-
= 0:41 1:37 2:41 stall
"""
FAIR: Final = f"# fair seed={SEED.hex()} commitment={commitment(SEED)} draws=turn numbers="


def short() -> Record:
    """A game of eight moves."""
    return record.read(SHORT, GAMES)


# --- Writing ---------------------------------------------------------------------------------


def test_a_line_is_added_to_the_ordinary_record() -> None:
    """The line has the seed, the commitment, and the numbers of the moves as ranges."""
    text = transcript.write(MAUER, short(), SEED, [3, 4, 5, 6, 9, 12, 13, 14])

    *plain, fair = text.splitlines(keepends=True)
    assert "".join(plain) == record.write(MAUER, short())
    assert fair == f"{FAIR}3-6,9,12-14\n"


def test_any_reader_of_records_reads_these() -> None:
    """For `core.record` the line is a comment."""
    assert record.read(transcript.write(MAUER, short(), SEED, range(8)), GAMES) == short()


def test_the_seed_of_a_running_game_is_not_told() -> None:
    """The seed gives away what nature will do, so it is written only at the end."""
    running = Record("mauer", 1, short().setup, short().moves[:5])
    with pytest.raises(ValueError, match="over"):
        transcript.write(MAUER, running, SEED, range(5))


@pytest.mark.parametrize(
    "numbers", [range(7), range(9), (), [0, 1, 2, 3, 4, 5, 7, 6], [-1, *range(7)], [0] * 8]
)
def test_numbers_that_are_none_are_refused(numbers: tuple[int, ...]) -> None:
    """Each move has a number, and the numbers rise from 0."""
    with pytest.raises(ValueError, match="8 moves"):
        transcript.write(MAUER, short(), SEED, numbers)


# --- Reading ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_what_was_written_is_read(game: AnyGame) -> None:
    """Reading gives back the record, seed, commitment and numbers, and the line of each move."""
    moves, numbers = played(game, game.SEATS[-1], SEED)
    text = transcript.write(game, moves, SEED, numbers)

    read = transcript.read(text, GAMES)

    assert read.record == moves
    assert read.fairness == transcript.Fairness(SEED, commitment(SEED), numbers, draws="turn")
    lines = text.splitlines()
    assert [
        str(move) in lines[line - 1].split()
        for move, line in zip(moves.moves, read.lines, strict=True)
    ] == [True] * len(moves.moves)


def test_what_people_entered_is_known_without_playing() -> None:
    """Of each move, whether its number is among those by hand."""
    text = transcript.write(MAUER, short(), SEED, tuple(range(8)))
    assert [by_hand for _, by_hand in transcript.moves_in(text)] == [False] * 8
    assert [move for move, _ in transcript.moves_in(text)] == list(short().moves)

    marked = text.replace("numbers=0-7", "numbers=0-7 hand=0,2-3")
    entered = [number for number, (_, hand) in enumerate(transcript.moves_in(marked)) if hand]
    assert entered == [0, 2, 3]


def test_lines_are_counted_as_an_editor_does() -> None:
    """Comments, empty lines, a byte order mark and the place of the line make no difference."""
    head, *rest = SHORT.splitlines()
    text = "\ufeff" + "\r\n".join([f"{FAIR}0-7", "", head, "# played late", *rest])

    read = transcript.read(text, GAMES)

    assert read.record == short()
    assert read.lines == (5, 6, 6, 6, 6, 7, 7, 7)


def test_a_wrong_commitment_can_be_read() -> None:
    """A wrong commitment can be read; checking it is a separate step."""
    text = f"{SHORT}{FAIR.replace(commitment(SEED), '0' * 64)}0-7"
    assert transcript.read(text, GAMES).fairness.commitment == "0" * 64


def test_all_moves_may_have_been_given() -> None:
    """Then none of them is checked."""
    assert transcript.read(f"{SHORT}{FAIR}0-7 given=8", GAMES).fairness.given == 8


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("", "line 1: no line like # fair seed="),
        ("# fairly played", "line 1: no line like # fair seed="),
        ("# fair", "line 6: '# fair' is not # fair seed="),
        ("# fair numbers=0-7", "line 6: '# fair numbers=0-7' is not"),
        (f"{FAIR}0-7".replace("seed=00", "seed=0"), "line 6: "),
        (f"{FAIR}0-7".replace("seed=00", "seed=0G"), "line 6: "),
        (f"{FAIR}0-7 more=1", "line 6: "),
        (f"{FAIR}0-7\n{FAIR}0-7", "line 7: a second line of fairness"),
        (f"{FAIR}", "line 6: there must be a number for each of 8 moves"),
        (f"{FAIR}0-6", "line 6: there must be a number for each of 8 moves"),
        (f"{FAIR}0-8", "line 6: there must be a number for each of 8 moves"),
        (f"{FAIR}0-7,9", "line 6: there must be a number for each of 8 moves"),
        (f"{FAIR}0-7 given=9", "line 6: 9 moves are said to be given, but there are 8"),
        (f"{FAIR}0-999999999", "line 6: there must be a number for each of 8 moves"),
        (f"{FAIR}7-0", "line 6: numbers are rising ranges like 0-14,17-80; not so '7-0'"),
        (f"{FAIR}0-3,3-6", "line 6: numbers are rising ranges like 0-14,17-80; not so '3-6'"),
        (f"{FAIR}0-3,,5-8", "line 6: numbers are rising ranges like 0-14,17-80; not so ''"),
        (f"{FAIR}00-7", "line 6: numbers are rising ranges like 0-14,17-80; not so '00-7'"),
        (f"{FAIR}\u0661-8", "line 6: numbers are rising"),
    ],
)
def test_a_line_that_does_not_fit_is_refused(line: str, fault: str) -> None:
    """The error is one line that says where and what."""
    with pytest.raises(RecordError) as refused:
        transcript.read(f"{SHORT}{line}\n", GAMES)
    assert str(refused.value).startswith(fault)
    assert "\n" not in str(refused.value)


def test_what_is_no_record_is_refused_as_ever() -> None:
    """`core.record` refuses it and names the line and the clause."""
    with pytest.raises(RecordError, match=r"line 3: .*DM-8"):
        transcript.read(f"{SHORT.replace('1:>', '1:<')}{FAIR}0-7", GAMES)


def test_numbers_as_ranges() -> None:
    """Gaps are kept, and a range of one is a number."""
    assert [
        transcript.write_ranges(each) for each in ([], [4], [4, 5], [0, 2, 4], [7, 8, 9, 11])
    ] == [
        "",
        "4",
        "4-5",
        "0,2,4",
        "7-9,11",
    ]


# --- A table's paper -------------------------------------------------------------------------


def test_the_transcript_of_an_older_table_holds_although_a_move_was_taken_back() -> None:
    """Entries before the game and moves that were taken back leave gaps in the numbers.

    A table that does not say how it draws does so by these numbers, and its record says nothing.
    """
    game = GAMES["burgbaumeister"]
    table = begin(
        Charter(
            id="t",
            game="burgbaumeister",
            rules=1,
            options={},
            chairs=(Chair("bot", "easy"),) * 2,
            public=False,
            seconds_per_move=0,
            bot_delay_ms=0,
            hints=False,
            commitment=commitment(SEED),
            created=0,
        )
    )
    for seat in (Seat(0), Seat(1)):
        table = after(table, Entry(table.seq, 0, Kind.BOT, seat, "easy"))
    table = after(table, Entry(table.seq, 0, Kind.START))
    while table.waiting:
        (mover,) = table.waiting
        if mover == NATURE:
            word = nature_word(game, table.state, SEED, table.seq)
        else:
            word = game.write(game.legal(table.state, mover)[0])
        table = after(table, Entry(table.seq, 0, Kind.MOVE, mover, word))
        if table.seq == 6:
            table = after(table, Entry(table.seq, 0, Kind.UNDO, mover, number=5))

    read = transcript.read(transcript.transcript(table, SEED), GAMES)

    assert read.record == table.record()
    assert read.fairness.numbers == (3, 4, *range(7, table.seq))
    fair = read.fairness
    assert (fair.draws, "draws=" in transcript.transcript(table, SEED)) == ("entry", False)
    assert check(game, read.record, SEED, fair.numbers, draws=fair.draws).faults == ()
    assert check(game, read.record, SEED, fair.numbers, draws="turn").faults
