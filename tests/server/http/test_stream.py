"""Streams: in order, without gaps, nothing twice, and for the right eyes."""

import asyncio
import json
import socket
import time
from functools import partial
from typing import Any

import pytest
from starlette.types import Message
from tests.support.driven_table import start_table
from tests.support.web_server import TIMEOUT, Player, Running, serving

from mauerwerk.core.game import Seat
from mauerwerk.games import mauer
from mauerwerk.server import run
from mauerwerk.server.api import table_messages
from mauerwerk.server.engine.audience import Audience, NoticeBatch
from mauerwerk.server.engine.limits import HostLimits
from mauerwerk.server.http import stream
from mauerwerk.server.http.limits import Counter
from mauerwerk.server.http.settings import Limits, Settings
from mauerwerk.server.http.stream import Streams
from mauerwerk.server.tables.log import Kind
from mauerwerk.server.tables.notices import Notice


@pytest.fixture
def ada(site: Running) -> Player:
    """Somebody who plays all seats."""
    return site.guest("Ada")


def test_a_stream_tells_what_happens(ada: Player) -> None:
    """Each viewer is told what that viewer may know."""
    table = ada.open(mine=[0, 1, 2])["table"]
    with ada.listen(table, seat=0) as own, ada.listen(table, seat=1) as other:
        done = ada.move(table, "T", seat=0)
        mine, theirs = own.hear(), other.hear()

    assert mine["number"] == theirs["number"] == done.json()["number"]
    assert mine["events"][0]["plan"]["piece"] == "T"
    assert theirs["events"][0]["plan"] is None


def test_a_client_that_comes_back_misses_nothing(ada: Player) -> None:
    """There is no gap and no repetition, by header or by query; the header goes first."""
    table = ada.open(mine=[0, 1, 2])["table"]
    number = ada.table_view(table, seat=1)["number"]
    with ada.listen(table, seat=1, after=0) as before:
        assert before.numbers(number) == list(range(1, number + 1))
    ada.move(table, "T", seat=0)
    with ada.listen(table, seat=1, last=number) as again:
        ada.move(table, "4", seat=1)
        assert again.numbers(2) == [number + 1, number + 2]
    with ada.listen(table, seat=1, last=number + 1, after=0) as again:
        assert again.numbers(1) == [number + 2]


def test_a_change_that_nobody_sees_leaves_no_gap(ada: Player) -> None:
    """Each viewer counts separately, so nobody can count how often another hesitated."""
    table = ada.open(mine=[0, 1, 2])["table"]
    with ada.listen(table, seat=0) as own, ada.listen(table, seat=1) as other:
        number = ada.table_view(table, seat=1)["number"]
        for word in ("T", "4", "6"):
            assert ada.move(table, word, seat=0).status_code == 200
        ada.move(table, "-", seat=2)

        assert own.numbers(4) == [number + 1, number + 2, number + 3, number + 4]
        heard = [other.hear() for _ in range(2)]
    assert [(each["number"], each["seat"]) for each in heard] == [(number + 1, 0), (number + 2, 2)]


def test_without_a_number_a_stream_begins_now(ada: Player) -> None:
    """What happened before is in the table view and the story."""
    table = ada.open(mine=[0, 1, 2])["table"]
    with ada.listen(table, seat="none") as listener:
        ada.move(table, "T", seat=0)
        assert listener.hear()["kind"] == "move"


def test_spectators_hear_the_same_bytes(site: Running, ada: Player) -> None:
    """All spectators get the same bytes."""
    table = ada.open(mine=[0, 1, 2])["table"]
    with site.anybody().listen(table) as one, site.guest().listen(table) as another:
        ada.move(table, "T", seat=0)
        assert one.block() == another.block()


def test_a_player_who_loses_a_seat_is_told_no_more(site: Running) -> None:
    """They are not even told what comes together with the change."""
    ada, bob = site.guest("Ada"), site.guest("Bob")
    table = ada.open("hoh", mine=[0])["table"]
    old = bob.post(f"/api/tables/{table}/sit").json()["token"]
    with (
        bob.listen(table, seat=1) as by_guest,
        site.bearer(old).listen(table) as by_token,
        ada.listen(table, seat=0) as owner,
    ):
        bob.post(f"/api/tables/{table}/stand")
        site.guest("Eve").post(f"/api/tables/{table}/sit")
        assert [owner.hear()["kind"] for _ in range(2)] == ["stand", "sit"]
        assert by_guest.ends()
        assert by_token.ends()
    assert site.bearer(old).get(f"/api/tables/{table}/stream").status_code == 401


