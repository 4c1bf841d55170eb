"""The end of a game as one viewer sees it: places, sources of points, the course of the game."""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from mauerwerk.core.game import Outcome, Seat
from mauerwerk.core.language.translation import Language, is_you
from mauerwerk.core.language.words import capital, sentence
from mauerwerk.lab.analysis.results import Analysis
from mauerwerk.server.engine.snapshot import Snapshot
from mauerwerk.server.features.ending.bars import bars, swatch
from mauerwerk.server.features.ending.best import (
    Told,
    best_by_chances,
    best_by_points,
    events_until,
    points_by_turn,
    stops,
)
from mauerwerk.server.features.ending.course import Course, course_picture
from mauerwerk.server.features.ending.podium import podium
from mauerwerk.server.features.ending.values import Best, EndRow, GameCourse, GameEnd, Legend, Place
from mauerwerk.server.features.replay.analyses import Analyses, Job
from mauerwerk.server.features.replay.replay import replay_at
from mauerwerk.server.games import last_view, web_game
from mauerwerk.server.games.room import Ended, SceneView, Source, WebGame
from mauerwerk.server.http.request import Request
from mauerwerk.server.tables.table import Table, Viewer
from mauerwerk.server.ui.markup import html, image
from mauerwerk.server.ui.render import Drawings


class Asked(NamedTuple):
    """Whose end it is: the table, the viewer, and the names of the seats as the viewer reads."""

    snapshot: Snapshot
    viewer: Viewer
    names: Sequence[str]
    language: Language


def game_end(asked: Asked, outcome: Outcome, job: Job | None) -> GameEnd:
    """The end of a table's game, with what is known of its chances."""
    table, names, language = asked.snapshot.table, asked.names, asked.language
    room = web_game(table.charter.game, table.charter.rules)
    replay = replay_at(table)
    hero = asked.viewer if asked.viewer is not None else outcome.winners[0]
    told = Told(replay, room, names, language, hero)
    places = places_of(outcome, names, language)
    view = last_view(asked.snapshot, asked.viewer)
    ended = (
        room.ended(view, names, language)
        if room.ended
        else Ended(capital(table.game.ask(view, names, language)), "")
    )
    found = (
        room.sources(events_until(replay, replay.last), replay.seats, language)
        if room.sources
        else ()
    )
    analysis = job.result if job else None
    points = points_by_turn(told)
    best = _best(told, points, outcome, analysis)
    others = _others(places, names, language)
    turns = table.game.turn(replay.states[-1])
    took = language.many(turns, "It took {number} turn.", "It took {number} turns.")
    said = sentence(language("the game is over"))
    return GameEnd(
        headline=ended.headline,
        reason=f"{ended.reason} {took}".strip(),
        others=others,
        says=" ".join(filter(None, [said, ended.headline, others])),
        rows=_rows(places, ended, found),
        towers="" if room.keeps_stage else html(podium(places, towers_said(places, language))),
        bars=html(bars(found, [place.seat for place in places], asked.viewer)) if found else "",
        legend=tuple(
            Legend(source.title, html(swatch(number))) for number, source in enumerate(found)
        ),
        course=_course(told, points, best, analysis),
        progress=round(100 * job.progress) if job and job.under_way else None,
        best=best,
        hero=hero,
        last=replay.last,
        board=_board(room, view, hero, language),
    )


def places_of(outcome: Outcome, names: Sequence[str], language: Language) -> tuple[Place, ...]:
    """Everybody's place, the first first."""
    places = [
        Place(rank, Seat(seat), capital(language.called(names[seat])), points)
        for seat, (rank, points) in enumerate(zip(outcome.ranks, outcome.points, strict=True))
    ]
    return tuple(sorted(places, key=lambda place: place.rank))


def towers_said(places: Sequence[Place], language: Language) -> str:
    """The towers in words: `1. You 70, 2. Bruno 64`."""
    said = ", ".join(f"{place.rank}. {place.name} {place.points}" for place in places)
    return f"{language('Places')}: {said}"


def _rows(places: Sequence[Place], ended: Ended, found: Sequence[Source]) -> tuple[EndRow, ...]:
    return tuple(
        EndRow(
            place,
            ended.notes[place.seat] if ended.notes else "",
            tuple(source.points[place.seat] for source in found),
        )
        for place in places
    )


