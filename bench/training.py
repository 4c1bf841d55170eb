"""How fast networks learn: decisions learnt from in a second, and how busy the GPU is.

    python -m bench.training mauerbauer:2 burgbaumeister:2:remember mauer:4:remember --device cuda

Each word is a game, its number of seats, and whether seats remember. After some rounds to warm up,
rounds are counted for a time. Then each part of a round is timed alone. With `--profile FILE` a
round is profiled, and the kernels that take longest are written there. The GPU is busy as long as a
kernel runs, by that profile.
"""

import argparse
import time
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from mauerwerk.core.game import Setup
from mauerwerk.games import GAMES
from mauerwerk.learn import ppo
from mauerwerk.learn.config import Config
from mauerwerk.learn.trainer import Trainer

torch: Any = import_module("torch")


def config_of(word: str, args: argparse.Namespace) -> Config:
    """A training of one setup, without anything beside PPO."""
    name, seats, *more = word.split(":")
    game = GAMES[name]
    first, second = map(int, args.widths.split(","))
    return Config(
        game=game,
        setups=[Setup(int(seats), game.OPTIONS())],
        device=args.device,
        games=args.games,
        steps=args.steps,
        minutes=1e6,
        remember="remember" in more,
        widths=(first, second),
        epochs=args.epochs,
        minibatches=args.minibatches,
        threads=args.threads,
        fused=not args.plain,
    )


def synchronize(device: str) -> None:
    """Wait for the GPU."""
    if device == "cuda":
        torch.cuda.synchronize()


def parts_of(trainer: Trainer, repeats: int = 5) -> dict[str, float]:
    """Milliseconds that each part of a round takes alone."""
    work, device = trainer.work, trainer.config.device
    times = dict.fromkeys(("act", "step", "finish", "update"), 0.0)

    def timed(name: str, pieces: list[Any]) -> None:
        synchronize(device)
        begin = time.perf_counter()
        for piece in pieces:
            piece()
        synchronize(device)
        times[name] += (time.perf_counter() - begin) * 1000 / repeats

    for _ in range(repeats):
        for act in work.act:
            act()
            for env in trainer.envs:
                env.step()
        timed("act", work.act)
        timed("finish", [work.finish])
        timed("update", work.updates * trainer.config.epochs)
        for env in trainer.envs:
            env.choose()
        timed("step", [env.step for env in trainer.envs])
    times["step"] *= trainer.config.steps
    return times


def check(trainer: Trainer) -> str:
    """How far the fused kernels are from plain PyTorch, on the last minibatch of a rollout."""
    learner, trajectories = trainer.learner, trainer.trajectories
    rows, norms = trajectories.minibatch(0), trajectories.norms[0]
    with torch.no_grad():
        heads = trainer.network.heads(rows.inputs)
    held = torch.tensor(trainer.envs[0].held, dtype=torch.int64, device=heads.device)
    coefficients = torch.tensor([0.03, 0.0], device=heads.device)
    found = [
        ppo.loss_and_gradient(
            trainer.shape,
            heads,
            None,
            rows,
            held,
            norms,
            coefficients,
            replace(learner.config, fused=fused),
        )
        for fused in (False, True)
    ]
    (plain, slope), (statistics, gradient) = found
    off = float((gradient.float() - slope.float()).norm() / slope.float().norm())
    apart = float((statistics - plain).abs().max())
    return f"fused and plain differ by {off:.1e} in the gradient, {apart:.1e} in the statistics"


def profile(trainer: Trainer, path: Path) -> float:
    """The share of the time in which a kernel runs, in three rounds."""
    profiler: Any = import_module("torch.profiler")
    activities = [profiler.ProfilerActivity.CUDA]
    with profiler.profile(activities=activities) as found:
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(3):
            trainer.round(0.0)
        torch.cuda.synchronize()
        seconds = time.perf_counter() - begin
    table = found.key_averages().table(sort_by="self_device_time_total", row_limit=30)
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{trainer.config.game.NAME}, 3 rounds in {seconds * 1000:.1f} ms\n{table}\n")
    spans = sorted(
        (event.time_range.start, event.time_range.end)
        for event in found.events()
        if "CUDA" in str(event.device_type)
    )
    busy, end = 0.0, 0.0
    for start, stop in spans:
        busy += max(0.0, stop - max(start, end))
        end = max(end, stop)
    return busy / 1e6 / seconds


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="+")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--games", type=int, default=16384)
    parser.add_argument("--steps", type=int, default=32)
    parser.add_argument("--minibatches", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--widths", default="256,128")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--profile", type=Path)
    parser.add_argument("--plain", action="store_true", help="without the fused kernels")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    for word in args.words:
        begin = time.perf_counter()
        trainer = Trainer(config_of(word, args))
        trainer.round(0.0)
        synchronize(args.device)
        ready = time.perf_counter() - begin
        for _ in range(3):
            trainer.round(0.0)
        begin, before = time.perf_counter(), trainer.report().decisions
        rounds = 0
        while time.perf_counter() - begin < args.seconds:
            trainer.round(0.0)
            rounds += 1
        synchronize(args.device)
        seconds = time.perf_counter() - begin
        rate = (trainer.report().decisions - before) / seconds
        line = (
            f"{word}, {args.games:,} games of {args.steps} steps, {args.widths} units, "
            f"{args.epochs} epochs: {rate / 1e6:.2f} M decisions/s, "
            f"{seconds / rounds * 1000:.1f} ms a round; ready after {ready:.1f} s"
        )
        print(line, flush=True)  # noqa: T201 - a script
        parts = ", ".join(f"{name} {took:.1f}" for name, took in parts_of(trainer).items())
        print(f"  alone, in ms: {parts}", flush=True)  # noqa: T201
        if args.device == "cuda" and not args.plain:
            print(f"  {check(trainer)}", flush=True)  # noqa: T201
        if args.profile and args.device == "cuda":
            print(f"  GPU busy {profile(trainer, args.profile):.0%}", flush=True)  # noqa: T201
        del trainer


if __name__ == "__main__":
    main()
