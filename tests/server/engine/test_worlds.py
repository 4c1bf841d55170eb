"""Worlds that differ only in what a viewer may not know look alike to that viewer.

Byte by byte, through the whole server: view, story, stream, lists, pages, evenings, chat,
notifications, the picture for links, and every refusal.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.server.engine.twins import STEPS, Move, twins
from tests.server.engine.worlds import World, Worlds, answer_of
from tests.support.driven_table import SEED

from mauerwerk.core import options
from mauerwerk.core.game import NATURE, AnyGame, Seat, Setup
from mauerwerk.games import GAMES
from mauerwerk.server.database.connect import store_at
from mauerwerk.server.engine import host as host_module
from mauerwerk.server.engine.host import Host
from mauerwerk.server.keys import Keys
from mauerwerk.server.tables import requests

pytestmark = pytest.mark.anyio

OPTIONS = {"mauer": {"first": "lot"}, "burgbaumeister": {}, "mauerbauer": {"board": "small"}}


@pytest.fixture
async def worlds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Worlds]:
    """Two servers that agree in everything but what is played."""
    clock = [1_000.0]
    made: list[World] = []

    def nature_word(game: AnyGame, state: object, seed: bytes, seq: int) -> str:
        del game, state, seed, seq
        return next(world for world in made if world.nature).nature.pop(0)

    monkeypatch.setattr(requests, "nature_word", nature_word)
    monkeypatch.setattr(host_module, "new_seed", lambda: SEED)
    async with AsyncExitStack() as stack:
        for each in "ab":
            host = Host(store_at(tmp_path / each), clock=lambda: clock[0])
            await host.open()
            stack.push_async_callback(host.close)
            host.keys = Keys(b"k" * 32)
            made.append(World(host))
        both = Worlds((made[0], made[1]), clock)
        monkeypatch.setattr(host_module, "new_id", lambda: both.name)
        yield both
        await both.hang_up()


NONSENSE = ("what?", "", "0", "-", "+", ">", "*C", "a1", "f3", "x31", "Bd3")
"""Something to say at the wrong moment, in one game or another."""


async def look(worlds: Worlds, who: int | None) -> None:
    """Everything that a viewer can look at must be the same."""
    eyes = "none" if who is None else who
    await worlds.compare("GET", f"{worlds.path}?seat={eyes}", who)
    await worlds.compare("GET", f"{worlds.path}/history?seat={eyes}", who)
    await worlds.compare("GET", f"{worlds.path}/history?seat={eyes}&after=3", who)
    await worlds.compare("GET", f"{worlds.path}/record", who)
    await worlds.compare("GET", "/api/tables?status=running", who)
    await worlds.compare_streams(who, eyes)


async def look_around(worlds: Worlds, who: int | None) -> None:
    """So must pages and lists in which the table is one of several things."""
    await worlds.compare("POST", f"{worlds.path}/follow", who, {"follow": True})
    for path in ("/", f"/t/{worlds.table}", f"/e/{worlds.table}-evening"):
        assert (await worlds.compare("GET", path, who)).status == 200
    for path in (f"tables/{worlds.table}/watchers", "guests/me/followed"):
        await worlds.compare("GET", f"/api/{path}", who)
    await worlds.compare("GET", f"/api/evenings/{worlds.table}-evening", who)


async def provoke(worlds: Worlds, who: int) -> None:
    """Everything that is refused must be refused in the same words."""
    smile = {"form": "face", "content": "smile", "seat": who}
    await worlds.compare("POST", f"{worlds.path}/chat", who, smile)
    number = worlds.number(await worlds.compare("GET", f"{worlds.path}?seat={who}", who))
    legal = worlds.legal
    for word in NONSENSE:
        if word not in legal:
            body = {"move": word, "version": number, "seat": who}
            answer = await worlds.compare("POST", f"{worlds.path}/moves", who, body)
            assert answer.status in {409, 422}
    late = {"move": "T", "version": 0, "seat": who, "idempotency_key": "late"}
    assert (await worlds.compare("POST", f"{worlds.path}/moves", who, late)).status == 409
    late.pop("move")
    assert (await worlds.compare("POST", f"{worlds.path}/undo", who, late)).status == 409
    refused: dict[str, dict[str, Any]] = {
        "consent": {"agree": True},
        "back": {},
        "away": {"level": "none"},
    }
    for path, said in refused.items():
        answer = await worlds.compare("POST", f"{worlds.path}/{path}", who, {**said, "seat": who})
        assert answer.status == 422


async def step(worlds: Worlds, moves: list[Move]) -> None:
    """One move and what nature answers, in both worlds."""
    seat, words = moves[0]
    worlds.clock[0] += 10
    number = await worlds.numbers(seat)
    for each, world in enumerate(worlds.both):
        world.nature = [move.words[each] for move in moves[1:]]
        await world.move(worlds.table, seat, words[each], number[each])
        assert world.nature == []


async def hesitate(worlds: Worlds, viewer: int | None, rng: random.Random) -> bool:
    """Whether somebody else changes their mind in one world, and back again; or in both."""
    table = await worlds.both[0].host.table(worlds.table)
    hidden = [seat for seat in map(Seat, range(table.setup.seats)) if table.choice(seat)]
    others = [seat for seat in hidden if seat != viewer]
    if not others or rng.random() > HESITATES:
        return False
    worlds.clock[0] += 1
    seat, world = rng.choice(others), worlds.both[1]
    chosen = [(await each.host.table(worlds.table)).choice(seat) for each in worlds.both]
    for _ in range(rng.randrange(1, 3)):
        legal = (await world.host.snapshot(worlds.table)).view(seat).legal
        await world.move(worlds.table, seat, table.game.write(rng.choice(legal)))
    await look(worlds, viewer)
    words = [play.word for play in chosen if play]
    await world.move(worlds.table, seat, words[1])
    if rng.random() < HESITATES:
        for each, word in zip(worlds.both, words, strict=True):
            await each.take_back(worlds.table, seat)
            await each.move(worlds.table, seat, word)
    return True


HESITATES = 0.5


class Course(NamedTuple):
    """How many sit there, who looks, which of many courses of a game, and how much of it."""

    seats: int
    viewer: int | None
    seed: int
    most: int = STEPS

    def __str__(self) -> str:
        return f"{self.viewer} of {self.seats}, seed {self.seed}, {self.most} moves"


SHORT = 18
COURSES = (
    pytest.param(Course(3, None, 1, SHORT), id="spectator, briefly"),
    pytest.param(Course(3, 0, 1, SHORT), id="seat 0 of 3, briefly"),
    pytest.param(Course(4, 2, 1), id="seat 2 of 4", marks=pytest.mark.slow),
    *(
        pytest.param(course, id=f"{course}", marks=pytest.mark.thorough)
        for course in (
            Course(3, None, 1),
            Course(3, 0, 1),
            Course(3, 1, 2),
            Course(4, None, 3),
            Course(4, 3, 4),
        )
    ),
)


@pytest.mark.parametrize("course", COURSES)
@pytest.mark.parametrize("name", GAMES)
async def test_what_a_viewer_may_not_know_changes_nothing_for_them(
    worlds: Worlds, name: str, course: Course
) -> None:
    """Not a byte, whatever is looked at, asked again or refused (DM-2, DM-5, DM-19, BB-9, MB-4)."""
    # In Burgbaumeister who is there sees everything, once; the secret is kept from who comes later.
    late = name == "burgbaumeister"
    game = GAMES[name]
    seats, viewer, seed, most = course
    rng = random.Random(f"{name} {viewer} {seed}")
    who = None if viewer is None else Seat(viewer)
    setup = Setup(seats, options.from_words(game.OPTIONS, OPTIONS[name]))
    turns = list(in_turns(list(twins(game, setup, who, rng, late=late))))[: most + 1]
    differences = sum(move.differs for moves in turns for move in moves)
    await worlds.set_up(game, seats, OPTIONS[name], turns[0])
    heard = [] if late else worlds.listen(viewer)
    while not all(len(each) > 1 for each in heard):  # noqa: ASYNC110 - moments, until both listen
        await asyncio.sleep(0.001)
    for count, moves in enumerate(turns[1:]):
        await step(worlds, moves)
        differences += await hesitate(worlds, viewer, rng)
        if late and not await worlds.at_rest():
            continue
        await look(worlds, viewer)
        if count % 4 == 0:
            shown = await worlds.compare("GET", f"/t/{worlds.table}/picture.png", viewer)
            assert b"<svg" in shown.body
            await worlds.compare("GET", f"{worlds.path}/chat", viewer)
            await worlds.compare("GET", f"/t/{worlds.table}/chat", viewer)
            for path in ("/notifications/waiting", "/me", "/api/guests/me/results"):
                await worlds.compare("GET", path, viewer)
            if viewer is not None:
                await provoke(worlds, viewer)
        if count % SHORT == SHORT // 2:
            if viewer is None or most > SHORT:
                await look_around(worlds, viewer)
            if viewer is not None:
                await worlds.compare_notifications(viewer)
    if heard:
        assert answer_of(heard[0]) == answer_of(heard[1])
        assert answer_of(heard[0]).body.count(b"data:") >= len(turns) / 2
    assert differences > most / SHORT


def in_turns(script: list[Move]) -> Iterator[list[Move]]:
    """First what nature does before anybody, then each move with what nature answers.

    The last is left out: nature may owe more than the script says.
    """
    turn: list[Move] = []
    for move in script:
        if move.seat != NATURE:
            yield turn
            turn = []
        turn.append(move)
