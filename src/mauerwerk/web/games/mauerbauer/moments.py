"""Mauerbauer, a city is scored: who closed it, which cards were played, and what they brought.

Players lay their cards one after the other, which can take minutes. While they do, the page shows
what lies there. The moment comes once, with the last of them, and counts it all up together.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital, cards, shares
from mauerwerk.core.svg.drawing import Node, node
from mauerwerk.games.mauerbauer.board import board_of
from mauerwerk.games.mauerbauer.cities import city_named
from mauerwerk.games.mauerbauer.drawing.flag import flag_words
from mauerwerk.games.mauerbauer.drawing.hand import ART, kind_of
from mauerwerk.games.mauerbauer.drawing.text import standing
from mauerwerk.games.mauerbauer.events import Closed, Discarded, Played, Task, View
from mauerwerk.games.mauerbauer.guild import Card
from mauerwerk.games.mauerbauer.knowledge import known_table
from mauerwerk.games.mauerbauer.naming import card_name, title_of
from mauerwerk.games.mauerbauer.notation import TITLE
from mauerwerk.games.mauerbauer.scoring import is_city_card, value
from mauerwerk.games.mauerbauer.sentences import tell
from mauerwerk.games.mauerbauer.values import City
from mauerwerk.web.games.markup import classes, html, sign
from mauerwerk.web.games.mauerbauer.board import stage
from mauerwerk.web.games.mauerbauer.board_cards import tray
from mauerwerk.web.games.mauerbauer.board_sea import supply
from mauerwerk.web.games.moments import Happened, Moment

_REST: Final = 5000
_BEGIN: Final = 700
"""When the first card is turned: the ring glows and the flag is up by then."""
_TURN: Final = 360
_APART: Final = 120
_COUNT: Final = 300

_SCORED: Final = {Task.SCORE, Task.ADD}


class _Share(NamedTuple):
    """What a player laid down for the city."""

    seat: Seat
    played: tuple[tuple[Card, int], ...]
    discarded: Card | None
    total: int
    """The player's points afterwards."""

    @property
    def gain(self) -> int:
        return sum(points for _, points in self.played)


def moments(happened: Happened) -> Sequence[Moment]:
    """The scoring of a city is complete."""
    before, after, language = happened.before, happened.after, happened.language
    if before.task not in _SCORED or after.task in _SCORED:
        return ()
    city = city_named(known_table(before), before.city)
    shares_of = [*_shares(happened, city)]
    closed = tell(Closed(before.builder, city.fields), happened.names, language)
    scored = [_told(share, happened.names, language) for share in shares_of]
    standings = shares(happened.names, after.points, language)
    tally, motion = _tally(shares_of, happened, language)
    return (
        Moment(
            kind="scoring",
            content=html(
                _where(before, language),
                _stage(happened, city, language),
                *tray(after, {}, language, _laid_by(after.seat, shares_of, language)),
                tally,
            ),
            prompt=closed,
            says=" ".join(
                [closed, *scored, language("Points: {points}.", points=standings)],
            ),
            go_on=language("Go on"),
            rest=_REST,
            motion=motion,
            more="" if before.ending else language("Now everybody draws."),
        ),
    )


def _shares(happened: Happened, city: City) -> Iterator[_Share]:
    """What lies before each player, clockwise from the one who closed the city (MB-43).

    The board does not change meanwhile, so the cards are worth what they were when played.
    """
    before, after = happened.before, happened.after
    table = known_table(before)
    played: dict[Seat, list[Card]] = {}
    discarded: dict[Seat, Card] = {}
    for each in before.laid:
        if each.discarded:
            discarded[each.seat] = each.cards[0]
        else:
            played[each.seat] = [*each.cards]
    for event in happened.events:
        if isinstance(event, Played):
            played.setdefault(event.seat, []).append(event.card)
        elif isinstance(event, Discarded):
            discarded[event.seat] = event.card
    seats = len(before.counts)
    for step in range(seats):
        seat = Seat((before.builder + step) % seats)
        worth = tuple((card, value(card, table, city)) for card in played.get(seat, ()))
        yield _Share(seat, worth, discarded.get(seat), after.points[seat])


def _laid_by(seat: Seat | None, shares_of: Sequence[_Share], language: Language) -> list[str]:
    """What became of the cards that the viewer has laid down."""
    own = [share for share in shares_of if share.seat == seat]
    away = [language.about("card", "discarded") for share in own if share.discarded is not None]
    return [language.about("card", "played") for share in own for _ in share.played] + away


# --- In words --------------------------------------------------------------------------------


def _told(share: _Share, names: Sequence[str], language: Language) -> str:
    name = names[share.seat]
    if share.discarded is not None:
        return tell(Discarded(share.seat, share.discarded), names, language)
    if not share.played:
        return capital(language("{name} had no card to play.", name=name))
    titles = ", ".join(f"{card_name(card, language)} {points}" for card, points in share.played)
    return capital(
        language("{name} scored {number}: {cards}.", name=name, number=share.gain, cards=titles)
    )


def _where(view: View, language: Language) -> Node:
    turn = standing(view, language).removesuffix(".")
    scored = language("{turn}, a city is scored", turn=turn)
    return node("div", node("b", TITLE), f" {scored}", class_="where", id="where")


# --- The picture -----------------------------------------------------------------------------


def _stage(happened: Happened, city: City, language: Language) -> Node:
    """The board as it was scored, with the closer's flag."""
    view = happened.before
    words = capital(
        language.many(
            len(city.fields),
            "{name} closed {number} field",
            "{name} closed {number} fields",
            name=happened.names[view.builder],
        )
    )
    said = flag_words(board_of(view.board), city, words)
    board = stage(view, {}, language, *said)
    return node("div", board, supply(view, language), class_="onboard", id="stage")


def _tally(shares_of: Sequence[_Share], happened: Happened, language: Language) -> tuple[Node, int]:
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


def _row(share: _Share, at: int, happened: Happened, language: Language) -> tuple[Node, int]:
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
            node("span", _note(share, happened.before, language)),
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


def _note(share: _Share, view: View, language: Language) -> str:
    if share.seat == view.builder:
        return language("closed the city")
    if share.discarded is not None:
        return language("discarded {card}", card=card_name(share.discarded, language))
    if share.played:
        return language("played {cards}", cards=cards(len(share.played), language))
    return language("no card to play")


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