def test_what_a_viewer_may_not_know_leaves_no_trace(ada: Player) -> None:
    """Two tables that differ only in a closed fist send the same bytes."""
    told: list[bytes] = []
    for word in ("T", "4"):
        table = ada.open(mine=[0, 1, 2])["table"]
        assert ada.move(table, word, seat=0).status_code == 200
        for seat in (1, 2, "none"):
            told.append(ada.get(f"/api/tables/{table}/history", seat=seat).content)
            table_view = ada.table_view(table, seat=seat)
            own = {name: table_view.pop(name) for name in ("table", "created", "commitment")}
            assert all(own.values())
            told.append(json.dumps(table_view).encode())

    assert told[: len(told) // 2] == told[len(told) // 2 :]


def test_what_is_told_once_is_not_told_again(ada: Player) -> None:
    """Neither the story nor a resumed stream repeats it, because memory is the game."""
    opened = ada.open("hh", mine=[0, 1], game="burgbaumeister")
    table = opened["table"]
    with ada.listen(table, seat=0) as listener:
        before = ada.table_view(table, seat=0)["number"]
        for turn in range(6):  # nobody keeps a card: the end of a game tells everybody all
            turn_and_leave(ada, table, seat=turn % 2, place=turn)
        number = ada.table_view(table, seat=0)["number"]
        live = [listener.hear() for _ in range(number - before)]
    with ada.listen(table, seat=0, last=before) as listener:
        resumed = [listener.hear() for _ in range(number - before)]
    story = ada.get(f"/api/tables/{table}/history", seat=0, after=before).json()["notices"]

    assert resumed == story
    assert kinds(live) - kinds(resumed) == {"turned", "shown"}
    assert kinds(resumed) - kinds(live) == set()


def turn_and_leave(player: Player, table: str, seat: int, place: int) -> None:
    """Turn the card in one of the places where one lies, and leave it."""
    for choice in (lambda legal: legal[place]["move"], lambda _: "-"):
        seen = player.table_view(table, seat=seat)
        path = f"/api/tables/{table}/moves"
        move = choice(seen["legal"])
        moved = player.post(path, move=move, version=seen["number"], seat=seat)
        assert moved.status_code == 200, moved.text


def kinds(notices: list[dict[str, Any]]) -> set[str]:
    """The types of all events."""
    return {event["type"] for notice in notices for event in notice["events"]}


def test_a_number_must_be_one(ada: Player) -> None:
    """Anything else is refused."""
    table = ada.open(mine=[0])["table"]
    for said in ("x", "-1", "1.5", "٣"):
        headers = {b"last-event-id": said.encode()}
        answer = ada.client.get(f"/api/tables/{table}/stream", headers=headers)
        assert answer.status_code == 422


def test_head_asks_for_no_stream(ada: Player) -> None:
    """The answer to HEAD ends at once."""
    table = ada.open(mine=[0])["table"]
    answer = ada.client.head(f"/api/tables/{table}/stream")

    assert answer.headers["content-type"] == "text/event-stream"


def test_a_client_that_hangs_up_is_forgotten(site: Running, ada: Player) -> None:
    """Streams are counted as long as somebody reads them."""
    table = ada.open(mine=[0])["table"]
    with ada.listen(table):
        assert len(site.app.streams) == 1
    assert waits_for(lambda: len(site.app.streams) == 0)


def test_streams_end_when_the_server_stops(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole, so that readers come back; and the server does not wait for them.

    It would wait without end here, and `serving` would complain.
    """
    monkeypatch.setattr(run, "FINISH", 1e6)
    with serving(tmp_path_factory.mktemp("data")) as site:
        ada = site.guest()
        table = ada.open(mine=[0])["table"]
        connection = socket.create_connection(("127.0.0.1", int(site.address.rpartition(":")[2])))
        request = f"GET /api/tables/{table}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n"
        connection.sendall(request.encode())
        heard = connection.recv(65536)
        while b"retry" not in heard:
            heard += connection.recv(65536)
    while more := connection.recv(65536):
        heard += more
    connection.close()

    assert heard.endswith(b"0\r\n\r\n")


def waits_for(condition: Any) -> bool:  # noqa: ANN401 - a question
    """Whether it comes true within our patience."""
    for _ in range(20 * TIMEOUT):
        if condition():
            return True
        time.sleep(0.05)
    return False


# --- Slow readers ----------------------------------------------------------------------------


def batch(number: int) -> NoticeBatch:
    """Something to tell."""
    return NoticeBatch((Notice(number=number, kind=Kind.MOVE, seat=Seat(0)),))


async def tell(told: NoticeBatch | None) -> bytes:
    """The notices, as programs get them."""
    return table_messages.frame_of(mauer, told) if told else b""


class Reader:
    """A connection whose other end can stop reading."""

    def __init__(self) -> None:
        """Reads until told otherwise."""
        self.got: list[Message] = []
        self.more = asyncio.Condition()
        self.reads = asyncio.Event()
        self.reads.set()
        self.gone = asyncio.Event()

    async def send(self, message: Message) -> None:
        """Take it, once reading."""
        await self.reads.wait()
        async with self.more:
            self.got.append(message)
            self.more.notify_all()

    async def has(self, count: int) -> None:
        """Wait until so many messages have come."""
        async with self.more:
            await asyncio.wait_for(self.more.wait_for(lambda: len(self.got) >= count), TIMEOUT)

    async def receive(self) -> Message:
        """Nothing comes from a reader, until they hang up."""
        await self.gone.wait()
        return {"type": "http.disconnect"}

    @property
    def numbers(self) -> list[int]:
        """The numbers of what was read."""
        events = b"".join(message.get("body", b"") for message in self.got).split(b"\n\n")
        data = [line[6:] for event in events for line in event.split(b"\n") if line[:5] == b"data:"]
        return [json.loads(each)["number"] for each in data]


def always() -> bool:
    """Whether the seat is still theirs."""
    return True


def test_a_slow_reader_is_cut_off() -> None:
    """The stream ends when too much waits, and what was sent before has no gap."""

    async def scenario() -> list[int]:
        audience, reader, streams = Audience(), Reader(), Streams(Counter(9, 9))
        told = audience.join(start_table().snapshot, None, ())
        serving = asyncio.create_task(
            streams.serve(told, always, {"method": "GET"}, reader.receive, reader.send, tell)
        )
        told.put(batch(1))
        await reader.has(3)
        reader.reads.clear()
        for number in range(2, HostLimits().unread_notices + 4):
            told.put(batch(number))
            await asyncio.sleep(0)
        reader.reads.set()
        await asyncio.wait_for(serving, TIMEOUT)
        await streams.close()
        assert len(streams) == 0
        return reader.numbers

    heard = asyncio.run(scenario())
    assert heard == list(range(1, len(heard) + 1))
    assert len(heard) < HostLimits().unread_notices


def test_what_goes_out_at_once_keeps_the_order() -> None:
    """A connection that is full for a moment gets the same, in order, a moment later."""

    async def scenario() -> tuple[list[bytes], list[int]]:
        audience, reader, streams = Audience(), Reader(), Streams(Counter(9, 9))
        told = audience.join(start_table().snapshot, None, ())
        took: asyncio.Queue[bytes] = asyncio.Queue()
        full = iter((False, True, False))

        def send_now(content: bytes) -> bool:
            if fits := not next(full):
                took.put_nowait(content)
            return fits

        scope = {"method": "GET", "extensions": {stream.SEND_NOW: {"send": lambda: send_now}}}
        frame = partial(table_messages.frame_of, mauer)
        serving = asyncio.create_task(
            streams.serve(told, always, scope, reader.receive, reader.send, tell, frame=frame)
        )
        await reader.has(2)
        told.put(batch(1))
        first = await took.get()
        for number in (2, 3):
            told.put(batch(number))
        await reader.has(4)
        told.put(batch(4))
        last = await took.get()
        reader.gone.set()
        await asyncio.wait_for(serving, TIMEOUT)
        await streams.close()
        return [first[:5], last[:5]], reader.numbers

    assert asyncio.run(scenario()) == ([b"id: 1", b"id: 4"], [2, 3])


def test_a_reader_who_takes_nothing_is_given_up() -> None:
    """The stream ends after a while, without a further byte."""

    async def scenario() -> int:
        audience, reader, streams = Audience(), Reader(), Streams(Counter(9, 9), 0.1)
        told = audience.join(start_table().snapshot, None, ())
        serving = asyncio.create_task(
            streams.serve(told, always, {"method": "GET"}, reader.receive, reader.send, tell)
        )
        await reader.has(2)
        reader.reads.clear()
        told.put(batch(1))
        await asyncio.wait_for(serving, TIMEOUT)
        await streams.close()
        return len(reader.got)

    assert asyncio.run(scenario()) == 2


def test_a_client_that_does_not_read_is_cut_off(
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The connection is closed at once, whatever waits to be sent, and the server works on."""
    settings = Settings(limits=Limits(requests=0, stalled_stream_seconds=1.0))

    def large(*_: object) -> bytes:
        return b":" * 2**24

    monkeypatch.setattr(table_messages, "frame_of", large)
    with serving(tmp_path_factory.mktemp("data"), settings) as site:
        ada = site.guest()
        table = ada.open(mine=[0, 1, 2])["table"]
        path = f"/api/tables/{table}/stream"
        with ada.client.stream("GET", path, params={"seat": "none"}):
            assert waits_for(lambda: len(site.app.streams) == 1)
            for seat in range(3):
                assert ada.move(table, "T", seat=seat).status_code == 200
            assert waits_for(lambda: len(site.app.streams) == 0)
            assert waits_for(lambda: site.log[-1]["route"].endswith("/stream"))
        assert "trace" not in site.log[-1]
    assert caplog.records == []


def test_a_silent_stream_shows_that_it_is_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    """A comment is sent, which no reader takes for an event."""
    monkeypatch.setattr(stream, "BEAT", 0.1)

    async def scenario() -> Message:
        audience, reader, streams = Audience(), Reader(), Streams(Counter(9, 9))
        told = audience.join(start_table().snapshot, None, ())
        serving = asyncio.create_task(
            streams.serve(told, always, {"method": "GET"}, reader.receive, reader.send, tell)
        )
        await reader.has(3)
        reader.gone.set()
        await asyncio.wait_for(serving, TIMEOUT)
        await streams.close()
        return reader.got[2]

    assert asyncio.run(scenario())["body"] == b":\n\n"


def test_viewers_who_see_the_same_share_the_bytes() -> None:
    """A batch is encoded once for viewers who see the same."""
    told = batch(1)

    assert table_messages.frame_of(mauer, told) is table_messages.frame_of(mauer, told)
