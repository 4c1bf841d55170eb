"""The end of a game as one viewer sees it: places, sources of points, the course of the game."""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil
from typing import Any, Final, NamedTuple

from mauerwerk.core.game import NATURE, Outcome, Seat, Value
from mauerwerk.core.language import Language, capital, is_you, sentence, won
from mauerwerk.core.svg import SIGNS, Drawing, Node, fitting, group, label, node, picture
from mauerwerk.lab.analysis.results import Analysis
from mauerwerk.server.engine.snapshot import Snapshot
from mauerwerk.server.features.replay import link_codec
from mauerwerk.server.features.replay.analyses import Analyses, Job
from mauerwerk.server.features.replay.replay import Replay, replay_at
from mauerwerk.server.games import last_view, web_game_at
from mauerwerk.server.games.room import Ended, SceneView, Source, WebGame
from mauerwerk.server.http.request import Request
from mauerwerk.server.tables.table import Table, Viewer
from mauerwerk.server.ui import cache, history, markup
from mauerwerk.server.ui.names import Place, places_of, places_said
from mauerwerk.server.ui.render import drawn

LONGEST_BAR: Final = 296
BARS_LEFT: Final = 42
COURSE_LOW: Final = 128
COURSE_HIGH: Final = 116
"""Measures of `charts.html`."""


class Best(Value):
    """The moment that was best for a seat."""

    turn: int
    at: int
    """The position in which one sees what came of it."""
    stop: int
    """The place of that turn's end among all ends."""
    told: str
    effect: str


class EndRequest(NamedTuple):
    """Whose end it is: the table, the viewer, and the names of the seats as the viewer reads."""

    snapshot: Snapshot
    viewer: Viewer
    names: Sequence[str]
    language: Language


class FinishedGame(NamedTuple):
    """A finished game, and in which words it is told to whom."""

    replay: Replay
    room: WebGame
    names: Sequence[str]
    language: Language
    hero: Seat
    """The seat that is followed: the reader's own, or for a spectator the winner's."""


def end_at(request: Request, asked: EndRequest) -> dict[str, Any] | None:
    """The end of a table's game; None while it goes on."""
    table = asked.snapshot.table
    outcome = table.outcome
    if outcome is None:
        return None
    done = analysed(request, table)
    job = request.host.service(Analyses).known(table.record())
    key = ("end", table.charter.id, table.seq, asked.viewer, asked.language.code, done)
    end = request.host.service(cache.Drawings).once(key, lambda: game_end(asked, outcome, job))
    return {**end, "shared": _shared_at(request, table)}


def _shared_at(request: Request, table: Table) -> str:
    """The link to the replay that people pass on. It has the game in it where nobody else comes."""
    path = f"/t/{table.charter.id}/replay"
    if request.app.settings.alone:
        key = ("link", table.charter.id, table.seq)
        path = request.host.service(cache.Drawings).once(key, lambda: _link(table) or path)
    return request.address(path)


def _link(table: Table) -> str:
    """The path of a replay that anybody can open; empty for too long a game."""
    names = tuple(each.name for each in table.occupants)
    try:
        code = link_codec.encode(link_codec.NamedRecord(table.record(), names))
    except link_codec.LongLinkError:
        return ""
    return f"/replay/{code}"


def analysed(request: Request, table: Table) -> int:
    """How far the analysis of a finished game is, in per cent, and 101 once it is done."""
    if table.outcome is None:
        return -1
    job = request.host.service(Analyses).known(table.record())
    if job is None or job.stage == "failed":
        return -1
    return round(100 * job.progress) + (job.result is not None)


def game_end(asked: EndRequest, outcome: Outcome, job: Job | None) -> dict[str, Any]:
    """The end of a table's game, with what is known of its chances, for the template."""
    table, names, language = asked.snapshot.table, asked.names, asked.language
    room = web_game_at(table)
    replay = replay_at(table)
    hero = asked.viewer if asked.viewer is not None else outcome.winners[0]
    game = FinishedGame(replay, room, names, language, hero)
    places = places_of(outcome, names, language)
    said = towers_said(places, language)
    view = last_view(asked.snapshot, asked.viewer)
    ended = (
        room.ended(view, names, language)
        if room.ended
        else Ended(headline(outcome, names, language), "")
    )
    found = (
        room.sources(events_until(replay, replay.last), replay.seats, language)
        if room.sources
        else ()
    )
    analysis = job.result if job else None
    points = points_by_turn(game)
    best = None
    if analysis is not None:
        best = best_by_chances(game, analysis)
    elif points:
        best = best_by_points(game, points, low=few_are_good(outcome))
    others = _others(places, names, language)
    turns = turns_of(replay)
    took = language.many(turns, "It took {number} turn.", "It took {number} turns.")
    over = sentence(language("the game is over"))
    return {
        "headline": ended.headline,
        "reason": f"{ended.reason} {took}".strip(),
        "others": others,
        # The one sentence for readers who hear the page.
        "says": " ".join(filter(None, [over, ended.headline, others])),
        "places": places,
        "notes": ended.notes,
        "sources": found,
        "towers": "" if room.keeps_stage else markup.html(podium(places, said)),
        "bars": _bars(found, [place.seat for place in places]) if found else [],
        "you": asked.viewer,
        "course": _course(game, points, best, analysis),
        # In per cent; None where nobody asked for the chances, or that failed.
        "progress": round(100 * job.progress) if job and job.under_way else None,
        "best": best,
        "hero": hero,
        "last": replay.last,
        "board": _board(room, view, hero, language),
    }


