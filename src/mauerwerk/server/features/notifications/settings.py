"""How a server may notify people who are not there: nothing leaves it unless its host says so."""

from typing import Annotated, Literal

from msgspec import Meta

from mauerwerk.core.game import Value


class Push(Value, tag=False):
    """Notifications to browsers whose pages are closed, by way of their makers' push services."""

    on: bool = False
    contact: str = ""
    """Whom a push service can turn to: `mailto:` and an address, or an `https://` address."""

    private: bool = False
    """Whether a push service may be in a private network and without https, as in tests."""


class Mail(Value, tag=False):
    """Notifications by e-mail."""

    server: str = ""
    """The name of the mail server; empty: no e-mail is sent."""

    port: Annotated[int, Meta(ge=1, le=65_535)] = 587
    security: Literal["starttls", "tls", "none"] = "starttls"
    user: str = ""
    password: str = ""
    sender: str = ""
    """Who it comes from, such as `Mauerwerk <walls@example.org>`."""
