"""Burgbaumeister for the page: the depot on its cloth, one's own wall, the walls of the others.

Nothing here knows what was turned before, except where the table chose the memory aid (BB-9), and
when the game is over.
"""

from collections.abc import Sequence
from typing import Any, Final

from mauerwerk.core.game import Seat
from mauerwerk.core.language import ENGLISH, Language, capital, cards, points, sentence, signed
from mauerwerk.core.svg import Node, label, node
from mauerwerk.games.burgbaumeister import values
from mauerwerk.games.burgbaumeister.drawing.cards import (
    FIGURES,
    HIGH,
    WIDE,
    Reader,
    face,
    face_up,
    known,
    lying,
    small_face,
    start_tower,
)
from mauerwerk.games.burgbaumeister.drawing.text import wall_words, when
from mauerwerk.games.burgbaumeister.events import Task, View
from mauerwerk.games.burgbaumeister.layouts import HEIGHT, WIDTH, Layout, spread
from mauerwerk.games.burgbaumeister.notation import card_name, place_name, places, say, write
from mauerwerk.server.games.burgbaumeister import preview
from mauerwerk.server.games.room import Button, Parts, SeatLine
from mauerwerk.server.ui.markup import classes, explained, head, html, image, pressed, sign

LOOK: Final = "bb"
SEATED: Final = True
ASIDE: Final = "side"
SYMBOLS: Final = ("card-back", "card-wall", "card-cloud", *FIGURES.values())


def parts(  # noqa: PLR0913, PLR0917 - all that a viewer may know
    view: View,
    legal: Sequence[values.Action],
    names: Sequence[str],
    language: Language = ENGLISH,
    before: Sequence[Any] = (),
    notes: Sequence[str] = (),
    /,
) -> Parts:
    """The table as this view has it. What was turned before is not looked up for anybody."""
    offers = {action: (write(action), say(action, language)) for action in legal}
    reader = Reader(offers, language)
    turned = view.turned.card if view.turned else None
    return Parts(
        stage=html(cloth(view, reader)),
        tray=html(*own_wall(view, reader)),
        aside=html(*other_walls(view, reader, names, notes)),
        figure="" if turned is None else html(_explained(turned, "turned", language)),
        consequence=html(*_consequence(view, names, preview.destroyed(before), language)),
        act=_act(reader),
        when=when(view, language),
        seats=tuple(
            SeatLine(str(view.points[seat]), standing(view, Seat(seat), language))
            for seat in range(len(view.walls))
        ),
        buttons=_buttons(reader),
    )


def _buttons(reader: Reader) -> tuple[Button, ...]:
    """To add a card is also pressed in the wall, but the question is to do it or to leave it."""
    buttons = (
        (values.Add(), True, "A"),
        (values.Insert(), True, "A"),
        (values.Leave(), False, "L"),
        (values.HoldFire(), False, ""),
    )
    return tuple(
        Button(reader.offers[action][0], capital(reader.offers[action][1]), main=main, key=key)
        for action, main, key in buttons
        if action in reader.offers
    )


def _act(reader: Reader) -> str:
    """What confirms the card that was pointed at."""
    if any(isinstance(action, values.Turn) for action in reader.offers):
        return reader.language("Turn it")
    if any(isinstance(action, values.Fire) for action in reader.offers):
        return reader.language("Destroy it")
    return ""


def _consequence(
    view: View, names: Sequence[str], gone: frozenset[int], language: Language
) -> list[Node]:
    """What adding the card would do: to its player as a fact, to the others as a question."""
    if view.task is Task.TURN and view.seat is not None and view.seat == view.player:
        number = _fits_from(view, view.seat)
        said = language("Only {number} or more fits your wall.", number=number)
        return [node("p", said)] if view.walls[view.seat] else []
    if view.task is not Task.DECIDE or view.turned is None or view.player is None:
        return []
    found = preview.consequence(view)
    if view.seat == view.player:
        return [] if found is None else _for_player(view, found, gone, language)
    name = names[view.player]
    if found is None:
        return [node("p", language("It is too low for {who}'s wall.", who=name))]
    worth = language("it is worth {points}", points=points(found.gain, language))
    asks = language("Will {who} add it?", who=name)
    told = [capital(sentence(worth))] if view.variant else []
    after = preview.after_words(view, found, language, gone)
    return [node("p", " ".join([asks, *told, after]))]


