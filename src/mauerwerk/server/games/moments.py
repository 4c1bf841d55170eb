"""Moments: stops at which everybody looks, such as open fists or a city that is scored.

A room that has such stops brings a function, `WebGame.moments`, in its file `moments.py`:

    def moments(happened: Happened) -> Sequence[Moment]:
        for event in happened.events:
            if isinstance(event, Revealed):
                return (_reveal(happened, event),)
        return ()

It is asked about each move that stands, for each viewer, and answers from the views and events of
that viewer alone. A page plays a moment once, between the picture before the move and the newest
one. What a room has to know to make one:

- `content` is one element, or several in a row. Each is morphed into the element of the page with
  the same id (`stage`, `tray`, `where`, …), so pieces that keep their ids move; one without an id
  stands in place of the stage. What the page does not have, as behind a gate, is added beside the
  stage. Nothing can be pressed meanwhile: draw without legal actions.
- `main` has the classes `moment` and `moment-KIND` meanwhile. Styles are in the room's
  `moments.css`, which is appended to the page's own sheet of that name. They animate *from* a state
  (`@keyframes rise { from { … } }`, `animation: rise .36s ease-out var(--at) both`): without the
  animation, as with reduced motion, the end state shows. When the motion is over or was skipped,
  `main` has the class `moment-done` too.
- No style attribute is allowed. `data-at="700"` sets `--at` to 700 ms, a delay from the beginning.
- `<b data-count="4 1000 300">12</b>` counts from 4 to 12, beginning after 1000 ms, for 300 ms.
- `says` is announced when the motion is over. The sentences of the story about this move are not.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from mauerwerk.core.game import Value
from mauerwerk.core.language.translation import Language


class Moment(Value):
    """A stop at which everybody looks."""

    kind: str
    """`reveal`, `round`, `scoring`, `end`: a part of the class by which styles are chosen."""

    content: str
    """HTML that stands in place of the stage, and of whatever else it has the ids of."""

    prompt: str
    """The sentence in the prompt meanwhile."""

    says: str
    """The one announcement for screen readers, in one or a few sentences."""

    go_on: str
    """The label of the button, such as `Go on` or `Next round`."""

    rest: int
    """Milliseconds from the end of the motion until it goes on by itself; 0: it waits."""

    motion: int
    """Milliseconds that its animation takes."""

    more: str = ""
    """A second sentence in the prompt, smaller."""


class Happened(NamedTuple):
    """A move that stands, as one viewer may know it."""

    before: Any
    """The viewer's view just before the move."""

    after: Any
    """The viewer's view just after it."""

    events: Sequence[Any]
    """What the viewer was told of it, less what is told only once."""

    names: Sequence[str]
    """The names of the seats in sentences; the viewer is `you`."""

    language: Language

    past: Sequence[Any] = ()
    """What the viewer was told of the moves before it, as far back as a page plays moments."""

    shared: bool = False
    """Whether several people look together at one device, which each of them had alone before."""
