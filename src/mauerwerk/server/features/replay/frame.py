"""A position of a replay, drawn from one viewpoint in one language."""

from collections.abc import Sequence
from typing import Any, Final

from mauerwerk.core.game import NATURE, Seat, Value
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital, sentence
from mauerwerk.core.record import Move
from mauerwerk.core.svg import node
from mauerwerk.server.features.replay.replay import TURN, People, Replay, Viewpoint, lasting
from mauerwerk.server.games import web_game
from mauerwerk.server.games.room import Box, Parts, WebGame
from mauerwerk.server.ui.history import HistoryLine, history_line, merged
from mauerwerk.server.ui.markup import html, sign
from mauerwerk.server.ui.names import Place, places_of

ALL: Final = "all"
"""The word for the viewpoint with every hand open."""

NEAR: Final = 60
"""The number of lines of the story that are shown before a position, and after it."""


class ViewpointChoice(Value):
    """A viewpoint that can be chosen."""

    word: str
    name: str
    mark: int
    chosen: bool


class PositionLinks(Value):
    """Links from a position to others; empty where a link would lead to the same."""

    first: str
    turn_before: str
    before: str
    after: str
    turn_after: str
    last: str


class SeatRow(Value):
    """A seat in the list of seats."""

    seat: Seat
    name: str
    points: str
    note: str
    now: bool
    you: bool


class Chosen(Value):
    """What a player who was to move here did."""

    seat: Seat
    word: str
    said: str
    at: int
    """The position in which the move was made: others may have chosen first."""


class Frame(Value):
    """A position, ready for the template."""

    box: Box
    look: str
    at: int
    last: int
    viewpoint: str
    """The word of the viewpoint: a seat's number, or `all`."""

    viewpoints: tuple[ViewpointChoice, ...]
    parts: Parts
    hands: str
    ask: str
    happened: tuple[str, ...]
    """What the last move was, in sentences."""

    chosen: tuple[Chosen, ...]
    links: PositionLinks
    lines: tuple[SeatRow, ...]
    history: tuple[HistoryLine, ...]
    result: tuple[Place, ...]
    names: tuple[str, ...]
    open_ended: bool
    """Whether the record ends before the game does."""

    is_over: bool
    """Whether the game is over in this position."""

    @property
    def symbols(self) -> tuple[str, ...]:
        """The symbols of the drawings."""
        return web_game(self.box.name).board.SYMBOLS

    @property
    def here(self) -> str:
        """The link to this position."""
        return self.link(self.at)

    def link(self, at: int, viewpoint: str = "") -> str:
        """The link to another position, from this viewpoint or another."""
        return f"?at={at}&seat={viewpoint or self.viewpoint}"


def link_to(at: int, viewpoint: Viewpoint) -> str:
    """The link to a position, from the page of any other position of the same game."""
    return f"?at={at}&seat={ALL if viewpoint is None else viewpoint}"


def frame(
    replay: Replay, at: int, viewpoint: Viewpoint, people: People, language: Language
) -> Frame:
    """The game after this many moves, from a viewpoint."""
    game, state, outcome = replay.game, replay.states[at], replay.outcome
    names = people.called(replay.seats, viewpoint, language)
    room = web_game(replay.record.game, replay.record.rules)
    board = room.board
    view = replay.view(at, viewpoint)
    notes = people.notes(replay.seats, language)
    parts = board.parts(view, (), names, language, replay.remembered(at, viewpoint), notes)
    waiting = game.to_act(state)
    lines = tuple(
        SeatRow(
            seat=Seat(seat),
            name=capital(language.called(names[seat])),
            points=each.points,
            note=" · ".join(filter(None, (each.note, notes[seat]))),
            now=seat in waiting,
            you=seat == viewpoint,
        )
        for seat, each in enumerate(parts.seats)
    )
    return Frame(
        box=room.box,
        look=board.LOOK,
        at=at,
        last=replay.last,
        viewpoint=ALL if viewpoint is None else str(viewpoint),
        viewpoints=_viewpoints(replay, viewpoint, people, language),
        parts=parts,
        hands=hands(room, replay.own_views(at), names, language) if viewpoint is None else "",
        ask=prompt(replay, at, viewpoint, names, language),
        happened=last_move(replay, at, viewpoint, names, language),
        chosen=choices(replay, at, viewpoint, names, language),
        links=_links(replay, at, viewpoint),
        lines=() if board.SEATED else lines,
        history=_history(replay, at, viewpoint, names, language),
        result=places_of(outcome, names, language) if outcome and at == replay.last else (),
        names=names,
        open_ended=outcome is None,
        is_over=not waiting,
    )


def _viewpoints(
    replay: Replay, viewpoint: Viewpoint, people: People, language: Language
) -> tuple[ViewpointChoice, ...]:
    everybody = ViewpointChoice(ALL, language("All open"), 0, viewpoint is None)
    if replay.is_memory:
        return (everybody,)
    names = people.called(replay.seats, None, language)
    seats = [
        ViewpointChoice(str(seat), capital(name), seat + 1, seat == viewpoint)
        for seat, name in enumerate(names)
    ]
    return (everybody, *seats)


