"""What happens to one visitor or one table without anybody asking for it touches nobody else."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest
from tests.server.bystanders import law
from tests.server.bystanders.acts import accounts, moderation, table
from tests.server.bystanders.conftest import Built
from tests.server.bystanders.law import (
    AT_TABLE,
    CLOCK,
    COUNTED,
    FOLLOWED,
    GONE,
    LISTED,
    OWN,
    SCREEN,
    SEAT,
    Act,
)
from tests.server.bystanders.world import DAN, NOBODY, World
from tests.support.amounts import amount

from mauerwerk.server.database import backup
from mauerwerk.server.engine.audience import NoticeBatch
from mauerwerk.server.engine.events import (
    AccessChanged,
    EntriesStored,
    GameEnded,
    NamesChanged,
    TableChanged,
)
from mauerwerk.server.features.moderation.state import Action
from mauerwerk.server.features.notifications.service import Notifications
from mauerwerk.server.features.notifications.store import turns_of
from mauerwerk.server.features.results.service import ResultsWorker
from mauerwerk.server.features.retention import store as retention
from mauerwerk.server.features.retention.service import RetentionJob
from mauerwerk.server.http.settings import Limits
from mauerwerk.server.tables.table import Status

pytestmark = pytest.mark.anyio


async def ask_too_much(world: World) -> None:
    """A client asks until it is refused."""
    for _ in range(9 * Limits().burst):  # time passes meanwhile, and the client may ask more
        if (await world["Hal"].get("/healthz")).status == 429:
            return
    raise AssertionError("nothing was refused")


async def open_too_many_tables(world: World) -> None:
    """A guest opens tables until that is refused."""
    chairs = [{"kind": "human"}] * 3
    order = {"game": "mauer", "chairs": chairs}
    answers = [await world["Hal"].post("/api/tables", **order) for _ in range(Limits().tables)]
    assert answers[-1].status == 429


async def follow_too_often(world: World) -> None:
    """A client opens streams until that is refused; then one of them is closed."""
    for number in range(Limits().streams):
        await world.listen(f"Hal: {number}", "/api/tables/private/stream", world["Hal"])
    assert (await world["Hal"].get("/api/tables/private/stream")).status == 429
    for number in range(Limits().streams):
        stream = world.streams.pop(f"Hal: {number}")
        stream.gone.set()
        assert stream.task
        await stream.task


async def try_tokens(world: World) -> None:
    """Somebody tries tokens of hosts until that is refused."""
    form = {"token": "guess"}
    tries = [await world[NOBODY].send("/admin/sign-in", **form) for _ in range(12)]
    assert tries[-1].status == 429


async def open_screen(who: str, world: World) -> None:
    """Somebody has a screen show the wall, which is a public table."""
    await world.stall("/t/wall/screen/live", world[who])


async def read_nothing(world: World) -> None:
    """A client that takes nothing of what it is told is cut off."""
    live = await world.host.live_tables.at("castle")
    slow = await world.host.subscribe("castle", None, after=None)
    for _ in range(live.audience.most_waiting + 1):
        slow.put(NoticeBatch(()))
    assert slow not in live.audience._all()  # noqa: SLF001 - those who are still told


async def be_put_away(world: World) -> None:
    """Tables that nobody uses are put away, and read again."""
    world.host.live_tables.put_away(float("inf"))


async def clean_up(world: World) -> None:
    """The server looks for what is old, and for games that are not counted: there is nothing."""
    assert not await world.host.service(RetentionJob).run()
    assert not await world.host.service(ResultsWorker).count_all()


async def thin(world: World) -> None:
    """The server keeps of an old game only what is needed to show it."""
    await world.host.store.write("policy", lambda each: retention.thin(each, "old", 0))
    await _cleaned_up(world)


async def expire(world: World) -> None:
    """The server deletes a table that nobody uses."""
    delete = partial(retention.delete, table="private", status=Status.OPEN, days=0)
    await world.host.store.write("policy", delete)
    await _cleaned_up(world)


async def _cleaned_up(world: World) -> None:
    await world.host.store.write("policy", lambda each: each.audit(Action.MAINTENANCE, "", "done"))


async def time_passes(world: World) -> None:
    """So much that Cleo's time at the wall is up, but nobody has noticed."""
    world.clock.pass_by(1_000)


async def run_out(world: World) -> None:
    """The server notices."""
    live = await world.host.live_tables.at("wall")
    world.host.attend(live)
    while not live.table.occupants[2].level:
        await world.settle()


