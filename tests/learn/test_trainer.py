"""Networks that learn by playing: rounds, rivals, files, and going on later."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.learn.support import MINIATURE, config_of, played

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Setup
from mauerwerk.core.options import from_words
from mauerwerk.games import GAMES
from mauerwerk.kernels.networks.network import load
from mauerwerk.kernels.observation import Lookup

torch: Any = pytest.importorskip("torch")

from mauerwerk.learn import files, network  # noqa: E402 - they need PyTorch
from mauerwerk.learn.config import POINTS, Config  # noqa: E402
from mauerwerk.learn.env import VectorEnv  # noqa: E402
from mauerwerk.learn.evaluation import GREEDY, first_outcomes  # noqa: E402
from mauerwerk.learn.trainer import Trainer  # noqa: E402
from mauerwerk.learn.training import Training  # noqa: E402

pytestmark = [pytest.mark.foreign, pytest.mark.kernels]


def card_of(config: Config, trained: network.Network) -> dict[str, str]:
    """What a network of this training is for."""
    return files.card_of(config.game, config.setups, trained, remember=config.remember)


def test_a_file_says_what_the_network_says(tmp_path: Path) -> None:
    """NumPy finds the same shares and points as PyTorch, but for 16 bits."""
    config = config_of(Setup(6, MINIATURE.options))
    env = VectorEnv(config.game, config.setups[0], 8, 1)
    weights = network.init(env.shape, (32, 16), torch.ones(env.shape.inputs))
    for tensor in weights.parameters.values():
        tensor.normal_(std=0.2)
    output = weights.forward(env.observations, env.masks, 6)

    files.save(tmp_path / "net.safetensors", weights, card_of(config, weights))
    there = load(tmp_path / "net.safetensors")
    there.refuse(config.game, config.setups[0])
    thought = there.forward(env.observations.numpy())

    shares = np.exp(thought.wins) / np.exp(thought.wins).sum(axis=1, keepdims=True)
    assert np.allclose(shares, output.wins.exp().numpy(), atol=0.01)
    assert np.allclose(thought.points, POINTS * output.points.numpy(), atol=0.5)
    assert np.allclose(thought.hidden, output.hidden.numpy(), atol=0.05)


def test_what_a_card_is_worth_counts_wherever_it_lies(tmp_path: Path) -> None:
    """A network that looks cards up says the same in PyTorch and NumPy; a place has no say."""
    game = GAMES["burgbaumeister"]
    setup = Setup(2, game.OPTIONS())
    env = VectorEnv(game, setup, 16, 1, remember=True)
    for _ in range(60):
        env.choose()
        env.step()
    shape = env.shape
    assert shape.lookup is not None
    lookup = shape.lookup
    looks_up = network.init(shape, (32, 16), torch.full((shape.inputs,), 1.0))
    for tensor in looks_up.parameters.values():
        tensor.normal_(std=0.2)
    output = looks_up.heads(looks_up.encode(env.observations))
    card = files.card_of(game, [setup], looks_up, remember=True)
    files.save(tmp_path / "net.safetensors", looks_up, card)
    there = load(tmp_path / "net.safetensors")
    there.refuse(game, setup)

    thought = there.forward(env.observations.numpy())

    assert np.allclose(thought.policy, output[:, : shape.actions].numpy(), atol=0.1)
    lying = env.observations[:, lookup.features].unflatten(1, (lookup.places, lookup.kinds))
    assert lying.sum() > 0
    moved = env.observations.clone()
    moved[:, lookup.features] = lying.flip(1).flatten(1)
    worth, worth_moved = (
        looks_up.heads(looks_up.encode(seen))[:, : lookup.places]
        - looks_up.heads(looks_up.encode(seen * _nothing_lies(lookup, shape.inputs)))[
            :, : lookup.places
        ]
        for seen in (env.observations, moved)
    )
    assert torch.allclose(worth_moved, worth.flip(1), atol=1e-4)


def _nothing_lies(lookup: Lookup, inputs: int) -> Any:  # noqa: ANN401 - a tensor
    nothing = torch.ones(inputs, dtype=torch.int16)
    nothing[lookup.features] = 0
    return nothing


@pytest.mark.parametrize("filled", [0.02, 0.5])
def test_a_cpu_reads_few_and_many_inputs_alike(
    filled: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Adding the rows of some inputs says the same as multiplying all, and learns the same."""
    shape = network.Shape(inputs=200, actions=7, seats=3, hidden=0)
    weights = network.init(shape, (32, 16), torch.rand(200)).copy(learns=True)
    seen = (torch.rand(64, 200) < filled).to(torch.int16) * 3
    found = []
    for dense in (0.0, 1.0):
        monkeypatch.setattr(network, "DENSE", dense)
        heads = weights.heads(seen)
        (gradient,) = torch.autograd.grad(heads.sum(), weights.parameters["body.0.weight"])
        found.append((heads.detach(), gradient))
    assert all(torch.allclose(*each, atol=1e-4) for each in zip(*found, strict=True))