def _for_player(
    view: View, found: preview.Consequence, gone: frozenset[int], language: Language
) -> list[Node]:
    gain = node("b", sentence(preview.gain_words(view, found, language)))
    more = [
        preview.after_words(view, found, language, gone),
        preview.picture_words(view, found, language),
    ]
    told = [node("p", gain, " ", " ".join(filter(None, more)))]
    higher = preview.fitting(
        view, max(card.number for card in (found.card, *view.walls[found.seat])), gone
    )
    if 0 < len(higher) <= preview.FEW:
        chips = [node("i", f"{number}") for number in higher]
        told.append(
            node("p", node("span", language("Still fits after it:")), *chips, class_="only")
        )
    return told


# --- The depot on its cloth ------------------------------------------------------------------


def cloth(view: View, reader: Reader) -> Node:
    """The stage."""
    language = reader.language
    number = cards(len(view.depot), language)
    face_up_now = view.task is Task.NOTHING and len(view.seen or ()) == len(view.depot)
    count = language("{cards}, face up", cards=number) if face_up_now else number
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


def large(card: values.Card, language: Language) -> Node:
    """A card as it lies before one."""
    return image((WIDE, HIGH), [face(card, 0, 0, WIDE)], "bc", card_name(card, language))


def _explained(card: values.Card, thing: str, language: Language) -> Node:
    """The same, and it tells what it is for."""
    return explained(large(card, language), thing, card_name(card, language))


def _rows(view: View, reader: Reader) -> Node:
    """Five rows of nine, each place with its name for those who want to see it."""
    lying = values.PLACES[: view.cards]
    places = [_place(view, place, reader) for place in lying]
    for place, drawn in zip(lying, places, strict=True):
        drawn.set("data-at", place_name(place))
    return node("div", *places, class_="depot")


def _place(view: View, place: int, reader: Reader) -> Node:
    name, language = f"place-{place_name(place)}", reader.language
    if view.turned is not None and view.turned.place == place:
        card = view.turned.card
        told = card_name(card, language) if card else language("a card is being turned")
        drawn = _explained(card, "turned", language) if card else sign("card-back", "back", told)
        turning = card is None and "turning"
        return node("div", drawn, id=name, class_=classes("lies up", *_edges(place), turning))
    if place not in view.depot:
        return node("div", id=name, class_="gone")
    seen = known(view, place)
    if seen is not None and view.task is Task.NOTHING:
        return node("div", large(seen, language), id=name, class_="lies faceup")
    told = language("face down at {place}", place=place_name(place))
    aid = [] if seen is None else [node("b", f"{seen.number}", class_="num aid")]
    offer = reader.offers.get(values.Turn(place))
    if offer is None:
        told = told if seen is None else f"{told}: {card_name(seen, language)}"
        drawn = sign("card-back", "back", capital(told))
        return node("div", drawn, *aid, id=name, class_="lies")
    word, said = offer
    said = said if seen is None else f"{said}, {card_name(seen, language)}"
    return pressed(name, (word, said), sign("card-back", "back"), *aid, class_="lies")


