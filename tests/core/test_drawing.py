"""What all drawings are made of."""

from xml.etree import ElementTree as ET

import pytest

from mauerwerk.core import svg
from mauerwerk.core.defaults import plain_picture
from mauerwerk.core.game import AnyGame
from mauerwerk.core.svg import fitting
from mauerwerk.games import GAMES
from mauerwerk.games.mauerbauer.drawing import PIECES

SVG = "{http://www.w3.org/2000/svg}"


def read(picture: str) -> ET.Element:
    return ET.fromstring(picture)  # noqa: S314 - drawn by ourselves


def test_a_notebook_shows_the_picture() -> None:
    """A drawing is text and, for a notebook, an SVG."""
    made = svg.picture(svg.SIGNS, 10, 10, "nothing", svg.node("g"))

    assert isinstance(made, str)
    assert getattr(made, "_repr_svg_")() == made  # noqa: B009 - so that checkers let us ask


def test_a_drawing_brings_its_symbols_and_no_others() -> None:
    """A symbol comes with those that it uses itself."""
    made = svg.picture(PIECES, 60, 46, "a card", svg.use("art-palaces", 0, 0, 60, 46))

    symbols = [symbol.get("id") for symbol in read(made).iter(f"{SVG}symbol")]
    assert symbols == ["art-palaces", "palace-blue", "palace-yellow"]


def test_every_piece_can_be_used_alone() -> None:
    """What a symbol refers to is there whichever one is asked for."""
    names = [each.attrib["id"] for each in PIECES.named(["mark-2", "art-walls", "arms-east"])]

    assert names == ["arms-east", "art-walls", "mark-2", "wall-line"]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_each_game_has_its_own_pieces(game: AnyGame) -> None:
    """A file of art shows each of its symbols once, and no other game has one of that name."""
    *_, own = game.PIECES.files
    art = read(own.read_text(encoding="utf-8"))
    names = [each.attrib["id"] for each in art.iter(f"{SVG}symbol")]
    shown = [each.attrib["href"].removeprefix("#") for each in art.findall(f"{SVG}g/{SVG}use")]
    others = [each.PIECES for each in GAMES.values() if each is not game]

    assert names == shown
    for name in names:
        game.PIECES.named([name])
        for other in others:
            with pytest.raises(KeyError):
                other.size_of(name)


def test_the_picture_of_a_game_without_a_drawing_is_its_text() -> None:
    """The text stands there line by line, whatever characters are in it."""
    made = read(plain_picture("A game", "a  b\n<c>"))
    lines = [each.text for each in made.findall(f"{SVG}text")]

    assert made.get("aria-label") == "A game"
    assert lines == ["a  b", "<c>"]


@pytest.mark.parametrize("name", ["<script>", 'a"b', "&amp;", "\x00\x1b[31m", "\ud800", "\uffff"])
def test_any_name_can_be_written(name: str) -> None:
    """Text and attributes are escaped, and what XML cannot hold is replaced."""
    words = svg.label(0, 0, name)
    made = read(svg.picture(svg.SIGNS, 10, 10, name, svg.target("me", "-", name, words)))

    assert made.get("aria-label") == made.findtext(f"{SVG}g/{SVG}text")
    assert {each.tag for each in made.iter()} == {
        SVG + tag for tag in ("svg", "style", "defs", "g", "title", "text")
    }


def test_a_target_says_what_it_does() -> None:
    """A target is a button with the action's word, reached by keyboard."""
    made = svg.target("end-left", "<", "build at the left end")

    assert made.attrib == {
        "id": "end-left",
        "class": "target",
        "role": "button",
        "tabindex": "0",
        "aria-label": "build at the left end",
        "data-word": "<",
    }
    assert made.findtext("title") == "build at the left end"


def test_a_target_is_large_enough_for_a_finger() -> None:
    """A small thing answers in a larger area about it."""
    area = svg.hit(100, 100, 20, 60)

    assert (area.get("x"), area.get("width")) == ("88", "44")
    assert (area.get("y"), area.get("height")) == ("100", "60")


def test_the_theme_is_the_readers_unless_the_page_says_otherwise() -> None:
    """Light, dark by the reader's setting, and dark or light by `data-theme` above that."""
    brick = svg.node("rect", fill="var(--brick)")
    style = read(svg.picture(svg.SIGNS, 9, 9, "", brick)).findtext(f"{SVG}style")

    assert style is not None
    light, by_setting, by_page, *_ = style.splitlines()
    assert "--brick:#A3432B;" in light
    assert by_setting.startswith("@media (prefers-color-scheme:dark)")
    assert ":not([data-theme=light],[data-theme=light] *)" in by_setting
    assert "--brick:#B8553D;" in by_setting
    assert by_page.startswith(".mauerwerk[data-theme=dark],[data-theme=dark] .mauerwerk")
    assert "--brick:#B8553D;" in by_page
    assert "--sea:" not in style


def luminance(colour: str) -> float:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    parts = (
        value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4
        for value in (red, green, blue)
    )
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def contrast(front: str, ground: str, theme: int) -> float:
    bright, dark = sorted(
        (luminance(svg.PALETTE[name][theme]) for name in (front, ground)), reverse=True
    )
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [0, 1])
@pytest.mark.parametrize(
    ("front", "ground", "least"),
    [
        ("ink", "paper", 4.5),
        ("ink-2", "paper", 4.5),
        ("ink-2", "sky", 4.5),
        ("tray-ink", "tray", 4.5),
        ("chalk", "ground", 4.5),
        ("chalk", "slate", 4.5),
        ("chalk-2", "slate", 4.5),
        ("glow", "slate", 4.5),
        ("paper", "ink", 4.5),
        ("chalk", "hill-2", 3),
        ("brick", "paper", 3),
    ],
)
def test_words_and_marks_stand_out(front: str, ground: str, least: float, theme: int) -> None:
    """Text has a contrast of 4.5 and a mark of 3 at least, in both themes."""
    assert contrast(front, ground, theme) >= least


@pytest.mark.parametrize("theme", [0, 1])
def test_what_is_offered_in_the_tray_stands_out(theme: int) -> None:
    """Brick below and chalk around it: on the light tray the one, on the dark one the other."""
    assert max(contrast(mark, "tray", theme) for mark in ("brick", "chalk")) >= 3


def test_rows_are_few_and_about_equal() -> None:
    """Seven things that do not fit into one row stand in two, four and three."""
    assert fitting.rows([10] * 7, room=60) == (range(4), range(4, 7))
    assert fitting.rows([10] * 7, room=70) == (range(7),)
    assert fitting.rows([], room=70) == ()
    assert fitting.rows([100, 10], room=70) == (range(1), range(1, 2))


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("Ada", "Ada"),
        ("Friedrich Wilhelm", "Friedrich…"),
        ("長城長城長城", "長城長城…"),
        ("two\nlines", "two lines"),
        ("\u202eesrever", "esrever"),
        ("\x1b[31mred", "[31mred"),
    ],
)
def test_names_are_cut_to_their_place(words: str, shown: str) -> None:
    """Ten columns, no line break, and nothing that a terminal would obey."""
    assert fitting.cut(words, 10) == shown


def test_long_words_are_wrapped() -> None:
    """No line is longer than its room."""
    lines = fitting.wrap("Waiting for Emil and Donaudampfschiffahrtsgesellschaft.", 16)

    assert lines == ("Waiting for Emil", "and", "Donaudampfschif…")
