"""A player that learns from games against itself: PPO in PyTorch, on a batch of games in step.

    python examples/train_ppo.py mauer --seats 4 --seconds 300 --save mauer.pt
    python examples/train_ppo.py mauer --seats 4 --device cuda --games 16384 --save mauer.pt
    python examples/train_ppo.py mauer --seats 4 --seconds 0 --load mauer.pt --against greedy

One network plays all seats, each from what that seat sees, and learns from all of them. It needs
the extra `train`. `docs/how-to/train-a-player.md` says how it works and how well it does.
"""

import argparse
import multiprocessing
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from importlib import import_module
from math import inf
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Final, NamedTuple, TypeAlias

from mauerwerk.bots import spec
from mauerwerk.bots.bot import Player
from mauerwerk.bots.greedy_thought import drawn
from mauerwerk.core.game import AnyGame, Draw, Setup, SetupError
from mauerwerk.core.options import from_words, to_words
from mauerwerk.core.sight import Sight
from mauerwerk.games import GAMES
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.batch import Batch
from mauerwerk.kernels.results import width_of
from mauerwerk.kernels.target import DEVICES, Device
from mauerwerk.lab.intervals import Estimate, share_of
from mauerwerk.lab.match import chance, play_out

torch: Any = import_module("torch")
Tensor: TypeAlias = Any

FORBIDDEN: Final = -1e9
"""How much an action is liked that is not allowed; its chance comes to exactly 0."""
LAMBDA: Final = 0.95
"""How much the decisions after the next one count in judging a decision."""
CLIP: Final = 0.2
"""How far the chance of an action may move from what it was when the games were played."""
EPOCHS: Final = 2
"""How often each decision is learned from."""
PARTS: Final = 8
"""In how many parts, with a step of the optimiser each."""
ENTROPY: Final = 0.01
"""What it is worth to stay hard to guess."""


# --- The network, and the games ----------------------------------------------------------------


