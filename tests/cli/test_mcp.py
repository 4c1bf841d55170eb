"""`mauerwerk mcp`: bad input is one line; what comes on stdin is answered or refused."""

import json
import subprocess
import sys
from collections.abc import Generator

import pytest
from tests.support.web_server import TIMEOUT, Running, serving

from mauerwerk.cli import main

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
    answers = [json.loads(program.stdout.readline()) for _ in range(5)]
    rest, said = program.communicate(timeout=TIMEOUT)

    codes = [each.get("error", {}).get("code") for each in answers]
    assert sorted(codes, key=str) == [-32600, -32601, -32700, -32700, None]
    assert {each["id"] for each in answers} == {None, 1, 2}
    assert (rest, program.returncode) == (b"", 0)
    assert said.startswith(b"seat 1 of mauer, table ")
