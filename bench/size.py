"""How large the source is, how it hangs together, and what a move passes: before and after.

    python -m bench.size --before REVISION [--rebuilt REVISION] [--no-paths]

writes bench/results-size.md. "After" is the working tree; with the other revision, the page also
says how large the source was when the rebuild ended. Lines are those of Python files in `src`. Code
is what is left without blank lines, comments and docstrings; the strings below constants and fields
count as docstrings. What else is in `src` (templates, styles, scripts, translations, networks) has
a table of its own.

What is new since 0b5c3a1 is on a list (`bench/additions.py`), so that the rebuild can be compared
without it.

An old revision runs with the packages of today, and may need one that is gone: 0b5c3a1 needs
http-ece.
"""

import ast
import io
import runpy
import subprocess
import sys
import tempfile
import tokenize
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

import click
from bench import additions, paths
from bench.paths import Measured, Passed
from tests.support.imports import cycles, imports, parsed

ROOT: Final = Path(__file__).parents[1]
RESULTS: Final = Path(__file__).with_name("results-size.md")
NEEDED: Final = ("src", "fetch_scripts.py", "package.json", "package-lock.json")
"""What is taken of another revision."""

SOURCE: Final = "src/mauerwerk"
NOTHING: Final[Mapping[str, str]] = MappingProxyType({})
SERVER: Final = ("play", "web", "server")
"""The packages of the server, which have other names in other revisions."""

ALIKE: Final = "without what is new"
"""The head of a column."""

SMALL: Final = 20
"""A module with less code than this might be part of another one."""
CROWDED: Final = 20
"""A folder with more files than this might be two."""

_EMPTY: Final = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}


class Size(NamedTuple):
    """How large some files are."""

    files: int = 0
    lines: int = 0
    code: int = 0
    imports: int = 0
    """Lines of code that belong to imports."""
    docstrings: int = 0
    blank: int = 0

    @property
    def share(self) -> str:
        """The share of imports in the code."""
        return f"{100 * self.imports / self.code:.1f} %" if self.code else ""


class Aim(NamedTuple):
    """What a figure was to be at most, when the server was rebuilt from this revision."""

    what: str
    most: float
    unit: str = ""

    def row(self, before: float, now: float, alike: float | None = None) -> "Row":
        """The figure then, now, and now without what is new; and how far it is from the aim."""
        figures = (before, now, now if alike is None else alike, self.most)
        then, today, same, most = (f"{round(each, 1):,}{self.unit}" for each in figures)
        over, same_over = self._over(figures[1]), self._over(figures[2])
        verdict = f"missed by {over}" if over else "reached"
        if over != same_over:
            verdict += f"; by {same_over} without what is new" if same_over else ""
        return (self.what, then, today, same, most, verdict)

    def _over(self, figure: float) -> str:
        over = round(figure - self.most, 1)
        return f"{over:,}{self.unit}" if over > 0 else ""


AIMS: Final = {
    "lines": Aim("lines in `src`", 84_000),
    "files": Aim("files", 550),
    "imports": Aim("imports in the code", 9, " %"),
    "circles": Aim("packages and modules in a circle", 0),
    "move": Aim("files that a move on the page passes (Python alone)", 67),
}
"""Of the move the aim was 75 files where templates count too, two thirds of what it was."""


class Tree(NamedTuple):
    """What is known about the source at one time."""

    files: Mapping[str, Size]
    """By their paths in the package."""
    added: Mapping[str, str]
    """Of the files those that are new, and what for."""
    circles: Mapping[str, int]
    """For each package, how many of its children import each other in a circle."""
    sqlite: Measured | None
    postgresql: Measured | None

    @property
    def alike(self) -> Mapping[str, Size]:
        """The files without those that are new."""
        return {path: size for path, size in self.files.items() if path not in self.added}


# --- Sizes ------------------------------------------------------------------------------------


def size_of(text: str) -> Size:
    """The size of one file."""
    tree = ast.parse(text)
    code = {
        line
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type not in _EMPTY
        for line in range(token.start[0], token.end[0] + 1)
    }
    imported: set[int] = set()
    told: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                told |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
            case ast.Import() | ast.ImportFrom():
                imported |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
            case _:
                pass
    code -= told
    lines = text.splitlines()
    blank = sum(not line.strip() for at, line in enumerate(lines, 1) if at not in code | told)
    return Size(1, len(lines), len(code), len(imported & code), len(told), blank)


