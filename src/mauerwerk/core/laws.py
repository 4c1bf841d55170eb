"""What every game promises: the conformance kit.

Each law plays a game by the draws it is given and looks at the positions on the way: at all of
them, or, where a look takes long, at all to begin with and then at fewer and fewer. A law that does
not hold raises `BrokenLawError`, which says what is wrong and carries the record of the game
up to there. To check a game of your own:

    import random
    from mauerwerk.core import laws

    for seed in range(100):
        for law in laws.LAWS:
            law(my_game, Setup(3, my_game.Options()), random.Random(seed).randrange)

and, with a function that counts the pieces of a state, `laws.conserves(count)`.
`docs/how-to/check-a-game.md` has a whole example.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeVar
from xml.etree import ElementTree as ET

import msgspec

from mauerwerk.core import record
from mauerwerk.core.game import (
    NATURE,
    AnyGame,
    Draw,
    Ephemeral,
    IllegalMoveError,
    Outcome,
    Seat,
    Setup,
    StaleMoveError,
    draw_lot,
    name_of,
)

Law = Callable[[AnyGame, Setup[Any], Draw], None]

MOST_MOVES: Final = 20_000
"""A game that goes on longer than this does not end, as far as the laws are concerned."""

MOST_ALIKE: Final = 24
"""How many of the actions in a position are compared with each other, or tried in vain."""

MOST_TWINS: Final = 6
"""How many games that look alike to a seat are followed side by side."""

T = TypeVar("T")


class BrokenLawError(AssertionError):
    """A game breaks a law; the message ends with the record that leads there."""


class _Play:
    """A game that is being played by chance, position by position."""

    def __init__(self, game: AnyGame, setup: Setup[Any], draw: Draw) -> None:
        self.game = game
        self.setup = setup
        self.draw = draw
        self.state: Any = game.start(setup)
        self.moves: list[record.Move] = []
        self.actions: list[Any] = []
        self.events: tuple[Any, ...] = ()
        self.words: tuple[Any, ...] = ()
        self.hold(game.must_end(setup), "the laws are for games that must end")

    @property
    def seats(self) -> list[Seat]:
        return [Seat(seat) for seat in range(self.setup.seats)]

    @property
    def viewers(self) -> list[Seat | None]:
        return [*self.seats, None]

    def positions(self) -> Iterator[Any]:
        """The states of the game, the first and the last included."""
        yield self.state
        while self.game.to_act(self.state):
            self.hold(len(self.moves) < MOST_MOVES, f"no end after {MOST_MOVES} moves")
            self.move()
            yield self.state

    def some_positions(self) -> Iterator[Any]:
        """The first states of the game and the last, and of those between fewer and fewer."""
        for number, state in enumerate(self.positions()):
            if self.draw(1 + number // 50) == 0 or not self.game.to_act(state):
                yield state

    def rehearse(self) -> None:
        """Play another game to its end, so that `words` has actions of every kind."""
        rehearsal = _Play(self.game, self.setup, self.draw)
        for _ in rehearsal.positions():
            pass
        of_a_kind: dict[str, list[Any]] = {}
        for action in dict.fromkeys(rehearsal.actions):
            of_a_kind.setdefault(type(action).__name__, []).append(action)
        self.words = tuple(
            action for kind in of_a_kind.values() for action in some(kind, self.draw)
        )

    def move(self) -> tuple[Seat, Any, tuple[Any, ...]]:
        """Let somebody who is asked make a move; say who, what, and what happened."""
        seat = pick(self.game.to_act(self.state), self.draw)
        if seat == NATURE:
            action = draw_lot(self.game.odds(self.state), self.draw)
        else:
            action = pick(self.game.legal(self.state, seat), self.draw)
        step = self.game.apply(self.state, seat, action)
        self.state = step.state
        self.moves.append(record.Move(seat, self.game.write(action)))
        self.actions.append(action)
        self.events = step.events
        return seat, action, step.events

    def hold(self, holds: object, otherwise: str) -> None:
        """Go on if it holds; else say what is wrong, and where."""
        if not holds:
            raise BrokenLawError(f"{self.game.NAME}: {otherwise}\nafter\n{self.paper()}")

    def paper(self) -> str:
        moves = " ".join(str(move) for move in self.moves)
        return f"{self.game.NAME}/{self.game.RULES} {self.setup}\n{moves}"

    def told(self, events: Sequence[Any], viewer: Seat | None) -> tuple[Any, ...]:
        noticed = (self.game.seen(event, viewer) for event in events)
        return tuple(event for event in noticed if event is not None)


def pick(choices: Sequence[T], draw: Draw) -> T:
    """One of these, each as likely."""
    return choices[draw(len(choices))]


def some(choices: Sequence[T], draw: Draw) -> list[T]:
    """All of these where they are few, else some of them, by chance."""
    if len(choices) <= MOST_ALIKE:
        return list(choices)
    return [pick(choices, draw) for _ in range(MOST_ALIKE)]


# --- The course of a game --------------------------------------------------------------------


def play_ends(game: AnyGame, setup: Setup[Any], draw: Draw) -> None:
    """Somebody is asked until there is an outcome, and there always is one in the end."""
    play = _Play(game, setup, draw)
    turn = 0
    for state in play.positions():
        asked = game.to_act(state)
        outcome = game.outcome(state)
        play.hold(bool(asked) != bool(outcome), f"asked {asked}, and the outcome is {outcome}")
        play.hold(len(set(asked)) == len(asked), f"somebody is asked twice: {asked}")
        play.hold(asked == (NATURE,) or set(asked) <= set(play.seats), f"who is to act: {asked}?")
        play.hold(game.turn(state) >= turn, "the turns run backwards")
        turn = game.turn(state)
        if outcome:
            _hold_outcome(play, outcome)


def _hold_outcome(play: _Play, outcome: Outcome) -> None:
    """Ranks run 1, 2, 2, 4; who has the same rank is in no other way told apart."""
    play.hold(len(outcome.ranks) == len(outcome.points) == play.setup.seats, f"{outcome}")
    for rank in outcome.ranks:
        before = sum(other < rank for other in outcome.ranks)
        play.hold(rank == before + 1, f"these are no ranks: {outcome.ranks}")
    play.hold(outcome.reason and " " not in outcome.reason, "the reason should be one word")


def legal_moves_apply(game: AnyGame, setup: Setup[Any], draw: Draw) -> None:
    """Who is asked has something to do, who is not has nothing; all that is legal applies."""
    play = _Play(game, setup, draw)
    for state in play.some_positions():
        for seat in (*play.seats, NATURE):
            legal = game.legal(state, seat)
            asked = seat in game.to_act(state)
            play.hold(bool(legal) == asked, f"{name_of(seat)} is asked: {asked}, legal: {legal}")
            play.hold(len(set(legal)) == len(legal), f"the same action twice: {legal}")
            for action in legal:
                clause = game.why_not(state, seat, action)
                play.hold(not clause, f"{game.write(action)} is legal, but {clause} forbids it")
                once, again = (game.apply(state, seat, action) for _ in range(2))
                play.hold(once == again, f"{game.write(action)} leads to two different states")


def illegal_moves_are_refused(game: AnyGame, setup: Setup[Any], draw: Draw) -> None:
    """What is not legal is refused with the clause that forbids it, and changes nothing."""
    play = _Play(game, setup, draw)
    play.rehearse()
    for state in play.some_positions():
        before = msgspec.json.encode(state)
        for seat in (*play.seats, NATURE):
            legal = game.legal(state, seat)
            for action in some(play.words, draw):
                if action not in legal:
                    _hold_refusal(play, state, seat, action)
        play.hold(msgspec.json.encode(state) == before, "a refused move has changed the state")


def _hold_refusal(play: _Play, state: Any, seat: Seat, action: Any) -> None:  # noqa: ANN401
    game, word = play.game, play.game.write(action)
    clause = game.why_not(state, seat, action)
    play.hold(clause in game.CLAUSES, f"{word} is not legal, but {clause!r} is no clause")
    try:
        game.apply(state, seat, action)
    except IllegalMoveError as refusal:
        play.hold(refusal.clause == clause, f"{word}: {refusal.clause} or {clause}?")
    except StaleMoveError:
        play.hold(not game.to_act(state), f"{word} came too late, but the game goes on")
    else:
        play.hold(None, f"{name_of(seat)} may not play {word}, but it was applied")


def order_does_not_matter(game: AnyGame, setup: Setup[Any], draw: Draw) -> None:
    """Who choose together may answer in any order."""
    play = _Play(game, setup, draw)
    for state in play.positions():
        asked = game.to_act(state)
        if len(asked) > 1:
            first = pick(asked, draw)
            second = pick([seat for seat in asked if seat != first], draw)
            one, other = (pick(game.legal(state, seat), draw) for seat in (first, second))
            ahead = game.apply(game.apply(state, first, one).state, second, other).state
            behind = game.apply(game.apply(state, second, other).state, first, one).state
            play.hold(ahead == behind, f"the order of {first} and {second} matters")


def nature_has_odds(game: AnyGame, setup: Setup[Any], draw: Draw) -> None:
    """Nature's weights are positive whole numbers, for just what it may do."""
    play = _Play(game, setup, draw)
    for state in play.positions():
        odds = game.odds(state)
        play.hold(tuple(odds) == tuple(game.legal(state, NATURE)), f"odds for what? {odds}")
        for action, weight in odds.items():
            sound = type(weight) is int and weight > 0
            play.hold(sound, f"the weight of {game.write(action)} is {weight}")


