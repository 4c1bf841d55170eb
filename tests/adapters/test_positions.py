"""States of OpenSpiel that step through a kernel, compared with those that step by the rules."""

import pickle
import subprocess
import sys
from importlib import import_module
from random import Random
from typing import Any, Final

import numpy as np
import pytest
from tests.adapters.settings import each_game, each_setting
from tests.support.amounts import amount

from mauerwerk.adapters import openspiel
from mauerwerk.adapters.positions import KernelPosition, RulesPosition, begin, first_position
from mauerwerk.core.errors import IllegalMoveError, SetupError
from mauerwerk.core.game import Seat
from mauerwerk.games import GAMES
from mauerwerk.kernels import kernel_of

pyspiel: Any = import_module("pyspiel")

COMPARED: Final = amount(1, 1, 60)
"""Random games of each setting."""


def both(game: Any) -> tuple[Any, Any]:  # noqa: ANN401 - states of OpenSpiel
    """The beginning of a game in its kernel, and by the rules."""
    state, by_rules = game.new_initial_state(), game.new_initial_state()
    by_rules.position = RulesPosition(game.setting, begin(game.setting))
    assert isinstance(state.position, KernelPosition)
    return state, by_rules


def chosen(state: Any, chance: Random) -> int:  # noqa: ANN401
    """A random action."""
    outcomes = [(action, 1.0) for action in state.legal_actions()]
    actions, odds = zip(
        *state.chance_outcomes() if state.is_chance_node() else outcomes, strict=True
    )
    action: int = chance.choices(actions, odds)[0]
    return action


def asked(state: Any) -> tuple[Any, ...]:  # noqa: ANN401
    """What an algorithm asks at every step."""
    odds = state.chance_outcomes() if state.is_chance_node() else None
    return state.current_player(), state.legal_actions(), odds, state.returns()


def known(state: Any, player: int) -> tuple[Any, ...]:  # noqa: ANN401
    """All that a player knows, as text and as tensors."""
    return (
        state.information_state_string(player),
        state.observation_string(player),
        state.information_state_tensor(player),
        state.observation_tensor(player),
        [] if state.is_chance_node() else state.legal_actions(player),
    )


@each_game
def test_a_kernel_steps_as_the_rules_do(game: str, options: dict[str, Any]) -> None:
    """Movers, actions, chances, results, texts and tensors are the same throughout a game."""
    loaded = openspiel.load(game, **options)
    for number in range(COMPARED):
        chance = Random(f"{game} {options} {number}")
        state, by_rules = both(loaded)
        while not state.is_terminal():
            assert asked(state) == asked(by_rules)
            if chance.random() < amount(0.02, 0.03, 0.1):
                player = chance.randrange(loaded.num_players())
                assert known(state, player) == known(by_rules, player)
                assert str(state) == str(by_rules)
            action = chosen(state, chance)
            state.apply_action(action)
            by_rules.apply_action(action)
        assert asked(state) == asked(by_rules)
        assert all(known(state, p) == known(by_rules, p) for p in range(loaded.num_players()))


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_a_kernel_steps_as_the_rules_do_in_any_setup(game: str) -> None:
    """The same with options by chance, where OpenSpiel takes them."""
    draw = Random(game)
    for _ in range(40):
        setup = kernel_of(game).random_setup(draw.randrange)
        options = {name: getattr(setup.options, name) for name in setup.options.__struct_fields__}
        try:
            loaded = openspiel.load(game, setup.seats, **options)
        except SetupError:
            continue
        state, by_rules = both(loaded)
        while not state.is_terminal():
            assert asked(state) == asked(by_rules)
            action = chosen(state, draw)
            state.apply_action(action)
            by_rules.apply_action(action)
        assert asked(state) == asked(by_rules)
        assert known(state, 0) == known(by_rules, 0)


@each_game
def test_an_imagined_table_looks_the_same_and_can_be_played(
    game: str, options: dict[str, Any]
) -> None:
    """A sample from the kernel agrees with the rules, whoever looks at it later."""
    loaded = openspiel.load(game, **options)
    chance = Random(3)
    state = loaded.new_initial_state()
    for _ in range(chance.randrange(20, 60)):
        if not state.is_terminal():
            state.apply_action(chosen(state, chance))
    while state.is_chance_node():
        state.apply_action(chosen(state, chance))
    for player in range(loaded.num_players()):
        sampled = state.resample_from_infostate(player, chance.random)
        by_rules = loaded.new_initial_state()
        by_rules.position = RulesPosition(loaded.setting, sampled.moment)
        assert known(by_rules, player) == known(state, player)
        for _ in range(12):
            assert asked(sampled) == asked(by_rules)
            if sampled.is_terminal():
                break
            other = chance.randrange(loaded.num_players())
            assert known(sampled, other) == known(by_rules, other)
            action = chosen(sampled, chance)
            sampled.apply_action(action)
            by_rules.apply_action(action)


def test_imagined_tables_do_not_know_the_real_one() -> None:
    """At an imagined table another seat's tensor does not show what was really given (DM-19)."""
    game = openspiel.load("mauer", seats=3)
    state = game.new_initial_state()
    for word in ("-", "-", "4", "*T"):
        state.apply_action(state.string_to_action(state.current_player(), word))
    tensors: dict[str, set[tuple[float, ...]]] = {}
    for seed in range(60):
        sampled = state.resample_from_infostate(2, Random(seed).random)
        hands = str(sampled.moment.state.table.hands)
        tensors.setdefault(hands, set()).add(tuple(sampled.information_state_tensor(0)))

    assert len(tensors) == 7
    assert all(len(each) == 1 for each in tensors.values())
    assert len(set.union(*tensors.values())) == len(tensors)


