"""What a bot thinks of a game, for the page: the curve, the moments, and each choice weighed.

A seat is shown what its own choices were worth by what it knew then. The curve and the moments are
an observer's who sees all, so they are there only where every hand is open.
"""

from collections.abc import Sequence
from typing import Any, Final

from mauerwerk.core.game import NATURE, Seat
from mauerwerk.core.language import Language, capital, message
from mauerwerk.lab.analysis import play
from mauerwerk.lab.analysis.results import Analysis, Moment
from mauerwerk.server.features.replay.frame import ALL, Frame
from mauerwerk.server.features.replay.replay import Replay, Viewpoint
from mauerwerk.server.games import web_game
from mauerwerk.server.ui.history import history_line
from mauerwerk.server.ui.markup import without_overlap

ROWS: Final = 30
"""The approximate number of rows of the curve as a table."""


def evaluate(found: Analysis, replay: Replay, shown: Frame, language: Language) -> dict[str, Any]:
    """What is said of the game in this position, to these eyes, for the template."""
    moments: list[dict[str, Any]] = []
    if shown.viewpoint == ALL:
        in_order = enumerate(sorted(found.moments, key=lambda moment: moment.at), start=1)
        moments = [_moment(*each, found, replay, shown, language) for each in in_order]
    is_open = shown.viewpoint == ALL
    return {
        "curve": _curve(found, shown, language) if is_open else None,
        "legend": _legend(found, shown) if is_open else (),
        "rows": _rows(found) if is_open else (),
        "moments": moments,
        "here": next((each for each in moments if each["at"] == shown.at), None),
        "following": next((each["at"] for each in moments if each["at"] > shown.at), None),
        "played": _played(found, replay, shown, language) if is_open else None,
        "weighed": _weighed(found, replay, shown, language),
        # It was weighed by rules of thumb where no search plays such a game.
        "by_thumb": found.by == "greedy",
    }


def _legend(found: Analysis, shown: Frame) -> list[tuple[str, int]]:
    """Each seat's name, and its chance to win in this position, in per cent."""
    chances = found.positions[min(shown.at, len(found.positions) - 1)].chances
    return [
        (capital(name), round(100 * chance))
        for name, chance in zip(shown.names, chances, strict=True)
    ]


