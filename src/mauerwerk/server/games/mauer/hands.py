"""Die Mauer: what a seat holds, drawn small, and what stands on the gate before it."""

from collections import Counter
from collections.abc import Sequence

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import Language
from mauerwerk.core.svg import Node, node, use
from mauerwerk.games.mauer import notation, values
from mauerwerk.games.mauer.drawing.picture import IN_TRAY
from mauerwerk.games.mauer.events import Closed, Task, View
from mauerwerk.server.ui.markup import head, html, image, sign, times


def hand(view: View, seat: Seat, language: Language) -> list[Node]:
    """What a seat holds; nothing once the game is over."""
    if view.task is Task.NOTHING:
        return []
    held = Counter(view.hands[seat] or ())
    return [_piece(kind, held[kind], language) for kind in IN_TRAY if kind and held[kind]]


def _piece(kind: values.Piece, count: int, language: Language) -> Node:
    """A kind of piece, and how often the seat holds it."""
    drawn = sign(f"piece-{kind.value}", words=notation.piece_name(kind, language))
    return node("li", drawn, *times(count), class_="held")


# --- At a device that several people share ---------------------------------------------------


def private(view: View) -> str:
    """What one chooses among one's own pieces (DM-2); where to build is asked openly."""
    secret = view.task in {Task.PLAN, Task.CHOOSE, Task.GIVE}
    return f"{view.task} {view.turns}" if secret else ""


def gate(view: View, seat: Seat, names: Sequence[str], language: Language) -> str:
    """Who has closed a fist, while the device goes to this seat."""
    if view.task is not Task.PLAN:
        return ""
    seats = [Seat(each) for each in range(len(view.counts))]
    closed = sum(isinstance(fist, Closed) for fist in view.fists)
    told = language("{number} of {total}", number=closed, total=len(seats))
    open_ = [each for each in (*seats[seat + 1 :], *seats[:seat]) if each in view.waiting]
    states = {each: language("open") for each in open_}
    states |= {each: language("next") for each in open_[:1]} | {seat: language("now")}
    rows = [
        node(
            "li",
            _fist(view, each),
            node("b", names[each]),
            node("span", states.get(each, language("closed"))),
            class_="now" if each == seat else None,
        )
        for each in seats
    ]
    return html(head(language("Who has a fist closed?"), told), node("ol", *rows, class_="whos"))


def _fist(view: View, seat: Seat) -> Node:
    shape = "hand-fist" if isinstance(view.fists[seat], Closed) else "hand-open"
    mark = use(f"mark-{seat + 1}", 52, 102.5, 16, 16, color="var(--on-brick)")
    return image((120, 122), [use(shape, 0, 0, 120, 122), mark])
