"""Pages of the host: how to reach them, privacy, and terms, from files that the settings name.

A file is Markdown. Beside `privacy.md` there may be `privacy.de.md` and `privacy.it.md`, for
readers of these languages. Files are read when the server starts.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from mauerwerk.core.game import Value
from mauerwerk.core.language import TITLES, message
from mauerwerk.server.feature import Feature
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.response import Response
from mauerwerk.server.http.settings import SettingsError
from mauerwerk.server.ui.page import PageRequest, PageRoute

LONGEST: Final = 200_000
"""The most bytes that a file may have."""
TEXTS: Final = {
    "contact": message("Contact"),
    "privacy": message("Privacy"),
    "terms": message("Terms of use"),
}


class Pages(Value, tag=False):
    """The files, each empty for no such page."""

    contact: str = ""
    privacy: str = ""
    terms: str = ""


class HostPages:
    """The texts, for each language in which there is one."""

    def __init__(self, settings: Pages) -> None:
        """Read the files. Raises SettingsError."""
        named = {name: getattr(settings, name) for name in TEXTS}
        self._texts = {name: _read(name, Path(file)) for name, file in named.items() if file}
        self.links = tuple((f"/{name}", TEXTS[name]) for name in self._texts)
        """The address and the title of each page."""

    def text(self, name: str, language: str) -> tuple[str, Markup]:
        """The language of the text for such a reader, and the text. Raises HttpError."""
        texts = self._texts.get(name)
        if texts is None:
            raise HttpError(404, "there is nothing here")
        found = language if language in texts else ""
        return found, texts[found]


def _in_words(_: object, tokens: Sequence[Token], place: int, *__: object) -> str:
    """Pages load nothing from other sites, so a picture is what is written for it."""
    return str(escape(tokens[place].content))


def _read(name: str, file: Path) -> Mapping[str, Markup]:
    """The text of each language as HTML; the one for all others has no language."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.add_render_rule("image", _in_words)
    files = {"": file, **{code: file.with_suffix(f".{code}{file.suffix}") for code in TITLES}}
    found: dict[str, Markup] = {}
    for code, path in files.items():
        if code and not path.exists():
            continue
        try:
            with path.open("rb") as source:
                content = source.read(LONGEST + 1)
            text = content.decode("utf-8-sig", "strict" if len(content) <= LONGEST else "ignore")
        except (OSError, UnicodeDecodeError) as fault:
            reason = fault.strerror if isinstance(fault, OSError) else "it is not a text"
            raise SettingsError(f"[pages] {name}: {path}: {reason}") from None
        if len(content) > LONGEST:
            raise SettingsError(f"[pages] {name}: {path} is longer than {LONGEST:,} bytes")
        found[code] = Markup(markdown.render(text))  # noqa: S704 - the host wrote it
    return found


async def _show(name: str, request: PageRequest) -> Response:
    code, text = request.host.service(HostPages).text(name, request.language.code)
    return request.render("host_pages/page.html", title=TEXTS[name], code=code, text=text)


FEATURE = Feature(
    name="host_pages",
    settings={"pages": Pages},
    start=lambda _host, settings: HostPages(settings.section(Pages)),
    pages=tuple(PageRoute(f"/{name}", get=partial(_show, name)) for name in TEXTS),
    page_values=lambda host, _guest: {"host_pages": host.service(HostPages).links},
)
