"""A proxy that the host named says who somebody is; a header from anybody else says nothing."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from tests.support.web_pages import look
from tests.support.web_server import Player, Running, serving

from mauerwerk.server.engine.blocklist import Blocked
from mauerwerk.server.features.moderation.store import block, rename
from mauerwerk.server.features.proxy_login.feature import ProxyLogin
from mauerwerk.server.http.settings import Limits, Settings, SettingsError


def settings(*networks: str, **more: Any) -> Settings:  # noqa: ANN401 - any setting
    """Settings that believe a proxy there."""
    login = ProxyLogin(networks=networks, sign_out="https://auth.example/logout", **more)
    return Settings(limits=Limits(requests=0), sections=(login,))


HERE = settings("127.0.0.0/8")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server behind a proxy on the same machine."""
    with serving(tmp_path_factory.mktemp("data"), HERE) as site:
        yield site


def through(site: Running, user: str, name: str = "", **headers: str) -> Player:
    """A browser whose requests come through the proxy."""
    said = {"remote-user": user, **({"remote-name": name} if name else {})}
    client = site.client(origin=site.address, sec_fetch_site="same-origin", **headers)
    client.headers.update({key.encode(): value.encode() for key, value in said.items()})
    return Player(client)


def me(player: Player) -> dict[str, Any]:
    """Who the server thinks that somebody is."""
    answer = player.get("/api/guests/me")
    return answer.json() if answer.status_code == 200 else {}


def test_a_user_is_a_guest_without_a_cookie(site: Running) -> None:
    """The name is taken over, and whoever comes again is the same guest."""
    ada = through(site, "ada@walls.example", "Ada Lövelace")
    known = me(ada)
    assert known["name"] == "Ada Lövelace"
    assert me(through(site, "ada@walls.example", "Countess"))["guest"] == known["guest"]
    assert me(through(site, "bob", "Ada Lövelace"))["guest"] != known["guest"]
    assert me(through(site, "eve@walls.example"))["name"] == "eve"
    assert "ada" not in known["guest"]
    assert "Ada Lövelace" not in site.anybody().get("/").text  # whose page others may share
    assert "Ada Lövelace" in ada.get("/").text
    assert "Ada Lövelace" not in site.anybody().get("/").text
    page = ada.get("/me")
    assert "set-cookie" not in page.headers
    assert "You are Ada Lövelace, as your sign-in says." in page.text
    assert 'href="https://auth.example/logout"' in page.text
    assert 'name="name"' not in look(ada, "/me").main


def test_a_user_plays(site: Running) -> None:
    """A table that they open is theirs on another device."""
    ada = through(site, "ada@walls.example", "Ada")
    table = ada.open(mine=[0, 1, 2])["table"]
    again = through(site, "ada@walls.example", "Ada").get(f"/api/tables/{table}", seat="0")
    assert again.status_code == 200
    assert table not in look(through(site, "bob"), "/me").main


def test_the_user_counts_and_not_an_older_cookie(site: Running) -> None:
    """Somebody else may have used the browser before."""
    cookie = site.browser("Bob").client.cookies["mauerwerk"]
    ada = through(site, "ada@walls.example", "Ada")
    ada.client.cookies.set("mauerwerk", cookie)
    assert me(ada)["name"] == "Ada"


def test_a_page_of_another_site_can_do_nothing(site: Running) -> None:
    """A browser sends its requests through the proxy, too, so the proxy names the user."""
    client = site.client(origin="https://evil.example", sec_fetch_site="cross-site")
    client.headers["remote-user"] = "ada@walls.example"
    assert client.post("/settings", data={"name": "Eve"}).status_code == 403
    assert client.post("/api/tables", json={}).status_code == 403


def test_hosts_rename_and_block(site: Running) -> None:
    """As any guest; the next visit does not undo it."""
    eve = through(site, "rude@walls.example", "Rude")
    guest = me(eve)["guest"]
    site.write(lambda it: rename(it, guest, "Mason"))
    assert me(eve)["name"] == "Mason"
    site.write(lambda it: block(it, Blocked.GUEST, guest, "", None))
    assert eve.get("/me").status_code == 403


