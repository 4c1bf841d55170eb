"""`mauerwerk study`: what a designer asks of a game, and what a changed rule does to it."""

import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

from mauerwerk.bots.external import count_forfeits
from mauerwerk.cli import common, contests, per_game
from mauerwerk.core import errors, options
from mauerwerk.core.game import AnyGame, Setup, shown
from mauerwerk.core.language import ENGLISH, TITLES, counted
from mauerwerk.lab.intervals import CONFIDENCE, Estimate
from mauerwerk.lab.jsonl import Content
from mauerwerk.lab.study import comparison
from mauerwerk.lab.study import plan as planning
from mauerwerk.lab.study.comparison import (
    Answer,
    Answers,
    all_answers,
    as_csv,
    count_changes,
    differences,
)
from mauerwerk.lab.study.figures import Distribution, bins_of
from mauerwerk.lab.study.format import middle, plus_minus, signed
from mauerwerk.lab.study.luck import Luck
from mauerwerk.lab.study.pairing import Contrast
from mauerwerk.lab.study.plan import RESULTS, StudyResults
from mauerwerk.lab.study.question import (
    NAMES,
    Asking,
    Decision,
    change_words,
    question_of,
    sentence,
)
from mauerwerk.lab.study.sweep import MOST_VALUES, curves
from mauerwerk.lab.workers import map_unordered

MARK: Final = "*"
BOTH: Final = ("standard", "changed", "difference")
BESIDE: Final = 4
"""The largest number of questions in one table; further ones have a table of their own."""
MOST: Final = 12
"""The number of most significant differences that are listed first."""
BESIDES: Final = 2
"""The largest number of studies that are compared; more are a sweep."""
_BLOCKS: Final = "▁▂▃▄▅▆▇█"
_WIDTH: Final = 40


