"""A house beside a simple model of it: whatever is asked, in whatever order, they agree.

The model keeps nothing but what it was told: receipts, streams, who sits where. After each step the
log in the store must replay to the table, each viewer's collected stream must be the story, and
nobody has lost or doubled a seat.
"""

import asyncio
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from tests.support.amounts import amount
from tests.support.driven_table import GUESTS, LEVEL, bytes_of, order
from tests.support.hosts import first_word, with_features

from mauerwerk.core.errors import StaleMoveError
from mauerwerk.core.game import Ephemeral, Seat
from mauerwerk.games import GAMES
from mauerwerk.server.database.connect import store_at
from mauerwerk.server.engine.host import Host
from mauerwerk.server.engine.snapshot import Receipt
from mauerwerk.server.engine.workers import BotWorkers
from mauerwerk.server.tables import table
from mauerwerk.server.tables.errors import RequestError
from mauerwerk.server.tables.folding import fold
from mauerwerk.server.tables.log import Kind
from mauerwerk.server.tables.table import Status, Table, Viewer

if TYPE_CHECKING:
    from mauerwerk.server.engine.audience import Subscription
    from mauerwerk.server.tables.notices import Notice

pytestmark = pytest.mark.slow

SEATS = 3
VIEWERS: tuple[Viewer, ...] = (None, *map(Seat, range(SEATS)))
OPTIONS = {
    "mauer": {"rounds": "1", "stall": "4", "first": "lot"},
    "burgbaumeister": {},
    "mauerbauer": {"board": "small"},
}
MANY = 999
"""More than anybody can choose from: the luck of nature is another each time, so what is drawn here
must not depend on what there is to choose."""
REFUSALS = (RequestError, StaleMoveError, ValueError)


