"""Die Mauer, pieces that teach: what one costs, where it may stand, and where it fits now."""

from collections.abc import Mapping, Sequence
from typing import Final

from mauerwerk.core.language import Language, capital, message, points
from mauerwerk.games.mauer import notation
from mauerwerk.games.mauer.drawing.stage import stone_name
from mauerwerk.games.mauer.events import View
from mauerwerk.games.mauer.legality import sites
from mauerwerk.games.mauer.values import FULL_SET, End, Piece, penalties
from mauerwerk.server.games.room import Explanation, Pays, PaysNow

_SAYS: Final[Mapping[bool, str]] = {
    True: message("Stands only beside a wall piece, never beside a tower or a gate."),
    False: message("Can stand at either end of the wall, beside anything."),
}
"""Where a piece may stand, by whether it is a tower or a gate (DM-9)."""

_APART: Final = frozenset({Piece.TOWER, Piece.GATE})
_EMPTY: Final = "hand-empty"


def explain(
    view: View, thing: str, _names: Sequence[str], language: Language
) -> Explanation | None:
    """What a piece on the shelf is for, or the empty fist."""
    if thing == _EMPTY:
        return Explanation(
            title=capital(language("the empty fist")),
            sentence=language(
                "If only the master builder's fist is empty, any of their pieces may be built. If "
                "one rival's is empty too, that rival gives the master builder a piece."
            ),
            clause="DM-18",
        )
    piece = next((each for each in FULL_SET if f"hand-{each.value}" == thing), None)
    if piece is None:
        return None
    apart, costs = piece in _APART, penalties(view.penalties)
    table = [
        Pays(
            notation.piece_name(each, language)
            if each in {Piece.TOWER, Piece.GATE}
            else each.value,
            str(costs[each]),
            "now" if each is piece else "",
        )
        for each in sorted(FULL_SET, key=costs.__getitem__)
    ]
    ends = sites(view.wall, piece)
    marks = {
        stone_name(-view.left if end is End.LEFT else len(view.wall) - view.left - 1): ""
        for end in ends
        if view.wall
    }
    return Explanation(
        title=capital(notation.piece_name(piece, language)),
        sentence=language(_SAYS[apart]),
        clause="DM-9" if apart else "DM-8",
        head=language("Piece"),
        pays=language("Penalty points"),
        table=tuple(table),
        now=(PaysNow(_fits(view, ends, language), ""),),
        more=language(
            "Left in your hand at the end of the round, it costs {points}.",
            points=points(costs[piece], language),
        ),
        marks=marks,
    )


def _fits(view: View, ends: Sequence[End], language: Language) -> str:
    if not view.wall:
        return language("The first piece starts the wall.")
    match tuple(ends):
        case ():
            return language("There is no place for it now.")
        case (End.LEFT,):
            return language("It fits at the left end now.")
        case (End.RIGHT,):
            return language("It fits at the right end now.")
        case _:
            return language("It fits at both ends now.")
