"""The bot that is a network: by its file, and refused where it does not fit."""

from itertools import islice
from math import e
from pathlib import Path
from typing import Any

import pytest
from tests.support.networks import blank, drawn, saved
from tests.support.positions import draws, seen_after, setup_of, sights

from mauerwerk import bots
from mauerwerk.bots import net, networks, spec
from mauerwerk.bots.bot import Uniform
from mauerwerk.bots.search import Search
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame
from mauerwerk.games import GAMES, burgbaumeister, mauer, mauerbauer
from mauerwerk.kernels import actions_of, kernel_of
from mauerwerk.kernels.networks.network import Network, load
from mauerwerk.kernels.search.search import Settings, settings_for


@pytest.mark.parametrize("game", [burgbaumeister, mauerbauer])
def test_a_network_plays_its_likeliest_action(tmp_path: Path, game: AnyGame) -> None:
    """Legal, and the same whoever asks."""
    setup = setup_of(game, 3)
    network = drawn(game, setup)
    word = f"net:{saved(tmp_path / 'some.safetensors', network)}"
    one, twin = (spec.sit(word, game, setup, draws(seed)).bot for seed in (1, 2))
    actions = actions_of(game, setup)
    for sight, action in islice(sights(game, setup, one, seed=3), 12):
        logits = network.forward(kernel_of(game.NAME).features(setup, sight.view)).policy
        best = max(logits[actions.index(each)] for each in sight.legal)

        assert action in sight.legal
        assert twin.act(sight, 0.0) == action
        assert logits[actions.index(action)] > best - 0.01  # a file has 16 bits a number


def test_a_network_draws_where_seats_choose_together(tmp_path: Path) -> None:
    """By its probabilities, so that nobody can guess it (DM-5); never what is unlikely."""
    setup = setup_of(mauer, 3, first="0")
    network = blank(mauer, setup, (4, 4))
    actions = actions_of(mauer, setup)
    sight = seen_after(mauer, mauer.start(setup), "", 1)
    likely, unlikely = (actions.index(sight.legal[place]) for place in (0, 1))
    network.weights.policy_bias[likely] = 2.0
    network.weights.policy_bias[unlikely] = -4.0
    word = f"net:{saved(tmp_path / 'mixes', network)}"
    bot = spec.sit(word, mauer, setup, draws(1)).bot
    played = [actions.index(bot.act(sight, 0.0)) for _ in range(300)]

    others = len(sight.legal) - 2
    share = e**2 / (e**2 + others + e**-4)
    assert abs(played.count(likely) / 300 - share) < 0.1
    assert len(set(played)) == 1 + others
    assert unlikely not in played


def test_of_many_actions_that_are_all_unlikely_the_likeliest_is_played(tmp_path: Path) -> None:
    """At first any of 45 cards can be turned up, and each has less than the share that counts."""
    setup = setup_of(burgbaumeister, 2, first="0")
    network = blank(burgbaumeister, setup, (4, 4))
    sight = seen_after(burgbaumeister, burgbaumeister.start(setup), "", 0)
    word = f"net:{saved(tmp_path / 'unsure', network, temperature='1')}"
    unsure: Any = spec.sit(word, burgbaumeister, setup, draws(1)).bot
    assert unsure.policy(sight) == pytest.approx([1 / 45] * 45)

    best = sight.legal[7]
    network.weights.policy_bias[actions_of(burgbaumeister, setup).index(best)] = 0.1
    word = f"net:{saved(tmp_path / 'surer', network, temperature='1')}"
    bot = spec.sit(word, burgbaumeister, setup, draws(1)).bot
    assert {bot.act(sight, 0.0) for _ in range(20)} == {best}


