"""Agents that play, and questions that are answered, with nothing but the wheel."""

import csv
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from tests.packaging.installing import run, served
from tests.support.fake_models import KEY, fake_models

pytestmark = [pytest.mark.slow, pytest.mark.process]

Mauerwerk = Callable[..., CompletedProcess[str]]

TABLE = """
import sys
from mauerwerk.client import ApiError, Client

client = Client(sys.argv[1])
client.become("Ada")
try:
    client.open("mauerbauer", bots=["apprentice"], options={"walls": "20"})
except ApiError as fault:
    print(fault)
seat = client.open("mauer", bots=["apprentice"] * 2)
print(f"{sys.argv[1]}/t/{seat.table}/s/{seat.seat}/{seat.token}")
"""


@pytest.fixture
def mauerwerk(light: Path, tmp_path: Path) -> Mauerwerk:
    """The command of the wheel, in a folder of its own."""

    def runs(words: str, *, status: int = 0, **more: str) -> CompletedProcess[str]:
        env = {**os.environ, **more}
        return run(light / "mauerwerk", *words.split(), cwd=tmp_path, env=env, status=status)

    return runs


def test_miniatures_are_solved_and_exploited_exactly(mauerwerk: Mauerwerk) -> None:
    """The policy is a bot, and a best response to it gains what was said."""
    solved = mauerwerk("solve mauer --miniature --iterations 20 --save policy.json --json")
    exploited = mauerwerk("exploit mauer --miniature --bot table:policy.json --json")
    gain = json.loads(solved.stdout)["exploitability"]

    assert 0 < gain < 0.0586
    assert json.loads(exploited.stdout)["exploitability"] == pytest.approx(gain)


def test_counts_are_questions(mauerwerk: Mauerwerk, tmp_path: Path) -> None:
    """A number of each game takes a range of values; a question is answered first."""
    for words, option in (
        ("mauerbauer --set walls=32..33", "walls"),
        ("mauer --rounds 1 --set penalties.T=9..10", "penalties.T"),
        ("burgbaumeister --set wall=8..9", "wall"),
    ):
        common = "--games 20 --luck 0 --seed 1 --jobs 1 --csv rows.csv"
        said = mauerwerk(f"study {words} {common}").stdout
        rows = csv.DictReader((tmp_path / "rows.csv").read_text().splitlines())
        assert len({row["rule"] for row in rows}) == 3, "two values, and how much they differ"
        assert f", {option} from " in said
        (tmp_path / "rows.csv").unlink()
    asked = "study mauer --until begin --games 400 --luck 0 --seed 1 --jobs 1"
    assert "eginning" in mauerwerk(asked).stdout.splitlines()[0]


def test_a_language_model_is_rated(mauerwerk: Mauerwerk, tmp_path: Path) -> None:
    """Over any address that speaks like OpenAI's; the report has no key in it."""
    with fake_models() as models:
        env = {"MAUERWERK_LLM_URL": models.address, "MAUERWERK_LLM_KEY": KEY}
        match = "match mauer --rounds 1 --seed 1 --games 3 --jobs 1 --json --report match.html"
        bots = "llm:illegal-once,llm:disguised:fine,uniform"
        said = mauerwerk(f"{match} --bots {bots}", **env)

    page = (tmp_path / "match.html").read_text()
    assert "illegal-once" in page
    assert KEY not in page + said.stdout + said.stderr
    disguised = [each["messages"] for each in models.asked if each["model"] == "fine"]
    assert disguised
    assert "Mauer" not in json.dumps(disguised)


def test_a_model_takes_a_seat_over_mcp(light: Path) -> None:
    """On stdin and stdout, by a link; house rules are refused at tables."""
    home = light.parents[1]
    look = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "look"}}
    with served(light) as site:
        refused, link = run(light / "python", "-c", TABLE, site, cwd=home).stdout.splitlines()
        with subprocess.Popen(  # noqa: S603 - our own command
            [light / "mauerwerk", "mcp"],
            cwd=home,
            env={**os.environ, "XDG_STATE_HOME": str(home / "state"), "MAUERWERK_LINK": link},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as program:
            assert program.stdin is not None
            assert program.stdout is not None
            program.stdin.write(json.dumps(look) + "\n")
            program.stdin.flush()
            answer = json.loads(program.stdout.readline())
            program.stdin.close()

    assert refused == "this server plays the games as printed, without walls=20"
    assert "Your legal moves" in answer["result"]["content"][0]["text"]


def test_a_program_that_dies_shows_why(light: Path, tmp_path: Path) -> None:
    """Before the one line that says whose it was."""
    (tmp_path / "dies.py").write_text("raise SystemExit('no such file: weights.bin')\n")
    bots = f"run:{light / 'python'} dies.py,uniform,uniform"
    ran = run(light / "mauerwerk", "match", "mauer", "--bots", bots, cwd=tmp_path, status=2)

    assert ran.stderr.startswith("no such file: weights.bin\n")
    assert ran.stderr.splitlines()[-1].startswith("mauerwerk: the bot run:")
