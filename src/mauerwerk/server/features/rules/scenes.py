"""The scenes of a rulebook: positions of real games, drawn by the games themselves.

A scene is a record and what of the table it shows. It is replayed when it is drawn, so that a
picture cannot show what the rules do not allow. Scenes are in the `rulebook` of each game.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Final

import msgspec

from mauerwerk.core import record, svg
from mauerwerk.core.game import Seat, Value
from mauerwerk.core.language.translation import Language
from mauerwerk.games import GAMES
from mauerwerk.server.games import room, web_game


class RulebookScene(Value):
    """What is drawn: a part of the table, after the moves of a record."""

    shows: str
    """The part: a word of the game's `painters`."""
    record: str
    after: str = ""
    """The scene whose record this one continues."""
    seat: int | None = None
    """The seat of the viewer; None for a spectator."""
    acts: int | None = None
    """The seat whose choices are marked."""
    whose: int = 0
    """Of several parts of the same kind, such as walls, the one of this seat."""


@cache
def scenes(game: str) -> Mapping[str, RulebookScene]:
    """The scenes of a game by name."""
    folder = web_game(game).rulebook
    if folder is None:
        raise ValueError(f"{game} has no rulebook")
    text = folder.joinpath("scenes.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, RulebookScene])


def drawing(game: str, name: str, words: str, language: Language) -> svg.Node:
    """A scene as one picture that these words describe. Raises ValueError for an unknown one."""
    scene = scenes(game).get(name)
    if scene is None:
        raise ValueError(f"{game} has no scene {name}")
    canvas = web_game(game).painters[scene.shows](_position(game, scene, language))
    left, top, wide, high = canvas.box
    drawn = svg.node(
        "svg",
        *canvas.content,
        viewBox=f"{left:g} {top:g} {wide:g} {high:g}",
        width=wide,
        height=high,
        class_=f"mauerwerk drawing of-{scene.shows}",
        role="img",
        aria_label=words,
    )
    return _at_rest(drawn, name)


def used(drawn: svg.Node) -> tuple[str, ...]:
    """The symbols that a drawing uses."""
    hrefs = (each.get("href", "") for each in drawn.iter("use"))
    return tuple(dict.fromkeys(href.removeprefix("#") for href in hrefs))


def _position(game: str, scene: RulebookScene, language: Language) -> room.SceneView:
    """The table after the record."""
    module = GAMES[game]
    kept = record.read(_record(game, scene), GAMES)
    state = module.start(kept.setup)
    for _, step in record.replay(module, kept):
        state = step.state
    seat = None if scene.seat is None else Seat(scene.seat)
    legal = () if scene.acts is None else module.legal(state, Seat(scene.acts))
    offers = {action: (module.write(action), module.say(action, language)) for action in legal}
    return room.SceneView(module.view(state, seat), offers, Seat(scene.whose), language)


def _record(game: str, scene: RulebookScene) -> str:
    before = _record(game, scenes(game)[scene.after]) if scene.after else ""
    return before + scene.record


# --- A picture in a text ---------------------------------------------------------------------

_REFERENCE: Final = re.compile(r"url\(#([\w-]+)\)")
_FOR_PLAY: Final = ("role", "tabindex", "aria-label", "data-word")


def _at_rest(drawn: svg.Node, name: str) -> svg.Node:
    """The drawing as one picture: nothing in it to press, and no id that another one has too."""
    inside = [each for each in drawn.iter() if each is not drawn]
    own = {each.get("id", "") for defs in drawn.iter("defs") for each in defs.iter()} - {""}
    for each in inside:
        for attribute in _FOR_PLAY:
            each.attrib.pop(attribute, None)
        if each.get("id") in own:
            each.set("id", f"{name}-{each.get('id')}")
        else:
            each.attrib.pop("id", None)
        for attribute, value in each.attrib.items():
            found = _REFERENCE.fullmatch(value)
            if found and found[1] in own:
                each.set(attribute, f"url(#{name}-{found[1]})")
        for title in each.findall("title"):
            each.remove(title)
    return drawn
