"""A player that learns by self-play: PPO in PyTorch, on a batch of games in step.

    python examples/train_ppo.py mauer --seconds 300 --save mauer.pt
    python examples/train_ppo.py mauer --device cuda --games 16384 --hidden 512 --save mauer.pt

One network plays all seats, each from what that seat sees, and learns from all of them. It needs
the extra `train`. `docs/how-to/train-a-player.md` explains it and shows how strong it becomes.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from importlib import import_module
from math import inf
from pathlib import Path
from pickle import UnpicklingError
from time import perf_counter, process_time
from typing import Any, Final, NamedTuple, TypeAlias

from mauerwerk.bots.evaluation import sample
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Chance, Setup, Sight
from mauerwerk.core.options import from_words, to_words
from mauerwerk.games import GAMES
from mauerwerk.kernels import kernel_of, pack_setup
from mauerwerk.kernels.compiler import DEVICES, Device
from mauerwerk.kernels.observation import spec_of
from mauerwerk.kernels.play.batch import Batch
from mauerwerk.lab.intervals import Estimate, share_of

torch: Any = import_module("torch")
Tensor: TypeAlias = Any

FORBIDDEN: Final = -1e9
"""The logit of an illegal action, so that its probability is exactly 0."""
LAMBDA: Final = 0.95
"""The lambda of GAE: the weight of the decisions after the next one."""
CLIP: Final = 0.2
"""How far the probability of an action may move from its value when the games were played."""
EPOCHS: Final = 2
"""How often each decision is used for learning."""
PARTS: Final = 8
"""Minibatches per epoch; each is one step of the optimiser."""
ENTROPY: Final = 0.03
"""The weight of the entropy bonus. If it is much lower, Die Mauer comes to a standstill: master
builders are guessed, plan only what cannot be built, and never find out that others stopped."""
EVERY: Final = 30.0
"""Seconds between two progress lines."""
PROBE: Final = 500
"""Games played for the wins in a progress line."""


# --- The network, and the games ----------------------------------------------------------------


class Net:
    """From what a seat sees to the probability of each action and the expected reward."""

    device: Device = "cpu"

    def __init__(self, game: AnyGame, setup: Setup[Any], hidden: int = 128) -> None:
        """Make two hidden layers. At first all legal actions are about equally likely.

        Raises SetupError if no kernel supports this setup.
        """
        pack_setup(game, setup)
        self.game, self.setup, self.hidden = game, setup, hidden
        width, actions = spec_of(game).width(setup), len(game.choices(setup))
        last = torch.nn.Linear(hidden, actions + 1)
        torch.nn.init.normal_(last.weight, std=0.01)
        layers = (torch.nn.Linear(width, hidden), torch.nn.ReLU())
        more = (torch.nn.Linear(hidden, hidden), torch.nn.ReLU())
        self.layers = torch.nn.Sequential(*layers, *more, last)
        self.ranges = torch.ones(width)

    def to(self, device: Device) -> "Net":
        """Move the network to a device and return it."""
        self.device = device
        self.layers, self.ranges = self.layers.to(device), self.ranges.to(device)
        return self

    def __call__(self, observations: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logarithms of the probabilities, and the values."""
        thought = self.layers(observations / self.ranges)
        logits = thought[..., :-1].masked_fill(~masks, FORBIDDEN)
        return torch.log_softmax(logits, dim=-1), thought[..., -1]

    def save(self, path: Path) -> None:
        """Save everything that `load` needs."""
        kept = {
            "game": self.game.NAME,
            "seats": self.setup.seats,
            "options": to_words(self.setup.options),
            "hidden": self.hidden,
            "ranges": self.ranges.cpu(),
            "layers": {name: tensor.cpu() for name, tensor in self.layers.state_dict().items()},
        }
        torch.save(kept, path)


def load(path: Path) -> Net:
    """Load a saved network, on the CPU. Raises SetupError if there is none."""
    try:
        kept = torch.load(path, map_location="cpu", weights_only=True)
        game = GAMES[kept["game"]]
        setup = Setup(kept["seats"], from_words(game.OPTIONS, kept["options"]))
        net = Net(game, setup, kept["hidden"])
        net.layers.load_state_dict(kept["layers"])
        net.ranges = kept["ranges"]
    except (OSError, EOFError, LookupError, RuntimeError, TypeError, UnpicklingError) as fault:
        raise SetupError(f"{path} holds no network of this program") from fault
    return net


