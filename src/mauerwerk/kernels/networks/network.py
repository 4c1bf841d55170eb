"""A network that has been trained: its card, its weights, and what it predicts.

    network = load(path)
    network.refuse(game, setup)
    output = network.forward(observation)
    output.policy, output.wins

This is NumPy alone. `forward` computes the same, compiled, for the search.
"""

import re
from collections.abc import Mapping
from math import inf
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Setup, Sight
from mauerwerk.kernels import pack_setup
from mauerwerk.kernels.networks.safetensors import Tensors, read
from mauerwerk.kernels.observation import Lookup, lookup_of, observation_of, spec_of

Floats = npt.NDArray[np.float32]

WIDEST: Final = (512, 256)
"""The most units of the two layers."""

VIEW: Final = "view"
"""The name of the observation that says what a seat sees now."""
REMEMBERED: Final = "remembered"
"""The name of the observation that also says what a perfect memory knows."""


class Weights(NamedTuple):
    """The numbers of a network. The rows of a layer belong to what enters it."""

    scale: Floats
    """What each number of an observation is multiplied by."""
    first: Floats
    """Without rows for what is looked up."""
    first_bias: Floats
    second: Floats
    second_bias: Floats
    policy: Floats
    """One row per action, so that few actions take little time."""
    policy_bias: Floats
    wins: Floats
    wins_bias: Floats
    """One column per seat, clockwise from the one that observes."""
    points: Floats
    points_bias: Floats
    hidden: Floats
    hidden_bias: Floats
    lookup: Floats
    """One column per kind that can lie at a place; none if nothing is looked up."""
    lookup_bias: Floats


class NetworkOutput(NamedTuple):
    """What a network makes of an observation."""

    policy: Floats
    """The logit of each action."""
    wins: Floats
    """The logit of each seat's win, clockwise from the one that observes."""
    points: Floats
    hidden: Floats


class Network:
    """The weights of a network and its card."""

    def __init__(self, weights: Weights, card: Mapping[str, str]) -> None:
        """The card says what the network is for, and how it was trained."""
        self.weights = weights
        self.card = card
        self.lookup = lookup_on(card)
        """Where it looks up what lies where, if it does."""

    @property
    def remembers(self) -> bool:
        """Whether it is shown observations that remember."""
        return self.card.get("observation") == REMEMBERED

    def refuse(self, game: AnyGame, setup: Setup[Any]) -> None:
        """Raises SetupError, with one line, if the network is not for such a game."""
        card = self.card
        if card.get("game") != game.NAME:
            raise SetupError(f"the network is for {card.get('game')}, not for {game.NAME}")
        if card.get("revision") != str(game.RULES):
            raise SetupError(
                f"the network learnt revision {card.get('revision')} of the rules of {game.NAME}, "
                f"which are at revision {game.RULES}"
            )
        if card.get("observation", VIEW) not in {VIEW, REMEMBERED}:
            raise SetupError(f"there is no observation {card['observation']} for the network")
        if setup.seats not in seats_of(card):
            raise SetupError(f"the network is for {card.get('seats')} seats, not for {setup.seats}")
        pack_setup(game, setup)
        inputs = spec_of(game, remember=self.remembers).width(setup)
        actions = len(game.choices(setup))
        own = len(self.weights.scale), len(self.weights.policy)
        if own != (inputs, actions):
            raise SetupError(
                f"the network has {own[0]} inputs and {own[1]} actions, and the game with these "
                f"options has {inputs} and {actions}"
            )
        if self.lookup not in {None, lookup_of(game, remember=self.remembers)}:
            raise SetupError("the network looks up other actions than the game has")
        predicted = len(self.weights.wins_bias)
        for name in ("value_weight", "chance_weight"):
            if share_on(card, name, 0.0) and predicted < setup.seats:
                raise SetupError(
                    f"the network's card sets {name}, but the network predicts the wins of "
                    f"{predicted} seats, not of {setup.seats}"
                )

    def forward_sight(
        self, game: AnyGame, setup: Setup[Any], sight: Sight[Any, Any, Any]
    ) -> NetworkOutput:
        """What it makes of what a seat knows."""
        return self.forward(observation_of(game, setup, sight, remember=self.remembers))

    def forward(self, observation: npt.ArrayLike) -> NetworkOutput:
        """What it makes of one observation, or of many, one per row."""
        weights = self.weights
        seen = np.asarray(observation, np.float32) * weights.scale
        body = seen
        if self.lookup:
            body = np.delete(seen, self.lookup.features, axis=-1)
        first = np.maximum(body @ weights.first + weights.first_bias, 0)
        second = np.maximum(first @ weights.second + weights.second_bias, 0)
        policy = second @ weights.policy.T + weights.policy_bias
        if self.lookup:
            action, _, places, kinds = self.lookup
            lying = np.asarray(observation)[..., self.lookup.features]
            lying = lying.reshape(*seen.shape[:-1], places, kinds)
            worth = second @ weights.lookup + weights.lookup_bias
            policy[..., action : action + places] += (lying @ worth[..., None])[..., 0]
        return NetworkOutput(
            policy=policy,
            wins=second @ weights.wins + weights.wins_bias,
            points=second @ weights.points + weights.points_bias,
            hidden=second @ weights.hidden + weights.hidden_bias,
        )


