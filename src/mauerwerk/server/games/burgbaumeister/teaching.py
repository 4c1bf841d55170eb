"""Burgbaumeister, cards that teach: what a picture is worth, and what that means on the walls."""

from collections.abc import Mapping, Sequence
from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.core.language import Language, capital, message
from mauerwerk.games.burgbaumeister.cards import EXTRA, KINDS
from mauerwerk.games.burgbaumeister.events import View
from mauerwerk.games.burgbaumeister.notation import card_name
from mauerwerk.games.burgbaumeister.values import START_TOWER, Card, Picture
from mauerwerk.server.games.burgbaumeister import preview
from mauerwerk.server.games.room import Explanation, Pays, PaysNow

_SAYS: Final[Mapping[Picture, str]] = {
    Picture.KING: message("The king is worth 3 extra points. There is only one."),
    Picture.QUEEN: message("The queen is worth 3 extra points. There is only one."),
    Picture.KNIGHT: message(
        "Every knight and every damsel is worth 1 extra point; each pair of them 1 more."
    ),
    Picture.DAMSEL: message(
        "Every knight and every damsel is worth 1 extra point; each pair of them 1 more."
    ),
    Picture.RAVEN: message("Each raven on a card is worth 1 extra point."),
    Picture.TWO_RAVENS: message("Each raven on a card is worth 1 extra point."),
    Picture.CANNON: message(
        "Once added, it may fire at a card in another wall that is open to cannons."
    ),
    Picture.TOWER: message("A tower, and every card before it in the wall, is safe from cannons."),
    Picture.WIZARD: message(
        "Once, in a later turn, lets you insert a card anywhere in your wall where it fits."
    ),
}
_CLAUSES: Final = {
    picture: clause for pictures, _, clause in KINDS.values() for picture in pictures
}
_COUPLE: Final = frozenset({Picture.KNIGHT, Picture.DAMSEL})
_PAIRS: Final = ((1, 0), (1, 1), (2, 1), (2, 2), (3, 3))


def explain(view: View, thing: str, names: Sequence[str], language: Language) -> Explanation | None:
    """What a card in a wall is for, or the one that is turned up."""
    card = _card(view, thing)
    if card is None:
        return None
    if card.picture is None:
        return _plain(view, card, language)
    return Explanation(
        title=capital(card_name(card, language)),
        sentence=language(_SAYS[card.picture]),
        clause=_CLAUSES[card.picture],
        **_extra(card.picture, language),  # type: ignore[arg-type]
        now=tuple(_now(view, card, names, language)),
        marks=_marks(view, card),
    )


def _card(view: View, thing: str) -> Card | None:
    """The card that lies open under this name; of those face down nothing is told."""
    turned = view.turned.card if view.turned is not None else None
    if thing == "turned":
        return turned
    lying = (card for wall in view.walls for card in wall)
    return next((card for card in lying if f"card-{card.number}" == thing), None)


def _plain(view: View, card: Card, language: Language) -> Explanation:
    lasts = [wall[-1].number if wall else START_TOWER for wall in view.walls]
    fits = [seat for seat, last in enumerate(lasts) if card.number > last]
    in_wall = any(card in wall for wall in view.walls)
    return Explanation(
        title=capital(card_name(card, language)),
        sentence=language(
            "The numbers in a wall rise. A card can be added if it is higher than the last one."
        ),
        clause="BB-7",
        now=()
        if in_wall or view.seat is None
        else (
            PaysNow(
                language("Fits your wall.")
                if view.seat in fits
                else language("Too low for your wall."),
                "",
            ),
        ),
        more=language.many(
            view.full_wall, "{number} card finishes a wall.", "{number} cards finish a wall."
        ),
    )


def _extra(picture: Picture, language: Language) -> Mapping[str, object]:
    if picture in _COUPLE:
        table = tuple(
            Pays(f"{one} + {other}" if other else f"{one}", str(one + other + min(one, other)))
            for one, other in _PAIRS
        )
        return {
            "head": language("Knights + damsels"),
            "pays": language("Extra points"),
            "table": table,
        }
    if picture in EXTRA:
        return {
            "head": language("Card"),
            "pays": language("Points"),
            "table": (
                Pays(language("card"), "1"),
                Pays(language("picture"), f"+{EXTRA[picture]}"),
                Pays(language("together"), str(1 + EXTRA[picture]), "now"),
            ),
        }
    return {}


def _now(view: View, card: Card, names: Sequence[str], language: Language) -> list[PaysNow]:
    """What it would be worth in the wall of the player who turned it."""
    found = preview.consequence(view)
    if found is None or found.card != card or not view.variant:
        return []
    words = (
        language("Added to your wall now")
        if found.seat == view.seat
        else language("Added to the wall of {who} now", who=names[found.seat])
    )
    return [PaysNow(words, f"+{found.gain}")]


def _marks(view: View, card: Card) -> Mapping[str, str]:
    """The cards that go with it: its partners, what it protects, what it could hit."""
    owner = next((seat for seat, wall in enumerate(view.walls) if card in wall), view.player)
    if owner is None:
        return {}
    wall = view.walls[owner]
    if card.picture in _COUPLE:
        return {f"card-{each.number}": "" for each in wall if each.picture in _COUPLE}
    if card.picture is Picture.TOWER:
        return {f"card-{each.number}": "" for each in wall if each.number <= card.number}
    if card.picture is Picture.CANNON:
        return {
            f"card-{each.number}": ""
            for seat, other in enumerate(view.walls)
            if seat != owner
            for each in other[view.safe[Seat(seat)] :]
        }
    return {}
