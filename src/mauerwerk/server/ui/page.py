"""Pages: requests for them, with the reader's language and preferences, and their answers."""

from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import cached_property
from typing import Any, Final, NamedTuple

from msgspec.structs import replace
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from mauerwerk.core.language.translation import Language, language_of
from mauerwerk.server.engine.events import GuestRenamed
from mauerwerk.server.http import response
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.identity import check_block, guest_cookie, identify, named, new_guest
from mauerwerk.server.http.request import AppState, Request, body_of, check_media, request_in
from mauerwerk.server.http.security import prefixed
from mauerwerk.server.tables.charter import Guest, Order
from mauerwerk.server.ui.error_texts import refusal_of
from mauerwerk.server.ui.forms import FORM, Form, form_in
from mauerwerk.server.ui.preferences import (
    Preferences,
    changed,
    preferences_cookie,
    preferences_of,
    spoken,
)
from mauerwerk.server.ui.render import render

HTML: Final = b"text/html; charset=utf-8"
KEPT: Final = "x-kept"
"""The header of a request for a page that is read without a network, maybe by somebody else."""

VARY: Final[response.Header] = (b"vary", b"accept-language, cookie")


class PageRequest(Request):
    """A request for a page, and how the reader wants it."""

    @cached_property
    def preferences(self) -> Preferences:
        """The reader's preferences, from their cookie."""
        return preferences_of(self)

    @cached_property
    def language(self) -> Language:
        """The language of the page: the chosen one, or the browser's."""
        return language_of(spoken(self, self.preferences))

    @property
    def guest(self) -> Guest | None:
        """The guest they are, if any; nobody, where the app keeps a copy of the page."""
        return None if KEPT in self.headers else self.identity.guest

    @property
    def morphs(self) -> bool:
        """Whether the page's script asks for a part of the page, to morph it in."""
        return self.headers.get("hx-request") == "true"

    def known(self, name: str = "") -> tuple[Guest, list[response.Header]]:
        """The guest they are, or become under this name; and the header that sets the cookie."""
        if self.guest is not None:
            return self.guest, []
        self.app.limiter.guest(self.client)
        guest = new_guest(name)
        return guest, [guest_cookie(self, guest)]

    def renamed(self, name: str) -> list[response.Header]:
        """The header that sets the cookie of the same guest under another name."""
        if self.guest is None:
            return self.known(name)[1]
        return [guest_cookie(self, Guest(self.guest.id, named(name)))]

    async def rename(self, name: str) -> list[response.Header]:
        """The same; the other devices of a person know the new name, too."""
        headers = self.renamed(name)
        if self.guest is not None and self.identity.device:
            guest = Guest(self.guest.id, named(name))
            await self.host.events.publish_and_wait(GuestRenamed(guest))
        return headers

    async def create_table(self, order: Order, guest: Guest) -> str:
        """Create a table, counted as this guest's; its name. Raises HttpError."""
        self.app.limiter.table(self.client)
        self.app.limiter.table(f"guest {guest.id}")
        table = await self.host.create(replace(order, language=self.language.code), guest)
        return table.charter.id

    def render(
        self,
        template: str,
        status: int = 200,
        headers: Iterable[response.Header] = (),
        **content: Any,  # noqa: ANN401 - whatever the template shows
    ) -> response.Response:
        """A page."""
        return html_reply(self.text(template, **content), status, [*headers, *self._renewed()])

    def _renewed(self) -> list[response.Header]:
        """The header that replaces the cookie of a guest, where the secret or the name is new."""
        if self.guest is None or not self.identity.outdated:
            return []
        return [guest_cookie(self, self.guest)]

    def text(self, template: str, **content: Any) -> str:  # noqa: ANN401 - as above
        """A page, or a part of one, as text."""
        made = render(
            template,
            self.language,
            self.preferences,
            guest=self.guest,
            path=self.path,
            **self.app.page_values(self.guest),
            **content,
        )
        return prefixed(made, self.prefix)


