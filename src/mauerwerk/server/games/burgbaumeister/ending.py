"""The end of Burgbaumeister: why it is over, where the points came from, what is counted."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from mauerwerk.core.game import Chance, Seat, Step
from mauerwerk.core.language import Language, cards, message, sentence, won
from mauerwerk.games.burgbaumeister.cards import EXTRA, card, shown
from mauerwerk.games.burgbaumeister.events import Added, Event, Fired, Inserted, Lying, Shown, View
from mauerwerk.games.burgbaumeister.notation import ending_name, places
from mauerwerk.games.burgbaumeister.values import CARDS, Card, Over, Picture, State
from mauerwerk.games.burgbaumeister.views import view
from mauerwerk.server.games.room import Ended, Source, Tally, TallyLine


def ended(seen: View, names: Sequence[str], language: Language, /) -> Ended:
    """Who won, and whether with a complete wall (BB-10 to BB-13)."""
    winners = [Seat(seat) for seat, place in enumerate(places(seen)) if place == 1]
    if len(winners) == 1 and len(seen.walls[winners[0]]) == seen.full_wall:
        headline = sentence(language("{name} won with a complete wall", name=names[winners[0]]))
        reason = ""
    else:
        headline = won([names[seat] for seat in winners], max(seen.points), language)
        why = seen.ending and ending_name(seen.ending, seen.full_wall, language)
        reason = sentence(why) if why else ""
    if seen.points.count(max(seen.points)) > len(winners):
        decided = language("If points are equal, the higher last number decides.")  # BB-20
        reason = f"{reason} {decided}".strip()
    return Ended(headline, reason, tuple(_note(seen, seat, language) for seat in range(len(names))))


def _note(seen: View, seat: int, language: Language) -> str:
    """How many cards a wall has, and what their pictures add (BB-20)."""
    built = cards(len(seen.walls[seat]), language)
    if not seen.variant:
        return built
    extra = seen.points[seat] - len(seen.walls[seat])
    return f"{built}, {language('{number} extra', number=extra)}"


def last_view(state: State, seat: Seat | None, chance: Chance | None, /) -> View:
    """The table after the end, with the whole depot face up.

    A card that was never turned has no number yet (BB-9). Chance deals the numbers that are left,
    each arrangement as likely as any other; without chance such a card stays face down.
    """
    seen = view(state, seat)
    if not isinstance(state, Over):
        return seen
    table = state.table
    numbers = {place: table.numbers[place] for place in table.depot}
    if chance is not None:
        gone = {*table.numbers}.union(table.destroyed, *table.walls)
        left = [number for number in CARDS[: seen.cards] if number not in gone]
        for place, number in numbers.items():
            if number is None:
                numbers[place] = left.pop(chance(len(left)))
    faces = shown(table.options)
    return replace(
        seen,
        seen=tuple(
            Lying(place, card(number, faces)) for place, number in numbers.items() if number
        ),
    )


# --- Where the points came from --------------------------------------------------------------


_PICTURES: Final[Mapping[str, tuple[Picture, ...]]] = {
    message("King, queen"): (Picture.KING, Picture.QUEEN),
    message("Knights, damsels"): (Picture.KNIGHT, Picture.DAMSEL),
    message("Ravens"): (Picture.RAVEN, Picture.TWO_RAVENS),
}
"""The pictures that are worth extra points (BB-21 to BB-23)."""


def sources(events: Sequence[Event], seats: int, language: Language, /) -> tuple[Source, ...]:
    """A point for each card, and what its picture adds; nothing for what was destroyed (BB-27)."""
    walls = _walls(events, seats)
    found = [Source(language("Cards"), tuple(len(wall) for wall in walls))]
    if any(card.picture for wall in walls for card in wall):
        found += [
            Source(language(title), tuple(_extra(wall, pictures) for wall in walls))
            for title, pictures in _PICTURES.items()
        ]
    return tuple(found)


def _walls(events: Sequence[Event], seats: int) -> tuple[list[Card], ...]:
    walls: tuple[list[Card], ...] = tuple([] for _ in range(seats))
    for event in events:
        match event:
            case Added(seat=seat, card=card) | Inserted(seat=seat, card=card):
                walls[seat].append(card)
            case Fired(victim=victim, card=card):
                walls[victim].remove(card)
            case _:
                pass
    return walls


def _extra(wall: Sequence[Card], pictures: Sequence[Picture]) -> int:
    """What these pictures add; a knight and a damsel are worth one more together (BB-22)."""
    shown = [card.picture for card in wall if card.picture in pictures]
    pairs = min(shown.count(Picture.KNIGHT), shown.count(Picture.DAMSEL))
    return sum(EXTRA[picture] for picture in shown if picture) + pairs


# --- How many of the cards that a player turned went into the wall ---------------------------


def count(steps: Sequence[Step[State, Event]], seats: int, /) -> tuple[Mapping[str, float], ...]:
    """Cards that each seat turned, and those that it built."""
    found: tuple[Counter[str], ...] = tuple(Counter() for _ in range(seats))
    for step in steps:
        for event in step.events:
            match event:
                case Shown(seat=seat):
                    found[seat]["turned"] += 1
                case Added(seat=seat) | Inserted(seat=seat):
                    found[seat]["built"] += 1
                case _:
                    pass
    return found


def lines(sums: Mapping[str, float], language: Language, /) -> tuple[TallyLine, ...]:
    """The share of turned cards that were built."""
    turned = sums.get("turned", 0)
    if not turned:
        return ()
    share = round(100 * sums.get("built", 0) / turned)
    return (TallyLine(language("Turned and built"), language("{number} %", number=share)),)


TALLY: Final = Tally(count, lines)
