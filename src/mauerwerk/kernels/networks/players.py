"""Players in compiled code: by uniform chance, by rules of thumb, or by a network.

A table of players says for each seat who plays there. What each chooses is what the bot of the same
name would choose: `greedy` by the kernel's rules of thumb, `net` by the logits of its network, the
likeliest action or one drawn by its probabilities. Bots draw from other sources of chance, so their
games are others, of the same kind.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy import float32

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.kernels import contract, kernel_of, pack_setup
from mauerwerk.kernels.chance import below, draw_action
from mauerwerk.kernels.compiler import Functions, functions_for
from mauerwerk.kernels.contract import Array, Int, Record, compiled
from mauerwerk.kernels.exponential import exp
from mauerwerk.kernels.networks.forward import (
    AT_FIRST,
    AT_FIRST_BIAS,
    AT_LOOKUP,
    AT_LOOKUP_BIAS,
    AT_SCALE,
    AT_SECOND,
    AT_SECOND_BIAS,
    FEATURE,
    FIRST,
    KINDS,
    LOGITS,
    PLACES,
    WORTH,
    Inference,
    inference_of,
    logit,
    with_own_buffers,
)
from mauerwerk.kernels.networks.network import Network

UNIFORM, GREEDY, NETWORK = range(3)
"""The kinds of players."""
RARE: Final = 0.03
"""What a network chooses with less than this probability it does not choose at all."""
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
    inference: Inference
    rooms: Array
    """One record of scratch memory for rules of thumb."""
    sums: Array
    """Of each seat, the first layer of the network for what it observed last, before the ReLU."""
    seen: Array
    """What that was; the first number is 1 where it was in this game."""
    rows: Array
    """Scratch memory: which rows of a layer are added,"""
    times: Array
    """and how often each."""


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
    inference = with_own_buffers(inference_of(players.network))
    inputs, units = len(inference.features), int(inference.offsets[FIRST])
    return Seated(
        np.array(players.kinds, np.int64),
        float(players.temperature),
        inference,
        np.zeros(1, room),
        np.zeros((setup.seats, units), np.float32),
        np.zeros((setup.seats, 1 + inputs), np.int16),
        np.zeros(max(inputs, units) + 4, np.int64),
        np.zeros(max(inputs, units) + 4, np.float32),
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
    for seat in range(seated.seen.shape[0]):
        seated.seen[seat, 0] = 0


@compiled
def update_layers(seated: Seated, setup: Record, state: Record, seat: Int) -> None:
    """Compute what `forward` does, from what this seat observed last in the game.

    Little changes from one decision of a seat to its next, so the first layer only adds what has
    (as NNUE does). Rows are added by fours, which saves most of the reading and writing of sums.
    """
    inference = seated.inference
    weights, offsets, features = inference.weights, inference.offsets, inference.features
    sums, seen, rows, times = seated.sums[seat], seated.seen[seat], seated.rows, seated.times
    first = inference.activations[: offsets[FIRST]]
    second = inference.activations[offsets[FIRST] : offsets[LOGITS]]
    if not seen[0]:
        seen[:] = 0
        seen[0] = 1
        for unit in range(sums.shape[0]):
            sums[unit] = weights[offsets[AT_FIRST_BIAS] + unit]
    features[:] = 0
    contract.observe(setup, state, seat, features, 0, 1)
    looked_up = offsets[PLACES] * offsets[KINDS]  # these numbers do not enter the first layer
    changed = 0
    for each in range(features.shape[0]):
        if features[each] != seen[1 + each]:
            after = each >= offsets[FEATURE] + looked_up
            if after or each < offsets[FEATURE]:
                rows[changed] = each - looked_up if after else each
                change = float32(features[each]) - float32(seen[1 + each])
                times[changed] = change * weights[offsets[AT_SCALE] + each]
                changed += 1
            seen[1 + each] = features[each]
    _add_rows(weights[offsets[AT_FIRST] :], rows, times, changed, sums)
    positive = 0
    for unit in range(first.shape[0]):
        first[unit] = max(sums[unit], float32(0))
        if sums[unit] > 0:
            rows[positive] = unit
            times[positive] = sums[unit]
            positive += 1
    for unit in range(second.shape[0]):
        second[unit] = weights[offsets[AT_SECOND_BIAS] + unit]
    _add_rows(weights[offsets[AT_SECOND] :], rows, times, positive, second)
    for unit in range(second.shape[0]):
        second[unit] = max(second[unit], float32(0))
    worth = inference.activations[offsets[WORTH] : offsets[WORTH] + offsets[KINDS]]
    for kind in range(worth.shape[0]):
        worth[kind] = weights[offsets[AT_LOOKUP_BIAS] + kind]
    for unit in range(second.shape[0]):
        begin = offsets[AT_LOOKUP] + unit * worth.shape[0]
        for kind in range(worth.shape[0]):
            worth[kind] += second[unit] * weights[begin + kind]


@compiled
def _add_rows(matrix: Array, rows: Array, times: Array, number: Int, sums: Array) -> None:
    """Add rows of a matrix, each so many times."""
    width = sums.shape[0]
    while number % 4:
        rows[number] = 0
        times[number] = 0
        number += 1
    for four in range(0, number, 4):
        a, b, c, d = rows[four], rows[four + 1], rows[four + 2], rows[four + 3]
        _add_four(
            sums,
            matrix[a * width : (a + 1) * width],
            matrix[b * width : (b + 1) * width],
            matrix[c * width : (c + 1) * width],
            matrix[d * width : (d + 1) * width],
            times[four : four + 4],
        )


@compiled
def _add_four(sums: Array, a: Array, b: Array, c: Array, d: Array, times: Array) -> None:
    """Add four rows at once; all begin at 0, so the machine adds several numbers at a time."""
    one, two, three, four = times[0], times[1], times[2], times[3]
    for each in range(sums.shape[0]):
        sums[each] += (a[each] * one + b[each] * two) + (c[each] * three + d[each] * four)


@compiled
def network_action(
    seated: Seated, setup: Record, state: Record, seat: Int, seed: Int, number: Int, draw: Int
) -> Int:
    """The likeliest action, or without a temperature of 0 one by chance; rare ones never."""
    inference, temperature = seated.inference, seated.temperature
    choices = contract.count(setup, state, seat)
    if choices == 1:
        return contract.pick(setup, state, seat, 0)
    update_layers(seated, setup, state, seat)
    logits = inference.activations[inference.offsets[LOGITS] :]
    best = 0
    for place in range(choices):
        logits[place] = logit(inference, contract.pick(setup, state, seat, place))
        if logits[place] > logits[best]:
            best = place
    if temperature == 0.0:
        return contract.pick(setup, state, seat, best)
    most, total = logits[best], 0.0
    for place in range(choices):
        logits[place] = exp((logits[place] - most) / temperature)
        total += logits[place]
    kept = 0.0
    for place in range(choices):
        if logits[place] < RARE * total:
            logits[place] = 0
        kept += logits[place]
    left = below(seed, number, draw, _TICKETS) / _TICKETS * kept
    for place in range(choices):
        left -= logits[place]
        if left < 0:
            return contract.pick(setup, state, seat, place)
    return contract.pick(setup, state, seat, best)
