"""Liar's dice: everybody looks under their own cup and bids on what lies under all of them.

- LD-1: Everybody has the same number of dice and a cup. In each round all roll under their cups,
  and look at their own dice only.
- LD-2: The first player says how many dice of one face there are under all cups. Each next player
  raises: more dice, or as many of a higher face.
- LD-3: Or doubts the last bid. All cups are lifted. If there are fewer dice of that face, the
  bidder loses a die, otherwise the doubter.
- LD-4: The player who lost a die begins the next round; without dice one is out, and the next
  player begins. The last player with dice wins; the longer one has stayed, the better the place.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta

from mauerwerk.core.defaults import GameDefaults
from mauerwerk.core.game import NATURE, Outcome, Seat, Setup, Step, Value, ranked
from mauerwerk.core.language import ENGLISH, Language, sentence, waiting_for
from mauerwerk.core.observation import Observation, ObservationSpec, Part
from mauerwerk.core.svg import SIGNS, Node, node, picture

FACES: Final = range(1, 7)
MOST_DICE: Final = 5
MOST_SEATS: Final = 6


class Options(Value):
    """What a table chooses."""

    dice: Annotated[int, Meta(ge=1, le=MOST_DICE, description="dice of each player (LD-1)")] = 5


class Roll(Value):
    """Nature rolls the dice of one player, in order of their faces (LD-1)."""

    faces: tuple[int, ...]


class Bid(Value):
    """Say that there are so many dice of a face (LD-2)."""

    number: int
    face: int


class Doubt(Value):
    """Have all cups lifted (LD-3)."""


Action: TypeAlias = Roll | Bid | Doubt


class Table(Value):
    """What everybody knows in every phase."""

    dice: tuple[int, ...]
    """How many everybody has."""
    out: tuple[Seat, ...]
    """Who is out, in this order."""
    rounds: int
    begins: Seat


class Rolling(Value):
    """Dice are rolled, seat by seat; a cup is empty until then."""

    table: Table
    cups: tuple[tuple[int, ...], ...]


class Bidding(Value):
    """A player bids or doubts."""

    table: Table
    cups: tuple[tuple[int, ...], ...]
    turn: Seat
    bid: Bid | None
    bidder: Seat | None


class Over(Value):
    """One player is left."""

    table: Table


State: TypeAlias = Rolling | Bidding | Over


class Rolled(Value):
    """A player rolled under the cup."""

    seat: Seat
    faces: tuple[int, ...] | None
    """None: not for you."""


class Raised(Value):
    """A player bid."""

    seat: Seat
    bid: Bid


class Lifted(Value):
    """A bid was doubted, and all cups were lifted."""

    doubter: Seat
    bidder: Seat
    bid: Bid
    cups: tuple[tuple[int, ...], ...]
    loser: Seat


Event: TypeAlias = Rolled | Raised | Lifted


class View(Value):
    """The table as a seat, or a spectator, sees it."""

    seat: Seat | None
    table: Table
    own: tuple[int, ...]
    """What lies under the viewer's cup."""
    turn: Seat | None
    bid: Bid | None
    bidder: Seat | None


ROLLS: Final = tuple(
    Roll(faces)
    for number in range(1, MOST_DICE + 1)
    for faces in combinations_with_replacement(FACES, number)
)
BIDS: Final = tuple(
    Bid(number, face) for number in range(1, MOST_DICE * MOST_SEATS + 1) for face in FACES
)


