"""A player that learns against chance: PPO of TorchRL, on a batch of games in step.

    pip install 'mauerwerk[adapters,lab,train]' torchrl
    python examples/train_torchrl.py mauer --seats 3 --set rounds=1 --updates 60

`Tables` is a TorchRL environment with a row for each game. Seat 0 learns, and chance plays the
others, which costs next to nothing in a batch. While seat 0 is not to act it has one action, number
0, which does nothing: so each row has a decision in each step, and forced ones are left out when
the network learns. For self-play, see `train_ppo.py`.

Seen on one busy core: first in 33% (30% to 36%) of the games before, and after 318,865 decisions,
which took 22 s, in 76% (74% to 79%).
"""

import argparse
import sys
from importlib import import_module
from time import perf_counter
from typing import Any, Final

import numpy as np

from mauerwerk.adapters.setting import Setting, setting_of
from mauerwerk.kernels.play.batch import Batch
from mauerwerk.lab.intervals import Estimate, share_of

torch: Any = import_module("torch")
data: Any = import_module("torchrl.data")
envs: Any = import_module("torchrl.envs")
modules: Any = import_module("torchrl.modules")
objectives: Any = import_module("torchrl.objectives")
tensordict: Any = import_module("tensordict")
layers: Any = import_module("tensordict.nn")

STEPS: Final = 64
"""Steps between two updates."""
PARTS: Final = 8
"""Minibatches per epoch, and"""
EPOCHS: Final = 3
"""epochs per update."""
LOSSES: Final = ("loss_objective", "loss_critic", "loss_entropy")


EnvBase: Any = envs.EnvBase


class Tables(EnvBase):  # type: ignore[misc] # TorchRL has no types
    """Seat 0 of many games; what it sees is scaled to numbers between 0 and 1."""

    def __init__(self, setting: Setting, games: int, seed: int, rewards: Any = "ranks") -> None:  # noqa: ANN401
        """Begin all games; when one ends, the next one begins in its place."""
        super().__init__(batch_size=[games])  # pyright: ignore[reportUnknownMemberType]
        self.batch = Batch(setting.game, setting.setup, games, seed, rewards=rewards)
        shared = torch.from_dlpack
        self._seen, self._masks, self._to_act, self._actions, self._rewards = (
            shared(getattr(self.batch, name))[:, 0]
            for name in ("observations", "masks", "to_act", "actions", "rewards")
        )
        self._done = shared(self.batch.done)
        highest = np.array(setting.encoding.bounds.highest, np.float32)
        self._scale = torch.from_numpy(1 / np.maximum(highest, 1))
        self.observation_spec = data.Composite(
            observation=data.Bounded(0, 1, (games, setting.width)),
            action_mask=data.Binary(setting.choices, (games, setting.choices), dtype=torch.bool),
            shape=[games],
        )
        self.action_spec = data.Categorical(setting.choices, (games,))
        self.reward_spec = data.Unbounded((games, 1))
        self.done_spec = data.Composite(
            done=data.Binary(1, (games, 1), dtype=torch.bool),
            terminated=data.Binary(1, (games, 1), dtype=torch.bool),
            shape=[games],
        )

    def _looked(self) -> dict[str, Any]:
        masks = self._masks.clone()
        masks[:, 0] |= ~self._to_act
        return {"observation": self._seen * self._scale, "action_mask": masks}

    def _reset(self, given: Any = None, **_: Any) -> Any:  # noqa: ANN401 - TorchRL's
        """Nothing is left to do: in the place of a game that ended the next one has begun."""
        del given
        return tensordict.TensorDict(self._looked(), self.batch_size)

    def _step(self, given: Any) -> Any:  # noqa: ANN401 - TorchRL's
        self.batch.choose()
        self._actions.copy_(given["action"])
        self.batch.step()
        done = self._done[:, None].clone()
        came = {"reward": self._rewards[:, None].clone(), "done": done, "terminated": done}
        return tensordict.TensorDict({**self._looked(), **came}, self.batch_size)

    def _set_seed(self, seed: int | None) -> None:
        self.batch.reset(seed)


def networks(setting: Setting) -> tuple[Any, Any]:
    """The actor, which takes legal actions alone, and the critic."""

    def layered(outputs: int) -> Any:  # noqa: ANN401 - PyTorch's
        body = torch.nn.Linear(setting.width, 128), torch.nn.Linear(128, 128)
        ends = torch.nn.Tanh(), torch.nn.Tanh(), torch.nn.Linear(128, outputs)
        return torch.nn.Sequential(body[0], ends[0], body[1], ends[1], ends[2])

    actor = modules.ProbabilisticActor(
        layers.TensorDictModule(layered(setting.choices), ["observation"], ["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=modules.MaskedCategorical,
        return_log_prob=True,
    )
    return actor, modules.ValueOperator(layered(1), ["observation"])


def strength(actor: Any, setting: Setting, games: int) -> Estimate:  # noqa: ANN401 - TorchRL's
    """How often it is first, alone or with others, with its likeliest actions."""
    tables = Tables(setting, games, seed=2)
    won, batch = np.full(games, -1.0), tables.batch
    with torch.no_grad(), envs.set_exploration_type(envs.ExplorationType.DETERMINISTIC):
        while (won < 0).any():
            tables.step(actor(tables.reset()))
            ended = batch.done & (won < 0)
            won[ended] = batch.results["ranks"][ended, 0] == 1
    return share_of(won.tolist(), games)


def said(share: Estimate) -> str:
    """A share and its interval."""
    return f"{share.mean:.0%} ({share.low:.0%} to {share.high:.0%})"


def main(given: list[str] | None = None) -> None:
    """Learn, and print how strong it was before and is afterwards."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--set", dest="option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--rewards", default="ranks", help="ranks, points or lead")
    parser.add_argument("--tables", type=int, default=128, help="games that are played at once")
    parser.add_argument("--updates", type=int, default=60)
    parser.add_argument("--games", type=int, default=1_000, help="to measure its strength")
    words = parser.parse_args(given)
    torch.manual_seed(1)
    torch.set_num_threads(1)
    options = dict(each.split("=", 1) for each in words.option)
    setting = setting_of(words.game, words.seats, **options)
    actor, critic = networks(setting)
    loss = objectives.ClipPPOLoss(actor, critic, entropy_coeff=0.01, critic_coeff=0.5)
    advantage = objectives.value.GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    optimiser = torch.optim.Adam(loss.parameters(), 1e-3)
    tables = Tables(setting, words.tables, seed=1, rewards=words.rewards)
    before, began, decisions = strength(actor, setting, words.games), perf_counter(), 0
    for _ in range(words.updates):
        with torch.no_grad():
            played = tables.rollout(STEPS, actor, break_when_any_done=False)
            advantage(played)
        rows = played.reshape(-1)
        chosen = (rows["action_mask"].sum(dim=-1) > 1).nonzero()[:, 0]
        decisions += len(chosen)
        for _ in range(EPOCHS):
            for part in chosen[torch.randperm(len(chosen))].chunk(PARTS):
                parts = loss(rows[part])
                optimiser.zero_grad()
                torch.stack([parts[name] for name in LOSSES]).sum().backward()
                torch.nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimiser.step()
    seconds = perf_counter() - began
    sys.stdout.write(
        f"first in {said(before)} of the games; after {decisions:,} decisions, {seconds:.0f} s, "
        f"{decisions / seconds:,.0f} a second, in {said(strength(actor, setting, words.games))}\n"
    )


if __name__ == "__main__":
    main()
