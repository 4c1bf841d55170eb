"""The slate with the scores of all rounds."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital
from mauerwerk.core.svg.drawing import Node, node
from mauerwerk.games.mauer.drawing.text import places
from mauerwerk.games.mauer.events import Task, View
from mauerwerk.server.games.markup import classes, head, sign


class Written(NamedTuple):
    """When the newest round is written, in milliseconds: from then on a row after the other."""

    begins: int
    apart: int
    takes: int
    """How long a sum counts."""


def slate(
    view: View, names: Sequence[str], language: Language, written: Written | None = None
) -> Node:
    """Penalty points round by round, in chalk; `written` while the newest round is."""
    over = view.task is Task.NOTHING
    newest = len(view.scores) - 1 if written else None
    rounds = [
        node("th", str(each + 1), scope="col", class_="new" if each == newest else None)
        for each in range(view.rounds)
    ]
    ends = [node("th", language("Sum"), scope="col", class_="sum")]
    ends += [node("th", language("Place"), scope="col")] if over or written else []
    top = node(
        "tr",
        node("th", node("span", language("Name"), class_="vh"), scope="col"),
        *rounds,
        *ends,
    )
    rows = [
        _score(view, Seat(seat), names[seat], written, language) for seat in range(len(view.counts))
    ]
    more = language("lowest wins")
    if written:
        done = language(
            "after {round} of {rounds} rounds", round=len(view.scores), rounds=view.rounds
        )
        more = f"{done}, {more}"
    return node(
        "section",
        head(language("Score sheet"), more),
        node("table", node("thead", top), node("tbody", *rows)),
        class_=classes(
            "slate",
            view.rounds > 6 and "dense",  # noqa: PLR2004 - then columns are narrow
            len(rows) > 5 and "tall",  # noqa: PLR2004 - then rows are low
        ),
        id="slate",
        aria_label=language("Score sheet"),
    )


def _score(view: View, seat: Seat, name: str, written: Written | None, language: Language) -> Node:
    scores = [points[seat] for points in view.scores]
    cells = [node("td", str(each)) for each in scores]
    total = node("td", str(sum(scores)), class_="sum")
    ends: list[Node] = []
    if written:
        at = written.begins + written.apart * seat
        cells[-1].set("class", "new")
        cells[-1].set("data-at", str(at))
        total.set("data-count", f"{sum(scores[:-1])} {at} {written.takes}")
        ends = [_place(view, seat, written, language)]
    elif view.task is Task.NOTHING:
        ends = [node("td", str(places(view)[seat]))]
    cells += [node("td", "·") for _ in range(view.rounds - len(scores))]
    who = node("th", sign(f"mark-{seat + 1}"), scope="row")
    who.append(node("span", capital(language.called(name))))
    return node(
        "tr",
        who,
        *cells,
        total,
        *ends,
        class_="me" if seat == view.seat else None,
        id=f"score-{seat}",
    )


def _place(view: View, seat: Seat, written: Written, language: Language) -> Node:
    """The place, which changes when all sums are written."""
    at = str(written.begins + written.apart * len(view.counts) + written.takes)
    earlier = replace(view, scores=view.scores[:-1])
    was = str(places(earlier)[seat]) if earlier.scores else ""
    now = places(view)[seat]
    words = language("leads") if now == 1 else str(now)
    return node(
        "td",
        node("span", was, class_="was", aria_hidden="true", data_at=at),
        node("span", words, class_="is", data_at=at),
        class_=classes("place", now == 1 and "ahead"),
    )
