"""The boards of the page: what can be pressed, what keeps its name, what stays secret."""

import gzip
import re
from collections import Counter
from typing import NamedTuple

import pytest
from tests.server.games.positions import DrawnPosition, Element, elements, sampled, whole
from tests.support.amounts import amount

from mauerwerk.core.language import ENGLISH, language_of
from mauerwerk.core.svg import PALETTE
from mauerwerk.games import GAMES, mauerbauer
from mauerwerk.server.games import WEB_GAMES
from mauerwerk.server.games.room import Parts
from mauerwerk.server.http.static import files
from mauerwerk.server.ui.markup import sprite

EVERY = amount(
    {"mauer": 37, "burgbaumeister": 163, "mauerbauer": 241},
    {"mauer": 29, "burgbaumeister": 83, "mauerbauer": 127},
    {"mauer": 13, "burgbaumeister": 41, "mauerbauer": 61},
)
"""How many steps of a game lie between two that are looked at."""

CSS = files()["board.css"].plain.decode()


class Drawn(NamedTuple):
    """A position, its parts, and all elements of them."""

    position: DrawnPosition
    parts: Parts
    elements: list[Element]


@pytest.fixture(scope="module", params=sorted(WEB_GAMES))
def tables(request: pytest.FixtureRequest) -> list[Drawn]:
    name: str = request.param
    drawn = ((position, position.parts()) for position in sampled(name, EVERY[name]))
    return [Drawn(position, parts, elements(whole(parts))) for position, parts in drawn]


def test_every_legal_choice_can_be_pressed_and_nothing_else_can(tables: list[Drawn]) -> None:
    """Each legal action is a target or a button with its word; no other word is there."""
    for (game, _, legal, _), parts, drawn in tables:
        words = {each.data_word for each in drawn if each.data_word}
        words |= {button.word for button in parts.buttons}

        assert words == {game.write(action) for action in legal}


def test_a_target_is_a_button_that_says_what_it_does(tables: list[Drawn]) -> None:
    """Its label is what a player would say; the tab key reaches it."""
    for (game, _, legal, _), _, drawn in tables:
        said = {game.write(action): game.say(action).casefold() for action in legal}
        for each in drawn:
            if each.data_word:
                assert (each.role, each.tabindex) == ("button", "0")
                assert each.aria_label.casefold().startswith(said[each.data_word])


def test_one_question_has_at_most_one_main_button(tables: list[Drawn]) -> None:
    """Two ends of a wall are equals; otherwise one button at most stands out."""
    for table in tables:
        mains = {button.word for button in table.parts.buttons if button.main}

        assert len(mains) <= 1 or mains == {"<", ">"}


def test_names_are_given_once(tables: list[Drawn]) -> None:
    """An id stands for one thing on a page, or morphing would mix them up."""
    for table in tables:
        counts = Counter(each.id for each in table.elements if each.id)

        assert [name for name, count in counts.items() if count > 1] == []


def test_nothing_that_the_policy_forbids(tables: list[Drawn]) -> None:
    """No style attribute, no script, no handler, nothing from elsewhere."""
    for table in tables:
        for each in table.elements:
            assert each.tag not in {"script", "style", "iframe", "img", "link", "a"}
            assert not {name for name in each.attributes if name == "style" or name[:2] == "on"}
            assert not each.href or each.href.startswith("#")


def test_the_sprite_has_every_symbol_that_is_used(tables: list[Drawn]) -> None:
    """What `use` refers to is in the sprite of the game."""
    board = WEB_GAMES[tables[0].position.game.NAME].board
    there = {f"#{each.id}" for each in elements(sprite(board.SYMBOLS))}
    for table in tables:
        drawn = [*table.elements, *elements(table.parts.figure)]

        assert {each.href for each in drawn if each.tag == "use"} <= there
        assert {f"#{button.sign}" for button in table.parts.buttons if button.sign} <= there


def test_whoever_cannot_act_has_nothing_to_press(tables: list[Drawn]) -> None:
    """A spectator has neither tray nor targets nor buttons."""
    seen = [each for each in tables if each.position.view.seat is None]
    assert seen
    for _, parts, drawn in seen:
        assert (parts.tray, parts.buttons) == ("", ())
        assert not any(each.data_word for each in drawn)


@pytest.mark.parametrize("code", ["de", "it"])
def test_all_parts_speak_every_language(code: str, tables: list[Drawn]) -> None:
    """The words change with the tongue; ids and words of actions do not."""
    for table in tables[::5]:
        spoken = elements(whole(table.position.parts(language_of(code))))

        for english, said in zip(table.elements, spoken, strict=True):
            assert (said.id, said.data_word) == (english.id, english.data_word)


def test_a_name_is_text_whatever_it_holds(tables: list[Drawn]) -> None:
    """Names that look like markup are shown as they are."""
    hostile = '"><script>alert(1)</script><b onmouseover=x>&amp;'
    for (game, view, legal, told), _, _ in tables[::9]:
        board = WEB_GAMES[game.NAME].board
        parts = board.parts(view, legal, [hostile] * 6, ENGLISH, told, [hostile] * 6)
        drawn = elements(whole(parts))

        assert not {each.tag for each in drawn} & {"script"}
        assert not any("onmouseover" in each.attributes for each in drawn)


# --- Weight and colours ----------------------------------------------------------------------


def test_a_table_is_light(tables: list[Drawn]) -> None:
    """Sprite, styles and the heaviest table of a game take little of what a page may weigh."""
    heaviest = max((whole(each.parts) for each in tables), key=len)
    symbols = sprite(WEB_GAMES[tables[0].position.game.NAME].board.SYMBOLS)
    weight = sum(len(gzip.compress(text.encode())) for text in (heaviest, symbols, CSS))

    assert weight < 30_000


def test_styles_and_drawings_have_the_same_colours() -> None:
    """The tokens of `board.css` are the palette, in both themes."""
    blocks = re.findall(r":root[^{]*\{([^}]*)\}", CSS)
    themes = [dict(re.findall(r"--([\w-]+):\s*([^;]+);", block)) for block in blocks]

    assert themes[0] == {name: light for name, (light, _) in PALETTE.items()}
    assert themes[1] == themes[2] == {name: dark for name, (_, dark) in PALETTE.items()}


def test_styles_stand_still_for_who_wants_it() -> None:
    """With reduced motion nothing moves, and only dice take longer than 400 ms for the rest."""
    assert "prefers-reduced-motion:reduce" in CSS
    times = re.findall(r"(?:animation|transition): ([\w-]+) (\d*\.?\d+)s", CSS)

    assert all(
        float(time) <= (0.6 if name == "tumble" else 0.4)
        for name, time in times
        if float(time) != 2.4
    )


def test_all_games_have_a_board() -> None:
    """The registries agree."""
    assert WEB_GAMES.keys() == GAMES.keys()
    assert mauerbauer.NAME in WEB_GAMES
