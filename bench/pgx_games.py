"""Pgx, for comparison: its games in JAX on all cores of this machine's CPU, with uniform play."""

from importlib import import_module
from typing import Any

from bench.contest import Work

GAMES = ("leduc_holdem", "backgammon", "sparrow_mahjong")
STEPS = 50


def stepping(name: str, size: int = 1_024) -> Work:
    """A batch in step, compiled as a whole: choice, step and reset. A step is a decision."""
    jax: Any = import_module("jax")
    pgx: Any = import_module("pgx")
    numpy: Any = import_module("jax.numpy")
    again: Any = import_module("pgx.experimental.wrappers").auto_reset
    game = pgx.make(name)
    begin = jax.vmap(game.init)
    step = jax.vmap(again(game.step, game.init))

    def one(carried: Any, _: None) -> Any:  # noqa: ANN401 - JAX's
        state, key = carried
        key, for_choice, for_step = jax.random.split(key, 3)
        logits = numpy.log(state.legal_action_mask.astype(numpy.float32))
        actions = jax.random.categorical(for_choice, logits, axis=-1)
        state = step(state, actions, jax.random.split(for_step, size))
        return (state, key), state.terminated.sum()

    def some(carried: Any) -> Any:  # noqa: ANN401 - JAX's
        return jax.lax.scan(one, carried, None, STEPS)

    several = jax.jit(some)
    key = jax.random.PRNGKey(1)
    carried = (jax.jit(begin)(jax.random.split(key, size)), key)

    def work() -> tuple[int, int]:
        nonlocal carried
        carried, ended = several(carried)
        return int(ended.sum()), STEPS * size

    return work


def bytes_a_game(name: str) -> int:
    """How much memory the state of one game takes."""
    jax: Any = import_module("jax")
    state = import_module("pgx").make(name).init(jax.random.PRNGKey(1))
    return sum(int(leaf.nbytes) for leaf in jax.tree_util.tree_leaves(state))
