"""Mauerbauer, the rules: the start, the moves and the end.

`docs/rules/mauerbauer.md` has the clauses. The steps of a turn are in `building` and `cards`, the
cities in `cities`, what a card scores in `scoring`.
"""

from typing import Any, Final

from msgspec.structs import replace

from mauerwerk.core import errors, options
from mauerwerk.core.game import Outcome, Seat, Setup, Step, ranked
from mauerwerk.games.mauerbauer import board, building, cards, values
from mauerwerk.games.mauerbauer.events import Appointed, Drawn, Event
from mauerwerk.games.mauerbauer.guild import Card, with_card, without_card
from mauerwerk.games.mauerbauer.legality import receiver, why_not
from mauerwerk.games.mauerbauer.notation import CLAUSES, NAME, write
from mauerwerk.games.mauerbauer.values import Action, Options, State, Table

RULES: Final = 1
SEATS: Final = range(2, 5)


# --- Set-up ----------------------------------------------------------------------------------


def start(setup: Setup[Any], /) -> State:
    """Lay the board out; the lot, or the table, says who begins (MB-1 to MB-8)."""
    options.check(NAME, SEATS, Options, setup)
    chosen: Options = setup.options
    board.board_of(chosen.board)
    cards_there = len(values.deck_of(chosen))
    if setup.seats * chosen.hand > cards_there:
        raise errors.SetupError(
            f"{setup.seats} seats with {chosen.hand} cards each need "
            f"{setup.seats * chosen.hand} guild cards, and the deck has {cards_there}"
        )
    if chosen.first == "lot":
        return values.Appointing(setup.seats, chosen)
    options.check_first(chosen.first, setup.seats)
    return values.Dealing(bare_table(setup.seats, chosen, Seat(chosen.first)))


def bare_table(seats: int, chosen: Options, builder: Seat) -> Table:
    """Nothing is dealt or built."""
    return Table(
        options=chosen,
        builder=builder,
        walls=(),
        towers=(),
        houses=(),
        cities=(),
        supply=values.full_supply(chosen),
        hands=((),) * seats,
        pile=values.deck_of(chosen),
        discard=(),
        points=(0,) * seats,
        turns=0,
        ending=None,
        last=None,
    )


def _deal(table: Table, card: Card) -> Step[State, Event]:
    seat = receiver(table)
    assert seat is not None
    hand = with_card(table.hands[seat], card)
    hands = (*table.hands[:seat], hand, *table.hands[seat + 1 :])
    table = replace(table, hands=hands, pile=without_card(table.pile, card))
    told = (Drawn(seat, card),)
    return Step(
        values.Dealing(table)
        if receiver(table) is not None
        else values.Building(table, hasty=False),
        told,
    )


# --- A move ----------------------------------------------------------------------------------


def apply(state: State, seat: Seat, action: Action, /) -> Step[State, Event]:
    """Make the move, or say which clause forbids it."""
    if clause := why_not(state, seat, action):
        over = isinstance(state, values.Over)
        raise errors.refusal(seat, write(action), clause, CLAUSES[clause], over=over)
    match state:
        case (
            values.Scoring()
            | values.Adding()
            | values.Drawing()
            | values.Swapping()
            | values.Choosing()
            | values.Finishing()
        ):
            return _move_cards(state, action)
        case _:
            return _move_pieces(state, action)


def _move_pieces(state: State, action: Action) -> Step[State, Event]:
    """Up to the closed city (MB-8 to MB-42)."""
    match state, action:
        case values.Appointing(seats=seats, options=chosen), values.Appoint(seat=first):
            return Step(values.Dealing(bare_table(seats, chosen, first)), (Appointed(first),))
        case values.Dealing(table=table), values.Deal(card=card):
            return _deal(table, card)
        case values.Building(table=table), values.RollEarly():
            return building.roll_early(table)
        case values.Building(table=table), values.Build(line=line):
            return building.build(table, line)
        case values.Rolling(table=table, line=line), values.Roll():
            return building.roll(table, line, action)
        case values.PlacingRolledTower() | values.PlacingFreeTower(), values.PlaceTower(
            point=point, tower=tower
        ):
            return building.place_tower(state, point, tower)
        case (
            values.PlacingFirstHouse() | values.PlacingSecondHouse() | values.PlacingEdgeHouse(),
            values.PlaceHouse(field=field, colour=colour),
        ):
            return building.place_house(state, field, colour)
        case values.Joining(table=table, city=city), values.Join(city=other):
            return building.join_with(table, city, other)
        case _:
            raise AssertionError(state, action)


def _move_cards(
    state: values.Scoring
    | values.Adding
    | values.Drawing
    | values.Swapping
    | values.Choosing
    | values.Finishing,
    action: Action,
) -> Step[State, Event]:
    """From the scoring on (MB-43 to MB-48, MB-72)."""
    match state, action:
        case values.Scoring() | values.Adding(), values.Play(card=card):
            return cards.play(state, card)
        case values.Scoring(), values.Discard(card=card):
            return cards.discard(state, card)
        case values.Adding(), values.Done():
            return cards.enough(state)
        case values.Drawing(), values.Deal(card=card):
            return cards.draw(state, card)
        case values.Swapping(), values.Swap(card=card):
            return cards.swap(state, card)
        case values.Swapping(), values.Done():
            return cards.swapped_enough(state)
        case values.Choosing(), values.Choose(city=city):
            return cards.choose(state, city)
        case values.Finishing(), values.Play(card=card):
            return cards.play_last(state, card)
        case values.Finishing(), values.Done():
            return cards.finish(state)
        case _:
            raise AssertionError(state, action)


# --- The end ---------------------------------------------------------------------------------


def outcome(state: State, /) -> Outcome | None:
    """Most points win, then more cards in hand; equal players share the rank (MB-73)."""
    match state:
        case values.Over(table=table):
            keys = [
                (-points, -len(hand))
                for points, hand in zip(table.points, table.hands, strict=True)
            ]
            assert table.ending is not None
            return Outcome(ranked(keys), table.points, table.ending.value)
        case _:
            return None


def turn(state: State, /) -> int:
    """How many complete turns lie behind."""
    return 0 if isinstance(state, values.Appointing) else state.table.turns


def must_end(_setup: Setup[Any], /) -> bool:
    """Every turn builds a house, and the houses that return cost a palace, which never does."""
    return True


def longest(setup: Setup[Any], /) -> int | None:
    """Every turn builds on a line without a wall (MB-11), and on none a second time.

    A wall that returns to the supply leaves a line inside a closed city (MB-35, MB-41), on which
    no wall is built again (MB-12). In a turn towers and houses are placed, and the wall closes one
    city at most (MB-32); a last scoring can follow (MB-72). In each of these two scorings each
    player can at most lay down, and then swap, all cards there are, and be done with it.
    """
    lines = len(board.board_of(setup.options.board).lines)
    cards_there = len(values.deck_of(setup.options))
    return lines * (10 + 4 * (cards_there + 2 * setup.seats))