class LiarsDice(GameDefaults[State, Action, Event, View]):
    """The rules."""

    NAME = "liars"
    TITLE = "Liar's dice"
    SEATS = range(2, MOST_SEATS + 1)
    OPTIONS = Options
    ENDINGS = ("last",)
    CLAUSES: Mapping[str, str] = {
        "LD-1": "all roll as many dice as they have",
        "LD-2": "one bids more dice, or as many of a higher face, and no more than there are",
        "LD-3": "there is no bid to doubt yet",
    }
    CHOICES: Sequence[Action] = (Doubt(), *BIDS)
    LOTS: Sequence[Action] = ROLLS

    def begin(self, setup: Setup[Any], /) -> State:
        """Everybody has all dice."""
        table = Table((setup.options.dice,) * setup.seats, (), 0, Seat(0))
        return Rolling(table, ((),) * setup.seats)

    def to_act(self, state: State, /) -> tuple[Seat, ...]:
        """Nature rolls, then one player after the other."""
        match state:
            case Rolling():
                return (NATURE,)
            case Bidding(turn=turn):
                return (turn,)
            case Over():
                return ()

    def forbids(self, state: State, seat: Seat, action: Action, /) -> str:  # noqa: ARG002
        """The clause that forbids it."""
        match state, action:
            case Rolling(), Roll(faces=faces):
                return "" if len(faces) == state.table.dice[_rolls(state)] else "LD-1"
            case Bidding(bid=None), Doubt():
                return "LD-3"
            case Bidding(), Doubt():
                return ""
            case Bidding(bid=bid, table=table), Bid():
                higher = bid is None or (action.number, action.face) > (bid.number, bid.face)
                return "" if higher and action.number <= sum(table.dice) else "LD-2"
            case _:
                return "LD-1"

    def odds(self, state: State, /) -> Mapping[Action, int]:
        """In how many ways dice can fall like this."""
        return {
            roll: factorial(len(roll.faces)) // prod(map(factorial, Counter(roll.faces).values()))
            for roll in self.legal(state, NATURE)
            if isinstance(roll, Roll)
        }

    def move(self, state: State, seat: Seat, action: Action, /) -> Step[State, Event]:
        """Roll, bid or doubt."""
        match state, action:
            case Rolling(table=table, cups=cups), Roll(faces=faces):
                owner = _rolls(state)
                cups = (*cups[:owner], faces, *cups[owner + 1 :])
                told = (Rolled(owner, faces),)
                if tuple(map(len, cups)) < table.dice:
                    return Step(Rolling(table, cups), told)
                return Step(Bidding(table, cups, table.begins, None, None), told)
            case Bidding(table=table, cups=cups), Bid():
                turn = _next(table.dice, seat)
                return Step(Bidding(table, cups, turn, action, seat), (Raised(seat, action),))
            case Bidding(table=table, cups=cups, bid=Bid() as bid, bidder=int() as bidder), Doubt():
                there = sum(cup.count(bid.face) for cup in cups)
                loser = seat if there >= bid.number else bidder
                return Step(_after(table, loser), (Lifted(seat, bidder, bid, cups, loser),))
            case _:
                raise AssertionError(action)

    def outcome(self, state: State, /) -> Outcome | None:
        """The longer one has stayed, the better (LD-4)."""
        if not isinstance(state, Over):
            return None
        out = state.table.out
        keys = [
            -out.index(Seat(seat)) if seat in out else -len(out) for seat in range(len(out) + 1)
        ]
        return Outcome(ranked(keys), (), "last")

    def turn(self, state: State, /) -> int:
        """A turn is a round."""
        return state.table.rounds

    def longest(self, setup: Setup[Any], /) -> int:
        """In each round a die goes, after at most every bid and a doubt."""
        dice = setup.options.dice * setup.seats
        return sum(len(FACES) * left + 1 for left in range(2, dice + 1))

    def view(self, state: State, seat: Seat | None, /) -> View:
        """One's own dice only (LD-1)."""
        match state:
            case Over():
                return View(seat, state.table, (), None, None, None)
            case Rolling(cups=cups):
                return View(seat, state.table, _own(cups, seat), None, None, None)
            case Bidding(cups=cups):
                return View(
                    seat, state.table, _own(cups, seat), state.turn, state.bid, state.bidder
                )

    def seen(self, event: Event, seat: Seat | None, /) -> Event | None:
        """What lies under a cup is known to its owner."""
        match event:
            case Rolled(seat=owner) if owner != seat:
                return Rolled(owner, None)
            case _:
                return event

    def write(self, action: Action, /) -> str:
        """`3x5` for three fives, `!` for a doubt, `r1,1,4` for a roll."""
        match action:
            case Bid(number=number, face=face):
                return f"{number}x{face}"
            case Doubt():
                return "!"
            case Roll(faces=faces):
                return f"r{','.join(map(str, faces))}"

    def say(self, action: Action, language: Language = ENGLISH, /) -> str:
        """The action as a player would say it."""
        match action:
            case Bid(number=number, face=face):
                return language("{number} x {face}", number=number, face=face)
            case Doubt():
                return language("doubt it")
            case Roll(faces=faces):
                return language("roll {faces}", faces=_list(faces))

    def ask(self, view: View, names: Sequence[str], language: Language = ENGLISH, /) -> str:
        """What the table waits for."""
        if view.turn is None:
            over = len(view.table.out) == len(view.table.dice) - 1
            return language("The game is over.") if over else language("The dice are rolled.")
        if view.turn != view.seat:
            return waiting_for([names[view.turn]], language)
        if view.bid is None:
            return language("You begin. How many dice of which face are there?")
        bid = self.say(view.bid, language)
        return language("The bid is {bid}. Raise it, or doubt it?", bid=bid)

    def tell(self, event: Event, names: Sequence[str], language: Language = ENGLISH, /) -> str:
        """What happened."""
        match event:
            case Rolled(seat=seat, faces=None):
                return sentence(language("{name} rolled", name=names[seat]))
            case Rolled(seat=seat, faces=tuple() as faces):
                return sentence(
                    language("{name} rolled {faces}", name=names[seat], faces=_list(faces))
                )
            case Raised(seat=seat, bid=bid):
                said = self.say(bid, language)
                return sentence(language("{name} bid {bid}", name=names[seat], bid=said))
            case Lifted():
                there = sum(cup.count(event.bid.face) for cup in event.cups)
                return language(
                    "The bid {bid} was doubted, and there are {there}: {loser} lost a die.",
                    bid=self.say(event.bid, language),
                    there=there,
                    loser=language.called(names[event.loser]),
                )
            case _:
                raise AssertionError(event)

    def text(self, view: View, names: Sequence[str], language: Language = ENGLISH, /) -> str:
        """The bid, everybody's dice, and one's own."""
        bid = "-" if view.bid is None else self.say(view.bid, language)
        rows = [
            f"{'>' if seat == view.turn else ' '} {name:<12} {'?' * left}"
            for seat, (name, left) in enumerate(zip(names, view.table.dice, strict=False))
        ]
        own = [language("Your dice: {faces}", faces=_list(view.own))] if view.own else []
        return "\n".join([language("The bid: {bid}", bid=bid), *rows, *own])

    def svg(self, view: View, names: Sequence[str], language: Language = ENGLISH, /) -> str:
        """The bid, a cup for each player, and one's own dice."""
        wide, line = 420, 44
        high = 96 + line * len(view.table.dice)
        bid = "-" if view.bid is None else self.say(view.bid, language)
        content = [
            node("rect", width=wide, height=high, fill="var(--table)"),
            _label(20, 38, language("The bid: {bid}", bid=bid), 24),
        ]
        for seat, (name, left) in enumerate(zip(names, view.table.dice, strict=False)):
            y = 64 + line * seat
            faces = view.own if seat == view.seat and view.own else ("?",) * left
            mark = "> " if seat == view.turn else ""
            content.append(_label(20, y + 25, f"{mark}{name}", 18))
            content += [_die(190 + 42 * place, y, str(face)) for place, face in enumerate(faces)]
        return picture(SIGNS, wide, high, self.TITLE, *content)

    def holds(self, view: View, language: Language = ENGLISH, /) -> Sequence[str]:
        """One's own dice, and the number of the others'."""
        return [
            _list(view.own)
            if seat == view.seat and view.own
            else language.many(left, "{number} die", "{number} dice")
            for seat, left in enumerate(view.table.dice)
        ]

    def group(self, action: Action, language: Language = ENGLISH, /) -> str:
        """Bids on the same number of dice."""
        if not isinstance(action, Bid):
            return ""
        return language.many(action.number, "{number} die", "{number} dice")

    def choices(self, setup: Setup[Any], /) -> Sequence[Action]:
        """No more than there are dice."""
        return self.CHOICES[: 1 + len(FACES) * setup.options.dice * setup.seats]

    observation = Observation(
        ObservationSpec(
            Part(
                "own", len(FACES), "how many dice of each face are under one's own cup", MOST_DICE
            ),
            Part("bid", 1, "the number of dice in the bid", MOST_DICE * MOST_SEATS),
            Part("face", len(FACES), "its face"),
            Part("dice", 1, "how many dice each seat has", MOST_DICE, seats=MOST_SEATS),
            Part("turn", 1, "whose turn it is", seats=MOST_SEATS),
        ),
        lambda _setup, view: _features(view),
    )


