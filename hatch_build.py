"""A wheel or an sdist is whole, with the scripts of the page, or it is not built."""

import runpy
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

EDITABLE = "editable"
"""How the builder calls a wheel that points to the checkout, where `make` fetches the scripts."""


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