def headline(outcome: Outcome, names: Sequence[str], language: Language) -> str:
    """Who won, for a game that does not say it in its own words."""
    winners = [names[seat] for seat in outcome.winners]
    points = outcome.points[outcome.winners[0]] if outcome.points else None
    return won(winners, points, language)


def towers_said(places: Sequence[Place], language: Language) -> str:
    """The towers in words: `Places: 1. You 70, 2. Bruno 64`."""
    return f"{language('Places')}: {places_said(places)}"


def _others(places: Sequence[Place], names: Sequence[str], language: Language) -> str:
    """What those have who did not win, such as `Bruno has 64, Clara 59`."""
    others = [place for place in places if place.rank > 1]
    if not others or not isinstance(others[0].points, int):
        return ""
    name, number = names[others[0].seat], others[0].points
    if is_you(name):
        begun = language("you have {number}", number=number)
    else:
        begun = language("{who} has {number}", who=name, number=number)
    rest = [f"{language.called(names[place.seat])} {place.points}" for place in others[1:]]
    return sentence(", ".join([begun, *rest]))


def few_are_good(outcome: Outcome) -> bool:
    """Whether low scores win: an outcome gives ranks, so they can be compared."""
    pairs = list(zip(outcome.ranks, outcome.scores, strict=True))
    first, last = min(pairs), max(pairs)
    return first[1] < last[1]


def _bars(sources: Sequence[Source], order: Sequence[Seat]) -> list[dict[str, Any]]:
    """A bar for each seat: its parts with their points, where they begin, and how wide they are."""
    gained = {seat: sum(max(each.points[seat], 0) for each in sources) for seat in order}
    unit = LONGEST_BAR / max(*gained.values(), 1)
    bars: list[dict[str, Any]] = []
    for seat in order:
        x, parts = float(BARS_LEFT), list[tuple[int, int, float, float]]()
        for place, source in enumerate(sources):
            if (points := source.points[seat]) > 0:
                parts.append((place, points, x, points * unit))
                x += points * unit
        lost = sum(min(each.points[seat], 0) for each in sources)
        total = gained[seat] + lost
        bars.append({"seat": seat, "parts": parts, "end": x, "lost": lost, "total": total})
    return bars


