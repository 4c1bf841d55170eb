"""The moments of a table: what a page plays before it shows the newest picture."""

import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, cast

from mauerwerk.core.game import AnyGame, Ephemeral, Value
from mauerwerk.core.language import Language
from mauerwerk.server.engine.audience import Announcement
from mauerwerk.server.engine.events import TableChanged
from mauerwerk.server.engine.host import Host
from mauerwerk.server.engine.snapshot import Snapshot
from mauerwerk.server.games import web_game_at
from mauerwerk.server.games.room import Moment, SeenMove, Sound
from mauerwerk.server.games.viewpoint import Viewpoint
from mauerwerk.server.tables.notices import events_seen
from mauerwerk.server.tables.table import Play, Status, Table, Viewer
from mauerwerk.server.ui.names import names_for
from mauerwerk.server.ui.page import PageRequest

_log = logging.getLogger(__name__)
RECENT: Final = 24
"""The number of plays among which moments are looked for; older ones are not shown any more."""
MOST: Final = 3
"""The most moments that a page plays one after the other."""


class NumberedMoment(NamedTuple):
    """A moment, the entry of its move in the log, and the number of the notice of it."""

    seq: int
    number: int
    moment: Moment


class EndedForAll(Announcement):
    """Somebody who plays has seen enough of the moment after this entry of the log."""

    seq: int


class MomentViewer(NamedTuple):
    """For whom moments are drawn."""

    viewer: Viewer
    language: Language
    shared: bool = False
    """Whether several people with secrets look at the same device."""


def moments_at(
    snapshot: Snapshot, viewpoint: Viewpoint, language: Language, after: int
) -> tuple[NumberedMoment, ...]:
    """The moments of moves that the owner of the page was told of beyond this number."""
    table, counter = snapshot.table, viewpoint.counter
    stops = _stops(table, lambda play: table.number_of(play.seq, counter) > after)
    if not stops:
        return ()
    # At a device with secrets of several people, everybody watches.
    shared = viewpoint.shared and web_game_at(table).box.secrets
    watching = MomentViewer(None if shared else viewpoint.viewer, language, shared)
    found = [
        NumberedMoment(play.seq, table.number_of(play.seq, counter), moment)
        for place, play in stops
        for moment in snapshot.once(
            ("moments", play.seq, watching), partial(_made, table, place, watching)
        )
    ]
    return tuple(found[-MOST:])


def moments_part(request: PageRequest, snapshot: Snapshot, viewpoint: Viewpoint, after: int) -> str:
    """The moments for a page that has the picture with this number, inert until it plays them."""
    moments = moments_at(snapshot, viewpoint, request.language, after)
    if not moments:
        return ""
    shared, seat = viewpoint.shared, viewpoint.looks
    return request.text("table/moments.html", moments=moments, shared=shared, seat=seat)


def hold_for_moments(_host: Host, event: TableChanged) -> None:
    """Let the bots of a table wait while people look at a moment that everybody should see."""
    live = event.live
    seats = live.audience.looking()
    if not seats:
        return
    try:
        stop = last_stop(live.table, live.attended)
    except Exception:  # noqa: BLE001 - the move is stored, whatever is wrong with what is shown of it
        _log.exception("could not tell whether people stop to look")
        return
    if stop is not None:
        live.holds.begin(seats, live.table, stop)


async def end_for_all(host: Host, table: str, counter: Viewer, number: int) -> None:
    """Where a screen shows the table, let all pages go on after the moment with this number."""
    live = await host.live_tables.fresh(table)
    if not live.audience.has_screen:
        return
    recent = [play.seq for play in live.table.plays[-RECENT:]]
    for seq in recent:
        # Once for each: nobody fills the streams of the others.
        if seq > live.ended_for_all and live.table.number_of(seq, counter) == number:
            live.ended_for_all = seq
            live.audience.announce((EndedForAll(seq),), live.snapshot())


def last_stop(table: Table, since: int) -> int | None:
    """The last entry since that number after which people stop to look."""
    stops = _stops(table, lambda play: play.seq >= since)
    return stops[-1][1].seq if stops else None


def _stops(table: Table, is_new: Callable[[Play], bool]) -> Sequence[tuple[int, Play]]:
    """The new ones of the last plays that may have moments, each with its place."""
    room = web_game_at(table)
    if room.moments is None:
        return ()
    plays = table.plays
    over = table.status is Status.OVER
    found: list[tuple[int, Play]] = []
    for place in range(len(plays) - 1, max(table.charter.given, len(plays) - RECENT) - 1, -1):
        play = plays[place]
        if not is_new(play):
            break
        stops = room.stops is None or room.stops(
            table.before(place), play.step.state, play.step.events
        )
        # What is told once may lie open in these views, and must not be seen again.
        told_once = any(map(_tells_once, plays[max(0, place - 1) : place + 1]))
        if stops and (over or not told_once):
            found.append((place, play))
    return found[::-1]


def _tells_once(play: Play) -> bool:
    return any(isinstance(event, Ephemeral) for event in play.step.events)


def _made(table: Table, place: int, watching: MomentViewer) -> tuple[Moment, ...]:
    game, (viewer, language, shared) = table.game, watching
    make = web_game_at(table).moments
    assert make is not None
    play, past = table.plays[place], table.plays[max(0, place - RECENT) : place]
    move = SeenMove(
        before=game.view(table.before(place), viewer),
        after=game.view(play.step.state, viewer),
        events=_seen(game, play.step.events, viewer),
        names=names_for(table.log[play.seq].players, viewer, language),
        language=language,
        past=_seen(game, [event for one in past for event in one.step.events], viewer),
        shared=shared,
    )
    return tuple(make(move))


def _seen(game: AnyGame, events: Sequence[Any], viewer: Viewer) -> tuple[Any, ...]:
    """What a viewer is told of these events, again."""
    lasting = (event for event in events if not isinstance(event, Ephemeral))
    return tuple(each for event in lasting if (each := game.seen(event, viewer)) is not None)


def sounds_after(table: Table, viewpoint: Viewpoint, after: int) -> list[tuple[int, Sound]]:
    """Sounds since the picture with this number, each run once, with the picture that brings it."""
    sounds = web_game_at(table).sounds
    heard: list[tuple[int, Sound]] = []
    for play in table.plays[-RECENT:]:
        number = table.number_of(play.seq, viewpoint.counter)
        if number <= after:
            continue
        for event in events_seen(table, table.log[play.seq], viewpoint.viewer):
            name = sounds.get(type(cast("Value", event)))
            if name is not None and name not in [sound for _, sound in heard[-1:]]:
                heard.append((number, name))
    return heard


def sounds_part(table: Table, viewpoint: Viewpoint, after: int) -> str:
    """The same for the script, with numbers: the stream may have brought them before the answer."""
    heard = sounds_after(table, viewpoint, after)
    names = " ".join(f"{number}:{sound}" for number, sound in heard)
    return f'<template id="sounds" data-sounds="{names}"></template>' if names else ""
