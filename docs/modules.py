#!/usr/bin/env python
"""Write the map of the source: `docs/modules.md`, and the table of packages in `docs/design.md`.

    python docs/modules.py            rewrite stale pages
    python docs/modules.py --check    change nothing; fail if a page is stale

What a module is for is the first line of its docstring.
"""

import ast
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import click

DOCS: Final = Path(__file__).parent
SOURCE: Final = DOCS.parent / "src" / "mauerwerk"
MAP: Final = "modules.md"
DESIGN: Final = "design.md"
BEGIN: Final = "<!-- packages -->\n"
END: Final = "<!-- /packages -->\n"

HEAD: Final = """\
# The modules

Every module with the first line of its docstring, a section for each package.
`make docs` writes this page; [the design](design.md) says how the parts fit together.
"""

DEEPEST: Final = 2
"""How many levels of packages the design shows, and what is in a folder of features."""
FEATURES: Final = "features"


class Module(NamedTuple):
    """A module or a package, and what it is for."""

    name: str
    """Without `mauerwerk.`; empty for the topmost package."""
    about: str
    is_package: bool

    @property
    def package(self) -> str:
        """The package that it is in."""
        return self.name.rpartition(".")[0]

    @property
    def level(self) -> int:
        """How deep it is below the topmost package."""
        return len(self.name.split(".")) if self.name else 0


def modules(source: Path) -> Iterator[Module]:
    """All modules of a package, those of a folder in the order of their names."""
    for path in sorted(source.rglob("*.py")):
        parts = path.relative_to(source).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        yield Module(".".join(parts[:-1] if is_package else parts), about(path), is_package)


def about(path: Path) -> str:
    """The first line of a module's docstring, without its full stop, as a cell of a table."""
    text = path.read_text(encoding="utf-8")
    end = text.find('"""', 3)  # parsing the docstring alone is forty times as fast
    said = ast.get_docstring(ast.parse(text[: end + 3])) if end > 0 else None
    if not said:
        raise click.ClickException(f"{path} has no docstring")
    return said.partition("\n")[0].removesuffix(".").replace("|", "\\|")


def module_map(source: Path) -> str:
    """The page that lists all modules."""
    found = list(modules(source))
    inside: dict[str, list[Module]] = {}
    for module in found:
        if module.name and not module.is_package:
            inside.setdefault(module.package, []).append(module)
    return "\n".join(
        [HEAD, *(_section(each, inside.get(each.name, [])) for each in found if each.is_package)]
    )


def _section(package: Module, inside: list[Module]) -> str:
    title = f"## `{'.'.join(filter(None, (SOURCE.name, package.name)))}`"
    about = textwrap.fill(f"{package.about}.", 100)
    rows = [f"| `{each.name.rpartition('.')[2]}` | {each.about} |" for each in inside]
    table = ["", "| module | holds |", "|---|---|", *rows] if rows else []
    return "\n".join([title, "", about, *table, ""])


def package_table(source: Path) -> str:
    """The packages of the upper levels, without the rooms of single games."""
    found = [each for each in modules(source) if each.is_package]
    games = {each.name.rpartition(".")[2] for each in found if each.package == "games"}
    rows = [
        f"| `{each.name}` | {each.about} |"
        for each in found
        if 0 < each.level <= DEEPEST or each.package.rpartition(".")[2] == FEATURES
        if each.name.rpartition(".")[2] not in games or each.package == "games"
    ]
    return "\n".join(["| package | holds |", "|---|---|", *rows, ""])


def renewed(page: str, source: Path) -> str:
    """The design with an up-to-date table of packages."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise click.ClickException(f"{DESIGN} lacks the marks {BEGIN.strip()} {END.strip()}")
    return f"{before}{begin}{package_table(source)}{end}{after}"


@click.command()
@click.option("--check", is_flag=True, help="Change nothing; fail if a page is stale.")
@click.option(
    "--pages",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=DOCS,
    help="The folder of the pages.",
)
def main(*, check: bool, pages: Path) -> None:
    """Write the map of the source into the documentation."""
    design = (pages / DESIGN).read_text(encoding="utf-8")
    new = {MAP: module_map(SOURCE), DESIGN: renewed(design, SOURCE)}
    stale = [
        name
        for name, text in new.items()
        if not (pages / name).exists() or (pages / name).read_text(encoding="utf-8") != text
    ]
    if check and stale:
        raise click.ClickException(f"stale: {', '.join(stale)}; run make docs")
    for name in stale:
        (pages / name).write_text(new[name], encoding="utf-8")
    click.echo(f"rewritten: {', '.join(stale)}" if stale else "the map is up to date")


if __name__ == "__main__":
    main()
