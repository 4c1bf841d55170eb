"""Pages: requests for them, forms, routes, and panels that features add to pages of others."""

from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import cached_property
from http import HTTPStatus
from typing import Any, Final, NamedTuple, TypeVar

from msgspec.structs import replace
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from mauerwerk.core.game import Value
from mauerwerk.core.language import Language, language_of
from mauerwerk.server.engine.events import GuestRenamed
from mauerwerk.server.http import errors, identity, response, security
from mauerwerk.server.http import request as requests
from mauerwerk.server.http.costs import Costs
from mauerwerk.server.http.request import AppState, Request
from mauerwerk.server.http.static import takes_gzip
from mauerwerk.server.tables.charter import Guest, Order
from mauerwerk.server.tables.errors import ClosedError
from mauerwerk.server.ui.cache import SharedPages
from mauerwerk.server.ui.error_texts import refusal_of
from mauerwerk.server.ui.names import friendly_name
from mauerwerk.server.ui.preferences import Preferences, best_of
from mauerwerk.server.ui.render import SHARED, render

_Made = TypeVar("_Made")

HTML: Final = b"text/html; charset=utf-8"
KEPT: Final = "x-kept"
"""The header of a request for a page that is read without a network, maybe by somebody else."""
VARY: Final[response.Header] = (b"vary", b"accept-language, cookie")
VARY_PACKED: Final[response.Header] = (b"vary", VARY[1] + b", Accept-Encoding")


class PageRequest(Request):
    """A request for a page, and how the reader wants it."""

    @cached_property
    def preferences(self) -> Preferences:
        """The reader's preferences, from their cookie."""
        return Preferences.of(self)

    @cached_property
    def language(self) -> Language:
        """The language of the page: the chosen one, or the browser's."""
        accepted = self.headers.get("accept-language", "")
        return language_of(self.preferences.language or best_of(accepted))

    @property
    def guest(self) -> Guest | None:
        """The guest they are, if any; nobody, where the app keeps a copy of the page."""
        return None if KEPT in self.headers else self.identity.guest

    def required_guest(self) -> Guest:
        """The guest they are. Raises HttpError if they are none."""
        if self.guest is None:
            raise identity.no_guest()
        return self.guest

    @property
    def morphs(self) -> bool:
        """Whether the page's script asks for a part of the page, to morph it in."""
        return self.headers.get("hx-request") == "true"

    def known(self, name: str | None = None) -> tuple[Guest, list[response.Header]]:
        """The guest they are, or become under this name, and the header that sets the cookie.

        Without a name they get a friendly one. Raises HttpError.
        """
        if self.guest is not None:
            return self.guest, []
        self.app.limiter.guest(self.client)
        guest = identity.new_guest(self, friendly_name() if name is None else name)
        return guest, [identity.guest_cookie(self, guest)]

    @property
    def may_be_renamed(self) -> bool:
        """Whether they choose their name here; who signs in at a proxy changes it there."""
        return not self.identity.outside

    def renamed(self, name: str) -> list[response.Header]:
        """The header that sets the cookie of the same guest under another name."""
        if self.guest is None:
            return self.known(name)[1]
        if not self.may_be_renamed:
            return []
        return [identity.guest_cookie(self, Guest(self.guest.id, identity.chosen_name(self, name)))]

    async def rename(self, name: str) -> list[response.Header]:
        """The same; the other devices of a person know the new name, too."""
        headers = self.renamed(name)
        if self.guest is not None and self.may_be_renamed:
            guest = Guest(self.guest.id, identity.chosen_name(self, name))
            await self.host.events.publish_and_wait(GuestRenamed(guest))
        return headers

    async def create_table(self, order: Order, guest: Guest) -> str:
        """Create a table, counted as this guest's; its name. Raises HttpError."""
        self.app.limiter.table(self.client)
        self.app.limiter.table(f"guest {guest.id}")
        table = await self.host.create(replace(order, language=self.language.code), guest)
        return table.charter.id

    async def start_table(
        self, order: Order, back: str, *headers: response.Header
    ) -> response.Response:
        """Create a table for this guest, who may be new, and show it. Raises HttpError.

        Where the server takes no new tables, the page to which it leads `back` says so.
        """
        guest, cookies = self.known()
        try:
            table = await self.create_table(order, guest)
        except ClosedError:
            return response.redirect(back, headers)
        return response.redirect(f"/t/{table}", [*cookies, *headers])

    async def in_thread(self, work: Callable[..., _Made], *given: object) -> _Made:
        """Work that takes long, so that other requests need not wait for it. Raises HttpError."""
        return await self.host.service(Costs).in_thread(self.client, work, *given)

    def render(
        self,
        template: str,
        status: int = 200,
        headers: Iterable[response.Header] = (),
        **content: Any,  # noqa: ANN401 - whatever the template shows
    ) -> response.Response:
        """A page."""
        # The cookie of a guest is replaced where it is old, or the secret or the name is new.
        new = (
            [identity.guest_cookie(self, self.guest)]
            if self.guest and self.identity.outdated
            else []
        )
        return html_reply(self.text(template, **content), status, [*new, *headers])

    def text(self, template: str, **content: Any) -> str:  # noqa: ANN401 - as above
        """A page, or a part of one, as text."""
        made = render(
            template,
            self.language,
            self.preferences,
            guest=self.guest,
            outside=self.identity.outside,
            path=self.path,
            alone=self.app.settings.alone,
            closed=self.host.closed,
            **self.app.page_values(self.guest),
            **content,
        )
        return security.prefixed(made, self.prefix)


