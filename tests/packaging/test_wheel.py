"""What people install: the wheel, in a clean environment outside the checkout."""

import json
import os
import resource
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from fetch_scripts import FOLDER, SCRIPTS
from tests.packaging.installing import ROOT, UV, installed, run, served, started

pytestmark = [pytest.mark.thorough, pytest.mark.process, pytest.mark.kernels]

# --- Building --------------------------------------------------------------------------------


def test_wheel_and_sdist_are_whole(dist: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    (sdist,) = dist.glob("*.tar.gz")
    in_wheel = zipfile.ZipFile(wheel).namelist()
    with tarfile.open(sdist) as archive:
        in_sdist = {name.partition("/")[2] for name in archive.getnames()}

    for name in SCRIPTS:
        assert f"mauerwerk/server/ui/static/vendor/{name}" in in_wheel
        assert str(FOLDER / name) in in_sdist
    assert sum(name.endswith(".wasm") for name in in_wheel) == 3
    assert sum(name.endswith(".wasm") for name in in_sdist) == 3
    assert {"mauerwerk/kernels/wasm/think.mjs"} <= {*in_wheel}
    assert {"README.md", "LICENSE", "hatch_build.py", "fetch_scripts.py"} <= in_sdist


def test_links_and_pictures_work_on_pypi(dist: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    archive = zipfile.ZipFile(wheel)
    (name,) = (each for each in archive.namelist() if each.endswith("/METADATA"))
    metadata = archive.read(name).decode()

    assert "Project-URL: Homepage, https://walls.example.org/mauerwerk\n" in metadata
    assert "](https://walls.example.org/mauerwerk/raw/HEAD/docs/images/page-mauer.png)" in metadata
    assert "](docs/" not in metadata


def test_without_scripts_nothing_is_built(clone: Path, place: Path) -> None:
    """And the reason is one line: npm finds no registry."""
    shutil.rmtree(clone / FOLDER, ignore_errors=True)
    offline = {
        **os.environ,
        "npm_config_registry": "http://127.0.0.1:9",
        "npm_config_cache": str(place / "empty"),
        "npm_config_fetch_retries": "0",
    }
    build: list[str | Path] = [UV, "build", "--wheel", "--out-dir", place / "none", "."]
    ran = run(*build, cwd=clone, env=offline, status=2)

    assert ran.stderr.count("mauerwerk cannot be built: ") == 1
    assert not list((place / "none").glob("*.whl"))


# --- Commands --------------------------------------------------------------------------------


def test_the_version_is_known(plain: Path) -> None:
    said = run(plain / "mauerwerk", "--version", cwd=plain).stdout
    again = run(plain / "python", "-m", "mauerwerk", "--version", cwd=plain).stdout
    code = "import mauerwerk; print('mauerwerk', mauerwerk.__version__)"

    assert said == again == run(plain / "python", "-c", code, cwd=plain).stdout


def test_help_answers_at_once(plain: Path) -> None:
    """In less than 0.3 s of CPU time, once Python has compiled the sources."""
    run(plain / "mauerwerk", "--help", cwd=plain)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(plain / "mauerwerk", "--help", cwd=plain)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)

    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.3


def interpreter(version: str) -> str | None:
    """A Python of this version, if there is one: on the path, or one of pyenv's."""
    find = [UV, "python", "find", "--no-python-downloads", version]
    found = subprocess.run(find, capture_output=True, text=True, check=False)  # noqa: S603 - as above
    if not found.returncode:
        return found.stdout.strip()
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    return next(map(str, pyenv.glob(f"versions/{version}.*/bin/python")), None)


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_every_python_plays(version: str, place: Path, dist: Path) -> None:
    """As far as there are interpreters."""
    if (python := interpreter(version)) is None:
        pytest.skip(f"there is no Python {version} here")
    bin_ = installed(place, dist, "", python)
    for game in ("mauer", "burgbaumeister", "mauerbauer"):
        run(bin_ / "mauerwerk", "simulate", game, "--games", "2", "--bots", "greedy", cwd=place)


# --- Learners --------------------------------------------------------------------------------

LEARNER = """
import gymnasium
import numpy as np
import mauerwerk.adapters.gymnasium
from mauerwerk.adapters import pettingzoo

env = gymnasium.make("mauerwerk/mauer-v1", seats=3, rounds=1, rewards="lead")
seen, info = env.reset(seed=1)
over, got = False, 0.0
while not over:
    assert env.observation_space.contains(seen)
    seen, reward, over, _, info = env.step(int(info["action_mask"].argmax()))
    got += reward
assert got <= 0 or info["rank"] == 1

envs = gymnasium.make_vec(
    "mauerwerk/burgbaumeister-v1", num_envs=8, vectorization_mode="vector_entry_point",
    rewards=lambda scores: scores.points - scores.before,
)
_, infos = envs.reset(seed=1)
assert infos["action_mask"].shape == (8, envs.single_action_space.n)
agents = pettingzoo.parallel_env("mauerbauer", board="small", rewards="points")
agents.reset(seed=1)
assert max(agents.observation_space("seat_0")["observation"].high) < np.iinfo(np.int16).max
"""


def test_learners_of_other_people_begin(place: Path, dist: Path) -> None:
    """Environments, bounds and rewards, from the wheel alone."""
    bin_ = installed(place, dist, "[adapters]")
    (place / "learner.py").write_text(LEARNER)

    run(bin_ / "python", place / "learner.py", cwd=place)


# --- Bots ------------------------------------------------------------------------------------


def test_an_installation_without_extras_is_small(plain: Path) -> None:
    """At most 150 MB, with the page and bots of all levels."""
    (site,) = (plain.parent / "lib").glob("python*/site-packages")
    files = [each for each in site.rglob("*") if each.is_file() and each.suffix != ".pyc"]
    assert sum(each.stat().st_size for each in files) < 150e6


def test_one_word_opens_the_page(plain: Path) -> None:
    """`mauerwerk` alone, without any extra: a page on which bots of every level can be chosen."""
    with started(plain) as address, urlopen(address) as answer:  # noqa: S310 - it says where it is
        page = answer.read().decode()
    for word in ("Mauerbauer", "Die Mauer", "Burgbaumeister", "Master"):
        assert word in page


@pytest.mark.parametrize("game", ["mauer", "burgbaumeister", "mauerbauer"])
def test_a_master_searches_without_a_compiler(plain: Path, game: str) -> None:
    """By modules of WebAssembly, which come with the wheel, and without a first compilation."""
    run(plain / "python", "-c", "import numba", cwd=plain, status=1)
    bots = "master:20ms,uniform,uniform"
    command = f"match {game} --bots {bots} --games 3 --jobs 1 --json".split()
    ran = run(plain / "mauerwerk", *command, cwd=plain)

    named = [each["bot"] for each in json.loads(ran.stdout)["standings"]["bots"]]
    assert "master:20ms" in named
    assert "compiling" not in ran.stderr


def test_bots_of_other_people_play(plain: Path) -> None:
    """A class in the folder, an entry point of a package, and a program."""
    (site,) = (plain.parent / "lib").glob("python*/site-packages")
    info = site / "theirs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[mauerwerk.players]\nraiser = my_bots:Raises\n")
    program = f"run:{plain / 'python'} {ROOT / 'examples' / 'lines_bot.py'}"
    bots = f"my_bots:First,raiser,{program}"
    options = ["--games", "3", "--rounds", "1", "--json"]

    command = ["match", "mauer", "--bots", bots, *options]
    ran = run(plain / "mauerwerk", *command, cwd=plain.parents[1], status=2)

    assert json.loads(ran.stdout)["forfeits"] == {"raiser": 3}
    assert ran.stderr.count("RuntimeError: oh no\nmauerwerk: the bot raiser loses a game") == 1
    assert ran.stderr.endswith("the bot raiser always fails: it lost 3 games like this\n")


