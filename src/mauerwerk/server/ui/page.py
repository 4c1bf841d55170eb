"""Pages as endpoints: they answer with HTML, also when something is wrong."""

from collections.abc import Awaitable, Callable
from contextlib import suppress

from starlette.types import ASGIApp, Receive, Scope, Send

from mauerwerk.server.http.call import AppState
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.identity import Identity, caller_of, check_block
from mauerwerk.server.http.reading import body_of, check_media
from mauerwerk.server.http.response import Compressed, Response, fault_of, headers_of
from mauerwerk.server.ui.error_texts import refusal_of
from mauerwerk.server.ui.forms import FORM, Form, form_in
from mauerwerk.server.ui.visitor import Visitor, visitor_of

GetHandler = Callable[[Visitor], Awaitable[ASGIApp]]
PostHandler = Callable[[Visitor, Form], Awaitable[ASGIApp]]


class Page:
    """What a browser gets at one path: a page to look at, a form to send, or both."""

    def __init__(
        self,
        site: AppState,
        *,
        get: GetHandler | None = None,
        post: PostHandler | None = None,
        for_hosts: bool = False,
        from_anywhere: bool = False,
    ) -> None:
        """Answer requests with these handlers; those for hosts check themselves who asks.

        A form that may come `from_anywhere` is one that knows a secret link, and has no fields.
        """
        self._site = site
        self._from_anywhere = from_anywhere
        self._for_hosts = for_hosts
        self._get = get
        self._post = post
        self._app = Compressed(self._respond)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, in the worst case with a page that says what is wrong."""
        await self._app(scope, receive, send)

    async def _respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        visitor = visitor_of(self._site, scope, Identity())
        try:
            table = scope["path_params"].get("table", "")
            caller = caller_of(self._site.host, visitor.visit, table)
            if not self._for_hosts:  # who could not lift a block of their own network
                check_block(self._site.host, visitor.visit, caller)
            visitor = visitor_of(self._site, scope, caller)
            answer = await self._answer(visitor, receive)
        except Exception as error:
            fault = fault_of(error)
            if fault is None:
                broken = HttpError(500, "something broke here; it was not your fault")
                with suppress(Exception):  # if this page breaks as well, the log answers
                    await error_page(visitor, broken, broken)(scope, receive, send)
                raise  # to the log
            answer = error_page(visitor, error, fault)
        await answer(scope, receive, send)

    async def _answer(self, visitor: Visitor, receive: Receive) -> ASGIApp:
        visit = visitor.visit
        if visit.is_safe and self._get:
            return await self._get(visitor)
        if visit.method == "POST" and self._post and self._from_anywhere:
            await body_of(visit, receive)
            return await self._post(visitor, Form())
        if visit.method == "POST" and self._post:
            check_media(visit, FORM)
            if not visit.is_ours:
                raise HttpError(
                    403, "a page from elsewhere may not change anything here", word="origin"
                )
            return await self._post(visitor, form_in(await body_of(visit, receive)))
        allowed = ", ".join([*(["GET", "HEAD"] * bool(self._get)), *(["POST"] * bool(self._post))])
        raise HttpError(405, f"here you can {allowed}", headers={"allow": allowed})


def missing_page(site: AppState) -> ASGIApp:
    """The app that answers where there is no page."""

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        fault = HttpError(404, "there is nothing here")
        visitor = visitor_of(site, scope, Identity())
        await error_page(visitor, fault, fault)(scope, receive, send)

    return Compressed(respond)


def error_page(visitor: Visitor, error: Exception, fault: HttpError) -> Response:
    """A page that says what is wrong, in the visitor's language."""
    said = refusal_of(error, fault, visitor.language)
    return visitor.paint("refused.html", fault.status, headers_of(fault), refusal=said)
