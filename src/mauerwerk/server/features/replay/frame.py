"""A position of a replay, drawn from one viewpoint in one language."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from mauerwerk.core.game import NATURE, Seat, Value
from mauerwerk.core.language import Language, capital, sentence
from mauerwerk.core.record import Move
from mauerwerk.server.features.replay.replay import TURN, People, Replay, Viewpoint, lasting
from mauerwerk.server.games import web_game
from mauerwerk.server.games.room import Box, Parts
from mauerwerk.server.ui.history import HistoryLine, history_line, merged
from mauerwerk.server.ui.markup import html
from mauerwerk.server.ui.names import Place, SeatRow, places_of

ALL: Final = "all"
"""The word for the viewpoint with every hand open."""
NEAR: Final = 60
"""The number of lines of the history that are shown before a position, and after it."""


class Frame(Value):
    """A position, ready for the template."""

    box: Box
    look: str
    at: int
    last: int
    viewpoint: str
    """The word of the viewpoint: a seat's number, or `all`."""
    viewpoints: tuple[tuple[str, str, int, bool], ...]
    """Those that can be chosen: word, name, mark, and whether this is the one."""
    parts: Parts
    hands: tuple[str, ...]
    ask: str
    happened: tuple[str, ...]
    """What the last move was, in sentences."""
    chosen: tuple[str, ...]
    """What the players who were to move here chose, in sentences."""
    links: Mapping[str, str]
    """Links to other positions; empty where a link would lead to the same."""
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


def frame(  # noqa: PLR0913, PLR0917 - all that a position is drawn from
    replay: Replay,
    at: int,
    viewpoint: Viewpoint,
    people: People,
    language: Language,
    options: Sequence[str] = (),
) -> Frame:
    """The game after this many moves, from a viewpoint; on the board, targets for these words."""
    names = people.called(replay.seats, viewpoint, language)
    position = ReplayPosition(replay, at, viewpoint, names, language)
    room = web_game(replay.record.game, replay.record.rules)
    board = room.board
    notes = people.notes(replay.seats, language)
    remembered = replay.remembered(at, viewpoint)
    weighed = tuple(replay.game.parse(word) for word in options)
    parts = board.parts(replay.view(at, viewpoint), weighed, names, language, remembered, notes)
    outcome = replay.outcome
    return Frame(
        box=room.box,
        look=board.LOOK,
        at=at,
        last=replay.last,
        viewpoint=ALL if viewpoint is None else str(viewpoint),
        viewpoints=_viewpoints(replay, viewpoint, people, language),
        parts=parts,
        hands=position.hands() if viewpoint is None else (),
        ask=position.prompt(),
        happened=position.last_move(),
        chosen=position.choices(),
        links=position.links(),
        lines=()
        if board.SEATED
        else parts.rows(names, language, viewpoint, position.waiting, notes),
        history=position.history(),
        result=places_of(outcome, names, language) if outcome and at == replay.last else (),
        names=names,
        open_ended=outcome is None,
        is_over=not position.waiting,
    )


def _viewpoints(
    replay: Replay, viewpoint: Viewpoint, people: People, language: Language
) -> tuple[tuple[str, str, int, bool], ...]:
    everybody = (ALL, language("All open"), 0, viewpoint is None)
    if replay.is_memory:
        return (everybody,)
    names = people.called(replay.seats, None, language)
    seats = [
        (str(seat), capital(name), seat + 1, seat == viewpoint) for seat, name in enumerate(names)
    ]
    return (everybody, *seats)


