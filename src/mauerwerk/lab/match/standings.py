"""How well each bot did in a contest, with intervals."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import permutations
from statistics import fmean

from mauerwerk.core.game import Value
from mauerwerk.lab.intervals import Estimate, mean_of, share_of
from mauerwerk.lab.match.contest import Result
from mauerwerk.lab.match.times import Thinking, joined, thinking

Rotation = tuple[Result, ...]
"""All games of one rotation, in order."""


class Standing(Value):
    """The results of one bot; several seats of it at a table are averaged."""

    bot: str
    games: int
    rotations: int
    wins: Estimate
    """The share of games; winners who share a win have a part of it each."""
    rank: Estimate
    points: Estimate
    thinking: Thinking


class Ahead(Value):
    """How often one bot finished before another; a shared rank counts half."""

    bot: str
    other: str
    games: int
    rotations: int
    share: Estimate


class Standings(Value):
    """The results of a contest, from its complete rotations."""

    games: int
    rotations: int
    fair: float
    """The share of wins that equal bots would have."""
    bots: tuple[Standing, ...]
    """The bot with most wins comes first."""
    ahead: tuple[Ahead, ...]
    """For any two bots that met, in both orders."""
    seats: tuple[Estimate, ...]
    """The share of wins by seat, over all bots."""
    turns: float
    """The mean per game."""
    moves: float
    reasons: dict[str, int]
    """Why the games ended, the most frequent first."""


def whole_rotations(results: Iterable[Result]) -> list[Rotation]:
    """The rotations of which every game was played, in an order that does not depend on timing."""
    found: defaultdict[tuple[int, tuple[str, ...]], list[Result]] = defaultdict(list)
    for result in results:
        found[result.fixture.rotation, result.fixture.lineup].append(result)
    return [
        tuple(sorted(games, key=lambda game: game.fixture.turn))
        for (_, lineup), games in sorted(found.items())
        if len(games) == len(lineup)
    ]


def standings(rotations: Sequence[Rotation]) -> Standings:
    """The standings after these rotations, of which there must be at least one."""
    games = [game for rotation in rotations for game in rotation]
    bots = sorted({bot for game in games for bot in game.bots})
    reasons = Counter(game.reason for game in games)
    each = [_standing(bot, _with(rotations, bot)) for bot in bots]
    pairs = [(bot, other, _with(rotations, bot, other)) for bot, other in permutations(bots, 2)]
    return Standings(
        games=len(games),
        rotations=len(rotations),
        fair=1 / len(games[0].bots),
        bots=tuple(sorted(each, key=lambda standing: -standing.wins.mean)),
        ahead=tuple(_ahead(bot, other, met) for bot, other, met in pairs if met),
        seats=tuple(_seat(seat, rotations) for seat in range(len(games[0].bots))),
        turns=fmean(game.turns for game in games),
        moves=fmean(game.moves for game in games),
        reasons=dict(sorted(reasons.items(), key=lambda reason: (-reason[1], reason[0]))),
    )


def _with(rotations: Sequence[Rotation], *bots: str) -> list[Rotation]:
    return [rotation for rotation in rotations if set(bots) <= set(rotation[0].bots)]


def _standing(bot: str, rotations: Sequence[Rotation]) -> Standing:
    def by_seat(of: Callable[[Result, int], float]) -> list[float]:
        return _units(rotations, lambda game: fmean(of(game, seat) for seat in _seats(game, bot)))

    times = (
        game.times[seat]
        for rotation in rotations
        for game in rotation
        for seat in _seats(game, bot)
    )
    games = sum(map(len, rotations))
    return Standing(
        bot=bot,
        games=games,
        rotations=len(rotations),
        wins=share_of(by_seat(_win), games),
        rank=mean_of(by_seat(lambda game, seat: game.ranks[seat])),
        points=mean_of(by_seat(lambda game, seat: game.points[seat])),
        thinking=thinking(joined(times)),
    )


def _ahead(bot: str, other: str, rotations: Sequence[Rotation]) -> Ahead:
    def share(game: Result) -> float:
        return fmean(
            _before(game.ranks[seat], game.ranks[theirs])
            for seat in _seats(game, bot)
            for theirs in _seats(game, other)
        )

    games = sum(map(len, rotations))
    return Ahead(bot, other, games, len(rotations), share_of(_units(rotations, share), games))


def _seat(seat: int, rotations: Sequence[Rotation]) -> Estimate:
    games = sum(map(len, rotations))
    return share_of(_units(rotations, lambda game: _win(game, seat)), games)


def _units(rotations: Sequence[Rotation], of: Callable[[Result], float]) -> list[float]:
    return [fmean(map(of, rotation)) for rotation in rotations]


def _seats(game: Result, bot: str) -> list[int]:
    return [seat for seat, word in enumerate(game.bots) if word == bot]


def _win(game: Result, seat: int) -> float:
    return 1 / game.ranks.count(1) if game.ranks[seat] == 1 else 0.0


def _before(rank: int, other: int) -> float:
    return 0.5 if rank == other else float(rank < other)
