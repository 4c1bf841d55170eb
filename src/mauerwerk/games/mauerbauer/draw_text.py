"""Mauerbauer as text for a terminal, and the words that both drawings use.

A half-unit is four columns wide, a row of fields four lines high:

       b1          d1      · is a tower space, W G B a tower
       . .        #        dots are a free line, # and = a wall
      .   .  rg  #         small letters are houses
     . y   .    #
    W=======B. . .g2
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from mauerwerk.core.drawing import columns, cut, wrap
from mauerwerk.core.game import Seat
from mauerwerk.games.mauerbauer.board import Board, Field, Line, board_of
from mauerwerk.games.mauerbauer.events import Task, View
from mauerwerk.games.mauerbauer.guild import TITLES
from mauerwerk.games.mauerbauer.notation import TITLE
from mauerwerk.games.mauerbauer.scoring import is_city_card
from mauerwerk.games.mauerbauer.sentences import counted, ending_name, roll_name
from mauerwerk.games.mauerbauer.values import COLOURS, TOWERS, City, Colour

_COLUMNS: Final = 80
_NAME: Final = 24
_HALF: Final = 4
_LEFT: Final = 4


def text(view: View, names: Sequence[str], /) -> str:
    """The table drawn for a terminal, 80 columns wide as long as the board is."""
    blocks = [
        f"{TITLE}. {standing(view)}",
        "\n".join(_drawn(view)),
        "\n".join(_cities(view)),
        "\n".join(_players(view, names)),
        "\n".join(_supply(view)),
        "\n".join(_hand(view)),
    ]
    lines = "\n\n".join(block for block in blocks if block).split("\n")
    return "\n".join(line.rstrip() for line in lines)


# --- Words -----------------------------------------------------------------------------------


def standing(view: View) -> str:
    """Which turn it is, and whether the end is near."""
    if view.task is Task.NOTHING and view.ending is not None:
        return f"Over after {view.turns} turns: {ending_name(view.ending)}."
    near = f" The last turn: {ending_name(view.ending)}." if view.ending else ""
    return f"Turn {view.turns + 1}.{near}"


def signed(view: View, seat: Seat, name: str) -> str:
    """A player's name; the viewer is told which one is theirs."""
    return f"{name} (you)" if seat == view.seat and name.casefold() != "you" else name


# --- The board -------------------------------------------------------------------------------


def _drawn(view: View) -> list[str]:
    """The board in characters, with the names of its columns and rows."""
    board = board_of(view.board)
    across, down = (max(spot[axis] for spot in board.spots.values()) for axis in (0, 1))
    page = [[" "] * (_LEFT + across * _HALF + 3) for _ in range(down * _HALF + 2)]
    for name, (x, y) in board.spots.items():
        page[0][_LEFT + x * _HALF] = name[0]
        page[1 + y * _HALF][: len(name) - 1] = name[1:]
    for city in view.cities:
        for field in city.fields:
            _pave(page, board, field)
    walls = set(view.walls)
    for line in board.lines:
        _line(page, board, line, wall=line in walls)
    for field, colours in _by_field(view).items():
        _letters(page, board, field, "".join(colour.value for colour in colours))
    towers = dict(view.towers)
    for point, (x, y) in board.spots.items():
        piece = towers.get(point)
        page[1 + y * _HALF][_LEFT + x * _HALF] = piece.value if piece else "·"
    return ["".join(row) for row in page]


def _by_field(view: View) -> dict[Field, list[Colour]]:
    fields: dict[Field, list[Colour]] = {}
    for field, colour in view.houses:
        fields.setdefault(field, []).append(colour)
    return fields


