"""Puts the JavaScript libraries of the page where the server finds them: all of them or none.

    python fetch_scripts.py

They come from npm, in the versions and with the content that package-lock.json names. `make`, the
Dockerfile and the build of a wheel use this script. It needs nothing but Python and npm.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent
FOLDER: Final = Path("src/mauerwerk/server/ui/static/vendor")
SCRIPTS: Final = {
    "htmx.js": "htmx.org/dist/htmx.min.js",
    "idiomorph.js": "idiomorph/dist/idiomorph-ext.min.js",
    "sse.js": "htmx-ext-sse/dist/sse.min.js",
}
"""What the page calls each script, and where npm puts it."""

LOCK: Final = "package-lock.json"
STAMP: Final = ".copied"
"""The file beside the scripts that says for which lock they were copied."""


class MissingScriptsError(Exception):
    """The scripts are not there and cannot be fetched; the message is one line."""


def fetch(root: Path = ROOT) -> None:
    """Fetch the scripts, unless they are there already. Raises MissingScriptsError."""
    folder, lock = root / FOLDER, root / LOCK
    digest = hashlib.sha256(lock.read_bytes()).hexdigest() if lock.is_file() else ""
    if _are_there(folder, digest):
        return
    if not digest:
        raise MissingScriptsError(f"the page's scripts are not in {FOLDER}, and there is no {LOCK}")
    if _are_locked(root):
        _copy(root / "node_modules", folder, digest)
        return
    with tempfile.TemporaryDirectory() as place:
        for name in ("package.json", LOCK):
            shutil.copy(root / name, place)
        _install(Path(place))
        _copy(Path(place) / "node_modules", folder, digest)


def _are_there(folder: Path, digest: str) -> bool:
    """Whether all scripts are there, and not copied for another lock; an sdist has no stamp."""
    stamp = folder / STAMP
    return all((folder / name).is_file() for name in SCRIPTS) and (
        not stamp.is_file() or stamp.read_text(encoding="utf-8") == digest
    )


def _are_locked(root: Path) -> bool:
    """Whether npm has put the scripts of this lock into the checkout."""
    locked = json.loads((root / LOCK).read_text(encoding="utf-8"))["packages"]
    for path in SCRIPTS.values():
        package = f"node_modules/{path.partition('/')[0]}"
        try:
            found = json.loads((root / package / "package.json").read_text(encoding="utf-8"))
        except OSError:
            return False
        if found["version"] != locked[package]["version"]:
            return False
    return True


def _install(place: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise MissingScriptsError("the page's scripts are missing, and npm (Node 20) to fetch them")
    command = [npm, "ci", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"]
    ran = subprocess.run(  # noqa: S603 - npm, as the user has it
        command, cwd=place, capture_output=True, text=True, check=False
    )
    if ran.returncode:
        said = [line.removeprefix("npm error ") for line in ran.stderr.splitlines()]
        why = said[0] if said else f"exit status {ran.returncode}"
        raise MissingScriptsError(f"npm could not fetch the page's scripts: {why}")


def _copy(modules: Path, folder: Path, digest: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, path in SCRIPTS.items():
        shutil.copyfile(modules / path, folder / name)
    (folder / STAMP).write_text(digest, encoding="utf-8")


if __name__ == "__main__":
    try:
        fetch()
    except MissingScriptsError as fault:
        sys.exit(str(fault))
