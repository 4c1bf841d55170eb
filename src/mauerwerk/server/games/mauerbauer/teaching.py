"""Mauerbauer, cards that teach: what a guild card or a piece pays, and for what on the board."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from mauerwerk.core.language import Language, message
from mauerwerk.core.svg import Node, node
from mauerwerk.games.mauerbauer import cities, naming, values
from mauerwerk.games.mauerbauer.board import Board, Field, Line, Region, board_of
from mauerwerk.games.mauerbauer.drawing import geometry
from mauerwerk.games.mauerbauer.drawing.board import ghost_wall
from mauerwerk.games.mauerbauer.events import Task, View
from mauerwerk.games.mauerbauer.guild import KINDS, Card
from mauerwerk.games.mauerbauer.scoring import CLAUSE_OF, is_city_card, paid, value
from mauerwerk.games.mauerbauer.views import known_table
from mauerwerk.server.games.mauerbauer.preview import LARGE
from mauerwerk.server.games.room import Explanation, Pays, PaysNow
from mauerwerk.server.ui.markup import html

MOST: Final = 3
"""The most cities that are drawn for a city card, the best first."""
CROWDED: Final = 10
"""More pieces than these have no numbers of their own."""
COLUMNS: Final = 7


def explain(
    view: View, thing: str, _names: Sequence[str], language: Language
) -> Explanation | None:
    """What a guild card or a piece is for."""
    if thing in _PIECES:
        return _piece(thing, view, language)
    card = next((each for each in KINDS if f"card-{each.value}" == thing), None)
    if card is None or view.builder is None:
        return None
    return (_city_card if is_city_card(card) else _country_card)(card, view, language)


# --- Guild cards: what they say ----------------------------------------------------------------


class _Kind(NamedTuple):
    """What a clause says of its cards."""

    says: str
    """With the number that the card pays; of two, the second is that of a house."""
    head: str


_KINDS: Final[Mapping[str, _Kind]] = {
    "MB-50": _Kind(
        message("Pays if the city that was just closed has this number of fields."),
        message("Fields"),
    ),
    "MB-51": _Kind(
        message("Counts the different colours of houses and palaces in the city just closed."),
        message("Colours"),
    ),
    "MB-52": _Kind(
        message("Every tower of this colour around the city just closed pays {number}."),
        message("Towers"),
    ),
    "MB-53": _Kind(
        message("Every palace in the city just closed pays {number}; houses do not count."),
        message("Palaces"),
    ),
    "MB-54": _Kind(
        message(
            "In the city just closed, a palace of this colour pays {number} and a house pays "
            "{house}."
        ),
        message("Piece"),
    ),
    "MB-55": _Kind(
        message("Every tower around the city just closed pays {number}, whatever its colour."),
        message("Towers"),
    ),
    "MB-57": _Kind(
        message("Every house of this colour pays {number}, unless it is in a closed city."),
        message("Houses"),
    ),
    "MB-58": _Kind(
        message("Every house in this region pays {number}, unless it is in a closed city."),
        message("Houses"),
    ),
    "MB-59": _Kind(
        message("Every tower pays {number}, unless it belongs to a closed city."),
        message("Towers"),
    ),
    "MB-60": _Kind(
        message("Every tower of this colour pays {number}, unless it belongs to a closed city."),
        message("Towers"),
    ),
    "MB-61": _Kind(
        message("Every tower on the coast pays {number}, unless it belongs to a closed city."),
        message("Towers"),
    ),
    "MB-62": _Kind(
        message("Every wall pays {number}, unless it belongs to a closed city."),
        message("Walls"),
    ),
    "MB-64": _Kind(message("Every closed city on the board pays {number}."), message("Cities")),
}

_FIXED: Final[Mapping[Card, tuple[str, ...]]] = {
    Card.CITY_1: ("1",),
    Card.CITY_2: ("2",),
    Card.CITY_3: ("3",),
    Card.CITY_7: ("7+",),
    Card.CITY_COLOURS: ("2\N{EN DASH}3", "4\N{EN DASH}5"),
}
"""What is paid for, where it is not so much for each."""


def _table(
    card: Card, options: values.Options, could: Sequence[int], now: int | None, language: Language
) -> tuple[Pays, ...]:
    """The table of points, with what could be paid and what is."""
    each, *others = numbers = paid(card, options)
    if card in _FIXED:
        rows = [*zip(_FIXED[card], numbers, strict=True)]
        rows = [("1", 0), *rows] if others else [*rows, (language("otherwise"), 0)]
    elif others:
        return (Pays(language("house"), str(others[0])), Pays(language("palace"), str(each)))
    elif not each:
        return ()
    else:
        last = max([*could, now or 0, each])
        first = max(1, last // each - COLUMNS + 2)
        rows = [(str(count), count * each) for count in range(first, first + COLUMNS)]

    return tuple(
        Pays(count, str(points), "now" if points == now else "may" if points in could else "")
        for count, points in rows
    )


def _explained(
    card: Card, options: values.Options, language: Language, **more: object
) -> Explanation:
    clause = CLAUSE_OF[card]
    kind = _KINDS[clause]
    numbers = dict(zip(("number", "house"), paid(card, options), strict=False))
    return Explanation(
        title=naming.title_of(card, language),
        sentence=language(kind.says, **numbers),
        clause=clause,
        head=language(kind.head),
        pays=language("Points"),
        **more,  # type: ignore[arg-type]
    )


# --- A city card: the cities that one wall would close -----------------------------------------


class _Closable(NamedTuple):
    line: Line
    fields: tuple[Field, ...]
    points: int


def _closable(view: View, card: Card) -> list[_Closable]:
    """Every city that one wall would close, with what the card would pay, the best first."""
    board, table = board_of(view.board), known_table(view)
    if len(board.regions) > LARGE:
        return []
    found: dict[tuple[Field, ...], _Closable] = {}
    for line in cities.free_lines(table):
        fields = cities.newly_closed(table, line)
        if fields is None or fields in found:
            continue
        closed, _ = cities.close(replace(table, walls=(*table.walls, line)), fields)
        points = value(card, closed, cities.city_named(closed, fields[0]))
        found[fields] = _Closable(line, fields, points)
    return sorted(found.values(), key=lambda each: -each.points)


def _city_card(card: Card, view: View, language: Language) -> Explanation:
    if view.city is not None:  # a city is being scored: the card says it already
        worth = (
            dict(zip(view.hands[view.seat] or (), view.worth, strict=True)).get(card)
            if (view.seat is not None)
            else None
        )
        now = () if worth is None else (PaysNow(language("The city just closed"), str(worth)),)
        marks = {f"paved-{view.city}": ""}
        return _explained(
            card,
            view.options,
            language,
            table=_table(card, view.options, (), worth, language),
            now=now,
            marks=marks,
        )
    every = _closable(view, card)
    paying = [each for each in every if each.points]
    shown = paying[:MOST]
    lines = [
        PaysNow(
            language.many(
                len(each.fields),
                "a wall from {start} to {end} closes {number} field",
                "a wall from {start} to {end} closes {number} fields",
                start=board_of(view.board).ends[each.line][0],
                end=board_of(view.board).ends[each.line][1],
            ),
            str(each.points),
            place,
        )
        for place, each in enumerate(shown, start=1)
    ]
    if not paying:
        none = language("No single wall closes a city for which it pays.")
        lines = [PaysNow(none, "")]
    more = (
        [language.many(len(paying) - MOST, "and {number} more", "and {number} more")]
        if (len(paying) > MOST)
        else []
    )
    if shown and view.task is Task.BUILD:
        more.append(language("The dice may still change it."))
    could = sorted({each.points for each in paying})
    return _explained(
        card,
        view.options,
        language,
        table=_table(card, view.options, could[:-1], could[-1] if could else None, language),
        now=tuple(lines),
        more=" ".join(more),
        drawing=html(*_drawn(view, shown)),
    )


def _drawn(view: View, shown: Sequence[_Closable]) -> list[Node]:
    """Each city tinted, its missing wall as a ghost, and a number beside it."""
    board, table = board_of(view.board), known_table(view)
    drawn: list[Node] = []
    for each in shown:
        drawn += [node("path", d=_outline(board, field), class_="tint") for field in each.fields]
        drawn += ghost_wall(board, table, each.line)
    for place, each in enumerate(shown, start=1):
        x, y = _beside(board, each)
        drawn.append(node("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=17))
        drawn.append(node("text", str(place), x=f"{x:.1f}", y=f"{y + 8:.1f}"))
    return drawn


def _outline(board: Board, field: Field) -> str:
    spots = [geometry.spot_of(board, point) for point in board.corners[field]]
    return f"M{geometry.path_of(spots)}Z"


def _beside(board: Board, each: _Closable) -> geometry.Spot:
    """Beside the middle of the wall, on the side that is not in the city."""
    (ax, ay), (bx, by) = (geometry.spot_of(board, point) for point in board.ends[each.line])
    x, y = (ax + bx) / 2, (ay + by) / 2
    middles = [geometry.middle_of(board, field) for field in each.fields]
    u = x - sum(spot[0] for spot in middles) / len(middles)
    v = y - sum(spot[1] for spot in middles) / len(middles)
    far = max((u * u + v * v) ** 0.5, 1)
    return x + 34 * u / far, y + 34 * v / far


# --- A country card: all that counts now -------------------------------------------------------


def _country_card(card: Card, view: View, language: Language) -> Explanation:
    (each,) = paid(card, view.options)
    counts = _counting(card, view)
    number = sum(counts.values())
    points = number * each
    marks = {
        name: str(count * each) if len(counts) <= CROWDED else "" for name, count in counts.items()
    }
    where = [name.partition("-")[2] for name in counts]
    helping = _helping(card, view)
    marks |= dict.fromkeys(helping, "")
    words = language.many(
        number, "{number} on the board counts now", "{number} on the board count now"
    )
    return _explained(
        card,
        view.options,
        language,
        table=_table(card, view.options, (), points or None, language),
        now=(PaysNow(words, str(points)),),
        more=" ".join(
            [
                language("Counts in any scoring."),
                *(
                    [language("The bright lines lead there; any other is fine, too.")]
                    if helping
                    else []
                ),
            ]
        ),
        marks=marks,
        aloud=language.listed(where) if where else "",
    )


def _helping(card: Card, view: View) -> list[str]:
    """The lines on which a wall would bring what the card counts, while one is to be built.

    Only where these are some lines and not most of them.
    """
    board, table = board_of(view.board), known_table(view)
    if view.task is not Task.BUILD or view.seat not in view.waiting:
        return []
    bare = {*board.points} - {point for point, _ in table.towers}
    region = _REGIONS.get(card)
    lines = cities.free_lines(table)
    if card is Card.LAND_WATER:
        found = [line for line in lines if any(p in bare & board.shore for p in board.ends[line])]
    elif region:
        found = [
            line
            for line in lines
            if all(board.regions[field] is region for field in board.sides[line])
        ]
    else:
        found = []
    return [f"line-{line}" for line in found] if 2 * len(found) < len(lines) else []


def _counting(card: Card, view: View) -> Counter[str]:
    """How much counts at which element of the board."""
    board, table = board_of(view.board), known_table(view)
    counts = Counter[str]()
    colour, region, tower = _COLOURS.get(card), _REGIONS.get(card), _TOWERS.get(card)
    if colour or region:
        for field, each in table.houses:
            if each is colour or (region and board.regions[field] is region):
                counts[f"on-{field}"] += 1
    elif card is Card.LAND_WALLS:
        counts.update(f"wall-{line}" for line in cities.outside_walls(table))
    elif card is Card.CITIES:
        counts.update(f"paved-{city.name}" for city in table.cities)
    else:
        for point, stands in cities.outside_towers(table):
            if (card is Card.LAND_WATER and point in board.shore) or (
                card is not Card.LAND_WATER and tower in {None, stands}
            ):
                counts[f"tower-{point}"] += 1
    return counts


_COLOURS: Final = {Card[f"LAND_{each.name}"]: each for each in values.COLOURS}
_REGIONS: Final = {Card[f"LAND_{each.name}"]: each for each in Region}
_TOWERS: Final = {Card[f"LAND_{each.name}"]: each for each in values.TOWERS}


# --- Pieces of the supply ----------------------------------------------------------------------


_PIECES: Final[Mapping[str, tuple[str, str, str]]] = {
    "piece-wall": (
        message("Wall"),
        message("Every turn builds one, on a free line. A ring of walls closes a city."),
        "MB-11",
    ),
    "piece-tower": (
        message("Tower"),
        message("Stands on each end of a wall; the tower die says which colour."),
        "MB-21",
    ),
    "piece-house": (
        message("House"),
        message("Goes on a field beside the new wall; the house dice say which colours."),
        "MB-25",
    ),
    "piece-palace": (
        message("Palace"),
        message("Takes the place of two houses of one colour when a city is closed."),
        "MB-34",
    ),
}


def _piece(thing: str, view: View, language: Language) -> Explanation:
    title, says, clause = _PIECES[thing]
    stock = view.supply
    left = {
        "piece-wall": stock.walls,
        "piece-tower": sum(stock.towers),
        "piece-house": sum(stock.houses),
        "piece-palace": sum(stock.palaces),
    }[thing]
    words = language.many(left, "{number} is left in the supply", "{number} are left in the supply")
    return Explanation(
        title=language(title),
        sentence=language(says),
        clause=clause,
        now=(PaysNow(words, ""),),
        more=language("The game ends when the last piece of a kind is built."),
    )
