"""A position of a replay in words: who is to move, what was done, and what will be chosen."""

from collections.abc import Sequence

from mauerwerk.core.game import NATURE, Seat, Value
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital, sentence
from mauerwerk.core.record import Move
from mauerwerk.server.features.replay.replays import Replay, Viewpoint
from mauerwerk.server.features.replay.viewpoint import told_by, view_at
from mauerwerk.server.ui.history import history_line


class Chosen(Value):
    """What a player who was to move here did."""

    seat: Seat
    word: str
    said: str
    at: int
    """The position in which the move was made: others may have chosen first."""


def asked(
    replay: Replay, at: int, viewpoint: Viewpoint, names: Sequence[str], language: Language
) -> str:
    """The question of the seat that looks, who won, or who is to move: nobody is waited for."""
    waiting = replay.game.to_act(replay.states[at])
    if not waiting or viewpoint in waiting:
        view = view_at(replay, at, viewpoint)
        return capital(replay.game.ask(view, names, language))
    people = [names[seat] for seat in waiting if seat != NATURE]
    if not people:
        return language("Dice and cards decide")
    if len(people) > 1:
        return capital(language("{names} to choose", names=people))
    return capital(language("{name} to move", name=people[0]))


def happened(
    replay: Replay, at: int, viewpoint: Viewpoint, names: Sequence[str], language: Language
) -> tuple[str, ...]:
    """The last move; if nothing is told of it, or it is secret, only who made it."""
    if not at:
        return (sentence(language("The game begins")),)
    told = history_line(
        replay.game, told_by(replay, at, viewpoint), names, language, number=at, mark=0
    )
    move = replay.moves[at - 1]
    if told is not None or move.seat == NATURE:
        return told.sentences if told else ()
    if viewpoint not in {None, move.seat}:
        return (sentence(language("{name} chose", name=names[move.seat])),)
    return (sentence(choice(replay, move, names, language)),)


def chosen(
    replay: Replay, at: int, viewpoint: Viewpoint, names: Sequence[str], language: Language
) -> tuple[Chosen, ...]:
    """What the players to move here chose, as far as the viewpoint shows it: its own choice.

    Players who choose together are asked until all have, so the answer may come moves later.
    """
    found: list[Chosen] = []
    for seat in replay.game.to_act(replay.states[at]):
        if viewpoint not in {None, seat}:
            continue
        places = (place for place in range(at, replay.last) if replay.moves[place].seat == seat)
        answer = next(places, None)
        if answer is None:
            continue
        move = replay.moves[answer]
        found.append(Chosen(seat, move.word, choice(replay, move, names, language), answer))
    return tuple(found)


def choice(replay: Replay, move: Move, names: Sequence[str], language: Language) -> str:
    """A move, in the words of its player."""
    words = replay.game.say(replay.game.parse(move.word), language)
    if move.seat == NATURE:
        return capital(language("by chance: {move}", move=words))
    return capital(language("{name} chose: {move}", name=names[move.seat], move=words))
