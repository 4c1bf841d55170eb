"""A small kernel of another package, without `advice` and `counts`: as good as none, or better."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.cli.asking import refused, run
from tests.fourth_game.packages import install
from tests.outside import goofspiel
from tests.outside.goofspiel import GOOFSPIEL

from mauerwerk.adapters.setting import setting_of
from mauerwerk.bots import can_count, can_search, why_not_searched
from mauerwerk.bots.hints import hints
from mauerwerk.core.game import NATURE, Observer, Seat, Setup
from mauerwerk.kernels import has_kernel, kernel_of
from mauerwerk.kernels.compare import compare

pytestmark = pytest.mark.kernels

KERNEL = "[mauerwerk.kernels]\ngoofspiel = tests.outside.goofspiel_kernel\n"
SETUP = Setup(3, goofspiel.Options(cards=4))


@pytest.fixture(autouse=True, scope="module")
def _kernel(_installed: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        install(patch, tmp_path_factory.mktemp("kernel"), "goofspiel_kernel", KERNEL)
        yield


def test_it_agrees_with_the_rules() -> None:
    """After every move, observations included; its description of them is the game's own."""
    draw = random.Random(1).randrange
    for seats, cards in ((2, 13), (3, 4), (5, 7)):
        assert compare(GOOFSPIEL, Setup(seats, goofspiel.Options(cards=cards)), draw) > cards
    assert kernel_of("goofspiel").OBSERVATION is GOOFSPIEL.observation.spec


def test_learners_see_the_same_with_and_without_it() -> None:
    setting = setting_of("goofspiel", seats=3, cards=4)
    state = GOOFSPIEL.apply(GOOFSPIEL.start(SETUP), NATURE, GOOFSPIEL.parse("p3")).state
    view = GOOFSPIEL.view(state, Seat(1))

    assert setting.kernel is not None
    assert np.array_equal(setting.features(state, Seat(1)), GOOFSPIEL.observation.row(SETUP, view))


def test_bots_do_without_what_it_lacks() -> None:
    """No search and no hints, and a reason in one line."""
    state = GOOFSPIEL.apply(GOOFSPIEL.start(SETUP), NATURE, GOOFSPIEL.parse("p3")).state
    sight = Observer(GOOFSPIEL, Seat(0)).sight(state)

    assert has_kernel("goofspiel")
    assert not can_search(GOOFSPIEL)
    assert not can_count(GOOFSPIEL, SETUP)
    assert (
        why_not_searched(GOOFSPIEL) == "the game has no beliefs, so nothing hidden can be sampled"
    )
    assert hints(GOOFSPIEL, SETUP, sight, random.Random(1).randrange, 0.1) == ()


@pytest.mark.process
def test_commands_do_without_what_it_lacks(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Studies and analyses by the rules, levels by rules of thumb, batches in the kernel."""
    file = tmp_path / "game.txt"
    file.write_text("goofspiel/1 seats=2 cards=2\n~:p1 0:1 1:2\n~:p2 0:2 1:1\n", encoding="utf-8")

    assert "Goofspiel" in run(capsys, "study goofspiel --cards 3 --games 20 --luck 0 --jobs 1")
    assert "rules of thumb" in run(capsys, f"analyse {file} --seconds 1")
    match = "match goofspiel --cards 3 --bots master,uniform --games 2 --jobs 1 --json"
    assert json.loads(run(capsys, match))["standings"]["games"] == 2
    kernel = "simulate goofspiel --cards 5 --games 500 --engine cpu --json"
    assert json.loads(run(capsys, kernel))["summary"]["games"] == 500
    assert "has no beliefs" in refused(capsys, "simulate goofspiel --bots search")