def _others(places: Sequence[Place], names: Sequence[str], language: Language) -> str:
    """What those have who did not win, such as `Bruno has 64, Clara 59`."""
    others = [place for place in places if place.rank > 1]
    if not others:
        return ""
    name, number = names[others[0].seat], others[0].points
    if is_you(name):
        begun = language("you have {number}", number=number)
    else:
        begun = language("{who} has {number}", who=name, number=number)
    rest = [f"{language.called(names[place.seat])} {place.points}" for place in others[1:]]
    return sentence(", ".join([begun, *rest]))


def _best(
    told: Told,
    points: Sequence[Sequence[int]],
    outcome: Outcome,
    analysis: Analysis | None,
) -> Best | None:
    if analysis is not None:
        return best_by_chances(told, analysis)
    return best_by_points(told, points, low=few_are_good(outcome)) if points else None


def few_are_good(outcome: Outcome) -> bool:
    """Whether low scores win: an outcome gives ranks, so they can be compared."""
    pairs = list(zip(outcome.ranks, outcome.points, strict=True))
    first, last = min(pairs), max(pairs)
    return first[1] < last[1]


def _course(
    told: Told, points: Sequence[Sequence[int]], best: Best | None, analysis: Analysis | None
) -> GameCourse | None:
    """Chances where they are known, otherwise points."""
    language, hero = told.language, told.hero
    name = told.names[hero]
    pin = best.stop if best else None
    last = len(stops(told.replay)) - 1
    ends = (language("turn {number}", number=1), language("turn {number}", number=last))
    if analysis is not None:
        rows = tuple(
            tuple(100 * chance for chance in analysis.positions[stop].chances)
            for stop in stops(told.replay)
        )
        said = language(
            "{name}'s chances: {first} % at first, {middle} % in the middle, {last} % at the end",
            name=name,
            first=round(rows[0][hero]),
            middle=round(rows[last // 2][hero]),
            last=round(rows[-1][hero]),
        )
        picture = course_picture(Course(rows, 100, hero, pin, ends), sentence(said))
        return GameCourse(language("Chances to win"), html(picture), is_chances=True)
    if not points:
        return None
    most = max(2, *(number for row in points for number in row))
    step = 2 if most <= 20 else 10  # noqa: PLR2004 - a scale with whole numbers
    said = language(
        "{name}'s points: {middle} in the middle, {last} at the end",
        name=name,
        middle=points[last // 2][hero],
        last=points[-1][hero],
    )
    course = Course(
        tuple(tuple(float(number) for number in row) for row in points),
        step * ceil(most / step),
        hero,
        pin,
        ends,
    )
    title = language("Points turn by turn")
    return GameCourse(title, html(course_picture(course, sentence(said))), is_chances=False)


def _board(room: WebGame, view: object, seat: Seat, language: Language) -> str:
    """The table as its room paints it for the end."""
    if room.final is None:
        return ""
    (left, top, wide, high), content = room.final(SceneView(view, {}, seat, language))
    drawn = image((wide, high), content, "mauerwerk last-board")
    drawn.set("viewBox", f"{left:g} {top:g} {wide:g} {high:g}")
    return html(drawn)


class EndKey(NamedTuple):
    """All that the end of a game depends on."""

    table: str
    seq: int
    viewer: Viewer
    language: str
    analysed: int


def end_at(request: Request, asked: Asked) -> GameEnd | None:
    """The end of a table's game; None while it goes on."""
    table = asked.snapshot.table
    outcome = table.outcome
    if outcome is None:
        return None
    done = analysed(request, table)
    job = request.host.service(Analyses).known(table.record())
    return request.app.service(Drawings).once(
        EndKey(table.charter.id, table.seq, asked.viewer, asked.language.code, done),
        lambda: game_end(asked, outcome, job),
    )


def analysed(request: Request, table: Table) -> int:
    """How far the analysis of a finished game is, in per cent, and 101 once it is done."""
    job = (
        request.host.service(Analyses).known(table.record()) if table.outcome is not None else None
    )
    if job is None or job.stage == "failed":
        return -1
    return round(100 * job.progress) + (job.result is not None)
