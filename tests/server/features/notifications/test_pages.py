"""How people say that they want to be notified, and what an open page asks for."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec
import pytest
from tests.support.push_service import PushService
from tests.support.web_pages import look
from tests.support.web_server import Player, Running, serving

from mauerwerk.server.features.notifications.delivery import Mail, Push
from mauerwerk.server.features.notifications.service import Notifications
from mauerwerk.server.http.settings import Limits, Settings

SETTINGS = Settings(
    limits=Limits(requests=0),
    sections=(
        Push(on=True, contact="mailto:host@walls.example"),
        Mail(server="127.0.0.1", port=9, security="none", sender="w@walls.example"),
    ),
    address="http://walls.example",
    hosts=("127.0.0.1",),
)


@pytest.fixture(scope="module")
def notifying(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that may notify people."""
    with serving(tmp_path_factory.mktemp("data"), SETTINGS) as running:
        yield running


def save(player: Player, **fields: str) -> str:
    """Send the form; the section of the page afterwards."""
    said = {"pace": "now", "from": "22:00", "to": "07:30", "zone": "Europe/Rome", **fields}
    answer = player.client.post("/me/notifications", data=said, headers={"hx-request": "true"})
    assert answer.status_code == 200
    return answer.text


def test_a_server_that_may_not_call_offers_nothing(site: Running, tmp_path: Path) -> None:
    """Nothing leaves it unless its host has switched that on."""
    del tmp_path
    ada = site.browser("Ada")
    shown = look(ada, "/me").main
    assert "In the browser" in shown
    assert "Push to this device" not in shown
    assert "By e-mail" not in shown
    assert site.app.state.host.service(Notifications).deliver is None
    refused = ada.client.post(
        "/me/notifications/device", data={"endpoint": "https://push.example/1"}
    )
    assert refused.status_code == 403
    off = "The host of this server has not switched that on."
    assert off in refused.text
    sent = {"email": "1", "address": "ada@post.example"}
    refused = ada.client.post("/me/notifications", data=sent)
    assert refused.status_code == 403
    assert off in refused.text


def test_choices_are_kept(notifying: Running) -> None:
    """How often, when not, and in which zone; the address is asked for only once it is wanted."""
    ada = notifying.browser("Ada")
    shown = look(ada, "/me").main
    assert 'name="address"' not in shown.replace("\n", " ").split("<noscript>")[0]
    assert 'value="now" checked' in shown

    shown = save(ada, pace="daily", to="08:00", email="1", browser="1")
    assert 'type="email"' in shown
    shown = save(ada, pace="daily", to="08:00", email="1", address="ada@post", browser="1")
    assert "This is not an e-mail address." in shown
    assert 'value="ada@post"' in shown  # what was typed stays
    shown = save(ada, pace="daily", to="08:00", email="1", address="ada@post.example", browser="1")
    assert "We have sent you a link." in shown
    again = look(ada, "/me").main
    assert 'value="daily" checked' in again
    assert "<option selected>08:00</option>" in again
    assert 'name="browser" value="1" checked' in again
    assert "data-notifications" in ada.get("/me").text
    assert "We have sent you" not in save(ada, pace="daily")


def test_only_public_push_services_are_taken(notifying: Running) -> None:
    """And only keys of browsers."""
    ada = notifying.browser("Ada")
    device = PushService().device
    fields = {"key": device.key, "auth": device.auth}

    def add(endpoint: str, **more: str) -> int:
        data = {"endpoint": endpoint, **fields, **more}
        return ada.client.post("/me/notifications/device", data=data).status_code

    assert add("https://push.example/ada") == 200
    assert add("http://push.example/ada") == 422
    assert add("https://192.168.0.1/ada") == 422
    assert add("https://push.example/ada", key="AAAA") == 422
    assert add("https://push.example/ada", key=device.key + "!" * 9_000) == 422
    nobody = notifying.browser()
    sent = nobody.client.post(
        "/me/notifications/device", data={"endpoint": "https://push.example/1"}
    )
    assert sent.status_code == 401


