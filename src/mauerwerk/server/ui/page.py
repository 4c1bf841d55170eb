"""Pages as endpoints: they answer with HTML, also when something is wrong."""

from collections.abc import Awaitable, Callable
from contextlib import suppress

from starlette.types import ASGIApp, Receive, Scope, Send

from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.identity import check_block, identify
from mauerwerk.server.http.reading import body_of, check_media
from mauerwerk.server.http.request import AppState, request_in
from mauerwerk.server.http.response import Compressed, Response, fault_of, headers_of
from mauerwerk.server.ui.error_texts import refusal_of
from mauerwerk.server.ui.forms import FORM, Form, form_in
from mauerwerk.server.ui.request import PageRequest

GetHandler = Callable[[PageRequest], Awaitable[ASGIApp]]
PostHandler = Callable[[PageRequest, Form], Awaitable[ASGIApp]]


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
        self._app = Compressed(self._respond)

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
            fault = fault_of(error)
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
                    403, "a page from elsewhere may not change anything here", word="origin"
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

    return Compressed(respond)


def error_page(request: PageRequest, error: Exception, fault: HttpError) -> Response:
    """A page that says what is wrong, in the visitor's language."""
    said = refusal_of(error, fault, request.language)
    return request.render("refused.html", fault.status, headers_of(fault), refusal=said)