# --- Secrets ---------------------------------------------------------------------------------


def alike_moves_leave_alike_tables(game: AnyGame, setup: Setup[Any], draw: Draw) -> None:
    """If two moves look alike to a viewer, the table looks alike to it afterwards."""
    play = _Play(game, setup, draw)
    play.rehearse()
    for state in play.some_positions():
        for mover in game.to_act(state):
            legal = some(game.legal(state, mover), draw)
            steps = [game.apply(state, mover, action) for action in legal]
            for viewer in play.viewers:
                tables: dict[tuple[Any, ...], tuple[Any, ...]] = {}
                for step in steps:
                    told = play.told(step.events, viewer)
                    table = _table(play, step.state, viewer)
                    play.hold(
                        tables.setdefault(told, table) == table,
                        f"viewer {viewer} was told {told}, but sees what {mover} did",
                    )


def _table(play: _Play, state: Any, viewer: Seat | None) -> tuple[Any, ...]:  # noqa: ANN401
    """All that reaches a viewer besides events: view, legal actions, and why others are not."""
    game = play.game
    seen = game.view(state, viewer), game.to_act(state), game.turn(state)
    if viewer is None:
        return seen
    refusals = tuple(game.why_not(state, viewer, action) for action in play.words)
    return *seen, tuple(game.legal(state, viewer)), refusals


