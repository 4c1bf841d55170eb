"""Die Mauer's moments: a look at one's piece, all fists open, and what a round cost."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from mauerwerk.core.game import Seat, ranked
from mauerwerk.core.language import Language, capital, is_you, message, sentence, shares
from mauerwerk.core.svg import Node, node
from mauerwerk.games.mauer import drawing, events, rules
from mauerwerk.games.mauer.drawing.hands import HAND, hand, height_of, palm
from mauerwerk.games.mauer.events import Event, FistsOpened, RoundEnded, Task, View
from mauerwerk.games.mauer.notation import OBJECT, TITLE, piece_name, plan_name, tell
from mauerwerk.games.mauer.values import End, Ending, Hand, Piece, Plan, State, penalties
from mauerwerk.server.games.mauer import board
from mauerwerk.server.games.room import Moment, SeenMove
from mauerwerk.server.ui.markup import hidden_tray, html, image
from mauerwerk.server.ui.render import drawn


def stops(_before: State, _after: State, told: Sequence[Event]) -> bool:
    """Whether all fists are open, or a round is over."""
    return any(isinstance(event, FistsOpened | RoundEnded) for event in told)


def moments(move: SeenMove) -> Sequence[Moment]:
    """The stops after a move: all fists are open (DM-5), and what the round cost (DM-24)."""
    found: list[Moment] = []
    for event in move.events:
        match event:
            case FistsOpened():
                found += [look_moment(move)] if move.shared else []
                found.append(reveal_moment(move, event))
            case RoundEnded():
                found.append(round_moment(move, event))
            case _:
                pass
    return found


# --- All fists are open ----------------------------------------------------------------------


MOTION: Final = 1360
REST_REVEAL: Final = 4000
_LOOKING: Final = 300
_CLOSED: Final[Mapping[int, str]] = {
    3: message("All three fists are closed."),
    4: message("All four fists are closed."),
    5: message("All five fists are closed."),
    6: message("All six fists are closed."),
}

_SHOWS: Final = (message("{who} shows {piece}."), message("You show {piece}."))
_MASTER: Final = (
    message("{who}, master builder, shows {piece}."),
    message("You, the master builder, show {piece}."),
)
_TOO: Final = (
    message("{who} shows {piece} too and guessed it."),
    message("You show {piece} too and guessed it."),
)
_BUILDS: Final = (message("{who} builds {piece}."), message("You build {piece}."))
_FIRST: Final = (
    message("{who} builds {piece} first, then {others}."),
    message("You build {piece} first, then {others}."),
)
_NOTHING: Final = (message("{who} builds nothing."), message("You build nothing."))
_CHOOSES: Final = (
    message("{who} may choose a piece to build."),
    message("You may choose a piece to build."),
)
_GIVES: Final = (
    message("{who} gives {other} a piece in secret."),
    message("You give {rival} a piece in secret."),
)


def one(forms: tuple[str, str], who: str, language: Language, **more: str) -> str:
    """The sentence about somebody else, or the one for the reader."""
    about, reader = forms
    return language(reader, **more) if is_you(who) else capital(language(about, who=who, **more))


class OpenFists(NamedTuple):
    """The open fists, and what follows from them."""

    event: FistsOpened
    names: Sequence[str]
    after: View
    guessers: tuple[Seat, ...]
    """Rivals who show the same as the master builder, clockwise from there (DM-14)."""
    nobody: events.NobodyBuilds | None

    @property
    def plan(self) -> Plan:
        """What the master builder shows."""
        return self.event.fists[self.event.master]

    @property
    def builders(self) -> tuple[Seat, ...]:
        """The seats that build this piece, in order (DM-13 to DM-15, DM-17)."""
        if self.after.task is not Task.BUILD:
            return ()
        return self.guessers if self.after.waiting[0] in self.guessers else (self.event.master,)


def _open_fists(move: SeenMove, event: FistsOpened) -> OpenFists:
    master, fists_ = event.master, event.fists
    rivals = [Seat((master + step) % len(fists_)) for step in range(1, len(fists_))]
    nobody = next((each for each in move.events if isinstance(each, events.NobodyBuilds)), None)
    # Where nobody builds, guessing has done nothing (DM-12, DM-20).
    guessers = () if nobody else tuple(seat for seat in rivals if fists_[seat] == fists_[master])
    return OpenFists(event, move.names, move.after, guessers, nobody)


def reveal_moment(move: SeenMove, event: FistsOpened) -> Moment:
    """All palms open together, the master builder's piece and all that match it glow."""
    opened, language = _open_fists(move, event), move.language
    heading, more = _prompt(opened, language)
    return Moment(
        kind="reveal",
        content=_reveal_content(move, opened),
        prompt=heading,
        more=more,
        says=" ".join(_says(opened, heading, more, language)),
        go_on=language("Go on"),
        rest=REST_REVEAL,
        motion=MOTION,
    )


