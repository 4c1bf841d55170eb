"""Pyright on what has changed since it passed: `python -m tests.support.pyright_again`.

Pyright remembers nothing between two runs, and takes a minute for all sources. So this remembers
which files it has passed, and has it check those that are different now, and all that import one of
them, directly or by others. If nothing is different, nothing is checked.
"""

import ast
import hashlib
import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
SOURCE: Final = ROOT / "src"
KEPT: Final = ROOT / "build" / "pyright.json"
SETTINGS: Final = ("pyproject.toml", "constraints.txt")
"""If one of these is different, all is checked."""


def module(path: Path) -> str:
    """The name by which a file below `src` is imported."""
    name = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
    return name.removesuffix(".__init__")


def imported(text: str) -> set[str]:
    """The modules that a text may import; a name in one of them may be a module, too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Import(names=names):
                found |= {alias.name for alias in names}
            case ast.ImportFrom(module=str(name), names=names):
                found |= {name, *(f"{name}.{alias.name}" for alias in names)}
            case _:
                pass
    return found


def affected(changed: Iterable[str], imports: Mapping[str, set[str]]) -> set[str]:
    """These modules, and all that import one of them, directly or by others."""
    importers: dict[str, set[str]] = {}
    for name, those in imports.items():
        for each in those:
            importers.setdefault(each, set()).add(name)
    found: set[str] = set()
    left = list(changed)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += importers.get(name, ())
    return found


def main() -> int:
    """Check what must be checked, and remember it if all is well."""
    files = sorted(SOURCE.rglob("*.py"))
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    settings = "".join((ROOT / name).read_text(encoding="utf-8") for name in SETTINGS)
    now = {str(path.relative_to(ROOT)): _hash(text) for path, text in texts.items()}
    now[""] = _hash(settings + sys.version)
    before: dict[str, str] = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    wanted = ["src"]
    if before.get("") == now[""]:
        names = {module(path): path for path in files}
        changed = {
            module(ROOT / name)
            for name in {**before, **now}
            if name and before.get(name) != now.get(name)
        }
        imports = {module(path): imported(text) for path, text in texts.items()} if changed else {}
        wanted = [str(names[each]) for each in sorted(affected(changed, imports) & names.keys())]
    if wanted:
        command = [str(Path(sys.executable).with_name("pyright")), *wanted]
        status = subprocess.run(command, cwd=ROOT, check=False).returncode  # noqa: S603 - ours
        if status:
            return status
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    KEPT.write_text(json.dumps(now), encoding="utf-8")
    return 0


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
