"""Tapping on pages by plain links, and by buttons of a form."""

import re
from urllib.parse import urlencode

from tests.support.web_pages import Page, attributes, look
from tests.support.web_server import Player


def links(page: Page) -> dict[str, str]:
    """The addresses behind everything that can be tapped, by its word."""
    found = re.findall(r'href="([^"]+)"[^>]*?data-word="([^"]+)"', page.html)
    return {word: address.replace("&amp;", "&") for address, word in found}


def tap(player: Player, page: Page, *words: str) -> Page:
    """What the page looks like after these taps, each a link."""
    for word in words:
        page = look(player, links(page)[word])
        assert page.answer.status_code == 200
    return page


def press(player: Player, page: Page, *words: str, **typed: str) -> Page:
    """The same, where each is a button of the form `sheet`, into which something was typed."""
    for word in words:
        buttons = map(attributes, re.findall(r'<button\b[^>]*form="sheet"[^>]*>', page.html))
        assert word in [button["value"] for button in buttons]
        (form,) = (form for form in page.forms if "all" in form.fields)
        query = urlencode({**form.fields, **typed, "word": word})
        page = look(player, f"{form.action}?{query}")
        assert page.answer.status_code == 200
    return page
