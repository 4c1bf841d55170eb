"""Two servers in this process, of which the same is asked."""

import asyncio
from typing import Any, NamedTuple

import msgspec
from starlette.types import Message
from tests.server.engine.twins import Move
from tests.support.driven_table import GUESTS
from tests.support.notifications import PHONE, Postbox, notify

from mauerwerk.core.game import AnyGame, Seat
from mauerwerk.server.app import App
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.evenings import store
from mauerwerk.server.features.evenings.values import Evening, Person, Round, RoundTable
from mauerwerk.server.features.notifications.schedule import NotificationPreferences
from mauerwerk.server.features.notifications.store import store_device, store_preferences
from mauerwerk.server.features.sharing.pictures import Moving, Pictures, Still
from mauerwerk.server.features.sharing.posters import Film
from mauerwerk.server.http.settings import Limits, Settings

SETTINGS = Settings(limits=Limits(requests=0), log=False)
HOST = (b"host", b"localhost")
JSON = (b"content-type", b"application/json")


class Answer(NamedTuple):
    """All that comes back."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes


def painted(wanted: Still | Moving | Film) -> bytes:
    """What would become pixels, so that it can be compared in no time."""
    assert isinstance(wanted, Still)
    return str(wanted.svg).encode()


class World:
    """A server in this process, with a clock and chance that the test decides about."""

    def __init__(self, host: Host) -> None:
        """Serve this house."""
        self.host = host
        self.app = App(host, SETTINGS)
        host.service(Pictures).draw = lambda wanted: asyncio.to_thread(painted, wanted)
        self.nature: list[str] = []
        self._streams: list[tuple[asyncio.Task[None], asyncio.Event]] = []

    async def ask(
        self, method: str, path: str, who: int | None, body: dict[str, Any] | None = None
    ) -> Answer:
        """One request and its answer."""
        got: list[Message] = []
        content = b"" if body is None else msgspec.json.encode(body)

        async def receive() -> Message:
            return {"type": "http.request", "body": content, "more_body": False}

        async def send(message: Message) -> None:
            got.append(message)

        await self.app(self._scope(method, path, who), receive, send)
        return answer_of(got)

    def listen(self, path: str, who: int | None) -> list[Message]:
        """Follow a stream; what comes is added to the answer."""
        got: list[Message] = []
        gone = asyncio.Event()

        async def receive() -> Message:
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            got.append(message)

        task = asyncio.create_task(self.app(self._scope("GET", path, who), receive, send))
        self._streams.append((task, gone))
        return got

    async def hang_up(self) -> None:
        """End all streams."""
        for task, gone in self._streams:
            gone.set()
            await task
        self._streams.clear()

    async def move(self, table: str, seat: Seat, word: str, version: int | None = None) -> None:
        """Play a word, over the wire."""
        number = (await self.host.table(table)).number(seat) if version is None else version
        body = {"move": word, "version": number, "seat": seat}
        answer = await self.ask("POST", f"/api/tables/{table}/moves", seat, body)
        assert answer.status == 200, answer

    async def take_back(self, table: str, seat: Seat) -> None:
        """Take back the last move of a seat, over the wire."""
        number = (await self.host.table(table)).number(seat)
        body = {"version": number, "seat": seat}
        answer = await self.ask("POST", f"/api/tables/{table}/undo", seat, body)
        assert answer.status == 200, answer

    def _scope(self, method: str, path: str, who: int | None) -> dict[str, Any]:
        headers: list[tuple[bytes, bytes]] = [HOST, JSON]
        if who is not None:
            token = self.host.keys.guest_token(GUESTS[who])
            headers.append((b"authorization", f"Bearer {token}".encode()))
        where, _, query = path.partition("?")
        return {
            "type": "http",
            "method": method,
            "path": where,
            "query_string": query.encode(),
            "headers": headers,
            "client": ("127.0.0.1", 1),
        }


def answer_of(got: list[Message]) -> Answer:
    start, *rest = got
    body = b"".join(message.get("body", b"") for message in rest)
    return Answer(start["status"], tuple(start["headers"]), body)


class Worlds:
    """Two worlds, in which the same is asked."""

    def __init__(self, both: tuple[World, World], clock: list[float]) -> None:
        """They share a clock."""
        self.both = both
        self.clock = clock
        self.name = ""
        self.table = ""
        self.legal: set[str] = set()
        self._count = 0

    async def set_up(
        self, game: AnyGame, seats: int, choose: dict[str, str], begins: list[Move]
    ) -> None:
        """The same table in both, with what nature does before anybody moves."""
        self._count += 1
        self.table = self.name = f"table{self._count}"
        order = {
            "game": game.NAME,
            "chairs": [{"kind": "human"}] * seats,
            "options": choose,
            "mine": [0],
            "public": True,
            "bot_delay_ms": 0,
            "clock": {"total": 900_000, "increment": 3},
        }
        for each, world in enumerate(self.both):
            world.nature = [move.words[each] for move in begins]
            assert (await world.ask("POST", "/api/tables", 0, order)).status == 201
            for seat in range(1, seats):
                await world.host.claim(self.table, Seat(seat), GUESTS[seat])
            assert world.nature == []
            await store.add(world.host.store, **self._evening(game, seats))

    def _evening(self, game: AnyGame, seats: int) -> dict[str, Any]:
        """An evening at which the table is the first and only one."""
        people = tuple(Person(seat, GUESTS[seat].id, GUESTS[seat].name) for seat in range(seats))
        table = RoundTable(self.table, tuple(range(seats)))
        played = Round(game.NAME, started=int(self.clock[0] * 1_000), tables=(table,))
        created = int(self.clock[0] * 1_000)
        evening = Evening("Friday", people, (played,), created=created)
        return {"id_": f"{self.table}-evening", "evening": evening}

    @property
    def path(self) -> str:
        """Where the table is."""
        return f"/api/tables/{self.table}"

    async def compare(self, method: str, path: str, who: int | None, body: Any = None) -> Answer:  # noqa: ANN401
        """Ask in both; the answers must be the same."""
        one, other = [await world.ask(method, path, who, body) for world in self.both]
        assert one == other, (method, path, body)
        return one

    def listen(self, who: int | None) -> list[list[Message]]:
        """Follow the table in both, from now on."""
        eyes = "none" if who is None else who
        return [world.listen(f"{self.path}/stream?seat={eyes}", who) for world in self.both]

    async def compare_streams(self, who: int | None, eyes: int | str) -> None:
        """A viewer who comes now and asks for everything is told the same."""
        path = f"{self.path}/stream?seat={eyes}&after=0"
        heard = [world.listen(path, who) for world in self.both]
        while not all(len(each) >= 3 for each in heard):  # noqa: ASYNC110 - moments
            await asyncio.sleep(0)
        assert answer_of(heard[0]) == answer_of(heard[1])
        assert b"data:" in answer_of(heard[0]).body

    async def compare_notifications(self, who: int) -> None:
        """Notifications of this player say the same, at the same time."""
        said: list[list[object]] = []
        guest = GUESTS[who]
        always = NotificationPreferences(guest.id, quiet_from=0, quiet_to=0)
        for world in self.both:
            box = Postbox()
            box.post_from(world.host)
            await store_device(world.host.store, guest.id, PHONE, 0)
            await store_preferences(world.host.store, always, 0)
            self.clock[0] += 20
            await notify(world.host)
            self.clock[0] -= 20
            said.append([(each.turns, each.also) for each in box.sent])
        assert said[0] == said[1]

    async def numbers(self, seat: Seat) -> list[int]:
        """Where this seat is in either world."""
        return [(await world.host.table(self.table)).number(seat) for world in self.both]

    def number(self, table_view: Answer) -> int:
        """The number of a scene; what may be done there is kept in mind."""
        shown = msgspec.json.decode(table_view.body)
        self.legal = {choice["move"] for choice in shown["legal"]}
        number: int = shown["number"]
        return number

    async def at_rest(self) -> bool:
        """Whether no card lies open that a late viewer would see."""
        table = await self.both[0].host.table(self.table)
        return getattr(table.game.view(table.state, None), "turned", None) is None

    async def hang_up(self) -> None:
        """End all streams."""
        for world in self.both:
            await world.hang_up()
