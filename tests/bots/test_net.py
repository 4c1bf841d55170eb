"""The bot that is a network: by its file, and refused where it does not fit."""

from itertools import islice
from pathlib import Path

import pytest
from tests.support.networks import drawn, saved
from tests.support.positions import draws, setup_of, sights

from mauerwerk import bots
from mauerwerk.bots import spec
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame
from mauerwerk.games import GAMES, burgbaumeister, mauer, mauerbauer
from mauerwerk.kernels import kernel_of


@pytest.mark.parametrize("game", [mauer, burgbaumeister, mauerbauer])
def test_a_network_plays_its_likeliest_action(tmp_path: Path, game: AnyGame) -> None:
    """Legal, and the same whoever asks."""
    setup = setup_of(game, 3)
    network = drawn(game, setup)
    word = f"net:{saved(tmp_path / 'some.safetensors', network)}"
    one, twin = (spec.sit(spec.read(word), game, setup, draws(seed)).bot for seed in (1, 2))
    actions = kernel_of(game.NAME).actions(setup)
    for sight, action in islice(sights(game, setup, one, seed=3), 12):
        logits = network.think(kernel_of(game.NAME).features(setup, sight.view)).policy
        best = max(logits[actions.index(each)] for each in sight.legal)

        assert action in sight.legal
        assert twin.act(sight, 0.0) == action
        assert logits[actions.index(action)] > best - 0.01  # a file has 16 bits a number


def test_a_network_is_named_by_its_file() -> None:
    """Which may have colons in its name."""
    assert spec.read("net:some:where").file == "some:where"
    with pytest.raises(SetupError, match="a network is named by its file, like net:FILE"):
        spec.read("net")


def test_a_network_that_does_not_fit_is_refused_before_the_first_game(tmp_path: Path) -> None:
    """In one line, as every bot that cannot play."""
    three = setup_of(mauer, 3)
    word = f"net:{saved(tmp_path / 'other', drawn(mauer, three))}"
    with pytest.raises(SetupError, match="the network is for mauer, not for mauerbauer"):
        spec.check([word], mauerbauer, setup_of(mauerbauer, 2))
    with pytest.raises(SetupError, match="cannot be read: No such file"):
        spec.check(["net:nowhere"], mauer, three)


def test_without_numpy_a_network_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra, in one line."""

    def missing(_name: str) -> None:
        return None

    monkeypatch.setattr(bots, "find_spec", missing)
    with pytest.raises(SetupError, match=r"pip install 'mauerwerk\[kernels\]'"):
        spec.check(["net:some"], GAMES["mauer"], setup_of(mauer, 3))