def test_actions_are_drawn_by_their_probabilities() -> None:
    """As often as they say, within five standard deviations, and what is impossible never."""
    torch.manual_seed(1)
    logits = torch.tensor([1.0, network.FORBIDDEN, 3.0, network.FORBIDDEN, 0.0, network.FORBIDDEN])
    log_probs = torch.log_softmax(logits, dim=-1)
    counts = torch.bincount(network.sample(log_probs.expand(100_000, 6)), minlength=6)
    assert (counts / 100_000 - log_probs.exp()).abs().max() < 0.008
    assert counts[logits == network.FORBIDDEN].sum() == 0


def test_a_network_that_knows_nothing_plays_legally_among_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Although each of 45 cards that it can turn up is too unlikely for a bot to be played."""
    game = GAMES["burgbaumeister"]
    env = VectorEnv(game, Setup(2, game.OPTIONS()), 16, 1, suggest=True)
    weights = network.init(env.shape, (8, 8), torch.ones(env.shape.inputs))
    monkeypatch.setattr(env, "step", env.batch.step)  # which checks
    others: tuple[Any, ...] = (GREEDY, weights.copy())
    for rivals in others:
        outcomes = first_outcomes(weights, env, samples=False, others=rivals)
        assert outcomes[:, 0].min() >= 0


@pytest.mark.parametrize("align", [1, 64])
def test_a_network_says_the_same_with_padding_another_scale_and_more_units(align: int) -> None:
    """Whatever is padded, rescaled or widened, it is the same network."""
    env = VectorEnv(GAMES["mauer"], MINIATURE, 8, 1)
    shape = env.shape
    first = network.init(shape, (32, 16), torch.full((shape.inputs,), 0.5))
    padded = network.from_weights(shape._replace(align=align), first.weights(), "cpu")
    inputs = torch.nn.functional.pad(
        env.observations, (0, padded.shape.padded_inputs - shape.inputs)
    )

    expected = first.forward(env.observations, env.masks, 3)
    scale = torch.nn.functional.pad(padded.scale, (0, inputs.shape[1] - shape.inputs))
    padded.scale = scale
    found = padded.output(padded.heads(inputs), env.masks, 3)
    others = [first.rescaled(torch.full((shape.inputs,), 0.2)), first.widened((48, 16))]

    assert torch.allclose(found.log_probs, expected.log_probs, atol=1e-5)
    assert torch.allclose(found.hidden, expected.hidden, atol=1e-5)
    for other in others:
        same = other.forward(env.observations, env.masks, 3)
        assert torch.allclose(same.log_probs, expected.log_probs, atol=1e-4)
        assert torch.allclose(same.wins, expected.wins, atol=1e-4)


@pytest.mark.parametrize("name", ["mauer", "burgbaumeister", "mauerbauer"])
def test_a_round_learns_from_all_numbers_of_seats(name: str) -> None:
    """The network changes, and nothing in it becomes infinite or none."""
    game = GAMES[name]
    torch.set_num_threads(1)
    setups = [Setup(seats, game.OPTIONS()) for seats in game.SEATS]
    trainer = Trainer(config_of(*setups, name=name, magnet=0.1))
    before = trainer.network.copy().parameters

    report = next(trainer.run(lambda: False))

    assert report.statistics.entropy > 0
    assert report.decisions > 0
    assert all(torch.isfinite(tensor).all() for tensor in trainer.network.parameters.values())
    assert not torch.equal(before["heads.weight"], trainer.network.parameters["heads.weight"])


@pytest.mark.parametrize("chain", ["game", "seat"])
@pytest.mark.parametrize("name", ["mauer", "burgbaumeister"])
def test_rows_are_kept_where_they_belong(name: str, chain: str) -> None:
    """Actions are legal, shares add up to 1, and a GPU would keep the same decisions."""
    game = GAMES[name]
    torch.set_num_threads(1)
    setups = [Setup(seats, game.OPTIONS()) for seats in (3, 4)]
    config = config_of(*setups, name=name, remember=True, contested=0.25, chain=chain)
    sparse, dense = Trainer(config), Trainer(config)
    for rollout in dense.rollouts:
        rollout._sparse = False  # noqa: SLF001 - as on a GPU, all rows are computed

    for trainer in (sparse, dense):
        trainer.round(0.0)
        rows = played(trainer)
        assert rows.masks.gather(1, rows.actions.long()[:, None]).all()
        assert torch.allclose(rows.win_targets.sum(dim=1), torch.ones(1), atol=0.2)
        assert set(rows.seats.tolist()) == {3, 4}
        assert float((rows.advantages * rows.policy_weights).mean()) == pytest.approx(0, abs=0.01)
        assert torch.isfinite(rows.log_probs).all()
    kept = [int(trainer.trajectories.all.policy_weights[:, 0].sum()) for trainer in (sparse, dense)]
    assert kept[0] == kept[1]


def test_advantages_are_normalised_for_each_setup() -> None:
    """Where decisions matter less, as at larger tables, they do not drown among the others."""
    torch.set_num_threads(1)
    game = GAMES["mauer"]
    trainer = Trainer(config_of(*(Setup(seats, game.OPTIONS()) for seats in (3, 6)), steps=32))

    trainer.round(0.0)

    rows = trainer.trajectories.all
    for span in trainer.trajectories.spans:
        own = rows.advantages[:, span][rows.policy_weights[:, span] > 0]
        assert float(own.mean()) == pytest.approx(0, abs=1e-4)
        assert float(own.std()) == pytest.approx(1, abs=1e-2)


def test_rivals_play_as_their_cards_say_and_stay_as_they_are(tmp_path: Path) -> None:
    """Half of the rivals are networks of the plan; the network has one seat among them."""
    torch.set_num_threads(1)
    before = Trainer(config_of(MINIATURE))
    path = tmp_path / "rival.safetensors"
    card = card_of(before.config, before.network) | {"temperature": "0.5"}
    files.save(path, before.network, card)

    trainer = Trainer(config_of(MINIATURE, rivals=[path], contested=0.75, rival_slots=1))
    (rival,) = trainer.league.standing
    policy = rival.shape.columns_of("policy")
    first = rival.parameters["heads.weight"][:, policy].clone()
    next(trainer.run(lambda: False))

    half = before.network.parameters["heads.weight"][:, policy].detach().half().float()
    assert torch.allclose(first, 2 * half)
    assert torch.equal(rival.parameters["heads.weight"][:, policy], first)
    assert sorted(trainer.rollouts[0].own.sum(dim=1).tolist()) == [1] * 12 + [3] * 4
    met = [trainer.league.pick() is rival for _ in range(200)]
    assert 0.3 < sum(met) / len(met) < 0.7


@pytest.mark.parametrize("name", ["mauer", "mauerbauer"])
def test_rules_of_thumb_play_as_rivals(name: str) -> None:
    """In their games they have all seats but one, and do what the kernel suggests."""
    torch.set_num_threads(1)
    setup = Setup(3, GAMES[name].OPTIONS())
    trainer = Trainer(config_of(setup, name=name, greedy=0.5, contested=0.25))
    (rollout,), (env,) = trainer.rollouts, trainer.envs
    assert [slot.rival is None for slot in rollout.slots] == [True, False]

    next(trainer.run(lambda: False))
    env.batch.suggest()
    assert rollout.greedy is not None
    rollout.greedy.look_and_suggest()
    with torch.no_grad():
        rollout.act(trainer.player, 0)
    rollout.act_greedily()

    places = torch.arange(env.size).repeat_interleave(env.rows_per_game)
    seats = env.row_seats.long()
    theirs = ~rollout.own[places, seats] & env.to_act[places, seats]
    in_part = places % (env.size // trainer.trajectories.parts)
    by_thumb = theirs & (in_part < rollout.slots[0].games.stop)
    assert by_thumb.any()
    suggestions = torch.from_numpy(env.batch.suggestions.reshape(-1))
    assert torch.equal(env.actions[by_thumb], suggestions[by_thumb])


def test_a_seed_may_be_any_number() -> None:
    """Commands take one from all 64 bits if they are given none."""
    trainer = Trainer(config_of(MINIATURE, seed=(1 << 63) + 5))

    assert int(trainer.rollouts[0].counter) == 5 << 32


def test_the_chain_of_a_game_with_rivals_has_own_decisions_alone() -> None:
    """A rival's position would be judged as if the network went on from there."""
    torch.set_num_threads(1)
    trainer = Trainer(config_of(MINIATURE, contested=0.5))
    (rollout,) = trainer.rollouts

    next(trainer.run(lambda: False))

    chain, alone = rollout._chain(), rollout.own.all(dim=1)  # noqa: SLF001 - what returns follow
    assert alone.any()
    assert not alone.all()
    assert chain is not None
    assert chain[:, alone].all()
    assert torch.equal(chain[:, ~alone], rollout._to_act[:, ~alone])  # noqa: SLF001


