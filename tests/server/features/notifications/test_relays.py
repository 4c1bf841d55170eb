"""People are notified at addresses of their own: by ntfy, or by a webhook that is signed."""

import asyncio
import hmac
import io
import json
import zipfile
from base64 import b64decode, b64encode
from collections.abc import AsyncGenerator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from tests.support.driven_table import ADA
from tests.support.hosts import folder, opened
from tests.support.notifications import ALWAYS, Clock, notify, states, table_of_two
from tests.support.web_pages import look
from tests.support.web_server import Player, Running, serving

from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.alerts.service import Alerts, Watch
from mauerwerk.server.features.moderation.store import log_out
from mauerwerk.server.features.notifications.delivery import Delivery
from mauerwerk.server.features.notifications.relays import (
    NTFY,
    RELAYS,
    WEBHOOK,
    Ntfy,
    Relay,
    Relays,
    Webhooks,
    relays_of,
    store_relay,
)
from mauerwerk.server.features.notifications.store import store_preferences
from mauerwerk.server.http.outgoing import OutgoingError
from mauerwerk.server.http.settings import Limits, Settings, SettingsError

__all__ = ["folder"]  # pytest finds a fixture by its name

HOME = "https://walls.example"
HERE = ("127.0.0.0/8",)


@pytest.fixture
def anyio_backend() -> str:
    """Tests that are coroutines run on asyncio."""
    return "asyncio"


