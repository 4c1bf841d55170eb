"""Visitors of pages: their guest, their language, and the page they asked for."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, Final
from urllib.parse import parse_qsl, quote

from starlette.types import Scope

from mauerwerk.core.language.translation import language_of
from mauerwerk.server.features.accounts import store
from mauerwerk.server.http.call import AppState, Call
from mauerwerk.server.http.cookies import guest_cookie
from mauerwerk.server.http.identity import Identity
from mauerwerk.server.http.names import named, new_guest
from mauerwerk.server.http.prefix import prefixed
from mauerwerk.server.http.response import Header, Response
from mauerwerk.server.http.visit import visit_in
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.ui.forms import FIELDS
from mauerwerk.server.ui.preferences import preferences_of, spoken
from mauerwerk.server.ui.render import painted

HTML: Final = b"text/html; charset=utf-8"
KEPT: Final = "x-kept"
"""The header of a request for a page that is read without a network, maybe by somebody else."""

VARY: Final[Header] = (b"vary", b"accept-language, cookie")


class Visitor:
    """Somebody who asked for a page, and how they want it."""

    def __init__(self, call: Call, path: str, query: Mapping[str, str]) -> None:
        """Read their preferences from the cookie, and their language from the browser."""
        self.call = call
        self.visit = call.visit
        self.preferences = preferences_of(call.visit)
        self.language = language_of(spoken(call.visit, self.preferences))
        self.path = path
        self.query = query

    @property
    def guest(self) -> Guest | None:
        """The guest they are, if any; nobody, where the app keeps a copy of the page."""
        return None if KEPT in self.visit.headers else self.call.caller.guest

    @property
    def morphs(self) -> bool:
        """Whether the page's script asks for a part of the page, to morph it in."""
        return self.visit.headers.get("hx-request") == "true"

    def known(self, name: str = "") -> tuple[Guest, list[Header]]:
        """The guest they are, or become under this name; and the header that sets the cookie."""
        if self.guest is not None:
            return self.guest, []
        self.call.site.limiter.guest(self.visit.client)
        guest = new_guest(name)
        return guest, [guest_cookie(self.call.host, self.visit, guest)]

    def renamed(self, name: str) -> list[Header]:
        """The header that sets the cookie of the same guest under another name."""
        if self.guest is None:
            return self.known(name)[1]
        guest = Guest(self.guest.id, named(name))
        return [guest_cookie(self.call.host, self.visit, guest)]

    async def rename(self, name: str) -> list[Header]:
        """The same; the other devices of a person know the new name, too."""
        headers = self.renamed(name)
        if self.guest is not None and self.call.caller.device:
            guest = Guest(self.guest.id, named(name))
            await self.call.host.ruler.act("guest", partial(store.rename, guest=guest))
        return headers

    def paint(
        self,
        template: str,
        status: int = 200,
        headers: Iterable[Header] = (),
        **content: Any,  # noqa: ANN401 - whatever the template shows
    ) -> Response:
        """A page."""
        return html_reply(self.text(template, **content), status, [*headers, *self._renewed()])

    def _renewed(self) -> list[Header]:
        """The header that replaces the cookie of a guest, where the secret or the name is new."""
        if self.guest is None or not self.call.caller.outdated:
            return []
        return [guest_cookie(self.call.host, self.visit, self.guest)]

    def text(self, template: str, **content: Any) -> str:  # noqa: ANN401 - as above
        """A page, or a part of one, as text."""
        made = painted(
            template,
            self.language,
            self.preferences,
            guest=self.guest,
            path=self.path,
            called=self.guest is not None and self.guest.id in self.call.host.calls.callees,
            **content,
        )
        return prefixed(made, self.visit.prefix)


def html_reply(text: str, status: int = 200, headers: Iterable[Header] = ()) -> Response:
    """HTML as an answer."""
    return Response(text.encode(), HTML, status, [*headers, VARY])


def visitor_of(site: AppState, scope: Scope, caller: Identity) -> Visitor:
    """The visitor who asks for the page at this path."""
    call = Call(site, visit_in(scope), caller, scope.get("path_params", {}))
    query = scope["query_string"].decode("latin-1")
    path = quote(scope["path"]) + (f"?{query}" if query else "")
    return Visitor(call, path, _fields_of(query))


def _fields_of(query: str) -> dict[str, str]:
    """The fields of a query; none, if there are too many."""
    try:
        return dict(parse_qsl(query, max_num_fields=FIELDS))
    except ValueError:
        return {}
