"""Games as pure functions for JAX; skipped without it."""

from typing import Any

import numpy as np
import pytest
from tests.adapters.settings import each_game

from mauerwerk.adapters.setting import setting_of
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Seat
from mauerwerk.kernels import kernel_of

jax: Any = pytest.importorskip("jax")
ours: Any = pytest.importorskip("mauerwerk.adapters.jax")


def keys(seed: int, number: int) -> Any:  # noqa: ANN401 - of JAX
    """As many keys of JAX."""
    return jax.random.split(jax.random.key(seed), number)


def any_legal(key: Any, mask: Any) -> Any:  # noqa: ANN401 - of JAX
    """A legal action, each as likely."""
    return jax.random.categorical(key, jax.numpy.where(mask, 0.0, -1e9))


def functions(env: Any) -> tuple[Any, Any, Any]:  # noqa: ANN401 - of JAX
    """How many games begin and step, and how chance chooses in them."""
    return tuple(jax.jit(jax.vmap(each)) for each in (env.init, env.step, any_legal))


@each_game
def test_states_are_those_of_the_rules(game: str, options: dict[str, Any]) -> None:
    """What each record stands for has the same seat to act, choices and view."""
    setting, kernel = setting_of(game, **options), kernel_of(game)
    init, step, choose = functions(ours.make(game, **options))
    state = init(keys(1, 3))
    for number in range(40):
        for place in range(3):
            record = np.asarray(state.record[place]).view(kernel.STATE)[0]
            table = kernel.unpack(setting.setup, record)
            seat = Seat(int(state.current_player[place]))
            if not state.terminated[place]:
                assert seat == min(setting.game.to_act(table))
                mask = setting.mask(table, seat).astype(bool)
                assert np.array_equal(state.legal_action_mask[place], mask)
            seen = setting.features(table, seat)
            assert np.array_equal(state.observation[place], seen)
        state = step(state, choose(keys(number, 3), state.legal_action_mask))


@each_game
def test_a_whole_game_is_one_function(game: str, options: dict[str, Any]) -> None:
    """`scan` under `jit`: the game ends, once, and what is won is lost by others."""
    env = ours.make(game, **options)

    def played(key: Any) -> Any:  # noqa: ANN401 - of JAX
        def go_on(state: Any, key: Any) -> Any:  # noqa: ANN401
            after = env.step(state, any_legal(key, state.legal_action_mask))
            return after, (after.rewards, after.terminated)

        return jax.lax.scan(go_on, env.init(key), jax.random.split(key, 1_500))[1]

    rewards, over = jax.jit(jax.vmap(played))(keys(5, 2))
    assert over[:, -1].all()
    assert not over[:, 0].any()
    assert ((rewards != 0).any(axis=2).sum(axis=1) <= 1).all()
    assert np.asarray(rewards.sum(axis=(1, 2))) == pytest.approx(0, abs=1e-5)


def test_a_state_says_all() -> None:
    """The same state and action lead to the same state, with and without `vmap` and `jit`."""
    env = ours.make("burgbaumeister", variant=True)
    init, step, _ = functions(env)
    many = init(keys(3, 4))
    one = env.init(keys(3, 4)[2])
    old = env.init(jax.random.key_data(keys(3, 4)[2]))  # as JAX's keys were
    for action in (7, 47, 3, 47):
        many, one, old = (
            step(many, np.full(4, action)),
            env.step(one, action),
            env.step(old, action),
        )

    for leaf, alone, as_before in zip(many, one, old, strict=True):
        assert np.array_equal(leaf[2], alone)
        assert np.array_equal(alone, as_before)
    again = step(many, np.zeros(4, np.int32))
    assert np.array_equal(step(many, np.zeros(4, np.int32)).record, again.record)


def test_who_choose_together_are_asked_in_turn() -> None:
    """Whatever the first plans, the second sees the same (DM-5)."""
    init, step, _ = functions(ours.make("mauer", seats=3))
    state = step(init(keys(1, 8)), np.arange(8))

    assert state.current_player.tolist() == [1] * 8
    assert (state.observation == state.observation[0]).all()


def test_an_illegal_action_loses() -> None:
    """As in Pgx; afterwards nothing changes any more."""
    env = ours.make("mauer", seats=3)
    lost = env.step(env.init(jax.random.key(1)), 20)

    assert lost.terminated
    assert lost.rewards.tolist() == [-1.0, 0.5, 0.5]
    assert lost.legal_action_mask.all()
    after = env.step(lost, 0)
    assert not after.rewards.any()
    assert np.array_equal(after.record, lost.record)
    assert after.current_player == lost.current_player == 0


def test_games_can_begin_again_by_themselves() -> None:
    """The step that ends a game has its rewards, and shows the next one, which is another."""
    env = ours.make("mauer", seats=3, rounds=1, first="lot", auto_reset=True)
    init, step, choose = functions(env)
    state = init(keys(1, 16))
    first, ended = state.number, 0
    for number in range(250):
        state = step(state, choose(keys(number, 16), state.legal_action_mask))
        over = np.asarray(state.terminated)
        assert np.array_equal(over, np.asarray(state.rewards).any(axis=1) | over)
        assert (np.asarray(state.legal_action_mask)[over].sum(axis=1) == 8).all()
        ended += int(over.sum())

    assert ended > 16
    assert not np.array_equal(state.number, first)


def test_any_seat_can_be_looked_at() -> None:
    """The seat that is to act sees its observation."""
    env = ours.make("mauerbauer", seats=3, board="small", remember=True)
    state = env.init(jax.random.key(2))

    seen = [env.observe(state, seat) for seat in range(env.num_players)]
    assert np.array_equal(seen[int(state.current_player)], state.observation)
    assert seen[0].shape == env.observation_shape
    assert not np.array_equal(seen[0], seen[1])


def test_a_game_without_a_kernel_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line."""
    monkeypatch.setattr("mauerwerk.kernels.KERNELS", {})

    with pytest.raises(SetupError, match="mauer has no kernel, so JAX cannot play it"):
        ours.make("mauer")
