"""The answers of a study as a table of comma-separated values, for spreadsheets and statistics."""

import csv
from collections.abc import Sequence
from io import StringIO

from mauerwerk.lab.intervals import Estimate
from mauerwerk.lab.study.comparison import Answers, Studies, all_answers

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
