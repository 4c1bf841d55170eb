"""Reports of players to the people who run the server: about a name, behaviour, or a table.

What is said at tables can be reported the same way, with the words in `said`.
"""

from typing import Final

from mauerwerk.server.features.moderation import state, store
from mauerwerk.server.http import errors, identity, seats
from mauerwerk.server.http.request import Request
from mauerwerk.server.keys import new_id

LONGEST_TEXT: Final = 300
"""The most characters that a reporter may add."""


async def report(
    request: Request, seat: int | None, about: state.Subject, text: str = "", said: str = ""
) -> None:
    """Report the player at a seat, or with None the whole table. Raises HttpError."""
    table = await request.host.table(request.table)
    reporter = seats.player_of(request, table)
    guest = name = ""
    if seat is not None:
        if not 0 <= seat < table.setup.seats or not table.occupants[seat].guest:
            raise errors.HttpError(422, "nobody sits there who could be reported", code="seat")
        guest, name = table.occupants[seat].guest, table.occupants[seat].name
        if guest == reporter.id:
            raise errors.HttpError(422, "that is you", code="seat")
    request.app.limiter.report(request.client)
    made = state.Report(
        id=new_id(),
        at=request.host.now(),
        table=request.table,
        game=table.charter.game,
        seat=seat,
        guest=guest,
        name=name,
        about=about,
        text=identity.cleaned(text, LONGEST_TEXT),
        said=said,
        reporter=reporter.id,
        reporter_name=reporter.name,
    )
    await request.host.store.write("", lambda transaction: store.add_report(transaction, made))
