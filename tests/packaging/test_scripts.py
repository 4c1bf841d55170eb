"""The scripts of the page: all of them are there, or one line says why not."""

import json
from pathlib import Path
from subprocess import CompletedProcess

import fetch_scripts
import pytest
from fetch_scripts import FOLDER, SCRIPTS, STAMP, MissingScriptsError, fetch

from mauerwerk.server.http import static

VERSIONS = {"htmx.org": "2.0.1", "idiomorph": "0.8.0", "htmx-ext-sse": "2.2.4"}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout that npm has installed the libraries into."""
    packages = {f"node_modules/{name}": {"version": of} for name, of in VERSIONS.items()}
    (tmp_path / "package.json").write_text("{}")
    (tmp_path / "package-lock.json").write_text(json.dumps({"packages": packages}))
    for path in SCRIPTS.values():
        name = path.partition("/")[0]
        file = tmp_path / "node_modules" / path
        file.parent.mkdir(parents=True)
        file.write_text(f"// {name}")
        manifest = {"version": VERSIONS[name]}
        (tmp_path / "node_modules" / name / "package.json").write_text(json.dumps(manifest))
    return tmp_path


def nowhere(_: str) -> None:
    """There is no such program."""


@pytest.fixture
def no_npm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fetch_scripts.shutil.which", nowhere)


def test_the_server_looks_for_what_is_fetched() -> None:
    assert set(static.VENDORED) == {f"vendor/{name}" for name in SCRIPTS}


@pytest.mark.usefixtures("no_npm")
def test_what_npm_installed_is_copied(checkout: Path) -> None:
    fetch(checkout)

    assert (checkout / FOLDER / "sse.js").read_text() == "// htmx-ext-sse"


@pytest.mark.usefixtures("no_npm")
def test_another_version_is_not_copied(checkout: Path) -> None:
    (checkout / "node_modules/idiomorph/package.json").write_text('{"version": "0.7.0"}')

    with pytest.raises(MissingScriptsError, match="npm"):
        fetch(checkout)

    assert not (checkout / FOLDER).exists()


@pytest.mark.usefixtures("no_npm")
def test_scripts_of_an_older_lock_do_not_count(checkout: Path) -> None:
    fetch(checkout)
    lock = checkout / "package-lock.json"
    lock.write_text(lock.read_text().replace("2.0.1", "2.0.2"))

    with pytest.raises(MissingScriptsError, match="npm"):
        fetch(checkout)


def test_an_sdist_needs_no_npm(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has the scripts and no stamp."""
    fetch(checkout)
    (checkout / FOLDER / STAMP).unlink()
    before = sorted((checkout / FOLDER).iterdir())
    monkeypatch.setattr(fetch_scripts, "_install", None)

    fetch(checkout)

    assert set(before) <= set((checkout / FOLDER).iterdir())
    assert before


def test_what_npm_says_is_one_line(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (checkout / "node_modules/idiomorph/package.json").unlink()

    def run(*_: object, **__: object) -> CompletedProcess[str]:
        return failed

    failed = CompletedProcess("npm", 1, "", "npm error code ENOTFOUND\nnpm error more\n")
    monkeypatch.setattr("fetch_scripts.shutil.which", str)
    monkeypatch.setattr("fetch_scripts.subprocess.run", run)

    with pytest.raises(MissingScriptsError, match=r"^npm could not .*: code ENOTFOUND$"):
        fetch(checkout)
