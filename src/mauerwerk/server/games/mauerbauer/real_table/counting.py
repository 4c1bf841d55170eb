"""The scoring helper's state: a board, the chosen piece, a city, and the points.

All of it is in the address of the page, so that it can be kept, sent on and gone back from. What is
tapped is a word, and `after` says what it changes.
"""

from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import urlencode

from msgspec.structs import replace

from mauerwerk.core.game import Seat, Value
from mauerwerk.games.mauerbauer import guild, rules, scoring, values
from mauerwerk.games.mauerbauer.board import Field, board_of
from mauerwerk.server.games.mauerbauer.real_table.position import (
    BoardPosition,
    PositionError,
    read,
    settled,
    tapped,
    tidied,
)


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


def counted(query: Mapping[str, str]) -> Counting:
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