def _features(view: View) -> Mapping[str, Sequence[int]]:
    """The view in numbers, clockwise from one's own seat."""
    seats = len(view.table.dice)
    order = [((view.seat or 0) + step) % seats for step in range(seats)]
    return {
        "own": [view.own.count(face) for face in FACES],
        "bid": [view.bid.number if view.bid else 0],
        "face": [bool(view.bid and view.bid.face == face) for face in FACES],
        "dice": [view.table.dice[seat] for seat in order],
        "turn": [seat == view.turn for seat in order],
    }


def _label(x: float, y: float, words: str, size: float) -> Node:
    return node("text", words, x=x, y=y, font_size=size, fill="var(--ink)")


def _die(x: float, y: float, face: str) -> Node:
    face_ = node(
        "rect", x=x, y=y, width=36, height=36, rx=6, fill="var(--die)", stroke="var(--mortar-2)"
    )
    pips = node(
        "text", face, x=x + 18, y=y + 25, font_size=20, text_anchor="middle", fill="#2A211A"
    )
    return node("g", face_, pips)


def _own(cups: tuple[tuple[int, ...], ...], seat: Seat | None) -> tuple[int, ...]:
    return () if seat is None else cups[seat]


def _list(faces: Sequence[int]) -> str:
    return " ".join(map(str, faces))


def _rolls(state: Rolling) -> Seat:
    """The next player who rolls: the first whose cup is empty."""
    pairs = enumerate(zip(state.table.dice, state.cups, strict=True))
    return next(Seat(seat) for seat, (dice, cup) in pairs if dice and not cup)


def _next(dice: Sequence[int], seat: Seat) -> Seat:
    """The next player who has dice."""
    others = ((seat + step) % len(dice) for step in range(1, len(dice) + 1))
    return next(Seat(other) for other in others if dice[other])


def _after(table: Table, loser: Seat) -> State:
    """The next round, or the end (LD-4)."""
    left = table.dice[loser] - 1
    dice = (*table.dice[:loser], left, *table.dice[loser + 1 :])
    out = table.out if left else (*table.out, loser)
    begins = loser if left else _next(dice, loser)
    table = Table(dice, out, table.rounds + 1, begins)
    if len(out) == len(dice) - 1:
        return Over(table)
    return Rolling(table, ((),) * len(dice))


LIARS: Final = LiarsDice()
