"""The example that learns: each seat is judged by what came of its own decisions."""

import importlib.util
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from mauerwerk.bots import BOTS
from mauerwerk.bots.bot import Player
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Setup
from mauerwerk.core.options import from_words
from mauerwerk.games import GAMES, mauer
from mauerwerk.lab.match.match import play_out

torch: Any = pytest.importorskip("torch")

EXAMPLE = Path(__file__).parents[2] / "examples" / "train_ppo.py"
SHORT = Setup(3, mauer.Options(rounds=1))


@pytest.fixture(scope="module")
def ppo() -> Any:  # noqa: ANN401 - a module that is no part of a package
    """The example as a module."""
    made = importlib.util.spec_from_file_location("train_ppo", EXAMPLE)
    assert made
    assert made.loader
    module = importlib.util.module_from_spec(made)
    sys.modules["train_ppo"] = module
    made.loader.exec_module(module)
    torch.set_num_threads(1)
    torch.manual_seed(1)
    return module


def rollout(
    ppo: Any,  # noqa: ANN401 - the module
    to_act: list[list[int]],
    values: list[list[float]],
    rewards: list[list[float]],
    done: list[int],
) -> Any:  # noqa: ANN401 - one of its rollouts
    """One game of two seats, step by step."""
    nothing = torch.zeros(len(done), 1, 2)
    return ppo.Rollout(
        observations=nothing,
        masks=nothing,
        to_act=torch.tensor(to_act)[:, None].bool(),
        actions=nothing,
        log_probs=nothing,
        values=torch.tensor(values)[:, None],
        rewards=torch.tensor(rewards)[:, None],
        done=torch.tensor(done)[:, None].bool(),
    )


def test_the_reward_reaches_a_seat_that_was_not_asked_last(ppo: Any) -> None:  # noqa: ANN401
    """Seat 1 decides first and seat 0 ends the game: both are judged by how it ended."""
    played = rollout(
        ppo,
        to_act=[[0, 1], [1, 0]],
        values=[[9.0, 0.25], [0.5, 9.0]],
        rewards=[[0.0, 0.0], [1.0, -1.0]],
        done=[0, 1],
    )

    advantages, judged = ppo.estimate_advantages(played)

    assert judged[:, 0].tolist() == [[False, True], [True, False]]
    assert advantages[0, 0, 1] == pytest.approx(-1.0 - 0.25)
    assert advantages[1, 0, 0] == pytest.approx(1.0 - 0.5)


