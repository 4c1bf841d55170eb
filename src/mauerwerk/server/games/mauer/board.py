"""Die Mauer for the page: fists above the wall, the viewer's seven pieces, the slate.

The wall breaks into courses by itself: each piece is a picture of its own in a line that wraps.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from mauerwerk.core.game import Seat
from mauerwerk.core.language import ENGLISH, Language, capital, message, signed
from mauerwerk.core.svg import Node, node, use
from mauerwerk.games.mauer import drawing, notation, rules
from mauerwerk.games.mauer.drawing import hands
from mauerwerk.games.mauer.drawing.hands import Offers, Words
from mauerwerk.games.mauer.drawing.picture import IN_TRAY, offer_of
from mauerwerk.games.mauer.drawing.stage import end_name, signature, wall_line
from mauerwerk.games.mauer.drawing.text import places, when
from mauerwerk.games.mauer.events import Built, Closed, Event, FistsOpened, RoundEnded, Task, View
from mauerwerk.games.mauer.values import FULL_SET, Action, Build, End, Hand, Piece, Plan, penalties
from mauerwerk.server.games.mauer.preview import places as touched
from mauerwerk.server.games.room import Button, Parts, SeatLine
from mauerwerk.server.ui.markup import classes, explained, head, html, image, pressed, sign, times

LOOK: Final = "dm"
SEATED: Final = True
ASIDE: Final = "board"
SYMBOLS: Final = (
    *(f"{kind}-{piece.value}" for kind in ("piece", "ghost") for piece in FULL_SET),
    *("hand-open", "hand-fist", "hold-back", "hold-front", "stone"),
)


class Player(NamedTuple):
    """A seat's name, what the page adds to it, and what the fist showed a turn ago."""

    seat: Seat
    name: str
    note: str
    showed: Plan | None


def parts(  # noqa: PLR0913, PLR0917 - all that a viewer may know
    view: View,
    legal: Sequence[Action],
    names: Sequence[str],
    language: Language = ENGLISH,
    before: Sequence[Event] = (),
    notes: Sequence[str] = (),
    /,
) -> Parts:
    """The table as this view has it."""
    offers = {action: (notation.write(action), _said(view, action, language)) for action in legal}
    points = rules.totals(view.scores, len(view.counts))
    items = [fist(view, each, language) for each in _people(view, names, notes, before)]
    built = wall(view, offers, language, _origins(view, before))
    return Parts(
        stage=html(stage(fists(items), built, language=language)),
        tray=html(*tray(view, offers, language)),
        aside=html(slate(view, names, language)),
        figure="",
        when=when(view, language),
        seats=tuple(
            SeatLine(str(points[seat]), _note(view, Seat(seat), language))
            for seat in range(len(view.counts))
        ),
        buttons=_buttons(view, offers),
        act=language(_ACTS[view.task]) if legal and view.task in _ACTS else "",
    )


def _said(view: View, action: Action, language: Language) -> str:
    """The first piece of a wall has no end to be built at."""
    if isinstance(action, Build) and not view.wall:
        return language("begin the wall")
    return notation.say(action, language)


_ACTS: Final = {
    Task.PLAN: message("Close the fist"),
    Task.CHOOSE: message("Choose it"),
    Task.GIVE: message("Give it"),
}
"""What confirms a piece that was pointed at."""


def _origins(view: View, before: Sequence[Event]) -> dict[str, str]:
    """From which hands the pieces of this turn came, by their names on the wall."""
    opened = max(
        (place for place, each in enumerate(before) if isinstance(each, FistsOpened)), default=0
    )
    turn = before[opened:]
    return {
        name: f"fist-{event.seat}"
        for event, names in zip(turn, touched(view, turn), strict=True)
        if isinstance(event, Built)
        for name in names
    }


def _note(view: View, seat: Seat, language: Language) -> str:
    words = [hands.status(view, seat, language)[0], hands.pieces_left(view, seat, language)]
    return " · ".join(filter(None, words))


def _buttons(view: View, offers: Offers) -> tuple[Button, ...]:
    """The ends of the wall once more, for on a phone they may be out of sight."""
    signs = {Build(End.LEFT): "i-left", Build(End.RIGHT): "i-right"}
    return tuple(
        Button(
            offers[action][0], capital(offers[action][1]), sign=name if view.wall else "", main=True
        )
        for action, name in signs.items()
        if action in offers
    )


def _people(
    view: View, names: Sequence[str], notes: Sequence[str], before: Sequence[Event]
) -> list[Player]:
    seats = len(view.counts)
    more, showed = [*notes, *[""] * seats], [*_shown_last(view, before), *[None] * seats]
    return [Player(Seat(each), names[each], more[each], showed[each]) for each in range(seats)]


def _shown_last(view: View, before: Sequence[Event]) -> tuple[Plan, ...]:
    """What the fists showed in the turn before, while everybody plans the next one."""
    if view.task is Task.PLAN:
        for event in reversed(before):
            if isinstance(event, FistsOpened):
                return event.fists
            if isinstance(event, RoundEnded):
                break
    return ()


# --- The stage: fists and wall ---------------------------------------------------------------


