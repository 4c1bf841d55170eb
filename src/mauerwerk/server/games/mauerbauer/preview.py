"""Mauerbauer: what a choice would do, what an event touched, and what is told again."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from mauerwerk.core.game import Seat
from mauerwerk.core.language import Language, capital, sentence, shares
from mauerwerk.games.mauerbauer import SERIES, cities, events, naming, values
from mauerwerk.games.mauerbauer.board import Field, Line, board_of
from mauerwerk.games.mauerbauer.drawing.board import (
    ghost_closing,
    ghost_joined,
    ghost_piece,
    ghost_wall,
)
from mauerwerk.games.mauerbauer.events import Event, View
from mauerwerk.games.mauerbauer.guild import Card
from mauerwerk.games.mauerbauer.legality import legal
from mauerwerk.games.mauerbauer.notation import ends, tell
from mauerwerk.games.mauerbauer.rules import apply
from mauerwerk.games.mauerbauer.scoring import is_city_card, value
from mauerwerk.games.mauerbauer.values import COLOURS, TOWERS
from mauerwerk.games.mauerbauer.views import known_table, state_on
from mauerwerk.server.games.room import Preview, Recap, Touched
from mauerwerk.server.ui.markup import html

# --- The outlook: the rules applied to what the view shows -----------------------------------


LARGE: Final = 120
"""The number of fields beyond which a board is large; the boards of the game have 85 at most."""


class Outlook(NamedTuple):
    """What would be, once a choice is made and what goes without asking is done."""

    table: values.Table
    city: values.City | None
    """The city that would be closed, joined, scored or chosen."""
    follows: tuple[values.Action, ...]
    """What the chooser would have to do next, as there is no other choice."""
    then: tuple[values.Action, ...]
    """The choices that come after that, if they are the chooser's and have a place."""
    events: tuple[Event, ...]
    """What would be told; of a city that the wall is about to close, as if it were closed now."""

    def worth(self, view: View) -> Mapping[Card, int]:
        """What each card in the viewer's hand would score."""
        hand = () if view.seat is None else view.hands[view.seat] or ()
        return {card: value(card, self.table, self.city) for card in hand}


def outlook(view: View, action: values.Action) -> Outlook:
    """How the table would lie after this legal action of the viewer."""
    assert view.seat is not None
    step = apply(state_on(view, known_table(view)), view.seat, action)
    told = [*step.events]
    follows: list[values.Action] = []
    while isinstance(step.state, values.Placing):
        only, *others = legal(step.state, view.seat)
        if others:
            break
        follows.append(only)
        step = apply(step.state, view.seat, only)
        told += step.events
    state = step.state
    then = legal(state, view.seat) if isinstance(state, values.Placing) else ()
    table, city, more = _city_of(state, told)
    return Outlook(table, city, tuple(follows), then, (*told, *more))


def _city_of(
    state: values.State, told: list[Event]
) -> tuple[values.Table, values.City | None, tuple[Event, ...]]:
    """The table, the city in question, and what would be told of it when it is closed."""
    assert not isinstance(state, values.Appointing)  # nobody chooses before the lot
    table = state.table
    if isinstance(state, values.WithCity) and state.city is not None:
        return table, cities.city_named(table, state.city), ()
    if isinstance(state, values.Rolling | values.Placing) and (
        fields := cities.newly_closed(table, state.line)
    ):
        closed, changes = cities.close(table, fields)
        return (
            closed,
            cities.city_named(closed, fields[0]),
            (events.Closed(table.builder, fields), *changes),
        )
    # Where nobody whom the viewer knows of has cards, a closed city is scored at once.
    just_closed = (each.fields[0] for each in told if isinstance(each, events.Closed))
    return table, next((cities.city_named(table, each) for each in just_closed), None), ()


