"""CFR+ on a whole tree, and exact best responses.

CFR+ keeps for each action how much better it would have been than what was played (its regret,
never below 0), plays actions in proportion to their regrets, and learns the average of what it
played, in which later iterations count more. With two seats and rewards that add up to zero the
average comes as close to an equilibrium as one likes. With more seats there is no such promise:
what was learnt is judged by its exploitability, which is computed exactly.

O. Tammelin: Solving large imperfect information games using CFR+ (2014).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mauerwerk.lab.solve.tree import OVER, Floats, Tree


class Exploitability(NamedTuple):
    """What best responses to a policy gain, seat by seat."""

    values: tuple[float, ...]
    """What each seat has if all play by the policy."""
    responses: tuple[float, ...]
    """What each seat has with a best response, while the others play by the policy."""

    @property
    def nash_conv(self) -> float:
        """The sum of what all gain; 0 in an equilibrium."""
        return sum(self.responses) - sum(self.values)

    @property
    def mean(self) -> float:
        """What a seat gains on average."""
        return self.nash_conv / len(self.values)


def solve(tree: Tree, iterations: int, go_on: Callable[[int], bool] = lambda _: True) -> Floats:
    """The average policy of this many iterations of CFR+, or of fewer if it is not to go on.

    With more than two seats it need not become better: then it is the least exploitable of those
    after 1, 2, 4, 8 … iterations, and of the last.
    """
    found: list[tuple[float, Floats]] = []
    regrets, average = np.zeros(len(tree.owner)), np.zeros(len(tree.owner))
    for iteration in range(1, iterations + 1):
        for seat in range(tree.seats):
            policy = _normalised(tree, regrets)
            chances = _edge_chances(tree, policy)
            reaches = _reaches(tree, chances)
            values = _values(tree, chances)[seat]
            own = tree.owner == seat
            gained = _counterfactual(tree, reaches, values, seat)
            expected = np.bincount(tree.set_of, policy * gained, len(tree.sets))
            regrets[own] = np.maximum(regrets + gained - expected[tree.set_of], 0)[own]
            played = _own_reach(tree, reaches, seat) * policy
            average[own] += iteration * played[own]
        goes_on = iteration < iterations and go_on(iteration)
        if tree.seats > 2 and (not goes_on or iteration & (iteration - 1) == 0):  # noqa: PLR2004
            policy = _normalised(tree, average)
            found.append((exploitability(tree, policy).nash_conv, policy))
        if not goes_on:
            break
    return min(found, key=lambda each: each[0])[1] if found else _normalised(tree, average)


def exploitability(tree: Tree, policy: Floats) -> Exploitability:
    """What best responses to this policy gain, exactly."""
    values = _values(tree, _edge_chances(tree, policy))
    return Exploitability(
        tuple(float(values[seat, 0]) for seat in range(tree.seats)),
        tuple(best_response(tree, policy, seat)[1] for seat in range(tree.seats)),
    )


def best_response(tree: Tree, policy: Floats, seat: int) -> tuple[Floats, float]:
    """A best response of a seat, as a policy, and what it is worth.

    Its last choices are found first: they do not depend on those before.
    """
    answer = policy.copy()
    reaches = _reaches(tree, _edge_chances(tree, policy))
    own = [number for number, each in enumerate(tree.sets) if each.sight.seat == seat]
    for moves in sorted({tree.sets[number].own_moves for number in own}, reverse=True):
        values = _values(tree, _edge_chances(tree, answer))[seat]
        gained = _counterfactual(tree, reaches, values, seat)
        for number in own:
            if tree.sets[number].own_moves == moves:
                actions = tree.sets[number].actions
                answer[list(actions)] = 0
                answer[actions.start + int(np.argmax(gained[actions.start : actions.stop]))] = 1
    value = _values(tree, _edge_chances(tree, answer))[seat, 0]
    return answer, float(value)


# --- Passes through the tree ---------------------------------------------------------------------


def _edge_chances(tree: Tree, policy: Floats) -> Floats:
    """How likely each edge is taken by the player who chooses there."""
    return np.where(tree.actions >= 0, policy[tree.actions], tree.chances)


def _reaches(tree: Tree, chances: Floats) -> Floats:
    """Of each seat, and last of nature, how much it contributes to reaching each node."""
    reaches = np.ones((tree.seats + 1, tree.nodes))
    for level in tree.levels:
        parents = tree.parents[level]
        children = slice(level.start + 1, level.stop + 1)
        reaches[:, children] = reaches[:, parents]
        mover = tree.players[parents]  # nature's number, -1, is the last row
        reaches[mover, np.arange(children.start, children.stop)] *= chances[level]
    return reaches


def _values(tree: Tree, chances: Floats) -> Floats:
    """What each node is worth to each seat."""
    values = np.where(tree.players[:, None] == OVER, tree.rewards, 0.0).T.copy()
    for level in reversed(tree.levels):
        parents = tree.parents[level]
        children = slice(level.start + 1, level.stop + 1)
        first = parents[0]
        for seat in range(tree.seats):
            sums: Any = np.bincount(parents - first, chances[level] * values[seat, children])
            values[seat, first : first + len(sums)] += sums
    return values


def _counterfactual(tree: Tree, reaches: Floats, values: Floats, seat: int) -> Floats:
    """What each action is worth to a seat that does everything to come there."""
    others = np.prod(np.delete(reaches, seat, axis=0), axis=0)
    edges = np.flatnonzero((tree.actions >= 0) & (tree.players[tree.parents] == seat))
    worth = others[tree.parents[edges]] * values[edges + 1]
    gained: Floats = np.bincount(tree.actions[edges], worth, len(tree.owner)).astype(np.float64)
    return gained


def _own_reach(tree: Tree, reaches: Floats, seat: int) -> Floats:
    """How likely a seat itself comes to where each of its actions is; the same at all its nodes."""
    edges = np.flatnonzero((tree.actions >= 0) & (tree.players[tree.parents] == seat))
    reach = np.zeros(len(tree.owner))
    reach[tree.actions[edges]] = reaches[seat, tree.parents[edges]]
    return reach


def _normalised(tree: Tree, weights: Floats) -> Floats:
    """Probabilities in proportion to weights; at random where all are 0."""
    totals = np.bincount(tree.set_of, weights, len(tree.sets))[tree.set_of]
    sizes = np.bincount(tree.set_of, minlength=len(tree.sets))[tree.set_of]
    return np.where(totals > 0, weights / np.where(totals > 0, totals, 1), 1 / sizes)
