"""Where the points of a finished game came from, source by source."""

from mauerwerk.core.game import Value


class Source(Value):
    """Something that gave points, and how many it gave to each seat.

    The points of all sources together are the points of the outcome. A source can take points away.
    """

    title: str
    points: tuple[int, ...]
