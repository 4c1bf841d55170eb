"""Messages leave the server by Web Push and by e-mail, and say nothing that is a secret."""

import asyncio
import re
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

import httpx
import msgspec
import pytest
from aiosmtpd.smtp import SMTP  # pyright: ignore[reportMissingTypeStubs]
from tests.support.driven_table import ADA, GUESTS
from tests.support.hosts import PATIENCE, folder, opened, play, set_up, until
from tests.support.notifications import ALWAYS, BY_MAIL, Clock, notify, wants_notifications
from tests.support.push_service import push_service

from mauerwerk.core.game import Seat
from mauerwerk.server.app import App
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.notifications.addresses import AddressError
from mauerwerk.server.features.notifications.delivery import Links, Mail, Push, compose_mail
from mauerwerk.server.features.notifications.service import Notifications
from mauerwerk.server.features.notifications.store import (
    OutboxItem,
    count_items,
    devices_of,
    preferences_of,
)
from mauerwerk.server.http import outgoing
from mauerwerk.server.http.outgoing import (
    LONGEST,
    OutgoingError,
    Reach,
    address_of,
    checked_url,
    is_public,
)
from mauerwerk.server.http.settings import Limits, Settings, SettingsError

__all__ = ["folder"]  # pytest finds a fixture by its name

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    """Tests that are coroutines run on asyncio."""
    return "asyncio"


BOB = GUESTS[Seat(1)]
ADDRESS = "http://walls.example/w"
PUSHES = Settings(
    limits=Limits(requests=0),
    sections=(Push(on=True, contact="mailto:host@walls.example", private=True),),
    log=False,
)


@asynccontextmanager
async def serving(
    folder: str, settings: Settings, clock: Clock
) -> AsyncGenerator[tuple[Host, App], None]:
    """A house with its app, which looks for people to notify when the test says so."""
    async with opened(folder, clock=clock) as host:
        yield host, App(host, settings)


async def table_with_bob(host: Host, **more: Any) -> str:  # noqa: ANN401 - as `set_up`
    table = await set_up(host, ADA, "hoo", mine=(Seat(0),), **more)
    for seat in (1, 2):
        await host.sit(table, Seat(seat), BOB)
    return table


async def states(host: Host) -> dict[str, int]:
    return await count_items(host.store, 0)


async def test_a_push_reaches_the_browser(folder: str) -> None:
    """Encrypted and signed; it names the game, who plays and the time left."""
    clock = Clock()
    async with push_service() as service, serving(folder, PUSHES, clock) as (host, _):
        await wants_notifications(host, ALWAYS, service.device)
        table = await table_with_bob(host, seconds_per_move=3 * 86_400)
        clock.pass_by(11)
        await notify(host)

        said = service.read()
        assert said["title"] == "Your turn in Die Mauer"
        assert said["body"] == "With Bob and Bob 2. 2 days left."
        assert (said["tag"], said["path"], said["count"]) == (table, f"/t/{table}", 1)
        assert service.heads[0]["topic"] == table
        assert b"Die Mauer" not in service.bodies[0]
        assert await states(host) == {"sent": 1}
        assert host.service(Notifications).done == {"push sent": 1}

        await table_with_bob(host)
        clock.pass_by(11)
        await notify(host)
        assert service.read()["title"] == "2 games wait for you"
        assert service.read()["tag"] == "games"


@pytest.mark.parametrize(
    ("status", "left", "state"),
    [
        (410, 0, "failed"),
        (404, 0, "failed"),
        (503, 1, "waiting"),
        (429, 1, "waiting"),
        (400, 1, "failed"),
    ],
)
async def test_what_a_push_service_answers(folder: str, status: int, left: int, state: str) -> None:
    """A browser that is gone is dropped; a service that is busy is asked again."""
    clock = Clock()
    async with push_service() as service, serving(folder, PUSHES, clock) as (host, _):
        service.status = status
        await wants_notifications(host, ALWAYS, service.device)
        await table_with_bob(host)
        clock.pass_by(11)
        await notify(host)
        assert len(await devices_of(host.store, ADA.id)) == left
        assert await states(host) == {state: 1}


