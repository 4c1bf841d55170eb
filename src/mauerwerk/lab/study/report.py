"""A study as one HTML file: all its answers, with pictures, in three languages.

The file asks for nothing else and needs no script: which language is read is a choice of three
buttons, and the style sheet shows the one that was chosen. The same study gives the same file, to
the byte.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from html import escape
from importlib import resources
from types import MappingProxyType
from typing import Final

from mauerwerk import __version__
from mauerwerk.core import options
from mauerwerk.core.language.translation import ENGLISH, TITLES, Language, language_of
from mauerwerk.games import GAMES
from mauerwerk.lab.intervals import Estimate
from mauerwerk.lab.study import report_parts
from mauerwerk.lab.study.comparison import Answers, ShownPart, compared, differences, shown
from mauerwerk.lab.study.luck import Luck, Parts
from mauerwerk.lab.study.plan import Found
from mauerwerk.lab.study.rooms import pictured
from mauerwerk.lab.study.study import Study
from mauerwerk.lab.study.writing import middle, number, reach

MOST_DIFFERENCES = 20


Titles = Mapping[str, str]
"""What those who made boards and the like call them, by their words in the options."""

_NONE: Final[Titles] = MappingProxyType({})


def report(found: Sequence[Found], opening: str = ENGLISH.code, titles: Titles = _NONE) -> str:
    """The whole file; it opens in this language. Raises ValueError for more than two studies."""
    if len(found) not in (1, 2):
        raise ValueError("a report is of one study, or of two")
    title, language = GAMES[found[0].study.game].TITLE, language_of(opening)
    style = resources.files(__package__ or "").joinpath("report.css").read_text(encoding="utf-8")
    choices = "".join(
        f'<input class="choice" type="radio" name="language" id="choose-{code}"'
        f"{' checked' if code == opening else ''}>"
        f'<label class="language" for="choose-{code}" lang="{code}">{name}</label>'
        for code, name in TITLES.items()
    )
    articles = "".join(_article(found, titles, language_of(code)) for code in TITLES)
    return (
        f'<!doctype html>\n<html lang="{opening}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}: {escape(language('A study'))}</title>"
        f"<style>{style}</style></head><body>"
        f'<div class="course"></div><main>{choices}{articles}</main></body></html>\n'
    )


def _article(found: Sequence[Found], titles: Titles, language: Language) -> str:
    answers = shown(found, language)
    parts = [
        *_differences(answers, found, language),
        *(_part(each, found, language) for each in answers),
        *_luck(found, language),
    ]
    links = "".join(
        f'<li><a href="#{language.code}-{name}">{escape(title)}</a></li>'
        for name, title, _ in parts
    )
    sections = "".join(
        f'<section id="{language.code}-{name}" aria-labelledby="{language.code}-{name}-title">'
        f'<h2 id="{language.code}-{name}-title">{escape(title)}</h2>{content}</section>'
        for name, title, content in parts
    )
    contents = escape(language("Contents"))
    made = language("Made with Mauerwerk {version}.", version=__version__)
    return (
        f'<article class="in-{language.code}" lang="{language.code}">'
        f"{_head(found, titles, language)}"
        f'<nav class="contents" aria-label="{contents}"><ul>{links}</ul></nav>{sections}'
        f"<footer>{escape(made)}</footer>"
        "</article>"
    )


Titled = tuple[str, str, str]
"""A name, a title, and what stands under it."""


def _head(found: Sequence[Found], titles: Titles, language: Language) -> str:
    title = GAMES[found[0].study.game].TITLE
    names = [""] if len(found) == 1 else [language("As printed"), language("As changed")]
    settings = "".join(
        f"<div>{f'<h2>{escape(name)}</h2>' if name else ''}"
        f"<p>{_settings(one, titles, language)}</p>"
        f"{_picture(one.study, titles, language)}</div>"
        for name, one in zip(names, found, strict=True)
    )
    about = language(
        "What many games between programs say about the rules. Beside every figure stands the "
        "interval that holds the true one in 95 of 100 such studies. Other players may play "
        "another game: what holds for these need not hold for people."
    )
    return (
        f"<h1>{escape(title)}</h1>"
        f'<p class="lead">{escape(about)}</p><div class="settings">{settings}</div>'
    )


def _settings(found: Found, titles: Titles, language: Language) -> str:
    """What was played, in a few words."""
    study = found.study
    said = [
        _games(found.tally.games, language),
        language.many(study.seats, "{number} seat", "{number} seats"),
        language("played by {bots}", bots=", ".join(study.players)),
        *_chosen(study, titles, language),
        language("seed {seed}", seed=f"{study.seed}"),
    ]
    return escape("; ".join(said))


def _picture(study: Study, titles: Titles, language: Language) -> str:
    """What was played on, where it is not the printed one.

    An image has ids and colours of its own, so that three of them can stand in one file.
    """
    played_on = pictured(GAMES[study.game], study.setup, language)
    if played_on is None:
        return ""
    word, title, drawing = played_on
    called = escape(titles.get(word) or title)
    coded = b64encode(drawing.encode()).decode()
    return (
        f'<figure class="board"><img alt="{called}" src="data:image/svg+xml;base64,{coded}">'
        f"<figcaption>{called}</figcaption></figure>"
    )


def _games(games: int, language: Language) -> str:
    written = number(games, 0, language.code)
    return language.many(games, "{written} game", "{written} games", written=written)


def _chosen(study: Study, titles: Titles, language: Language) -> list[str]:
    """The options, as they are read."""
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


def _differences(
    answers: Sequence[ShownPart], studies: Sequence[Found], language: Language
) -> list[Titled]:
    if len(studies) == 1:
        return []
    number_of, marked = compared(answers)
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
    found = differences(answers, MOST_DIFFERENCES)
    table = report_parts.differences(found, language) if found else ""
    title = language("What differs most")
    return [("differences", title, f'<p class="note">{escape(note)}</p>{table}')]


def _part(each: ShownPart, found: Sequence[Found], language: Language) -> Titled:
    if not isinstance(each, Answers):
        pictures = report_parts.histograms(each, found, language)
        return (each.name, each.title, f'<p class="note">{escape(each.note)}</p>{pictures}')
    section = each.section
    draw = report_parts.table if len(found) == 1 else report_parts.comparison
    note = f'<p class="note">{escape(section.note)}</p>' if section.note else ""
    return (section.name, section.title, note + draw(each, language))


def _luck(found: Sequence[Found], language: Language) -> list[Titled]:
    """What decides, where that was looked at."""
    looked_at = [(one.luck, name) for one, name in zip(found, _names(found, language), strict=True)]
    tables = [
        _luck_table(luck, name, language)
        for luck, name in looked_at
        if luck is not None and (luck.wins or luck.points)
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
    return [
        (
            "luck",
            language("How much luck decides"),
            f'<p class="note">{escape(note)}</p>{"".join(tables)}',
        )
    ]


def _names(found: Sequence[Found], language: Language) -> list[str]:
    return [""] if len(found) == 1 else [language("As printed"), language("As changed")]


def _luck_table(luck: Luck, name: str, language: Language) -> str:
    heads = (language("who wins"), language("by how many points"))
    labels = (
        (language("Nature"), "nature"),
        (language("The players' own chance"), "players"),
        (language("Both together"), "together"),
    )
    rows = "".join(
        f'<tr><th scope="row">{escape(label)}</th>'
        + "".join(
            _luck_cell(parts, place, head, language)
            for parts, head in zip((luck.wins, luck.points), heads, strict=True)
        )
        + "</tr>"
        for label, place in labels
    )
    games = _games(luck.games, language)
    caption = escape(f"{name}: {games}" if name else games)
    head = "".join(f'<th scope="col">{escape(each)}</th>' for each in heads)
    return (
        f"<table><caption>{caption}</caption><thead><tr><td></td>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _luck_cell(parts: Parts | None, place: str, head: str, language: Language) -> str:
    if parts is None:
        return "<td></td>"
    value = getattr(parts, place)
    said = middle(value, language.code, share=True)
    return (
        f'<td data-head="{escape(head)}"><span><b>{said}</b> '
        f"<small>{reach(value, language.code, share=True)}</small></span></td>"
    )
