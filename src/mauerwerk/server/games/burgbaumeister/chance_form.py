"""What Burgbaumeister leaves to chance, as a form: who begins, and the number on a card."""

from collections.abc import Sequence

from mauerwerk.core.language.translation import Language
from mauerwerk.games import burgbaumeister
from mauerwerk.games.burgbaumeister.values import CARDS, Drawing, Showing, State
from mauerwerk.server.games.chance_form import ChanceFields, lots


def chance_form(state: State, names: Sequence[str], language: Language) -> ChanceFields | None:
    """The form for what nature does now."""
    match state:
        case Drawing():
            return lots(burgbaumeister, state, names, language)
        case Showing():
            legend = language("Which number does the card show?")
            return ChanceFields(legend, numbers=(CARDS[0], CARDS[-1]))
        case _:
            return None
