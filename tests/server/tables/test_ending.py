"""A game that is ended without a winner: nobody plays on, and what was played can be replayed."""

import pytest
from tests.support.driven_table import SEED, refused, start_table

from mauerwerk.core import record
from mauerwerk.core.errors import StaleMoveError
from mauerwerk.games import GAMES
from mauerwerk.server.tables import requests, transcript
from mauerwerk.server.tables.errors import GameOverError, RequestError
from mauerwerk.server.tables.folding import fold
from mauerwerk.server.tables.log import Ending, Kind
from mauerwerk.server.tables.table import Status
from mauerwerk.server.tables.thinning import filled, thinned


def test_nobody_wins() -> None:
    """It is over, nothing can be played or taken back, and there is no outcome."""
    laid = start_table("mauer", "hhh")
    laid.play("0:T 1:4")
    laid.do(requests.end, Ending.ABANDONED)

    assert laid.table.status is Status.OVER
    assert laid.table.outcome is None
    assert (laid.table.card().ranks, laid.table.card().due) == ((), None)
    assert not any(laid.legal(seat) for seat in range(3))
    seen = laid.view_message(0)
    assert (seen.ended, seen.prompt, seen.undo) == ("abandoned", "", "no")
    assert seen.seed == SEED.hex()
    with pytest.raises(GameOverError):
        laid.move(2, "-")
    with pytest.raises(StaleMoveError):
        laid.take_back(0)


def test_everybody_is_told_why() -> None:
    """A notice of its own has the reason."""
    laid = start_table("mauer", "hhh")
    laid.do(requests.end, Ending.HOST)

    assert (laid.last(None).kind, laid.last(1).ended) == (Kind.END, "host")


def test_it_is_ended_once() -> None:
    """A second request changes nothing."""
    laid = start_table("mauer", "hhh")
    laid.do(requests.end, Ending.HOST)
    before = laid.table.seq
    laid.do(requests.end, Ending.ABANDONED)

    assert (laid.table.seq, laid.table.ended) == (before, "host")


def test_a_table_without_a_game_is_not_ended() -> None:
    """It has not begun; it is deleted instead."""
    laid = start_table("mauer", "hhh", guests=())
    with refused(RequestError, "has not begun"):
        laid.do(requests.end, Ending.HOST)


def test_the_record_has_no_result() -> None:
    """It replays as far as it was played, and its chance can be checked."""
    laid = start_table("mauer", "hhh", options={"first": "lot"})
    laid.do(requests.end, Ending.ABANDONED)
    text = transcript.transcript(laid.table, SEED)

    assert "\n= " not in text
    assert record.read(text, GAMES) == laid.table.record()
    assert transcript.read(text, GAMES).fairness.seed == SEED


def test_a_thinned_log_ends_as_the_game_did() -> None:
    """Why it ended without a winner, and where it was played again, stay in the log."""
    driven = start_table("mauer", "hhh")
    driven.play("0:-")
    driven.do(requests.end, Ending.HOST)
    driven.do(requests.rematch, "again")
    table = driven.table
    log = [logged.entry for logged in table.log]
    moves = table.record().moves
    thin = thinned(table.charter, log, len(moves), log[-1].at)
    again = fold(table.charter, filled(thin, [(move, False) for move in moves]))
    assert (again.ended, again.rematch) == (Ending.HOST, "again")
    assert again.status is Status.OVER
