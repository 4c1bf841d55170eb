"""How a wheel and an sdist are built: whole, with the scripts of the page, or not at all.

The modules of WebAssembly, with which bots search where no compiler is installed, need tools that
are larger than all the rest. So they are built before, by `make wasm`; a release has them.

The repository's address is not known here. The publisher of a release gives it, in the variable
MAUERWERK_REPOSITORY or in pyproject.toml; then the page on PyPI has links to the project, and the
links and pictures of the README lead there. Without it, they are left out.
"""

import os
import re
import runpy
import sys
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

EDITABLE: Final = "editable"
"""How the builder calls a wheel that points to the checkout, where `make` fetches the scripts."""

VARIABLE: Final = "MAUERWERK_REPOSITORY"
MODULES: Final = "src/mauerwerk/kernels/wasm/modules"


class ScriptsHook(BuildHookInterface[Any]):
    """Fetches the scripts before anything is collected."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Fetch what is missing, or end the build with one line."""
        del build_data
        if version == EDITABLE:
            return
        script = runpy.run_path(str(Path(self.root) / "fetch_scripts.py"))
        try:
            script["fetch"](Path(self.root))
        except script["MissingScriptsError"] as fault:
            sys.exit(f"mauerwerk cannot be built: {fault}")
        if not [*(Path(self.root) / MODULES).glob("*.wasm")]:
            self.app.display_warning(
                "without what `make wasm` builds, bots search only with the extra kernels"
            )


class ReadmeHook(MetadataHookInterface):
    """Adds what depends on where the repository is: links to it, and those of the README."""

    def update(self, metadata: dict[str, Any]) -> None:
        """The README for PyPI, and the links beside it."""
        repository = os.environ.get(VARIABLE) or self.config.get("repository", "")
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": _published(text, repository.rstrip("/")),
        }
        if repository:
            at = repository.rstrip("/")
            metadata["urls"] = {
                "Homepage": at,
                "Documentation": f"{at}/tree/HEAD/docs",
                "Changelog": f"{at}/blob/HEAD/CHANGELOG.md",
                "Issues": f"{at}/issues",
            }


_LINK: Final = re.compile(r"(!?)\[([^\]\[]*)\]\((?!https?://|#)([^)\s]+)\)")


def _published(text: str, repository: str) -> str:
    """The README with absolute addresses; without a repository, with neither links nor pictures."""

    def replaced(link: "re.Match[str]") -> str:
        picture, words, path = link.groups()
        if not repository:
            return "" if picture else words
        folder = "raw" if picture else "blob"
        return f"{picture}[{words}]({repository}/{folder}/HEAD/{path})"

    return _LINK.sub(replaced, text)
