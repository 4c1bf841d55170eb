"""Mauerbauer, the viewer's hand as a picture: guild cards with what they would score now."""

from collections import Counter
from typing import Final

from mauerwerk.core.language import Language, message, points
from mauerwerk.core.svg import NAME, POINTS, SMALL, Node, group, label, node, use
from mauerwerk.core.svg.fitting import ems, wrap
from mauerwerk.games.mauerbauer import drawing, naming, scoring
from mauerwerk.games.mauerbauer.events import Task, View
from mauerwerk.games.mauerbauer.guild import Card, Hand

_CARD_HIGH: Final = 122
_GAP: Final = 10
_LEAST: Final = 104
"""No card is narrower, so that its title finds room."""
_ROOMY: Final = 136
"""On a card wider than this the band also says when it counts."""
_MOST: Final = 6


def tray(view: View, hand: Hand, width: float, language: Language) -> tuple[Node, float]:
    """The cards side by side on the tray, each kind once; and how high that is."""
    worth = dict(zip(hand, view.worth, strict=True))
    kinds = list(Counter(hand).items())
    inner = width - 28
    across = min(int((inner + _GAP) // (_LEAST + _GAP)), _MOST)
    wide = (inner - _GAP * (across - 1)) / across
    step = _CARD_HIGH + _GAP
    cards: list[Node] = []
    for place, (card, count) in enumerate(kinds):
        x, y = 14 + (wide + _GAP) * (place % across), 44 + step * (place // across)
        cards.append(group(_card(card, (worth[card], count), view, wide, language), x=x, y=y))
    rows = max(-(-len(kinds) // across), 1)
    height = 44 + step * rows + 4
    title = language("Your guild cards")
    name = label(18, 29, title, size=NAME, fill="tray-ink", bold=True, serif=True)
    says = language(SAYS[view.task is Task.NOTHING, width < 560])  # noqa: PLR2004 - a phone
    body = group(
        node("rect", width=width, height=height, rx=7, fill="var(--tray)"),
        name,
        label(width - 18, 29, says, size=SMALL, fill="tray-ink", anchor="end"),
        *cards,
        id="hand",
    )
    return body, height


SAYS: Final = {
    (False, False): message("Points if you played them"),
    (False, True): message("Points if played"),
    (True, False): message("Left over"),
    (True, True): message("Left over"),
}
"""What the numbers on the cards mean, by whether it is over and whether there is little room."""


def _card(card: Card, scores: tuple[int, int], view: View, wide: float, language: Language) -> Node:
    worth, count = scores
    city = scoring.is_city_card(card)
    when, shown, counts = worth_of(card, worth, view, language)
    ground, sign = ("clay-2", "i-city") if city else ("moss-2", "i-country")
    kind = kind_of(card, language)
    title = wrap(naming.title_of(card, language), (wide - 18) / SMALL, ems)[:2]
    art = card.art
    across, high = drawing.PIECES.size_of(art)
    scale = min(54 / across, 44 / high)
    body = [
        node("rect", width=wide, height=_CARD_HIGH, rx=7, fill="var(--card)", class_="lift"),
        node(
            "path",
            d=f"M0 26V7A7 7 0 0 1 7 0H{wide - 7:.1f}A7 7 0 0 1 {wide:.1f} 7V26Z",
            fill=f"var(--{ground})",
        ),
        use(sign, 7, 5, 16, 16, color="var(--ink)"),
        label(27, 18, kind, size=SMALL, bold=True),
        *([label(wide - 8, 18, when, size=SMALL, anchor="end")] if when and wide > _ROOMY else []),
        use(art, 9, 54 - high * scale / 2, across * scale, high * scale),
        label(wide - 10, 66, shown, size=POINTS, anchor="end", bold=True, serif=True),
        *(
            label(9, 95 + 17 * line, words, size=SMALL, bold=True, serif=True)
            for line, words in enumerate(title)
        ),
    ]
    if count > 1:
        body.append(node("circle", cx=wide - 6, cy=6, r=13, fill="var(--ink)"))
        times = f"{count}\N{MULTIPLICATION SIGN}"
        body.append(label(wide - 6, 11, times, size=SMALL, fill="paper", anchor="middle"))
    meant = language(
        "{title}, {number} in hand: {worth}",
        title=naming.title_of(card, language),
        number=count,
        worth=counts,
    )
    return node("g", *body, id=f"card-{card.value}", role="img", aria_label=meant)


def kind_of(card: Card, language: Language) -> str:
    """What a card counts: a city, the country, or all cities."""
    if card is Card.CITIES:
        return language("Cities")
    return language("City") if scoring.is_city_card(card) else language("Country")


_EACH: Final = "\N{MULTIPLICATION SIGN}"

PAYS: Final = {
    Card.CITY_1: "6",
    Card.CITY_2: "7",
    Card.CITY_3: "8",
    Card.CITY_7: "9",
    Card.CITY_COLOURS: "4\N{EN DASH}7",
    Card.CITY_WHITE: f"2{_EACH}",
    Card.CITY_GREY: f"2{_EACH}",
    Card.CITY_BLACK: f"2{_EACH}",
    Card.CITY_PALACES: f"1{_EACH}",
    **dict.fromkeys(
        (Card.CITY_YELLOW, Card.CITY_GREEN, Card.CITY_BLUE, Card.CITY_PINK, Card.CITY_RED),
        f"1\N{EN DASH}3{_EACH}",
    ),
    Card.CITY_TOWERS: f"1{_EACH}",
}
"""What a city card pays for a city that suits it: a number, a span, or so much for each piece."""


def pays_words(card: Card, language: Language) -> str:
    """The same in words."""
    pays = PAYS[card]
    if pays.isdecimal():
        return points(int(pays), language)
    if card is Card.CITY_COLOURS:
        return language("4 or 7 points")
    if pays[:-1].isdecimal():
        return language.many(int(pays[:-1]), "{number} point for each", "{number} points for each")
    return language("3 points for each palace, 1 for each house")


def worth_of(card: Card, worth: int, view: View, language: Language) -> tuple[str, str, str]:
    """When a card counts, how much, and the same in words; left over it counts no more (MB-73)."""
    if view.task is Task.NOTHING:
        return "", "", language("left over")
    last = view.task in {Task.CHOOSE, Task.FINISH}
    undecided = view.seat not in view.waiting if view.task is Task.FINISH else view.city is None
    if scoring.is_city_card(card) and undecided:
        when = language("if chosen") if last else language("if closed")
        return when, PAYS[card], pays_words(card, language)
    if not worth and not scoring.is_city_card(card) and view.city is None and not last:
        each = scoring.each_of(card)  # until something counts, what each would
        said = language.many(each, "{number} point for each", "{number} points for each")
        return language("now"), f"{each}{_EACH}", said
    return language("now"), f"{worth}", points(worth, language)
