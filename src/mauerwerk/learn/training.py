"""Self-play for a time: play, learn, remember past players, and keep all of it to go on later."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from pickle import UnpicklingError
from time import perf_counter
from typing import Any, Final, NamedTuple

from mauerwerk.bots.net import temperature_of
from mauerwerk.core.errors import SetupError
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.networks.network import load
from mauerwerk.learn import rollout
from mauerwerk.learn.files import weights_in
from mauerwerk.learn.lessons import gathered, lessons
from mauerwerk.learn.network import Weights, approach, begun, learnable, moved, sharpened
from mauerwerk.learn.plan import Plan
from mauerwerk.learn.rooms import room_of
from mauerwerk.learn.tables import Tables
from mauerwerk.learn.updates import Losses, Settings, imitate, learn

torch: Any = import_module("torch")

CONTESTED: Final = 1 / 4
TAUGHT: Final = 1 / 2
CHALLENGED: Final = 7 / 8
"""The share of games in which the network has one seat among rivals: usually, with a teacher, and
with rivals in the plan."""
STAYS: Final = 16
"""For how many rounds a rival stays at a table on average, so that most games have only one."""
MOST_PAST: Final = 8
"""How many past players are kept."""
SNAPSHOTS: Final = 16
"""How many times in a training a past player is kept."""
FOLLOWS: Final = 0.02
"""How far the magnet moves towards the network after each round."""
PARTS: Final = 4
MOST_ROWS: Final = 1 << 15
"""How many minibatches an epoch has at least, and about how many decisions each has at most."""
RANGED: Final = 256
"""The number of random steps in which the scale of the inputs is measured."""


class Report(NamedTuple):
    """What a round of playing and learning showed."""

    share: float
    """The share of the time that has passed."""
    losses: Losses
    against_rivals: float
    """What the network wins against its rivals, where 1 would be as much as they do."""


class Training:
    """A network that learns, and all that belongs to it."""

    def __init__(self, plan: Plan) -> None:
        """Begin with a network that knows nothing. Raises SetupError if one cannot play it all."""
        self.plan = plan
        torch.manual_seed(plan.seed)
        self.tables = [
            Tables(plan, setup, plan.games, plan.seed + number)
            for number, setup in enumerate(plan.setups)
        ]
        shapes = {each.shape for each in self.tables}
        if len(shapes) != 1:
            raise SetupError("one network cannot play all of these: their actions differ")
        self.entropy = room_of(plan.game).ENTROPY
        """The weight of unpredictability at the beginning and at the end."""
        net = moved(begun(shapes.pop(), plan.widths), plan.device)
        if plan.start is None:
            net["scale"] = 1 / self._ranges()
        else:
            net = self._started(net, plan.start)
        self.begin(net)
        self.teacher: Weights | None = None
        """What was learnt from a teacher."""
        self.rivals = [self._rival_in(path) for path in plan.rivals]
        share = CHALLENGED if plan.rivals else TAUGHT if plan.teacher else CONTESTED
        self.own = [own_seats(each, share) for each in self.tables]
        self._met: list[Weights | None] = [None] * len(self.tables)
        self.seconds, self.decisions = 0.0, 0
        self.history: list[dict[str, float]] = []
        """What was shown on the way, for the curves."""
        self.wins = "nothing measured yet"

    def begin(self, net: Weights) -> None:
        """Begin to learn with a copy of this network, which has no past yet."""
        self.net, self.magnet, past = (moved(net, self.plan.device) for _ in range(3))
        self.past = [past]
        self.optimiser = torch.optim.Adam(learnable(self.net), self.plan.rate, eps=1e-5)

    def run(self, stopped: Callable[[], bool]) -> Iterator[Report]:
        """Train for the time of the plan, or until it is to stop; what was resumed counts."""
        share = self.share
        kept = int(share * SNAPSHOTS)
        while share < 1 and not stopped():
            before = perf_counter()
            losses, against_rivals = self._round(share)
            self.seconds += perf_counter() - before
            share = self.share
            if share * SNAPSHOTS >= kept + 1:
                kept += 1
                self.past = [*self.past[-MOST_PAST + 1 :], moved(self.net, self.plan.device)]
            yield Report(share, losses, against_rivals)

    @property
    def share(self) -> float:
        """The share of the time of the plan that has passed."""
        minutes = self.plan.minutes
        return min(self.seconds / 60 / minutes, 1.0) if minutes else 1.0

    def _round(self, share: float) -> tuple[Losses, float]:
        """Play at all tables, and learn from it."""
        plan = self.plan
        played: list[rollout.Played] = []
        with torch.no_grad():
            for number, (tables, own) in enumerate(zip(self.tables, self.own, strict=True)):
                if self._met[number] is None or torch.rand(()) < 1 / STAYS:
                    self._met[number] = self.rival()
                rival = self._met[number]
                played.append(rollout.play(self.net, rival, tables, own, plan.steps))
        decisions = [each.decisions for each in played]
        settings = self.settings(share, decisions)
        losses = learn(self.net, self.magnet, self.optimiser, decisions, settings)
        approach(self.magnet, self.net, FOLLOWS)
        self.decisions += sum(each.made for each in played)
        fair = [
            each.finished / tables.seats for each, tables in zip(played, self.tables, strict=True)
        ]
        won = sum(float(each.won) for each in played)
        return losses, won / max(sum(map(float, fair)), 1e-9)

    def settings(self, share: float, decisions: Sequence[rollout.Decisions]) -> Settings:
        """How to learn from these decisions after this share of the time."""
        plan, (first, last) = self.plan, self.entropy
        return Settings(
            rate=plan.rate * (1 - 0.9 * share),
            entropy=first + (last - first) * share,
            aim=kernel_of(plan.game.NAME).AIM,
            parts=max(PARTS, sum(len(each.actions) for each in decisions) // MOST_ROWS),
        )

    def rival(self) -> Weights:
        """A past player or, half of the time, a rival of the plan or what the teacher taught."""
        standing = [*self.rivals, *([self.teacher] if self.teacher is not None else [])]
        players = standing if standing and torch.rand(()) < 1 / 2 else self.past
        return players[int(torch.randint(len(players), ()))]

    def imitate(self) -> float:
        """Learn from the teacher first; how often the network would do the same as it."""
        plan = self.plan
        assert plan.teacher
        taught = gathered(list(lessons(plan, plan.teacher, plan.lessons)))
        same = imitate(self.net, self.optimiser, taught, plan.rate)
        self.teacher = moved(self.net, plan.device)
        self.begin(self.net)
        return same

    def _ranges(self) -> Any:  # noqa: ANN401 - a tensor
        """The largest number at each place of an observation in random games, at least 1."""
        most = torch.ones(self.tables[0].shape.inputs, device=self.plan.device)
        for tables in self.tables:
            for _ in range(RANGED):
                rows = tables.rows()
                most = torch.maximum(most, rows.observations.abs().amax(dim=0).float())
                tables.step(tables.choose()[: len(rows.games)])
        return most

    def _started(self, shaped: Weights, path: Path) -> Weights:
        """The network in a file. Raises SetupError if it is not for these games."""
        weights = self._fitting(path)
        if not _alike(shaped, weights):
            raise SetupError(f"{path} holds a network of another shape")
        return weights

    def _rival_in(self, path: Path) -> Weights:
        """The network in a file, as its bot plays. Raises SetupError if it cannot play here."""
        weights = moved(self._fitting(path), self.plan.device)
        return sharpened(weights, temperature_of(load(path), self.plan.game, self.plan.setups[0]))

    def _fitting(self, path: Path) -> Weights:
        """The network in a file. Raises SetupError if it sees or plays something else."""
        network = load(path)
        for setup in self.plan.setups:
            network.refuse(self.plan.game, setup)
        if network.remembers != self.plan.remember:
            raise SetupError(f"{path} holds a network of another shape")
        return weights_in(path)

    # --- To go on later ---

    def keep(self, path: Path) -> None:
        """Write everything that `resume` needs."""
        new = path.with_name(f"{path.name}.new")
        torch.save(
            {
                "game": self.plan.game.NAME,
                "remember": self.plan.remember,
                "net": self.net,
                "magnet": self.magnet,
                "past": self.past,
                "teacher": self.teacher,
                "optimiser": self.optimiser.state_dict(),
                "seconds": self.seconds,
                "decisions": self.decisions,
                "history": self.history,
            },
            new,
        )
        new.replace(path)

    def resume(self, path: Path) -> None:
        """Go on where `keep` left off. Raises SetupError if the file is not of such a training."""
        device = self.plan.device
        try:
            kept: Mapping[str, Any] = torch.load(path, map_location=device, weights_only=True)
            same = (kept["game"], kept["remember"]) == (self.plan.game.NAME, self.plan.remember)
            if not same or not _alike(self.net, kept["net"]):
                raise SetupError(f"{path} is of another training")
            self.net, self.magnet = moved(kept["net"], device), moved(kept["magnet"], device)
            self.past = [moved(each, device) for each in kept["past"]]
            self.teacher = kept["teacher"] and moved(kept["teacher"], device)
            self.optimiser = torch.optim.Adam(learnable(self.net), self.plan.rate, eps=1e-5)
            self.optimiser.load_state_dict(kept["optimiser"])
            self.seconds, self.decisions = kept["seconds"], kept["decisions"]
            self.history = kept["history"]
        except (OSError, EOFError, LookupError, RuntimeError, UnpicklingError) as fault:
            raise SetupError(f"{path} holds no training that can go on") from fault


def own_seats(tables: Tables, contested: float) -> Any:  # noqa: ANN401 - a tensor
    """Which seats are the network's: one in this share of the games, in the others all."""
    places = torch.arange(tables.size, device=tables.device)[:, None]
    alone = places % tables.seats == torch.arange(tables.seats, device=tables.device)
    own: Any = alone | (places >= tables.size * contested)
    return own


def _alike(one: Weights, other: Weights) -> bool:
    shapes = [{name: tensor.shape for name, tensor in each.items()} for each in (one, other)]
    return bool(shapes[0] == shapes[1])
