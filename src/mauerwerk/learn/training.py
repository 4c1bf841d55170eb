"""A training from beginning to end: progress, files and curves on the way.

Beside the file of the network are its curves (.svg), the figures that they show (.curve.json),
and what is needed to resume (.checkpoint).
"""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from mauerwerk.bots import spec
from mauerwerk.bots.networks import file_of
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Setup
from mauerwerk.lab.intervals import Estimate, share_of
from mauerwerk.learn import curves, files
from mauerwerk.learn.best_response import Exploiters
from mauerwerk.learn.config import Config
from mauerwerk.learn.env import VectorEnv
from mauerwerk.learn.evaluation import (
    GREEDY,
    Evaluator,
    Match,
    Point,
    first_outcomes,
    options_of,
    wins_among_random,
)
from mauerwerk.learn.network import Network
from mauerwerk.learn.trainer import Report, Trainer

torch: Any = import_module("torch")

EVERY: Final = 30.0
"""Seconds between two lines of progress, at most."""
LINES: Final = 40
"""How many lines a short training has, at most."""
MEASURING: Final = 20
"""At most one second in this many is spent on measuring progress, unless lines of progress"""
RARELY: Final = 120.0
"""would then be more than this many seconds apart."""
PROBE: Final = 200
"""Games among random players for each figure in a line of progress."""

PANELS: Final = {
    "wins": "wins of its likeliest actions among players who choose by chance, first setup",
    "sampled_wins": "the same if it samples its actions",
    "against_rivals": "wins against rivals: past players and others; 1: as many as they",
    "entropy": "entropy of its choices",
    "win_loss": "logarithmic loss of the shares of the win",
    "points_loss": "loss of the points",
    "hidden_loss": "logarithmic loss of what others hold",
}


def train(
    config: Config,
    path: Path,
    stopped: Callable[[], bool],
    say: Callable[[str], None],
    *,
    resume: bool = False,
) -> None:
    """Train as long as configured, or until it is to stop; write what was learnt now and then.

    Raises SetupError if that is impossible here.
    """
    if config.device == "cuda" and not torch.cuda.is_available():
        raise SetupError("PyTorch finds no GPU here")
    torch.set_float32_matmul_precision("high")
    torch.set_num_threads(config.threads)
    training = Training(config, path, say)
    if resume:
        training.resume()
    elif config.teacher:
        same = training.trainer.imitate()
        say(f"of decisions of {config.teacher} that it has not seen, it would make {same:.1%}")
    try:
        training.run(stopped)
        if not stopped():
            training.finish()
    finally:
        training.close()