def a_seat_sees_no_more_than_it_was_told(game: AnyGame, setup: Setup[Any], draw: Draw) -> None:
    """Whole games that were told alike look alike, however they differ in what was not told.

    Beside the game run its twins: games in which other moves were made that looked the same to the
    viewer. As long as what is told stays the same, so must the table.
    """
    play = _Play(game, setup, draw)
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
                _table(play, twin, viewer) == _table(play, play.state, viewer),
                f"viewer {viewer} can tell this game from another that was told alike: {twin}",
            )
        twins = list(born)


def what_is_seen_stays_seen(game: AnyGame, setup: Setup[Any], draw: Draw) -> None:
    """Less what a viewer may not know, an event holds nothing more that it may not know."""
    play = _Play(game, setup, draw)
    while game.to_act(play.state):
        _, _, events = play.move()
        for viewer in play.viewers:
            told = play.told(events, viewer)
            play.hold(play.told(told, viewer) == told, f"viewer {viewer} was told {told}")


# --- Paper -----------------------------------------------------------------------------------


def words_are_words(game: AnyGame, setup: Setup[Any], draw: Draw) -> None:
    """Every action is one word, every word one action, and each can be said in a line."""
    play = _Play(game, setup, draw)
    for state in play.some_positions():
        for seat in game.to_act(state):
            for action in game.legal(state, seat):
                word = game.write(action)
                play.hold(word.split() == [word] and "#" not in word, f"{word!r} is not one word")
                play.hold(
                    word not in {"=", "?"} and game.parse(word) == action, f"{word} reads otherwise"
                )
                play.hold(_is_a_line(game.say(action)), f"{word} cannot be said")


def values_travel(game: AnyGame, setup: Setup[Any], draw: Draw) -> None:
    """State, action, event, view and outcome come back from JSON as they were."""
    play = _Play(game, setup, draw)
    _hold_travels(play, setup.options, game.OPTIONS)
    for state in play.some_positions():
        views = (game.view(state, viewer) for viewer in play.viewers)
        for value in (state, *views, *play.actions[-1:], *play.events):
            _hold_travels(play, value, type(value))
    _hold_travels(play, game.outcome(play.state), Outcome)


