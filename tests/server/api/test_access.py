"""Who may see and do what."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.support.web_server import Player, Running

from mauerwerk.core.game import Seat
from mauerwerk.server.engine.host import Host

WATCHING = ("", "/history", "/stream")
PLAYING: dict[str, dict[str, Any]] = {
    "/moves": {"move": "T", "version": 99},
    "/undo": {"version": 99},
    "/consent": {"agree": True},
    "/away": {"level": "any"},
    "/back": {},
    "/rematch": {},
    "/stand": {},
}


class Party:
    """A table with Ada at two seats and Bob at one, and everybody who might want something."""

    def __init__(self, site: Running) -> None:
        """Sit down."""
        self.ada, self.bob = site.guest("Ada"), site.guest("Bob")
        self.table = self.ada.open("hho", mine=[0, 1])["table"]
        self.path = f"/api/tables/{self.table}"
        token = self.bob.post(f"{self.path}/sit").json()["token"]
        other = site.guest("Eve").open(mine=[0])["seats"][0]["token"]
        self.seat_2 = site.bearer(token)
        self.foreign = site.bearer(other)
        self.eve = site.guest("Eve")
        self.nobody = site.anybody()


@pytest.fixture
def party(site: Running) -> Party:
    """For each test, since somebody may leave."""
    return Party(site)


ASKED_OF_GUESTS = (
    ("GET", "/api/guests/me"),
    ("GET", "/api/guests/me/data"),
    ("GET", "/api/guests/me/results"),
    ("POST", "/api/find"),
    ("GET", "/me/confirm"),
    ("GET", "/me/link"),
    ("POST", "/me/link"),
    ("POST", "/me/sign-out"),
    ("POST", "/me/log-out"),
    ("POST", "/me/codes"),
    ("POST", "/me/notifications"),
    ("POST", "/me/notifications/address"),
    ("POST", "/me/notifications/test"),
    ("POST", "/me/notifications/device"),
    ("POST", "/notifications/snooze"),
    ("POST", "/invitations/x"),
    ("POST", "/leaderboard"),
)


@pytest.mark.parametrize(("method", "path"), ASKED_OF_GUESTS)
def test_who_is_no_guest_is_told_so_everywhere_in_the_same_way(
    site: Running, method: str, path: str
) -> None:
    """With one status, one word for programs and one sentence for people."""
    client = site.browser().client
    if method == "GET":
        answer = client.get(path)
    elif path.startswith("/api/"):
        answer = client.post(path, json={})
    else:
        answer = client.post(path, data={"some": "form"})

    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    if path.startswith("/api/"):
        assert answer.json()["error"] == "guest"
    else:
        assert "Play a game or give yourself a name first." in answer.text


def looks(player: Player, path: str, **query: Any) -> int:  # noqa: ANN401 - any field
    """The status of a look, without waiting for a stream to end."""
    with player.client.stream("GET", path, params=query) as answer:
        return answer.status_code


@pytest.mark.parametrize("path", WATCHING)
def test_a_seat_is_seen_by_its_owner(party: Party, path: str) -> None:
    """Only the owner sees a seat; anybody with the link of the table may watch."""
    path = f"{party.path}{path}"

    assert [looks(party.ada, path, seat=seat) for seat in (0, 1, 2)] == [200, 200, 403]
    assert [looks(party.bob, path, seat=seat) for seat in (0, 1, 2)] == [403, 403, 200]
    assert [looks(party.seat_2, path, seat=seat) for seat in (0, 1, 2)] == [403, 403, 200]
    assert [looks(party.eve, path, seat=seat) for seat in (0, 1, 2)] == [403, 403, 403]
    assert [looks(party.nobody, path, seat=seat) for seat in (0, 1, 2)] == [401, 401, 401]
    assert [looks(party.nobody, path), looks(party.eve, path)] == [200, 200]
    assert looks(party.foreign, path) == 401
    assert looks(party.ada, path, seat=7) == 403


def test_without_a_seat_named_it_is_yours(party: Party) -> None:
    """A guest with several seats must name one; without a seat one is a spectator."""
    assert party.bob.table_view(party.table)["seat"] == 2
    assert party.seat_2.table_view(party.table)["seat"] == 2
    assert party.nobody.table_view(party.table)["seat"] is None
    assert party.bob.table_view(party.table, seat="none")["seat"] is None
    which = party.ada.get(party.path)
    assert (which.status_code, which.json()["message"]) == (
        422,
        "which seat? Yours are 0 and 1",
    )


def test_a_seat_sees_its_own_choices_only(party: Party) -> None:
    """Legal actions are told to the seat that is asked, with its own view."""
    assert party.bob.table_view(party.table)["legal"]
    assert party.nobody.table_view(party.table)["legal"] == []


@pytest.mark.parametrize("path", PLAYING)
def test_a_seat_is_played_by_its_owner(party: Party, path: str) -> None:
    """Only the owner of a seat, or a caller with its token, plays it."""
    full, body = f"{party.path}{path}", PLAYING[path]
    seat = {} if path == "/rematch" else {"seat": 0}

    assert party.nobody.post(full, **body, **seat).status_code == 401
    assert party.foreign.post(full, **body, **seat).status_code == 401
    assert party.eve.post(full, **body, **seat).status_code == 403
    if seat:
        assert party.bob.post(full, **body, **seat).status_code == 403
        assert party.seat_2.post(full, **body, **seat).status_code == 403
    # The table has its own reasons to refuse what the owner may ask for.
    assert party.ada.post(full, **body, **seat).status_code in {200, 409, 422}


@pytest.mark.parametrize("what", ["link", "qr"])
def test_a_link_is_shown_to_its_owner(site: Running, what: str) -> None:
    """A seat that is kept for somebody is also shown to the guest who set up the table."""
    ada, eve = site.guest("Ada"), site.guest("Eve")
    opened = ada.open("hhh", mine=[0])
    path = f"/api/tables/{opened['table']}/seats"

    assert ada.get(f"{path}/1/{what}").status_code == 200
    assert eve.get(f"{path}/1/{what}").status_code == 403
    assert site.anybody().get(f"{path}/0/{what}").status_code == 401
    assert site.bearer(opened["seats"][2]["token"]).get(f"{path}/2/{what}").status_code == 200
    eve.post(f"/api/tables/{opened['table']}/claim", token=opened["seats"][1]["token"])
    assert ada.get(f"{path}/1/{what}").status_code == 403
    assert eve.get(f"{path}/1/{what}").status_code == 200
    assert eve.get(f"{path}/2/{what}").status_code == 403
    assert ada.get(f"{path}/2/{what}").status_code == 200
    wrong = ("3", "x", "-1", "9" * 5_000)
    assert [ada.get(f"{path}/{seat}/{what}").status_code for seat in wrong] == [404] * 4


def test_who_set_up_a_table_hands_out_its_links_without_a_seat(site: Running) -> None:
    """Only they find the links on the page, and nobody is told who it was."""
    ada, eve = site.browser("Ada"), site.browser("Eve")
    opened = ada.open("hhh", mine=[0])
    table, links = opened["table"], [each["link"] for each in opened["seats"]]
    eve.post(f"/api/tables/{table}/claim", token=opened["seats"][1]["token"])

    pages = [each.client.get(f"/t/{table}").text for each in (ada, eve)]
    assert [links[2] in page for page in pages] == [True, False]
    id_of_ada = ada.get("/api/guests/me").json()["guest"]
    for path in (f"/api/tables/{table}", f"/api/tables/{table}/history", f"/t/{table}"):
        assert id_of_ada not in eve.client.get(path).text

    elsewhere = ada.open("hhh")["table"]
    assert ada.get(f"/api/tables/{elsewhere}/seats/1/link").status_code == 200
    assert eve.get(f"/api/tables/{elsewhere}/seats/1/link").status_code == 403


@pytest.mark.parametrize("path", ["/api/tables/{table}/stream", "/t/{table}/live"])
def test_who_lost_the_seat_while_they_asked_is_told_nothing(
    site: Running, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """The view of the seat is for its new owner."""
    ada = site.browser("Ada")
    table = ada.open("hhh", mine=[0, 1, 2])["table"]
    subscribe = Host.subscribe

    async def too_late(host: Host, table: str, viewer: Seat, **more: Any) -> object:  # noqa: ANN401
        await host.stand(table, viewer)
        return await subscribe(host, table, viewer, **more)

    monkeypatch.setattr(Host, "subscribe", too_late)
    assert looks(ada, path.format(table=table), seat=1) == 403


def test_asking_again_does_not_open_a_seat_that_one_has_left(site: Running) -> None:
    """The key is known, but the seat is Bob's now, and so is its token."""
    ada, eve, bob = site.guest("Ada"), site.guest("Eve"), site.guest("Bob")
    path = f"/api/tables/{ada.open('hoo', mine=[0])['table']}"
    first = eve.post(f"{path}/sit", seat=1, idempotency_key="k").json()
    assert eve.post(f"{path}/sit", seat=1, idempotency_key="k").json() == first
    eve.post(f"{path}/stand")
    assert eve.post(f"{path}/sit", seat=1, idempotency_key="k").status_code == 422

    assert bob.post(f"{path}/sit", seat=1).status_code == 200
    again = eve.post(f"{path}/sit", seat=1, idempotency_key="k")

    assert again.status_code == 422
    assert "token" not in again.json()


