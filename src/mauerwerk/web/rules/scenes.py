"""The scenes of a rulebook: positions of real games, drawn by the games themselves.

A scene is a record and what of the table it shows. It is replayed when it is drawn, so that a
picture cannot show what the rules do not allow. Scenes are in the `rulebook` of each game.
"""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final, NamedTuple

import msgspec

from mauerwerk.core import record
from mauerwerk.core.game import Seat, Value
from mauerwerk.core.language.translation import Language
from mauerwerk.core.svg.drawing import Node, group, node, size_of
from mauerwerk.games import GAMES
from mauerwerk.games.burgbaumeister.cards import STANDARD, card, pictures
from mauerwerk.games.burgbaumeister.drawing import cards as draw_cards
from mauerwerk.games.burgbaumeister.drawing import depot as draw_depot
from mauerwerk.games.burgbaumeister.values import FULL_WALL, Picture
from mauerwerk.games.mauer.drawing import hands as draw_hands
from mauerwerk.games.mauer.drawing import stage as draw_stage
from mauerwerk.games.mauer.drawing.picture import IN_TRAY
from mauerwerk.games.mauerbauer.board import board_of
from mauerwerk.games.mauerbauer.drawing import board as draw_board
from mauerwerk.games.mauerbauer.drawing import hand as draw_hand
from mauerwerk.games.mauerbauer.drawing import targets as draw_targets

NAMES: Final = ("Ada", "Bo", "Cem", "Dina")
"""Who plays in the scenes."""


class RulebookScene(Value):
    """What is drawn: a part of the table, after the moves of a record."""

    shows: str
    """The part: a word of `PAINTERS`."""
    record: str
    after: str = ""
    """The scene whose record this one goes on with."""
    seat: int | None = None
    """Who looks; a spectator where nobody is named."""
    acts: int | None = None
    """Whose choices are marked."""
    whose: int = 0
    """Of several parts that are alike, such as walls, this seat's."""


class SceneView(NamedTuple):
    """A table that was played to, as somebody sees it."""

    view: Any
    offers: Mapping[Any, tuple[str, str]]
    whose: Seat
    language: Language


class Canvas(NamedTuple):
    """A drawing: its left and top, its width and height, and what is on it."""

    box: tuple[float, float, float, float]
    content: Sequence[Node]


