"""A bot of other people that fails has lost, whatever the one that plays on for it scores."""

from tests.support.driven_table import BOB, LEVEL, SEED, start_table

from mauerwerk.core import record
from mauerwerk.core.game import Seat
from mauerwerk.games import GAMES
from mauerwerk.server.features.results.ratings import results_of
from mauerwerk.server.tables import requests, transcript
from mauerwerk.server.tables.folding import fold
from mauerwerk.server.tables.log import Kind
from mauerwerk.server.tables.requests import SUBSTITUTE
from mauerwerk.server.tables.table import Status
from mauerwerk.server.tables.thinning import filled, thinned

IDLE = {"rounds": "1", "stall": "1"}
"""One turn in which nobody builds ends the game, with the same points for all (DM-27)."""


def test_a_bot_that_failed_comes_last() -> None:
    """Another one plays on for it; the others keep their order."""
    laid = start_table("mauer", "hbh", options=IDLE)
    laid.do(requests.forfeit, Seat(1), LEVEL)
    laid.play("0:- 2:-")
    laid.do(requests.play_for, Seat(1), "-", laid.number(1))

    assert laid.table.status is Status.OVER
    assert laid.table.forfeits == (1,)
    outcome = laid.table.outcome
    assert outcome is not None
    assert (outcome.ranks, len({*outcome.points})) == ((1, 3, 1), 1)
    assert laid.table.card().ranks == outcome.ranks
    assert [each.place for each in results_of(laid.table)] == [1, 3, 1]


def test_everybody_is_told() -> None:
    """In the story, and at its place."""
    laid = start_table("mauer", "hbh", options=IDLE)
    laid.do(requests.forfeit, Seat(1), LEVEL)

    assert (laid.last(None).kind, laid.last(0).seat) == (Kind.FORFEIT, 1)
    assert [place.forfeited for place in laid.table_view(0).seats] == [False, True, False]


def test_it_fails_once() -> None:
    """A second failure, and one of a bot that has left the seat, change nothing."""
    laid = start_table("mauer", "hbh", options=IDLE)
    laid.do(requests.forfeit, Seat(1), "somebody else")
    assert laid.table.forfeits == ()

    laid.do(requests.forfeit, Seat(1), LEVEL)
    before = laid.table.seq
    laid.do(requests.forfeit, Seat(1), LEVEL)
    assert laid.table.seq == before


def test_a_player_does_not_lose_by_the_bot_that_plays_for_them() -> None:
    """A bot of this server plays for them instead, until they are back."""
    laid = start_table("mauer", "hhh", options=IDLE)
    laid.do(requests.hand_over, Seat(1), LEVEL)
    laid.do(requests.forfeit, Seat(1), LEVEL)

    assert laid.table.forfeits == ()
    assert laid.table.occupants[1].guest == BOB.id
    assert laid.table.occupants[1].level == SUBSTITUTE


def test_the_record_says_so_and_a_thinned_log_too() -> None:
    """The points are those of the rules; who failed is a remark."""
    laid = start_table("mauer", "hbh", options=IDLE)
    laid.play("0:-")
    laid.do(requests.forfeit, Seat(1), LEVEL)
    laid.play("2:-")
    laid.do(requests.play_for, Seat(1), "-", laid.number(1))
    text = transcript.transcript(laid.table, SEED)

    assert text.startswith("# seat 2 failed, and lost\nmauer/1 ")
    assert record.read(text, GAMES) == laid.table.record()
    assert transcript.read(text, GAMES).fairness.seed == SEED
    log = [logged.entry for logged in laid.table.log]
    moves = laid.table.record().moves
    thin = thinned(laid.table.charter, log, len(moves), log[-1].at)
    again = fold(laid.table.charter, filled(thin, [(move, False) for move in moves]))
    assert again.forfeits == (1,)
    assert again.outcome == laid.table.outcome