def test_new_devices_are_limited(tmp_path: Path) -> None:
    """For each guest and client; a browser that tells its address again is not counted."""
    settings = msgspec.structs.replace(SETTINGS, limits=Limits(devices=4))
    device = PushService().device
    with serving(tmp_path, settings) as running:
        ada, bob = running.browser("Ada"), running.browser("Bob")

        def add(player: Player, name: str) -> int:
            endpoint = f"https://push.example/{name}"
            data = {"endpoint": endpoint, "key": device.key, "auth": device.auth}
            return player.client.post("/me/notifications/device", data=data).status_code

        assert [add(ada, name) for name in ("1", "2", "1", "2", "3", "1")] == [200] * 4 + [429, 200]
        assert add(bob, "4") == 429  # behind the same address


def test_games_that_wait(notifying: Running) -> None:
    """For the badge, in words, without anything of the game itself; for a guest alone."""
    ada, bob = notifying.browser("Ada"), notifying.browser("Bob")
    table = ada.open("hoo", mine=[0], seconds_per_move=86_400)["table"]
    for _ in range(2):
        bob.post(f"/api/tables/{table}/sit")
    said = ada.get("/notifications/waiting").json()
    assert said["count"] == 1
    assert said["turns"][0]["title"] == "Your turn in Die Mauer"
    assert said["turns"][0]["path"] == f"/t/{table}"
    assert "h left" in said["turns"][0]["banner"]
    assert notifying.browser("Cleo").get("/notifications/waiting").json()["count"] == 0
    nothing: dict[str, object] = {"count": 0, "notification": None, "turns": [], "quiet": False}
    assert notifying.browser().get("/notifications/waiting").json() == nothing
    assert ada.client.post(f"/t/{table}/looked", data={"seen": "1"}).status_code == 200

    page = ada.get(f"/t/{table}").text
    assert 'data-title="Your turn · Die Mauer"' in page
    assert "data-asked" in page


def test_a_page_knows_when_it_is_quiet(notifying: Running) -> None:
    """By the clock of the person; it then shows nothing, and says times by the same clock."""
    ada, bob = notifying.browser("Ada"), notifying.browser("Bob")
    for _ in range(2):
        table = ada.open("hoo", mine=[0], seconds_per_move=86_400)["table"]
        for _ in range(2):
            bob.post(f"/api/tables/{table}/sit")
    assert not ada.get("/notifications/waiting").json()["quiet"]
    now = datetime.now(ZoneInfo("Asia/Kolkata"))
    quiet = {"from": f"{now - timedelta(hours=1):%H:%M}", "to": f"{now + timedelta(hours=1):%H:%M}"}
    save(ada, zone="Asia/Kolkata", **quiet)
    said = ada.get("/notifications/waiting").json()
    assert said["quiet"]
    assert said["count"] == 2
    until = re.search(r"until \w+, (\d\d):(\d\d)", said["notification"]["body"])
    assert until
    due, begun = (
        60 * int(hour) + int(minute) for hour, minute in (until.groups(), (now.hour, now.minute))
    )
    assert (begun - due) % 1_440 < 10  # a day later, at about the same time


def test_an_address_is_typed_again_after_logging_out_everywhere(notifying: Running) -> None:
    """The page says so, to those who had given one."""
    ada = notifying.browser("Ada")
    for address, said in (("ada@post.example", True), ("", False)):
        if address:
            assert address in save(ada, email="1", address=address)
        done = ada.client.post("/me/log-out", data={"from": "page"}, follow_redirects=True)
        assert ("enter your address again" in done.text) is said
        assert "ada@post.example" not in done.text


def test_what_is_stored_is_taken_along(notifying: Running) -> None:
    """Without the secrets in links, and not after it was deleted."""
    ada = notifying.browser("Ada")
    save(ada, email="1", address="ada@post.example")
    data = ada.get("/api/guests/me/data").content
    assert b"data.json" in data
    ada.client.post("/data/forget", data={"sure": "1", "name": "Ada"})
