"""A network that learns a best response to a frozen player: for whole games.

It plays one seat, and the frozen player has all others. A frozen network plays on the device, in
the environments. Any other bot plays by the rules, in processes of its own. What is found is what
this exploiter gains: a best response gains at least as much.

The exploiter begins as the frozen player, or as a network that imitates it, and sees what a perfect
memory knows, where the kernel has that. The win and the lead in points both count, as in
`mauerwerk train`.
"""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final, NamedTuple

from mauerwerk.bots import spec
from mauerwerk.bots.net import temperature_of
from mauerwerk.bots.networks import file_of
from mauerwerk.core.errors import SetupError
from mauerwerk.games import GAMES
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.compiler import Device
from mauerwerk.kernels.networks import network as playing
from mauerwerk.lab.exploit import Contest, Gains, Result, gains_of
from mauerwerk.lab.workers import Workers, map_unordered, processes
from mauerwerk.learn import files, imitation
from mauerwerk.learn.config import Config
from mauerwerk.learn.demonstrations import Demonstration
from mauerwerk.learn.evaluation import first_outcomes
from mauerwerk.learn.matches import SampledGames, play_sampled
from mauerwerk.learn.network import Network, Weights, from_weights
from mauerwerk.learn.ppo import Minibatch
from mauerwerk.learn.trainer import Report, Trainer

torch: Any = import_module("torch")

AT_ONCE: Final = {"cpu": 192, "cuda": 16_384}
"""Games at once, by device."""
ENTROPY: Final = (0.02, 0.001)
"""A best response need not be unpredictable, but it has to try things."""
SOFTER: Final = 2.0
"""The temperature of the exploiter at first, compared with the frozen player."""
GAMES_IN_A_PIECE: Final = 12
PIECES: Final = 4
"""How many games against a bot a worker plays at a time, and how often before each update."""
MINIBATCH: Final = 4096
"""How many decisions against a bot are learnt at a time."""
PROBE: Final = 512
"""Games to find out whether the exploiter should sample its actions."""
EVERY: Final = 30.0
"""Seconds between two lines of progress."""


