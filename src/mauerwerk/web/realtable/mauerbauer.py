"""The scoring helper for Mauerbauer: tap the board together, see what every card is worth."""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from mauerwerk.core.game import Seat, Value
from mauerwerk.core.tongue import Tongue
from mauerwerk.core.words import capital
from mauerwerk.games.mauerbauer.board import OWN, board_of
from mauerwerk.games.mauerbauer.board_faults import BoardError
from mauerwerk.games.mauerbauer.draw_hand import ART
from mauerwerk.games.mauerbauer.guild import Card
from mauerwerk.games.mauerbauer.naming import (
    fields,
    house_name,
    houses,
    new_palaces,
    palaces,
    title_of,
    tower_name,
)
from mauerwerk.games.mauerbauer.rules import SEATS
from mauerwerk.games.mauerbauer.scoring import is_city_card
from mauerwerk.games.mauerbauer.sentences import tell
from mauerwerk.games.mauerbauer.values import COLOURS, TOWERS, Colour, Tower
from mauerwerk.web.boards.markup import html
from mauerwerk.web.boards.mauerbauer import SYMBOLS
from mauerwerk.web.faults import Fault
from mauerwerk.web.pages.page import Visitor
from mauerwerk.web.pages.shelf import BOXES
from mauerwerk.web.realtable.counting import (
    KIT,
    Counting,
    Tool,
    after,
    city_at,
    counted,
    renamed,
    worth,
)
from mauerwerk.web.realtable.position import (
    Position,
    PositionError,
    bare_towers,
    settled,
    stray_palaces,
    supply_of,
)
from mauerwerk.web.realtable.tapping import board_to_tap
from mauerwerk.web.replies import Reply, redirect
from mauerwerk.web.workshop.findings import said

PATH: Final = "/real/mauerbauer"
_NAMES: Final = tuple(f"name-{seat}" for seat in range(SEATS[-1]))
_PEOPLE: Final = ("who", "for", "got")
"""The fields of an address that have nothing to do with a board."""


class Choice(Value):
    """Something to tap: its word, what it says, and whether it is chosen already."""

    word: str
    text: str
    sign: str = ""
    chosen: bool = False


class Worth(Value):
    """What a card is worth now."""

    card: str
    title: str
    sign: str
    points: int


class Player(Value):
    """Somebody who gets points."""

    seat: Seat
    name: str
    points: int
    chosen: bool


class Got(Value):
    """Points that somebody got."""

    seat: Seat
    name: str
    title: str
    points: int


class Shown(Value):
    """The helper, ready for the template."""

    path: str
    state: dict[str, str]
    """What a form must send to keep everything else as it is."""

    board: str
    """The board as HTML."""

    boards: tuple[Choice, ...]
    """Ours, and the one that lies there where it is none of them."""

    kit: tuple[Choice, ...]
    hint: str
    remarks: tuple[str, ...]
    follows: bool
    """Whether the rules would have something changed that can be done for people."""

    cities: tuple[Choice, ...]
    of_city: tuple[Worth, ...]
    of_country: tuple[Worth, ...]
    players: tuple[Player, ...]
    names: tuple[str, ...]
    """The names, with empty ones for who is not there."""

    story: tuple[Got, ...]
    """The last points first."""

    refusal: str = ""
    """Why another board could not be laid out."""


async def show(visitor: Visitor) -> Reply:
    """The helper as the address has it; with a word, as it is after that tap."""
    query = dict(visitor.query)
    asked = query.keys() & {"word", "own", "named", *_NAMES}
    if query.keys() & {"named", *_NAMES}:
        query = renamed(query, [query.get(name, "") for name in _NAMES])
    if own := query.get("own", "").strip():
        query["board"] = own
    refusal = ""
    try:
        board = board_of(query.get("board", "") or "default")
        visitor.call.site.limiter.drawing(visitor.visit.client, len(board.regions))
    except BoardError as error:
        # People keep their points, and what does not lie on this board goes with it.
        refusal = said(error.fault, visitor.tongue)
        query = {name: query[name] for name in _PEOPLE if name in query}
    # Pieces on a large board take a while to be counted, and nobody else should wait for it.
    try:
        now = await asyncio.to_thread(_tapped, query)
    except PositionError as error:
        raise Fault(422, str(error)) from None
    visitor.path = path_of_page(now)
    if asked and not refusal and not visitor.morphs:
        return redirect(visitor.path)
    seen = await asyncio.to_thread(shown, now, visitor.tongue)
    template = "mauerbauer_live" if visitor.morphs else "mauerbauer"
    return visitor.paint(
        f"realtable/{template}.html",
        422 if refusal else 200,
        shown=replace(seen, refusal=refusal),
        symbols=SYMBOLS,
    )


