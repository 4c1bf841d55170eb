"""What a board gives to the page: parts of HTML, and the words beside them."""

from collections.abc import Sequence
from typing import Any, Literal, Protocol

from mauerwerk.core.game import Value
from mauerwerk.core.language.translation import Language

Aside = Literal["board", "side"]
"""Where a page puts what else lies on the table: below the board, or beside it."""


class SeatLine(Value):
    """What the game adds to a line of the list of seats."""

    points: str
    note: str
    """What the seat is doing, such as `builds, 5 cards`."""


class Button(Value):
    """A legal choice that is offered beside the board."""

    word: str
    text: str
    main: bool = False
    """Whether this is the usual choice; at most one button of a question is."""
    sign: str = ""
    """The symbol of its piece, such as `tower-white`; empty for most buttons."""
    key: str = ""
    """The key that presses it as well, shown on the button; empty for most."""


class Parts(Value):
    """A table, drawn for one viewer, in parts that each page arranges in its own way.

    Each part is complete HTML, with classes for `board.css`. Elements that can be pressed have
    `data-word`, the role of a button, a tab index, and their words as a label. Pieces keep their
    ids from one drawing to the next. There is no style attribute and no script.
    """

    stage: str
    """The board: a `section.stage`, or a `div.onboard` with one and with what lies beside it."""
    tray: str
    """The viewer's own hand, pieces or wall: a `section.tray`; empty for a spectator."""
    aside: str
    """What else lies on the table: sections; may be empty."""
    figure: str
    """A picture for the question, such as the card that was turned up; may be empty."""
    when: str
    """How far the game is: `Round 3 of 4, turn 12`."""
    seats: tuple[SeatLine, ...]
    buttons: tuple[Button, ...]
    """The answers beside the board. An action with a target on board or tray is among them where
    the question would be odd without it (add it, or leave it)."""
    consequence: str = ""
    """What the choice in question would do: paragraphs below the question; may be empty."""
    dock: str = ""
    """What a narrow page shows with the question, where the tray is out of sight; may be empty."""


class Board(Protocol):
    """A module that draws one game for the page."""

    @property
    def LOOK(self) -> str:  # noqa: N802 - a constant of the module
        """The class of the page, by which its styles are chosen."""
        ...

    @property
    def SEATED(self) -> bool:  # noqa: N802 - a constant of the module
        """Whether the parts show who sits where, so that a page needs no list of seats."""
        ...

    @property
    def ASIDE(self) -> Aside:  # noqa: N802 - a constant of the module
        """Where a lesson puts `Parts.aside`."""
        ...

    @property
    def SYMBOLS(self) -> tuple[str, ...]:  # noqa: N802 - a constant of the module
        """The symbols of `pieces.svg` that its parts use."""
        ...

    def parts(  # noqa: PLR0913, PLR0917 - all that a viewer may know
        self,
        view: Any,  # noqa: ANN401 - the game's own
        legal: Sequence[Any],
        names: Sequence[str],
        language: Language,
        before: Sequence[Any] = (),
        notes: Sequence[str] = (),
        /,
    ) -> Parts:
        """The table as this view has it.

        `before` are the events that this viewer was told, oldest first, less those that must not
        be told again. `notes` say of each seat what the game does not know: `bot`, `away`.
        """
        ...
