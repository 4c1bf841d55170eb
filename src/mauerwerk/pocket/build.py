"""Build the pocket edition: a folder of static files that any web server can serve.

    python -m mauerwerk.pocket.build build/pocket

It needs a checkout with its development environment, and npm's package `pyodide` there. Python's
packages come from this environment, as sources; msgspec, which is compiled, comes from PyPI as a
wheel for browsers. Pyodide's own Python turns all sources into byte code.
"""

import argparse
import asyncio
import gzip
import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from functools import partial
from hashlib import sha256
from importlib import metadata
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import msgspec

from mauerwerk.bots.networks import shipped
from mauerwerk.core.language import TITLES
from mauerwerk.games import GAMES
from mauerwerk.kernels import KERNELS
from mauerwerk.kernels.networks.network import load
from mauerwerk.kernels.wasm.module import path_of as module_of
from mauerwerk.pocket.server import Pocket
from mauerwerk.pocket.thinking import CARDS, cards_of
from mauerwerk.server.features.offline.feature import PAPER
from mauerwerk.server.http.static import files

HERE: Final = Path(__file__).parent
PACKAGE: Final = HERE.parent
ROOT: Final = PACKAGE.parents[1]
BROWSER: Final = HERE / "browser"
PYODIDE: Final = Path("node_modules/pyodide")
RUNTIME: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
STANDARD: Final = "python_stdlib.zip"
PLATFORM: Final = ("pyemscripten_2026_0_wasm32", "3.14")
"""What wheels for Pyodide's Python are tagged with."""

PACKAGES: Final = (
    "alembic",
    "anyio",
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
    "jinja2/ext",
    "jinja2/sandbox",
    "mako/testing",
    "mauerwerk/adapters",
    "mauerwerk/cli",
    "mauerwerk/client",
    "mauerwerk/core/laws",
    "mauerwerk/kernels/compare",
    "mauerwerk/kernels/counting",
    "mauerwerk/kernels/play/cuda",
    "mauerwerk/kernels/warm",
    "mauerwerk/kernels/wasm/modules",
    "mauerwerk/kernels/wasm_build",
    "mauerwerk/lab/benchmark",
    "mauerwerk/lab/check",
    "mauerwerk/lab/cluster",
    "mauerwerk/lab/dataset",
    "mauerwerk/lab/exploit",
    "mauerwerk/lab/solve",
    "mauerwerk/lab/study",
    "mauerwerk/learn",
    "mauerwerk/pocket/browser",
    "mauerwerk/pocket/build",
    "mauerwerk/server/http/connection",
    "mauerwerk/server/run",
    "sqlalchemy/dialects/mssql",
    "sqlalchemy/dialects/mysql",
    "sqlalchemy/dialects/oracle",
    "sqlalchemy/ext/a",
    "sqlalchemy/ext/declarative",
    "sqlalchemy/ext/h",
    "sqlalchemy/ext/m",
    "sqlalchemy/orm",
    "sqlalchemy/testing",
    "starlette/testclient",
)
"""What nobody needs there, by the beginning of its path."""

STANDARD_LEFT_OUT: Final = (
    "__hello__",
    "__phello__",
    "_pydatetime",
    "_pyio",
    "_pyrepl",
    "antigravity",
    "asyncio/proactor",
    "asyncio/windows",
    "bdb",
    "cProfile",
    "compileall",
    "doctest",
    *(
        f"encodings/{name}"
        for name in ("big5", "cp", "euc", "gb", "hp", "hz", "iso", "jo", "ko", "kz", "mac", "palm")
    ),
    *(f"encodings/{name}" for name in ("ptcp", "shift", "tis")),
    "ftplib",
    "imaplib",
    "mailbox",
    "modulefinder",
    "multiprocessing/managers",
    "multiprocessing/pool",
    "optparse",
    "pdb",
    "pickletools",
    "plistlib",
    "poplib",
    "profile",
    "pstats",
    "pyclbr",
    "pydoc",
    "rlcompleter",
    "tabnanny",
    "this",
    "trace.",
    "unittest",
    "wave",
    "xml/dom",
    "xmlrpc",
    "zipapp",
)
"""What nobody needs of Python's own library: debuggers, old protocols, alphabets of old files."""

STANDARD_KEPT: Final = ("encodings/cp437", "encodings/cp1252")
"""But for these: what names in a ZIP file may be written in, and what Windows wrote."""

SOURCES: Final = ("anyio/", "mauerwerk/server/database/migrations/")
"""What stays source: a package that reads its own, and steps that Alembic finds as such."""

DATA_LEFT_OUT: Final = (
    ".c",
    ".h",
    ".mjs",
    ".pxd",
    ".pyc",
    ".pyi",
    ".pyx",
    ".safetensors",
    ".typed",
)
"""What nobody needs there, by the end of its path; networks come when they are needed."""


PREFIX: Final = "/pocket/app"
"""Where the server believes to be while its home page is drawn."""