def test_rivals_have_as_many_units_as_the_network(tmp_path: Path) -> None:
    """A narrow one is widened and says the same; one with more units is refused."""
    torch.set_num_threads(1)
    before = Trainer(config_of(MINIATURE, widths=(16, 8)))
    path = tmp_path / "narrow.safetensors"
    files.save(path, before.network, card_of(before.config, before.network) | {"temperature": "1"})

    trainer = Trainer(config_of(MINIATURE, widths=(24, 12), rivals=[path], contested=0.75))
    (rival,) = trainer.league.standing
    assert rival.widths == (24, 12)
    seen = trainer.envs[0].observations
    policy = rival.shape.columns_of("policy")
    expected = before.network.rescaled(rival.scale).heads(seen)[:, policy]
    assert torch.allclose(rival.heads(seen)[:, policy], expected, atol=0.01)
    for rollout in trainer.rollouts:
        for slot in rollout.slots:
            assert slot.rival is not None
            slot.rival.load(rival)
    next(trainer.run(lambda: False))

    with pytest.raises(SetupError, match="more units"):
        Trainer(config_of(MINIATURE, widths=(8, 8), rivals=[path]))


def test_a_rival_must_not_see_more_than_is_seen_here(tmp_path: Path) -> None:
    """One that remembers cannot play where nothing is remembered; the other way round it can."""
    paths = []
    for remember in (False, True):
        trainer = Trainer(config_of(MINIATURE, remember=remember))
        paths.append(tmp_path / f"{remember}.safetensors")
        files.save(paths[-1], trainer.network, card_of(trainer.config, trainer.network))

    with pytest.raises(SetupError, match="another shape"):
        Trainer(config_of(MINIATURE, rivals=[paths[1]]))
    assert Trainer(config_of(MINIATURE, rivals=[paths[0]], remember=True)).league.standing


