"""What every game promises: the conformance kit.

Each law plays a game at random and examines the positions on the way: all of them, or, where that
takes long, all at the beginning and then fewer and fewer. A law that does not hold raises
`BrokenLawError`, which says what is wrong and carries the record of the game up to there; so does
one in which the game raises an error. `mauerwerk check GAME` tries all of them. To do so yourself:

    import random
    from mauerwerk.core import laws

    for seed in range(100):
        for law in laws.LAWS:
            law(my_game, Setup(3, my_game.OPTIONS()), random.Random(seed).randrange)

and, with a function that counts the pieces of a state, `laws.conserves(count)`.
`docs/how-to/check-a-game.md` has a whole example.
"""

from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from functools import wraps
from typing import Any, Final, TypeVar
from xml.etree import ElementTree as ET

import msgspec

from mauerwerk.core import errors, options, record
from mauerwerk.core.game import (
    NATURE,
    AnyGame,
    Chance,
    Ephemeral,
    Outcome,
    Seat,
    Setup,
    Value,
    draw_lot,
    name_of,
    ranked,
)
from mauerwerk.core.language import listed

Law = Callable[[AnyGame, Setup[Any], Chance], None]
MOST_MOVES: Final = 20_000
"""A game with more moves than this counts as one that does not end."""
MOST_ALIKE: Final = 24
"""The number of actions in a position that are compared, or tried although they are illegal."""
MOST_TWINS: Final = 6
"""The number of games that look alike to a seat and are followed side by side."""
T = TypeVar("T")


class BrokenLawError(AssertionError):
    """A game breaks a law; the message ends with the record that leads there."""


_PLAY: Final = ContextVar["Play | None"]("play", default=None)
"""The game that is being played, for a law that the game stops by an error."""