def closes_after(view: View, line: Line) -> int:
    """How many fields one wall more could close, once a wall stands on this line; 0 for none.

    Only what could not be closed before counts. It is not looked for on a board of one's own that
    is much larger than those of the game: every line is tried, and others would wait meanwhile.
    """
    if len(board_of(view.board).regions) > LARGE:
        return 0
    table = known_table(view)
    walled = outlook(view, values.Build(line)).table
    return max(
        (
            len(fields)
            for other in cities.free_lines(walled)
            if (fields := cities.newly_closed(walled, other))
            and cities.newly_closed(table, other) is None
        ),
        default=0,
    )


# --- The preview -----------------------------------------------------------------------------


def preview(
    view: View,
    action: values.Action,
    _names: Sequence[str],
    language: Language,
    _before: Sequence[Event] = (),
) -> Preview | None:
    """What an action of the viewer would do, as far as they can know."""
    match action:
        case values.Build(line=line):
            return _wall(view, line, outlook(view, action), language)
        case values.PlaceTower() | values.PlaceHouse():
            return _piece(view, action, outlook(view, action), language)
        case values.Join():
            return _joined(view, action, outlook(view, action), language)
        case values.Choose():
            return _chosen(view, outlook(view, action), language)
        case values.Play():
            return _played(outlook(view, action), language)
        case values.Discard():
            draws = language("You score nothing, and draw two cards afterwards.")
            none = language("You score nothing, and nobody draws any more.")
            return Preview(none if view.ending else draws, act=language("Discard it"))
        case values.Swap():
            return Preview(language("You draw another card for it."), act=language("Swap it"))
        case values.RollEarly():
            return Preview(language("It costs a point, if you have two or more."))
        case _:
            return None


# --- Walls and pieces ------------------------------------------------------------------------


def _wall(view: View, line: Line, ahead: Outlook, language: Language) -> Preview:
    board, table = board_of(view.board), known_table(view)
    city = ahead.city
    if city is None:
        drawn = ghost_wall(board, table, line)
        told = _closes_nothing(view, line, language)
        label = ""
    else:
        drawn = ghost_closing(board, table, line, city)
        label = language.many(
            len(city.fields), "closes a city of {number} field", "closes a city of {number} fields"
        )
        told = sentence(label)
        if cities.neighbours(ahead.table, city.name):
            told = f"{told} {language('You may join it with a city beside it.')}"
    return Preview(
        " ".join([told, *_told(ahead, language)]),
        act=language("Build here"),
        label=label,
        drawing=html(*drawn),
        badges=_badges(view, ahead),
        aloud=_aloud(view, ahead, language),
    )


def _closes_nothing(view: View, line: Line, language: Language) -> str:
    within_reach = closes_after(view, line)
    if not within_reach:
        return language("Closes no city.")
    return language.many(
        within_reach,
        "Closes no city yet; with one more wall, a city of {number} field.",
        "Closes no city yet; with one more wall, a city of {number} fields.",
    )


def _piece(view: View, action: values.Placement, ahead: Outlook, language: Language) -> Preview:
    board, table = board_of(view.board), known_table(view)
    drawn = [ghost_piece(board, table, action, sure=True)]
    told: list[str] = []
    for each in ahead.follows:
        assert isinstance(each, values.Placement)
        drawn.append(ghost_piece(board, table, each, sure=False))
        told.append(_follows(each, language))
    places = dict.fromkeys(map(_place_of, ahead.then))
    if places:
        told.append(_then(ahead.then[0], [place for place in places if place], language))
    return Preview(
        " ".join([*told, *_told(ahead, language)]),
        act=language("Put it here"),
        drawing=html(*drawn),
        badges=_badges(view, ahead),
        aloud=_aloud(view, ahead, language),
    )


def _place_of(action: values.Action) -> str:
    match action:
        case values.PlaceTower(point=point):
            return point
        case values.PlaceHouse(field=field):
            return field
        case _:
            return ""


