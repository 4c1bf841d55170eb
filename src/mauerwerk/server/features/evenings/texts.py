"""Points, titles and how far a game is, as the page of an evening says them."""

from fractions import Fraction
from typing import Final

from mauerwerk.core.language.translation import Language
from mauerwerk.games import GAMES
from mauerwerk.server.features.evenings.values import Evening, Round, RoundTable
from mauerwerk.server.games import room, web_game

MOST: Final = 95
"""The per cent after which a game is said to be nearly over, however long it takes."""

LITTLE: Final = 5
DAY: Final = 86_400_000

PARTS: Final = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
}
"""What can be left when people share points, as far as it has a sign."""


def points_said(points: Fraction | None, language: Language) -> str:
    """Points in a cell; halves, thirds and quarters as such, and a dot where there are none yet.

    >>> from mauerwerk.core.language.translation import ENGLISH
    >>> [points_said(each, ENGLISH) for each in (None, Fraction(3), Fraction(5, 2), Fraction(1, 3))]
    ['·', '3', '2½', '⅓']
    """
    if points is None:
        return "·"
    whole, rest = divmod(points, 1)
    if not rest:
        return f"{whole}"
    if rest in PARTS:
        return f"{whole or ''}{PARTS[rest]}"
    return f"{float(points):.1f}".replace(".", "." if language.code == "en" else ",")


def box_of(played: Round) -> room.Box | None:
    """The box of a game, if this server still has it."""
    return web_game(played.game).box if played.game in GAMES else None


def title_of(played: Round) -> str:
    """The title of a game; its name, if this server does not have it any more."""
    box = box_of(played)
    return box.title if box else played.game


def lasts_of(played: Round, language: Language) -> str:
    """How long a whole game takes, as `about 40 min`; empty where its options may change that."""
    box = box_of(played)
    if box is None or (played.options and box.usual_minutes):
        return ""
    time = box.usually_lasts(language)
    return language("about {time}", time=time) if time else ""


def percent_of(box: room.Box | None, table: RoundTable, number: int) -> int:
    """How much of a game is played, about, by how many things spectators were told."""
    if table.over:
        return 100
    if box is None or not box.moves or not number:
        return 0
    return max(LITTLE, min(MOST, 100 * number // (box.moves * len(table.people))))


def is_done(kept: tuple[str, Evening], now: int) -> bool:
    """Whether an evening is of yesterday, or all of it is played."""
    _, evening = kept
    played = bool(evening.rounds) and evening.following is None and evening.current is None
    return played or now - evening.created > DAY