def _reveal_content(move: SeenMove, opened: OpenFists) -> str:
    """The table as it was, with the hands open; the shelf only shows what is in one's hand."""
    language = move.language
    view = replace(move.before, task=Task.BUILD, waiting=(), fists=opened.event.fists)
    items = [_hand(view, opened, Seat(seat), language) for seat in range(len(view.fists))]
    drawn = board.stage(board.fists(items), board.wall(view, {}, language), language=language)
    return html(drawn, *_below(move, view))


def _below(move: SeenMove, view: View) -> list[Node]:
    """What lies below the stage: one's own pieces, or what all at a device may see."""
    language = move.language
    if move.shared:
        return [hidden_tray(language), board.slate(view, move.names, language)]
    return board.tray(view, {}, language)


def _hand(view: View, opened: OpenFists, seat: Seat, language: Language) -> Node:
    plan, master = opened.event.fists[seat], opened.event.master
    guessed = seat in opened.guessers and plan.piece is not None
    blocked = seat == master and opened.nobody is not None
    kinds = ["match"] * (guessed or (seat == master and not blocked)) + ["grey"] * blocked
    closed = replace(view, task=Task.PLAN, fists=(events.Closed(),) * len(view.fists))
    palms = palm(plan.piece, seat, *kinds) if plan.piece else hand(view, seat, 0)
    drawn = [
        node("g", *hand(closed, seat, 0), class_="was", aria_hidden="true"),
        node("g", *palms, class_="opens"),
    ]
    shows = plan_name(plan, language) if plan.piece else language("empty fist")
    titles = [language("master builder"), language("master")] if seat == master else []
    lines = [f"{title} · {shows}" for title in titles] or [shows]
    ribbon = node("span", language("guessed!"), class_="ribbon")
    more = [node("div", ribbon, class_="rb", aria_hidden="true")] if guessed else []
    shown = board.ShownHand(drawn, lines[0], lines, more, ["now"] * (seat in opened.builders))
    return board.item(view, board.Player(seat, opened.names[seat], "", None), shown, language)


def _prompt(opened: OpenFists, language: Language) -> tuple[str, str]:
    names, master = opened.names, opened.event.master
    guessed = [names[seat] for seat in opened.guessers]
    if opened.nobody is not None:
        return tell(opened.nobody, names, language), ""
    if opened.plan.piece is None:
        return _emptied(opened, guessed, language)
    order = _order(opened, language)
    if not guessed:
        return language("Nobody guessed it."), order
    heading = sentence(
        language("{names} guessed it", names=guessed)
        if guessed[1:]
        else language("{name} guessed it", name=guessed[0])
    )
    if master in opened.builders:
        room = language("There is not enough room for all of them.")
        return heading, f"{room} {order}"
    return heading, f"{order} {one(_NOTHING, names[master], language)}"


def _emptied(opened: OpenFists, guessed: Sequence[str], language: Language) -> tuple[str, str]:
    """The master builder's hand is empty (DM-18, DM-19)."""
    master = opened.names[opened.event.master]
    if not guessed:
        heading = one(_SHOWS, master, language, piece=language("an empty fist"))
        return heading, one(_CHOOSES, master, language)
    heading = sentence(language("{names} show empty fists", names=[master, *guessed]))
    return heading, one(_GIVES, guessed[0], language, other=master, rival=master)