STATIC: Final = re.compile(rf'"{PREFIX}/static/([^"?]*)')
SCRIPTS: Final = (
    *(
        BROWSER / name
        for name in ("engine.mjs", "files.mjs", "pocket.mjs", "thoughts.mjs", "worker.mjs")
    ),
    *(PACKAGE / "kernels" / "wasm" / name for name in ("think.mjs", "think-worker.mjs")),
)
ICONS: Final = ("icons/192.png", "icons/512.png", "icons/maskable.png")
MANIFEST: Final = {
    "name": "Mauerwerk",
    "short_name": "Mauerwerk",
    "id": "./",
    "start_url": "./",
    "scope": "./",
    "display": "standalone",
    "background_color": PAPER,
    "theme_color": PAPER,
    "categories": ["games"],
    "icons": [
        {"src": f"static/{name}", "sizes": size, "type": "image/png", "purpose": purpose}
        for name, size, purpose in (
            (ICONS[0], "192x192", "any"),
            (ICONS[1], "512x512", "any"),
            (ICONS[2], "512x512", "maskable"),
        )
    ],
}
CHOOSE: Final = (
    "(()=>{const p=new URL('./',location).pathname,"
    "said=localStorage.getItem(`mauerwerk-pocket:${p}:language`)??navigator.language,"
    "code=said.slice(0,2),here=document.documentElement.lang,"
    "all=" + json.dumps(sorted(TITLES)) + ";"
    "if(all.includes(code)&&code!==here)"
    "location.replace((code==='en'?'index.html':`index.${code}.html`)+location.hash)})()"
)
"""Shows the page in the reader's language, before anything else of it."""


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
    for path, content in sources(into.parent):
        _write(site / path, content)
    byte_code = into.parent / "byte-code"
    compile_all(pyodide, site, byte_code / "site", SOURCES)
    standard = standard_library(pyodide, work / "standard", byte_code / "standard")
    known = put_files(folder, pyodide, packed(site), standard)
    pages = asyncio.run(render_pages(work / "data"))
    put_pages(folder, pages, known)
    shutil.rmtree(into, ignore_errors=True)
    folder.rename(into)
    shutil.rmtree(work)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


# --- What the server is made of ------------------------------------------------------------------


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
    networks = {name: shipped(GAMES[name]) for name in KERNELS}
    cards = cards_of({name: load(path) for name, path in networks.items() if path})
    yield f"mauerwerk/pocket/{CARDS}", cards
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


def standard_library(pyodide: Path, folder: Path, cache: Path) -> bytes:
    """Python's own library as an archive of byte code: Pyodide brings sources. Raises BuildError.

    It is not compressed, since the whole file is.
    """
    with zipfile.ZipFile(pyodide / STANDARD) as archive:
        for name in archive.namelist():
            left_out = name.startswith(STANDARD_LEFT_OUT) and not name.startswith(STANDARD_KEPT)
            if not left_out and not name.endswith("/"):
                _write(folder / name, archive.read(name))
    compile_all(pyodide, folder, cache)
    content = BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            name = path.relative_to(folder).as_posix()
            archive.writestr(zipfile.ZipInfo(name), path.read_bytes())
    return content.getvalue()


def compile_all(pyodide: Path, site: Path, cache: Path, but: tuple[str, ...] = ()) -> None:
    """Turn sources into byte code of Pyodide's Python, but for some. Raises BuildError.

    The cache has what was compiled for the build before this one.
    """
    compiler = (pyodide / "package.json").read_bytes() + (BROWSER / "bundle.mjs").read_bytes()
    wanted: dict[Path, str] = {}
    for path in site.rglob("*.py"):
        name = path.relative_to(site).as_posix()
        if not name.startswith(but):
            wanted[path] = sha256(compiler + f" {name} ".encode() + path.read_bytes()).hexdigest()
    cache.mkdir(parents=True, exist_ok=True)
    kept = {each.name for each in cache.iterdir()}
    for path, key in wanted.items():
        if key in kept:
            path.with_suffix(".pyc").write_bytes((cache / key).read_bytes())
            path.unlink()
    if not kept.issuperset(wanted.values()):
        words = ["node", str(BROWSER / "bundle.mjs"), str(pyodide), str(site), ",".join(but)]
        run = subprocess.run(words, check=False, capture_output=True, text=True)  # noqa: S603 - our own words
        if run.returncode:
            raise BuildError(f"the sources cannot be compiled: {run.stderr.strip()[-300:]}")
    for path, key in wanted.items():
        if key not in kept:
            new = cache / f"{key}.new"  # whole, or under another name
            new.write_bytes(path.with_suffix(".pyc").read_bytes())
            new.rename(cache / key)
    for key in kept.difference(wanted.values()):
        (cache / key).unlink()


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


# --- Files that the page fetches -------------------------------------------------------------