def _edges(place: int) -> list[str]:
    """At an edge of the cloth a card that is lifted grows away from it."""
    row, column = divmod(place, values.COLUMNS)
    across = {0: "at-left", values.COLUMNS - 1: "at-right"}.get(column, "")
    down = {0: "at-top", values.PLACES[-1] // values.COLUMNS: "at-foot"}.get(row, "")
    return [across, down]


def _scattered(view: View, reader: Reader) -> Node:
    """A chaotic depot: one picture, which a narrow page turns by a quarter."""
    layout = spread(view.layout)
    drawn = [_lying(view, place, layout, reader) for place in values.PLACES[: view.cards]]
    if view.turned is not None:
        drawn.append(face_up(view.turned, layout, 1, (WIDTH, HEIGHT), reader.language))
    names = (
        label(spot.x, spot.y + 6, place_name(place), fill="chalk", anchor="middle", bold=True)
        for place, spot in zip(values.PLACES[: view.cards], layout.spots[: view.cards], strict=True)
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


_FAR: Final = 7
"""Behind as many cards there is no room for words to the right."""

# --- The viewer's own wall -------------------------------------------------------------------


def own_wall(view: View, reader: Reader) -> list[Node]:
    """Start tower, cards, and places for more; with targets where something can be done."""
    if view.seat is None:
        return []
    seat, language = view.seat, reader.language
    return [
        node(
            "section",
            head(language("Your wall"), _standing_of_own(view, seat, language)),
            *_flags(view, seat),
            _row(view, seat, reader),
            *_guard(view, seat, language),
            class_=classes("tray", seat == view.player and "now"),
            id="tray",
            aria_label=language("Your wall"),
        )
    ]


def _standing_of_own(view: View, seat: Seat, language: Language) -> str:
    """Points, what they would be with the card in question, and how far the wall has come."""
    if not view.variant:
        return standing(view, seat, language)
    now, found = points(view.points[seat], language), preview.consequence(view)
    if found is not None and found.seat == seat:
        now = language("{points}, then {sum}", points=now, sum=view.points[seat] + found.gain)
    return f"{now} · {standing(view, seat, language)}"


def _row(view: View, seat: Seat, reader: Reader) -> Node:
    language, wall = reader.language, view.walls[seat]
    tower = image((WIDE, HIGH), [start_tower(seat, 0, 0, WIDE)], "bc", language("the start tower"))
    row = [node("li", tower, id=f"start-{seat}")]
    row += [
        node("li", _explained(card, f"card-{card.number}", language), id=f"card-{card.number}")
        for card in wall
    ]
    found = preview.consequence(view)
    ghosts = 0
    if found is not None and found.seat == seat:
        row.insert(found.place + 1, _ghost(view, found, reader))
        ghosts = 1
    free = range(len(wall) + ghosts + 1, view.full_wall + 1)
    row += [node("li", f"{place}", class_="free", aria_hidden="true") for place in free]
    if view.task is Task.TURN and seat == view.player and free:
        row[free.start].text = f"{_fits_from(view, seat)}+"
        row[free.start].set("class", "free due")
    return node("ol", *row, class_="own")


def _fits_from(view: View, seat: Seat) -> int:
    """The lowest number that can be added to a wall."""
    wall = view.walls[seat]
    return (wall[-1].number if wall else values.START_TOWER) + 1


def _ghost(view: View, found: preview.Consequence, reader: Reader) -> Node:
    language = reader.language
    drawn = [large(found.card, language)]
    if view.variant:
        drawn.append(node("b", f"+{found.gain}", class_="plus", aria_hidden="true"))
    offer = reader.offers.get(values.Insert() if found.inserted else values.Add())
    if offer is None:
        return node("li", *drawn, class_="ghost", aria_hidden="true")
    name = "insert" if found.inserted else "add"
    return node("li", pressed(name, offer, *drawn, class_="next"), class_="ghost")


def _guard(view: View, seat: Seat, language: Language) -> list[Node]:
    """A line under what is safe, dots under what a cannon can hit (BB-25)."""
    safe, built = view.safe[seat], len(view.walls[seat])
    found = preview.consequence(view)
    if not view.variant:
        return []
    if view.task is Task.NOTHING or (found is not None and found.seat == seat and found.inserted):
        return [node("div", class_="guard")]  # it keeps its place, so that the depot stays as large
    spans: list[Node] = []
    if safe:
        shield = sign("i-shield", "ic")
        spans.append(node("span", shield, language("safe"), class_=f"safe span-{safe + 1}"))
    if built > safe:
        where = "" if safe else "late"
        short = safe >= _FAR and "short"
        told = language("open to cannons")
        spans.append(
            node("span", told, class_=classes("open", f"span-{built - safe}", where, short))
        )
    return [node("div", *spans, class_="guard")]


def _flags(view: View, seat: Seat) -> list[Node]:
    if view.task is not Task.NOTHING or places(view)[seat] != 1:
        return []
    built = len(view.walls[seat])
    return [_flag(f"flag at-{place}") for place in (0, 3, 6, 9) if place <= built]


def _flag(class_: str) -> Node:
    return image(
        (20, 25),
        [
            node("path", d="M3 25V2", stroke="var(--piece-line)", stroke_width=2.4),
            node(
                "path",
                d="M4 2.5h14l-4 4.5 4 4.5h-14Z",
                fill="var(--brick)",
                stroke="var(--piece-line)",
                stroke_width=1.2,
                stroke_linejoin="round",
            ),
        ],
        class_,
    )


# --- The walls of the others -----------------------------------------------------------------


def other_walls(
    view: View, reader: Reader, names: Sequence[str], notes: Sequence[str]
) -> list[Node]:
    """Everybody else's wall with name and points; for a spectator all walls."""
    others = [Seat(seat) for seat in range(len(view.walls)) if seat != view.seat]
    told = [*notes, *[""] * len(names)]
    items = [_wall(view, seat, reader, names[seat], told[seat]) for seat in others]
    language = reader.language
    title = language("Walls") if view.seat is None else language("The other walls")
    return [
        node(
            "section",
            node("h2", title, class_="vh"),
            node("ol", *items),
            class_="panel walls",
            id="walls",
        )
    ]


def _wall(view: View, seat: Seat, reader: Reader, name: str, note: str) -> Node:
    language = reader.language
    shot = any(values.Fire(card.number) in reader.offers for card in view.walls[seat])
    level = [node("span", f"{note} · ", class_="level")] if note else []
    won = view.task is Task.NOTHING and places(view)[seat] == 1
    top = node(
        "div",
        node("span", sign(f"mark-{seat + 1}"), class_="tile"),
        node("b", capital(signed(name, language, own=seat == view.seat))),
        node("span", ": ", class_="vh"),
        *([_flag("flag")] if won else []),
        node("span", *level, standing(view, seat, language), class_="far"),
        _last_card(view, seat, language),
        node("span", f", {points(view.points[seat], language)}", class_="vh"),
        node("b", str(view.points[seat]), class_="num pts", aria_hidden="true"),
        class_="hd",
    )
    turn = seat == view.player and view.task is not Task.NOTHING
    return node(
        "li",
        top,
        node(
            "ol",
            *_minis(view, seat, reader),
            class_=classes("row", shot and "shot"),
            id=f"wall-{seat}",
        ),
        class_=classes("wall", turn and "now"),
        id=f"seat-{seat}",
    )


def _last_card(view: View, seat: Seat, language: Language) -> Node:
    """The last number, for a page on which the wall itself opens when this is pressed."""
    wall = view.walls[seat]
    shown = node("b", f"{wall[-1].number}") if wall else node("span", language("no card"))
    return node(
        "button",
        node("span", language("Show the wall, last number"), " ", class_="vh"),
        shown,
        class_="unfolds js-only",
        type="button",
        aria_expanded="false",
        aria_controls=f"wall-{seat}",
    )


def _minis(view: View, seat: Seat, reader: Reader) -> list[Node]:
    wall, safe = view.walls[seat], view.safe[seat]
    tower = image((60, 86), small_face(None, seat), "mc", reader.language("the start tower"))
    row = [node("li", tower, class_="mini")]
    row += [_mini(card, seat, reader, place < safe) for place, card in enumerate(wall)]
    found = preview.consequence(view)
    free = view.full_wall - len(wall)
    if found is not None and found.seat == seat:
        ghost = image((60, 86), small_face(found.card, seat), "mc")
        row.insert(found.place + 1, node("li", ghost, class_="maybe", aria_hidden="true"))
        free -= 1
    return [*row, *(node("li", class_="free", aria_hidden="true") for _ in range(free))]


def _mini(card: values.Card, seat: Seat, reader: Reader, safe: bool) -> Node:  # noqa: FBT001 - a fact
    """A small card; a target where a cannon can hit it (BB-24)."""
    name, told = f"card-{card.number}", card_name(card, reader.language)
    drawn = small_face(card, seat)
    offer = reader.offers.get(values.Fire(card.number))
    if offer is not None:
        return node("li", pressed(name, offer, image((60, 86), drawn, "mc"), class_="aim"))
    told = f"{told}, {reader.language('safe')}" if safe else told
    shown = explained(image((60, 86), drawn, "mc", told), name, told)
    return node("li", shown, id=name, class_=classes(safe and "safe"))


def standing(view: View, seat: Seat, language: Language) -> str:
    """How far a wall has come; when it is over, its rank."""
    if view.task is Task.NOTHING and len(view.walls[seat]) == view.full_wall:
        return language("complete")
    return wall_words(view, seat, language)
