"""Learning from decisions: what is likely next time, and what is true.

The policy follows its advantages as PPO does. Two terms keep self-play from going in circles: a
bonus for entropy, and a magnet, an average of past policies that the present one must not leave
far behind (magnetic mirror descent).
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final, NamedTuple

from mauerwerk.learn.lessons import Taught
from mauerwerk.learn.network import Opinion, Tensor, Weights, consider, learnable
from mauerwerk.learn.rollout import Decisions

torch: Any = import_module("torch")

CLIP: Final = 0.2
"""How far the probability of an action may move from its value when the games were played."""
NORM: Final = 0.5
"""The largest gradient, as a length."""
POINTS_LOSS: Final = 0.5
HIDDEN_LOSS: Final = 0.1
WINS_LOSS: Final = 0.5

LESSONS: Final = 4
"""How often each decision of a teacher is learnt."""
LESSON: Final = 512
"""How many of them are learnt at a time."""
HELD_BACK: Final = 20
"""One of the teacher's decisions in this many is held back, to test what was learnt."""


class Settings(NamedTuple):
    """How to learn; some of it changes over time."""

    rate: float
    entropy: float
    magnet: float = 0.03
    """The weight of staying near the magnet."""
    points: float = 0.3
    """The weight of leading by points, beside that of winning."""
    aim: int = 1
    """1 where many points win, -1 where few do."""
    epochs: int = 2
    parts: int = 4
    """Minibatches per epoch; each is one step of the optimiser."""


class Losses(NamedTuple):
    """How far the network is from what it learns, on average."""

    entropy: float
    distance: float
    """From the magnet, as a divergence."""
    wins: float
    """The logarithmic loss of the shares of the win."""
    points: float
    hidden: float


NONE: Final = Losses(*(0.0,) * len(Losses._fields))


def advantages(decisions: Decisions, settings: Settings) -> Tensor:
    """How much better each decision came out than expected, for the one who made it."""
    better = decisions.came - decisions.expected  # rows, wins and points, seats
    playing = torch.arange(better.shape[-1], device=better.device) < decisions.seats
    others = (better[:, 1] * playing)[:, 1:].sum(dim=-1) / (decisions.seats[:, 0] - 1)
    lead = settings.aim * (better[:, 1, 0] - others)
    return better[:, 0, 0] * decisions.seats[:, 0] / 2 + settings.points * lead


def learn(
    net: Weights,
    magnet: Weights,
    optimiser: Any,  # noqa: ANN401 - PyTorch's
    played: Sequence[Decisions],
    settings: Settings,
) -> Losses:
    """Update the network from decisions at several tables."""
    better = [advantages(each, settings) for each in played]
    everything = torch.cat(better)
    if len(everything) <= settings.parts:  # too few for learning
        return NONE
    better = [(each - everything.mean()) / (everything.std() + 1e-6) for each in better]
    for group in optimiser.param_groups:
        group["lr"] = settings.rate
    losses: Tensor = None
    for _ in range(settings.epochs):
        chunks = [_shuffled(each).chunk(settings.parts) for each in better]
        for part in range(min(map(len, chunks))):
            pieces = [
                (Decisions(*(tensor[at[part]] for tensor in each)), surplus[at[part]])
                for each, surplus, at in zip(played, better, chunks, strict=True)
            ]
            surplus = torch.cat([piece[1] for piece in pieces])
            batch = joined([piece[0] for piece in pieces])
            loss, losses = _losses(net, magnet, batch, surplus, settings)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(learnable(net), NORM)
            optimiser.step()
    return Losses(*losses.tolist())


