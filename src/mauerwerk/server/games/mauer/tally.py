"""How often a rival guessed the master builder's piece (DM-13, DM-14)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from mauerwerk.core.game import Step
from mauerwerk.core.language.translation import Language
from mauerwerk.games.mauer.events import Event, FistsOpened
from mauerwerk.games.mauer.values import Planning, State
from mauerwerk.server.games.tally import Tally, TallyLine


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
