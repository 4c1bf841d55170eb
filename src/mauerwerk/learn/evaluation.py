"""How well a network plays, on the device where it learns: alone among others."""

from importlib import import_module
from math import log
from typing import Any

from mauerwerk.bots.search import RARE
from mauerwerk.lab.intervals import Estimate, share_of
from mauerwerk.learn.network import FORBIDDEN, POINTS, Tensor, Weights, consider, drawn
from mauerwerk.learn.tables import Tables

torch: Any = import_module("torch")

_STEPS = 16
"""How many steps are made before looking whether all games are over."""


def wins_among(net: Weights, tables: Tables, *, draws: bool) -> Estimate:
    """The share of games that the network wins alone among players who choose by chance.

    It takes its likeliest action, or draws one by its probabilities.
    """
    return share_of(first_outcomes(net, tables, draws=draws)[:, 0].tolist(), tables.size)


def first_outcomes(
    net: Weights, tables: Tables, *, draws: bool, others: Weights | None = None
) -> Tensor:
    """What the network has alone among others: its share of the win, its points and its place.

    The others choose by uniform chance, or are a network that draws its actions. In that case both
    play as their bots do, which never do what is unlikely.

    The first game of every table counts, however long it takes: stopping after a number of steps
    would leave out long games. A shared win counts in parts.
    """
    places = torch.arange(tables.size, device=tables.device)
    own = places % tables.seats
    came = torch.zeros(tables.size, 3, device=tables.device)
    over = torch.zeros(tables.size, device=tables.device).bool()
    while not over.all():
        for _ in range(_STEPS):
            rows = tables.rows()
            mine = (rows.seats == own[rows.games]).nonzero()[:, 0]
            actions = tables.choose()[: len(rows.games)].clone()
            with torch.no_grad():
                seen = rows.observations[mine], rows.masks[mine], tables.seats
                log_probs = consider(net, *seen).log_probs
                if others is not None:
                    theirs = consider(others, rows.observations, rows.masks, tables.seats)
                    actions[:] = drawn(likely(theirs.log_probs)).to(actions.dtype)
                    log_probs = likely(log_probs)
            chosen = drawn(log_probs) if draws else log_probs.argmax(dim=-1)
            actions[mine] = chosen.to(actions.dtype)
            tables.step(actions)
            ended = torch.cat((tables.outcomes(), tables.places()[:, None]), dim=1)[places, :, own]
            first = tables.done.bool() & ~over
            came = torch.where(first[:, None], ended, came)
            over = over | first
    came[:, 1] *= POINTS
    return came


def likely(log_probs: Tensor) -> Tensor:
    """The same without actions that the bot of a network never takes, because they are unlikely."""
    return log_probs.masked_fill(log_probs < log(RARE), FORBIDDEN)
