"""Tree search over information sets, compiled for every game.

Each simulation samples what the searching seat cannot see, then plays. A decision is a node, found
by a fingerprint of what the deciding seat knows. So every seat has a tree of its own, no choice
depends on what its seat cannot see, and positions that look alike are one node. Beyond the tree all
seats follow the rollout policy until the game can be evaluated; then every decision on the path is
updated with its own seat's share in the win.

A seat that chooses alone takes the action that did best so far, with a bonus for actions that were
tried little (PUCT). Seats that choose together play the better actions more often, each by its own
experience against the others' mixtures; the temperature decides how much more often. So they learn
mixed strategies that answer each other.

P. I. Cowling, E. J. Powley, D. Whitehouse: Information Set Monte Carlo Tree Search (2012).
D. Fudenberg, D. Levine: The Theory of Learning in Games (1998), on smooth fictitious play.
"""

from math import sqrt
from typing import Final, NamedTuple

from numpy import int64, uint32, uint64

from mauerwerk.kernels import contract
from mauerwerk.kernels.chance import below, draw_action, philox
from mauerwerk.kernels.contract import NATURE, NATURE_TO_ACT, Array, Int, Record, compile_all
from mauerwerk.kernels.exponential import exp
from mauerwerk.kernels.networks import forward
from mauerwerk.kernels.networks.forward import Inference
from mauerwerk.kernels.play.stepping import first_of

compile_all(__name__)

FIRST_DRAW: Final = 1 << 12
"""Draws before this one belong to `fill`."""
DRAWS: Final = 8
"""The number of draws that a decision may use."""
MOST_DECISIONS: Final = 2_000
"""After this many decisions a simulation is evaluated as it is."""

NODES, EDGES, DONE, STEPS = range(4)
"""What `counts` holds: nodes and edges in use, simulations, and decisions made in them."""

_WIDE: Final = 24
"""A node with more edges than these is added only on the second visit, to save memory."""
_DOUBT: Final = 4.0

_UNIT: Final = 1.0 / (1 << 32)
_HALF: Final = uint64(32)


class Tree(NamedTuple):
    """The arrays of a search. A node's edges are adjacent, one for each action tried there.

    A call that passes all of them takes about as long as a move. So what is called for every move
    is given what it needs, and no tree.
    """

    setups: Array
    states: Array
    """The root as it was packed, and the state that simulations play in."""
    settings: Array
    """See `settings.Settings`."""
    inference: Inference
    """The network that is evaluated at nodes that are visited again, if there is one."""
    table_keys: Array
    table_nodes: Array
    """The hash table of nodes: fingerprints, and the number of each node, from 1; 0: free."""
    visited_once: Array
    """Fingerprints that were visited once, as far as there is room."""
    first_edges: Array
    edge_counts: Array
    node_visits: Array
    """Of each node: its first edge, its number of edges, its number of visits."""
    actions: Array
    priors: Array
    visits: Array
    value_sums: Array
    """Of each edge: the action, its prior, its number of visits, the sum of its shares."""
    strategy: Array
    """Where seats choose together: the weight of each edge in the mixed strategy."""
    path_nodes: Array
    path_edges: Array
    path_seats: Array
    """The decisions of one simulation."""
    observed_keys: Array
    values: Array
    value_totals: Array
    counts: Array


# --- Simulations -----------------------------------------------------------------------------


def simulate(tree: Tree, belief: Array, seat: Int, seed: Int, first: Int, simulations: Int) -> None:
    """Run this many simulations, numbered from the first, each in a world of its own."""
    tree.settings[0].temperature = contract.temperature(tree.setups[0], tree.states[0])
    for number in range(first, first + simulations):
        determinize(tree, belief, seat, seed, number)
        depth, steps = descend(tree, seed, number)
        steps = rollout(tree, seed, number, steps)
        evaluate_leaf(tree)
        backpropagate(tree, depth)
        for each in range(tree.setups[0].seats):
            tree.value_totals[each] += tree.values[each]
        tree.counts[DONE] += 1
        tree.counts[STEPS] += steps


def root_of(tree: Tree, belief: Array, seat: Int) -> Int:
    """The node of this seat's decision at the root; -1 if there is none yet."""
    determinize(tree, belief, seat, uint64(0), 0)
    key = fingerprint(tree.setups[0], tree.states[1], tree.observed_keys, seat)
    return int64(find_node(tree.table_keys, tree.table_nodes, key))


