"""Networks that learn: what came of a decision, what they write, and the command."""

import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from mauerwerk.cli import commands
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Setup
from mauerwerk.core.options import from_words
from mauerwerk.games import GAMES, mauer
from mauerwerk.kernels.networks.network import load

torch: Any = pytest.importorskip("torch")

from mauerwerk.learn import files, lessons, network, rollout, updates  # noqa: E402 - they need PyTorch
from mauerwerk.learn import training as training_module  # noqa: E402
from mauerwerk.learn.plan import Plan  # noqa: E402
from mauerwerk.learn.tables import Tables  # noqa: E402
from mauerwerk.learn.training import Training  # noqa: E402

pytestmark = [pytest.mark.foreign, pytest.mark.kernels]

MINIATURE = Setup(3, mauer.Options(rounds=1, pieces="T12"))
SHORT = (
    "train mauer --seats 3 --option rounds=1 --option pieces=T12 --threads 1 --games 16 --steps 8"
)


def plan_of(*setups: Setup[Any], name: str = "mauer") -> Plan:
    """A plan for a short training on the CPU."""
    return Plan(GAMES[name], setups, "cpu", games=16, steps=8, minutes=0.1, rate=1e-3, seed=1)


def course(
    expected: list[list[float]], decided: list[list[int]], over: list[int]
) -> rollout.Course:
    """One game of two seats, step by step; the second seat wins."""
    steps = len(over)
    values = torch.zeros(steps, 1, 2, 2, 2)
    values[:, 0, :, 0, 0] = torch.tensor(expected)
    values[:, 0, :, 0, 1] = 1 - torch.tensor(expected)
    ends = torch.zeros(steps, 1, 2, 2, 2)
    ends[:, 0, :, 0] = torch.tensor([[0.0, 1.0], [1.0, 0.0]])
    done = torch.tensor(over)[:, None].bool()
    return rollout.Course(values, torch.tensor(decided)[:, None].bool(), done, ends)


def test_the_end_reaches_a_seat_that_was_not_asked_last() -> None:
    """And each seat's later opinions count, but never those of another seat."""
    played = course([[0.5, 0], [0, 0.6], [0, 0.7]], [[1, 0], [0, 1], [0, 1]], [0, 0, 1])

    came, judged = rollout.returns(played)

    own = came[:, 0, :, 0, 0]
    assert judged[:, 0].tolist() == [[True, False], [False, True], [False, True]]
    assert own[0, 0] == pytest.approx(0.0)
    assert own[2, 1] == pytest.approx(1.0)
    assert own[1, 1] == pytest.approx((1 - rollout.LAMBDA) * 0.7 + rollout.LAMBDA)


def test_a_rollout_that_stops_judges_by_the_last_opinion() -> None:
    """The last decision itself has nothing after it."""
    played = course([[0.5, 0], [0.25, 0]], [[1, 0], [1, 0]], [0, 0])

    came, judged = rollout.returns(played)

    assert judged[:, 0, 0].tolist() == [True, False]
    assert came[0, 0, 0, 0, 0] == pytest.approx(0.25)


def test_nothing_is_carried_over_from_the_next_game() -> None:
    """What is expected there does not matter to the one that has ended."""
    played = course([[0.5, 0], [0.9, 0]], [[1, 0], [1, 0]], [1, 0])

    came, _ = rollout.returns(played)

    assert came[0, 0, 0, 0, 0] == pytest.approx(0.0)


@pytest.mark.parametrize("aim", [1, -1])
def test_leading_by_points_is_better_where_they_win(aim: int) -> None:
    """Where few points win, fewer are better."""
    came = torch.tensor([[[0.5, 0.5, 0], [3.0, 1.0, 7.0]]])  # the third seat does not play
    expected = torch.full_like(came, 0.5)
    decisions = rollout.Decisions(
        observations=None,
        masks=None,
        seats=torch.tensor([[2]]),
        actions=None,
        log_probs=None,
        expected=expected,
        came=came,
        truth=None,
    )

    better = updates.advantages(decisions, settings(aim))

    assert better.item() == pytest.approx(aim * 2.0)


def settings(aim: int) -> updates.Settings:
    """Settings under which points count as they are."""
    return updates.Settings(rate=1e-3, entropy=0.0, points=1.0, aim=aim)


