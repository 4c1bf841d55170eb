"""What a page says in another language, beside what it says in English."""

import re

from tests.support.people import Person

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
    *("Der", "Wettkampf", "der", "Ada", "Bo", "Bruno", "Cem", "Clara", "Dina", "Olmo"),
    *("Bob", "Dora", "Emil", "West", "wwwme", "wwmme"),
    *("Bot", "Name", "Pause", "bot", "min", "no", "No", "round", "Round"),
    *("Chat", "Enter", "Esc", "Menu", "Replay", "Tab"),
}
"""Words that are the same in another language, most of them names."""

ALIKE = {
    *("mauer-begins", "burgbaumeister-begins", "mauerbauer-begins", "replay-burgbaumeister"),
    *("learn-mauer-over", "learn-burgbaumeister-fire", "learn-mauerbauer-scores", "by-hand-cards"),
}
"""Pages that say little that others do not, or what tests without a browser look at."""


def speak(person: Person, language: str) -> None:
    """Wish for a language, from the next page on, and still to make forced moves oneself."""
    person.context.add_cookies(
        [{"name": "mauerwerk-preferences", "value": f"{language}..manual", "url": person.address}]
    )


def texts(person: Person, language: str) -> set[str]:
    """What the page says, which is in this language."""
    assert person.page.locator("html").get_attribute("lang") == language
    return set(person.page.evaluate(TEXTS))


def same(english: set[str], others: set[str]) -> list[str]:
    """What two pages say alike, but for names."""
    return [text for text in english & others if set(re.findall(r"[^\W\d_]{2,}", text)) - SAME]


def reloaded(person: Person, language: str) -> set[str]:
    """What the page says once it has been loaded again, in this language."""
    speak(person, language)
    person.page.reload()
    person.page.locator("main").first.wait_for()
    return texts(person, language)


def left_in_english(person: Person, place: str) -> dict[str, list[str]]:
    """What the German and the Italian page say as the English one does, but for names."""
    english = texts(person, "en")
    left: dict[str, list[str]] = {}
    for code in ("de", "it"):
        left[code] = same(english, reloaded(person, code))
        person.photograph(f"{place}-{code}")
    return left
