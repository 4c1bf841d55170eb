"""Build the pocket edition: a folder of static files that any web server can serve.

    python -m mauerwerk.pocket.build build/pocket

It needs a checkout with its development environment, and npm's package `pyodide` in `node_modules`.
Python's packages come from this environment, as sources; msgspec, which is compiled, comes from PyPI
as a wheel for browsers. Pyodide's own Python turns all sources into byte code.
"""

import argparse
import gzip
import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
PACKAGE: Final = HERE.parent
ROOT: Final = PACKAGE.parents[1]
BROWSER: Final = HERE / "browser"
PYODIDE: Final = Path("node_modules/pyodide")
RUNTIME: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
PLATFORM: Final = ("pyemscripten_2026_0_wasm32", "3.14")
"""What wheels for Pyodide's Python are tagged with."""

PACKAGES: Final = (
    "alembic",
    "anyio",
    "idna",
    "jinja2",
    "mako",
    "markdown-it-py",
    "markupsafe",
    "mdurl",
    "openskill",
    "prometheus_client",
    "segno",
    "sqlalchemy",
    "starlette",
    "typing_extensions",
)
"""The libraries that the server uses in a browser."""

LEFT_OUT: Final = (
    "alembic/testing",
    "alembic/templates",
    "anyio/pytest_plugin",
    "mako/testing",
    "mauerwerk/adapters",
    "mauerwerk/cli",
    "mauerwerk/client",
    "mauerwerk/kernels/wasm/modules",
    "mauerwerk/learn",
    "mauerwerk/pocket/browser",
    "mauerwerk/pocket/build",
    "mauerwerk/server/http/connection",
    "mauerwerk/server/run",
    "sqlalchemy/dialects/mssql",
    "sqlalchemy/dialects/mysql",
    "sqlalchemy/dialects/oracle",
    "sqlalchemy/testing",
)
"""What nobody needs there, by the beginning of its path."""

SOURCES: Final = ("anyio/", "mauerwerk/server/database/migrations/")
"""What stays source: a package that reads its own, and steps that Alembic finds as such."""

DATA_LEFT_OUT: Final = (".c", ".h", ".mjs", ".pxd", ".pyc", ".pyi", ".pyx", ".safetensors", ".typed")
"""What nobody needs there, by the end of its path; networks come when they are needed."""


class BuildError(Exception):
    """It cannot be built here; the message is one line."""


def build(into: Path) -> None:
    """Build all of it, in place of what is there. Raises BuildError."""
    pyodide = ROOT / PYODIDE
    if not (pyodide / RUNTIME[0]).is_file():
        raise BuildError("npm's package pyodide is missing: run `npm ci` in the checkout")
    work = into.with_name(f"{into.name}-work")
    shutil.rmtree(work, ignore_errors=True)
    site, folder = work / "site", work / "folder"
    (folder / "files").mkdir(parents=True)
    for path, content in sources(into.parent):
        target = site / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    compile_all(pyodide, site)
    known: dict[str, str] = {"app": put(folder, "app.bin", packed(site))}
    for name in RUNTIME:
        put_runtime(folder, pyodide / name)
    (folder / "known.json").write_text(json.dumps(known), "utf-8")
    shutil.rmtree(into, ignore_errors=True)
    folder.rename(into)
    shutil.rmtree(work)


def sources(cache: Path) -> Iterator[tuple[str, bytes]]:
    """The files that Python needs, by their path."""
    for path in sorted(PACKAGE.rglob("*")):
        name = f"mauerwerk/{path.relative_to(PACKAGE).as_posix()}"
        if path.is_file() and _is_needed(name):
            yield name, path.read_bytes()
    for package in PACKAGES:
        for file in metadata.files(package) or ():
            name = file.as_posix()
            if _is_needed(name) and not name.endswith(".so"):
                yield name, Path(str(file.locate())).read_bytes()
    with zipfile.ZipFile(wheel("msgspec", cache)) as archive:
        for name in archive.namelist():
            if _is_needed(name):
                yield name, archive.read(name)


def _is_needed(name: str) -> bool:
    return (
        not name.endswith(DATA_LEFT_OUT)
        and "__pycache__" not in name
        and ".dist-info/" not in name
        and not name.startswith(("..", "/", *LEFT_OUT))
    )


def wheel(package: str, cache: Path) -> Path:
    """The wheel for browsers of the version that is installed here. Raises BuildError."""
    folder = cache / "wheels"
    version = metadata.version(package)
    platform, python = PLATFORM
    found = sorted(folder.glob(f"{package}-{version}-*{platform}.whl"))
    if not found:
        pip = [str(Path(sys.executable).with_name("uv")), "tool", "run", "pip"]
        words = ["download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", str(folder)]
        words += ["--platform", platform, "--python-version", python, f"{package}=={version}"]
        run = subprocess.run([*pip, *words], check=False, capture_output=True, text=True)  # noqa: S603 - our own words
        found = sorted(folder.glob(f"{package}-{version}-*{platform}.whl"))
        if not found:
            last = (run.stderr.strip().splitlines() or [""])[-1]
            raise BuildError(f"there is no wheel of {package} {version} for browsers: {last}")
    return found[0]


def compile_all(pyodide: Path, site: Path) -> None:
    """Turn sources into byte code of Pyodide's Python. Raises BuildError."""
    words = ["node", str(BROWSER / "bundle.mjs"), str(pyodide), str(site), ",".join(SOURCES)]
    run = subprocess.run(words, check=False, capture_output=True, text=True)  # noqa: S603 - our own words
    if run.returncode:
        raise BuildError(f"the sources cannot be compiled: {run.stderr.strip()[-300:]}")


def packed(site: Path) -> bytes:
    """A folder as one file: names and sizes, then all contents, like beside like."""
    paths = sorted(
        (path for path in site.rglob("*") if path.is_file()),
        key=lambda path: (path.suffix, path.relative_to(site).as_posix()),
    )
    contents = [path.read_bytes() for path in paths]
    names = [
        (path.relative_to(site).as_posix(), len(content))
        for path, content in zip(paths, contents, strict=True)
    ]
    head = json.dumps(names, separators=(",", ":")).encode()
    return b"".join([len(head).to_bytes(4, "little"), head, *contents])


def put(folder: Path, name: str, content: bytes) -> str:
    """Write a file under a name that says its content, compressed; that name without `.gz`."""
    stem, _, ending = name.rpartition(".")
    named = f"files/{stem}-{sha256(content).hexdigest()[:12]}.{ending}"
    (folder / f"{named}.gz").write_bytes(gzip.compress(content, 9, mtime=0))
    return named


def put_runtime(folder: Path, path: Path) -> None:
    version = json.loads((path.parent / "package.json").read_text("utf-8"))["version"]
    target = folder / "files" / f"pyodide-{version}" / f"{path.name}.gz"
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))


def sizes(folder: Path) -> Mapping[str, int]:
    """The bytes of every file."""
    return {
        path.relative_to(folder).as_posix(): path.stat().st_size
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def main() -> None:
    """Build, and say how large it is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "build" / "pocket")
    folder: Path = parser.parse_args().folder.absolute()
    try:
        build(folder)
    except BuildError as fault:
        sys.exit(str(fault))
    total = sum(sizes(folder).values())
    print(f"{folder}: {total / 1e6:.1f} MB")  # noqa: T201 - a command says what it did


if __name__ == "__main__":
    main()
