"""Which clause to look up for something that happened, so that a story can lead into the rules."""

from mauerwerk.core.game import Value
from mauerwerk.games.burgbaumeister import clauses as burgbaumeister
from mauerwerk.games.mauer import clauses as mauer
from mauerwerk.games.mauerbauer import clauses as mauerbauer


def clause_behind(event: Value) -> str:
    """The clause that says why, in whichever game it happened; empty where nobody would ask."""
    return (
        mauer.clause_behind(event)
        or mauerbauer.clause_behind(event)
        or burgbaumeister.clause_behind(event)
    )
