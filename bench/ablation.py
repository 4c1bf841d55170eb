"""What each part of the training brings, at equal decisions.

    python -m bench.ablation mauerbauer:2 burgbaumeister:2:remember mauer:4:remember \
        --device cuda --decisions 100000000 --out ablation.jsonl
    python -m bench.ablation --tell ablation.jsonl

For each game a network learns with the usual choices, twice with different seeds, and once for each
choice that is changed. Then it plays alone among greedy bots, and alone among the usual network.
Each result is written at once, so that the command can be stopped and given again.
"""

import argparse
import gc
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from mauerwerk.core.game import Setup
from mauerwerk.games import GAMES
from mauerwerk.lab.intervals import share_of
from mauerwerk.learn.config import Config
from mauerwerk.learn.env import VectorEnv
from mauerwerk.learn.evaluation import GREEDY, first_outcomes
from mauerwerk.learn.rooms import room_of
from mauerwerk.learn.trainer import Trainer

torch: Any = import_module("torch")

USUAL: Final = "as usual"
VARIANTS: Final[dict[str, dict[str, Any]]] = {
    USUAL: {},
    "another seed": {"seed": 2},
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
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("ablation.jsonl"))
    parser.add_argument("--tell", type=Path, metavar="FILE")
    args = parser.parse_args()
    if args.tell is not None:
        sys.stdout.writelines(f"{line}\n" for line in table(read(args.tell)))
        return
    torch.set_num_threads(args.jobs)
    done = {(each["game"], each["variant"]) for each in read(args.out)}
    for word in args.words:
        usual: Any = None
        for variant in VARIANTS:
            if (word, variant) in done and variant != USUAL:
                continue
            trainer = Trainer(config_of(word, variant, args))
            if variant == "inputs are not looked up" and trainer.envs[0].shape.lookup is None:
                continue
            result = {"game": word, "variant": variant} | learn(trainer)
            usual = usual or trainer.network.copy()
            result |= play(trainer, usual, args)
            with args.out.open("a", encoding="utf-8") as file:
                file.write(f"{json.dumps(result)}\n")
            print(result, flush=True)  # noqa: T201 - a script
            del trainer
            gc.collect()


def config_of(word: str, variant: str, args: argparse.Namespace) -> Config:
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


def play(trainer: Trainer, usual: Any, args: argparse.Namespace) -> dict[str, list[float]]:  # noqa: ANN401 - a network
    """The shares that the network wins alone among greedy bots, and among the usual network.

    Among greedy bots it plays as its bot does. Against the usual network both draw their actions:
    else who takes the likeliest ones would differ from who draws, whatever they have learnt.
    """
    config = trainer.config
    (setup,) = config.setups
    size = -(-args.matches // setup.seats) * setup.seats
    found: dict[str, list[float]] = {}
    rivals: tuple[tuple[str, Any], ...] = ((GREEDY, GREEDY), ("usual", usual))
    for name, others in rivals:
        env = VectorEnv(
            config.game,
            setup,
            size,
            4711,
            config.device,
            remember=config.remember,
            suggest=name == GREEDY,
            threads=config.threads,
        )
        player = trainer.magnet or trainer.player
        samples = env.together or name != GREEDY
        won = first_outcomes(player, env, samples=samples, others=others)[:, 0]
        share = share_of(won.tolist(), size)
        found[name] = [share.mean, share.low or 0.0, share.high or 1.0]
    return found


# --- What came of it ------------------------------------------------------------------------------


def read(path: Path) -> list[dict[str, Any]]:
    """The results so far; of those that were repeated, all."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def table(results: list[dict[str, Any]]) -> Iterator[str]:
    """For each game two columns: alone among greedy bots, and alone among the usual network."""
    games = list(dict.fromkeys(each["game"] for each in results))
    found = {(each["game"], each["variant"]): each for each in results}
    heads = [
        f"{game.split(':')[0]}, among {whom}" for game in games for whom in ("greedy", "usual")
    ]
    yield f"| | {' | '.join(heads)} |"
    yield f"|---|{'---|' * len(heads)}"
    for variant in VARIANTS:
        cells = [
            _cell(found.get((game, variant)), whom) for game in games for whom in (GREEDY, "usual")
        ]
        if any(cells):
            yield f"| {variant} | {' | '.join(cells)} |"


def _cell(result: dict[str, Any] | None, whom: str) -> str:
    if result is None:
        return ""
    mean, low, high = result[whom]
    return f"{mean:.1%} ± {(high - low) / 2:.1%}"


if __name__ == "__main__":
    main()