def total(sizes: Iterable[Size]) -> Size:
    """The size of all of them."""
    return Size(*map(sum, zip(*sizes, strict=True))) if (sizes := tuple(sizes)) else Size()


def by_package(files: Mapping[str, Size]) -> dict[str, Size]:
    """The size of each package; modules beside them count as one."""
    found: dict[str, list[Size]] = {}
    for path, size in files.items():
        package, _, inside = path.partition("/")
        found.setdefault(package if inside else "mauerwerk", []).append(size)
    return {package: total(sizes) for package, sizes in sorted(found.items())}


def by_ending(paths: Iterable[Path]) -> dict[str, tuple[int, int]]:
    """How many files that are not Python there are by their ending, and their lines."""
    found: dict[str, tuple[int, int]] = {}
    for path in paths:
        if path.suffix != ".py":
            content = path.read_bytes()
            files, lines = found.get(path.suffix, (0, 0))
            is_text = b"\0" not in content
            found[path.suffix] = (files + 1, lines + is_text * len(content.splitlines()))
    return dict(sorted(found.items(), key=lambda each: -each[1][1]))


def crowded(files: Iterable[str]) -> int:
    """How many folders have many files."""
    folders = [path.rpartition("/")[0] for path in files]
    return sum(folders.count(folder) > CROWDED for folder in set(folders))


# --- Trees ------------------------------------------------------------------------------------


def sources(root: Path) -> dict[str, Path]:
    """All files of a tree, by their paths in the package."""
    source = root / SOURCE
    return {path.relative_to(source).as_posix(): path for path in sorted(source.rglob("*.py"))}


def read(root: Path, added: Mapping[str, str] = NOTHING, *, with_paths: bool) -> Tree:
    """Everything about a tree."""
    source = root / SOURCE
    files = {
        name: size_of(path.read_text(encoding="utf-8")) for name, path in sources(root).items()
    }
    modules = parsed(source)
    circles = {
        package: sum(map(len, parts))
        for package, parts in cycles(modules, imports(modules)).items()
    }
    sqlite = postgresql = None
    if with_paths:
        sqlite = paths.measure(source.parent)
        with paths.postgresql() as address:
            postgresql = paths.measure(source.parent, address)
    return Tree(files, added, circles, sqlite, postgresql)