def chosen_together(tree: Tree) -> bool:
    """Whether several seats are to act at the root, after `root_of`."""
    seats = contract.to_act(tree.setups[0], tree.states[1])
    return bool(seats & (seats - 1))


def canonical_actions(tree: Tree, seat: Int, choices: Array, tried: Array) -> Int:
    """How many choices the seat has where `root_of` has looked; which, and what is tried for each.

    None where it is not asked.
    """
    setup, state = tree.setups[0], tree.states[1]
    if not contract.to_act(setup, state) >> seat & 1:
        return 0
    number = contract.count(setup, state, seat)
    for ticket in range(number):
        choices[ticket] = contract.pick(setup, state, seat, ticket)
        tried[ticket] = contract.canonical_action(setup, state, seat, choices[ticket])
    return number


def determinize(tree: Tree, belief: Array, seat: Int, seed: Int, number: Int) -> None:
    """A world as it may be, with nothing remembered since."""
    tree.states[1] = tree.states[0]
    contract.fill(tree.setups[0], tree.states[1], seat, belief, seed, int64(number))
    contract.reopen(tree.setups[0], tree.states[1], seat)
    for each in range(tree.observed_keys.shape[0]):
        tree.observed_keys[each] = uint64(0)


def descend(tree: Tree, seed: Int, number: Int) -> tuple[Int, Int]:
    """Play on until the tree has grown, and all who choose together with a new node have chosen.

    How many decisions lie on the path, and how many were made, nature's and forced ones included.
    """
    setup, state, root = tree.setups[0], tree.states[1], tree.states[0]
    depth = steps = together = 0
    grown = False
    seats = contract.to_act(setup, state)
    while seats and not _far_enough(setup, state, root, steps) and (together or not grown):
        who = first_of(seats)
        if seats & (seats - 1) and not grown:
            together = seats
        draw = FIRST_DRAW + steps * DRAWS
        choices = contract.count(setup, state, who)
        if who == NATURE or choices == 1:
            action = contract.pick(setup, state, who, below(seed, number, draw, choices))
        else:
            key = fingerprint(setup, state, tree.observed_keys, who)
            node = find_node(tree.table_keys, tree.table_nodes, key)
            if node < 0:
                grown = True
                node = expand(tree, state, who)
            edge = int64(-1)
            if node >= 0 and depth < tree.path_edges.shape[0]:
                edge = _select(tree, node, together, who, seed, number, draw)
            if edge >= 0 and contract.allowed(setup, state, who, int64(tree.actions[edge])):
                action = int64(tree.actions[edge])
                tree.path_nodes[depth] = node
                tree.path_edges[depth] = edge
                tree.path_seats[depth] = who
                depth += 1
            else:
                grown = True
                action = contract.rollout_action(setup, state, who, seed, number, draw)
        for viewer in range(setup.seats):
            tree.observed_keys[viewer] += uint64(
                contract.observed_key(setup, state, who, action, viewer)
            )
        contract.apply(setup, state, who, action)
        if who != NATURE:
            together &= ~(1 << who)
        steps += 1
        seats = contract.to_act(setup, state)
    return depth, steps


def rollout(tree: Tree, seed: Int, number: Int, steps: Int) -> Int:
    """By the rollout policy, until it can be evaluated; how many decisions have been made.

    A network whose value has all the weight evaluates at once.
    """
    setup, state, root = tree.setups[0], tree.states[1], tree.states[0]
    seats = contract.to_act(setup, state)
    at_once = forward.has_network(tree.inference) and tree.settings[0].value_weight >= 1
    while seats and not _far_enough(setup, state, root, steps):
        if at_once and seats != NATURE_TO_ACT:
            break
        who = first_of(seats)
        draw = FIRST_DRAW + steps * DRAWS
        if who == NATURE:
            action = draw_action(setup, state, who, seed, number, draw)
        else:
            action = contract.rollout_action(setup, state, who, seed, number, draw)
        contract.apply(setup, state, who, action)
        steps += 1
        seats = contract.to_act(setup, state)
    return steps


