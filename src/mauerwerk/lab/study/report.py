"""A study as one HTML file: all its answers, with pictures, in three languages.

The file asks for nothing else and needs no script: which language is read is a choice of three
buttons, and the style sheet shows the one that was chosen. The same study gives the same file, to
the byte. This module computes what `templates/report.html` shows. It needs Jinja, which the extra
`lab` installs.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from mauerwerk import __version__
from mauerwerk.core import options
from mauerwerk.core.language import ENGLISH, TITLES, Language, language_of
from mauerwerk.games import GAMES
from mauerwerk.lab.intervals import Estimate
from mauerwerk.lab.study import comparison, rooms
from mauerwerk.lab.study.figures import Bin, Distribution, Quantile, bins_of, with_zeros
from mauerwerk.lab.study.format import middle, number, reach, signed
from mauerwerk.lab.study.plan import StudyResults
from mauerwerk.lab.study.study import Study

MOST_DIFFERENCES: Final = 20
BAR: Final = 11
MOST_BINS: Final = 48
HISTOGRAM: Final = 110
ROOM: Final = 1.6
"""How many times as long as the longest bar an interval may be; longer ones are cut off."""
Titles = Mapping[str, str]
"""What those who made boards and the like call them, by their words in the options."""
_NONE: Final[Titles] = MappingProxyType({})


def report(
    results: Sequence[StudyResults], opening: str = ENGLISH.code, titles: Titles = _NONE
) -> str:
    """The whole file; it opens in this language. Raises ValueError for more than two studies."""
    if len(results) not in (1, 2):
        raise ValueError("a report is of one study, or of two")
    return _template().render(
        language=language_of(opening),
        title=GAMES[results[0].study.game].TITLE,
        articles=[_article(results, titles, language_of(code)) for code in TITLES],
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("mauerwerk.lab.study"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    shared: dict[str, Any] = {
        "TITLES": TITLES,
        "BAR": BAR,
        "HISTOGRAM": HISTOGRAM,
        "version": __version__,
        "middle": middle,
        "reach": reach,
        "signed": signed,
    }
    for name, each in shared.items():
        environment.globals[name] = each
    return environment.get_template("report.html")


# --- What a report consists of ---------------------------------------------------------------


class _Part(NamedTuple):
    """A section of the report, drawn by the macro of this name."""

    kind: str
    name: str
    title: str
    note: str
    content: Any


class _Rules(NamedTuple):
    """What was played."""

    name: str
    settings: str
    picture: tuple[str, str] | None
    """The title and the source of an image of what was played on, if it is not the printed one.

    An image has ids and colours of its own, so that three of them can stand in one file.
    """


class _Article(NamedTuple):
    """The report in one language."""

    language: Language
    about: str
    studies: list[_Rules]
    parts: list[_Part]


def _article(results: Sequence[StudyResults], titles: Titles, language: Language) -> _Article:
    answers = comparison.all_answers(results, language)
    about = language(
        "What many games between programs say about the rules. Beside every figure stands the "
        "interval that holds the true one in 95 of 100 such studies. Other players may play "
        "another game: what holds for these need not hold for people."
    )
    parts = [
        *_differences(answers, results, language),
        *(_part(each, results, language) for each in answers),
        *_luck(results, language),
    ]
    studies = [
        _Rules(name, _settings(one, titles, language), _picture(one.study, titles, language))
        for name, one in zip(_names(results, language), results, strict=True)
    ]
    return _Article(language, about, studies, parts)


def _names(results: Sequence[StudyResults], language: Language) -> list[str]:
    return [""] if len(results) == 1 else [language("As printed"), language("As changed")]


def _settings(results: StudyResults, titles: Titles, language: Language) -> str:
    study = results.study
    said = [
        _games(results.tally.games, language),
        language.many(study.seats, "{number} seat", "{number} seats"),
        language("played by {bots}", bots=", ".join(study.players)),
        *_chosen(study, titles, language),
        language("seed {seed}", seed=f"{study.seed}"),
    ]
    return "; ".join(said)


def _picture(study: Study, titles: Titles, language: Language) -> tuple[str, str] | None:
    played_on = rooms.pictured(GAMES[study.game], study.setup, language)
    if played_on is None:
        return None
    word, title, drawing = played_on
    coded = b64encode(drawing.encode()).decode()
    return titles.get(word) or title, f"data:image/svg+xml;base64,{coded}"


def _games(games: int, language: Language) -> str:
    written = number(games, 0, language.code)
    return language.many(games, "{written} game", "{written} games", written=written)


def _chosen(study: Study, titles: Titles, language: Language) -> list[str]:
    return [
        f"{options.label(field.name, language)}: "
        + _said(field, study.options[field.name], titles, language)
        for field in options.offered(GAMES[study.game].OPTIONS, language)
        if field.name in study.options
    ]


def _said(field: options.Field, word: str, titles: Titles, language: Language) -> str:
    """What was chosen; programs count seats from 0, and readers from 1."""
    if field.kind == "seat" and word.isdecimal():
        return language("seat {number}", number=int(word) + 1)
    if field.kind == "file":
        return titles.get(word) or dict(field.words).get(word) or field.other or word
    return options.choice(word, language)


def _part(
    each: comparison.AnsweredChapter, results: Sequence[StudyResults], language: Language
) -> _Part:
    if isinstance(each, Distribution):
        pictures = _histograms(each, results, language)
        return _Part("histograms", each.name, each.title, each.note, pictures)
    kind = "table" if len(results) == 1 else "comparison"
    section = each.section
    return _Part(kind, section.name, section.title, section.note, _table(each, results, language))


def _differences(
    answers: Sequence[comparison.AnsweredChapter],
    studies: Sequence[StudyResults],
    language: Language,
) -> list[_Part]:
    if len(studies) == 1:
        return []
    number_of, marked = comparison.count_changes(answers)
    note = language(
        "The surest differences first. A star marks a difference whose interval does not hold 0: "
        "{marked} of {number} here, of which chance alone would mark at most about {chance}.",
        marked=marked,
        number=number_of,
        chance=round(number_of / 20),
    )
    if contrast := studies[1].contrast:
        same = Estimate(contrast.same / contrast.games)
        note += " " + language(
            "Both rules get the same dice, cards and players, so each game is compared with its "
            "counterpart: {part} of the games are the same under both.",
            part=middle(same, language.code, share=True),
        )
    largest = comparison.differences(answers, MOST_DIFFERENCES)
    return [_Part("differences", "differences", language("What differs most"), note, largest)]


def _luck(results: Sequence[StudyResults], language: Language) -> list[_Part]:
    tables = [
        (": ".join(filter(None, (name, _games(one.luck.games, language)))), one.luck)
        for one, name in zip(results, _names(results, language), strict=True)
        if one.luck is not None and (one.luck.wins or one.luck.points)
    ]
    if not tables:
        return []
    note = language(
        "Many chances of nature met many of the players, each with each, with the same seats. "
        "What the same dice and cards have in common, whatever the players' own chance, is "
        "nature's part; what the players' own chance has in common under any dice is theirs; the "
        "rest only both decide together: what the dice bring depends on what was chosen. A part "
        "can come out a little below 0 where there is nothing. Whether better players win is "
        "another question."
    )
    return [_Part("luck", "luck", language("How much luck decides"), note, tables)]


# --- Tables with bars ------------------------------------------------------------------------


class _Bar(NamedTuple):
    """A bar and its interval, in percent of the whole length."""

    series: int
    top: int
    width: str
    middle: float
    interval: tuple[str, str] | None


class _Axis(NamedTuple):
    """What all bars of a table stand on."""

    head: str
    end: str
    """What their whole length is worth, in words."""
    even: str
    """Where they would end if all rows were equal; may be empty."""


class _Line(NamedTuple):
    """A row of a table, or several of a comparison."""

    label: str
    answers: tuple[Any, ...]
    height: int
    """Of its bars."""
    bars: list[_Bar]


class _Table(NamedTuple):
    """A section with its answers."""

    section: Any
    legend: list[str]
    bars: _Axis | None
    lines: list[_Line]


def _table(
    answers: comparison.Answers, results: Sequence[StudyResults], language: Language
) -> _Table:
    """A section as a table. One study has bars for several heads, two have bars for the first."""
    section, alone = answers.section, len(results) == 1
    drawn = section.drawn if alone else section.drawn[:1]
    if alone:
        legend = [section.heads[place] for place in drawn] if len(drawn) > 1 else []
    else:
        legend = [language("printed"), language("changed")] if drawn else []
    end = _end(answers, drawn)
    share = any(
        line.answers[place].share
        for line in answers.lines
        for place in drawn
        if place < len(line.answers)
    )
    axis = _Axis(
        head=" / ".join(section.heads[place] for place in drawn),
        end=middle(Estimate(end), language.code, share=share),
        even="" if section.even is None else _percent(section.even, end),
    )
    lines: list[_Line] = []
    for line in answers.lines:
        series = _series(line, drawn)
        height = (BAR + 3) * len(series) + 5
        lines.append(_Line(line.label, line.answers, height, _bars(series, end)))
    return _Table(section, legend, axis if drawn else None, lines)


def _series(line: comparison.AnswerRow, drawn: Sequence[int]) -> list[Estimate | None]:
    places = [place for place in drawn if place < len(line.answers)]
    return [value for place in places for value in line.answers[place].values]


def _end(answers: comparison.Answers, drawn: Sequence[int]) -> float:
    values = [each for line in answers.lines for each in _series(line, drawn) if each]
    longest = max((value.mean for value in values), default=0.0)
    highest = max((value.high or value.mean for value in values), default=0.0)
    even = answers.section.even or 0.0
    return max(min(highest, ROOM * longest), longest, 1.2 * even) or 1.0


def _bars(series: Sequence[Estimate | None], end: float) -> list[_Bar]:
    bars: list[_Bar] = []
    for place, value in enumerate(series):
        if value is not None:
            top = 4 + place * (BAR + 3)
            ends = (value.low, value.high)
            low, high = (None if each is None else _percent(each, end) for each in ends)
            interval = None if low is None or high is None else (low, high)
            width = _percent(value.mean, end)
            bars.append(_Bar(place % 2, top, width, top + BAR / 2, interval))
    return bars


def _percent(value: float, end: float) -> str:
    return f"{min(max(100 * value / end, 0.0), 100.0):.4g}"


# --- Histograms ------------------------------------------------------------------------------


class _Histogram(NamedTuple):
    """How often a column has which value in one study."""

    place: int
    alt: str
    tallest: str
    columns: list[tuple[str, str, str, str]]
    """For each rectangle x, width, y and height."""
    ticks: list[str]
    axis: str


def _histograms(
    distribution: Distribution, results: Sequence[StudyResults], language: Language
) -> list[_Histogram]:
    values = [value for one in results for value in with_zeros(one.tally, distribution.column)]
    ends = min(values), max(values)
    all_bins = [bins_of(one.tally, distribution.column, MOST_BINS, ends) for one in results]
    tallest = max(
        each.games / one.tally.games
        for bins, one in zip(all_bins, results, strict=True)
        for each in bins
    )
    names = [""] if len(results) == 1 else [language("printed"), language("changed")]
    top = middle(Estimate(tallest), language.code, share=True)
    return [
        _Histogram(
            place,
            _alt(distribution, one, names[place], language),
            language("{part} of the games", part=top),
            _columns(bins, one.tally.games, tallest),
            [
                number(tick, 0, language.code)
                for tick in (bins[0].first, (bins[0].first + bins[-1].last) // 2, bins[-1].last)
            ],
            distribution.axis,
        )
        for place, (one, bins) in enumerate(zip(results, all_bins, strict=True))
    ]


def _alt(distribution: Distribution, results: StudyResults, name: str, language: Language) -> str:
    values = with_zeros(results.tally, distribution.column)
    half = Quantile(distribution.column, 0.5).estimate(results.tally).mean
    return language(
        "{title}: from {least} to {most}, half of the games at most {half}",
        title=f"{distribution.title}{f' ({name})' if name else ''}",
        least=number(min(values), 0, language.code),
        most=number(max(values), 0, language.code),
        half=number(half, 0, language.code),
    )


def _columns(bins: Sequence[Bin], games: int, tallest: float) -> list[tuple[str, str, str, str]]:
    wide = 100 / len(bins)
    return [
        (f"{at * wide:.4g}", f"{0.86 * wide:.4g}", f"{HISTOGRAM - tall:.4g}", f"{tall:.4g}")
        for at, each in enumerate(bins)
        if (tall := HISTOGRAM * each.games / games / tallest)
    ]
