"""PufferLib beside our own environments and training, in one run.

    python -m bench.puffer [seconds] [word in the name]

It needs PufferLib 3, whose source package does not build where nothing can be downloaded: see
`bench/results-adapters.md`. Everything runs in one process on one core, and time is CPU time, so
that other load counts for nothing. A decision is a choice of a seat that is to act.

`Native` is a whole batch of games as one of PufferLib's native environments: that is all it takes.
PufferLib knows no masks, so they are part of what an agent sees, and `Policy` reads them there.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any, Final

import numpy as np

from mauerwerk.adapters.gymnasium import SeatEnv, SeatsVectorEnv
from mauerwerk.core.game import Setup
from mauerwerk.games import mauer
from mauerwerk.kernels.play.batch import Batch

sys.path.append(str(Path(__file__).parents[1] / "examples"))

torch: Any = import_module("torch")
gymnasium: Any = import_module("gymnasium")
pufferlib: Any = import_module("pufferlib")
emulation: Any = import_module("pufferlib.emulation")
vector: Any = import_module("pufferlib.vector")
pufferl: Any = import_module("pufferlib.pufferl")
train_ppo: Any = import_module("train_ppo")

SETUP: Final = Setup(4, mauer.Options())
GAMES: Final = 64
STEPS: Final = 64
HIDDEN: Final = 128
PARTS: Final = 8
EPOCHS: Final = 2
PufferEnv: Any = pufferlib.PufferEnv

CONFIG: Final[dict[str, Any]] = {
    "seed": 1,
    "torch_deterministic": True,
    "cpu_offload": False,
    "device": "cpu",
    "optimizer": "adam",
    "anneal_lr": False,
    "precision": "float32",
    "compile": False,
    "total_timesteps": 1 << 30,
    "learning_rate": 1e-3,
    "gamma": 1.0,
    "gae_lambda": 0.95,
    "update_epochs": EPOCHS,
    "clip_coef": 0.2,
    "vf_coef": 0.5,
    "vf_clip_coef": 0.2,
    "max_grad_norm": 0.5,
    "ent_coef": 0.03,
    "adam_beta1": 0.9,
    "adam_beta2": 0.999,
    "adam_eps": 1e-8,
    "data_dir": "experiments",
    "checkpoint_interval": 1 << 30,
    "batch_size": "auto",
    "bptt_horizon": STEPS,
    "max_minibatch_size": 1 << 30,
    "minibatch_size": GAMES * SETUP.seats * STEPS // PARTS,
    "use_rnn": False,
    "env": "walls",
    "vtrace_rho_clip": 1.0,
    "vtrace_c_clip": 1.0,
    "prio_alpha": 0.0,
    "prio_beta0": 1.0,
    "compile_mode": "",
    "compile_fullgraph": False,
    "name": "walls",
    "project": "walls",
}


class Native(PufferEnv):  # type: ignore[misc] # PufferLib has no types
    """All seats of a batch are agents; each sees its mask after its observation."""

    def __init__(self, buf: Any = None, seed: int = 0) -> None:  # noqa: ANN401 - PufferLib's
        """Begin all games."""
        self.batch = Batch(mauer, SETUP, GAMES, seed)
        self._width = self.batch.observations.shape[-1]
        width = self._width + self.batch.masks.shape[-1]
        self.single_observation_space = gymnasium.spaces.Box(0, 32767, (width,), np.int16)
        self.single_action_space = gymnasium.spaces.Discrete(self.batch.masks.shape[-1])
        self.num_agents = GAMES * SETUP.seats
        self.decisions = 0
        super().__init__(buf)  # pyright: ignore[reportUnknownMemberType]

    def _look(self) -> Any:  # noqa: ANN401 - an array
        seen, masks = self.observations[:, : self._width], self.observations[:, self._width :]
        seen[:] = self.batch.observations.reshape(seen.shape)
        masks[:] = self.batch.masks.reshape(masks.shape)
        masks[:, 0] |= ~self.batch.to_act.reshape(-1)
        return self.observations

    def reset(self, seed: int | None = None) -> Any:  # noqa: ANN401 - PufferLib's
        """Begin all games."""
        self.batch.reset(seed)
        return self._look(), []

    def step(self, actions: Any) -> Any:  # noqa: ANN401 - PufferLib's
        """All seats that are to act do this; games that end begin again."""
        self.decisions += int(self.batch.to_act.sum())
        self.batch.actions[:] = actions.reshape(self.batch.actions.shape)
        self.batch.step()
        self.rewards[:] = self.batch.rewards.reshape(-1)
        self.terminals[:] = np.repeat(self.batch.done, SETUP.seats)
        return self._look(), self.rewards, self.terminals, self.truncations, []

    def close(self) -> None:
        """Do nothing: no resource is held."""


class Policy(torch.nn.Module):  # type: ignore[misc] # PyTorch is imported by name
    """As large as the network of `examples/train_ppo.py`."""

    def __init__(self, env: Any) -> None:  # noqa: ANN401 - PufferLib's
        """Make layers for what agents see."""
        super().__init__()  # pyright: ignore[reportUnknownMemberType]
        self._actions = int(env.single_action_space.n)
        width = env.single_observation_space.shape[0] - self._actions
        layers, act = torch.nn.Linear, torch.nn.ReLU
        body = layers(width, HIDDEN), act(), layers(HIDDEN, HIDDEN), act()
        self._body = torch.nn.Sequential(*body)
        self._policy, self._value = layers(HIDDEN, self._actions), layers(HIDDEN, 1)

    def forward(self, seen: Any, state: Any = None) -> Any:  # noqa: ANN401 - tensors
        """Logits and values."""
        del state
        hidden = self._body(seen[:, : -self._actions].float())
        logits = self._policy(hidden).masked_fill(seen[:, -self._actions :] == 0, -1e9)
        return logits, self._value(hidden)

    forward_eval = forward


def speed(work: Callable[[], int], seconds: float) -> float:
    """Decisions per second of CPU time; the first call is not timed."""
    work()
    began, done = process_time(), 0
    while process_time() < began + seconds:
        done += work()
    return done / (process_time() - began)


def one_seat() -> Callable[[], int]:
    """Eight of our environments for one seat against bots, one after the other."""
    envs = [SeatEnv("mauer", SETUP.seats) for _ in range(8)]
    masks = [env.reset(seed=seed)[1]["action_mask"] for seed, env in enumerate(envs)]

    def work() -> int:
        for place, env in enumerate(envs):
            _, _, over, _, info = env.step(int(masks[place].argmax()))
            masks[place] = (env.reset()[1] if over else info)["action_mask"]
        return len(envs)

    return work


def emulated() -> Callable[[], int]:
    """The same through PufferLib's emulation and its serial vector."""

    def make(buf: Any = None, seed: int = 0) -> Any:  # noqa: ANN401 - PufferLib's
        return emulation.GymnasiumPufferEnv(env=SeatEnv("mauer", SETUP.seats), buf=buf, seed=seed)

    envs = vector.make(make, num_envs=8, backend=vector.Serial)
    envs.reset(seed=1)

    def work() -> int:
        envs.step(np.array([int(each.env.action_masks().argmax()) for each in envs.envs]))
        return len(envs.envs)

    return work


