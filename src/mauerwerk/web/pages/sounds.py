"""What a page lets sound with the next picture, where its reader has switched sounds on."""

from collections.abc import Mapping

from mauerwerk.core.game import Value
from mauerwerk.play.tables.table import Table
from mauerwerk.web.games import web_game
from mauerwerk.web.games.room import Sound
from mauerwerk.web.pages.moments import RECENT
from mauerwerk.web.pages.viewpoint import Viewpoint


def sounds_after(table: Table, viewpoint: Viewpoint, after: int) -> tuple[Sound, ...]:
    """The sounds of what happened since the picture with this number, each run of them once."""
    sounds = web_game(table.charter.game).sounds
    heard: list[Sound] = []
    for play in table.plays[-RECENT:]:
        if table.number_of(play.seq, viewpoint.counter) <= after:
            continue
        for event in play.step.events:
            name = _sound_of(table.game.seen(event, viewpoint.viewer), sounds)
            if name is not None and name not in heard[-1:]:
                heard.append(name)
    return tuple(heard)


def _sound_of(told: Value | None, sounds: Mapping[type[Value], Sound]) -> Sound | None:
    return None if told is None else sounds.get(type(told))


def sounds_part(table: Table, viewpoint: Viewpoint, after: int) -> str:
    """The same for the script, in an element that shows nothing."""
    names = " ".join(sounds_after(table, viewpoint, after))
    return f'<template id="sounds" data-sounds="{names}"></template>' if names else ""
