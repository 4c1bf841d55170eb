"""`mauerwerk mcp`: bad input is one line; what comes on stdin is answered or refused."""

import asyncio
import io
import json
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path

import pytest
from tests.support.web_server import TIMEOUT, Running, serving

from mauerwerk.cli import main, mcp_stdio
from mauerwerk.client import seat_at
from mauerwerk.server.features.mcp import protocol, tools

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Generator[Running]:
    with serving(tmp_path_factory.mktemp("tables")) as running:
        yield running


@pytest.mark.parametrize(
    ("link", "line"),
    [
        ("http://127.0.0.1:1/nothing", "is not the link to a seat or to a table"),
        ("{site}/t/none/s/1/none", "no such table"),
        ("{site}/t/{table}/s/1/none", "this link no longer works"),
        ("{site}/t/{table}/s/1/none/more", "is not the link to a seat or to a table"),
    ],
)
def test_a_link_that_does_not_work_is_one_line(
    site: Running, capsys: pytest.CaptureFixture[str], link: str, line: str
) -> None:
    table = site.guest().open("hoo", mine=[0])["table"]

    assert main(["mcp", link.format(site=site.address, table=table)]) == 2

    said = capsys.readouterr()
    assert said.out == ""
    assert line in said.err
    assert said.err.count("\n") == 1
    assert link[-8:] not in said.err, "it may be a token"


@pytest.mark.parametrize("way", ["a seat", "a table"])
def test_a_program_that_is_started_again_has_its_seat_again(
    site: Running,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    way: str,
) -> None:
    """Clients start it again and again. The link to a free seat works once, for anybody else."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    opened = site.guest().open("hob", mine=[])
    free, kept = opened["seats"][0]["link"], tmp_path / "mauerwerk" / "seats"
    link = free if way == "a seat" else opened["link"]

    assert main(["mcp", link]) == 0
    assert main(["mcp", link]) == 0

    said = capsys.readouterr().err.splitlines()
    assert said == 2 * [f"seat {1 if way == 'a seat' else 2} of mauer, table {opened['table']}"]
    (file,) = kept.iterdir()
    assert (file.stat().st_mode & 0o777, kept.stat().st_mode & 0o777) == (0o600, 0o700)
    assert link.rpartition("/")[2] not in file.name
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "elsewhere"))
    assert main(["mcp", link]) == 2


def test_bad_lines_are_refused_and_the_next_is_answered(site: Running) -> None:
    """Each message by itself; nothing but messages goes to stdout, and the end of stdin ends it."""
    seat = site.guest().open("hhh", mine=[0, 1, 2])["seats"][0]
    lines = [
        b"{",
        b"",
        b"[]",
        b"\xff\xfe",
        b'{"jsonrpc": "2.0", "method": "notifications/initialized"}',
        b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}}',
        b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": []}}',
        b"[" + b" " * mcp_stdio.LONGEST_LINE + b"]",
        b'{"jsonrpc": "2.0", "id": 1, "method": "nothing"}',
        b'{"jsonrpc": "2.0", "id": 2, "method": "ping"}',
    ]
    program = subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "mauerwerk", "mcp", seat["link"]],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert program.stdin is not None
    assert program.stdout is not None
    program.stdin.write(b"\n".join(lines) + b"\n")
    program.stdin.flush()
    answers = [json.loads(program.stdout.readline()) for _ in range(6)]
    rest, said = program.communicate(timeout=TIMEOUT)

    codes = [each.get("error", {}).get("code") for each in answers]
    assert sorted(codes, key=str) == [-32600, -32600, -32601, -32700, -32700, None]
    assert {each["id"] for each in answers} == {None, 1, 2}
    assert (rest, program.returncode) == (b"", 0)
    assert said.startswith(b"seat 1 of mauer, table ")


def test_more_requests_at_once_than_it_takes_are_refused(site: Running) -> None:
    """Those that wait are answered all the same."""
    seat = site.guest().open("hhh", mine=[0, 1, 2])["seats"][0]
    played = seat_at(seat["link"], "Ada")
    played.play("T", played.look().number)  # now the table waits for the others
    at_once = mcp_stdio.MOST_AT_ONCE
    call = {"name": "wait", "arguments": {"seconds": 5}}
    lines = [
        {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call}
        for number in range(at_once + 3)
    ]

    done = subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "mauerwerk", "mcp", seat["link"]],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert done.stdin is not None
    assert done.stdout is not None
    done.stdin.write(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    done.stdin.flush()
    answers = [json.loads(done.stdout.readline()) for _ in lines]
    done.communicate(timeout=TIMEOUT)

    refused = [each["id"] for each in answers if "error" in each]
    assert refused == [at_once, at_once + 1, at_once + 2]


def test_what_was_asked_before_stdin_ended_is_answered(site: Running) -> None:
    """A script that pipes its requests in; nobody waits for a turn any more, but a move is made."""
    opened = site.guest().open("hhh", mine=[0, 1, 2])
    seat = opened["seats"][0]
    move = {"name": "play", "arguments": {"move": "T", "wait": 25}}
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "look"}},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "rules"}},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": move},
        {"jsonrpc": "2.0", "id": 3, "method": "resources/list"},
    ]
    began = time.monotonic()

    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "mauerwerk", "mcp", seat["link"]],
        input=b"".join(json.dumps(line).encode() + b"\n" for line in lines),
        capture_output=True,
        check=False,
        timeout=TIMEOUT,
    )

    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert sorted(each["id"] for each in answers) == [1, 1, 2, 3]
    (played,) = (each["result"] for each in answers if each["id"] == 2)
    assert not played["isError"]
    assert not played["structuredContent"]["asked"]
    assert seat_at(seat["link"], "Ada").look().number > 4
    assert time.monotonic() - began < 20
    assert done.returncode == 0


def test_a_failure_of_its_own_is_answered(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    """A client must not wait for ever."""

    class Failing(protocol.Handler):
        async def answer(self, message: protocol.Message) -> protocol.Json | None:
            raise ZeroDivisionError(message.method)

    message = protocol.Message("tools/call", {}, 5)
    with pytest.raises(ZeroDivisionError):
        asyncio.run(mcp_stdio.answer(Failing((), (), ""), message))

    answer = json.loads(capsysbinary.readouterr().out)
    assert (answer["id"], answer["error"]["code"]) == (5, protocol.INTERNAL_ERROR)


def test_what_waits_for_a_client_that_does_not_ask_is_bounded(site: Running) -> None:
    """The rest comes from the server when it asks."""
    opened = site.guest().open("hhh", mine=[0, 1, 2])
    seat = seat_at(opened["seats"][0]["link"], "Ada")

    async def told() -> int:
        access = mcp_stdio.SeatOfClient(seat, 0)
        for number in range(3 * tools.MOST_HISTORY):
            access.put(tools.Notice(number, ()))
        async with access.listen(seat.table, 2 * tools.MOST_HISTORY) as heard:
            return len(await heard(0) or ())

    assert asyncio.run(told()) == tools.MOST_HISTORY