class Tables:
    """Games in step, with their arrays as tensors that share the same memory.

    On a GPU PyTorch and Numba both use the default stream, so that no synchronisation is needed.
    """

    def __init__(self, net: Net, size: int, seed: int) -> None:
        """Begin all games, on the device of the network."""
        threads = torch.get_num_threads()
        self.batch = Batch(net.game, net.setup, size, seed, net.device, threads=threads)
        on_gpu = partial(torch.as_tensor, device="cuda")
        shared = on_gpu if net.device == "cuda" else torch.from_dlpack
        self.observations, self.masks = shared(self.batch.observations), shared(self.batch.masks)
        self.to_act, self.actions = shared(self.batch.to_act), shared(self.batch.actions)
        self.rewards, self.done = shared(self.batch.rewards), shared(self.batch.done)

    def step(self) -> None:
        """Make a step. All actions are legal, so the batch need not check and wait for the GPU."""
        self.batch.step(checked=False)


def choose(log_probs: Tensor) -> Tensor:
    """Sample actions by their probabilities, with exponential random numbers."""
    clocks = torch.empty_like(log_probs).exponential_().clamp_(min=1e-12)  # 0/0 would be chosen
    return (log_probs.exp() / clocks).argmax(dim=-1)


def measure_ranges(net: Net, tables: Tables, steps: int = 256) -> None:
    """Scale observations by the largest number at each position in random games."""
    for _ in range(steps):
        seen = tables.observations.abs().amax(dim=(0, 1))
        net.ranges = torch.maximum(net.ranges, seen.float())
        tables.batch.choose()
        tables.step()


# --- Learning ----------------------------------------------------------------------------------


class Rollout(NamedTuple):
    """Steps of all tables. The axes are steps, games and, except for `done`, seats."""

    observations: Tensor
    masks: Tensor
    to_act: Tensor
    actions: Tensor
    log_probs: Tensor
    values: Tensor
    rewards: Tensor
    done: Tensor


def room_for(tables: Tables, steps: int) -> Rollout:
    """Allocate an empty rollout, on the device of the tables."""

    def room(like: Tensor, kind: Any = None) -> Tensor:  # noqa: ANN401 - a dtype
        return torch.empty((steps, *like.shape), dtype=kind or like.dtype, device=like.device)

    return Rollout(
        observations=room(tables.observations),
        masks=room(tables.masks),
        to_act=room(tables.to_act),
        actions=room(tables.actions, torch.int64),
        log_probs=room(tables.rewards),
        values=room(tables.rewards),
        rewards=room(tables.rewards),
        done=room(tables.done),
    )


def play(net: Net, tables: Tables, rollout: Rollout) -> None:
    """Let the network play all seats until the rollout is full."""
    for step in range(len(rollout.done)):
        log_probs, values = net(tables.observations, tables.masks)
        actions = choose(log_probs)
        rollout.observations[step] = tables.observations
        rollout.masks[step], rollout.to_act[step] = tables.masks, tables.to_act
        rollout.actions[step], rollout.values[step] = actions, values
        rollout.log_probs[step] = log_probs.gather(-1, actions[..., None])[..., 0]
        tables.actions.copy_(actions)
        tables.step()
        rollout.rewards[step], rollout.done[step] = tables.rewards, tables.done


def estimate_advantages(rollout: Rollout) -> tuple[Tensor, Tensor]:
    """The advantage of each decision, and which decisions have one.

    Each seat has its own trajectory: from one of its decisions to its next one, over any number of
    steps of others, or to the end of the game, where it gets its reward whether or not it was asked
    last. If the rollout stops before the end of a game, the last decision of a seat has no
    advantage; its value is used for the decision before it.
    """
    advantages = torch.zeros_like(rollout.values)
    judged = torch.zeros_like(rollout.to_act)
    ahead, known = torch.zeros_like(advantages[0]), torch.zeros_like(judged[0])
    surplus, expected = ahead, ahead  # of the seat's next decision; `ahead` is the reward until it
    for step in reversed(range(len(rollout.done))):
        over, to_act = rollout.done[step][:, None], rollout.to_act[step]
        ahead = torch.where(over, rollout.rewards[step], ahead)
        surplus, expected = surplus.masked_fill(over, 0), expected.masked_fill(over, 0)
        known = known | over
        here = ahead + expected - rollout.values[step] + LAMBDA * surplus
        advantages[step], judged[step] = here, to_act & known
        surplus = torch.where(to_act & known, here, surplus)
        expected = torch.where(to_act, rollout.values[step], expected)
        ahead, known = ahead.masked_fill(to_act, 0), known | to_act
    return advantages, judged


