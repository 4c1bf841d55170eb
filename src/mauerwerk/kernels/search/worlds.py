"""Sampled worlds: what a seat cannot see is filled in many times, and each world played out.

    states = determinize(game, setup, state, seat, belief, worlds=1_000, seed=1)
    move(game, setup, states, seat, action)
    played = finish(game, setup, states, seed=2)

States are arrays of the kernel's records; `states.copy()` keeps them for another action.

A belief follows from what a seat was told. It does not know that a player with a certain thing in
hand would have played otherwise; a network's head `hidden` learnt that from games. So `BeliefNet`
fills in some worlds of the belief and weights each by what the head says of the hands in it, and
simulations take each world as often as its weight says.
"""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from mauerwerk.core.game import AnyGame, Seat, Setup, Sight
from mauerwerk.kernels import kernel_of, pack_setup
from mauerwerk.kernels.chance import key_of
from mauerwerk.kernels.compiler import Functions, functions_for, usual_device
from mauerwerk.kernels.contract import Array, GameBelief, GameState
from mauerwerk.kernels.networks.network import Network
from mauerwerk.kernels.play import stepping
from mauerwerk.kernels.play.batch import Played, played_of

Floats: TypeAlias = npt.NDArray[np.floating[Any]]
Numbers: TypeAlias = npt.NDArray[np.int64]
Hands: TypeAlias = npt.NDArray[np.bool_]
"""Whether somebody holds something: by worlds, the others clockwise, and things."""

WORLDS: Final = 256
"""How many worlds are weighed."""
AS_THEY_COME: Final[Numbers] = np.zeros(0, np.int64)
"""Without a choice of worlds: each simulation fills in the world of its own number."""

_ORDER: Final = np.array([159 * place % WORLDS for place in range(WORLDS)])
"""An order in which even a few simulations take worlds from everywhere."""


def packed(game: AnyGame, setup: Setup[Any], state: GameState, copies: int = 1) -> Array:
    """A state of the rules as records."""
    kernel: Any = kernel_of(game.NAME)
    states = np.zeros(copies, kernel.STATE)
    if copies:
        kernel.pack(setup, state, states[0])
        states[1:] = states[0]
    return states


def determinize(
    game: AnyGame,
    setup: Setup[Any],
    state: GameState,
    seat: Seat,
    belief: GameBelief,
    *,
    worlds: int,
    seed: int,
    first: int = 0,
) -> Array:
    """This many samples of the game as this seat may take it to be by this belief.

    The state may be any that looks to the seat just as the table does, such as one that the game's
    `beliefs.sample` made. A world depends on the seed and its number, counted from `first`.
    """
    kernel: Any = kernel_of(game.NAME)
    states = packed(game, setup, state, worlds)
    entry = functions_for(game.NAME, usual_device()).entry(stepping.determinize)
    believed = kernel.pack_belief(setup, belief)
    entry(pack_setup(game, setup), states, seat, believed, key_of(seed), first)
    return states


def move(game: AnyGame, setup: Setup[Any], states: Array, seat: Seat, number: int) -> None:
    """Make the move with this number in all of them. Raises ValueError where one forbids it."""
    entry = functions_for(game.NAME, usual_device()).entry(stepping.move_all)
    place = entry(pack_setup(game, setup), states, seat, number)
    if place >= 0:
        raise ValueError(f"seat {seat} may not do {number} in place {place}")


def finish(game: AnyGame, setup: Setup[Any], states: Array, seed: int, *, first: int = 0) -> Played:
    """Play all of them out by uniform chance; afterwards each is over."""
    results = np.zeros(len(states), stepping.RESULT)
    entry = functions_for(game.NAME, usual_device()).entry(stepping.finish)
    entry(pack_setup(game, setup), states, results, key_of(seed), first)
    return played_of(game, setup, results)


# --- By a network ----------------------------------------------------------------------------


class BeliefNet:
    """What a network says of others' hands, for the search of one game."""

    def __init__(
        self,
        game: AnyGame,
        setup: Setup[Any],
        functions: Functions,
        network: Network,
        strength: float,
    ) -> None:
        """The things that a seat can hold are masks of bits in the field `hands` of a state."""
        self._game, self._setup = game, setup
        self._packed_setup = pack_setup(game, setup)
        self._kernel: Any = functions.kernel
        self._fill = functions.entry(stepping.determinize)
        self._network = network
        self._strength = strength
        self.held = np.array(self._kernel.HELD, np.int64)

    def hidden_logits(self, state: GameState, seat: Seat, told: Sequence[Any]) -> Floats:
        """The logit of each thing for each of the others, clockwise.

        The network is shown what the seat knows, and no world: in one that is filled in, a memory
        may count as known what is only assumed.
        """
        view = self._game.view(state, seat)
        sight = Sight[Any, Any, Any](seat=seat, view=view, told=tuple(told), legal=())
        hidden = self._network.forward_sight(self._game, self._setup, sight).hidden
        return hidden.reshape(-1, len(self.held))[: self._setup.seats - 1]

    def hands(self, root: Array, seat: Seat, believed: Array, key: Array) -> Hands:
        """What others hold in the first worlds of a belief; the root is an array of one record."""
        states = np.repeat(root, WORLDS)
        self._fill(self._packed_setup, states, seat, believed, key, 0)
        seats = self._setup.seats
        others = (seat + 1 + np.arange(seats - 1)) % seats
        hands = states["hands"][:, others].astype(np.int64)
        return np.array((hands[:, :, None] & self.held) != 0)

    def worlds(
        self, hands: Sequence[Hands], state: GameState, seat: Seat, told: Sequence[Any]
    ) -> Sequence[Numbers]:
        """For each tree, given the hands in its worlds, the numbers of those to fill in."""
        if all((held == held[0]).all() for held in hands):  # nothing differs
            return [AS_THEY_COME] * len(hands)
        hidden_logits = self.hidden_logits(state, seat, told)
        return [
            resampled(self._strength * log_weights(hidden_logits, held))[_ORDER] for held in hands
        ]


def belief_net_of(
    game: AnyGame, setup: Setup[Any], functions: Functions, network: Network | None, strength: float
) -> BeliefNet | None:
    """How a network draws worlds; None where it says nothing about hands, or is not asked."""
    things = len(getattr(functions.kernel, "HELD", ()))
    if network is None or not things or strength <= 0:
        return None
    if len(network.weights.hidden_bias) != (game.SEATS[-1] - 1) * things:
        return None
    return BeliefNet(game, setup, functions, network, strength)


def log_weights(logits: Floats, held: Hands) -> Floats:
    """For each world, how much likelier its hands are by the head than by the belief, as a log.

    The worlds come as often as the belief has them, and the head knows what is plain to see as the
    belief does. So what it says of each thing is divided by how often worlds have that thing;
    else what both know would count twice. What is the same in all worlds is left out.
    """
    share = np.clip(held.mean(axis=0), 1 / len(held), 1 - 1 / len(held))
    odds = logits - np.log(share / (1 - share))
    return np.array(held.reshape(len(held), -1) @ odds.ravel())


def resampled(logs: Floats) -> Numbers:
    """As many numbers of these worlds, in order, each as often as its weight says, rounded."""
    sums = np.cumsum(np.exp(logs - logs.max()))
    ticks = (np.arange(len(logs)) + 0.5) / len(logs) * sums[-1]
    return np.array(np.searchsorted(sums, ticks, side="right"), np.int64)
