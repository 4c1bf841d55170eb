"""Routes are found by the ends of their paths, and are the same that Starlette finds one by one."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Receive, Scope, Send

from mauerwerk.server.app import PathRouter

pytestmark = pytest.mark.anyio

PATHS = (
    "/",
    "/me",
    "/me/join/{token}",
    "/t/{table}",
    "/t/{table}/live",
    "/t/{table}/seats/{seat}",
    "/learn/{game}/play",
    "/learn/{game}/{step}",
    "/static/{path:path}",
    "/api/tables/{table}/moves",
    "/api/tables",
)


def first_match(routes: Sequence[BaseRoute], path: str) -> str:
    """The path of the first route that matches."""
    scope = {"type": "http", "path": path, "method": "GET"}
    found = (route for route in routes if route.matches(scope)[0] is not Match.NONE)
    return str(getattr(next(found, None), "path", "missing"))


def answering(path: str) -> Route:
    """A route that says which it is."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse(path)(scope, receive, send)

    class App:
        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            await answer(scope, receive, send)

    return Route(path, App())


@pytest.mark.parametrize("word", ["abc", "0", "play", "live", "a/b.css", ""])
@pytest.mark.parametrize("path", [*PATHS, "/none", "/me/", "//", "/t", "/api/tables/x/none"])
async def test_the_same_route_is_found(path: str, word: str) -> None:
    """Whatever stands for the parameters, also what leads nowhere."""
    routes = [answering(each) for each in PATHS]
    router = PathRouter(routes, PlainTextResponse("missing"))
    asked = re.sub(r"\{[^}]*\}", word, path)
    sent: list[Any] = []

    async def receive() -> Any:  # noqa: ANN401 - a message
        raise AssertionError("nothing is to be read")

    async def send(message: Any) -> None:  # noqa: ANN401 - a message
        sent.append(message)

    await router({"type": "http", "path": asked, "method": "GET", "headers": []}, receive, send)
    assert sent[-1]["body"].decode() == first_match(routes, asked)
