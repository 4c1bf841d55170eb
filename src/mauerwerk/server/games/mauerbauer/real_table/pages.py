"""The scoring helper for Mauerbauer: tap the board together, see what every card is worth."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

import msgspec

from mauerwerk.core.game import Value
from mauerwerk.core.language import Language, capital
from mauerwerk.core.svg import Node, node
from mauerwerk.games.mauerbauer import naming, notation, values
from mauerwerk.games.mauerbauer.board import (
    BOARDS,
    OWN,
    Board,
    BoardError,
    Field,
    Line,
    Point,
    board_of,
)
from mauerwerk.games.mauerbauer.drawing import geometry
from mauerwerk.games.mauerbauer.drawing.board import land
from mauerwerk.games.mauerbauer.guild import Card
from mauerwerk.games.mauerbauer.rules import SEATS
from mauerwerk.games.mauerbauer.scoring import is_city_card
from mauerwerk.games.mauerbauer.values import COLOURS, FULL_SUPPLY, TOWERS, Colour, Tower
from mauerwerk.games.mauerbauer.views import view
from mauerwerk.server.games.mauerbauer.board import SYMBOLS
from mauerwerk.server.games.mauerbauer.board_editor.findings import said
from mauerwerk.server.games.mauerbauer.real_table import counting
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.response import JSON, Response, redirect
from mauerwerk.server.http.static import FOR_NOW
from mauerwerk.server.ui.markup import html
from mauerwerk.server.ui.page import PageRequest

PATH: Final = "/real/mauerbauer"
_NAMES: Final = tuple(f"name-{seat}" for seat in range(SEATS[-1]))
_PEOPLE: Final = ("who", "for", "got")
"""The fields of an address that have nothing to do with a board."""


class TapChoice(Value):
    """Something to tap: its word, what it says, and whether it is chosen already."""

    word: str
    text: str
    sign: str = ""
    chosen: bool = False


async def show(request: PageRequest) -> Response:
    """The helper as the address has it; with a word, as it is after that tap."""
    query = dict(request.query)
    asked = query.keys() & {"word", "own", "named", *_NAMES}
    if query.keys() & {"named", *_NAMES}:
        query = counting.renamed(query, [query.get(name, "") for name in _NAMES])
    if own := query.get("own", "").strip():
        query["board"] = own
    refusal = ""
    try:
        board = board_of(query.get("board", "") or "default")
        request.app.limiter.drawing(request.client, len(board.regions))
    except BoardError as error:
        # People keep their points, and what does not lie on this board goes with it.
        refusal = said(error.fault, request.language)
        query = {name: query[name] for name in _PEOPLE if name in query}
    # Pieces on a large board take a while to be counted, and other requests must not wait.
    try:
        now = await request.in_thread(_tapped, query)
    except counting.PositionError as error:
        raise HttpError(422, str(error)) from None
    request.path = path_of_page(now)
    if asked and not refusal and not request.morphs:
        return redirect(request.path)
    seen = await request.in_thread(helper_page, now, request.language)
    template = "live" if request.morphs else "page"
    return request.render(
        f"mauerbauer/real_table/{template}.html",
        422 if refusal else 200,
        **seen,
        refusal=refusal,
        symbols=SYMBOLS,
    )


def _tapped(query: Mapping[str, str]) -> counting.Counting:
    """What the address says, after its tap. Raises PositionError."""
    now = counting.counting_in(query)
    word = query.get("word")
    return counting.after(now, word) if word else now


def path_of_page(now: counting.Counting) -> str:
    """Where this helper is."""
    return f"{PATH}?{now.query}" if now.query else PATH


def helper_page(now: counting.Counting, language: Language) -> dict[str, Any]:
    """All that the template shows, in words."""
    table, events = counting.settled(now.position)
    city = counting.city_at(now, table)
    remarks = [notation.tell(event, (), language) for event in events]
    path = path_of_page(now)
    return {
        "now": now,
        "link": path + ("&" if "?" in path else "?"),
        "board": html(board_to_tap(now, path, language)),
        "boards": [*_boards(now.position.board, language)],
        "kit": [_tool(tool, tool == now.tool, language) for tool in counting.KIT],
        "hint": _hint(now.tool, language),
        "remarks": [*remarks, *_remarks(now.position, language)],
        # Whether the rules would have something changed that can be done for people.
        "follows": bool(events),
        "cities": [
            TapChoice(
                f"city:{each.name}",
                language("City {field}", field=each.name)
                + f" · {naming.fields(len(each.fields), language)}",
                chosen=each == city,
            )
            for each in table.cities
        ],
        "titles": {card: naming.title_of(card, language) for card in Card},
        "worth": counting.worth(now),
        "is_city_card": is_city_card,
        "most_players": SEATS[-1],
    }


# --- Words -----------------------------------------------------------------------------------


def _boards(present: str, language: Language) -> Iterator[TapChoice]:
    if present not in dict(values.BOARD_NAMES):
        yield TapChoice(present, language(OWN), chosen=True)
    for word, words in values.BOARD_NAMES:
        yield TapChoice(word, language(words), chosen=word == present)


def _tool(tool: counting.Tool, chosen: bool, language: Language) -> TapChoice:  # noqa: FBT001 - a fact about it
    match tool.kind:
        case "tower":
            tower = Tower(tool.letter)
            text, sign = naming.tower_name(tower, language), f"tower-{tower.name.lower()}"
        case "house":
            colour = Colour(tool.letter)
            text, sign = naming.house_name(colour, language), f"house-{colour.name.lower()}"
        case "palace":
            colour = Colour(tool.letter.lower())
            text, sign = naming.new_palaces([colour], language), f"palace-{colour.name.lower()}"
        case "wall":
            text, sign = language.many(1, "a wall", "{number} walls"), "wall-line"
        case _:
            text, sign = language("take houses and palaces away"), ""
    return TapChoice(f"use:{tool.word}", capital(text), sign, chosen)


def _hint(tool: counting.Tool, language: Language) -> str:
    match tool.kind:
        case "wall":
            return language("Tap a line: a wall comes or goes.")
        case "tower":
            return language("Tap a tower space: the tower comes or goes.")
        case "away":
            return language("Tap a field: its last house or palace goes.")
        case _:
            return language("Tap a field: one comes each time.")


def _remarks(position: counting.BoardPosition, language: Language) -> Iterator[str]:
    """What the rules do not provide for, in sentences; it may stay as it is."""
    for field in counting.stray_palaces(position):
        yield language(
            "A palace on field {field}, which is in no closed city (MB-34).", field=field
        )
    for point in counting.bare_towers(position):
        yield language("A tower on {point}, where no wall ends (MB-21).", point=point)
    supply = counting.supply_of(position)
    too_many = [
        *([language.many(-supply.walls, "a wall", "{number} walls")] if supply.walls < 0 else []),
        *(
            naming.tower_name(tower, language)
            for tower, left in zip(TOWERS, supply.towers, strict=True)
            if left < 0
        ),
        *(
            name([colour] * -left, language)
            for name, counts in ((naming.houses, supply.houses), (naming.palaces, supply.palaces))
            for colour, left in zip(COLOURS, counts, strict=True)
            if left < 0
        ),
    ]
    if too_many:
        yield language(
            "That is more than the box holds, by {pieces} (MB-2).", pieces=language.listed(too_many)
        )


# --- The boards for the script, which counts on them without a network -----------------------


async def show_plans(request: PageRequest) -> Response:
    """All of our boards, and how many palaces the box has."""
    del request
    return Response(plans(), JSON, headers=[FOR_NOW])


@cache
def plans() -> bytes:
    """For each board its fields, lines and points, in the order of the board."""
    boards = {
        word: {
            "fields": {
                field: [*board.corners[field], board.regions[field].value] for field in board.fields
            },
            "lines": {line: board.sides[line] for line in board.lines},
            "points": {
                point: [round(each, 1) for each in geometry.spot_of(board, point)]
                for point in board.points
            },
            "shore": sorted(board.shore),
        }
        for word in BOARDS
        for board in (board_of(word),)
    }
    return msgspec.json.encode({"boards": boards, "palaces": FULL_SUPPLY.palaces})


# --- The board: its pieces, and links over all that can be tapped ----------------------------


_FAR: Final = 420
"""Plain land goes on beyond anything a page shows."""


def board_to_tap(now: counting.Counting, path: str, language: Language) -> Node:
    """The board with its pieces, and links over all that can be tapped with this tool."""
    board = board_of(now.position.board)
    table = counting.table_of(now.position)
    city = counting.city_at(now, table)
    state = (
        values.Building(table, hasty=False) if city is None else values.Joining(table, city.name)
    )
    left, top, wide, high = geometry.size(board)
    links = [
        _link(path, name, word, words, content)
        for name, word, words, content in _targets(board, now, language)
    ]
    return node(
        "svg",
        land(view(state, None), links, language, _FAR),
        class_="board mauerwerk",
        viewBox=f"{left - 12:g} {top:g} {wide + 24:g} {high + 12:.1f}",
        preserveAspectRatio="xMidYMid meet",
    )


def _link(path: str, name: str, word: str, words: str, content: list[Node]) -> Node:
    joint = "&" if "?" in path else "?"
    return node(
        "a",
        *content,
        id=name,
        class_="target",
        href=f"{path}{joint}word={word}",
        data_word=word,
        aria_label=capital(words),
    )


_Target = tuple[str, str, str, list[Node]]
"""An id, a word, what it says, and where it is."""


def _targets(board: Board, now: counting.Counting, language: Language) -> Iterator[_Target]:
    tool = now.tool
    match tool.kind:
        case "wall":
            for line in board.lines:
                yield f"line-{line}", line, _wall_words(now, line, language), _on_line(board, line)
        case "tower":
            for point in board.points:
                action = values.PlaceTower(point, values.Tower(tool.letter))
                word = f"{tool.letter}{point}"
                there = (point, action.tower) in now.position.towers
                words = (
                    language("take the tower on {point} away", point=point)
                    if there
                    else notation.say(action, language)
                )
                yield f"point-{point}", word, words, _on_point(board, point)
        case "house":
            for field in board.fields:
                words = notation.say(values.PlaceHouse(field, values.Colour(tool.letter)), language)
                yield f"field-{field}", f"{tool.letter}{field}", words, _on_field(board, field)
        case "palace":
            piece = naming.new_palaces([values.Colour(tool.letter.lower())], language)
            for field in board.fields:
                words = language("{piece} on field {field}", piece=piece, field=field)
                yield f"field-{field}", f"{tool.letter}{field}", words, _on_field(board, field)
        case _:
            for field in dict.fromkeys(field for field, _ in now.position.pieces):
                words = language("take a piece from field {field}", field=field)
                yield f"field-{field}", f"-{field}", words, _on_field(board, field)


def _wall_words(now: counting.Counting, line: Line, language: Language) -> str:
    if line not in now.position.walls:
        return notation.say(values.Build(line), language)
    start, end = line.split("-")
    return language("take the wall from {start} to {end} away", start=start, end=end)


def _on_line(board: Board, line: Line) -> list[Node]:
    """A line answers in the whole rhombus between its fields, as in the game."""
    return [node("path", d=geometry.rhombus_of(board, line), class_="hit")]


def _on_point(board: Board, point: Point) -> list[Node]:
    x, y = geometry.spot_of(board, point)
    return [
        node("circle", cx=x, cy=y, r=20, class_="chalk", fill="none"),
        node("circle", cx=x, cy=y, r=42, class_="hit"),
    ]


def _on_field(board: Board, field: Field) -> list[Node]:
    return [node("path", d=geometry.outline_of(board, [field]), class_="hit")]
