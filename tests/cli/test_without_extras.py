"""Without any extra the page, the bots and the terminal work; other commands name what they need.

All commands run in one process that finds none of the optional packages.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.process

GOLDEN = Path(__file__).parents[1] / "records" / "golden" / "mauer-1" / "seats-3.txt"

RUN = """
import contextlib, importlib.abc, importlib.metadata, importlib.util, io, json, re, sys

def plain(name):
    return re.sub("[-_.]+", "-", name).lower()

required, waiting = set(), ["mauerwerk"]
while waiting:
    name = plain(waiting.pop())
    if name not in required:
        required.add(name)
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            lines = importlib.metadata.requires(name) or ()
            waiting += [re.match(r"[\\w.-]+", each)[0] for each in lines if "extra ==" not in each]
required.remove("wasmtime")  # its modules are built beside the tests, and may not be there yet
extras = {
    package
    for package, owners in importlib.metadata.packages_distributions().items()
    if not required & {plain(owner) for owner in owners}
}

class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in extras:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

find = importlib.util.find_spec
importlib.util.find_spec = lambda name: None if name in extras else find(name)
sys.meta_path.insert(0, Missing())

from mauerwerk.cli import main

said = {}
for command in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(command.split())
    said[command] = [code, err.getvalue()]
print(json.dumps(said))
"""

WORK = [
    "--help",
    "games",
    "simulate mauer --games 1 --bots greedy --seed 1",
    "match mauer --bots greedy,uniform,uniform --games 3 --jobs 1 --seed 1",
    "study mauer --bots greedy --rounds 1 --games 2 --luck 0 --jobs 1 --seed 1",
    f"replay {GOLDEN}",
    "tui --help",
    "sit --help",
]

NEED = {
    "simulate mauer --engine cpu": "kernels",
    "dataset mauer --out nowhere": "data",
    "match mauer --bots greedy,uniform,uniform --ray auto": "ray",
    "train mauer --save net.safetensors": "train",
    f"replay {GOLDEN} --picture end.png": "pictures",
}


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str]]:
    """The exit code of each command, and what it says on stderr."""
    folder = tmp_path_factory.mktemp("nothing")
    ran = subprocess.run(  # noqa: S603 - our own commands
        [sys.executable, "-c", RUN],
        input=json.dumps([*WORK, *NEED]),
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
    )
    assert list(folder.iterdir()) == []
    return {command: (code, err) for command, (code, err) in json.loads(ran.stdout).items()}


@pytest.mark.parametrize("command", WORK)
def test_what_needs_no_extra_works(said: dict[str, tuple[int, str]], command: str) -> None:
    """Rules, greedy bots, studies and records are in every installation."""
    assert said[command] == (0, "")


@pytest.mark.parametrize(("command", "extra"), NEED.items())
def test_what_needs_an_extra_names_it(
    said: dict[str, tuple[int, str]], command: str, extra: str
) -> None:
    """In one line, and nothing is written."""
    code, err = said[command]
    assert code == 2
    assert err.count("\n") == 1
    assert err.endswith(f"pip install 'mauerwerk[{extra}]'\n")