class Service:
    """Takes requests, and answers with a status."""

    def __init__(self) -> None:
        """Nothing has come yet."""
        self.status = 200
        self.port = 0
        self.heads: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.bodies: list[bytes] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take one request."""
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        head = {name.lower(): value for name, _, value in (each.partition(": ") for each in lines)}
        self.paths.append(first.split()[1])
        self.heads.append(head)
        self.bodies.append(await reader.readexactly(int(head["content-length"])))
        writer.write(f"HTTP/1.1 {self.status} Said\r\ncontent-length: 0\r\n\r\n".encode())
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    @property
    def address(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def said(self) -> dict[str, Any]:
        """What came last."""
        found: dict[str, Any] = json.loads(self.bodies[-1])
        return found


@asynccontextmanager
async def service() -> AsyncGenerator[Service, None]:
    """Such a service that is up."""
    found = Service()
    server = await asyncio.start_server(found.serve, "127.0.0.1", 0)
    found.port = server.sockets[0].getsockname()[1]
    async with server:
        yield found


@asynccontextmanager
async def house(
    folder: str, clock: Clock, ntfy: Ntfy | None = None, webhooks: Webhooks | None = None
) -> AsyncGenerator[Host, None]:
    """A house that sends to addresses on this machine, when the test says so."""
    sections = (
        ntfy or Ntfy(on=True, networks=HERE),
        webhooks or Webhooks(on=True, networks=HERE),
    )
    async with opened(folder, Settings(address=HOME, sections=sections), clock=clock) as host:
        yield host


async def be_reached(host: Host, kind: str, address: str, token: str = "") -> Relay:
    """Ada gives an address of her own."""
    await store_preferences(host.store, ALWAYS, host.now())
    relay = host.service(Delivery).relays.made(ADA.id, kind, address, token, host.now())
    await store_relay(host.store, relay)
    return relay


@pytest.mark.anyio
async def test_a_webhook_is_told_once_and_signed(folder: str, clock: Clock) -> None:
    """As Standard Webhooks says; the link is not the secret one of the seat."""
    async with service() as there, house(folder, clock) as host:
        relay = await be_reached(host, WEBHOOK, f"{there.address}/hook?a=b")
        table = await table_of_two(host)
        clock.pass_by(11)
        for _ in range(3):
            await notify(host)
        assert there.paths == ["/hook?a=b"]
        assert there.said == {
            "type": "turn",
            "title": "Your turn in Die Mauer",
            "body": "With Bob and Bob 2.",
            "link": f"{HOME}/t/{table}",
            "count": 1,
            "tables": [table],
            "stop": f"{HOME}/notifications/stop/{relay.stop}",
        }
        head = there.heads[0]
        key = b64decode(relay.secret.removeprefix("whsec_"))
        signed = f"{head['webhook-id']}.{head['webhook-timestamp']}.".encode() + there.bodies[0]
        signature = b64encode(hmac.digest(key, signed, "sha256")).decode()
        assert head["webhook-signature"] == f"v1,{signature}"
        assert head["webhook-timestamp"] == str(int(clock.now))
        assert await states(host) == {"sent": 1}


@pytest.mark.anyio
async def test_ntfy_gets_a_message_in_its_own_form(folder: str, clock: Clock) -> None:
    """With an access token, if there is one."""
    async with service() as there, house(folder, clock) as host:
        relay = await be_reached(host, NTFY, f"{there.address}/below/walls-of-ada", "tk_secret")
        table = await table_of_two(host)
        clock.pass_by(11)
        await notify(host)
        assert there.paths == ["/below/"]
        assert there.heads[0]["authorization"] == "Bearer tk_secret"
        assert there.said["topic"] == "walls-of-ada"
        assert there.said["title"] == "Your turn in Die Mauer"
        assert there.said["click"] == f"{HOME}/t/{table}"
        assert there.said["actions"][1]["url"] == f"{HOME}/notifications/stop/{relay.stop}"


@pytest.mark.anyio
async def test_a_topic_at_the_server_of_the_host(folder: str, clock: Clock) -> None:
    """It may be anywhere, since the host says where; what people write is only the topic."""
    async with AsyncExitStack() as stack:
        there = await stack.enter_async_context(service())
        ours = Ntfy(on=True, server=there.address)
        host = await stack.enter_async_context(house(folder, clock, ntfy=ours))
        await be_reached(host, NTFY, "walls")
        await table_of_two(host)
        clock.pass_by(11)
        await notify(host)
        assert there.said["topic"] == "walls"
        with pytest.raises(OutgoingError):
            host.service(Delivery).relays.made(ADA.id, NTFY, f"{there.address}/walls", "", 1)


@pytest.mark.anyio
async def test_a_network_that_the_host_did_not_name_is_not_reached(
    folder: str, clock: Clock
) -> None:
    """Not by a name that leads there, nor where an address is from when it was allowed."""
    elsewhere = Webhooks(on=True, networks=("10.0.0.0/8",))
    before = Relays(Ntfy(), Webhooks(on=True, networks=("127.0.0.0/8",)), HOME)
    async with service() as there, house(folder, clock, webhooks=elsewhere) as host:
        for name in ("127.0.0.1", "localhost"):
            address = f"http://{name}:{there.port}/hook"
            await store_preferences(host.store, ALWAYS, host.now())
            await store_relay(host.store, before.made(ADA.id, WEBHOOK, address, "", host.now()))
            await table_of_two(host)
            clock.pass_by(11)
            await notify(host)
        assert there.paths == []
        assert await states(host) == {"failed": 2}


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("status", "left", "state"), [(410, 0, "failed"), (404, 1, "failed"), (503, 1, "waiting")]
)
async def test_what_a_webhook_answers(
    folder: str, clock: Clock, status: int, left: int, state: str
) -> None:
    """With 410 it unsubscribes; where it is busy, it is told again."""
    async with service() as there, house(folder, clock) as host:
        there.status = status
        await be_reached(host, WEBHOOK, f"{there.address}/hook")
        await table_of_two(host)
        clock.pass_by(11)
        await notify(host)
        assert len(await relays_of(host.store, ADA.id)) == left
        assert await states(host) == {state: 1}


@pytest.mark.anyio
async def test_nobody_alarms_the_hosts_by_a_webhook_of_their_own(folder: str, clock: Clock) -> None:
    """That refuses every message; the hosts are warned of what their server cannot send."""
    async with service() as there, service() as hosts, house(folder, clock) as host:
        there.status = 404
        await be_reached(host, WEBHOOK, f"{there.address}/hook")
        alarm = f"{hosts.address}/hosts"
        watch = Watch(host, Settings(sections=(Alerts(failed_notifications=1, ntfy=alarm),)))
        await table_of_two(host)
        clock.pass_by(11)
        await notify(host)
        assert await states(host) == {"failed": 1}
        await watch.look()
        assert [each.kind for each in watch.found({"failed": 1})] == ["notifications"]
        assert hosts.paths == []


@pytest.mark.anyio
async def test_who_is_logged_out_everywhere_is_not_reached(folder: str, clock: Clock) -> None:
    """Somebody else may have given the address."""
    async with house(folder, clock) as host:
        await be_reached(host, WEBHOOK, "https://hook.example/ada")
        await log_out(host.store, ADA.id)
        kept = sa.select(sa.func.count()).select_from(RELAYS)
        assert await host.store.read(lambda it: it.scalar(kept)) == 0


@pytest.mark.parametrize(
    "address",
    [
        "",
        "walls",
        "http://hook.example/a",
        "https://hook.example:8443/a",
        "https://localhost/a",
        "https://127.1/a",
        "https://10.0.0.1/a",
        "https://ada:word@hook.example/a",
        "ftp://hook.example/a",
        "https://hook.example/ä",
    ],
)
@pytest.mark.parametrize("kind", [NTFY, WEBHOOK])
def test_addresses_that_are_refused(kind: str, address: str) -> None:
    """They are refused when somebody gives them."""
    relays = Relays(Ntfy(on=True), Webhooks(on=True), HOME)
    assert relays.made("ada", kind, "https://hook.example/a", "", 1).service == "hook.example:443"
    with pytest.raises(OutgoingError):
        relays.made("ada", kind, address, "", 1)


@pytest.mark.parametrize(
    ("address", "fine"),
    [
        ("http://192.168.0.7:81/a", True),
        ("http://[::ffff:192.168.0.7]/a", True),
        ("https://9.9.9.9/a", True),
        ("http://9.9.9.9/a", False),
        ("https://10.0.0.1/a", False),
        ("http://127.0.0.1:8080/admin", False),
        ("http://printer/a", True),  # where a name leads is seen when it is used
    ],
)
def test_numbers_outside_the_networks_of_the_host_are_refused(address: str, *, fine: bool) -> None:
    """At once, and not as if the service had refused the message."""
    relays = Relays(Ntfy(on=True), Webhooks(on=True, networks=("192.168.0.0/16",)), HOME)
    if fine:
        assert relays.made("ada", WEBHOOK, address, "", 1).address == address
    else:
        with pytest.raises(OutgoingError, match="not in a public network"):
            relays.made("ada", WEBHOOK, address, "", 1)


def test_settings_that_are_wrong(tmp_path_factory: pytest.TempPathFactory) -> None:
    """They are reported when the server starts."""
    with pytest.raises(SettingsError, match=r"\[webhooks\]: x is not a network"):
        Relays(Ntfy(), Webhooks(on=True, networks=("x",)), HOME)
    with (
        pytest.raises(SettingsError, match="need --address"),
        serving(tmp_path_factory.mktemp("data"), Settings(sections=(Webhooks(on=True),))),
    ):
        pass


# --- On the page -----------------------------------------------------------------------------


OFFERED = Settings(
    limits=Limits(requests=0),
    address="http://walls.example",
    hosts=("127.0.0.1",),
    sections=(Ntfy(on=True, server="https://ntfy.example"), Webhooks(on=True)),
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that offers both."""
    with serving(tmp_path_factory.mktemp("data"), OFFERED) as running:
        yield running