def _hold_travels(play: _Play, value: Any, kind: Any) -> None:  # noqa: ANN401
    arrived = msgspec.json.decode(msgspec.json.encode(value), type=kind)
    same = arrived == value and hash(arrived) == hash(value)
    play.hold(same, f"{value} came back as {arrived}")


def records_replay(game: AnyGame, setup: Setup[Any], draw: Draw) -> None:
    """A game on paper, whole or broken off anywhere, is the same game."""
    play = _Play(game, setup, draw)
    games = {game.NAME: game}
    for _ in play.positions():
        whole = not game.to_act(play.state)
        if whole or draw(50) == 0:
            kept = record.Record(game.NAME, game.RULES, setup, tuple(play.moves))
            text = record.write(game, kept)
            play.hold(record.read(text, games) == kept, f"it reads otherwise:\n{text}")
            last = [step.state for _, step in record.replay(game, kept)][-1:]
            play.hold(last in ([], [play.state]), "the record leads elsewhere")


def tables_can_be_drawn(game: AnyGame, setup: Setup[Any], draw: Draw) -> None:
    """Every view can be drawn and asked about, every event told, with any names."""
    play = _Play(game, setup, draw)
    names = [f"<{seat} & Söhne>" for seat in play.seats]
    for state in play.some_positions():
        viewer = pick(play.viewers, draw)
        view = game.view(state, viewer)
        legal = () if viewer is None else game.legal(state, viewer)
        play.hold(game.text(view, names).strip(), "there is nothing to see")
        drawn = ET.fromstring(game.svg(view, legal, names))  # noqa: S314 - our own drawing
        words = sorted(word for node in drawn.iter() if (word := node.get("data-word")))
        play.hold(words == sorted(map(game.write, legal)), f"what can be done: {words}?")
        play.hold(not legal or _is_a_line(game.ask(view, names)), "nothing is asked")
        for event in (*play.events, *play.told(play.events, viewer)):
            told = game.tell(event, names)
            play.hold(not told or _is_a_line(told), f"{event} cannot be told")


def _is_a_line(words: str) -> bool:
    return bool(words) and words == words.strip() and "\n" not in words


# --- Laws for some games ---------------------------------------------------------------------


def told_once_is_not_shown_again(game: AnyGame, setup: Setup[Any], draw: Draw) -> None:
    """For games that are about memory: what was told in passing has left no trace on the table.

    Beside the game run its twins, in which other moves were made that differ in nothing but
    `Ephemeral` events. At the end of every turn the tables must look alike.
    """
    play = _Play(game, setup, draw)
    play.rehearse()
    viewer = pick(play.viewers, draw)
    twins = [play.state]
    while game.to_act(play.state):
        turn = game.turn(play.state)
        mover, action, events = play.move()
        told = _lasting(play.told(events, viewer))
        born: dict[Any, None] = {}
        for twin in twins:
            for other in (*some(game.legal(twin, mover), draw), action):
                if len(born) < MOST_TWINS and not game.why_not(twin, mover, other):
                    step = game.apply(twin, mover, other)
                    if _lasting(play.told(step.events, viewer)) == told:
                        born[step.state] = None
        if game.turn(play.state) > turn and game.to_act(play.state):
            for twin in born:
                play.hold(
                    _table(play, twin, viewer) == _table(play, play.state, viewer),
                    f"viewer {viewer} is shown what was told in passing: {twin}",
                )
        twins = list(born) or [play.state]


def _lasting(told: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(event for event in told if not isinstance(event, Ephemeral))


def conserves(count: Callable[[Any], object]) -> Law:
    """The law that nothing is lost or made: `count` finds the same in every state of a game."""

    def pieces_are_conserved(game: AnyGame, setup: Setup[Any], draw: Draw) -> None:
        play = _Play(game, setup, draw)
        at_first = count(play.state)
        for state in play.positions():
            now = count(state)
            play.hold(now == at_first, f"there were {at_first}, now there are {now}")

    return pieces_are_conserved


LAWS: Final[tuple[Law, ...]] = (
    play_ends,
    legal_moves_apply,
    illegal_moves_are_refused,
    order_does_not_matter,
    nature_has_odds,
    alike_moves_leave_alike_tables,
    a_seat_sees_no_more_than_it_was_told,
    what_is_seen_stays_seen,
    words_are_words,
    values_travel,
    records_replay,
    tables_can_be_drawn,
)
"""All laws that need nothing but the game."""
