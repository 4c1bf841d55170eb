"""Two courses of a game that differ only in what one viewer may not know.

Both are played by the rules at the same time. Whatever somebody else or nature does may differ, as
long as the viewer sees no difference: neither in the view nor in what is told. A late viewer comes
when it has happened: what is told once they have not heard.
"""

import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from mauerwerk.core.game import NATURE, AnyGame, Ephemeral, Seat, Setup, Step

STEPS = 90


class Move(NamedTuple):
    """What happens in either world."""

    seat: Seat
    words: tuple[str, str]

    @property
    def differs(self) -> bool:
        """Whether it is not the same."""
        return self.words[0] != self.words[1]


def twins(
    game: AnyGame, setup: Setup[Any], viewer: Seat | None, rng: random.Random, *, late: bool
) -> Iterator[Move]:
    """Moves of two worlds that this viewer cannot tell apart, until there are no more."""
    states = (game.start(setup), game.start(setup))
    for _ in range(STEPS):
        waiting = game.to_act(states[0])
        if not waiting:
            return
        seat = rng.choice(waiting)
        # Who choose together show it soon, so that a difference would not last.
        same = len(waiting) > 1 or (seat == viewer and not late)
        pair = _pair(game, states, (seat, viewer), rng, same=same, late=late)
        if pair is None:
            return
        actions, steps = pair
        states = (steps[0].state, steps[1].state)
        if game.outcome(states[0]) or game.outcome(states[1]):
            return
        yield Move(seat, (game.write(actions[0]), game.write(actions[1])))


def _pair(  # noqa: PLR0913 - a position, and who moves and looks
    game: AnyGame,
    states: tuple[Any, Any],
    who: tuple[Seat, Seat | None],
    rng: random.Random,
    *,
    same: bool,
    late: bool,
) -> tuple[tuple[Any, Any], tuple[Step[Any, Any], Step[Any, Any]]] | None:
    """What this seat does in either world, different if possible, so that it looks alike."""
    seat, viewer = who
    first, second = (_choices(game, state, seat) for state in states)
    for one in rng.sample(first, len(first)):
        others = [one]
        if not same:
            others = [other for other in rng.sample(second, len(second)) if other != one] + others
        step = game.apply(states[0], seat, one)
        for other in others:
            if other not in second:
                continue
            twin = game.apply(states[1], seat, other)
            if _alike(game, (step, twin), viewer, late=late, by_nature=seat == NATURE):
                return (one, other), (step, twin)
    return None


def _choices(game: AnyGame, state: Any, seat: Seat) -> Sequence[Any]:  # noqa: ANN401
    return list(game.odds(state)) if seat == NATURE else list(game.legal(state, seat))


def _alike(
    game: AnyGame,
    steps: tuple[Step[Any, Any], Step[Any, Any]],
    viewer: Seat | None,
    *,
    late: bool,
    by_nature: bool,
) -> bool:
    """Whether the viewer sees no difference; a late one does not see a card that is up just now."""
    told = [
        [
            seen
            for event in step.events
            if (seen := game.seen(event, viewer)) is not None
            and not (late and isinstance(seen, Ephemeral))
        ]
        for step in steps
    ]
    if told[0] != told[1]:
        return False
    if late and by_nature:
        return True
    first, second = (game.view(step.state, viewer) for step in steps)
    return bool(first == second)
