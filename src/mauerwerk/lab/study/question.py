"""A question that a study answers: it is played until the answer is clear.

Looking again and again at an ordinary interval until it says something finds an effect sooner or
later even where there is none. So the answer is read from a *confidence sequence*: intervals, one
for each number of games, which all hold the true value at the same time in 95 of 100 studies. It is
the normal mixture of Robbins, with the variance estimated from the games, which is valid
asymptotically; so nothing is decided before `BURN_IN` games.

H. Robbins: Statistical methods related to the law of the iterated logarithm (Annals of Mathematical
Statistics, 1970). I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy, A. Ramdas: Time-uniform
central limit theory and asymptotic confidence sequences (Annals of Statistics, 2024).
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from math import log, sqrt
from typing import Any, Final

from mauerwerk.core import options
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Setup, Value, shown
from mauerwerk.core.language import ENGLISH, Language, listed, message
from mauerwerk.games import GAMES
from mauerwerk.lab.intervals import CONFIDENCE, Estimate
from mauerwerk.lab.study.figures import Part, sums
from mauerwerk.lab.study.format import middle, number, reach, signed
from mauerwerk.lab.study.plan import Done, Plan, StudyResults, results_of, rows_in_order
from mauerwerk.lab.study.rooms import columns_of, figures_of
from mauerwerk.lab.study.tally import WIN

BURN_IN: Final = 400
"""Nothing is decided with fewer games: the sequence is valid for many."""
TIGHTEST: Final = 4_000
"""The number of games for which the intervals of a sequence are as narrow as they can be."""
NAMES: Final = {"begin": "win-by-turn/0", "length": "turns", "gap": "gap", "shared": "shared"}
"""Questions that have a name, each with its column."""
SMALL: Final = 0.01
"""A difference is too small to matter below this: a percentage point, or a hundredth of a mean."""


class Question(Value):
    """Whether the mean of a column is what it would be by itself, or the same by both rules."""

    name: str
    column: str
    scale: float
    share: bool
    fair: float | None
    """What a single study is compared with; None where two studies are compared."""


class Verdict(StrEnum):
    """What is known of the difference."""

    MORE = "more"
    LESS = "less"
    SAME = "same"
    """It is too small to matter."""
    OPEN = "open"
    """More games are needed."""


class Decision(Value):
    """The answer to a question, as far as it is known."""

    question: Question
    verdict: Verdict
    games: int
    means: tuple[float, ...]
    """Of each study."""
    difference: Estimate
    """With the interval of the sequence."""
    margin: float
    """What is too small to matter."""


def question_of(name: str, game: str, setups: Sequence[Setup[Any]]) -> Question:
    """The question with this name, or about this column. Raises SetupError."""
    setup, *more = setups
    column = NAMES.get(name, name)
    if any(column not in columns_of(GAMES[game], each) for each in setups):
        raise SetupError(
            f"there is no question {shown(name)}; there is {listed(list(NAMES), 'and')}, and each "
            "column that is counted, as in --json"
        )
    wins = column.startswith("win")
    shares = {each.column for each in figures_of(game, setup) if isinstance(each, Part)}
    share = wins or column in shares
    if more:
        return Question(name, column, 1 / WIN if wins else 1.0, share, None)
    if not wins:
        raise SetupError(
            f"{name} is compared with nothing: change a rule with --set, or ask whether to begin"
        )
    return Question(name, column, 1 / WIN, share, 1 / setup.seats)


def decide(question: Question, results: Sequence[StudyResults]) -> Decision:
    """What these games say."""
    means = tuple(
        question.scale * sums(one.tally, question.column).total / one.tally.games for one in results
    )
    games = results[0].tally.games
    if question.fair is not None:
        total, squares = sums(results[0].tally, question.column)
        variance = _variance(games, total, squares) * question.scale**2
        more = means[0] - question.fair
        margin = SMALL
    else:
        variance = _variance_of_difference(question, results) * question.scale**2
        more = means[1] - means[0]
        margin = SMALL if question.share else SMALL * abs(means[0])
    reaches = half_width(games, variance)
    found = Estimate(more, more - reaches, more + reaches)
    return Decision(question, _verdict(found, games, margin), games, means, found, margin)


def half_width(games: int, variance: float) -> float:
    """How far the interval of the sequence reaches after this many games."""
    error = 1 - CONFIDENCE
    rho = (-2 * log(error) + log(-2 * log(error) + 1)) / TIGHTEST
    spread = games * rho + 1
    return sqrt(variance * 2 * spread / (games * games * rho) * log(sqrt(spread) / error))


def _verdict(difference: Estimate, games: int, margin: float) -> Verdict:
    assert difference.low is not None
    assert difference.high is not None
    if games < BURN_IN:
        return Verdict.OPEN
    if difference.low > 0:
        return Verdict.MORE
    if difference.high < 0:
        return Verdict.LESS
    if -margin < difference.low and difference.high < margin:
        return Verdict.SAME
    return Verdict.OPEN


def _variance(games: int, total: float, squares: float) -> float:
    """Of one game; the sum of squares is never less than what the mean accounts for."""
    return max(squares - total * total / games, 0.0) / max(games - 1, 1)


def _variance_of_difference(question: Question, results: Sequence[StudyResults]) -> float:
    """Of one game and its counterpart, or of two that have nothing to do with each other."""
    one, other = (sums(each.tally, question.column) for each in results)
    games, contrast = results[0].tally.games, results[1].contrast
    if contrast is None:
        return _variance(games, *one) + _variance(results[1].tally.games, *other)
    product = contrast.products.get(question.column, 0)
    return _variance(games, other.total - one.total, one.squares + other.squares - 2 * product)


class Asking:
    """A question that is asked again and again while games are played.

    It is asked after certain numbers of batches, in the order of their numbers. So the answer does
    not depend on which workers are quick, and games that others played meanwhile do not count.
    """

    def __init__(self, question: Question, plan: Plan) -> None:
        self.question, self._plan = question, plan
        self._asked = 0

    def is_decided(self, done: Iterable[Done]) -> bool:
        """Whether the question is decided by what has been played in order."""
        rows = rows_in_order(self._plan, done)
        batches = min(map(len, rows))
        for look in looks(batches):
            if look > self._asked:
                self._asked = look
                if self._decision(rows, look)[1].verdict is not Verdict.OPEN:
                    return True
        return False

    def answer(self, done: Iterable[Done]) -> tuple[tuple[StudyResults, ...], Decision]:
        """The results when the question was first decided, or all in order if it is open."""
        rows = rows_in_order(self._plan, done)
        batches = min(map(len, rows))
        for look in looks(batches):
            results, decision = self._decision(rows, look)
            if decision.verdict is not Verdict.OPEN:
                return results, decision
        return self._decision(rows, batches)

    def _decision(
        self, rows: Sequence[Sequence[Done]], batches: int
    ) -> tuple[tuple[StudyResults, ...], Decision]:
        results = results_of(self._plan, [each for row in rows for each in row[:batches]])
        return results, decide(self.question, results)


def looks(batches: int) -> list[int]:
    """After which numbers of batches a question is asked: each of the first, then ever fewer.

    >>> looks(30)
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 27, 30]
    """
    found: list[int] = []
    look = 1
    while look <= batches:
        found.append(look)
        look += max(1, look // 8)
    return found


def change_words(results: Sequence[StudyResults]) -> str:
    """How the second study differs from the first, as it is typed: `walls=28`."""
    if len(results) < 2:  # noqa: PLR2004 - nothing is compared
        return ""
    one, other = (each.study for each in results)
    words = {option.name: option.default for option in options.described(GAMES[one.game].OPTIONS)}
    before, after = ({"seats": f"{each.seats}", **words, **each.options} for each in (one, other))
    return listed([f"{name}={word}" for name, word in after.items() if before[name] != word])


# --- In a sentence ---------------------------------------------------------------------------


def sentence(decision: Decision, change: str = "", language: Language = ENGLISH) -> str:
    """The answer in a sentence that can be quoted; `change` says how the second rule differs."""
    if decision.question.fair is not None:
        return _about_winning(decision, language)
    return _about_a_change(decision, change, language)


def _about_winning(decision: Decision, language: Language) -> str:
    question, code = decision.question, language.code
    assert question.fair is not None
    own, found = decision.means[0], decision.difference
    assert found.low is not None
    assert found.high is not None
    wins = Estimate(own, question.fair + found.low, question.fair + found.high)
    told = {
        "wins": middle(wins, code, share=True),
        "reach": reach(wins, code, share=True),
        "fair": number(question.fair, 1, code, share=True),
        "games": number(decision.games, 0, code),
    }
    if question.name != "begin":
        told["column"] = question.column
        return language(
            "{column}: {wins} of the wins ({reach} %), where {fair} would be even; {games} games.",
            **told,
        )
    match decision.verdict:
        case Verdict.MORE:
            return language(
                "Beginning helps: the player who begins wins {wins} of the games ({reach} %), "
                "where {fair} would be even. That was clear after {games} games.",
                **told,
            )
        case Verdict.LESS:
            return language(
                "Beginning hurts: the player who begins wins {wins} of the games ({reach} %), "
                "where {fair} would be even. That was clear after {games} games.",
                **told,
            )
        case Verdict.SAME:
            return language(
                "It makes no difference who begins: that player wins {wins} of the games "
                "({reach} %), where {fair} would be even. That was clear after {games} games.",
                **told,
            )
        case Verdict.OPEN:
            return language(
                "It is not clear yet whether beginning helps: the player who begins wins {wins} of "
                "the games ({reach} %), where {fair} would be even, after {games} games.",
                **told,
            )


_ABOUT: Final = {
    "begin": message("Wins of the player who begins"),
    "length": message("Turns of a game"),
    "gap": message("Points between the first and the second"),
    "shared": message("Wins that are shared"),
}


def _about_a_change(decision: Decision, change: str, language: Language) -> str:
    question, code, found = decision.question, language.code, decision.difference
    unit = " pp" if question.share else ""
    told = {
        "change": change,
        "figure": _figure(question, language),
        "before": middle(_like(decision.means[0], found), code, share=question.share),
        "after": middle(_like(decision.means[1], found), code, share=question.share),
        "difference": signed(found, code, share=question.share) + unit,
        "reach": reach(found, code, share=question.share) + unit,
        "games": number(decision.games, 0, code),
    }
    match decision.verdict:
        case Verdict.MORE | Verdict.LESS:
            return language(
                "{change} makes a difference. {figure}: {before} by standard rules, {after} as "
                "changed ({difference}, from {reach}). That was clear after {games} games of each.",
                **told,
            )
        case Verdict.SAME:
            return language(
                "{change} makes no difference that matters. {figure}: {before} by standard rules, "
                "{after} as changed ({difference}, from {reach}). That was clear after {games} "
                "games of each.",
                **told,
            )
        case Verdict.OPEN:
            return language(
                "It is not clear yet whether {change} makes a difference. {figure}: {before} by "
                "standard rules, {after} as changed ({difference}, from {reach}), after {games} "
                "games of each.",
                **told,
            )


def _figure(question: Question, language: Language) -> str:
    return language(_ABOUT[question.name]) if question.name in _ABOUT else question.column


def _like(value: float, found: Estimate) -> Estimate:
    """A value with as many digits as the difference deserves."""
    assert found.low is not None
    assert found.high is not None
    reaches = (found.high - found.low) / 2
    return Estimate(value, value - reaches, value + reaches)
