"""The moments of Die Mauer: what they say and show, and that they keep every secret."""

import random
import re
from collections.abc import Sequence

import pytest
from tests.server.games.positions import elements, read

from mauerwerk.core.game import Seat, Setup
from mauerwerk.core.language import ENGLISH, Language, language_of
from mauerwerk.games import mauer
from mauerwerk.games.mauer.values import Options, Piece, Planning, State, Table
from mauerwerk.server.games.mauer.moments import moments
from mauerwerk.server.games.room import Moment, SeenMove

NAMES = ("Bruno", "Clara", "Emil", "Mia")


def seen(
    before: State,
    word: str,
    viewer: Seat | None,
    language: Language = ENGLISH,
    *,
    shared: bool = False,
) -> Sequence[Moment]:
    """The moments that a move has for a viewer."""
    seat, _, said = word.partition(":")
    step = mauer.apply(before, Seat(int(seat)), mauer.parse(said))
    told = (mauer.seen(event, viewer) for event in step.events)
    names = tuple("you" if place == viewer else name for place, name in enumerate(NAMES))
    return moments(
        SeenMove(
            before=mauer.view(before, viewer),
            after=mauer.view(step.state, viewer),
            events=tuple(event for event in told if event is not None),
            names=names[: len(mauer.view(before, None).counts)],
            language=language,
            shared=shared,
        )
    )


def played(state: State, words: str) -> State:
    for word in words.split():
        seat, _, said = word.partition(":")
        state = mauer.apply(state, Seat(int(seat)), mauer.parse(said)).state
    return state


def start(first: int = 0) -> State:
    return mauer.start(Setup(4, Options(first=first)))


def laid(wall: str, hands: str, scores: tuple[tuple[int, ...], ...] = (), rounds: int = 4) -> State:
    """A position in the middle of a round."""
    held = tuple(tuple(map(Piece, each)) for each in hands.split())
    pieces = tuple(map(Piece, wall))
    options = Options(rounds=rounds)
    table = Table(options, Seat(0), pieces, held, idle=0, turns=0, scores=scores)
    return Planning(table, (None,) * len(held))


# --- The reveal ------------------------------------------------------------------------------


@pytest.mark.rule("DM-14", "DM-17")
def test_the_fists_open() -> None:
    """It is announced who shows what, who guessed it, and who builds first."""
    (moment,) = seen(played(start(first=1), "1:4 2:4 3:C"), "0:4", Seat(0))

    assert moment.says == (
        "All fists are open. Clara, master builder, shows a 4. Emil and you show a 4 too and "
        "guessed it. Mia shows the gate. Emil builds a 4 first, then you. Clara builds nothing."
    )
    assert (moment.prompt, moment.go_on) == ("Emil and you guessed it.", "Go on")
    assert (moment.kind, moment.rest, moment.motion) == ("reveal", 4000, 1360)


def test_master_and_matches_glow_and_who_guessed_has_a_ribbon() -> None:
    """The piece of the master builder and those that match it glow; two rivals have a ribbon."""
    (moment,) = seen(played(start(first=1), "1:4 2:4 3:C"), "0:4", Seat(3))
    drawn = re.split(r'id="fist-', moment.content)[1:]

    assert ["match" in each for each in drawn] == [True, True, True, False]
    assert ["guessed!" in each for each in drawn] == [True, False, True, False]
    assert not [each for each in elements(moment.content) if "data-word" in each.attributes]


@pytest.mark.parametrize(
    ("wall", "hands", "words", "prompt", "more"),
    [
        ("", "T4 T4 C4", "0:T 1:4 2:C", "Nobody guessed it.", "Bruno builds the tower."),
        ("T4", "T4 T4 T4", "0:T 1:T 2:T", "Clara and Emil guessed it.", "There is not enough room"),
        ("T4C", "T4 T4 C4", "0:T 1:4 2:C", "It fits nowhere, so nobody builds.", ""),
        ("4", "T4 T4 C4", "0:- 1:4 2:C", "Bruno shows an empty fist.", "Bruno may choose"),
        ("4", "T4 T4 C4", "0:- 1:4 2:-", "Bruno and Emil show empty fists.", "Emil gives Bruno"),
        ("4", "T4 T4 C4", "0:- 1:- 2:-", "Too many empty fists: nothing happens.", ""),
    ],
)
@pytest.mark.rule("DM-12", "DM-13", "DM-15", "DM-18", "DM-19", "DM-20")
def test_what_came_of_the_fists(
    *, wall: str, hands: str, words: str, prompt: str, more: str
) -> None:
    """Each case has its sentence."""
    *first, last = words.split()
    (moment,) = seen(played(laid(wall, hands), " ".join(first)), last, None)

    assert moment.prompt == prompt
    assert moment.more.startswith(more)
    assert bool(moment.more) == bool(more)