def learn(net: Net, optimiser: Any, rollout: Rollout) -> tuple[float, float]:  # noqa: ANN401
    """Update the network from a rollout; return the entropy and the error of the values."""
    advantages, judged = estimate_advantages(rollout)
    places = judged.flatten().nonzero()[:, 0]
    if len(places) <= PARTS:  # the rollout is too short for learning
        return 0.0, 0.0
    flat = [tensor.flatten(0, 2) for tensor in (*rollout[:6], advantages)]
    spread = advantages[judged].std() + 1e-6
    entropy = error = torch.zeros(())
    for _ in range(EPOCHS):
        shuffled = places[torch.randperm(len(places), device=places.device)]
        for part in shuffled.chunk(PARTS):
            seen, masks, _, actions, before, expected, better = (each[part] for each in flat)
            log_probs, values = net(seen, masks)
            ratio = (log_probs.gather(-1, actions[:, None])[:, 0] - before).exp()
            scaled = (better - better.mean()) / spread
            gain = torch.minimum(ratio * scaled, ratio.clamp(1 - CLIP, 1 + CLIP) * scaled).mean()
            error = (values - (expected + better)).square().mean()
            entropy = -(log_probs.exp() * log_probs).sum(dim=-1).mean()
            optimiser.zero_grad()
            (0.5 * error - gain - ENTROPY * entropy).backward()
            torch.nn.utils.clip_grad_norm_(net.layers.parameters(), 0.5)
            optimiser.step()
    return float(entropy.detach()), float(error.detach())


class Times(NamedTuple):
    """How long to train: until one of these times is up."""

    wall: float
    cpu: float = inf
    """CPU seconds on all cores together, for a machine that also has other work."""


class Progress(NamedTuple):
    """The progress of the training."""

    share: float
    """The share of the time that has passed."""
    decisions: int
    """The number of players' decisions so far."""
    entropy: float
    error: float


def train(net: Net, tables: Tables, steps: int, rate: float, times: Times) -> Iterator[Progress]:
    """Alternately play this many steps and learn from them, until the time is up."""
    optimiser = torch.optim.Adam(net.layers.parameters(), rate, eps=1e-5)
    rollout = room_for(tables, steps)
    began, used, decisions, share = perf_counter(), process_time(), 0, 0.0
    while share < 1:
        optimiser.param_groups[0]["lr"] = rate * (1 - share)
        with torch.no_grad():
            play(net, tables, rollout)
        entropy, error = learn(net, optimiser, rollout)
        decisions += int(rollout.to_act.sum())
        wall, cpu = perf_counter() - began, process_time() - used
        share = min(max(wall / times.wall, cpu / times.cpu), 1.0)
        yield Progress(share, decisions, entropy, error)


# --- How well it plays -------------------------------------------------------------------------


def among_uniform(net: Net, games: int, seed: int) -> Estimate:
    """The share of games that the network wins alone against random players.

    The first game of every table counts, however long it takes; stopping after a number of steps
    would leave out long games. A shared win counts in parts.
    """
    tables = Tables(net, games, seed)
    own = torch.arange(games, device=net.device) % net.setup.seats
    mine = torch.nn.functional.one_hot(own, net.setup.seats).bool()
    won = torch.full((games,), -1.0, device=net.device)
    while (won < 0).any():
        for _ in range(16):
            with torch.no_grad():
                actions = choose(net(tables.observations, tables.masks)[0])
            tables.batch.choose()
            tables.actions.copy_(torch.where(mine, actions, tables.actions))
            tables.step()
            best = tables.rewards == tables.rewards.amax(dim=1, keepdim=True)
            share = (best & mine).sum(dim=1) / best.sum(dim=1)
            won = torch.where(tables.done & (won < 0), share, won)
    return share_of(won.tolist(), games)


class Trained:
    """A bot that plays by the probabilities of a network."""

    def __init__(self, game: AnyGame, setup: Setup[Any], draw: Chance, net: Net) -> None:
        """Take a network for the same setup, on the CPU."""
        self._setup, self._draw, self._net = setup, draw, net
        self._kernel = kernel_of(game.NAME)
        self._numbers = {each: number for number, each in enumerate(game.choices(setup))}

    def act(self, sight: Sight[Any, Any, Any], seconds: float, /) -> Any:  # noqa: ANN401
        """Sample a legal action, without thinking time."""
        del seconds
        legal = [self._numbers[action] for action in sight.legal]
        mask = torch.zeros(len(self._numbers), dtype=torch.bool)
        mask[legal] = True
        with torch.no_grad():
            seen = torch.tensor(self._kernel.features(self._setup, sight.view))
            log_probs, _ = self._net(seen, mask)
        return sight.legal[sample(log_probs[legal].exp().tolist(), self._draw)]


