"""Four players of a masons' guild, from a beginner to the strongest there is.

They err as people do. A beginner looks at the points on the table and not at what comes after,
does not see every choice, takes what is nearly as good, and forgets where a card lay. Nobody plays
a move at random.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Annotated, Any, Final

from msgspec import Meta

from mauerwerk.bots import can_search
from mauerwerk.bots.bot import Bot, Compiled
from mauerwerk.bots.greedy import Greedy
from mauerwerk.bots.memory import Recollection
from mauerwerk.bots.thought import Thought, sampled, shares
from mauerwerk.core.game import AnyGame, Chance, Setup, Value
from mauerwerk.core.language.translation import message
from mauerwerk.core.sight import Sight
from mauerwerk.games.burgbaumeister.beliefs import PERFECT, Memory

Percent = Annotated[int, Meta(ge=0, le=100)]


class Level(Value):
    """How well somebody plays, and how they err."""

    name: str
    """The word in commands."""
    title: str
    character: str
    """One sentence."""
    seconds: float
    """How long they may think over a decision."""
    memory: Memory
    """What they keep in mind of the cards of Burgbaumeister."""
    looks_ahead: bool
    """Whether they search; otherwise they go by rules of thumb."""
    overlooks: Percent = 0
    """How likely they do not see a choice, out of a hundred."""
    hasty: Percent = 0
    """How far they go by the points on the table, and not by what a move is worth."""
    careless: float = 0.0
    """How many points worse a move may be and still be taken now and then."""


_ALL: Final = (
    Level(
        name="apprentice",
        title=message("Apprentice"),
        character=message("Takes what lies there, overlooks a good deal and forgets the rest."),
        seconds=0.1,
        memory=Memory(per_turn=930, per_card=880),
        looks_ahead=False,
        overlooks=30,
        hasty=60,
        careless=0.5,
    ),
    Level(
        name="journeyman",
        title=message("Journeyman"),
        character=message("Knows the trade and its rules of thumb, and seldom forgets."),
        seconds=0.1,
        memory=Memory(),
        looks_ahead=False,
        overlooks=8,
        hasty=10,
        careless=0.06,
    ),
    Level(
        name="foreman",
        title=message("Foreman"),
        character=message("Thinks ahead, if not for long, and has an eye on everybody."),
        seconds=0.2,
        memory=Memory(per_turn=998, per_card=990),
        looks_ahead=True,
        overlooks=3,
    ),
    Level(
        name="master",
        title=message("Master"),
        character=message("Forgets nothing, counts everything and takes the time it needs."),
        seconds=2.0,
        memory=PERFECT,
        looks_ahead=True,
    ),
)

LEVELS: Final[Mapping[str, Level]] = {level.name: level for level in _ALL}
"""Every level by its word, the weakest first."""

_HUNDRED: Final = 100


class Fallible:
    """Plays by rules of thumb, and errs as its level does."""

    def __init__(
        self,
        level: Level,
        game: AnyGame,
        setup: Setup[Any],
        draw: Chance,
        memory: Recollection | None = None,
    ) -> None:
        """Somebody of this level, who may share a memory with the one who searches."""
        self._level = level
        self._draw = draw
        self._greedy = Greedy(game, setup, draw, memory or level.memory)

    def act(self, sight: Sight[Any, Any, Any], seconds: float, /) -> Any:  # noqa: ANN401
        """The best of what it sees, as it sees it."""
        del seconds  # it needs next to none
        if len(sight.legal) == 1:
            return sight.legal[0]
        judgement = self._greedy.consider(sight)
        noticed = [each for each in judgement.thoughts if not self._overlooked(len(sight.legal))]
        thoughts = noticed or judgement.thoughts
        worths = [self._seen_as(each) for each in thoughts]
        temperature = max(judgement.temperature, self._level.careless)
        return thoughts[sampled(shares(worths, temperature), self._draw)].action

    def _overlooked(self, choices: int) -> bool:
        """Of two choices nobody overlooks one."""
        return choices > 2 and self._draw(_HUNDRED) < self._level.overlooks  # noqa: PLR2004

    def _seen_as(self, thought: Thought) -> float:
        hasty = self._level.hasty / _HUNDRED
        return hasty * thought.at_once + (1 - hasty) * thought.worth


class Ahead:
    """Searches, but for a move that it does not think over now and then."""

    def __init__(self, level: Level, search: Compiled, first_thought: Bot, draw: Chance) -> None:
        """Somebody of this level, who searches and also has a first thought."""
        self._level = level
        self._search = search
        self._first_thought = first_thought
        self._draw = draw

    def warm(self) -> None:
        """Compile what has to be compiled, lest the first decision wait for it."""
        self._search.warm()

    def act(self, sight: Sight[Any, Any, Any], seconds: float, /) -> Any:  # noqa: ANN401
        """What the search finds, or, if it overlooks the need for one, what seems right."""
        if self._draw(_HUNDRED) < self._level.overlooks:
            return self._first_thought.act(sight, seconds)
        return self._search.act(sight, seconds)


def sit(level: Level, game: AnyGame, setup: Setup[Any], draw: Chance) -> Bot:
    """Let somebody of this level sit down.

    Who looks ahead needs the extra `kernels`; where it is missing they go by rules of thumb, with
    the memory of their level. So they do where a kernel refuses the setup, as `Search` says.
    """
    memory = Recollection(level.memory, draw)
    first_thought = Fallible(level, game, setup, draw, memory)
    if not (level.looks_ahead and can_search()):
        return first_thought
    search = import_module("mauerwerk.bots.search").Search(game, setup, draw, memory)
    return Ahead(level, search, first_thought, draw)
