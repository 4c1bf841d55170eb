"""The games as pure functions for JAX: `init` and `step`, as in Pgx.

    env = jax.make("mauer", seats=4)
    init, step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(env.step))
    state = init(jax.random.split(jax.random.key(1), 1024))
    state = step(state, actions)

A state is all there is: the same state and action lead to the same state, under `jit`, `vmap` and
`scan`. The kernel plays on the CPU, called back by JAX once for all games of a `vmap`. So on a GPU
states travel to the CPU and back with each step, and nothing can be differentiated.

This needs the extra `adapters` and JAX.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from mauerwerk.adapters.setting import setting_of
from mauerwerk.core.errors import SetupError
from mauerwerk.kernels.play.functional import Arrays, PureGames

jax: Any = import_module("jax")
jnp: Any = import_module("jax.numpy")
JaxArray: TypeAlias = Any


class State(NamedTuple):
    """A game as it stands, with the names of Pgx; leaves have a leading axis under `vmap`."""

    current_player: JaxArray
    """The seat that is to act; once the game is over, the one that acted last."""
    observation: JaxArray
    """What that seat sees, as 16-bit integers."""
    rewards: JaxArray
    """What each seat gets for the last step."""
    terminated: JaxArray
    truncated: JaxArray
    """Never."""
    legal_action_mask: JaxArray
    """What the seat may do; once the game is over, everything."""
    record: JaxArray
    """The kernel's record of the game, in bytes; secrets included."""
    number: JaxArray
    """The source of all chance in the game, as two words of 32 bits."""
    decisions: JaxArray
    """How many choices were made so far, nature's included."""


class Environment:
    """A game for JAX."""

    def __init__(self, games: PureGames, name: str) -> None:
        """`make` makes one."""
        self.id: Final = name
        self.num_players: Final = games.seats
        self.num_actions: Final = games.actions
        self.observation_shape: Final = (games.width,)
        self._games = games
        size = games.kind.itemsize
        kinds = (
            ((), np.int32),
            ((games.width,), np.int16),
            ((games.seats,), np.float32),
            ((), np.bool_),
            ((), np.bool_),
            ((games.actions,), np.bool_),
            ((size,), np.uint8),
            ((2,), np.uint32),
            ((), np.int32),
        )
        self._result = State(*(jax.ShapeDtypeStruct(shape, kind) for shape, kind in kinds))

    def init(self, key: JaxArray) -> State:
        """The first state of a game; all chance in it comes from the key."""
        typed = jnp.issubdtype(key.dtype, jax.dtypes.prng_key)
        words = jax.random.key_data(key) if typed else key
        return State(*_called(self._begin, self._result, words[..., :2]))

    def step(self, state: State, action: JaxArray, key: JaxArray = None) -> State:
        """What it leads to if the seat that is to act does this; no key is needed.

        An illegal action loses the game. A game that is over stays as it is, with rewards of 0,
        unless it was made to begin again.
        """
        del key
        given = (state.record, state.number, state.decisions, state.terminated)
        after = _called(self._step, self._result, *given, state.current_player, action)
        return State(*after)

    def observe(self, state: State, player: JaxArray) -> JaxArray:
        """What any seat sees: for learners that may know more than a player."""
        return _called(self._observe, self._result.observation, state.record, player)

    # --- On the host -------------------------------------------------------------------------

    def _begin(self, words: Any) -> State:  # noqa: ANN401 - an array
        words = np.asarray(words, np.uint32)
        return self._state(self._games.begin(_joined(words.reshape(-1, 2))), words.shape[:-1])

    def _step(self, *given: Any) -> State:  # noqa: ANN401
        record, number, decisions, over, player, action = given
        after = self._games.step(
            self._records(record),
            _joined(np.asarray(number, np.uint32).reshape(-1, 2)),
            np.array(decisions, np.int64).reshape(-1),
            np.array(over, np.bool_).reshape(-1),
            np.array(player, np.int32).reshape(-1),
            np.asarray(action).reshape(-1),
        )
        return self._state(after, np.shape(action))

    def _observe(self, record: Any, player: Any) -> Any:  # noqa: ANN401
        seats = np.array(player, np.int32)
        seen = self._games.observe(self._records(record), seats.reshape(-1))
        return seen.reshape(*seats.shape, -1)

    def _records(self, record: Any) -> Any:  # noqa: ANN401
        kind = self._games.kind
        return np.array(record, np.uint8).reshape(-1, kind.itemsize).view(kind)[:, 0]

    def _state(self, arrays: Arrays, axes: tuple[int, ...]) -> State:
        games, size = arrays.games, len(arrays.seats)
        leaves = State(
            current_player=arrays.seats,
            observation=games.observations,
            rewards=games.rewards,
            terminated=arrays.over,
            truncated=np.zeros(size, np.bool_),
            legal_action_mask=games.masks,
            record=games.states.view(np.uint8).reshape(size, -1),
            number=games.numbers.view(np.uint32).reshape(size, 2),
            decisions=games.decisions.astype(np.int32),
        )
        return State(*(leaf.reshape((*axes, *leaf.shape[1:])) for leaf in leaves))


def make(
    game: str,
    seats: int | None = None,
    *,
    remember: bool = False,
    auto_reset: bool = False,
    **options: object,
) -> Environment:
    """A game by its name. Raises SetupError where it cannot be played like this.

    With `auto_reset`, a step that ends a game returns the beginning of the next one, with
    `terminated` and `rewards` of the one that ended.
    """
    setting = setting_of(game, seats, remember=remember, **options)
    if setting.kernel is None:
        raise SetupError(f"{game} has no kernel, so JAX cannot play it")
    games = PureGames(setting.game, setting.setup, remember=remember, again=auto_reset)
    return Environment(games, f"{game}-v{setting.game.RULES}")


def _joined(words: Any) -> Any:  # noqa: ANN401 - arrays
    return np.ascontiguousarray(words).view(np.int64)[:, 0].copy()


def _called(host: Callable[..., Any], result: Any, *given: Any) -> Any:  # noqa: ANN401
    """What a function of the host returns; under `vmap` it is called once for all."""
    return jax.pure_callback(host, result, *given, vmap_method="broadcast_all")
