"""The trainer: self-play and learning, round by round, as long as the configuration says.

A round is a rollout in every environment, the returns of its games, and updates of the network from
minibatches. On a GPU each of these is a CUDA graph that is captured once, so that the GPU never
waits for Python; in between, only the environments take their steps.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from itertools import pairwise
from time import perf_counter
from typing import Any, Final, NamedTuple

from mauerwerk.core.errors import SetupError
from mauerwerk.learn import files, imitation
from mauerwerk.learn.config import Config
from mauerwerk.learn.env import VectorEnv
from mauerwerk.learn.network import Network, Tensor, Weights, from_weights, init
from mauerwerk.learn.ppo import Learner, Statistics, captured
from mauerwerk.learn.rollout import Rollout, Slot, Trajectories
from mauerwerk.learn.rooms import room_of

torch: Any = import_module("torch")

SNAPSHOTS: Final = 16
"""How many times in a training a past player is kept."""
RANGED: Final = 256
"""The number of random steps in which the scale of the inputs is measured."""
MOMENTS: Final = ("exp_avg", "exp_avg_sq")
"""What the optimiser keeps for each parameter."""


class Report(NamedTuple):
    """Where a training stands after a round."""

    share: float
    """The share of the time, or of the decisions, that has passed."""
    decisions: int
    """How many were learnt from so far."""
    statistics: Statistics
    against_rivals: float
    """What the network wins against its rivals, where 1 would be as much as they do."""


class Trainer:
    """A network that learns, and all that belongs to it."""

    def __init__(self, config: Config) -> None:
        """Begin with a network that knows nothing. Raises SetupError if one cannot play it all."""
        self.config = config
        torch.manual_seed(config.seed)
        self.envs = [self.env(number, size, number) for number, size in enumerate(config.sizes())]
        shapes = {env.shape for env in self.envs}
        if len(shapes) != 1:
            raise SetupError("one network cannot play all of these: their actions differ")
        (self.shape,) = shapes
        if not config.lookup:
            self.shape = self.shape._replace(lookup=None)
        self.entropy = config.entropy or room_of(config.game).ENTROPY
        """The entropy bonus at the beginning and at the end."""
        self.kind = torch.bfloat16 if config.device == "cuda" else torch.float32
        self.seconds, self._decisions_before = 0.0, 0
        self.rounds = 0
        self.begin(self._first_network())

    def begin(self, network: Network) -> None:
        """Begin to learn with a copy of this network, which has no past yet."""
        config, self.shape = self.config, network.shape
        self.network = network.copy(learns=True)
        self.player = self.network.copy(self.kind) if config.device == "cuda" else self.network
        """What plays: on a GPU a copy in bf16."""
        self.magnet = network.copy(self.kind) if config.magnet else None
        self._average = network.copy() if config.magnet else None
        held = torch.tensor(self.envs[0].held, dtype=torch.int64, device=config.device)
        self.learner = Learner(self.network, self.magnet, held, config)
        self.league = League(self._rivals(), self.kind)
        self.league.add(network)
        parts = _minibatches(config.minibatches, [env.size for env in self.envs])
        self.trajectories = Trajectories(self.shape, self.envs, config.steps, parts)
        self.rollouts = [
            Rollout(
                env, span, self.trajectories, self._slots(env, parts), config, config.seed + number
            )
            for number, (env, span) in enumerate(
                zip(self.envs, self.trajectories.spans, strict=True)
            )
        ]
        self._greedy = [each.greedy for each in self.rollouts if each.greedy is not None]
        self._pool = ThreadPoolExecutor(config.threads)
        self._looked: Any = torch.cuda.Event() if config.device == "cuda" else None
        self._streams = [torch.cuda.Stream() for _ in self.envs if config.device == "cuda"]
        self._work: _Work | None = None

    def env(self, number: int, size: int, seed: int) -> VectorEnv:
        """This many games of a setup; the seed is added to that of the configuration."""
        config = self.config
        return VectorEnv(
            config.game,
            config.setups[number],
            size,
            config.seed + seed,
            config.device,
            remember=config.remember,
            suggest=config.greedy > 0,
            threads=config.threads,
        )

    def _first_network(self) -> Network:
        config = self.config
        if config.start is None:
            return init(self.shape, config.widths, 1 / self._ranges())
        network = files.network_in(
            config.start, config.game, config.setups, self.shape, config.device
        )
        seen = len(files.weights_in(config.start)["scale"])
        own = network.widths, network.shape, seen
        if own != (tuple(config.widths), self.shape, self.shape.inputs):
            raise SetupError(f"{config.start} holds a network of another shape")
        return network

    def _ranges(self) -> Tensor:
        """The largest number at each place of an observation in random games, at least 1."""
        most = torch.ones(self.shape.inputs, device=self.config.device)
        for env in self.envs:
            for _ in range(RANGED):
                most = torch.maximum(most, env.observations.amax(dim=0).float())
                env.choose()
                env.step()
        return most

    def _rivals(self) -> list[Network]:
        """The rivals of the configuration, as their bots play, with as many units as the network.

        Raises SetupError if one has more.
        """
        config, widths = self.config, self.network.widths
        rivals: list[Network] = []
        for path in config.rivals:
            rival = files.rival_in(path, config.game, config.setups, self.shape, config.device)
            if rival.shape != self.shape:
                raise SetupError(
                    f"{path} holds a network of another shape than the one that learns"
                )
            rival = rival.rescaled(self.network.scale).widened(widths)
            if rival.widths != widths:
                raise SetupError(f"{path} holds a network with more units than the one that learns")
            rivals.append(rival)
        return rivals

    def _slots(self, env: VectorEnv, parts: int) -> list[Slot]:
        """Which games of an environment have rivals; each slot begins with the present network."""
        config, size, number = self.config, env.size // parts, self.config.rival_slots
        first = round(size * config.greedy)
        ends = [first + round(size * config.contested * at / number) for at in range(number + 1)]
        slots = [
            Slot(self.network.copy(self.kind), slice(begin, end))
            for begin, end in pairwise(ends)
            if begin < end
        ]
        return [Slot(None, slice(0, first)), *slots] if first else slots

    # --- Rounds ---

    def run(self, stopped: Callable[[], bool]) -> Iterator[Report]:
        """Train as long as configured, or until it is to stop; what was resumed counts."""
        report = self.report()
        kept = int(report.share * SNAPSHOTS)
        while report.share < 1 and not stopped():
            self.round(report.share)
            report = self.report()
            if report.share * SNAPSHOTS >= kept + 1:
                kept += 1
                self.snapshot()
            yield report

    @property
    def result(self) -> Network:
        """What a training is for: the average of past policies, or without a magnet the network.

        Where seats choose together, the network goes in circles; their average is harder to read.
        """
        return self._average or self.network

    def snapshot(self) -> None:
        """Let the network as it is now become a rival, if there are games with rivals."""
        if self.config.contested:
            self.league.add(self.network)

    def round(self, share: float) -> None:
        """Play in all environments, and learn from it."""
        before = perf_counter()
        config, work = self.config, self.work
        self.schedule(share)
        for rollout in self.rollouts:
            self.league.refresh(rollout.slots)
        for act in work.act:
            work.look()
            act()
            self._suggest()
            work.act_greedily()
            for env in self.envs:
                env.step()
        work.finish()
        for _ in range(config.epochs):
            for part in torch.randperm(self.trajectories.parts).tolist():
                work.updates[part]()
        if self.player is not self.network:
            self.player.load(self.network)
        if self.magnet is not None and self._average is not None:
            self._average.ema_update(self.network, config.magnet_rate)
            self.magnet.load(self._average)
        self.rounds += 1
        self.learnt = self._count()
        self.seconds += perf_counter() - before

    def schedule(self, share: float) -> None:
        """Set what changes over time."""
        config, (first, last) = self.config, self.entropy
        rate = config.learning_rate * (1 + (config.final_learning_rate - 1) * share)
        self.learner.schedule(rate, first + (last - first) * share)

    def _count(self) -> int:
        """How many decisions were learnt from. On a GPU this waits for the round to end."""
        return self._decisions_before + int(self.trajectories.learnt)

    def report(self) -> Report:
        """Where the training stands."""
        config = self.config
        decisions = self._count()
        share = self.seconds / 60 / config.minutes if config.minutes else 1.0
        if config.decisions is not None:
            share = max(share, decisions / config.decisions)
        finished = won = 0.0
        for rollout in self.rollouts:
            ended, shares = rollout.contested.tolist()
            finished, won = finished + ended / rollout.env.seats, won + shares
        statistics = Statistics(*self.learner.statistics.tolist())
        return Report(min(share, 1.0), decisions, statistics, won / max(finished, 1e-9))

    @property
    def work(self) -> "_Work":
        """What a round does, captured when it is first needed."""
        if self._work is None:
            plain = self._plain_work()
            self._work = self._captured(plain) if self.config.device == "cuda" else plain
        return self._work

    def _plain_work(self) -> "_Work":
        return _Work(
            look=self._look,
            act=[partial(self._act, step) for step in range(self.config.steps)],
            act_greedily=self._act_greedily,
            finish=self._finish,
            updates=[partial(self._update, part) for part in range(self.trajectories.parts)],
        )

    def _act(self, step: int) -> None:
        with torch.no_grad():
            self._side_by_side([partial(each.act, self.player, step) for each in self.rollouts])

    def _look(self) -> None:
        for bots in self._greedy:
            bots.look()

    def _suggest(self) -> None:
        """Let greedy bots of all environments think, while the GPU lets the network choose."""
        if not self._greedy:
            return
        if self.config.device == "cuda":
            self._looked.synchronize()
        for _ in self._pool.map(self._think, range(self.config.threads)):
            pass
        for bots in self._greedy:
            bots.suggest()

    def _think(self, share: int) -> None:
        """One thread has its share of the games of all environments: it is woken once a step."""
        for bots in self._greedy:
            bots.think(share, self.config.threads)

    def _act_greedily(self) -> None:
        for rollout in self.rollouts:
            rollout.act_greedily()

    def _finish(self) -> None:
        with torch.no_grad():
            self._side_by_side([partial(each.finish, self.player) for each in self.rollouts])
            self.trajectories.finish()

    def _side_by_side(self, works: list[Callable[[], None]]) -> None:
        """Do work of several environments, on a GPU at the same time, since each alone is small."""
        if self.config.device != "cuda" or len(works) == 1:
            for work in works:
                work()
            return
        here = torch.cuda.current_stream()
        for work, stream in zip(works, self._streams, strict=True):
            stream.wait_stream(here)
            with torch.cuda.stream(stream):
                work()
        for stream in self._streams:
            here.wait_stream(stream)

    def _update(self, part: int) -> None:
        self.learner.update(self.trajectories.minibatch(part), self.trajectories.norms[part])

    def _captured(self, plain: "_Work") -> "_Work":
        """The same as CUDA graphs; learning while they warm up is undone."""
        pool = torch.cuda.graph_pool_handle()
        before, moments = self.network.copy(), self.moments()
        look = captured(plain.look, pool=pool) if self._greedy else plain.look

        def look_and_say() -> None:
            look()
            self._looked.record()

        work = _Work(
            look=look_and_say,
            act=[captured(each, pool=pool) for each in plain.act],
            act_greedily=captured(plain.act_greedily, pool=pool)
            if self._greedy
            else plain.act_greedily,
            finish=captured(plain.finish, pool=pool),
            updates=[captured(each, pool=pool) for each in plain.updates],
        )
        self.network.load(before)
        self.restore_moments(moments)
        self.trajectories.learnt.zero_()
        for rollout in self.rollouts:
            rollout.contested.zero_()
        return work

    # --- Imitation ---

    def imitate(self) -> float:
        """Learn what the teacher does; how often the network would do the same then."""
        config = self.config
        assert config.teacher is not None
        same = imitation.imitate(self.learner, config)
        if self.player is not self.network:
            self.player.load(self.network)
        self.restore_moments({})
        self.league.standing.append(self.network.copy(self.kind))
        self.league.past = [self.network.copy(self.kind)]
        for each in (self.magnet, self._average):
            if each is not None:
                each.load(self.network)
        return same

    # --- To go on later ---

    def state(self) -> dict[str, Any]:
        """Everything that `restore` needs, without padding, so that any device can go on."""
        return {
            "game": self.config.game.NAME,
            "remember": self.config.remember,
            "network": _on_cpu(self.network.weights()),
            "average": _on_cpu(self._average.weights()) if self._average is not None else None,
            "moments": self.moments(),
            "league": {
                name: [_on_cpu(each) for each in kept] for name, kept in self.league.state().items()
            },
            "standing": [
                _on_cpu(each.copy(torch.float16).weights()) for each in self.league.standing
            ],
            "seconds": self.seconds,
            "decisions": self._count(),
            "rounds": self.rounds,
            "random": torch.get_rng_state(),
            "counters": [int(rollout.counter) for rollout in self.rollouts],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on where `state` left off. Raises SetupError if that was another training."""
        config = self.config
        if (state.get("game"), state.get("remember")) != (config.game.NAME, config.remember):
            raise SetupError("the checkpoint is of another training")
        network = from_weights(self.shape, state["network"], config.device)
        if network.widths != self.network.widths:
            raise SetupError("the checkpoint is of another training")
        self.network.scale.copy_(network.scale)
        self.network.load(network)
        if self.player is not self.network:
            self.player.load(network)
        if self._average is not None and self.magnet is not None:
            kept = state["average"] or state["network"]
            self._average.load(from_weights(self.shape, kept, config.device))
            self.magnet.load(self._average)
        self.restore_moments(state["moments"])
        self.league.restore(state["league"], self.network)
        self.league.standing = [
            from_weights(self.shape, weights, config.device).copy(self.kind)
            for weights in state["standing"]
        ]
        self.seconds, self.rounds = state["seconds"], state["rounds"]
        self._decisions_before = state["decisions"] - int(self.trajectories.learnt)
        torch.set_rng_state(state["random"])
        for rollout, counter in zip(self.rollouts, state["counters"], strict=False):
            rollout.counter.fill_(counter)
            for slot in rollout.slots:
                if slot.rival is not None:
                    slot.rival.load(self.league.pick())

    def moments(self) -> dict[str, Any]:
        """What the optimiser keeps, by names of the network's file."""
        parameters = self.network.parameters
        kept = self.learner.optimiser.state
        if not all(kept.get(parameter) for parameter in parameters.values()):
            return {}
        found: dict[str, Any] = {
            moment: _on_cpu(
                Network(
                    self.shape,
                    {name: kept[tensor][moment] for name, tensor in parameters.items()},
                    self.network.scale,
                ).weights()
            )
            for moment in MOMENTS
        }
        return found | {"step": float(kept[parameters["body.0.bias"]]["step"])}

    def restore_moments(self, found: Mapping[str, Any]) -> None:
        """Let the optimiser keep this, in place; without anything, let it forget."""
        optimiser, device = self.learner.optimiser, self.config.device
        networks = {
            moment: from_weights(self.shape, found[moment], device) for moment in MOMENTS if found
        }
        for name, parameter in self.network.parameters.items():
            kept = optimiser.state[parameter]
            if not kept:
                where = device if device == "cuda" else "cpu"
                kept["step"] = torch.zeros((), device=where)
                kept |= {moment: torch.zeros_like(parameter) for moment in MOMENTS}
            kept["step"].fill_(found.get("step", 0.0))
            for moment in MOMENTS:
                if found:
                    kept[moment].copy_(networks[moment].parameters[name])
                else:
                    kept[moment].zero_()


