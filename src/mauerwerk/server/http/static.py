"""Static files: read once, joined, kept compressed, and cached by browsers for ever.

Starlette's StaticFiles reads from disk in a thread for each request and knows no compressed files
(decision 0018).
"""

import gzip
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources.abc import Traversable
from typing import Final, NamedTuple

from starlette.types import Receive

from mauerwerk.core.errors import SetupError
from mauerwerk.server.http.errors import HttpError, MethodError
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.response import Header, Response

KINDS: Final = {
    "css": b"text/css; charset=utf-8",
    "js": b"text/javascript; charset=utf-8",
    "png": b"image/png",
    "svg": b"image/svg+xml",
    "woff2": b"font/woff2",
}
"""Media types of the files that are served, by the ending of their names."""

VENDORED: Final = ("vendor/htmx.js", "vendor/idiomorph.js", "vendor/sse.js")
"""The libraries of every page, which npm brings."""

FOR_EVER: Final[Header] = (b"cache-control", b"public, max-age=31536000, immutable")
"""For an address that contains the hash of the file, whose content thus never changes."""

FOR_NOW: Final[Header] = (b"cache-control", b"no-cache")


class File(NamedTuple):
    """A file, as it is and compressed."""

    media: bytes
    plain: bytes
    packed: bytes
    version: str


Source = Callable[[Mapping[str, bytes]], Iterable[tuple[str, bytes]]]
"""Yields files by their paths, given those that were found before it."""

SOURCES: Final[list[Source]] = []
"""Where files come from: each layer that has some adds its own when it is imported."""

JOINED: Final[dict[str, Sequence[str]]] = {"vendor.js": VENDORED}
"""Files that pages load as one, by its path; each layer adds its own likewise."""


@cache
def files() -> dict[str, File]:
    """All files by their path. A second file of the same path is appended to the first."""
    found: dict[str, bytes] = {}
    for source in SOURCES:
        for path, content in source(found):
            found[path] = found.get(path, b"") + content
    for path, parts in JOINED.items():
        found[path] = joined(found, parts)
    return {path: _file(path, _with_links(path, content, found)) for path, content in found.items()}


_LINK: Final = re.compile(rb"static:([\w./-]+)")
"""A file that a style sheet names: `url("static:NAME")`."""


def _with_links(path: str, content: bytes, found: Mapping[str, bytes]) -> bytes:
    """A style sheet with the addresses of the files that it names, as seen from its own."""
    if not path.endswith(".css"):
        return content
    up = "../" * path.count("/")

    def link(named: re.Match[bytes]) -> bytes:
        name = named[1].decode()
        return f"{up}{name}?v={_file(name, found[name]).version}".encode()

    return _LINK.sub(link, content)


def joined(found: Mapping[str, bytes], parts: Sequence[str]) -> bytes:
    """Those of these files that there are, as one: all style sheets, or all scripts."""
    between = b";\n" if parts[0].endswith(".js") else b"\n"
    return between.join(found[part] for part in parts if part in found)


_COMMENTS: Final = {
    "css": re.compile(rb"/\*.*?\*/|^[ ]+", re.DOTALL | re.MULTILINE),
    "js": re.compile(rb"^[ ]*//.*\n|^[ ]+| // [^\"'`\n]*$|^\n", re.MULTILINE),
}
"""What people read and browsers do not: comments and indentation. No text in our scripts spans
lines, and no comment after code has a quotation mark."""


_SPACES: Final = {
    "css": re.compile(rb"\s*([{};])\s*|(?<=[:,]) "),
    "js": re.compile(rb"([{;,])\n"),
}
"""Spaces that mean nothing; no text in our style sheets has such a mark before a space."""


def _file(path: str, content: bytes) -> File:
    kind = path.rpartition(".")[2]
    if kind in _COMMENTS:
        content = _COMMENTS[kind].sub(b"", content)
        content = _SPACES[kind].sub(lambda found: found[1] or b"", content)
    version = sha256(content).hexdigest()[:12]
    packed = gzip.compress(content, 9, mtime=0)
    return File(KINDS[kind], content, packed, version)


def files_in(
    folder: Traversable, endings: Sequence[str] = tuple(KINDS), path: str = ""
) -> Iterator[tuple[str, bytes]]:
    """The files in a folder and below, if it exists."""
    for each in folder.iterdir() if folder.is_dir() else ():
        if each.is_dir():
            yield from files_in(each, endings, f"{path}{each.name}/")
        elif each.name.rpartition(".")[2] in endings:
            yield f"{path}{each.name}", each.read_bytes()


def check_scripts() -> None:
    """Refuse to serve pages that could not work. Raises SetupError."""
    if missing := [path for path in VENDORED if path not in files()]:
        raise SetupError(
            f"the page's scripts are missing ({', '.join(missing)}): run `make play` in a checkout,"
            " or install a wheel"
        )


def address(path: str) -> str:
    """The address of a file, with the hash of its content; empty if there is no such file."""
    file = files().get(path)
    return f"/static/{path}?v={file.version}" if file else ""


async def send_file(request: Request, _receive: Receive) -> Response:
    """A file, compressed if the client accepts that. Raises HttpError."""
    file = files().get(request.path_params["path"])
    if not request.is_safe:
        raise MethodError("GET", "HEAD")
    if file is None:
        raise HttpError(404, "there is no such file")
    current = request.raw_query == f"v={file.version}".encode()
    headers = [FOR_EVER if current else FOR_NOW, (b"vary", b"accept-encoding")]
    packed = takes_gzip(request)
    if packed:
        headers.append((b"content-encoding", b"gzip"))
    return Response(file.packed if packed else file.plain, file.media, headers=headers)


def takes_gzip(request: Request) -> bool:
    """Whether the client accepts gzip."""
    said = request.headers.get("accept-encoding", "")
    return any(each.strip().partition(";")[0] == "gzip" for each in said.split(","))
