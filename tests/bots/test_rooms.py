"""A game without a bot room and without a kernel: bots play it, and say what is missing."""

import pickle
from itertools import islice
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.positions import draws, seen_after, setup_of, sights

from mauerwerk.bots import can_search, spec
from mauerwerk.bots.greedy import Greedy
from mauerwerk.bots.hints import hints
from mauerwerk.bots.levels import LEVELS, levels_of, sit
from mauerwerk.bots.memory import Tracker
from mauerwerk.bots.rooms import ROOMS, remark
from mauerwerk.bots.search import Search
from mauerwerk.core.beliefs import PERFECT
from mauerwerk.core.errors import SetupError
from mauerwerk.games import GAMES, mauer
from mauerwerk.kernels import KERNELS, NoKernelError, has_kernel, kernel_of

if TYPE_CHECKING:
    from mauerwerk.core.game import AnyGame

NIM: Any = SimpleNamespace(**{**vars(mauer), "NAME": "nim", "beliefs": None})
"""Die Mauer by another name: a game that has no rooms."""
SETUP = setup_of(NIM, 3, rounds="1")


def test_every_game_of_this_program_has_its_rooms() -> None:
    """Rules of thumb, beliefs and a kernel."""
    assert set(ROOMS) == set(GAMES) == set(KERNELS)
    assert all(game.beliefs is not None for game in GAMES.values())
    assert [remark(game) for game in GAMES.values()] == ["", "", ""]
    assert [set(levels_of(game)) for game in GAMES.values()] == [set(LEVELS)] * 3


@pytest.mark.parametrize("kind", [Greedy, Search])
def test_bots_play_any_legal_move(kind: type[Greedy | Search]) -> None:
    """All actions are equal to them, so that they vary."""
    bot = kind(NIM, SETUP, draws())
    answers = list(islice(sights(NIM, SETUP, bot, seed=1), 40))

    assert all(action in sight.legal for sight, action in answers)
    first = seen_after(NIM, mauer.start(SETUP), "", 0)
    assert len({bot.act(first, 1.0) for _ in range(20)}) > 1


def test_one_line_says_so_where_a_bot_is_chosen() -> None:
    """For bots that lack rules of thumb, or a kernel; a uniform bot needs neither."""
    blind = "there are no rules of thumb for nim, so the bot greedy plays any legal move"
    assert spec.remarks(["greedy", "uniform"], NIM) == (blind,)
    assert spec.remarks(["search:0.1s", "master"], NIM) == (
        "there is no kernel for nim, so bots that search play as greedy does",
        blind,
    )
    assert spec.remarks(["uniform"], NIM) == ()
    assert spec.remarks(["greedy", "master"], mauer) == ()


def test_the_levels_that_would_play_alike_are_one() -> None:
    """Without rules of thumb and without a kernel; yet every level can be seated."""
    assert list(levels_of(NIM)) == ["apprentice"]
    for level in LEVELS.values():
        for sight, action in islice(sights(NIM, SETUP, sit(level, NIM, SETUP, draws()), seed=1), 5):
            assert action in sight.legal


def test_levels_that_search_differ_where_there_is_a_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even without rules of thumb."""
    monkeypatch.setattr("mauerwerk.bots.rooms.ROOMS", {})
    assert list(levels_of(mauer)) == ["foreman", "master"]


def test_there_are_no_hints_without_anything_to_go_by() -> None:
    """Rather than three moves of no worth."""
    assert hints(NIM, SETUP, seen_after(NIM, mauer.start(SETUP), "", 0), draws(), 0.1) == ()


@pytest.mark.kernels
def test_hints_of_a_search_need_no_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is a kernel and no room."""
    monkeypatch.setattr("mauerwerk.bots.rooms.ROOMS", {})
    found = hints(mauer, SETUP, seen_after(mauer, mauer.start(SETUP), "", 0), draws(), 0.1)
    assert 1 <= len(found) <= 3
    assert {hint.reason for hint in found} == {""}


def test_what_needs_a_kernel_says_so_in_one_line() -> None:
    """The game, and those that have one."""
    game: AnyGame = NIM
    assert not has_kernel("nim")
    assert not can_search(game)
    with pytest.raises(NoKernelError, match=r"^there is no kernel for nim, only for mauer, "):
        kernel_of("nim")
    fault = pickle.loads(pickle.dumps(NoKernelError("nim")))  # noqa: S301 - as processes do
    assert str(fault) == str(NoKernelError("nim"))


def test_a_belief_of_a_game_that_has_none_is_refused() -> None:
    """In one line."""
    sight = seen_after(NIM, mauer.start(SETUP), "", 0)
    with pytest.raises(SetupError, match="nim does not say what a seat can infer"):
        Tracker(NIM, PERFECT, draws()).belief(sight)