def imitate(
    net: Weights,
    optimiser: Any,  # noqa: ANN401 - PyTorch's
    taught: Taught,
    rate: float,
) -> float:
    """Learn what a teacher does and what came of it; how often it would do the same then.

    That share is of decisions that were not learnt from. The same is what the teacher thinks best.
    """
    decisions, shares = taught
    order = _shuffled(shares)
    kept, seen = order.tensor_split([-(-len(order) // HELD_BACK)])
    for epoch in range(LESSONS):
        optimiser.param_groups[0]["lr"] = rate * (1 - epoch / LESSONS)
        for part in seen[_shuffled(seen)].split(LESSON):
            batch = Decisions(*(tensor[part] for tensor in decisions))
            opinion = consider(net, batch.observations, batch.masks, batch.seats)
            same = -(shares[part].float() * opinion.log_probs).sum(dim=-1).mean()
            optimiser.zero_grad()
            (
                same + WINS_LOSS * _wins_loss(opinion, batch) + _points_loss(opinion, batch)
            ).backward()
            torch.nn.utils.clip_grad_norm_(learnable(net), NORM)
            optimiser.step()
    with torch.no_grad():
        seen = (decisions.observations, decisions.masks, decisions.seats)
        likeliest = consider(net, *(tensor[kept] for tensor in seen)).log_probs.argmax(dim=-1)
    return float((likeliest == shares[kept].argmax(dim=-1)).float().mean())


def _shuffled(rows: Tensor) -> Tensor:
    return torch.randperm(len(rows), device=rows.device)


def joined(parts: Sequence[Decisions]) -> Decisions:
    """Decisions of several tables in one; what fewer seats hold is filled up with zeros."""
    most = max(each.truth.shape[1] for each in parts)
    widened = [
        each._replace(
            truth=torch.nn.functional.pad(each.truth, (0, 0, 0, most - each.truth.shape[1]))
        )
        for each in parts
    ]
    return Decisions(*(torch.cat(tensors) for tensors in zip(*widened, strict=True)))


def _losses(
    net: Weights, magnet: Weights, batch: Decisions, surplus: Tensor, settings: Settings
) -> tuple[Tensor, Tensor]:
    """What is to become less, and its parts for `Losses`."""
    opinion = consider(net, batch.observations, batch.masks, batch.seats)
    with torch.no_grad():
        before = consider(magnet, batch.observations, batch.masks, batch.seats)
    ratio = (opinion.log_probs.gather(-1, batch.actions[:, None])[:, 0] - batch.log_probs).exp()
    limited = ratio.clamp(1 - CLIP, 1 + CLIP)
    gain = torch.minimum(ratio * surplus, limited * surplus).mean()
    probs = opinion.log_probs.exp()
    entropy = -(probs * opinion.log_probs).sum(dim=-1).mean()
    distance = (probs * (opinion.log_probs - before.log_probs)).sum(dim=-1).mean()
    wins, points = _wins_loss(opinion, batch), _points_loss(opinion, batch)
    hidden = _hidden_loss(opinion, batch)
    loss = settings.magnet * distance - gain - settings.entropy * entropy
    loss = loss + WINS_LOSS * wins + POINTS_LOSS * points + HIDDEN_LOSS * hidden
    return loss, torch.stack((entropy, distance, wins, points, hidden)).detach()


def _wins_loss(opinion: Opinion, batch: Decisions) -> Tensor:
    """The logarithmic loss of the shares of the win."""
    return -(batch.came[:, 0] * opinion.wins).sum(dim=-1).mean()


def _points_loss(opinion: Opinion, batch: Decisions) -> Tensor:
    """How far the points of those who play are off; far off counts less than squared."""
    playing = torch.arange(opinion.points.shape[-1], device=batch.seats.device) < batch.seats
    off = torch.nn.functional.smooth_l1_loss(opinion.points, batch.came[:, 1], reduction="none")
    return (off * playing).sum() / playing.sum()


def _hidden_loss(opinion: Opinion, batch: Decisions) -> Tensor:
    """The logarithmic loss about what the others who play hold."""
    rows, others, things = batch.truth.shape
    if not things:
        return torch.zeros((), device=batch.seats.device)
    logits = opinion.hidden.reshape(rows, -1, things)[:, :others]
    off = torch.nn.functional.binary_cross_entropy_with_logits(
        logits, batch.truth.float(), reduction="none"
    )
    playing = torch.arange(1, others + 1, device=logits.device) < batch.seats
    return (off * playing[..., None]).sum() / (playing.sum() * things)
