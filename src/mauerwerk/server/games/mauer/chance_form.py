"""What Die Mauer leaves to chance, as a form: who begins."""

from collections.abc import Sequence

from mauerwerk.core.language.translation import Language
from mauerwerk.games import mauer
from mauerwerk.games.mauer.values import Drawing, State
from mauerwerk.server.games.chance_form import ChanceFields, lots


def chance_form(state: State, names: Sequence[str], language: Language) -> ChanceFields | None:
    """The form for what nature does now."""
    return lots(mauer, state, names, language) if isinstance(state, Drawing) else None
