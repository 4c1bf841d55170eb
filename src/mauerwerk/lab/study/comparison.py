"""The answers of a study, or of two studies with their differences."""

import csv
from collections.abc import Sequence
from io import StringIO
from typing import TypeAlias

from mauerwerk.core.game import Value
from mauerwerk.core.language import ENGLISH, Language
from mauerwerk.lab.intervals import Estimate
from mauerwerk.lab.study import figures
from mauerwerk.lab.study.figures import Distribution, Figure, Row, Section
from mauerwerk.lab.study.pairing import change
from mauerwerk.lab.study.plan import StudyResults
from mauerwerk.lab.study.rooms import sections


class Answer(Value):
    """One figure of a study, or of two."""

    head: str
    share: bool
    values: tuple[Estimate | None, ...]
    """One per study; None if the study does not determine it."""
    change: Estimate | None = None
    """How much larger the second is than the first, if there are two."""
    named: bool = True
    """Whether it can be among what differs most: a quantile moves in whole steps."""

    @property
    def marked(self) -> bool:
        """Whether the change is statistically significant."""
        return self.change is not None and figures.differs(self.change)


class AnswerRow(Value):
    """A label and its answers."""

    label: str
    answers: tuple[Answer, ...]
    everywhere: bool = True
    """Whether every study has such a row."""


class Answers(Value):
    """A section with its answers."""

    section: Section
    lines: tuple[AnswerRow, ...]


AnsweredChapter: TypeAlias = Answers | Distribution
Studies: TypeAlias = Sequence[StudyResults]
"""The results of one study, of two that are compared, or of a sweep."""


def all_answers(results: Studies, language: Language = ENGLISH) -> tuple[AnsweredChapter, ...]:
    """All sections of these studies, in this language, also what only one of them has."""
    each = [
        {chapter.name: chapter for chapter in sections(one.study.game, one.study.setup, language)}
        for one in results
    ]
    names = dict.fromkeys(name for chapters in each for name in chapters)
    answers: list[AnsweredChapter] = []
    for name in names:
        some = [chapters.get(name) for chapters in each]
        tables = [chapter if isinstance(chapter, Section) else None for chapter in some]
        first = next(chapter for chapter in some if chapter is not None)
        answers.append(_answers(first, tables, results) if isinstance(first, Section) else first)
    return tuple(answers)


def _answers(first: Section, tables: Sequence[Section | None], results: Studies) -> Answers:
    rows = [
        {} if table is None else {figures.key_of(row.figures[0]): row for row in table.rows}
        for table in tables
    ]
    keys = dict.fromkeys(key for some in rows for key in some)
    return Answers(
        first, tuple(_line(first.heads, [some.get(key) for some in rows], results) for key in keys)
    )


def _line(heads: Sequence[str], rows: Sequence[Row | None], results: Studies) -> AnswerRow:
    there = [row for row in rows if row is not None]
    label = " → ".join(dict.fromkeys(row.label for row in there))
    answers = tuple(
        _answer(
            heads[place], [None if row is None else row.figures[place] for row in rows], results
        )
        for place in range(len(there[0].figures))
    )
    return AnswerRow(label, answers, len(there) == len(rows))


def _answer(head: str, asked: Sequence[Figure | None], results: Studies) -> Answer:
    first = next(figure for figure in asked if figure is not None)
    values = tuple(
        None if figure is None else figure.estimate(one.tally)
        for figure, one in zip(asked, results, strict=True)
    )
    return Answer(
        head,
        isinstance(first, figures.Part | figures.Rate | figures.Within),
        values,
        _change(asked, values, results),
        named=not isinstance(first, figures.Quantile),
    )


def _change(
    asked: Sequence[Figure | None],
    values: Sequence[Estimate | None],
    results: Studies,
) -> Estimate | None:
    """The difference: game by game if both rules have the same games, else of two studies."""
    there = [figure for figure in asked if figure is not None]
    match (*there, *values):
        case (_, _, Estimate() as one, Estimate() as other):
            contrast = results[1].contrast
            tallies = results[0].tally, results[1].tally
            paired = contrast and change((there[0], there[1]), tallies, contrast)
            return paired or figures.difference(one, other)
        case _:
            return None


