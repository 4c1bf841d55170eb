"""Guests and networks that are blocked, or logged out, as they find it."""

from collections.abc import Iterator

import pytest
from tests.support.web_server import Running, serving

from mauerwerk.server.engine.blocklist import Blocked
from mauerwerk.server.features.moderation import store as moderation
from mauerwerk.server.http.identity import COOKIE


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A running server."""
    with serving(tmp_path_factory.mktemp("data")) as site:
        yield site


def test_a_blocked_guest_is_told_why(site: Running) -> None:
    """Programs in JSON, browsers on a page; others play on, and the guest comes back."""
    ada, browser = site.guest("Ada"), site.browser("Bea")
    table = ada.open()["table"]
    guest = ada.get("/api/guests/me").json()["guest"]
    site.write(
        lambda it: moderation.block(it, Blocked.GUEST, guest, "insults", it.now + 86_400_000)
    )
    refused = ada.get(f"/api/tables/{table}")

    assert (refused.status_code, refused.json()["error"]) == (403, "blocked")
    assert "insults" in refused.json()["message"]
    assert browser.get("/").status_code == 200
    site.write(lambda it: moderation.unblock(it, Blocked.GUEST, guest))
    assert ada.get(f"/api/tables/{table}").status_code == 200


def test_nobody_plays_the_seat_of_a_blocked_guest(site: Running) -> None:
    """Also not by the token of the seat."""
    ada = site.guest("Ada")
    opened = ada.open(mine=[0, 1, 2])
    token = opened["seats"][0]["token"]
    guest = ada.get("/api/guests/me").json()["guest"]
    site.write(lambda it: moderation.block(it, Blocked.GUEST, guest, "", None))
    moves = f"/api/tables/{opened['table']}/moves"
    by_link = site.bearer(token).post(moves, move="T", version=1)
    site.write(lambda it: moderation.unblock(it, Blocked.GUEST, guest))

    assert by_link.status_code in {401, 403}


def test_a_blocked_network_sees_one_page(site: Running) -> None:
    """It says so in the reader's language, and gives the reason; health is still told."""
    browser = site.browser()
    site.write(
        lambda it: moderation.block(it, Blocked.NETWORK, "127.0.0.0/8", "zu viele Tische", None)
    )
    page = browser.client.get("/", headers={"accept-language": "de"})
    health = browser.get("/healthz").status_code
    site.write(lambda it: moderation.unblock(it, Blocked.NETWORK, "127.0.0.0/8"))

    assert page.status_code == 403
    assert "gesperrt" in page.text
    assert "zu viele Tische" in page.text
    assert health == 200
    assert browser.get("/").status_code == 200


def test_streams_of_a_blocked_guest_end(site: Running) -> None:
    """Within a second, and not only with the next move; those of others go on."""
    ada, bea, nobody = site.guest("Ada"), site.browser("Bea"), site.anybody()
    table = bea.open("hho", mine=[0])["table"]
    guest = ada.get("/api/guests/me").json()["guest"]
    with ada.listen(table) as stream, bea.listen(table) as one, nobody.listen(table) as other:
        site.write(lambda it: moderation.block(it, Blocked.GUEST, guest, "", None))
        assert site.browser("Cal").post(f"/api/tables/{table}/sit").status_code == 200
        assert stream.block() == {}, "nothing is told to who is blocked"
        assert stream.ends()
        assert [one.hear()["name"], other.hear()["name"]] == ["Cal", "Cal"]
    site.write(lambda it: moderation.unblock(it, Blocked.GUEST, guest))


def test_a_guest_who_is_logged_out_is_a_stranger(site: Running) -> None:
    """Neither token nor cookie is known any more."""
    ada = site.guest("Ada")
    guest = ada.get("/api/guests/me").json()["guest"]
    site.write(lambda it: moderation.log_out(it, guest))
    assert ada.get("/api/guests/me").status_code == 401


def test_streams_of_who_is_logged_out_end(site: Running) -> None:
    """By the guest's token, by that of a seat, and by a personal link in another browser."""
    ada, phone = site.guest("Ada"), site.browser()
    opened = ada.open("hhh", mine=[0, 1, 2])
    table, seat = opened["table"], opened["seats"][0]
    guest = ada.get("/api/guests/me").json()["guest"]
    phone.client.get(seat["link"], follow_redirects=True)
    with (
        ada.listen(table, seat=0) as by_token,
        site.bearer(seat["token"]).listen(table, seat=0) as by_seat,
        phone.listen(table, seat=0) as by_link,
    ):
        site.write(lambda it: moderation.log_out(it, guest))
        assert all(stream.ends() for stream in (by_token, by_seat, by_link))


def test_a_renamed_guest_gets_a_new_cookie(site: Running) -> None:
    """The name that the host gave stands on the page at once."""
    browser = site.browser("Rude Word")
    cookie = browser.client.cookies[COOKIE]
    guest = site.app.state.host.keys.guest_of(cookie)
    assert guest is not None
    site.write(lambda it: moderation.rename(it, guest.id, "Mason"))
    page = browser.get("/").text

    assert "Mason" in page
    assert "Rude Word" not in page
    assert browser.client.cookies[COOKIE] != cookie


def test_a_closed_server_says_so(site: Running) -> None:
    """Nobody opens a table meanwhile."""
    ada = site.guest("Ada")
    chairs = [{"kind": "human"}] * 3
    site.write(lambda it: moderation.close(it, closed=True))
    refused = ada.post("/api/tables", game="mauer", chairs=chairs, mine=[0])
    site.write(lambda it: moderation.close(it, closed=False))

    assert (refused.status_code, refused.json()["error"]) == (403, "closed")


def test_a_new_secret_renews_the_cookies_of_those_who_come(site: Running) -> None:
    """Within the time of grace a visitor notices nothing; afterwards the new cookies count."""
    ada = site.browser("Ada")
    opened = ada.open("hhh", mine=[0])
    friend = site.browser()
    friend.client.get(opened["seats"][1]["link"], follow_redirects=True)
    path = f"/t/{opened['table']}"
    site.write(lambda it: moderation.rotate_secret(it, 86_400_000))
    for visitor in (ada, friend):
        before = dict(visitor.client.cookies)
        visitor.get(path)
        assert dict(visitor.client.cookies) != before
    site.write(lambda it: moderation.rotate_secret(it, 60_000))
    for visitor in (ada, friend):  # signed with the secret before this one, which is valid
        visitor.get(path)
    assert ada.client.get("/api/guests/me").json()["name"] == "Ada"
    claimed = friend.client.post(f"{path}/claim", data={"seat": "1", "name": "Bea"})
    assert claimed.status_code == 303
