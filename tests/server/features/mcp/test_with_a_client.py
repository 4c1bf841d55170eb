"""Whole games, played with the client library of the protocol's own project."""

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib import import_module
from typing import Any

import pytest
from tests.support.web_server import TIMEOUT, Running

from mauerwerk.server.features.mcp import protocol

pytestmark = [pytest.mark.foreign, pytest.mark.process]

LEGACY, MODERN = "legacy", "auto"
"""With `initialize`, and without: the client asks first whether the server can do without."""


def library(name: str = "mcp") -> Any:  # noqa: ANN401 - whatever is imported
    """The client library: to import it takes half a second, for which only one worker waits."""
    return import_module(name)


@asynccontextmanager
async def over_http(site: Running, table: str, seat: Any, mode: str) -> AsyncGenerator[Any]:  # noqa: ANN401 - as the API has it
    """A client that posts to the server."""
    headers = {"authorization": f"Bearer {seat['token']}"}
    async with library("httpx2").AsyncClient(headers=headers, timeout=TIMEOUT) as http_client:
        address = f"{site.address}/mcp?table={table}"
        http = library("mcp.client.streamable_http")
        transport = http.streamable_http_client(address, http_client=http_client)
        async with library().Client(transport, mode=mode) as client:
            yield client


@asynccontextmanager
async def over_stdio(site: Running, table: str, seat: Any, mode: str) -> AsyncGenerator[Any]:  # noqa: ANN401 - as above
    """A client that starts `mauerwerk mcp`."""
    del site, table
    server = library().StdioServerParameters(
        command=sys.executable,
        args=["-m", "mauerwerk", "mcp"],
        env={"MAUERWERK_LINK": seat["link"]},
    )
    async with library().Client(server, mode=mode) as client:
        yield client


async def call(client: Any, tool: str, **given: Any) -> dict[str, Any]:  # noqa: ANN401
    """The values of a result, which the library has checked against the schema."""
    result = await client.call_tool(tool, given)
    assert not result.is_error, result.content
    assert result.content[0].text
    values: dict[str, Any] = result.structured_content
    return values


async def play_to_the_end(client: Any, seat: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:  # noqa: ANN401
    """Play any legal move when asked, until the game is over; what was seen on the way."""
    seen = await call(client, "look")
    way = [seen]
    while seen["status"] != "over":
        if seen["asked"]:
            move = seen["legal"][(seen["number"] + seat) % len(seen["legal"])]["move"]
            seen = await call(client, "play", move=move, number=seen["number"], wait=25)
        else:
            seen = await call(client, "wait", since=seen["number"], seconds=25)
        way.append(seen)
    return seen, way


@pytest.mark.parametrize(
    ("connect", "mode"), [(over_http, LEGACY), (over_http, MODERN), (over_stdio, MODERN)]
)
def test_three_agents_play_a_whole_game(site: Running, connect: Any, mode: str) -> None:  # noqa: ANN401
    """All see the same end, and nobody sees another's hand before it."""
    ada = site.guest()
    opened = ada.open("hhh", mine=[0, 1, 2], options={"rounds": "1", "stall": "2"})

    async def play() -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
        async with AsyncExitStack() as stack:
            clients = [
                await stack.enter_async_context(connect(site, opened["table"], seat, mode))
                for seat in opened["seats"]
            ]
            expected = protocol.STATELESS[0] if mode == MODERN else protocol.HANDSHAKE[0]
            assert {each.protocol_version for each in clients} == {expected}
            async with asyncio.timeout(TIMEOUT):
                return await asyncio.gather(
                    *(play_to_the_end(each, seat) for seat, each in enumerate(clients))
                )

    played = asyncio.run(play())

    results = {seen["result"] for seen, _ in played}
    assert len(results) == 1
    assert "The game is over. Ada: place" in results.pop()
    for seat, (_, way) in enumerate(played):
        secret = [seen["view"] for seen in way if seen["status"] == "running"]
        assert secret
        for view in secret:
            known = [hand is not None for hand in view["hands"]]
            assert known == [seat == each for each in range(3)]
    record = ada.get(f"/api/tables/{opened['table']}/record").text
    assert record.startswith("mauer/")


@pytest.mark.parametrize(("connect", "mode"), [(over_http, MODERN), (over_stdio, LEGACY)])
def test_an_agent_asks_about_the_rules(site: Running, connect: Any, mode: str) -> None:  # noqa: ANN401
    """Tools, resources and refusals, as the library sees them."""
    opened = site.guest().open("hhh", mine=[0, 1, 2])

    async def ask() -> None:
        async with connect(site, opened["table"], opened["seats"][0], mode) as client:
            listed = await client.list_tools()
            assert [each.name for each in listed.tools] == [
                "look",
                "why_not",
                "play",
                "wait",
                "rules",
            ]
            found = await client.list_resources()
            (german,) = [each for each in found.resources if each.uri.endswith("/mauer/de")]
            read = await client.read_resource(german.uri)
            rules = await call(client, "rules", language="de")
            assert read.contents[0].text == rules["text"]
            assert (await call(client, "why_not", move=">"))["clause"] == "DM-5"
            refused = await client.call_tool("play", {"move": ">"})
            assert refused.is_error
            assert "DM-5" in refused.content[0].text
            strange = await client.call_tool("look", {"seat": 2})
            assert strange.is_error
            elsewhere = await client.call_tool("look", {"table": "elsewhere"})
            assert elsewhere.is_error
            with pytest.raises(library().MCPError, match="there is no tool 'cheat'"):
                await client.call_tool("cheat", {})
            with pytest.raises(library().MCPError, match="there is no resource"):
                await client.read_resource("mauerwerk://rules/chess/en")

    asyncio.run(ask())
