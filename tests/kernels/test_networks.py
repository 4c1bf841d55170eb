"""Networks: files that are what they say, and one answer by two ways of computing it."""

from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.support import networks
from tests.support.networks import blank, drawn, saved
from tests.support.positions import draws, setup_of, sights

from mauerwerk.bots.bot import Uniform
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.games import burgbaumeister, mauer, mauerbauer
from mauerwerk.kernels import actions_of, kernel_of, pack_setup
from mauerwerk.kernels.chance import key_of
from mauerwerk.kernels.compiler import compiler_for
from mauerwerk.kernels.networks.forward import inference_of
from mauerwerk.kernels.networks.network import Network, Weights, load
from mauerwerk.kernels.networks.safetensors import LARGEST, parse, read, write
from mauerwerk.kernels.play import stepping

THREE = Setup(3, mauer.Options())


# --- Files -----------------------------------------------------------------------------------


def test_what_is_written_is_read(tmp_path: Path) -> None:
    """Both kinds of numbers, and the card."""
    path = tmp_path / "some.safetensors"
    arrays: dict[str, Any] = {
        "a": np.arange(6, dtype=np.float16).reshape(2, 3),
        "b": np.ones(0, np.float32),
    }
    write(path, arrays, {"game": "mauer"})
    found = read(path)

    assert found.card == {"game": "mauer"}
    assert found.arrays["a"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert found.arrays["b"].shape == (0,)


@pytest.mark.parametrize(
    ("header", "numbers"),
    [
        (b"not JSON", b""),
        (b'{"a":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}}', b"1234567"),
        (b'{"a":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}}', b"123"),
        (b'{"a":{"dtype":"F16","shape":[-2],"data_offsets":[0,-4]}}', b""),
        (b'{"a":{"dtype":"F16","shape":[9],"data_offsets":[0,4]}}', b"1234"),
        (b'{"a":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}}', b"12345678"),
        (b'{"a":{"dtype":"F16","shape":[1],"data_offsets":[2,4]}}', b"1234"),
        (b'{"a":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}}', b"\0\x7c"),
        (b'{"__metadata__":{"game":1}}', b""),
        (b'{"a":7}', b""),
    ],
)
def test_a_file_that_is_something_else_is_refused(
    tmp_path: Path, header: bytes, numbers: bytes
) -> None:
    """In one line, whatever is wrong with it."""
    path = tmp_path / "bad"
    path.write_bytes(len(header).to_bytes(8, "little") + header + numbers)
    with pytest.raises(SetupError, match="is not the file of a network") as fault:
        load(path)
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize("content", [b"", b"1234", b"\xff" * 8, b"\0" * (LARGEST + 1)])
def test_a_header_has_to_be_there(content: bytes) -> None:
    """Also if its length is absurd."""
    with pytest.raises(ValueError, match=r"header|more than"):
        parse(content)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """In one line."""
    with pytest.raises(SetupError, match="cannot be read: No such file"):
        load(tmp_path / "none")


def test_layers_have_to_fit_each_other(tmp_path: Path) -> None:
    """What leaves one enters the next."""
    network = drawn(mauer, THREE)
    second = np.zeros((15, 10), np.float32)
    bad = Network(Weights(**{**network.weights._asdict(), "second": second}), network.card)
    with pytest.raises(SetupError, match=r"body\.1 does not fit what enters it"):
        load(saved(tmp_path / "bad", bad))


@pytest.mark.parametrize(
    ("changes", "seats", "line"),
    [
        ({"game": "breach"}, 3, "the network is for breach, not for mauer"),
        ({"revision": "0"}, 3, "learnt revision 0 of the rules of mauer, which are at revision 1"),
        ({"observation": "dream"}, 3, "there is no observation dream for the network"),
        ({"seats": "4-6"}, 3, "the network is for 4-6 seats, not for 3"),
    ],
)
def test_a_network_of_something_else_is_refused(
    tmp_path: Path, changes: dict[str, str], seats: int, line: str
) -> None:
    """Another game, other rules, other eyes, other tables."""
    network = load(saved(tmp_path / "other", drawn(mauer, THREE), **changes))
    with pytest.raises(SetupError, match=line):
        network.refuse(mauer, Setup(seats, mauer.Options()))


def test_a_network_for_another_board_is_refused() -> None:
    """Its observations have another length."""
    network = blank(mauerbauer, setup_of(mauerbauer, 2), (4, 4))
    with pytest.raises(SetupError, match="has 1177 inputs and 585 actions, and the game with"):
        network.refuse(mauerbauer, setup_of(mauerbauer, 2, board="small"))


@pytest.mark.parametrize("name", ["value_weight", "chance_weight"])
def test_a_network_that_says_nothing_of_some_seats_is_not_asked_who_wins(name: str) -> None:
    """Without such a wish it may guide: priors need no wins."""
    network = drawn(mauer, THREE)
    weights = network.weights
    few = weights._replace(wins=weights.wins[:, :2], wins_bias=weights.wins_bias[:2])
    Network(few, {**network.card, name: "0"}).refuse(mauer, THREE)
    line = f"card sets {name}, but the network predicts the wins of 2 seats, not of 3"
    with pytest.raises(SetupError, match=line):
        Network(few, {**network.card, name: "0.5"}).refuse(mauer, THREE)


@pytest.mark.parametrize("name", ["value_weight", "chance_weight"])
def test_a_share_of_more_than_all_is_refused(name: str) -> None:
    """What it is mixed with would count less than nothing."""
    network = drawn(mauer, THREE)
    Network(network.weights, {**network.card, name: "1"}).refuse(mauer, THREE)
    with pytest.raises(SetupError, match=f"card says {name} is 1.5, which must be 1 or less"):
        Network(network.weights, {**network.card, name: "1.5"}).refuse(mauer, THREE)


CASTLE = setup_of(burgbaumeister, 2)


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("depot", "its card says lookup is depot, which is no such thing"),
        ("0 441 45 44", "body.0 does not fit what enters it"),
        ("0 441 2025 1", "its card and its arrays disagree about what is looked up"),
        ("0 2700 45 45", "it looks up what it does not have"),
        ("60 441 45 45", "it looks up what it does not have"),
    ],
)
def test_a_card_that_looks_up_nonsense_is_refused(tmp_path: Path, word: str, line: str) -> None:
    """In one line, before anything is read from a wrong place."""
    network = drawn(burgbaumeister, CASTLE, remember=True, looks_up=True)
    with pytest.raises(SetupError, match=line):
        load(saved(tmp_path / "bad", network, lookup=word))


