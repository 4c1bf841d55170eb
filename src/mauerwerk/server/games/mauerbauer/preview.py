"""Mauerbauer: what a wall, a piece or a card would do, drawn and said before it is chosen."""

from collections.abc import Mapping, Sequence

from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import sentence
from mauerwerk.games.mauerbauer.board import Line, board_of
from mauerwerk.games.mauerbauer.cities import neighbours
from mauerwerk.games.mauerbauer.drawing.ghosts import (
    ghost_closing,
    ghost_joined,
    ghost_piece,
    ghost_wall,
)
from mauerwerk.games.mauerbauer.events import Cleared, EndDecided, Event, PalacesBuilt, Played, View
from mauerwerk.games.mauerbauer.guild import Card
from mauerwerk.games.mauerbauer.knowledge import known_table
from mauerwerk.games.mauerbauer.naming import card_name, new_palaces, the_house, the_tower
from mauerwerk.games.mauerbauer.scoring import is_city_card
from mauerwerk.games.mauerbauer.values import (
    Action,
    Build,
    Choose,
    City,
    Discard,
    Join,
    PlaceHouse,
    PlaceTower,
    Play,
    RollEarly,
    Swap,
)
from mauerwerk.server.games.markup import html
from mauerwerk.server.games.mauerbauer.outlook import Outlook, closes_after, outlook
from mauerwerk.server.games.preview import Preview


def preview(
    view: View,
    action: Action,
    _names: Sequence[str],
    language: Language,
    _before: Sequence[Event] = (),
) -> Preview | None:
    """What an action of the viewer would do, as far as they can know."""
    match action:
        case Build(line=line):
            return _wall(view, line, outlook(view, action), language)
        case PlaceTower() | PlaceHouse():
            return _piece(view, action, outlook(view, action), language)
        case Join():
            return _joined(view, action, outlook(view, action), language)
        case Choose():
            return _chosen(view, outlook(view, action), language)
        case Play():
            return _played(outlook(view, action), language)
        case Discard():
            draws = language("You score nothing, and draw two cards afterwards.")
            none = language("You score nothing, and nobody draws any more.")
            return Preview(none if view.ending else draws, act=language("Discard it"))
        case Swap():
            return Preview(language("You draw another card for it."), act=language("Swap it"))
        case RollEarly():
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
        label = _closes(city, language)
        told = sentence(label)
        if neighbours(ahead.table, city.name):
            told = f"{told} {language('You may join it with a city beside it.')}"
    return Preview(
        " ".join([told, *_told(ahead, language)]),
        act=language("Build here"),
        label=label,
        drawing=html(*drawn),
        badges=_badges(view, ahead),
        aloud=_aloud(view, ahead, language),
    )


def _closes(city: City, language: Language) -> str:
    return language.many(
        len(city.fields), "closes a city of {number} field", "closes a city of {number} fields"
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


def _piece(
    view: View, action: PlaceTower | PlaceHouse, ahead: Outlook, language: Language
) -> Preview:
    """The piece in its place, and what goes beside it then."""
    board, table = board_of(view.board), known_table(view)
    drawn = [ghost_piece(board, table, action, sure=True)]
    told: list[str] = []
    for each in ahead.follows:
        assert isinstance(each, PlaceTower | PlaceHouse)
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


def _place_of(action: Action) -> str:
    match action:
        case PlaceTower(point=point):
            return point
        case PlaceHouse(field=field):
            return field
        case _:
            return ""


def _follows(action: PlaceTower | PlaceHouse, language: Language) -> str:
    """The red house then goes on 4d."""
    piece = (
        the_tower(action.tower, language)
        if isinstance(action, PlaceTower)
        else the_house(action.colour, language)
    )
    goes = language("{piece} then goes on {place}", piece=piece, place=_place_of(action))
    return sentence(goes)


def _then(action: Action, places: Sequence[str], language: Language) -> str:
    """What is to be chosen next."""
    where = language.listed(places, "or")
    if isinstance(action, PlaceTower):
        return language("Then you choose a tower for {place}.", place=where)
    return language("Then you choose a house for {place}.", place=where)


# --- Cities and cards ------------------------------------------------------------------------


def _joined(view: View, action: Join, ahead: Outlook, language: Language) -> Preview:
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
    return Preview(
        told,
        act=language("Choose it"),
        badges=badges,
        aloud=_aloud(view, ahead, language),
    )


def _played(ahead: Outlook, language: Language) -> Preview:
    scored = next(each for each in ahead.events if isinstance(each, Played))
    told = language.many(
        ahead.table.points[scored.seat],
        "Scores {points}; then you have {number} point.",
        "Scores {points}; then you have {number} points.",
        points=scored.points,
    )
    badges = {f"seat-{scored.seat}": f"+{scored.points}"}
    return Preview(told, act=language("Play this card"), badges=badges)


# --- What all of them tell -------------------------------------------------------------------


def _told(ahead: Outlook, language: Language) -> list[str]:
    """What would happen to the pieces, and whether it decides the end."""
    told: list[str] = []
    for event in ahead.events:
        match event:
            case PalacesBuilt(colours=colours):
                built = new_palaces(colours, language)
                told.append(language("Houses become {palaces}.", palaces=built))
            case Cleared(walls=walls):
                told.append(
                    language.many(
                        len(walls),
                        "{number} wall inside goes back to the supply.",
                        "{number} walls inside go back to the supply.",
                    )
                )
            case EndDecided():
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
        language("{card} would score {number}", card=card_name(first, language), number=points),
        *(
            language("{card} {number}", card=card_name(card, language), number=worth)
            for card, worth in others
        ),
    ]
    return sentence(", ".join(told))
