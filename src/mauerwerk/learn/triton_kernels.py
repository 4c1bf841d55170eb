"""Fused kernels for a GPU, in Triton: encode observations, sample actions, PPO's loss and gradient.

Each does in one pass over its rows what PyTorch would do in ten to twenty; `rollout` and `ppo` have
the same in plain PyTorch, and tests compare them. A program has a few rows, with all columns each.
"""

# Triton need not be installed, and its functions have no types of Python.
# pyright: basic, reportMissingImports=false, reportIndexIssue=false

from importlib import import_module
from typing import Any

import triton
import triton.language as tl

from mauerwerk.learn.network import Shape, Tensor

torch: Any = import_module("torch")

WIDE = 1024
"""About how many numbers of the policy a program has."""
STATISTICS = 8


# --- Encode ----------------------------------------------------------------------------------


@triton.jit
def _encode(
    seen,
    scale,
    out,
    kept,
    rows_of_part,
    part_stride,
    inputs,
    padded,
    body,
    padded_body,
    begin,
    size,
    BLOCK: tl.constexpr,
):
    row = tl.program_id(0).to(tl.int64)
    column = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    # First what the first layer reads, then what is looked up, which lies in the middle of it.
    looked_up = column - padded_body
    source = tl.where(column < begin, column, column + size)
    source = tl.where(looked_up >= 0, begin + looked_up, source)
    inside = (column < body) | ((looked_up >= 0) & (looked_up < size))
    number = tl.load(seen + row * inputs + source, mask=inside, other=0).to(tl.float32)
    number = number * tl.load(scale + source, mask=column < body, other=1.0)
    number = number.to(out.dtype.element_ty)
    tl.store(out + row * padded + column, number, mask=column < padded)
    there = row // rows_of_part * part_stride + row % rows_of_part * padded
    tl.store(kept + there + column, number, mask=column < padded)


def encode(shape: Shape, observations: Tensor, scale: Tensor, out: Tensor, kept: Tensor) -> None:
    """Write scaled observations in bf16 into `out`, and again into `kept`, which is in parts.

    `kept` is by parts and rows; rows of a part follow each other without gaps.
    """
    rows, inputs = observations.shape
    grid = (rows, triton.cdiv(out.shape[1], WIDE))
    _encode[grid](
        observations,
        scale,
        out,
        kept,
        kept.shape[1],
        kept.stride(0),
        inputs,
        out.shape[1],
        shape.body_inputs,
        shape.padded_body,
        shape.lookup.feature if shape.lookup else shape.inputs,
        shape.lookup.size if shape.lookup else 0,
        BLOCK=min(WIDE, triton.next_power_of_2(out.shape[1])),
    )


# --- Sample ----------------------------------------------------------------------------------


@triton.jit
def _sample(
    heads,
    masks,
    counter,
    actions,
    log_probs,
    rows,
    head_stride,
    number,
    ROWS: tl.constexpr,
    BLOCK: tl.constexpr,
):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.arange(0, BLOCK)
    here = row[:, None].to(tl.int64)
    inside = (row[:, None] < rows) & (column[None, :] < number)
    logits = tl.load(heads + here * head_stride + column[None, :], mask=inside, other=0.0)
    legal = tl.load(masks + here * number + column[None, :], mask=inside, other=0) != 0
    logits = tl.where(legal, logits.to(tl.float32), -1e9)
    logits = tl.where(column[None, :] < number, logits, -2e9)
    most = tl.max(logits, 1)
    normaliser = most + tl.log(tl.sum(tl.exp(logits - most[:, None]), 1))
    chance = tl.rand(tl.load(counter), row[:, None] * BLOCK + column[None, :])
    chance = tl.minimum(tl.maximum(chance, 1e-10), 0.99999994)
    action = tl.argmax(logits - tl.log(-tl.log(chance)), 1)
    chosen = tl.sum(tl.where(column[None, :] == action[:, None], logits, 0.0), 1)
    tl.store(actions + row, action, mask=row < rows)
    tl.store(log_probs + row, chosen - normaliser, mask=row < rows)