def native() -> Callable[[], int]:
    """A batch as a native environment of PufferLib."""
    envs = vector.make(Native, num_envs=1, backend=vector.PufferEnv)
    envs.reset(seed=1)

    def work() -> int:
        before = envs.decisions
        envs.batch.choose()
        envs.step(envs.batch.actions.reshape(-1).copy())
        return int(envs.decisions - before)

    return work


def ours() -> Callable[[], int]:
    """Our own vector environment."""
    envs = SeatsVectorEnv("mauer", GAMES * SETUP.seats, SETUP.seats, copy=False)
    envs.reset(seed=1)

    def work() -> int:
        decisions = int(envs.batch.to_act.sum())
        envs.step(envs.choose())
        return decisions

    return work


def puffer_training() -> Callable[[], int]:
    """PufferLib's PPO on the native environment."""
    envs = vector.make(Native, num_envs=1, backend=vector.PufferEnv)
    trainer = pufferl.PuffeRL(dict(CONFIG), envs, Policy(envs))

    def work() -> int:
        before = envs.decisions
        trainer.evaluate()
        trainer.train()
        return int(envs.decisions - before)

    return work


def our_training() -> Callable[[], int]:
    """`examples/train_ppo.py`, with as many games, steps, minibatches and hidden units."""
    net = train_ppo.Net(mauer, SETUP, HIDDEN)
    tables = train_ppo.Tables(net, GAMES, seed=1)
    lessons = train_ppo.train(net, tables, STEPS, 1e-3, train_ppo.Times(wall=1e9))
    done = 0

    def work() -> int:
        nonlocal done
        before, done = done, next(lessons).decisions
        return int(done - before)

    return work


CONTENDERS: Final = {
    "one seat against bots, `SeatEnv`": one_seat,
    "one seat against bots, through PufferLib": emulated,
    "all seats, vector environment": ours,
    "all seats, batch as PufferLib's native environment": native,
    "training, `examples/train_ppo.py`": our_training,
    "training, PufferLib's PPO on the native environment": puffer_training,
}


def main() -> None:
    """Measure all, and print a table."""
    seconds = float(sys.argv[1]) if sys.argv[1:] else 5.0
    word = sys.argv[2] if sys.argv[2:] else ""
    torch.set_num_threads(1)
    sys.stdout.write(f"PufferLib {pufferlib.__version__}, Die Mauer, four seats\n\n")
    for name, make in ((name, make) for name, make in CONTENDERS.items() if word in name):
        sys.stdout.write(f"| {name} | {speed(make(), seconds):,.0f} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
