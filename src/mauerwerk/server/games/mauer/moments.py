"""The moments of Die Mauer: the fists open, and a round is over."""

from collections.abc import Sequence

from mauerwerk.games.mauer.events import FistsOpened, RoundEnded
from mauerwerk.server.games.mauer.moment_reveal import look, reveal
from mauerwerk.server.games.mauer.moment_round import round_end
from mauerwerk.server.games.moments import Happened, Moment


def moments(happened: Happened) -> Sequence[Moment]:
    """The stops after a move: all fists are open (DM-5), and what the round cost (DM-24)."""
    found: list[Moment] = []
    for event in happened.events:
        match event:
            case FistsOpened():
                found += [look(happened)] if happened.shared else []
                found.append(reveal(happened, event))
            case RoundEnded():
                found.append(round_end(happened, event))
            case _:
                pass
    return found
