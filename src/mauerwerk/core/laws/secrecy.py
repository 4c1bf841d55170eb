"""The laws of secrets: what looks alike to a viewer stays alike, and what is told once is gone.

They need not know what is secret in a game. They look for two games that look the same to a viewer,
and for anything by which it could tell them apart.
"""

from typing import Any

from mauerwerk.core.game import AnyGame, Chance, Setup
from mauerwerk.core.laws.trial import MOST_TWINS, Play, lasting, pick, some


def alike_moves_leave_alike_tables(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """If two moves look alike to a viewer, the table looks alike to it afterwards."""
    play = Play(game, setup, draw)
    play.rehearse()
    for state in play.some_positions():
        for mover in game.to_act(state):
            legal = some(game.legal(state, mover), draw)
            steps = [game.apply(state, mover, action) for action in legal]
            for viewer in play.viewers:
                tables: dict[tuple[Any, ...], tuple[Any, ...]] = {}
                for step in steps:
                    told = play.told(step.events, viewer)
                    table = play.table(step.state, viewer)
                    play.hold(
                        tables.setdefault(told, table) == table,
                        f"viewer {viewer} was told {told}, but sees what {mover} did",
                    )


def a_seat_sees_no_more_than_it_was_told(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """Whole games that were told alike look alike, however they differ in what was not told.

    The law follows twins of the game: games in which other moves were made that looked the same to
    the viewer. As long as what is told stays the same, so must the table.
    """
    play = Play(game, setup, draw)
    play.rehearse()
    viewer = pick(play.viewers, draw)
    twins = [play.state]
    while game.to_act(play.state):
        mover, action, events = play.move()
        told = play.told(events, viewer)
        born: dict[Any, None] = {}
        for twin in twins:
            for other in (action, *some(game.legal(twin, mover), draw)):
                if len(born) < MOST_TWINS and not game.why_not(twin, mover, other):
                    step = game.apply(twin, mover, other)
                    if play.told(step.events, viewer) == told:
                        born[step.state] = None
        for twin in born:
            play.hold(
                play.table(twin, viewer) == play.table(play.state, viewer),
                f"viewer {viewer} can tell this game from another that was told alike: {twin}",
            )
        twins = list(born)


def what_is_seen_stays_seen(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """Less what a viewer may not know, an event holds nothing more that it may not know."""
    play = Play(game, setup, draw)
    while game.to_act(play.state):
        _, _, events = play.move()
        for viewer in play.viewers:
            told = play.told(events, viewer)
            play.hold(play.told(told, viewer) == told, f"viewer {viewer} was told {told}")


def told_once_is_not_shown_again(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """For games that are about memory: what was told in passing has left no trace on the table.

    Beside the game run its twins, in which other moves were made that differ in nothing but
    `Ephemeral` events. At the end of every turn the tables must look alike.
    """
    play = Play(game, setup, draw)
    play.rehearse()
    viewer = pick(play.viewers, draw)
    twins = [play.state]
    while game.to_act(play.state):
        turn = game.turn(play.state)
        mover, action, events = play.move()
        told = lasting(play.told(events, viewer))
        born: dict[Any, None] = {}
        for twin in twins:
            for other in (*some(game.legal(twin, mover), draw), action):
                if len(born) < MOST_TWINS and not game.why_not(twin, mover, other):
                    step = game.apply(twin, mover, other)
                    if lasting(play.told(step.events, viewer)) == told:
                        born[step.state] = None
        if game.turn(play.state) > turn and game.to_act(play.state):
            for twin in born:
                play.hold(
                    play.table(twin, viewer) == play.table(play.state, viewer),
                    f"viewer {viewer} is shown what was told in passing: {twin}",
                )
        twins = list(born) or [play.state]
