"""A study as it is printed on a terminal."""

from collections.abc import Sequence
from typing import Final

import click
from rich.console import Console
from rich.table import Table

from mauerwerk.core.game import AnyGame
from mauerwerk.core.language.words import counted
from mauerwerk.lab.intervals import Estimate
from mauerwerk.lab.study.comparison import Answer, Answers, all_answers, count_changes, differences
from mauerwerk.lab.study.figures import Distribution, bins_of
from mauerwerk.lab.study.format import middle, plus_minus, signed
from mauerwerk.lab.study.luck import Luck, Parts
from mauerwerk.lab.study.pairing import Contrast
from mauerwerk.lab.study.plan import StudyResults

MARK: Final = "*"
BOTH: Final = ("printed", "changed", "difference")
BESIDE: Final = 4
"""The largest number of questions in one table; further ones have a table of their own."""
MOST: Final = 12
"""The number of most significant differences that are listed first."""

_BLOCKS: Final = "▁▂▃▄▅▆▇█"
_WIDTH: Final = 40


def print_study(game: AnyGame, results: Sequence[StudyResults]) -> None:
    """Title, tables, luck; of a comparison what differs most first."""
    for name, each in zip(_names(results), results, strict=True):
        study = each.study
        said = ", ".join(f"{option}={word}" for option, word in study.options.items())
        click.echo(
            f"{game.TITLE}{name}, {counted(each.tally.games, 'game')} of {study.seats} seats, "
            f"{'/'.join(study.players)}, {said}, seed {study.seed}"
        )
    answers = all_answers(results)
    if len(results) > 1:
        _print_differences(answers)
        _print_same(results[1].contrast)
    for chapter in answers:
        if isinstance(chapter, Distribution):
            _print_distribution(chapter, results)
        elif len(results) > 1:
            _print_both(chapter)
        else:
            _print_one(chapter)
    for name, each in zip(_names(results), results, strict=True):
        _print_luck(each.luck, name)


def _names(results: Sequence[StudyResults]) -> tuple[str, ...]:
    return ("",) if len(results) == 1 else (" as printed", " as changed")


def _table(title: str, *heads: str) -> Table:
    click.echo(f"\n{title}:")
    table = Table()
    table.add_column("")
    for head in heads:
        table.add_column(head, justify="right")
    return table


def _print_one(answers: Answers) -> None:
    """A row each, a column for each question."""
    heads = answers.section.heads
    for first in range(0, len(heads), BESIDE):
        some = slice(first, first + BESIDE)
        table = _table(answers.section.title, *heads[some])
        for line in answers.lines:
            table.add_row(line.label, *(_said(answer, 0) for answer in line.answers[some]))
        Console().print(table)


def _print_both(answers: Answers) -> None:
    """A row for each question."""
    table = _table(answers.section.title, *BOTH)
    for line in answers.lines:
        for answer in line.answers:
            table.add_row(f"{line.label}, {answer.head}", *_both(answer))
    Console().print(table)


def _print_differences(answers: Sequence[Answers | Distribution]) -> None:
    number, marked = count_changes(answers)
    table = _table("What differs most", *BOTH)
    for each in differences(answers, MOST):
        table.add_row(f"{each.title}: {each.label}, {each.answer.head}", *_both(each.answer))
    Console().print(table)
    click.echo(
        f"{MARK} the interval of the difference does not hold 0: {marked} of {number}; "
        f"by chance alone at most about {round(number / 20)} would be"
    )


def _print_same(contrast: Contrast | None) -> None:
    """How many games a changed rule did not change."""
    if contrast is None:
        click.echo("the rules have different games, so these are two independent studies")
    else:
        same = Estimate(contrast.same / contrast.games)
        click.echo(f"{middle(same, share=True)} of the games are the same by both rules")


def _both(answer: Answer) -> tuple[str, ...]:
    """What is printed, what is changed, and the difference."""
    change = answer.change
    if change is None:
        return (_said(answer, 0), _said(answer, 1), "")
    mark = MARK if answer.marked else " "
    difference = signed(change, share=answer.share), plus_minus(change, share=answer.share)
    return (_said(answer, 0), _said(answer, 1), f"{' '.join(difference)} {mark}")


def _said(answer: Answer, place: int) -> str:
    """A figure and how far its interval reaches."""
    value = answer.values[place]
    if value is None:
        return ""
    return f"{middle(value, share=answer.share)} {plus_minus(value, share=answer.share)}".rstrip()


def _print_distribution(distribution: Distribution, results: Sequence[StudyResults]) -> None:
    """A row of blocks from the least to the most."""
    click.echo(f"\n{distribution.title}:")
    for name, each in zip(_names(results), results, strict=True):
        bins = bins_of(each.tally, distribution.column, _WIDTH)
        most = max(games for _, _, games in bins)
        row = "".join(
            _BLOCKS[(len(_BLOCKS) - 1) * games // most] if games else " " for _, _, games in bins
        )
        click.echo(f"{bins[0][0]:>6} {row} {bins[-1][1]}{name}")


def _print_luck(luck: Luck | None, name: str) -> None:
    if luck is None or not (luck.wins or luck.points):
        return
    title = f"What decides{name}, in {counted(luck.games, 'game')}"
    table = _table(title, "who wins", "by how many points")
    for label, place in (
        ("nature", "nature"),
        ("the players' own chance", "players"),
        ("both together", "together"),
    ):
        table.add_row(label, *(_part(each, place) for each in (luck.wins, luck.points)))
    Console().print(table)


def _part(parts: Parts | None, place: str) -> str:
    if parts is None:
        return ""
    value = getattr(parts, place)
    return f"{middle(value, share=True)} {plus_minus(value, share=True)}".rstrip()
