"""Forms that a page sends, and the path of the page to go back to."""

from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.server.http.request import FIELDS, pairs_in, whole_number

FORM: Final = "application/x-www-form-urlencoded"


class Form(dict[str, str]):
    """The fields of a form that was sent."""

    def number(self, name: str) -> int | None:
        """A field as a number from 0; None if it is none."""
        return whole_number(self.get(name, ""))

    @property
    def way_back(self) -> str:
        """The page of this server from which the form was sent."""
        return local_path(self.get("back", ""))


def form_in(body: bytes) -> Form:
    """The form in a body. Raises HttpError."""
    return Form(pairs_in(body, FIELDS, "form"))


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
