"""Three languages: the browser's, or the chosen one; and nothing is left in English."""

import re

import pytest
from tests.browser.all_places import PLACES, go_to
from tests.browser.conftest import Meet

TEXTS = """() => {
    const found = [document.title];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode())
        if (!walk.currentNode.parentElement.closest("script, style, code, [lang]:not(html)"))
            found.push(walk.currentNode.data);
    for (const each of document.body.querySelectorAll("*"))
        for (const name of ["aria-label", "title", "placeholder", "alt"])
            found.push(each.getAttribute(name) ?? "");
    return found.map(text => text.trim().replace(/\\s+/g, " ")).filter(text => text);
}"""

SAME = {
    *("Mauerwerk", "Die", "Mauer", "Mauerbauer", "Burgbaumeister", "DM", "BB", "MB"),
    *("Der", "Wettkampf", "der", "Ada", "Bo", "Bruno", "Cem", "Clara", "Dina"),
    *("Bob", "Dora", "West", "wwwme", "wwmme"),
    *("Bot", "Name", "min", "no", "round", "Round"),
}
"""Words that are the same in another language, most of them names."""

ALIKE = {
    *("mauer-begins", "burgbaumeister-begins", "mauerbauer-begins", "replay-burgbaumeister"),
    *("learn-mauer-over", "learn-burgbaumeister-fire", "learn-mauerbauer-scores", "by-hand-cards"),
}
"""Pages that say little that others do not, or what tests without a browser look at."""


@pytest.mark.parametrize(("locale", "code"), [("de-AT", "de"), ("it-IT", "it"), ("fr-FR", "en")])
def test_a_page_speaks_the_browsers_language(meet: Meet, locale: str, code: str) -> None:
    """Or English, where there is no such language."""
    somebody = meet("", locale=locale)
    somebody.go()

    assert somebody.page.locator("html").get_attribute("lang") == code


@pytest.mark.parametrize("place", [each for each in PLACES if each not in ALIKE])
def test_nothing_is_left_in_english(meet: Meet, place: str) -> None:
    """What a German or Italian page says as the English one does is a name or a number."""
    ada = meet()
    go_to(ada, place)
    english = set(ada.page.evaluate(TEXTS))
    ada.photograph(f"{place}-en")
    left: dict[str, list[str]] = {}
    for code in ("de", "it"):
        ada.context.add_cookies(
            [{"name": "mauerwerk-wishes", "value": f"{code}..0.0", "url": ada.address}]
        )
        ada.page.reload()
        ada.page.locator("main").first.wait_for()
        assert ada.page.locator("html").get_attribute("lang") == code
        both = english & set(ada.page.evaluate(TEXTS))
        ada.photograph(f"{place}-{code}")
        left[code] = [text for text in both if set(re.findall(r"[^\W\d_]{2,}", text)) - SAME]
    if place == "nothing":
        ada.faults.clear()

    assert left == {"de": [], "it": []}
