"""Burgbaumeister: which cards of the walls an event touched. The depot is nobody's to point at."""

from collections.abc import Sequence

from mauerwerk.core.language.translation import Language
from mauerwerk.games.burgbaumeister import events
from mauerwerk.games.burgbaumeister.events import Event, View
from mauerwerk.games.burgbaumeister.notation import tell
from mauerwerk.server.games.room import Recap, Touched


def places(view: View, told: Sequence[Event]) -> list[tuple[str, ...]]:
    """Cards in walls, which lie open; which card was turned and left is memory (BB-9)."""
    return [_places(view, event) for event in told]


def _places(view: View, event: Event) -> tuple[str, ...]:
    match event:
        case events.Added(card=card) | events.Inserted(card=card):
            return (f"card-{card.number}",)
        case events.Fired(victim=victim):
            return ("tray" if victim == view.seat else f"wall-{victim}",)
        case _:
            return ()


def recap(
    view: View, touched: Sequence[Touched], names: Sequence[str], language: Language
) -> list[Recap]:
    """What the others did with the cards that they turned."""
    return [
        Recap(event.seat, tell(event, names, language), where)
        for event, where in touched
        if isinstance(
            event, events.Added | events.Inserted | events.Left | events.Fired | events.FireHeld
        )
        and event.seat != view.seat
    ]
