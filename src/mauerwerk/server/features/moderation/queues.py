"""The queues of one server, and who fills them: bots, analyses, connections, streams, tables."""

from collections import Counter
from collections.abc import Mapping

from mauerwerk.core.game import Value
from mauerwerk.server.features.replay.analyses import Analyses
from mauerwerk.server.http.limits import Connections
from mauerwerk.server.http.request import AppState


class Share(Value, tag=False):
    """How much of a queue one guest or client takes."""

    who: str
    count: int


class Queue(Value, tag=False):
    """Something that can be full."""

    name: str
    held: int
    most: int | None
    """How many there may be of all; None: there is no limit."""

    most_of_one: int | None
    """How many one guest or client may have."""

    shares: tuple[Share, ...]
    """Those who have most, the first ones first."""


TOP = 5


def queues_of(app: AppState) -> tuple[Queue, ...]:
    """All queues of this process. Guests are named by their ids, clients by their addresses."""
    host, limits = app.host, app.settings.limits
    return (
        _queue("bots thinking", host.bots.thinking, host.bots.size, None),
        _queue("bots waiting", host.bots.who_waits, None, None),
        _queue("analyses", host.service(Analyses).who_waits, limits.all_analyses, limits.analyses),
        _queue("connections", app.service(Connections).held, None, limits.connections),
        _queue("streams", app.limiter.streams.held, limits.all_streams, limits.streams),
        _queue("tables in memory", host.openers(), limits.live_tables, None),
    )


def _queue(name: str, held: Mapping[str, int], most: int | None, most_of_one: int | None) -> Queue:
    top = Counter(held).most_common(TOP)
    shares = tuple(Share(who, count) for who, count in top)
    return Queue(name, sum(held.values()), most, most_of_one, shares)