class Known(msgspec.Struct):
    """What the page knows about its files; JSON in its head."""

    app: str
    """The bundle that Python unpacks."""
    pyodide: str
    """The folder of the runtime."""
    kernels: dict[str, str]
    networks: dict[str, str]
    """By game: what strong bots need."""
    files: dict[str, int]
    """Every packed file by its name without `.pack`, and how many bytes are fetched for it."""
    first: tuple[str, ...]
    """Those without which nothing starts."""
    lock: dict[str, Any]
    """What Pyodide wants to know of its packages: that there are none."""
    code: str = ""
    """The folder of the scripts."""
    pages: tuple[str, ...] = ()
    """Other files, which are small."""
    version: str = ""


def put_files(folder: Path, pyodide: Path, bundle: bytes, standard: bytes) -> Known:
    """Write what is large, compressed: not every web server does that by itself."""
    files: dict[str, int] = {}

    def put(name: str, content: bytes) -> str:
        compressed = gzip.compress(content, 9, mtime=0)
        _write(folder / f"{name}.pack", compressed)
        files[name] = len(compressed)
        return name

    def hashed(name: str, content: bytes) -> str:
        stem, _, ending = name.rpartition(".")
        return put(f"files/{stem}-{_hash(content)}.{ending}", content)

    version = json.loads((pyodide / "package.json").read_text("utf-8"))["version"]
    runtime = f"files/pyodide-{version}-{_hash(standard)}"
    for name in RUNTIME:
        put(f"{runtime}/{name}", (pyodide / name).read_bytes())
    put(f"{runtime}/{STANDARD}", standard)
    app = hashed("app.bin", bundle)
    first = tuple(files)
    kernels: dict[str, str] = {}
    networks: dict[str, str] = {}
    for name in KERNELS:
        module, network = module_of(name), shipped(GAMES[name])
        if module is None:
            raise BuildError("the kernels are missing: run `make wasm` first")
        kernels[name] = put(f"files/{module.name}", module.read_bytes())
        if network is not None:
            networks[name] = hashed(network.name, network.read_bytes())
    info = json.loads((pyodide / "pyodide-lock.json").read_text("utf-8"))["info"]
    lock: dict[str, Any] = {"info": info, "packages": {}}
    return Known(app, runtime, kernels, networks, files, first, lock)


def _hash(content: bytes) -> str:
    return sha256(content).hexdigest()[:12]


# --- Pages ---------------------------------------------------------------------------------------


async def render_pages(data: Path) -> Mapping[str, bytes]:
    """The home page in every language, as the server draws it, and what it loads."""
    pocket = await Pocket.open(str(data), f"http://localhost{PREFIX}")
    pages: dict[str, bytes] = {}
    for code in TITLES:
        answer = bytearray()
        headers = (("host", "localhost"), ("accept-language", code))
        await pocket.answer(
            "GET",
            f"{PREFIX}/",
            "",
            headers,
            b"",
            partial(_take, answer),
            asyncio.Event(),
        )
        pages["index.html" if code == "en" else f"index.{code}.html"] = bytes(answer)
    await pocket.close()
    return pages


def _take(answer: bytearray, part: Mapping[str, Any]) -> None:
    answer += part.get("chunk", b"")


def put_pages(folder: Path, pages: Mapping[str, bytes], known: Known) -> None:
    """Write the pages, with paths from where they are, and the scripts of the page."""
    scripts = {each.name: each.read_bytes() for each in SCRIPTS}
    known.code = f"code-{_hash(b''.join(scripts.values()))}"
    small = {f"{known.code}/{name}": content for name, content in scripts.items()}
    used = {name for page in pages.values() for name in STATIC.findall(page.decode())}
    small |= {f"static/{name}": files()[name].plain for name in sorted(used)}
    small["manifest.webmanifest"] = json.dumps(MANIFEST, indent=2).encode()
    small |= {f"static/{name}": files()[name].plain for name in ICONS}
    known.pages = (*pages, *small)
    known.version = _hash(b"".join([msgspec.json.encode(known), *pages.values(), *small.values()]))
    said = msgspec.json.encode(known)
    worker = (BROWSER / "sw.js").read_bytes()
    _write(folder / "sw.js", b"const KNOWN = " + said + b";\n" + worker)
    _write(folder / "known.json", said)
    for path, content in small.items():
        _write(folder / path, content)
    for path, content in pages.items():
        _write(folder / path, _standing_alone(content.decode(), said.decode(), known).encode())


def _standing_alone(page: str, known: str, code: Known) -> str:
    """A page of the server as a file: with relative paths, and the script that starts the rest."""
    page = re.sub(r"<script [^>]*></script>\n?", "", page)
    page = re.sub(rf'="{PREFIX}/static/([^"?]*)\?[^"]*"', r'="static/\1"', page)
    page = page.replace(f'="{PREFIX}/', '="app/')
    head = (
        '<link rel="manifest" href="manifest.webmanifest">\n'
        f"<script>{CHOOSE}</script>\n"
        f'<script type="application/json" id="known">{known}</script>\n'
        f'<script type="module" src="{code.code}/pocket.mjs"></script>\n'
    )
    return page.replace("</head>", f"{head}</head>").replace(' id="pocket" hidden', ' id="pocket"')


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
