"""How well a network plays: alone among others, on the device or beside it.

Against networks and players of chance it plays where it learns, many games at once. Against other
bots it plays by the rules, in processes that do not hold up the training: `Evaluator` takes the
newest network whenever its processes are idle, and says later what came of it.
"""

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from importlib import import_module
from math import log
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal, NamedTuple

from mauerwerk.bots import spec
from mauerwerk.bots.search import RARE
from mauerwerk.core.game import Setup
from mauerwerk.core.options import to_words
from mauerwerk.lab.exploit import Contest
from mauerwerk.lab.intervals import Estimate, share_of
from mauerwerk.lab.workers import Processes, WorkError, map_unordered
from mauerwerk.learn import files
from mauerwerk.learn.config import Config
from mauerwerk.learn.env import GreedyBots, VectorEnv
from mauerwerk.learn.matches import Rotation, play_rotation
from mauerwerk.learn.network import FORBIDDEN, Network, Tensor, sample

torch: Any = import_module("torch")

GREEDY: Final = "greedy"
"""The bot that plays on the device, where the kernel has its rules of thumb."""
_STEPS: Final = 16
"""How many steps are made before looking whether all games are over."""


def first_outcomes(
    network: Network,
    env: VectorEnv,
    *,
    samples: bool,
    others: Network | Literal["greedy"] | None = None,
) -> Tensor:
    """What the network has alone among others: its share of the win, its points and its place.

    It takes its likeliest action, or samples one. The others choose by uniform chance, are greedy,
    or are a network that samples. In that case both play as their bots do, which never do what is
    unlikely.

    All games begin again, and the first of every place counts, however long it takes: games that
    others have begun, or those that happen to be over first, would give other results. A shared win
    counts in parts.
    """
    env.reset()
    places = torch.arange(env.size, device=env.device)
    greedy = GreedyBots(env, places) if others == GREEDY else None
    own = places % env.seats
    mine = own.repeat_interleave(env.rows_per_game)
    outcomes = torch.zeros(env.size, 3, device=env.device)
    over = torch.zeros(env.size, device=env.device).bool()
    while not over.all():
        for _ in range(_STEPS):
            with torch.no_grad():
                log_probs = network.forward(env.observations, env.masks, env.seats).log_probs
                if others is None:
                    env.choose()
                    actions = env.actions.clone()
                elif greedy is not None:
                    greedy.look_and_suggest()
                    actions = greedy.suggestions
                    log_probs = likely(log_probs)
                else:
                    assert isinstance(others, Network)
                    theirs = others.forward(env.observations, env.masks, env.seats).log_probs
                    actions = sample(likely(theirs)).to(env.actions.dtype)
                    log_probs = likely(log_probs)
            chosen = sample(log_probs) if samples else log_probs.argmax(dim=-1)
            is_mine = env.row_seats == mine
            env.actions.copy_(torch.where(is_mine, chosen.to(actions.dtype), actions))
            env.step()
            first = env.done.bool() & ~over
            outcomes = torch.where(first[:, None], env.outcomes()[places, :, own], outcomes)
            over = over | first
    return outcomes


def wins_among_random(network: Network, env: VectorEnv, *, samples: bool) -> Estimate:
    """The share of games that the network wins alone among players who choose by chance."""
    won = first_outcomes(network, env, samples=samples)[:, 0]
    return share_of(won.tolist(), env.size)


def likely(log_probs: Tensor) -> Tensor:
    """The same without actions that the bot of a network never takes, because they are unlikely.

    The likeliest stays, however many there are: an illegal action would destroy the environment.
    """
    least = log_probs.amax(dim=-1, keepdim=True).clamp(max=log(RARE))
    return log_probs.masked_fill(log_probs < least, FORBIDDEN)


# --- Beside the training ---------------------------------------------------------------------


class Match(NamedTuple):
    """A network alone among bots that are all alike."""

    setup: Setup[Any]
    opponent: str


class Point(NamedTuple):
    """One point of the curve of wins."""

    minutes: float
    decisions: int
    seats: int
    options: str
    opponent: str
    games: int
    wins: Estimate


class Evaluator:
    """Plays matches of the newest network, in processes of its own."""

    def __init__(self, config: Config, matches: Sequence[Match]) -> None:
        """Start nothing yet; `close` ends what was started."""
        self._config, self._matches = config, matches
        self._workers = Processes(config.evaluation_jobs, nice=5)
        self._folder = TemporaryDirectory()
        self._thread = ThreadPoolExecutor(1)
        self._running: Future[list[Point]] | None = None
        self._number = 0

    def offer(self, network: Network, card: dict[str, str], minutes: float, decisions: int) -> None:
        """Let this network play, if nothing is being played."""
        if self._running is not None:
            return
        self._number += 1
        path = Path(self._folder.name) / f"{self._number}.safetensors"
        files.save(path, network, card)
        self._running = self._thread.submit(self._play, path, minutes, decisions)

    def finished(self, *, wait: bool = False) -> list[Point]:
        """What came of the network that was offered last, once; nothing while it plays."""
        if self._running is None or not (wait or self._running.done()):
            return []
        running, self._running = self._running, None
        return running.result()

    def close(self) -> None:
        """Give up what is being played."""
        self._workers.close()
        if self._running is not None:
            self._running.exception()
        self._thread.shutdown()
        self._folder.cleanup()

    def _play(self, path: Path, minutes: float, decisions: int) -> list[Point]:
        config = self._config
        pieces: list[Rotation] = []
        for match, (setup, opponent) in enumerate(self._matches):
            contest = Contest(config.game.NAME, setup, opponent, config.seed + self._number)
            size = setup.seats
            games = -(-config.evaluation_games // size) * size
            pieces += [
                Rotation(match, contest, f"{spec.NET}:{path}", range(begin, begin + size))
                for begin in range(0, games, size)
            ]
        won: list[list[float]] = [[] for _ in self._matches]
        try:
            for match, share in map_unordered(play_rotation, pieces, self._workers):
                won[match].append(share)
        except WorkError:
            return []
        finally:
            path.unlink()
        return [
            Point(
                minutes,
                decisions,
                setup.seats,
                options_of(setup),
                opponent,
                len(units) * setup.seats,
                share_of(units, len(units) * setup.seats),
            )
            for (setup, opponent), units in zip(self._matches, won, strict=True)
        ]


def options_of(setup: Setup[Any]) -> str:
    """The options of a setup that are not as usual, in words."""
    usual = to_words(type(setup.options)())
    changed = {
        name: word for name, word in to_words(setup.options).items() if word != usual.get(name)
    }
    return ", ".join(f"{name}={word}" for name, word in changed.items())
