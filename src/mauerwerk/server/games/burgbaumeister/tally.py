"""How many of the cards that a player turned went into the wall, which is a matter of memory."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from mauerwerk.core.game import Step
from mauerwerk.core.language.translation import Language
from mauerwerk.games.burgbaumeister.events import Added, Event, Inserted, Shown
from mauerwerk.games.burgbaumeister.values import State
from mauerwerk.server.games.tally import Tally, TallyLine


def count(steps: Sequence[Step[State, Event]], seats: int, /) -> tuple[Mapping[str, float], ...]:
    """Cards that each seat turned, and those that it built."""
    found: tuple[Counter[str], ...] = tuple(Counter() for _ in range(seats))
    for step in steps:
        for event in step.events:
            match event:
                case Shown(seat=seat):
                    found[seat]["turned"] += 1
                case Added(seat=seat) | Inserted(seat=seat):
                    found[seat]["built"] += 1
                case _:
                    pass
    return found


def lines(sums: Mapping[str, float], language: Language, /) -> tuple[TallyLine, ...]:
    """The share of turned cards that were built."""
    turned = sums.get("turned", 0)
    if not turned:
        return ()
    share = round(100 * sums.get("built", 0) / turned)
    return (TallyLine(language("Turned and built"), language("{number} %", number=share)),)


TALLY: Final = Tally(count, lines)
