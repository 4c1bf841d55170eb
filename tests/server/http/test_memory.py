"""What a request holds is freed with it, without the garbage collector, which comes late."""

import gc
import time
from collections.abc import Iterator

import pytest
from tests.support.web_server import TIMEOUT, Running

from mauerwerk.server.engine.audience import Subscription
from mauerwerk.server.http.request import Request
from mauerwerk.server.ui.render import ShortLivedContext


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Keep the garbage collector away."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def in_memory(kind: type) -> int:
    """How many objects of a class there are, garbage included."""
    return sum(isinstance(each, kind) for each in gc.get_objects())


def come_down_to(kind: type, most: int) -> bool:
    """Whether there are this few soon."""
    until = time.monotonic() + TIMEOUT / 10
    while in_memory(kind) > most:
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


@pytest.mark.usefixtures("uncollected")
def test_refusals_leave_nothing_behind(site: Running) -> None:
    """An error must not hold the request that it refused, nor the table and the connection."""
    ada = site.guest("Ada")
    table = ada.open(mine=[0, 1, 2])["table"]
    before = in_memory(Request)
    for _ in range(20):
        assert ada.get(f"/api/tables/{table}", seat=9).is_client_error
        assert ada.get("/api/tables/nothing").status_code == 404
        assert ada.get("/t/nothing").status_code == 404
        assert ada.get("/me/nothing").status_code == 404
    assert come_down_to(Request, before + 5)


@pytest.mark.usefixtures("uncollected")
def test_a_stream_that_ends_leaves_nothing_behind(site: Running) -> None:
    """Whoever has watched a table must not keep it in memory."""
    ada = site.guest("Ada")
    table = ada.open(mine=[0, 1, 2])["table"]
    before = in_memory(Subscription)
    for _ in range(10):
        with ada.listen(table, seat=0) as listener:
            ada.move(table, "T", seat=0)
            ada.move(table, "4", seat=0)
            listener.hear()
    assert come_down_to(Subscription, before + 2)


@pytest.mark.usefixtures("uncollected")
def test_a_page_leaves_nothing_behind(site: Running) -> None:
    """Macros of templates refer to what the page shows."""
    ada = site.browser("Ada")
    table = ada.open(mine=[0, 1, 2])["table"]
    paths = ("/", "/me", f"/t/{table}", "/learn", "/evening")
    for path in paths:
        ada.get(path)
    before = in_memory(ShortLivedContext)
    for path in paths:
        for _ in range(5):
            ada.get(path)
    assert come_down_to(ShortLivedContext, before)
