"""Die Mauer, the end of a round: the finished wall, what is left in the hands, what it costs."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from mauerwerk.core.game import Seat, ranked
from mauerwerk.core.language.translation import Language, is_you, message
from mauerwerk.core.language.words import capital, sentence, shares
from mauerwerk.core.svg.drawing import Node, node, use
from mauerwerk.games.mauer.drawing.hands import HAND, hand, height_of
from mauerwerk.games.mauer.drawing.pieces import PIECES
from mauerwerk.games.mauer.events import Built, RoundEnded, Task, Thinking, View
from mauerwerk.games.mauer.notation import TITLE, piece_name
from mauerwerk.games.mauer.rules import totals
from mauerwerk.games.mauer.values import PENALTY, End, Ending, Hand, Piece
from mauerwerk.server.games.markup import classes, html, image, sign
from mauerwerk.server.games.mauer.board_slate import Written, slate
from mauerwerk.server.games.mauer.board_stage import stage, wall
from mauerwerk.server.games.mauer.board_tray import HIGH
from mauerwerk.server.games.mauer.moment_reveal import one
from mauerwerk.server.games.moments import Happened, Moment

REST: Final = 8000

_LEFT: Final = 900
"""When the first player's pieces slide out, in milliseconds."""

_PLAYER, _COST, _COUNT, _ROW = 160, 120, 300, 160
"""Between two players, between two costs, how long a sum counts, between two rows."""

_OUT: Final = (message("{who} is out of pieces."), message("You are out of pieces."))
_LEADS: Final = (
    message("{who} leads with {points}."),
    message("You lead with {points}."),
)


def round_end(happened: Happened, event: RoundEnded) -> Moment:
    """What everybody still holds, what it costs, and the score sheet with the new round."""
    language, view = happened.language, _last_view(happened, event)
    number, rounds = len(view.scores), view.rounds
    over = language("Round {round} is over.", round=number)
    why = _why(event, happened.names, language)
    begins, written = _times(event.hands)
    return Moment(
        kind="round",
        content=_content(happened, event, view, begins, written),
        prompt=f"{why} {over}",
        more=language("What is left in the hands costs points."),
        says=" ".join(filter(None, [over, why, *_scores(view, event, happened.names, language)])),
        go_on=language("Next round") if number < rounds else language("To the result"),
        rest=REST,
        motion=written + _ROW * len(event.hands) + 2 * _COUNT,
    )


def _last_view(happened: Happened, event: RoundEnded) -> View:
    """The table when the last piece stood, with all hands open (DM-2)."""
    before: View = happened.before
    shown = replace(
        before,
        task=Task.BUILD,
        waiting=(),
        piece=None,
        hands=event.hands,
        counts=tuple(map(len, event.hands)),
        fists=(Thinking(),) * len(event.hands),
        scores=(*before.scores, event.points),
    )
    built = next((each for each in happened.events if isinstance(each, Built)), None)
    if built is None:
        return shown
    left = built.end is End.LEFT
    wall_ = (built.piece, *before.wall) if left else (*before.wall, built.piece)
    return replace(shown, wall=wall_, left=before.left + left, last=(built.seat, built.end))


def _times(hands: Sequence[Hand]) -> tuple[list[int], int]:
    """When each player's costs begin to be counted, and when the score sheet is written."""
    begin = _LEFT + _PLAYER * len(hands) + 100
    begins = [begin + 200 * seat for seat in range(len(hands))]
    ends = [at + max(_COST * len(held), _COUNT) for at, held in zip(begins, hands, strict=True)]
    return begins, max(ends) + 100


# --- The drawing -----------------------------------------------------------------------------


def _content(
    happened: Happened, event: RoundEnded, view: View, begins: Sequence[int], written: int
) -> str:
    language = happened.language
    rests = [
        _rest(view, event, Seat(seat), happened.names[seat], begin, language)
        for seat, begin in enumerate(begins)
    ]
    finished = wall(view, {}, language)
    finished.set("class", f"{finished.get('class')} whole")
    crowd = len(rests) > 4 and "crowd"  # noqa: PLR2004 - then they stand closer
    drawn = stage(
        node("ol", *rests, class_=classes("rests", f"of-{len(rests)}", crowd), id="rests"),
        finished,
        language=language,
    )
    when = language("Round {round} of {rounds} is over", round=len(view.scores), rounds=view.rounds)
    where = node("div", node("b", TITLE), f" {when}", class_="where", id="where")
    pace = Written(written, _ROW, _COUNT)
    return html(drawn, slate(view, happened.names, language, pace), where)


def _rest(  # noqa: PLR0913, PLR0917 - a seat, and when it is its turn
    view: View, event: RoundEnded, seat: Seat, name: str, begins: int, language: Language
) -> Node:
    """What a player was left with, each piece with its cost; a ribbon for an empty hand."""
    held, points = event.hands[seat], event.points[seat]
    out = event.ending is Ending.OUT and not held
    if held:
        pieces = [_left_over(kind, begins + _COST * at, language) for at, kind in enumerate(held)]
    else:
        pieces = [_empty(view, seat, language)]
    count = f"0 {begins} {max(_COST * len(held), _COUNT)}"
    plus = [node("i", "+")] if points else []
    plate = node(
        "div",
        node("span", sign(f"mark-{seat + 1}"), class_=classes("tile", is_you(name) and "you")),
        node("b", capital(language.called(name))),
        node("span", *plus, node("span", str(points), data_count=count), class_="num plus"),
        class_="plate2",
    )
    return node(
        "li",
        node("div", *pieces, class_=f"lps {_need(held)}", data_at=str(_LEFT + _PLAYER * seat)),
        plate,
        class_=classes("rest", out and "first"),
        id=f"rest-{seat}",
    )


def _need(held: Hand) -> str:
    """A class for the width that these pieces need, so that all of them stand side by side."""
    widths = (PIECES.size_of(f"piece-{kind.value}")[0] for kind in held)
    need = sum(max(wide, 34) + 12 for wide in widths)
    return f"need-{min(max(-(-int(need) // 60), 1), 8)}"


def _left_over(kind: Piece, at: int, language: Language) -> Node:
    high, wide = height_of(kind) + 6, PIECES.size_of(f"piece-{kind.value}")[0]
    drawn = image((wide, high), [use(f"piece-{kind.value}", 0, high - HIGH, wide, HIGH)])
    drawn.set("class", f"high-{height_of(kind):g}")
    drawn.set("role", "img")
    drawn.set("aria-label", piece_name(kind, language))
    drawn.attrib.pop("aria-hidden")
    cost = node("b", str(PENALTY[kind]), class_="num", data_at=str(at))
    return node("span", drawn, cost, class_="lp")


def _empty(view: View, seat: Seat, language: Language) -> Node:
    drawn = image(HAND, hand(view, seat, 0), None, language("nothing left"))
    ribbon = node("span", language("out first!"), class_="ribbon", aria_hidden="true")
    return node("span", drawn, ribbon, class_="out")


# --- Words -----------------------------------------------------------------------------------


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
    sums = totals(view.scores, len(view.counts))
    first = [name for name, rank in zip(names, ranked(sums), strict=False) if rank == 1]
    points = str(min(sums))
    if first[1:]:
        lead = language("{names} share the lead with {points}", names=first, points=points)
        return [*told, sentence(lead)]
    return [*told, one(_LEADS, first[0], language, points=points)]
