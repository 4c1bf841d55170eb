"""A scoring of Mauerbauer, seat by seat: cards turn over, and their points count up."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital
from mauerwerk.core.svg.drawing import Node, node
from mauerwerk.games.mauerbauer.drawing.hand import ART, kind_of
from mauerwerk.games.mauerbauer.guild import Card
from mauerwerk.games.mauerbauer.naming import title_of
from mauerwerk.games.mauerbauer.scoring import is_city_card
from mauerwerk.server.games.markup import classes, sign
from mauerwerk.server.games.moments import Happened

_BEGIN: Final = 700
"""When the first card is turned: the ring glows and the flag is up by then."""
_TURN: Final = 360
_APART: Final = 120
_COUNT: Final = 300


class Share(NamedTuple):
    """What a player laid down in a scoring."""

    seat: Seat
    played: tuple[tuple[Card, int], ...]
    discarded: Card | None
    total: int
    """The player's points afterwards."""

    note: str = ""
    """What stands below the player's name."""

    @property
    def gain(self) -> int:
        """What the cards scored."""
        return sum(points for _, points in self.played)


def tally(shares_of: Sequence[Share], happened: Happened, language: Language) -> tuple[Node, int]:
    """Seat by seat: cards turn over, their points count up; and when the last has been counted."""
    rows: list[Node] = []
    at = _BEGIN
    for share in shares_of:
        row, at = _row(share, at, happened, language)
        rows.append(row)
    panel = node(
        "section",
        node("h2", language("Scoring"), class_="vh"),
        node("ol", *rows),
        class_="panel scored",
        id="seats",
    )
    return panel, at


def _row(share: Share, at: int, happened: Happened, language: Language) -> tuple[Node, int]:
    """A player's cards and points; and when the next player's turn over."""
    seat, laid = share.seat, [*share.played]
    turned = [
        _card(card, f"+{points}", at + _APART * place, language, away=False)
        for place, (card, points) in enumerate(laid)
    ]
    if share.discarded is not None:
        turned.append(_card(share.discarded, "\N{EN DASH}", at, language, away=True))
    begins = at + _TURN
    counts = _COUNT * len(laid)
    gain = (
        [
            node(
                "span",
                "+",
                node("b", str(share.gain), data_count=f"0 {begins} {counts}"),
                class_="gain num",
                data_at=begins,
            )
        ]
        if laid
        else []
    )
    sums = f"{share.total - share.gain} {begins + counts} {_COUNT}" if laid else None
    head = node(
        "div",
        node(
            "span",
            sign(f"mark-{seat + 1}"),
            class_=classes("tile", seat == happened.after.seat and "you"),
        ),
        node(
            "div",
            node("b", capital(language.called(happened.names[seat]))),
            node("span", share.note),
            class_="who",
        ),
        *gain,
        node("b", str(share.total), class_="num pts", data_count=sums),
        class_="hd",
    )
    cards_laid = [node("ul", *turned, class_="laid")] if turned else []
    row = node("li", head, *cards_laid, class_="by")
    row.set("data-at", str(at))
    return row, begins + counts + (_COUNT if laid else 0) if turned else at


def _card(card: Card, points: str, at: int, language: Language, *, away: bool) -> Node:
    """A guild card, small: its band, its picture, what it scored, its title."""
    city = is_city_card(card)
    return node(
        "li",
        node(
            "div",
            sign("i-city" if city else "i-country", "ic"),
            node("b", kind_of(card, language)),
            class_="kind",
        ),
        node("div", sign(ART[card]), node("b", points, class_="num"), class_="art"),
        node("h3", title_of(card, language)),
        class_=classes("mini", city and "c", away and "away"),
        data_at=at,
    )
