"""What `Game.beliefs` of a game offers, and how much of what they see players remember.

A game may be without beliefs. With `Beliefs`, learners and tests can sample hidden information; a
game that is searched or analysed brings `TrackedBeliefs`. A game about memory also has `recall`.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final, Protocol, runtime_checkable

from msgspec import Meta

from mauerwerk.core.game import AnyGame, Chance, Seat, Sight, Value

Thousandths = Annotated[int, Meta(ge=0, le=1000)]


class Memory(Value):
    """How a player forgets. Each card seen is remembered with a probability that decays.

    It is `per_turn` / 1000 for each turn that has ended since the card was last seen, its own
    included, times `per_card` / 1000 for each other card seen since, counted once however often it
    was turned. Seeing a card again makes it new. The game's `recall` applies it.

    With the defaults a player still knows a card after 10 turns with 10 other cards in between with
    a probability of about 60 %, after 30 and 30 with about 22 %.
    """

    per_turn: Thousandths = 990
    per_card: Thousandths = 960


PERFECT: Final = Memory(1000, 1000)
ABSENT: Final = Memory(0, 0)


class Beliefs(Protocol):
    """What a seat can infer from what it was told. A belief is a value of the game's own type."""

    def believe(self, sight: Sight[Any, Any, Any], /) -> Any:  # noqa: ANN401 - the game's own
        """The exact belief, from all events since the game began."""
        ...

    def after(self, belief: Any, told: Sequence[Any], /) -> Any:  # noqa: ANN401
        """The belief after these further events. Raises ValueError if they contradict it."""
        ...

    def sample(self, belief: Any, view: Any, options: Any, draw: Chance, /) -> Any:  # noqa: ANN401
        """A state that looks to the viewer just as the table does, drawn by its probability."""
        ...


class TrackedBeliefs(Beliefs, Protocol):
    """Beliefs that can be kept up to date event by event, within bounds of time and size.

    Exact beliefs can grow without limit. `bounded` keeps the likeliest part, and where that turns
    out to contradict a later event, or time runs out, `dealt` starts again from the table alone.
    """

    def certain(self, state: Any, events: Sequence[Any], seat: Seat, /) -> Any:  # noqa: ANN401
        """The belief of a seat that sees all hands; the events are unfiltered."""
        ...

    def latest(self, sight: Sight[Any, Any, Any], /) -> tuple[Any, int]:
        """The belief at the last moment at which nothing was hidden, and the events until then.

        The events are a number: that many of `sight.told`.
        """
        ...

    def steps(self, told: tuple[Any, ...], begin: int, /) -> Iterator[tuple[Any, ...]]:
        """The events from this one on, in groups that `after` accepts."""
        ...

    def bounded(self, belief: Any, draw: Chance, /) -> Any:  # noqa: ANN401
        """This belief if it is small enough, otherwise one of bounded size in its place."""
        ...

    def dealt(self, sight: Sight[Any, Any, Any], draw: Chance, /) -> Any:  # noqa: ANN401
        """A belief from what the table shows now, without the history."""
        ...


@runtime_checkable
class Forgetful(Protocol):
    """Beliefs of a game in which remembering is part of the game."""

    def recall(self, belief: Any, memory: Memory, draw: Chance, /) -> Any:  # noqa: ANN401
        """What a player with this memory still knows; the same draws forget the same."""
        ...


def is_about_memory(game: AnyGame) -> bool:
    """Whether it matters in this game how much a player remembers."""
    return isinstance(game.beliefs, Forgetful)
