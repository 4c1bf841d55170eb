"""Mauerbauer, the viewer's hand as a picture: guild cards with what they would score now."""

from collections import Counter
from typing import Final

from mauerwerk.core.language import Language, message, points
from mauerwerk.core.svg import NAME, POINTS, SMALL, Node, group, label, node, use
from mauerwerk.core.svg.fitting import ems, wrap
from mauerwerk.games.mauerbauer import drawing, naming, scoring
from mauerwerk.games.mauerbauer.events import Task, View
from mauerwerk.games.mauerbauer.guild import Card, Hand
from mauerwerk.games.mauerbauer.values import Options

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


def pays(card: Card, options: Options) -> str:
    """What a card pays if something suits it: a number, a span, or so much for each piece."""
    numbers = sorted(set(scoring.paid(card, options)))
    span = "\N{EN DASH}".join(map(str, numbers))
    return span if scoring.in_all(card) else f"{span}{_EACH}"


def pays_words(card: Card, options: Options, language: Language) -> str:
    """The same in words."""
    *others, last = scoring.paid(card, options)
    if scoring.in_all(card):
        if set(others) <= {last}:
            return points(last, language)
        return language.many(
            last, "{few} or {number} point", "{few} or {number} points", few=others[0]
        )
    if not others:
        return language.many(last, "{number} point for each", "{number} points for each")
    return language.many(
        others[0],
        "{number} point for each palace, {house} for each house",
        "{number} points for each palace, {house} for each house",
        house=last,
    )


def worth_of(card: Card, worth: int, view: View, language: Language) -> tuple[str, str, str]:
    """When a card counts, how much, and the same in words; left over it counts no more (MB-73)."""
    if view.task is Task.NOTHING:
        return "", "", language("left over")
    last = view.task in {Task.CHOOSE, Task.FINISH}
    undecided = view.seat not in view.waiting if view.task is Task.FINISH else view.city is None
    if scoring.is_city_card(card) and undecided:
        when = language("if chosen") if last else language("if closed")
        return when, pays(card, view.options), pays_words(card, view.options, language)
    if not worth and not scoring.is_city_card(card) and view.city is None and not last:
        # Until something counts, what each would.
        said = pays_words(card, view.options, language)
        return language("now"), pays(card, view.options), said
    return language("now"), f"{worth}", points(worth, language)
