"""A study as one HTML file: all its answers, with pictures, in three languages.

The file asks for nothing else and needs no script: which language is read is a choice of three
buttons, and the style sheet shows the one that was chosen. The same study gives the same file, to
the byte.
"""

from collections.abc import Sequence
from html import escape
from importlib import metadata, resources

from mauerwerk.core import options
from mauerwerk.core.tongue import ENGLISH, TITLES, Tongue, tongue_of
from mauerwerk.games import GAMES
from mauerwerk.lab.study import report_parts
from mauerwerk.lab.study.comparison import Answers, Shown, compared, differences, shown
from mauerwerk.lab.study.luck import Luck, Parts
from mauerwerk.lab.study.plan import Found
from mauerwerk.lab.study.study import Study
from mauerwerk.lab.study.writing import middle, number, reach

MOST_DIFFERENCES = 20


def report(found: Sequence[Found], language: str = ENGLISH.code) -> str:
    """The whole file; it opens in this language. Raises ValueError where it has no room."""
    if len(found) not in (1, 2):
        raise ValueError("a report is of one study, or of two")
    title, tongue = GAMES[found[0].study.game].TITLE, tongue_of(language)
    style = resources.files(__package__ or "").joinpath("report.css").read_text(encoding="utf-8")
    choices = "".join(
        f'<input class="choice" type="radio" name="language" id="choose-{code}"'
        f"{' checked' if code == language else ''}>"
        f'<label class="language" for="choose-{code}" lang="{code}">{name}</label>'
        for code, name in TITLES.items()
    )
    articles = "".join(_article(found, tongue_of(code)) for code in TITLES)
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}: {escape(tongue('A study'))}</title>"
        f"<style>{style}</style></head><body>"
        f'<div class="course"></div><main>{choices}{articles}</main></body></html>\n'
    )


def _article(found: Sequence[Found], tongue: Tongue) -> str:
    answers = shown(found, tongue)
    parts = [
        *_differences(answers, len(found), tongue),
        *(_part(each, found, tongue) for each in answers),
        *_luck(found, tongue),
    ]
    links = "".join(
        f'<li><a href="#{tongue.code}-{name}">{escape(title)}</a></li>' for name, title, _ in parts
    )
    sections = "".join(
        f'<section id="{tongue.code}-{name}" aria-labelledby="{tongue.code}-{name}-title">'
        f'<h2 id="{tongue.code}-{name}-title">{escape(title)}</h2>{content}</section>'
        for name, title, content in parts
    )
    contents = escape(tongue("Contents"))
    version = metadata.version("mauerwerk")
    return (
        f'<article class="in-{tongue.code}" lang="{tongue.code}">{_head(found, tongue)}'
        f'<nav class="contents" aria-label="{contents}"><ul>{links}</ul></nav>{sections}'
        f"<footer>{escape(tongue('Made with Mauerwerk {version}.', version=version))}</footer>"
        "</article>"
    )


Titled = tuple[str, str, str]
"""A name, a title, and what stands under it."""


def _head(found: Sequence[Found], tongue: Tongue) -> str:
    title = GAMES[found[0].study.game].TITLE
    names = [""] if len(found) == 1 else [tongue("As printed"), tongue("As changed")]
    settings = "".join(
        f"<div>{f'<h2>{escape(name)}</h2>' if name else ''}<p>{_settings(one, tongue)}</p></div>"
        for name, one in zip(names, found, strict=True)
    )
    about = tongue(
        "What many games between programs say about the rules. Beside every figure stands the "
        "interval that holds the true one in 95 of 100 such studies. Other players may play "
        "another game: what holds for these need not hold for people."
    )
    return (
        f"<h1>{escape(title)}</h1>"
        f'<p class="lead">{escape(about)}</p><div class="settings">{settings}</div>'
    )


