"""The browser behind a request, in words by which a person knows their devices apart."""

from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.server.http.request import Request

BROWSERS: Final = {
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Chrome/": "Chrome",
    "CriOS/": "Chrome",
    "Safari/": "Safari",
}
"""By what each says of itself; the first that is found counts, since most name others, too."""

SYSTEMS: Final = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}


class Browser(Value):
    """A browser and the system it runs on."""

    label: str
    phone: bool


def browser_of(request: Request) -> Browser:
    """The browser of a visit; what it says of itself need not be true."""
    return named_by(request.headers.get("user-agent", ""))


def named_by(said: str) -> Browser:
    """The browser that calls itself so.

    >>> named_by("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0").label
    'Firefox, Linux'
    """
    names = [
        next((name for word, name in known.items() if word in said), "")
        for known in (BROWSERS, SYSTEMS)
    ]
    label = ", ".join(name for name in names if name)
    return Browser(label, phone="Mobi" in said or "iPhone" in said)