def print_study(game: AnyGame, results: Sequence[StudyResults]) -> None:
    """Title, tables, luck; of a comparison what differs most first."""
    for name, each in zip(_names(results), results, strict=True):
        study = each.study
        said = "".join(f"{option}={word}, " for option, word in study.options.items())
        click.echo(
            f"{game.TITLE}{name}, {counted(each.tally.games, 'game')} of {study.seats} seats, "
            f"{'/'.join(study.players)}, {said}seed {study.seed}"
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
    return ("",) if len(results) == 1 else (" by standard rules", " as changed")


def _print_one(answers: Answers) -> None:
    heads = answers.section.heads
    for first in range(0, len(heads), BESIDE):
        some = slice(first, first + BESIDE)
        table = contests.start_table(f"\n{answers.section.title}:", "", *heads[some])
        for line in answers.lines:
            table.add_row(line.label, *(_said(answer, 0) for answer in line.answers[some]))
        Console().print(table)


def _print_both(answers: Answers) -> None:
    table = contests.start_table(f"\n{answers.section.title}:", "", *BOTH)
    for line in answers.lines:
        for answer in line.answers:
            table.add_row(f"{line.label}, {answer.head}", *_both(answer))
    Console().print(table)


def _print_differences(answers: Sequence[Answers | Distribution]) -> None:
    number, marked = count_changes(answers)
    table = contests.start_table("\nWhat differs most:", "", *BOTH)
    for each in differences(answers, MOST):
        table.add_row(f"{each.title}: {each.label}, {each.answer.head}", *_both(each.answer))
    Console().print(table)
    click.echo(
        f"{MARK} the interval of the difference does not hold 0: {marked} of {number}; "
        f"by chance alone at most about {round(number / 20)} would be"
    )


def _print_same(contrast: Contrast | None) -> None:
    if contrast is None:
        click.echo("the rules have different games, so these are two independent studies")
    elif contrast.same == contrast.games:
        click.echo("all games are the same by both rules: the change made no difference here")
    else:
        same = Estimate(contrast.same / contrast.games)
        click.echo(f"{middle(same, share=True)} of the games are the same by both rules")


def _both(answer: Answer) -> tuple[str, ...]:
    change = answer.change
    if change is None:
        return (_said(answer, 0), _said(answer, 1), "")
    mark = MARK if answer.marked else " "
    difference = signed(change, share=answer.share), plus_minus(change, share=answer.share)
    return (_said(answer, 0), _said(answer, 1), f"{' '.join(difference)} {mark}")


def _said(answer: Answer, place: int) -> str:
    return _figure(answer.values[place], share=answer.share)


def _figure(value: Estimate | None, *, share: bool) -> str:
    if value is None:
        return ""
    return f"{middle(value, share=share)} {plus_minus(value, share=share)}".rstrip()


def _print_distribution(distribution: Distribution, results: Sequence[StudyResults]) -> None:
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
    title = f"\nWhat decides{name}, in {counted(luck.games, 'game')}:"
    table = contests.start_table(title, "", "who wins", "by how many points")
    for label, place in (
        ("nature", "nature"),
        ("the players' own chance", "players"),
        ("both together", "together"),
    ):
        figures = (getattr(each, place, None) for each in (luck.wins, luck.points))
        table.add_row(label, *(_figure(each, share=True) for each in figures))
    Console().print(table)


# --- The command -----------------------------------------------------------------------------

COLUMNS: Final = (
    TextColumn("{task.description}"),
    BarColumn(),
    MofNCompleteColumn(),
    TextColumn("games"),
    TimeRemainingColumn(),
)
UNIFORM_GAMES: Final = 100_000
COMPILED_GAMES: Final = 10_000
GAMES: Final = 1_000
UNTIL_COMPILED: Final = 1_000_000
UNTIL: Final = 20_000
"""The default numbers of games: of uniform players, of others in compiled code, by the rules."""


@per_game.game_command()
@per_game.BOTS_OPTION
@click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="OPTION=VALUE",
    help="A changed rule, to be compared with the standard one; also seats=N. Can be repeated. "
    "A board or pictures of one's own are such a change too. One of many numbers is named after a "
    "dot, points.cities=2; a range is a sweep, walls=28..40 or walls=28..40/4.",
)
@click.option("--alone", is_flag=True, help="Study the changed rule alone, without comparing.")
@click.option(
    "--games",
    type=click.IntRange(min=2),
    help="The number of games, for each rule.  "
    f"[default: {UNIFORM_GAMES} of uniform bots, {COMPILED_GAMES} of greedy or net, else {GAMES}]",
)
@click.option(
    "--until",
    metavar="QUESTION",
    help=f"Play until a question is decided: {', '.join(NAMES)}, or any column. --games is then "
    f"the most.  [default: {UNTIL_COMPILED}, or {UNTIL} by the rules]",
)
@click.option(
    "--luck",
    type=click.IntRange(min=0, max=1000),
    help="How many chances of nature meet as many of the players, to see how much luck decides; 0 "
    "leaves it out.  [default: 20, or fewer with few games]",
)
@common.SEED
@contests.worker_options
@click.option(
    "--results",
    "file",
    type=common.FILE,
    help="Save the counts in this file; if it has some already, resume.",
)
@click.option(
    "--report",
    "page",
    type=common.FILE,
    help="Write a report with pictures: one HTML file in three languages.",
)
@click.option(
    "--csv",
    "sheet",
    type=common.FILE,
    help="Write all figures with their intervals into this file, as comma-separated values.",
)
@click.option(
    "--language",
    type=click.Choice(list(TITLES)),
    default=ENGLISH.code,
    help="The language that the report opens in.",
)
@common.AS_JSON
def study(
    game: AnyGame,
    setup: Setup[Any],
    *,
    bots: str,
    changes: Sequence[str],
    alone: bool,
    games: int | None,
    until: str | None,
    luck: int | None,
    seed: int | None,
    jobs: int | None,
    ray: str | None,
    file: Path | None,
    page: Path | None,
    sheet: Path | None,
    language: str,
    as_json: bool,
) -> None:
    """Play a game many times and say what a designer asks; compare a changed rule.

    Example: mauerwerk study GAME --bots greedy --set seats=3 --report study.html
    """
    setups, swept = _swept_setups(game, setup, changes, alone=alone)
    if swept and until:
        raise click.UsageError("a sweep has many answers: ask a question of one value")
    common.check_folder(file, "results")
    common.check_folder(page, "a report")
    common.check_folder(sheet, "a table")
    write_report = _report_writer() if page else None  # before anything is played
    there = Content[planning.Plan, planning.Done]() if file is None else RESULTS.read(file)
    if seed is None and there.head is not None:
        seed = there.head.studies[0].seed
    plan = planning.make_plan(game.NAME, setups, bots.split(","), per_game.any_seed(seed))
    contests.say_remarks(bots.split(","), game)
    if file is not None:
        RESULTS.check(file, there, plan)
    asking = Asking(question_of(until, game.NAME, setups), plan) if until else None
    luck = luck or 0 if asking or swept else luck
    wanted = planning.jobs(plan, games or _usual_games(plan, asked=bool(until)), luck)
    asked = set(wanted)
    done = {each.job: each for each in there.lines if each.job in asked}
    left = [job for job in wanted if job not in done]
    with ExitStack() as stack:
        workers = stack.enter_context(contests.workers_of(jobs, ray))
        if left and ray is None:
            planning.compile_for(plan)
        add = stack.enter_context(RESULTS.append_to(file, plan)) if file else None

        def keep(each: planning.Done) -> None:
            if add:
                add(each)
            done[each.job] = each

        forfeits = count_forfeits()
        work = map_unordered(partial(planning.do, plan), left, workers)
        whole = contests.take_all(
            _until_decided(work, asking, done) if asking else work,
            keep,
            *COLUMNS,
            title=game.TITLE,
            games=sum(job.games for job in left),
            size=lambda each: each.job.games,
        )
    results, decision = planning.results_of(plan, done.values()), None
    if asking and len(results) == len(plan.studies):
        results, decision = asking.answer(done.values())
    if len(results) < len(plan.studies):
        raise click.Abort
    if as_json:
        _print_json(game, results, forfeits, decision, whole=whole)
    else:
        _print_all(game, results, decision, swept)
        contests.print_forfeits(forfeits)
    if sheet:
        sheet.write_text(as_csv(results, _value_words(swept)), encoding="utf-8")
    if page and write_report:  # last: it may fail, and what was found took long
        text = write_report(results, language, per_game.titles(), decision, swept)
        page.write_text(text, encoding="utf-8")
    if not whole:
        raise click.exceptions.Exit(contests.STOPPED)