_WIDE: Final = 180
"""How wide a fist may be with the piece beside it, in units of its picture."""


_HILLS: Final = (
    "M-40 250C60 170 240 160 380 206S640 250 800 196 1120 170 1300 236V410H-40Z",
    "M-40 270C90 226 260 214 430 246S760 276 930 238 1180 226 1300 262V410H-40Z",
)


def stage(*content: Node, language: Language) -> Node:
    """Sky and hills, and what stands in front of them."""
    far, near = _HILLS
    scene = node(
        "svg",
        node("path", d=far, fill="var(--hill-1)"),
        node("path", d=near, fill="var(--hill-2)"),
        class_="scene",
        viewBox="0 0 1240 410",
        preserveAspectRatio="none",
        aria_hidden="true",
    )
    return node(
        "section",
        node("span", class_="sun", aria_hidden="true"),
        scene,
        *content,
        class_="stage",
        id="stage",
        aria_label=language("The wall"),
    )


def fists(items: Sequence[Node]) -> Node:
    """All hands in the order of the seats."""
    crowd = len(items) > 4 and "crowd"  # noqa: PLR2004 - then names are set smaller on a phone
    three = len(items) == 3 and "three"  # noqa: PLR2004 - then they stand in one row on a phone
    return node("ol", *items, class_=classes("fists", crowd, three), id="fists")


class ShownHand(NamedTuple):
    """How a hand is shown."""

    drawn: Sequence[Node]
    told: str
    """The same in words."""
    lines: Sequence[str]
    """What stands under the name, the longest first."""
    more: Sequence[Node] = ()
    kinds: Sequence[str] = ()


def fist(view: View, player: Player, language: Language) -> Node:
    """A hand as this view has it, with what it showed a turn ago."""
    seat, last = player.seat, player.showed
    over = view.task is Task.NOTHING
    drawn = hands.left_over(view, seat, hands.HAND[0]) if over else hands.hand(view, seat, _WIDE)
    words = [hands.told(view, seat, language)]
    known = isinstance(view.fists[seat], Plan)
    own = known and seat == view.seat
    if last is not None:
        words.append(language("showed {piece} last", piece=notation.plan_name(last, language)))
        # A piece that one knows of stands beside the fist: there is no room for a second.
        if last.piece and not known:
            small = hands.standing(last.piece, hands.Foot(20, 123, 0.36))
            drawn = (*drawn, node("g", small, class_="before"))
    waited = seat in view.waiting or (over and places(view)[seat] == 1)
    kinds = [*["now"] * waited, *["hides"] * own, *["over"] * over]
    shown = ShownHand(drawn, ", ".join(words), hands.status(view, seat, language), (), kinds)
    return item(view, player, shown, language)


def item(view: View, player: Player, shown: ShownHand, language: Language) -> Node:
    """A hand, the stone beside the master builder's, and a plate with name and state."""
    seat, name, note, _ = player
    master = seat == view.master and view.task is not Task.NOTHING
    stone = [sign("stone", "st", language("the master builder's stone")).copied()] if master else []
    for each in stone:
        each.set("id", "masters-stone")  # the same wherever it lies
    longer, *shorter = shown.lines
    called = capital(signed(name, language, own=seat == view.seat))
    plate = node(
        "div",
        node("b", called),
        node("span", longer, class_="says full"),
        node("span", shorter[0] if shorter else longer, class_="says brief"),
        *_left(view, seat, note, language),
        class_="plate",
        aria_hidden="true",  # the hand says the same in one sentence
    )
    told = ", ".join(filter(None, [shown.told, note]))
    return node(
        "li",
        image(hands.HAND, shown.drawn, "fisthand", f"{called}: {told}"),
        *shown.more,
        *stone,
        plate,
        class_=classes("fist", master and "master", *shown.kinds),
        id=f"fist-{seat}",
        data_speaks_for=seat,
    )


def _left(view: View, seat: Seat, note: str, language: Language) -> list[Node]:
    """How many pieces are left, as pips and as a number, and what the page adds to the name."""
    left = hands.pieces_left(view, seat, language)
    row = (
        [node("i", class_=None if held else "o") for held in hands.pips(view, seat)] if left else []
    )
    signs = [node("span", *row, class_="pips", aria_hidden="true")] if row else []
    words = [
        node("span", word, class_=kind) for word, kind in ((left, None), (note, "who")) if word
    ]
    return [node("span", *signs, *words, class_="left")] if signs or words else []


_REACHES: Final = (900, 1100, 1300, 1500, 1800, 2200)
"""Walls up to these lengths stand in one course on a wide page, each lower than the one before."""


def wall(
    view: View, offers: Offers, language: Language, origins: Mapping[str, str] | None = None
) -> Node:
    """The pieces from left to right, with the open ends in chalk.

    `origins` are the hands from which pieces came in this turn, by the names of the pieces.
    """
    line = wall_line(view, offers)
    length = sum(max(drawing.PIECES.size_of(f"piece-{piece.value}")[0], 24) for _, piece, _ in line)
    reach = sum(length > most for most in _REACHES)
    stones = [
        _end(view, name, piece, offer, language)
        if offer
        else _built(
            name,
            piece,
            signature(view, place, offers, _foot(piece)),
            (origins or {}).get(name),
            language,
        )
        for place, (name, piece, offer) in enumerate(line)
    ]
    empty = [node("p", language("Nothing is built yet."), class_="bare")] if not line else []
    return node(
        "div",
        *stones,
        *empty,
        class_=f"wallrow reach-{reach}",
        id="wall",
        role="group",
        aria_label=language("The wall"),
    )


