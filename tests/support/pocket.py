"""The pocket edition for tests: built once for what the sources say now."""

import fcntl
import json
import shutil
import subprocess
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from tests.support.wasm import modules

ROOT: Final = Path(__file__).parents[2]
SOURCE: Final = ROOT / "src" / "mauerwerk"
NODE: Final = shutil.which("node")
SCRIPTS: Final = ROOT / "tests" / "pocket" / "node"
BEHIND: Final = "__pycache__"


def _fingerprint() -> str:
    paths = [ROOT / "constraints.txt", ROOT / "package-lock.json", *sorted(SOURCE.rglob("*"))]
    content = sha256()
    for path in paths:
        if path.is_file() and BEHIND not in path.parts:
            content.update(path.relative_to(ROOT).as_posix().encode())
            content.update(path.read_bytes())
    return content.hexdigest()


@cache
def built() -> Path:
    """The folder; workers of a test run share it."""
    modules()
    folder = ROOT / "build" / "pocket"
    folder.parent.mkdir(exist_ok=True)
    stamp = folder.with_name("pocket.stamp")
    with folder.with_name("pocket.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = _fingerprint()
        if not folder.is_dir() or not stamp.is_file() or stamp.read_text() != wanted:
            words = [sys.executable, "-m", "mauerwerk.pocket.build", str(folder)]
            subprocess.run(words, check=True, capture_output=True)  # noqa: S603 - our own words
            stamp.write_text(wanted)
    return folder


def run(script: str, *given: object) -> Any:  # noqa: ANN401 - whatever it prints
    """What a script of these tests prints, as JSON."""
    assert NODE is not None
    texts = [each if isinstance(each, str) else json.dumps(each) for each in given]
    words = [NODE, str(SCRIPTS / script), str(built()), *texts]
    said = subprocess.run(words, check=False, capture_output=True, text=True)  # noqa: S603 - our own
    assert not said.returncode, said.stderr[-2_000:]
    return json.loads(said.stdout.splitlines()[-1])