class Net:
    """What a seat makes of what it sees: the chance of each action, and the reward it expects."""

    def __init__(
        self, game: AnyGame, setup: Setup[Any], hidden: int = 256, device: Device = "cpu"
    ) -> None:
        """Two hidden layers. At first all that is allowed is about as likely."""
        self.game, self.setup, self.hidden = game, setup, hidden
        width, actions = width_of(game, setup), len(kernel_of(game.NAME).actions(setup))
        last = torch.nn.Linear(hidden, actions + 1)
        torch.nn.init.normal_(last.weight, std=0.01)
        layers = (torch.nn.Linear(width, hidden), torch.nn.ReLU())
        more = (torch.nn.Linear(hidden, hidden), torch.nn.ReLU())
        self.layers = torch.nn.Sequential(*layers, *more, last).to(device)
        self.ranges = torch.ones(width, device=device)

    def __call__(self, observations: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """The logarithms of the chances, and the values."""
        thought = self.layers(observations / self.ranges)
        likings = thought[..., :-1].masked_fill(~masks, FORBIDDEN)
        return torch.log_softmax(likings, dim=-1), thought[..., -1]

    def save(self, path: Path) -> None:
        """Keep everything that `load` needs."""
        kept = {
            "game": self.game.NAME,
            "seats": self.setup.seats,
            "options": to_words(self.setup.options),
            "hidden": self.hidden,
            "ranges": self.ranges.cpu(),
            "layers": {name: tensor.cpu() for name, tensor in self.layers.state_dict().items()},
        }
        torch.save(kept, path)


def load(path: Path, device: Device = "cpu") -> Net:
    """A network that was saved."""
    kept = torch.load(path, map_location=device, weights_only=True)
    game = GAMES[kept["game"]]
    setup = Setup(kept["seats"], from_words(game.OPTIONS, kept["options"]))
    net = Net(game, setup, kept["hidden"], device)
    net.layers.load_state_dict(kept["layers"])
    net.ranges = kept["ranges"]
    return net


class Tables:
    """Games in step, with their arrays as tensors: the same memory, wherever it lies.

    On a GPU PyTorch and Numba both work on the default stream, so that neither overtakes the other
    and nobody has to wait.
    """

    def __init__(self, net: Net, size: int, seed: int, device: Device) -> None:
        """Begin all games."""
        threads = torch.get_num_threads() if device == "cpu" else 1
        self.batch = Batch(net.game, net.setup, size, seed, device, threads=threads)
        shared = partial(torch.as_tensor, device="cuda") if device == "cuda" else torch.from_dlpack
        self.observations, self.masks = shared(self.batch.observations), shared(self.batch.masks)
        self.asked, self.actions = shared(self.batch.asked), shared(self.batch.actions)
        self.rewards, self.done = shared(self.batch.rewards), shared(self.batch.done)

    def step(self) -> None:
        """Go on. Masks have been respected, so a GPU need not be asked and waited for."""
        self.batch.step(checked=False)


def choose(log_probs: Tensor) -> Tensor:
    """Actions by their chances: the first of clocks that ring at such rates."""
    clocks = torch.empty_like(log_probs).exponential_()
    return (log_probs.exp() / clocks).argmax(dim=-1)


def measure_ranges(net: Net, tables: Tables, steps: int = 256) -> None:
    """Scale what is seen by the largest number that came up in each place in games by chance."""
    for _ in range(steps):
        seen = tables.observations.abs().amax(dim=(0, 1))
        net.ranges = torch.maximum(net.ranges, seen.float())
        tables.batch.choose()
        tables.step()


# --- Learning ----------------------------------------------------------------------------------


class Rollout(NamedTuple):
    """Steps of all tables, to learn from. The axes are steps, games and, but for `done`, seats."""

    observations: Tensor
    masks: Tensor
    asked: Tensor
    actions: Tensor
    log_probs: Tensor
    values: Tensor
    rewards: Tensor
    done: Tensor


def room_for(tables: Tables, steps: int) -> Rollout:
    """An empty rollout, where the tables are."""

    def room(like: Tensor, kind: Any = None) -> Tensor:  # noqa: ANN401 - a dtype
        return torch.empty((steps, *like.shape), dtype=kind or like.dtype, device=like.device)

    return Rollout(
        observations=room(tables.observations),
        masks=room(tables.masks),
        asked=room(tables.asked),
        actions=room(tables.actions, torch.int64),
        log_probs=room(tables.rewards),
        values=room(tables.rewards),
        rewards=room(tables.rewards),
        done=room(tables.done),
    )


def play(net: Net, tables: Tables, rollout: Rollout) -> None:
    """Let the network play all seats for as many steps as there is room for."""
    for step in range(len(rollout.done)):
        log_probs, values = net(tables.observations, tables.masks)
        actions = choose(log_probs)
        rollout.observations[step] = tables.observations
        rollout.masks[step], rollout.asked[step] = tables.masks, tables.asked
        rollout.actions[step], rollout.values[step] = actions, values
        rollout.log_probs[step] = log_probs.gather(-1, actions[..., None])[..., 0]
        tables.actions.copy_(actions)
        tables.step()
        rollout.rewards[step], rollout.done[step] = tables.rewards, tables.done


def judge(rollout: Rollout) -> tuple[Tensor, Tensor]:
    """How much better each decision turned out than expected, and which of them can be judged.

    Each seat has a trajectory of its own: from one of its decisions to its next one, however many
    steps of others lie between, or to the end of the game, where it gets its reward whether it was
    asked last or not. The last decision before the rollout stops short of an end cannot be judged;
    what was expected of it judges the one before.
    """
    advantages = torch.zeros_like(rollout.values)
    judged = torch.zeros_like(rollout.asked)
    ahead, known = torch.zeros_like(advantages[0]), torch.zeros_like(judged[0])
    surplus, expected = ahead, ahead  # of the seat's next decision; `ahead` is the reward until it
    for step in reversed(range(len(rollout.done))):
        over, asked = rollout.done[step][:, None], rollout.asked[step]
        ahead = torch.where(over, rollout.rewards[step], ahead)
        surplus, expected = surplus.masked_fill(over, 0), expected.masked_fill(over, 0)
        known = known | over
        here = ahead + expected - rollout.values[step] + LAMBDA * surplus
        advantages[step], judged[step] = here, asked & known
        surplus = torch.where(asked & known, here, surplus)
        expected = torch.where(asked, rollout.values[step], expected)
        ahead, known = ahead.masked_fill(asked, 0), known | asked
    return advantages, judged


def learn(net: Net, optimiser: Any, rollout: Rollout) -> tuple[float, float]:  # noqa: ANN401
    """A few steps towards what turned out well; how unpredictable it plays, and how far it errs."""
    advantages, judged = judge(rollout)
    places = judged.flatten().nonzero()[:, 0]
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
    return float(entropy), float(error)


class Progress(NamedTuple):
    """How training goes."""

    share: float
    """Of the time it has."""
    decisions: int
    """Players' decisions so far."""
    entropy: float
    error: float


def train(
    net: Net, tables: Tables, steps: int, rate: float, seconds: float, cpu_seconds: float = inf
) -> Iterator[Progress]:
    """Play and learn in turns until the time is up, by the clock or by what it used of the cores."""
    optimiser = torch.optim.Adam(net.layers.parameters(), rate, eps=1e-5)
    rollout = room_for(tables, steps)
    began, used, decisions, share = perf_counter(), process_time(), 0, 0.0
    while share < 1:
        optimiser.param_groups[0]["lr"] = rate * (1 - share)
        with torch.no_grad():
            play(net, tables, rollout)
        entropy, error = learn(net, optimiser, rollout)
        decisions += int(rollout.asked.sum())
        clocks = ((perf_counter() - began) / seconds, (process_time() - used) / cpu_seconds)
        share = min(max(clocks), 1.0)
        yield Progress(share, decisions, entropy, error)


# --- How well it plays -------------------------------------------------------------------------


def against_uniform(net: Net, games: int, seed: int, device: Device = "cpu") -> Estimate:
    """The share of games that it wins alone among players who choose blindly.

    Every table counts with its first game, however long it takes: to stop after some steps would
    leave out the long ones. Who shares a win has a share of it.
    """
    tables = Tables(net, games, seed, device)
    own = torch.arange(games, device=device) % net.setup.seats  # the network's seat at each table
    mine = torch.nn.functional.one_hot(own, net.setup.seats).bool()
    won = torch.full((games,), -1.0, device=device)
    while (won < 0).any():
        for _ in range(16):
            with torch.no_grad():
                actions = choose(net(tables.observations, tables.masks)[0])
            tables.batch.choose()
            tables.actions.copy_(torch.where(mine, actions, tables.actions))
            tables.step()
            best = tables.rewards == tables.rewards.amax(dim=1, keepdim=True)
            part = (best & mine).sum(dim=1) / best.sum(dim=1)
            won = torch.where(tables.done & (won < 0), part, won)
    return share_of(won.tolist(), games)


class Trained:
    """A bot that plays as a network says, by its chances."""

    def __init__(self, game: AnyGame, setup: Setup[Any], draw: Draw, net: Net) -> None:
        """The network is one for this game and as many seats, on the CPU."""
        self._setup, self._draw, self._net = setup, draw, net
        self._kernel = kernel_of(game.NAME)
        self._numbers = {a: number for number, a in enumerate(self._kernel.actions(setup))}

    def act(self, sight: Sight[Any, Any, Any], seconds: float, /) -> Any:  # noqa: ANN401
        """One of what is legal, at once."""
        del seconds
        numbers = [self._numbers[action] for action in sight.legal]
        masks = torch.zeros(len(self._numbers), dtype=torch.bool)
        masks[numbers] = True
        seen = torch.tensor(self._kernel.features(self._setup, sight.view))
        with torch.no_grad():
            log_probs, _ = self._net(seen, masks)
        return sight.legal[drawn(log_probs[numbers].exp().tolist(), self._draw)]


@cache
def _loaded(path: Path) -> Net:
    torch.set_num_threads(1)  # each process has one core
    return load(path)


def play_against(path: Path, others: str, seed: int, number: int) -> float:
    """Play one game alone among others of this kind; which share of the win it gets."""
    net = _loaded(path)
    game, setup, rotation = net.game, net.setup, number // net.setup.seats
    own = number % setup.seats
    word = spec.read(others)
    luck = [chance(seed, number, str(seat)) for seat in range(setup.seats)]
    players = [
        Player(Trained(game, setup, draw, net), 1.0)
        if seat == own
        else spec.sit(word, game, setup, draw)
        for seat, draw in enumerate(luck)
    ]
    ended = play_out(game, setup, players, chance(seed, rotation, "nature")).outcome
    return (own in ended.winners) / len(ended.winners)


def against(path: Path, others: str, games: int, seed: int, jobs: int) -> Estimate:
    """The share of games that a saved network wins alone among bots, in processes.

    Seats rotate; a rotation, in which nature's luck is the same, is the unit of the interval.
    """
    net = load(path)
    seats = net.setup.seats
    bot = spec.sit(spec.read(others), net.game, net.setup, chance(0, 0, "warm")).bot
    getattr(bot, "warm", bool)()  # compiles once, and not in every process
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=spawn) as pool:
        numbers = range(-(-games // seats) * seats)
        won = list(pool.map(partial(play_against, path, others, seed), numbers))
    units = [sum(won[begin : begin + seats]) / seats for begin in numbers[::seats]]
    return share_of(units, len(won))


# --- From the command line ---------------------------------------------------------------------


def read(given: list[str]) -> argparse.Namespace:
    """What is asked for."""
    parser = argparse.ArgumentParser(description="Train a player in games against itself.")
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=WORD")
    parser.add_argument("--games", type=int, default=512, help="so many at once")
    parser.add_argument("--steps", type=int, default=64, help="of each before it learns again")
    parser.add_argument("--seconds", type=float, default=300, help="by the clock; 0: do not train")
    parser.add_argument("--cpu-seconds", type=float, default=inf, help="or on all cores together")
    parser.add_argument("--hidden", type=int, default=256, help="width of the network")
    parser.add_argument("--rate", type=float, default=1e-3, help="of learning, at the beginning")
    parser.add_argument("--device", choices=DEVICES, default="cpu")
    parser.add_argument("--threads", type=int, help="cores to use, without a GPU")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--load", type=Path, help="go on with this network")
    parser.add_argument("--save", type=Path, help="where to keep it")
    parser.add_argument("--evaluate", type=int, default=2000, help="games among blind players")
    parser.add_argument("--against", action="append", default=[], metavar="BOT",
                        help="play a saved network alone among such bots: greedy, search:0.1s")
    parser.add_argument("--matches", type=int, default=100, help="games against each")
    parser.add_argument("--jobs", type=int, default=2, help="processes for these")
    chosen = parser.parse_args(given)
    if chosen.against and not (chosen.save or chosen.load):
        parser.error("--against plays a network on disk: give --save or --load")
    return chosen


def begin(chosen: argparse.Namespace) -> Net:
    """The network that is asked for, with untouched or with loaded weights."""
    if chosen.load:
        return load(chosen.load, chosen.device)
    game = GAMES[chosen.game]
    words = dict(each.split("=", 1) for each in chosen.option)
    setup = Setup(chosen.seats, from_words(game.OPTIONS, words))
    game.start(setup)
    return Net(game, setup, chosen.hidden, chosen.device)


def main(given: list[str]) -> None:
    chosen = read(given)
    torch.manual_seed(chosen.seed)
    torch.set_float32_matmul_precision("high")
    if chosen.threads:
        torch.set_num_threads(chosen.threads)
    net = begin(chosen)
    def say(x): print(x, flush=True)
    if chosen.seconds:
        tables = Tables(net, chosen.games, chosen.seed, chosen.device)
        if not chosen.load:
            measure_ranges(net, tables)
        began, cpu, last = perf_counter(), process_time(), 0
        for p in train(net, tables, chosen.steps, chosen.rate, chosen.seconds, chosen.cpu_seconds):
            now = perf_counter()-began
            if now - last > 60 or p.share >= 1:
                last = now
                e=against_uniform(net, 1000, 99, chosen.device) if chosen.evaluate else None
                say(f"{p.share:4.0%} {now:5.0f}s cpu {process_time()-cpu:5.0f}s {p.decisions:>12,} decisions {p.decisions/now:,.0f}/s entropy {p.entropy:.3f} error {p.error:.3f} {e}")
        if chosen.save: net.save(chosen.save)
    say(against_uniform(net, chosen.evaluate, chosen.seed+1, chosen.device))
    for o in chosen.against:
        say((o, against(chosen.save or chosen.load, o, chosen.matches, chosen.seed, chosen.jobs)))


if __name__ == "__main__":
    main(sys.argv[1:])
