"""The parts of a report: tables with bars in them, and histograms, as HTML and SVG."""

from collections.abc import Sequence
from html import escape
from typing import Final, NamedTuple

from mauerwerk.core.language.translation import Language
from mauerwerk.lab.intervals import Estimate
from mauerwerk.lab.study.comparison import Answer, AnswerRow, Answers, Difference
from mauerwerk.lab.study.estimates import Bin, binned, quantile, with_zeros
from mauerwerk.lab.study.figures import Distribution
from mauerwerk.lab.study.plan import Found
from mauerwerk.lab.study.writing import middle, number, reach, signed

BAR: Final = 11
"""How high a bar is."""

MOST_BINS: Final = 48
HISTOGRAM: Final = 110
"""How high a histogram is."""

ROOM: Final = 1.6
"""How many times as long as the longest bar an interval may be; longer ones are cut off."""


# --- Tables ----------------------------------------------------------------------------------


def table(answers: Answers, language: Language) -> str:
    """A section of one study as a table, with bars for the heads that are drawn."""
    section = answers.section
    axis = _axis(answers, section.drawn, 1, language)
    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in section.heads)
    rows = "".join(
        f"<tr>{_label(line)}{_bars(line, section.drawn, 1, axis, section.even)}"
        + "".join(_cell(answer, answer.values[0], answer.head, language) for answer in line.answers)
        + "</tr>"
        for line in answers.lines
    )
    legend = [section.heads[place] for place in section.drawn] if len(section.drawn) > 1 else []
    return _legend(legend) + _table(f"{_bar_head(answers, section.drawn, axis)}{heads}", rows)


def comparison(answers: Answers, language: Language) -> str:
    """A section of two studies: a row for each question, both answers, and the difference."""
    section = answers.section
    drawn = section.drawn[:1]
    axis = _axis(answers, drawn, 2, language)
    asked = len(section.heads) > 1
    rows: list[str] = []
    for line in answers.lines:
        high = len(line.answers)
        beside = _label(line, high) + _bars(line, drawn, 2, axis, section.even, high)
        for answer in line.answers:
            question = f'<td class="asked">{escape(answer.head)}</td>' if asked else ""
            rows.append(f"<tr>{beside}{question}{_both(answer, language)}</tr>")
            beside = ""
    question = (
        f'<th scope="col" class="asked">{_hidden(language("Question"))}</th>' if asked else ""
    )
    heads = f"{_bar_head(answers, drawn, axis)}{question}{_heads_of_both(language)}"
    legend = [language("printed"), language("changed")] if drawn else []
    return _legend(legend) + _table(heads, "".join(rows))


def differences(found: Sequence[Difference], language: Language) -> str:
    """What differs most."""
    rows = "".join(
        f'<tr><th scope="row">{escape(each.title)}: {escape(each.label)}</th>'
        f'<td class="asked">{escape(each.answer.head)}</td>{_both(each.answer, language)}</tr>'
        for each in found
    )
    question = f'<th scope="col" class="asked">{_hidden(language("Question"))}</th>'
    return _table(f"{question}{_heads_of_both(language)}", rows)


def _table(heads: str, rows: str) -> str:
    return f"<table><thead><tr><td></td>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _label(line: AnswerRow, high: int = 1) -> str:
    """The label of this many rows."""
    return f'<th scope="row"{_over(high)}>{escape(line.label)}</th>'


def _over(high: int) -> str:
    return f' rowspan="{high}"' if high > 1 else ""


def _heads_of_both(language: Language) -> str:
    heads = (language("printed"), language("changed"), language("difference"))
    return "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)


def _both(answer: Answer, language: Language) -> str:
    printed, changed = answer.values
    cells = _cell(answer, printed, language("printed"), language) + _cell(
        answer, changed, language("changed"), language
    )
    change = answer.change
    if change is None:
        return f"{cells}<td></td>"
    marked = ' class="changes"' if answer.marked else ""
    star = "*" if answer.marked else ""
    said = signed(change, language.code, share=answer.share)
    unit = " pp" if answer.share else ""
    return (
        f'{cells}<td{marked} data-head="{escape(language("difference"))}">'
        f"<span><b>{said}{unit}{star}</b> "
        f"<small>{reach(change, language.code, share=answer.share)}</small></span></td>"
    )


def _cell(answer: Answer, value: Estimate | None, head: str, language: Language) -> str:
    if value is None:
        return "<td></td>"
    said = middle(value, language.code, share=answer.share)
    sure = reach(value, language.code, share=answer.share)
    small = f" <small>{sure}</small>" if sure else ""
    return f'<td data-head="{escape(head)}"><span><b>{said}</b>{small}</span></td>'


def _hidden(words: str) -> str:
    """Words for users of screen readers."""
    return f'<span class="vh">{escape(words)}</span>'


# --- Bars ------------------------------------------------------------------------------------


class _Axis(NamedTuple):
    """What bars stand on: from nothing to the value of their whole length."""

    end: float
    said: str
    """The end in words."""


def _bar_head(answers: Answers, drawn: Sequence[int], axis: _Axis) -> str:
    """What the bars are, over their axis."""
    if not drawn:
        return ""
    what = escape(" / ".join(answers.section.heads[place] for place in drawn))
    ends = f'<span class="axis"><span>0</span><span>{axis.said}</span></span>'
    return f'<th scope="col" class="bar">{what}{ends}</th>'


def _series(line: AnswerRow, drawn: Sequence[int], studies: int) -> list[Estimate | None]:
    """What is drawn in a row: a bar for each of the heads, or for each of the studies."""
    places = [place for place in drawn if place < len(line.answers)]
    if studies == 1:
        return [line.answers[place].values[0] for place in places]
    return [value for place in places for value in line.answers[place].values]


