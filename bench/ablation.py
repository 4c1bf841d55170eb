"""What each part of the training brings, at equal decisions.

    python -m bench.ablation mauerbauer:2 burgbaumeister:2:remember mauer:4:remember \
        --device cuda --decisions 100000000 --out ablation.jsonl
    python -m bench.ablation --tell ablation.jsonl

For each game networks learn with the usual choices, and with one of them changed, each with several
seeds. Then each plays alone among greedy bots, and alone among each of the usual networks. Each
result is written at once, so that the command can be stopped and given again.
"""

import argparse
import gc
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from itertools import product
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import Any, Final, Literal

from mauerwerk.core.game import Setup
from mauerwerk.games import GAMES
from mauerwerk.learn.config import Config
from mauerwerk.learn.env import VectorEnv
from mauerwerk.learn.evaluation import GREEDY, first_outcomes
from mauerwerk.learn.network import Network
from mauerwerk.learn.rooms import room_of
from mauerwerk.learn.trainer import Trainer

torch: Any = import_module("torch")

USUAL: Final = "as usual"
VARIANTS: Final[dict[str, dict[str, Any]]] = {
    USUAL: {},
    "a chain of values for each seat": {"chain": "seat"},
    "lambda 0.9": {"gae_lambda": 0.9},
    "lambda 1": {"gae_lambda": 1.0},
    "no reward for points": {"points_weight": 0.0},
    "three times the reward for points": {"points_weight": 0.9},
    "512 and 256 units": {"widths": (512, 256)},
    "128 and 64 units": {"widths": (128, 64)},
    "a third of the entropy bonus": {"entropy": 1 / 3},
    "three times the entropy bonus": {"entropy": 3.0},
    "learning rate 0.0003": {"learning_rate": 3e-4},
    "learning rate 0.003": {"learning_rate": 3e-3},
    "2 minibatches": {"minibatches": 2},
    "32 minibatches": {"minibatches": 32},
    "1 epoch": {"epochs": 1},
    "4 epochs": {"epochs": 4},
    "a magnet of 0.05": {"magnet": 0.05},
    "a quarter of the games against its past": {"contested": 0.25},
    "inputs are not looked up": {"lookup": False},
}
"""What is changed, in words and in the configuration; the entropy bonus by a factor."""
MINUTES: Final = 60.0
"""Longer than any of these trainings: decisions end them."""


