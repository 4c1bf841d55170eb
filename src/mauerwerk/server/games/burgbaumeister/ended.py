"""What Burgbaumeister says of its end, and the depot turned up."""

from collections.abc import Sequence

from msgspec.structs import replace

from mauerwerk.core.game import Chance, Seat
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import cards, sentence, won
from mauerwerk.games.burgbaumeister.cards import card, shown
from mauerwerk.games.burgbaumeister.events import Lying, View
from mauerwerk.games.burgbaumeister.notation import ending_name, places
from mauerwerk.games.burgbaumeister.values import CARDS, FULL_WALL, Over, State
from mauerwerk.games.burgbaumeister.views import view
from mauerwerk.server.games.ended import Ended


def ended(seen: View, names: Sequence[str], language: Language, /) -> Ended:
    """Who won, and whether with a complete wall (BB-10 to BB-13)."""
    winners = [Seat(seat) for seat, place in enumerate(places(seen)) if place == 1]
    if len(winners) == 1 and len(seen.walls[winners[0]]) == FULL_WALL:
        headline = sentence(language("{name} won with a complete wall", name=names[winners[0]]))
        reason = ""
    else:
        headline = won([names[seat] for seat in winners], max(seen.points), language)
        reason = sentence(ending_name(seen.ending, language)) if seen.ending else ""
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
        left = [number for number in CARDS if number not in gone]
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