@contextmanager
def checked_out(revision: str) -> Generator[Path]:
    """The source of another revision, with the scripts of its pages."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        command = ["git", "archive", "--format=tar", revision, *NEEDED]
        packed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True)  # noqa: S603 - git
        subprocess.run(["tar", "-x"], cwd=folder, input=packed.stdout, check=True)  # noqa: S607 - tar
        if (ROOT / "node_modules").is_dir():
            (folder / "node_modules").symlink_to(ROOT / "node_modules")
        runpy.run_path(str(folder / "fetch_scripts.py"))["fetch"](folder)
        yield folder


# --- The page ---------------------------------------------------------------------------------

Row = Sequence[object]


def table(*rows: Row) -> list[str]:
    """A table in Markdown; numbers have commas."""
    lines = [
        "| "
        + " | ".join(f"{cell:,}" if isinstance(cell, int) else f"{cell}" for cell in row)
        + " |"
        for row in rows
    ]
    return [lines[0], "|" + "---|" * len(rows[0]), *lines[1:], ""]


def aim_table(before: Tree, after: Tree) -> list[str]:
    """What the rebuild was to reach, and what it has reached."""
    trees = (before, after)
    sizes = [total(files.values()) for files in (before.files, after.files, after.alike)]
    rows = [
        AIMS["lines"].row(*(size.lines for size in sizes)),
        AIMS["files"].row(*(size.files for size in sizes)),
        AIMS["imports"].row(*(100 * size.imports / size.code for size in sizes)),
        AIMS["circles"].row(*(sum(tree.circles.values()) for tree in trees)),
    ]
    if before.sqlite and after.sqlite:
        passed = after.sqlite.page_move.files
        alike = passed - after.added.keys()
        rows.append(AIMS["move"].row(len(before.sqlite.page_move.files), len(passed), len(alike)))
    return table(("", "before", "after", ALIKE, "at most", ""), *rows)


def whole_table(before: Tree, rebuilt: Tree | None, after: Tree) -> list[str]:
    """The source as a whole."""
    between = (rebuilt.files, rebuilt.alike) if rebuilt else ()
    every = (before.files, *between, after.files, after.alike)
    sizes = [total(files.values()) for files in every]
    heads = ("rebuilt", ALIKE) if rebuilt else ()
    return table(
        ("", "before", *heads, "after", ALIKE),
        ("lines", *(size.lines for size in sizes)),
        ("lines of code", *(size.code for size in sizes)),
        ("lines of docstrings", *(size.docstrings for size in sizes)),
        ("blank lines", *(size.blank for size in sizes)),
        ("files", *(size.files for size in sizes)),
        ("lines of code in a file", *(round(size.code / size.files) for size in sizes)),
        ("share of imports in the code", *(size.share for size in sizes)),
        (
            f"files with less than {SMALL} lines of code",
            *(sum(size.code < SMALL for size in files.values()) for files in every),
        ),
        (f"folders with more than {CROWDED} files", *map(crowded, every)),
    )


def added_table(after: Tree) -> list[str]:
    """What is new, and how large it is."""
    found: dict[str, list[Size]] = {}
    for path, what in after.added.items():
        found.setdefault(what, []).append(after.files[path])
    sizes = {what: total(each) for what, each in found.items()}
    rows = sorted(sizes.items(), key=lambda each: -each[1].lines)
    return table(
        ("new", "files", "lines"),
        *((what, size.files, size.lines) for what, size in rows),
        ("in all", *total(sizes.values())[:2]),
    )


def package_table(before: Tree, after: Tree) -> list[str]:
    """Each package, those of the server also together."""
    old, new, alike = map(by_package, (before.files, after.files, after.alike))
    rows = {name: (old.get(name), new.get(name), alike.get(name)) for name in sorted({*old, *new})}
    together = [total(each[name] for name in SERVER if name in each) for each in (old, new, alike)]
    said = {f"`{name}`": sizes for name, sizes in rows.items()}
    server = "the server: " + ", ".join(f"`{name}`" for name in SERVER)
    said[server] = (together[0], together[1], together[2])
    head = ("lines", "after", ALIKE, "code", "after", "files", "after", "imports", "after")
    return table(
        ("package", *head),
        *((name, *_package_row(*sizes)) for name, sizes in said.items()),
    )


def _package_row(before: Size | None, after: Size | None, alike: Size | None) -> Row:
    lines, *rest = _pairs(_cells(before), _cells(after))
    return (lines, rest[0], alike.lines if alike else "", *rest[1:])


def _pairs(one: Row, other: Row) -> Row:
    return [cell for pair in zip(one, other, strict=True) for cell in pair]


def _cells(size: Size | None) -> Row:
    return (size.lines, size.code, size.files, size.share) if size else ("", "", "", "")


def other_table() -> list[str]:
    """What git knows in `src` today and is not counted above."""
    command = ["git", "ls-files", "-z", "src"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout  # noqa: S603 - git
    found = by_ending(ROOT / path for path in listed.decode().rstrip("\0").split("\0"))
    rows = ((f"`{ending}`", *counts) for ending, counts in found.items())
    return table(("files", "number", "lines"), *rows)


def circle_table(before: Tree, after: Tree) -> list[str]:
    """The packages whose children import each other in a circle."""
    found = sorted({*before.circles, *after.circles})
    if not found:
        return ["No package has children that import each other in a circle.", ""]
    return table(
        ("package", "children in a circle", "after"),
        *((f"`{name}`", before.circles.get(name, 0), after.circles.get(name, 0)) for name in found),
    )


def path_tables(before: Tree, after: Tree) -> list[str]:
    """What a request passes."""
    found = [tree.sqlite for tree in (before, after)]
    postgresql = [tree.postgresql for tree in (before, after)]

    def row(what: str, name: str) -> Row:
        passed: list[Passed | None] = [getattr(each, name) for each in found]
        files = (len(each.files) if each else "" for each in passed)
        functions = (len(each.functions) if each else "" for each in passed)
        return (what, *files, *functions)

    def statements(database: str, measured: Sequence[Measured | None], kind: str) -> Row:
        pairs = [getattr(each, f"{kind}_statements") for each in measured if each]
        each = [f"{(many - few) / 8:g}" for few, many in pairs]
        return (f"{database}, {kind} move", *(f"{few:g}" for few, _ in pairs), *each)

    moves = [each.page_move for each in found if each]
    return [
        *table(
            ("request", "files", "after", "functions", "after"),
            row("a move on the page, until four pages show it", "page_move"),
            row("a move by the API, until four streams have it", "api_move"),
            row("a move on the page, until two bots have answered it", "bot"),
            row("a move by the API, until somebody was notified of their turn", "notification"),
        ),
        "For each viewpoint and move on the page, in the third turn of a game:",
        "",
        *table(
            ("", "before", "after"),
            ("`seen`, of the new event", *(f"{each.seen_news:g}" for each in moves)),
            ("`seen`, of all events", *(f"{each.per_viewpoint('seen'):g}" for each in moves)),
            ("`view`", *(f"{each.per_viewpoint('view'):g}" for each in moves)),
            ("names", *(f"{each.per_viewpoint(*paths.NAMING):g}" for each in moves)),
        ),
        "SQL statements, transactions included:",
        "",
        *table(
            ("", "a move with four viewers", "after", "each further viewer", "after"),
            *(statements("SQLite", found, kind) for kind in ("page", "api")),
            *(statements("PostgreSQL", postgresql, kind) for kind in ("page", "api")),
        ),
    ]


WHOLE: Final = """\
## Sizes