def evaluate_leaf(tree: Tree) -> None:
    """By the game's own evaluation, and by the network with the weight of its value."""
    setup, state = tree.setups[0], tree.states[1]
    contract.evaluate(setup, state, tree.values)
    value_weight = tree.settings[0].value_weight
    seats = contract.to_act(setup, state)
    if (
        value_weight > 0
        and forward.has_network(tree.inference)
        and seats
        and seats != NATURE_TO_ACT
    ):
        seat = first_of(seats)
        forward.forward(tree.inference, setup, state, seat)
        forward.predict_wins(tree.inference, setup, seat)
        shares = tree.inference.offsets[forward.SHARES]
        for each in range(setup.seats):
            expected = float(tree.inference.activations[shares + each])
            tree.values[each] += value_weight * (expected - tree.values[each])


def _far_enough(setup: Record, state: Record, root: Record, steps: Int) -> bool:
    return bool(steps >= MOST_DECISIONS or contract.rollout_done(setup, state, root))


# --- Nodes -----------------------------------------------------------------------------------


def fingerprint(setup: Record, state: Record, observed_keys: Array, seat: Int) -> Int:
    """A fingerprint of what the seat sees and remembers, never 0."""
    seen = contract.mix(uint64(contract.infoset_key(setup, state, seat)), seat + 1)
    return contract.mix(seen, observed_keys[seat]) | uint64(1)


def find_node(table_keys: Array, table_nodes: Array, key: Int) -> Int:
    """The node with this fingerprint; -1 without one."""
    mask = table_keys.shape[0] - 1
    place = int64(key >> _HALF) & mask
    while table_nodes[place]:
        if table_keys[place] == key:
            return int64(table_nodes[place]) - 1
        place = (place + 1) & mask
    return int64(-1)


def expand(tree: Tree, state: Record, seat: Int) -> Int:
    """A new node, with an edge for each action that is canonical.

    -1 without room, and on the first visit to a node with many edges, unless it is the root.
    """
    setup = tree.setups[0]
    key = fingerprint(setup, state, tree.observed_keys, seat)
    node = tree.counts[NODES]
    begin = tree.counts[EDGES]
    choices = contract.count(setup, state, seat)
    if node == tree.first_edges.shape[0] or begin + choices > tree.actions.shape[0]:
        return int64(-1)
    edge = begin
    total = 0.0
    for ticket in range(choices):
        action = contract.pick(setup, state, seat, ticket)
        if contract.canonical_action(setup, state, seat, action) == action:
            tree.actions[edge] = action
            tree.priors[edge] = contract.prior(setup, state, seat, action)
            total += tree.priors[edge]
            tree.visits[edge] = 0
            tree.value_sums[edge] = 0.0
            edge += 1
    if node and edge - begin > _WIDE and not _was_marked(tree, key):
        return int64(-1)
    for each in range(begin, edge):
        tree.priors[each] /= total
    mask = tree.table_keys.shape[0] - 1
    place = int64(key >> _HALF) & mask
    while tree.table_nodes[place]:
        place = (place + 1) & mask
    tree.table_keys[place] = key
    tree.table_nodes[place] = node + 1
    tree.first_edges[node] = begin
    tree.edge_counts[node] = edge - begin
    tree.node_visits[node] = 0
    tree.counts[NODES] += 1
    tree.counts[EDGES] = edge
    return int64(node)


def mix_network_priors(tree: Tree, state: Record, node: Int, seat: Int) -> None:
    """Mix the priors of a node with the network's probability of each action.

    An action has what all that are equal to it have together.
    """
    setup, inference = tree.setups[0], tree.inference
    prior_weight = tree.settings[0].prior_weight
    if not forward.has_network(inference) or prior_weight <= 0:
        return
    forward.forward(inference, setup, state, seat)
    choices = contract.count(setup, state, seat)
    weights, first = inference.activations, inference.offsets[forward.LOGITS]
    most = -1e9
    for ticket in range(first, first + choices):
        weights[ticket] = forward.logit(
            inference, contract.pick(setup, state, seat, ticket - first)
        )
        most = max(most, weights[ticket])
    total = 0.0
    for ticket in range(first, first + choices):
        weights[ticket] = exp((weights[ticket] - most) / tree.settings[0].prior_temperature)
        total += weights[ticket]
    begin = int64(tree.first_edges[node])
    end = begin + tree.edge_counts[node]
    for edge in range(begin, end):
        tree.priors[edge] *= 1.0 - prior_weight
    place = begin
    for ticket in range(choices):
        stands = contract.canonical_action(
            setup, state, seat, contract.pick(setup, state, seat, ticket)
        )
        if place == end or tree.actions[place] != stands:
            place = begin
            while place < end and tree.actions[place] != stands:
                place += 1
        if place < end:  # worlds that look alike may differ in what is legal
            tree.priors[place] += prior_weight * weights[first + ticket] / total
            place += 1


