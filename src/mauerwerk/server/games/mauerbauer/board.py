"""Mauerbauer for the page: the board in the sea, dice and supply on the water, one's guild cards.

The board is one picture that fits its room; what is beyond its frame is water and plain land, so
that a page may show as much or as little of it as it has room for.
"""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import ENGLISH, Language
from mauerwerk.core.svg.drawing import Node, node, use
from mauerwerk.games.mauerbauer.board import Board, board_of
from mauerwerk.games.mauerbauer.drawing.board import land
from mauerwerk.games.mauerbauer.drawing.flag import flag
from mauerwerk.games.mauerbauer.drawing.geometry import size
from mauerwerk.games.mauerbauer.drawing.ground import coordinates
from mauerwerk.games.mauerbauer.drawing.hand import ART
from mauerwerk.games.mauerbauer.drawing.picture import answer
from mauerwerk.games.mauerbauer.drawing.players import seat_words
from mauerwerk.games.mauerbauer.drawing.targets import Offers, on_board, targets
from mauerwerk.games.mauerbauer.drawing.text import standing
from mauerwerk.games.mauerbauer.events import Event, View
from mauerwerk.games.mauerbauer.notation import say, write
from mauerwerk.games.mauerbauer.values import (
    COLOURS,
    TOWERS,
    Action,
    City,
    Discard,
    PlaceHouse,
    PlaceTower,
    Play,
    Swap,
)
from mauerwerk.server.games.markup import classes, html
from mauerwerk.server.games.mauerbauer.board_cards import scoring, tray
from mauerwerk.server.games.mauerbauer.board_chips import opens, plates
from mauerwerk.server.games.mauerbauer.board_sea import dice, in_dock, supply
from mauerwerk.server.games.parts import Button, Parts, SeatLine

LOOK: Final = "mb"
SEATED: Final = False
ASIDE: Final = "side"
SYMBOLS: Final = (
    *(f"tower-{tower.name.lower()}" for tower in TOWERS),
    *(f"{kind}-{colour.name.lower()}" for kind in ("house", "palace") for colour in COLOURS),
    *("arms-west", "arms-middle", "arms-east", "wall-line", "boat"),
    *dict.fromkeys(ART.values()),
)

_FAR: Final = 420
"""Plain land goes on beyond anything a page shows."""


def parts(  # noqa: PLR0913, PLR0917 - all that a viewer may know
    view: View,
    legal: Sequence[Action],
    names: Sequence[str],
    language: Language = ENGLISH,
    before: Sequence[Event] = (),
    notes: Sequence[str] = (),  # noqa: ARG001 - the page has a list of seats for them
    /,
) -> Parts:
    """The table as this view has it."""
    offers = {action: (write(action), say(action, language)) for action in legal}
    return Parts(
        stage=html(
            node(
                "div",
                stage(view, offers, language),
                *dice(view, names, before, language),
                supply(view, language),
                class_="onboard",
                id="stage",
            )
        ),
        tray=html(*tray(view, offers, language)),
        aside=html(*scoring(view, names, before, language)),
        figure=html(*in_dock(view, language)),
        when=standing(view, language),
        seats=tuple(
            SeatLine(str(points), seat_words(view, Seat(seat), language))
            for seat, points in enumerate(view.points)
        ),
        buttons=_buttons(offers, language),
    )


def _buttons(offers: Offers, language: Language) -> tuple[Button, ...]:
    """The answers that are neither on the board nor in the hand."""
    elsewhere = set(on_board(offers))
    in_place = PlaceTower | PlaceHouse | Play | Discard | Swap
    answers = [
        action for action in offers if action not in elsewhere and not isinstance(action, in_place)
    ]
    return tuple(
        Button(word, answer(action, said, language), main=len(answers) == 1)
        for action in answers
        for word, said in [offers[action]]
    )


# --- The board -------------------------------------------------------------------------------

_WAVES: Final = (
    *((-60, 0.14), (-190, 0.12), (-176, 0.62), (-44, 0.5), (-110, 0.78), (-230, 0.86)),
    *((24, 0.74), (104, 0.84), (40, 0.95), (150, 0.7), (190, 0.93)),
)
"""Where there are waves: so far left or right of the board, and how far down."""


def stage(view: View, offers: Offers, language: Language, *more: Node) -> Node:
    """The board in the sea, with the flag of a player whose city is scored, and what else is said.

    On a narrow page that has little room for it, the part with that city is shown.
    """
    board = board_of(view.board)
    city = next((city for city in view.cities if city.name == view.city), None)
    flags = [flag(board, city, view.builder)] if city and view.builder is not None else []
    return _board(view, offers, language, [*flags, *more], _cut(board, city))


def _cut(board: Board, city: City | None) -> str:
    """Which part of the board is in view, where not all of it is."""
    if city is None:
        return ""
    rows = [board.spots[point][1] for field in city.fields for point in board.corners[field]]
    if min(rows) == 0:
        return "high"
    return "low" if max(rows) == max(row for _, row in board.spots.values()) else ""


def _board(view: View, offers: Offers, language: Language, more: Sequence[Node], cut: str) -> Node:
    left, top, wide, high = size(board_of(view.board))
    left, wide, high = left - 12, wide + 24, high + 12
    waves = "".join(
        f"M{(left if aside < 0 else left + wide) + aside:.0f} {top + part * high:.0f}"
        "q7-6 14 0t14 0t14 0"
        for aside, part in _WAVES
    )
    aims = targets(view, offers, lambda place: opens(place, offers, language))
    picture = node(
        "svg",
        node(
            "path",
            d=waves,
            fill="none",
            stroke="var(--sea-2)",
            stroke_width=3,
            stroke_linecap="round",
        ),
        use("boat", left - 150, top + 0.26 * high, 70, 70, class_="boat"),
        land(view, aims, language, _FAR),
        coordinates(board_of(view.board)),
        *more,
        class_="board mauerwerk",
        viewBox=f"{left:g} {top:g} {wide:g} {high:.1f}",
        preserveAspectRatio="xMidYMid meet",
    )
    chips = plates(offers, language)
    where = classes("stage", cut)
    return node("section", picture, *chips, class_=where, aria_label=language("Board"))