def test_setups_with_other_actions_are_refused() -> None:
    """One network has one list of actions."""
    game = GAMES["mauerbauer"]
    boards = [from_words(game.OPTIONS, {"board": board}) for board in ("default", "small")]
    setups = [Setup(2, options) for options in boards]

    with pytest.raises(SetupError, match="their actions differ"):
        Trainer(config_of(*setups, name="mauerbauer"))


def test_a_training_that_is_resumed_goes_on_with_everything() -> None:
    """Network, optimiser, average, league and counters, in place."""
    torch.set_num_threads(1)
    config = config_of(MINIATURE, magnet=0.1, contested=0.5)
    first, second = Trainer(config), Trainer(config)
    for _ in range(2):
        first.round(0.0)
    first.snapshot()

    second.restore(first.state())

    for name, tensor in first.network.parameters.items():
        assert torch.equal(tensor, second.network.parameters[name])
        kept = [each.learner.optimiser.state for each in (first, second)]
        moments = [kept[0][tensor], kept[1][second.network.parameters[name]]]
        assert torch.equal(moments[0]["exp_avg_sq"], moments[1]["exp_avg_sq"])
        assert moments[0]["step"] == moments[1]["step"] > 0
    assert first.report().decisions == second.report().decisions
    assert len(first.league.past) == len(second.league.past) == 2
    second.round(0.0)
    assert second.report().decisions > first.report().decisions


def test_with_a_magnet_the_average_is_what_comes_out(tmp_path: Path) -> None:
    """The network of the last round would be easier to read than the average of all rounds."""
    path = tmp_path / "net.safetensors"
    training = Training(config_of(MINIATURE, magnet=0.1, minutes=0.01), path, lambda _line: None)
    training.run(lambda: False)
    training.close()

    kept, trainer = files.weights_in(path), training.trainer

    assert trainer.result is not trainer.network
    for name, expected in trainer.result.weights().items():
        assert torch.allclose(kept[name], expected.float(), atol=1e-3)
    assert not torch.allclose(kept["policy.weight"], trainer.network.weights()["policy.weight"])


def test_a_training_of_another_game_does_not_go_on(tmp_path: Path) -> None:
    """It is refused in one line."""
    path = tmp_path / "net.checkpoint"
    files.save_checkpoint(path, Trainer(config_of(MINIATURE)).state())
    setup = Setup(2, GAMES["burgbaumeister"].OPTIONS())
    other = Trainer(config_of(setup, name="burgbaumeister"))

    with pytest.raises(SetupError, match="another training"):
        other.restore(files.load_checkpoint(path))
    path.write_bytes(b"nothing")
    with pytest.raises(SetupError, match="no training"):
        files.load_checkpoint(path)
