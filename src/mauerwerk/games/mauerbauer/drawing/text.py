"""Mauerbauer as text for a terminal, and the words that both drawings use.

A half-unit is four columns wide, a row of fields four lines high:

        a   b   c   d   e
    1   ~~~~· . . . ·           · is a tower space, W G B a tower
        ~~~. . rg  # .          dots are a free line, # and = a wall
        ~~. w . w # w .    1    the field's region, the row of fields
        ~. y   . #     .        small letters below or above it are houses
    2   W=======B . . . ·       ~ is water along the coast
"""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from mauerwerk.core.game import Seat
from mauerwerk.core.language import ENGLISH, Language, cards, message, points, signed
from mauerwerk.core.svg.fitting import columns, cut, wrap
from mauerwerk.games.mauerbauer.board import Board, Field, Line, Region, board_of
from mauerwerk.games.mauerbauer.drawing.board import by_field
from mauerwerk.games.mauerbauer.events import Task, View
from mauerwerk.games.mauerbauer.naming import fields, houses, palaces, roll_name, title_of, why_over
from mauerwerk.games.mauerbauer.notation import TITLE
from mauerwerk.games.mauerbauer.scoring import is_city_card
from mauerwerk.games.mauerbauer.values import COLOURS, TOWERS, City

_COLUMNS: Final = 80
_NAME: Final = 24
_HALF: Final = 4
_LEFT: Final = 4
_MOST: Final = 2 * _HALF - 3
"""As many houses find room in a field's widest row."""
_TOP: Final = 2
"""The columns' names, and a line for water above the board."""
_Spot: TypeAlias = tuple[int, int]


def text(view: View, names: Sequence[str], language: Language = ENGLISH, /) -> str:
    """The table drawn for a terminal, 80 columns wide as long as the board is."""
    blocks = [
        f"{TITLE}. {standing(view, language)}",
        "\n".join(_drawn(view)),
        "\n".join(_legend(board_of(view.board), language)),
        "\n".join(_cities(view, language)),
        "\n".join(_players(view, names, language)),
        "\n".join(_supply(view, language)),
        "\n".join(_hand(view, language)),
    ]
    lines = "\n\n".join(block for block in blocks if block).split("\n")
    return "\n".join(line.rstrip() for line in lines)


def standing(view: View, language: Language) -> str:
    """Which turn it is, and whether the end is near."""
    why = why_over(view, language)
    if view.task is Task.NOTHING and why:
        return language("Over after {turns} turns: {why}.", turns=view.turns, why=why)
    near = [language("The last turn: {why}.", why=why)] if why else []
    return ". ".join([language("Turn {turn}", turn=view.turns + 1), *near])


# --- The board -------------------------------------------------------------------------------


def _drawn(view: View) -> list[str]:
    board = board_of(view.board)
    across, down = (max(spot[axis] for spot in board.spots.values()) for axis in (0, 1))
    page = [[" "] * (_LEFT + across * _HALF + 1) for _ in range(_TOP + down * _HALF + 2)]
    for line in board.coast:
        _flood(page, board, line)
    for point in board.points:
        if point not in board.shore:
            _dry(page, *board.spots[point])
    for city in view.cities:
        for field in city.fields:
            _pave(page, board, field)
    walls = set(view.walls)
    for line in board.lines:
        _line(page, board, line, wall=line in walls)
    for field in board.fields:
        _region(page, board, field)
    for field, colours in by_field(view.houses).items():
        _letters(page, board, field, "".join(colour.value for colour in colours))
    towers = dict(view.towers)
    for point, (x, y) in board.spots.items():
        piece = towers.get(point)
        page[_TOP + y * _HALF][_LEFT + x * _HALF] = piece.value if piece else "·"
    _names(page, board)
    return [drawn for row in page if (drawn := "".join(row).rstrip())]