def test_a_file_says_what_the_network_says(tmp_path: Path) -> None:
    """NumPy finds the same shares and points as PyTorch, but for 16 bits."""
    plan = plan_of(MINIATURE)
    tables = Tables(plan, MINIATURE, 8, 1)
    weights = network.begun(tables.shape, (32, 16))
    for tensor in network.learnable(weights):
        tensor.normal_(std=0.2)
    rows = tables.rows()
    opinion = network.consider(weights, rows.observations, rows.masks, 6)

    files.save(tmp_path / "net.safetensors", weights, files.card_of(plan, weights))
    there = load(tmp_path / "net.safetensors")
    there.refuse(plan.game, MINIATURE)
    thought = there.forward(rows.observations.numpy())

    shares = np.exp(thought.wins) / np.exp(thought.wins).sum(axis=1, keepdims=True)
    assert np.allclose(shares, opinion.wins.exp().numpy(), atol=0.01)
    assert np.allclose(thought.points, network.POINTS * opinion.points.numpy(), atol=0.5)
    assert np.allclose(thought.hidden, opinion.hidden.numpy(), atol=0.05)


@pytest.mark.parametrize("name", ["mauer", "burgbaumeister", "mauerbauer"])
def test_a_round_learns_from_all_numbers_of_seats(name: str) -> None:
    """The network changes, and nothing in it becomes infinite or none."""
    game = GAMES[name]
    torch.set_num_threads(1)
    training = Training(plan_of(*(Setup(seats, game.OPTIONS()) for seats in game.SEATS), name=name))
    before = network.moved(training.net, "cpu")

    report = next(training.run(lambda: False))

    assert report.losses.entropy > 0
    assert all(torch.isfinite(tensor).all() for tensor in training.net.values())
    assert not torch.equal(before["policy.weight"], training.net["policy.weight"])
    assert torch.equal(before["scale"], training.net["scale"])


def test_a_pupil_does_what_its_teacher_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """A teacher who takes the last of the legal actions is soon understood."""
    monkeypatch.setattr(updates, "LESSONS", 20)
    torch.set_num_threads(1)
    training = Training(plan_of(MINIATURE))
    (tables,), own = training.tables, torch.ones_like(training.own[0])
    with torch.no_grad():
        played = rollout.play(training.net, None, tables, own, 12).decisions
    last = played.masks.shape[1] - 1 - played.masks.flip(1).float().argmax(dim=1)

    taught = lessons.Taught(played, torch.nn.functional.one_hot(last, played.masks.shape[1]))

    same = updates.imitate(training.net, training.optimiser, taught, 3e-3)

    assert same > 0.9


def test_what_was_learnt_from_a_teacher_stays_a_rival() -> None:
    """It is kept when the network goes on."""
    torch.set_num_threads(1)
    training = Training(plan_of(MINIATURE)._replace(teacher="greedy", lessons=2))

    training.imitate()
    next(training.run(lambda: False))

    assert training.teacher
    assert not torch.equal(training.teacher["policy.bias"], training.net["policy.bias"])


def test_rivals_play_as_their_cards_say_and_stay_as_they_are(tmp_path: Path) -> None:
    """Half of the rivals are networks of the plan; the network has one seat among them."""
    torch.set_num_threads(1)
    before = Training(plan_of(MINIATURE))
    path = tmp_path / "rival.safetensors"
    files.save(path, before.net, files.card_of(before.plan, before.net) | {"temperature": "0.5"})

    training = Training(plan_of(MINIATURE)._replace(rivals=[path]))
    (rival,) = training.rivals
    first = rival["policy.weight"].clone()
    next(training.run(lambda: False))

    half = before.net["policy.weight"].detach().half().float()
    assert torch.allclose(first, 2 * half)
    assert torch.equal(rival["policy.weight"], first)
    assert training.own[0].sum(dim=1).tolist() == [1] * 14 + [3] * 2
    met = [training.rival() is rival for _ in range(200)]
    assert 0.3 < sum(met) / len(met) < 0.7


def test_a_rival_must_see_what_is_seen_here(tmp_path: Path) -> None:
    """One that remembers cannot play where nothing is remembered."""
    plan = plan_of(MINIATURE)
    before = Training(plan._replace(remember=True))
    path = tmp_path / "rival.safetensors"
    files.save(path, before.net, files.card_of(before.plan, before.net))

    with pytest.raises(SetupError, match="another shape"):
        Training(plan._replace(rivals=[path]))


@pytest.mark.parametrize("remember", [False, True])
def test_a_lesson_shows_what_a_network_would_see(remember: bool) -> None:  # noqa: FBT001
    """The same inputs and actions as in a batch, and only choices that are legal."""
    game = GAMES["burgbaumeister"]
    setup = Setup(2, game.OPTIONS())
    plan = plan_of(setup, name=game.NAME)._replace(remember=remember)
    shape = Tables(plan, setup, 8, 1).shape

    ((taught, shares),) = lessons.lessons(plan, "uniform", 1)

    assert taught.observations.shape == (len(taught.actions), shape.inputs)
    assert taught.masks.shape == shares.shape == (len(taught.actions), shape.actions)
    assert taught.masks.gather(1, taught.actions[:, None]).all()
    assert shares.gather(1, taught.actions[:, None]).all()
    assert torch.allclose(taught.came[:, 0].sum(dim=1), torch.ones(len(taught.actions)))