def test_a_network_that_looks_up_other_actions_is_refused(tmp_path: Path) -> None:
    """Its numbers fit, but they mean something else."""
    network = drawn(burgbaumeister, CASTLE, remember=True, looks_up=True)
    load(saved(tmp_path / "good", network)).refuse(burgbaumeister, CASTLE)
    other = load(saved(tmp_path / "other", network, lookup="1 441 45 45"))
    with pytest.raises(SetupError, match="looks up other actions than the game has"):
        other.refuse(burgbaumeister, CASTLE)


# --- Thinking --------------------------------------------------------------------------------


@pytest.mark.kernels
@pytest.mark.parametrize(
    ("game", "setup", "memory"),
    [
        (mauer, setup_of(mauer, 3, rounds="1"), {}),
        (burgbaumeister, setup_of(burgbaumeister, 2, variant="yes"), {"remember": True}),
        (burgbaumeister, CASTLE, {"remember": True, "looks_up": True}),
        (mauerbauer, setup_of(mauerbauer, 2, board="wme/wme"), {}),
    ],
)
def test_compiled_code_and_numpy_agree(
    game: AnyGame,
    setup: Setup[Any],
    memory: dict[str, bool],
) -> None:
    """Logits of legal actions, and each seat's share in the win, as a search imagines a world."""
    remember = "remember" in memory
    network, kernel = drawn(game, setup, **memory), kernel_of(game.NAME, remember=remember)
    compiler = compiler_for(game.NAME, "cpu", remember=remember)
    forward_all = compiler.entry(networks.forward_all)
    determinize = compiler.entry(stepping.determinize)
    guide, packed_setup, states = (
        inference_of(network),
        pack_setup(game, setup),
        np.zeros(1, kernel.STATE),
    )
    numbers = {action: number for number, action in enumerate(actions_of(game, setup))}
    seen = sights(game, setup, Uniform(game, setup, draws()), seed=2)
    for sight, _ in islice(seen, 0, 40, 4):
        belief = game.beliefs.believe(sight)
        state = game.beliefs.sample(belief, sight.view, setup.options, draws())
        kernel.pack(setup, state, states[0])
        if remember:
            kernel.recall(setup, belief, sight.told, states[0])
        determinize(
            packed_setup, states, sight.seat, kernel.pack_belief(setup, belief), key_of(1), 0
        )
        logits = np.zeros((1, len(numbers)), np.float32)
        shares = np.zeros((1, setup.seats))
        forward_all(guide, packed_setup, states, np.array([sight.seat]), logits, shares)
        observed = (
            kernel.remembered(setup, sight) if remember else kernel.features(setup, sight.view)
        )
        thought = network.forward(observed)

        legal = [numbers[action] for action in sight.legal]
        assert logits[0, legal] == pytest.approx(thought.policy[legal], abs=1e-4)
        wins = np.exp(thought.wins[: setup.seats])
        own = np.roll(shares[0], -sight.seat)
        assert own == pytest.approx(wins / wins.sum(), abs=1e-5)