def _names(page: list[list[str]], board: Board) -> None:
    for name, (x, y) in board.spots.items():
        page[0][_LEFT + x * _HALF] = name[0]
        page[_TOP + y * _HALF][: len(name) - 1] = name[1:]
    for y in sorted({min(spot[1] for spot in _spots(board, each)) for each in board.fields}):
        page[_TOP + y * _HALF + _HALF // 2].extend(f"   {y + 1}")


def _legend(board: Board, language: Language) -> list[str]:
    point, field, present = board.points[0], board.fields[0], set(board.regions.values())
    regions = (f"{each.value} {language(_REGIONS[each])}" for each in Region if each in present)
    water = [language("Water: ~")] if board.coast else []
    left = language("Point {point}: letter and row on the left.", point=point)
    right = language("Field {field}: row on the right and letter.", field=field)
    return [
        f"{left} {right}",
        " ".join([language("Regions: {regions}.", regions=", ".join(regions)), *water]),
    ]


_REGIONS: Final[Mapping[Region, str]] = {
    Region.WEST: message("west"),
    Region.MIDDLE: message("middle"),
    Region.EAST: message("east"),
}


def _spots(board: Board, field: Field) -> tuple[_Spot, _Spot, _Spot]:
    left, tip, right = board.corners[field]
    return board.spots[left], board.spots[tip], board.spots[right]


def _rows(left: _Spot, tip: _Spot) -> list[tuple[int, int, int]]:
    """The text rows of a triangle from tip to base: the row, its middle, how wide either way."""
    (_, base), (x, top) = left, tip
    return [
        (_TOP + top * _HALF + step * (base - top), _LEFT + x * _HALF, step)
        for step in range(_HALF + 1)
    ]


def _flood(page: list[list[str]], board: Board, line: Line) -> None:
    """Water on the other side of a coast line, as far as the page goes (MB-5)."""
    (field,) = board.sides[line]
    ends = [board.spots[point] for point in board.ends[line]]
    (inland,) = (spot for spot in _spots(board, field) if spot not in ends)
    beyond = (sum(x for x, _ in ends) - inland[0], sum(y for _, y in ends) - inland[1])
    left, tip, _ = sorted([*ends, beyond])
    start = _LEFT + _HALF * min(x for x, _ in board.spots.values())
    for row, middle, far in _rows(left, tip):
        if row in range(1, len(page)):
            for column in range(max(middle - far, start), min(middle + far + 1, len(page[row]))):
                page[row][column] = "~"


def _dry(page: list[list[str]], x: int, y: int) -> None:
    """Keep the water of a bay away from a point that is not coastal (MB-61)."""
    row, column = _TOP + y * _HALF, _LEFT + x * _HALF
    for each in page[row - 1 : row + 2]:
        near = slice(column - _HALF // 2, column + _HALF // 2 + 1)
        each[near] = [" " if mark == "~" else mark for mark in each[near]]


def _pave(page: list[list[str]], board: Board, field: Field) -> None:
    left, tip, _ = _spots(board, field)
    for row, middle, far in _rows(left, tip):
        page[row][middle - far : middle + far + 1] = "░" * (2 * far + 1)


def _line(page: list[list[str]], board: Board, line: Line, *, wall: bool) -> None:
    (ax, ay), (bx, by) = (board.spots[point] for point in board.ends[line])
    row, column = _TOP + ay * _HALF, _LEFT + ax * _HALF
    inside = page[row + (by - ay) * _HALF // 2][column + (bx - ax) * _HALF // 2] == "░"
    if not wall and inside:
        return
    if ay == by:
        for step in range(1, 2 * _HALF):
            page[row][column + step] = "=" if wall else " " if step % 2 else "."
    else:
        for step in range(1, _HALF):
            page[row + step * (by - ay)][column + step] = "#" if wall else "."


def _region(page: list[list[str]], board: Board, field: Field) -> None:
    """The region's letter in the middle, outside closed cities, where its cards count (MB-58)."""
    left, tip, _ = _spots(board, field)
    row, middle, _ = _rows(left, tip)[_HALF // 2]
    if page[row][middle] != "░":
        page[row][middle] = board.regions[field].value


def _letters(page: list[list[str]], board: Board, field: Field, letters: str) -> None:
    """The houses in the widest row of the field; their number where they find no room."""
    left, tip, _ = _spots(board, field)
    row, middle, _ = _rows(left, tip)[_HALF - 1]
    shown = letters if len(letters) <= _MOST else f"+{len(letters)}"
    start = middle - len(shown) // 2
    page[row][start : start + len(shown)] = shown


def _cities(view: View, language: Language) -> list[str]:
    """The cities by their first fields, and fields whose houses found no room above."""
    lines = [
        language("City {field}: {pieces}", field=city.name, pieces=_pieces(city, language))
        for city in view.cities
    ]
    lines += [
        language("Field {field}: {pieces}", field=field, pieces=houses(colours, language))
        for field, colours in by_field(view.houses).items()
        if len(colours) > _MOST
    ]
    return [part for line in lines for part in wrap(line, _COLUMNS)]


def _pieces(city: City, language: Language) -> str:
    pieces = [palaces(city.palaces, language), houses(city.houses, language)]
    return ", ".join([fields(len(city.fields), language), *(piece for piece in pieces if piece)])


# --- Beside the board ------------------------------------------------------------------------


def _players(view: View, names: Sequence[str], language: Language) -> list[str]:
    lines: list[str] = []
    laid = {each.seat: each for each in view.laid}
    for seat in (Seat(each) for each in range(len(view.counts))):
        mark = ">" if seat in view.waiting else " "
        name = cut(signed(names[seat], language, own=seat == view.seat), _NAME)
        told = f"{points(view.points[seat], language)}, {cards(view.counts[seat], language)}"
        if seat in laid:
            titles = ", ".join(title_of(card, language) for card in laid[seat].cards)
            told += ", " + (
                language("discarded {cards}", cards=titles)
                if laid[seat].discarded
                else language("played {cards}", cards=titles)
            )
        told = cut(told, _COLUMNS - _NAME - 8)
        room = _NAME + 6 - columns(name) - told.index(" ")
        lines.append(f"{mark} {name}{' ' * room}{told}")
    return lines


def _supply(view: View, language: Language) -> list[str]:
    supply = view.supply
    towers = " ".join(
        f"{tower.value}{left}" for tower, left in zip(TOWERS, supply.towers, strict=True)
    )
    small, great = (
        " ".join(f"{colour.value}{left}" for colour, left in zip(COLOURS, counts, strict=True))
        for counts in (supply.houses, supply.palaces)
    )
    name = language("Supply:")
    first = language("{walls} walls, towers {towers}", walls=supply.walls, towers=towers)
    second = language("houses {houses}, palaces {palaces}", houses=small, palaces=great)
    lines = [
        f"{name} {first}",
        f"{' ' * columns(name)} {second}",
        language("Pile {pile}, discard pile {cards}", pile=view.pile, cards=len(view.discard)),
    ]
    if view.roll is not None:
        lines.append(language("Dice: {roll}", roll=roll_name(view.roll, language)))
    return lines


def _hand(view: View, language: Language) -> list[str]:
    hand = None if view.seat is None else view.hands[view.seat]
    if not hand:
        return []
    over = view.task is Task.NOTHING
    lines = [
        language("Left in your hand:")
        if over
        else language("Your guild cards, and their points now:")
    ]
    for card, worth in zip(hand, view.worth, strict=True):
        open_still = is_city_card(card) and view.city is None
        shown = "" if over else language("if a city is closed") if open_still else str(worth)
        lines.append(f"  {card.value:<14} {title_of(card, language):<26} {shown}")
    return lines
