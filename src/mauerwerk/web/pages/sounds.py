"""What a page lets sound with the next picture, where its reader has switched sounds on."""

from itertools import groupby

from mauerwerk.play.tables.table import Table
from mauerwerk.web.games import web_game
from mauerwerk.web.games.room import Sound
from mauerwerk.web.pages.moments import RECENT
from mauerwerk.web.pages.viewpoint import Viewpoint


def sounds_after(table: Table, viewpoint: Viewpoint, after: int) -> tuple[Sound, ...]:
    """The sounds of what happened since the picture with this number, each run of them once."""
    sounds = web_game(table.charter.game).sounds
    heard = (
        sounds.get(type(told))
        for play in table.plays[-RECENT:]
        if table.number_of(play.seq, viewpoint.seat) > after
        for event in play.step.events
        if (told := table.game.seen(event, viewpoint.viewer)) is not None
    )
    return tuple(name for name, _ in groupby(heard) if name is not None)


def sounds_part(table: Table, viewpoint: Viewpoint, after: int) -> str:
    """The same for the script, in an element that shows nothing."""
    names = " ".join(sounds_after(table, viewpoint, after))
    return f'<template id="sounds" data-sounds="{names}"></template>' if names else ""
