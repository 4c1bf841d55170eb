"""A page: who asks for it, in which language, with which form; and what it is painted with."""

import gzip
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import cache
from typing import Any, Final
from urllib.parse import parse_qsl, quote

from jinja2 import ChoiceLoader, Environment, FunctionLoader, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.types import ASGIApp, Receive, Scope, Send

from mauerwerk.core.language.translation import TITLES, Language, language_of
from mauerwerk.core.language.words import capital
from mauerwerk.play.tables.requests import Guest
from mauerwerk.web.api.operation import Call, Site, body_of, check_media, whole_number
from mauerwerk.web.games import has_rules, room_template, sprite
from mauerwerk.web.games.markup import html, sign
from mauerwerk.web.http.faults import Fault
from mauerwerk.web.http.identity import Caller, caller_of, guest_cookie, named, new_guest
from mauerwerk.web.http.replies import Header, Reply, fault_of, headers_of
from mauerwerk.web.http.static import address, takes_gzip
from mauerwerk.web.http.visit import Visit
from mauerwerk.web.pages.preferences import Preferences, preferences_of, spoken
from mauerwerk.web.pages.refusals import refusal_of

FORM: Final = "application/x-www-form-urlencoded"
HTML: Final = b"text/html; charset=utf-8"
FIELDS: Final = 100
"""The most fields that a form may have."""

SMALL: Final = 1_000
"""What has fewer bytes is not worth packing."""


class Form(dict[str, str]):
    """The fields of a form that was sent."""

    def number(self, name: str) -> int | None:
        """A field as a number from 0; None where it is none."""
        return whole_number(self.get(name, ""))

    @property
    def way_back(self) -> str:
        """The page of this server from which the form was sent."""
        return local_path(self.get("back", ""))


def local_path(said: str) -> str:
    r"""A path of this server; the first page, where it is none.

    >>> local_path("/t/abc?seat=1"), local_path("//evil.example"), local_path("/\\evil.example")
    ('/t/abc?seat=1', '/', '/')
    """
    fine = said.isascii() and said.isprintable() and "\\" not in said and " " not in said
    return said if fine and said.startswith("/") and not said.startswith("//") else "/"


class Visitor:
    """Who asks for a page, and how they want it."""

    def __init__(self, call: Call, path: str, query: Mapping[str, str]) -> None:
        """Read what they wish from their cookie, and their language from their browser."""
        self.call = call
        self.visit = call.visit
        self.preferences = preferences_of(call.visit)
        self.language = language_of(spoken(call.visit, self.preferences))
        self.path = path
        self.query = query

    @property
    def guest(self) -> Guest | None:
        """The guest they are, if any."""
        return self.call.caller.guest

    @property
    def morphs(self) -> bool:
        """Whether their script asks for a part of the page, to morph it in."""
        return self.visit.headers.get("hx-request") == "true"

    def known(self, name: str = "") -> tuple[Guest, list[Header]]:
        """The guest they are, or become under this name; and the cookie for it."""
        if self.guest is not None:
            return self.guest, []
        self.call.site.limiter.guest(self.visit.client)
        guest = new_guest(name)
        return guest, [guest_cookie(self.call.host, self.visit, guest)]

    def renamed(self, name: str) -> list[Header]:
        """The cookie by which they are known under another name from now on."""
        if self.guest is None:
            return self.known(name)[1]
        guest = Guest(self.guest.id, named(name))
        return [guest_cookie(self.call.host, self.visit, guest)]

    def paint(
        self,
        template: str,
        status: int = 200,
        headers: Iterable[Header] = (),
        **content: Any,  # noqa: ANN401 - whatever the template shows
    ) -> Reply:
        """A page."""
        return html_reply(self.visit, self.text(template, **content), status, headers)

    def text(self, template: str, **content: Any) -> str:  # noqa: ANN401 - as above
        """A page, or a part of one, as text."""
        return painted(
            template, self.language, self.preferences, guest=self.guest, path=self.path, **content
        )


def painted(
    template: str,
    language: Language,
    preferences: Preferences,
    **content: Any,  # noqa: ANN401 - as above
) -> str:
    """A template, filled in."""
    content = {"symbols": (), **content}
    return (
        _templates()
        .get_template(template)
        .render(language=language, preferences=preferences, **content)
    )


