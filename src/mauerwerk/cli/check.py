"""`mauerwerk new-game` makes a game of one's own; `mauerwerk check` tries the laws on it."""

import re
from collections.abc import Mapping
from importlib import resources
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from string import Template
from typing import Any, Final

import click
from rich.console import Console

from mauerwerk.cli import common, contests, per_game
from mauerwerk.core import laws
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.core.language import ENGLISH, TITLES, counted, language_of, listed
from mauerwerk.games import GAMES
from mauerwerk.lab.check import Told, as_po, broken_laws, untranslated, who_is_told


@per_game.game_command()
@click.option(
    "--games", type=common.POSITIVE, default=20, help="How many games each law is tried in."
)
@click.option("--seed", type=int, default=0, help="The seed of the first game.")
@click.option(
    "--untranslated",
    "code",
    type=click.Choice([code for code in TITLES if code != ENGLISH.code]),
    help="Print what the game says and this language has no words for, as entries of a .po file, "
    "instead of checking anything.",
)
@common.AS_JSON
def check(
    game: AnyGame,
    setup: Setup[Any],
    *,
    games: int,
    seed: int,
    code: str | None,
    as_json: bool,
) -> None:
    """Check that a game keeps all laws, and say who is told what.

    The exit code is 1 if a law is broken. The laws find a leak where two games look alike that
    should not. Whether a card that is dealt is a secret they cannot know: read the table.

    Example: mauerwerk check GAME --games 50
    """
    if not game.must_end(setup):
        raise SetupError(f"{game.NAME} with these options need not end, so it cannot be checked")
    seeds = range(seed, seed + games)
    if code is not None:
        try:
            missing = untranslated(game, setup, seeds, language_of(code))
        except laws.BrokenLawError as fault:
            raise click.ClickException(str(fault)) from None
        click.echo(as_po(missing), nl=False)
        return
    broken = list(broken_laws(game, setup, seeds))
    told = [] if broken else who_is_told(game, setup, seeds)
    if as_json:
        common.print_json({"broken": broken, "told": told})
    else:
        for each in broken:
            alike = [other.law for other in broken if other.cause == each.cause]
            if each.law == alike[0]:
                click.echo(f"{each.law}, seed {each.seed}: {each.said}")
                if alike[1:]:
                    click.echo(f"\nThe same stops {listed(alike[1:])}.")
                click.echo()
        if told:
            _print_told(told)
        kept = f"{len(laws.LAWS) - len(broken)} of {counted(len(laws.LAWS), 'law')}"
        click.echo(f"{game.NAME} keeps {kept} in {counted(games, 'game')} of {setup.seats} seats")
    if broken:
        raise click.exceptions.Exit(common.UNSOUND)


def _print_told(told: list[Told]) -> None:
    table = contests.start_table("Who is told what:", "event", "field", "told to")
    table.columns[1].justify = table.columns[2].justify = "left"
    last = ""
    for each in told:
        once = " (told once, and never again)" if each.once else ""
        table.add_row("" if each.event == last else each.event, each.field, each.who + once)
        last = each.event
    Console().print(table)


# --- A game of one's own --------------------------------------------------------------------------


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
    if iskeyword(name) or find_spec(name) is not None:
        raise click.UsageError(f"{name} means something to Python already: take another name")
    if title is not None and (not title.strip() or not title.isprintable() or {*'"\\'} & {*title}):
        raise click.UsageError("a title is one line without quotation marks and backslashes")
    place = Path(name) if folder is None else folder
    if place.exists():
        raise click.UsageError(f"{place} exists already")
    words = {
        "name": name,
        "title": title or name.replace("_", " ").capitalize(),
        "Class": "".join(part.capitalize() for part in (*name.split("_"), "game")),
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
