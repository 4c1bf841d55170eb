"""Games between bots that change seats, so that none has the better one.

A line-up is who plays: a bot a seat, in no order. A rotation is as many games as there are seats;
in each of them everybody moves on by one, and the luck of nature is the same. So in a rotation
every bot sits everywhere, and who comes after whom is drawn anew for the next.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from mauerwerk.bots import spec
from mauerwerk.bots.bot import Player
from mauerwerk.core import options, record
from mauerwerk.core.game import Setup, SetupError, Value
from mauerwerk.games import GAMES
from mauerwerk.lab.match.match import chance, play_out
from mauerwerk.lab.match.times import Stopwatch, Times


class Contest(Value):
    """What all games of a contest have in common."""

    game: str
    rules: int
    seats: int
    options: dict[str, str]
    """As words."""
    seed: int

    @property
    def setup(self) -> Setup[Any]:
        """What a table agrees on."""
        return Setup(self.seats, options.from_words(GAMES[self.game].OPTIONS, self.options))


class Fixture(Value):
    """A game that is to be played: the seed and this decide it, but for bots that watch a clock."""

    lineup: tuple[str, ...]
    """Who plays, in alphabetical order."""
    rotation: int
    """Which of this line-up's, from 0."""
    turn: int
    """By how many seats everybody has moved on."""


class Result(Value):
    """A game that was played."""

    fixture: Fixture
    bots: tuple[str, ...]
    """Who sat where."""
    ranks: tuple[int, ...]
    points: tuple[int, ...]
    reason: str
    turns: int
    moves: int
    """Nature's included."""
    times: tuple[Times, ...]
    """How long they thought, seat by seat."""


class Finished(Value):
    """A game that was played just now, with its record where that is wanted."""

    result: Result
    paper: str | None = None


def contest(game: str, setup: Setup[Any], seed: int) -> Contest:
    """A contest in this game. Raises SetupError where it need not end."""
    rules = GAMES[game]
    rules.start(setup)
    if not rules.must_end(setup):
        raise SetupError(f"{game} with these options need not end, so nobody holds a contest in it")
    return Contest(game, rules.RULES, setup.seats, options.to_words(setup.options), seed)


def lineup_of(bots: Sequence[str]) -> tuple[str, ...]:
    """These bots as a line-up. Raises SetupError where one of them is none.

    >>> lineup_of(["uniform:2s", "uniform"])
    ('uniform', 'uniform:2s')
    """
    return tuple(sorted(spec.read(word).word for word in bots))


def rotations(lineup: tuple[str, ...], numbers: range) -> Iterator[Fixture]:
    """All games of these rotations."""
    for rotation in numbers:
        for turn in range(len(lineup)):
            yield Fixture(lineup, rotation, turn)


def seating(seed: int, fixture: Fixture) -> tuple[str, ...]:
    """Who sits where."""
    lineup, rotation, turn = fixture.lineup, fixture.rotation, fixture.turn
    draw = chance(seed, rotation, f"{','.join(lineup)}/seats")
    left = list(lineup)
    order = [left.pop(draw(len(left))) for _ in lineup]
    return tuple(order[turn:] + order[:turn])


def play_fixture(contest: Contest, fixture: Fixture, *, paper: bool = False) -> Finished:
    """Play one game; write it down where that is wanted."""
    game, setup = GAMES[contest.game], contest.setup
    bots = seating(contest.seed, fixture)
    lineup = ",".join(fixture.lineup)
    stopwatches: list[Stopwatch] = []
    players: list[Player] = []
    for seat, word in enumerate(bots):
        warm(word, contest.game, setup)
        luck = chance(contest.seed, fixture.rotation, f"{lineup}/{fixture.turn}/{seat}")
        player = spec.sit(spec.read(word), game, setup, luck)
        stopwatches.append(Stopwatch(player))
        players.append(Player(stopwatches[-1], player.seconds))
    nature = chance(contest.seed, fixture.rotation, f"{lineup}/nature")
    played = play_out(game, setup, players, nature)
    result = Result(
        fixture=fixture,
        bots=bots,
        ranks=played.outcome.ranks,
        points=played.outcome.points,
        reason=played.outcome.reason,
        turns=played.turns,
        moves=len(played.record.moves),
        times=tuple(stopwatch.times for stopwatch in stopwatches),
    )
    if not paper:
        return Finished(result)
    sat = ", ".join(f"seat {seat} {word}" for seat, word in enumerate(bots))
    return Finished(result, f"# {sat}\n{record.write(game, played.record)}")


@cache
def warm(word: str, game: str, setup: Setup[Any]) -> None:
    """Let a bot that must be compiled be so before its time runs, once a process."""
    player = spec.sit(spec.read(word), GAMES[game], setup, chance(0, 0, "warm"))
    warm: Callable[[], object] | None = getattr(player.bot, "warm", None)
    if warm is not None:
        warm()
