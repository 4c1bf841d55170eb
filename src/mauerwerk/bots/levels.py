"""The four levels of bots, from apprentice to master.

They err as people do. A beginner looks at the points on the table and not at what comes after,
does not see every choice, takes what is nearly as good, and forgets where a card lay. In a game
with rules of thumb nobody plays a move at random; `levels_of` says which levels a game has.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from mauerwerk.bots import UnusableError, can_search, guided, note_unusable, rooms, why_no_search
from mauerwerk.bots.bot import Bot, Compiled
from mauerwerk.bots.evaluation import Choice, sample, shares
from mauerwerk.bots.greedy import Greedy
from mauerwerk.bots.memory import Tracker
from mauerwerk.bots.mistakes import Mistakes
from mauerwerk.core.beliefs import PERFECT, Memory
from mauerwerk.core.game import AnyGame, Chance, Setup, Sight, Value
from mauerwerk.core.language import ENGLISH, Language, message


class Level(Value):
    """How well a bot plays, and how it errs."""

    name: str
    """The word in commands."""
    title: str
    character: str
    seconds: float
    memory: Memory
    """How much it remembers, in games about memory."""
    looks_ahead: bool
    """Whether it searches; otherwise it plays by rules of thumb."""
    simulations: int | None = None
    """How many games it imagines at a decision; if none are given, as many as it has time for."""
    mistakes: Mistakes = Mistakes()
    """Which it makes, in games whose room says nothing else."""
    word: str = ""
    """For a bot that a server offers beside the levels: what `spec` reads."""


_ALL: Final = (
    Level(
        name="apprentice",
        title=message("Apprentice"),
        character=message("Takes what lies there, overlooks a good deal and forgets the rest."),
        seconds=0.1,
        memory=Memory(per_turn=985, per_card=945),
        looks_ahead=False,
        mistakes=Mistakes(overlooks=18, hasty=25, careless=0.2),
    ),
    Level(
        name="journeyman",
        title=message("Journeyman"),
        character=message("Knows the trade and its rules of thumb, and seldom forgets."),
        seconds=0.1,
        memory=Memory(),
        looks_ahead=False,
        mistakes=Mistakes(overlooks=3),
    ),
    Level(
        name="foreman",
        title=message("Foreman"),
        character=message("Thinks ahead, if not for long, and has an eye on everybody."),
        seconds=0.2,
        memory=Memory(per_turn=998, per_card=990),
        looks_ahead=True,
        simulations=60,
        mistakes=Mistakes(unthinking=50, overlooks=3),
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
_OFFERED: Final[dict[str, tuple[Level, frozenset[str]]]] = {}
"""The bots that this server offers beside the levels, and the games that they play."""
_ADVISERS: Final[dict[str, Level]] = {}
"""The bot that gives hints on this server, by game; in other games they come from our own."""
_ELSEWHERE: Final[set[str]] = set()
"""Games that are searched outside Python, although no kernel is installed: in browsers."""
_HUNDRED: Final = 100


def offer_level(level: Level, games: Iterable[str]) -> None:
    """Offer a bot beside the levels, in these games, as long as this process runs."""
    _OFFERED[level.name] = (level, frozenset(games))


def let_advise(name: str) -> None:
    """Let a bot that is offered give the hints, in the games that it plays."""
    level, games = _OFFERED[name]
    _ADVISERS.update(dict.fromkeys(games, level))


def adviser_in(game: str) -> Level | None:
    """The bot of other people that gives hints in this game, if one does."""
    return _ADVISERS.get(game)


def search_elsewhere(games: Iterable[str]) -> None:
    """Note that something outside Python searches for the bots of these games."""
    _ELSEWHERE.update(games)


def known_levels() -> Mapping[str, Level]:
    """All levels, and the bots that this server offers beside them."""
    return {**LEVELS, **{name: level for name, (level, _) in _OFFERED.items()}}


def level_of(name: str) -> Level:
    """The level of this name; a bot that is no longer offered plays by rules of thumb."""
    known = known_levels().get(name)
    return known or replace(LEVELS["journeyman"], name=name, title=name)


def levels_of(game: AnyGame) -> Mapping[str, Level]:
    """The levels that differ in this game, by their words, the weakest first.

    Without rules of thumb only those differ that look ahead. Without a kernel either, all of them
    would play any legal move, and the weakest is left to do so. Bots that this server offers come
    last.
    """
    offered = {name: level for name, (level, games) in _OFFERED.items() if game.NAME in games}
    if rooms.has_room(game):
        return {**LEVELS, **offered}
    ahead = {word: level for word, level in LEVELS.items() if level.looks_ahead}
    return {**(ahead if can_search(game) else {_ALL[0].name: _ALL[0]}), **offered}


def mistakes_in(game: AnyGame, level: Level) -> Mistakes:
    """The mistakes of a level in this game: what the game's room says, or what is usual."""
    said: Mapping[str, Mistakes] = getattr(rooms.room_of(game), "MISTAKES", {})
    return said.get(level.name, level.mistakes)


