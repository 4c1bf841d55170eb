"""`mauerwerk new-game`: a package with a game that plays, to be changed into one's own."""

import re
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from string import Template
from typing import Final

import click

from mauerwerk.games import GAMES

FILES: Final[Mapping[str, str]] = {
    "pyproject.toml": "pyproject.toml",
    "README.md": "README.md",
    "game.py": "src/{name}/game.py",
    "rules_of_thumb.py": "src/{name}/rules_of_thumb.py",
    "de.po": "src/{name}/locales/de.po",
    "test_game.py": "tests/test_{name}.py",
}
"""Each template, and where it goes."""
EMPTY: Final = ("src/{name}/__init__.py", "src/{name}/locales/__init__.py")


@click.command("new-game")
@click.argument("name")
@click.option("--title", help="The name on the box.  [default: made from the name]")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    help="Where the package goes; it must not exist yet.  [default: NAME]",
)
def new_game(name: str, title: str | None, folder: Path | None) -> None:
    """Make a package with a small game that plays, with tests and notes where to go on.

    Example: mauerwerk new-game harbour --title "The Harbour"
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]{1,30}", name):
        raise click.UsageError("a name is 2 to 31 small letters, digits and _, like harbour")
    if name in GAMES:
        raise click.UsageError(f"there is a game {name} already")
    if title is not None and (not title.strip() or not title.isprintable() or '"' in title):
        raise click.UsageError("a title is one line without quotation marks")
    place = Path(name) if folder is None else folder
    if place.exists():
        raise click.UsageError(f"{place} exists already")
    words = {
        "name": name,
        "title": title or name.replace("_", " ").capitalize(),
        "Class": "".join(part.capitalize() for part in name.split("_")),
        "CODE": name[:2].upper(),
    }
    templates = resources.files("mauerwerk.cli").joinpath("game_template")
    for template, target in FILES.items():
        text = templates.joinpath(f"{template}.txt").read_text(encoding="utf-8")
        _write(place / target.format(name=name), Template(text).substitute(words))
    for target in EMPTY:
        _write(place / target.format(name=name), "")
    click.echo(f"{place} has a game that plays. Go on with:")
    click.echo(f"  pip install -e {place}\n  mauerwerk check {name}\n  mauerwerk tui {name}")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
