"""What Die Mauer says of its end."""

from collections.abc import Sequence

from mauerwerk.core.language.translation import Language
from mauerwerk.games.mauer.events import View
from mauerwerk.games.mauer.notation import ask
from mauerwerk.server.games.ended import Ended


def ended(view: View, names: Sequence[str], language: Language, /) -> Ended:
    """The game is over when all rounds are played; the fewest penalty points win (DM-28)."""
    reason = language.many(
        view.rounds, "The only round is played.", "All {number} rounds are played."
    )
    return Ended(ask(view, names, language), reason)
