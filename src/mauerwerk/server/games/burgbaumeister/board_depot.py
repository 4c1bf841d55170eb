"""The depot on its cloth: cards that lie face down, the one that is turned up, and all at the end.

Nothing here knows what was turned before, except where the table chose the memory aid (BB-9), and
when the game is over.
"""

from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital, cards
from mauerwerk.core.svg.drawing import Node, label, node
from mauerwerk.games.burgbaumeister.drawing.cards import HIGH, WIDE, Reader, face
from mauerwerk.games.burgbaumeister.drawing.depot import face_up, known, lying
from mauerwerk.games.burgbaumeister.events import Task, View
from mauerwerk.games.burgbaumeister.layouts import HEIGHT, WIDTH, Layout, spread
from mauerwerk.games.burgbaumeister.notation import card_name, place_name
from mauerwerk.games.burgbaumeister.values import COLUMNS, PLACES, Card, Turn
from mauerwerk.server.games.markup import classes, image, pressed, sign


def cloth(view: View, reader: Reader) -> Node:
    """The stage."""
    language = reader.language
    number = cards(len(view.depot), language)
    count = language("{cards}, face up", cards=number) if is_face_up(view) else number
    caption = node("p", node("b", language("Depot")), " ", node("span", count), class_="cap")
    chaotic = view.layout is not None
    return node(
        "section",
        caption,
        _scattered(view, reader) if chaotic else _rows(view, reader),
        class_=classes("stage", chaotic and "chaotic"),
        id="stage",
        aria_label=language("Depot"),
    )


def is_face_up(view: View) -> bool:
    """Whether the game is over and its depot is turned up."""
    return view.task is Task.NOTHING and len(view.seen or ()) == len(view.depot)


def large(card: Card, language: Language, class_: str = "bc") -> Node:
    """A card as it lies before one."""
    return image((WIDE, HIGH), [face(card, 0, 0, WIDE)], class_, card_name(card, language))


def _rows(view: View, reader: Reader) -> Node:
    """Five rows of nine, each place with its name for those who want to see it."""
    places = [_place(view, place, reader) for place in PLACES]
    for place, drawn in zip(PLACES, places, strict=True):
        drawn.set("data-at", place_name(place))
    return node("div", *places, class_="depot")


def _place(view: View, place: int, reader: Reader) -> Node:
    """A card, or where one was."""
    name, language = f"place-{place_name(place)}", reader.language
    if view.turned is not None and view.turned.place == place:
        card = view.turned.card
        told = card_name(card, language) if card else language("a card is being turned")
        drawn = large(card, language) if card else sign("card-back", "back", told)
        turning = card is None and "turning"
        return node("div", drawn, id=name, class_=classes("lies up", *_edges(place), turning))
    if place not in view.depot:
        return node("div", id=name, class_="gone")
    seen = known(view, place)
    if seen is not None and view.task is Task.NOTHING:
        return node("div", large(seen, language), id=name, class_="lies faceup")
    told = language("face down at {place}", place=place_name(place))
    aid = [] if seen is None else [node("b", f"{seen.number}", class_="num aid")]
    offer = reader.offers.get(Turn(place))
    if offer is None:
        told = told if seen is None else f"{told}: {card_name(seen, language)}"
        drawn = sign("card-back", "back", capital(told))
        return node("div", drawn, *aid, id=name, class_="lies")
    word, said = offer
    said = said if seen is None else f"{said}, {card_name(seen, language)}"
    return pressed(name, (word, said), sign("card-back", "back"), *aid, class_="lies")


def _edges(place: int) -> list[str]:
    """At an edge of the cloth a card that is lifted grows away from it."""
    row, column = divmod(place, COLUMNS)
    across = {0: "at-left", COLUMNS - 1: "at-right"}.get(column, "")
    down = {0: "at-top", PLACES[-1] // COLUMNS: "at-foot"}.get(row, "")
    return [across, down]


def _scattered(view: View, reader: Reader) -> Node:
    """A chaotic depot: one picture, which a narrow page turns by a quarter."""
    layout = spread(view.layout)
    drawn = [_lying(view, place, layout, reader) for place in PLACES]
    if view.turned is not None:
        drawn.append(face_up(view.turned, layout, 1, (WIDTH, HEIGHT), reader.language))
    names = (
        label(spot.x, spot.y + 6, place_name(place), fill="chalk", anchor="middle", bold=True)
        for place, spot in zip(PLACES, layout.spots, strict=True)
    )
    picture = node(
        "svg",
        *drawn,
        node("g", *names, class_="coords", aria_hidden="true"),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        class_="mauerwerk",
        role="group",
        aria_label=reader.language("Depot"),
    )
    return node("div", picture, class_="chaos")


def _lying(view: View, place: int, layout: Layout, reader: Reader) -> Node:
    """A scattered card, at the end with its face."""
    seen = known(view, place)
    if seen is None or view.task is not Task.NOTHING:
        return lying(view, place, layout, 1, reader)
    spot, told = layout.spots[place], card_name(seen, reader.language)
    high = layout.width * HIGH / WIDE
    return node(
        "g",
        node("title", told),
        node("g", face(seen, -layout.width / 2, -high / 2, layout.width), class_="lift faceup"),
        transform=f"translate({spot.x:.2f} {spot.y:.2f}) rotate({spot.angle})",
        id=f"place-{place_name(place)}",
        role="img",
        aria_label=told,
    )