async def test_a_slow_push_service_disturbs_nobody(folder: str) -> None:
    """People play on while it says nothing, and nobody sends the same again meanwhile."""
    clock = Clock()
    async with push_service() as service, serving(folder, PUSHES, clock) as (host, _):
        service.answers.clear()
        await wants_notifications(host, ALWAYS, service.device)
        table = await table_with_bob(host)
        clock.pass_by(11)
        await host.service(Notifications).look()
        await until(lambda: _true_once(service.bodies))
        await play(host, table, "0:- 1:-")
        await host.service(Notifications).look()
        assert await states(host) == {"sending": 1}
        service.answers.set()
        await host.service(Notifications).finish()
        assert await states(host) == {"sent": 1}
        assert len(service.bodies) == 1


async def hung_up(writer: asyncio.StreamWriter) -> None:
    """Close a connection, to its end."""
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


async def _true_once(came: list[bytes]) -> bool:
    return bool(came)


async def test_a_push_service_that_never_answers_is_given_up_for_now(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outgoing, "SECONDS", 0.05)
    clock = Clock()
    async with push_service() as service, serving(folder, PUSHES, clock) as (host, _):
        service.answers.clear()
        await wants_notifications(host, ALWAYS, service.device)
        await table_with_bob(host)
        clock.pass_by(11)
        await notify(host)
        assert await states(host) == {"waiting": 1}
        service.answers.set()


