"""Games in which a program failed: it has lost, whatever its points are."""

from collections.abc import Sequence

import msgspec

from mauerwerk.core.game import Outcome


def after_forfeits(outcome: Outcome, seats: Sequence[int]) -> Outcome:
    """The outcome with these seats behind all others, who keep their order.

    >>> after_forfeits(Outcome((1, 2, 3), (9, 5, 5), "out"), [0]).ranks
    (3, 1, 2)
    """
    lost = set(seats)
    order = sorted({(seat in lost, rank) for seat, rank in enumerate(outcome.ranks)})
    keys = [(seat in lost, rank) for seat, rank in enumerate(outcome.ranks)]
    before = {key: sum(other < key for other in keys) for key in order}
    return msgspec.structs.replace(outcome, ranks=tuple(before[key] + 1 for key in keys))
