"""A bot of this machine at a seat of a server."""

from contextlib import suppress

from mauerwerk.bots.bot import Player
from mauerwerk.client import http, seats, values


def play_seat(seat: seats.SeatAtTable, player: Player) -> values.TableView:
    """Let this player play the seat until the game is over; the last table view."""
    seen = seat.look()
    notices = seat.follow(seen.number)
    while not seen.is_over:
        if seen.is_asked and seen.legal:
            action = player.bot.act(seat.sight(seen), player.seconds)
            with suppress(http.TooLateError):  # then there is news
                seat.play(seen.rules_of.write(action), seen.number)
        told = next(notices)
        seen = seat.look()
        while told.number < seen.number:  # all of them are in this view
            told = next(notices)
    return seen
