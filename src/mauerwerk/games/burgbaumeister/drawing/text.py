"""Burgbaumeister as text for a terminal, and the words that both drawings use."""

from collections.abc import Mapping, Sequence
from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.core.language import ENGLISH, Language, message, points, signed
from mauerwerk.core.svg.fitting import columns, cut, wrap
from mauerwerk.games.burgbaumeister import values
from mauerwerk.games.burgbaumeister.cards import LETTERS
from mauerwerk.games.burgbaumeister.events import Task, View
from mauerwerk.games.burgbaumeister.notation import TITLE, place_name

_WIDE: Final = 80
_NAME: Final = 18


def text(view: View, names: Sequence[str], language: Language = ENGLISH, /) -> str:
    """The table drawn for a terminal, 80 columns wide."""
    blocks = [
        f"{TITLE}\n{when(view, language)}",
        "\n".join(_depot(view)),
        "\n".join([*_walls(view, names, language), *_legend(view, language)]),
    ]
    lines = "\n\n".join(block for block in blocks if block).split("\n")
    return "\n".join(line.rstrip() for line in lines)


# --- Words -----------------------------------------------------------------------------------


def when(view: View, language: Language) -> str:
    """Which turn it is, what is left, and how long no card was added."""
    if view.task is Task.NOTHING:
        return language("The game is over")
    now = language.many(
        len(view.depot),
        "Turn {turn}, {number} card in the depot",
        "Turn {turn}, {number} cards in the depot",
        turn=view.turns + 1,
    )
    return ", ".join([now, *_idle(view, language)])


def _idle(view: View, language: Language) -> list[str]:
    """How long no card was added (BB-12)."""
    if not view.idle:
        return []
    if view.stall:
        most = view.most_idle
        counted = language.many(
            view.idle,
            "{number} turn without a card ({most} end the game)",
            "{number} turns without a card ({most} end the game)",
            most=most,
        )
        return [counted]
    return [
        language.many(view.idle, "{number} turn without a card", "{number} turns without a card")
    ]


def wall_words(view: View, seat: Seat, language: Language) -> str:
    """How far a wall has come: `5 of 9 cards, spell ready`."""
    words = language("{cards} of {most} cards", cards=len(view.walls[seat]), most=view.full_wall)
    return f"{words}, {language('spell ready')}" if view.spell == seat else words


# --- Depot and walls -------------------------------------------------------------------------

_LETTERS: Final[Mapping[values.Picture, str]] = {picture: word for word, picture in LETTERS.items()}


def _depot(view: View) -> list[str]:
    """The depot as a rectangle, whatever its layout: every place keeps its name."""
    seen = {lying.place: lying.card for lying in view.seen or ()}
    head = "     " + "".join(f"{place_name(place)[0]:^6}" for place in range(values.COLUMNS))
    lines, places = [head], values.PLACES[: view.cards]
    for first in places[:: values.COLUMNS]:
        cells = "".join(
            f"{_cell(view, place, seen.get(place)):^6}"
            for place in places[first : first + values.COLUMNS]
        )
        lines.append(f"  {place_name(first)[1:]}  {cells}")
    return lines


def _cell(view: View, place: int, seen: values.Card | None) -> str:
    """A card: face up, being turned, known to the memory aid, face down, or gone."""
    if view.turned is not None and view.turned.place == place:
        return f"[{_card(view.turned.card)}]" if view.turned.card else "[▒▒]"
    if place not in view.depot:
        return "·"
    return f"▒{seen.number}▒" if seen else "▒▒"


def _card(card: values.Card) -> str:
    return f"{card.number}{_LETTERS[card.picture] if card.picture else ''}"


def _walls(view: View, names: Sequence[str], language: Language) -> list[str]:
    lines: list[str] = []
    for place, wall in enumerate(view.walls):
        seat = Seat(place)
        own = seat == view.seat
        name = signed(cut(names[seat], _NAME - 6 * own), language, own=own)
        cards = [_card(card) for card in wall]
        if safe := view.safe[seat]:
            cards = [f"[{' '.join(cards[:safe])}]", *cards[safe:]]
        turn = ">" if seat == view.player and view.task is not Task.NOTHING else " "
        spaces = " " * (_NAME - columns(name))
        built, worth = " ".join(cards) or "-", points(view.points[seat], language)
        lines.append(f" {turn} {name}{spaces}  {built:<44}{worth:>10}")
        if view.spell == seat:
            lines[-1] = f"{lines[-1]} *"
    return lines


_NAMES: Final[Mapping[values.Picture, str]] = {
    values.Picture.KING: message("king"),
    values.Picture.QUEEN: message("queen"),
    values.Picture.KNIGHT: message("knight"),
    values.Picture.DAMSEL: message("damsel"),
    values.Picture.RAVEN: message("raven"),
    values.Picture.TWO_RAVENS: message("ravens"),
    values.Picture.CANNON: message("cannon"),
    values.Picture.TOWER: message("tower"),
    values.Picture.WIZARD: message("wizard"),
}


def _legend(view: View, language: Language) -> list[str]:
    shown = {card.picture for wall in view.walls for card in wall}
    if view.turned is not None and view.turned.card is not None:
        shown.add(view.turned.card.picture)
    words = [
        f"{letter}={language(_NAMES[picture])}"
        for picture, letter in _LETTERS.items()
        if picture in shown
    ]
    words += [f"[…]={language('safe')}"] * any(view.safe)
    words += [f"*={language('spell')}"] * (view.spell is not None)
    return [f"   {line}" for line in wrap(" ".join(words), _WIDE - 4)]
