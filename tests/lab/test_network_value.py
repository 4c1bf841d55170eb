"""What a network expects of a position, mixed into the chances of an analysis."""

from pathlib import Path

import numpy as np
import pytest
from tests.support.networks import blank, saved
from tests.support.positions import setup_of

from mauerwerk.core import record
from mauerwerk.core.game import AnyGame
from mauerwerk.games import GAMES, burgbaumeister, mauer, mauerbauer
from mauerwerk.kernels.mauer.observation import AT
from mauerwerk.kernels.networks.network import Network
from mauerwerk.kernels.search.search import SearchResult, TreeSearch
from mauerwerk.lab.analysis.positions import Effort, Situation, situations
from mauerwerk.lab.analysis.results import Lens
from mauerwerk.lab.analysis.search import NetworkValue, SearchAnalyst

BUILT = {
    "mauer": "mauer/1 seats=3 rounds=1 first=0\n0:T 1:1 2:1 0:> 0:- 1:2 2:3",
    "burgbaumeister": "burgbaumeister/1 seats=3 variant=no first=0\n0:a1 ~:3 0:- 1:b1 ~:46 1:-",
}
MASONS = Path(__file__).parents[1] / "records/golden/mauerbauer-1/2-default-walls.txt"


def last_of(game: AnyGame) -> Situation:
    """The position at the end of a short record."""
    kept = record.read(BUILT[game.NAME], GAMES)
    return list(situations(game, kept))[-1]


def network_of(game: AnyGame, wins: list[float], **card: str) -> Network:
    """One that expects the same of every position, with seats counted clockwise."""
    network = blank(game, setup_of(game, 3), (4, 4), remember=True)
    network.weights.wins_bias[: len(wins)] = wins
    return Network(network.weights, {**network.card, **card})


@pytest.mark.parametrize("game", [mauer, burgbaumeister])
def test_seats_are_counted_from_the_one_that_looks(game: AnyGame) -> None:
    """If everybody expects the next seat to win, nobody is ahead."""
    network = network_of(game, [0.0, 3.0, 0.0], chance_weight="1")

    chances = NetworkValue(game, setup_of(game, 3), network).mix((1 / 3,) * 3, last_of(game))

    assert chances == pytest.approx([1 / 3] * 3)


def test_what_one_seat_knows_counts_for_all() -> None:
    """A network that takes the master builder for the winner is asked as master builder too."""
    network = network_of(mauer, [0.0] * 3, chance_weight="1")
    weights = network.weights
    weights.first[AT.master, 0] = weights.second[0, 0] = 1
    weights.wins[0, 0] = 3
    situation = last_of(mauer)

    chances = NetworkValue(mauer, setup_of(mauer, 3), network).mix((1 / 3,) * 3, situation)

    master = situation.state.table.master
    assert chances[master] == pytest.approx(np.e / (np.e + 2))


def mix(found: tuple[float, ...], share: str) -> tuple[float, ...]:
    """The chances of three seats, with a network that takes all of them to be equal."""
    network = network_of(
        burgbaumeister, [3.0, 0.0, 0.0], chance_weight=share
    )  # each expects to win
    value = NetworkValue(burgbaumeister, setup_of(burgbaumeister, 3), network)
    return value.mix(found, last_of(burgbaumeister))


@pytest.mark.parametrize(("share", "power"), [("0", 1.0), ("0.5", 0.5), ("1", 0.0)])
def test_the_card_says_how_much_it_counts(share: str, power: float) -> None:
    """From nothing to everything."""
    found = (0.64, 0.25, 0.11)
    weights = [chance**power for chance in found]

    assert mix(found, share) == pytest.approx([each / sum(weights) for each in weights])


def test_who_has_won_needs_no_network_value() -> None:
    """A search that is sure knows better than a network what follows."""
    assert mix((0.0, 1.0, 0.0), "0.3") == pytest.approx([0, 1, 0], abs=1e-3)


def found(search: TreeSearch, *_: object, **__: object) -> SearchResult:
    """A search of two seats in which every choice has a share of 60 %."""
    actions = range(len(search.actions))
    return SearchResult(
        actions=np.array(actions, np.int16),
        tried={action: action for action in actions},
        values=np.full(len(actions), 0.6),
        visits=np.full(len(actions), 10),
        policy=np.full(len(actions), 1 / len(actions)),
        mixed=True,
        chances=np.array([0.6, 0.4]),
        simulations=100,
        decisions=100,
        nodes=100,
    )


@pytest.mark.kernels
@pytest.mark.parametrize(("weight", "sharpness"), [("0", 1.9), ("1", 0.8)])
def test_a_network_that_evaluates_is_less_sure_of_choices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, weight: str, sharpness: float
) -> None:
    """The sharpness of Mauerbauer's own evaluation is not for a network's."""
    network = blank(mauerbauer, setup_of(mauerbauer, 2), (4, 4))
    path = saved(tmp_path / "net.safetensors", network, value_weight=weight)
    monkeypatch.setattr(TreeSearch, "search", found)
    analyst = SearchAnalyst(mauerbauer, setup_of(mauerbauer, 2), 1, str(path))
    kept = record.read(MASONS.read_text(encoding="utf-8"), GAMES)
    situation = next(each for each in situations(mauerbauer, kept) if each.sight is not None)
    assert situation.sight is not None

    weighed = analyst.choices(situation, situation.sight, Effort(simulations=100))
    chances = analyst.chances(situation, Effort(simulations=100))

    assert weighed.choices[0].value == pytest.approx(Lens(sharpness).chance(0.6, 2))
    assert chances == pytest.approx(Lens(1.9).chances([0.6, 0.4]))