class Difference(Value):
    """A figure that differs between two studies."""

    title: str
    label: str
    answer: Answer
    whose: str = ""
    """The section, if its rows are seats, which are equal unless it matters where one sits."""


def differences(answers: Sequence[AnsweredChapter], most: int) -> tuple[Difference, ...]:
    """The most significant differences, at most this many, and each thing once.

    A row is named by one of its figures, and of the seats one is named for each kind of figure.
    What is counted twice, as by a clause and in a section of its own, or comes at the expense of
    another row, changes by the same amount: the first is named.
    """
    significant = [
        max(marked, key=_sureness)
        for each in answers
        if isinstance(each, Answers)
        for line in each.lines
        if (
            marked := [
                Difference(
                    each.section.title,
                    line.label,
                    answer,
                    "" if each.section.even is None else each.section.name,
                )
                for answer in line.answers
                if answer.marked and answer.named
            ]
        )
    ]
    once: dict[tuple[float, ...], Difference] = {}
    seats = set[tuple[str, str]]()
    for each in sorted(significant, key=_sureness, reverse=True):
        if each.whose and (each.whose, each.answer.head) in seats:
            continue
        seats.add((each.whose, each.answer.head))
        once.setdefault(_amount(each), each)
    return tuple(once.values())[:most]


def _amount(difference: Difference) -> tuple[float, ...]:
    """A change without its sign, with its interval."""
    mean, low, high = _interval(difference)
    sign = 1 if mean > 0 else -1
    ends = sorted((sign * low, sign * high))
    return tuple(float(f"{each:.9g}") for each in (abs(mean), *ends))


def _sureness(difference: Difference) -> float:
    mean, low, high = _interval(difference)
    reach = mean - low if mean > 0 else high - mean
    return abs(mean) / reach if reach else float("inf")


def _interval(difference: Difference) -> tuple[float, float, float]:
    change = difference.answer.change
    assert change is not None
    assert change.low is not None
    assert change.high is not None
    return change.mean, change.low, change.high


def count_changes(answers: Sequence[AnsweredChapter]) -> tuple[int, int]:
    """The number of figures that two studies have in common, and how many of them are marked."""
    changes = [
        answer
        for each in answers
        if isinstance(each, Answers)
        for line in each.lines
        for answer in line.answers
        if answer.change is not None
    ]
    return len(changes), sum(answer.marked for answer in changes)


def answers_by_name(results: Studies) -> dict[str, dict[str, dict[str, Answer]]]:
    """Every answer by its section, row and head, in English."""
    return {
        each.section.name: {
            line.label: {answer.head: answer for answer in line.answers} for line in each.lines
        }
        for each in all_answers(results)
        if isinstance(each, Answers)
    }


# --- As a table of comma-separated values ---------------------------------------------------------


RULES = ("standard", "changed")


def as_csv(results: Studies, values: Sequence[str] = ()) -> str:
    """A row for each figure and rule, and one for each difference, with its 95 % interval.

    The rules of a sweep are named by these values.
    """
    output = StringIO()
    rows = csv.writer(output, lineterminator="\n")
    rows.writerow(["section", "row", "figure", "rule", "mean", "low", "high"])
    for chapter in all_answers(results):
        if not isinstance(chapter, Answers):
            continue
        for line in chapter.lines:
            for answer in line.answers:
                about = [chapter.section.name, line.label, answer.head]
                rules = values or (RULES if len(results) > 1 else ("",))
                for rule, value in zip(rules, answer.values, strict=True):
                    if value is not None:
                        rows.writerow([*about, rule, *_numbers(value)])
                if answer.change is not None:
                    rows.writerow([*about, "difference", *_numbers(answer.change)])
    return output.getvalue()


def _numbers(estimate: Estimate) -> tuple[float | None, ...]:
    return estimate.mean, estimate.low, estimate.high
