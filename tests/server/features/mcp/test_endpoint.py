"""The endpoint `/mcp`, message by message."""

import asyncio
import re
import threading
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx
import pytest
from tests.support.web_server import TIMEOUT, Running, serving

from mauerwerk import __version__
from mauerwerk.core.game import Seat
from mauerwerk.games import GAMES
from mauerwerk.server.features.mcp import protocol, tools
from mauerwerk.server.http.settings import Limits, Settings
from mauerwerk.server.tables.table import Status

META: Final = {protocol.VERSION: protocol.STATELESS[0], protocol.CAPABILITIES: {}}
SECRETS: Final = {"rounds": "1", "stall": "3"}


class Agent(NamedTuple):
    """A program at one seat."""

    client: httpx.Client
    path: str

    def send(self, body: Any, **headers: str) -> httpx.Response:  # noqa: ANN401 - any JSON
        """Post this."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.post(self.path, json=body, headers=named)

    def ask(self, method: str, **params: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
        """The answer to a request."""
        body = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
        answer = self.send(body)
        assert answer.status_code == 200, answer.text
        said: dict[str, Any] = answer.json()
        assert (said["jsonrpc"], said["id"]) == ("2.0", 7)
        return said

    def call(self, tool: str, **given: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
        """The values that a tool answers with."""
        result = self.ask("tools/call", name=tool, arguments=given)["result"]
        assert not result["isError"], result["content"]
        values: dict[str, Any] = result["structuredContent"]
        return values

    def refusal(self, tool: str, **given: Any) -> str:  # noqa: ANN401 - any field
        """The line with which a tool refuses to do something."""
        result = self.ask("tools/call", name=tool, arguments=given)["result"]
        assert result["isError"], result
        ((kind, text),) = [(each["type"], each["text"]) for each in result["content"]]
        assert kind == "text"
        assert "\n" not in text
        return str(text)


def agents_at(site: Running, opened: Mapping[str, Any]) -> list[Agent]:
    """A program at each seat, by its token."""
    return [
        Agent(site.bearer(seat["token"]).client, f"/mcp?table={opened['table']}")
        for seat in opened["seats"]
    ]


@pytest.fixture
def agents(site: Running) -> list[Agent]:
    """At the three seats of a table of Die Mauer."""
    return agents_at(site, site.guest().open("hhh", mine=[0, 1, 2], options=SECRETS))


# --- The protocol ------------------------------------------------------------------------------


def test_a_connection_begins_with_the_revision_of_the_client(agents: list[Agent]) -> None:
    """One that is not known here is answered with the newest that begins like this."""
    for wanted, got in (("2025-06-18", "2025-06-18"), ("2031-01-01", "2025-11-25")):
        result = agents[0].ask("initialize", protocolVersion=wanted)["result"]

        assert result["protocolVersion"] == got
        assert result["serverInfo"]["version"] == __version__
        assert set(result["capabilities"]) == {"tools", "resources"}
        assert "look" in result["instructions"]
    assert agents[0].ask("ping")["result"] == {}


def test_a_notification_is_only_accepted(agents: list[Agent]) -> None:
    answer = agents[0].send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    assert (answer.status_code, answer.content) == (202, b"")


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_there_is_no_stream_and_no_session(agents: list[Agent], method: str) -> None:
    answer = agents[0].client.request(method, agents[0].path)

    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


def test_a_request_without_a_beginning_says_which_revision_it_speaks(agents: list[Agent]) -> None:
    """The newest revision: headers repeat the message, and results say that they are whole."""
    body = {"jsonrpc": "2.0", "id": "a", "method": "server/discover", "params": {"_meta": META}}
    headers = {"mcp_protocol_version": protocol.STATELESS[0], "mcp_method": "server/discover"}

    answer = agents[0].send(body, **headers)
    wrong = agents[0].send(body, **headers | {"mcp_method": "tools/list"})
    other = agents[0].send(
        {**body, "params": {"_meta": {**META, protocol.VERSION: "2031-01-01"}}},
        **headers | {"mcp_protocol_version": "2031-01-01"},
    )
    gone = agents[0].send({**body, "method": "ping"}, **headers | {"mcp_method": "ping"})

    result = answer.json()["result"]
    assert result["resultType"] == "complete"
    assert protocol.STATELESS[0] in result["supportedVersions"]
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (400, protocol.HEADER_MISMATCH)
    assert (other.status_code, other.json()["error"]["code"]) == (400, protocol.UNSUPPORTED_VERSION)
    assert other.json()["error"]["data"]["requested"] == "2031-01-01"
    assert (gone.status_code, gone.json()["error"]["code"]) == (404, protocol.METHOD_NOT_FOUND)


def test_a_header_can_name_what_headers_cannot_hold(agents: list[Agent]) -> None:
    """A name with other characters comes as Base64."""
    params = {"_meta": META, "name": "schön", "arguments": {}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {"mcp_protocol_version": protocol.STATELESS[0], "mcp_method": "tools/call"}

    named = agents[0].send(body, mcp_name="=?base64?c2Now7Zu?=", **headers)
    broken = agents[0].send(body, mcp_name="=?base64?%%?=", **headers)

    assert named.json()["error"]["code"] == protocol.INVALID_PARAMS
    assert broken.json()["error"]["code"] == protocol.HEADER_MISMATCH


NOT_MESSAGES: Final[list[Any]] = [
    [],
    [{"jsonrpc": "2.0", "id": 1, "method": "ping"}],
    "ping",
    {},
    {"jsonrpc": "1.0", "id": 1, "method": "ping"},
    {"jsonrpc": "2.0", "id": 1},
    {"jsonrpc": "2.0", "id": 1, "method": 5},
    {"jsonrpc": "2.0", "id": None, "method": "ping"},
    {"jsonrpc": "2.0", "id": True, "method": "ping"},
    {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]},
    {"jsonrpc": "2.0", "id": 1, "result": {}},
]


@pytest.mark.parametrize("body", NOT_MESSAGES)
def test_what_is_no_message_is_refused_in_one_line(agents: list[Agent], body: object) -> None:
    answer = agents[0].send(body)

    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == protocol.INVALID_REQUEST
    assert "\n" not in answer.json()["error"]["message"]


def test_what_is_no_json_is_refused(agents: list[Agent]) -> None:
    headers = {"content-type": "application/json"}
    for content in (b"{", b"\xff", b"[" * 5_000):
        answer = agents[0].client.post(agents[0].path, content=content, headers=headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, protocol.PARSE_ERROR)
    plain = agents[0].client.post(agents[0].path, content=b"{}")
    assert plain.status_code == 415


def test_unknown_methods_tools_and_resources(agents: list[Agent]) -> None:
    ada = agents[0]

    assert ada.ask("prompts/list")["error"]["code"] == protocol.METHOD_NOT_FOUND
    assert "look, why_not" in ada.ask("tools/call", name="cheat")["error"]["message"]
    assert ada.ask("tools/call", name=5)["error"]["code"] == protocol.INVALID_PARAMS
    unknown = ada.ask("resources/read", uri="file:///etc/passwd")["error"]
    assert unknown["code"] == protocol.RESOURCE_NOT_FOUND
    assert ada.ask("initialize")["error"]["code"] == protocol.INVALID_PARAMS
    assert (
        ada.send(
            {"jsonrpc": "2.0", "id": 1, "method": "ping"}, mcp_protocol_version="x"
        ).status_code
        == 400
    )


# --- Who may ask -------------------------------------------------------------------------------


def test_only_a_token_counts(site: Running) -> None:
    """A cookie is not enough, and without a token nobody is let in."""
    browser = site.browser("Ada")
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    for client in (browser.client, site.anybody().client):
        answer = client.post("/mcp", json=ping)
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    foreign = site.bearer("x").client.post(
        "/mcp", json=ping, headers={"origin": "http://evil.example"}
    )
    assert foreign.status_code == 403


def test_a_token_opens_one_seat(site: Running, agents: list[Agent]) -> None:
    """Neither a made-up token, nor one of another table, nor a guest who sits elsewhere."""
    table = agents[0].path.partition("=")[2]
    other = agents_at(site, site.guest("Eve").open("hhh", mine=[0, 1, 2]))[0]
    strangers = [
        Agent(site.bearer("x" * 24).client, agents[0].path),
        Agent(other.client, agents[0].path),
        Agent(site.guest("Mallory").client, agents[0].path),
    ]

    for each in strangers:
        for tool, given in (
            ("look", {}),
            ("play", {"move": "T"}),
            ("why_not", {"move": "T"}),
            ("wait", {}),
        ):
            assert re.search("not valid here|do not sit", each.refusal(tool, table=table, **given))
    assert agents[0].call("look")["number"] == agents[1].call("look")["number"]


def test_a_guest_has_their_own_tables(site: Running) -> None:
    """With one that goes on, it need not be named."""
    ada = site.guest()
    agent = Agent(ada.client, "/mcp")
    assert "at which table? Yours are none" in agent.refusal("look")
    opened = ada.open("hoo", mine=[0])
    assert agent.call("look")["table"] == opened["table"]
    assert agent.call("look")["status"] == "open"
    second = ada.open("hoo", mine=[0])
    assert second["table"] in agent.refusal("look")
    assert agent.call("look", table=second["table"])["seat"] == 0
    by_token = Agent(site.bearer(second["seats"][0]["token"]).client, "/mcp")
    assert "at which table?" in by_token.refusal("look")


# --- Tools -------------------------------------------------------------------------------------


def test_every_tool_says_what_it_takes_and_answers(agents: list[Agent]) -> None:
    listed = {each["name"]: each for each in agents[0].ask("tools/list")["result"]["tools"]}

    assert list(listed) == ["look", "why_not", "play", "wait", "rules"]
    assert listed["play"]["inputSchema"]["required"] == ["move"]
    assert listed["play"]["inputSchema"]["additionalProperties"] is False
    assert (
        listed["look"]["outputSchema"]["properties"]["legal"]["items"]["$ref"]
        == "#/$defs/LegalMove"
    )
    assert [name for name, each in listed.items() if not each["annotations"]["readOnlyHint"]] == [
        "play"
    ]


def test_the_seat_sees_its_own_table(agents: list[Agent]) -> None:
    """The view of the seat, its legal moves in words, and the history."""
    ada, bob, _ = agents
    seen = ada.call("look")
    assert (seen["game"], seen["seat"], seen["asked"]) == ("mauer", 0, True)
    assert {"move": "T", "meaning": "plan the tower"} in seen["legal"]
    assert seen["prompt"].endswith("What do you plan to build?")

    after = ada.call("play", move="T", number=seen["number"])

    assert after["asked"] is False
    assert after["prompt"].startswith("Your fist is closed around the tower.")
    told = bob.call("look", since=seen["number"])
    assert "tower" not in " ".join(told["history"])
    assert told["view"]["fists"] != after["view"]["fists"]


def test_two_seats_know_different_things(agents: list[Agent]) -> None:
    """What one chose is in no answer to the other: not in words, not in values."""
    ada, bob, _ = agents
    ada.call("play", move="C")

    own = ada.ask("tools/call", name="look", arguments={})["result"]
    other = bob.ask("tools/call", name="look", arguments={"since": 0})["result"]
    waited = bob.ask("tools/call", name="wait", arguments={"since": 0, "seconds": 0})["result"]

    assert own["structuredContent"]["view"]["fists"][0] == {"type": "plan", "piece": "C"}
    for seen in (other, waited):
        assert seen["structuredContent"]["view"]["fists"][0] == {"type": "closed"}
        assert "gate" not in seen["structuredContent"]["prompt"]
        assert "gate" not in " ".join(seen["structuredContent"]["history"])
        assert "the gate " not in seen["structuredContent"]["board"]


def test_why_a_move_is_not_allowed(agents: list[Agent]) -> None:
    """The clause and its text; nothing is played."""
    ada = agents[0]
    before = ada.call("look")

    build = ada.call("why_not", move=">")
    gift = ada.call("why_not", move="*C")
    fine = ada.call("why_not", move="T")
    word = ada.call("why_not", move="castle")

    assert (build["allowed"], build["clause"]) == (False, "DM-5")
    assert build["text"].startswith("DM-5: Plan first.")
    assert gift["clause"] == "DM-5"
    assert (fine["allowed"], fine["clause"], fine["reason"]) == (True, "", "plan the tower")
    assert (word["allowed"], word["clause"]) == (False, "")
    assert "is not a move" in word["reason"]
    assert ada.call("look") == before


def test_a_move_that_is_refused_changes_nothing(agents: list[Agent]) -> None:
    ada = agents[0]
    before = ada.call("look")

    assert "[clause: DM-5]" in ada.refusal("play", move=">")
    assert "is not a move" in ada.refusal("play", move="castle")
    assert "moved on" in ada.refusal("play", move="T", number=before["number"] - 1)
    assert "only at" in ada.refusal("play", move="T", number=before["number"] + 1)
    assert "`$.wait`" in ada.refusal("play", move="T", wait=tools.LONGEST_WAIT + 1)
    assert "moves" in ada.refusal("play", moves="T")
    assert (
        "Expected `object`"
        in ada.ask("tools/call", name="look", arguments=[1])["result"]["content"][0]["text"]
    )
    assert "missing required field `move`" in ada.refusal("why_not")
    assert "`$.move`" in ada.refusal("why_not", move="x" * 201)
    assert ada.call("look") == before


def test_waiting_ends_when_the_seat_is_asked(agents: list[Agent]) -> None:
    """While others think it waits; then it tells what happened."""
    ada, bob, cleo = agents
    number = ada.call("play", move="T")["number"]
    bob.call("play", move="-")
    heard: list[dict[str, Any]] = []
    waiting = threading.Thread(
        target=lambda: heard.append(ada.call("wait", since=number, seconds=20))
    )
    waiting.start()
    time.sleep(0.2)
    assert not heard

    cleo.call("play", move="-")
    waiting.join(TIMEOUT)

    (seen,) = heard
    assert seen["asked"]
    assert "Ada planned the tower" in seen["history"][0]
    assert ">" in [each["move"] for each in seen["legal"]]


def test_waiting_is_bounded(agents: list[Agent]) -> None:
    ada = agents[0]
    ada.call("play", move="T")
    began = time.monotonic()

    seen = ada.call("wait", seconds=1)

    assert not seen["asked"]
    assert time.monotonic() - began < 15
    assert "`$.seconds`" in ada.refusal("wait", seconds=3_600)


def test_the_rules_can_be_read_by_all_who_have_a_seat(agents: list[Agent]) -> None:
    """As a tool and as resources, with the number of every clause."""
    ada = agents[0]
    text = ada.call("rules")["text"]
    assert text.startswith("# Die Mauer\n")
    assert "DM-5: Plan first." in text
    assert "{" not in text
    assert ada.call("rules", clause="DM-1", language="de")["text"].startswith("DM-1: ")
    assert ada.call("rules", game="mauerbauer")["game"] == "mauerbauer"
    assert "has no clause" in ada.refusal("rules", clause="DM-999")
    assert "there is no game" in ada.refusal("rules", game="chess")
    assert "the rules are in" in ada.refusal("rules", language="fr")
    listed = ada.ask("resources/list")["result"]["resources"]
    assert len(listed) == 3 * len(GAMES)
    for each in listed:
        (content,) = ada.ask("resources/read", uri=each["uri"])["result"]["contents"]
        assert content["mimeType"] == "text/markdown"
        assert len(content["text"]) > 1_000
    assert ada.ask("resources/templates/list")["result"] == {"resourceTemplates": []}


def test_what_is_told_once_is_told_to_those_who_wait(site: Running) -> None:
    """A card that is turned up is in no history that is told again."""
    opened = site.guest().open("hh", game="burgbaumeister", mine=[0, 1], options={"first": "0"})
    ada, bob = agents_at(site, opened)
    number = bob.call("look")["number"]
    heard: list[dict[str, Any]] = []
    waiting = threading.Thread(
        target=lambda: heard.append(bob.call("wait", since=number, seconds=20))
    )
    waiting.start()
    time.sleep(0.3)
    turned = ada.call("play", move="a1")["history"]
    ada.call("play", move="-")
    waiting.join(TIMEOUT)

    assert re.fullmatch(r"Ada turned up a1: \d+\.", turned[0])
    assert heard[0]["history"] == [*turned, "Ada left the card."]
    for each in (ada, bob):
        assert each.call("look", since=number)["history"] == ["Ada left the card."]


def test_a_client_that_waits_too_often_is_refused(tmp_path: Path) -> None:
    """Requests that wait count as streams do, and all of them as requests do."""
    limits = Settings(limits=Limits(requests=1, burst=12, streams=1))
    with serving(tmp_path, limits) as site:
        ada, *_ = agents_at(site, site.guest().open("hhh", mine=[0, 1, 2], options=SECRETS))
        ada.call("play", move="T")
        waiting = threading.Thread(target=lambda: ada.call("wait", seconds=3))
        waiting.start()
        time.sleep(0.5)
        other = Agent(site.client(authorization=ada.client.headers["authorization"]), ada.path)
        body = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "wait", "arguments": {}},
        }
        busy = other.send(body)
        assert (busy.status_code, busy.json()["error"]["data"]["error"]) == (429, "busy")
        assert int(busy.headers["retry-after"]) > 0
        statuses: list[int] = []
        while 429 not in statuses and len(statuses) < 20:  # to refuse takes a second
            ping = other.send({"jsonrpc": "2.0", "id": 1, "method": "ping"})
            statuses.append(ping.status_code)
        assert {*statuses} == {200, 429}
        waiting.join(TIMEOUT)


def test_a_server_that_stops_answers_those_who_wait(tmp_path: Path) -> None:
    """At once, and not when their time is up."""
    answers: list[dict[str, Any]] = []
    with serving(tmp_path) as site:
        ada, *_ = agents_at(site, site.guest().open("hhh", mine=[0, 1, 2], options=SECRETS))
        ada.call("play", move="T")
        waiting = threading.Thread(target=lambda: answers.append(ada.call("wait", seconds=25)))
        waiting.start()
        time.sleep(0.5)
        began = time.monotonic()
    waiting.join(TIMEOUT)

    assert time.monotonic() - began < 12
    assert answers[0]["asked"] is False


def test_a_subscription_that_has_ended_is_not_asked_again() -> None:
    """Or a request would keep the server busy until its time is up."""
    looked: list[str] = []

    class Ended:
        async def look(self, table: str, /) -> tools.Seen:
            looked.append(table)
            return tools.Seen(
                table="t",
                game=GAMES["mauer"],
                number=5,
                seat=Seat(0),
                status=Status.RUNNING,
                asked=False,
                names=("Ada", "Bob", "Cleo"),
                view=None,
                prompt="",
                legal=(),
                outcome=None,
                ended="",
            )

        async def why_not(self, table: str, move: str, /) -> tools.Verdict:
            raise NotImplementedError

        async def play(self, table: str, move: str, version: int, /) -> None:
            raise NotImplementedError

        @asynccontextmanager
        async def listen(self, table: str, after: int, /) -> AsyncGenerator[tools.Heard]:
            del table, after

            async def heard(seconds: float) -> None:
                del seconds

            yield heard

    params = {"name": "wait", "arguments": {"since": 3, "seconds": 25}}
    message = protocol.Message("tools/call", params, 1)

    answer = asyncio.run(tools.handler_for(Ended()).answer(message))

    assert answer is not None
    assert answer["result"]["structuredContent"]["number"] == 5
    assert len(looked) == 2