@cache
def _templates() -> Environment:
    made = Environment(
        loader=ChoiceLoader([PackageLoader("mauerwerk.web"), FunctionLoader(room_template)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters["capital"] = capital
    shared: dict[str, Any] = {
        "static": address,
        "sprite": all_signs,
        "sign": signed,
        "TITLES": TITLES,
        "has_rules": has_rules,
    }
    for name, each in shared.items():
        made.globals[name] = each
    return made


@cache
def all_signs(symbols: tuple[str, ...]) -> Markup:
    """The symbols of a page, to be used in its drawings."""
    return Markup(sprite(symbols))  # noqa: S704 - drawn here


@cache
def signed(name: str, class_: str = "") -> Markup:
    """A symbol of the sprite as a picture that only adorns."""
    return Markup(html(sign(name, class_ or None)))  # noqa: S704 - drawn here


def html_reply(visit: Visit, text: str, status: int = 200, headers: Iterable[Header] = ()) -> Reply:
    """HTML as an answer, packed for whoever can unpack it."""
    content = text.encode()
    told = [*headers, (b"vary", b"accept-encoding, accept-language, cookie")]
    if len(content) > SMALL and takes_gzip(visit):
        content = gzip.compress(content, 5, mtime=0)
        told.append((b"content-encoding", b"gzip"))
    return Reply(content, HTML, status, told)


# --- Answering -------------------------------------------------------------------------------

GetHandler = Callable[[Visitor], Awaitable[ASGIApp]]
PostHandler = Callable[[Visitor, Form], Awaitable[ASGIApp]]


class Page:
    """What a browser gets at one path: a page to look at, a form to send, or both."""

    def __init__(
        self, site: Site, *, get: GetHandler | None = None, post: PostHandler | None = None
    ) -> None:
        """Answer for these."""
        self._site = site
        self._get = get
        self._post = post

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, in the worst case with a page that says what is wrong."""
        visit: Visit = scope["mauerwerk.visit"]
        visitor = visitor_of(self._site, scope, Caller())
        try:
            table = scope["path_params"].get("table", "")
            visitor = visitor_of(self._site, scope, caller_of(self._site.host, visit, table))
            answer = await self._answer(visitor, receive)
        except Exception as error:
            fault = fault_of(error)
            if fault is None:
                raise
            answer = error_page(visitor, error, fault)
        await answer(scope, receive, send)

    async def _answer(self, visitor: Visitor, receive: Receive) -> ASGIApp:
        visit = visitor.visit
        if visit.is_safe and self._get:
            return await self._get(visitor)
        if visit.method == "POST" and self._post:
            check_media(visit, FORM)
            if not visit.is_ours:
                raise Fault(
                    403, "a page from elsewhere may not change anything here", word="origin"
                )
            return await self._post(visitor, form_in(await body_of(visit, receive)))
        allowed = ", ".join([*(["GET", "HEAD"] * bool(self._get)), *(["POST"] * bool(self._post))])
        raise Fault(405, f"here you can {allowed}", headers={"allow": allowed})


def visitor_of(site: Site, scope: Scope, caller: Caller) -> Visitor:
    """Who asks for the page at this path."""
    call = Call(site, scope["mauerwerk.visit"], caller, scope.get("path_params", {}))
    query = scope["query_string"].decode("latin-1")
    path = quote(scope["path"]) + (f"?{query}" if query else "")
    return Visitor(call, path, fields_of(query))


def fields_of(query: str) -> dict[str, str]:
    """The fields of a query; none, where there are too many."""
    try:
        return dict(parse_qsl(query, max_num_fields=FIELDS))
    except ValueError:
        return {}


def nothing(site: Site, scope: Scope) -> Reply:
    """A page that says that there is none here."""
    fault = Fault(404, "there is nothing here")
    return error_page(visitor_of(site, scope, Caller()), fault, fault)


def form_in(body: bytes) -> Form:
    """The fields of a form. Raises Fault."""
    try:
        pairs = parse_qsl(
            body.decode("ascii"), keep_blank_values=True, max_num_fields=FIELDS, errors="strict"
        )
    except ValueError:
        raise Fault(400, "the form cannot be read", word="query") from None
    return Form(pairs)


def error_page(visitor: Visitor, error: Exception, fault: Fault) -> Reply:
    """A page that says what is wrong, in the visitor's language."""
    said = refusal_of(error, fault, visitor.language)
    return visitor.paint("refused.html", fault.status, headers_of(fault), refusal=said)