class _Work(NamedTuple):
    """What a round consists of, beside the steps of the environments."""

    look: Callable[[], None]
    """Greedy bots look at their games."""
    act: list[Callable[[], None]]
    """The network acts, at each step."""
    act_greedily: Callable[[], None]
    finish: Callable[[], None]
    updates: list[Callable[[], None]]
    """For each minibatch."""


def _minibatches(most: int, sizes: list[int]) -> int:
    """The largest number of minibatches up to `most` that divides the games of every setup."""
    return next(parts for parts in range(most, 0, -1) if all(size % parts == 0 for size in sizes))


def _on_cpu(weights: Weights) -> Weights:
    return {name: tensor.detach().cpu().clone() for name, tensor in weights.items()}


# --- The league -----------------------------------------------------------------------------------


STAYS: Final = 16
"""For how many rollouts a rival stays on average, so that most games have only one."""
MOST_PAST: Final = 8
"""How many past players are kept."""
MOST_EXPLOITERS: Final = 4


class League:
    """Rivals that have all seats but one in a share of the games.

    They are past versions of the network, networks from files, the pupil of a teacher, and
    exploiters. Playing against more than itself keeps a network from forgetting how to beat what it
    left behind.
    """

    def __init__(self, standing: Sequence[Network], kind: Any) -> None:  # noqa: ANN401 - a dtype
        """`standing` are rivals that stay for the whole training; `kind` is what is played with."""
        self._kind = kind
        self.standing = [rival.copy(kind) for rival in standing]
        self.past: list[Network] = []
        self.exploiters: list[Network] = []

    def add(self, network: Network) -> None:
        """Keep a copy of the network as it is now; of too many, one between first and last goes."""
        self.past.append(network.copy(self._kind))
        if len(self.past) > MOST_PAST:
            del self.past[int(torch.randint(1, MOST_PAST, ()))]

    def add_exploiter(self, network: Network) -> None:
        """Keep an exploiter as a rival."""
        self.exploiters = [*self.exploiters, network.copy(self._kind)][-MOST_EXPLOITERS:]

    def pick(self) -> Network:
        """A past player or, half of the time, one of the other rivals."""
        others = [*self.standing, *self.exploiters]
        players = others if others and torch.rand(()) < 1 / 2 else self.past
        return players[int(torch.randint(len(players), ()))]

    def refresh(self, slots: Sequence[Slot]) -> None:
        """Let other rivals take over some of the slots."""
        for slot in slots:
            if slot.rival is not None and torch.rand(()) < 1 / STAYS:
                slot.rival.load(self.pick())

    def state(self) -> dict[str, list[Weights]]:
        """What a checkpoint keeps."""
        return {
            name: [network.copy(torch.float16).weights() for network in getattr(self, name)]
            for name in ("past", "exploiters")
        }

    def restore(self, state: dict[str, list[Weights]], like: Network) -> None:
        """Be as the league was when the checkpoint was written."""
        device = like.scale.device
        for name, kept in state.items():
            networks = [from_weights(like.shape, weights, device) for weights in kept]
            setattr(self, name, [network.copy(self._kind) for network in networks])
