"""The whole tree of a small game, made by its rules.

Seats that choose together choose one after the other here, in the order of `Game.to_act`; what they
are told in between does not tell them what was chosen. An information set is what a seat sees and
all that it was told, as in a `Sight`; so every seat remembers everything.

Nodes are rows of arrays, in the order of their depth, so that whole levels are computed at once.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mauerwerk.bots import spec
from mauerwerk.bots.bot import Explicit
from mauerwerk.core import options
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import NATURE, AnyGame, Seat, Setup, Sight, Step, rewards_by_rank
from mauerwerk.lab.match import match
from mauerwerk.lab.solve import MOST_NODES
from mauerwerk.lab.study.rooms import room_of

OVER: Final = -2
"""The player of a node at which the game is over; nature is -1."""

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class InformationSet(NamedTuple):
    """What a seat knows when it has to choose."""

    sight: Sight[Any, Any, Any]
    first: int
    """The number of its first action among those of all information sets."""
    own_moves: int
    """How many choices this seat has made before."""

    @property
    def actions(self) -> range:
        """The numbers of its actions."""
        return range(self.first, self.first + len(self.sight.legal))


class Tree(NamedTuple):
    """A game with all its positions."""

    seats: int
    players: Ints
    """Of each node: the seat that chooses, `NATURE` or `OVER`."""
    rewards: Floats
    """Of each seat at each node where the game is over, by rank: they add up to zero."""
    parents: Ints
    """Of each edge; edges are in the order of their children, which begin with node 1."""
    actions: Ints
    """Of each edge, the number of the action; -1 for nature's."""
    chances: Floats
    """Of each edge of nature, its probability; 1 for others."""
    levels: Sequence[slice]
    """The edges of each depth."""
    sets: Sequence[InformationSet]
    set_of: Ints
    """Of each action, its information set."""
    owner: Ints
    """Of each action, the seat that chooses."""

    @property
    def nodes(self) -> int:
        """How many positions there are."""
        return len(self.players)


class _Position(NamedTuple):
    state: Any
    memory: tuple[int, ...]
    own_moves: tuple[int, ...]


