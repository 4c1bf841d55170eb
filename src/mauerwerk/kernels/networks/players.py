"""Players in compiled code: by uniform chance, by rules of thumb, or by a network.

A table of players says for each seat who plays there. What each chooses is what the bot of the same
name would choose: `greedy` by the kernel's rules of thumb, `net` by the logits of its network, the
likeliest action or one drawn by its probabilities. Bots draw from other sources of chance, so their
games are others, of the same kind.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.kernels import contract, kernel_of, pack_setup
from mauerwerk.kernels.chance import below, draw_action
from mauerwerk.kernels.compiler import Functions, functions_for
from mauerwerk.kernels.contract import Array, Int, Record, compiled
from mauerwerk.kernels.exponential import exp
from mauerwerk.kernels.networks.incremental import (
    Incremental,
    forget,
    incremental_of,
    update_logits,
)
from mauerwerk.kernels.networks.network import Network

UNIFORM, GREEDY, NETWORK = range(3)
"""The kinds of players."""
RARE: Final = 0.03
"""What is less likely than this a network does not choose at all, unless it is the likeliest."""
_TICKETS: Final = 1 << 30


class Players(NamedTuple):
    """Who plays: one kind for each seat, and the network of those that need one."""

    kinds: tuple[int, ...]
    network: Network | None = None
    temperature: float = 0.0

    @property
    def are_uniform(self) -> bool:
        """Whether all choose by uniform chance."""
        return set(self.kinds) == {UNIFORM}


class Seated(NamedTuple):
    """What compiled code knows of players, and memory for what they compute."""

    kinds: Array
    """Of each seat in game 0; from game to game all move on by one seat."""
    temperature: float
    network: Incremental
    rooms: Array
    """One record of scratch memory for rules of thumb."""


def can_seat(game: AnyGame, players: Players) -> bool:
    """Whether the kernel of this game has all that these players need."""
    if GREEDY not in players.kinds:
        return True
    return hasattr(_with_greedy(game.NAME), "ROOM")


def functions_of(game: AnyGame, players: Players, part: str = "") -> Functions:
    """The compiled functions for games of these players, with this part of the kernel."""
    own = GREEDY in players.kinds and hasattr(kernel_of(game.NAME), "greedy")
    parts = [*(["greedy"] if own else []), *([part] if part else [])]
    remember = players.network is not None and players.network.remembers
    return functions_for(game.NAME, "cpu", remember=remember, part="+".join(parts) or None)


def seated(game: AnyGame, setup: Setup[Any], players: Players, functions: Functions) -> Seated:
    """These players, ready to play. Raises SetupError where they cannot play such a game."""
    pack_setup(game, setup)
    if len(players.kinds) != setup.seats:
        raise SetupError(f"{setup.seats} seats need as many players, not {len(players.kinds)}")
    if players.network is not None:
        players.network.refuse(game, setup)
    room: Any = getattr(functions.kernel, "ROOM", np.dtype("i8"))
    return Seated(
        np.array(players.kinds, np.int64),
        float(players.temperature),
        incremental_of(players.network, setup.seats),
        np.zeros(1, room),
    )


def _with_greedy(name: str) -> Any:  # noqa: ANN401 - a module
    kernel: Any = kernel_of(name)
    return getattr(kernel, "greedy", kernel)


# --- What is compiled ------------------------------------------------------------------------


@compiled
def player_action(
    seated: Seated,
    setup: Record,
    state: Record,
    seat: Int,
    player: Int,
    seed: Int,
    number: Int,
    draw: Int,
) -> Int:
    """What this player does at this seat; it may use this draw."""
    kind = seated.kinds[player]
    if kind == GREEDY:
        return contract.greedy_action(setup, state, seat, seated.rooms[0], seed, number, draw)
    if kind == NETWORK:
        return network_action(seated, setup, state, seat, seed, number, draw)
    return draw_action(setup, state, seat, seed, number, draw)


@compiled
def new_game(seated: Seated) -> None:
    """Forget what was observed in the last game."""
    forget(seated.network)


@compiled
def network_action(
    seated: Seated, setup: Record, state: Record, seat: Int, seed: Int, number: Int, draw: Int
) -> Int:
    """The likeliest action, or without a temperature of 0 one by chance; rare ones never."""
    shares, temperature = seated.network.shares, seated.temperature
    choices = contract.count(setup, state, seat)
    if choices == 1:
        return contract.pick(setup, state, seat, 0)
    update_logits(seated.network, setup, state, seat)
    best = 0
    for place in range(choices):
        shares[place] = seated.network.logits[contract.pick(setup, state, seat, place)]
        if shares[place] > shares[best]:
            best = place
    if temperature == 0.0:
        return contract.pick(setup, state, seat, best)
    most, total = shares[best], 0.0
    for place in range(choices):
        shares[place] = exp((shares[place] - most) / temperature)
        total += shares[place]
    least, kept = min(RARE * total, 1.0), 0.0
    for place in range(choices):
        if shares[place] < least:
            shares[place] = 0
        kept += shares[place]
    left = below(seed, number, draw, _TICKETS) / _TICKETS * kept
    for place in range(choices):
        left -= shares[place]
        if left < 0:
            return contract.pick(setup, state, seat, place)
    return contract.pick(setup, state, seat, best)
