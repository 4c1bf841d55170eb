"""Games that other people write, with nothing but the wheel: made, checked, studied and played."""

import csv
import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from urllib.request import urlopen

import pytest
from tests.packaging.installing import ROOT, UV, run, served

pytestmark = [pytest.mark.slow, pytest.mark.process]

PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "outside"
version = "1.0"

[project.entry-points."mauerwerk.games"]
goofspiel = "outside.goofspiel:GOOFSPIEL"
liars = "outside.liars:LIARS"
"""

SPOILT = """[mauerwerk.games]
mauer = outside.liars:LIARS
spoilt = nowhere.at_all
half = outside.liars:LiarsDice
"""

Mauerwerk = Callable[..., CompletedProcess[str]]


@pytest.fixture(scope="module")
def packages(place: Path, light: Path) -> Path:
    """A folder beside the clean environment, with three packages; one of them is faulty."""
    here = place / "others"
    shutil.copytree(
        ROOT / "tests/outside",
        here / "outside/src/outside",
        ignore=shutil.ignore_patterns("__pycache__", "installed", "conftest.py", "test_*"),
    )
    (here / "outside/src/outside/__init__.py").touch()
    for module in (here / "outside").rglob("*.py"):
        module.write_text(module.read_text().replace("tests.outside", "outside"))
    (here / "outside/pyproject.toml").write_text(PROJECT)
    run(light / "mauerwerk", "new-game", "harbour", "--title", "The Harbour", cwd=here)
    install = (UV, "pip", "install", "--quiet", "--no-deps", "--target", here / "site")
    run(*install, here / "outside", here / "harbour", cwd=here)
    spoilt = here / "site" / "spoilt-2.0.dist-info"
    spoilt.mkdir()
    (spoilt / "METADATA").write_text("Metadata-Version: 2.1\nName: spoilt\nVersion: 2.0\n")
    (spoilt / "entry_points.txt").write_text(SPOILT)
    return here


@pytest.fixture
def mauerwerk(packages: Path, light: Path, tmp_path: Path) -> Mauerwerk:
    """The command of the wheel, where these packages are installed."""

    def runs(words: str, *, status: int = 0) -> CompletedProcess[str]:
        env = {**os.environ, "PYTHONPATH": str(packages / "site")}
        return run(light / "mauerwerk", *words.split(), cwd=tmp_path, env=env, status=status)

    return runs


def test_a_faulty_package_is_named_and_the_others_are_played(mauerwerk: Mauerwerk) -> None:
    """A taken name, a missing module and half a game stop nobody."""
    listed = mauerwerk("games --json")

    names = [each["name"] for each in json.loads(listed.stdout)]
    assert names == ["mauer", "burgbaumeister", "mauerbauer", "goofspiel", "harbour", "liars"]
    faults = [line for line in listed.stderr.splitlines() if "spoilt 2.0" in line]
    assert len(faults) == 3
    assert any("the name mauer is taken" in line for line in faults)
    assert any("No module named 'nowhere'" in line for line in faults)
    assert any("LiarsDice is a class" in line for line in faults)
    assert "only mauer, " in mauerwerk("simulate chess", status=2).stderr
    assert "No module named 'nowhere'" in mauerwerk("simulate spoilt", status=2).stderr


def test_a_new_game_plays_and_keeps_all_laws(mauerwerk: Mauerwerk) -> None:
    """Just as it was made; bots have rules of thumb for it."""
    checked = mauerwerk("check harbour --games 5").stdout
    played = mauerwerk("match harbour --bots greedy,uniform --games 4 --seed 1 --jobs 1")

    assert re.search(r"harbour keeps (\d+) of \1 laws", checked)
    assert "the player who moved" in checked
    assert "no rules of thumb" not in played.stderr
    missing = mauerwerk("check harbour --games 2 --untranslated de").stdout
    assert 'msgid "Prize: {prize}"' in missing
    assert 'msgid "play {card}"' not in missing  # the package brings words for it


def test_other_peoples_games_are_checked_and_studied(mauerwerk: Mauerwerk, tmp_path: Path) -> None:
    """Secrets are in a table for people; a game without points has none anywhere."""
    table = mauerwerk("check liars --dice 1 --games 2").stdout
    mauerwerk("study goofspiel --set cards=3 --games 10 --luck 0 --jobs 1 --csv study.csv")
    mauerwerk("simulate liars --dice 1 --games 3 --records games.txt")
    (tmp_path / "one.txt").write_text("goofspiel/1 seats=2 cards=2\n~:p1 0:1 1:2\n~:p2 0:2 1:1\n")

    assert re.search(r"faces +│ the player in `seat`", table)
    rows = list(csv.DictReader((tmp_path / "study.csv").read_text().splitlines()))
    assert {row["rule"] for row in rows} == {"standard", "changed", "difference"}
    assert "= last" in (tmp_path / "games.txt").read_text()
    found = json.loads(mauerwerk("analyse one.txt --seconds 1 --json").stdout)
    assert {each["seat"] for each in found["positions"] if each["choices"]} == {0, 1}


TABLE = """
import sys, urllib.request
from mauerwerk.client import Client
client = Client(sys.argv[1])
client.become("Ada")
seat = client.open("liars", bots=["apprentice"] * 2, options={"dice": "5"})
print(seat.look().view.own)
"""


def test_a_server_offers_them_although_one_package_is_faulty(
    packages: Path, light: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its pages speak of the games that are installed."""
    monkeypatch.setenv("PYTHONPATH", str(packages / "site"))
    with served(light) as site:
        with urlopen(site) as answer:  # noqa: S310 - our own server
            home = answer.read().decode()
        env = dict(os.environ)
        own = run(light / "python", "-c", TABLE, site, cwd=packages, env=env).stdout

    assert "Which game today?" in home
    assert "about walls" not in home
    assert all(title in home for title in ("Goofspiel", "Liar&#39;s dice", "The Harbour"))
    assert len(own.split(",")) == 5