def sample(
    heads: Tensor, masks: Tensor, counter: Tensor, actions: Tensor, log_probs: Tensor
) -> None:
    """Sample a legal action for each row; the counter's number decides which, so let it grow."""
    rows, number = masks.shape
    block = triton.next_power_of_2(number)
    group = max(1, WIDE // block)
    _sample[(triton.cdiv(rows, group),)](
        heads,
        masks.view(dtype=torch.uint8),
        counter,
        actions,
        log_probs,
        rows,
        heads.stride(0),
        number,
        ROWS=group,
        BLOCK=block,
    )


# --- Loss and gradient -----------------------------------------------------------------------


@triton.jit
def _loss(
    heads,
    magnet_heads,
    masks,
    actions,
    log_probs,
    advantages,
    policy_weights,
    value_weights,
    seats,
    win_targets,
    point_targets,
    hands,
    held,
    norms,
    coefficients,
    gradient,
    statistics,
    rows,
    stride,
    mask_stride,
    number,
    wins_at,
    most_seats,
    labels,
    clip,
    win_loss,
    points_loss,
    hidden_loss,
    MAGNET: tl.constexpr,
    THINGS: tl.constexpr,
    ROWS: tl.constexpr,
    BLOCK: tl.constexpr,
    SEATS: tl.constexpr,
    TAIL: tl.constexpr,
):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    there = row < rows
    here = row[:, None].to(tl.int64)
    policy_norm = tl.load(policy_weights + row, mask=there, other=0.0) * tl.load(norms)
    value_norm = tl.load(value_weights + row, mask=there, other=0.0) * tl.load(norms + 1)
    entropy_bonus = tl.load(coefficients)
    magnet = tl.load(coefficients + 1)
    # The policy: PPO's clipped objective, a bonus for entropy, and the distance from the magnet.
    column = tl.arange(0, BLOCK)[None, :]
    inside = there[:, None] & (column < number)
    legal = tl.load(masks + here * mask_stride + column, mask=inside, other=0) != 0
    logits = tl.load(heads + here * stride + column, mask=inside, other=0.0).to(tl.float32)
    logits = tl.where(legal, logits, -1e9)
    logits = tl.where(column < number, logits, -2e9)
    most = tl.max(logits, 1)
    log_prob = logits - (most + tl.log(tl.sum(tl.exp(logits - most[:, None]), 1)))[:, None]
    prob = tl.exp(log_prob)
    finite = tl.where(prob > 0, log_prob, 0.0)
    entropy = -tl.sum(prob * finite, 1)
    action = tl.load(actions + row, mask=there, other=0)
    is_action = column == action[:, None]
    before = tl.load(log_probs + row, mask=there, other=0.0)
    moved = tl.sum(tl.where(is_action, log_prob, 0.0), 1) - before
    moved = tl.where(policy_norm > 0, moved, 0.0)
    ratio = tl.exp(moved)
    advantage = tl.load(advantages + row, mask=there, other=0.0)
    limited = tl.minimum(tl.maximum(ratio, 1 - clip), 1 + clip)
    objective = tl.minimum(ratio * advantage, limited * advantage)
    follows = ratio * advantage <= limited * advantage
    push = tl.where(follows, -advantage * ratio, 0.0)[:, None]
    slope = push * (tl.where(is_action, 1.0, 0.0) - prob)
    slope += entropy_bonus * prob * (finite + entropy[:, None])
    distance = entropy * 0.0
    if MAGNET:
        other = tl.load(magnet_heads + here * stride + column, mask=inside, other=0.0)
        other = tl.where(legal, other.to(tl.float32), -1e9)
        other = tl.where(column < number, other, -2e9)
        top = tl.max(other, 1)
        other = other - (top + tl.log(tl.sum(tl.exp(other - top[:, None]), 1)))[:, None]
        apart = tl.where(prob > 0, finite - other, 0.0)
        distance = tl.sum(prob * apart, 1)
        slope += magnet * prob * (apart - distance[:, None])
    slope = slope * policy_norm[:, None]
    slope = tl.where(column < number, slope, 0.0)
    begins = column < wins_at
    tl.store(
        gradient + here * stride + column,
        slope.to(gradient.dtype.element_ty),
        mask=there[:, None] & begins,
    )
    # The shares of the win: cross entropy over those who play.
    seat = tl.arange(0, SEATS)[None, :]
    playing_seats = tl.load(seats + row, mask=there, other=1).to(tl.int32)
    plays = there[:, None] & (seat < playing_seats[:, None])
    known = there[:, None] & (seat < most_seats)
    at = here * stride + wins_at + seat
    wins = tl.load(heads + at, mask=plays, other=-1e9).to(tl.float32)
    top = tl.max(wins, 1)
    win_log = wins - (top + tl.log(tl.sum(tl.exp(wins - top[:, None]), 1)))[:, None]
    target = tl.load(win_targets + here * most_seats + seat, mask=plays, other=0.0)
    off_wins = -tl.sum(tl.where(plays, target * win_log, 0.0), 1)
    slope = tl.exp(win_log) * tl.sum(target, 1)[:, None] - target
    slope = tl.where(plays, slope, 0.0) * (win_loss * value_norm)[:, None]
    tl.store(gradient + at, slope.to(gradient.dtype.element_ty), mask=known)
    # Points: far off counts less than squared.
    at = at + most_seats
    points = tl.load(heads + at, mask=plays, other=0.0).to(tl.float32)
    apart = points - tl.load(point_targets + here * most_seats + seat, mask=plays, other=0.0)
    apart = tl.where(plays, apart, 0.0)
    far = tl.abs(apart)
    parts = playing_seats.to(tl.float32)
    off_points = tl.sum(tl.where(far < 1, 0.5 * apart * apart, far - 0.5), 1) / parts
    slope = tl.minimum(tl.maximum(apart, -1.0), 1.0)
    slope = slope * (points_loss * value_norm / parts)[:, None]
    tl.store(gradient + at, slope.to(gradient.dtype.element_ty), mask=known)
    # What others hold, and padding.
    label = tl.arange(0, TAIL)[None, :]
    hidden_at = wins_at + 2 * most_seats
    at = here * stride + hidden_at + label
    off_hidden = off_points * 0.0
    slope = tl.zeros([ROWS, TAIL], tl.float32)
    if THINGS:
        other_seat = label // THINGS
        asked = there[:, None] & (label < labels) & (other_seat + 1 < playing_seats[:, None])
        logit = tl.load(heads + at, mask=asked, other=0.0).to(tl.float32)
        hand = tl.load(hands + here * (most_seats - 1) + other_seat, mask=asked, other=0)
        bits = tl.load(held + label % THINGS)
        holds = tl.where((hand & bits) != 0, 1.0, 0.0)
        soft = tl.maximum(logit, 0.0) + tl.log(1 + tl.exp(-tl.abs(logit)))
        parts = tl.maximum((playing_seats - 1).to(tl.float32) * THINGS, 1.0)
        off_hidden = tl.sum(tl.where(asked, soft - holds * logit, 0.0), 1) / parts
        slope = 1 / (1 + tl.exp(-logit)) - holds
        slope = tl.where(asked, slope, 0.0) * (hidden_loss * value_norm / parts)[:, None]
    rest = there[:, None] & (hidden_at + label < stride)
    tl.store(gradient + at, slope.to(gradient.dtype.element_ty), mask=rest)
    # What is reported: each program adds up its rows.
    to = statistics + tl.program_id(0) * 8
    clipped = tl.where(tl.abs(ratio - 1) > clip, 1.0, 0.0)
    tl.store(to, tl.sum(entropy * policy_norm, 0))
    tl.store(to + 1, tl.sum(distance * policy_norm, 0))
    tl.store(to + 2, tl.sum(off_wins * value_norm, 0))
    tl.store(to + 3, tl.sum(off_points * value_norm, 0))
    tl.store(to + 4, tl.sum(off_hidden * value_norm, 0))
    tl.store(to + 5, tl.sum(clipped * policy_norm, 0))
    tl.store(to + 6, tl.sum((ratio - 1 - moved) * policy_norm, 0))
    tl.store(to + 7, -tl.sum(objective * policy_norm, 0))


def loss_and_gradient(
    shape: Shape,
    heads: Tensor,
    magnet_heads: Tensor | None,
    rows: Any,  # noqa: ANN401 - a `ppo.Minibatch`
    held: Tensor,
    norms: Tensor,
    coefficients: Tensor,
    settings: Any,  # noqa: ANN401 - a `Config`
) -> tuple[Tensor, Tensor]:
    """The statistics of `ppo.Statistics`, and the gradient of the loss for the heads."""
    block = triton.next_power_of_2(shape.wins_at)
    tail = triton.next_power_of_2(max(shape.columns - shape.hidden_at, 1))
    group = max(1, WIDE // block)
    programs = triton.cdiv(len(heads), group)
    gradient = heads.new_empty(heads.shape)
    statistics = norms.new_empty(programs, STATISTICS)
    _loss[(programs,)](
        heads,
        heads if magnet_heads is None else magnet_heads,
        rows.masks.view(dtype=torch.uint8),
        rows.actions,
        rows.log_probs,
        rows.advantages,
        rows.policy_weights,
        rows.value_weights,
        rows.seats,
        rows.win_targets,
        rows.point_targets,
        rows.hands,
        held,
        norms,
        coefficients,
        gradient,
        statistics,
        len(heads),
        heads.stride(0),
        rows.masks.stride(0),
        shape.actions,
        shape.wins_at,
        shape.seats,
        shape.labels,
        settings.clip,
        settings.win_loss,
        settings.points_loss,
        settings.hidden_loss,
        MAGNET=magnet_heads is not None,
        THINGS=shape.hidden,
        ROWS=group,
        BLOCK=block,
        SEATS=triton.next_power_of_2(shape.seats),
        TAIL=tail,
        num_warps=4,
    )
    return statistics.sum(dim=0), gradient
