"""A clean environment outside of the checkout, with the wheel in it."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
UV = shutil.which("uv") or str(Path(sys.executable).parent / "uv")
MINUTES = 600.0

BOTS = """
class First:
    def act(self, sight, seconds):
        return sight.legal[0]

class Raises:
    def act(self, sight, seconds):
        raise RuntimeError("oh no")
"""


def run(
    *command: str | Path,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    status: int = 0,
    **more: Any,  # noqa: ANN401 - whatever `subprocess.run` takes
) -> subprocess.CompletedProcess[str]:
    """Run a command as somebody would who does not have the checkout."""
    without = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ran = subprocess.run(  # noqa: S603 - our own commands
        [str(each) for each in command],
        cwd=cwd,
        env=without if env is None else env,
        capture_output=True,
        text=True,
        timeout=MINUTES,
        check=False,
        **more,
    )
    assert ran.returncode == status, ran.stdout + ran.stderr
    return ran


def installed(place: Path, dist: Path, extras: str, python: str = sys.executable) -> Path:
    """The commands of a clean environment with the wheel."""
    (wheel,) = dist.glob("*.whl")
    folder = Path(tempfile.mkdtemp(dir=place))
    folder.chmod(0o755)
    run(UV, "venv", "--quiet", "--python", python, folder / "env", cwd=place)
    install = (UV, "pip", "install", "--quiet", "--constraint", ROOT / "constraints.txt")
    run(*install, "--python", folder / "env/bin/python", f"{wheel}{extras}", cwd=place)
    (folder / "my_bots.py").write_text(BOTS)
    return folder / "env" / "bin"


def served(bin_: Path, *more: str) -> AbstractContextManager[str]:
    """A server with its tables beside the environment; its address."""
    return started(bin_, "serve", "--port", "0", "--no-compile", "--quiet", *more)


@contextmanager
def started(bin_: Path, *words: str) -> Generator[str]:
    """A command that says in its first line where its page is; it opens no browser."""
    home = bin_.parents[1]
    with subprocess.Popen(  # noqa: S603 - as above
        [str(bin_ / "mauerwerk"), *words],
        cwd=home,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "HOME": str(home), "BROWSER": "true"},
    ) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().split()[3]
        finally:
            server.terminate()
