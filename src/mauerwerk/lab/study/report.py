"""A study as one HTML file: all its answers, with pictures, in three languages.

The file asks for nothing else and needs no script: which language is read is a choice of three
buttons, and the style sheet shows the one that was chosen. The same study gives the same file, to
the byte. This module computes what `templates/report.html` shows.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from mauerwerk import __version__
from mauerwerk.core import options
from mauerwerk.core.game import Value
from mauerwerk.core.language import ENGLISH, TITLES, Language, capital, language_of
from mauerwerk.games import GAMES
from mauerwerk.lab.intervals import Estimate
from mauerwerk.lab.study import comparison, rooms
from mauerwerk.lab.study.figures import Bin, Distribution, Quantile, bins_of, with_zeros
from mauerwerk.lab.study.format import middle, number, reach, signed
from mauerwerk.lab.study.plan import StudyResults
from mauerwerk.lab.study.question import Decision, change_words, sentence
from mauerwerk.lab.study.study import Study
from mauerwerk.lab.study.sweep import Curve, curves

MOST_DIFFERENCES: Final = 20
BAR: Final = 11
MOST_BINS: Final = 48
HISTOGRAM: Final = 110
CURVE: Final = 150
ROOM: Final = 1.6
"""How many times as long as the longest bar an interval may be; longer ones are cut off."""
Titles = Mapping[str, str]
"""What those who made boards and the like call them, by their words in the options."""
_NONE: Final[Titles] = MappingProxyType({})


Swept: TypeAlias = tuple[str, Sequence[int]]
"""An option, and the values that it takes in a sweep."""


def report(
    results: Sequence[StudyResults],
    opening: str = ENGLISH.code,
    titles: Titles = _NONE,
    decision: Decision | None = None,
    swept: Swept | None = None,
) -> str:
    """The whole file; it opens in this language.

    A report is of one study, of two that are compared, or of a sweep. Raises ValueError for more
    than two studies of anything else.
    """
    if len(results) not in (1, 2) and swept is None:
        raise ValueError("a report is of one study, or of two")
    return _template().render(
        language=language_of(opening),
        title=GAMES[results[0].study.game].TITLE,
        articles=[_article(results, titles, decision, swept, language_of(code)) for code in TITLES],
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
        "CURVE": CURVE,
        "version": __version__,
        "middle": middle,
        "reach": reach,
        "signed": signed,
    }
    environment.globals.update(shared)
    return environment.get_template("report.html")


# --- What a report consists of ---------------------------------------------------------------


Content: TypeAlias = dict[str, Any]
"""What a template or one of its macros shows."""


def _article(
    results: Sequence[StudyResults],
    titles: Titles,
    decision: Decision | None,
    swept: Swept | None,
    language: Language,
) -> Content:
    answer = sentence(decision, change_words(results), language) if decision else ""
    about = language(
        "What many games between programs say about the rules. Beside every figure stands the "
        "interval that holds the true one in 95 of 100 such studies. Other players may play "
        "another game: what holds for these need not hold for people."
    )
    studies: list[tuple[str, list[Setting], tuple[str, str] | None]]
    if swept:
        parts = [_curves(results, swept, language)]
        studies = [("", _settings(results[0], titles, language, swept), None)]
    else:
        answers = comparison.all_answers(results, language)
        parts = [
            *_differences(answers, results, language),
            *(_part(each, results, language) for each in answers),
            *_luck(results, language),
        ]
        studies = [
            (name, _settings(one, titles, language), _picture(one.study, titles, language))
            for name, one in zip(_names(results, language), results, strict=True)
        ]
    return {
        "language": language,
        "about": about,
        "answer": answer,
        "studies": studies,
        "parts": parts,
    }


def _names(results: Sequence[StudyResults], language: Language) -> list[str]:
    return [""] if len(results) == 1 else [language("Standard rules"), language("As changed")]


Setting: TypeAlias = tuple[str, str]
"""What was agreed on, and what was printed instead if it was changed."""


def _settings(
    results: StudyResults, titles: Titles, language: Language, swept: Swept | None = None
) -> list[Setting]:
    study = results.study
    first, seats = "", study.seats
    if swept and swept[0] == "seats":
        first, seats = f"{swept[1][0]}\N{EN DASH}", swept[1][-1]
    return [
        (_games(results.tally.games, language), ""),
        (first + language.many(seats, "{number} seat", "{number} seats"), ""),
        (language("played by {bots}", bots=", ".join(study.players)), ""),
        *_chosen(study, titles, language, swept),
        (language("seed {seed}", seed=f"{study.seed}"), ""),
    ]


def _picture(study: Study, titles: Titles, language: Language) -> tuple[str, str] | None:
    """The title and the source of an image of what was played on, if it is not the printed one.

    An image has ids and colours of its own, so that three of them can stand in one file.
    """
    played_on = rooms.pictured(GAMES[study.game], study.setup, language)
    if played_on is None:
        return None
    word, title, drawing = played_on
    coded = b64encode(drawing.encode()).decode()
    return titles.get(word) or title, f"data:image/svg+xml;base64,{coded}"


def _games(games: int, language: Language) -> str:
    written = number(games, 0, language.code)
    return language.many(games, "{written} game", "{written} games", written=written)


def _chosen(study: Study, titles: Titles, language: Language, swept: Swept | None) -> list[Setting]:
    """The options; house rules only where they were changed, which is marked."""
    kinds = GAMES[study.game].OPTIONS
    printed = {each.name: each for each in options.described(kinds)}
    chosen: list[Setting] = []
    name, values = swept or ("", range(0))
    for field in options.offered(kinds, language):
        own = field.name == name.partition(".")[0].replace("-", "_")
        if field.name not in study.options and not own:
            continue
        about, word = printed[field.name], study.options.get(field.name, "")
        if own:
            said, usual = f"{values[0]}\N{EN DASH}{values[-1]}", printed_word(kinds, name)
            said = f"{key} {said}" if (key := name.partition(".")[2]) else said
        else:
            said = _said(field, word, titles, language)
            usual = _printed(kinds, about, word, language) if word != about.default else ""
        chosen.append((f"{options.label(field.name, language)}: {said}", usual))
    return chosen


def _printed(kinds: type[Value], about: options.Option, word: str, language: Language) -> str:
    """What was printed instead of a house rule; nothing of other options."""
    if not about.house:
        return ""
    if not about.names:
        return options.choice(about.default, language)
    usual = options.numbers(kinds, about.name, options.PRINTED)
    keys = [part.partition(":")[0] for part in word.split(",")]
    return ", ".join(f"{key}:{usual[key]}" for key in keys)


def printed_word(kinds: type[Value], option: str) -> str:
    """What is printed for an option, or for one of its numbers, as it is typed."""
    name, dot, key = option.partition(".")
    name = name.replace("-", "_")
    if dot:
        return f"{options.numbers(kinds, name, options.PRINTED)[key]}"
    return next((each.default for each in options.described(kinds) if each.name == name), "")


def _said(field: options.Field, word: str, titles: Titles, language: Language) -> str:
    """What was chosen; programs count seats from 0, and readers from 1."""
    if field.kind == "seat" and word.isdecimal():
        return language("seat {number}", number=int(word) + 1)
    if field.kind == "file":
        return titles.get(word) or dict(field.words).get(word) or field.other or word
    return options.choice(word, language)


def _part(
    each: comparison.AnsweredChapter, results: Sequence[StudyResults], language: Language
) -> Content:
    """A section of the report, drawn by the macro that `kind` names."""
    if isinstance(each, Distribution):
        pictures = _histograms(each, results, language)
        return {"kind": "histograms", "chapter": each, "content": pictures}
    kind = "table" if len(results) == 1 else "comparison"
    return {"kind": kind, "chapter": each.section, "content": _table(each, results, language)}


def _differences(
    answers: Sequence[comparison.AnsweredChapter],
    studies: Sequence[StudyResults],
    language: Language,
) -> list[Content]:
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
    about = {"name": "differences", "title": language("What differs most"), "note": note}
    return [{"kind": "differences", "chapter": about, "content": largest}]


def _luck(results: Sequence[StudyResults], language: Language) -> list[Content]:
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
    about = {"name": "luck", "title": language("How much luck decides"), "note": note}
    return [{"kind": "luck", "chapter": about, "content": tables}]


# --- Tables with bars ------------------------------------------------------------------------


def _table(
    answers: comparison.Answers, results: Sequence[StudyResults], language: Language
) -> Content:
    """A section as a table. One study has bars for several heads, two have bars for the first."""
    section, alone = answers.section, len(results) == 1
    drawn = section.drawn if alone else section.drawn[:1]
    if alone:
        legend = [section.heads[place] for place in drawn] if len(drawn) > 1 else []
    else:
        legend = [language("standard"), language("changed")] if drawn else []
    end = _end(answers, drawn)
    share = any(
        line.answers[place].share
        for line in answers.lines
        for place in drawn
        if place < len(line.answers)
    )
    axis = {
        "head": " / ".join(section.heads[place] for place in drawn),
        "end": middle(Estimate(end), language.code, share=share),
        "even": "" if section.even is None else _percent(section.even, end),
    }
    lines: list[Content] = []
    for line in answers.lines:
        series = _series(line, drawn)
        height = (BAR + 3) * len(series) + 5
        lines.append({"of": line, "height": height, "bars": _bars(series, end)})
    return {"section": section, "legend": legend, "bars": axis if drawn else None, "lines": lines}


def _series(line: comparison.AnswerRow, drawn: Sequence[int]) -> list[Estimate | None]:
    places = [place for place in drawn if place < len(line.answers)]
    return [value for place in places for value in line.answers[place].values]


def _end(answers: comparison.Answers, drawn: Sequence[int]) -> float:
    values = [each for line in answers.lines for each in _series(line, drawn) if each]
    longest = max((value.mean for value in values), default=0.0)
    highest = max((value.high or value.mean for value in values), default=0.0)
    even = answers.section.even or 0.0
    return max(min(highest, ROOM * longest), longest, 1.2 * even) or 1.0


Bar: TypeAlias = tuple[int, int, str, tuple[str, str] | None]


def _bars(series: Sequence[Estimate | None], end: float) -> list[Bar]:
    """Which series, how far down, how long, and from where to where its interval reaches."""
    bars: list[Bar] = []
    for place, value in enumerate(series):
        if value is not None:
            interval = None
            if value.low is not None and value.high is not None:
                interval = _percent(value.low, end), _percent(value.high, end)
            bars.append((place % 2, 4 + place * (BAR + 3), _percent(value.mean, end), interval))
    return bars


def _percent(value: float, end: float) -> str:
    return f"{min(max(100 * value / end, 0.0), 100.0):.4g}"


# --- Curves ----------------------------------------------------------------------------------


def _curves(results: Sequence[StudyResults], swept: Swept, language: Language) -> Content:
    """What each figure is for each value of the option, with its interval as a band."""
    option, values = swept
    usual = printed_word(GAMES[results[0].study.game].OPTIONS, option)
    printed = int(usual) if usual.isdecimal() else None
    drawn = [_curve(each, values, printed, language) for each in curves(results, language)]
    note = language(
        "Each picture shows one figure for every value, with its interval as a band. A dashed line "
        "marks the standard value, or an even share. All values get the same dice, cards and "
        "players."
    )
    name, _, key = option.partition(".")
    label = (
        language("Seats") if name == "seats" else options.label(name.replace("-", "_"), language)
    )
    axis = capital(f"{label} {key}".rstrip())
    title = f"{axis}: {values[0]}\N{EN DASH}{values[-1]}"
    chapter = {"name": "curves", "title": title, "note": note}
    return {"kind": "curves", "chapter": chapter, "content": {"option": axis, "drawn": drawn}}


def _curve(curve: Curve, values: Sequence[int], printed: int | None, language: Language) -> Content:
    known = [
        (value, found)
        for value, found in zip(values, curve.values, strict=True)
        if found is not None
    ]
    ends = [
        end for _, found in known for end in (found.low, found.mean, found.high) if end is not None
    ]
    even = curve.even
    shown: list[float] = [*ends, even] if even else ends
    low, high = min(shown), max(shown)
    room = (high - low) * 0.08 or abs(high) * 0.1 or 1.0
    low, high = low - room, high + room

    def across(value: float) -> float:
        return 100 * (value - values[0]) / (values[-1] - values[0])

    def down(mean: float) -> float:
        return CURVE * (high - mean) / (high - low)

    band = [f"{across(value):.4g},{down(found.high or found.mean):.4g}" for value, found in known]
    band += [
        f"{across(value):.4g},{down(found.mean if found.low is None else found.low):.4g}"
        for value, found in reversed(known)
    ]
    first, last = known[0][1], known[-1][1]
    return {
        "title": f"{curve.title}: {curve.label}, {curve.head}",
        "line": " ".join(f"{across(v):.4g},{down(found.mean):.4g}" for v, found in known),
        "band": " ".join(band),
        "dots": [(f"{across(v):.4g}", f"{down(found.mean):.4g}") for v, found in known],
        "even": None if even is None else f"{down(even):.4g}",
        "printed": f"{across(printed):.4g}"
        if printed is not None and values[0] <= printed <= values[-1]
        else None,
        "top": middle(Estimate(high), language.code, share=curve.share),
        "foot": middle(Estimate(low), language.code, share=curve.share),
        "ticks": [values[0], values[len(values) // 2], values[-1]],
        "middle": f"{across(values[len(values) // 2]):.4g}",
        "alt": language(
            "{title}: {first} at {least}, {last} at {most}",
            title=f"{curve.title}, {curve.label}, {curve.head}",
            first=middle(first, language.code, share=curve.share),
            least=known[0][0],
            last=middle(last, language.code, share=curve.share),
            most=known[-1][0],
        ),
        "rows": [
            (
                value,
                middle(found, language.code, share=curve.share),
                reach(found, language.code, share=curve.share),
            )
            for value, found in known
        ],
    }


# --- Histograms ------------------------------------------------------------------------------


def _histograms(
    distribution: Distribution, results: Sequence[StudyResults], language: Language
) -> list[Content]:
    values = [value for one in results for value in with_zeros(one.tally, distribution.column)]
    ends = min(values), max(values)
    all_bins = [bins_of(one.tally, distribution.column, MOST_BINS, ends) for one in results]
    tallest = max(
        each.games / one.tally.games
        for bins, one in zip(all_bins, results, strict=True)
        for each in bins
    )
    names = [""] if len(results) == 1 else [language("standard"), language("changed")]
    top = middle(Estimate(tallest), language.code, share=True)
    return [
        {
            "place": place,
            "alt": _alt(distribution, one, names[place], language),
            "tallest": language("{part} of the games", part=top),
            "columns": _columns(bins, one.tally.games, tallest),
            "ticks": [
                number(tick, 0, language.code)
                for tick in (bins[0].first, (bins[0].first + bins[-1].last) // 2, bins[-1].last)
            ],
            "axis": distribution.axis,
        }
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
    """For each rectangle x, width, y and height."""
    wide = 100 / len(bins)
    return [
        (f"{at * wide:.4g}", f"{0.86 * wide:.4g}", f"{HISTOGRAM - tall:.4g}", f"{tall:.4g}")
        for at, each in enumerate(bins)
        if (tall := HISTOGRAM * each.games / games / tallest)
    ]
