"""A replay: every position of a game, what led there, and what it shows from a viewpoint.

A seat sees what `view` and `seen` give it, and nothing else; what is told once is told only where
it happened. With every hand open the game's `open_view` is drawn like any other view.
"""

import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

from mauerwerk.core import record
from mauerwerk.core.game import NATURE, Ephemeral, Outcome, Seat, Step, Value
from mauerwerk.core.language import YOU, Language, capital
from mauerwerk.games import game_in
from mauerwerk.server.features.replay import link_codec
from mauerwerk.server.games import web_game
from mauerwerk.server.games.room import WebGame
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.request import whole_number
from mauerwerk.server.tables.table import Status, Table
from mauerwerk.server.ui import cache, dates
from mauerwerk.server.ui.names import all_called, apart, level_named
from mauerwerk.server.ui.page import PageRequest

Viewpoint = Seat | None
"""A seat, which sees what it saw at the time, or None for every hand open."""


class Replay:
    """A record, played through. The number of a position is that of the moves before it."""

    def __init__(
        self, played: record.Record, steps: Sequence[Step[Any, Any]], names: tuple[str, ...] = ()
    ) -> None:
        """Take a record, the step of each move, and the names of the seats in the record."""
        self.record = played
        self.names = names
        self.game = game_in(played)
        self.steps = tuple(steps)
        first: Any = self.game.start(played.setup)
        self.states = (first, *(step.state for step in self.steps))
        self.outcome: Outcome | None = self.game.outcome(self.states[-1])
        turns = [self.game.turn(state) for state in self.states]
        self._beginnings = [at for at in range(1, len(turns)) if turns[at] != turns[at - 1]]

    @property
    def moves(self) -> tuple[record.Move, ...]:
        """All moves; the one at a position is the one that was made there."""
        return self.record.moves

    @property
    def seats(self) -> int:
        """The number of players."""
        return self.record.setup.seats

    @property
    def last(self) -> int:
        """The last position."""
        return len(self.steps)

    @property
    def opening(self) -> int:
        """The first position in which a seat is to move, after nature has dealt."""
        asked = (at for at, move in enumerate(self.moves) if move.seat != NATURE)
        return next(asked, self.last)

    def turn_before(self, at: int) -> int:
        """Where the turn begins that lies before this position."""
        place = bisect_left(self._beginnings, at)
        return self._beginnings[place - 1] if place else 0

    def turn_after(self, at: int) -> int:
        """Where the next turn begins."""
        place = bisect_right(self._beginnings, at)
        return self._beginnings[place] if place < len(self._beginnings) else self.last

    @property
    def is_memory(self) -> bool:
        """Whether a seat still has to remember what it was told once, since play goes on."""
        return self.outcome is None and any(
            isinstance(event, Ephemeral) for step in self.steps for event in step.events
        )

    def view(self, at: int, viewpoint: Viewpoint) -> Any:  # noqa: ANN401 - the game's own
        """The table in a position, as this viewpoint shows it."""
        state = self.states[at]
        return self.game.open_view(state) if viewpoint is None else self.game.view(state, viewpoint)

    def own_views(self, at: int) -> tuple[Any, ...]:
        """The table in a position, as each seat sees it."""
        return tuple(self.game.view(self.states[at], Seat(seat)) for seat in range(self.seats))

    def events(self, at: int, viewpoint: Viewpoint) -> tuple[Any, ...]:
        """What this viewpoint notices of the move that leads to a position, as it happens."""
        if not at:
            return ()
        events = self.steps[at - 1].events
        if viewpoint is None:
            return events
        seen = (self.game.seen(event, viewpoint) for event in events)
        return tuple(event for event in seen if event is not None)

    def remembered(self, at: int, viewpoint: Viewpoint) -> tuple[Any, ...]:
        """All that was noticed up to a position, less what was told once and is past."""
        past = tuple(event for place in range(1, at) for event in self.events(place, viewpoint))
        return (*(past if viewpoint is None else lasting(past)), *self.events(at, viewpoint))


def lasting(events: Iterable[Any]) -> tuple[Any, ...]:
    """What may be told again."""
    return tuple(event for event in events if not isinstance(event, Ephemeral))


def replay_of(played: record.Record, names: tuple[str, ...] = ()) -> Replay:
    """The replay of a record."""
    return Replay(played, [step for _, step in record.replay(game_in(played), played)], names)


def replay_at(table: Table) -> Replay:
    """The game of a table, less what was taken back."""
    return Replay(table.record(), [play.step for play in table.plays])


# --- The replays of a server: games that were played here to the end, and those in a link ---------

AT_HAND: Final = 40_000
"""The number of positions, of all games together, that are kept in memory."""
TURN: Final = "turn"
"""Asks in a link for the position where the next turn begins."""
_Loaded = TypeVar("_Loaded")