def test_nobody_chooses_another_name_here(site: Running) -> None:
    """Neither for a table that they set up, nor at a seat that they were sent, nor for all."""
    eve = through(site, "eve@walls.example", "Eve")
    assert 'name="name"' not in look(eve, "/new/mauer").main
    made = eve.client.post("/new/mauer", data={"name": "Ada", "seat-1": "friend"})
    table = made.headers["location"].partition("/t/")[2]
    assert "Eve" in [each["name"] for each in eve.get(f"/api/tables/{table}").json()["seats"]]
    bob = through(site, "bob", "Bob")
    opened = bob.open("hhh", mine=[0])
    eve.client.get(opened["seats"][1]["link"].removeprefix(site.address))
    path = f"/t/{opened['table']}"
    assert 'name="name"' not in look(eve, path).main
    eve.client.post(f"{path}/claim", data={"seat": "1", "name": "Ada"})
    assert bob.get(f"/api/tables/{opened['table']}").json()["seats"][1]["name"] == "Eve"
    eve.client.post("/preferences", data={"name": "Ada"})
    assert me(eve)["name"] == "Eve"


def test_the_page_says_what_signing_out_does_here(site: Running) -> None:
    """Browsers come in as the proxy decides, and so do other devices."""
    shown = look(through(site, "ada@walls.example", "Ada"), "/me").main
    assert "Your sign-in decides which browsers may enter." in shown
    assert "Add a device" not in shown


def test_a_name_that_is_blocked_is_not_taken_over(site: Running) -> None:
    """A blocked name gives way to the user name, or if that is blocked too, to Guest."""
    site.write(lambda it: block(it, Blocked.NAME, "*vile*", "", None))
    assert me(through(site, "mo@walls.example", "So Vile"))["name"] == "mo"
    assert me(through(site, "vile@walls.example", "Vile"))["name"] == "Guest"


@pytest.mark.parametrize("user", ["", "eve, ada@walls.example", "x" * 301])
def test_what_is_not_a_user(site: Running, user: str) -> None:
    """A proxy that adds its header to one of the client names two users: neither counts."""
    assert me(through(site, user, "Ada")) == {}


def test_two_headers_are_not_a_user(site: Running) -> None:
    """The client's own comes first."""
    headers = [("remote-user", "ada@walls.example"), ("remote-user", "eve")]
    assert httpx.get(f"{site.address}/api/guests/me", headers=headers).status_code == 401


@pytest.mark.parametrize("networks", [(), ("10.0.0.0/8",), ("unix",), ("::1/128",)])
def test_a_header_from_elsewhere_says_nothing(
    tmp_path_factory: pytest.TempPathFactory, networks: tuple[str, ...]
) -> None:
    """By the address of the connection, whatever other headers say; by default it is off."""
    trusting = Settings(
        limits=Limits(requests=0), trust_proxy=True, sections=settings(*networks).sections
    )
    with serving(tmp_path_factory.mktemp("data"), trusting) as site:
        for said in ({}, {"x_forwarded_for": "10.0.0.1"}, {"x_real_ip": "10.0.0.1"}):
            eve = through(site, "ada@walls.example", "Ada", **said)
            assert me(eve) == {}
            assert "You are" not in eve.get("/").text
        bob = site.browser("Bob")  # who plays on with a cookie
        bob.client.headers["remote-user"] = "ada@walls.example"
        assert me(bob)["name"] == "Bob"


def test_ids_are_the_same_after_a_restart(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Also with another secret for cookies, and other headers."""
    folder = tmp_path_factory.mktemp("data")
    with serving(folder, HERE) as site:
        before = me(through(site, "ada", "Ada"))["guest"]
    with serving(folder, settings("127.0.0.1", user="X-authentik-username")) as site:
        ada = Player(site.client(x_authentik_username="ada"))
        assert me(ada)["guest"] == before
        assert me(through(site, "ada")) == {}
    with serving(tmp_path_factory.mktemp("another"), HERE) as site:
        assert me(through(site, "ada", "Ada"))["guest"] != before


def test_wrong_settings_are_refused(tmp_path_factory: pytest.TempPathFactory) -> None:
    """When the server starts."""
    with (
        pytest.raises(SettingsError, match=r"\[proxy_login\]: proxy is not a network"),
        serving(tmp_path_factory.mktemp("data"), settings("proxy")),
    ):
        pass