def html_reply(
    text: str, status: int = 200, headers: Iterable[response.Header] = ()
) -> response.Response:
    """HTML as an answer."""
    return response.Response(text.encode(), HTML, status, [*headers, VARY])


GetHandler = Callable[[PageRequest], Awaitable[ASGIApp]]
PostHandler = Callable[[PageRequest, Form], Awaitable[ASGIApp]]


class PageRoute(NamedTuple):
    """A page of a feature: its path, and what answers there."""

    path: str
    get: GetHandler | None = None
    post: PostHandler | None = None
    for_hosts: bool = False
    """Whether it is for the hosts of the server. It checks itself who asks, and exists only where
    hosts have a token."""

    from_anywhere: bool = False
    """Whether the form may come from another site: it knows a secret link, and has no fields."""

    def route(self, app: AppState) -> Route:
        """The page as a part of this server."""
        handlers = self._asdict()
        return Route(handlers.pop("path"), Page(app, **handlers))


class Page:
    """What a browser gets at one path: a page to look at, a form to send, or both."""

    def __init__(
        self,
        app: AppState,
        *,
        get: GetHandler | None = None,
        post: PostHandler | None = None,
        for_hosts: bool = False,
        from_anywhere: bool = False,
    ) -> None:
        """Answer requests with these handlers; those for hosts check themselves who asks.

        A form that may come `from_anywhere` is one that knows a secret link, and has no fields.
        """
        self._state = app
        self._from_anywhere = from_anywhere
        self._for_hosts = for_hosts
        self._get = get
        self._post = post
        self._app = response.Compressed(self._respond)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, in the worst case with a page that says what is wrong."""
        await self._app(scope, receive, send)

    async def _respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = page_request(self._state, scope)
        try:
            request.identity = identify(request)
            if not self._for_hosts:  # who could not lift a block of their own network
                check_block(request, request.identity)
            answer = await self._answer(request, receive)
        except Exception as error:
            fault = response.fault_of(error)
            if fault is None:
                broken = HttpError(500, "something broke here; it was not your fault")
                with suppress(Exception):  # if this page breaks as well, the log answers
                    await error_page(request, broken, broken)(scope, receive, send)
                raise  # to the log
            answer = error_page(request, error, fault)
        await answer(scope, receive, send)

    async def _answer(self, request: PageRequest, receive: Receive) -> ASGIApp:
        if request.is_safe and self._get:
            return await self._get(request)
        if request.method == "POST" and self._post and self._from_anywhere:
            await body_of(request, receive)
            return await self._post(request, Form())
        if request.method == "POST" and self._post:
            check_media(request, FORM)
            if not request.is_ours:
                raise HttpError(
                    403, "a page from elsewhere may not change anything here", code="origin"
                )
            return await self._post(request, form_in(await body_of(request, receive)))
        allowed = ", ".join([*(["GET", "HEAD"] * bool(self._get)), *(["POST"] * bool(self._post))])
        raise HttpError(405, f"here you can {allowed}", headers={"allow": allowed})


def page_request(app: AppState, scope: Scope) -> PageRequest:
    """The request for the page at this path; nobody knows yet who sent it."""
    return PageRequest(app, scope, request_in(scope).headers)


def missing_page(app: AppState) -> ASGIApp:
    """The app that answers where there is no page."""

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        fault = HttpError(404, "there is nothing here")
        await error_page(page_request(app, scope), fault, fault)(scope, receive, send)

    return response.Compressed(respond)


def error_page(request: PageRequest, error: Exception, fault: HttpError) -> response.Response:
    """A page that says what is wrong, in the visitor's language."""
    said = refusal_of(error, fault, request.language)
    return request.render("refused.html", fault.status, response.headers_of(fault), refusal=said)


async def change_preferences(request: PageRequest, form: Form) -> response.Response:
    """Change the preferences in the form, and return to the page it was sent from."""
    headers = [preferences_cookie(request, changed(request.preferences, form))]
    if request.guest and form.get("name"):
        headers += await request.rename(form["name"])
    return response.redirect(form.way_back, headers)