def _line(page: list[list[str]], board: Board, line: Line, *, wall: bool) -> None:
    (ax, ay), (bx, by) = (board.spots[point] for point in board.ends[line])
    inside = page[1 + (ay + by) * _HALF // 2][_LEFT + (ax + bx) * _HALF // 2] == "░"
    if not wall and inside:
        return
    if ay == by:
        for step in range(1, 2 * _HALF):
            mark = "=" if wall else " " if step % 2 else "."
            page[1 + ay * _HALF][_LEFT + ax * _HALF + step] = mark
    else:
        for step in range(1, _HALF):
            mark = "#" if wall else "."
            page[1 + ay * _HALF + step * (by - ay)][_LEFT + ax * _HALF + step] = mark


def _rows(board: Board, field: Field) -> Iterable[tuple[int, int, int]]:
    """The text rows inside a field: the row, its middle, and how far it goes to either side."""
    (_, base), (x, top), _ = (board.spots[point] for point in board.corners[field])
    for step in range(1, _HALF):
        yield 1 + top * _HALF + step * (base - top), _LEFT + x * _HALF, step - 1


def _pave(page: list[list[str]], board: Board, field: Field) -> None:
    for row, middle, far in _rows(board, field):
        page[row][middle - far : middle + far + 1] = "░" * (2 * far + 1)
    for line in board.around[field]:
        (ax, ay), (_, by) = (board.spots[point] for point in board.ends[line])
        if ay == by:
            start = _LEFT + ax * _HALF + 1
            page[1 + ay * _HALF][start : start + 2 * _HALF - 1] = "░" * (2 * _HALF - 1)
        else:
            for step in range(1, _HALF):
                page[1 + ay * _HALF + step * (by - ay)][_LEFT + ax * _HALF + step] = "░"


def _letters(page: list[list[str]], board: Board, field: Field, letters: str) -> None:
    """The houses in the widest row of the field; their number where they find no room."""
    *_, (row, middle, far) = _rows(board, field)
    shown = letters if len(letters) <= 2 * far + 1 else f"+{len(letters)}"
    start = middle - len(shown) // 2
    page[row][start : start + len(shown)] = shown


def _cities(view: View) -> list[str]:
    """The cities by their first fields, and fields whose houses found no room above."""
    lines = [f"City {city.name}: {_pieces(city)}" for city in view.cities]
    lines += [
        f"Field {field}: {_by_colour(colours, 'house')}"
        for field, colours in _by_field(view).items()
        if len(colours) > 2 * _HALF - 3
    ]
    return [part for line in lines for part in wrap(line, _COLUMNS)]


def _pieces(city: City) -> str:
    pieces = [_by_colour(city.palaces, "palace"), _by_colour(city.houses, "house")]
    return ", ".join([counted(len(city.fields), "field"), *(piece for piece in pieces if piece)])


def _by_colour(colours: Sequence[Colour], thing: str) -> str:
    counts = Counter(colours)
    return ", ".join(
        counted(counts[colour], f"{colour.name.lower()} {thing}")
        for colour in COLOURS
        if counts[colour]
    )


# --- Beside the board ------------------------------------------------------------------------


def _players(view: View, names: Sequence[str]) -> list[str]:
    lines: list[str] = []
    laid = {each.seat: each for each in view.laid}
    for seat in (Seat(each) for each in range(len(view.counts))):
        mark = ">" if seat in view.waiting else " "
        name = cut(signed(view, seat, names[seat]), _NAME)
        told = f"{counted(view.points[seat], 'point')}, {counted(view.counts[seat], 'card')}"
        if seat in laid:
            verb = "discarded" if laid[seat].discarded else "played"
            told += f", {verb} {', '.join(TITLES[card] for card in laid[seat].cards)}"
        told = cut(told, _COLUMNS - _NAME - 8)
        room = _NAME + 6 - columns(name) - told.index(" ")
        lines.append(f"{mark} {name}{' ' * room}{told}")
    return lines


def _supply(view: View) -> list[str]:
    supply = view.supply
    towers = " ".join(
        f"{tower.value}{left}" for tower, left in zip(TOWERS, supply.towers, strict=True)
    )
    houses, palaces = (
        " ".join(f"{colour.value}{left}" for colour, left in zip(COLOURS, counts, strict=True))
        for counts in (supply.houses, supply.palaces)
    )
    lines = [
        f"Supply: {supply.walls} walls, towers {towers}",
        f"        houses {houses}, palaces {palaces}",
        f"Pile {view.pile}, discard pile {len(view.discard)}",
    ]
    if view.roll is not None:
        lines.append(f"Dice: {roll_name(view.roll)}")
    return lines


def _hand(view: View) -> list[str]:
    """One's own cards, each with its word and what it would score now."""
    hand = None if view.seat is None else view.hands[view.seat]
    if not hand:
        return []
    lines = ["Your guild cards, and their points now:"]
    for card, worth in zip(hand, view.worth, strict=True):
        shown = "if a city is closed" if is_city_card(card) and view.city is None else str(worth)
        lines.append(f"  {card.value:<14} {TITLES[card]:<26} {shown}")
    return lines