def a_law(check: Law) -> Law:
    """A law that says which one it is, and where, when the game itself raises an error."""

    @wraps(check)
    def law(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
        token = _PLAY.set(None)
        try:
            check(game, setup, draw)
        except BrokenLawError:
            raise
        except Exception as error:
            said = " ".join(f"{type(error).__name__}: {error}".split())
            said += errors.where(error, errors.CORE)
            play = _PLAY.get()
            after = play.transcript() if play else f"{game.NAME} {setup}, before the first move"
            raise BrokenLawError(f"{game.NAME}: {said}\nafter\n{after}") from error
        finally:
            _PLAY.reset(token)

    return law


class Play:
    """A game that is played at random, position by position."""

    def __init__(self, game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
        self.game = game
        self.setup = setup
        self.draw = draw
        self.state: Any = game.start(setup)
        self.moves: list[record.Move] = []
        self.actions: list[Any] = []
        self.events: tuple[Any, ...] = ()
        self.words: tuple[Any, ...] = ()
        _PLAY.set(self)
        self.hold(game.must_end(setup), "the laws are for games that must end")

    @property
    def seats(self) -> list[Seat]:
        """All seats."""
        return [Seat(seat) for seat in range(self.setup.seats)]

    @property
    def viewers(self) -> list[Seat | None]:
        """All viewers: the seats, and a spectator."""
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
        """Play another game to its end, so that `words` has actions of every kind.

        Nature's actions are all those that have a number: a lot may fall on a seat that is empty.
        """
        rehearsal = Play(self.game, self.setup, self.draw)
        for _ in rehearsal.positions():
            pass
        of_a_kind: dict[str, list[Any]] = {}
        _PLAY.set(self)
        for action in dict.fromkeys((*rehearsal.actions, *self.game.lots(self.setup))):
            of_a_kind.setdefault(type(action).__name__, []).append(action)
        self.words = tuple(
            action for kind in of_a_kind.values() for action in some(kind, self.draw)
        )

    def move(self) -> tuple[Seat, Any, tuple[Any, ...]]:
        """Let a seat that must act make a move; return the seat, the action and the events."""
        seat = pick(self.game.to_act(self.state), self.draw)
        if seat == NATURE:
            odds = self.game.odds(self.state)
            self.hold(odds, "nature must act, and nothing is allowed to it")
            self.hold(all(type(each) is int and each > 0 for each in odds.values()), f"{odds}?")
            action = draw_lot(odds, self.draw)
            clause = self.game.why_not(self.state, seat, action)
            self.hold(not clause, f"`odds` has an action that {clause} forbids to nature")
        else:
            action = pick(self.game.legal(self.state, seat), self.draw)
        step = self.game.apply(self.state, seat, action)
        self.state = step.state
        self.moves.append(record.Move(seat, self.game.write(action)))
        self.actions.append(action)
        self.events = step.events
        return seat, action, step.events

    def hold(self, holds: object, otherwise: str) -> None:
        """Raise BrokenLawError unless it holds, with what is wrong and the moves that led there."""
        if not holds:
            raise BrokenLawError(f"{self.game.NAME}: {otherwise}\nafter\n{self.transcript()}")

    def transcript(self) -> str:
        """The moves so far, in a form that can be played again."""
        moves = " ".join(str(move) for move in self.moves)
        return f"{self.game.NAME}/{self.game.RULES} {self.setup}\n{moves}"

    def told(self, events: Sequence[Any], viewer: Seat | None) -> tuple[Any, ...]:
        """What a viewer notices of these events."""
        noticed = (self.game.seen(event, viewer) for event in events)
        return tuple(event for event in noticed if event is not None)

    def table(self, state: Any, viewer: Seat | None) -> tuple[Any, ...]:  # noqa: ANN401
        """What a viewer sees apart from events: view, legal actions, and why others are illegal."""
        game = self.game
        seen = game.view(state, viewer), game.to_act(state), game.turn(state)
        if viewer is None:
            return seen
        refusals = tuple(game.why_not(state, viewer, action) for action in self.words)
        return *seen, tuple(game.legal(state, viewer)), refusals


def pick(choices: Sequence[T], draw: Chance) -> T:
    """One of these, each as likely."""
    return choices[draw(len(choices))]


def some(choices: Sequence[T], draw: Chance) -> list[T]:
    """All of these where they are few, else some of them, by chance."""
    if len(choices) <= MOST_ALIKE:
        return list(choices)
    return [pick(choices, draw) for _ in range(MOST_ALIKE)]


def lasting(told: Sequence[Any]) -> tuple[Any, ...]:
    """What may be told again: all but `Ephemeral` events."""
    return tuple(event for event in told if not isinstance(event, Ephemeral))


# --- Secrets ---------------------------------------------------------------------------------
#
# These laws need not know what is secret in a game. They look for two games that look the same to a
# viewer, and for anything by which it could tell them apart.


@a_law
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


@a_law
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


@a_law
def others_learn_nothing_of_a_choice(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """While several are asked, the others are told the same, whatever one of them chooses.

    With the last of them all may learn what everybody chose.
    """
    play = Play(game, setup, draw)
    for state in play.some_positions():
        asked = game.to_act(state)
        if len(asked) > 1:
            mover = pick(asked, draw)
            steps = [
                game.apply(state, mover, each) for each in some(game.legal(state, mover), draw)
            ]
            waiting = [step for step in steps if set(game.to_act(step.state)) & set(asked)]
            for viewer in play.viewers:
                told = {play.told(step.events, viewer) for step in waiting}
                said = listed([str(each) for each in told], "or")
                others = listed([name_of(seat) for seat in asked if seat != mover])
                play.hold(
                    viewer == mover or len(told) <= 1,
                    f"{_named(viewer)} is told what {name_of(mover)} chose, while "
                    f"{others} must still choose: {said}",
                )


def _named(viewer: Seat | None) -> str:
    return "a spectator" if viewer is None else name_of(viewer)


@a_law
def what_only_you_know_you_can_look_up(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """What a seat was told and a spectator was not is in the seat's view, unless it is `Ephemeral`.

    Nobody has to remember the dice under their own cup.
    """
    play = Play(game, setup, draw)
    for state in play.some_positions():
        for mover in game.to_act(state):
            steps = [
                game.apply(state, mover, each) for each in some(game.legal(state, mover), draw)
            ]
            for viewer in play.seats:
                views: dict[Any, tuple[Any, ...]] = {}
                for step in steps:
                    told = play.told(step.events, viewer)
                    if told == lasting(told):
                        public = play.told(step.events, None)
                        view = game.view(step.state, viewer), game.view(step.state, None), public
                        other = views.setdefault(view, told)
                        play.hold(
                            other == told,
                            f"{name_of(viewer)} is told {told} or {other}, and cannot tell from "
                            "its view which",
                        )


@a_law
def what_is_seen_stays_seen(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """Less what a viewer may not know, an event holds nothing more that it may not know."""
    play = Play(game, setup, draw)
    while game.to_act(play.state):
        _, _, events = play.move()
        for viewer in play.viewers:
            told = play.told(events, viewer)
            play.hold(play.told(told, viewer) == told, f"viewer {viewer} was told {told}")


@a_law
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


# --- News ------------------------------------------------------------------------------------
#
# A game marks news by `reveals`. These laws find what it forgot to mark: chance, events that are
# told once, and anything by which a viewer could tell two games apart that looked alike before.


@a_law
def chance_and_secrets_are_news(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """Chance, events told once and events told to some are news, for all who hear of them."""
    play = Play(game, setup, draw)
    while game.to_act(play.state):
        choices = len(game.odds(play.state))
        mover, _, events = play.move()
        news = [game.reveals(event) for event in events]
        chance = mover == NATURE and choices > 1
        play.hold(not chance or any(news), f"nature chose, and that is no news: {events}")
        for event, is_news in zip(events, news, strict=True):
            passing = isinstance(event, Ephemeral)
            play.hold(is_news or not passing, f"{event} is told once, and is no news")
            in_public = game.seen(event, None)
            for viewer in play.viewers:
                seen = game.seen(event, viewer)
                secret = viewer != mover and seen != in_public
                play.hold(is_news or not secret, f"viewer {viewer} is told {seen}, and no news")
                same = seen is None or game.reveals(seen) == is_news
                play.hold(same, f"{event} is news: {is_news}; as {seen} it is not so")


@a_law
def no_news_rules_nothing_out(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """A move that reveals nothing must not rule out anything that a viewer held possible.

    The law follows twins of the game: games that look the same to the viewer. Where a player's move
    brings no news, every twin has a move that looks the same, and so does the table after it.
    """
    play = Play(game, setup, draw)
    viewer = pick(play.viewers, draw)
    twins = [play.state]
    while game.to_act(play.state):
        mover, action, events = play.move()
        told = play.told(events, viewer)
        news = mover == NATURE or any(map(game.reveals, events))
        born: dict[Any, None] = {}
        for twin in twins:
            legal = game.legal(twin, mover)
            same = [action] if action in legal else []
            after = next(_told_so(play, twin, mover, (*same, *legal), told, viewer), None)
            play.hold(
                news or after is not None,
                f"no news to viewer {viewer}, yet {told} rules out {twin}",
            )
            if after is not None:
                born[after] = None
        stray = pick(twins, draw)
        others = some(game.legal(stray, mover), draw)
        born |= dict.fromkeys(_told_so(play, stray, mover, others, told, viewer))
        for twin in born:
            alike = news or play.table(twin, viewer) == play.table(play.state, viewer)
            play.hold(alike, f"no news, but viewer {viewer} can tell this game from {twin}")
        del born[play.state]
        rest = list(born)
        twins = [play.state, *(pick(rest, draw) for _ in rest[: MOST_TWINS - 1])]


def _told_so(  # noqa: PLR0913, PLR0917 - a move, and how it looks to whom
    play: Play,
    state: Any,  # noqa: ANN401 - the game's own kind
    mover: Seat,
    actions: Sequence[Any],
    told: tuple[Any, ...],
    viewer: Seat | None,
) -> Iterator[Any]:
    """The states after those of these actions that are told to the viewer just so."""
    for action in actions:
        step = play.game.apply(state, mover, action)
        if play.told(step.events, viewer) == told:
            yield step.state


@a_law
def taking_back_shows_nothing_again(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """What a move without news has hidden stays hidden when the move is taken back.

    Beside the game run its twins, in which other moves were made that differ in nothing but
    `Ephemeral` events. Where the tables look alike after a move without news, they did before it,
    or taking it back would bring to light what had to be remembered.
    """
    play = Play(game, setup, draw)
    viewer = pick(play.viewers, draw)
    twins = [play.state]
    while game.to_act(play.state):
        before = play.state
        mover, action, events = play.move()
        news = any(map(game.reveals, events))
        told = lasting(play.told(events, viewer))
        born: dict[Any, None] = {}
        for twin in twins:
            legal = game.legal(twin, mover)
            for other in (*some(legal, draw), *([action] if action in legal else [])):
                if len(born) == MOST_TWINS:
                    break
                step = game.apply(twin, mover, other)
                if lasting(play.told(step.events, viewer)) == told:
                    born[step.state] = None
                    play.hold(
                        news
                        or play.table(step.state, viewer) != play.table(play.state, viewer)
                        or play.table(twin, viewer) == play.table(before, viewer),
                        f"taking back {events} would show viewer {viewer} again what was hidden",
                    )
        twins = list(born) or [play.state]


# --- What is written, sent and drawn ---------------------------------------------------------


@a_law
def words_are_words(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """Every action is one word, every word one action, and each can be said in a line."""
    play = Play(game, setup, draw)
    for state in play.some_positions():
        for seat in game.to_act(state):
            for action in game.legal(state, seat):
                word = game.write(action)
                play.hold(word.split() == [word] and "#" not in word, f"{word!r} is not one word")
                play.hold(word not in {"=", "?"}, f"{word} has a meaning in records")
                read = game.parse(word)
                play.hold(read == action, f"{word} is written for {action}, but read as {read}")
                play.hold(_is_a_line(game.say(action)), f"{word} cannot be said")


@a_law
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


@a_law
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


@a_law
def tables_can_be_drawn(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """Every view can be drawn and asked about, every event told, with any names."""
    play = Play(game, setup, draw)
    names = [f"<{seat} & Söhne>" for seat in play.seats]
    for state in play.some_positions():
        for each in play.viewers:
            asked = game.ask(game.view(state, each), names)
            play.hold(_is_a_line(asked), f"nothing is asked of {_named(each)}, or several lines")
        viewer = pick(play.viewers, draw)
        view = game.view(state, viewer)
        play.hold(game.text(view, names).strip(), "there is nothing to see")
        play.hold(game.text(game.open_view(state), names).strip(), "open hands show nothing")
        ET.fromstring(game.svg(view, names))  # noqa: S314 - our own drawing
        for event in (*play.events, *play.told(play.events, viewer)):
            told = game.tell(event, names)
            play.hold(not told or _is_a_line(told), f"{event} cannot be told")
            clause = game.clause(event)
            play.hold(clause.split() == [clause] * bool(clause), f"{clause!r} is no clause")


def _is_a_line(words: str) -> bool:
    return bool(words) and words == words.strip() and "\n" not in words


@a_law
def setups_are_checked(game: AnyGame, setup: Setup[Any], _draw: Chance) -> None:
    """A number of seats, and options, that the game does not allow are refused by SetupError."""
    seats = (game.SEATS[0] - 1, game.SEATS[-1] + 1)
    wrong = [Setup(each, setup.options) for each in seats]
    wrong += [Setup(setup.seats, each) for each in (OtherOptions(), *options.beyond(setup.options))]
    for each in wrong:
        try:
            game.start(each)
        except errors.SetupError:
            continue
        raise BrokenLawError(f"{game.NAME}: {each} is not allowed, but the game starts")


class OtherOptions(Value):
    """Options that no game has."""


# --- The course of a game --------------------------------------------------------------------


@a_law
def play_ends(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """Somebody must act until there is an outcome, after no more players' moves than `longest`."""
    play = Play(game, setup, draw)
    longest = game.longest(setup)
    turn = 0
    for state in play.positions():
        asked = game.to_act(state)
        outcome = game.outcome(state)
        play.hold(bool(asked) != bool(outcome), f"asked {asked}, and the outcome is {outcome}")
        play.hold(len(set(asked)) == len(asked), f"a seat is asked twice: {asked}")
        play.hold(asked == (NATURE,) or set(asked) <= set(play.seats), f"who is to act: {asked}?")
        play.hold(game.turn(state) >= turn, "the turns run backwards")
        turn = game.turn(state)
        if outcome:
            _hold_outcome(play, outcome)
            play.hold(turn > 0, "the game is over, and no turn was ever completed")
    made = sum(move.seat != NATURE for move in play.moves)
    play.hold(longest is None or made <= longest, f"{made} moves are more than {longest}")


def _hold_outcome(play: Play, outcome: Outcome) -> None:
    """Ranks run 1, 2, 2, 4, and the reason is one of the game's endings."""
    seats = play.setup.seats
    play.hold(len(outcome.ranks) == seats and len(outcome.points) in {0, seats}, f"{outcome}")
    play.hold(outcome.ranks == ranked(outcome.ranks), f"these are no ranks: {outcome.ranks}")
    play.hold(outcome.reason and " " not in outcome.reason, "the reason should be one word")
    play.hold(outcome.reason in play.game.ENDINGS, f"{outcome.reason} is no ending")


@a_law
def legal_moves_apply(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """Just the seats that must act have legal actions, and all of these apply."""
    play = Play(game, setup, draw)
    for state in play.some_positions():
        for seat in (*play.seats, NATURE):
            legal = game.legal(state, seat)
            asked = seat in game.to_act(state)
            play.hold(bool(legal) == asked, f"{name_of(seat)} is asked: {asked}, legal: {legal}")
            play.hold(len(set(legal)) == len(legal), f"the same action twice: {legal}")
            other = game.legal(arrived(state, type(state)), seat)
            play.hold(tuple(other) == tuple(legal), f"once {legal}, and elsewhere {other}")
            for action in legal:
                clause = game.why_not(state, seat, action)
                play.hold(not clause, f"{game.write(action)} is legal, but {clause} forbids it")
                once, again = (game.apply(state, seat, action) for _ in range(2))
                play.hold(once == again, f"{game.write(action)} leads to two different states")


@a_law
def illegal_moves_are_refused(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """An illegal action is refused with the clause that forbids it, and changes nothing."""
    play = Play(game, setup, draw)
    play.rehearse()
    for state in play.some_positions():
        before = msgspec.json.encode(state)
        for seat in (*play.seats, NATURE):
            legal = game.legal(state, seat)
            few = seat != NATURE and len(play.moves) > 1
            for action in some(play.words, draw) if few else play.words:
                if action not in legal:
                    _hold_refusal(play, state, seat, action)
        play.hold(msgspec.json.encode(state) == before, "a refused move has changed the state")


def _hold_refusal(play: Play, state: Any, seat: Seat, action: Any) -> None:  # noqa: ANN401
    game, word = play.game, play.game.write(action)
    clause = game.why_not(state, seat, action)
    play.hold(clause in game.CLAUSES, f"{word} is not legal, but {clause!r} is no clause")
    try:
        game.apply(state, seat, action)
    except errors.IllegalMoveError as refusal:
        play.hold(refusal.clause == clause, f"{word}: {refusal.clause} or {clause}?")
    except errors.StaleMoveError:
        play.hold(not game.to_act(state), f"{word} came too late, but the game goes on")
    else:
        play.hold(None, f"{name_of(seat)} may not play {word}, but it was applied")


@a_law
def order_does_not_matter(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """Players who choose together may answer in any order."""
    play = Play(game, setup, draw)
    for state in play.positions():
        asked = game.to_act(state)
        if len(asked) > 1:
            first = pick(asked, draw)
            second = pick([seat for seat in asked if seat != first], draw)
            one, other = (pick(game.legal(state, seat), draw) for seat in (first, second))
            ahead = game.apply(game.apply(state, first, one).state, second, other).state
            behind = game.apply(game.apply(state, second, other).state, first, one).state
            play.hold(ahead == behind, f"the order of {first} and {second} matters")


@a_law
def nature_has_odds(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """Nature's weights are positive whole numbers, for just what it may do, in one order."""
    play = Play(game, setup, draw)
    for state in play.positions():
        odds, legal = game.odds(state), tuple(game.legal(state, NATURE))
        asked = NATURE in game.to_act(state)
        play.hold(asked or not odds, f"nature is not asked, but `odds` is not empty: {tuple(odds)}")
        play.hold(
            tuple(odds) == legal, f"odds of {tuple(odds)}, but nature's legal actions {legal}"
        )
        for action, weight in odds.items():
            sound = type(weight) is int and weight > 0
            play.hold(sound, f"the weight of {game.write(action)} is {weight}")
        again = list(game.odds(arrived(state, type(state))).items())
        play.hold(list(odds.items()) == again, f"once {odds}, and elsewhere {again}")


@a_law
def actions_have_numbers(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """A game that numbers its actions numbers all that are legal, players' and nature's apart."""
    play = Play(game, setup, draw)
    actions = [*game.choices(setup), *game.lots(setup)]
    choices, lots = set(game.choices(setup)), set(game.lots(setup))
    shared = [each for each in game.choices(setup) if each in lots]
    play.hold(not shared, f"an action of players is one of nature, too: {shared}")
    play.hold(len(choices | lots) == len(actions), "an action has two numbers")
    numbers = {action: number for number, action in enumerate(actions)}
    for state in play.positions() if choices else ():
        for seat in game.to_act(state):
            legal = game.legal(state, seat)
            lacking = set(legal) - (lots if seat == NATURE else choices)
            play.hold(not lacking, f"these have no number: {lacking}")
            places = [numbers[each] for each in legal]
            play.hold(
                places == sorted(places), f"legal actions not in the order of numbers: {legal}"
            )


@a_law
def observations_keep_their_bounds(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
    """What learners see of a view has the parts, sizes and bounds that the game describes."""
    play = Play(game, setup, draw)
    if game.observation is None:
        return
    spec = game.observation.spec
    bounds, layout = spec.bounds(setup), spec.layout(setup)
    for state in play.some_positions():
        for viewer in play.seats:
            view = game.view(state, viewer)
            parts = game.observation.features(setup, view)
            play.hold(set(parts) == set(layout), f"parts {set(parts) ^ set(layout)} are missing")
            for name, place in layout.items():
                size = place.stop - place.start
                numbers = [*parts[name], *[0] * (size - len(parts[name]))]
                play.hold(len(numbers) == size, f"{name} has {len(numbers)} numbers, not {size}")
                within = zip(bounds.lowest[place], numbers, bounds.highest[place], strict=True)
                play.hold(
                    all(low <= number <= high for low, number, high in within),
                    f"{name} is out of its bounds: {numbers}",
                )


# --- A law for some games --------------------------------------------------------------------


def conserves(count: Callable[[Any], object]) -> Law:
    """The law that nothing is lost or made: `count` finds the same in every state of a game."""

    @a_law
    def pieces_are_conserved(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
        play = Play(game, setup, draw)
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
    actions_have_numbers,
    observations_keep_their_bounds,
    alike_moves_leave_alike_tables,
    a_seat_sees_no_more_than_it_was_told,
    others_learn_nothing_of_a_choice,
    what_only_you_know_you_can_look_up,
    what_is_seen_stays_seen,
    chance_and_secrets_are_news,
    no_news_rules_nothing_out,
    taking_back_shows_nothing_again,
    words_are_words,
    values_travel,
    records_replay,
    tables_can_be_drawn,
    setups_are_checked,
)
"""All laws that need nothing but the game."""
