"""The end of Die Mauer: why it is over, where the points came from, what is counted."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from mauerwerk.core.game import Step
from mauerwerk.core.language import Language
from mauerwerk.games.mauer.events import Event, FistsOpened, RoundEnded, View
from mauerwerk.games.mauer.notation import ask
from mauerwerk.games.mauer.values import Planning, State
from mauerwerk.server.games.room import Ended, Source, Tally, TallyLine


def ended(view: View, names: Sequence[str], language: Language, /) -> Ended:
    """The game is over when all rounds are played; the fewest penalty points win (DM-28)."""
    reason = language.many(
        view.rounds, "The only round is played.", "All {number} rounds are played."
    )
    return Ended(ask(view, names, language), reason)


# --- Where the points came from --------------------------------------------------------------


def sources(events: Sequence[Event], seats: int, language: Language, /) -> tuple[Source, ...]:
    """The penalty points of each round."""
    del seats  # a round is scored for every seat
    sheet = [event.points for event in events if isinstance(event, RoundEnded)]
    return tuple(
        Source(language("Round {number}", number=number), points)
        for number, points in enumerate(sheet, 1)
    )


# --- How often a rival guessed the master builder's piece (DM-13, DM-14) ---------------------


def count(steps: Sequence[Step[State, Event]], seats: int, /) -> tuple[Mapping[str, float], ...]:
    """Guesses, right ones, and how many would have been right by chance.

    By chance, a rival closes the fist around any kind of piece they hold, or around nothing.
    """
    found: tuple[Counter[str], ...] = tuple(Counter() for _ in range(seats))
    for before, step in pairwise(steps):
        for event in step.events:
            match before.state, event:
                case Planning(table=table), FistsOpened(master=master, fists=fists) if (
                    piece := fists[master].piece
                ):
                    for seat in range(seats):
                        if seat == master:
                            continue
                        kinds = set(table.hands[seat])
                        own = found[seat]
                        own["guesses"] += 1
                        own["right"] += fists[seat].piece == piece
                        # Thousandths, since counters count whole numbers.
                        own["by_chance"] += 1_000 // (len(kinds) + 1) if piece in kinds else 0
                case _:
                    pass
    return found


def lines(sums: Mapping[str, float], language: Language, /) -> tuple[TallyLine, ...]:
    """The share of right guesses."""
    guesses = sums.get("guesses", 0)
    if not guesses:
        return ()
    right = round(100 * sums.get("right", 0) / guesses)
    chance = round(sums.get("by_chance", 0) / 10 / guesses)
    return (
        TallyLine(
            language("Guessed right"),
            language("{number} %", number=right),
            language("by chance {number} %", number=chance),
        ),
    )


TALLY: Final = Tally(count, lines, fewest=True)
