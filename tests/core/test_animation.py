"""A row of drawings as one that moves, and drawings as pixels."""

import re
from xml.etree import ElementTree as ET

import pytest

from mauerwerk.core.svg import SIGNS, Drawing, label, node, picture, pixels, use
from mauerwerk.core.svg.animation import animated, resized, tree_of

ALWAYS = node("rect", width=40, height=20, fill="var(--paper)")


def page(*words: str, height: float = 20) -> Drawing:
    """A drawing with the same ground and mark as all others, and words of its own."""
    own = [label(5, 15 + place, each) for place, each in enumerate(words)]
    mark = use("mark-1", 0, 0, 10, 10)
    return picture(SIGNS, 40, height, "words", node("g", ALWAYS, mark, *own, id="page"))


def shown(moving: str, number: int, each: float = 1.0) -> list[str]:
    """The words that an animation shows with a drawing, by its CSS: an independent reading."""
    root = tree_of(moving)
    style = root.findtext("style") or ""
    whole = re.search(r"\.t\{animation:([\d.]+)s step-end", style)
    assert whole is not None
    now = 100 * (number + 0.5) * each / float(whole[1])

    def visible(name: str) -> bool:
        base = f".mauerwerk .{name}{{visibility:hidden;" not in style
        found = re.search(rf"@keyframes {name}\{{(.*)\}}$", style, re.MULTILINE)
        assert found is not None
        for at, state in re.findall(r"([\d.]+)%\{visibility:(\w+)\}", found[1]):
            if float(at) <= now:
                base = state == "visible"
        return base

    return [
        each.text or ""
        for each in root.iter("text")
        if all(visible(name) for name in each.get("class", "").split() if name != "t")
    ]


def test_each_drawing_is_shown_in_its_time() -> None:
    """All of its words and no others."""
    rows = [["a", "b"], ["a", "c"], ["c"], ["a", "b", "d"]]
    moving = animated([page(*row) for row in rows], [1.0] * 4)
    assert [shown(moving, number) for number in range(4)] == rows


def test_what_drawings_share_is_in_it_once() -> None:
    """Ground, mark, symbols and words that stay."""
    moving = animated([page("stays", f"goes {number}") for number in range(9)], [1.0] * 9)
    assert [moving.count(each) for each in ("stays", "<use", "<symbol", 'height="20" fill')] == [
        1,
        1,
        1,
        1,
    ]
    assert len(moving) < 3 * len(page("stays", "goes"))


def test_without_motion_the_last_drawing_stands() -> None:
    """For readers who want no motion, and where CSS does not move anything."""
    style = tree_of(animated([page("a"), page("b")], [1.0, 1.0])).findtext("style") or ""
    assert "prefers-reduced-motion:reduce){.mauerwerk *{animation:none!important" in style
    hidden = re.findall(r"\.(t\d+)\{visibility:hidden", style)
    assert len(hidden) == 1, "of a and b, one is hidden"


def test_an_animation_has_no_script_and_says_nothing_twice() -> None:
    """Ids would be doubled; titles and words for a reader's ears speak of one drawing."""
    moving = animated([page("a"), page("b", height=30)], [1.0, 1.0])
    assert "script" not in moving
    assert 'id="page"' not in moving
    assert tree_of(moving).get("viewBox") == "0 0 40 30"


def test_a_drawing_takes_a_size_and_a_theme() -> None:
    """The height follows."""
    root = ET.fromstring(resized(page("a"), 400, "dark"))  # noqa: S314 - our own drawing
    assert [root.get(name) for name in ("width", "height", "data-theme")] == ["400", "200", "dark"]


def test_pixels_know_no_variables() -> None:
    """Colours and fonts are written out, for a renderer that knows neither."""
    written = pixels.written_out(tree_of(page("a")), "dark")
    assert "var(" not in written
    assert "#2E2722" in written, "the paper of the dark theme"


def test_png_and_gif() -> None:
    """Where the extra is installed: a size, a number of pages, and words on the paper."""
    pytest.importorskip("resvg_py")
    images = pytest.importorskip("PIL.Image")
    from io import BytesIO  # noqa: PLC0415

    assert pixels.has_fonts()
    assert pixels.png(page("a"), "light", 80) != pixels.png(page(), "light", 80)
    moving = images.open(BytesIO(pixels.gif([page("a"), page("b")], [0.5, 1], "light", 80)))
    assert (moving.size, moving.n_frames) == ((80, 40), 2)

    def painted(colour: str) -> str:
        ground = f'<rect width="80" height="40" fill="{colour}"/>'
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 40">{ground}</svg>'

    painted_over = [painted("#86956A"), painted("#7A2F1F")]
    moving = images.open(BytesIO(pixels.gif(painted_over, [1, 1], "light", 80)))
    seen = moving.convert("RGB").getpixel((40, 20))
    assert all(abs(a - b) < 8 for a, b in zip(seen, (0x86, 0x95, 0x6A), strict=True))