class BestResponse(Trainer):
    """A network that learns to answer a frozen one."""

    def __init__(
        self, config: Config, frozen: Weights | None = None, temperature: float = 1.0
    ) -> None:
        """Begin as the frozen network, or, where that is None, with one that knows nothing.

        The frozen network plays with this temperature. It may see less than there is to see here.
        """
        alone: dict[str, Any] = {
            "contested": 1.0,
            "rival_slots": 1,
            "exploiters": 0.0,
            "greedy": 0.0,
        }
        alone |= {"entropy": ENTROPY, "magnet": 0.0, "rivals": (), "start": None}
        super().__init__(replace(config, **alone))
        if frozen is not None:
            fitted = from_weights(self.shape, frozen, config.device)
            inputs = len(frozen["scale"])
            fitted.scale[inputs:] = self.network.scale[inputs:]
            self.begin(fitted.widened(config.widths))
            self.answer(fitted.sharpened(temperature), self.network)

    def answer(self, frozen: Network, begin: Network) -> None:
        """Play against this network from now on, and begin as a softer copy of another."""
        self.frozen = frozen.copy(self.kind)
        self.network.load(begin.sharpened(SOFTER))
        if self.player is not self.network:
            self.player.load(self.network)
        self.restore_moments({})
        self.league.past = [self.frozen]
        for rollout in self.rollouts:
            rollout.contested.zero_()
            for slot in rollout.slots:
                if slot.rival is not None and slot.rival.widths == frozen.widths:
                    slot.rival.load(frozen)
                else:
                    rollout.slots[0] = slot._replace(rival=self.frozen)
                    self._work = None

    def snapshot(self) -> None:
        """The only rival stays the frozen player."""

    def samples(self) -> bool:
        """Whether it should sample its actions, by what that wins here."""
        won = [
            float(
                first_outcomes(
                    self.player, self.env(0, PROBE, 1000), samples=samples, others=self.frozen
                )[:, 0].mean()
            )
            for samples in (False, True)
        ]
        return won[1] > won[0]

    def gains(self, contest: Contest, games: int, *, samples: bool) -> Gains:
        """What it gains, on the device where it learnt, in this many games or a few more."""
        size = -(-games // contest.setup.seats) * contest.setup.seats
        results = [
            first_outcomes(
                network, self.env(0, size, seed), samples=sampling, others=self.frozen
            ).tolist()
            for network, sampling, seed in (
                (self.player, samples, 2000),
                (self.frozen, True, 3000),
            )
        ]
        own, frozen = (
            [Result(number, won, place, points) for number, (won, points, place) in enumerate(each)]
            for each in results
        )
        return gains_of(contest, own, frozen)


class Exploiters:
    """Best responses to a network that is being trained, which then become its rivals."""

    def __init__(self, trainer: Trainer, say: Callable[[str], None]) -> None:
        """The first one begins when `follow` is called."""
        self._trainer, self._say = trainer, say
        self._response: BestResponse | None = None
        self._owed, self._rounds = 0.0, 0

    def follow(self) -> None:
        """Learn for as many rounds as the configuration allows after a round of the trainer."""
        trainer, config = self._trainer, self._trainer.config
        self._owed += config.exploiters / (1 - config.exploiters)
        before = perf_counter()
        while self._owed >= 1:
            self._owed -= 1
            response = self._response = self._response or BestResponse(
                config, trainer.result.weights()
            )
            response.round(self._rounds / config.exploiter_rounds)
            self._rounds += 1
            if self._rounds == config.exploiter_rounds:
                won = response.report().against_rivals
                self._say(f"an exploiter wins {won:.2f} times a fair share while it learns")
                trainer.league.add_exploiter(response.network)
                response.answer(trainer.result, trainer.result)
                self._rounds = 0
        trainer.seconds += perf_counter() - before


def config_for(
    contest: Contest, *, device: Device, minutes: float, demonstrations: int, threads: int
) -> Config:
    """What is to be learnt, and for how long. Raises SetupError if that is impossible here."""
    if device == "cuda" and not torch.cuda.is_available():
        raise SetupError("PyTorch finds no GPU here")
    game = GAMES[contest.game]
    return Config(
        game=game,
        setups=[contest.setup],
        device=device,
        games=AT_ONCE[device],
        minutes=minutes,
        seed=contest.seed,
        teacher=None if spec.read(contest.frozen).name == spec.NET else contest.frozen,
        demonstrations=demonstrations,
        remember=hasattr(kernel_of(game.NAME), "memory"),
        threads=threads,
    )


class Answer(NamedTuple):
    """An exploiter that has learnt."""

    bot: str
    """Its word."""
    trainer: BestResponse
    samples: bool

    def gains(self, contest: Contest, games: int) -> Gains | None:
        """What it gains against a network, without leaving the device; None for other bots."""
        if isinstance(self.trainer, BotResponse):
            return None
        return self.trainer.gains(contest, games, samples=self.samples)


def exploiter(
    contest: Contest,
    config: Config,
    path: Path,
    stopped: Callable[[], bool],
    say: Callable[[str], None],
) -> Answer:
    """Learn to answer the frozen player, and write the network that does it into a file."""
    torch.set_float32_matmul_precision("high")
    torch.set_num_threads(config.threads)
    with ExitStack() as stack:
        trainer: BestResponse
        if config.teacher is None:
            file = file_of(spec.read(contest.frozen).file, config.game)
            temperature = temperature_of(playing.load(file), config.game, contest.setup)
            trainer = BestResponse(config, files.weights_in(file), temperature)
        else:
            workers = stack.enter_context(processes(config.threads))
            folder = Path(stack.enter_context(TemporaryDirectory()))
            trainer = answering = BotResponse(config, contest, workers, folder)
            say(f"the network learnt to make {answering.same:.1%} of {contest.frozen}'s decisions")
        _learn(trainer, stopped, say)
        samples = trainer.samples()
    card = files.card_of(config.game, config.setups, trainer.network, remember=config.remember) | {
        "temperature": str(float(samples)),
        "trained": f"as a best response to {contest.frozen} on {config.device}",
        "minutes": f"{trainer.seconds / 60:.1f}",
        "decisions": str(trainer.report().decisions),
    }
    files.save(path, trainer.network, card)
    return Answer(f"{spec.NET}:{path}", trainer, samples)


class BotResponse(BestResponse):
    """A network that learns to answer a bot, by games that are played elsewhere."""

    def __init__(self, config: Config, contest: Contest, workers: Workers, folder: Path) -> None:
        """Learn to imitate the bot first; networks travel to the workers in this folder."""
        super().__init__(config)
        self._contest, self._workers, self._folder = contest, workers, folder
        self._played, self._learnt, self._won = 0, 0, 0.0
        self.same = self.imitate()
        """How often it would have done what the bot did."""
        self.answer(self.network, self.network)

    def round(self, share: float) -> None:
        """Play against the bot, and learn from it."""
        before = perf_counter()
        config, size = self.config, GAMES_IN_A_PIECE
        path = self._folder / f"answer-{self._played}.safetensors"
        card = files.card_of(config.game, config.setups, self.network, remember=config.remember)
        files.save(path, self.network, card)
        games = self._workers.size * PIECES * size
        pieces = [
            SampledGames(self._contest, str(path), range(begin, begin + size), config.remember)
            for begin in range(self._played, self._played + games, size)
        ]
        played = list(map_unordered(play_sampled, pieces, self._workers))
        path.unlink()
        self._played += games
        self._won += sum(each.won for each in played)
        if rows := [each.rows for each in played if each.rows is not None]:
            self._learn_from(imitation.joined(rows, config.device), share)
        self.seconds += perf_counter() - before

    def _learn_from(self, shown: Demonstration, share: float) -> None:
        config = self.config
        self.schedule(share)
        aim: int = kernel_of(config.game.NAME).AIM
        rows = imitation.minibatch_of(shown, self.network, aim, config)
        for _ in range(config.epochs):
            for part in torch.randperm(len(rows.actions), device=config.device).split(MINIBATCH):
                some = Minibatch(*(field[part] for field in rows))
                norms = torch.full((2,), 1 / len(part), device=config.device)
                self.learner.update(some, norms)
        self._learnt += len(rows.actions)

    def report(self) -> Report:
        """Where the training stands, by the games that were played elsewhere."""
        report = super().report()
        if not self._played:
            return report
        won = self._won / self._played * self._contest.setup.seats
        return report._replace(decisions=self._learnt, against_rivals=won)

    def samples(self) -> bool:
        """As it learnt: there are no games here to find out what is better."""
        return True


def _learn(trainer: BestResponse, stopped: Callable[[], bool], say: Callable[[str], None]) -> None:
    shown = perf_counter()
    for report in trainer.run(stopped):
        if perf_counter() - shown >= EVERY or report.share == 1:
            shown = perf_counter()
            say(
                f"{trainer.seconds / 60:5.1f} min: {report.decisions:,} decisions; while it "
                f"learns it wins {report.against_rivals:.2f} times a fair share"
            )
