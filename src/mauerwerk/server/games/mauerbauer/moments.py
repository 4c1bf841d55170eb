"""Mauerbauer's moments: a city is scored, and the last scoring."""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from mauerwerk.core.game import Seat
from mauerwerk.core.language import Language, capital, cards, shares
from mauerwerk.core.svg import Node, node
from mauerwerk.games.mauerbauer import events, values
from mauerwerk.games.mauerbauer.board import board_of
from mauerwerk.games.mauerbauer.cities import city_named
from mauerwerk.games.mauerbauer.drawing import hand, text
from mauerwerk.games.mauerbauer.drawing.board import flag_words
from mauerwerk.games.mauerbauer.guild import Card
from mauerwerk.games.mauerbauer.naming import card_name, title_of
from mauerwerk.games.mauerbauer.notation import TITLE, tell
from mauerwerk.games.mauerbauer.scoring import is_city_card, value
from mauerwerk.games.mauerbauer.views import known_table
from mauerwerk.server.games.mauerbauer.board import stage, supply, tray
from mauerwerk.server.games.room import Moment, SeenMove
from mauerwerk.server.ui.markup import html
from mauerwerk.server.ui.render import drawn

_REST: Final = 5000
_SCORED: Final = {events.Task.SCORE, events.Task.ADD}
_LAST: Final = {events.Task.CHOOSE, events.Task.FINISH}
_FINISHING: Final = (events.Chosen, events.Played, events.Finished)
"""What is told in the last scoring, and nothing else meanwhile."""


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


def stops(before: values.State, after: values.State, _events: Sequence[events.Event]) -> bool:
    """Whether a scoring is complete."""
    scored = isinstance(before, values.Scoring | values.Adding) and not isinstance(
        after, values.Scoring | values.Adding
    )
    return scored or (
        isinstance(before, values.Choosing | values.Finishing) and isinstance(after, values.Over)
    )


def moments(move: SeenMove) -> Sequence[Moment]:
    """A scoring is complete: that of a city, or the last one of the game."""
    before, after = move.before, move.after
    if before.task in _SCORED and after.task not in _SCORED:
        return (_city_scored(move),)
    if before.task in _LAST and after.task is events.Task.NOTHING:
        return _last_scored(move)
    return ()


def _city_scored(move: SeenMove) -> Moment:
    """The player who closed it, and what everybody played or discarded."""
    before, language = move.before, move.language
    city = city_named(known_table(before), before.city)
    closed = tell(events.Closed(before.builder, city.fields), move.names, language)
    more = "" if before.ending else language("Now everybody draws.")
    turn = text.standing(before, language).removesuffix(".")
    where = language("{turn}, a city is scored", turn=turn)
    shares_of = [*_shares(move, city)]
    return _scored(move, shares_of, closed, where, more, _flag(move, city, language))


def _last_scored(move: SeenMove) -> Sequence[Moment]:
    """What everybody played in the last scoring, which needs no new city (MB-72)."""
    language = move.language
    told = [*takewhile(lambda each: isinstance(each, _FINISHING), reversed(move.past))]
    told = [*reversed(told), *move.events]
    shares_of = [*_last_shares(move, told)]
    if not any(share.played for share in shares_of):
        return ()
    words = language("The last scoring.")
    return (_scored(move, shares_of, words, words.removesuffix("."), ""),)


def _scored(  # noqa: PLR0913, PLR0917 - all that is said of a scoring
    move: SeenMove,
    shares_of: Sequence[Share],
    prompt: str,
    where: str,
    more: str,
    flag: Sequence[Node] = (),
) -> Moment:
    before, after, language = move.before, move.after, move.language
    told = [_told(share, move.names, language) for share in shares_of]
    standings = shares(move.names, after.points, language)
    rows, motion = tally(shares_of, move, language)
    board = stage(before, {}, language, *flag)
    return Moment(
        kind="scoring",
        content=html(
            node("div", node("b", TITLE), f" {where}", class_="where", id="where"),
            node("div", board, supply(before, language), class_="onboard", id="stage"),
            *tray(after, {}, language, _laid_by(after.seat, shares_of, language)),
            rows,
        ),
        prompt=prompt,
        says=" ".join([prompt, *told, language("Points: {points}.", points=standings)]),
        go_on=language("Go on"),
        rest=_REST,
        motion=motion,
        more=more,
    )


