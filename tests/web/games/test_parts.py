"""The boards of the page: what can be pressed, what keeps its name, what stays secret."""

import gzip
import re
from collections import Counter
from importlib import resources
from itertools import islice
from typing import NamedTuple

import pytest
from msgspec.structs import replace
from tests.support.amounts import amount
from tests.web.games.positions import (
    NAMES,
    DrawnPosition,
    Element,
    elements,
    moments,
    played,
    read,
    sampled,
    whole,
)

from mauerwerk.core.game import Seat, Setup
from mauerwerk.core.language.translation import ENGLISH, language_of
from mauerwerk.core.svg.palette import PALETTE
from mauerwerk.games import GAMES, burgbaumeister, mauer, mauerbauer
from mauerwerk.web.games import BOARDS, Parts, sprite

EVERY = amount(
    {"mauer": 37, "burgbaumeister": 163, "mauerbauer": 241},
    {"mauer": 29, "burgbaumeister": 83, "mauerbauer": 127},
    {"mauer": 13, "burgbaumeister": 41, "mauerbauer": 61},
)
"""How many steps of a game lie between two that are looked at."""

CSS = resources.files("mauerwerk.web").joinpath("static", "boards.css").read_text("utf-8")


class Drawn(NamedTuple):
    """A position, its parts, and all elements of them."""

    position: DrawnPosition
    parts: Parts
    elements: list[Element]


@pytest.fixture(scope="module", params=sorted(BOARDS))
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
    board = BOARDS[tables[0].position.game.NAME]
    there = {f"#{each.id}" for each in elements(sprite(board.SYMBOLS))}
    for table in tables:
        drawn = [*table.elements, *elements(table.parts.figure)]

        assert {each.href for each in drawn if each.tag == "use"} <= there
        assert {f"#{button.sign}" for button in table.parts.buttons if button.sign} <= there


def test_whoever_cannot_act_has_nothing_to_press(tables: list[Drawn]) -> None:
    """A spectator has neither tray nor targets nor buttons."""
    for position, parts, drawn in tables:
        if position.view.seat is None:
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
        parts = BOARDS[game.NAME].parts(view, legal, [hostile] * 6, ENGLISH, told, [hostile] * 6)
        drawn = elements(whole(parts))

        assert not {each.tag for each in drawn} & {"script"}
        assert not any("onmouseover" in each.attributes for each in drawn)


# --- Names that stay -------------------------------------------------------------------------


def test_a_piece_of_the_wall_keeps_its_name_while_the_wall_grows() -> None:
    """Whatever is built at either end, a name stands for the same piece."""
    named: dict[str, str] = {}
    for spectator, *_ in played("mauer", 4, {"rounds": 1}, 5):
        drawn = read(spectator.parts().stage).elements
        inside = [found for _, found in drawn]
        for place, each in enumerate(inside):
            if each.id.startswith("wall-"):
                piece = inside[place + 1].aria_label
                assert named.setdefault(each.id, piece) == piece
    assert len(named) > 5


def test_walls_and_towers_keep_their_names_until_they_are_cleared() -> None:
    """From one drawing to the next all pieces that are still there have the same id."""
    for moment in list(moments("mauerbauer", 3, {}, 2))[::23]:
        spectator = moment.seen()[0]
        ids = {each.id for each in elements(spectator.parts().stage)}

        assert {f"wall-{line}" for line in spectator.view.walls} <= ids
        assert {f"tower-{point}" for point, _ in spectator.view.towers} <= ids


# --- Secrets ---------------------------------------------------------------------------------


@pytest.mark.rule("BB-9")
def test_a_card_that_was_left_leaves_no_trace() -> None:
    """After a card is turned and left, depot and walls are drawn as if nobody had touched it."""
    state = burgbaumeister.start(Setup(2, burgbaumeister.Options()))
    for word in ("e3", "17", "-", "a1", "30", "-"):
        mover = burgbaumeister.to_act(state)[0]
        state = burgbaumeister.apply(state, mover, burgbaumeister.parse(word)).state
    played_on = burgbaumeister.view(state, Seat(0))
    fresh = burgbaumeister.view(burgbaumeister.start(Setup(2, burgbaumeister.Options())), Seat(0))
    board, legal = BOARDS["burgbaumeister"], burgbaumeister.legal(state, Seat(0))

    told, new = (board.parts(view, legal, NAMES, ENGLISH, ()) for view in (played_on, fresh))
    assert whole(told) == whole(new)


@pytest.mark.rule("DM-5")
def test_a_closed_fist_looks_the_same_whatever_it_holds() -> None:
    """Others see that a fist is closed, and no more."""
    start = mauer.start(Setup(3, mauer.Options()))
    drawn: list[str] = []
    for word in ("T", "4", "-"):
        state = mauer.apply(start, Seat(1), mauer.parse(word)).state
        view = mauer.view(state, Seat(0))
        drawn.append(
            whole(BOARDS["mauer"].parts(view, mauer.legal(state, Seat(0)), NAMES, ENGLISH))
        )

    assert drawn[0] == drawn[1] == drawn[2]