def test_who_has_no_home_and_no_name_plays_on(whole: Path) -> None:
    """Kernels are kept in a temporary folder, and one line says so."""
    bare = {"PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"}
    other: dict[str, Any] = {}
    python = Path(os.path.realpath(whole / "python"))
    if os.geteuid() == 0 and all(each.stat().st_mode & 0o005 for each in python.parents):
        other = {"user": 54_321, "group": 54_321, "extra_groups": []}
    else:
        bare["MAUERWERK_CACHE"] = "/proc/nowhere"
    command = "match mauer --bots foreman:20ms,uniform,uniform --games 3 --rounds 1 --jobs 1 --json"
    ran = run(whole / "mauerwerk", *command.split(), cwd=Path("/"), env=bare, **other)

    assert json.loads(ran.stdout)["standings"]["games"] == 3
    assert "Traceback" not in ran.stderr
    assert ran.stderr.count("what is compiled is kept in") == 1


# --- A server --------------------------------------------------------------------------------


def test_a_server_offers_bots_and_a_program_sits_down(whole: Path) -> None:
    opening = """
import sys
from mauerwerk.client.http import Http
http = Http(sys.argv[1])
http.token = http.post("/api/guests", name="Ada")["token"]
chairs = [{"kind": "human"}, {"kind": "bot", "level": "first"}, {"kind": "bot", "level": "first"}]
order = dict(game="mauer", chairs=chairs, options={"rounds": "1"}, bot_delay_ms=0)
print(http.post("/api/tables", **order)["seats"][0]["link"])
"""
    with served(whole, "--bot", "my_bots:First") as site:
        link = run(whole / "python", "-c", opening, site, cwd=whole).stdout.strip()
        sat = run(
            *(whole / "mauerwerk", "sit", link, "--bot", "my_bots:First"), cwd=whole.parents[1]
        )

    assert "Robo is number " in sat.stdout


def test_a_server_without_scripts_does_not_start(whole: Path) -> None:
    (script,) = (whole.parent / "lib").glob(
        "python*/site-packages/mauerwerk/server/ui/static/vendor/sse.js"
    )
    script.rename(script.with_suffix(".away"))
    try:
        said = run(whole / "mauerwerk", "serve", cwd=whole, status=2).stderr
    finally:
        script.with_suffix(".away").rename(script)

    assert said.startswith("mauerwerk: the page's scripts are missing (vendor/sse.js)")
    assert said.count("\n") == 1
