"""The Breach, what it is made of: options, actions, phases, events, the view.

The rules, by clause:

- BR-1: There is a breach in the wall, 1 to 3 stones wide. Chance says how wide; a narrow one is
  more likely.
- BR-2: Every player closes a hand around some of their own stones, or around none, in secret.
- BR-3: All hands open. If one hand alone holds the most stones, and they fill the breach, its
  owner builds there and scores its width.
- BR-4: The stones of the fullest hand are spent, and of all hands that hold as many. Everybody
  else keeps theirs.
- BR-5: After the agreed number of rounds, or when all stones are spent, the player who scored most
  wins. Of players with the same score, those with more stones left rank higher.
"""

from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from mauerwerk.core.game import Seat, Value

STONES: Final = 6
"""The stones that every player begins with."""

WIDTHS: Final = {1: 3, 2: 2, 3: 1}
"""Each width of a breach, and its weight (BR-1)."""


class Options(Value):
    """What a table chooses."""

    rounds: Annotated[int, Meta(ge=1, le=9, description="rounds in a game (BR-5)")] = 3


class Open(Value):
    """Nature opens a breach of this width (BR-1)."""

    width: int


class Hold(Value):
    """Close a hand around some stones (BR-2)."""

    stones: int


Action: TypeAlias = Open | Hold


class Table(Value):
    """What everybody sees in every phase."""

    rounds: int
    played: int
    """Rounds that are over."""
    stones: tuple[int, ...]
    scores: tuple[int, ...]


class Quiet(Value):
    """The wall stands; nature is about to open a breach."""

    table: Table


class Breached(Value):
    """Everybody closes a hand; None where it is still open."""

    table: Table
    width: int
    hands: tuple[int | None, ...]


class Over(Value):
    """The game is over."""

    table: Table


State: TypeAlias = Quiet | Breached | Over


class Opened(Value):
    """There is a new breach."""

    width: int


class Held(Value):
    """A player closed a hand."""

    seat: Seat
    stones: int | None
    """None: not for you."""


class Shown(Value):
    """All hands opened."""

    hands: tuple[int, ...]
    builder: Seat | None
    """The player who built, if one did."""


Event: TypeAlias = Opened | Held | Shown


class View(Value):
    """The table as one seat, or a spectator, sees it."""

    seat: Seat | None
    table: Table
    width: int | None
    """None while there is no breach."""
    closed: tuple[bool, ...]
    """Which hands are closed."""
    own: int | None
    """What the viewer's own hand holds."""
    over: bool
