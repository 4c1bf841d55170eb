"""A training from beginning to end: progress, files and curves on the way.

Beside the file of the network are its curves (.svg) and what is needed to resume (.training).
"""

from collections.abc import Callable
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from mauerwerk.core.errors import SetupError
from mauerwerk.lab.intervals import Estimate
from mauerwerk.learn import curves, files
from mauerwerk.learn.evaluation import wins_among
from mauerwerk.learn.plan import Plan
from mauerwerk.learn.tables import Tables
from mauerwerk.learn.training import Report, Training

torch: Any = import_module("torch")

EVERY: Final = 30.0
"""Seconds between two lines of progress, at most."""
MOMENTS: Final = 40
"""How many lines a short training has, at most."""
LOOKING: Final = 20
"""At most one second in this many is spent on measuring progress, unless lines of progress"""
RARELY: Final = 120.0
"""would then be more than this many seconds apart."""
PROBE: Final = 200
"""Games among random players for each figure in a line of progress."""

PANELS: Final = {
    "wins": "wins of its likeliest actions among players who choose by chance, first setup",
    "drawn_wins": "the same if it draws its actions",
    "against_rivals": "wins against rivals: past players and others; 1: as many as they",
    "entropy": "entropy of its choices",
    "win_loss": "logarithmic loss of the shares of the win",
    "points_loss": "loss of the points",
    "hidden_loss": "logarithmic loss of what others hold",
}


def train(
    plan: Plan,
    path: Path,
    stopped: Callable[[], bool],
    say: Callable[[str], None],
    *,
    resume: bool = False,
) -> None:
    """Train as long as planned, or until it is to stop; write what was learnt now and then.

    Raises SetupError if that is impossible here.
    """
    if plan.device == "cuda" and not torch.cuda.is_available():
        raise SetupError("PyTorch finds no GPU here")
    torch.set_float32_matmul_precision("high")
    torch.set_num_threads(plan.threads)
    training = Training(plan)
    if resume:
        training.resume(path.with_suffix(".training"))
        if training.share == 1:
            raise SetupError(f"it has been trained for {plan.minutes:g} minutes already")
    elif plan.teacher:
        same = training.imitate()
        say(f"of decisions of {plan.teacher} that it has not seen, it would make {same:.1%}")
    every = min(EVERY, plan.minutes * 60 / MOMENTS)
    shown, before = perf_counter(), training.decisions
    if not plan.minutes:
        _write(training, path)
    for report in training.run(stopped):
        now = perf_counter()
        if now - shown >= every or report.share == 1 or stopped():
            say(_progress(training, report, (training.decisions - before) / (now - shown)))
            _write(training, path)
            shown, before = perf_counter(), training.decisions
            every = min(max(every, LOOKING * (shown - now)), RARELY)


def _progress(training: Training, report: Report, rate: float) -> str:
    """A line about the progress, which the history keeps too."""
    plan, losses, minutes = training.plan, report.losses, training.seconds / 60
    seed = plan.seed + len(training.history) + 1000
    wins, drawn_wins = (
        wins_among(training.net, Tables(plan, plan.setups[0], PROBE, seed), draws=draws)
        for draws in (False, True)
    )
    training.wins = f"{shown(wins)} among players of chance, drawing {shown(drawn_wins)}"
    training.history.append(
        {
            "minutes": minutes,
            "wins": wins.mean,
            "drawn_wins": drawn_wins.mean,
            "against_rivals": report.against_rivals,
            "entropy": losses.entropy,
            "win_loss": losses.wins,
            "points_loss": losses.points,
            "hidden_loss": losses.hidden,
        }
    )
    return (
        f"{minutes:5.1f} min: {training.decisions:,} decisions, {rate:,.0f} a second; "
        f"entropy {losses.entropy:.2f}, win loss {losses.wins:.3f}, "
        f"against rivals {report.against_rivals:.2f}; wins {training.wins}"
    )


def shown(share: Estimate) -> str:
    """A share of wins with its interval."""
    low, high = share.low or 0.0, share.high or 1.0
    return f"{share.mean:.1%} ({low:.1%} to {high:.1%})"


def _trained(plan: Plan) -> str:
    """What a network went through, in the order of time."""
    parts: list[str] = []
    if plan.start is not None:
        parts.append(f"began as {plan.start.name}")
    if plan.teacher is not None:
        parts.append(f"imitated {plan.teacher} in {plan.lessons} games of each setup")
    if plan.minutes:
        parts.append(
            f"self-play on {plan.device}: {len(plan.setups)} setups, {plan.games:,} games of each "
            f"at once, {plan.steps} steps a round"
        )
    if plan.minutes and plan.rivals:
        parts.append(f"also against {', '.join(path.name for path in plan.rivals)}")
    return "; ".join(parts)


def _write(training: Training, path: Path) -> None:
    """Write the network with its card, its curves, and what is needed to resume."""
    plan = training.plan
    card = files.card_of(plan, training.net) | {
        "trained": _trained(plan),
        "minutes": f"{training.seconds / 60:.1f}",
        "decisions": f"{training.decisions}",
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "wins": f"{training.wins}, {plan.setups[0].seats} seats, {PROBE} games",
    }
    files.save(path, training.net, card)
    training.keep(path.with_suffix(".training"))
    title = f"{plan.game.TITLE}: {training.decisions:,} decisions, {plan.device}"
    picture = curves.drawn(title, training.history, PANELS)
    path.with_suffix(".svg").write_text(picture, encoding="utf-8")
