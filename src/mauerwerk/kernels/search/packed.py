"""A position as a search elsewhere reads it, and what that search answers.

`kernels/wasm/think.mjs` searches in a worker of its own, in a browser or under Node. Python packs
what it has to know, and reads the answer:

    request = packed_request(game, setup, settings, state, seat, belief, seed=1)
    answer = ...  # of `Thinker.think({...request, seconds: 0.5})`
    result = result_of(answer)
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from mauerwerk.core.game import AnyGame, Seat, Setup
from mauerwerk.kernels import actions_of, kernel_of, pack_setup
from mauerwerk.kernels.chance import key_of
from mauerwerk.kernels.contract import Array, GameBelief, GameState
from mauerwerk.kernels.search.search import SearchResult, Settings, can_recall


def packed_request(
    game: AnyGame,
    setup: Setup[Any],
    settings: Settings,
    state: GameState,
    seat: Seat,
    belief: GameBelief,
    seed: int,
    *,
    told: Sequence[Any] = (),
    remembers: bool | None = None,
    decide: bool = False,
) -> dict[str, Any]:
    """What `TreeSearch.search` is given, as bytes, numbers and words.

    `remembers` says whether the network does; without a network, leave it out. The caller adds
    `seconds` or `simulations`. Raises SetupError where no kernel can play such a game.
    """
    remembers = can_recall(game) if remembers is None else remembers
    kernel: Any = kernel_of(game.NAME, remember=remembers)
    root = np.zeros(1, kernel.STATE)
    kernel.pack(setup, state, root[0])
    if remembers:
        kernel.recall(setup, belief, told, root[0])
    believed = kernel.pack_belief(setup, belief)
    return {
        "game": game.NAME,
        "seats": setup.seats,
        "actions": len(actions_of(game, setup)),
        "seat": int(seat),
        "seed": str(int(key_of(seed))),
        "remembers": remembers,
        "decide": decide,
        "settings": settings._asdict(),
        "setup": pack_setup(game, setup).tobytes(),
        "root": root.tobytes(),
        "belief": [_packed(each) for each in _arrays_in(believed)],
    }


def _arrays_in(believed: Any) -> Sequence[Array]:  # noqa: ANN401 - an array, or several
    return cast("Sequence[Array]", believed) if isinstance(believed, tuple) else (believed,)


def _packed(array: Array) -> dict[str, Any]:
    kind = array.dtype
    return {
        "kind": kind.kind,
        "size": kind.itemsize,
        "shape": list(array.shape),
        "bytes": array.tobytes(),
    }


def result_of(answer: Mapping[str, Any]) -> SearchResult:
    """What a search elsewhere found."""
    return SearchResult(
        actions=np.array(answer["actions"], np.int16),
        tried={int(choice): int(tried) for choice, tried in answer["tried"]},
        values=np.array(answer["values"], np.float64),
        visits=np.array(answer["visits"], np.int64),
        policy=np.array(answer["policy"], np.float64),
        mixed=bool(answer["mixed"]),
        chances=np.array(answer["chances"], np.float64),
        simulations=int(answer["simulations"]),
        decisions=int(answer["decisions"]),
        nodes=int(answer["nodes"]),
    )