@pytest.mark.thorough  # it compiles the search once more
@pytest.mark.kernels
def test_a_network_can_remember(tmp_path: Path) -> None:
    """Alone it is shown what was turned before, and it guides a search (BB-9)."""
    setup = setup_of(burgbaumeister, 2, first="0")
    path = saved(tmp_path / "remembers", drawn(burgbaumeister, setup, remember=True))
    words = "0:a1 ~:3 0:- 1:b1 ~:46 1:-"
    sight = seen_after(burgbaumeister, burgbaumeister.start(setup), words, 0)
    for word in (f"net:{path}", f"guided:20ms:net={path}"):
        player = spec.sit(word, burgbaumeister, setup, draws())
        assert player.bot.act(sight, player.seconds) in sight.legal


def test_a_network_is_named_by_its_file() -> None:
    """Which may have colons in its name."""
    assert spec.read("net:some:where").file == "some:where"
    with pytest.raises(SetupError, match="a network is named by its file, like net:FILE"):
        spec.read("net:")


@pytest.mark.parametrize("game", [mauer, burgbaumeister, mauerbauer])
def test_without_a_file_the_games_own_network_plays(game: AnyGame) -> None:
    """The one that guides its searches too."""
    setup = setup_of(game, 3)
    bot = spec.sit("net", game, setup, draws()).bot
    ((sight, action),) = islice(sights(game, setup, bot, seed=3), 1)

    assert networks.file_of(spec.read("net").file, game) == networks.shipped(game)
    assert action in sight.legal


def test_a_game_without_a_network_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line, with the way to name one."""

    def nothing(_game: AnyGame) -> None:
        return None

    monkeypatch.setattr(networks, "shipped", nothing)
    with pytest.raises(SetupError, match="there is no network for mauer; name one by its file"):
        spec.check(["net"], mauer, setup_of(mauer, 3))


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


# --- A search that is guided -----------------------------------------------------------------


def own_network_in(path: Path | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game's own network is in this file."""

    def shipped(_game: AnyGame) -> Path | None:
        return path

    for module in (net, networks, spec):
        monkeypatch.setattr(module, "shipped", shipped)


def test_the_card_of_a_game_s_own_network_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it is for, and how it was trained; nothing where there is none."""
    path = saved(tmp_path / "own", drawn(mauer, setup_of(mauer, 3)), trained="for a minute")
    own_network_in(path, monkeypatch)
    assert networks.card(mauer)["trained"] == "for a minute"
    own_network_in(None, monkeypatch)
    assert networks.card(mauer) == {}


def test_a_network_guides_a_search_by_its_file() -> None:
    """After the time, or before it."""
    assert spec.read("guided:0.2s:net=some").file == "some"
    assert spec.read("guided:net=some:memory=absent:0.2s").seconds == pytest.approx(0.2)
    with pytest.raises(SetupError, match="no network guides the bot search, only guided"):
        spec.read("search:net=some")


def test_without_a_network_what_is_written_guides(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line says so, unless a file is named."""
    own_network_in(None, monkeypatch)
    assert spec.remarks(["guided", "net:some", "guided:net=some"], mauer) == (
        "there is no network for mauer, so guided searches without one",
    )
    assert spec.remarks(["guided:net=some"], mauer) == ()


@pytest.mark.kernels
def test_what_the_network_likes_is_tried_first(tmp_path: Path) -> None:
    """With few simulations the search follows it where a turn has many choices."""
    setup = setup_of(mauerbauer, 2, board="small", first="0")
    sight, _ = next(sights(mauerbauer, setup, Uniform(mauerbauer, setup, draws()), seed=1))
    liked = sight.legal[17]
    network = blank(mauerbauer, setup, (4, 4))
    network.weights.policy_bias[actions_of(mauerbauer, setup).index(liked)] = 9
    path = saved(tmp_path / "likes.safetensors", network)

    bot = Search(mauerbauer, setup, draws(), network=load(path), simulations=12)
    assert bot.act(sight, 1.0) == liked
    player = spec.sit(f"guided:20ms:net={path}", mauerbauer, setup, draws())
    assert player.bot.act(sight, player.seconds) in sight.legal


