"""Die Mauer: which stones and fists an event touched, and what is told again."""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import Language
from mauerwerk.games.mauer import events, notation, values
from mauerwerk.games.mauer.drawing.stage import stone_name
from mauerwerk.games.mauer.events import Event, Task, View
from mauerwerk.server.games.room import Recap, Touched

_TOLD: Final = (
    events.FistsOpened,
    events.NobodyBuilds,
    events.Chosen,
    events.Built,
    events.Given,
    events.RoundEnded,
)


def places(view: View, told: Sequence[Event]) -> list[tuple[str, ...]]:
    """The stones are counted back from the wall that stands: of a round before none is left."""
    left, right = view.left, len(view.wall) - view.left
    found: list[tuple[str, ...]] = []
    stands = True
    for event in reversed(told):
        touched: tuple[str, ...] = ()
        match event:
            case events.Built(end=values.End.LEFT) if stands:
                touched, left = (stone_name(-left),), left - 1
            case events.Built() if stands:
                touched, right = (stone_name(right - 1),), right - 1
            case events.FistsOpened(master=master):
                touched = (f"fist-{master}",)
            case events.RoundEnded():
                stands = False
            case _:
                pass
        found.append(touched)
    return found[::-1]


def recap(
    view: View, touched: Sequence[Touched], names: Sequence[str], language: Language
) -> list[Recap]:
    """The fists, and what came of them; one's own stones need no telling.

    In the middle of a turn all have just seen it.
    """
    if view.task is not Task.PLAN:
        return []
    return [
        Recap(seat, notation.tell(event, names, language), where)
        for event, where in touched
        if isinstance(event, _TOLD) and (seat := _doer(event)) != view.seat
    ]


def _doer(event: Event) -> Seat | None:
    match event:
        case events.Built(seat=seat) | events.Chosen(seat=seat) | events.Given(giver=seat):
            return seat
        case _:
            return None