def test_a_teacher_that_searches_says_what_it_thinks_of_each_action() -> None:
    """Shares of legal actions alone, which add up to 1; now and then it takes another."""
    game = GAMES["burgbaumeister"]
    plan = plan_of(Setup(2, game.OPTIONS()), name=game.NAME)

    taught, shares = lessons.gathered(list(lessons.lessons(plan, "search:simulations=20", 2)))

    assert not shares[~taught.masks].any()
    assert torch.allclose(shares.float().sum(dim=1), torch.ones(len(shares)), atol=0.01)
    assert ((shares > 0).sum(dim=1) > 1).any()
    best = shares.argmax(dim=1) == taught.actions
    assert 0.6 < best.float().mean() < 1


def test_a_pupil_may_begin_with_a_network_and_only_imitate(tmp_path: Path) -> None:
    """Without minutes there is no self-play; the card says what it went through."""
    words = [*SHORT.split(), "--teacher", "greedy", "--lessons", "2", "--minutes", "0", "--save"]
    paths = [tmp_path / name for name in ("first.safetensors", "second.safetensors")]

    first = CliRunner().invoke(commands, [*words, str(paths[0])], catch_exceptions=False)
    more = [*words, str(paths[1]), "--start", str(paths[0])]
    second = CliRunner().invoke(commands, more, catch_exceptions=False)
    with pytest.raises(SetupError, match="of another shape"):
        CliRunner().invoke(commands, [*more, "--remember"], catch_exceptions=False)
    nothing = CliRunner().invoke(commands, [*SHORT.split(), "--minutes", "0", "--save", "x"])

    assert (first.exit_code, second.exit_code) == (0, 0), (first.output, second.output)
    assert load(paths[0]).card["trained"] == "imitated greedy in 2 games of each setup"
    assert load(paths[1]).card["trained"].startswith("began as first.safetensors; imitated greedy")
    assert "there is nothing to learn" in nothing.output


def test_setups_with_other_actions_are_refused() -> None:
    """One network has one list of actions."""
    game = GAMES["mauerbauer"]
    boards = [from_words(game.OPTIONS, {"board": board}) for board in ("default", "small")]
    setups = [Setup(2, options) for options in boards]

    with pytest.raises(SetupError, match="their actions differ"):
        Training(plan_of(*setups, name="mauerbauer"))


def test_a_miniature_is_trained_and_goes_on(tmp_path: Path) -> None:
    """A network, its curves, and a second training that continues the first."""
    path = tmp_path / "net.safetensors"
    words = [*SHORT.split(), "--save", str(path), "--minutes"]

    first = CliRunner().invoke(commands, [*words, "0.01"], catch_exceptions=False)
    second = CliRunner().invoke(commands, [*words, "0.04", "--resume"], catch_exceptions=False)
    with pytest.raises(SetupError, match="has been trained for"):
        CliRunner().invoke(commands, [*words, "0.01", "--resume"], catch_exceptions=False)

    assert (first.exit_code, second.exit_code) == (0, 0), (first.output, second.output)
    assert "<svg" in path.with_suffix(".svg").read_text(encoding="utf-8")
    told = [
        int(out.splitlines()[-1].split(": ")[1].split()[0].replace(",", ""))
        for out in (first.output, second.output)
    ]
    assert told[0] < told[1] == int(load(path).card["decisions"])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_after_the_round_and_keeps_what_was_learnt(
    number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The exit code says so, and the handlers are those of before."""
    path = tmp_path / "net.safetensors"
    before = signal.getsignal(number)
    learn = updates.learn

    def interrupted(*given: Any) -> Any:  # noqa: ANN401 - as `learn`
        signal.raise_signal(number)
        return learn(*given)

    monkeypatch.setattr(training_module, "learn", interrupted)
    words = [*SHORT.split(), "--minutes", "60", "--save", str(path)]

    stopped = CliRunner().invoke(commands, words)

    assert stopped.exit_code == 130
    assert load(path).card["game"] == "mauer"
    assert signal.getsignal(number) is before


def test_a_training_of_another_game_does_not_go_on(tmp_path: Path) -> None:
    """It is refused in one line."""
    path = tmp_path / "net.training"
    Training(plan_of(MINIATURE)).keep(path)
    other = Training(plan_of(Setup(2, GAMES["burgbaumeister"].OPTIONS()), name="burgbaumeister"))

    with pytest.raises(SetupError, match="another training"):
        other.resume(path)
    path.write_bytes(b"nothing")
    with pytest.raises(SetupError, match="no training"):
        other.resume(path)
