"""Goofspiel: a prize is turned up, and everybody bids a card for it, face down.

- GS-1: Everybody has the same cards, 1 to 13 or fewer. As many prizes are shuffled.
- GS-2: A prize is turned up. Everybody lays one card for it, face down.
- GS-3: All cards are turned up and are out of the game. The highest one takes the prize; if
  several are highest, nobody does.
- GS-4: After the last prize the player with the most points wins.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta

from mauerwerk.core.defaults import GameDefaults
from mauerwerk.core.game import NATURE, Outcome, Seat, Setup, Step, Value, ranked
from mauerwerk.core.language import ENGLISH, Language, points, sentence, shares, waiting_for
from mauerwerk.core.observation import Observation, ObservationSpec, Part

MOST_CARDS: Final = 13
MOST_SEATS: Final = 5


class Options(Value):
    """What a table chooses."""

    cards: Annotated[int, Meta(ge=2, le=MOST_CARDS, description="cards in a hand (GS-1)")] = 13


class Turn(Value):
    """Nature turns up a prize (GS-2)."""

    prize: int


class Bid(Value):
    """Lay a card for the prize, face down (GS-2)."""

    card: int


Action: TypeAlias = Turn | Bid


class Table(Value):
    """What everybody knows in every phase."""

    cards: int
    hands: tuple[tuple[int, ...], ...]
    """Every played card was seen, so that all know what the others hold."""
    prizes: tuple[int, ...]
    """Those that are still to come."""
    scores: tuple[int, ...]


class Turning(Value):
    """The next prize is about to be turned up."""

    table: Table


class Bidding(Value):
    """Everybody lays a card; None where it is still in the hand."""

    table: Table
    prize: int
    bids: tuple[int | None, ...]


class Over(Value):
    """All prizes are gone."""

    table: Table


State: TypeAlias = Turning | Bidding | Over


class Turned(Value):
    """A prize was turned up."""

    prize: int


class Laid(Value):
    """A player laid a card."""

    seat: Seat
    card: int | None
    """None: not for you."""


class Shown(Value):
    """All cards were turned up."""

    prize: int
    bids: tuple[int, ...]
    winner: Seat | None
    """None where several were highest."""


Event: TypeAlias = Turned | Laid | Shown


class View(Value):
    """The table as a seat, or a spectator, sees it."""

    seat: Seat | None
    table: Table
    prize: int | None
    laid: tuple[bool, ...]
    own: int | None
    """The card that the viewer has laid."""


class Goofspiel(GameDefaults[State, Action, Event, View]):
    """The rules."""

    NAME = "goofspiel"
    TITLE = "Goofspiel"
    SEATS = range(2, MOST_SEATS + 1)
    OPTIONS = Options
    ENDINGS = ("prizes",)
    CLAUSES: Mapping[str, str] = {"GS-2": "one lays a card from one's own hand"}
    CHOICES = tuple(Bid(card) for card in range(1, MOST_CARDS + 1))
    LOTS = tuple(Turn(prize) for prize in range(1, MOST_CARDS + 1))

    def begin(self, setup: Setup[Any], /) -> State:
        """Deal, and shuffle the prizes (GS-1)."""
        cards = tuple(range(1, setup.options.cards + 1))
        everybody = range(setup.seats)
        table = Table(
            len(cards), tuple(cards for _ in everybody), cards, tuple(0 for _ in everybody)
        )
        return Turning(table)

    def to_act(self, state: State, /) -> tuple[Seat, ...]:
        """Nature, then everybody together."""
        match state:
            case Turning():
                return (NATURE,)
            case Bidding(bids=bids):
                return tuple(Seat(seat) for seat, bid in enumerate(bids) if bid is None)
            case Over():
                return ()

    def forbids(self, state: State, seat: Seat, action: Action, /) -> str:
        """One lays what one holds; nature turns up what is left."""
        match action:
            case Turn(prize=prize):
                return "" if prize in state.table.prizes else "GS-2"
            case Bid(card=card):
                return "" if card in state.table.hands[seat] else "GS-2"

    def move(self, state: State, seat: Seat, action: Action, /) -> Step[State, Event]:
        """Turn up a prize, or lay a card; with the last card the prize is given (GS-3)."""
        match state, action:
            case Turning(table=table), Turn(prize=prize):
                left = tuple(each for each in table.prizes if each != prize)
                table = Table(table.cards, table.hands, left, table.scores)
                nothing = tuple(None for _ in table.hands)
                return Step(Bidding(table, prize, nothing), (Turned(prize),))
            case Bidding(table=table, prize=prize, bids=bids), Bid(card=card):
                laid = (*bids[:seat], card, *bids[seat + 1 :])
                full = tuple(bid for bid in laid if bid is not None)
                if len(full) < len(laid):
                    return Step(Bidding(table, prize, laid), (Laid(seat, card),))
                after, winner = _given(table, prize, full)
                state = Turning(after) if after.prizes else Over(after)
                return Step(state, (Laid(seat, card), Shown(prize, full, winner)))
            case _:
                raise AssertionError(action)

    def outcome(self, state: State, /) -> Outcome | None:
        """The most points win (GS-4)."""
        if not isinstance(state, Over):
            return None
        scores = state.table.scores
        return Outcome(ranked([-score for score in scores]), scores, "prizes")

    def turn(self, state: State, /) -> int:
        """A turn is a prize."""
        left = len(state.table.prizes) + isinstance(state, Bidding)
        return state.table.cards - left

    def longest(self, setup: Setup[Any], /) -> int:
        """Everybody lays every card."""
        return int(setup.options.cards) * setup.seats

    def view(self, state: State, seat: Seat | None, /) -> View:
        """Cards are face down until all are laid (GS-2)."""
        if isinstance(state, Bidding):
            laid = tuple(bid is not None for bid in state.bids)
            own = None if seat is None else state.bids[seat]
            return View(seat, state.table, state.prize, laid, own)
        return View(seat, state.table, None, tuple(False for _ in state.table.hands), None)

    def seen(self, event: Event, seat: Seat | None, /) -> Event | None:
        """A card that lies face down is known to its owner."""
        match event:
            case Laid(seat=owner) if owner != seat:
                return Laid(owner, None)
            case _:
                return event

    def scores(self, view: View, /) -> Sequence[int]:
        """Everybody sees them."""
        return view.table.scores

    def holds(self, view: View, language: Language = ENGLISH, /) -> Sequence[str]:  # noqa: ARG002
        """What was played is known, and so is what is left."""
        return [" ".join(map(str, hand)) for hand in view.table.hands]

    def reveals(self, event: Event, /) -> bool:
        """A card that lies face down can be taken back."""
        return not isinstance(event, Laid)

    def write(self, action: Action, /) -> str:
        """`7` for a card, `p7` for a prize."""
        return f"{action.card}" if isinstance(action, Bid) else f"p{action.prize}"

    def say(self, action: Action, language: Language = ENGLISH, /) -> str:
        """The action as a player would say it."""
        match action:
            case Turn(prize=prize):
                return language("the prize {prize}", prize=prize)
            case Bid(card=card):
                return language("bid {card}", card=card)

    def ask(self, view: View, names: Sequence[str], language: Language = ENGLISH, /) -> str:
        """What the table waits for."""
        if view.prize is None:
            over = not view.table.prizes
            return language("The game is over.") if over else language("A prize is turned up.")
        if view.seat is not None and not view.laid[view.seat]:
            return language("The prize is {prize}. What do you bid?", prize=view.prize)
        return waiting_for(
            [name for name, laid in zip(names, view.laid, strict=False) if not laid], language
        )

    def tell(self, event: Event, names: Sequence[str], language: Language = ENGLISH, /) -> str:
        """What happened."""
        match event:
            case Turned(prize=prize):
                return language("The next prize is {prize}.", prize=prize)
            case Laid(seat=seat):
                return sentence(language("{name} laid a card", name=names[seat]))
            case Shown(prize=prize, bids=bids, winner=winner):
                said = shares(names, bids, language)
                if winner is None:
                    return language("Nobody took the {prize}: {bids}.", prize=prize, bids=said)
                took = language(
                    "{name} took the {prize}: {bids}", name=names[winner], prize=prize, bids=said
                )
                return sentence(took)

    def text(self, view: View, names: Sequence[str], language: Language = ENGLISH, /) -> str:
        """A line for the prize, and one for each player."""
        table = view.table
        prize = "-" if view.prize is None else str(view.prize)
        left = " ".join(map(str, table.prizes))
        rows = [
            f"{name:<12} {points(score, language):>10}  {' '.join(map(str, hand))}{'  *' * laid}"
            for name, score, hand, laid in zip(
                names, table.scores, table.hands, view.laid, strict=False
            )
        ]
        own = [] if view.own is None else [language("Your bid: {card}", card=view.own)]
        return "\n".join(
            [language("Prize: {prize}  ({left})", prize=prize, left=left), *rows, *own]
        )

    def choices(self, setup: Setup[Any], /) -> Sequence[Action]:
        """As many as there are cards."""
        return self.CHOICES[: setup.options.cards]

    def lots(self, setup: Setup[Any], /) -> Sequence[Action]:
        """As many as there are prizes."""
        return self.LOTS[: setup.options.cards]

    observation = Observation(
        ObservationSpec(
            Part("prize", 1, "the prize that is turned up", MOST_CARDS),
            Part("prizes", MOST_CARDS, "which prizes are to come"),
            Part("laid", 1, "who has laid a card", seats=MOST_SEATS),
            Part("scores", 1, "points", sum(range(MOST_CARDS + 1)), seats=MOST_SEATS),
            Part("hands", MOST_CARDS, "which cards are left", seats=MOST_SEATS),
            Part("own", 1, "the card that one has laid", MOST_CARDS),
        ),
        lambda _setup, view: _features(view),
    )


def _given(table: Table, prize: int, bids: tuple[int, ...]) -> tuple[Table, Seat | None]:
    """The table after all cards were turned up, and who took the prize (GS-3)."""
    best = [Seat(seat) for seat, bid in enumerate(bids) if bid == max(bids)]
    winner = best[0] if len(best) == 1 else None
    hands = tuple(
        tuple(card for card in hand if card != bid)
        for hand, bid in zip(table.hands, bids, strict=True)
    )
    scores = tuple(score + prize * (seat == winner) for seat, score in enumerate(table.scores))
    return Table(table.cards, hands, table.prizes, scores), winner


def _features(view: View) -> Mapping[str, Sequence[int]]:
    """The view in numbers, clockwise from one's own seat."""
    first = view.seat or 0
    order = [(first + step) % len(view.laid) for step in range(len(view.laid))]
    cards = range(1, MOST_CARDS + 1)
    return {
        "prize": [view.prize or 0],
        "prizes": [card in view.table.prizes for card in cards],
        "laid": [view.laid[seat] for seat in order],
        "scores": [view.table.scores[seat] for seat in order],
        "hands": [card in view.table.hands[seat] for seat in order for card in cards],
        "own": [view.own or 0],
    }


GOOFSPIEL: Final = Goofspiel()
