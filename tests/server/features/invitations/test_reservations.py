"""Seats that are kept for the browser that opened their link first."""

from mauerwerk.server.features.invitations.pages import KEPT_SECONDS, Reservations


def test_a_seat_is_kept_for_the_first_for_ten_minutes() -> None:
    """The second has to wait until the time is up; the first may look again and again."""
    now = 100.0
    seats = Reservations(lambda: now)
    seats.keep("t", 1, "first")
    seats.keep("t", 1, "second")

    assert seats.is_kept("t", 1)
    assert not seats.is_kept("t", 2)
    assert seats.is_others("t", 1, "second")
    assert seats.is_others("t", 1, "")
    assert not seats.is_others("t", 1, "first")
    now += KEPT_SECONDS - 1
    seats.keep("t", 1, "first")
    now += KEPT_SECONDS - 1
    assert seats.is_others("t", 1, "second")
    now += 2
    assert not seats.is_others("t", 1, "second")
    seats.keep("t", 1, "second")
    assert seats.is_others("t", 1, "first")


def test_the_oldest_are_given_up() -> None:
    """Nobody can fill the memory by opening links."""
    seats = Reservations(lambda: 0.0, 3)
    for number in range(4):
        seats.keep(str(number), 0, "somebody")

    assert not seats.is_kept("0", 0)
    assert seats.is_kept("3", 0)
