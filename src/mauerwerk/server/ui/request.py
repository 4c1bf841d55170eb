"""Requests for pages: the reader's guest, language and preferences, and how pages are rendered."""

from collections.abc import Iterable
from functools import cached_property, partial
from typing import Any, Final

from mauerwerk.core.language.translation import Language, language_of
from mauerwerk.server.features.accounts import store
from mauerwerk.server.http.cookies import guest_cookie
from mauerwerk.server.http.names import named, new_guest
from mauerwerk.server.http.prefix import prefixed
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.response import Header, Response
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.ui.preferences import Preferences, preferences_of, spoken
from mauerwerk.server.ui.render import render

HTML: Final = b"text/html; charset=utf-8"
KEPT: Final = "x-kept"
"""The header of a request for a page that is read without a network, maybe by somebody else."""

VARY: Final[Header] = (b"vary", b"accept-language, cookie")


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

    def known(self, name: str = "") -> tuple[Guest, list[Header]]:
        """The guest they are, or become under this name; and the header that sets the cookie."""
        if self.guest is not None:
            return self.guest, []
        self.app.limiter.guest(self.client)
        guest = new_guest(name)
        return guest, [guest_cookie(self, guest)]

    def renamed(self, name: str) -> list[Header]:
        """The header that sets the cookie of the same guest under another name."""
        if self.guest is None:
            return self.known(name)[1]
        return [guest_cookie(self, Guest(self.guest.id, named(name)))]

    async def rename(self, name: str) -> list[Header]:
        """The same; the other devices of a person know the new name, too."""
        headers = self.renamed(name)
        if self.guest is not None and self.identity.device:
            guest = Guest(self.guest.id, named(name))
            await self.host.write("guest", partial(store.rename, guest=guest))
        return headers

    def render(
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


def html_reply(text: str, status: int = 200, headers: Iterable[Header] = ()) -> Response:
    """HTML as an answer."""
    return Response(text.encode(), HTML, status, [*headers, VARY])