def test_a_piece_that_fits_nowhere_turns_grey() -> None:
    """Nothing glows then, and nobody has a ribbon (DM-12)."""
    (moment,) = seen(played(laid("T4C", "T4 T4 C4"), "0:T 1:T"), "2:C", None)

    assert "grey" in moment.content
    assert "guessed!" not in moment.content
    assert "All fists are open. Bruno, master builder, shows the tower." in moment.says


# --- The end of a round ----------------------------------------------------------------------


@pytest.mark.rule("DM-2", "DM-23", "DM-24")
def test_a_round_is_over() -> None:
    """The wall stands finished, hands are open with their cost, the score sheet is filled in."""
    state = played(laid("4", "1 T2 C", scores=((3, 4, 5),)), "0:1 1:T 2:C")
    (moment,) = seen(state, "0:<", Seat(1))

    assert moment.says == (
        "Round 2 is over. Bruno is out of pieces. Penalty points: Bruno 0, you 17, Emil 10. "
        "Bruno leads with 3."
    )
    assert (moment.kind, moment.rest, moment.go_on) == ("round", 8000, "Next round")
    assert (moment.prompt, moment.more) == (
        "Bruno is out of pieces. Round 2 is over.",
        "What is left in the hands costs points.",
    )
    stones = [each.id for each in elements(moment.content) if each.id.startswith("wall-")]
    assert stones == ["wall-left-1", "wall-0"]
    row = moment.content.partition('id="score-1">')[2].partition("</tr>")[0]
    assert read(row).words == ["You", "4", "17", "·", "·", "21", "2", "3"]


@pytest.mark.rule("DM-26")
def test_a_round_may_end_with_the_open_fists() -> None:
    """Then the fists come first; the last round leads on to the result."""
    reveal, over = seen(played(laid("T4C", "T T C", rounds=1), "0:T 1:T"), "2:C", None)

    assert [reveal.kind, over.kind] == ["reveal", "round"]
    assert over.prompt == "No piece fits any more. Round 1 is over."
    assert over.go_on == "To the result"
    assert "leads" not in over.says


# --- Everybody at one device -----------------------------------------------------------------


def test_who_shares_a_device_looks_together() -> None:
    """The fists are closed, and nobody's piece is in the picture, until somebody opens them."""
    before = played(start(), "0:4 1:C 2:4")
    look, reveal = seen(before, "3:6", None, shared=True)

    assert (look.kind, look.rest, look.go_on) == ("look", 0, "Open the fists")
    assert look.says == "Everybody look! All four fists are closed."
    assert "piece-" not in look.content
    assert "slot" not in look.content + reveal.content
    assert look.content.count("#hand-fist") == 4
    assert reveal.kind == "reveal"


# --- Secrets ---------------------------------------------------------------------------------


@pytest.mark.rule("DM-2", "DM-19")
@pytest.mark.parametrize("seed", range(4))
def test_twins_that_look_alike_have_the_same_moments(seed: int) -> None:
    """Two tables that a viewer cannot tell apart have the same moments for that viewer.

    In one of them two rivals have exchanged gifts that the viewer knows nothing of.
    """
    chance = random.Random(seed)
    gifts = chance.sample(["1", "2", "3", "4"], 2)
    open_ = "0:- 1:- 2:T 3:T"
    found: list[list[str]] = []
    for gift in gifts:
        state = played(start(), f"{open_} 1:*{gift}")
        state = played(state, "0:T 1:T 2:C")
        found.append([each.content + each.says for each in seen(state, "3:6", Seat(3))])

    assert found[0] == found[1]
    assert found[0]


@pytest.mark.rule("DM-5")
def test_a_closed_fist_has_no_moment() -> None:
    """As long as somebody thinks, nothing is told."""
    assert not seen(played(start(), "0:4 1:C"), "2:4", Seat(0))


@pytest.mark.parametrize("code", ["de", "it"])
def test_moments_speak_the_readers_language(code: str) -> None:
    """No English word is left in the announcement."""
    (moment,) = seen(played(start(first=1), "1:4 2:4 3:C"), "0:4", Seat(0), language_of(code))

    words = f"{moment.says} {moment.prompt} {moment.more} {moment.go_on} {moment.content}"
    assert not re.search(
        r"\b(shows|guessed|builds|then|left|hand)\b", re.sub(r"<[^>]*>", "", words)
    )
