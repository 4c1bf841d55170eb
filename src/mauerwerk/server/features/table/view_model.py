"""What the page of a table shows, ready for the templates."""

from typing import Final

from mauerwerk.core.game import Seat, Value
from mauerwerk.server.features.ending.values import GameEnd
from mauerwerk.server.features.invitations.welcome import Welcome
from mauerwerk.server.features.table.chance_form import ChanceForm
from mauerwerk.server.features.table.forced import ForcedMove
from mauerwerk.server.features.table.leaving import LeftSeat
from mauerwerk.server.games import room, web_game
from mauerwerk.server.games.viewpoint import Viewpoint
from mauerwerk.server.tables.table_views import TableView
from mauerwerk.server.ui.error_texts import ErrorText
from mauerwerk.server.ui.history import HistoryLine


class SeatClock(Value):
    """The time of a seat, as the page shows it."""

    until: int | None
    """When it is up, while it runs."""

    left: int | None
    """The milliseconds that are left, while it does not."""

    low: int
    """Below this many milliseconds it is marked."""

    said: str
    """The time for readers without a script."""


class SeatRow(Value):
    """A seat in the list of seats."""

    seat: Seat
    name: str
    points: str
    note: str
    """What the player is doing in the game."""

    tags: tuple[str, ...]
    """What else there is to know: a bot of some level, away, not here."""

    now: bool
    you: bool
    free: bool
    link: str = ""
    """The personal link, where the visitor may hand it on."""

    clock: SeatClock | None = None
    sits: str = ""
    """How the visitor can take this seat: `sit` where it is open, `claim` by its link."""


class Advice(Value):
    """A hint, in words."""

    word: str
    said: str
    reason: str
    chance: int | None


class Sure(Value):
    """A move that is asked about twice."""

    word: str
    said: str


class Extra(Value):
    """What is shown once, in answer to a request."""

    refusal: ErrorText | None = None
    sure: Sure | None = None
    advice: tuple[Advice, ...] = ()
    plain: bool = True
    """Whether every choice is a button, for browsers without the script."""


UNADORNED: Final = Extra(plain=False)
"""The table alone, for pages with the script."""


class TablePage(Value):
    """A table, ready for the template."""

    table_view: TableView
    number: int
    """How many notices the owner of the page was told; it never goes down."""

    moves: int
    """How many moves stand, by which a gate remembers when it was opened."""

    viewpoint: Viewpoint
    box: room.Box
    look: str
    seated: bool
    parts: room.Parts | None
    title: str
    where: str
    ask: str
    lines: tuple[SeatRow, ...]
    choices: tuple[room.Button, ...]
    """Every legal choice, in the order of the rules."""

    history: tuple[HistoryLine, ...]
    since: tuple[room.Recap, ...]
    """What the others did since the viewer's last turn, while the viewer is asked."""

    end: GameEnd | None
    """The end of the game, once it is over."""

    evening: str
    """The way back to the evening to which the table belongs, for its players."""

    waits: str
    """Whether anybody can still come, and the players may start with bots: `soon` or `now`."""

    shared: str
    """The address of the replay, for those to whom it is passed on."""

    asker: str
    """The player who asks whether a move may be taken back, where the viewer has to answer."""

    curtain: str
    """The player to whom the device is to be handed."""

    tray: str
    """What the viewer holds, or a lid over what nobody else may see."""

    gate: str
    """What the game shows on the gate that is shut before them."""

    chance_form: ChanceForm | None
    """The form for what was rolled or dealt, where the visitor may enter it."""

    awaited: str
    """The players who enter it, where others do."""

    forced: ForcedMove | None
    """The move that the page plays by itself, if there is no other."""

    welcome: Welcome | None
    """The welcome of a visitor who was invited and has not sat down yet."""

    links_opened: tuple[Seat, ...]
    """Free seats whose links somebody has opened."""

    left: LeftSeat | None
    """A seat that the visitor has left, and may take back."""

    has_chat: bool
    """Whether anything may be said at the table."""

    @property
    def days_off(self) -> int:
        """The days off that the viewer can take now."""
        seat, times = self.table_view.seat, self.table_view.times
        return times[seat].off if times and seat is not None and self.asked else 0

    @property
    def is_out_of_time(self) -> bool:
        """Whether the viewer has used up the time for the whole game."""
        seat, times = self.table_view.seat, self.table_view.times
        return bool(times) and seat is not None and times[seat].left == 0

    @property
    def asked(self) -> bool:
        """Whether the viewer has something to decide."""
        return self.table_view.asked

    @property
    def opened(self) -> str:
        """When the gate of a shared device was opened, as forms and links say it."""
        return "" if self.viewpoint.opened is None else str(self.viewpoint.opened)

    @property
    def symbols(self) -> tuple[str, ...]:
        """What the drawings are made of."""
        return web_game(self.box.name).board.SYMBOLS
