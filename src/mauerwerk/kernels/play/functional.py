"""Many games whose states come in and go out: one seat acts in each, for functions without memory.

Unlike a `Batch`, nothing is kept between two steps. Seats that choose together act one after the
other, in the order of their seats; what one chose, the others do not see.
"""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.kernels import pack_setup
from mauerwerk.kernels.compiler import functions_for, usual_device
from mauerwerk.kernels.contract import Array, Int, allowed, apply, compiled, to_act
from mauerwerk.kernels.observation import spec_of
from mauerwerk.kernels.play import stepping
from mauerwerk.kernels.play.stepping import Games

SEED: Final = np.uint64(0)
"""All chance depends on the number of a game alone, which has 64 bits."""
NEXT: Final = 0x1E3779B97F4A7C15
"""What is added to the number of a game for the one after it; odd, so that none comes twice."""


class Arrays(NamedTuple):
    """Many games, with a row for each; all are written in place."""

    games: Games
    """Masks are those of the seat that is to act. If a game is over they are all set, so that no
    learner divides by zero."""
    over: Array
    """Which games are over, or have been begun again after their end."""
    seats: Array
    """The seat that is to act; of a game that is over, the one that acted last."""


# --- What is compiled ------------------------------------------------------------------------


@compiled
def begin_all(games: Games, seed: Int) -> None:
    """Begin all games."""
    for place in range(games.states.shape[0]):
        stepping.begin_at(games, games.states[place], seed, place)


@compiled
def act_all(games: Games, seed: Int, over: Array, seats: Array, again: Int) -> None:
    """In each game that is not over the seat that is to act does what `actions` says.

    An illegal action ends the game, and the seat loses to all others. If games begin again, the
    next one begins where one has ended, and `over` still says that it has.
    """
    setup = games.setups[0]
    for place in range(games.states.shape[0]):
        state = games.states[place]
        for seat in range(setup.seats):
            games.rewards[place, seat] = 0
        if again:
            over[place] = False
        if over[place]:
            continue
        actor = stepping.first_of(to_act(setup, state))
        seats[place] = actor
        if allowed(setup, state, actor, games.actions[place]):
            apply(setup, state, actor, games.actions[place])
            games.decisions[place] += 1
            stepping.let_nature_move(games, state, seed, place)
            if to_act(setup, state) == 0:
                over[place] = True
                for seat in range(setup.seats):
                    games.rewards[place, seat] = stepping.reward(setup, state, seat)
        else:
            over[place] = True
            for seat in range(setup.seats):
                games.rewards[place, seat] = 1 / (setup.seats - 1)
            games.rewards[place, actor] = -1
        if again and over[place]:
            games.numbers[place] += NEXT
            stepping.begin_at(games, state, seed, place)


@compiled
def write_all(games: Games, over: Array, seats: Array, again: Int) -> None:
    """Write who is to act, what they may do, and what they see."""
    setup = games.setups[0]
    for place in range(games.states.shape[0]):
        if again or not over[place]:
            seats[place] = stepping.first_of(to_act(setup, games.states[place]))
        stepping.write_row(games, place, seats[place], place)
        if over[place] and not again:
            games.masks[place, :] = True


@compiled
def observe_all(games: Games, seats: Array) -> None:
    """Write what these seats see."""
    for place in range(games.states.shape[0]):
        stepping.write_row(games, place, seats[place], place)


# --- In Python -------------------------------------------------------------------------------


class PureGames:
    """A game without memory: arrays go in, and come out changed."""

    def __init__(
        self, game: AnyGame, setup: Setup[Any], *, remember: bool = False, again: bool = False
    ) -> None:
        """Games that begin `again` do so as soon as they have ended."""
        functions = functions_for(game.NAME, usual_device(), remember=remember)
        self._entry = functions.entry
        self._setups, self._again = pack_setup(game, setup), again
        kernel: Any = functions.kernel
        self.kind: Final = kernel.STATE
        self.seats: Final = setup.seats
        self.actions: Final = len(game.choices(setup))
        self.width: Final = spec_of(game, remember=remember).width(setup)

    def begin(self, numbers: npt.NDArray[np.int64]) -> Arrays:
        """The first states of the games with these numbers."""
        size = len(numbers)
        states, decisions = np.zeros(size, self.kind), np.zeros(size, np.int64)
        games = self._games(states, numbers.copy(), decisions)
        self._entry(begin_all)(games, SEED)
        return self._written(Arrays(games, np.zeros(size, np.bool_), np.zeros(size, np.int32)))

    def step(
        self,
        states: Array,
        numbers: Array,
        decisions: Array,
        over: Array,
        seats: Array,
        actions: Array,
    ) -> Arrays:
        """What these actions lead to. The arrays that are given are changed."""
        # What is no choice stays none in 16 bits.
        chosen = np.clip(actions, -1, self.actions).astype(np.int16)
        games = self._games(states, numbers, decisions)._replace(actions=chosen)
        self._entry(act_all)(games, SEED, over, seats, self._again)
        return self._written(Arrays(games, over, seats))

    def observe(self, states: Array, seats: npt.NDArray[np.int32]) -> Array:
        """What these seats see in these states."""
        unused = np.zeros(len(states), np.int64)
        games = self._games(states, unused, unused)
        self._entry(observe_all)(games, seats)
        return games.observations

    def _written(self, arrays: Arrays) -> Arrays:
        self._entry(write_all)(*arrays, self._again)
        return arrays

    def _games(self, states: Array, numbers: Array, decisions: Array) -> Games:
        """The arrays of a batch with one row for each game."""
        size, none = len(states), np.zeros(0, np.int32)
        return Games(
            setups=self._setups,
            states=states,
            numbers=numbers,
            decisions=decisions,
            actions=np.zeros(0, np.int16),
            to_act=np.zeros((0, self.seats), np.bool_),
            masks=np.zeros((size, self.actions), np.bool_),
            observations=np.zeros((size, self.width), np.int16),
            rewards=np.zeros((size, self.seats), np.float32),
            done=np.zeros(0, np.bool_),
            results=np.zeros(0, stepping.RESULT),
            first_rows=none,
            row_games=none,
            row_seats=np.zeros(0, np.int8),
            linger=False,
            packed=False,
        )
