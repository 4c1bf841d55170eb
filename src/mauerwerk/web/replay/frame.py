"""A position of a game that is shown again, drawn for some eyes in one language."""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.game import NATURE, Seat, Value
from mauerwerk.core.record import Move
from mauerwerk.core.tongue import YOU, Tongue
from mauerwerk.core.words import capital, sentence
from mauerwerk.web.boards import BOARDS, Parts
from mauerwerk.web.pages.people import all_called, apart, level_named
from mauerwerk.web.pages.shelf import BOXES, Box
from mauerwerk.web.pages.story import Told, gathered, told_of
from mauerwerk.web.pages.table import Rank
from mauerwerk.web.replay.eyes import lasting, own_views, remembered, told_by, view_at
from mauerwerk.web.replay.hands import hands
from mauerwerk.web.replay.reel import Eyes, Reel

ALL: Final = "all"
"""The word for looking with every hand open."""

TURN: Final = "turn"
"""What a link asks for that leads to where the next turn begins."""

NEAR: Final = 60
"""So many lines of a story are shown before a position, and after it."""


class People(Value):
    """Who played: names, and the levels of those that were bots, seat by seat."""

    names: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()

    def called(self, seats: int, eyes: Eyes, tongue: Tongue) -> tuple[str, ...]:
        """How the seats are called in sentences; whose eyes it is seen through is `you`."""
        if self.levels:
            names = all_called(self.names, self.levels, tongue)
        elif self.names:
            names = all_called(self.names, [""] * len(self.names), tongue)
        else:
            numbers = range(1, seats + 1)
            names = apart([tongue("seat {number}", number=number) for number in numbers])
        return tuple(YOU if seat == eyes else name for seat, name in enumerate(names))

    def notes(self, seats: int, tongue: Tongue) -> tuple[str, ...]:
        """What there is to know of each seat besides the game."""
        levels = self.levels or ("",) * seats
        return tuple(level_named(level, tongue) if level else "" for level in levels)


class Glance(Value):
    """One way to look at the game."""

    word: str
    name: str
    mark: int
    chosen: bool


class Ways(Value):
    """Links to where one can go from a position; empty where one is there already."""

    first: str
    turn_before: str
    before: str
    after: str
    turn_after: str
    last: str


class Chosen(Value):
    """What somebody who was asked here did."""

    seat: Seat
    word: str
    said: str
    at: int
    """The position in which the move was made: others may have chosen first."""


class Line(Value):
    """A seat in the list of seats."""

    seat: Seat
    name: str
    points: str
    note: str
    now: bool
    you: bool


class Frame(Value):
    """A position, ready for the template."""

    box: Box
    look: str
    at: int
    last: int
    eyes: str
    """The word of who looks: a seat's number, or `all`."""

    glances: tuple[Glance, ...]
    parts: Parts
    hands: str
    ask: str
    happened: tuple[str, ...]
    """What the last move was, in sentences."""

    chosen: tuple[Chosen, ...]
    ways: Ways
    lines: tuple[Line, ...]
    story: tuple[Told, ...]
    result: tuple[Rank, ...]
    names: tuple[str, ...]
    open_ended: bool
    """Whether the record ends before the game does."""

    is_over: bool
    """Whether the game is over in this position."""

    @property
    def symbols(self) -> tuple[str, ...]:
        """What the drawings are made of."""
        return BOARDS[self.box.name].SYMBOLS

    @property
    def here(self) -> str:
        """The link to this position."""
        return self.link(self.at)

    def link(self, at: int, eyes: str = "") -> str:
        """The link to another position, through these eyes or others."""
        return link_to(at, eyes or self.eyes)


def link_to(at: int, eyes: str) -> str:
    """The link to a position, from the page of any other position of the same game."""
    return f"?at={at}&seat={eyes}"


def frame(reel: Reel, at: int, eyes: Eyes, people: People, tongue: Tongue) -> Frame:
    """The game after so many moves, as these eyes saw it then."""
    game, state = reel.game, reel.states[at]
    names = people.called(reel.seats, eyes, tongue)
    board = BOARDS[reel.record.game]
    view = view_at(reel, at, eyes)
    notes = people.notes(reel.seats, tongue)
    parts = board.parts(view, (), names, tongue, remembered(reel, at, eyes), notes)
    asked = game.to_act(state)
    lines = tuple(
        Line(
            seat=Seat(seat),
            name=capital(tongue.called(names[seat])),
            points=each.points,
            note=" · ".join(filter(None, (each.note, notes[seat]))),
            now=seat in asked,
            you=seat == eyes,
        )
        for seat, each in enumerate(parts.seats)
    )
    return Frame(
        box=BOXES[reel.record.game],
        look=board.LOOK,
        at=at,
        last=reel.last,
        eyes=ALL if eyes is None else str(eyes),
        glances=_glances(reel, eyes, people, tongue),
        parts=parts,
        hands=hands(own_views(reel, at), names, tongue) if eyes is None else "",
        ask=capital(game.ask(view, names, tongue)),
        happened=_happened(reel, at, eyes, names, tongue),
        chosen=_chosen(reel, at, eyes, names, tongue),
        ways=_ways(reel, at, eyes),
        lines=() if board.SEATED else lines,
        story=_story(reel, at, eyes, names, tongue),
        result=_result(reel, at, names, tongue),
        names=names,
        open_ended=reel.outcome is None,
        is_over=not asked,
    )


