"""PPO: the loss, its gradient, and an update of the network from a minibatch.

The policy follows its advantages within a clipped ratio, with a bonus for entropy. A magnet, an
average of past policies that the present one must not leave far behind, keeps self-play from going
in circles where seats choose together (magnetic mirror descent). The other heads learn what came of
each position.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from mauerwerk.learn.config import Config
from mauerwerk.learn.network import FORBIDDEN, Network, Shape, Tensor, policy_log_probs

torch: Any = import_module("torch")


class Minibatch(NamedTuple):
    """Rows to learn from."""

    inputs: Tensor
    """Encoded observations."""
    masks: Tensor
    actions: Tensor
    log_probs: Tensor
    """The logarithm of the probability that each action had."""
    advantages: Tensor
    policy_weights: Tensor
    """1 for decisions of the network, otherwise 0."""
    value_weights: Tensor
    """1 for positions of the network's seats whose returns are known, otherwise 0."""
    seats: Tensor
    """How many play."""
    win_targets: Tensor
    """Each seat's share of the win, counted from the one that looks."""
    point_targets: Tensor
    """The same for points."""
    hands: Tensor
    """What each of the others holds, as bits, counted from the one that looks."""


class Statistics(NamedTuple):
    """Means over a minibatch, as the loss has them."""

    entropy: float
    distance: float
    """The divergence from the magnet."""
    win_loss: float
    points_loss: float
    hidden_loss: float
    clipped: float
    """The share of decisions whose ratio is outside the clip range."""
    approx_kl: float
    """How far the policy has moved from the one that played."""
    policy_loss: float


def loss(  # noqa: PLR0913, PLR0917 - what the fused kernel reads, too
    shape: Shape,
    heads: Tensor,
    magnet_heads: Tensor | None,
    rows: Minibatch,
    held: Tensor,
    norms: Tensor,
    coefficients: Tensor,
    config: Config,
) -> tuple[Tensor, Tensor]:
    """The loss and its statistics in plain PyTorch: the reference for the fused kernel.

    `norms` are 1 over the sums of both weights, `coefficients` those of entropy and magnet, and
    `held` the bits of each thing that a seat can hold.
    """
    policy_norm, value_norm = rows.policy_weights * norms[0], rows.value_weights * norms[1]
    log_probs = policy_log_probs(shape, heads, rows.masks)
    probs = torch.softmax(log_probs, dim=-1)  # as log_probs.exp(), which is slow where that is 0
    entropy = -(probs * log_probs).sum(dim=-1)
    moved = log_probs.gather(-1, rows.actions.long()[:, None])[:, 0] - rows.log_probs
    moved = moved.masked_fill(rows.policy_weights == 0, 0.0)
    ratio = moved.exp()
    limited = ratio.clamp(1 - config.clip, 1 + config.clip)
    objective = torch.minimum(ratio * rows.advantages, limited * rows.advantages)
    distance = torch.zeros_like(entropy)
    if magnet_heads is not None:
        apart = log_probs - policy_log_probs(shape, magnet_heads, rows.masks)
        distance = (probs * apart).sum(dim=-1)
    wins, points, hidden = _value_losses(shape, heads, rows, held)
    policy = coefficients[1] * distance - objective - coefficients[0] * entropy
    values = config.win_loss * wins + config.points_loss * points + config.hidden_loss * hidden
    total = (policy * policy_norm + values * value_norm).sum()
    clipped = ((ratio - 1).abs() > config.clip).float()
    means = (
        *((each * policy_norm).sum() for each in (entropy, distance)),
        *((each * value_norm).sum() for each in (wins, points, hidden)),
        *((each * policy_norm).sum() for each in (clipped, ratio - 1 - moved, -objective)),
    )
    return total, torch.stack(means).detach()


