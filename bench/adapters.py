"""The overhead of the adapters, compared with the rules and the batch in one run.

    python -m bench.adapters [seconds]

The goals: a step of PettingZoo costs at most three times a step of the rules, and the vector
environment reaches at least half the speed of the batch. All players choose uniformly. Steps of
PettingZoo, OpenSpiel and the rules are decisions of players and nature; steps of the others are
decisions of players only.
"""

import sys
from collections.abc import Iterator
from random import Random
from typing import Any, Final

from bench.contest import Score, Work, contest
from bench.ours import by_rules
from bench.timing import setup_of

from mauerwerk.adapters import openspiel, pettingzoo
from mauerwerk.adapters.gymnasium import SeatEnv, SeatsVectorEnv
from mauerwerk.adapters.pettingzoo import KernelTable
from mauerwerk.adapters.setting import Mask
from mauerwerk.core.options import to_words
from mauerwerk.games import GAMES
from mauerwerk.kernels.play.batch import Batch

AT_ONCE: Final = 1_024
STEPS: Final = 20
MOST_FOR_A_STEP: Final = 3.0
LEAST_OF_THE_BATCH: Final = 0.5

Words = dict[str, Any]


def any_of(mask: Mask, rng: Random) -> int:
    """A random choice."""
    allowed = mask.nonzero()[0]
    return int(allowed[int(rng.random() * len(allowed))])


def with_pettingzoo(name: str, words: Words) -> Work:
    """A game, one agent after the other, with observation and mask for each."""
    env, rng = pettingzoo.raw_env(name, 4, **words), Random(1)  # noqa: S311 - not a secret
    env.reset(seed=1)
    table = env.table
    assert isinstance(table, KernelTable)

    def work() -> tuple[int, int]:
        env.reset()
        for _ in env.agent_iter():
            seen, _, over, _, _ = env.last()
            env.step(None if over or seen is None else any_of(seen["action_mask"], rng))
        return 1, int(table.batch.decisions[0])

    return work


def with_openspiel(name: str, words: Words) -> Work:
    """A game through OpenSpiel's interface, without observations."""
    game, rng = openspiel.load(name, 4, **words), Random(1)  # noqa: S311 - as above

    def work() -> tuple[int, int]:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, odds)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1
        return 1, decisions

    return work


def with_gymnasium(name: str, words: Words) -> Work:
    """A game of one seat against random bots."""
    env, rng = SeatEnv(name, 4, **words), Random(1)  # noqa: S311 - as above
    env.reset(seed=1)

    def work() -> tuple[int, int]:
        _, info = env.reset()
        over, decisions = False, 0
        while not over:
            _, _, over, _, info = env.step(any_of(info["action_mask"], rng))
            decisions += 1
        return 1, decisions

    return work


def with_vector(name: str, words: Words, *, copy: bool) -> Work:
    """Many games in step, with everything that Gymnasium returns."""
    envs = SeatsVectorEnv(name, 4 * AT_ONCE, 4, copy=copy, **words)
    envs.reset(seed=1)

    def work() -> tuple[int, int]:
        games = decisions = 0
        for _ in range(STEPS):
            decisions += int(envs.batch.to_act.sum())
            envs.step(envs.choose())
            games += int(envs.batch.done.sum())
        return games, decisions

    return work


def with_batch(name: str) -> Work:
    """The same in the batch itself."""
    batch = Batch(GAMES[name], setup_of(name), AT_ONCE, seed=1)

    def work() -> tuple[int, int]:
        games = decisions = 0
        for _ in range(STEPS):
            decisions += int(batch.to_act.sum())
            batch.choose()
            batch.step()
            games += int(batch.done.sum())
        return games, decisions

    return work


def contenders(name: str) -> Iterator[tuple[str, Work]]:
    """All contestants of one game."""
    setup = setup_of(name)
    words: Words = dict(to_words(setup.options))
    yield "rules", by_rules(GAMES[name], setup)
    yield "PettingZoo", with_pettingzoo(name, words)
    yield "OpenSpiel", with_openspiel(name, words)
    yield "Gymnasium, one seat against bots", with_gymnasium(name, words)
    yield "batch", with_batch(name)
    yield "vector environment", with_vector(name, words, copy=True)
    yield "vector environment, no copies", with_vector(name, words, copy=False)


def report(name: str, scores: list[Score]) -> Iterator[str]:
    """A table, and whether the goals are reached."""
    speed = {score.name: score.decisions for score in scores}
    yield f"{name}, four seats"
    for score in scores:
        yield f"  {score.name:<34}{score.decisions:>12,.0f} decisions/s"
    cost = speed["rules"] / speed["PettingZoo"]
    share = speed["vector environment"] / speed["batch"]
    yield f"  a step of PettingZoo costs {cost:.2f} of the rules' (at most {MOST_FOR_A_STEP})"
    yield f"  the vector environment keeps {share:.0%} of the batch (at least 50%)"
    if cost > MOST_FOR_A_STEP or share < LEAST_OF_THE_BATCH:
        yield "  TOO SLOW"


def main() -> None:
    """Measure and print; fail if a goal is missed."""
    seconds = float(sys.argv[1]) if sys.argv[1:] else 2.0
    lines = [
        line for name in GAMES for line in report(name, contest(list(contenders(name)), seconds))
    ]
    sys.stdout.write("\n".join([*lines, ""]))
    sys.exit("  TOO SLOW" in lines)


if __name__ == "__main__":
    main()
