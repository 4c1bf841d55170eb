"""Rendering pages: the templates, and what all of them use."""

from functools import cache
from importlib import resources
from typing import Any

from jinja2 import ChoiceLoader, Environment, FunctionLoader, PackageLoader, StrictUndefined
from markupsafe import Markup

from mauerwerk.core.language.translation import TITLES, Language
from mauerwerk.core.language.words import capital
from mauerwerk.server.features.sharing.pictures import can_draw
from mauerwerk.server.games import has_rules, room_template, web_game
from mauerwerk.server.http.static import address
from mauerwerk.server.ui.markup import html, sign, sprite
from mauerwerk.server.ui.preferences import Preferences


def render(
    template: str,
    language: Language,
    preferences: Preferences,
    **content: Any,  # noqa: ANN401 - whatever the template shows
) -> str:
    """A template, filled in."""
    content = {"symbols": (), "preview": None, **content}
    return (
        _templates()
        .get_template(template)
        .render(language=language, preferences=preferences, **content)
    )


@cache
def _templates() -> Environment:
    """All templates, which are part of the program and compiled once."""
    made = Environment(
        loader=ChoiceLoader(
            [
                PackageLoader("mauerwerk.server.ui"),
                FunctionLoader(_feature_template),
                FunctionLoader(room_template),
            ]
        ),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters["capital"] = capital
    shared: dict[str, Any] = {
        "static": address,
        "sprite": all_signs,
        "sign": signed,
        "TITLES": TITLES,
        "has_rules": has_rules,
        "picture": picture_of,
        "draws_pictures": can_draw,
    }
    for name, each in shared.items():
        made.globals[name] = each
    return made


def _feature_template(name: str) -> str | None:
    """A template of a feature: `chat/panel.html` is `features/chat/templates/panel.html`."""
    feature, _, rest = name.partition("/")
    found = resources.files("mauerwerk.server.features").joinpath(feature, "templates", rest)
    return found.read_text() if rest and found.is_file() else None


def picture_of(game: str) -> str:
    """The picture on the box of a game, or its symbol."""
    room = web_game(game)
    return room.picture or html(sign(room.box.thumb))


@cache
def all_signs(symbols: tuple[str, ...]) -> Markup:
    """The symbols of a page, for use in its drawings."""
    return Markup(sprite(symbols))  # noqa: S704 - drawn here


@cache
def signed(name: str, class_: str = "") -> Markup:
    """A symbol of the sprite as a picture that only adorns."""
    return Markup(html(sign(name, class_ or None)))  # noqa: S704 - drawn here
