"""The reasons that the greedy bot gives at Mauerbauer."""

from typing import Final

from mauerwerk.bots.evaluation import Reason
from mauerwerk.core.language.translation import message, messages
from mauerwerk.games.mauerbauer.guild import TITLES, Card

DISCARD: Final = messages(
    "{card} is worth about {number} point to you; you draw two cards for it.",
    "{card} is worth about {number} points to you; you draw two cards for it.",
)
KEEP: Final = message("The cards you keep may score more later.")
TIE: Final = message("Between equals, those who keep more cards are ahead.")
SWAP: Final = messages(
    "{card} is worth about {number} point to you; you draw another card for it.",
    "{card} is worth about {number} points to you; you draw another card for it.",
)
PLAY: Final = messages(
    "{card} scores {number} point now.",
    "{card} scores {number} points now.",
)
BEST_TWO: Final = messages(
    "Your best cards score {number} point there.",
    "Your best cards score {number} points there.",
)
CLOSES: Final = messages(
    "It closes a city in which your cards score about {number} point; the best is: {card}.",
    "It closes a city in which your cards score about {number} points; the best is: {card}.",
)
PREPARES: Final = message("One wall more closes a city that suits your cards.")
OFFERS: Final = message("It lets the next player close a city.")


def title(card: Card) -> Reason:
    """What a card says of itself, in any language."""
    return Reason(TITLES[card], {}, context="card")