def html_reply(
    text: str, status: int = 200, headers: Iterable[response.Header] = ()
) -> response.Response:
    """HTML as an answer."""
    return response.Response(text.encode(), HTML, status, [*headers, VARY])


# --- Forms ---------------------------------------------------------------------------------------

FORM: Final = "application/x-www-form-urlencoded"
LONGEST_WORD: Final = 200
"""The most characters of a word that stands for a move."""


class Form(dict[str, str]):
    """The fields of a form that was sent."""

    def number(self, name: str) -> int | None:
        """A field as a number from 0; None if it is none."""
        return requests.whole_number(self.get(name, ""))

    @property
    def way_back(self) -> str:
        """The page of this server from which the form was sent."""
        return local_path(self.get("back", ""))


def local_path(said: str) -> str:
    r"""The path, if it is one of this server; the home page, if not.

    >>> local_path("/t/abc?seat=1"), local_path("//evil.example"), local_path("/\\evil.example")
    ('/t/abc?seat=1', '/', '/')
    """
    fine = said.isascii() and said.isprintable() and "\\" not in said and " " not in said
    return said if fine and said.startswith("/") and not said.startswith("//") else "/"


class Chip(Value):
    """One of the choices."""

    word: str
    said: str
    chosen: bool


# --- Routes --------------------------------------------------------------------------------------

GetHandler = Callable[[PageRequest], Awaitable[ASGIApp]]
PostHandler = Callable[[PageRequest, Form], Awaitable[ASGIApp]]


class PageRoute(NamedTuple):
    """What a browser gets at one path: a page to look at, a form to send, or both."""

    path: str
    get: GetHandler | None = None
    post: PostHandler | None = None
    for_hosts: bool = False
    """Whether it is for the hosts of the server. It checks itself who asks, and exists only where
    hosts have a token."""
    shared: bool = False
    """Whether all visitors without a cookie get the same at the same address, whoever they are."""
    from_anywhere: bool = False
    """Whether the form may come from another site: it knows a secret link, and has no fields."""

    def route(self, app: AppState) -> Route:
        """The page as a part of this server."""

        async def respond(scope: Scope, receive: Receive, send: Send) -> None:
            request = page_request(app, scope)
            try:
                answer = await self._answer(request, receive)
            except Exception as error:
                # No variable may hold the error, as in `response.Endpoint`.
                refusal = _refusal(request, error)
                if refusal is None:
                    broken = errors.HttpError(500, "something broke here; it was not your fault")
                    with suppress(Exception):  # if this page breaks as well, the log answers
                        await error_page(request, broken, broken)(scope, receive, send)
                    raise  # to the log
                answer = refusal
            await answer(scope, receive, send)

        return Route(self.path, response.Compressed(respond))

    async def _answer(self, request: PageRequest, receive: Receive) -> ASGIApp:
        request.identity = identity.identify(request)
        if not self.for_hosts:  # who could not lift a block of their own network
            identity.check_block(request, request.identity)
        if request.is_safe and self.get:
            return await self._shared(request) if self.shared else await self.get(request)
        if request.method == "POST" and self.post and self.from_anywhere:
            await requests.body_of(request, receive)
            return await self.post(request, Form())
        if request.method == "POST" and self.post:
            requests.check_media(request, FORM)
            if not request.is_ours:
                raise errors.HttpError(
                    403, "a page from elsewhere may not change anything here", code="origin"
                )
            body = await requests.body_of(request, receive)
            return await self.post(request, Form(requests.pairs_in(body, requests.FIELDS, "form")))
        if request.is_safe:  # a browser that comes back to what it sent from there
            return response.redirect(_page_above(request.path))
        raise errors.MethodError(*(["GET", "HEAD"] * bool(self.get)), *(["POST"] * bool(self.post)))

    async def _shared(self, request: PageRequest) -> ASGIApp:
        """The page, which others may have just got, if it is for somebody of whom nothing is known.

        What it depends on is the address, the language, and whether it is only a part of a page.
        """
        assert self.get
        if "cookie" in request.headers or request.identity != requests.NOBODY:
            return await self.get(request)
        pages = request.host.service(SharedPages)
        asked = (request.base, request.path)
        key = (*asked, request.language.code, request.morphs, KEPT in request.headers)
        page = pages.get(key)
        if page is None:
            answer = await self.get(request)
            if not (isinstance(answer, response.Response) and _is_plain_page(answer)):
                return answer
            page = pages.put(key, bytes(answer.body))
        if takes_gzip(request) and not request.is_foreign:
            packed = [VARY_PACKED, (b"content-encoding", b"gzip")]
            return response.Response(page.packed, HTML, headers=packed)
        return response.Response(page.plain, HTML, headers=[VARY])


