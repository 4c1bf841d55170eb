"""The board of Die Mauer: closed fists are secret, and the last turn's are remembered."""

import re

import pytest
from msgspec.structs import replace
from tests.server.games.positions import NAMES, elements, played, read, whole

from mauerwerk.core.game import Seat, Setup
from mauerwerk.core.language import ENGLISH, language_of
from mauerwerk.games import mauer
from mauerwerk.games.mauer.values import Planning
from mauerwerk.server.games.mauer import board


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


@pytest.mark.rule("DM-5")
def test_a_closed_fist_looks_the_same_whatever_it_holds() -> None:
    """Others see that a fist is closed, and no more."""
    start = mauer.start(Setup(3, mauer.Options()))
    drawn: list[str] = []
    for word in ("T", "4", "-"):
        state = mauer.apply(start, Seat(1), mauer.parse(word)).state
        view = mauer.view(state, Seat(0))
        drawn.append(whole(board.parts(view, mauer.legal(state, Seat(0)), NAMES, ENGLISH)))

    assert drawn[0] == drawn[1] == drawn[2]


def test_a_gate_says_in_the_readers_words_whose_fist_is_open() -> None:
    """The same English word is said of cards that cannons hit, and is another one then."""
    view = mauer.view(mauer.start(Setup(3, mauer.Options(first=0))), Seat(0))
    drawn = board.gate(view, Seat(0), NAMES, language_of("it"))

    assert re.findall("<span>(.*?)</span>", drawn) == ["ora", "poi", "aperto"]


def test_the_first_piece_begins_the_wall() -> None:
    """There is no end yet at which it could be built."""
    state = mauer.start(Setup(3, mauer.Options(first=0)))
    for seat, word in enumerate(("4", "T", "C")):
        state = mauer.apply(state, Seat(seat), mauer.parse(word)).state
    view, legal = mauer.view(state, Seat(0)), mauer.legal(state, Seat(0))
    (button,) = board.parts(view, legal, NAMES, ENGLISH).buttons

    assert (button.text, button.sign) == ("Begin the wall", "")


def test_ones_own_piece_is_shown_beside_the_fist_to_oneself_alone() -> None:
    """A closed fist is only a fist; the plate says that nobody else sees the piece."""
    start = mauer.start(Setup(3, mauer.Options(first=1)))
    state = mauer.apply(start, Seat(0), mauer.parse("1")).state
    own, rival = (
        board.parts(mauer.view(state, Seat(seat)), (), NAMES, ENGLISH).stage for seat in (0, 1)
    )

    assert "a 1 · only you see it" in read(own).words
    assert [each.href for each in elements(own) if each.href.startswith("#piece")] == ["#piece-1"]
    assert "only you" not in rival
    assert "#piece" not in rival


def test_a_piece_that_cannot_be_chosen_is_named_once() -> None:
    """Its picture does not say again what a screen reader reads from the words beside it."""
    state = mauer.start(Setup(3, mauer.Options(first=0)))
    tray = read(board.parts(mauer.view(state, Seat(0)), (), NAMES, ENGLISH).tray)

    words = [each for each in tray.words if each.strip()]
    assert words.count("A 1: 1 in hand") == words.count("The empty fist") == 1
    assert [each.aria_label for _, each in tray.elements if each.aria_label] == ["Your pieces"]


def test_pips_show_the_number_of_pieces_and_nothing_else() -> None:
    """Two hands of the same size look the same to a rival (DM-2)."""
    start = mauer.start(Setup(3, mauer.Options()))
    assert isinstance(start, Planning)
    hands = start.table.hands
    drawn = {
        board.parts(
            mauer.view(
                replace(start, table=replace(start.table, hands=(hands[0], hand, hands[2]))),
                Seat(0),
            ),
            (),
            NAMES,
            ENGLISH,
        ).stage
        for hand in (hands[1][:4], hands[1][3:])
    }

    (stage,) = drawn
    pips = [each for each in elements(stage) if each.tag == "i"]
    assert [sum(each.attributes.get("class") != "o" for each in pips), len(pips)] == [18, 21]


def test_the_fists_of_the_last_turn_are_remembered_while_the_next_is_planned() -> None:
    """When nobody builds, fists open and close in one step; what they showed stays for a turn."""
    state = mauer.start(Setup(3, mauer.Options()))
    told: list[mauer.Event] = []
    for seat, word in ((0, "T"), (1, "4"), (2, "3")):
        step = mauer.apply(state, Seat(seat), mauer.parse(word))
        state, told = step.state, [*told, *step.events]
    state = mauer.apply(state, Seat(0), mauer.parse(">")).state
    parts = board.parts(mauer.view(state, None), (), NAMES, ENGLISH, told)

    assert [
        each.aria_label.rpartition("showed ")[2]
        for each in elements(parts.stage)
        if "showed" in each.aria_label
    ] == [
        "the tower last",
        "a 4 last",
        "a 3 last",
    ]
