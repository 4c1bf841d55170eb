"""What a page says in another language, beside what it says in English."""

import re

from tests.browser.people import Person

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


def left_in_english(person: Person, place: str) -> dict[str, list[str]]:
    """What the German and the Italian page say as the English one does, but for names."""
    english = set(person.page.evaluate(TEXTS))
    left: dict[str, list[str]] = {}
    for code in ("de", "it"):
        person.context.add_cookies(
            [{"name": "mauerwerk-wishes", "value": f"{code}..0.0", "url": person.address}]
        )
        person.page.reload()
        person.page.locator("main").first.wait_for()
        assert person.page.locator("html").get_attribute("lang") == code
        both = english & set(person.page.evaluate(TEXTS))
        person.photograph(f"{place}-{code}")
        left[code] = [text for text in both if set(re.findall(r"[^\W\d_]{2,}", text)) - SAME]
    return left
