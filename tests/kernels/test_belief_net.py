"""Worlds by what a network thinks that others hold."""

from typing import Any

import numpy as np
import pytest
from tests.support.networks import blank
from tests.support.positions import draws, seen_after, setup_of

from mauerwerk.bots.memory import Tracker
from mauerwerk.core.beliefs import PERFECT
from mauerwerk.games import GAMES, mauerbauer
from mauerwerk.games.mauer.values import FULL_SET, Piece
from mauerwerk.games.mauerbauer.guild import KINDS
from mauerwerk.games.mauerbauer.values import Deal
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.chance import key_of
from mauerwerk.kernels.compiler import compiler_for
from mauerwerk.kernels.networks.network import Network
from mauerwerk.kernels.search.search import (
    SearchResult,
    Settings,
    TreeSearch,
    can_recall,
    settings_for,
)
from mauerwerk.kernels.search.worlds import WORLDS, belief_net_of, log_weights, packed, resampled

DEAL = " ".join(f"~:{mauerbauer.write(Deal(kind))}" for kind in KINDS[:9] for _ in range(2))
GIFT = "0:- 1:- 2:4 3:4 1:*T"
"""In Die Mauer, seat 1 gives seat 0 its tower; the others do not see which piece it was."""
PLACES = {
    "mauer": (4, GIFT, 2),
    "mauerbauer": (3, DEAL, 0),
    "burgbaumeister": (2, "0:a1 ~:3 0:- 1:b1 ~:46 1:-", 0),
}


class Place:
    """A decision in a game, and a seat that has to make it."""

    def __init__(self, name: str, words: str | None = None) -> None:
        """After these moves."""
        seats, usual, seat = PLACES[name]
        self.game = GAMES[name]
        self.setup = setup_of(self.game, seats, first="0")
        start: Any = self.game.start(self.setup)
        self.sight = seen_after(self.game, start, usual if words is None else words, seat)
        self.belief = Tracker(self.game, PERFECT, draws()).belief(self.sight)
        self.state = self.game.beliefs.sample(
            self.belief, self.sight.view, self.setup.options, draws()
        )

    def network(
        self, thing: int = 0, logit: float = 0.0, *, remember: bool | None = None
    ) -> Network:
        """One that knows nothing but how likely others are to hold this thing."""
        remember = can_recall(self.game) if remember is None else remember
        network = blank(self.game, self.setup, (4, 4), remember=remember)
        things = len(getattr(kernel_of(self.game.NAME), "HELD", ()))
        bias = np.zeros((self.game.SEATS[-1] - 1) * things, np.float32)
        bias[thing : thing + 1] = logit
        hidden = np.zeros((4, len(bias)), np.float32)
        return Network(network.weights._replace(hidden=hidden, hidden_bias=bias), network.card)

    def thought(
        self, network: Network | None, belief_weight: float, threads: int = 1
    ) -> SearchResult:
        """What a search as suspicious as this finds."""
        settings = Settings(belief_weight=belief_weight)
        search = TreeSearch(self.game, self.setup, settings, threads, network)
        seat, told = self.sight.seat, self.sight.told
        return search.search(self.state, seat, self.belief, 1, told=told, simulations=100)


def same(one: SearchResult, other: SearchResult) -> bool:
    """Whether two searches found the same, to the last bit."""
    pairs: Any = zip(one, other, strict=True)
    return all(np.array_equal(mine, yours) for mine, yours in pairs)


@pytest.mark.parametrize(("logit", "least", "most"), [(6.0, 0.95, 1.0), (-6.0, 0.0, 0.1)])
def test_worlds_are_as_the_network_suspects(logit: float, least: float, most: float) -> None:
    """Seat 2 did not see what seat 1 gave away: its tower, which the belief doubts (DM-19)."""
    place, thing = Place("mauer"), 2 * len(FULL_SET) + FULL_SET.index(Piece.TOWER)
    network = place.network(thing, logit, remember=False)
    belief_net = belief_net_of(place.game, place.setup, compiler_for("mauer", "cpu"), network, 1.0)
    assert belief_net
    believed = kernel_of("mauer").pack_belief(place.setup, place.belief)
    root = packed(place.game, place.setup, place.state)
    hands = belief_net.hands(root, place.sight.seat, believed, key_of(1))
    tower = hands.reshape(WORLDS, -1)[:, thing]
    (worlds,) = belief_net.worlds([hands], place.state, place.sight.seat, place.sight.told)

    assert 0.1 < tower.mean() < 0.9
    assert least <= tower[worlds].mean() <= most


def test_what_belief_and_network_agree_on_counts_once() -> None:
    """A head that knows as much as the belief leaves the worlds as they are."""
    hands = np.random.default_rng(1).random((WORLDS, 2, 3)) < 0.3
    share = hands.mean(axis=0)
    logs = log_weights(np.log(share / (1 - share)), hands)

    assert resampled(logs).tolist() == list(range(WORLDS))


@pytest.mark.parametrize("name", PLACES)
def test_without_suspicion_a_search_finds_the_same(name: str) -> None:
    """With a head or without one, and with one that is not asked: bit by bit."""
    place = Place(name)
    plain = blank(place.game, place.setup, (4, 4), remember=can_recall(place.game))
    usual = place.thought(plain, 0.0)

    assert same(place.thought(place.network(0, 6.0), 0.0), usual)
    assert same(place.thought(plain, 1.0), usual)


@pytest.mark.parametrize("name", ["mauer", "mauerbauer"])
def test_suspicion_changes_what_is_found(name: str) -> None:
    """In each tree, and the same way again."""
    place = Place(name)
    things = len(kernel_of(name).HELD)
    network = place.network((place.setup.seats - 2) * things, 6.0)
    one, again = (place.thought(network, 1.0, threads=2) for _ in range(2))

    assert one.simulations == 200
    assert same(one, again)
    assert not same(one, place.thought(network, 0.0, threads=2))


def test_what_is_certain_is_not_suspected() -> None:
    """Before any gift all hands are known: there is one world, whatever a network says (DM-2)."""
    place = Place("mauer", "")
    network = place.network(0, -6.0)

    assert same(place.thought(network, 1.0), place.thought(network, 0.0))


def test_the_card_says_how_suspicious_a_search_is() -> None:
    """Without a word on it, not at all."""
    network = Place("mauer").network()
    told = Network(network.weights, {**network.card, "belief_weight": "0.5"})

    assert (settings_for(network).belief_weight, settings_for(told).belief_weight) == (0.0, 0.5)