def _axis(answers: Answers, drawn: Sequence[int], studies: int, language: Language) -> _Axis:
    """An axis for all bars of a table."""
    values = [each for line in answers.lines for each in _series(line, drawn, studies) if each]
    longest = max((value.mean for value in values), default=0.0)
    highest = max((value.high or value.mean for value in values), default=0.0)
    even = answers.section.even or 0.0
    end = max(min(highest, ROOM * longest), longest, 1.2 * even) or 1.0
    share = any(
        line.answers[place].share
        for line in answers.lines
        for place in drawn
        if place < len(line.answers)
    )
    return _Axis(end, middle(Estimate(end), language.code, share=share))


def _bars(  # noqa: PLR0913, PLR0917 - what to draw, and on which scale
    line: AnswerRow,
    drawn: Sequence[int],
    studies: int,
    axis: _Axis,
    even: float | None,
    high: int = 1,
) -> str:
    """The bars of this many rows, each with its interval; the numbers beside them say the same."""
    series = _series(line, drawn, studies)
    if not drawn:
        return ""
    height = (BAR + 3) * len(series) + 5
    marks: list[str] = []
    for place, value in enumerate(series):
        if value is not None:
            top = 4 + place * (BAR + 3)
            marks.append(_bar(value, axis.end, top, place))
    if even is not None:
        at = _at(even, axis.end)
        marks.append(f'<path class="even" d="M{at} 0V{height}"/>')
    return (
        f'<td class="bar" data-end="{axis.said}"{_over(high)}>'
        f'<svg viewBox="0 0 100 {height}" height="{height}" '
        f'preserveAspectRatio="none" aria-hidden="true">{"".join(marks)}</svg></td>'
    )


def _bar(value: Estimate, scale: float, top: int, place: int) -> str:
    drawn = (
        f'<rect class="series-{place % 2}" y="{top}" width="{_at(value.mean, scale)}" '
        f'height="{BAR}"/>'
    )
    if value.low is None or value.high is None:
        return drawn
    middle_of_bar = top + BAR / 2
    low, high = _at(value.low, scale), _at(value.high, scale)
    return f'{drawn}<path class="sure" d="M{low} {middle_of_bar}H{high}"/>'


def _at(value: float, scale: float) -> str:
    """The place on the scale, in percent."""
    return f"{min(max(100 * value / scale, 0.0), 100.0):.4g}"


def _legend(names: Sequence[str]) -> str:
    if not names:
        return ""
    entries = "".join(
        f'<li><svg viewBox="0 0 28 12" aria-hidden="true" width="28" height="12">'
        f'<rect class="series-{place}" width="28" height="12"/></svg>{escape(name)}</li>'
        for place, name in enumerate(names)
    )
    return f'<ul class="legend">{entries}</ul>'


# --- Histograms ------------------------------------------------------------------------------


def histograms(distribution: Distribution, found: Sequence[Found], language: Language) -> str:
    """How often which value, a picture for each study, all on the same scale."""
    values = [value for one in found for value in with_zeros(one.tally, distribution.column)]
    ends = min(values), max(values)
    all_bins = [binned(one.tally, distribution.column, MOST_BINS, ends) for one in found]
    tallest = max(
        each.games / one.tally.games
        for bins, one in zip(all_bins, found, strict=True)
        for each in bins
    )
    names = [""] if len(found) == 1 else [language("printed"), language("changed")]
    return "".join(
        _histogram(distribution, one, bins, tallest, place, names[place], language)
        for place, (one, bins) in enumerate(zip(found, all_bins, strict=True))
    )


def _histogram(  # noqa: PLR0913, PLR0917 - what all pictures share is computed once
    distribution: Distribution,
    found: Found,
    bins: Sequence[Bin],
    tallest: float,
    place: int,
    name: str,
    language: Language,
) -> str:
    first, last = bins[0].first, bins[-1].last
    half = quantile(found.tally, distribution.column, 0.5).mean
    alt = language(
        "{title}: from {least} to {most}, half of the games at most {half}",
        title=f"{distribution.title}{f' ({name})' if name else ''}",
        least=number(min(with_zeros(found.tally, distribution.column)), 0, language.code),
        most=number(max(with_zeros(found.tally, distribution.column)), 0, language.code),
        half=number(half, 0, language.code),
    )
    wide = 100 / len(bins)
    columns = "".join(
        f'<rect class="series-{place}" x="{at * wide:.4g}" width="{0.86 * wide:.4g}" '
        f'y="{HISTOGRAM - tall:.4g}" height="{tall:.4g}"/>'
        for at, each in enumerate(bins)
        if (tall := HISTOGRAM * each.games / found.tally.games / tallest)
    )
    ticks = [first, (first + last) // 2, last]
    axis = "".join(f"<span>{number(tick, 0, language.code)}</span>" for tick in ticks)
    top = middle(Estimate(tallest), language.code, share=True)
    height = escape(language("{part} of the games", part=top))
    return (
        f'<figure class="histogram"><div class="unit" aria-hidden="true">{height}</div>'
        f'<svg role="img" aria-label="{escape(alt)}" '
        f'viewBox="0 0 100 {HISTOGRAM}" height="{HISTOGRAM}" preserveAspectRatio="none">'
        f'{columns}</svg><div class="axis" aria-hidden="true">{axis}</div>'
        f'<div class="unit across" aria-hidden="true">{escape(distribution.axis)}</div>'
        f"<figcaption>{escape(alt)}</figcaption></figure>"
    )
