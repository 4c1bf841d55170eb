"""The small game of a turn in which seats choose together, solved by regret matching.

Each simulation fills in a world and takes the seats that choose in turn. The others choose by their
present strategies, and each choice of this seat is tried against theirs in the same world with the
same luck. The seat regrets what would have been better, and plays choices by how much it regrets
not having made them. The mean of these strategies is the answer.

S. Hart, A. Mas-Colell: A Simple Adaptive Procedure Leading to Correlated Equilibrium (2000).
O. Tammelin: Solving Large Imperfect Information Games Using CFR+ (2014).
"""

from typing import Final

from numpy import int64, uint64

from mauerwerk.kernels import contract
from mauerwerk.kernels.chance import philox
from mauerwerk.kernels.contract import Array, Int, compile_all
from mauerwerk.kernels.networks.forward import has_network
from mauerwerk.kernels.play.stepping import first_of
from mauerwerk.kernels.search import tree as search
from mauerwerk.kernels.search.tree import DONE, STEPS, Tree

compile_all(__name__)

_CHOICES: Final = 1 << 20
"""The draws with which seats choose, after those of any simulation."""
_AT_FIRST: Final = 0.05
"""The sum of the regrets, in shares of the win, with which a network lets a node begin."""
_UNIT: Final = 1.0 / (1 << 32)
_HALF: Final = uint64(32)


def solve(tree: Tree, belief: Array, seat: Int, seed: Int, first: Int, simulations: Int) -> None:
    """Run about this many simulations; where one seat chooses alone, as `tree.simulate` does."""
    search.determinize(tree, belief, seat, seed, first)
    if not search.chosen_together(tree):
        search.simulate(tree, belief, seat, seed, first, simulations)
        return
    search.simulate(tree, belief, seat, seed, first, 0)
    number = first
    done = tree.counts[DONE]
    while tree.counts[DONE] < done + simulations and number < first + simulations:
        _try_all(tree, belief, seat, seed, number)
        number += 1


def _try_all(tree: Tree, belief: Array, seat: Int, seed: Int, number: Int) -> None:
    """One world, in which one of the seats tries each of its choices against the others'."""
    search.determinize(tree, belief, seat, seed, number)
    setup = tree.setups[0]
    tree.states[2] = tree.states[1]
    seats = contract.to_act(setup, tree.states[1])
    mover = _in_turn(seats, number)
    left = seats
    while left:
        who = first_of(left)
        left &= left - 1
        key = search.fingerprint(setup, tree.states[1], tree.observed_keys, who)
        node = search.find_node(tree.table_keys, tree.table_nodes, key)
        if node < 0:
            node = _new_node(tree, who)
        if node < 0:
            tree.counts[DONE] += 1
            return
        tree.joint_choices[who] = node
        ticket = float(philox(seed, number, _CHOICES + who, 0) >> _HALF) * _UNIT
        tree.joint_choices[contract.MOST_SEATS + who] = tree.actions[_by_regret(tree, node, ticket)]
    node = tree.joint_choices[mover]
    begin = int64(tree.first_edges[node])
    end = begin + tree.edge_counts[node]
    total = _mixed(tree, node)
    mean = 0.0
    for edge in range(begin, end):
        tree.joint_choices[contract.MOST_SEATS + mover] = tree.actions[edge]
        share = _played(tree, seats, mover, seed, number)
        tree.visits[edge] += 1
        tree.value_sums[edge] += share
        mean += share * _weight(tree, node, edge, total)
        tree.choice_values[edge - begin] = share
    tree.node_visits[node] += 1
    for edge in range(begin, end):
        # Later strategies count more: the first ones are guesses.
        tree.priors[edge] += tree.node_visits[node] * _weight(tree, node, edge, total)
    for edge in range(begin, end):
        regret = tree.strategy[edge] + tree.choice_values[edge - begin] - mean
        tree.strategy[edge] = max(regret, 0.0)


def _in_turn(seats: Int, number: Int) -> Int:
    """Each of these seats, one after the other."""
    many = 0
    left = seats
    while left:
        many += 1
        left &= left - 1
    left = seats
    for _ in range(number % many):
        left &= left - 1
    return first_of(left)


def _new_node(tree: Tree, seat: Int) -> Int:
    """A node that regrets nothing yet; a network says with which strategy it begins."""
    node = search.expand(tree, tree.states[1], seat)
    begins = _AT_FIRST if has_network(tree.inference) else 0.0
    if node >= 0:
        search.mix_network_priors(tree, tree.states[1], node, seat)
        for edge in range(tree.first_edges[node], tree.first_edges[node] + tree.edge_counts[node]):
            tree.strategy[edge] = begins * tree.priors[edge]
            tree.priors[edge] = 0.0
    return node


def _mixed(tree: Tree, node: Int) -> float:
    """The sum of a node's regrets."""
    total = 0.0
    for edge in range(tree.first_edges[node], tree.first_edges[node] + tree.edge_counts[node]):
        total += tree.strategy[edge]
    return total


def _weight(tree: Tree, node: Int, edge: Int, total: float) -> float:
    """How often this edge is chosen: by its regret; if there is none, as often as any other."""
    return float(tree.strategy[edge] / total if total > 0 else 1.0 / tree.edge_counts[node])


def _by_regret(tree: Tree, node: Int, ticket: float) -> Int:
    """An edge, drawn by the present strategy."""
    total = _mixed(tree, node)
    begin, size = tree.first_edges[node], tree.edge_counts[node]
    for edge in range(begin, begin + size):
        ticket -= _weight(tree, node, edge, total)
        if ticket < 0:
            return int64(edge)
    return int64(begin + size - 1)


def _played(tree: Tree, seats: Int, mover: Int, seed: Int, number: Int) -> float:
    """The share of a seat in the win, once all have chosen as `turn` says."""
    setup = tree.setups[0]
    tree.states[1] = tree.states[2]
    for each in range(tree.observed_keys.shape[0]):
        tree.observed_keys[each] = uint64(0)
    left = seats
    while left:
        who = first_of(left)
        left &= left - 1
        action = int64(tree.joint_choices[contract.MOST_SEATS + who])
        for viewer in range(setup.seats):
            tree.observed_keys[viewer] += uint64(
                contract.observed_key(setup, tree.states[1], who, action, viewer)
            )
        contract.apply(setup, tree.states[1], who, action)
    depth, steps = search.descend(tree, seed, number)
    steps = search.rollout(tree, seed, number, steps)
    search.evaluate_leaf(tree)
    search.backpropagate(tree, depth)
    for each in range(setup.seats):
        tree.value_totals[each] += tree.values[each]
    tree.counts[DONE] += 1
    tree.counts[STEPS] += steps
    return float(tree.values[mover])