def seats_of(card: Mapping[str, str]) -> range:
    """The numbers of seats that a card names, such as `2-4` or `3`; none if it names none.

    >>> list(seats_of({"seats": "2-4"})), list(seats_of({"seats": "3"})), list(seats_of({}))
    ([2, 3, 4], [3], [])
    """
    given = re.fullmatch(r"(\d)(?:-(\d))?", card.get("seats", ""), re.ASCII)
    return range(int(given[1]), int(given[2] or given[1]) + 1) if given else range(0)


def lookup_on(card: Mapping[str, str]) -> Lookup | None:
    """Where a card says that the network looks up what lies where. Raises ValueError if it cannot.

    >>> lookup_on({"lookup": "0 441 45 45"})
    Lookup(action=0, feature=441, places=45, kinds=45)
    """
    if "lookup" not in card:
        return None
    given = re.fullmatch(r"(\d{1,5}) (\d{1,5}) (\d{1,4}) (\d{1,4})", card["lookup"], re.ASCII)
    if given is None:
        raise ValueError(f"its card says lookup is {card['lookup']}, which is no such thing")
    return Lookup(*map(int, given.groups()))


def number_on(card: Mapping[str, str], name: str, usual: float) -> float:
    """A number of a card, or the usual one. Raises SetupError if it is none, or less than 0.

    >>> number_on({"value_weight": "0.5"}, "value_weight", 0.0), number_on({}, "value_weight", 0.0)
    (0.5, 0.0)
    """
    try:
        number = float(card.get(name, usual))
    except ValueError:
        number = -1.0
    if not 0 <= number < inf:
        raise SetupError(f"the network's card says {name} is {card[name]}, which is no such number")
    return number


def share_on(card: Mapping[str, str], name: str, usual: float) -> float:
    """The same for a share. Raises SetupError if it is more than 1, too."""
    share = number_on(card, name, usual)
    if share > 1:
        raise SetupError(f"the network's card says {name} is {card[name]}, which must be 1 or less")
    return share


def load(path: Path) -> Network:
    """Load a network from a file. Raises SetupError, with one line, if it holds none."""
    found = read(path)
    try:
        return network_of(found)
    except ValueError as fault:
        raise SetupError(f"{path} is not the file of a network: {fault}") from fault


def network_of(found: Tensors) -> Network:
    """The network that these arrays are. Raises ValueError if they are none."""
    inputs, lookup = len(_one(found, "scale", 1)), lookup_on(found.card)
    first, first_bias = _layer(found, "body.0", inputs - (lookup.size if lookup else 0))
    second, second_bias = _layer(found, "body.1", first.shape[1])
    width = second.shape[1]
    if not 0 < first.shape[1] <= WIDEST[0] or not 0 < width <= WIDEST[1]:
        raise ValueError(f"its layers have more than {WIDEST[0]} and {WIDEST[1]} units, or none")
    policy, policy_bias = _layer(found, "policy", width)
    names = ("wins", "points", "hidden", "lookup")
    heads = [each for name in names for each in _layer(found, name, width)]
    if len(heads[-1]) != (lookup.kinds if lookup else 0):
        raise ValueError("its card and its arrays disagree about what is looked up")
    if lookup and (
        lookup.features.stop > inputs or lookup.action + lookup.places > len(policy_bias)
    ):
        raise ValueError("it looks up what it does not have")
    body = (found.arrays["scale"], first, first_bias, second, second_bias)
    return Network(Weights(*body, np.ascontiguousarray(policy.T), policy_bias, *heads), found.card)


def _layer(found: Tensors, name: str, inputs: int) -> tuple[Floats, Floats]:
    """A matrix and what is added to its products; a head that is missing has no columns."""
    if name not in {"body.0", "body.1", "policy"} and f"{name}.weight" not in found.arrays:
        return np.zeros((inputs, 0), np.float32), np.zeros(0, np.float32)
    weight, bias = _one(found, f"{name}.weight", 2), _one(found, f"{name}.bias", 1)
    if weight.shape != (inputs, len(bias)):
        raise ValueError(f"{name} does not fit what enters it")
    return weight, bias


def _one(found: Tensors, name: str, dimensions: int) -> Floats:
    array = found.arrays.get(name)
    if array is None or array.ndim != dimensions:
        raise ValueError(f"it has no {name}")
    return array