def _course(
    game: FinishedGame,
    points: Sequence[Sequence[int]],
    best: Best | None,
    analysis: Analysis | None,
) -> dict[str, Any] | None:
    """Everybody's chances turn by turn, or points as long as these are not known."""
    language, hero = game.language, game.hero
    name, last = game.names[hero], len(stops(game.replay)) - 1
    rows: Sequence[Sequence[float]] = points
    if analysis is not None:
        top, title = 100, language("Chances to win")
        rows = [
            [100 * chance for chance in analysis.positions[stop].chances]
            for stop in stops(game.replay)
        ]
        said = language(
            "{name}'s chances: {first} % at first, {middle} % in the middle, {last} % at the end",
            name=name,
            first=round(rows[0][hero]),
            middle=round(rows[last // 2][hero]),
            last=round(rows[-1][hero]),
        )
    elif points:
        most = max(2, *(number for row in points for number in row))
        step = 2 if most <= 20 else 10  # noqa: PLR2004 - a scale with whole numbers
        top, title = step * ceil(most / step), language("Points turn by turn")
        said = language(
            "{name}'s points: {middle} in the middle, {last} at the end",
            name=name,
            middle=points[last // 2][hero],
            last=points[-1][hero],
        )
    else:
        return None
    final = rows[-1]
    order = sorted(range(len(final)), key=lambda seat: -final[seat])
    heights = [COURSE_LOW - COURSE_HIGH * final[seat] / top for seat in order]
    return {
        "title": title,
        "is_chances": analysis is not None,
        "words": sentence(said),
        "rows": rows,
        "steps": max(len(rows) - 1, 1),
        "top": top,
        "hero": hero,
        "pin": best.stop if best else None,
        # The mason's marks where the lines end, none upon another.
        "marks": [*zip(order, markup.without_overlap(heights, 20, COURSE_LOW), strict=True)],
        "ends": (
            language("turn {number}", number=1),
            language("turn {number}", number=turns_of(game.replay)),
        ),
    }


def _board(room: WebGame, view: object, seat: Seat, language: Language) -> str:
    """The table as its room paints it for the end."""
    if room.final is None:
        return ""
    (left, top, wide, high), content = room.final(SceneView(view, {}, seat, language))
    drawn = markup.image((wide, high), content, "mauerwerk last-board")
    drawn.set("viewBox", f"{left:g} {top:g} {wide:g} {high:g}")
    return markup.html(drawn)


# --- The moment that was best for a seat --------------------------------------------------------

_MOST_TOLD: Final = 3
"""The most sentences about the best moment."""
LONGEST: Final = 1_500
"""The most moves of a game whose points are worked out turn by turn, which takes their square."""


def stops(replay: Replay) -> tuple[int, ...]:
    """The positions at which a turn ends, and the first."""
    found = [0]
    while found[-1] < replay.last:
        found.append(replay.turn_after(found[-1]))
    return tuple(found)


def turns_of(replay: Replay) -> int:
    """How many turns the game took. What is scored after them belongs to the last."""
    return max(replay.game.turn(replay.states[-1]), 1)


def points_by_turn(game: FinishedGame) -> tuple[tuple[int, ...], ...]:
    """Everybody's points at each stop; nothing for a game that does not say where they come from.

    Nor for a very long one: everybody else at this server would wait meanwhile.

    The sources of the events up to a turn are the points that the seats had then.
    """
    if game.room.sources is None or game.replay.last > LONGEST:
        return ()
    return tuple(_points(game, stop) for stop in stops(game.replay))


def _points(game: FinishedGame, at: int) -> tuple[int, ...]:
    assert game.room.sources is not None
    seats = game.replay.seats
    found = game.room.sources(events_until(game.replay, at), seats, game.language)
    return tuple(sum(source.points[seat] for source in found) for seat in range(seats))


def events_until(replay: Replay, at: int) -> list[Any]:
    """All that happened before a position."""
    return [event for step in replay.steps[:at] for event in step.events]


def best_by_chances(game: FinishedGame, found: Analysis) -> Best | None:
    """The turn in which the hero's chance rose most, and the move of it that did most."""
    ends = stops(game.replay)
    chances = [position.chances[game.hero] for position in found.positions]
    chances[-1:] = chances[-2:-1]  # that the winner has won in the end is no moment
    rises = [chances[after] - chances[before] for before, after in pairwise(ends)]
    turn = max(range(len(rises)), key=rises.__getitem__, default=None)
    if turn is None or rises[turn] <= 0:
        return None
    before, after = ends[turn], ends[turn + 1]
    move = max(range(before, after), key=lambda at: chances[at + 1] - chances[at])
    effect = game.language(
        "{name}'s chances rose from {before} % to {after} %",
        name=game.names[game.hero],
        before=round(100 * chances[before]),
        after=round(100 * chances[after]),
    )
    return Best(
        turn=min(turn + 1, turns_of(game.replay)),
        at=move + 1,
        stop=turn + 1,
        told=_words(game, range(before, move + 1)),
        effect=sentence(effect),
    )


def best_by_points(game: FinishedGame, rows: Sequence[Sequence[int]], *, low: bool) -> Best | None:
    """The turn in which the hero gained most on the others; `low` where few points are good."""
    ends, hero = stops(game.replay), game.hero
    gains = [_gain(before, after, hero) * (-1 if low else 1) for before, after in pairwise(rows)]
    turn = max(range(len(gains)), key=gains.__getitem__, default=None)
    if turn is None or gains[turn] <= 0:
        return None
    # Where one turn is worth as much as another, it counts when the lead was taken for good.
    taken = None if gains[turn] > 1 else takes_lead(rows, hero, low=low)
    turn = turn if taken is None else taken
    before, after = ends[turn], ends[turn + 1]
    totals = [_points(game, at) for at in range(before, after + 1)]
    moves = [
        before + place
        for place, (old, new) in enumerate(pairwise(totals))
        if old[hero] != new[hero]
        # Or a move of the hero, such as a shot, that cost another points.
        or (old != new and (low or game.replay.moves[before + place].seat == hero))
    ]
    gained = rows[turn + 1][hero] - rows[turn][hero]
    effect = game.language.many(
        gained, "That was {number} point in one turn.", "That was {number} points in one turn."
    )
    if taken is not None:
        kept = game.language("{name} kept the lead from then on", name=game.names[hero])
        effect = sentence(kept)
    elif gained <= 1 or len(moves) <= 1 or low:
        effect = ""
    return Best(
        turn=min(turn + 1, turns_of(game.replay)),
        at=(moves[-1] if moves else after - 1) + 1,
        stop=turn + 1,
        told=_words(game, moves),
        effect=effect,
    )


def takes_lead(rows: Sequence[Sequence[int]], hero: Seat, *, low: bool) -> int | None:
    """The turn after which the hero was ahead of all others until the end; None if it was never."""
    sign = -1 if low else 1
    ahead = [
        all(sign * own > sign * other for seat, other in enumerate(row) if seat != hero)
        for row, own in ((row, row[hero]) for row in rows)
    ]
    if not ahead[-1]:
        return None
    return max((place for place, leads in enumerate(ahead) if not leads), default=None)


def _gain(before: Sequence[int], after: Sequence[int], hero: Seat) -> float:
    """By how much the hero gained more than the others did on average."""
    changes = [new - old for old, new in zip(before, after, strict=True)]
    others = sum(changes) - changes[hero]
    return changes[hero] - others / max(len(changes) - 1, 1)


def _words(game: FinishedGame, moves: Sequence[int]) -> str:
    """What these moves were, in sentences; of many the last."""
    sentences: list[str] = []
    replay = game.replay
    for at in moves:
        line = history.history_line(
            replay.game, replay.steps[at].events, game.names, game.language, number=at, mark=0
        )
        if line:
            sentences += line.sentences
        elif (seat := replay.moves[at].seat) != NATURE:
            words = replay.game.say(replay.game.parse(replay.moves[at].word), game.language)
            chose = game.language("{name} chose: {move}", name=game.names[seat], move=words)
            sentences.append(sentence(capital(chose)))
    return " ".join(sentences[-_MOST_TOLD:])


# --- The places as towers -------------------------------------------------------------------------


WIDE: Final = 840
_TOP: Final = -62
_LOW: Final = 330
_ROOM: Final = 580
"""The width that the towers share."""
_NARROW: Final = 648
"""What a page shows at least; a wide one shows more of land and wall on both sides."""
_CROWD: Final = 5
"""As many towers need all the room that there is."""
_SMALLEST: Final = 19
"""The smallest letters: on a phone a picture is two thirds as large."""
_LETTER: Final = 0.66
"""How wide a letter is at most on average, for its size."""


def podium(places: Sequence[Place], words: str) -> Node:
    """The picture, for a page."""
    return node(
        "svg",
        *_drawn(places),
        viewBox=f"{(WIDE - _NARROW) / 2:g} {_TOP} {_NARROW} {_LOW - _TOP}",
        preserveAspectRatio="xMidYMax meet",
        class_="mauerwerk podium",
        role="img",
        aria_label=words,
    )


def podium_file(places: Sequence[Place], title: str, words: str) -> Drawing:
    """The picture by itself, with the name of the game, to be sent to others."""
    high = _LOW - _TOP
    sky = node("rect", width=WIDE, height=high, fill="var(--sky)")
    towers = group(*_drawn(places), y=-_TOP)
    name = label(28, 52, title, size=34, bold=True, serif=True)
    home = label(28, 80, "Mauerwerk", size=17, fill="ink-2")
    return picture(SIGNS, WIDE, high, words, sky, towers, name, home)


def _drawn(places: Sequence[Place]) -> list[Node]:
    winner = min(places, key=lambda place: place.rank)
    towers = sorted(_towers(places, winner), key=lambda tower: -tower["place"].rank)
    return drawn("ending/podium.html", "podium", towers, winner.seat)


def _towers(places: Sequence[Place], winner: Place) -> list[dict[str, Any]]:
    """Each place with the middle and the width of its tower, the first in the middle, and a plate.

    Name and points are as large as the plate allows; that of a narrow tower is wider than it.
    """
    number = len(places)
    step = min(200, (_ROOM if number < _CROWD else _NARROW) / number)
    order: list[Place] = []
    for turn, place in enumerate(sorted(places, key=lambda place: place.rank)):
        if turn % 2:
            order.insert(0, place)
        else:
            order.append(place)
    # With an even number of towers the middle lies between two of them.
    first = WIDE / 2 - step * order.index(winner) + step / 2 * (1 - number % 2)
    towers: list[dict[str, Any]] = []
    for index, place in enumerate(order):
        wide = step * (0.8 if place.rank == 1 else 0.7)
        across = wide - 24 if wide > 100 else step - 6  # noqa: PLR2004 - narrow
        fits = int((across - 4) / max(fitting.columns(place.name), 1) / _LETTER)
        size = max(_SMALLEST, min(23 if place.rank == 1 else 21, fits))
        towers.append(
            {
                "place": place,
                "middle": first + step * index,
                "wide": wide,
                "across": across,
                "size": size,
                "name": fitting.cut(place.name, int((across - 4) / size / _LETTER)),
            }
        )
    return towers
