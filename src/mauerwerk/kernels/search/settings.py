"""The parameters of a search, and how a network's card changes them."""

from typing import Any, Final, NamedTuple

import numpy as np

from mauerwerk.core.errors import SetupError
from mauerwerk.kernels.networks.network import Network, number_on, share_on

IN_THE_TREE: Final = (
    "c_puct",
    "fpu_reduction",
    "epsilon",
    "prior_weight",
    "prior_temperature",
    "expand_after_visits",
    "value_weight",
)
"""The `Settings` that compiled code reads."""
SETTINGS: Final = np.dtype([(name, "f8") for name in (*IN_THE_TREE, "temperature")])
"""These, and the temperature that the game's advice gives."""
SHARES: Final = ("epsilon", "prior_weight", "value_weight")
"""The `Settings` that are at most 1."""


class Settings(NamedTuple):
    """The parameters of a search."""

    c_puct: float = 0.6
    """The weight of the bonus for actions that were tried little."""
    fpu_reduction: float = 0.05
    """How much worse than the rest an action that was never tried is assumed to be."""
    epsilon: float = 0.1
    """How often a seat that chooses together with others plays a random action."""
    prior_weight: float = 0.8
    """The share of the network in the priors, if there is one; the rest is the game's advice."""
    prior_temperature: float = 1.0
    """The temperature of the network's probabilities; below 1, what is likely becomes likelier."""
    expand_after_visits: int = 1
    """After how many visits a node gets the network's priors.

    The root gets them after one, and at once where seats choose together. Most nodes are
    visited only a few times, and an answer takes as long as one or two simulations."""
    value_weight: float = 0.0
    """The share of the network in the evaluation of a position."""
    belief_weight: float = 0.0
    """How strongly worlds are drawn by what the network says that others hold; 0: not at all."""
    strategy_temperature: float = 0.25
    """The temperature of the final mixed strategy, as a share of that used for learning."""
    solve: bool = False
    """Whether a turn in which seats choose together is solved by regret matching.

    With the written evaluation it does not pay (`bench/results-bots.md`)."""
    catch_up_share: float = 0.5
    """The share of the remaining simulations that a second action could get to catch up."""
    convergence_threshold: float = 0.05
    """The largest change, while simulations double, of a mixed strategy that has converged."""
    nodes: int = 1 << 17
    edges: int = 1 << 20


def settings_for(network: Network | None) -> Settings:
    """How a network guides best, as its card says. Raises SetupError where that is impossible."""
    usual = Settings()
    if network is None:
        return usual
    card = network.card
    said: dict[str, Any] = {
        name: (share_on if name in SHARES else number_on)(card, name, getattr(usual, name))
        for name in (*IN_THE_TREE, "belief_weight", "strategy_temperature")
    }
    for name in ("prior_temperature", "strategy_temperature"):
        if not said[name]:
            raise SetupError(f"the network's card says {name} is 0, which must be more")
    visits = int(said["expand_after_visits"])
    if visits < 1 or visits != said["expand_after_visits"]:
        raise SetupError(
            f"the network's card says expand_after_visits is {card['expand_after_visits']}, "
            "which must be a whole number of 1 or more"
        )
    return usual._replace(**{**said, "expand_after_visits": visits})