def test_a_link_that_many_follow_at_once_opens_the_seat_to_one(site: Running) -> None:
    """Only that guest gets the new link."""
    ada = site.guest("Ada")
    opened = ada.open(mine=[0])
    path, token = f"/api/tables/{opened['table']}", opened["seats"][1]["token"]
    crowd = [site.guest(f"Guest {number}") for number in range(8)]

    def claim(somebody: Player) -> int:
        return somebody.post(f"{path}/claim", token=token).status_code

    with ThreadPoolExecutor(len(crowd)) as together:
        answers = list(together.map(claim, crowd))

    assert sorted(answers) == [200] + [403] * 7
    assert [each.get(path, seat=1).status_code for each in crowd].count(200) == 1


def test_a_qr_code_is_a_picture(site: Running) -> None:
    """The code is an SVG."""
    ada = site.guest()
    table = ada.open(mine=[0])["table"]
    code = ada.get(f"/api/tables/{table}/seats/0/qr")

    assert code.headers["content-type"] == "image/svg+xml"
    assert code.text.startswith("<svg ")


@pytest.mark.parametrize(
    "said", ["Bearer", "Basic", "Token QWRhOg==", "Bearer nonsense.more", "Bearer \xe4"]
)
def test_a_bad_token_is_refused_everywhere(site: Running, said: str) -> None:
    """A caller with a wrong token is not treated as a spectator."""
    table = site.guest().open(mine=[0])["table"]
    client = site.client()
    client.headers = {"authorization": said.encode("latin-1")}  # type: ignore[assignment]

    answer = client.get(f"/api/tables/{table}")

    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"


