"""Reading pages as a browser without a script does: forms, their fields and buttons, the text."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import httpx
from tests.support.web_server import LEVEL, Player

_FORM = re.compile(r"<form\b([^>]*)>(.*?)</form>", re.DOTALL)
_FIELD = re.compile(r"<(?:input|button)\b[^>]*>")
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_SELECT = re.compile(r'<select name="([^"]+)"[^>]*>(.*?)</select>', re.DOTALL)
_OPTION = re.compile(r'<option value="([^"]*)"')
_CHOSEN = re.compile(_OPTION.pattern + " selected>")


def attributes(tag: str) -> dict[str, str]:
    """The attributes of a tag."""
    return {name: unescape(value) for name, value in _ATTRIBUTE.findall(tag)}


class Form:
    """A form on a page."""

    def __init__(self, tag: str, content: str) -> None:
        """Read its fields, filled in as they are, and its buttons."""
        self.action = attributes(tag)["action"]
        self.fields: dict[str, str] = {}
        self.buttons: list[tuple[str, str]] = []
        for each in _FIELD.findall(content):
            field = attributes(each)
            name, value = field.get("name", ""), field.get("value", "")
            if each.startswith("<button"):
                self.buttons.append((name, value))
            elif field.get("type") == "radio" and "checked" not in each:
                self.fields.setdefault(name, value)
            elif field.get("type") != "checkbox" or "checked" in each:
                self.fields[name] = value
        for name, choices in _SELECT.findall(content):
            chosen = _CHOSEN.search(choices) or _OPTION.search(choices)
            assert chosen is not None
            self.fields[name] = chosen[1]


class Page:
    """A page that somebody looks at."""

    def __init__(self, player: Player, answer: httpx.Response) -> None:
        """As it was answered, after all redirects."""
        self.player = player
        self.answer = answer
        self.html = answer.text

    @property
    def forms(self) -> list[Form]:
        """All forms."""
        return [Form(tag, content) for tag, content in _FORM.findall(self.html)]

    @property
    def text(self) -> str:
        """What can be read."""
        bare = re.sub(r"<(style|script)\b.*?</\1>", " ", self.html, flags=re.DOTALL)
        return " ".join(unescape(re.sub(r"<[^>]+>", " ", bare)).split())

    @property
    def main(self) -> str:
        """The HTML of what the page is about."""
        found = re.search(r"<main.*</main>", self.html, re.DOTALL)
        assert found is not None
        return found[0]

    @property
    def path(self) -> str:
        """Where it is."""
        return self.answer.url.raw_path.decode()

    def words(self) -> list[str]:
        """The words of all moves that the page offers as buttons."""
        return [
            value for form in self.forms for name, value in form.buttons if name == "word" and value
        ]

    def form(self, action: str) -> Form:
        """The form that is sent to a path with this end."""
        return next(form for form in self.forms if form.action.endswith(action))

    def send(self, action: str, **fields: str) -> "Page":
        """Send a form, with these fields filled in."""
        form = self.form(action)
        return sent(self.player, form.action, **{**form.fields, **fields})


def look(player: Player, path: str, **headers: str) -> Page:
    """Go to a page."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Page(player, player.client.get(path, headers=named, follow_redirects=True))


def sent(player: Player, path: str, **fields: str) -> Page:
    """Send these fields to a path."""
    # A browser says so of a form without fields too.
    kind = {"content-type": "application/x-www-form-urlencoded"}
    answer = player.client.post(path, data=fields, headers=kind, follow_redirects=True)
    return Page(player, answer)


def every_page(player: Player, tables: dict[str, Any]) -> Iterator[Page]:
    """One page of each kind, and more of some."""
    yield look(player, "/")
    for game in ("mauer", "burgbaumeister", "mauerbauer"):
        yield look(player, f"/new/{game}")
    for path in tables.values():
        yield look(player, path)
    yield look(player, "/nowhere")
    yield look(player, "/t/nowhere")


def table_of(player: Player, game: str, people: int = 1, **more: Any) -> str:  # noqa: ANN401
    """The path of a new table with bots, at which this player has the first seats."""
    bots = [{"kind": "bot", "level": LEVEL}] * (3 - people)
    order = {
        "game": game,
        "chairs": [*[{"kind": "human"}] * people, *bots],
        "bot_delay_ms": 0,
        **more,
    }
    made = player.post("/api/tables", **{"mine": [*range(people)], **order})
    assert made.status_code == 201, made.text
    return f"/t/{made.json()['table']}"


def asked(page: Page) -> bool:
    """Whether the page asks whoever looks at it."""
    return "data-asked" in page.main
