"""Records: what is written is read, what is wrong is named."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mauerwerk.core import record
from mauerwerk.core.errors import NotAWordError
from mauerwerk.core.game import NATURE, AnyGame, Seat, Setup
from mauerwerk.games import GAMES, mauer

GOLDEN = sorted((Path(__file__).parent / "golden").rglob("*.txt"))

SHORT = """\
mauer/1 seats=3 rounds=1 first=lot stall=2
~:@2
0:T 1:T 2:-  2:!6 2:>   # alone with an empty fist
0:- 1:T 2:-  2:*4
1:- 0:- 2:-
= 0:45 1:41 2:31 stall
"""


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_golden_record(path: Path) -> None:
    """Games of this revision replay to the letter: moves, points, reason."""
    text = path.read_text(encoding="utf-8")
    kept = record.read(text, GAMES)
    assert record.write(GAMES[kept.game], kept) == text
    assert text.rpartition("\n= ")[2]


def test_every_revision_has_golden_records() -> None:
    """After a new revision, new golden games are played and the old ones are moved out."""
    assert {path.parent.name for path in GOLDEN} == {f"{g.NAME}-{g.RULES}" for g in GAMES.values()}


def test_a_record_is_read() -> None:
    """Head, moves in any spacing, remarks, result."""
    kept = record.read(SHORT, GAMES)
    assert kept.setup == Setup(3, mauer.Options(rounds=1, first="lot", stall=2))
    assert kept.moves[0] == record.Move(NATURE, "@2")
    assert kept.moves[4] == record.Move(Seat(2), "!6")
    assert len(kept.moves) == 13


def test_a_record_is_written_a_line_a_turn() -> None:
    """What nature does before the first turn has a line of its own."""
    kept = record.read(SHORT, GAMES)
    assert record.write(mauer, kept).splitlines() == [
        "mauer/1 seats=3 rounds=1 first=lot stall=2",
        "~:@2",
        "0:T 1:T 2:- 2:!6 2:>",
        "0:- 1:T 2:- 2:*4",
        "1:- 0:- 2:-",
        "= 0:45 1:41 2:31 stall",
    ]


def test_a_game_broken_off_is_a_record_too() -> None:
    """There is just no result."""
    kept = record.read("mauer/1 seats=3\n0:T 1:4", GAMES)
    assert record.write(mauer, kept) == "mauer/1 seats=3 rounds=4 first=0 stall=24\n0:T 1:4\n"


FAULTS = [
    ("", 1, "", "", "begins with a line like mauer/1"),
    ("# nothing but a remark", 1, "", "", "begins with a line"),
    ("chess/1 seats=2", 1, "chess/1", "", "'chess/1' is no game here"),
    ("mauer/99 seats=3", 1, "mauer/99", "", "revision 1 of its rules"),
    ("mauer seats=3", 1, "mauer", "", "revision 1 of its rules"),
    ("mauer/1", 1, "", "", "seats can be 3 to 6"),
    ("mauer/1 seats=two", 1, "two", "", "seats can be 3 to 6, not 'two'"),
    ("mauer/1 seats=7", 1, "7", "", "seats can be 3 to 6, not '7'"),
    ("mauer/1 seats=3 seats=4", 1, "seats=4", "", "once each"),
    ("mauer/1 seats=3 fast", 1, "fast", "", "'fast' is not an option and its value"),
    ("mauer/1 seats=3 colour=red", 1, "mauer/1", "", "no option 'colour', only rounds, first"),
    ("mauer/1 seats=3 rounds=0", 1, "mauer/1", "", "option rounds can be 1 to 10, not 0"),
    ("mauer/1 seats=3 first=4", 1, "mauer/1", "", "option first can be 0 to 2 or lot"),
    ("mauer/1 seats=3\n\n0:T 1-4", 3, "1-4", "", "'1-4' is not a seat below 3"),
    ("mauer/1 seats=3\n3:T", 2, "3:T", "", "'3:T' is not a seat below 3"),
    ("mauer/1 seats=3\n0:5", 2, "0:5", "", "'5' is not a move: a plan is T C 1"),
    ("mauer/1 seats=3\n0:T\n0:4", 3, "0:4", "DM-5", "seat 1 may not play '4' here"),
    ("mauer/1 seats=3\n~:@1", 2, "~:@1", "DM-5", "nature may not play '@1' here"),
    ("mauer/1 seats=3\n0:T 1:1 2:1 0:<", 2, "0:<", "DM-8", "the first piece starts the wall"),
    ("mauer/1 seats=3\n0:T\n= 0:1 1:2 2:3 out", 3, "0:1 1:2 2:3 out", "", "the game goes on"),
    (SHORT.replace("0:45", "0:44"), 6, "0:44 1:41 2:31 stall", "", "lead to '0:45 1:41"),
    (SHORT + "0:T", 7, "0:T", "", "nothing follows the result"),
    (SHORT.replace("= 0", "0:1\n= 0"), 6, "0:1", "", "the game is over: '1' came too late"),
]


@pytest.mark.parametrize(("text", "line", "word", "clause", "fault"), FAULTS)
def test_a_fault_is_named(text: str, line: int, word: str, clause: str, fault: str) -> None:
    """By line, word and clause, in one line of text."""
    with pytest.raises(record.RecordError) as caught:
        record.read(text, GAMES)
    assert (caught.value.line, caught.value.word, caught.value.clause) == (line, word, clause)
    assert str(caught.value).startswith(f"line {line}: ")
    assert fault in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.text())
def test_any_text_is_a_record_or_a_clear_error(text: str) -> None:
    """Never a traceback of another kind."""
    try:
        record.read(text, GAMES)
    except record.RecordError as fault:
        assert str(fault).startswith("line ")


JUNK = st.one_of(
    st.text(max_size=8),
    st.sampled_from(["0:T", "9:T", "~:@0", "~:", ":", "=", "#", "/", "\n", "mauer/1", "seats=3"]),
)


@given(data=st.data(), path=st.sampled_from(GOLDEN))
def test_a_broken_record_never_breaks_the_reader(data: st.DataObject, path: Path) -> None:
    """Cut, repeat or spoil a real game anywhere: it is a game, or an error that names a line."""
    text = path.read_text(encoding="utf-8")
    place = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 6))
    spoilt = text[:place] + data.draw(JUNK) + text[place + length :]
    try:
        kept = record.read(spoilt, GAMES)
    except record.RecordError as fault:
        assert 1 <= fault.line <= spoilt.count("\n") + 1
        assert "\n" not in str(fault)
    else:
        game = GAMES[kept.game]
        assert record.read(record.write(game, kept), GAMES) == kept


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.NAME)
@given(word=st.text())
def test_any_word_is_a_move_or_a_clear_error(game: AnyGame, word: str) -> None:
    """Not a word is a NotAWordError, which is a ValueError."""
    try:
        action = game.parse(word)
    except NotAWordError as fault:
        assert isinstance(fault, ValueError)
        assert "is not a move" in str(fault)
    else:
        assert game.parse(game.write(action)) == action