class _Builder:
    def __init__(self, game: AnyGame, setup: Setup[Any], most: int) -> None:
        self.game, self.setup, self.most = game, setup, most
        self.players: list[int] = []
        self.rewards: list[tuple[float, ...]] = []
        self.parents: list[int] = []
        self.actions: list[int] = []
        self.chances: list[float] = []
        self.sets: list[InformationSet] = []
        self.number_of: dict[Any, int] = {}
        self.memories: dict[tuple[int, Any], int] = {}
        self.told: list[tuple[Any, ...]] = [()]

    def build(self) -> Tree:
        """Level by level."""
        seats = self.setup.seats
        level = [_Position(self.game.start(self.setup), (0,) * seats, (0,) * seats)]
        levels: list[slice] = []
        self._add(level[0].state)
        begin = 0
        while level:
            following: list[_Position] = []
            first = len(self.parents)
            for place, position in enumerate(level, begin):
                following += self._expand(place, position)
            begin += len(level)
            if following:
                levels.append(slice(first, len(self.parents)))
            level = following
        set_of = [number for number, each in enumerate(self.sets) for _ in each.actions]
        owner = [int(each.sight.seat) for each in self.sets for _ in each.actions]
        return Tree(
            seats,
            np.array(self.players, np.int64),
            np.array(self.rewards, np.float64),
            np.array(self.parents, np.int64),
            np.array(self.actions, np.int64),
            np.array(self.chances, np.float64),
            levels,
            self.sets,
            np.array(set_of, np.int64),
            np.array(owner, np.int64),
        )

    def _add(self, state: Any) -> None:  # noqa: ANN401 - the game's own
        asked = self.game.to_act(state)
        outcome = self.game.outcome(state)
        self.players.append(int(asked[0]) if asked else OVER)
        none = (0.0,) * self.setup.seats
        self.rewards.append(none if outcome is None else tuple(rewards_by_rank(outcome.ranks)))
        if len(self.players) > self.most:
            raise SetupError(
                f"this game has more than {self.most} positions: make it smaller, or allow more "
                "with --nodes"
            )

    def _expand(self, place: int, position: _Position) -> list[_Position]:
        seat = self.players[place]
        if seat == OVER:
            return []
        state, memory, own_moves = position
        if seat == NATURE:
            odds = self.game.odds(state)
            total = sum(odds.values())
            moves = [(action, -1, weight / total) for action, weight in odds.items()]
        else:
            found = self._set_at(state, Seat(seat), memory[seat], own_moves[seat])
            moves = [
                (action, number, 1.0)
                for action, number in zip(found.sight.legal, found.actions, strict=True)
            ]
            own_moves = (*own_moves[:seat], own_moves[seat] + 1, *own_moves[seat + 1 :])
        made: list[_Position] = []
        for action, number, chance in moves:
            step = self.game.apply(state, Seat(seat), action)
            self.parents.append(place)
            self.actions.append(number)
            self.chances.append(chance)
            self._add(step.state)
            made.append(_Position(step.state, self._remember(memory, step), own_moves))
        return made

    def _remember(self, memory: tuple[int, ...], step: Step[Any, Any]) -> tuple[int, ...]:
        """What each seat has been told now, by number."""
        after: list[int] = []
        for seat, before in enumerate(memory):
            noticed = tuple(
                seen
                for event in step.events
                if (seen := self.game.seen(event, Seat(seat))) is not None
            )
            if not noticed:
                after.append(before)
                continue
            number = self.memories.setdefault((before, noticed), len(self.told))
            if number == len(self.told):
                self.told.append((*self.told[before], *noticed))
            after.append(number)
        return tuple(after)

    def _set_at(
        self,
        state: Any,  # noqa: ANN401 - the game's own
        seat: Seat,
        memory: int,
        own_moves: int,
    ) -> InformationSet:
        view = self.game.view(state, seat)
        number = self.number_of.setdefault((seat, memory, view), len(self.sets))
        if number == len(self.sets):
            sight = Sight(seat, view, self.told[memory], tuple(self.game.legal(state, seat)))
            first = self.sets[-1].actions.stop if self.sets else 0
            self.sets.append(InformationSet(sight, first, own_moves))
        return self.sets[number]


def tree_of(game: AnyGame, setup: Setup[Any], most: int = MOST_NODES) -> Tree:
    """The whole tree of such a game. Raises SetupError if it is too large, or need not end."""
    game.start(setup)
    if not game.must_end(setup):
        raise SetupError(f"{game.NAME} with these options need not end, so it has no whole tree")
    return _Builder(game, setup, most).build()


def uniform(tree: Tree) -> Floats:
    """The policy of a player who chooses at random: a probability for each action."""
    sizes = np.array([len(each.actions) for each in tree.sets], np.float64)
    return 1 / sizes[tree.set_of]


def policy_by(tree: Tree, chosen: Mapping[int, Sequence[float]]) -> Floats:
    """The policy with these probabilities in these information sets, by number; else at random."""
    policy = uniform(tree)
    for number, shares in chosen.items():
        policy[list(tree.sets[number].actions)] = shares
    return policy


# --- Miniatures, and bots on a tree ---------------------------------------------------------------


def miniature_of(game: AnyGame) -> Setup[Any]:
    """The game's own miniature, which its study room names. Raises SetupError if there is none."""
    words = dict(getattr(room_of(game), "MINIATURE", {}))
    if not words:
        raise SetupError(f"{game.NAME} has no miniature of its own: name the options of one")
    seats = int(words.pop("seats"))
    return Setup(seats, options.from_words(game.OPTIONS, words))


def policy_of(tree: Tree, game: AnyGame, setup: Setup[Any], word: str) -> Floats:
    """What a bot does in each information set. Raises SetupError if it does not say."""
    found: dict[int, tuple[float, ...]] = {}
    for number, each in enumerate(tree.sets):
        if len(each.sight.legal) > 1:
            bot = spec.sit(word, game, setup, match.chance(0, number, "policy")).bot
            if not isinstance(bot, Explicit):
                raise SetupError(
                    f"the bot {word} does not say how likely it does what; uniform, greedy, net "
                    "and table do"
                )
            found[number] = tuple(bot.policy(each.sight))
    return policy_by(tree, found)
