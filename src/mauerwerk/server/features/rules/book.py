"""A rulebook: a game's rules in one language, made from its text."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache
from typing import Any, Final

import msgspec
from markdown_it import MarkdownIt
from markdown_it.token import Token

from mauerwerk.core import record, svg
from mauerwerk.core.game import Seat, Value
from mauerwerk.core.language import Language
from mauerwerk.games import GAMES
from mauerwerk.server.games import room, web_game
from mauerwerk.server.ui.markup import html

WORDS: Final = ("title", "kind", "contents", "about")
"""What a text begins with."""


class Section(Value):
    """A part of the rules, as the table of contents has it."""

    name: str
    """The id of its heading."""
    title: str


class Text(Value):
    """A text that was read."""

    html: str
    parts: tuple[Section, ...]
    clauses: tuple[str, ...]
    """The clauses in the order of the text; each is the id of an element."""
    scenes: tuple[str, ...]
    """The scenes it shows, in their order."""
    symbols: tuple[str, ...]
    """The symbols of `pieces.svg` that its pictures use."""


class Rulebook(Text, kw_only=True):
    """The rules of a game in one language."""

    title: str
    kind: str
    """The kind of text: `The rules`."""
    contents: str
    about: str
    """The page in one sentence, for search engines."""


@cache
def rulebook(game: str, language: Language) -> Rulebook:
    """The rules of a game in a language. Raises ValueError where it has no rulebook."""
    texts = web_game(game).rulebook
    if texts is None:
        raise ValueError(f"{game} has no rulebook")
    head, _, body = room.text_in(texts, language.code).partition("\n\n")
    lines = [line.partition(": ") for line in head.splitlines()]
    words: dict[str, Any] = {word: said for word, _, said in lines}
    if tuple(words) != WORDS:
        wanted = ", ".join(f"`{word}: …`" for word in WORDS)
        raise ValueError(f"the rulebook of {game} begins with lines {wanted}, not with: {head}")
    return Rulebook(**words, **msgspec.structs.asdict(read(body, game, language)))


# --- The text: Markdown, clauses, scenes -----------------------------------------------------


CLAUSE: Final = re.compile(r"\b[A-Z]{2}-\d+\b")
_PLACE: Final = re.compile(r"\{([A-Z]{2}-\d+)\}\s*")


def read(text: str, game: str, language: Language) -> Text:
    """The text with its clauses marked and its scenes drawn. Raises ValueError."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    parts = tuple(_headed(tokens))
    clauses = tuple(_placed(tokens))
    for token in tokens:
        _refer(token, clauses)
    scenes: list[str] = []
    symbols: dict[str, None] = {}
    shown: list[Token] = []
    for token in _without_paragraphs(tokens):
        if _is_picture(token):
            figure, name, needed = _figure(token, game, language)
            scenes.append(name)
            symbols |= dict.fromkeys(needed)
            shown.append(Token("html_block", "", 0, content=figure))
        else:
            shown.append(_dressed(token))
    made = markdown.renderer.render(shown, markdown.options, {})
    if left := re.search(r"\{[^}]*\}", made):
        raise ValueError(f"{left[0]} does not stand at the beginning of a paragraph or a cell")
    return Text(made, parts, clauses, tuple(scenes), tuple(symbols))


# --- Headings and clauses --------------------------------------------------------------------


def _headed(tokens: Sequence[Token]) -> Iterator[Section]:
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            if token.tag != "h2":
                raise ValueError(f"a heading of a rulebook is of the second order, not {token.tag}")
            part = Section(
                f"part-{sum(each.type == token.type for each in tokens[:place]) + 1}",
                tokens[place + 1].content,
            )
            token.attrSet("id", part.name)
            yield part


def _placed(tokens: Sequence[Token]) -> Iterator[str]:
    """The clauses. What holds a clause gets its number as id, and a link to itself."""
    for place, token in enumerate(tokens):
        children = token.children or []
        found = _PLACE.match(token.content) if token.type == "inline" else None
        if found is None:
            continue
        number = found[1]
        holder = tokens[place - 2] if tokens[place - 1].hidden else tokens[place - 1]
        holder.attrSet("id", number)
        holder.attrJoin("class", "clause")
        children[0].content = _PLACE.sub("", children[0].content, count=1)
        token.children = [*_link(number, "number"), *children]
        yield number


def _link(number: str, class_: str = "") -> list[Token]:
    opens = Token("link_open", "a", 1, attrs={"href": f"#{number}"})
    if class_:
        opens.attrSet("class", class_)
    return [opens, Token("text", "", 0, content=number), Token("link_close", "a", -1)]


def _refer(token: Token, clauses: Sequence[str]) -> None:
    """Make links of the clauses that a text speaks of. Raises ValueError where there is none."""
    made: list[Token] = []
    linked = 0
    for child in token.children or []:
        linked += {"link_open": 1, "link_close": -1}.get(child.type, 0)
        if child.type != "text" or linked:
            made.append(child)
            continue
        end = 0
        for found in CLAUSE.finditer(child.content):
            if found[0] not in clauses:
                raise ValueError(f"there is no clause {found[0]}")
            made.append(Token("text", "", 0, content=child.content[end : found.start()]))
            made += _link(found[0])
            end = found.end()
        made.append(Token("text", "", 0, content=child.content[end:]))
    token.children = made or token.children


# --- Pictures, examples, tables --------------------------------------------------------------


def _is_picture(token: Token) -> bool:
    return token.type == "inline" and [each.type for each in token.children or []] == ["image"]


def _without_paragraphs(tokens: Sequence[Token]) -> Iterator[Token]:
    """All tokens but the paragraphs around pictures: a figure stands by itself."""
    around = {
        place + step for place, token in enumerate(tokens) if _is_picture(token) for step in (-1, 1)
    }
    return (token for place, token in enumerate(tokens) if place not in around)


def _figure(token: Token, game: str, language: Language) -> tuple[str, str, tuple[str, ...]]:
    image = (token.children or [])[0]
    name = str(image.attrs["src"])
    drawn = drawing(game, name, image.content, language)
    caption = [svg.node("figcaption", str(image.attrs["title"]))] if "title" in image.attrs else []
    return html(svg.node("figure", drawn, *caption)) + "\n", name, used(drawn)


def _dressed(token: Token) -> Token:
    """An example is no quotation, and the head of a column says so."""
    match token.type:
        case "blockquote_open" | "blockquote_close":
            token.tag = "div"
            if token.nesting > 0:
                token.attrSet("class", "example")
        case "th_open":
            token.attrSet("scope", "col")
        case _:
            pass
    return token


# --- Scenes: positions of real games, drawn by the games themselves ---------------------------

# A scene is a record and what of the table it shows. It is replayed when it is drawn, so that a
# picture cannot show what the rules do not allow. Scenes are in the `rulebook` of each game.


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


_REFERENCE: Final = re.compile(r"url\(#([\w-]+)\)")
_FOR_PLAY: Final = ("role", "tabindex", "aria-label", "data-word")


def _at_rest(drawn: svg.Node, name: str) -> svg.Node:
    """The drawing as one picture: nothing in it to press, and no id that another one has too."""
    drawn = deepcopy(drawn)  # other drawings may share parts of it
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