def _foot(piece: Piece) -> hands.Foot:
    return hands.Foot(drawing.PIECES.size_of(f"piece-{piece.value}")[0] / 2, hands.FOOT, 1)


def _built(
    name: str, piece: Piece, mark: Sequence[Node], origin: str | None, language: Language
) -> Node:
    wide = drawing.PIECES.size_of(f"piece-{piece.value}")[0]
    drawn = [
        hands.standing(piece, _foot(piece)),
        *([node("g", *mark, class_="last")] if mark else []),
    ]
    return node(
        "span",
        image((wide, HIGH), drawn, None, notation.piece_name(piece, language)),
        class_=classes("stone", bool(mark) and "newest"),
        id=name,
        data_from=origin,
    )


def _end(view: View, name: str, piece: Piece, offer: Words, language: Language) -> Node:
    """An end of the wall where the piece may be built; it is seen there while one thinks of it."""
    said = node("span", end_name(view, name, language), class_="said")
    drawn = (sign(f"ghost-{piece.value}"), sign(f"piece-{piece.value}", "there"))
    return pressed(name, offer, *drawn, said, class_=f"end {name}")


# --- The viewer's pieces ---------------------------------------------------------------------


HIGH: Final = 124
"""The height of a piece's symbol."""


def tray(view: View, offers: Offers, language: Language) -> list[Node]:
    """The shelf with a place for each kind of piece and one for the empty fist."""
    hand = None if view.seat is None else view.hands[view.seat]
    if hand is None or view.task in {Task.LOT, Task.NOTHING}:
        return []
    cost = sum(penalties(view.penalties)[piece] for piece in hand)
    slots = [_slot(kind, hand, _where(view, kind, language), offers, language) for kind in IN_TRAY]
    more = language("Cost if the round ended now: {cost}", cost=cost)
    return [
        node(
            "section",
            head(language("Your pieces"), more),
            node("ul", *slots, class_="mine"),
            class_="tray",
            id="tray",
            aria_label=language("Your pieces"),
        )
    ]


def _where(view: View, kind: Piece | None, language: Language) -> str:
    if view.seat is None or view.fists[view.seat] != Plan(kind):
        return ""
    if view.task is Task.PLAN:
        return language("in fist")
    return language("in your hand") if kind else ""


def _slot(kind: Piece | None, hand: Hand, where: str, offers: Offers, language: Language) -> Node:
    """A kind of piece, its outline when none is left, or the empty fist."""
    offer = offer_of(kind, offers)
    if kind is None:
        name, count, meant = "hand-empty", 1, language("the empty fist")
        drawn = image((60, 64), [use("hand-fist", 0, 2, 60, 61)])
        # Its word would run into that of the piece beside it, which may be in the hand meanwhile.
        state = where or (language("empty") if offer else "")
    else:
        name, count = f"hand-{kind.value}", hand.count(kind)
        meant = language(
            "{piece}: {number} in hand", piece=notation.piece_name(kind, language), number=count
        )
        drawn = sign(f"{'piece' if count > bool(where) else 'ghost'}-{kind.value}").copied()
        high, wide = hands.height_of(kind) + 6, drawing.PIECES.size_of(f"piece-{kind.value}")[0]
        drawn.set("viewBox", f"0 {HIGH - high:g} {wide:g} {high:g}")
        state = where
    times = [node("b", f"{count}\N{MULTIPLICATION SIGN}", class_="times")] if count > 1 else []
    drawn.set("class", f"high-{hands.height_of(kind):g}" if kind else "high-58")
    # A button's name says already that the fist is empty, and the prompt that it is chosen.
    known = "true" if kind is None and offer is not None else None
    said = node("span", state, class_="said", aria_hidden=known)
    if offer is None:
        inner = explained(node("div", drawn, *times, said, id=name, class_="slot"), name, meant)
    else:
        inner = explained(pressed(name, offer, drawn, *times, said, class_="slot"), name)
        inner.set("data-quietly", "")  # a tap on it chooses it
    return node("li", inner, class_=classes(not count and "spent", bool(where) and "held"))


# --- The slate -------------------------------------------------------------------------------


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


def hand(view: View, seat: Seat, language: Language) -> list[Node]:
    """What a seat holds; nothing once the game is over."""
    if view.task is Task.NOTHING:
        return []
    held = Counter(view.hands[seat] or ())
    return [
        node(
            "li",
            sign(f"piece-{kind.value}", words=notation.piece_name(kind, language)),
            *times(held[kind]),
            class_="held",
        )
        for kind in IN_TRAY
        if kind and held[kind]
    ]


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
    states = {each: language.about("fist", "open") for each in open_}
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