async def test_a_push_service_that_drips_is_given_up_too(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says a byte now and then, and would hold up all notifications, and the server's end."""
    monkeypatch.setattr(outgoing, "SECONDS", 0.2)
    dripping, given_up = asyncio.Event(), asyncio.Event()

    async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        dripping.set()
        writer.write(b"HTTP/1.1 201 Said\r\n")
        with suppress(ConnectionError):
            while True:
                writer.write(b"x: y\r\n")
                await writer.drain()
                await asyncio.sleep(0.02)
        await hung_up(writer)
        given_up.set()

    clock = Clock()
    service = await asyncio.start_server(drip, "127.0.0.1", 0)
    async with service, push_service() as browser, serving(folder, PUSHES, clock) as (host, _):
        port = service.sockets[0].getsockname()[1]
        device = msgspec.structs.replace(browser.device, endpoint=f"http://127.0.0.1:{port}/drip")
        await wants_notifications(host, ALWAYS, device)
        await table_with_bob(host)
        clock.pass_by(11)
        async with asyncio.timeout(PATIENCE):
            await notify(host)
        assert dripping.is_set()
        await given_up.wait()
        assert await states(host) == {"waiting": 1}


async def test_a_mail_server_that_says_nothing_disturbs_nobody(folder: str) -> None:
    """The database is asked by other threads than those that wait for it."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    connected, silent, over = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        del reader
        connected.set()
        await silent.wait()
        await hung_up(writer)
        over.set()

    server = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    mail = Mail(
        server="127.0.0.1",
        port=server.sockets[0].getsockname()[1],
        security="none",
        sender="Walls <w@walls.example>",
    )
    settings = Settings(address=ADDRESS, limits=Limits(requests=0), sections=(mail,), log=False)
    async with server, serving(folder, settings, Clock()) as (host, _):
        await wants_notifications(host, BY_MAIL, mail="yes")
        await host.service(Notifications).look()
        await connected.wait()
        try:
            async with asyncio.timeout(PATIENCE):
                assert await states(host) == {"sending": 1}
        finally:
            silent.set()
            await over.wait()
        await host.service(Notifications).finish()
        assert await states(host) == {"waiting": 1}


@pytest.mark.parametrize(
    "number",
    [
        "0.0.0.0",  # noqa: S104 - nobody listens there
        "100.64.0.1",
        "::",
        "::ffff:192.168.0.1",
        "::127.0.0.1",
        "64:ff9b::a00:1",
        "64:ff9b:1::a00:1",
        "2002:7f00:1::",
        "fec0::1",
        "fe80::1%eth0",
        "ff02::1",
    ],
)
def test_numbers_that_lead_into_a_private_network(number: str) -> None:
    """Also by way of a translation from IPv6."""
    assert not is_public(number)
    assert is_public("2606:4700::1111")


@pytest.mark.parametrize(
    "url",
    [
        "http://push.example/1",
        "https://10.0.0.1/1",
        "https://[::1]/1",
        "https://169.254.169.254/latest",
        "https://push.example:8443/1",
        "https://ada@push.example/1",
        "file:///etc/passwd",
        "https:///1",
        "https://[64:ff9b::a00:1]/1",
        "https://[fec0::1]/1",
        "https://localhost/1",
        "https://LocalHost./1",
        "https://walls.localhost/1",
        "https://127.1/1",
        "https://2130706433/1",
        "https://0x7f.0.0.1/1",
        "https://0177.0.0.1/1",
        "https://10.1/1",
        "https://router/1",
        "https://nas.local/1",
        "https://metadata.google.internal/1",
        "https://./1",
        "https://push.example/" + "x" * 1_000,
    ],
)
def test_addresses_that_are_no_push_services(url: str) -> None:
    with pytest.raises(OutgoingError):
        checked_url(url)


def test_an_address_may_be_as_long_as_the_limit() -> None:
    """And no longer."""
    address = f"https://push.example/{'x' * (LONGEST - len('https://push.example/'))}"
    assert checked_url(address).hostname == "push.example"
    with pytest.raises(OutgoingError):
        checked_url(f"{address}x")


async def test_a_name_that_leads_into_a_private_network() -> None:
    """It is looked up before each message, and what was looked up is what is connected to."""
    with pytest.raises(OutgoingError):
        await address_of(checked_url("https://localhost/1", Reach(anywhere=True)))


def test_a_server_says_what_is_missing(folder: str) -> None:
    host = Host(None)  # type: ignore[arg-type] # nothing is stored here
    del folder
    for settings in (
        Settings(sections=(Push(on=True),)),
        Settings(sections=(Mail(server="mail.example", sender="a@b.example"),)),
    ):
        with pytest.raises(SettingsError):
            App(host, settings)


# --- E-mail ----------------------------------------------------------------------------------


class Inbox:
    """Takes e-mail."""

    def __init__(self) -> None:
        """Nothing has come yet."""
        self.reply = "250 OK"
        self.came: list[EmailMessage] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: ANN401, N802 - as aiosmtpd calls it
        """Take one, or do not."""
        del server, session
        if self.reply.startswith("250"):
            letter = message_from_bytes(envelope.content, policy=default)
            assert isinstance(letter, EmailMessage)
            self.came.append(letter)
        return self.reply


@pytest.fixture
async def mail_server() -> AsyncGenerator[tuple[Inbox, Settings], None]:
    """A mail server, and the settings of one that sends by it."""
    inbox = Inbox()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(inbox, loop=loop), "127.0.0.1", 0)
    mail = Mail(
        server="127.0.0.1",
        port=server.sockets[0].getsockname()[1],
        security="none",
        sender="Walls <w@walls.example>",
    )
    async with server:
        yield (
            inbox,
            Settings(address=ADDRESS, limits=Limits(requests=0), sections=(mail,), log=False),
        )


def link_in(letter: EmailMessage, path: str) -> str:
    """The link that leads there, without the address of the server."""
    text = letter.get_body(("plain",))
    assert text is not None
    found = re.search(rf"{ADDRESS}({path}\S*)", text.get_content())
    assert found
    return found[1]


async def test_an_e_mail_is_confirmed_comes_and_stops(
    folder: str, mail_server: tuple[Inbox, Settings]
) -> None:
    """The address is confirmed by a link, and one click ends it, without a name (RFC 8058)."""
    inbox, settings = mail_server
    clock = Clock()
    async with serving(folder, settings, clock) as (host, app):
        transport = httpx.ASGITransport(app=app, client=("192.0.2.7", 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://walls.example") as web:
            wanted = msgspec.structs.replace(BY_MAIL, zone="Europe/Rome")
            await wants_notifications(host, wanted, mail="yes")
            table = await table_with_bob(host, seconds_per_move=86_400)
            clock.pass_by(11)
            await notify(host)
            (asked,) = inbox.came
            assert "Confirm" in asked["subject"]
            link = link_in(asked, "/notifications/confirm/")
            assert "Confirm your e-mail address" in (await web.get(link)).text
            await notify(host)
            assert len(inbox.came) == 1, "a program that only follows links confirms nothing"
            assert "Your address is confirmed." in (await web.post(link)).text
            assert "Your address is confirmed." in (await web.get(link)).text
            await notify(host)
            await notify(host)
            letter = inbox.came[-1]
            assert len(inbox.came) == 2
            assert await states(host) == {"sent": 2}
            assert letter["subject"] == "Your turn in Die Mauer, 23 h left"
            text, html = (letter.get_body((kind,)) for kind in ("plain", "html"))
            assert text is not None
            assert html is not None
            for body in (text.get_content(), html.get_content()):
                assert "Ada, it is your turn" in body
                assert "You have until Tuesday, 13:00" in body
            link = link_in(letter, f"/t/{table}/s/0/")
            opened = await web.get(link, headers={"sec-fetch-site": "none"})
            assert opened.status_code in {200, 303}

            stop = letter["list-unsubscribe"].strip("<>").removeprefix(ADDRESS)
            assert letter["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
            assert "No more e-mail?" in (await web.get(stop)).text
            kept = await preferences_of(host.store, ADA.id)
            assert kept
            assert kept.address
            done = await web.post(stop, files={"List-Unsubscribe": (None, "One-Click")})
            assert "You get no more e-mail." in done.text
            kept = await preferences_of(host.store, ADA.id)
            assert kept
            assert kept.address == ""
            wrong = await web.post("/notifications/stop/nothing")
            assert wrong.status_code == 404
            assert "This link no longer works." in wrong.text


async def test_somebody_who_was_not_asked_blocks_their_address(
    folder: str, mail_server: tuple[Inbox, Settings]
) -> None:
    """By the link in the letter, or by one click of the mail program; what it says is true."""
    inbox, settings = mail_server
    async with serving(folder, settings, Clock()) as (host, app):
        transport = httpx.ASGITransport(app=app, client=("192.0.2.7", 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://walls.example") as web:
            await wants_notifications(host, BY_MAIL, mail="yes")
            await notify(host)
            (asked,) = inbox.came
            text = asked.get_body(("plain",))
            assert text is not None
            assert "not write again" not in text.get_content()
            link = link_in(asked, "/notifications/not-me/")
            assert asked["list-unsubscribe"] == f"<{ADDRESS}{link}>"
            assert asked["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
            assert "Block your e-mail address?" in (await web.get(link)).text
            kept = await preferences_of(host.store, ADA.id)
            assert kept
            assert kept.address, "a program that only follows links blocks nothing"
            done = await web.post(link, files={"List-Unsubscribe": (None, "One-Click")})
            assert "Your address is blocked." in done.text
            assert "Your address is blocked." in (await web.get(link)).text
            await wants_notifications_refused(host)
            allow = link.replace("/not-me/", "/allow/")
            assert f'{allow}">' in done.text
            ours = {"sec-fetch-site": "same-origin"}
            again = await web.post(allow, data={"from": "page"}, headers=ours)
            assert "no longer blocked" in again.text
            await wants_notifications(host, BY_MAIL, mail="yes")
            await notify(host)
            assert len(inbox.came) == 2


async def wants_notifications_refused(host: Host) -> None:
    """Nobody can have e-mail sent there."""
    with pytest.raises(AddressError):
        await wants_notifications(host, BY_MAIL, mail="yes")


@pytest.mark.parametrize(("reply", "state"), [("451 Later", "waiting"), ("554 Never", "failed")])
async def test_what_a_mail_server_answers(
    folder: str, mail_server: tuple[Inbox, Settings], reply: str, state: str
) -> None:
    inbox, settings = mail_server
    inbox.reply = reply
    clock = Clock()
    async with serving(folder, settings, clock) as (host, _):
        await wants_notifications(host, BY_MAIL, mail="yes")
        await notify(host)
        assert await states(host) == {state: 1}


async def test_an_e_mail_that_comes_twice_has_one_id(folder: str) -> None:
    """By which mail programs know that it is the same."""
    del folder
    links = Links(home=ADDRESS, play=(), settings="", stop="", confirm="", block="")
    mail = Mail(server="x", sender="w@walls.example")
    ids = {
        compose_mail(OutboxItem("m", "confirm", attempt, BY_MAIL, None, (), ()), links, mail, 0)[
            "message-id"
        ]
        for attempt in (1, 2)
    }
    assert len(ids) == 1
    assert ids.pop().endswith("@walls.example>")
