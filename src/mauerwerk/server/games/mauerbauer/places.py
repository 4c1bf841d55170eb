"""Mauerbauer: what an event touched on the board, and a turn told again in a sentence or two."""

from collections import Counter
from collections.abc import Sequence

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import sentence, shares
from mauerwerk.games.mauerbauer import events
from mauerwerk.games.mauerbauer.board import Field
from mauerwerk.games.mauerbauer.events import Event, View
from mauerwerk.games.mauerbauer.naming import counted, house_name, tower_name
from mauerwerk.games.mauerbauer.notation import ends, tell
from mauerwerk.games.mauerbauer.values import COLOURS, TOWERS
from mauerwerk.server.games.room import Recap, Touched


def places(view: View, told: Sequence[Event]) -> list[tuple[str, ...]]:
    """Walls, towers, fields with houses, and cities as they are now."""
    return [_places(view, event) for event in told]


def _places(view: View, event: Event) -> tuple[str, ...]:
    match event:
        case events.Built(line=line):
            return (f"wall-{line}",)
        case events.TowerPlaced(point=point):
            return (f"tower-{point}",)
        case events.HousePlaced(field=field):
            return (f"on-{field}",)
        case events.Closed(fields=fields):
            return _paved(view, fields[0])
        case events.Joined(city=city) | events.PalacesBuilt(city=city):
            return _paved(view, city)
        case events.Chosen(city=city) if city is not None:
            return _paved(view, city)
        case _:
            return ()


def _paved(view: View, field: Field) -> tuple[str, ...]:
    """The city in which a field lies now; it may have been joined with another since (MB-40)."""
    return tuple(f"paved-{city.name}" for city in view.cities if field in city.fields)


# --- Told again ------------------------------------------------------------------------------


def recap(
    view: View, touched: Sequence[Touched], names: Sequence[str], language: Language
) -> list[Recap]:
    """Walls with what was put beside them, cities with what they scored; not one's own."""
    groups: list[list[Touched]] = []
    for each in touched:
        match each.event:
            case (
                events.Built()
                | events.Closed()
                | events.RolledEarly()
                | events.EndDecided()
                | events.Chosen()
            ):
                groups.append([each])
            case (
                events.TowerPlaced() | events.HousePlaced() | events.Played() | events.Discarded()
            ) if groups:
                groups[-1].append(each)
            case _:
                pass
    told = [_recap(group, names, language) for group in groups]
    return [each for each in told if each.seat is None or each.seat != view.seat]


def _recap(group: Sequence[Touched], names: Sequence[str], language: Language) -> Recap:
    first, *more = (each.event for each in group)
    where = tuple(place for each in group for place in each.places)
    match first:
        case events.Built(seat=seat):
            return Recap(seat, sentence(_wall(first, more, names, language)), where)
        case events.Closed(seat=seat) | events.Chosen(seat=seat):
            scored = Counter[Seat]()
            for each in more:
                if isinstance(each, events.Played):
                    scored[each.seat] += each.points
            total = shares([names[each] for each in scored], [*scored.values()], language)
            points = [language("Points: {points}.", points=total)] if scored else []
            if not scored and more:
                points = [language("Nobody scored.")]
            return Recap(seat, " ".join([tell(first, names, language), *points]), where)
        case _:
            return Recap(getattr(first, "seat", None), tell(first, names, language), where)


def _wall(
    wall: events.Built, more: Sequence[Event], names: Sequence[str], language: Language
) -> str:
    """A wall, and the towers and houses that came with it."""
    name = names[wall.seat]
    towers = Counter(each.tower for each in more if isinstance(each, events.TowerPlaced))
    colours = Counter(each.colour for each in more if isinstance(each, events.HousePlaced))
    pieces = [
        tower_name(each, language) if towers[each] == 1 else counted(each, towers[each], language)
        for each in TOWERS
        if towers[each]
    ] + [
        house_name(each, language) if colours[each] == 1 else counted(each, colours[each], language)
        for each in COLOURS
        if colours[each]
    ]
    if not pieces:
        return language("{name} built a wall from {start} to {end}", name=name, **ends(wall.line))
    return language(
        "{who} built a wall from {start} to {end}: {pieces}",
        who=name,
        pieces=language.listed(pieces),
        **ends(wall.line),
    )