def test_how_people_sign_in_at_a_proxy_is_no_token(site: Running) -> None:
    """Their browsers say so in every request, and the proxy passes it on; the cookie counts."""
    ada = site.browser("Ada")
    ada.client.headers["authorization"] = "Basic YWRhOnNlY3JldA=="

    assert ada.client.get("/").status_code == 200
    assert ada.client.get("/api/guests/me").json()["name"] == "Ada"
    foreign = {"origin": "https://evil.example", "sec-fetch-site": "cross-site"}
    assert ada.client.post("/play", data={"game": "mauer"}, headers=foreign).status_code == 403
    assert ada.client.post("/mcp", json={}).status_code == 401


def test_a_forged_guest_is_nobody(site: Running) -> None:
    """The signature covers the identity of a guest."""
    token = site.client().post("/api/guests", json={"name": "Ada"}).json()["token"]
    content, _, signature = token.partition(".")
    for forged in (f"{content[:-2]}AA.{signature}", f"{content}.{signature[:-2]}AA", content):
        assert site.bearer(forged).get("/api/guests/me").status_code == 401


def test_an_unknown_table_is_not_there(site: Running) -> None:
    """Everything that does not exist gets the same answer."""
    for path in ("", "/history", "/stream", "/record", "/hints", "/seats/0/link"):
        answer = site.guest().get(f"/api/tables/nowhere{path}")
        assert (answer.status_code, answer.json()["error"]) == (404, "missing")
