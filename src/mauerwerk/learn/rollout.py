"""Playing to learn: a rollout of many games, kept in buffers that are made once.

`Trajectories` holds the rows of all environments in minibatches: each is a slice of the games of
every environment with all their steps, and contiguous, since games are independent of each other
and nothing needs shuffling. `Rollout` plays one environment into its part of them. What it does at
a step only copies; everything that can be computed for all steps at once is computed at the end.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple

from mauerwerk.learn.config import Config
from mauerwerk.learn.env import GreedyBots, VectorEnv, in_units, win_shares
from mauerwerk.learn.network import Network, Shape, Tensor, policy_log_probs, sample
from mauerwerk.learn.ppo import Minibatch, fused_kernels

torch: Any = import_module("torch")

SEEDS = (1 << 31) - 1
"""The bits of a seed that count where something is sampled on a GPU."""


class Trajectories:
    """The rows of a rollout in minibatches, for all environments together."""

    def __init__(self, shape: Shape, envs: Sequence[VectorEnv], steps: int, parts: int) -> None:
        """Room for this many steps of each environment, in this many minibatches."""
        device, self.shape = envs[0].device, shape
        sizes = [steps * env.rows // parts for env in envs]
        self.parts, self.rows = parts, sum(sizes)
        self.spans = [slice(sum(sizes[:at]), sum(sizes[: at + 1])) for at in range(len(sizes))]
        """Where the rows of each environment are in every minibatch."""

        def room(*width: int, kind: Any = torch.float32) -> Tensor:  # noqa: ANN401 - a dtype
            return torch.zeros(parts, self.rows, *width, dtype=kind, device=device)

        self.all = Minibatch(
            inputs=room(
                shape.padded_inputs, kind=torch.int16 if device == "cpu" else torch.bfloat16
            ),
            masks=room(shape.actions, kind=torch.bool),
            actions=room(kind=torch.int32),
            log_probs=room(),
            advantages=room(),
            policy_weights=room(),
            value_weights=room(),
            seats=room(kind=torch.int32),
            win_targets=room(shape.seats),
            point_targets=room(shape.seats),
            hands=room(shape.seats - 1 if shape.hidden else 0, kind=torch.int64),
        )
        self.norms = torch.ones(parts, 4, device=device)
        """1 over the sums of both weights, for each minibatch; the rest of a row aligns it."""
        self.learnt = torch.zeros((), dtype=torch.int64, device=device)
        """How many decisions were learnt from so far, in all rollouts."""

    def minibatch(self, part: int) -> Minibatch:
        """One minibatch. On a CPU it is without rows that have no weight."""
        rows = Minibatch(*(field[part] for field in self.all))
        if rows.inputs.device.type == "cpu":
            some = (rows.policy_weights + rows.value_weights).nonzero()[:, 0]
            rows = Minibatch(*(field[some] for field in rows))
        return rows

    def finish(self) -> None:
        """Normalise advantages and weights, once all environments have written theirs.

        Advantages are normalised for each environment: with more seats a decision changes less, and
        beside tables of two its gain would be lost in the entropy bonus.
        """
        rows = self.all
        weights = rows.policy_weights
        for span in self.spans:
            advantages, own = rows.advantages[:, span], weights[:, span]
            count = own.sum().clamp(min=1)
            mean = (advantages * own).sum() / count
            spread = ((advantages - mean).square() * own).sum() / count
            advantages.sub_(mean).div_(spread.sqrt() + 1e-6)
        sums = torch.stack((weights.sum(dim=1), rows.value_weights.sum(dim=1)), dim=1)
        self.norms[:, :2].copy_(1 / sums.clamp(min=1))
        self.learnt.add_(weights.sum(dtype=torch.float64).long())


class Slot(NamedTuple):
    """Games in which a rival has all seats but one."""

    rival: Network | None
    """In the dtype that is played with; another rival is loaded into it. None: rules of thumb."""
    games: slice
    """Which games of each minibatch."""


class Rollout:
    """One environment, and its part of the trajectories."""

    def __init__(  # noqa: PLR0913, PLR0917 - what the trainer has made
        self,
        env: VectorEnv,
        span: slice,
        trajectories: Trajectories,
        slots: list[Slot],
        config: Config,
        seed: int,
    ) -> None:
        """The rows of this environment are this span of every minibatch."""
        self.env, self.slots, self.config = env, slots, config
        self.shape, self.steps, self._parts = trajectories.shape, config.steps, trajectories.parts
        device, steps = env.device, config.steps
        self._together, self._sparse = env.together, env.device == "cpu"
        views = (
            field[:, span].view(self._parts, steps, env.rows // self._parts, *field.shape[2:])
            for field in trajectories.all
        )
        self.kept = Minibatch(*views)
        """By minibatches, steps and rows."""
        self.kept.seats.fill_(env.seats)

        def room(*size: int, kind: Any = torch.float32) -> Tensor:  # noqa: ANN401 - a dtype
            return torch.zeros(size, dtype=kind, device=device)

        self._inputs = room(env.rows, self.shape.padded_inputs, kind=self.kept.inputs.dtype)
        self._actions = room(steps + 1, env.rows, kind=torch.int32)
        self._log_probs = room(steps + 1, env.rows)
        self._values = room(steps + 1, env.rows, 2 * self.shape.seats)
        self._row_seats = room(steps + 1, env.rows, kind=torch.int8)
        self._to_act = room(steps + 1, env.size, env.seats, kind=torch.bool)
        self._done = room(steps + 1, env.size, kind=torch.bool)
        self._ranks = room(steps + 1, env.size, env.seats, kind=torch.uint8)
        self._points = room(steps + 1, env.size, env.seats, kind=torch.int16)
        self._hands = room(steps + 1, env.size, env.seats, kind=torch.int64)
        start = (seed & SEEDS) << 32
        self.counter = torch.full((), start, dtype=torch.int64, device=device)
        """Decides, with the fused kernels, what is sampled."""
        self.own = own_seats(env, self._parts, slots)
        """Which seats are the network's, by games and seats."""
        self.greedy = self._greedy_bots()
        self.contested = room(2)
        """Finished games against rivals, and the network's shares of the wins in them, so far."""

    def _greedy_bots(self) -> GreedyBots | None:
        """Those that play in the slot without a network, if there is one."""
        places = torch.arange(self.env.size, device=self.env.device)
        for slot in self.slots:
            if slot.rival is None:
                games = places.view(self._parts, -1)[:, slot.games].flatten()
                return GreedyBots(self.env, games)
        return None

    # --- At each step ---

    def observe(self, step: int) -> None:
        """Keep what the environment says before a step, and how games ended with the last one."""
        env = self.env
        self._done[step].copy_(env.done)
        self._ranks[step].copy_(env.ranks)
        self._points[step].copy_(env.points)
        self._row_seats[step].copy_(env.row_seats)
        self._to_act[step].copy_(env.to_act)
        if env.hands is not None:
            self._hands[step].copy_(env.hands)

    def act(self, network: Network, step: int) -> None:
        """Keep what is seen, and choose actions; the environment is to take the step then."""
        self.observe(step)
        if self._sparse:
            self._act_sparsely(network, step)
            return
        env, kept = self.env, self.kept
        kept.masks[:, step].copy_(env.masks.view(kept.masks[:, step].shape))
        self._encode(network, step)
        heads = network.heads(self._inputs)
        self._values[step].copy_(self._value_columns(heads))
        self._sample(heads, env.masks, self._actions[step], self._log_probs[step])
        env.actions.copy_(self._actions[step])
        for slot in self.slots:
            if slot.rival is not None:
                self._act_as_rival(slot, slot.rival, step)

    def bootstrap(self, network: Network) -> None:
        """After the last step: the values that the chain goes on with."""
        self.observe(self.steps)
        env = self.env
        if self._sparse:
            rows = self._rows_to_act()
            heads = network.heads(env.observations[rows])
            self._values[self.steps][rows] = self._value_columns(heads)
        else:
            network.encode(env.observations, self._inputs)
            self._values[self.steps].copy_(self._value_columns(network.heads(self._inputs)))

    def _encode(self, network: Network, step: int) -> None:
        kernels, to = fused_kernels(self.config), self.kept.inputs[:, step]
        if kernels is not None:
            kernels.encode(self.shape, self.env.observations, network.scale, self._inputs, to)
        else:
            network.encode(self.env.observations, self._inputs)
            to.copy_(self._inputs.view(to.shape))

    def _sample(self, heads: Tensor, masks: Tensor, actions: Tensor, log_probs: Tensor) -> None:
        if (kernels := fused_kernels(self.config)) is not None:
            kernels.sample(heads, masks, self.counter, actions, log_probs)
            self.counter.add_(1)
            return
        every = policy_log_probs(self.shape, heads, masks)
        chosen = sample(every)
        actions.copy_(chosen)
        log_probs.copy_(every.gather(-1, chosen[:, None])[:, 0])

    def _act_as_rival(self, slot: Slot, rival: Network, step: int) -> None:
        inputs, masks = self._of(slot, self._inputs), self._of(slot, self.env.masks)
        actions = torch.empty(len(inputs), dtype=torch.int32, device=inputs.device)
        log_probs = torch.empty(len(inputs), device=inputs.device)
        self._sample(rival.heads(inputs), masks, actions, log_probs)
        self._put(slot, actions, self._row_seats[step])

    def act_greedily(self) -> None:
        """Let greedy bots do what they suggested, in their games."""
        for slot in self.slots:
            if slot.rival is None and self.greedy is not None:
                self._put(slot, self.greedy.suggestions, self.env.row_seats)

    def _put(self, slot: Slot, actions: Tensor, row_seats: Tensor) -> None:
        """Let rivals do this in the games of a slot, and the network what it has chosen."""
        here = self._in_parts(self.env.actions)[:, self._rows_in(slot)]
        own = self._in_parts(self._own_rows(row_seats))[:, self._rows_in(slot)]
        here.copy_(torch.where(own, here, actions.view(here.shape).to(here.dtype)))

    def _act_sparsely(self, network: Network, step: int) -> None:
        """On a CPU: only rows of seats that are to act are computed, and copied."""
        env, kept = self.env, self.kept
        rows = self._rows_to_act()
        per_part = env.rows // self._parts
        at = (rows // per_part, step, rows % per_part)
        seen, masks = env.observations[rows], env.masks[rows]
        kept.inputs[at], kept.masks[at] = seen, masks
        heads = network.heads(seen)
        self._values[step][rows] = self._value_columns(heads)
        actions = torch.empty(len(rows), dtype=torch.int32)
        log_probs = torch.empty(len(rows))
        self._sample(heads, masks, actions, log_probs)
        own = self._own_rows(self._row_seats[step])[rows]
        for slot in self.slots:
            if slot.rival is None:
                continue
            theirs = torch.zeros(env.rows, dtype=torch.bool)
            self._in_parts(theirs)[:, self._rows_in(slot)] = True
            some = (theirs[rows] & ~own).nonzero()[:, 0]
            chosen, ignored = actions[some], log_probs[some]
            self._sample(slot.rival.heads(seen[some]), masks[some], chosen, ignored)
            actions[some] = chosen
        self._actions[step][rows], self._log_probs[step][rows] = actions, log_probs
        env.actions[rows] = actions.to(env.actions.dtype)

    def _rows_to_act(self) -> Tensor:
        env = self.env
        return env.to_act.view(-1).nonzero()[:, 0] if self._together else torch.arange(env.rows)

    def _value_columns(self, heads: Tensor) -> Tensor:
        return heads[:, self.shape.wins_at : self.shape.hidden_at]

    def _own_rows(self, row_seats: Tensor) -> Tensor:
        if self._together:
            return self.own.view(-1)
        return self.own.gather(1, row_seats.long()[:, None])[:, 0]

    def _in_parts(self, rows: Tensor) -> Tensor:
        return rows.view(self._parts, -1, *rows.shape[1:])

    def _rows_in(self, slot: Slot) -> slice:
        each = self.env.rows_per_game
        return slice(slot.games.start * each, slot.games.stop * each)

    def _of(self, slot: Slot, rows: Tensor) -> Tensor:
        """The rows of the games of a slot, one after the other."""
        return self._in_parts(rows)[:, self._rows_in(slot)].flatten(0, 1)

    # --- At the end ---

    def finish(self, network: Network) -> None:
        """After the last step: compute returns, advantages and weights, and keep them with rows."""
        self.bootstrap(network)
        env, config, steps = self.env, self.config, self.steps
        size, seats, each = env.size, env.seats, env.rows_per_game
        row_seats = self._row_seats.view(steps + 1, size, each)
        predicted = self._predictions().view(steps + 1, size, each, 2, seats)
        fixed = to_fixed_seats(predicted, row_seats[..., None])
        values = self._game_values(fixed)
        outcomes = torch.stack((win_shares(self._ranks), in_units(self._points)), dim=2)[1:]
        done = self._done[1:]
        returns, known = lambda_returns(values, outcomes, done, config.gae_lambda, self._chain())
        seen = row_seats[:-1]
        targets = to_own_seats(returns[:, :, None].expand(-1, -1, each, -1, -1), seen[..., None])
        better = advantages(targets, predicted[:-1], env.aim, config.points_weight)
        places = seen.long()
        counts = (self._to_act[:-1] & known & self.own).gather(2, places).float()
        self._keep("log_probs", self._log_probs[:-1])
        self._keep("actions", self._actions[:-1])
        self._keep("advantages", better.flatten(1))
        self._keep("policy_weights", counts.flatten(1))
        self._keep("value_weights", counts.flatten(1))
        self._keep("win_targets", targets[..., 0, :].flatten(1, 2))
        self._keep("point_targets", targets[..., 1, :].flatten(1, 2))
        if env.hands is not None:
            hands = self._hands[:-1, :, None].expand(-1, -1, each, -1)
            self._keep("hands", to_own_seats(hands, seen)[..., 1:].flatten(1, 2))
        if self.slots:
            self._count_contested(outcomes[:, :, 0], done)

    def _chain(self) -> Tensor | None:
        """Which steps belong to the chain of a seat; None: all of them.

        In games with rivals only its own decisions do: what is expected of a rival's position would
        hold if the network went on from there.
        """
        if self.config.chain == "seat":
            return self._to_act
        return self._to_act | self.own.all(dim=1)[:, None] if self.slots else None

    def _predictions(self) -> Tensor:
        """Each seat's share of the win and points, as rows see them, by steps and rows."""
        wins, points = self._values.view(self.steps + 1, self.env.rows, 2, -1).unbind(dim=2)
        seats = self.env.seats
        return torch.stack((torch.softmax(wins[..., :seats], dim=-1), points[..., :seats]), dim=2)

    def _game_values(self, fixed: Tensor) -> Tensor:
        """Values of whole games: of seats that are to act by their own rows, of others by all."""
        if not self._together:
            return fixed[:, :, 0]
        asked = self._to_act[..., None, None].float()  # by steps, games and rows
        mean = (asked * fixed).sum(dim=2) / asked.sum(dim=2)
        own = fixed.diagonal(dim1=2, dim2=4)  # a seat's row about itself
        return torch.where(self._to_act[:, :, None], own, mean)

    def _keep(self, name: str, values: Tensor) -> None:
        """Write what is by steps and rows into the minibatches."""
        to = getattr(self.kept, name)
        if values.dim() > 2:  # noqa: PLR2004 - also by seats, of which there may be room for more
            to = to[..., : values.shape[2]]
        parts = values.reshape(self.steps, self._parts, -1, *values.shape[2:])
        to.copy_(parts.transpose(0, 1))

    def _count_contested(self, shares: Tensor, done: Tensor) -> None:
        """Count finished games with a rival, and the network's shares of the wins in them."""
        contested = done & ~self.own.all(dim=1)
        won = ((shares * self.own).sum(dim=-1) * contested).sum()
        self.contested.add_(torch.stack((contested.sum().float(), won)))


def own_seats(env: VectorEnv, parts: int, slots: Sequence[Slot]) -> Tensor:
    """Which seats are the network's: one in games with a rival, in the others all."""
    places = torch.arange(env.size, device=env.device)
    seats = torch.arange(env.seats, device=env.device)
    in_part = places % (env.size // parts)
    rivals = max((slot.games.stop for slot in slots), default=0)
    alone = places[:, None] % env.seats == seats
    own: Tensor = alone | (in_part >= rivals)[:, None]
    return own


# --- Returns --------------------------------------------------------------------------------------


def lambda_returns(
    values: Tensor, outcomes: Tensor, done: Tensor, gae_lambda: float, on_chain: Tensor = None
) -> tuple[Tensor, Tensor]:
    """TD(lambda) returns of each step for each seat, and where they are known.

    Values form one chain per game over everybody's decisions. At each step they are a vector: what
    each seat will have, in the fixed order of seats, of each of two heads (shares of the win, and
    points). A seat that is to act predicts its own part of the vector, and the mean of all that are
    to act predicts the parts of the others. Returns are TD(lambda) along this chain, whoever
    decides next. The alternative, for comparison, is a chain for each seat over its own decisions.

    `values` are by steps, games, heads and seats; the last step is the one after the rollout.
    `outcomes` are those of games that ended with a step, as `done` says, by steps and games.
    `on_chain` says by steps, games and seats which steps belong to the chain of a seat; None: all.
    A return is unknown where nothing on the chain follows.
    """
    steps, games, _, seats = outcomes.shape
    returns = torch.empty_like(outcomes)
    known_at = torch.ones(steps, games, seats, dtype=torch.bool, device=values.device)
    later = value = values[steps]
    known = on_chain[steps] if on_chain is not None else known_at[0]
    for step in reversed(range(steps)):
        ended = done[step][:, None, None]
        value = torch.where(ended, outcomes[step], value)
        later = torch.where(ended, outcomes[step], later)
        mixed = torch.lerp(value, later, gae_lambda)
        returns[step] = mixed
        if on_chain is None:
            value, later = values[step], mixed
        else:
            here = on_chain[step][:, None]
            known = known | done[step][:, None]
            known_at[step] = known
            later = torch.where(here, torch.where(known[:, None], mixed, values[step]), later)
            value = torch.where(here, values[step], value)
            known = known | on_chain[step]
    return returns, known_at


def to_fixed_seats(predicted: Tensor, row_seats: Tensor) -> Tensor:
    """Vectors that rows count from their own seats, in the fixed order of seats (last axis)."""
    return _turned(predicted, -row_seats)


def to_own_seats(fixed: Tensor, row_seats: Tensor) -> Tensor:
    """Vectors in the fixed order of seats, as rows count them from their own seats (last axis)."""
    return _turned(fixed, row_seats)


def _turned(vectors: Tensor, by: Tensor) -> Tensor:
    seats = vectors.shape[-1]
    places = (torch.arange(seats, device=vectors.device) + by.long()[..., None]) % seats
    return vectors.gather(-1, places.expand(vectors.shape))


def advantages(returns: Tensor, predicted: Tensor, aim: int, points_weight: float) -> Tensor:
    """How much better each decision came out than expected, for the seat that made it.

    Both are by heads and seats, counted from the one that decides. A win counts 1 and a loss -1.
    Where few points win, `aim` is -1.
    """
    better = returns - predicted
    others = better[..., 1, 1:].mean(dim=-1)
    return 2 * better[..., 0, 0] + points_weight * aim * (better[..., 1, 0] - others)
