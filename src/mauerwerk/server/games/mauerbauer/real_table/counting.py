"""The scoring helper's state: a board, the chosen piece, a city, and the points.

All of it is in the address of the page, so that it can be kept, sent on and gone back from. What is
tapped is a word, and `after` says what it changes.

Pieces lie on a printed board in words:

    h3-j3.Wh3.r3h.R3h

is a wall, a white tower, a red house and a red palace, in the words of the game's notation, where a
palace has the letter of its houses as a capital. Any heap of pieces is a position: people put right
what is wrong. What the rules make of it, `settled` asks them.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final
from urllib.parse import urlencode

from msgspec.structs import replace

from mauerwerk.core.game import Seat, Value
from mauerwerk.games.mauerbauer import guild, rules, scoring, values
from mauerwerk.games.mauerbauer.board import Board, Field, Line, Point, board_of
from mauerwerk.games.mauerbauer.cities import close, enclosed
from mauerwerk.games.mauerbauer.events import Event
from mauerwerk.games.mauerbauer.values import COLOURS, City, Colour, Supply, Table, Tower

MOST: Final = 400
"""The most words of a position; the box has 138 pieces."""
_LINE: Final = re.compile(r"[a-z]\d{1,2}-[a-z]\d{1,2}", re.ASCII)
_TOWER: Final = re.compile(r"([WGB])([a-z]\d{1,2})", re.ASCII)
_PIECE: Final = re.compile(r"([ygbprYGBPR])(\d{1,2}[a-z])", re.ASCII)


class PositionError(ValueError):
    """A word that is no piece on this board."""


class Piece(Value):
    """A house or a palace."""

    colour: Colour
    palace: bool

    @property
    def letter(self) -> str:
        """`r` for a red house, `R` for a red palace."""
        return self.colour.value.upper() if self.palace else self.colour.value


class BoardPosition(Value):
    """What lies where. Walls and towers are in the board's order, pieces as they came."""

    board: str
    walls: tuple[Line, ...] = ()
    towers: tuple[tuple[Point, Tower], ...] = ()
    pieces: tuple[tuple[Field, Piece], ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """Every piece as a word."""
        return (
            *self.walls,
            *(f"{tower.value}{point}" for point, tower in self.towers),
            *(f"{piece.letter}{field}" for field, piece in self.pieces),
        )


def read(board: str, words: Sequence[str]) -> BoardPosition:
    """The position of these words. Raises PositionError, and SetupError for what is no board."""
    board_of(board)
    if len(words) > MOST:
        raise PositionError(f"a board has no room for {len(words)} pieces")
    position = BoardPosition(board)
    for word in words:
        position = _put(position, word)
    return position


def _put(position: BoardPosition, word: str) -> BoardPosition:
    board = board_of(position.board)
    if _LINE.fullmatch(word) and word in board.sides:
        return _with_walls(position, {*position.walls, Line(word)})
    if (found := _TOWER.fullmatch(word)) and found[2] in board.spots:
        towers = {**dict(position.towers), Point(found[2]): Tower(found[1])}
        return _with_towers(position, towers)
    if (found := _PIECE.fullmatch(word)) and found[2] in board.regions:
        piece = Piece(Colour(found[1].lower()), found[1].isupper())
        return replace(position, pieces=(*position.pieces, (Field(found[2]), piece)))
    raise PositionError(f"{word[:20]!r} is no piece on this board")


def tapped(position: BoardPosition, word: str) -> BoardPosition:
    """The position after a tap: a wall or a tower goes where none is, and goes if it is there.

    A house or a palace is added; `-3h` takes the last one of a field away. Raises PositionError.
    """
    board = board_of(position.board)
    if word in position.walls:
        return _with_walls(position, {*position.walls} - {Line(word)})
    if (found := _TOWER.fullmatch(word)) and (Point(found[2]), Tower(found[1])) in position.towers:
        towers = {point: tower for point, tower in position.towers if point != found[2]}
        return _with_towers(position, towers)
    if word.startswith("-"):
        if word[1:] not in board.regions:
            raise PositionError(f"{word[:20]!r} is no field of this board")
        places = [place for place, (field, _) in enumerate(position.pieces) if field == word[1:]]
        last = places[-1:]
        kept = (each for place, each in enumerate(position.pieces) if place not in last)
        return replace(position, pieces=tuple(kept))
    if len(position.words) >= MOST:
        raise PositionError("there is no room for more pieces")
    return _put(position, word)


def _with_walls(position: BoardPosition, walls: set[Line]) -> BoardPosition:
    board = board_of(position.board)
    return replace(position, walls=tuple(line for line in board.lines if line in walls))


def _with_towers(position: BoardPosition, towers: dict[Point, Tower]) -> BoardPosition:
    points = board_of(position.board).points
    return replace(
        position, towers=tuple((point, towers[point]) for point in points if point in towers)
    )


# --- What the rules make of it ---------------------------------------------------------------


def cities_of(board: Board, walls: Sequence[Line]) -> tuple[tuple[Field, ...], ...]:
    """The fields of every closed city (MB-31)."""
    around = frozenset(walls)
    known = _open_fields(board, around)
    found: list[tuple[Field, ...]] = []
    for field in board.fields:
        if field not in known and (city := enclosed(board, around, field)):
            found.append(city)
            known.update(city)
    return tuple(found)


def _open_fields(board: Board, walls: Collection[Line]) -> set[Field]:
    """The fields from which the outside can be reached, found from there in one walk (MB-31)."""
    reached = {
        sides[0] for line, sides in board.sides.items() if len(sides) == 1 and line not in walls
    }
    ahead = list(reached)
    while ahead:
        for line in board.around[ahead.pop()]:
            if line not in walls:
                beyond = {*board.sides[line]} - reached
                reached |= beyond
                ahead += beyond
    return reached


def table_of(position: BoardPosition) -> Table:
    """The table as it lies: closed cities with what stands in them, be it right or not."""
    board = board_of(position.board)
    closed = cities_of(board, position.walls)
    paved = {field for city in closed for field in city}
    cities = tuple(
        City(fields, _standing(position, fields, palace=False), _standing(position, fields))
        for fields in closed
    )
    return replace(_bare(position), houses=_houses(position, paved), cities=cities)


def settled(position: BoardPosition) -> tuple[Table, tuple[Event, ...]]:
    """The table once the rules of a closed city are followed, and what they changed (MB-34, 35)."""
    board = board_of(position.board)
    table = replace(_bare(position), houses=_houses(position, ()))
    events: tuple[Event, ...] = ()
    for fields in cities_of(board, position.walls):
        table, told = close(table, fields)
        palaces = _standing(position, fields)
        cities = tuple(
            replace(city, palaces=_in_order((*city.palaces, *palaces)))
            if city.fields == fields
            else city
            for city in table.cities
        )
        table = replace(table, cities=cities)
        events += told
    return table, events


def tidied(position: BoardPosition) -> BoardPosition:
    """The position once the rules of a closed city are followed."""
    table, _ = settled(position)
    paved = {field for city in table.cities for field in city.fields}
    pieces = [each for each in position.pieces if each[0] not in paved]
    for city in table.cities:
        standing = [
            *(Piece(colour, palace=True) for colour in city.palaces),
            *(Piece(colour, palace=False) for colour in city.houses),
        ]
        pieces += [
            (city.fields[place % len(city.fields)], piece) for place, piece in enumerate(standing)
        ]
    return BoardPosition(position.board, table.walls, table.towers, tuple(pieces))


def supply_of(position: BoardPosition) -> Supply:
    """What is left beside the board; negative where the box has too few pieces (MB-2)."""
    towers = Counter(tower for _, tower in position.towers)
    pieces = Counter((piece.palace, piece.colour) for _, piece in position.pieces)

    def left(full: tuple[int, ...], palace: bool) -> tuple[int, ...]:  # noqa: FBT001 - which kind
        return tuple(
            count - pieces[palace, colour] for count, colour in zip(full, COLOURS, strict=True)
        )

    return Supply(
        values.FULL_SUPPLY.walls - len(position.walls),
        tuple(
            count - towers[tower]
            for count, tower in zip(values.FULL_SUPPLY.towers, values.TOWERS, strict=True)
        ),
        left(values.FULL_SUPPLY.houses, palace=False),
        left(values.FULL_SUPPLY.palaces, palace=True),
    )


def stray_palaces(position: BoardPosition) -> tuple[Field, ...]:
    """Fields outside all closed cities on which a palace stands; there is no such thing (MB-34)."""
    board = board_of(position.board)
    paved = {field for city in cities_of(board, position.walls) for field in city}
    fields = (field for field, piece in position.pieces if piece.palace and field not in paved)
    return tuple(dict.fromkeys(fields))


def bare_towers(position: BoardPosition) -> tuple[Point, ...]:
    """Towers at the end of no wall; none is ever put there (MB-21, MB-35)."""
    lines_at = board_of(position.board).lines_at
    walls = set(position.walls)
    return tuple(point for point, _ in position.towers if walls.isdisjoint(lines_at[point]))


def _bare(position: BoardPosition) -> Table:
    """A table with walls and towers; hands, pile and points do not matter here."""
    supply = supply_of(position)
    return replace(
        rules.bare_table(2, values.Options(board=position.board), Seat(0)),
        walls=position.walls,
        towers=position.towers,
        supply=replace(supply, palaces=tuple(max(0, left) for left in supply.palaces)),
    )


def _houses(position: BoardPosition, paved: Collection[Field]) -> tuple[tuple[Field, Colour], ...]:
    place = board_of(position.board).place
    houses = [
        (field, piece.colour)
        for field, piece in position.pieces
        if not piece.palace and field not in paved
    ]
    return tuple(sorted(houses, key=lambda house: place[house[0]]))


def _standing(
    position: BoardPosition, fields: Sequence[Field], *, palace: bool = True
) -> tuple[Colour, ...]:
    return _in_order(
        piece.colour
        for field, piece in position.pieces
        if piece.palace is palace and field in fields
    )


def _in_order(colours: Iterable[Colour]) -> tuple[Colour, ...]:
    return tuple(sorted(colours, key=COLOURS.index))


# --- What the helper knows -------------------------------------------------------------------


class Tool(Value):
    """A tool: a kind of piece and its letter, or the one that takes pieces away."""

    kind: str
    """`wall`, `tower`, `house`, `palace` or `away`."""
    letter: str = ""

    @property
    def word(self) -> str:
        """Its word: `tower-W`, `wall`."""
        return f"{self.kind}-{self.letter}" if self.letter else self.kind


KIT: Final = (
    Tool("wall"),
    *(Tool("tower", tower.value) for tower in values.TOWERS),
    *(Tool("house", colour.value) for colour in values.COLOURS),
    *(Tool("palace", colour.value.upper()) for colour in values.COLOURS),
    Tool("away"),
)
"""All tools."""

LONGEST_NAME: Final = 20
MOST_SCORES: Final = 200
BETWEEN: Final = "~"
"""What stands between names in the address; no name has it."""


class Score(Value):
    """Points that a player got for a card."""

    seat: Seat
    card: guild.Card
    points: int

    @property
    def word(self) -> str:
        """`0:city-7:9`."""
        return f"{self.seat}:{self.card.value}:{self.points}"


class Counting(Value):
    """All that the helper knows."""

    position: BoardPosition
    tool: Tool = KIT[0]
    city: Field | None = None
    """The first field of the city that city cards are counted for; None: the first there is."""
    names: tuple[str, ...] = ()
    seat: Seat = Seat(0)
    """The player who gets the next points."""
    scores: tuple[Score, ...] = ()

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of every seat."""
        return tuple(
            sum(score.points for score in self.scores if score.seat == seat)
            for seat in range(len(self.names))
        )

    @property
    def fields(self) -> dict[str, str]:
        """The same in words, by the names of the address's fields."""
        said = {
            "board": self.position.board if self.position.board != "default" else "",
            "on": ".".join(self.position.words),
            "use": self.tool.word if self.tool != KIT[0] else "",
            "city": self.city or "",
            "who": BETWEEN.join(self.names),
            "for": str(self.seat) if self.seat else "",
            "got": ".".join(score.word for score in self.scores),
        }
        return {name: word for name, word in said.items() if word}

    @property
    def query(self) -> str:
        """The same for an address."""
        return urlencode(self.fields, safe="/:,~")


def renamed(query: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    """What an address says once these people play; who is no longer there has no points.

    Points stay with their player, also when a player before them leaves.
    """
    called = {str(seat): name.replace(BETWEEN, " ") for seat, name in enumerate(names)}
    staying = [seat for seat, name in called.items() if name.strip()]
    got = [
        f"{staying.index(seat)}:{rest}"
        for seat, _, rest in (word.partition(":") for word in query.get("got", "").split("."))
        if seat in staying
    ]
    who = BETWEEN.join(called[seat].strip() for seat in staying)
    return {**query, "who": who, "got": ".".join(got)}


def counting_in(query: Mapping[str, str]) -> Counting:
    """What an address says. Raises PositionError, and SetupError for what is no board."""
    board = query.get("board", "") or "default"
    words = [word for word in query.get("on", "").split(".") if word]
    names = tuple(
        " ".join(name.split())[:LONGEST_NAME]
        for name in query.get("who", "").split(BETWEEN)
        if name.strip()
    )[: rules.SEATS[-1]]
    scores = tuple(_score(word, len(names)) for word in query.get("got", "").split(".") if word)
    seat = query.get("for", "0")
    tool = next((each for each in KIT if each.word == query.get("use")), KIT[0])
    known = board_of(board).regions
    return Counting(
        position=read(board, words),
        tool=tool,
        city=Field(query["city"]) if query.get("city") in known else None,
        names=names,
        seat=Seat(int(seat)) if seat in map(str, range(len(names))) else Seat(0),
        scores=scores[:MOST_SCORES],
    )


def _score(word: str, seats: int) -> Score:
    seat, _, rest = word.partition(":")
    card, _, points = rest.partition(":")
    if (
        seat not in map(str, range(seats))
        or card not in {each.value for each in guild.Card}
        or not (points.isascii() and points.isdigit() and len(points) <= 3)  # noqa: PLR2004
    ):
        raise PositionError(f"{word[:20]!r} is no score like 0:city-7:9")
    return Score(Seat(int(seat)), guild.Card(card), int(points))


def after(now: Counting, word: str) -> Counting:
    """What a tap changes. Raises PositionError.

    `use:tower-W` takes a piece, `city:3h` a city, `seat:1` a player; `got:city-7` gives the player
    the points of a card, and `back` takes the last ones back; `tidy` follows the rules of closed
    cities, `clear` clears the board. Anything else is a piece that comes or goes.
    """
    what, _, which = word.partition(":")
    match what:
        case "use":
            tool = next((each for each in KIT if each.word == which), None)
            if tool is not None:
                return replace(now, tool=tool)
        case "city" if which in board_of(now.position.board).regions:
            return replace(now, city=Field(which))
        case "seat" if which in map(str, range(len(now.names))):
            return replace(now, seat=Seat(int(which)))
        case "got" if now.names and len(now.scores) < MOST_SCORES:
            cards = [card for card in guild.Card if card.value == which]
            points = worth(now)
            got = tuple(Score(now.seat, card, points[card]) for card in cards if card in points)
            if got:
                return replace(now, scores=(*now.scores, *got))
        case "back":
            return replace(now, scores=now.scores[:-1])
        case "tidy":
            return replace(now, position=tidied(now.position))
        case "clear":
            return replace(now, position=BoardPosition(now.position.board), city=None)
        case _:
            return replace(now, position=tapped(now.position, word))
    raise PositionError(f"{word[:20]!r} means nothing here")


def city_at(now: Counting, table: values.Table) -> values.City | None:
    """The city that city cards are counted for, if any is closed."""
    chosen = (city for city in table.cities if now.city in city.fields)
    return next(chosen, table.cities[0] if table.cities else None)


def worth(now: Counting) -> dict[guild.Card, int]:
    """What every card is worth, by the game's own rules; city cards only with a city."""
    table, _ = settled(now.position)
    city = city_at(now, table)
    return {
        card: scoring.value(card, table, city)
        for card in guild.Card
        if city is not None or not scoring.is_city_card(card)
    }
