"""Games between bots that change seats, so that none has an advantage by its seat.

A line-up is a set of bots, one per seat. A rotation has as many games as there are seats; from game
to game every bot moves on by one seat, and nature's luck is the same. So in a rotation every bot
sits everywhere. The order of the bots is drawn anew for the next rotation.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import combinations
from operator import attrgetter
from typing import Any, Final

from mauerwerk.bots import external, spec
from mauerwerk.core import options, record
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Seat, Setup, Value, name_of
from mauerwerk.games import GAMES
from mauerwerk.lab.jsonl import ResultsFile, first_difference
from mauerwerk.lab.match.match import chance, play_out
from mauerwerk.lab.match.times import Times, measured


class Agreed(Value):
    """What the tables of a contest or a study agree on."""

    game: str
    rules: int
    seats: int
    options: dict[str, str]
    """As words."""

    @property
    def setup(self) -> Setup[Any]:
        """The setup of the games."""
        return Setup(self.seats, options.from_words(GAMES[self.game].OPTIONS, self.options))

    @property
    def terms(self) -> dict[str, str]:
        """All of it, in words."""
        words = {"game": self.game, "rules": f"{self.rules}", "seats": f"{self.seats}"}
        return {**words, **all_options(self.game, self.options)}


def all_options(game: str, words: Mapping[str, str]) -> dict[str, str]:
    """These options, and with their defaults those that are not named, such as house rules."""
    known = options.described(GAMES[game].OPTIONS) if game in GAMES else ()
    return {**{each.name: each.default for each in known}, **words}


class Contest(Agreed):
    """What all games of a contest have in common."""

    seed: int


class Fixture(Value):
    """A game to be played. With the seed it determines the game, unless a bot uses a clock."""

    lineup: tuple[str, ...]
    """The bots, in alphabetical order."""
    rotation: int
    """The number of the rotation of this line-up, from 0."""
    turn: int
    """By how many seats the bots have moved on."""


class Result(Value):
    """A game that was played."""

    fixture: Fixture
    bots: tuple[str, ...]
    ranks: tuple[int, ...]
    points: tuple[int, ...]
    reason: str
    turns: int
    moves: int
    """Nature's included."""
    times: tuple[Times, ...]
    """The thinking times, seat by seat."""
    forfeits: tuple[int, ...] = ()
    """The seats of bots of other people that failed, and lost for that."""
    spent: tuple[dict[str, float], ...] = ()
    """What the bots of other people say that they have spent, seat by seat, and their illegal
    moves by clause; empty where nobody has said anything."""


class Finished(Value):
    """A game that was played just now, and the text of its record if that was requested."""

    result: Result
    record_text: str | None = None


def _fault(contest: Contest, result: Result) -> str:
    by_seat = (result.bots, result.ranks, result.points, result.times)
    if {contest.seats} != set(map(len, by_seat)):
        return f"this is no game of {contest.seats} seats"
    if sorted(result.bots) != list(result.fixture.lineup):
        return "who played is not the line-up"
    return ""


def _difference(there: Contest, here: Contest) -> str:
    found = first_difference(*({**each.terms, "seed": f"{each.seed}"} for each in (there, here)))
    return f"a contest with {found}" if found else ""


RESULTS: Final = ResultsFile("results", Contest, Result, attrgetter("fixture"), _fault, _difference)
"""A file of results: one line about the contest, then one line per finished game."""


def contest(game: str, setup: Setup[Any], seed: int) -> Contest:
    """A contest in this game. Raises SetupError for a game that need not end."""
    rules = GAMES[game]
    rules.start(setup)
    if not rules.must_end(setup):
        raise SetupError(f"{game} with these options need not end, so nobody holds a contest in it")
    return Contest(game, rules.RULES, setup.seats, options.to_words(setup.options), seed)


