"""The moments of a table: what a page plays before it shows the newest picture."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from mauerwerk.core.game import AnyGame, Ephemeral, Value
from mauerwerk.core.language.translation import ENGLISH, Language
from mauerwerk.server.engine.events import TableChanged
from mauerwerk.server.engine.host import Host
from mauerwerk.server.games import web_game
from mauerwerk.server.games.room import Happened, Moment, Sound
from mauerwerk.server.games.viewpoint import Viewpoint
from mauerwerk.server.tables.table import Play, Status, Table, Viewer
from mauerwerk.server.ui.cache import Drawings
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


class Watcher(NamedTuple):
    """For whom moments are drawn."""

    viewer: Viewer
    language: Language
    shared: bool = False
    """Whether several people with secrets look at the same device."""


class MomentKey(NamedTuple):
    """All that the moments of a move depend on."""

    table: str
    seq: int
    viewer: Viewer
    language: str
    shared: bool
    over: bool


def moments_at(
    drawings: Drawings, table: Table, viewpoint: Viewpoint, language: Language, after: int
) -> tuple[NumberedMoment, ...]:
    """The moments of moves that the owner of the page was told of beyond this number."""
    watcher = _watching(table, viewpoint, language)
    found = [
        NumberedMoment(play.seq, number, moment)
        for before, play in _recent(table)
        if (number := table.number_of(play.seq, viewpoint.counter)) > after
        for moment in _moments_of(drawings, table, before, play, watcher)
    ]
    return tuple(found[-MOST:])


def moments_part(request: PageRequest, table: Table, viewpoint: Viewpoint, after: int) -> str:
    """The moments for a page that has the picture with this number, inert until it plays them."""
    drawings = request.app.service(Drawings)
    moments = moments_at(drawings, table, viewpoint, request.language, after)
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


def last_stop(table: Table, since: int) -> int | None:
    """The last entry since that number after which people stop to look."""
    stops = [
        play.seq
        for before, play in _recent(table)
        if play.seq >= since
        and _moments_of(Drawings(), table, before, play, Watcher(None, ENGLISH))
    ]
    return max(stops, default=None)


def _watching(table: Table, viewpoint: Viewpoint, language: Language) -> Watcher:
    """At a device with secrets of several people, everybody watches."""
    shared = viewpoint.shared and web_game(table.charter.game, table.charter.rules).box.secrets
    return Watcher(None if shared else viewpoint.viewer, language, shared)


def _recent(table: Table) -> list[tuple[Play | None, Play]]:
    """The last plays, each with the one before it."""
    if web_game(table.charter.game, table.charter.rules).moments is None:
        return []
    first = max(table.charter.given, len(table.plays) - RECENT)
    earlier = (table.plays[first - 1] if first else None, *table.plays[first:])
    return list(zip(earlier, table.plays[first:], strict=False))


def _moments_of(
    drawings: Drawings, table: Table, before: Play | None, play: Play, watcher: Watcher
) -> tuple[Moment, ...]:
    over = table.status is Status.OVER
    # What is told once may lie open in these views, and must not be seen again.
    if not over and (_tells_once(play) or (before is not None and _tells_once(before))):
        return ()
    viewer, language, shared = watcher
    key = MomentKey(table.charter.id, play.seq, viewer, language.code, shared, over)
    return drawings.once(key, lambda: _made(table, before, play, watcher))


def _tells_once(play: Play) -> bool:
    return any(isinstance(event, Ephemeral) for event in play.step.events)


def _made(table: Table, before: Play | None, play: Play, watcher: Watcher) -> tuple[Moment, ...]:
    game, (viewer, language, shared) = table.game, watcher
    make = web_game(table.charter.game, table.charter.rules).moments
    assert make is not None
    state: Any = game.start(table.setup) if before is None else before.step.state
    here = table.plays.index(play)
    past = [each for one in table.plays[max(0, here - RECENT) : here] for each in one.step.events]
    happened = Happened(
        before=game.view(state, viewer),
        after=game.view(play.step.state, viewer),
        events=_seen(game, play.step.events, viewer),
        names=names_for(table.log[play.seq].players, viewer, language),
        language=language,
        past=_seen(game, past, viewer),
        shared=shared,
    )
    return tuple(make(happened))


def _seen(game: AnyGame, events: Sequence[Any], viewer: Viewer) -> tuple[Any, ...]:
    """What a viewer is told of these events, again."""
    lasting = (event for event in events if not isinstance(event, Ephemeral))
    return tuple(each for event in lasting if (each := game.seen(event, viewer)) is not None)


class Heard(NamedTuple):
    """A sound, and the number of the picture that brings it."""

    number: int
    sound: Sound


def sounds_after(table: Table, viewpoint: Viewpoint, after: int) -> tuple[Heard, ...]:
    """The sounds of what happened since the picture with this number, each run of them once."""
    sounds = web_game(table.charter.game, table.charter.rules).sounds
    heard: list[Heard] = []
    for play in table.plays[-RECENT:]:
        number = table.number_of(play.seq, viewpoint.counter)
        if number <= after:
            continue
        for event in play.step.events:
            name = _sound_of(table.game.seen(event, viewpoint.viewer), sounds)
            if name is not None and name not in [each.sound for each in heard[-1:]]:
                heard.append(Heard(number, name))
    return tuple(heard)


def _sound_of(told: Value | None, sounds: Mapping[type[Value], Sound]) -> Sound | None:
    return None if told is None else sounds.get(type(told))


def sounds_part(table: Table, viewpoint: Viewpoint, after: int) -> str:
    """The same for the script, in an element that shows nothing.

    With their numbers: the answer to a move may bring again what the stream has brought already.
    """
    heard = sounds_after(table, viewpoint, after)
    names = " ".join(f"{number}:{sound}" for number, sound in heard)
    return f'<template id="sounds" data-sounds="{names}"></template>' if names else ""
