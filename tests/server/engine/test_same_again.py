"""The order for a rematch."""

from tests.support.driven_table import LEVEL, chairs, start_table

from mauerwerk.core.game import Seat
from mauerwerk.server.engine.host import same_again
from mauerwerk.server.tables import requests
from mauerwerk.server.tables.charter import Chair


def test_a_seat_whose_player_is_away_is_theirs_again() -> None:
    """A bot plays for Bob, and he is asked again; the bot at the third seat plays again."""
    driven = start_table(letters="hhb")
    driven.do(requests.hand_over, Seat(1), LEVEL)

    assert same_again(driven.table).chairs == chairs("hhb")


def test_a_seat_that_was_left_to_a_bot_is_the_bots() -> None:
    """Cleo has left for good."""
    driven = start_table()
    driven.do(requests.stand, Seat(2))
    level = driven.table.occupants[2].level

    assert same_again(driven.table).chairs == (*chairs("hh"), Chair("bot", level))