Lines are those of Python files in `src`: code, docstrings, comments and blank lines. None of these
files is generated, or copied from elsewhere.
"""

ADDED: Final = """\
## What is new

Since the rebuild began, other work has added features. The columns "{alike}" leave out the
packages and modules that are new as a whole. `bench/additions.py` lists them, and the script makes
sure with git that none of them has an ancestor in {revision}. What these features added to other
modules (links, settings, columns, panels, commands) is counted, and so is what replaced something,
such as the trainer of `learn`.
"""

HEAD: Final = """\
# How large the source is, and what a move passes

Written by `python -m bench.size --before {revision}{rebuilt}` on {date}, Python {python}.
The first figure of a pair is of that revision, the second of today. Nothing fails because of this
page; it shows where the source drifts.
"""

OTHERS: Final = """\
Not counted above, today: translations (`.po`), scripts, styles, templates, rules and lessons in
three languages, drawings and boards; pictures, fonts and networks have no lines.
"""

CIRCLES: Final = """\
## Circles

Packages whose children import each other in a circle. Imports inside functions, for type checkers
and by name count too.
"""

EARLIER: Final = "Measured another time than the sizes above.\n"

PATHS: Final = """\
## The way of a request

Files and functions of `src` that run in the server and its workers, found with a profile hook
(`bench/paths.py`) in Die Mauer, with three players and a spectator. The stream of each of them is
open, on a page or over the API.
"""


def page(revision: str, before: Tree, rebuilt: Tree | None, after: Tree, said: str = "") -> str:
    """The whole page; `said` is how the command named the rebuilt tree."""
    date, python = f"{datetime.now(UTC):%Y-%m-%d}", sys.version.split()[0]
    lines = [
        HEAD.format(revision=revision, rebuilt=said, date=date, python=python),
        *aim_table(before, after),
        WHOLE,
        *whole_table(before, rebuilt, after),
        *package_table(before, after),
        *(
            [ADDED.format(alike=ALIKE, revision=revision), *added_table(after)]
            if after.added
            else []
        ),
        OTHERS,
        *other_table(),
        CIRCLES,
        *circle_table(before, after),
    ]
    if before.sqlite and after.sqlite:
        lines += [PATHS, *path_tables(before, after)]
    elif RESULTS.exists():
        # What was measured another time stays, and says so.
        _, heading, earlier = RESULTS.read_text(encoding="utf-8").partition(PATHS.split("\n")[0])
        lines += [heading, "", EARLIER, earlier.replace(EARLIER, "").strip()] if heading else []
    return "\n".join(lines).rstrip() + "\n"


@click.command()
@click.option("--before", required=True, help="The revision to compare with.")
@click.option("--rebuilt", help="The revision at which the rebuild was done.")
@click.option("--paths/--no-paths", "with_paths", default=True, help="Whether to measure moves.")
def main(before: str, rebuilt: str | None, *, with_paths: bool) -> None:
    """Compare the working tree with a revision, and write the page."""
    with checked_out(before) as folder:
        added: dict[str, str] = {}
        if additions.is_since(ROOT, before):
            added = additions.files_of(sources(ROOT))
            additions.check(ROOT, before, folder, SOURCE, added)
        old = read(folder, with_paths=with_paths)
    between, said = None, ""
    if rebuilt:
        said = f" --rebuilt {rebuilt}"
        with checked_out(rebuilt) as folder:
            between = read(folder, added, with_paths=False)
    new = read(ROOT, added, with_paths=with_paths)
    RESULTS.write_text(page(before, old, between, new, said), encoding="utf-8")


if __name__ == "__main__":
    main()
