"""The end of a game, drawn once for all who see the same."""

from typing import NamedTuple

from mauerwerk.play.tables.table import Table, Viewer
from mauerwerk.web.http.call import Call
from mauerwerk.web.pages.ending.end import Asked, game_end
from mauerwerk.web.pages.ending.values import GameEnd


class EndKey(NamedTuple):
    """All that the end of a game depends on."""

    table: str
    seq: int
    viewer: Viewer
    language: str
    analysed: int


def end_at(call: Call, asked: Asked) -> GameEnd | None:
    """The end of a table's game; None while it goes on."""
    table = asked.snapshot.table
    outcome = table.outcome
    if outcome is None:
        return None
    done = analysed(call, table)
    job = call.host.analyses.known(table.record())
    return call.site.drawings.once(
        EndKey(table.charter.id, table.seq, asked.viewer, asked.language.code, done),
        lambda: game_end(asked, outcome, job),
    )


def analysed(call: Call, table: Table) -> int:
    """How far the analysis of a finished game is, in per cent, and 101 once it is done."""
    job = call.host.analyses.known(table.record()) if table.outcome is not None else None
    if job is None or job.stage == "failed":
        return -1
    return round(100 * job.progress) + (job.result is not None)
