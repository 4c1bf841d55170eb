"""A small world in one process: tables of three games, and people who play, watch or are elsewhere.

`wall`     Die Mauer: Ada, Bob and Cleo, in the middle of a game against the clock; Eve watches
`castle`   Burgbaumeister: Bob and Dan; spectators, such as Eve, are a move behind
`houses`   Mauerbauer: Cleo and Dan with their own dice and a day for a move; nobody may watch
`old`      Die Mauer, a rated game that is over: Eve, Fay and Gil, who have ratings
`open`     Die Mauer for four: Fay looks for a game, and Gil has joined her
`private`  Die Mauer: Gil has a link for a friend, and a seat for anybody; Hal looks on
`strange`  Fay, Gil and Hal play by rules that this server does not have
`friday`   an evening of Bob's, with Cleo and Dan

Bob also plays at the wall on a phone, by the link of his seat. Everybody has an address of their
own. The clock stands still unless a test moves it, and no bot ever moves.
"""

import asyncio
import json
import shutil
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

import msgspec
import pytest
import sqlalchemy as sa
from starlette.types import Message
from tests.support.driven_table import order
from tests.support.hosts import move, play
from tests.support.notifications import Clock, Postbox

from mauerwerk.core.game import Seat
from mauerwerk.server.app import App
from mauerwerk.server.database.connect import FILE, store_at
from mauerwerk.server.database.schema import TABLES
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.engine import audience, live_tables
from mauerwerk.server.engine.host import Host
from mauerwerk.server.engine.workers import BotWorkers
from mauerwerk.server.features.accounts import store as accounts
from mauerwerk.server.features.evenings import store as evenings
from mauerwerk.server.features.evenings.values import Evening, Person, Round
from mauerwerk.server.features.lobby.open_tables import Seek
from mauerwerk.server.features.matchmaking.store import Sent, find_table
from mauerwerk.server.features.moderation import service as moderation
from mauerwerk.server.features.notifications.delivery import Delivery, Mail, Push
from mauerwerk.server.features.notifications.relays import Webhooks
from mauerwerk.server.features.notifications.service import Notifications
from mauerwerk.server.features.replay.analyses import Analyses
from mauerwerk.server.features.results.service import ResultsWorker
from mauerwerk.server.features.spectating import store as follows
from mauerwerk.server.http.identity import COOKIE, KEPT
from mauerwerk.server.http.settings import Admin, Settings
from mauerwerk.server.tables.charter import Chair, Charter, Guest, Order
from mauerwerk.server.tables.clocks import Clock as TableClock

ADMIN: Final = "the token of those who run the server"
ORIGIN: Final = "http://localhost"