def main() -> None:
    """Train and play what is missing, or tell what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*", metavar="GAME:SEATS[:remember]")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--decisions", type=int, default=100_000_000)
    parser.add_argument("--games", type=int, default=16_384, help="at once, in trainings")
    parser.add_argument("--matches", type=int, default=2_048, help="games of each match")
    parser.add_argument("--seeds", type=int, default=3, help="of each variant")
    parser.add_argument("--only", action="append", metavar="VARIANT", choices=[*VARIANTS])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("ablation.jsonl"))
    parser.add_argument("--tell", type=Path, metavar="FILE")
    args = parser.parse_args()
    if args.tell is not None:
        sys.stdout.writelines(f"{line}\n" for line in table(read(args.tell)))
        return
    torch.set_num_threads(args.jobs)
    done = {(each["game"], each["variant"], each["seed"]) for each in read(args.out)}
    seeds = range(1, args.seeds + 1)
    for word in args.words:
        usual: list[Network] = []
        results: list[dict[str, Any]] = []
        for seed in seeds:
            trainer = Trainer(config_of(word, USUAL, seed, args))
            results.append({"game": word, "variant": USUAL, "seed": seed} | learn(trainer))
            usual.append((trainer.magnet or trainer.player).copy())
        for result, network in zip(results, usual, strict=True):
            if (word, USUAL, result["seed"]) not in done:
                keep(result | play(network, usual, trainer.config, args), args.out)
        for variant, seed in product(args.only or VARIANTS, seeds):
            if variant == USUAL or (word, variant, seed) in done:
                continue
            trainer = Trainer(config_of(word, variant, seed, args))
            if variant == "inputs are not looked up" and trainer.envs[0].shape.lookup is None:
                continue
            result = {"game": word, "variant": variant, "seed": seed} | learn(trainer)
            network = trainer.magnet or trainer.player
            keep(result | play(network, usual, trainer.config, args), args.out)
            del trainer
            gc.collect()


def keep(result: dict[str, Any], path: Path) -> None:
    """Write down a result, and say it."""
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{json.dumps(result)}\n")
    print(result, flush=True)  # noqa: T201 - a script


def config_of(word: str, variant: str, seed: int, args: argparse.Namespace) -> Config:
    """A training of one setup, with one choice changed."""
    name, seats, *more = word.split(":")
    changes = dict(VARIANTS[variant])
    usual = Config(
        game=GAMES[name],
        setups=[Setup(int(seats), GAMES[name].OPTIONS())],
        device=args.device,
        games=args.games,
        decisions=args.decisions,
        minutes=MINUTES,
        seed=seed,
        remember="remember" in more,
        threads=args.jobs,
    )
    if "entropy" in changes:
        changes["entropy"] = tuple(
            changes["entropy"] * each for each in room_of(usual.game).ENTROPY
        )
    return replace(usual, **changes)


def learn(trainer: Trainer) -> dict[str, float]:
    """Train to the end, and say how that went."""
    begin = perf_counter()
    *_, report = trainer.run(lambda: False)
    return {
        "decisions": report.decisions,
        "seconds": perf_counter() - begin,
        "entropy": report.statistics.entropy,
        "win_loss": report.statistics.win_loss,
    }


def play(
    network: Network, usual: list[Network], config: Config, args: argparse.Namespace
) -> dict[str, Any]:
    """The shares that the network wins alone among greedy bots, and among each usual network.

    Among greedy bots it plays as its bot does. Against a usual network both draw their actions:
    else who takes the likeliest ones would differ from who draws, whatever they have learnt.
    """
    (setup,) = config.setups
    size = -(-args.matches // setup.seats) * setup.seats
    game, device, memory = config.game, config.device, config.remember

    def wins(others: Network | Literal["greedy"]) -> float:
        greedy = others == GREEDY
        env = VectorEnv(
            game, setup, size, 4711, device, remember=memory, suggest=greedy, threads=config.threads
        )
        samples = env.together or not greedy
        return float(first_outcomes(network, env, samples=samples, others=others)[:, 0].mean())

    return {GREEDY: wins(GREEDY), USUAL: [wins(each) for each in usual]}


# --- What came of it ------------------------------------------------------------------------------


def read(path: Path) -> list[dict[str, Any]]:
    """The results so far; of those that were repeated, all."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def table(results: list[dict[str, Any]]) -> Iterator[str]:
    """For each game two columns: alone among greedy bots, and alone among the usual networks."""
    games = list(dict.fromkeys(each["game"] for each in results))
    heads = [f"{game.split(':')[0]}, among {whom}" for game in games for whom in (GREEDY, "usual")]
    yield f"| | {' | '.join(heads)} |"
    yield f"|---|{'---|' * len(heads)}"
    for variant in VARIANTS:
        rows = [
            [each for each in results if (each["game"], each["variant"]) == (game, variant)]
            for game in games
        ]
        if any(rows):
            cells = [_cell(found, whom) for found in rows for whom in (GREEDY, USUAL)]
            yield f"| {variant} | {' | '.join(cells)} |"


def _cell(found: list[dict[str, Any]], whom: str) -> str:
    """The mean over seeds, and the least and the most of a seed."""
    shares = [fmean(each[whom]) if whom == USUAL else each[whom] for each in found]
    if not shares:
        return ""
    return f"{fmean(shares):.1%} ({min(shares):.1%} to {max(shares):.1%})"


if __name__ == "__main__":
    main()
