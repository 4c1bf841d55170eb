"""Bots of other people at tables: one that fails forfeits, and a fault of ours costs it nothing."""

from functools import partial
from pathlib import Path

import msgspec
import pytest
from tests.support.bots_at_tables import Failing, is_legal
from tests.support.driven_table import LEVEL, start_table
from tests.support.hosts import first_word, opened, play, set_up, until

from mauerwerk.bots.levels import LEVELS
from mauerwerk.core.game import Seat
from mauerwerk.lab.workers import AsyncWorkers, WorkerDiedError, WorkError
from mauerwerk.server.engine import workers
from mauerwerk.server.engine.host import Host
from mauerwerk.server.engine.limits import HostLimits
from mauerwerk.server.engine.thinking import Turn
from mauerwerk.server.engine.workers import BotWorkers
from mauerwerk.server.tables import requests
from mauerwerk.server.tables.table import Status, Table

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("patient")]


async def test_a_bot_of_other_people_that_fails_is_asked_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It has lost, and the greedy bot plays on for it."""
    asked: list[str] = []

    async def fail(_: object, work: partial[str], turn: Turn, within: float, **__: object) -> str:
        asked.append(f"{turn.sight.seat} {within:.1f}")
        level = work.args[0].level
        raise WorkError(f"BotFault: {level.word}: oh no\nTraceback …")

    thrifty = msgspec.structs.replace(LEVELS["apprentice"], name="thrifty", word="my_bots:Thrifty")
    monkeypatch.setattr("mauerwerk.bots.levels._OFFERED", {"thrifty": (thrifty, frozenset())})
    monkeypatch.setattr(AsyncWorkers, "run", fail)
    bot_workers = BotWorkers(1)
    laid = start_table("mauer", "bhh")

    with pytest.raises(workers.ForfeitError):
        await bot_workers.choose(laid.table, Seat(0), "thrifty")
    laid.do(requests.forfeit, Seat(0), LEVEL)
    words = [await bot_workers.choose(laid.table, Seat(0), "thrifty") for _ in range(2)]

    assert all(is_legal(laid.table, word) for word in words)
    assert asked == [f"0 {0.1 + workers.GRACE:.1f}"]
    assert "my_bots:Thrifty: oh no" in caplog.text


async def test_a_bot_does_not_lose_by_a_fault_of_the_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If its worker is killed or the machine is busy, the greedy bot makes that one move."""
    thrifty = msgspec.structs.replace(LEVELS["apprentice"], name="thrifty", word="my_bots:Thrifty")
    monkeypatch.setattr("mauerwerk.bots.levels._OFFERED", {"thrifty": (thrifty, frozenset())})
    bot_workers = BotWorkers(1)
    monkeypatch.setattr(bot_workers, "_workers", Failing(WorkerDiedError("killed"), TimeoutError()))
    table = start_table("mauer", "bhh").table

    words = [await bot_workers.choose(table, Seat(0), "thrifty") for _ in range(2)]

    assert all(is_legal(table, word) for word in words)


async def test_a_failed_bot_forfeits_at_its_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is written down before anybody plays on for it."""

    async def choose(
        self: BotWorkers, table: Table, seat: Seat, level: str, *, attended: bool
    ) -> str:
        if not table.occupants[seat].forfeited:
            raise workers.ForfeitError
        return await first_word(self, table, seat, level, attended=attended)

    monkeypatch.setattr(BotWorkers, "choose", choose)
    async with opened(str(tmp_path / "data")) as host:
        table = await set_up(host, letters="bhh", options={"rounds": "1", "stall": "1"})
        await play(host, table, "1:- 2:-")
        await until(lambda: is_over(host, table))
        outcome = (await host.table(table)).outcome

    assert outcome is not None
    assert outcome.ranks == (3, 1, 1)


async def test_bots_know_whether_people_wait_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nobody plays or watches, bots of other tables go first."""
    asked: dict[str, set[bool]] = {}

    async def choose(
        self: BotWorkers, table: Table, seat: Seat, level: str, *, attended: bool
    ) -> str:
        asked.setdefault(table.charter.id, set()).add(attended)
        return await first_word(self, table, seat, level, attended=attended)

    monkeypatch.setattr(BotWorkers, "choose", choose)
    limits = HostLimits(bot_delay_alone=0.5)
    async with opened(str(tmp_path / "data"), limits=limits) as host:
        short = {"rounds": "1", "stall": "1"}
        among_people = await set_up(host, letters="bhh", options=short)
        alone = await set_up(host, letters="bbb", mine=(), options=short)
        await until(lambda: is_over(host, alone))

    assert asked == {among_people: {True}, alone: {False}}


async def is_over(host: Host, table: str) -> bool:
    return (await host.table(table)).status is Status.OVER
