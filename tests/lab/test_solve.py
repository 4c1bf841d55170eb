"""Small games solved: trees, CFR+, exact best responses, and what OpenSpiel says of them."""

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mauerwerk.bots import spec, table
from mauerwerk.core import options
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Setup
from mauerwerk.games import GAMES, mauer
from mauerwerk.lab.match.match import simulate
from mauerwerk.lab.solve import cfr
from mauerwerk.lab.solve.tree import Tree, miniature_of, policy_of, tree_of, uniform

SMALL: dict[str, Setup[Any]] = {
    "mauer": Setup(3, mauer.Options(rounds=1, pieces="TC", stall=2)),
    "burgbaumeister": Setup(
        2,
        options.from_words(
            GAMES["burgbaumeister"].OPTIONS, {"cards": "3", "wall": "2", "idle": "2"}
        ),
    ),
}
"""Games that are solved in a moment."""


@pytest.fixture(scope="module")
def tree() -> Tree:
    """Die Mauer with two pieces each."""
    return tree_of(mauer, SMALL["mauer"])


@pytest.mark.foreign
@pytest.mark.kernels
def test_a_policy_is_as_exploitable_as_openspiel_says(tree: Tree) -> None:
    """Exact best responses are OpenSpiel's, for the uniform policy and for the one of CFR+."""
    exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    policies = pytest.importorskip("open_spiel.python.policy")
    openspiel = import_module("mauerwerk.adapters.openspiel")
    game = openspiel.load("mauer", seats=3, rounds=1, pieces="TC", stall=2)
    theirs = exploitability.nash_conv(game, policies.UniformRandomPolicy(game))

    assert cfr.exploitability(tree, uniform(tree)).nash_conv == pytest.approx(theirs, abs=1e-9)


@pytest.mark.foreign
@pytest.mark.kernels
def test_a_policy_of_openspiel_is_played_as_a_bot(tree: Tree, tmp_path: Path) -> None:
    """What OpenSpiel's CFR+ found is as exploitable here as it says itself."""
    exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    solvers = pytest.importorskip("open_spiel.python.algorithms.cfr")
    openspiel = import_module("mauerwerk.adapters.openspiel")
    game, file = openspiel.load("mauer", seats=3, rounds=1, pieces="TC", stall=2), tmp_path / "t"
    solver = solvers.CFRPlusSolver(game)
    for _ in range(3):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()

    saved = openspiel.save_policy(file, game, policy)
    here = cfr.exploitability(tree, policy_of(tree, mauer, SMALL["mauer"], f"table:{file}"))

    assert saved == sum(len(each.actions) > 1 for each in tree.sets)
    theirs = exploitability.nash_conv(game, policy)
    assert here.nash_conv == pytest.approx(theirs, abs=1e-6)


def test_rewards_add_up_to_zero(tree: Tree) -> None:
    """What all seats have together is nothing, whatever they do."""
    found = cfr.exploitability(tree, uniform(tree))

    assert sum(found.values) == pytest.approx(0)
    assert all(own <= best + 1e-12 for own, best in zip(found.values, found.responses, strict=True))


def test_cfr_comes_close_to_an_equilibrium_of_two() -> None:
    """After a few hundred iterations a best response gains next to nothing."""
    game = GAMES["burgbaumeister"]
    small = tree_of(game, SMALL["burgbaumeister"])

    before = cfr.exploitability(small, uniform(small)).mean
    after = cfr.exploitability(small, cfr.solve(small, 300)).mean

    assert before > 0.5
    assert after < 1e-3


def test_a_best_response_is_better_than_any_other_policy(tree: Tree) -> None:
    """Random policies of one seat never have more than the best response of that seat."""
    draw = np.random.default_rng(1)
    policy = uniform(tree)
    _, best = cfr.best_response(tree, policy, 1)
    for _ in range(30):
        weights = draw.random(len(policy)) ** 8
        totals = np.bincount(tree.set_of, weights)[tree.set_of]
        other = np.where(tree.owner == 1, weights / totals, policy)
        assert cfr.exploitability(tree, other).values[1] <= best + 1e-12


def test_a_policy_is_played_as_a_bot(tree: Tree, tmp_path: Path) -> None:
    """It is saved by information state, finds all of them again, and plays whole games."""
    setup, file = SMALL["mauer"], tmp_path / "policy.json"
    policy = cfr.solve(tree, 20)
    known = {
        table.key_of(each.sight): policy[list(each.actions)].tolist()
        for each in tree.sets
        if len(each.actions) > 1
    }
    table.save(file, mauer, setup, known, "CFR+, 20 iterations")

    again = policy_of(tree, mauer, setup, f"table:{file}")

    assert np.allclose(again, policy)
    assert len(list(simulate(mauer, setup, [f"table:{file}"] * 3, 5, 1))) == 5
    with pytest.raises(SetupError, match="the table is for mauer/1 seats=3 rounds=1"):
        spec.check([f"table:{file}"], mauer, Setup(3, mauer.Options()))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{", "is not the file of a table"),
        (
            '{"game":"mauer","rules":1,"seats":3,"options":{},"made_by":"","policy":{"a":[2.0]}}',
            "some probabilities are not",
        ),
    ],
)
def test_a_file_that_is_no_table_is_refused(tmp_path: Path, text: str, fault: str) -> None:
    """In one line."""
    file = tmp_path / "policy.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SetupError, match=fault) as refused:
        table.load(file)
    assert "\n" not in str(refused.value)
    with pytest.raises(SetupError, match="cannot be read"):
        table.load(tmp_path / "nothing.json")


@pytest.mark.kernels
def test_bots_say_what_they_do(tree: Tree) -> None:
    """Uniform and greedy are compared exactly; a search does not say how likely it does what."""
    setup = SMALL["mauer"]
    greedy = cfr.exploitability(tree, policy_of(tree, mauer, setup, "greedy"))

    assert np.allclose(policy_of(tree, mauer, setup, "uniform"), uniform(tree))
    assert greedy.mean > 0.1
    with pytest.raises(SetupError, match="the bot search does not say how likely"):
        policy_of(tree, mauer, setup, "search")


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_miniature(name: str) -> None:
    """Its options are allowed, and what is too large is refused in one line."""
    setup = miniature_of(GAMES[name])
    GAMES[name].start(setup)
    with pytest.raises(SetupError, match="more than 500 positions"):
        tree_of(GAMES[name], setup, 500)
    with pytest.raises(SetupError, match="need not end"):
        tree_of(mauer, Setup(3, mauer.Options(stall="off")))