def _order(opened: OpenFists, language: Language) -> str:
    first, *others = (opened.names[seat] for seat in opened.builders)
    piece = plan_name(opened.plan, language, OBJECT)
    if not others:
        return one(_BUILDS, first, language, piece=piece)
    then = language.listed([language.called(name) for name in others])
    return one(_FIRST, first, language, piece=piece, others=then)


def _says(opened: OpenFists, heading: str, more: str, language: Language) -> list[str]:
    """The fists, the master builder's first; then who builds, or why nobody does."""
    event, names = opened.event, opened.names
    shown = [
        language("an empty fist") if not plan.piece else plan_name(plan, language, OBJECT)
        for plan in event.fists
    ]
    said = [
        language("All fists are open."),
        one(_MASTER, names[event.master], language, piece=shown[event.master]),
    ]
    guessed = [names[seat] for seat in opened.guessers]
    told = {event.master}
    if guessed and opened.plan.piece is not None:
        told |= {*opened.guessers}
        piece = shown[event.master]
        said.append(
            sentence(
                language("{names} show {piece} too and guessed it", names=guessed, piece=piece)
            )
            if guessed[1:]
            else one(_TOO, guessed[0], language, piece=piece)
        )
    said += [
        one(_SHOWS, names[seat], language, piece=shown[seat])
        for seat in range(len(names))
        if seat not in told
    ]
    return [*said, more if opened.nobody is None else heading]


# --- At a device that several share ----------------------------------------------------------


def look_moment(move: SeenMove) -> Moment:
    """Everybody looks at the closed fists; nobody's pieces are shown any more."""
    language, before = move.language, move.before
    seats = len(before.fists)
    view = replace(before, waiting=(), fists=(events.Closed(),) * seats)
    items = [
        board.fist(view, board.Player(Seat(seat), move.names[seat], "", None), language)
        for seat in range(seats)
    ]
    ajar = [
        node("span", class_=f"ajar {side}".strip(), aria_hidden="true") for side in ("", "right")
    ]
    drawn = board.stage(
        *ajar, board.fists(items), board.wall(view, {}, language), language=language
    )
    heading, closed = language("Everybody look!"), language(_CLOSED[seats])
    return Moment(
        kind="look",
        content=html(drawn, *_below(move, view)),
        prompt=heading,
        more=f"{closed} {language('Put the device where all can see it.')}",
        says=f"{heading} {closed}",
        go_on=language("Open the fists"),
        rest=0,
        motion=_LOOKING,
    )


# --- The end of a round: what is left in the hands, and what it costs ------------------------


REST_ROUND: Final = 8000
_LEFT: Final = 900
"""When the first player's pieces slide out, in milliseconds."""
_PLAYER, _COST, _COUNT, _ROW = 160, 120, 300, 160
"""Between two players, between two costs, how long a sum counts, between two rows."""
_OUT: Final = (message("{who} is out of pieces."), message("You are out of pieces."))
_LEADS: Final = (message("{who} leads with {points}."), message("You lead with {points}."))


def round_moment(move: SeenMove, event: RoundEnded) -> Moment:
    """What everybody still holds, what it costs, and the score sheet with the new round."""
    language, view = move.language, _last_view(move, event)
    number, rounds = len(view.scores), view.rounds
    over = language("Round {round} is over.", round=number)
    why = _why(event, move.names, language)
    begins, written = _times(event.hands)
    return Moment(
        kind="round",
        content=_round_content(move, event, view, begins, written),
        prompt=f"{why} {over}",
        more=language("What is left in the hands costs points."),
        says=" ".join(filter(None, [over, why, *_scores(view, event, move.names, language)])),
        go_on=language("Next round") if number < rounds else language("To the result"),
        rest=REST_ROUND,
        motion=written + _ROW * len(event.hands) + 2 * _COUNT,
    )