def _page_above(path: str) -> str:
    """The page on which the form is that is sent to this path.

    >>> _page_above("/me/passkey"), _page_above("/t/abc/move?seat=1"), _page_above("/play")
    ('/me', '/t/abc?seat=1', '/')
    """
    where, mark, query = path.partition("?")
    return local_path(f"{where.rpartition('/')[0] or '/'}{mark}{query}")


def _is_plain_page(answer: response.Response) -> bool:
    """Whether it is a page and nothing else: no refusal, no redirection, no cookie to be set."""
    media, _, *headers = answer.raw_headers
    return answer.status_code == HTTPStatus.OK and media[1] == HTML and headers == [VARY]


def page_request(app: AppState, scope: Scope) -> PageRequest:
    """The request for the page at this path; nobody knows yet who sent it."""
    return PageRequest(app, scope, requests.request_in(scope).headers)


def missing_page(app: AppState) -> ASGIApp:
    """The app that answers where there is no page."""

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        fault = errors.HttpError(404, "there is nothing here")
        await error_page(page_request(app, scope), fault, fault)(scope, receive, send)

    return response.Compressed(respond)


def _refusal(request: PageRequest, error: Exception) -> response.Response | None:
    fault = response.fault_of(error)
    return None if fault is None else error_page(request, error, fault)


BROKEN_WALL: Final = (*(f"piece-{sign}" for sign in "12346TC"), "fig-raven")
"""The symbols of the picture of a page that is missing."""


def boxes_symbols() -> tuple[str, ...]:
    """The symbols of the pictures of all boxes, which the layer of games knows."""
    symbols: tuple[str, ...] = SHARED["box_symbols"]()
    return symbols


def error_page(
    request: PageRequest, error: Exception, fault: errors.HttpError
) -> response.Response:
    """A page that says what is wrong, in the visitor's language."""
    said = refusal_of(error, request.language)
    return request.render(
        "refused.html",
        fault.status,
        response.headers_of(fault),
        refusal=said,
        symbols=(*BROKEN_WALL, *boxes_symbols()) if said.lost else (),
    )


async def change_preferences(request: PageRequest, form: Form) -> response.Response:
    """Change the preferences in the form, and return to the page it was sent from."""
    headers = [request.preferences.changed(form).cookie(request)]
    if request.guest and form.get("name"):
        headers += await request.rename(form["name"])
    return response.redirect(form.way_back, headers)


# --- Panels: what features add to pages of others, such as the home page -------------------------

HOME_TOP: Final = "home-top"
"""The home page, before everything else."""
HOME: Final = "home"
"""The home page, below the games."""
ACCOUNT_TOP: Final = "account-top"
"""A guest's own page, before their games."""
ACCOUNT: Final = "account"
"""The settings on a guest's own page."""


class Panel(NamedTuple):
    """A part of a page: a template, and what it shows.

    The template is a `section.panel` with a heading. It finds what it shows as `part`, and all
    that every page knows, such as `language` and `guest`.
    """

    page: str
    """The page on which it is: `HOME_TOP`, `HOME`, `ACCOUNT_TOP` or `ACCOUNT`."""
    template: str
    gather: Callable[[PageRequest], Awaitable[Any]]
    """What it shows; None: it is left out this time."""
    symbols: tuple[str, ...] = ()
    """The icons that only it uses."""
    place: int = 100
    """Panels with lower numbers come first."""


def for_guest(
    gather: Callable[[PageRequest, Guest], Awaitable[Any]],
) -> Callable[[PageRequest], Awaitable[Any]]:
    """What a panel shows to a guest; readers who are none do not see it."""

    async def gather_for_guest(request: PageRequest) -> object:
        return None if request.guest is None else await gather(request, request.guest)

    return gather_for_guest


class Panels:
    """All panels of a server."""

    def __init__(self, panels: Iterable[Panel]) -> None:
        self._panels = tuple(sorted(panels, key=lambda each: each.place))

    async def gather(self, request: PageRequest, page: str) -> list[tuple[str, Any]]:
        """The panels of a page for this reader: each template, with what it shows."""
        found = [
            (each.template, await each.gather(request))
            for each in self._panels
            if each.page == page
        ]
        return [(template, part) for template, part in found if part is not None]

    def symbols(self, page: str) -> tuple[str, ...]:
        """The icons that the panels of a page use."""
        return tuple(name for each in self._panels if each.page == page for name in each.symbols)