# --- The command line --------------------------------------------------------------------------


def count(word: str) -> int:
    """Read a whole number from 1 on."""
    if (number := int(word)) < 1:
        raise ValueError
    return number


def asked_for(given: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Train a player by self-play.")
    add = partial(parser.add_argument, metavar="N")
    add("game", choices=GAMES, metavar="GAME", help=", ".join(GAMES))
    add("--seats", type=count, default=4)
    add(
        "--set",
        dest="option",
        action="append",
        default=[],
        metavar="NAME=WORD",
        help="an option of the game",
    )
    add("--games", type=count, default=1024, help="games at once (1024)")
    add("--steps", type=count, default=32, help="steps of each game between two updates (32)")
    add("--seconds", type=float, default=300.0, help="training time (300); 0: do not train")
    add("--cpu-seconds", type=float, default=inf, help="limit of CPU time, all cores together")
    add("--hidden", type=count, default=128, help="units in a hidden layer (128)")
    add("--rate", type=float, default=2e-3, help="learning rate, falling to 0 (0.002)")
    add("--device", choices=DEVICES, default="cpu", metavar="cpu|cuda")
    add("--jobs", dest="threads", type=count, help="cores to train on (all)")
    add("--seed", type=int, default=1)
    add("--load", type=Path, metavar="FILE", help="begin with this network and its setup")
    add("--save", type=Path, metavar="FILE", help="save the network")
    add("--evaluate", type=count, default=4000, help="games against uniform players (4000)")
    return parser.parse_args(given)


def begin(chosen: argparse.Namespace) -> Net:
    """The network to begin with. Raises SetupError if the request is impossible."""
    if chosen.device == "cuda" and not torch.cuda.is_available():
        raise SetupError("PyTorch finds no GPU here")
    if chosen.save and not chosen.save.parent.is_dir():
        raise SetupError(f"there is no folder {chosen.save.parent}")
    if chosen.load:
        return load(chosen.load)
    game = GAMES[chosen.game]
    words = {name: word for name, _, word in (each.partition("=") for each in chosen.option)}
    return Net(game, Setup(chosen.seats, from_words(game.OPTIONS, words)), chosen.hidden)


def say(line: str) -> None:
    """Print a line and flush it."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def shown(share: Estimate) -> str:
    """A share of wins with its interval."""
    low, high = share.low or 0.0, share.high or 1.0
    return f"{share.mean:.1%} ({low:.1%} to {high:.1%})"


def train_aloud(net: Net, chosen: argparse.Namespace) -> None:
    """Train; regularly print the progress and save the network, so that a crash costs little."""
    tables = Tables(net, chosen.games, chosen.seed)
    if not chosen.load:
        measure_ranges(net, tables)
    began, used, said = perf_counter(), process_time(), 0.0
    times = Times(chosen.seconds, chosen.cpu_seconds)
    for done in train(net, tables, chosen.steps, chosen.rate, times):
        now, cpu = perf_counter() - began, process_time() - used
        if now - said >= EVERY or done.share == 1:
            said = now
            if chosen.save:
                net.save(chosen.save)
            wins = among_uniform(net, PROBE, chosen.seed + 1)
            say(
                f"{now:4.0f} s, {cpu:4.0f} s of CPU: {done.decisions:,} decisions, "
                f"{done.decisions / now:,.0f} a second; entropy {done.entropy:.2f}, "
                f"error {done.error:.3f}; wins {shown(wins)}"
            )


def main(given: Sequence[str] | None = None) -> int:
    """Train, save and evaluate; return the exit code."""
    chosen = asked_for(given)
    torch.manual_seed(chosen.seed)
    torch.set_float32_matmul_precision("high")
    torch.set_num_threads(chosen.threads or torch.get_num_threads())
    try:
        net = begin(chosen).to(chosen.device)
        if chosen.seconds > 0:
            train_aloud(net, chosen)
        wins = among_uniform(net, chosen.evaluate, chosen.seed + 2)
    except SetupError as fault:
        sys.stderr.write(f"{fault}\n")
        return 2
    say(f"alone against uniform players it wins {shown(wins)} of {chosen.evaluate:,} games")
    return 0


if __name__ == "__main__":
    sys.exit(main())
