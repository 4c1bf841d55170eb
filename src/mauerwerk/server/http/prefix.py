"""A server below a path of another site, such as `https://example.org/walls`.

Inside, all paths are as without it. At the border, the prefix is taken from the path of a request,
unless the proxy did that, and put before every path in an answer: in links and forms of pages
(`prefixed`), redirections (the gate) and cookies.
"""

import re
from typing import Final

from starlette.types import Scope

LINKS: Final = re.compile(
    r'(\s(?:href|src|action|formaction|data-path|hx-get|hx-post|sse-connect)=")/(?!/)'
)
"""Attributes that hold a path. In what people write, a quotation mark is escaped."""


def without_prefix(scope: Scope, prefix: str) -> Scope:
    """The request as it would be without the prefix."""
    path: str = scope["path"]
    if not prefix or not starts_with(path, prefix):
        return scope
    return {**scope, "path": path[len(prefix) :] or "/"}


def starts_with(path: str, prefix: str) -> bool:
    """Whether a path is below a prefix, or the prefix itself."""
    return path.startswith(prefix) and path[len(prefix) : len(prefix) + 1] in {"", "/", "?", "#"}


def prefixed(text: str, prefix: str) -> str:
    """HTML in which every path has the prefix.

    >>> prefixed('<a class="x" href="/rules">', "/walls")
    '<a class="x" href="/walls/rules">'
    """
    return LINKS.sub(rf"\g<1>{prefix}/", text) if prefix else text


def with_prefix(path: str, prefix: str) -> str:
    """A path of this server as a browser has it; one that has the prefix keeps it.

    >>> with_prefix("/t/1", "/walls"), with_prefix("/walls/t/1", "/walls"), with_prefix("/t", "")
    ('/walls/t/1', '/walls/t/1', '/t')
    """
    return path if not path.startswith("/") or starts_with(path, prefix) else f"{prefix}{path}"