class People(Value):
    """The players: their names, and the levels of bots, seat by seat."""

    names: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()

    def called(self, seats: int, viewpoint: Viewpoint, language: Language) -> tuple[str, ...]:
        """The names of the seats in sentences; the seat of the viewpoint is `you`."""
        if self.names:
            levels = self.levels or [""] * len(self.names)
            names = all_called(self.names, levels, language)
        else:
            numbers = range(1, seats + 1)
            names = apart([language("seat {number}", number=number) for number in numbers])
        return tuple(YOU if seat == viewpoint else name for seat, name in enumerate(names))

    def notes(self, seats: int, language: Language) -> tuple[str, ...]:
        """What there is to know of each seat apart from the game."""
        levels = self.levels or ("",) * seats
        return tuple(level_named(level, language) if level else "" for level in levels)


class NotOverError(Exception):
    """The game of a table is still running, so that it has no replay yet."""


class ReplayPage:
    """A replay, its address, and who played."""

    def __init__(
        self, replay: Replay, path: str, people: People, record: str, table: Table | None = None
    ) -> None:
        """Take the addresses of the page and of the record, and the table if it was played here."""
        self.replay = replay
        self.path = path
        self.people = people
        self.record = record
        self.table = table.charter.id if table else ""
        self.public = table is not None and table.charter.public
        self._played = table.charter.created if table else 0

    @property
    def room(self) -> WebGame:
        """The game's room on the pages."""
        return web_game(self.replay.record.game, self.replay.record.rules)

    def called(self, language: Language) -> tuple[str, ...]:
        """The names of the seats in sentences."""
        return self.people.called(self.replay.seats, None, language)

    def about(self, language: Language) -> str:
        """Who played, and when, if that is known."""
        who = capital(language.listed(self.called(language)))
        if not self._played:
            return who
        return f"{who}, {dates.day_of(self._played, int(time.time() * 1_000), language)}"

    def wanted(self, at: str, seat: str, to: str = "") -> tuple[int, Viewpoint]:
        """The position and viewpoint that a link asks for, or the nearest that exist."""
        place, number = whole_number(at), whole_number(seat)
        viewpoint = None
        if number is not None and number < self.replay.seats and not self.replay.is_memory:
            viewpoint = Seat(number)
        position = self.replay.opening if place is None else min(place, self.replay.last)
        return self.replay.turn_after(position) if to == TURN else position, viewpoint

    @property
    def name(self) -> str:
        """The name of a file about it, without its kind."""
        return f"{self.replay.record.game}-{self.table or 'game'}"


class Replays:
    """The replays of one server: those in memory, and how others are loaded."""

    def __init__(self) -> None:
        self._replays = cache.Recent[Replay](AT_HAND, lambda replay: len(replay.states))

    async def page_of(self, request: PageRequest) -> ReplayPage:
        """The replay page that a path is about. Raises HttpError; NotOverError."""
        if "table" in request.path_params:
            return await self._played_here(request)
        return await self._in_link(request)

    async def finished_page_of(self, request: PageRequest) -> ReplayPage:
        """The same, for a request that needs a finished game. Raises HttpError."""
        try:
            return await self.page_of(request)
        except NotOverError:
            raise HttpError(409, "the game goes on where it is", code="request") from None

    async def _played_here(self, request: PageRequest) -> ReplayPage:
        name = request.table
        table = await request.host.table(name)
        if table.status is not Status.OVER:
            raise NotOverError
        key = f"t {name}"
        replay = self._replays.get(key) or self._replays.put(key, replay_at(table))
        levels = tuple("" if each.guest else each.level for each in table.occupants)
        people = People(tuple(each.name for each in table.occupants), levels)
        return ReplayPage(replay, f"/t/{name}/replay", people, f"/api/tables/{name}/record", table)

    async def _in_link(self, request: PageRequest) -> ReplayPage:
        code = request.path_params["code"]
        replay = self._replays.get(f"r {code}")
        if replay is None:
            try:
                loaded = await self.load(request, lambda: _load(code))
            except ValueError:
                raise HttpError(404, "there is no game in this link") from None
            replay = self._replays.put(f"r {code}", loaded)
        path = f"/replay/{code}"
        return ReplayPage(replay, path, People(replay.names), f"{path}/record")

    async def load(self, request: PageRequest, loading: Callable[[], _Loaded]) -> _Loaded:
        """Load a record in a thread. Raises HttpError for too many."""
        request.app.limiter.record(request.client)
        return await request.in_thread(loading)


def _load(code: str) -> Replay:
    named_record = link_codec.decode(code)
    return replay_of(named_record.record, named_record.names)
