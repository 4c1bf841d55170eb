"""What a page lets sound with the next picture, where its reader has switched sounds on."""

from collections.abc import Mapping
from typing import NamedTuple

from mauerwerk.core.game import Value
from mauerwerk.play.tables.table import Table
from mauerwerk.web.games import web_game
from mauerwerk.web.games.room import Sound
from mauerwerk.web.pages.moments import RECENT
from mauerwerk.web.pages.viewpoint import Viewpoint


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
