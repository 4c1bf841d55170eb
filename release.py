#!/usr/bin/env python
"""Make a release: `make release VERSION=0.3.0`.

It refuses a tree with changes, a version that is not newer, and a changelog without news. Then it
runs the tests, writes the version and the changelog, builds a wheel and an sdist into `dist`, and
makes a commit and a tag. It pushes and uploads nothing. If a step fails, the tree is as it was.

A version that is written already, but has no tag, is tested, built and tagged as it is.
"""

import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

import click

ROOT: Final = Path(__file__).parent
CHANGELOG: Final = "CHANGELOG.md"
VERSION: Final = "src/mauerwerk/__init__.py"
CITATION: Final = "CITATION.cff"
WRITTEN: Final = (CHANGELOG, VERSION, CITATION)

UNRELEASED: Final = "## [Unreleased]\n"
_VERSION: Final = re.compile(r"(\d+)\.(\d+)\.(\d+)")
_WRITTEN_VERSION: Final = re.compile(r'^__version__ = "(.*)"$', re.MULTILINE)


class Release(NamedTuple):
    """What there is to do, once nothing speaks against it."""

    version: str
    prepared: bool
    """The version is written in all files."""
    notes: str
    """What the changelog says about it."""


# --- What can be decided by reading -----------------------------------------------------------


def numbers(version: str) -> tuple[int, ...]:
    """A version as numbers that can be compared."""
    found = _VERSION.fullmatch(version)
    if not found:
        raise click.ClickException(f"{version!r} is not a version such as 1.2.3")
    return tuple(map(int, found.groups()))


def current(text: str) -> str:
    """The version in the text of the package."""
    found = _WRITTEN_VERSION.search(text)
    assert found, f"{VERSION} has a version"
    return found[1]


def section(changelog: str, heading: str) -> str:
    """What stands below a heading of the changelog, up to the next one; empty without it."""
    found = re.search(rf"^## \[{re.escape(heading)}\].*\n", changelog, re.MULTILINE)
    if not found:
        return ""
    return re.split(r"^## ", changelog[found.end() :], maxsplit=1, flags=re.MULTILINE)[0].strip()


def plan(version: str, *, changes: str, tags: list[str], package: str, changelog: str) -> Release:
    """The release, or the reason why it cannot be made, in one line."""
    wanted, written = numbers(version), current(package)
    if changes:
        raise click.ClickException("the tree has changes; commit them first")
    if f"v{version}" in tags or wanted < numbers(written):
        raise click.ClickException(f"{version} is not newer than {written}")
    news = section(changelog, "Unreleased")
    if wanted > numbers(written):
        if not news:
            raise click.ClickException(f"{CHANGELOG} has nothing under Unreleased")
        return Release(version, prepared=False, notes=news)
    if news:
        raise click.ClickException(f"{CHANGELOG}: move what is under Unreleased to {version}")
    notes = section(changelog, version)
    if not notes:
        raise click.ClickException(f"{CHANGELOG} says nothing about {version}")
    return Release(version, prepared=True, notes=notes)


def released(texts: dict[str, str], version: str, date: str) -> dict[str, str]:
    """The files with this version; what was unreleased is now of that day."""
    citation = re.sub(r"^(version|date-released): .*\n", "", texts[CITATION], flags=re.MULTILINE)
    return {
        CHANGELOG: texts[CHANGELOG].replace(
            UNRELEASED, f"{UNRELEASED}\n## [{version}] - {date}\n", 1
        ),
        VERSION: _WRITTEN_VERSION.sub(f'__version__ = "{version}"', texts[VERSION]),
        CITATION: citation.rstrip() + f"\nversion: {version}\ndate-released: {date}\n",
    }


# --- What has to be done ----------------------------------------------------------------------


def run(*command: str) -> str:
    """Run a command of the project's environment or of the system; what it prints."""
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603 - ours
    return done.stdout.strip()


def build(version: str) -> list[Path]:
    """A wheel and an sdist, and nothing else of that version."""
    tool = Path(sys.executable).with_name("uv")
    run(sys.executable, "-m", "mauerwerk.kernels.wasm_build")
    run(str(tool), "build", "--quiet", "--out-dir", "dist")
    made = sorted((ROOT / "dist").glob(f"mauerwerk-{version}*"))
    if [path.suffix for path in made] != [".whl", ".gz"]:
        raise click.ClickException(f"dist has {', '.join(path.name for path in made) or 'nothing'}")
    return made


@click.command()
@click.argument("version")
@click.option("--tests", default="test", help="The tests to pass: test, thorough, quick or none.")
def main(version: str, tests: str) -> None:
    """Test, write, build and tag VERSION."""
    os.chdir(ROOT)
    texts = {name: Path(name).read_text(encoding="utf-8") for name in WRITTEN}
    wanted = plan(
        version,
        changes=run("git", "status", "--porcelain"),
        tags=run("git", "tag").split(),
        package=texts[VERSION],
        changelog=texts[CHANGELOG],
    )
    if tests != "none":
        subprocess.run(["make", tests], check=True)  # noqa: S603, S607 - ours
    try:
        if not wanted.prepared:
            for name, text in released(texts, version, f"{datetime.now(UTC):%Y-%m-%d}").items():
                Path(name).write_text(text, encoding="utf-8")
        made = build(version)
        if not wanted.prepared:
            run("git", "commit", "--quiet", "--message", f"release: {version}", *WRITTEN)
    except BaseException:
        run("git", "checkout", "--quiet", "HEAD", "--", *WRITTEN)
        raise
    message = f"Mauerwerk {version}\n\n{wanted.notes}\n"
    run("git", "tag", "--annotate", "--cleanup=verbatim", "--message", message, f"v{version}")
    for path in made:
        click.echo(f"built dist/{path.name}")
    click.echo(f"tagged v{version}; next: git push --follow-tags, and upload dist")


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as fault:
        sys.exit(f"release: {' '.join(map(str, fault.cmd))} failed; nothing was released")
