"""How well a network plays, on the device where it learns: alone among others."""

from importlib import import_module
from typing import Any

from mauerwerk.lab.intervals import Estimate, share_of
from mauerwerk.learn.network import Weights, consider, drawn
from mauerwerk.learn.tables import Tables

torch: Any = import_module("torch")

_STEPS = 16
"""How many steps are made before looking whether all games are over."""


def wins_among(
    net: Weights, tables: Tables, *, draws: bool, others: Weights | None = None
) -> Estimate:
    """The share of games that the network wins alone among others.

    It takes its likeliest action, or draws one by its probabilities. The others are a network that
    draws its actions, or choose by uniform chance.

    The first game of every table counts, however long it takes: stopping after a number of steps
    would leave out long games. A shared win counts in parts.
    """
    places = torch.arange(tables.size, device=tables.device)
    own = places % tables.seats
    won = torch.full((tables.size,), -1.0, device=tables.device)
    while (won < 0).any():
        for _ in range(_STEPS):
            rows = tables.rows()
            mine = (rows.seats == own[rows.games]).nonzero()[:, 0]
            actions = tables.choose()[: len(rows.games)].clone()
            with torch.no_grad():
                opinion = consider(net, rows.observations[mine], rows.masks[mine], tables.seats)
                if others is not None:
                    seen = consider(others, rows.observations, rows.masks, tables.seats)
                    actions[:] = drawn(seen.log_probs).to(actions.dtype)
            log_probs = opinion.log_probs
            chosen = drawn(log_probs) if draws else log_probs.argmax(dim=-1)
            actions[mine] = chosen.to(actions.dtype)
            tables.step(actions)
            share = tables.outcomes()[:, 0][places, own]
            won = torch.where(tables.done & (won < 0), share, won)
    return share_of(won.tolist(), tables.size)
