"""Players in compiled code do what the bots of the same names would do."""

import random
from typing import Any

import numpy as np
import pytest
from tests.support.networks import blank

from mauerwerk.bots.net import network_for, temperature_of
from mauerwerk.bots.networks import shipped
from mauerwerk.core.game import NATURE, Observer, Seat, Setup, draw_lot
from mauerwerk.games import GAMES
from mauerwerk.kernels import pack_setup
from mauerwerk.kernels.chance import key_of
from mauerwerk.kernels.counting import counts, deal
from mauerwerk.kernels.networks import incremental, players
from mauerwerk.kernels.networks.players import GREEDY, NETWORK, UNIFORM, Players
from mauerwerk.lab.study.study import compiled_players


def network_players(name: str, setup: Setup[Any]) -> Players:
    """The shipped network on all seats."""
    game = GAMES[name]
    path = shipped(game)
    assert path is not None
    network = network_for(game, setup, path)
    kinds = (NETWORK,) * setup.seats
    return Players(kinds, network, temperature_of(network, game, setup))


@pytest.mark.parametrize("name", GAMES)
def test_a_network_computes_the_same_from_what_has_changed(name: str) -> None:
    """Logits in a whole game are those of the network by itself, but for rounding."""
    game = GAMES[name]
    setup = Setup(game.SEATS[0], game.OPTIONS())
    who = network_players(name, setup)
    functions = players.functions_of(game, who)
    seated = players.seated(game, setup, who, functions)
    kernel: Any = functions.kernel
    states, packed = np.zeros(1, kernel.STATE), pack_setup(game, setup)
    update, start = functions.entry(incremental.update_logits), functions.entry(kernel.start)
    apply, forget = functions.entry(kernel.apply), functions.entry(incremental.forget)
    draw = random.Random(name).randrange
    numbers = {each: n for n, each in enumerate((*game.choices(setup), *game.lots(setup)))}
    state: Any = game.start(setup)
    watching = [Observer(game, Seat(seat)) for seat in range(setup.seats)]
    start(packed[0], states[0])
    forget(seated.network)
    network, compared = who.network, 0
    assert network is not None
    while asked := game.to_act(state):
        seat = asked[0]
        if seat == NATURE:
            action: Any = draw_lot(game.odds(state), draw)
        else:
            legal = game.legal(state, seat)
            action = legal[draw(len(legal))]
            if draw(4) == 0:
                update(seated.network, packed[0], states[0], seat)
                logits = [seated.network.logits[numbers[each]] for each in legal]
                exact = network.forward_sight(game, setup, watching[seat].sight(state)).policy
                assert np.allclose(logits, [exact[numbers[each]] for each in legal], atol=1e-2)
                compared += 1
        apply(packed[0], states[0], seat, numbers[action])
        step = game.apply(state, seat, action)
        for each in watching:
            each.follow(step)
        state = step.state
    assert compared > 5


@pytest.mark.parametrize("name", GAMES)
def test_layers_may_have_any_width(name: str) -> None:
    """Rows are longer than the layers, so that they begin where cache lines do."""
    game = GAMES[name]
    setup = Setup(game.SEATS[0], game.OPTIONS())
    network = blank(game, setup, (37, 21))
    draw = np.random.default_rng(1)
    for array in network.weights:
        array[...] = draw.normal(0, 0.3, array.shape)
    who = Players((NETWORK,) * setup.seats, network)
    functions = players.functions_of(game, who)
    seated = players.seated(game, setup, who, functions)
    kernel: Any = functions.kernel
    states, packed = np.zeros(1, kernel.STATE), pack_setup(game, setup)
    functions.entry(kernel.start)(packed[0], states[0])
    functions.entry(incremental.forget)(seated.network)
    functions.entry(incremental.update_logits)(seated.network, packed[0], states[0], 1)

    exact = network.forward(seated.network.features).policy
    assert np.allclose(seated.network.logits[: len(exact)], exact, atol=1e-4)
    assert np.ptp(exact) > 0.1


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_the_same_in_any_batch(name: str) -> None:
    """What was computed in the game before does not matter, nor the number of games at once."""
    game = GAMES[name]
    setup = Setup(game.SEATS[0], game.OPTIONS())
    mixed = Players(
        (GREEDY, NETWORK, *(UNIFORM,) * (setup.seats - 2)), *network_players(name, setup)[1:]
    )

    whole = counts(game, setup, 5, range(6), players=mixed).table
    parts = [counts(game, setup, 5, range(n, n + 1), players=mixed).table for n in range(6)]

    assert (whole == np.concatenate(parts)).all()


def test_players_are_those_of_the_study() -> None:
    """Greedy beats uniform, wherever it sits, and bots that cannot be compiled are told apart."""
    game = GAMES["burgbaumeister"]
    setup = Setup(2, game.OPTIONS())
    who = compiled_players(game, setup, ("greedy", "uniform"))
    found = counts(game, setup, 1, range(200), players=who)
    wins = found.table[:, [found.columns.index("win/0"), found.columns.index("win/1")]]
    by_greedy = [row[-number % 2] for number, row in enumerate(wins.tolist())]

    assert sum(by_greedy) > 0.9 * 60 * 200
    assert compiled_players(game, setup, ("search", "uniform")) is None
    assert compiled_players(game, setup, ("greedy:memory=absent", "uniform")) is None


def test_the_same_chance_of_nature_meets_others_of_the_players() -> None:
    """Each game of a row is another, and the same row is the same again."""
    game = GAMES["mauerbauer"]
    setup = Setup(2, game.OPTIONS())
    who = Players((UNIFORM, UNIFORM))

    one, again = (deal(game, setup, who, (1, 2), 3, 8) for _ in range(2))

    assert (one.points == again.points).all()
    assert len({tuple(row) for row in one.points.tolist()}) > 4
    assert (one.wins.sum(axis=1) == 60).all()
    assert key_of(1) == 1