def _happened(
    reel: Reel, at: int, eyes: Eyes, names: Sequence[str], tongue: Tongue
) -> tuple[str, ...]:
    """What the last move was; of one that goes without saying, or is a secret, who made it."""
    if not at:
        return (sentence(tongue("The game begins")),)
    told = told_of(reel.game, told_by(reel, at, eyes), names, tongue, number=at, mark=0)
    move = reel.moves[at - 1]
    if told is not None or move.seat == NATURE:
        return told.sentences if told else ()
    if eyes not in {None, move.seat}:
        return (sentence(tongue("{name} chose", name=names[move.seat])),)
    return (sentence(_choice(reel, move, names, tongue)),)


def _glances(reel: Reel, eyes: Eyes, people: People, tongue: Tongue) -> tuple[Glance, ...]:
    everybody = Glance(ALL, tongue("All open"), 0, eyes is None)
    if reel.is_memory:
        return (everybody,)
    names = people.called(reel.seats, None, tongue)
    seats = [
        Glance(str(seat), capital(name), seat + 1, seat == eyes) for seat, name in enumerate(names)
    ]
    return (everybody, *seats)


def _ways(reel: Reel, at: int, eyes: Eyes) -> Ways:
    """To a seat it is not said in advance where its turn will end: `to` asks for that."""
    word = ALL if eyes is None else str(eyes)
    back, on = bool(at), at < reel.last
    return Ways(
        first=link_to(0, word) if back else "",
        turn_before=link_to(reel.turn_before(at), word) if back else "",
        before=link_to(at - 1, word) if back else "",
        after=link_to(at + 1, word) if on else "",
        turn_after=f"{link_to(at, word)}&to={TURN}" if on else "",
        last=link_to(reel.last, word) if on else "",
    )


def _chosen(
    reel: Reel, at: int, eyes: Eyes, names: Sequence[str], tongue: Tongue
) -> tuple[Chosen, ...]:
    """What those who are asked here chose, as far as whoever looks knows it: their own choice.

    Who choose together are asked until each has; so the answer may come a few moves later.
    """
    chosen: list[Chosen] = []
    for seat in reel.game.to_act(reel.states[at]):
        if eyes not in {None, seat}:
            continue
        places = (place for place in range(at, reel.last) if reel.moves[place].seat == seat)
        answer = next(places, None)
        if answer is None:
            continue
        move = reel.moves[answer]
        chosen.append(Chosen(seat, move.word, _choice(reel, move, names, tongue), answer))
    return tuple(chosen)


def _choice(reel: Reel, move: Move, names: Sequence[str], tongue: Tongue) -> str:
    """A move, as whoever made it would say it."""
    words = reel.game.say(reel.game.parse(move.word), tongue)
    if move.seat == NATURE:
        return capital(tongue("by chance: {move}", move=words))
    return capital(tongue("{name} chose: {move}", name=names[move.seat], move=words))


def _result(reel: Reel, at: int, names: Sequence[str], tongue: Tongue) -> tuple[Rank, ...]:
    outcome = reel.outcome
    if outcome is None or at < reel.last:
        return ()
    ranks = [
        Rank(rank, Seat(seat), capital(tongue.called(names[seat])), points)
        for seat, (rank, points) in enumerate(zip(outcome.ranks, outcome.points, strict=True))
    ]
    return tuple(sorted(ranks, key=lambda each: each.rank))


# --- The story -------------------------------------------------------------------------------


def _story(
    reel: Reel, at: int, eyes: Eyes, names: tuple[str, ...], tongue: Tongue
) -> tuple[Told, ...]:
    """What is told, the last first: with every hand open the whole game, to a seat what it knows.

    What was told once is not told again: a seat is told only what comes of it.
    """
    first, last = max(1, at - NEAR), min(at + NEAR, reel.last)
    if eyes is None:
        every = (
            _told(reel, place, told_by(reel, place, eyes), names, tongue)
            for place in range(first, last + 1)
        )
        return tuple(reversed(gathered(every)))
    past = (
        _told(reel, place, lasting(told_by(reel, place, eyes)), names, tongue)
        for place in range(first, at)
    )
    now = [_told(reel, at, told_by(reel, at, eyes), names, tongue)] if at else []
    return tuple(reversed(gathered([*past, *now])))


def _told(
    reel: Reel, at: int, events: Sequence[Value], names: Sequence[str], tongue: Tongue
) -> Told:
    seat = reel.moves[at - 1].seat
    mark = 0 if seat == NATURE else seat + 1
    told = told_of(reel.game, events, names, tongue, number=at, mark=mark)
    return told or Told(at, mark, ())
