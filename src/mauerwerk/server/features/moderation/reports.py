"""Reports of players to the people who run the server: about a name, behaviour, or a table.

What is said at tables can be reported the same way, with the words in `said`.
"""

from typing import Final

from mauerwerk.server.features.moderation import store
from mauerwerk.server.features.moderation.state import Report, Subject
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.identity import cleaned
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.seats import player_of
from mauerwerk.server.keys import new_id

LONGEST_TEXT: Final = 300
"""The most characters that a reporter may add."""


async def report(
    request: Request, seat: int | None, about: Subject, text: str = "", said: str = ""
) -> None:
    """Report the player at a seat, or with None the whole table. Raises HttpError."""
    table = await request.host.table(request.table)
    reporter = player_of(request, table)
    guest = name = ""
    if seat is not None:
        if not 0 <= seat < table.setup.seats or not table.occupants[seat].guest:
            raise HttpError(422, "nobody sits there who could be reported", word="seat")
        guest, name = table.occupants[seat].guest, table.occupants[seat].name
        if guest == reporter.id:
            raise HttpError(422, "that is you", word="seat")
    request.app.limiter.report(request.client)
    made = Report(
        id=new_id(),
        at=request.host.now(),
        table=request.table,
        game=table.charter.game,
        seat=seat,
        guest=guest,
        name=name,
        about=about,
        text=cleaned(text, LONGEST_TEXT),
        said=said,
        reporter=reporter.id,
        reporter_name=reporter.name,
    )
    await request.host.store.write("", lambda transaction: store.add_report(transaction, made))
