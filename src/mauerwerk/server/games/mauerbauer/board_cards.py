"""Mauerbauer for the page: the guild cards in hand, and what was played in a scoring."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import Language, message
from mauerwerk.core.language.words import capital
from mauerwerk.core.svg.drawing import Node, node
from mauerwerk.games.mauerbauer.drawing.hand import ART, SAYS, kind_of, worth_of
from mauerwerk.games.mauerbauer.drawing.targets import Offers
from mauerwerk.games.mauerbauer.events import (
    Built,
    Closed,
    Discarded,
    Event,
    Played,
    Task,
    View,
)
from mauerwerk.games.mauerbauer.guild import Card
from mauerwerk.games.mauerbauer.naming import card_name, title_of
from mauerwerk.games.mauerbauer.scoring import is_city_card
from mauerwerk.games.mauerbauer.values import Discard, Play, Swap
from mauerwerk.server.games.markup import classes, head, pressed, sign

# --- The hand --------------------------------------------------------------------------------


def tray(view: View, offers: Offers, language: Language, laid: Sequence[str] = ()) -> list[Node]:
    """The viewer's cards, each kind once, with what it would score now.

    A place stays empty for each card that was just laid down, and says what became of it.
    """
    hand = None if view.seat is None else view.hands[view.seat]
    if hand is None or view.builder is None:
        return []
    worth = dict(zip(hand, view.worth, strict=True))
    cards = [
        _card(card, (worth[card], count), view, offers, language)
        for card, count in Counter(hand).items()
    ]
    cards += [node("li", node("div", each, class_="gone"), class_="gcard") for each in laid]
    says = head(language("Your guild cards"), language(SAYS[view.task is Task.NOTHING, False]))
    says[-1].set("data-then", language(_THEN[view.task is Task.BUILD]))
    return [
        node(
            "section",
            says,
            node("ul", *cards, class_=classes("hand", _crowd(len(cards)))),
            class_="tray",
            id="tray",
            aria_label=language("Your guild cards"),
        )
    ]


_THEN: Final = {
    True: message("Points then, before the dice"),
    False: message("Points then"),
}
"""What the badges on the cards mean while a choice is previewed, by whether dice follow."""


def _crowd(kinds: int) -> str:
    """How the hand is laid out on a wide page: six in a row, eight, or many in two rows."""
    return "many" if kinds > 8 else "eight" if kinds > 6 else ""  # noqa: PLR2004 - what fits


def _card(
    card: Card, scores: tuple[int, int], view: View, offers: Offers, language: Language
) -> Node:
    """Band, picture, points and title; a target when it may be played or put away."""
    worth, count = scores
    when, shown, counts = worth_of(card, worth, view, language)
    city = is_city_card(card)
    band = node(
        "div",
        sign("i-city" if city else "i-country", "ic"),
        node("b", kind_of(card, language)),
        node("span", when, data_then=language("then")),
        class_="kind",
    )
    times = [node("b", f"{count}\N{MULTIPLICATION SIGN}", class_="times")] if count > 1 else []
    inside = (
        band,
        node(
            "div",
            sign(ART[card]),
            node("b", shown, class_="num", data_now=language("now")),
            class_="art",
        ),
        node("h3", title_of(card, language)),
        *times,
    )
    name = f"card-{card.value}"
    offer = offers.get(Play(card)) or offers.get(Swap(card))
    if offer is None:
        face = node("div", *inside, id=name, class_="face")
    else:
        word, said = offer
        said = f"{said}, {counts}" if Play(card) in offers else said
        face = pressed(name, (word, said), *inside, class_="face", lettered=True)
    away = offers.get(Discard(card))
    discard = (
        [pressed(f"discard-{card.value}", away, language("Discard"), class_="btn")] if away else []
    )
    return node("li", face, *discard, class_=classes("gcard", city and "c"))


# --- A scoring -------------------------------------------------------------------------------


def scoring(
    view: View, names: Sequence[str], before: Sequence[Event], language: Language
) -> list[Node]:
    """What everybody laid down for the last city, seat by seat, until the next wall is built."""
    laid: list[Played | Discarded] = []
    closed = view.task in {Task.SCORE, Task.ADD, Task.CHOOSE, Task.FINISH, Task.NOTHING}
    for event in reversed(before):
        if isinstance(event, Closed | Built):
            closed = closed or isinstance(event, Closed)
            break
        if isinstance(event, Played | Discarded):
            laid.insert(0, event)
    if not closed or not laid:
        return []
    rows = [
        _laid(Seat(seat), names[seat], [each for each in laid if each.seat == seat], language)
        for seat in dict.fromkeys(each.seat for each in laid)
    ]
    return [
        node(
            "section",
            head(language("Scoring")),
            node("ol", *rows),
            class_="panel scoring",
            id="scoring",
        )
    ]


def _laid(seat: Seat, name: str, laid: Sequence[Played | Discarded], language: Language) -> Node:
    scored = [each.points for each in laid if isinstance(each, Played)]
    titles = [
        f"{card_name(each.card, language)} {each.points}"
        if isinstance(each, Played)
        else language("discarded {card}", card=card_name(each.card, language))
        for each in laid
    ]
    who = capital(language.called(name))
    return node(
        "li",
        node("span", sign(f"mark-{seat + 1}"), class_="tile"),
        node("div", node("b", who), node("span", ", ".join(titles)), class_="who"),
        *([node("b", f"+{sum(scored)}", class_="num pts")] if scored else []),
        id=f"scored-{seat}",
    )
