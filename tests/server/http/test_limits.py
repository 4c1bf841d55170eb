"""How much one client may ask for."""

import pytest
from tests.support.web_server import serving

from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.limits import Buckets, Connections, Counter, Limiter
from mauerwerk.server.http.settings import Limits, Settings


class Clock:
    """Time that passes when told to."""

    def __init__(self) -> None:
        """Begin at noon."""
        self.now = 0.0

    def __call__(self) -> float:
        """The time."""
        return self.now


def test_a_bucket_fills_up_again() -> None:
    """A client has three tokens at once, then one every half second; others have their own."""
    clock = Clock()
    buckets = Buckets(rate=2, size=3, clock=clock)

    assert [buckets.take("ada") for _ in range(4)] == [0, 0, 0, 0.5]
    assert buckets.take("bob") == 0
    clock.now = 0.5
    assert [buckets.take("ada") for _ in range(2)] == [0, 0.5]
    clock.now = 1000
    assert [buckets.take("ada") for _ in range(4)] == [0, 0, 0, 0.5]


def test_of_many_clients_those_who_asked_last_are_remembered() -> None:
    """However many addresses somebody has, they take up no more room."""
    buckets = Buckets(rate=1, size=1, clock=Clock(), tracked_clients=2)

    assert [buckets.take(client) for client in ("ada", "bob", "cleo")] == [0, 0, 0]
    assert [buckets.take(client) for client in ("bob", "cleo")] == [1, 1]
    assert buckets.take("ada") == 0
    assert [buckets.take(client) for client in ("ada", "cleo", "bob")] == [1, 1, 0]


def test_a_client_over_the_limit_is_told_when_to_come_again() -> None:
    """`Retry-After` is in whole seconds, at least one."""
    limiter = Limiter(Limits(requests=0.1, burst=1), Clock())
    limiter.request("ada")

    with pytest.raises(HttpError) as refused:
        limiter.request("ada")
    assert (refused.value.status, refused.value.headers) == (429, {"retry-after": "10"})


def test_what_was_not_told_gives_nothing_back() -> None:
    """A client may claim to have been told more than there is."""
    limiter = Limiter(Limits(requests=0.1, burst=1), Clock())
    limiter.request("ada")
    limiter.work("ada", -1_000_000)

    with pytest.raises(HttpError):
        limiter.request("ada")


def test_large_boards_are_drawn_a_few_a_second() -> None:
    """The boards of the game are not limited."""
    limiter = Limiter(Limits(), Clock())
    for _ in range(500):
        limiter.drawing("ada", 85)
    for _ in range(40):
        limiter.drawing("ada", 576)

    with pytest.raises(HttpError):
        limiter.drawing("ada", 576)


def test_what_is_open_is_counted() -> None:
    """There is a limit for one client and one for all clients together."""
    limiter = Limiter(Limits(streams=2, all_streams=3), Clock())
    counter = limiter.streams
    counter.add("ada", "streams")
    counter.add("ada", "streams")
    with pytest.raises(HttpError):
        counter.add("ada", "streams")
    counter.add("bob", "streams")
    with pytest.raises(HttpError):
        counter.add("eve", "streams")
    counter.remove("ada")
    counter.add("eve", "streams")

    assert counter.total == 3
    assert limiter.refused["streams"] == 2


def test_limits_hold_at_the_server(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Requests, guests, tables and streams over the limit get 429."""
    limits = Limits(requests=0.001, burst=12, guests=4, tables=4, streams=1)
    with serving(tmp_path_factory.mktemp("data"), Settings(limits=limits)) as site:
        ada = site.guest()
        names = [site.client().post("/api/guests", json={"name": "B"}) for _ in range(2)]
        table = ada.open(mine=[0])["table"]
        tables = [
            ada.post("/api/tables", game="mauer", chairs=[{"kind": "open"}] * 3) for _ in range(2)
        ]
        with ada.listen(table):
            second = ada.get(f"/api/tables/{table}/stream")
        rest = [site.client().get("/api/games")]
        while rest[-1].status_code == 200 and len(rest) < 8:
            rest.append(site.client().get("/api/games"))

    assert [answer.status_code for answer in names] == [201, 429]
    assert [answer.status_code for answer in tables] == [201, 429]
    assert second.status_code == 429
    assert rest[-1].status_code == 429
    assert rest[-1].json()["error"] == "busy"
    assert int(rest[-1].headers["retry-after"]) >= 1


def test_closing_one_of_two_leaves_one() -> None:
    """Whoever closes a stream may open one, not two; what nobody has is not remembered."""
    counter = Counter(most=2, most_of_all=9)
    for _ in range(2):
        counter.add("ada", "streams")
    counter.remove("ada")
    assert (counter.held["ada"], counter.total) == (1, 1)
    counter.add("ada", "streams")
    with pytest.raises(HttpError):
        counter.add("ada", "streams")
    for _ in range(2):
        counter.remove("ada")
    assert (dict(counter.held), counter.total) == ({}, 0)


def test_without_a_rate_nothing_is_limited() -> None:
    """`--rate 0` switches off the limits of clients: requests, tables, streams, connections."""
    few = Limits(requests=0, burst=1, tables=1, streams=1, all_streams=1, connections=1)
    limiter = Limiter(few, Clock())
    connections = Connections(Settings(limits=few))
    for _ in range(3):
        limiter.request("ada")
        limiter.table("ada")
        limiter.work("ada", 1_000)
        limiter.streams.add("ada", "streams")
        assert connections.add("192.0.2.1") == "192.0.2.1"
    assert (limiter.streams.total, len(connections), dict(limiter.refused)) == (3, 3, {})