GUESTS: Final = {
    name: Guest(name.lower(), name)
    for name in ("Ada", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gil", "Hal")
}
ADA, BOB, CLEO, DAN, EVE, FAY, GIL, HAL = GUESTS.values()
PHONE: Final = "Bob's phone"
NOBODY: Final = "somebody"
HOST: Final = "the host"
"""Those who run the server, with their token."""

BROWSER: Final = "the host's browser"

VISITORS: Final = (*GUESTS, PHONE, NOBODY, HOST, BROWSER)
SETTINGS: Final = Settings(
    admins=(Admin(ADMIN),),
    address=ORIGIN,
    sections=(
        Push(on=True, contact="mailto:host@walls.example"),
        Mail(server="127.0.0.1", port=9, security="none", sender="w@walls.example"),
        Webhooks(on=True, networks=("127.0.0.1/32",)),
    ),
    log=False,
)
SHORT: Final = {"rounds": "1", "stall": "1"}


class Answer(NamedTuple):
    """What comes back."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes

    @property
    def json(self) -> Any:  # noqa: ANN401 - whatever the API says
        """The body of an answer of the API."""
        return msgspec.json.decode(self.body)

    @property
    def text(self) -> str:
        """The body of a page."""
        return self.body.decode()

    def header(self, name: str) -> str:
        """A header; empty if there is none."""
        return dict(self.headers).get(name.encode(), b"").decode()

    @property
    def seen(self) -> bytes:
        """All that the reader notices: status, where it leads, which cookies it sets, the body."""
        cookies = [value.split(b"=")[0] for name, value in self.headers if name == b"set-cookie"]
        return b"%d %b %b\n%b" % (
            self.status,
            self.header("location").encode(),
            b" ".join(cookies),
            self.body,
        )


class Stream:
    """What somebody is told, for as long as they listen."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.heard: list[bytes] = []
        self.status = 0
        self.ended = False
        self.gone = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    @property
    def events(self) -> tuple[str, ...]:
        """What was told: kind, seat, name and level of each notice, and whether it ended."""
        blocks = b"".join(self.heard).decode().split("\n\n")
        return (*filter(None, map(_in_words, blocks)), *(("ended",) if self.ended else ()))


def _in_words(block: str) -> str:
    fields = dict(line.partition(": ")[::2] for line in block.splitlines())
    if not fields.get("data", "").startswith("{"):
        return fields.get("event", "")
    said = json.loads(fields["data"])
    if "kind" not in said:
        return " ".join([fields["event"], said["name"], said["content"]])
    parts = [said["kind"], said.get("seat"), said.get("name"), said.get("level"), said.get("ended")]
    return " ".join(str(each) for each in parts if each not in {None, ""})


class Visitor:
    """Somebody with a browser, or a program with a token, at an address of their own."""

    def __init__(self, world: "World", address: str, cookies: Mapping[str, str]) -> None:
        """As they are known here."""
        self._world = world
        self.address = address
        self.cookies = dict(cookies)
        self.token = ""

    async def get(self, path: str) -> Answer:
        """Look at something."""
        return await self._world.ask(self, "GET", path)

    async def post(self, path: str, **body: Any) -> Answer:  # noqa: ANN401 - any field
        """Ask the API for something."""
        content = msgspec.json.encode(body)
        return await self._world.ask(self, "POST", path, content, "application/json")

    async def send(self, path: str, **form: str) -> Answer:
        """Send a form of a page; cookies in the answer are kept."""
        kind = "application/x-www-form-urlencoded"
        answer = await self._world.ask(self, "POST", path, urlencode(form).encode(), kind)
        for name, value in answer.headers:
            if name == b"set-cookie":
                self.cookies |= {key: it.value for key, it in SimpleCookie(value.decode()).items()}
        return answer

    def scope(self, method: str, path: str, kind: str = "") -> dict[str, Any]:
        """A request as a server passes it on."""
        where, _, query = path.partition("?")
        headers = {"host": "localhost", "accept-language": "en"}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        else:
            cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
            headers |= {"cookie": cookie, "origin": ORIGIN, "sec-fetch-site": "same-origin"}
        if kind:
            headers["content-type"] = kind
        return {
            "type": "http",
            "method": method,
            "path": where,
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": (self.address, 1),
        }


class World:
    """The server, and everybody who comes to it."""

    def __init__(self, host: Host, clock: Clock, settings: Settings) -> None:
        """Serve this host."""
        self.host = host
        self.clock = clock
        self.app = App(host, settings)
        self.postbox = Postbox()
        self.notes: dict[str, str] = {}
        """What an act needs to know of what came before."""

        self.streams: dict[str, Stream] = {}
        self.over: list[Stream] = []
        self.visitors: dict[str, Visitor] = {}

    async def come(self) -> None:
        """Let everybody come, each from an address of their own."""
        keys = self.host.keys
        for number, name in enumerate(VISITORS):
            guest = GUESTS.get(name)
            cookies = {COOKIE: keys.guest_token(guest)} if guest else {}
            self.visitors[name] = Visitor(self, f"192.0.2.{number}", cookies)
        self[HOST].token = ADMIN
        if await self.host.store.load("wall"):
            self[PHONE].cookies[f"{KEPT}wall"] = await self.link("wall", 1)

    def __getitem__(self, name: str) -> Visitor:
        return self.visitors[name]

    async def ask(
        self, who: Visitor, method: str, path: str, content: bytes = b"", kind: str = ""
    ) -> Answer:
        """One request and its answer."""
        got: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": content, "more_body": False}

        async def send(message: Message) -> None:
            got.append(message)

        await self.app(who.scope(method, path, kind), receive, send)
        body = b"".join(message.get("body", b"") for message in got[1:])
        return Answer(got[0]["status"], tuple(got[0]["headers"]), body)

    async def listen(self, name: str, path: str, who: Visitor) -> Stream:
        """Follow a stream, by this name, from when it has begun."""
        stream = self.streams[name] = Stream()
        begun = asyncio.Event()

        async def receive() -> Message:
            await stream.gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                stream.status = message["status"]
                return
            if begun.is_set() and message.get("body"):
                stream.heard.append(message["body"])
            stream.ended = not message.get("more_body")
            begun.set()

        stream.task = asyncio.create_task(self.app(who.scope("GET", path), receive, send))
        await begun.wait()
        return stream

    async def stall(self, path: str, who: Visitor) -> None:
        """Follow a stream, and never take more than its beginning."""
        stream = Stream()
        begun = asyncio.Event()

        async def receive() -> Message:
            await stream.gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if message["type"] != "http.response.start" and begun.is_set():
                await stream.gone.wait()
            begun.set()

        stream.task = asyncio.create_task(self.app(who.scope("GET", path), receive, send))
        self.over.append(stream)
        await begun.wait()

    async def told_at_once(self, path: str, who: Visitor) -> bytes:
        """What a stream tells those who come now of what was before."""
        got: list[Message] = []
        gone = asyncio.Event()

        async def receive() -> Message:
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            got.append(message)

        task = asyncio.create_task(self.app(who.scope("GET", path), receive, send))
        await self.settle()
        gone.set()
        await task
        return b"".join(message.get("body", b"") for message in got[1:])

    def forget_what_was_told(self) -> None:
        """Streams that go on have told nothing so far; others are of no interest any more."""
        self.over += [stream for stream in self.streams.values() if stream.ended]
        self.streams = {name: each for name, each in self.streams.items() if not each.ended}
        for stream in self.streams.values():
            stream.heard.clear()

    async def settle(self) -> None:
        """Let everything happen that follows from what was asked."""
        for _ in range(20):
            await asyncio.sleep(0)

    async def hang_up(self) -> None:
        """End all streams, and let everybody answer."""
        self.postbox.answers.set()
        for stream in (*self.over, *self.streams.values()):
            stream.gone.set()
            if stream.task:
                await stream.task
        await self.app.streams.close()

    async def number(self, table: str, seat: int) -> int:
        """How much a seat was told, which a move answers."""
        return (await self.host.table(table)).number(Seat(seat))

    async def link(self, table: str, seat: int) -> str:
        """The token of a seat."""
        return self.host.keys.seat_token(await self.host.table(table), Seat(seat))


@asynccontextmanager
async def world_at(place: str | Path, clock: Clock) -> AsyncGenerator[World, None]:
    """A world with what the database at this place says."""
    host = Host(store_at(place), clock=clock)
    world = World(host, clock, SETTINGS)
    world.postbox.post_from(host)
    host.service(Notifications).deliver = None  # until the host is open: nothing happens by itself
    await host.open()
    host.service(Notifications).deliver = world.postbox
    try:
        await world.come()
        yield world
    finally:
        await world.hang_up()
        await host.close()


def stand_still(patch: pytest.MonkeyPatch, clock: Clock) -> None:
    """Have one clock for all, and nothing that happens by itself after a while."""
    patch.setattr("time.time", clock)
    patch.setattr(audience, "SETTLES", 3_600.0)
    patch.setattr(live_tables, "LONGEST", 3_600_000)
    patch.setattr(moderation, "FAREWELL", 3_600.0)
    patch.setattr(BotWorkers, "choose", _think_for_ever)
    patch.setattr(BotWorkers, "advise", _know_nothing)
    patch.setattr(Analyses, "ask", lambda *_, **__: None)


async def _think_for_ever(*_: object, **__: object) -> str:
    await asyncio.Event().wait()
    return ""


async def _know_nothing(*_: object) -> tuple[()]:
    return ()


# --- How it came about ---------------------------------------------------------------------------


async def build(folder: Path, clock: Clock) -> None:
    """Set up the tables, and play for a while."""
    async with world_at(folder, clock) as world:
        host = world.host
        await _finished_game(world)
        await host.create_at(
            "wall",
            order("mauer", "hhh", public=True, clock=TableClock(total=900, increment=5)),
            _sitting(ADA, BOB, CLEO),
            ADA,
        )
        for word in ("0:-", "1:-", "2:-", "0:-", "1:-"):
            clock.pass_by(11)
            await play(host, "wall", word)
        await host.create_at(
            "castle",
            order("burgbaumeister", "hh", public=True, spectator_delay=1),
            _sitting(BOB, DAN),
            BOB,
        )
        for _ in range(3):
            await _any_move(world, "castle")
        await host.create_at(
            "houses",
            order(
                "mauerbauer",
                "hh",
                dice="players",
                spectator_delay=-1,
                seconds_per_move=86_400,
                clock=TableClock(days_off=2),
                options={"first": "0"},
            ),
            _sitting(CLEO, DAN),
            CLEO,
        )
        sent = Sent("open", opens=True, game="mauer")
        assert sent == await find_table(host.store, FAY.id, Seek(game="mauer"), sent)
        await host.create_at("open", _listed(), _sitting(FAY), FAY)
        await host.sit("open", Seat(1), GIL)
        await host.create_at("private", order("mauer", "hho"), _sitting(GIL), GIL)
        await host.create_at("strange", order("mauer", "hhh"), _sitting(FAY, GIL, HAL), FAY)
        await host.store.write("test", _other_rules)
        people = tuple(Person(at, each.id, each.name) for at, each in enumerate((BOB, CLEO, DAN)))
        programme = (Round("mauer"), Round("mauerbauer"))
        await evenings.add(
            host.store, "friday", Evening("Friday", people, programme, created=host.now())
        )
        await host.service(Delivery).signer()  # which makes a key the first time
        for table in ("wall", "castle"):
            await follows.follow(host.store, EVE.id, table)
        clock.pass_by(13)


def _sitting(*guests: Guest) -> dict[Seat, Guest]:
    return {Seat(seat): guest for seat, guest in enumerate(guests)}


def _listed() -> Order:
    return Order("mauer", (Chair("open"),) * 4, {}, public=True, seconds_per_move=120, hints=False)


def _other_rules(transaction: Transaction) -> None:
    (known,) = transaction.execute(
        sa.select(TABLES.c.charter).where(TABLES.c.id == "strange")
    ).one()
    charter = msgspec.structs.replace(msgspec.json.decode(known, type=Charter), rules=99)
    changed = {"charter": msgspec.json.encode(charter).decode()}
    transaction.execute(sa.update(TABLES).where(TABLES.c.id == "strange").values(**changed))


async def _any_move(world: World, table: str) -> None:
    found = await world.host.table(table)
    seat = found.waiting[0]
    world.clock.pass_by(7)
    await move(world.host, table, seat, found.game.write(found.game.legal(found.state, seat)[0]))


async def _finished_game(world: World) -> None:
    host = world.host
    rated = order("mauer", "hhh", options=SHORT, rated=True, hints=False)
    await host.create_at("old", rated, _sitting(EVE, FAY, GIL), EVE)
    await play(host, "old", "0:- 1:- 2:-")
    await host.service(ResultsWorker).count_all()
    await accounts.set_listed(host.store, EVE, listed=True)
    world.clock.pass_by(3_600)


def restore(folder: Path, built: Path) -> None:
    """Have the world as it was built, in the same place: statements for it are translated once."""
    for each in folder.glob("*"):
        each.unlink()
    shutil.copy(built / FILE, folder / FILE)
