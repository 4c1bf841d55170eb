"""The laws of paper: what is written, sent and drawn says the same as the game."""

from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree as ET

import msgspec

from mauerwerk.core import record
from mauerwerk.core.game import AnyGame, Chance, Outcome, Setup
from mauerwerk.core.laws.trial import Play, pick

# --- Paper -----------------------------------------------------------------------------------


def words_are_words(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """Every action is one word, every word one action, and each can be said in a line."""
    play = Play(game, setup, draw)
    for state in play.some_positions():
        for seat in game.to_act(state):
            for action in game.legal(state, seat):
                word = game.write(action)
                play.hold(word.split() == [word] and "#" not in word, f"{word!r} is not one word")
                play.hold(
                    word not in {"=", "?"} and game.parse(word) == action, f"{word} reads otherwise"
                )
                play.hold(_is_a_line(game.say(action)), f"{word} cannot be said")


def values_travel(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """State, action, event, view and outcome are of known types, and come back from JSON alike."""
    play = Play(game, setup, draw)
    _hold_travels(play, setup.options, game.OPTIONS)
    for state in play.some_positions():
        views = [*(game.view(state, viewer) for viewer in play.viewers), game.open_view(state)]
        _hold_known(play, [state], game.STATES)
        _hold_known(play, play.events, game.EVENTS)
        _hold_known(play, views, (game.VIEW,))
        for value in (state, *views, *play.actions[-1:], *play.events):
            _hold_travels(play, value, type(value))
    _hold_travels(play, game.outcome(play.state), Outcome)


def _hold_known(play: Play, values: Sequence[Any], kinds: Sequence[type]) -> None:
    for value in values:
        play.hold(type(value) in kinds, f"{type(value).__name__} is not among the game's types")


def _hold_travels(play: Play, value: Any, kind: Any) -> None:  # noqa: ANN401
    back = arrived(value, kind)
    play.hold(back == value and hash(back) == hash(value), f"{value} came back as {back}")


def arrived(value: Any, kind: Any) -> Any:  # noqa: ANN401 - whatever a game is made of
    """A value that has travelled as JSON."""
    return msgspec.json.decode(msgspec.json.encode(value), type=kind)


def records_replay(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """A record of the whole game, or of any part up to a move, replays to the same state."""
    play = Play(game, setup, draw)
    games = {game.NAME: game}
    for _ in play.positions():
        whole = not game.to_act(play.state)
        if whole or draw(50) == 0:
            kept = record.Record(game.NAME, game.RULES, setup, tuple(play.moves))
            text = record.write(game, kept)
            play.hold(record.read(text, games) == kept, f"it reads otherwise:\n{text}")
            last = [step.state for _, step in record.replay(game, kept)][-1:]
            play.hold(last in ([], [play.state]), "the record leads elsewhere")


def tables_can_be_drawn(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """Every view can be drawn and asked about, every event told, with any names."""
    play = Play(game, setup, draw)
    names = [f"<{seat} & Söhne>" for seat in play.seats]
    for state in play.some_positions():
        viewer = pick(play.viewers, draw)
        view = game.view(state, viewer)
        legal = () if viewer is None else game.legal(state, viewer)
        play.hold(game.text(view, names).strip(), "there is nothing to see")
        play.hold(game.text(game.open_view(state), names).strip(), "open hands show nothing")
        ET.fromstring(game.svg(view, names))  # noqa: S314 - our own drawing
        play.hold(not legal or _is_a_line(game.ask(view, names)), "nothing is asked")
        for event in (*play.events, *play.told(play.events, viewer)):
            told = game.tell(event, names)
            play.hold(not told or _is_a_line(told), f"{event} cannot be told")
            clause = game.clause(event)
            play.hold(clause.split() == [clause] * bool(clause), f"{clause!r} is no clause")


def _is_a_line(words: str) -> bool:
    return bool(words) and words == words.strip() and "\n" not in words
