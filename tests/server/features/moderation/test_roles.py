"""Each host has a token of their own and a role, and the audit log names them."""

from collections.abc import Iterator

import httpx
import pytest
from tests.server.features.moderation.test_api import asked, done
from tests.support.web_pages import look
from tests.support.web_server import Player, Running, serving

from mauerwerk.server.features.moderation.actions import ACTIONS
from mauerwerk.server.http.settings import Admin, Limits, Role, Settings

ADMINS = (
    Admin("a token of an owner", "olga", Role.OWNER),
    Admin("a token of a moderator", "mo", Role.MODERATOR),
    Admin("a token of a viewer", "vera", Role.VIEWER),
)
OLGA, MO, VERA = ADMINS
SETTINGS = Settings(limits=Limits(requests=0), admins=ADMINS)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that three people manage."""
    with serving(tmp_path_factory.mktemp("data"), SETTINGS) as site:
        yield site


def client(site: Running, admin: Admin) -> httpx.Client:
    return site.client(authorization=f"Bearer {admin.token}")


def signed_in(site: Running, admin: Admin) -> Player:
    player = site.browser()
    assert player.client.post("/admin/sign-in", data={"token": admin.token}).status_code == 303
    return player


@pytest.mark.parametrize("admin", ADMINS, ids=lambda each: each.name)
def test_a_role_allows_what_its_actions_say(site: Running, admin: Admin) -> None:
    """Everybody may look; what changes something needs the role that it declares."""
    asks = client(site, admin)
    assert asks.get("/api/admin/tables").status_code == 200
    page = signed_in(site, admin)
    for name, action in ACTIONS.items():
        path = action.PATH.format(table="t", guest="g", report="r")
        refused = asks.post(path, json={**action.EXAMPLE, "unknown": 1}).status_code
        on_page = page.client.post("/admin/do", data={"do": name, "back": "/admin"}).status_code
        if admin.role.may(action.ROLE):
            assert refused == 422
            assert on_page in {303, 422}
        else:
            assert asks.post(path, json=dict(action.EXAMPLE)).status_code == 403
            assert on_page == 403
    if admin is not OLGA:
        assert page.client.post("/admin/do", data={"do": "back-up"}).status_code == 403


def test_the_page_offers_what_the_role_allows(site: Running) -> None:
    site.guest("Ada").open(mine=[0, 1, 2])
    shown = {each.name: look(signed_in(site, each), "/admin").main for each in ADMINS}
    for name, olga, mo, vera in (
        ("ask=end&", 1, 1, 0),
        ("ask=block&", 1, 1, 0),
        ("ask=block-network", 1, 1, 0),
        ("ask=block-name", 1, 1, 0),
        (">Block a name<", 1, 1, 0),
        ("ask=rotate-secret", 1, 0, 0),
        ('value="close"', 1, 1, 1),
        (">Close<", 1, 0, 0),
    ):
        found = [name.replace("&", "&amp;") in shown[each] for each in ("olga", "mo", "vera")]
        assert found == [olga, mo, vera], name
    assert "Signed in as vera" in shown["vera"]


def test_the_audit_log_names_the_person(site: Running) -> None:
    """Also on the page, where others read it."""
    table = site.guest("Ada").open(mine=[0, 1, 2])["table"]
    done(client(site, MO), f"/tables/{table}/end", reason="late")
    olga = signed_in(site, OLGA)
    assert olga.client.post("/admin/do", data={"do": "delete", "table": table}).status_code == 303
    newest = asked(client(site, VERA), "/audit?limit=2")
    assert [each["by"] for each in newest] == ["page:olga", "api:mo"]
    assert "olga deleted a table" in look(olga, "/admin").main
    assert olga.client.post("/admin/sign-out", data={"x": ""}).status_code == 303
    assert asked(client(site, VERA), "/audit?limit=1")[0]["by"] == "page:olga"


def test_a_session_belongs_to_one_person(site: Running) -> None:
    """Signing in as another is another session, and a cookie cannot be given another name."""
    player = signed_in(site, VERA)
    assert player.client.post("/admin/sign-in", data={"token": OLGA.token}).status_code == 303
    assert "Signed in as olga" in look(player, "/admin").main
    player = signed_in(site, VERA)
    cookie = player.client.cookies["mauerwerk-host"]
    player.client.cookies.clear()
    player.client.cookies.set("mauerwerk-host", cookie.replace("vera~", "olga~"))
    assert 'type="password"' in look(player, "/admin").main


def test_names_can_be_blocked(site: Running) -> None:
    """Nobody can choose them, however they are written; a host allows them again."""
    host = client(site, MO)
    done(host, "/blocks", kind="name", what="*Vile*", reason="")
    done(host, "/blocks", kind="name", what="host")
    for name, fine in (
        ("Vile", False),
        ("so V\u00eel\u00e8!", False),
        ("V 1 l e", False),
        ("xVILEx", False),
        ("The Host", False),
        ("Hostess", True),
        ("Violet", True),
    ):
        answer = site.anybody().post("/api/guests", name=name)
        assert answer.status_code == (201 if fine else 422), name
        if not fine:
            assert answer.json()["error"] == "blocked_name"
    ada = site.browser("Ada")
    refused = ada.client.post("/preferences", data={"name": "Vile"})
    assert "This name is not allowed here" in refused.text
    assert "*vile*" in look(signed_in(site, MO), "/admin").main
    done(host, "/blocks/lift", kind="name", what="*vile*")
    assert site.anybody().post("/api/guests", name="Vile").status_code == 201
    assert host.post("/api/admin/blocks", json={"kind": "name", "what": "**"}).status_code == 422