QUIET = (
    Act("ask too much", ask_too_much),
    Act("open too many tables", open_too_many_tables, {"Hal: data": OWN}),
    Act("follow too often", follow_too_often),
    Act("try tokens", try_tokens),
    Act(
        "open a screen at a stranger's table",
        partial(open_screen, "Hal"),
        {"Bob, Eve: wall page": COUNTED, "somebody: watchers": COUNTED},
    ),
    Act("open a screen", partial(open_screen, "Bob"), {"Bob: wall page": SCREEN}),
    Act("read nothing", read_nothing),
    Act("be put away", be_put_away),
    Act("clean up", clean_up),
    Act("be thinned", thin),
    Act(
        "expire",
        expire,
        touches={
            "Gil, Hal: private *": GONE,
            "Gil: data, own tables, people to invite": GONE,
        },
        told={"*: private": ("ended",)},
    ),
    Act(
        "run out of time",
        run_out,
        first=(time_passes,),
        touches={
            "*: wall page, wall story, wall view": AT_TABLE,
            "*: wall seat 2": SEAT,
            "*: wall clock 2": CLOCK,
            "Ada, Bob, Cleo: data, own tables": OWN,
            "Bob: own home": OWN,
            "Cleo: turns": OWN,
            "somebody: running tables": LISTED,
            "Eve: account, followed": FOLLOWED,
        },
        told={"*: wall": ("away 2 journeyman",), "Cleo: wall page": ("table", "say")},
    ),
)


@pytest.mark.parametrize("act", QUIET, ids=lambda act: act.name)
async def test_nobody_else_suffers(act: Act, built: Built) -> None:
    """Limits, slow clients, clocks and the server's own work are between it and one visitor."""
    async with built.opened() as world:
        broken = await law.broken(act, world, built.before)
        assert not broken, broken


# --- While something else does not work ----------------------------------------------------------


async def silent_service(world: World) -> None:
    """Nobody answers where notifications go, and Dan is to get one."""
    await accounts.PUSHED._replace(who="Dan")(world)
    world.postbox.answers.clear()
    world.clock.pass_by(600)
    await world.host.service(Notifications).look()
    await world.settle()
    assert world.postbox.sent
    # Whoever takes a picture of Dan's pages looks at his tables; that is noted a little later.
    for turn in await turns_of(world.host.store, DAN.id):
        await world.host.service(Notifications).see(DAN.id, turn.card.id)


async def stalled_client(world: World) -> None:
    """Somebody follows every table, and takes nothing of what is sent."""
    for each in ("wall", "castle"):
        await world.stall(f"/api/tables/{each}/stream", world["Hal"])


async def failing_feature(world: World) -> None:
    """A feature fails whenever something happens, before all others are told."""

    def fail(_: object) -> None:
        raise ZeroDivisionError

    for kind in (EntriesStored, TableChanged, GameEnded, AccessChanged, NamesChanged):
        world.host.events._handlers[kind].insert(0, fail)  # noqa: SLF001 - before all others


async def silent_database(world: World) -> None:
    """What is not about a table cannot be read."""

    async def wait() -> int:
        await asyncio.Event().wait()
        return 0

    world.host.service(ResultsWorker).count_all = wait  # type: ignore[method-assign]


WHILE = (silent_service, stalled_client, failing_feature, silent_database)
AS_EVER = (
    "move",
    "move on the page",
    "hand over",
    "say something",
    "block a guest",
    "end a game",
    "have one's data deleted in the middle of a game",
)
"""What is done then; everybody sees and is told what they would be otherwise."""


PAIRS = list(itertools.product(AS_EVER, WHILE))


@pytest.mark.parametrize(
    ("name", "hinder"),
    PAIRS[:: amount(7, 3, 1)],  # each hindrance; from `make test` on each act, too
    ids=lambda each: getattr(each, "__name__", each),
)
async def test_nobody_waits_for_what_does_not_work(
    name: str, hinder: Callable[[World], Awaitable[None]], built: Built
) -> None:
    """Slow services, clients that do not read and features that fail hold up nobody else."""
    acts = (*table.ACTS, *moderation.ACTS, *accounts.ACTS)
    (act,) = (each for each in acts if each.name == name)
    async with built.opened() as world:
        broken = await law.broken(act._replace(first=(*act.first, hinder)), world, built.before)
        assert not broken, broken


async def test_a_restart_changes_nothing(built: Built) -> None:
    """What was built by one server is the same at the next one, for everybody."""
    async with built.opened() as world:
        assert law.changes(built.before, await law.observed(world), "") == {}


async def test_a_backup_touches_nobody(built: Built, tmp_path: Path) -> None:
    """It is made while everybody plays; where it is restored, everybody sees the same."""

    async def copy(_: World) -> None:
        assert await asyncio.to_thread(backup.back_up, built.place, tmp_path / "copy.db")

    async with built.opened() as world:
        broken = await law.broken(Act("back up", copy), world, built.before)
        assert not broken, broken

    def renew() -> None:
        assert backup.restore(tmp_path / "copy.db", tmp_path / "restored").tables

    async with built._replace(place=tmp_path / "restored", renew=renew).opened() as world:
        assert law.changes(built.before, await law.observed(world), "") == {}


@pytest.mark.slow
async def test_those_who_only_look_touch_nobody(built: Built) -> None:
    """A stranger opens every page of the server that can be looked at."""

    async def look(world: World) -> None:
        for route in law.pages_to_look_at():
            for each in ("wall", "castle", "houses", "private", "old"):
                if each == "wall" or "{table}" in route:
                    path = law.filled_in(route, each)
                    assert (await world["Hal"].get(path)).status < 500, path

    async with built.opened() as world:
        own = {"Hal: data": OWN}
        assert not await law.broken(Act("look", look, own), world, built.before)