def _settings(found: Found, tongue: Tongue) -> str:
    """What was played, in a few words."""
    study = found.study
    said = [
        _games(found.tally.games, tongue),
        tongue.many(study.seats, "{number} seat", "{number} seats"),
        tongue("played by {bots}", bots=", ".join(dict.fromkeys(study.bots))),
        *_chosen(study, tongue),
        tongue("seed {seed}", seed=f"{study.seed}"),
    ]
    return escape("; ".join(said))


def _games(games: int, tongue: Tongue) -> str:
    written = number(games, 0, tongue.code)
    return tongue.many(games, "{written} game", "{written} games", written=written)


def _chosen(study: Study, tongue: Tongue) -> list[str]:
    """The options, as they are read."""
    return [
        f"{options.label(name, tongue)}: {options.choice(word, tongue)}"
        for name, word in study.options.items()
    ]


def _differences(answers: Sequence[Shown], studies: int, tongue: Tongue) -> list[Titled]:
    if studies == 1:
        return []
    number_of, marked = compared(answers)
    note = tongue(
        "The surest differences first. A star marks a difference whose interval does not hold 0: "
        "{marked} of {number} here, of which chance alone would mark at most about {chance}.",
        marked=marked,
        number=number_of,
        chance=round(number_of / 20),
    )
    found = differences(answers, MOST_DIFFERENCES)
    table = report_parts.differences(found, tongue) if found else ""
    title = tongue("What differs most")
    return [("differences", title, f'<p class="note">{escape(note)}</p>{table}')]


def _part(each: Shown, found: Sequence[Found], tongue: Tongue) -> Titled:
    if not isinstance(each, Answers):
        pictures = report_parts.histograms(each, found, tongue)
        return (each.name, each.title, f'<p class="note">{escape(each.note)}</p>{pictures}')
    section = each.section
    draw = report_parts.table if len(found) == 1 else report_parts.comparison
    note = f'<p class="note">{escape(section.note)}</p>' if section.note else ""
    return (section.name, section.title, note + draw(each, tongue))


def _luck(found: Sequence[Found], tongue: Tongue) -> list[Titled]:
    """What decides, where that was looked at."""
    looked_at = [(one.luck, name) for one, name in zip(found, _names(found, tongue), strict=True)]
    tables = [
        _luck_table(luck, name, tongue)
        for luck, name in looked_at
        if luck is not None and (luck.wins or luck.points)
    ]
    if not tables:
        return []
    note = tongue(
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
            tongue("How much luck decides"),
            f'<p class="note">{escape(note)}</p>{"".join(tables)}',
        )
    ]


def _names(found: Sequence[Found], tongue: Tongue) -> list[str]:
    return [""] if len(found) == 1 else [tongue("As printed"), tongue("As changed")]


def _luck_table(luck: Luck, name: str, tongue: Tongue) -> str:
    heads = (tongue("who wins"), tongue("by how many points"))
    labels = (
        (tongue("Nature"), "nature"),
        (tongue("The players' own chance"), "players"),
        (tongue("Both together"), "together"),
    )
    rows = "".join(
        f'<tr><th scope="row">{escape(label)}</th>'
        + "".join(
            _luck_cell(parts, place, head, tongue)
            for parts, head in zip((luck.wins, luck.points), heads, strict=True)
        )
        + "</tr>"
        for label, place in labels
    )
    games = _games(luck.games, tongue)
    caption = escape(f"{name}: {games}" if name else games)
    head = "".join(f'<th scope="col">{escape(each)}</th>' for each in heads)
    return (
        f"<table><caption>{caption}</caption><thead><tr><td></td>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _luck_cell(parts: Parts | None, place: str, head: str, tongue: Tongue) -> str:
    if parts is None:
        return "<td></td>"
    value = getattr(parts, place)
    said = middle(value, tongue.code, share=True)
    return (
        f'<td data-head="{escape(head)}"><span><b>{said}</b> '
        f"<small>{reach(value, tongue.code, share=True)}</small></span></td>"
    )