def _follows(action: values.Placement, language: Language) -> str:
    piece = (
        language(naming.THE_TOWER[action.tower])
        if isinstance(action, values.PlaceTower)
        else naming.the_house(action.colour, language)
    )
    goes = language("{piece} then goes on {place}", piece=piece, place=_place_of(action))
    return sentence(goes)


def _then(action: values.Action, places: Sequence[str], language: Language) -> str:
    where = language.listed(places, "or")
    if isinstance(action, values.PlaceTower):
        return language("Then you choose a tower for {place}.", place=where)
    return language("Then you choose a house for {place}.", place=where)


# --- Cities and cards ------------------------------------------------------------------------


def _joined(view: View, action: values.Join, ahead: Outlook, language: Language) -> Preview:
    city = ahead.city
    assert city is not None
    label = language.many(
        len(city.fields), "one city of {number} field", "one city of {number} fields"
    )
    drawn = ghost_joined(board_of(view.board), ahead.table, city) if action.city else []
    return Preview(
        " ".join([sentence(label), *_told(ahead, language)]),
        act=language("Join them"),
        label=label if action.city else "",
        drawing=html(*drawn),
        badges=_badges(view, ahead),
        aloud=_aloud(view, ahead, language),
    )


def _chosen(view: View, ahead: Outlook, language: Language) -> Preview:
    told = (
        language("Your city cards would count nothing.")
        if ahead.city is None
        else language.many(
            len(ahead.city.fields),
            "Your city cards would count for this city of {number} field.",
            "Your city cards would count for this city of {number} fields.",
        )
    )
    badges = {
        name_of(card): f"+{worth}"
        for card, worth in ahead.worth(view).items()
        if is_city_card(card)
    }
    said = _aloud(view, ahead, language)
    return Preview(told, act=language("Choose it"), badges=badges, aloud=said)


def _played(ahead: Outlook, language: Language) -> Preview:
    scored = next(each for each in ahead.events if isinstance(each, events.Played))
    told = language.many(
        ahead.table.points[scored.seat],
        "Scores {points}; then you have {number} point.",
        "Scores {points}; then you have {number} points.",
        points=scored.points,
    )
    badges = {f"seat-{scored.seat}": f"+{scored.points}"}
    return Preview(told, act=language("Play it"), badges=badges)


# --- What all of them tell -------------------------------------------------------------------


def _told(ahead: Outlook, language: Language) -> list[str]:
    told: list[str] = []
    for event in ahead.events:
        match event:
            case events.PalacesBuilt(colours=colours):
                built = naming.new_palaces(colours, language)
                told.append(language("Houses become {palaces}.", palaces=built))
            case events.Cleared(walls=walls):
                told.append(
                    language.many(
                        len(walls),
                        "{number} wall inside goes back to the supply.",
                        "{number} walls inside go back to the supply.",
                    )
                )
            case events.EndDecided():
                told.append(language("The game then ends with this turn."))
            case _:
                pass
    return told


def name_of(card: Card) -> str:
    """The id of a card on the page."""
    return f"card-{card.value}"


def _badges(view: View, ahead: Outlook) -> Mapping[str, str]:
    """What each card of one's own would score, where a city is closed or the number changes."""
    now = _now(view)
    return {
        name_of(card): f"+{worth}"
        for card, worth in ahead.worth(view).items()
        if (ahead.city is not None or worth != now[card])
        and (ahead.city is not None or not is_city_card(card))
    }


def _now(view: View) -> Mapping[Card, int]:
    hand = () if view.seat is None else view.hands[view.seat] or ()
    return dict(zip(hand, view.worth, strict=True))


