"""The Breach, a game that only the tests know: its rules, views and words."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, assert_never, get_args

from tests.fourth_game.values import (
    STONES,
    WIDTHS,
    Action,
    Breached,
    Event,
    Held,
    Hold,
    Open,
    Opened,
    Options,
    Over,
    Quiet,
    Shown,
    State,
    Table,
    View,
)

from mauerwerk.core import options
from mauerwerk.core.defaults import GameDefaults
from mauerwerk.core.errors import NotAWordError, refusal
from mauerwerk.core.game import NATURE, Outcome, Seat, Setup, Step, Value, ranked
from mauerwerk.core.language import ENGLISH, Language, sentence

CHOICES: Final = tuple(Hold(stones) for stones in range(STONES + 1))
LOTS: Final = tuple(Open(width) for width in WIDTHS)
ACTIONS: Final[tuple[Action, ...]] = (*CHOICES, *LOTS)


CLAUSES: Final = {
    "BR-1": "chance is about to open a breach",
    "BR-2": "every player closes one hand, around no more stones than they own",
    "BR-5": "the game is over",
}


class Breach(GameDefaults[State, Action, Event, View]):
    """All that a game must bring, and numbers for learners; the rest is left to the defaults."""

    NAME = "breach"
    TITLE = "The Breach"
    RULES = 1
    SEATS = range(3, 6)
    OPTIONS = Options
    ENDINGS = ("rounds", "spent")
    STATES: tuple[type[Value], ...] = get_args(State)
    EVENTS: tuple[type[Value], ...] = get_args(Event)
    VIEW = View
    CLAUSES = CLAUSES

    # --- Rules ------------------------------------------------------------------------------

    def start(self, setup: Setup[Any], /) -> State:
        """The wall stands, and everybody has all their stones."""
        options.check(self.NAME, self.SEATS, Options, setup)
        everybody = range(setup.seats)
        stones, scores = tuple(STONES for _ in everybody), tuple(0 for _ in everybody)
        return Quiet(Table(setup.options.rounds, 0, stones, scores))

    def to_act(self, state: State, /) -> tuple[Seat, ...]:
        """Nature, then all players together."""
        match state:
            case Quiet():
                return (NATURE,)
            case Breached(hands=hands):
                return tuple(Seat(seat) for seat, hand in enumerate(hands) if hand is None)
            case Over():
                return ()
            case _:
                assert_never(state)

    def legal(self, state: State, seat: Seat, /) -> Sequence[Action]:
        """The few actions there are, less those that a clause forbids."""
        return [each for each in ACTIONS if not self.why_not(state, seat, each)]

    def odds(self, state: State, /) -> Mapping[Action, int]:
        """A narrow breach is more likely (BR-1)."""
        return {lot: WIDTHS[lot.width] for lot in LOTS} if isinstance(state, Quiet) else {}

    def why_not(self, state: State, seat: Seat, action: Action, /) -> str:
        """The clause that forbids it."""
        asked = seat in self.to_act(state)
        match state, action:
            case Quiet(), _:
                return "" if asked and isinstance(action, Open) else "BR-1"
            case Breached(table=table), Hold(stones=stones) if asked:
                return "" if stones <= table.stones[seat] else "BR-2"
            case Breached(), _:
                return "BR-2"
            case _:
                return "BR-5"

    def apply(self, state: State, seat: Seat, action: Action, /) -> Step[State, Event]:
        """Open a breach, or close a hand; with the last hand the round ends."""
        if clause := self.why_not(state, seat, action):
            over = isinstance(state, Over)
            raise refusal(seat, self.write(action), clause, self.CLAUSES[clause], over=over)
        match state, action:
            case Quiet(table=table), Open(width=width):
                nothing = tuple(None for _ in table.stones)
                return Step(Breached(table, width, nothing), (Opened(width),))
            case Breached(table=table, width=width, hands=hands), Hold(stones=stones):
                closed = (*hands[:seat], stones, *hands[seat + 1 :])
                full = tuple(hand for hand in closed if hand is not None)
                if len(full) < len(closed):
                    return Step(Breached(table, width, closed), (Held(seat, stones),))
                after, shown = _filled(table, width, full)
                return Step(after, (Held(seat, stones), shown))
            case _:
                raise AssertionError(action)

    def outcome(self, state: State, /) -> Outcome | None:
        """The score decides, then the stones that are left (BR-5)."""
        if not isinstance(state, Over):
            return None
        table = state.table
        keys = [(-score, -left) for score, left in zip(table.scores, table.stones, strict=True)]
        reason = "rounds" if table.played == table.rounds else "spent"
        return Outcome(ranked(keys), table.scores, reason)

    def turn(self, state: State, /) -> int:
        """A turn is a round."""
        return state.table.played

    def longest(self, setup: Setup[Any], /) -> int:
        """In each round every player closes a hand."""
        return int(setup.options.rounds) * setup.seats

    # --- What each viewer knows ------------------------------------------------------------------

    def view(self, state: State, seat: Seat | None, /) -> View:
        """Hands are secret until they open (BR-2)."""
        match state:
            case Breached(table=table, width=width, hands=hands):
                closed = tuple(hand is not None for hand in hands)
                own = None if seat is None else hands[seat]
                return View(seat, table, width, closed, own, over=False)
            case Quiet(table=table) | Over(table=table):
                closed = tuple(False for _ in table.stones)
                return View(seat, table, None, closed, None, over=isinstance(state, Over))
            case _:
                assert_never(state)

    def seen(self, event: Event, seat: Seat | None, /) -> Event | None:
        """What a closed hand holds is for its owner."""
        match event:
            case Held(seat=owner):
                return event if owner == seat else Held(owner, None)
            case _:
                return event

    def reveals(self, event: Event, /) -> bool:
        """A hand that is only closed reveals nothing."""
        return not isinstance(event, Held)

    # --- Words -----------------------------------------------------------------------------------

    def write(self, action: Action, /) -> str:
        """`4` for four stones, `w2` for a breach of width 2."""
        return str(action.stones) if isinstance(action, Hold) else f"w{action.width}"

    def parse(self, word: str, /) -> Action:
        """Read what `write` wrote."""
        for action in ACTIONS:
            if self.write(action) == word:
                return action
        raise NotAWordError(word, f"a hand is 0 to {STONES}, a breach w1 to w{len(WIDTHS)}")

    def say(self, action: Action, language: Language = ENGLISH, /) -> str:
        """The action as a player would say it."""
        match action:
            case Open(width=width):
                return language("a breach of width {width}", width=width)
            case Hold(stones=stones):
                return language("hold {stones} stones", stones=stones)
            case _:
                assert_never(action)

    def ask(self, view: View, names: Sequence[str], language: Language = ENGLISH, /) -> str:
        """What the table waits for."""
        if view.seat is not None and view.width and not view.closed[view.seat]:
            return language("The breach is {width} wide. How many stones?", width=view.width)
        waiting = [name for name, closed in zip(names, view.closed, strict=False) if not closed]
        return language("The table waits for {names}.", names=waiting)

    def tell(self, event: Event, names: Sequence[str], language: Language = ENGLISH, /) -> str:
        """What happened."""
        match event:
            case Opened(width=width):
                return language("A breach of width {width} opens.", width=width)
            case Held():
                return ""
            case Shown(hands=hands, builder=builder):
                said = ", ".join(map(str, hands))
                if builder is None:
                    return language("Nobody filled the breach: {hands}.", hands=said)
                name = names[builder]
                return sentence(
                    language("{name} filled the breach: {hands}", name=name, hands=said)
                )
            case _:
                assert_never(event)

    def text(self, view: View, names: Sequence[str], language: Language = ENGLISH, /) -> str:
        """A line for the round, and one for each player."""
        table = view.table
        wide = "" if view.width is None else f" >{'_' * view.width}<"
        head = f"{self.TITLE}, {table.played}/{table.rounds}{wide}"
        own = "" if view.own is None else f"{language('in your hand')}: {view.own}"
        players = (
            f"{name:<12} {score:>3}  {'o' * left}{' *' * closed}"
            for name, score, left, closed in zip(
                names, table.scores, table.stones, view.closed, strict=False
            )
        )
        return "\n".join([head, *players, *([own] if own else [])])

    # --- Numbers ---------------------------------------------------------------------------------

    def choices(self, setup: Setup[Any], /) -> Sequence[Action]:  # noqa: ARG002 - always the same
        """What players can do."""
        return CHOICES

    def lots(self, setup: Setup[Any], /) -> Sequence[Action]:  # noqa: ARG002 - always the same
        """What nature can do."""
        return LOTS


def _filled(table: Table, width: int, hands: tuple[int, ...]) -> tuple[State, Shown]:
    """The table after all hands opened, and what everybody saw (BR-3 to BR-5)."""
    most = max(hands)
    fullest = [Seat(seat) for seat, hand in enumerate(hands) if hand == most]
    builder = fullest[0] if len(fullest) == 1 and most >= width else None
    stones = tuple(
        left - most if hand == most else left
        for left, hand in zip(table.stones, hands, strict=True)
    )
    scores = tuple(
        score + width if seat == builder else score for seat, score in enumerate(table.scores)
    )
    after = Table(table.rounds, table.played + 1, stones, scores)
    ended = after.played == after.rounds or not any(stones)
    return Over(after) if ended else Quiet(after), Shown(hands, builder)


BREACH: Final = Breach()
