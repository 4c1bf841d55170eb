"""A Ray cluster plays the same games as one machine, even if workers die.

The cluster and whoever commands it have a copy of the package, so that neither sees a file that is
changed while they play.
"""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from functools import partial
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest
from tests.support.amounts import amount

import mauerwerk

HEAD = """
import sys, ray
mine = ray.init("local", num_cpus=2, include_dashboard=False, object_store_memory=80 * 2**20,
    log_to_driver=False, _temp_dir=sys.argv[1])
print(mine.address_info["address"], flush=True)
sys.stdin.read()
"""

pytestmark = [pytest.mark.foreign, pytest.mark.process]

SECONDS = 600
"""Far more than anything here takes, on a machine that has much else to do."""


class Ray(NamedTuple):
    """A cluster of two cores, for commands."""

    address: str
    environment: dict[str, str]
    process: int

    def begin(self, *command: str, **changed: str) -> "subprocess.Popen[str]":
        """Start Python like this."""
        return subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**self.environment, **changed},
            start_new_session=True,
        )

    def mauerwerk(self, command: str, address: str = "", **changed: str) -> "subprocess.Popen[str]":
        """Start a command on the cluster, or on another."""
        line = [*shlex.split(command), "--ray", address or self.address]
        return self.begin("-m", "mauerwerk", *line, **changed)

    def done(self, command: str, address: str = "") -> str:
        """What such a command prints; it must succeed, and complain of nothing."""
        with self.mauerwerk(command, address) as running:
            out, err = running.communicate(timeout=SECONDS)
        assert (running.returncode, err) == (0, "")
        return out

    @property
    def workers(self) -> list[int]:
        """The processes that play, oldest first."""
        return sorted(pid for pid in self._below(self.process) if _title(pid) == "ray::mauerwerk")

    def _below(self, parent: int) -> Generator[int, None, None]:
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                above = int(stat.read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue  # it has just ended
            if above == parent:
                yield int(stat.parent.name)
                yield from self._below(int(stat.parent.name))


def _title(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().rstrip("\0 ")
    except OSError:
        return ""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a copy of the package is, without what was compiled for speed."""
    folder = tmp_path_factory.mktemp("copy")
    without = shutil.ignore_patterns("*.nbi", "*.nbc")
    shutil.copytree(Path(mauerwerk.__file__).parent, folder / "mauerwerk", ignore=without)
    return folder


@pytest.fixture(scope="module")
def ray(copy: Path) -> Generator[Ray, None, None]:
    """A cluster on this machine, with a token of its own."""
    pytest.importorskip("ray")
    with TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as home:
        environment = {
            **os.environ,
            "PYTHONPATH": str(copy),
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": "ab" * 32,
            "RAY_USAGE_STATS_ENABLED": "0",
        }
        head = subprocess.Popen(  # noqa: S603 - our own text
            [sys.executable, "-c", HEAD, home],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        )
        with head:
            assert head.stdin
            assert head.stdout
            yield Ray(head.stdout.readline().strip(), environment, head.pid)
            head.stdin.close()


def games(file: Path) -> list[dict[str, Any]]:
    """The contest and its sorted results, without what depends on the clock."""
    lines: list[dict[str, Any]] = [json.loads(line) for line in file.read_text().splitlines()]
    return sorted(
        ({key: line[key] for key in line if key != "times"} for line in lines), key=json.dumps
    )


def has_games(file: Path, at_least: int) -> bool:
    """Whether this many games have been saved."""
    return file.exists() and file.read_bytes().count(b"\n") > at_least


def wait_until(
    reached: Callable[[], object], during: "subprocess.Popen[str] | None" = None
) -> None:
    """Wait for something; a command must not end before."""
    deadline = time.monotonic() + SECONDS
    while not reached():
        assert during is None or during.poll() is None, during.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)


def run_here(command: str) -> str:
    """What a command prints on one machine."""
    line = [sys.executable, "-m", "mauerwerk", *shlex.split(command)]
    done = subprocess.run(line, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603 - ours
    return done.stdout


MATCH = "match mauer --bots greedy,journeyman,uniform --seed 1"


@pytest.mark.thorough
def test_games_of_a_worker_that_is_killed_are_played_again(ray: Ray, tmp_path: Path) -> None:
    """In the middle of a match: every game is there once, as one machine plays it."""
    here, there = tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    command = f"{MATCH} --games 30 --json --results"
    running = ray.mauerwerk(f"{command} {there}")
    for some in amount((3,), (3,), (3, 9)):
        wait_until(partial(has_games, there, at_least=some), running)
        wait_until(lambda: ray.workers, running)
        os.kill(ray.workers[0], signal.SIGKILL)
    out, err = running.communicate(timeout=SECONDS)

    assert (running.returncode, err) == (0, "")
    assert json.loads(out)["standings"]["games"] == 30
    run_here(f"{command} {here}")
    assert games(there) == games(here)


@pytest.mark.thorough
def test_a_ladder_on_a_cluster_of_its_own(ray: Ray, tmp_path: Path) -> None:
    """`local` starts one, and nothing is left of it; the ratings are those of one machine."""
    ladder = "ladder mauer --seats 3 --rounds 1 --seed 1 --games 6 --bots greedy,uniform,journeyman"
    command = f"{ladder} --json --jobs 2 --results {tmp_path}"
    there = json.loads(ray.done(f"{command}/there.jsonl", address="local"))
    here = json.loads(run_here(f"{command}/here.jsonl"))

    assert there["jobs"] == 2
    assert there["ratings"] == here["ratings"]
    assert games(tmp_path / "there.jsonl") == games(tmp_path / "here.jsonl")


@pytest.mark.thorough
def test_a_study_on_a_cluster_counts_what_one_machine_counts(ray: Ray) -> None:
    """Every figure is the same, by compiled code and by the rules."""
    for bots in ("uniform", "greedy"):
        study = f"study mauer --seats 3 --rounds 1 --bots {bots} --games 24 --luck 2 --seed 1"
        command = f"{study} --set stall=3 --json --jobs 2"

        assert json.loads(ray.done(command)) == json.loads(run_here(command))


@pytest.mark.thorough
def test_ctrl_c_leaves_the_cluster_as_it_was(ray: Ray, tmp_path: Path) -> None:
    """What was played is reported, and nobody plays on."""
    file = tmp_path / "results.jsonl"
    endless = f"{MATCH} --rounds 1 --games 1000000 --json --results {file}"
    running = ray.mauerwerk(endless)
    wait_until(partial(has_games, file, at_least=12), running)
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=SECONDS)

    assert (running.returncode, err) == (130, "")
    assert json.loads(out)["stopped"] is True
    wait_until(lambda: not ray.workers)


@pytest.mark.thorough
def test_machines_with_another_mauerwerk_are_refused(ray: Ray, copy: Path, tmp_path: Path) -> None:
    """One line, before anything is played or written: a changed rule would be another game."""
    shutil.copytree(copy / "mauerwerk", tmp_path / "mauerwerk")
    with (tmp_path / "mauerwerk" / "games" / "mauer" / "rules.py").open("a") as rules:
        rules.write("# house rules\n")
    files = f"--results {tmp_path / 'results.jsonl'} --records {tmp_path / 'records'}"
    refused = ray.mauerwerk(f"{MATCH} {files}", PYTHONPATH=str(tmp_path))
    out, err = refused.communicate(timeout=SECONDS)

    assert (refused.returncode, out) == (2, "")
    assert err.startswith("mauerwerk: the machine ")
    assert err.endswith(f" has another mauerwerk {version('mauerwerk')}: files differ\n")
    assert [path.name for path in tmp_path.iterdir()] == ["mauerwerk"]


FAULTS = """
import math, os, sys
from mauerwerk.lab.cluster import cluster
from mauerwerk.lab.workers import WorkError, map_unordered

with cluster(sys.argv[1]) as workers:
    for work, tasks in ((math.sqrt, [4, -1]), (os._exit, [3]), (sys._getframe, [0])):
        try:
            print(list(map_unordered(work, tasks, workers)))
        except WorkError as fault:
            print(fault)
    print(sorted(map_unordered(abs, range(-20, 0), workers)) == list(range(1, 21)))
"""


@pytest.mark.thorough
def test_faults_of_the_work_are_told_in_a_line(ray: Ray) -> None:
    """They are not tried for ever, and the workers go on with other work."""
    out, err = ray.begin("-c", FAULTS, ray.address).communicate(timeout=SECONDS)

    assert err == ""
    failed, died, stuck, well = out.splitlines()
    assert failed == "-1 failed: ValueError: math domain error"
    assert died == "3 workers died of 3"
    assert stuck.startswith("0 failed: ")
    assert "cannot pickle" in stuck
    assert well == "True"


@pytest.mark.thorough
def test_a_cluster_that_wants_a_token_gets_none_unasked(ray: Ray) -> None:
    """Then it is refused, in one line of ours and none of Ray's."""
    refused = ray.mauerwerk(MATCH, RAY_AUTH_MODE="disabled")
    out, err = refused.communicate(timeout=SECONDS)

    assert (refused.returncode, out) == (2, "")
    assert err == (
        f"mauerwerk: no Ray cluster at '{ray.address}': it wants a token, "
        "and RAY_AUTH_MODE=token and RAY_AUTH_TOKEN=… to send it\n"
    )
