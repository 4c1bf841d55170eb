"""Tapping on pages whose every button is a link."""

import re

from tests.support.web_pages import Page, look
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
