"""What a choice would do in Die Mauer, said before it is made."""

import pytest
from tests.server.games.positions import elements

from mauerwerk.core.game import Seat
from mauerwerk.core.language import ENGLISH
from mauerwerk.games import mauer
from mauerwerk.games.mauer.values import Building, Options, Piece, Plan, Planning, Table
from mauerwerk.server.games.mauer import board
from mauerwerk.server.games.mauer.preview import preview

NAMES = ("Emil", "Clara", "Bruno")


def table(wall: str, hands: str = "TC46 TC46 TC46") -> Table:
    held = tuple(tuple(map(Piece, each)) for each in hands.split())
    pieces = tuple(map(Piece, wall))
    return Table(Options(), Seat(0), pieces, held, idle=0, turns=0, scores=())


def said(state: mauer.State, seat: int, word: str) -> str:
    """What is said of a word."""
    view = mauer.view(state, Seat(seat))
    found = preview(view, mauer.parse(word), NAMES, ENGLISH)
    assert found is not None
    return found.sentence


@pytest.mark.parametrize(
    ("wall", "piece", "word", "sentence"),
    [
        ("T4", "6", "<", "Then towers and gates fit at both ends."),
        ("T4", "T", ">", "Then no tower and no gate fits anywhere."),
        ("44", "C", "<", "Then towers and gates fit at the right end only."),
        ("44", "C", ">", "Then towers and gates fit at the left end only."),
    ],
)
@pytest.mark.rule("DM-9", "DM-10")
def test_an_end_says_what_fits_afterwards(
    *, wall: str, piece: str, word: str, sentence: str
) -> None:
    """For the builder the ends of the wall change."""
    fists = (Plan(Piece(piece)),) * 3
    state = Building(table(wall), fists, Piece(piece), (Seat(0),))

    assert said(state, 0, word) == sentence


@pytest.mark.rule("DM-23")
def test_the_last_piece_ends_the_round() -> None:
    """That matters more than what fits afterwards."""
    state = Building(table("44", "6 T6 C6"), (Plan(Piece.WALL_6),) * 3, Piece.WALL_6, (Seat(0),))

    assert "ends the round" in said(state, 0, "<")


@pytest.mark.parametrize(
    ("seat", "wall", "word", "sentence"),
    [
        (0, "4", "4", "If nobody guesses it, you build it."),
        (0, "TC", "T", "It fits nowhere now, so nobody would build."),
        (0, "4", "-", "If no other fist is empty, you choose a piece and build it."),
        (1, "4", "4", "If Emil plans it too, you build it."),
        (1, "4", "T", "If Emil plans it too and at most one other does, you build it."),
        (1, "T4", "T", "If Emil plans it too and nobody else does, you build it."),
        (1, "4", "-", "If only you and Emil have empty fists, you give Emil a piece."),
    ],
)
@pytest.mark.rule("DM-12", "DM-13", "DM-14", "DM-18", "DM-19")
def test_a_fist_says_when_one_builds(*, seat: int, wall: str, word: str, sentence: str) -> None:
    """The master builder and the rivals hope for different things."""
    assert said(Planning(table(wall), (None,) * 3), seat, word) == sentence


def test_the_piece_is_drawn_at_both_ends() -> None:
    """It stands there, unseen until one thinks of it."""
    state = Building(table("44"), (Plan(Piece.WALL_6),) * 3, Piece.WALL_6, (Seat(0),))
    parts = board.parts(mauer.view(state, Seat(0)), mauer.legal(state, Seat(0)), NAMES, ENGLISH)
    drawn = [each for each in elements(parts.stage) if each.attributes.get("class") == "there"]

    assert len(drawn) == 2
