"""Mauerbauer, the rules: the start, the moves and the end.

`docs/rules/mauerbauer.md` has the clauses. The steps of a turn are in `building` and `cards`, the
cities in `cities`, what a card scores in `scoring`.
"""

from typing import Any, Final

from msgspec.structs import replace

from mauerwerk.core import errors, options
from mauerwerk.core.game import Outcome, Seat, Setup, Step, ranked
from mauerwerk.games.mauerbauer import board, building, cards, guild
from mauerwerk.games.mauerbauer.events import Appointed, Drawn, Event
from mauerwerk.games.mauerbauer.guild import DECK, Card, with_card, without_card
from mauerwerk.games.mauerbauer.legality import receiver, why_not
from mauerwerk.games.mauerbauer.notation import CLAUSES, NAME, write
from mauerwerk.games.mauerbauer.values import (
    FULL_SUPPLY,
    Action,
    Adding,
    Appoint,
    Appointing,
    Build,
    Building,
    Choose,
    Choosing,
    Deal,
    Dealing,
    Discard,
    Done,
    Drawing,
    Finishing,
    Join,
    Joining,
    Options,
    Over,
    PlaceHouse,
    PlaceTower,
    PlacingEdgeHouse,
    PlacingFirstHouse,
    PlacingFreeTower,
    PlacingRolledTower,
    PlacingSecondHouse,
    Play,
    Roll,
    RollEarly,
    Rolling,
    Scoring,
    State,
    Swap,
    Swapping,
    Table,
)

RULES: Final = 1
SEATS: Final = range(2, 5)


# --- Set-up ----------------------------------------------------------------------------------


def start(setup: Setup[Any], /) -> State:
    """Lay the board out; the lot, or the table, says who begins (MB-1 to MB-8)."""
    options.check(NAME, SEATS, Options, setup)
    chosen: Options = setup.options
    board.board_of(chosen.board)
    if chosen.first == "lot":
        return Appointing(setup.seats, chosen)
    options.check_first(chosen.first, setup.seats)
    return _dealing(setup.seats, chosen, Seat(chosen.first))


def _dealing(seats: int, chosen: Options, builder: Seat) -> Dealing:
    return Dealing(
        Table(
            options=chosen,
            builder=builder,
            walls=(),
            towers=(),
            houses=(),
            cities=(),
            supply=FULL_SUPPLY,
            hands=((),) * seats,
            pile=DECK,
            discard=(),
            points=(0,) * seats,
            turns=0,
            ending=None,
            last=None,
        )
    )


def _deal(table: Table, card: Card) -> Step[State, Event]:
    seat = receiver(table)
    assert seat is not None
    hand = with_card(table.hands[seat], card)
    hands = (*table.hands[:seat], hand, *table.hands[seat + 1 :])
    table = replace(table, hands=hands, pile=without_card(table.pile, card))
    told = (Drawn(seat, card),)
    return Step(
        Dealing(table) if receiver(table) is not None else Building(table, hasty=False), told
    )


# --- A move ----------------------------------------------------------------------------------


def apply(state: State, seat: Seat, action: Action, /) -> Step[State, Event]:
    """Make the move, or say which clause forbids it."""
    if clause := why_not(state, seat, action):
        over = isinstance(state, Over)
        raise errors.refusal(seat, write(action), clause, CLAUSES[clause], over=over)
    match state:
        case Scoring() | Adding() | Drawing() | Swapping() | Choosing() | Finishing():
            return _move_cards(state, action)
        case _:
            return _move_pieces(state, action)


def _move_pieces(state: State, action: Action) -> Step[State, Event]:
    """Up to the closed city (MB-8 to MB-42)."""
    match state, action:
        case Appointing(seats=seats, options=chosen), Appoint(seat=first):
            return Step(_dealing(seats, chosen, first), (Appointed(first),))
        case Dealing(table=table), Deal(card=card):
            return _deal(table, card)
        case Building(table=table), RollEarly():
            return building.roll_early(table)
        case Building(table=table), Build(line=line):
            return building.build(table, line)
        case Rolling(table=table, line=line), Roll():
            return building.roll(table, line, action)
        case PlacingRolledTower() | PlacingFreeTower(), PlaceTower(point=point, tower=tower):
            return building.place_tower(state, point, tower)
        case (
            PlacingFirstHouse() | PlacingSecondHouse() | PlacingEdgeHouse(),
            PlaceHouse(field=field, colour=colour),
        ):
            return building.place_house(state, field, colour)
        case Joining(table=table, city=city), Join(city=other):
            return building.join_with(table, city, other)
        case _:
            raise AssertionError(state, action)


def _move_cards(
    state: Scoring | Adding | Drawing | Swapping | Choosing | Finishing, action: Action
) -> Step[State, Event]:
    """From the scoring on (MB-43 to MB-48, MB-72)."""
    match state, action:
        case Scoring() | Adding(), Play(card=card):
            return cards.play(state, card)
        case Scoring(), Discard(card=card):
            return cards.discard(state, card)
        case Adding(), Done():
            return cards.enough(state)
        case Drawing(), Deal(card=card):
            return cards.draw(state, card)
        case Swapping(), Swap(card=card):
            return cards.swap(state, card)
        case Swapping(), Done():
            return cards.swapped_enough(state)
        case Choosing(), Choose(city=city):
            return cards.choose(state, city)
        case Finishing(), Play(card=card):
            return cards.play_last(state, card)
        case Finishing(), Done():
            return cards.finish(state)
        case _:
            raise AssertionError(state, action)


# --- The end ---------------------------------------------------------------------------------


def outcome(state: State, /) -> Outcome | None:
    """Most points win, then more cards in hand; equal players share the rank (MB-73)."""
    match state:
        case Over(table=table):
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
    return 0 if isinstance(state, Appointing) else state.table.turns


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
    return lines * (10 + 4 * (len(guild.DECK) + 2 * setup.seats))