@cache
def scenes(game: str) -> Mapping[str, RulebookScene]:
    """The scenes of a game by name."""
    folder = resources.files("mauerwerk.web.games").joinpath(game, "rulebook")
    text = folder.joinpath("scenes.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, RulebookScene])


def drawing(game: str, name: str, words: str, language: Language) -> Node:
    """A scene as one picture that these words describe. Raises ValueError for an unknown one."""
    scene = scenes(game).get(name)
    if scene is None:
        raise ValueError(f"{game} has no scene {name}")
    left, top, wide, high = (canvas := PAINTERS[scene.shows](_position(game, scene, language))).box
    drawn = node(
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


def used(drawn: Node) -> tuple[str, ...]:
    """The symbols that a drawing uses."""
    hrefs = (each.get("href", "") for each in drawn.iter("use"))
    return tuple(dict.fromkeys(href.removeprefix("#") for href in hrefs))


def _position(game: str, scene: RulebookScene, language: Language) -> SceneView:
    """The table after the record."""
    module = GAMES[game]
    kept = record.read(_record(game, scene), GAMES)
    state = module.start(kept.setup)
    for _, step in record.replay(module, kept):
        state = step.state
    seat = None if scene.seat is None else Seat(scene.seat)
    legal = () if scene.acts is None else module.legal(state, Seat(scene.acts))
    offers = {action: (module.write(action), module.say(action, language)) for action in legal}
    return SceneView(module.view(state, seat), offers, Seat(scene.whose), language)


def _record(game: str, scene: RulebookScene) -> str:
    before = _record(game, scenes(game)[scene.after]) if scene.after else ""
    return before + scene.record


# --- A picture in a text ---------------------------------------------------------------------

_REFERENCE: Final = re.compile(r"url\(#([\w-]+)\)")
_FOR_PLAY: Final = ("role", "tabindex", "aria-label", "data-word")


def _at_rest(drawn: Node, name: str) -> Node:
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


# --- Die Mauer -------------------------------------------------------------------------------

_STAGE: Final = 560
_GAP: Final = 10


def _set(position: SceneView) -> Canvas:
    """One of each piece, on a shelf."""
    del position
    x = 18.0
    parts: list[Node] = []
    for piece in filter(None, IN_TRAY):
        wide = size_of(f"piece-{piece.value}")[0]
        foot = draw_hands.Foot(x + wide / 2, draw_hands.FOOT + 16, 1)
        parts.append(node("g", draw_hands.standing(piece, foot), class_="lift"))
        x += wide + _GAP
    wide, high = x + 18 - _GAP, draw_hands.FOOT + 34
    shelf = node("rect", x=10, y=high - 18, width=wide - 20, height=4, fill="var(--tray-deep)")
    return Canvas((0, 0, wide, high), [_ground("tray", wide, high), shelf, *parts])


def _stage(position: SceneView) -> Canvas:
    """Fists, wall and question."""
    view, offers, _, language = position
    block = draw_stage.stage(view, offers, NAMES, _STAGE, language)
    return Canvas((0, 0, _STAGE, block.height), [block.body])


def _line(position: SceneView) -> Canvas:
    """The wall alone, and where one may build."""
    view, offers, _, _ = position
    x = 24.0
    high = draw_hands.FOOT + 20
    parts: list[Node] = []
    for _, piece, offer in draw_stage.wall_line(view, offers):
        wide = size_of(f"piece-{piece.value}")[0]
        foot = draw_hands.Foot(x + wide / 2, high, 1)
        chalk = {"class_": "chalk", "fill": "var(--glow)", "fill_opacity": ".4"}
        drawn = (
            draw_hands.ghost(piece, foot, **chalk) if offer else draw_hands.standing(piece, foot)
        )
        parts.append(node("g", drawn, class_=None if offer else "lift"))
        x += wide + (6 if offer else 1)
    wide = x + 24
    grass = node("rect", y=high, width=wide, height=22, fill="var(--ground)")
    return Canvas((0, 0, wide, high + 22), [_ground("hill-2", wide, high), *parts, grass])


# --- Mauerbauer ------------------------------------------------------------------------------

_HAND: Final = 400


def _board(position: SceneView) -> Canvas:
    """The board in the sea, and where one may act."""
    view, offers, _, language = position
    left, top, wide, high = draw_board.size(board_of(view.board))
    land = draw_board.land(view, draw_targets.targets(view, offers), language)
    sea = group(_ground("sea", wide, high), x=left, y=top)
    return Canvas((left, top, wide, high), [sea, land])


def _hand(position: SceneView) -> Canvas:
    """The viewer's cards, and what they are worth."""
    view, _, _, language = position
    body, high = draw_hand.tray(view, view.hands[view.seat], {}, _HAND, language)
    return Canvas((0, 0, _HAND, high), [body])


# --- Burgbaumeister --------------------------------------------------------------------------

_CLOTH: Final = 600
_CARD: Final = 90
_ACROSS: Final = 5
"""So many cards stand side by side."""


def _depot(position: SceneView) -> Canvas:
    """The cards on their cloth."""
    view, _, _, language = position
    block = draw_depot.depot(view, draw_cards.Reader({}, language), _CLOTH)
    return Canvas(
        (0, 0, _CLOTH, block.height), [_ground("cloth", _CLOTH, block.height), block.body]
    )


def _castle(position: SceneView) -> Canvas:
    """Somebody's wall, and what may be done with it."""
    view, offers, whose, language = position
    reader = draw_cards.Reader(offers, language)
    row = draw_cards.wall(view, whose, reader, _CARD * (FULL_WALL + 1), line="tray-deep")
    # Start tower, cards, and two of the places for more; the rest is cut off.
    wide, high = 12 + _CARD * (len(view.walls[whose]) + 3), row.height + 24
    return Canvas((0, 0, wide, high), [_ground("tray", wide, high), group(row.body, x=12, y=12)])


def _gallery(position: SceneView) -> Canvas:
    """A card for each picture."""
    del position
    table = pictures(STANDARD)
    numbers = [min(each for each in table if table[each] is picture) for picture in Picture]
    step = _CARD + 12
    faces = [
        draw_cards.face(
            card(number, table), 12 + step * (place % _ACROSS), 12 + 132 * (place // _ACROSS), _CARD
        )
        for place, number in enumerate(numbers)
    ]
    wide, high = 12 + step * _ACROSS, 12 + 132 * -(-len(faces) // _ACROSS)
    return Canvas((0, 0, wide, high), [_ground("cloth", wide, high), *faces])


def _ground(colour: str, wide: float, high: float) -> Node:
    return node("rect", width=wide, height=high, fill=f"var(--{colour})")


PAINTERS: Final[Mapping[str, Callable[[SceneView], Canvas]]] = {
    "set": _set,
    "stage": _stage,
    "line": _line,
    "board": _board,
    "hand": _hand,
    "depot": _depot,
    "castle": _castle,
    "gallery": _gallery,
}
"""What a scene can show."""