def _value_losses(
    shape: Shape, heads: Tensor, rows: Minibatch, held: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """How far each row is off about wins, points, and what others hold."""
    functional = torch.nn.functional
    count = rows.seats.float()
    plays = torch.arange(shape.seats, device=heads.device) < rows.seats[:, None]
    logits = heads[:, shape.columns_of("wins")].float().masked_fill(~plays, FORBIDDEN)
    wins = -(rows.win_targets * torch.log_softmax(logits, dim=-1) * plays).sum(dim=-1)
    points = heads[:, shape.columns_of("points")].float()
    off = functional.smooth_l1_loss(points, rows.point_targets, reduction="none")
    points = (off * plays).sum(dim=-1) / count
    if not shape.hidden:
        return wins, points, torch.zeros_like(wins)
    holds = ((rows.hands[..., None] & held) != 0).float()
    logits = heads[:, shape.columns_of("hidden")].float().view(holds.shape)
    off = functional.binary_cross_entropy_with_logits(logits, holds, reduction="none")
    others = plays[:, 1:, None]
    hidden = (off * others).sum(dim=(1, 2)) / ((count - 1) * shape.hidden).clamp(min=1)
    return wins, points, hidden


def loss_and_gradient(  # noqa: PLR0913, PLR0917 - as `loss`
    shape: Shape,
    heads: Tensor,
    magnet_heads: Tensor | None,
    rows: Minibatch,
    held: Tensor,
    norms: Tensor,
    coefficients: Tensor,
    config: Config,
) -> tuple[Tensor, Tensor]:
    """The statistics of the loss, and its gradient for the heads; fused where Triton is."""
    given = (magnet_heads, rows, held, norms, coefficients, config)
    if (kernels := fused_kernels(config)) is not None:
        statistics, gradient = kernels.loss_and_gradient(shape, heads.detach(), *given)
        return statistics, gradient
    leaf = heads.detach().requires_grad_()
    total, statistics = loss(shape, leaf, *given)
    return statistics, torch.autograd.grad(total, leaf)[0]


def fused_kernels(config: Config) -> Any:  # noqa: ANN401 - a module, or None
    """The fused kernels, on a GPU where Triton is installed."""
    return _triton_kernels() if config.device == "cuda" and config.fused else None


@cache
def _triton_kernels() -> Any:  # noqa: ANN401 - as above
    try:
        return import_module("mauerwerk.learn.triton_kernels")
    except ModuleNotFoundError:
        return None


class Learner:
    """A network and its optimiser."""

    def __init__(
        self, network: Network, magnet: Network | None, held: Tensor, config: Config
    ) -> None:
        """`magnet` is the average that the policy stays near; it is not changed here."""
        self.network, self.magnet, self.config, self._held = network, magnet, config, held
        device = network.scale.device
        on_gpu = device.type == "cuda"
        rate = torch.tensor(config.learning_rate, device=device) if on_gpu else config.learning_rate
        self.optimiser = torch.optim.Adam(
            network.parameters.values(), rate, eps=1e-5, fused=on_gpu, capturable=on_gpu
        )
        self._coefficients = torch.zeros(2, device=device)
        self.statistics = torch.zeros(len(Statistics._fields), device=device)
        """Of the last update."""

    def schedule(self, learning_rate: float, entropy: float) -> None:
        """Set what changes over time."""
        self._coefficients.copy_(torch.tensor([entropy, self.config.magnet]))
        for group in self.optimiser.param_groups:
            if torch.is_tensor(group["lr"]):
                group["lr"].fill_(learning_rate)
            else:
                group["lr"] = learning_rate

    def update(self, rows: Minibatch, norms: Tensor) -> None:
        """Take one step of the optimiser."""
        heads = self.network.heads(rows.inputs)
        magnet_heads = None
        if self.magnet is not None:
            with torch.no_grad():
                magnet_heads = self.magnet.heads(rows.inputs)
        statistics, gradient = loss_and_gradient(
            self.network.shape,
            heads,
            magnet_heads,
            rows,
            self._held,
            norms,
            self._coefficients,
            self.config,
        )
        self.descend(heads, gradient)
        self.statistics.copy_(statistics)

    def descend(self, heads: Tensor, gradient: Tensor) -> None:
        """Change the network against the gradient of its heads."""
        parameters = list(self.network.parameters.values())
        for parameter in parameters:
            parameter.grad = None
        heads.backward(gradient)
        torch.nn.utils.clip_grad_norm_(parameters, self.config.max_grad_norm, foreach=True)
        self.optimiser.step()


def captured(work: Callable[[], None], *, pool: Any = None) -> Callable[[], None]:  # noqa: ANN401
    """The same work as a CUDA graph, which one launch replays.

    All tensors that it reads and writes must stay where they are. It is done once before, so that
    nothing has to be compiled or loaded while it is captured.
    """
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        work()
    torch.cuda.current_stream().wait_stream(side)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, pool=pool, capture_error_mode="thread_local"):
        work()
    replay: Callable[[], None] = graph.replay
    return replay