def _tapped(query: Mapping[str, str]) -> Counting:
    """What the address says, after its tap. Raises PositionError."""
    now = counted(query)
    word = query.get("word")
    return after(now, word) if word else now


def path_of_page(now: Counting) -> str:
    """Where this helper is."""
    return f"{PATH}?{now.query}" if now.query else PATH


def shown(now: Counting, tongue: Tongue) -> Shown:
    """All of it, in words."""
    table, events = settled(now.position)
    city = city_at(now, table)
    points = worth(now)
    values = [
        Worth(card.value, title_of(card, tongue), ART[card], points[card])
        for card in Card
        if card in points
    ]
    remarks = [tell(event, (), tongue) for event in events]
    path = path_of_page(now)
    return Shown(
        path=path + ("&" if "?" in path else "?"),
        state=now.fields,
        board=html(board_to_tap(now, path, tongue)),
        boards=tuple(_boards(now.position.board, tongue)),
        kit=tuple(_tool(tool, tool == now.tool, tongue) for tool in KIT),
        hint=_hint(now.tool, tongue),
        remarks=(*remarks, *_remarks(now.position, tongue)),
        follows=bool(events),
        cities=tuple(
            Choice(
                f"city:{each.name}",
                tongue("City {field}", field=each.name) + f" · {fields(len(each.fields), tongue)}",
                chosen=each == city,
            )
            for each in table.cities
        ),
        of_city=tuple(each for each in values if is_city_card(Card(each.card))),
        of_country=tuple(each for each in values if not is_city_card(Card(each.card))),
        players=tuple(
            Player(Seat(seat), name, total, seat == now.seat)
            for seat, (name, total) in enumerate(zip(now.names, now.totals, strict=True))
        ),
        names=(*now.names, *[""] * (SEATS[-1] - len(now.names))),
        story=tuple(
            Got(score.seat, now.names[score.seat], title_of(score.card, tongue), score.points)
            for score in reversed(now.scores)
        ),
    )


# --- Words -----------------------------------------------------------------------------------


def _boards(present: str, tongue: Tongue) -> Iterator[Choice]:
    ours = BOXES["mauerbauer"].words["board"]
    if present not in dict(ours):
        yield Choice(present, tongue(OWN), chosen=True)
    for word, words in ours:
        yield Choice(word, tongue(words), chosen=word == present)


def _tool(tool: Tool, chosen: bool, tongue: Tongue) -> Choice:  # noqa: FBT001 - a fact about it
    match tool.kind:
        case "tower":
            tower = Tower(tool.letter)
            text, sign = tower_name(tower, tongue), f"tower-{tower.name.lower()}"
        case "house":
            colour = Colour(tool.letter)
            text, sign = house_name(colour, tongue), f"house-{colour.name.lower()}"
        case "palace":
            colour = Colour(tool.letter.lower())
            text, sign = new_palaces([colour], tongue), f"palace-{colour.name.lower()}"
        case "wall":
            text, sign = tongue.many(1, "a wall", "{number} walls"), "wall-line"
        case _:
            text, sign = tongue("take houses and palaces away"), ""
    return Choice(f"use:{tool.word}", capital(text), sign, chosen)


def _hint(tool: Tool, tongue: Tongue) -> str:
    match tool.kind:
        case "wall":
            return tongue("Tap a line: a wall comes or goes.")
        case "tower":
            return tongue("Tap a point: the tower comes or goes.")
        case "away":
            return tongue("Tap a field: its last house or palace goes.")
        case _:
            return tongue("Tap a field: one comes each time.")


def _remarks(position: Position, tongue: Tongue) -> Iterator[str]:
    """What the rules do not know, in sentences; nobody has to change it."""
    for field in stray_palaces(position):
        yield tongue("A palace on field {field}, which is in no closed city (MB-34).", field=field)
    for point in bare_towers(position):
        yield tongue("A tower on {point}, where no wall ends (MB-21).", point=point)
    supply = supply_of(position)
    too_many = [
        *([tongue.many(-supply.walls, "a wall", "{number} walls")] if supply.walls < 0 else []),
        *(
            tower_name(tower, tongue)
            for tower, left in zip(TOWERS, supply.towers, strict=True)
            if left < 0
        ),
        *(
            name([colour] * -left, tongue)
            for name, counts in ((houses, supply.houses), (palaces, supply.palaces))
            for colour, left in zip(COLOURS, counts, strict=True)
            if left < 0
        ),
    ]
    if too_many:
        yield tongue(
            "That is more than the box holds, by {pieces} (MB-2).", pieces=tongue.listed(too_many)
        )