def lineup_of(bots: Sequence[str]) -> tuple[str, ...]:
    """These bots as a line-up. Raises SetupError if a word names no bot.

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
    """The bot at each seat."""
    lineup, rotation, turn = fixture.lineup, fixture.rotation, fixture.turn
    draw = chance(seed, rotation, f"{','.join(lineup)}/seats")
    left = list(lineup)
    order = [left.pop(draw(len(left))) for _ in lineup]
    return tuple(order[turn:] + order[:turn])


def play_fixture(contest: Contest, fixture: Fixture, *, with_record: bool = False) -> Finished:
    """Play one game, and write its record if that is requested."""
    game, setup = GAMES[contest.game], contest.setup
    bots = seating(contest.seed, fixture)
    lineup = ",".join(fixture.lineup)
    for word in bots:
        warm(word, contest.game, setup)
    luck = partial(chance, contest.seed, fixture.rotation)
    players = [
        spec.sit(word, game, setup, luck(f"{lineup}/{fixture.turn}/{seat}"))
        for seat, word in enumerate(bots)
    ]
    seated = [player.bot for player in players]
    for bot in seated:
        if isinstance(bot, external.ExternalBot):
            bot.warm()  # each has a process of its own
    lengths: list[list[float]] = [[] for _ in players]
    played = play_out(game, setup, players, luck(f"{lineup}/nature"), lengths)
    lost = external.faults_of(seated)
    seconds = [player.seconds for player in players]
    result = Result(
        fixture=fixture,
        bots=bots,
        ranks=played.outcome.ranks,
        points=played.outcome.scores,
        reason=played.outcome.reason,
        turns=played.turns,
        moves=len(played.record.moves),
        times=tuple(measured(*each) for each in zip(lengths, seconds, strict=True)),
        forfeits=tuple(lost),
        spent=_spent(seated),
    )
    if not with_record:
        return Finished(result)
    sat = ", ".join(f"{name_of(Seat(seat))} {word}" for seat, word in enumerate(bots))
    left = "".join(f"# {name_of(Seat(seat))} failed, and lost: {lost[seat].why}\n" for seat in lost)
    return Finished(result, f"# {sat}\n{left}{record.write(game, played.record)}")


def _spent(bots: Sequence[object]) -> tuple[dict[str, float], ...]:
    spent = tuple(
        {name: float(amount) for name, amount in sorted(bot.spent.items())}
        if isinstance(bot, external.ExternalBot)
        else {}
        for bot in bots
    )
    return spent if any(spent) else ()


@cache
def warm(word: str, game: str, setup: Setup[Any]) -> None:
    """Let a bot compile what it needs before its time runs, once per process."""
    player = spec.sit(word, GAMES[game], setup, chance(0, 0, "warm"))
    warm: Callable[[], object] | None = getattr(player.bot, "warm", None)
    if warm is not None:
        warm()


# --- Ladders: every bot against every other, at tables of any size ---------------------------


def lineups(bots: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """All line-ups: as many different bots as there are seats, or all of them and some twice.

    >>> lineups(["a", "b", "c"], 2)
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    >>> lineups(["a", "b"], 3)
    [('a', 'a', 'b'), ('a', 'b', 'b')]
    """
    whole, extra = divmod(seats, len(bots))
    return [tuple(sorted([*bots] * whole + [*more])) for more in combinations(sorted(bots), extra)]


def plan_ladder(bots: Sequence[str], seats: int, games: int) -> Iterator[Fixture]:
    """The games of a ladder in which any two bots meet in at least this many.

    The bots that have met least meet next, so that the ladder can be stopped anywhere. A plan for
    more games begins with the plan for fewer.
    """
    possible = lineups(bots, seats)
    met = Counter(dict.fromkeys(combinations(sorted(bots), 2), 0))
    played = Counter(dict.fromkeys(possible, 0))

    def how_familiar(lineup: tuple[str, ...]) -> tuple[list[int], int]:
        return sorted(met[pair] for pair in _pairs(lineup)), played[lineup]

    while min(met.values(), default=games) < games:
        lineup = min(possible, key=how_familiar)
        yield from rotations(lineup, range(played[lineup], played[lineup] + 1))
        played[lineup] += 1
        for pair in _pairs(lineup):
            met[pair] += seats


def _pairs(lineup: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    return combinations(sorted(set(lineup)), 2)