def test_a_decision_is_judged_by_the_seats_next_one(ppo: Any) -> None:  # noqa: ANN401
    """What others do between two of one's decisions is one step; later ones count less."""
    played = rollout(
        ppo,
        to_act=[[1, 1], [0, 1], [1, 1], [1, 0]],
        values=[[0.1, 0.0], [9.0, 0.0], [0.4, 0.0], [0.2, 9.0]],
        rewards=[[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [1.0, -1.0]],
        done=[0, 0, 0, 1],
    )

    advantages, judged = ppo.estimate_advantages(played)

    last = 1.0 - 0.2
    middle = 0.2 - 0.4 + ppo.LAMBDA * last
    first = 0.4 - 0.1 + ppo.LAMBDA * middle
    assert judged[:, 0, 0].tolist() == [True, False, True, True]
    assert advantages[[0, 2, 3], 0, 0].tolist() == pytest.approx([first, middle, last])


def test_a_new_game_says_nothing_about_the_one_before(ppo: Any) -> None:  # noqa: ANN401
    """Past the end of a game nothing is expected, and the reward is that of the game."""
    played = rollout(
        ppo,
        to_act=[[1, 1], [1, 1], [1, 1]],
        values=[[0.0, 0.0], [0.7, 0.7], [0.6, 0.6]],
        rewards=[[1.0, -1.0], [0.0, 0.0], [0.0, 0.0]],
        done=[1, 0, 0],
    )

    advantages, judged = ppo.estimate_advantages(played)

    assert judged[:, 0, 0].tolist() == [True, True, False], "the last one's end is not known"
    assert advantages[0, 0].tolist() == [1.0, -1.0]
    assert advantages[1, 0, 0] == pytest.approx(0.6 - 0.7)


def test_tensors_are_the_arrays_of_the_batch(ppo: Any) -> None:  # noqa: ANN401
    """Nothing is copied between the games and the network."""
    tables = ppo.Tables(ppo.Net(mauer, SHORT, 8), 16, seed=1)

    for name in ("observations", "masks", "to_act", "actions", "rewards", "done"):
        array = getattr(tables.batch, name)
        assert getattr(tables, name).data_ptr() == array.ctypes.data, name


@pytest.mark.parametrize("name", GAMES)
def test_only_what_is_allowed_is_played(ppo: Any, name: str) -> None:  # noqa: ANN401
    """The batch, asked to check, refuses nothing that the network does; and learning goes on."""
    words = {"burgbaumeister": {"variant": "yes"}}.get(name, {})
    net = ppo.Net(GAMES[name], Setup(3, from_words(GAMES[name].OPTIONS, words)), 8)
    tables = ppo.Tables(net, 32, seed=1)
    tables.step = tables.batch.step
    before = net.layers[0].weight.clone()

    lessons = list(ppo.train(net, tables, 16, 1e-3, ppo.Times(wall=0.01)))

    assert lessons[-1].share == 1
    assert lessons[-1].decisions >= 16 * 32
    assert not torch.equal(before, net.layers[0].weight)
    assert torch.isfinite(net.layers[0].weight).all()


def test_a_network_plays_in_matches_as_it_does_in_batches(
    ppo: Any,  # noqa: ANN401
    tmp_path: Path,
) -> None:
    """A saved network is a bot: it gives each action the chance that it has in the batch."""
    net = ppo.Net(mauer, SHORT, 8)
    net.ranges += 2
    net.save(tmp_path / "net.pt")
    loaded = ppo.load(tmp_path / "net.pt")
    tables = ppo.Tables(net, 1, seed=1)
    state = mauer.start(SHORT)
    seen = torch.tensor(
        ppo.kernel_of("mauer").features(SHORT, mauer.view(state, mauer.to_act(state)[0]))
    )

    assert torch.equal(
        loaded(seen, tables.masks[0, 0])[0], net(tables.observations, tables.masks)[0][0, 0]
    )

    draw = random.Random(1).randrange
    players = [Player(ppo.Trained(mauer, SHORT, draw, loaded), 1.0)]
    players += [Player(BOTS["greedy"](mauer, SHORT, draw), 1.0) for _ in range(2)]
    assert play_out(mauer, SHORT, players, draw).outcome.winners


def test_it_learns_to_beat_blind_players(ppo: Any) -> None:  # noqa: ANN401
    """A few thousand short games are enough to win more than a fair share, for sure."""
    torch.manual_seed(1)  # whichever tests have drawn before
    net = ppo.Net(mauer, SHORT, 64)
    tables = ppo.Tables(net, 128, seed=1)
    ppo.measure_ranges(net, tables, steps=64)

    for done in ppo.train(net, tables, 32, 3e-3, ppo.Times(wall=600.0)):
        if done.decisions > 150_000:
            break

    assert ppo.among_uniform(net, 4_000, seed=2).low > 1 / 3


def test_bad_input_gets_one_line(
    ppo: Any,  # noqa: ANN401
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What cannot be trained is refused before any time is spent."""
    (tmp_path / "empty.pt").write_bytes(b"")

    assert ppo.main(["mauer", "--set", "rounds=11"]) == 2
    assert ppo.main(["mauer", "--seats", "7"]) == 2
    assert ppo.main(["mauer", "--load", str(tmp_path / "empty.pt")]) == 2
    assert ppo.main(["mauer", "--save", str(tmp_path / "nowhere" / "net.pt")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 4
    with pytest.raises(SetupError):
        ppo.load(tmp_path / "none.pt")