class ReplayPosition(NamedTuple):
    """A position as a viewpoint shows it, in the words of a language."""

    replay: Replay
    at: int
    viewpoint: Viewpoint
    names: Sequence[str]
    language: Language

    @property
    def waiting(self) -> Sequence[Seat]:
        """Who is to move here."""
        return self.replay.game.to_act(self.replay.states[self.at])

    def links(self) -> Mapping[str, str]:
        """A seat is not told in advance where its turn will end, so `to` asks for that."""
        replay, at, viewpoint = self.replay, self.at, self.viewpoint
        back, on = bool(at), at < replay.last
        return {
            "first": link_to(0, viewpoint) if back else "",
            "turn_before": link_to(replay.turn_before(at), viewpoint) if back else "",
            "before": link_to(at - 1, viewpoint) if back else "",
            "after": link_to(at + 1, viewpoint) if on else "",
            "turn_after": f"{link_to(at, viewpoint)}&to={TURN}" if on else "",
            "last": link_to(replay.last, viewpoint) if on else "",
        }

    # --- The history -------------------------------------------------------------------------

    def history(self) -> tuple[HistoryLine, ...]:
        """What is told, the last first: with every hand open the whole game.

        A seat is told what it knows. What was told once is not told again: only what comes of it.
        """
        first, last = max(1, self.at - NEAR), min(self.at + NEAR, self.replay.last)
        if self.viewpoint is not None:
            last = self.at
        lines = [self._history_line(place) for place in range(first, last + 1)]
        return tuple(reversed(merged(lines)))

    def _history_line(self, place: int) -> HistoryLine:
        events = self.replay.events(place, self.viewpoint)
        if self.viewpoint is not None and place < self.at:
            events = lasting(events)
        seat = self.replay.moves[place - 1].seat
        mark = 0 if seat == NATURE else seat + 1
        told = history_line(
            self.replay.game, events, self.names, self.language, number=place, mark=mark
        )
        return told or HistoryLine(place, mark, ())

    # --- In words: who is to move, what was done, and what will be chosen --------------------

    def prompt(self) -> str:
        """The question of the seat that looks, who won, or who is to move: nobody is waited for."""
        language, waiting = self.language, self.waiting
        if not waiting or self.viewpoint in waiting:
            view = self.replay.view(self.at, self.viewpoint)
            return capital(self.replay.game.ask(view, self.names, language))
        people = [self.names[seat] for seat in waiting if seat != NATURE]
        if not people:
            return language("Dice and cards decide")
        if len(people) > 1:
            return capital(language("{names} to choose", names=people))
        return capital(language("{name} to move", name=people[0]))

    def last_move(self) -> tuple[str, ...]:
        """The last move; if nothing is told of it, or it is secret, only who made it."""
        replay, at, language = self.replay, self.at, self.language
        if not at:
            return (sentence(language("The game begins")),)
        events = replay.events(at, self.viewpoint)
        told = history_line(replay.game, events, self.names, language, number=at, mark=0)
        move = replay.moves[at - 1]
        if told is not None or move.seat == NATURE:
            return told.sentences if told else ()
        if self.viewpoint not in {None, move.seat}:
            return (sentence(language("{name} chose", name=self.names[move.seat])),)
        return (sentence(self._said(move)),)

    def choices(self) -> tuple[str, ...]:
        """What the players to move here chose, as far as the viewpoint shows it: its own choice.

        Players who choose together are asked until all have, so the answer may come moves later.
        """
        moves, found = self.replay.moves, list[str]()
        for seat in self.waiting:
            answer = next((move for move in moves[self.at :] if move.seat == seat), None)
            if answer is not None and self.viewpoint in {None, seat}:
                found.append(self._said(answer))
        return tuple(found)

    def _said(self, move: Move) -> str:
        words = self.replay.game.say(self.replay.game.parse(move.word), self.language)
        if move.seat == NATURE:
            return capital(self.language("by chance: {move}", move=words))
        name = self.names[move.seat]
        return capital(self.language("{name} chose: {move}", name=name, move=words))

    # --- Every hand at once, small: what a tray shows large for one seat ---------------------

    def hands(self) -> tuple[str, ...]:
        """The hands of all seats, each from its own view; none where no seat holds anything."""
        draw = web_game(self.replay.record.game, self.replay.record.rules).hand
        if draw is None:
            return ()
        views = enumerate(self.replay.own_views(self.at))
        drawn = [draw(view, Seat(seat), self.language) for seat, view in views]
        return tuple(html(*held) for held in drawn) if any(drawn) else ()
