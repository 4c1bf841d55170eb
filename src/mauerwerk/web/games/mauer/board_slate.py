"""The slate with the scores of all rounds."""

from collections.abc import Sequence

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital
from mauerwerk.core.svg.drawing import Node, node
from mauerwerk.games.mauer.drawing.text import places
from mauerwerk.games.mauer.events import Task, View
from mauerwerk.web.games.markup import classes, head, sign


def slate(view: View, names: Sequence[str], language: Language) -> Node:
    """Penalty points round by round, in chalk."""
    over = view.task is Task.NOTHING
    rounds = [node("th", str(each + 1), scope="col") for each in range(view.rounds)]
    ends = [node("th", language("Sum"), scope="col", class_="sum")]
    ends += [node("th", language("Place"), scope="col")] if over else []
    top = node(
        "tr",
        node("th", node("span", language("Builder"), class_="vh"), scope="col"),
        *rounds,
        *ends,
    )
    rows = [
        _score(view, Seat(seat), names[seat], over, language) for seat in range(len(view.counts))
    ]
    return node(
        "section",
        head(language("Score sheet"), language("fewest wins")),
        node("table", node("thead", top), node("tbody", *rows)),
        class_=classes(
            "slate",
            view.rounds > 6 and "dense",  # noqa: PLR2004 - then columns are narrow
            len(rows) > 5 and "tall",  # noqa: PLR2004 - then rows are low
        ),
        id="slate",
        aria_label=language("Score sheet"),
    )


def _score(view: View, seat: Seat, name: str, over: bool, language: Language) -> Node:  # noqa: FBT001
    scores = [points[seat] for points in view.scores]
    cells = [*map(str, scores), *["·"] * (view.rounds - len(scores))]
    who = node("th", sign(f"mark-{seat + 1}"), scope="row")
    who.append(node("span", capital(language.called(name))))
    return node(
        "tr",
        who,
        *(node("td", cell) for cell in cells),
        node("td", str(sum(scores)), class_="sum"),
        *([node("td", str(places(view)[seat]))] if over else []),
        class_="me" if seat == view.seat else None,
        id=f"score-{seat}",
    )
