"""Play at tables of a server from a program, with the games' own values.

    from mauerwerk.client import seat_at

    seat = seat_at("http://127.0.0.1:8080/t/…/s/2/…", "Robo")
    table_view = seat.look()
    table_view.view, table_view.legal     # as the rules have them, not JSON
    seat.play(table_view.legal[0], table_view.number)

`Client` becomes a guest and sets up tables; `AsyncClient` has the same methods, to be awaited.
Neither needs another package.
"""

from mauerwerk.client.asynchronous import AsyncClient, AsyncSeat
from mauerwerk.client.http import ApiError, TooLateError
from mauerwerk.client.seats import Client, SeatAtTable, seat_at
from mauerwerk.client.values import ChatMessage, Notice, TableView, Verdict

__all__ = [
    "ApiError",
    "AsyncClient",
    "AsyncSeat",
    "ChatMessage",
    "Client",
    "Notice",
    "SeatAtTable",
    "TableView",
    "TooLateError",
    "Verdict",
    "seat_at",
]