def save(player: Player, **fields: str) -> httpx.Response:
    """Send the form; the section of the page afterwards."""
    return player.client.post(
        "/me/notifications/address", data=fields, headers={"hx-request": "true"}
    )


def test_an_address_is_given_and_taken_back(site: Running) -> None:
    """The page shows the secret of a webhook to its owner, and where nothing can be sent, why."""
    ada = site.browser("Ada")
    shown = look(ada, "/me").main
    assert "By ntfy" in shown
    assert "Topic at ntfy.example" in shown
    assert "Send a test" not in shown
    refused = save(ada, kind="webhook", address="https://localhost/x").text
    assert "The service is not in a public network." in refused
    assert 'value="https://localhost/x"' in refused
    saved = save(ada, kind="webhook", address="https://hook.example/ada").text
    assert "Send a test" in saved
    assert "whsec_" in saved
    assert "whsec_" in look(ada, "/me").main
    changed = look(ada, "/me").main.replace("<span>", "").replace("</span>", "")
    assert "Address for notifications changed (webhook)" in changed
    assert 'value="walls-of-ada"' in save(ada, kind="ntfy", address="walls-of-ada").text
    assert "hook.example" not in look(site.browser("Bob"), "/me").main
    with zipfile.ZipFile(io.BytesIO(ada.get("/data/all.zip").content)) as own:
        taken = "".join(own.read(name).decode() for name in own.namelist())
    assert "https://hook.example/ada" in taken
    assert "whsec_" not in taken
    assert "whsec_" not in save(ada, kind="webhook", address="").text


def test_a_test_says_how_it_went(site: Running) -> None:
    """There is no such service, so nobody answers."""
    ada = site.browser("Ada")
    sent = ada.client.post("/me/notifications/test", data={"kind": "webhook"})
    assert sent.status_code == 422
    save(ada, kind="webhook", address="https://hook.example/ada")
    answer = ada.client.post("/me/notifications/test", data={"kind": "webhook"})
    assert "Nobody answered there." in answer.text


def test_a_link_ends_it(site: Running) -> None:
    """For whoever reads the messages, without a name here."""
    ada = site.browser("Ada")
    save(ada, kind="ntfy", address="walls-to-stop")
    stops: list[str] = []
    wanted = sa.select(RELAYS.c.stop).where(RELAYS.c.address == "walls-to-stop")
    site.write(lambda it: stops.extend(it.connection.scalars(wanted)))
    nobody = site.browser()
    link = f"/notifications/stop/{stops[0]}"
    assert "No more notifications here?" in nobody.get(link).text
    assert "There are no more notifications here." in nobody.client.post(link).text
    assert "walls-to-stop" not in look(ada, "/me").main
    assert nobody.get(link).status_code == 404


def test_it_is_offered_only_where_it_is_on(tmp_path_factory: pytest.TempPathFactory) -> None:
    """And nothing is taken elsewhere."""
    settings = Settings(limits=Limits(requests=0))
    with serving(tmp_path_factory.mktemp("data"), settings) as running:
        ada = running.browser("Ada")
        assert "webhook" not in look(ada, "/me").main
        refused = save(ada, kind="webhook", address="https://hook.example/")
        assert refused.status_code == 403
        assert "The host of this server has not switched that on" in refused.text


def test_new_addresses_are_limited(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Like devices; the same address again is not counted."""
    settings = Settings(
        limits=Limits(devices=4),
        address="http://walls.example",
        hosts=("127.0.0.1",),
        sections=(Webhooks(on=True),),
    )
    with serving(tmp_path_factory.mktemp("data"), settings) as running:
        ada = running.browser("Ada")
        answers = [
            save(ada, kind="webhook", address=f"https://hook.example/{each}").status_code
            for each in "11122233"
        ]
        assert answers == [200] * 6 + [429] * 2