@pytest.mark.rule("MB-8")
def test_cards_of_others_are_not_in_the_page() -> None:
    """The titles of cards on a page are those of the viewer's own hand, and what was played."""
    for moment in list(moments("mauerbauer", 3, {}, 4))[40:200:20]:
        own = moment.seen()[1]
        parts = own.parts()
        mine = {f"card-{card.value}" for card in own.view.hands[0]}
        shown = {each.id for each in elements(whole(parts)) if each.id.startswith("card-")}

        assert shown == mine


# --- Single tables ---------------------------------------------------------------------------


def test_the_fists_of_the_last_turn_are_remembered_while_the_next_is_planned() -> None:
    """When nobody builds, fists open and close in one step; what they showed stays for a turn."""
    state = mauer.start(Setup(3, mauer.Options()))
    told: list[object] = []
    for seat, word in ((0, "T"), (1, "4"), (2, "3")):
        step = mauer.apply(state, Seat(seat), mauer.parse(word))
        state, told = step.state, [*told, *step.events]
    state = mauer.apply(state, Seat(0), mauer.parse(">")).state
    parts = BOARDS["mauer"].parts(mauer.view(state, None), (), NAMES, ENGLISH, told)

    assert [
        each.aria_label.rpartition("showed ")[2]
        for each in elements(parts.stage)
        if "showed" in each.aria_label
    ] == [
        "the tower last",
        "a 4 last",
        "a 3 last",
    ]


def test_the_last_roll_lies_on_the_sea_until_the_next() -> None:
    """Also when all is placed and somebody else chooses a line."""
    for spectator, *_ in played("mauerbauer", 2, {}, 1):
        rolled = [event for event in spectator.told if type(event).__name__ == "Rolled"]
        if rolled and spectator.view.task == "build":
            drawn = [
                each for each in elements(spectator.parts().stage) if each.id.startswith("die-")
            ]
            assert len(drawn) == len(rolled[-1].roll.houses) + bool(rolled[-1].roll.tower)
            return
    pytest.fail("nobody built a second wall")


def test_a_scoring_is_shown_seat_by_seat() -> None:
    """Who played what, and the points, until the next wall is built."""
    for spectator, *_ in played("mauerbauer", 3, {}, 4):
        scored = [event for event in spectator.told if type(event).__name__ == "Played"]
        if scored and spectator.view.laid:
            words = " ".join(read(spectator.parts().aside).words)
            assert f"+{scored[0].points}" in words or len(scored) > 1
            return
    pytest.fail("no city was closed")


def test_the_turned_card_is_the_figure_of_the_question() -> None:
    """While a card lies face up it is drawn beside the question, and at no other time."""
    steps = list(moments("burgbaumeister", 2, {"variant": True}, 3))
    met: set[bool] = set()
    for step in steps[:: amount(7, 5, 1)]:
        own = step.seen()[0]
        lies = own.view.turned is not None and own.view.turned.card is not None

        assert bool(own.parts().figure) is lies
        met.add(lies)
    assert met == {True, False}


def test_the_memory_aid_shows_numbers_only_where_the_table_chose_it() -> None:
    """With it the numbers stand on the backs, without it none does."""
    own = next(islice(played("burgbaumeister", 2, {"memory_aid": True}, 3), 30, None))[1]
    view = own.view
    with_aid = own.parts().stage
    bare = DrawnPosition(own.game, replace(view, seen=None), (), ()).parts().stage

    assert with_aid.count('class="num aid"') == len(view.seen) > 0
    assert bare.count('class="num aid"') == 0


# --- Weight and colours ----------------------------------------------------------------------


def test_a_table_is_light(tables: list[Drawn]) -> None:
    """Sprite, styles and the heaviest table of a game take little of what a page may weigh."""
    heaviest = max((whole(each.parts) for each in tables), key=len)
    symbols = sprite(BOARDS[tables[0].position.game.NAME].SYMBOLS)
    weight = sum(len(gzip.compress(text.encode())) for text in (heaviest, symbols, CSS))

    assert weight < 30_000


def test_styles_and_drawings_have_the_same_colours() -> None:
    """The tokens of `boards.css` are the palette, in both themes."""
    blocks = re.findall(r":root[^{]*\{([^}]*)\}", CSS)
    themes = [dict(re.findall(r"--([\w-]+):\s*([^;]+);", block)) for block in blocks]

    assert themes[0] == {name: light for name, (light, _) in PALETTE.items()}
    assert themes[1] == themes[2] == {name: dark for name, (_, dark) in PALETTE.items()}


def test_styles_stand_still_for_who_wants_it() -> None:
    """With reduced motion nothing moves, and nothing takes longer than 400 ms for the rest."""
    assert "prefers-reduced-motion: reduce" in CSS
    times = re.findall(r"(?:animation|transition): [\w-]+ (\d*\.?\d+)s", CSS)

    assert all(float(time) <= 0.4 for time in times if float(time) != 2.4)


def test_all_games_have_a_board() -> None:
    """The registries agree."""
    assert BOARDS.keys() == GAMES.keys()
    assert mauerbauer.NAME in BOARDS