def _last_shares(move: SeenMove, told: Sequence[events.Event]) -> Iterator[Share]:
    """What each player played in the last scoring, clockwise from the one whose turn it was."""
    before, after, language = move.before, move.after, move.language
    sizes = {city.name: len(city.fields) for city in after.cities}
    seats = len(before.counts)
    for step in range(seats):
        seat = Seat((before.builder + step) % seats)
        own = [each for each in told if isinstance(each, events.Played) and each.seat == seat]
        chosen = [
            each.city for each in told if isinstance(each, events.Chosen) and each.seat == seat
        ]
        city = chosen[-1] if chosen else None
        yield Share(
            seat,
            tuple((each.card, each.points) for each in own),
            None,
            after.points[seat],
            language.many(
                sizes[city], "for a city of {number} field", "for a city of {number} fields"
            )
            if city is not None
            else language("without a city")
            if own
            else language("no card played"),
        )


def _shares(move: SeenMove, city: values.City) -> Iterator[Share]:
    """What lies before each player, clockwise from the one who closed the city (MB-43).

    The board does not change meanwhile, so the cards are worth what they were when played.
    """
    before, after = move.before, move.after
    table = known_table(before)
    played = {each.seat: [*each.cards] for each in before.laid if not each.discarded}
    discarded = {each.seat: each.cards[0] for each in before.laid if each.discarded}
    for event in move.events:
        if isinstance(event, events.Played):
            played.setdefault(event.seat, []).append(event.card)
        elif isinstance(event, events.Discarded):
            discarded[event.seat] = event.card
    seats = len(before.counts)
    for step in range(seats):
        seat = Seat((before.builder + step) % seats)
        worth = tuple((card, value(card, table, city)) for card in played.get(seat, ()))
        share = Share(seat, worth, discarded.get(seat), after.points[seat])
        yield share._replace(note=_note(share, before, move.language))


def _laid_by(
    seat: Seat | None, shares_of: Sequence[Share], language: Language
) -> list[tuple[Card, str]]:
    own = [share for share in shares_of if share.seat == seat]
    played = [card for share in own for card, _ in share.played]
    away = [share.discarded for share in own if share.discarded is not None]
    return [(card, language.about("card", "played")) for card in played] + [
        (card, language.about("card", "discarded")) for card in away
    ]


# --- In words --------------------------------------------------------------------------------


def _told(share: Share, names: Sequence[str], language: Language) -> str:
    name = names[share.seat]
    if share.discarded is not None:
        return tell(events.Discarded(share.seat, share.discarded), names, language)
    if not share.played:
        return capital(language("{name} had no card to play.", name=name))
    titles = ", ".join(f"{card_name(card, language)} {points}" for card, points in share.played)
    return capital(
        language("{name} scored {number}: {cards}.", name=name, number=share.gain, cards=titles)
    )


def _note(share: Share, view: events.View, language: Language) -> str:
    if share.seat == view.builder:
        return language("closed the city")
    if share.discarded is not None:
        return language("discarded {card}", card=card_name(share.discarded, language))
    if share.played:
        return language("played {cards}", cards=cards(len(share.played), language))
    return language("no card to play")


# --- The picture -----------------------------------------------------------------------------


def _flag(move: SeenMove, city: values.City, language: Language) -> Sequence[Node]:
    view = move.before
    words = capital(
        language.many(
            len(city.fields),
            "{name} closed {number} field",
            "{name} closed {number} fields",
            name=move.names[view.builder],
        )
    )
    return flag_words(board_of(view.board), city, words)


# --- The tally: seat by seat, cards turn over and their points count up ----------------------


_BEGIN: Final = 700
"""When the first card is turned: the ring glows and the flag is up by then."""
_TURN: Final = 360
_COUNT: Final = 300


def tally(shares_of: Sequence[Share], move: SeenMove, language: Language) -> tuple[Node, int]:
    """Seat by seat: cards turn over, their points count up; and when the last has been counted."""
    rows: list[tuple[Share, int, int, int]] = []
    at = _BEGIN
    for share in shares_of:
        begins, counts = at + _TURN, _COUNT * len(share.played)
        rows.append((share, at, begins, counts))
        if share.played:
            at = begins + counts + _COUNT
        elif share.discarded is not None:
            at = begins
    about = {card: _about(card, language) for card in Card}
    (panel,) = drawn("mauerbauer/moments.html", "tally", rows, about, move, language)
    return panel, at


def _about(card: Card, language: Language) -> tuple[bool, str, str, str]:
    """Whether it is a city card, its kind, its picture and its title."""
    return (
        is_city_card(card),
        hand.kind_of(card, language),
        card.art,
        title_of(card, language),
    )