def _print_all(
    game: AnyGame,
    results: Sequence[StudyResults],
    decision: Decision | None,
    swept: tuple[str, list[int]] | None,
) -> None:
    """The answer first, if there was a question."""
    if decision:
        click.echo(sentence(decision, change_words(results)))
    if swept:
        _print_sweep(game, *swept, results)
    else:
        print_study(game, results)


def _until_decided(
    work: Iterator[planning.Done],
    asking: Asking,
    done: Mapping[planning.Job, planning.Done],
) -> Generator[planning.Done]:
    """The work, as long as the question is open."""
    if asking.is_decided(done.values()):
        return
    for each in work:
        yield each
        if asking.is_decided(done.values()):
            return


def _swept_setups(
    game: AnyGame, setup: Setup[Any], changes: Sequence[str], *, alone: bool
) -> tuple[list[Setup[Any]], tuple[str, list[int]] | None]:
    """All rules that are studied, and the option that takes a range of values, if one does."""
    swept, others = _sweep_in(changes)
    setups = _setups(game, setup, others)[-1 if alone or swept else 0 :]
    if swept is None:
        return setups, None
    option, values = swept
    _check_counts(setups[-1], _option_in(option))
    return [_changed(game, setups[-1], [f"{option}={value}"]) for value in values], swept


def _value_words(swept: tuple[str, list[int]] | None) -> list[str]:
    """The rules of a sweep, as they are typed."""
    return [f"{swept[0]}={value}" for value in swept[1]] if swept else []


def _sweep_in(changes: Sequence[str]) -> tuple[tuple[str, list[int]] | None, list[str]]:
    """The option that takes a range of values, if there is one, and the other changes."""
    swept: tuple[str, list[int]] | None = None
    others: list[str] = []
    for change in changes:
        name, _, word = change.partition("=")
        given = re.fullmatch(r"(\d{1,6})\.\.(\d{1,6})(?:/(\d{1,6}))?", word, re.ASCII)
        if given is None:
            others.append(change)
            continue
        first, last, step = int(given[1]), int(given[2]), int(given[3] or 1)
        if swept is not None:
            raise click.UsageError("one option at a time can take a range of values")
        values = list(range(first, last + 1, max(step, 1)))
        if not step or not 1 < len(values) <= MOST_VALUES:
            raise click.UsageError(
                f"a range has 2 to {MOST_VALUES} values like walls=28..40 or 28..40/4, not {word}"
            )
        swept = name, values
    return swept, others


def _print_sweep(
    game: AnyGame, option: str, values: Sequence[int], results: Sequence[StudyResults]
) -> None:
    """A row for each value; then what changes most, from the first value to the last."""
    study, number = results[0].study, results[0].tally.games
    printed = {each.name: each.default for each in options.described(game.OPTIONS)}
    others = [
        f"{name}={word}, "
        for name, word in study.options.items()
        if word != printed[name] and name != option.partition(".")[0].replace("-", "_")
    ]
    seats = "" if option == "seats" else f" of {study.seats} seats"
    click.echo(
        f"{game.TITLE}, {option} from {values[0]} to {values[-1]}, {''.join(others)}"
        f"{counted(number, 'game')} each{seats}, {'/'.join(study.players)}, "
        f"seed {study.seed}"
    )
    drawn = curves(results)
    table = contests.start_table("", option, *(f"{each.label}, {each.head}" for each in drawn[:4]))
    for place, value in enumerate(values):
        table.add_row(
            str(value), *(_figure(each.values[place], share=each.share) for each in drawn[:4])
        )
    Console().print(table)
    more = contests.start_table("\nWhat changes most:", "", str(values[0]), str(values[-1]), "")
    for each in drawn[4:]:
        ends = (_figure(each.values[place], share=each.share) for place in (0, -1))
        more.add_row(f"{each.title}: {each.label}, {each.head}", *ends, _line_of(each.values))
    Console().print(more)


