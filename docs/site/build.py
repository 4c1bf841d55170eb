"""Build the documentation as a site, with search, in `build/site/html`.

    python -m docs.site.build        what `make site` runs

The site has the pages of the project, the rules in every language, the notebooks with their
results, and the reference of the API. The pocket edition, which `make site` builds first, is at
`/play`, and the first page begins with a link to it. It loads nothing from elsewhere. The build
fails at a broken link.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from docs.site import notebooks, reference, rulebooks
from docs.site.contents import contents, in_toml
from docs.site.pages import ROOT, Copier, written

HERE: Final = Path(__file__).parent
FOLDER: Final = ROOT / "build" / "site"
POCKET: Final = ROOT / "build" / "pocket"
PLAY: Final = "Play now, in this browser"
"""What the README calls its link to the pocket edition; elsewhere it leads to a page about it."""
LOGO: Final = ROOT / "src" / "mauerwerk" / "server" / "ui" / "static" / "logo.svg"


def collect(folder: Path) -> None:
    """Write the pages of the site, and its settings, into a folder."""
    pages = folder / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    copier = Copier(pages)
    for page in (*written(), ROOT / "docs" / "games", ROOT / "examples"):
        copier.copy(page)
    _write(pages, rulebooks.pages() | _notebooks() | dict(reference.pages()))
    styles = (HERE / "site.css").read_text(encoding="utf-8")
    _write(pages, {"site.css": rulebooks.styles() + styles})
    shutil.copyfile(LOGO, pages / "logo.svg")
    every = sorted(path.relative_to(pages).as_posix() for path in pages.rglob("*.md"))
    settings = (HERE / "zensical.toml").read_text(encoding="utf-8")
    nav = f"[project]\nnav = {in_toml(contents(every))}\n"
    _write(folder, {"zensical.toml": settings.replace("[project]\n", nav, 1)})


def render(folder: Path) -> Path:
    """Make the site of a folder that was collected. Raises CalledProcessError at any warning."""
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean", "--config-file"]
    subprocess.run([*command, folder / "zensical.toml"], cwd=ROOT, check=True)  # noqa: S603 - ours
    return folder / "html"


def build(folder: Path = FOLDER) -> Path:
    """Build the site in a folder; where its first page is."""
    collect(folder)
    return render(folder)


def add_pocket(site: Path, pocket: Path) -> None:
    """Put the pocket edition into a site, and let the first page lead there."""
    shutil.copytree(pocket, site / "play", dirs_exist_ok=True)
    first = site / "index.html"
    page = first.read_text(encoding="utf-8")
    found = re.sub(rf'href="[^"]*"(?=[^>]*>{PLAY}<)', 'href="play/"', page)
    if found == page:
        raise ValueError(f"the first page has no link {PLAY!r}")
    first.write_text(found, encoding="utf-8")


def _notebooks() -> dict[str, str]:
    """The notebooks of the examples, with their results."""
    scripts = sorted((ROOT / "examples").glob("*_notebook.py"))
    return {
        f"notebooks/{script.stem.removesuffix('_notebook')}.md": notebooks.notebook(script)
        for script in scripts
    }


def _write(folder: Path, pages: Mapping[str, str]) -> None:
    for address, text in pages.items():
        (folder / address).parent.mkdir(parents=True, exist_ok=True)
        (folder / address).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    made = build()
    add_pocket(made, POCKET)
    print(f"The site is in {made.relative_to(ROOT)}; to read it with search:")  # noqa: T201
    print(f"{sys.executable} -m http.server -d {FOLDER.relative_to(ROOT) / 'html'}")  # noqa: T201