@each_game
def test_states_are_serialised(game: str, options: dict[str, Any]) -> None:
    """By OpenSpiel and by pickle, at any time; imagined ones too, and the game itself."""
    loaded = openspiel.load(game, **options)
    chance, state = Random(4), loaded.new_initial_state()
    assert str(pickle.loads(pickle.dumps(loaded))) == str(loaded)  # noqa: S301 - our own
    moves = 0
    while not state.is_terminal():
        state.apply_action(chosen(state, chance))
        moves += 1
        if moves % 41 and not state.is_terminal():
            continue
        again = loaded.deserialize_state(state.serialize())
        other, pair = pyspiel.deserialize_game_and_state(
            pyspiel.serialize_game_and_state(loaded, state)
        )
        assert str(other) == str(loaded)
        for copied in (again, pair, pickle.loads(pickle.dumps(state)), state.clone()):  # noqa: S301
            assert (str(copied), copied.history()) == (str(state), state.history())
            assert asked(copied) == asked(state)
            assert known(copied, 1) == known(state, 1)
        if not state.is_chance_node():
            sampled = state.resample_from_infostate(0, chance.random)
            again = loaded.deserialize_state(sampled.serialize())
            assert (str(again), known(again, 0)) == (str(sampled), known(state, 0))


@pytest.mark.process
@pytest.mark.thorough
def test_another_process_reads_a_state() -> None:
    """One that has not imported the adapter: the pickle names it."""
    game = openspiel.load("mauerbauer", 2, board="small")
    state = game.new_initial_state()
    chance = Random(5)
    for _ in range(60):
        state.apply_action(chosen(state, chance))
    program = "import pickle, sys; print(pickle.load(sys.stdin.buffer))"
    read = subprocess.run(  # noqa: S603 - a program of our own
        [sys.executable, "-c", program], input=pickle.dumps(state), capture_output=True, check=True
    )

    assert read.stdout.decode().strip() == str(state)


def test_what_the_rules_forbid_is_refused() -> None:
    """With the clause, as the rules say it; a number that is no action, too."""
    state = openspiel.load("mauer", seats=3).new_initial_state()
    with pytest.raises(IllegalMoveError, match="DM-"):
        state.apply_action(state.get_game().num_distinct_actions() - 1)
    with pytest.raises(ValueError, match="an action is a number below"):
        state.position.after(10_000)
    assert state.history() == []


def test_a_setup_that_no_kernel_takes_is_played_by_the_rules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its records may have no room for it."""

    def refuse(_game: str, _setup: object) -> None:
        raise SetupError("no room")

    monkeypatch.setattr("mauerwerk.adapters.positions.stepper_of", refuse)
    setting = openspiel.load("mauer", seats=3).setting

    assert isinstance(first_position(setting), RulesPosition)


# --- Tensors of information states -------------------------------------------------------------


@each_setting
def test_equal_knowledge_has_equal_tensors(game: str, options: dict[str, Any]) -> None:
    """The same text means the same tensor; and the same tensor, the same view and choices."""
    loaded = openspiel.load(game, **options)
    tensors: dict[tuple[int, str], bytes] = {}
    views: dict[tuple[int, bytes], tuple[Any, ...]] = {}
    for number in range(COMPARED):
        chance, state = Random(number), loaded.new_initial_state()
        while not state.is_terminal():
            player = state.current_player()
            if player >= 0:
                text = player, state.information_state_string(player)
                tensor = np.array(state.information_state_tensor(player), np.int16).tobytes()
                seen = state.observation_string(player), state.legal_actions()
                assert tensors.setdefault(text, tensor) == tensor
                assert views.setdefault((player, tensor), seen)[1] == seen[1]
            state.apply_action(chosen(state, chance))
    assert np.frombuffer(tensor, np.int16).shape == (loaded.information_state_tensor_size(),)


def test_tensors_of_a_miniature_tell_all_that_matters() -> None:
    """In its whole tree no two information states of a player have the same tensor."""
    game = openspiel.load("mauer", seats=3, rounds=1, pieces="TC", stall=2)
    pairs: set[tuple[int, str, bytes]] = set()
    waiting = [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        if not state.is_terminal():
            player = state.current_player()
            tensor = np.array(state.information_state_tensor(player), np.int16).tobytes()
            pairs.add((player, state.information_state_string(player), tensor))
            waiting += [state.child(action) for action in state.legal_actions()]

    texts, tensors = ({(pair[0], pair[place]) for pair in pairs} for place in (1, 2))
    assert len(pairs) == len(texts) == len(tensors) == 250


def test_a_spectator_has_no_tensor() -> None:
    """Only what one player sees or knows has one."""
    game = openspiel.load("mauer", seats=3)
    kind = pyspiel.IIGObservationType(
        public_info=True, perfect_recall=True, private_info=pyspiel.PrivateInfoType.NONE
    )

    assert game.make_py_observer(kind).tensor is None


def test_rollouts_of_both_kinds_agree() -> None:
    """The compiled evaluator expects what OpenSpiel's does, and knows nature's chances."""
    game = openspiel.load("mauer", seats=3, rounds=1, pieces="TC1", first="lot")
    state, by_rules = both(game)
    ours = openspiel.RolloutEvaluator(4_000, np.random.RandomState(1))
    few = openspiel.RolloutEvaluator(400, np.random.RandomState(2))
    assert ours.prior(state) == state.chance_outcomes()
    for each in (state, by_rules):
        each.apply_action(1)
        each.apply_action(0)

    assert ours.prior(state) == [(action, 1 / 4) for action in state.legal_actions()]
    assert ours.evaluate(state) == pytest.approx(few.evaluate(by_rules), abs=0.15)
    assert ours.evaluate(state).sum() == pytest.approx(0)
    assert list(few.evaluate(by_rules).shape) == [Seat(3)]