@pytest.mark.kernels
def test_a_patient_search_asks_the_network_later() -> None:
    """Only about nodes that are visited often enough, and always about the root."""
    setup = setup_of(burgbaumeister, 2, first="0")
    words = "0:a1 ~:3 0:- 1:b1 ~:46 1:-"
    sight = seen_after(burgbaumeister, burgbaumeister.start(setup), words, 0)
    network = drawn(burgbaumeister, setup)

    def found(**changes: Any) -> Any:  # noqa: ANN401 - of several types
        settings = Settings(**changes)
        bot = Search(
            burgbaumeister, setup, draws(), simulations=60, network=network, settings=settings
        )
        return bot.values(sight, 1.0)

    assert found(expand_after_visits=1) == found()
    assert found(expand_after_visits=3) != found()
    assert found(expand_after_visits=60) == found(expand_after_visits=61) != found(prior_weight=0.0)


def told(**card: str) -> Settings:
    """The settings that a network with this on its card asks for."""
    network = blank(burgbaumeister, setup_of(burgbaumeister, 2), (4, 4))
    return settings_for(Network(network.weights, {**network.card, **card}))


@pytest.mark.parametrize("said", ["0", "0.5", "2.5"])
def test_a_network_is_asked_after_a_whole_number_of_visits(said: str) -> None:
    """Half a visit never happens, and at the first one nobody needs its answer yet."""
    line = f"card says expand_after_visits is {said}, which must be a whole number of 1 or more"
    with pytest.raises(SetupError, match=line):
        told(expand_after_visits=said)


def test_a_network_may_be_asked_about_the_root_alone() -> None:
    """No other node is visited a billion times."""
    visits = [
        told().expand_after_visits,
        told(expand_after_visits="8.0").expand_after_visits,
        told(expand_after_visits="1e9").expand_after_visits,
    ]
    assert visits == [1, 8, 1_000_000_000]


@pytest.mark.parametrize("name", ["epsilon", "prior_weight", "value_weight"])
def test_a_share_is_1_at_most(name: str) -> None:
    """More of it would leave the rest with less than nothing."""
    assert getattr(told(**{name: "1"}), name) == 1
    with pytest.raises(SetupError, match=f"card says {name} is 1.5, which must be 1 or less"):
        told(**{name: "1.5"})


@pytest.mark.parametrize("name", ["prior_temperature", "strategy_temperature"])
def test_temperatures_of_a_search_are_more_than_nothing(name: str) -> None:
    """Values are divided by them, and what comes of 0 is no mixture."""
    with pytest.raises(SetupError, match=f"the network's card says {name} is 0, which must be"):
        told(**{name: "0"})


@pytest.mark.kernels
def test_equal_actions_have_their_priors_together() -> None:
    """Which of the cards that nobody has seen is turned does not matter (BB-5)."""
    setup = setup_of(burgbaumeister, 2, first="0")
    words = "0:a1 ~:3 0:- 1:b1 ~:46 1:-"
    sight = seen_after(burgbaumeister, burgbaumeister.start(setup), words, 0)
    network = blank(burgbaumeister, setup, (4, 4))
    unguided, likes_all = (
        Search(burgbaumeister, setup, draws(), simulations=40, network=each).values(sight, 1.0)
        for each in (None, network)
    )
    visits = {burgbaumeister.write(each.action): each.visits for each in likes_all}
    before = {burgbaumeister.write(each.action): each.visits for each in unguided}

    assert visits["c1"] == visits["d1"] > before["c1"]


@pytest.mark.kernels
def test_where_the_own_network_does_not_fit_none_guides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a board of one's own the search goes on without it."""
    full, small = (setup_of(mauerbauer, 2, board=board) for board in ("default", "small"))
    path = saved(tmp_path / "own", blank(mauerbauer, full, (4, 4)))
    own_network_in(path, monkeypatch)
    sight, _ = next(sights(mauerbauer, small, Uniform(mauerbauer, small, draws()), seed=1))

    assert spec.sit("guided:20ms", mauerbauer, small, draws()).bot.act(sight, 0.02)
    with pytest.raises(SetupError, match="has 1177 inputs"):
        spec.sit(f"guided:net={path}", mauerbauer, small, draws())