def _aloud(view: View, ahead: Outlook, language: Language) -> str:
    """The badges in words, for those who do not see them."""
    now = _now(view)
    worths = [
        (card, worth)
        for card, worth in ahead.worth(view).items()
        if (worth if is_city_card(card) else worth != now[card])
    ]
    if not worths:
        return ""
    (first, points), *others = worths
    told = [
        language(
            "{card} would score {number}", card=naming.card_name(first, language), number=points
        ),
        *(
            language("{card} {number}", card=naming.card_name(card, language), number=worth)
            for card, worth in others
        ),
    ]
    return sentence(", ".join(told))


# --- What an event touched, and what is told again -------------------------------------------


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
    told = [_recap(group, names, language) for group in _groups(touched)]
    return _by_turns([each for each in told if each.seat is None or each.seat != view.seat])


def digest(told: Sequence[Event], names: Sequence[str], language: Language) -> str:
    """A turn: the wall, the city, and who swapped how many cards."""
    groups = _groups([Touched(event, ()) for event in told])
    said = [_recap(group, names, language).sentence for group in groups]
    swapped = Counter(each.seat for each in told if isinstance(each, events.Swapped))
    said += [
        sentence(language.many(number, *SERIES[events.Swapped], name=names[seat]))
        for seat, number in swapped.items()
    ]
    return " ".join(said)


def _groups(touched: Sequence[Touched]) -> list[list[Touched]]:
    """What belongs together: a wall and what was put beside it, a city and what it scored."""
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
    return groups


def _by_turns(told: Sequence[Recap]) -> list[Recap]:
    """One number for a turn: what follows a wall of the same builder is shown with it.

    In few words, the city that it closed says more than the wall.
    """
    turns: list[Recap] = []
    wall = -1
    for each in told:
        if wall >= 0 and each.places and each.seat == turns[wall].seat:
            first = turns[wall]
            turns[wall] = replace(first, places=(*first.places, *each.places), brief=each.brief)
            turns.append(replace(each, places=(), brief=""))
        else:
            wall = len(turns) if each.places else wall
            turns.append(each)
    return turns


def _recap(group: Sequence[Touched], names: Sequence[str], language: Language) -> Recap:
    first, *more = (each.event for each in group)
    where = tuple(place for each in group for place in each.places)
    match first:
        case events.Built(seat=seat):
            told = sentence(_wall_again(first, more, names, language))
            return Recap(seat, told, where, capital(language("{name} built.", name=names[seat])))
        case events.Closed(seat=seat) | events.Chosen(seat=seat):
            scored = Counter[Seat]()
            for each in more:
                if isinstance(each, events.Played):
                    scored[each.seat] += each.points
            total = shares([names[each] for each in scored], [*scored.values()], language)
            points = [language("Points: {points}.", points=total)] if scored else []
            if not scored and more:
                points = [language("Nobody scored.")]
            told = " ".join([tell(first, names, language), *points])
            return Recap(seat, told, where, _city_again(first, names, language))
        case _:
            return Recap(getattr(first, "seat", None), tell(first, names, language), where)


def _city_again(event: Event, names: Sequence[str], language: Language) -> str:
    if not isinstance(event, events.Closed):
        return tell(event, names, language)
    return sentence(
        language.many(
            len(event.fields),
            "{name} closed {number} field",
            "{name} closed {number} fields",
            name=names[event.seat],
        )
    )


def _wall_again(
    wall: events.Built, more: Sequence[Event], names: Sequence[str], language: Language
) -> str:
    name = names[wall.seat]
    towers = Counter(each.tower for each in more if isinstance(each, events.TowerPlaced))
    colours = Counter(each.colour for each in more if isinstance(each, events.HousePlaced))
    pieces = [
        *(naming.in_words(each, towers[each], language) for each in TOWERS if towers[each]),
        *(naming.in_words(each, colours[each], language) for each in COLOURS if colours[each]),
    ]
    if not pieces:
        return language("{name} built a wall from {start} to {end}", name=name, **ends(wall.line))
    return language(
        "{name} built a wall from {start} to {end}: {pieces}",
        name=name,
        pieces=language.listed(pieces),
        **ends(wall.line),
    )