def _rows(found: Analysis) -> list[tuple[int, list[int]]]:
    """Positions, and everybody's chance there."""
    last = len(found.positions) - 1
    places = [*range(0, last, max(1, last // ROWS)), last]
    return [(at, [round(100 * each) for each in found.positions[at].chances]) for at in places]


OPTIONS: Final = 4
"""How many choices are shown on the board: the best, and the one that was made."""


def options_at(found: Analysis, replay: Replay, at: int, viewpoint: Viewpoint) -> tuple[str, ...]:
    """The words of the choices that are shown on the board in a position, the best first."""
    answer = _answer(replay, at, viewpoint)
    if answer is None:
        return ()
    words = [each.word for each in found.positions[answer].choices]
    played = replay.moves[answer].word
    shown = words[:OPTIONS]
    if played in words and played not in shown:
        shown[-1] = played
    state, seat = replay.states[at], replay.moves[answer].seat
    legal = {replay.game.write(action) for action in replay.game.legal(state, seat)}
    return tuple(word for word in shown if word in legal)


def _answer(replay: Replay, at: int, viewpoint: Viewpoint) -> int | None:
    """Where the next decision is made that was open in this position and that one may see."""
    waiting = replay.game.to_act(replay.states[at])
    for place in range(at, len(replay.moves)):
        seat = replay.moves[place].seat
        if seat in waiting and seat != NATURE and viewpoint in {None, seat}:
            return place
    return None


def _weighed(
    found: Analysis, replay: Replay, shown: Frame, language: Language
) -> dict[str, Any] | None:
    """The choices of who is asked; where several are, of whose answer comes next in the record."""
    viewpoint = None if shown.viewpoint == ALL else Seat(int(shown.viewpoint))
    answer = _answer(replay, shown.at, viewpoint)
    if answer is None or not found.positions[answer].choices:
        return None
    position, move = found.positions[answer], replay.moves[answer]
    drawn = options_at(found, replay, shown.at, viewpoint)
    options = [
        {
            "word": each.word,
            "said": capital(replay.game.say(replay.game.parse(each.word), language)),
            "chance": round(100 * each.value),
            "played": each.word == move.word,
            "ghost": _ghost(replay, shown, move.seat, each.word, language)
            if each.word in drawn
            else "",
        }
        for each in position.choices
    ]
    return {
        "title": language("What {name} could do", name=shown.names[move.seat]),
        "options": [each for each in options if each["word"] in drawn],
        "others": [each for each in options if each["word"] not in drawn],
        "cost": cost_said(round(100 * position.cost), capital(shown.names[move.seat]), language)
        if round(100 * position.cost)
        else "",
        "seat": move.seat,
        "mark": move.seat + 1,
    }


def _ghost(replay: Replay, shown: Frame, seat: Seat, word: str, language: Language) -> str:
    """What a choice would put on the board, made from what its seat knew then."""
    preview = web_game(replay.record.game, replay.record.rules).preview
    if preview is None:
        return ""
    view = replay.game.view(replay.states[shown.at], seat)
    before = replay.remembered(shown.at, seat)
    made = preview(view, replay.game.parse(word), shown.names, language, before)
    return made.drawing if made else ""


def _moment(  # noqa: PLR0913, PLR0917 - all that a turning point depends on
    number: int, each: Moment, found: Analysis, replay: Replay, shown: Frame, language: Language
) -> dict[str, Any]:
    move = replay.moves[each.at]
    words = replay.game.say(replay.game.parse(move.word), language)
    names = [capital(name) for name in shown.names]
    if move.seat == NATURE:
        told = history_line(
            replay.game, replay.events(each.at + 1, None), shown.names, language, number=0, mark=0
        )
        what = told.sentences[0].removesuffix(".") if told else words
        said = language("Luck: {move}", move=what)
    else:
        said = language("{who}: {move}", who=names[move.seat], move=words)
    return {
        "number": number,
        "at": each.at,
        "mark": 0 if move.seat == NATURE else move.seat + 1,
        "said": said,
        "effect": _effect(each, found, replay, names[each.seat], language),
    }


def cost_said(lost: int, name: str, language: Language) -> str:
    """What a decision has cost somebody, in points of winning chance."""
    return language.many(
        lost,
        "This cost {name} {number} point of winning chance.",
        "This cost {name} {number} points of winning chance.",
        name=name,
    )


def _effect(each: Moment, found: Analysis, replay: Replay, who: str, language: Language) -> str:
    """What came of it. While others still choose, a chance changes only when all have."""
    if each.kind == "mistake":
        better = replay.game.say(replay.game.parse(each.better), language)
        lost = round(100 * abs(each.swing))
        cost = cost_said(lost, who, language)
        return f"{cost} {language('Better: {move}', move=better)}."
    before = found.positions[each.at].chances[each.seat]
    return language(
        "{who}'s chances: {before} % → {after} %",
        who=who,
        before=round(100 * before),
        after=round(100 * min(max(before + each.swing, 0), 1)),
    )


# --- How it was played: mistakes by what was at stake, and luck ------------------------------

DEGREES: Final = (
    message("Very unlucky."),
    message("Unlucky."),
    message("A little unlucky."),
    message("About even luck."),
    message("A little lucky."),
    message("Lucky."),
    message("Very lucky."),
)
"""From -3 to 3, as in `Played.degree_of_luck`."""


def _played(
    found: Analysis, replay: Replay, shown: Frame, language: Language
) -> dict[str, Any] | None:
    """What `played.html` shows; nothing if no decision mattered."""
    played = play.how_played(found)
    if not any(each.decisions for each in played):
        return None
    names = [capital(name) for name in shown.names]
    ranks = replay.outcome.ranks if replay.outcome else (0,) * len(names)
    order = sorted(range(len(names)), key=lambda seat: ranks[seat])
    return {
        "title": _title(played, names, language),
        "seats": [
            {
                "name": names[seat],
                "mark": seat + 1,
                "of": played[seat],
                "few": len(played[seat].decisions) < play.ENOUGH,
                "counts": [(grade, played[seat].count(grade)) for grade in play.GRADES],
                "look": [_look_again(each, found, replay, language) for each in again],
                "luck": language(DEGREES[played[seat].degree_of_luck + 3]),
                "where": _where(played[seat], replay, language),
            }
            for seat in order
            for again in (played[seat].to_look_at,)
        ],
    }


def _title(played: Sequence[play.Played], names: Sequence[str], language: Language) -> str:
    """Who played best and who was luckiest, as far as that can be said."""
    parts: list[str] = []
    best = [names[seat] for seat in play.best_players(played)]
    if len(best) == 1:
        parts.append(language("{who} played best.", who=best[0]))
    elif best:
        parts.append(language("{who} played equally well.", who=language.listed(best)))
    luckiest = max(range(len(played)), key=lambda seat: played[seat].luck)
    if played[luckiest].degree_of_luck > 0:
        parts.append(language("{who} was the luckiest.", who=names[luckiest]))
    return " ".join(parts) or language("How it was played")


def _look_again(
    each: play.Graded, found: Analysis, replay: Replay, language: Language
) -> tuple[int, str, str]:
    """A mistake: where, what was played, and what would have been better."""
    chosen, better = (
        replay.game.say(replay.game.parse(word), language)
        for word in (found.positions[each.at].chosen, found.positions[each.at].choices[0].word)
    )
    return each.at, capital(chosen), language("Better: {move}", move=better)


def _where(each: play.Played, replay: Replay, language: Language) -> tuple[int, str] | None:
    """The move of nature that made most of somebody's luck, unless their luck was even."""
    if each.luckiest is None or not each.degree_of_luck:
        return None
    word = replay.moves[each.luckiest].word
    words = replay.game.say(replay.game.parse(word), language)
    return each.luckiest, language("Most of all: {move}", move=words)


# --- The curve: everybody's chance to win on the axis of moves, with flags -------------------


LOW: Final = 126
"""Where the chance is 0; where it is 1, is 100 above that."""
_MARK: Final = 16
_MOST: Final = 160
"""The most links in the picture; in a longer game each is a few moves wide."""


def _curve(found: Analysis, shown: Frame, language: Language) -> dict[str, Any]:
    """What `curve.html` draws beside the flags; each part of it leads to its own position."""
    last = max(len(found.positions) - 1, 1)
    final = found.positions[-1].chances
    order = sorted(range(len(final)), key=lambda seat: -final[seat])
    heights = without_overlap([LOW - 100 * final[seat] for seat in order], _MARK, LOW)
    step = -(-(last + 1) // _MOST)
    return {
        "positions": found.positions,
        "now": found.positions[min(shown.at, len(found.positions) - 1)],
        "last": last,
        # The mason's marks where the lines end, none upon another.
        "marks": [*zip(order, heights, strict=True)],
        "step": step,
        "levels": flag_levels([each.at / last for each in found.moments]),
        "places": [
            (at, chances_said(found, at, shown.names, language)) for at in range(0, last + 1, step)
        ],
    }


_APART: Final = 0.06
"""How far apart flags stand beside each other, as a part of the width."""
_LEVELS: Final = 3


def flag_levels(places: Sequence[float]) -> list[int]:
    """How high the flags fly at these places, so that each can be seen and pressed."""
    levels: list[int] = []
    ends = [-1.0] * _LEVELS
    for place in sorted(places):
        free = [level for level, end in enumerate(ends) if place - end >= _APART]
        levels.append(free[0] if free else min(range(_LEVELS), key=lambda level: ends[level]))
        ends[levels[-1]] = place
    return levels


def chances_said(found: Analysis, at: int, names: Sequence[str], language: Language) -> str:
    """The chances in a position: `Move 12: Ada 54 %, Bo 46 %`."""
    chances = found.positions[at].chances
    parts = [
        f"{capital(name)} {round(100 * chance)} %"
        for name, chance in zip(names, chances, strict=True)
    ]
    return language("Move {number}: {chances}", number=at, chances=", ".join(parts))
