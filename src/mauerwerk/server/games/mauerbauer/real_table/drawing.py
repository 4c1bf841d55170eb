"""The board of the scoring helper: its pieces, and links over all that can be tapped."""

from collections.abc import Iterator
from typing import Final

from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital
from mauerwerk.core.svg import Node, node
from mauerwerk.games.mauerbauer import naming, notation, values
from mauerwerk.games.mauerbauer.board import Board, Field, Line, Point, board_of
from mauerwerk.games.mauerbauer.drawing import geometry
from mauerwerk.games.mauerbauer.drawing.board import land
from mauerwerk.games.mauerbauer.views import view
from mauerwerk.server.games.mauerbauer.real_table.counting import Counting, city_at
from mauerwerk.server.games.mauerbauer.real_table.position import table_of

_FAR: Final = 420
"""Plain land goes on beyond anything a page shows."""


def board_to_tap(now: Counting, path: str, language: Language) -> Node:
    """The board with its pieces, and links over all that can be tapped with this tool."""
    board = board_of(now.position.board)
    table = table_of(now.position)
    city = city_at(now, table)
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


def _targets(board: Board, now: Counting, language: Language) -> Iterator[_Target]:
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


def _wall_words(now: Counting, line: Line, language: Language) -> str:
    if line not in now.position.walls:
        return notation.say(values.Build(line), language)
    start, end = line.split("-")
    return language("take the wall from {start} to {end} away", start=start, end=end)


def _on_line(board: Board, line: Line) -> list[Node]:
    """A line answers in the whole rhombus between its fields, as in the game."""
    a, b = (geometry.spot_of(board, point) for point in board.ends[line])
    one, *others = (geometry.middle_of(board, field) for field in board.sides[line])
    other = others[0] if others else (a[0] + b[0] - one[0], a[1] + b[1] - one[1])
    return [node("path", d=f"M{geometry.path_of([a, one, b, other])}Z", class_="hit")]


def _on_point(board: Board, point: Point) -> list[Node]:
    x, y = geometry.spot_of(board, point)
    return [
        node("circle", cx=x, cy=y, r=20, class_="chalk", fill="none"),
        node("circle", cx=x, cy=y, r=42, class_="hit"),
    ]


def _on_field(board: Board, field: Field) -> list[Node]:
    return [node("path", d=geometry.outline_of(board, [field]), class_="hit")]
