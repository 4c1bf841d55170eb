"""The reference of the API: a page for each package, made from docstrings by the build."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

SOURCE: Final = Path(__file__).parents[2] / "src" / "mauerwerk"
LAYERS: Final = ("core", "games", "bots", "kernels", "lab", "server", "learn", "adapters", "client")
"""The layers that other programs use; pages and commands are described elsewhere."""


def pages() -> Mapping[str, str]:
    """The pages by their addresses; that of a layer comes before those of its packages."""
    made = {
        f"reference/{'/'.join(package)}.md": _page(package)
        for layer in LAYERS
        for package in _packages(SOURCE / layer)
    }
    rows = [
        f"| [`mauerwerk.{layer}`]({layer}.md) | {_summary(SOURCE / layer)} |" for layer in LAYERS
    ]
    index = "\n".join(["# Reference", "", "| package | contents |", "|---|---|", *rows, ""])
    return {"reference/index.md": index, **made}


def _packages(folder: Path) -> Iterator[tuple[str, ...]]:
    """The packages in a folder, and itself, by the parts of their names; not the migrations."""
    for init in sorted(folder.rglob("__init__.py")):
        if "migrations" not in init.parts:
            yield init.parent.relative_to(SOURCE).parts


def _page(package: tuple[str, ...]) -> str:
    folder = SOURCE.joinpath(*package)
    name = ".".join(["mauerwerk", *package])
    modules = [
        f"::: {name}.{path.stem}" for path in sorted(folder.glob("*.py")) if path.stem[0] != "_"
    ]
    itself = f"::: {name}\n    options:\n      show_root_heading: false"
    return "\n\n".join([f"# {name}", itself, *modules, ""])


def _summary(folder: Path) -> str:
    """The first line of a package's docstring."""
    lines = (folder / "__init__.py").read_text(encoding="utf-8").splitlines()
    return lines[0].strip('"') if lines else ""