def title_of(level: Level, game: AnyGame, language: Language = ENGLISH) -> str:
    """The title of a level, with the reason if it cannot think as it should in this game."""
    searched = game.NAME in _ELSEWHERE
    why = why_no_search(game) if level.looks_ahead and not searched else ""
    return labelled(language(level.title), why, language)


def labelled(name: str, why: str, language: Language = ENGLISH) -> str:
    """The name of a player, with the reason why it plays by rules of thumb if there is one.

    >>> labelled("master", "kernels are not installed")
    'master (rules of thumb: kernels are not installed)'
    """
    if not why:
        return name
    return language("{title} (rules of thumb: {reason})", title=name, reason=language(why))


class Fallible:
    """Plays by rules of thumb, and errs as its level does."""

    def __init__(
        self,
        level: Level,
        game: AnyGame,
        setup: Setup[Any],
        draw: Chance,
        memory: Tracker | None = None,
    ) -> None:
        """A bot of this level, which may share its memory with one that searches."""
        self._mistakes = mistakes_in(game, level)
        self._draw = draw
        self._greedy = Greedy(game, setup, draw, memory or level.memory)

    def act(self, sight: Sight[Any, Any, Any], _seconds: float, /) -> Any:  # noqa: ANN401
        """The best of the choices that it notices, by its own judgement."""
        if len(sight.legal) == 1:
            return sight.legal[0]
        evaluation = self._greedy.consider(sight)
        noticed = [each for each in evaluation.choices if not self._overlooked(len(sight.legal))]
        choices = noticed or evaluation.choices
        values = [self._seen_as(each) for each in choices]
        temperature = max(evaluation.temperature, self._mistakes.careless)
        return choices[sample(shares(values, temperature), self._draw)].action

    def _overlooked(self, choices: int) -> bool:
        """With two choices neither is overlooked."""
        return choices > 2 and self._draw(_HUNDRED) < self._mistakes.overlooks  # noqa: PLR2004

    def _seen_as(self, choice: Choice) -> float:
        hasty = self._mistakes.hasty / _HUNDRED
        return hasty * choice.at_once + (1 - hasty) * choice.value


class Ahead:
    """Searches, except for a move now and then that it plays without thinking."""

    def __init__(
        self, mistakes: Mistakes, search: Compiled, first_choice: Bot, draw: Chance
    ) -> None:
        self._mistakes = mistakes
        self._search = search
        self._first_choice = first_choice
        self._draw = draw

    def warm(self) -> None:
        """Compile now, so that the first decision does not have to wait."""
        self._search.warm()

    def act(self, sight: Sight[Any, Any, Any], seconds: float, /) -> Any:  # noqa: ANN401
        """What the search finds, or now and then the first choice."""
        if self._draw(_HUNDRED) < self._mistakes.unthinking:
            return self._first_choice.act(sight, seconds)
        return self._search.act(sight, seconds)


def sit(level: Level, game: AnyGame, setup: Setup[Any], draw: Chance, threads: int = 1) -> Bot:
    """A bot of this level for this table, which may use this many cores to look ahead.

    A level that looks ahead needs a kernel for the game. Without one it plays by rules of thumb,
    with the memory of its level, and so it does where a kernel refuses the setup, as `Search` says.
    """
    memory = Tracker(game, level.memory, draw)
    first_choice = Fallible(level, game, setup, draw, memory)
    if not (level.looks_ahead and can_search(game)):
        return first_choice
    # A level with few simulations shares them among its threads, and plays no better for them.
    share = None if level.simulations is None else -(-level.simulations // threads)
    try:
        search = guided(game, setup, draw, memory, simulations=share, threads=threads)
    except UnusableError:
        note_unusable(game.NAME)
        return first_choice
    return Ahead(mistakes_in(game, level), search, first_choice, draw)
