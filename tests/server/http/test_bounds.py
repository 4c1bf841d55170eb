"""Where a limit begins: just so much is allowed, and not a bit more."""

import asyncio
import logging
from types import SimpleNamespace
from typing import Any, cast

import pytest

from mauerwerk.server.http.errors import BusyError, HttpError
from mauerwerk.server.http.identity import SESSION, HostAccess
from mauerwerk.server.http.limits import QUIET, Buckets, Connections, Limiter
from mauerwerk.server.http.request import Request, body_of
from mauerwerk.server.http.settings import Admin, Limits, Settings
from mauerwerk.server.keys import Keys


class Clock:
    """Time that passes when told to."""

    now = 0.0

    def __call__(self) -> float:
        """The time."""
        return self.now


def test_a_client_waits_for_what_is_missing() -> None:
    """Half a token is there already, and the other half comes in a quarter of a second."""
    clock = Clock()
    buckets = Buckets(rate=2, size=1, clock=clock)
    buckets.take("ada")
    clock.now = 0.25

    assert buckets.take("ada") == 0.25


def test_many_notices_count_as_a_request() -> None:
    """As many as the limit says do; one less is free."""
    limiter = Limiter(Limits(requests=0.1, burst=2, notices=10), Clock())
    limiter.work("ada", 9)
    limiter.work("ada", 10)
    limiter.request("ada")

    with pytest.raises(HttpError):
        limiter.request("ada")


@pytest.mark.parametrize("arrived", [True, False])
@pytest.mark.parametrize("said", [True, False])
@pytest.mark.parametrize(("size", "refused"), [(100, False), (101, True)])
@pytest.mark.anyio
async def test_a_body_may_be_as_large_as_the_limit(
    size: int, *, said: bool, refused: bool, arrived: bool
) -> None:
    """Whether its length is said before or found out, and whether all of it is there already."""
    headers = {"content-length": str(size)} if said else {}
    limits, body = Limits(body_bytes=100), b"x" * size if arrived else None
    request = cast("Request", SimpleNamespace(headers=headers, limits=limits, body=body))
    parts = [{"type": "http.request", "body": b"x" * size, "more_body": False}]

    async def receive() -> Any:  # noqa: ANN401 - of ASGI
        return parts.pop()

    if refused:
        with pytest.raises(HttpError) as fault:
            await body_of(request, receive)
        assert fault.value.status == 413
        assert bool(parts) == said
    else:
        assert await body_of(request, receive) == b"x" * size


@pytest.mark.anyio
async def test_a_body_that_never_ends_is_refused() -> None:
    """Neither a part of it nor nothing is taken for the whole."""
    limits = Limits(body_timeout=0.1)
    request = cast("Request", SimpleNamespace(headers={}, limits=limits, body=None))
    parts = [{"type": "http.request", "body": b"x", "more_body": True}]

    async def receive() -> Any:  # noqa: ANN401 - of ASGI
        if not parts:
            await asyncio.Event().wait()
        return parts.pop()

    with pytest.raises(HttpError) as fault:
        await body_of(request, receive)
    assert (fault.value.status, fault.value.code) == (400, "slow")


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.0, "1"), (0.2, "1"), (1.0, "1"), (1.2, "2"), (10.0, "10")]
)
def test_whoever_is_to_come_again_is_told_whole_seconds(seconds: float, said: str) -> None:
    """Enough of them, and at least one."""
    assert BusyError("", seconds).headers == {"retry-after": said}


def test_a_flood_does_not_fill_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """One line a minute about connections that are refused, with how many they were."""
    clock = Clock()
    clock.now = 1_000.0
    connections = Connections(Settings(limits=Limits(connections=1)), clock)
    connections.add("203.0.113.9")
    with caplog.at_level(logging.WARNING):
        for later in (0.0, 1.0, QUIET - 2, 1.0, 1.0):
            clock.now += later
            assert connections.add("203.0.113.9") is None

    said = [record.getMessage() for record in caplog.records]
    assert [line.partition("refused (")[2] for line in said] == ["1 so far)", "4 so far)"]
    assert connections.add("203.0.113.10") is not None


def test_wrong_tokens_are_counted_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """From the first on, and with one line a minute."""
    clock = Clock()
    clock.now = 1_000.0
    access = HostAccess(cast("Any", None), [Admin("right")], clock)
    with caplog.at_level(logging.WARNING):
        for number, later in enumerate((0.0, 1.0, QUIET)):
            clock.now += later
            with pytest.raises(HttpError):
                access.check_token(
                    cast("Request", SimpleNamespace(client=f"client {number}")), "wrong"
                )

    said = [record.getMessage().partition("(")[2] for record in caplog.records]
    assert said == ["1 so far)", "3 so far)"]


def test_somebody_is_signed_in_for_as_long_as_the_cookie_says() -> None:
    """And not for a moment longer, whoever keeps it."""
    clock = Clock()
    admin = Admin("right", name="ada")
    host = SimpleNamespace(keys=Keys(b"secret"))
    access = HostAccess(cast("Any", host), [admin], clock)
    request = cast("Any", SimpleNamespace(cookies={}, https=False, prefix=""))
    _, header = access.sign_in(request, admin)
    name, _, rest = header.decode().partition("=")
    request.cookies = {name: rest.partition(";")[0]}
    for later, signed_in in ((0.0, True), (SESSION - 0.5, True), (0.5, False)):
        clock.now += later
        assert (access.signed_in(request) is admin) == signed_in
