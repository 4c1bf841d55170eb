"""A bot of this project alone against OpenSpiel's Python ISMCTS with equal time.

    python -m bench.against_openspiel search:0.2s [--game mauer] [--seats 3] [--set rounds=1]
        [--games 48] [--jobs 2] [--seed 1] [--compiled] [--uct 1.0]

In each game one seat is the bot's, and all others are ISMCTS, which has the bot's time for each
decision, or `--seconds` where the bot has none. Seats rotate: the games of a rotation have the same
luck. ISMCTS stops at the end of a simulation, plays what it visited most, and never sees more than
its information state. Its rollouts are OpenSpiel's own; with `--compiled` they are
`openspiel.RolloutEvaluator`, which makes it several times as fast, and stronger.
"""

import sys
from argparse import ArgumentParser
from importlib import import_module
from time import perf_counter
from typing import Any, Final, NamedTuple

import numpy as np

from mauerwerk.adapters import openspiel
from mauerwerk.bots import spec
from mauerwerk.core.game import NATURE, Seat, draw_lot
from mauerwerk.lab.intervals import share_of
from mauerwerk.lab.match.match import chance
from mauerwerk.lab.workers import map_unordered, processes

ENDLESS: Final = 1 << 30
"""More simulations than there is time for."""


class Task(NamedTuple):
    """A game: which seat is the bot's, and by which chance."""

    game: str
    seats: int
    options: dict[str, Any]
    bot: str
    seconds: float
    compiled: bool
    uct: float
    seed: int
    number: int

    @property
    def rotation(self) -> int:
        """Which games have the same luck."""
        return self.number // self.seats


class Result(NamedTuple):
    """What came of a game."""

    rotation: int
    won: float
    """The bot's share of the win."""
    points: float
    """Its points, less the mean of the others."""
    simulations: list[int]
    """How many ISMCTS made for each of its decisions."""
    longest: tuple[float, float]
    """The longest decision of the bot and of ISMCTS, in seconds."""


class _TimeIsUpError(Exception):
    """No simulation begins any more."""


def timed_ismcts(game: Any, task: Task, draw: Any) -> Any:  # noqa: ANN401 - OpenSpiel's
    """OpenSpiel's bot; `think(state, seconds)` is its action and its number of simulations."""
    ismcts = import_module("open_spiel.python.algorithms.ismcts")
    mcts = import_module("open_spiel.python.algorithms.mcts")
    evaluator = openspiel.RolloutEvaluator if task.compiled else mcts.RandomRolloutEvaluator
    base: Any = ismcts.ISMCTSBot

    class Timed(base):  # type: ignore[misc] # it has no types
        """It has only a number of simulations, so time is up where one would begin.

        The first simulation only looks at the root, so there are at least two.
        """

        def sample_root_state(self, state: Any) -> Any:  # noqa: ANN401
            if self.made > 1 and perf_counter() >= self.until:
                raise _TimeIsUpError
            self.made += 1
            return super().sample_root_state(state)

        def think(self, state: Any, seconds: float) -> tuple[int, int]:  # noqa: ANN401
            self.until, self.made = perf_counter() + seconds, 0
            legal = state.legal_actions()
            if len(legal) == 1:
                return legal[0], 0
            try:
                self.run_search(state)
            except _TimeIsUpError:
                policy = self.get_final_policy(state, self._root_node)
            actions, shares = zip(*policy, strict=True)
            return int(self._random_state.choice(actions, p=shares)), self.made

    return Timed(
        game=game,
        evaluator=evaluator(1, draw),
        uct_c=task.uct,
        max_simulations=ENDLESS,
        random_state=draw,
        final_policy_type=ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
    )


def play(task: Task) -> Result:
    """One game."""
    game = openspiel.load(task.game, task.seats, **task.options)
    setting, state = game.setting, game.new_initial_state()
    rules, own = setting.game, Seat(task.number % task.seats)
    player = spec.sit(task.bot, rules, setting.setup, chance(task.seed, task.number, "bot"))
    nature = chance(task.seed, task.rotation, "nature")
    draw = np.random.RandomState(chance(task.seed, task.number, "ismcts")(1 << 32))
    ismcts = timed_ismcts(game, task, draw)
    simulations: list[int] = []
    longest = [0.0, 0.0]
    while not state.is_terminal():
        began, mover = perf_counter(), state.position.mover
        if mover == NATURE:
            lot = draw_lot(rules.odds(state.moment.state), nature)
            state.apply_action(setting.numbers[lot] - setting.choices)
            continue
        if mover == own:
            sight = state.moment.sight(rules, own)
            action = setting.numbers[player.bot.act(sight, player.seconds)]
        else:
            action, made = ismcts.think(state, task.seconds)
            simulations += [made] * bool(made)
        longest[mover != own] = max(longest[mover != own], perf_counter() - began)
        state.apply_action(action)
    outcome = rules.outcome(state.moment.state)
    assert outcome is not None
    won = (own in outcome.winners) / len(outcome.winners)
    others = (sum(outcome.points) - outcome.points[own]) / (task.seats - 1)
    points = outcome.points[own] - others
    return Result(task.rotation, won, points, simulations, (longest[0], longest[1]))


def told(task: Task, results: list[Result]) -> str:
    """The share won with its interval, by whole rotations."""
    rotations: dict[int, list[Result]] = {}
    for result in results:
        rotations.setdefault(result.rotation, []).append(result)
    whole = [each for each in rotations.values() if len(each) == task.seats]
    if not whole:
        return f"{len(results)} games, and no whole rotation of {task.seats}"
    units = [sum(result.won for result in each) / task.seats for each in whole]
    games = len(whole) * task.seats
    share = share_of(units, games)
    low, high = share.low or 0.0, 1.0 if share.high is None else share.high
    made = [number for result in results for number in result.simulations]
    points = sum(result.points for each in whole for result in each) / games
    longest = [max(result.longest[whose] for result in results) for whose in (0, 1)]
    return (
        f"{task.bot} won {share.mean:.1%} ({low:.1%} to {high:.1%}) of {games} games, fair "
        f"{1 / task.seats:.1%}; {points:+.2f} points more than the others; ISMCTS made "
        f"{np.median(made):,.0f} simulations a decision; longest {longest[0]:.3f} s, ISMCTS "
        f"{longest[1]:.3f} s"
    )


def main() -> None:
    """Play, and say after each rotation what came of it so far."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bot")
    parser.add_argument("--game", default="mauer")
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--set", dest="option", action="append", default=[], metavar="NAME=WORD")
    parser.add_argument("--games", type=int, default=48)
    parser.add_argument("--seconds", type=float, help="for ISMCTS, where the bot needs no time")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--compiled", action="store_true")
    parser.add_argument("--uct", type=float, default=1.0)
    words = parser.parse_args()
    pairs = words.option or (["rounds=1"] if words.game == "mauer" else [])
    options = {name: word for name, _, word in (each.partition("=") for each in pairs)}
    setting = openspiel.load(words.game, words.seats, **options).setting
    spec.check([words.bot], setting.game, setting.setup)
    seconds = words.seconds or spec.read(words.bot).seconds or 0.2
    tasks = [
        Task(
            *(words.game, words.seats, options, words.bot, seconds),
            *(words.compiled, words.uct, words.seed, number),
        )
        for number in range(words.games - words.games % words.seats)
    ]
    results: list[Result] = []
    with processes(words.jobs) as workers:
        for result in map_unordered(play, tasks, workers):
            results.append(result)
            if len(results) % words.seats == 0:
                sys.stdout.write(f"{told(tasks[0], results)}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
