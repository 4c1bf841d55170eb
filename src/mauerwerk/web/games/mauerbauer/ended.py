"""What Mauerbauer says of its end."""

from collections.abc import Sequence

from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import sentence
from mauerwerk.games.mauerbauer.events import View
from mauerwerk.games.mauerbauer.naming import why_over
from mauerwerk.games.mauerbauer.questions import ask
from mauerwerk.web.games.ended import Ended


def ended(view: View, names: Sequence[str], language: Language, /) -> Ended:
    """The end is decided by the last piece of a kind, even when some come back later (MB-70)."""
    why = why_over(view, language)
    return Ended(ask(view, names, language), sentence(why) if why else "")