def _was_marked(tree: Tree, key: Int) -> bool:
    """Whether this fingerprint was visited before; marks it as visited."""
    place = int64(key >> _HALF) & (tree.visited_once.shape[0] - 1)
    mark = uint32(key)
    before = tree.visited_once[place] == mark
    tree.visited_once[place] = mark
    return bool(before)


def _edge_of(tree: Tree, node: Int, action: Int) -> Int:
    """The edge of this action."""
    edge = int64(tree.first_edges[node])
    last = edge + tree.edge_counts[node] - 1
    while edge < last and tree.actions[edge] != action:
        edge += 1
    return edge


# --- Choosing and learning -------------------------------------------------------------------


def _select(
    tree: Tree, node: Int, together: Int, seat: Int, seed: Int, number: Int, draw: Int
) -> Int:
    """An edge of this node; in a new one, by the rollout policy."""
    setup, state = tree.setups[0], tree.states[1]
    passes = tree.node_visits[node]
    if passes == (0 if together else tree.settings[0].expand_after_visits if node else 1):
        mix_network_priors(tree, state, node, seat)
    if together:
        ticket = float(philox(seed, number, draw, 0) >> _HALF) * _UNIT
        return _by_strategy(tree, node, ticket)
    if passes:
        return _most_promising(tree, node)
    usual = contract.rollout_action(setup, state, seat, seed, number, draw)
    return _edge_of(tree, node, contract.canonical_action(setup, state, seat, usual))


def _most_promising(tree: Tree, node: Int) -> Int:
    """The best action so far, with a bonus for those that were tried little."""
    begin, end = tree.first_edges[node], tree.first_edges[node] + tree.edge_counts[node]
    passes = tree.node_visits[node]
    total = 0.0
    for edge in range(begin, end):
        total += tree.value_sums[edge]
    unknown = (total / passes if passes else 0.5) - tree.settings[0].fpu_reduction
    bonus = tree.settings[0].c_puct * sqrt(passes + 1)
    best = begin
    most = -1e9
    for edge in range(begin, end):
        tried = tree.visits[edge]
        mean = tree.value_sums[edge] / tried if tried else unknown
        promise = mean + bonus * tree.priors[edge] / (1 + tried)
        if promise > most:
            best = edge
            most = promise
    return int64(best)


def _by_strategy(tree: Tree, node: Int, ticket: float) -> Int:
    """Draws from the mixed strategy, and now and then any action."""
    begin, size = tree.first_edges[node], tree.edge_counts[node]
    total = mix_strategy(tree, node, tree.settings[0].temperature)
    any_ = tree.settings[0].epsilon / size
    for edge in range(begin, begin + size):
        ticket -= (1.0 - tree.settings[0].epsilon) * tree.strategy[edge] / total + any_
        if ticket < 0:
            return int64(edge)
    return int64(begin + size - 1)


def mix_strategy(tree: Tree, node: Int, degrees: float) -> float:
    """Write the weight of each action in the node's mixed strategy; returns their sum.

    A network's strategy is what it begins with, and stays near (magnetic mirror descent).
    """
    guided = forward.has_network(tree.inference)
    begin, end = tree.first_edges[node], tree.first_edges[node] + tree.edge_counts[node]
    brought = 0.0
    for edge in range(begin, end):
        brought += tree.value_sums[edge]
    passes = tree.node_visits[node]
    unknown = brought / passes if passes else 0.5
    most = 0.0
    for edge in range(begin, end):
        tried = tree.visits[edge]
        # A few virtual visits keep the first results from deciding.
        tree.strategy[edge] = (tree.value_sums[edge] + _DOUBT * unknown) / (tried + _DOUBT)
        most = max(most, tree.strategy[edge])
    total = 0.0
    for edge in range(begin, end):
        tree.strategy[edge] = exp((tree.strategy[edge] - most) / degrees)
        if guided:
            tree.strategy[edge] *= tree.priors[edge]
        total += tree.strategy[edge]
    return total


def backpropagate(tree: Tree, depth: Int) -> None:
    """Update every decision on the path with its seat's share."""
    for step in range(depth):
        node, edge = tree.path_nodes[step], tree.path_edges[step]
        share = tree.values[tree.path_seats[step]]
        tree.node_visits[node] += 1
        tree.visits[edge] += 1
        tree.value_sums[edge] += share
