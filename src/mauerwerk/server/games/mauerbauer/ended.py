"""What Mauerbauer says of its end."""

from collections.abc import Sequence

from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import sentence
from mauerwerk.games.mauerbauer.events import View
from mauerwerk.games.mauerbauer.naming import why_over
from mauerwerk.games.mauerbauer.notation import ask
from mauerwerk.server.games.ended import Ended


def ended(view: View, names: Sequence[str], language: Language, /) -> Ended:
    """The end is decided by the last piece of a kind, even when some come back later (MB-70)."""
    why = why_over(view, language)
    told = [sentence(why)] if why else []
    most = max(view.points)
    best = [held for held, points in zip(view.counts, view.points, strict=True) if points == most]
    if len(set(best)) > 1:
        told.append(language("If points are equal, more cards in hand decide."))  # MB-73
    return Ended(ask(view, names, language), " ".join(told))
