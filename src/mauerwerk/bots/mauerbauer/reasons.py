"""The reasons that the greedy bot gives at Mauerbauer.

Each is a reason for the choice that it is given with: a player who asks what to do is not told what
speaks against it.
"""

from typing import Final

from mauerwerk.bots.evaluation import Reason
from mauerwerk.core.language.translation import message, messages
from mauerwerk.games.mauerbauer.guild import TITLES, Card

# --- Cards ---------------------------------------------------------------------------------------

DISCARD: Final = messages(
    "“{card}” is worth only about {number} point to you, and you draw two cards for it.",
    "“{card}” is worth only about {number} points to you, and you draw two cards for it.",
)
DISCARD_FOR: Final = message("You draw two cards for “{card}”.")
IN_THE_END: Final = message("Your other cards are worth more in the last scoring.")
KEEP: Final = message("The cards you keep may score more later.")
TIE: Final = message("If points are equal, more cards in hand decide the order.")
SWAP: Final = messages(
    "“{card}” is worth only about {number} point to you, and you draw another card for it.",
    "“{card}” is worth only about {number} points to you, and you draw another card for it.",
)
SWAP_FOR: Final = message("You draw another card for “{card}”.")
SPENT: Final = message("“{card}” will hardly score more later.")
PLAY: Final = messages(
    "“{card}” scores {number} point now.",
    "“{card}” scores {number} points now.",
)
BEST_TWO: Final = messages(
    "Your best cards score {number} point there.",
    "Your best cards score {number} points there.",
)
WITHOUT: Final = messages(
    "Your best cards score {number} point without a city.",
    "Your best cards score {number} points without a city.",
)

# --- Walls ---------------------------------------------------------------------------------------

CLOSES: Final = messages(
    "It closes a city in which your cards score about {number} point; the best is “{card}”.",
    "It closes a city in which your cards score about {number} points; the best is “{card}”.",
)
CLOSES_EARLY: Final = message("It closes a city before it is worth more to the others.")
PREPARES: Final = message("One more wall closes a city that suits your cards.")
GROWS: Final = message("It closes nothing yet, but your card “{card}” gains by it.")
QUIET: Final = message("It closes nothing yet, and gives nothing away.")
LEAST: Final = message("It gives the others less than other walls would.")

# --- Towers, houses, joining ---------------------------------------------------------------------

SUITS: Final = message("It suits your card “{card}”.")
HELPS_LEAST: Final = message("It helps the others less than the other choices.")
SPARES: Final = message("It leaves the others fewer points.")
EARLY: Final = message("You see the dice before you choose a line.")


def title(card: Card) -> Reason:
    """What a card says of itself, in any language."""
    return Reason(TITLES[card], {}, context="card")