def _last_view(move: SeenMove, event: RoundEnded) -> View:
    """The table when the last piece stood, with all hands open (DM-2)."""
    before: View = move.before
    shown = replace(
        before,
        task=Task.BUILD,
        waiting=(),
        piece=None,
        hands=event.hands,
        counts=tuple(map(len, event.hands)),
        fists=(events.Thinking(),) * len(event.hands),
        scores=(*before.scores, event.points),
    )
    built = next((each for each in move.events if isinstance(each, events.Built)), None)
    if built is None:
        return shown
    left = built.end is End.LEFT
    wall_ = (built.piece, *before.wall) if left else (*before.wall, built.piece)
    return replace(shown, wall=wall_, left=before.left + left, last=(built.seat, built.end))


def _times(hands: Sequence[Hand]) -> tuple[list[int], int]:
    begin = _LEFT + _PLAYER * len(hands) + 100
    begins = [begin + 200 * seat for seat in range(len(hands))]
    ends = [at + max(_COST * len(held), _COUNT) for at, held in zip(begins, hands, strict=True)]
    return begins, max(ends) + 100


def _round_content(
    move: SeenMove, event: RoundEnded, view: View, begins: Sequence[int], written: int
) -> str:
    language = move.language
    rests = [_rest(move, event, view, Seat(seat), at) for seat, at in enumerate(begins)]
    finished = board.wall(view, {}, language)
    finished.set("class", f"{finished.get('class')} whole")
    left = drawn("mauer/moments.html", "rests", rests, language)
    stage = board.stage(*left, finished, language=language)
    when = language("Round {round} of {rounds} is over", round=len(view.scores), rounds=view.rounds)
    where = node("div", node("b", TITLE), f" {when}", class_="where", id="where")
    pace = board.Written(written, _ROW, _COUNT)
    return html(stage, board.slate(view, move.names, language, pace), where)


def _rest(move: SeenMove, event: RoundEnded, view: View, seat: Seat, begins: int) -> dict[str, Any]:
    """What a player was left with, each piece with its cost; a ribbon for an empty hand."""
    held, name, language = event.hands[seat], move.names[seat], move.language
    costs = penalties(view.penalties)
    empty = image(HAND, hand(view, seat, 0), None, language("nothing left"))
    return {
        "name": name,
        "you": is_you(name),
        "held": [
            (kind.value, _wide(kind), height_of(kind), piece_name(kind, language), costs[kind])
            for kind in held
        ],
        "empty": html(empty),
        "need": _need(held),
        "first": event.ending is Ending.OUT and not held,
        "points": event.points[seat],
        "appears": _LEFT + _PLAYER * seat,
        "begins": begins,
        "counts": max(_COST * len(held), _COUNT),
    }


def _wide(kind: Piece) -> float:
    return drawing.PIECES.size_of(f"piece-{kind.value}")[0]


def _need(held: Hand) -> str:
    """A class for the width that these pieces need, so that all of them stand side by side."""
    need = sum(max(_wide(kind), 34) + 12 for kind in held)
    return f"need-{min(max(-(-int(need) // 60), 1), 8)}"


def _why(event: RoundEnded, names: Sequence[str], language: Language) -> str:
    """Why the round is over (DM-23, DM-26, DM-27)."""
    match event.ending:
        case Ending.OUT:
            out = [name for name, held in zip(names, event.hands, strict=False) if not held]
            if out[1:]:
                return sentence(language("{names} are out of pieces", names=out))
            return one(_OUT, out[0], language)
        case Ending.DEADLOCK:
            return language("No piece fits any more.")
        case Ending.STALL:
            return language("Nothing was built for too long.")


def _scores(view: View, event: RoundEnded, names: Sequence[str], language: Language) -> list[str]:
    """What the round cost, and who leads now; after the last round that is the result's to say."""
    told = [language("Penalty points: {points}.", points=shares(names, event.points, language))]
    if len(view.scores) == view.rounds:
        return told
    sums = rules.totals(view.scores, len(view.counts))
    first = [name for name, rank in zip(names, ranked(sums), strict=False) if rank == 1]
    points = str(min(sums))
    if first[1:]:
        lead = language("{names} share the lead with {points}", names=first, points=points)
        return [*told, sentence(lead)]
    return [*told, one(_LEADS, first[0], language, points=points)]