def _line_of(values: Sequence[Estimate | None]) -> str:
    means = [value.mean for value in values if value is not None]
    low, high = min(means), max(means)
    steps = len(_BLOCKS) - 1
    return "".join(
        _BLOCKS[round(steps * (mean - low) / (high - low)) if high > low else 0] for mean in means
    )


def _usual_games(plan: planning.Plan, *, asked: bool) -> int:
    """How many games are played if nobody says: until a question is decided, many."""
    if asked:
        return UNTIL_COMPILED if all(study.compiled for study in plan.studies) else UNTIL
    if not all(study.compiled for study in plan.studies):
        return GAMES
    uniform = all(study.is_uniform for study in plan.studies)
    return UNIFORM_GAMES if uniform else COMPILED_GAMES


def _report_writer() -> Callable[..., str]:
    from mauerwerk.lab.study.report import report  # noqa: PLC0415 - needs Jinja

    return report


def _setups(game: AnyGame, setup: Setup[Any], changes: Sequence[str]) -> list[Setup[Any]]:
    """The rules as printed, with the options given, and the changed rules, if there are any.

    A board or pictures from a file are a change as well: what was printed was something else.
    """
    words = options.to_words(setup.options)
    printed = {option.name: option.default for option in options.described(game.OPTIONS)}
    changed = {name: words[name] for name in game.FILES if words[name] != printed[name]}
    base = {**words, **{name: printed[name] for name in changed}}
    first = Setup(setup.seats, options.from_words(game.OPTIONS, base))
    game.start(first)
    second = _changed(
        game, first, [*(f"{name}={word}" for name, word in changed.items()), *changes]
    )
    for name in (*changed, *map(_option_in, changes)):
        _check_counts(second, name)
    if changes and first == second:
        raise click.UsageError("the changed rule is the standard one")
    return [first] if first == second else [first, second]


def _check_counts(setup: Setup[Any], option: str) -> None:
    """Refuse an option that changes nothing, since another one has another value."""
    if needs := options.missing(setup.options, option):
        raise click.UsageError(
            f"{option} changes nothing here: it counts only with {'='.join(needs)}"
        )


def _option_in(change: str) -> str:
    """The option of a change such as `points.cities=2`."""
    return change.partition("=")[0].partition(".")[0].replace("-", "_")


def _changed(game: AnyGame, setup: Setup[Any], changes: Sequence[str]) -> Setup[Any]:
    """The same rules with these changes; each is an option or one of its numbers, or the seats."""
    words, seats = options.to_words(setup.options), setup.seats
    for change in changes:
        name, equals, word = change.partition("=")
        name, dot, key = name.partition(".")
        name = name.replace("-", "_")
        if not equals:
            raise click.UsageError(
                f"a change is an option and its value like stall=6, not {change}"
            )
        if dot:
            before = words.get(name, options.PRINTED)
            words[name] = options.with_number(game.OPTIONS, name, before, key, word)
        elif name == "seats":
            if not word.isdecimal():
                raise errors.SetupError(
                    f"seats can be {game.SEATS[0]} to {game.SEATS[-1]}, not {shown(word)}"
                )
            seats = int(word)
        else:
            words[name] = per_game.option_word(game, name, word)
    made = Setup(seats, options.from_words(game.OPTIONS, words))
    game.start(made)
    return made


def _print_json(
    game: AnyGame,
    results: Sequence[planning.StudyResults],
    forfeits: Mapping[str, int],
    decision: Decision | None,
    *,
    whole: bool,
) -> None:
    common.print_json(
        {
            "game": game.NAME,
            "rules": game.RULES,
            "confidence": CONFIDENCE,
            "stopped": not whole,
            "studies": [
                {
                    "study": each.study,
                    "games": each.tally.games,
                    "luck": each.luck,
                    "same": each.contrast and each.contrast.same,
                }
                for each in results
            ],
            "question": decision and {"asked": decision, "said": sentence(decision)},
            "answers": comparison.answers_by_name(results) if len(results) <= BESIDES else {},
            "curves": curves(results) if len(results) > BESIDES else (),
            "counts": [each.tally for each in results],
            "forfeits": forfeits,
        }
    )