def _links(replay: Replay, at: int, viewpoint: Viewpoint) -> PositionLinks:
    """A seat is not told in advance where its turn will end, so `to` asks for that."""
    back, on = bool(at), at < replay.last
    return PositionLinks(
        first=link_to(0, viewpoint) if back else "",
        turn_before=link_to(replay.turn_before(at), viewpoint) if back else "",
        before=link_to(at - 1, viewpoint) if back else "",
        after=link_to(at + 1, viewpoint) if on else "",
        turn_after=f"{link_to(at, viewpoint)}&to={TURN}" if on else "",
        last=link_to(replay.last, viewpoint) if on else "",
    )


# --- The history -----------------------------------------------------------------------------


def _history(
    replay: Replay, at: int, viewpoint: Viewpoint, names: tuple[str, ...], language: Language
) -> tuple[HistoryLine, ...]:
    """What is told, the last first: with every hand open the whole game, to a seat what it knows.

    What was told once is not told again: a seat is told only what comes of it.
    """
    first, last = max(1, at - NEAR), min(at + NEAR, replay.last)
    if viewpoint is None:
        every = (
            _history_line(replay, place, replay.events(place, viewpoint), names, language)
            for place in range(first, last + 1)
        )
        return tuple(reversed(merged(every)))
    past = (
        _history_line(replay, place, lasting(replay.events(place, viewpoint)), names, language)
        for place in range(first, at)
    )
    now = [_history_line(replay, at, replay.events(at, viewpoint), names, language)] if at else []
    return tuple(reversed(merged([*past, *now])))


def _history_line(
    replay: Replay, at: int, events: Sequence[Value], names: Sequence[str], language: Language
) -> HistoryLine:
    seat = replay.moves[at - 1].seat
    mark = 0 if seat == NATURE else seat + 1
    told = history_line(replay.game, events, names, language, number=at, mark=mark)
    return told or HistoryLine(at, mark, ())


# --- In words: who is to move, what was done, and what will be chosen ------------------------


def prompt(
    replay: Replay, at: int, viewpoint: Viewpoint, names: Sequence[str], language: Language
) -> str:
    """The question of the seat that looks, who won, or who is to move: nobody is waited for."""
    waiting = replay.game.to_act(replay.states[at])
    if not waiting or viewpoint in waiting:
        view = replay.view(at, viewpoint)
        return capital(replay.game.ask(view, names, language))
    people = [names[seat] for seat in waiting if seat != NATURE]
    if not people:
        return language("Dice and cards decide")
    if len(people) > 1:
        return capital(language("{names} to choose", names=people))
    return capital(language("{name} to move", name=people[0]))


def last_move(
    replay: Replay, at: int, viewpoint: Viewpoint, names: Sequence[str], language: Language
) -> tuple[str, ...]:
    """The last move; if nothing is told of it, or it is secret, only who made it."""
    if not at:
        return (sentence(language("The game begins")),)
    told = history_line(
        replay.game, replay.events(at, viewpoint), names, language, number=at, mark=0
    )
    move = replay.moves[at - 1]
    if told is not None or move.seat == NATURE:
        return told.sentences if told else ()
    if viewpoint not in {None, move.seat}:
        return (sentence(language("{name} chose", name=names[move.seat])),)
    return (sentence(said(replay, move, names, language)),)


def choices(
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
        found.append(Chosen(seat, move.word, said(replay, move, names, language), answer))
    return tuple(found)


def said(replay: Replay, move: Move, names: Sequence[str], language: Language) -> str:
    """A move, in the words of its player."""
    words = replay.game.say(replay.game.parse(move.word), language)
    if move.seat == NATURE:
        return capital(language("by chance: {move}", move=words))
    return capital(language("{name} chose: {move}", name=names[move.seat], move=words))


# --- Every hand at once, small: what a tray shows large for one seat -------------------------


def hands(room: WebGame, own: Sequence[Any], names: Sequence[str], language: Language) -> str:
    """The hands of all seats, each drawn from its own view; empty where no seat holds anything."""
    if room.hand is None:
        return ""
    drawn = [room.hand(view, Seat(seat), language) for seat, view in enumerate(own)]
    if not any(drawn):
        return ""
    rows = [
        node(
            "li",
            node("span", sign(f"mark-{seat + 1}"), class_="tile"),
            node("b", capital(language.called(names[seat]))),
            node("ul", *held),
            id=f"hand-of-{seat}",
        )
        for seat, held in enumerate(drawn)
    ]
    title = language("Every hand")
    return html(
        node(
            "section",
            node("ol", *rows),
            class_="hands",
            id="hands",
            aria_label=title,
        )
    )