class Training:
    """A trainer with its files and its curve."""

    def __init__(self, config: Config, path: Path, say: Callable[[str], None]) -> None:
        self.config, self.path, self._say = config, path, say
        self.trainer = Trainer(config)
        self.history: list[dict[str, float]] = []
        """The figures of each line of progress."""
        self.curve: list[Point] = []
        self.wins = "nothing measured yet"
        matches = _matches(config)
        self._on_device = [match for match in matches if _plays_there(match.opponent, self.trainer)]
        elsewhere = [match for match in matches if match not in self._on_device]
        self._evaluator = Evaluator(config, elsewhere) if elsewhere else None
        self._exploiters = Exploiters(self.trainer, say) if config.exploiters else None

    def run(self, stopped: Callable[[], bool]) -> None:
        """Train, and show and write progress."""
        trainer, minutes = self.trainer, self.config.minutes
        every = min(EVERY, minutes * 60 / LINES)
        shown, before = perf_counter(), trainer.report().decisions
        if not minutes:
            self.write()
        for report in trainer.run(stopped):
            if self._exploiters is not None:
                self._exploiters.follow()
            now = perf_counter()
            if now - shown >= every or report.share == 1 or stopped():
                self.write()
                self._measure()
                self._say(self._line(report, (report.decisions - before) / (now - shown)))
                self.write()
                shown, before = perf_counter(), report.decisions
                every = min(max(every, MEASURING * (shown - now)), RARELY)

    def finish(self) -> None:
        """Let the network that was learnt play its last matches, and wait for them."""
        if self._evaluator is not None:
            self._say("the network that was learnt plays its last matches")
            self._collect(wait=True)
            self._offer()
            self._collect(wait=True)
            self.write()

    def close(self) -> None:
        """End the processes that play matches."""
        if self._evaluator is not None:
            self._evaluator.close()

    # --- Progress ---

    def _line(self, report: Report, rate: float) -> str:
        """A line about the progress, which the history keeps too."""
        trainer, statistics = self.trainer, report.statistics
        minutes = trainer.seconds / 60
        wins, sampled_wins = (
            wins_among_random(self._plays, self._probe(0, PROBE), samples=samples)
            for samples in (False, True)
        )
        self.wins = f"{shown(wins)} among players of chance, sampling {shown(sampled_wins)}"
        self.history.append(
            {
                "minutes": minutes,
                "decisions": report.decisions,
                "rate": rate,
                "wins": wins.mean,
                "sampled_wins": sampled_wins.mean,
                "against_rivals": report.against_rivals,
                **statistics._asdict(),
            }
        )
        rivals = f"against rivals {report.against_rivals:.2f}; " if self.config.contested else ""
        return (
            f"{minutes:5.1f} min: {report.decisions:,} decisions, {rate:,.0f} a second; "
            f"entropy {statistics.entropy:.2f}, win loss {statistics.win_loss:.3f}, "
            f"clipped {statistics.clipped:.2f}, {rivals}wins {self.wins}"
        )

    @property
    def _plays(self) -> Network:
        """The result so far, in what the device plays with."""
        return self.trainer.magnet or self.trainer.player

    def _probe(self, setup: int, size: int) -> VectorEnv:
        return self.trainer.env(setup, size, len(self.history) + 1000)

    def _measure(self) -> None:
        """Play against networks, offer the network for other matches, and add what was played."""
        minutes, decisions = self.trainer.seconds / 60, self.trainer.report().decisions
        for setup, opponent in self._on_device:
            self._add(self._play_on_device(setup, opponent, minutes, decisions))
        self._collect()
        self._offer()

    def _offer(self) -> None:
        trainer = self.trainer
        if self._evaluator is not None:
            minutes, decisions = trainer.seconds / 60, trainer.report().decisions
            self._evaluator.offer(trainer.result, self._card(), minutes, decisions)

    def _collect(self, *, wait: bool = False) -> None:
        if self._evaluator is not None:
            for point in self._evaluator.finished(wait=wait):
                self._add(point)

    def _add(self, point: Point) -> None:
        self.curve.append(point)
        wins = f"wins {shown(point.wins)} of {point.games} games"
        self._say(f"{point.minutes:5.1f} min: {wins} alone {_among(point)}")

    def _play_on_device(
        self, setup: Setup[Any], opponent: str, minutes: float, decisions: int
    ) -> Point:
        """A match against a network or rules of thumb, with many games at once."""
        config, trainer = self.config, self.trainer
        others: Any = opponent
        if opponent != GREEDY:
            file = file_of(spec.read(opponent).file, config.game)
            others = files.rival_in(file, config.game, [setup], trainer.shape, config.device)
        games = -(-config.evaluation_games // setup.seats) * setup.seats
        env = self._probe(list(config.setups).index(setup), games)
        won = first_outcomes(self._plays, env, samples=env.together, others=others)[:, 0]
        options = options_of(setup)
        wins = share_of(won.tolist(), games)
        return Point(minutes, decisions, setup.seats, options, opponent, games, wins)

    # --- Files ---

    def write(self) -> None:
        """Write the network with its card, its curves, and what is needed to resume."""
        config, trainer, path = self.config, self.trainer, self.path
        files.save(path, trainer.result, self._card())
        state = trainer.state() | {"history": self.history, "curve": _plain(self.curve)}
        files.save_checkpoint(path.with_suffix(".checkpoint"), state)
        figures = {"history": self.history, "curve": _plain(self.curve)}
        path.with_suffix(".curve.json").write_text(json.dumps(figures, indent=1), encoding="utf-8")
        title = f"{config.game.TITLE}: {trainer.report().decisions:,} decisions, {config.device}"
        picture = curves.render(title, [*self.history, *_wins(self.curve)], _panels(self.curve))
        path.with_suffix(".svg").write_text(picture, encoding="utf-8")

    def resume(self) -> None:
        """Go on where the checkpoint left off. Raises SetupError if that is impossible."""
        path = self.path.with_suffix(".checkpoint")
        state = files.load_checkpoint(path)
        try:
            self.trainer.restore(state)
            self.history = state["history"]
            self.curve = [Point._make([*each[:-1], Estimate(*each[-1])]) for each in state["curve"]]
        except (LookupError, TypeError) as fault:
            raise SetupError(f"{path} holds no training that can go on") from fault
        if self.trainer.report().share == 1:
            raise SetupError(f"it has been trained for {self.config.minutes:g} minutes already")

    def _card(self) -> dict[str, str]:
        config, trainer = self.config, self.trainer
        card = files.card_of(config.game, config.setups, trainer.network, remember=config.remember)
        measured = f"{self.wins}, {config.setups[0].seats} seats, {PROBE} games"
        newest = {(each.opponent, each.seats, each.options): each for each in self.curve}
        for point in newest.values():
            measured += f"; {shown(point.wins)} of {point.games} games {_among(point)}"
        return card | {
            "trained": _trained(config),
            "minutes": f"{trainer.seconds / 60:.1f}",
            "decisions": f"{trainer.report().decisions}",
            "date": f"{datetime.now(UTC):%Y-%m-%d}",
            "wins": measured,
        }


def shown(share: Estimate) -> str:
    """A share of wins with its interval."""
    low, high = share.low or 0.0, share.high or 1.0
    return f"{share.mean:.1%} ({low:.1%} to {high:.1%})"


def _matches(config: Config) -> list[Match]:
    """The matches of the curve: each opponent at all tables that are measured and that it knows.

    These are the first setup with each number of seats, and the first with each choice of options.
    Raises SetupError if an opponent knows none of them.
    """
    chosen: dict[object, Setup[Any]] = {}
    for setup in config.setups:
        for key in (setup.seats, setup.options):
            chosen.setdefault(key, setup)
    setups = list({id(setup): setup for setup in chosen.values()}.values())
    matches: list[Match] = []
    for opponent in config.opponents:
        able = [setup for setup in setups if _can_play(opponent, config, setup)]
        if not able:
            spec.check([opponent], config.game, setups[0])
        matches += [Match(setup, opponent) for setup in able]
    return matches


def _plays_there(opponent: str, trainer: Trainer) -> bool:
    """Whether a bot plays on the device: a network, or greedy where the kernel has its rules."""
    compiled = opponent == GREEDY and len(trainer.envs[0].batch.suggestions) > 0
    return compiled or spec.read(opponent).name == spec.NET


def _can_play(opponent: str, config: Config, setup: Setup[Any]) -> bool:
    try:
        spec.check([opponent], config.game, setup)
    except SetupError:
        return False
    return True


def _trained(config: Config) -> str:
    """What a network went through, in the order of time."""
    parts: list[str] = []
    if config.start is not None:
        parts.append(f"began as {config.start.name}")
    if config.teacher is not None:
        parts.append(f"imitated {config.teacher} in {config.demonstrations} games of each setup")
    if config.minutes:
        parts.append(
            f"self-play on {config.device}: {len(config.setups)} setups, "
            f"{sum(config.sizes()):,} games at once, {config.steps} steps a rollout"
        )
    if config.minutes and config.magnet:
        parts.append(f"near a magnet ({config.magnet:g})")
    if config.minutes and config.greedy:
        parts.append(f"in {config.greedy:.0%} of the games against greedy")
    if config.minutes and config.contested:
        rivals = ", ".join(["its past", *(path.name for path in config.rivals)])
        parts.append(f"in {config.contested:.0%} of the games against {rivals}")
    return "; ".join(parts)


def _plain(curve: list[Point]) -> list[Any]:
    """Points of the curve as lists of numbers and words."""
    return [[*point[:-1], [point.wins.mean, point.wins.low, point.wins.high]] for point in curve]


def _name(point: Point) -> str:
    return f"{point.opponent} {point.seats} {point.options}"


def _among(point: Point) -> str:
    """The others, and the table."""
    options = f", {point.options}" if point.options else ""
    return f"among {point.opponent}, {point.seats} seats{options}"


def _wins(curve: list[Point]) -> list[dict[str, float]]:
    return [{"minutes": point.minutes, _name(point): point.wins.mean} for point in curve]


def _panels(curve: list[Point]) -> dict[str, str]:
    """The panels of the picture, with those of the curve first."""
    return {_name(point): f"wins alone {_among(point)}" for point in curve} | PANELS