class Machine(RuleBasedStateMachine):
    """A house with one table that matters, and people who do anything."""

    def __init__(self) -> None:
        """A loop and a folder of its own."""
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.folder = Path(tempfile.mkdtemp())
        self.host = with_features(Host(store_at(self.folder)))
        self.do(self.host.open())
        self.table = ""
        self.owners = [""] * SEATS
        self.heard: dict[Viewer, list[Notice]] = {viewer: [] for viewer in VIEWERS}
        self.told: dict[Viewer, Subscription] = {}
        self.receipts: dict[tuple[Seat, str], tuple[str, Receipt]] = {}
        self.keys = 0

    def do(self, work: Any) -> Any:  # noqa: ANN401 - a coroutine and its answer
        """Let the house work."""
        return self.loop.run_until_complete(work)

    def teardown(self) -> None:
        """Close it."""
        self.do(self.host.close())
        self.loop.run_until_complete(self.loop.shutdown_default_executor())
        self.loop.close()
        shutil.rmtree(self.folder)

    @property
    def now(self) -> Table:
        """The table as the house has it."""
        table: Table = self.do(self.host.table(self.table))
        return table

    def attempt(self, work: Any) -> Receipt | None:  # noqa: ANN401 - a coroutine
        """What was answered; None where it was refused, and then nothing has changed."""
        before = self.now
        try:
            receipt: Receipt = self.do(work)
        except REFUSALS:
            assert self.now == before
            return None
        return receipt

    # --- What can happen ---------------------------------------------------------------------

    @initialize(game=st.sampled_from(list(GAMES)), mine=st.sets(st.integers(0, SEATS - 1)))
    def create(self, game: str, mine: set[int]) -> None:
        """Somebody sets up a table; nobody else moves by themselves."""
        own = tuple(map(Seat, sorted(mine)))
        wanted = order(game, "ooo", options=OPTIONS[game], mine=own, bot_delay_ms=60_000)
        self.table = self.do(self.host.create(wanted, GUESTS[0])).charter.id
        for seat in own:
            self.owners[seat] = GUESTS[0].id
        for viewer in VIEWERS:
            self.subscribe(viewer)

    @rule(who=st.integers(0, 3), seat=st.none() | st.integers(0, SEATS - 1))
    def join(self, who: int, seat: int | None) -> None:
        """Somebody sits down, if there is room."""
        free = [each for each, owner in enumerate(self.owners) if not owner]
        wanted = None if seat is None else Seat(seat)
        receipt = self.attempt(self.host.sit(self.table, wanted, GUESTS[who]))
        possible = bool(free) if seat is None else seat in free
        assert (receipt is not None) == (possible and not self.is_over)
        if receipt is not None:
            self.owners[free[0] if seat is None else seat] = GUESTS[who].id

    @rule(seat=st.integers(0, SEATS - 1))
    def leave(self, seat: int) -> None:
        """Somebody gets up."""
        receipt = self.attempt(self.host.stand(self.table, Seat(seat)))
        assert (receipt is not None) == (bool(self.owners[seat]) and not self.is_over)
        if receipt is not None:
            self.owners[seat] = ""

    @rule(seat=st.integers(0, SEATS - 1), back=st.booleans())
    def go_away_or_come_back(self, seat: int, *, back: bool) -> None:
        """A bot takes over, or its owner."""
        if back:
            self.attempt(self.host.come_back(self.table, Seat(seat)))
        else:
            self.attempt(self.host.hand_over(self.table, Seat(seat), LEVEL))

    @rule(who=st.integers(0, MANY), what=st.integers(0, MANY), keyed=st.booleans())
    def move(self, who: int, what: int, *, keyed: bool) -> None:
        """Somebody plays something that is allowed, or changes what nobody has seen."""
        if not self.is_running:
            return
        able = [seat for seat in map(Seat, range(SEATS)) if self.table_view(seat).legal]
        seat = able[who % len(able)]
        table_view = self.table_view(seat)
        word = self.now.game.write(table_view.legal[what % len(table_view.legal)])
        self.keys += keyed
        key = f"k{self.keys}" if keyed else ""
        receipt = self.do(self.host.move(self.table, seat, word, table_view.number, key))
        assert receipt.number > table_view.number
        if keyed:
            self.receipts[seat, key] = (word, receipt)

    @rule(which=st.integers(0, MANY))
    def ask_again(self, which: int) -> None:
        """The same key gets the same answer, whatever has happened since."""
        if not self.receipts:
            return
        seat, key = sorted(self.receipts)[which % len(self.receipts)]
        word, receipt = self.receipts[seat, key]
        before = self.now
        assert self.do(self.host.move(self.table, seat, word, 0, key)).number == receipt.number
        assert self.now == before

    @rule(seat=st.integers(0, SEATS - 1), word=st.sampled_from(["T", "?", "c3", "-", ""]))
    def move_too_late(self, seat: int, word: str) -> None:
        """What answers nothing that was asked is refused."""
        assert self.attempt(self.host.move(self.table, Seat(seat), word, 0, "")) is None

    @rule(seat=st.integers(0, SEATS - 1))
    def take_back(self, seat: int) -> None:
        """Somebody thinks again: it goes back, is asked about, or stays, as the scene says."""
        table_view = self.table_view(Seat(seat))
        plays = len(self.now.plays)
        receipt = self.attempt(self.host.undo(self.table, Seat(seat), table_view.number, ""))
        assert (receipt is not None) == (table_view.undo != "no")
        if table_view.undo == "free":
            assert len(self.now.plays) < plays
        else:
            assert len(self.now.plays) == plays

    @rule(seat=st.integers(0, SEATS - 1), agree=st.booleans())
    def consent(self, seat: int, *, agree: bool) -> None:
        """Somebody says whether it may go back."""
        question = self.table_view(None).question
        receipt = self.attempt(self.host.consent(self.table, Seat(seat), agree=agree))
        assert (receipt is not None) == (question is not None and seat in question.waits_for)
        if question is not None and receipt is not None and not agree:
            assert self.table_view(None).question is None

    @rule(viewer=st.sampled_from(VIEWERS))
    def resume(self, viewer: Viewer) -> None:
        """A viewer goes away and comes back where they left off."""
        self.collect()
        self.told.pop(viewer).close()
        self.subscribe(viewer)

    @rule()
    def restart(self) -> None:
        """The house closes and opens again."""
        self.collect()
        before = [bytes_of(self.table_view(viewer)) for viewer in VIEWERS]
        self.do(self.host.close())
        self.host = with_features(Host(store_at(self.folder)))
        self.do(self.host.open())
        for viewer in VIEWERS:
            self.subscribe(viewer)
        assert [bytes_of(self.table_view(viewer)) for viewer in VIEWERS] == before

    # --- What must hold ----------------------------------------------------------------------

    @invariant()
    def the_log_is_the_table(self) -> None:
        """As the store has it, it replays to what the house shows."""
        if self.table:
            stored = self.do(self.host.store.load(self.table))
            assert fold(stored.charter, stored.entries) == self.now
            assert nature_follows_from_the_seed(self.now)

    @invariant()
    def streams_are_the_story(self) -> None:
        """What each viewer has collected is the story, less what is told once."""
        if not self.table:
            return
        self.collect()
        for viewer, heard in self.heard.items():
            story = self.do(self.host.snapshot(self.table)).history(viewer)
            assert [notice.number for notice in heard] == list(range(1, len(heard) + 1))
            assert len(story) == len(heard) == self.table_view(viewer).number
            for first, again in zip(heard, story, strict=True):
                kept = [event for event in first.events if not isinstance(event, Ephemeral)]
                assert list(again.events) in (kept, list(first.events))
                assert (first.kind, first.seat, first.back_to) == (
                    again.kind,
                    again.seat,
                    again.back_to,
                )

    @invariant()
    def seats_are_conserved(self) -> None:
        """Everybody has the seats they took, and no others."""
        if self.table:
            assert list(self.now.owners) == self.owners

    # --- Helpers -----------------------------------------------------------------------------

    @property
    def is_running(self) -> bool:
        """Whether somebody can move."""
        return bool(self.table) and self.now.status is Status.RUNNING

    @property
    def is_over(self) -> bool:
        """Whether nobody can any more."""
        return self.now.status is Status.OVER

    def table_view(self, viewer: Viewer) -> Any:  # noqa: ANN401 - a scene, whose view is the game's
        """The table as a viewer sees it."""
        return self.do(self.host.snapshot(self.table)).view(viewer)

    def subscribe(self, viewer: Viewer) -> None:
        """Listen from where this viewer left off."""
        after = len(self.heard[viewer])
        self.told[viewer] = self.do(self.host.subscribe(self.table, viewer, after=after))

    def collect(self) -> None:
        """Read what has been told."""
        for viewer, told in self.told.items():
            while len(self.heard[viewer]) < self.now.number(viewer):
                self.heard[viewer] += self.do(asyncio.wait_for(told.next(), 60)).notices


def nature_follows_from_the_seed(table: Table) -> bool:
    """Nature moves only right after somebody's move or the start, in the same moment."""
    log = [logged.entry for logged in table.log]
    return all(
        log[entry.seq - 1].kind in {Kind.MOVE, Kind.START} and log[entry.seq - 1].at == entry.at
        for entry in log
        if entry.kind is Kind.MOVE and entry.seat == -1
    )


def test_a_host_does_what_its_model_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host agrees with a simple model, whatever people do and in whatever order."""
    monkeypatch.setattr(BotWorkers, "choose", first_word)
    monkeypatch.setattr(table, "KEPT", 0)  # the model keeps no seat for those who leave it
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=amount(5, 6, 60),
            stateful_step_count=40,
            deadline=None,
            derandomize=True,
            phases=[Phase.explicit, Phase.generate, Phase.shrink],
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        ),
    )
