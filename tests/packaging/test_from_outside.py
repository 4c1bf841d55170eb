"""What people do with the wheel who never see the checkout: games, studies, pictures, programs."""

import json
import shutil
from pathlib import Path

import pytest
from tests.packaging.installing import ROOT, UV, installed, run, served

pytestmark = [pytest.mark.thorough, pytest.mark.process, pytest.mark.kernels]

PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "breach"
version = "1.0"
dependencies = ["mauerwerk"]

[project.entry-points."mauerwerk.games"]
breach = "breach.game:BREACH"

[project.entry-points."mauerwerk.bots"]
breach = "breach.greedy"

[project.entry-points."mauerwerk.studies"]
breach = "breach.study"

[project.entry-points."mauerwerk.server.games"]
breach = "breach.web:WEB_GAME"
"""


def test_a_game_of_another_package_is_played(place: Path, dist: Path) -> None:
    """As `docs/how-to/add-a-game.md` tells: it is built, installed and known everywhere."""
    bin_ = installed(place, dist, "[server,lab]")
    package = place / "package" / "src" / "breach"
    shutil.copytree(
        ROOT / "tests/fourth_game",
        package,
        ignore=shutil.ignore_patterns("__pycache__", "installed", "conftest.py", "test_*"),
    )
    (package / "__init__.py").touch()
    for module in package.rglob("*.py"):
        module.write_text(module.read_text().replace("tests.fourth_game", "breach"))
    (place / "package" / "pyproject.toml").write_text(PROJECT)
    install = (UV, "pip", "install", "--quiet", "--no-deps", "--python", bin_ / "python")
    run(*install, place / "package", cwd=place)
    program = bin_ / "mauerwerk"

    assert "breach: The Breach" in run(program, "games", cwd=place).stdout
    for command in (
        "match breach --seats 3 --bots greedy,uniform,uniform --games 12",
        "study breach --games 8 --set rounds=2 --luck 0",
        "simulate breach --games 1 --records breach.txt",
    ):
        run(program, *command.split(), cwd=place)
    run(program, "replay", place / "breach.txt", "--animate", place / "breach.svg", cwd=place)
    with served(bin_) as site:
        code = "import sys; from mauerwerk.client import Client; c = Client(sys.argv[1]);"
        code += "c.become('Ada'); print(c.open('breach', bots=['apprentice'] * 2).look().prompt)"
        run(bin_ / "python", "-c", code, site, cwd=place)


def test_a_study_compares_games_with_their_twins(whole: Path) -> None:
    """Small differences show, and so does whether it is good to begin."""
    command = "study mauer --set stall=6 --games 4000 --seed 1 --luck 0 --json"
    said = json.loads(run(whole / "mauerwerk", *command.split(), cwd=whole).stdout)
    turns = said["answers"]["length"]["turns"]["mean"]["change"]

    assert turns["high"] - turns["mean"] == pytest.approx(0.032, abs=0.001)
    assert 0.99 * 4000 < said["studies"][1]["same"] < 4000

    command = "study mauer --first lot --games 20000 --seed 1 --luck 0 --json"
    said = json.loads(run(whole / "mauerwerk", *command.split(), cwd=whole).stdout)
    begins, *_, last = said["answers"]["order"].values()
    assert begins["wins"]["values"][0]["low"] > last["wins"]["values"][0]["high"]


def test_a_study_tells_once_of_a_bot_that_fails(plain: Path) -> None:
    """However many workers it has."""
    bots = "my_bots:Raises,uniform,uniform"
    command = ["study", "mauer", "--seats", "3", "--rounds", "1", "--bots", bots]
    options = ["--games", "12", "--luck", "0", "--jobs", "2", "--json"]
    ran = run(plain / "mauerwerk", *command, *options, cwd=plain.parents[1])

    assert ran.stderr.count("Traceback") == 1
    assert json.loads(ran.stdout)["forfeits"] == {"my_bots:Raises": 12}


def test_games_are_drawn(place: Path, dist: Path) -> None:
    bin_ = installed(place, dist, "[pictures]")
    record = ROOT / "tests/records/golden/mauer-1/seats-3.txt"
    for option, name in [
        ("--animate", "game.svg"),
        ("--animate", "game.gif"),
        ("--picture", "position.png"),
    ]:
        run(bin_ / "mauerwerk", "replay", record, option, place / name, "--last", "9", cwd=place)

    beginnings = [(place / f).read_bytes()[:4] for f in ("game.svg", "game.gif", "position.png")]
    assert beginnings == [b"<svg", b"GIF8", b"\x89PNG"]


SPIEL = """
import pyspiel
from mauerwerk.adapters import openspiel

for name in ("mauer", "burgbaumeister", "mauerbauer"):
    game = openspiel.load(name)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    assert len(state.information_state_tensor(0)) > len(state.observation_tensor(0))
    _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert str(again) == str(state)
"""


def test_openspiel_has_tensors_of_information_states(place: Path, dist: Path) -> None:
    bin_ = installed(place, dist, "[adapters]")

    run(bin_ / "python", "-c", SPIEL, cwd=place)


ASYNCHRONOUS = """
import asyncio
import sys
from mauerwerk.client import AsyncClient
from mauerwerk.games import mauer

async def play():
    client = AsyncClient(sys.argv[1])
    await client.become("Ada")
    seat = await client.open("mauer", bots=["apprentice"] * 2, options={"rounds": "1"})
    seen = await seat.look()
    assert isinstance(seen.view, mauer.VIEW) and seen.is_asked
    await seat.play(seen.legal[0], seen.number)
    async for notice in seat.follow(seen.number):
        assert all(isinstance(event, mauer.EVENTS) for event in notice.events)
        break

asyncio.run(play())
"""


def test_programs_of_other_people_play_over_the_network(whole: Path, place: Path) -> None:
    """The client library, and the examples that need no library."""
    with served(whole) as site:
        run(whole / "python", "-c", ASYNCHRONOUS, site, cwd=place)
        run(whole / "python", ROOT / "examples/api_bot.py", site, cwd=place)
        if node := shutil.which("node"):
            run(node, ROOT / "examples/api_bot.mjs", site, cwd=place)
        code = "import json, sys, urllib.request as r; print(json.load(r.urlopen(sys.argv[1]))"
        code += "['paths']['/api/tables/{table}/record']['get']['responses']['200']['content'])"
        told = run(whole / "python", "-c", code, f"{site}/api/openapi.json", cwd=place).stdout

    assert told.startswith("{'text/plain")
