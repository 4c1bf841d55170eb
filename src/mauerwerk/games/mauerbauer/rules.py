"""Mauerbauer, the rules: who must act, what is legal, and what follows.

`docs/rules/mauerbauer.md` has the clauses. The steps of a turn are in `building` and `cards`, the
cities in `cities`, what a card scores in `scoring`.
"""

from collections.abc import Mapping
from typing import Any, Final, assert_never

from msgspec.structs import replace

from mauerwerk.core import options
from mauerwerk.core.game import (
    NATURE,
    Outcome,
    Seat,
    Setup,
    Step,
    ranked,
    refusal,
)
from mauerwerk.games.mauerbauer import building, cards
from mauerwerk.games.mauerbauer.board import board_of
from mauerwerk.games.mauerbauer.cities import closed_fields, free_lines, inside_a_city, neighbours
from mauerwerk.games.mauerbauer.events import Appointed, Drawn, Event
from mauerwerk.games.mauerbauer.guild import DECK, Card, with_card, without_card
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

HAND_SIZE: Final = 6
"""The number of cards that each player is dealt at first (MB-8)."""

DONE: Final = Done()
ROLL_EARLY: Final = RollEarly()


# --- Set-up ----------------------------------------------------------------------------------


def start(setup: Setup[Any], /) -> State:
    """Lay the board out; the lot, or the table, says who begins (MB-1 to MB-8)."""
    options.check(NAME, SEATS, Options, setup)
    chosen: Options = setup.options
    board_of(chosen.board)
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


def receiver(table: Table) -> Seat | None:
    """The player who is dealt the next card: six go to the first, then six to the next (MB-8)."""
    short = (seat for seat in cards.clockwise(table) if len(table.hands[seat]) < HAND_SIZE)
    return next(short, None)


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


# --- Who must act, and how -------------------------------------------------------------------


def to_act(state: State, /) -> tuple[Seat, ...]:
    """One at a time: nature, the player whose turn it is, or the next to play or swap cards."""
    match state:
        case Appointing() | Dealing() | Rolling() | Drawing():
            return (NATURE,)
        case (
            Building(table=table)
            | PlacingRolledTower(table=table)
            | PlacingFreeTower(table=table)
            | PlacingFirstHouse(table=table)
            | PlacingSecondHouse(table=table)
            | PlacingEdgeHouse(table=table)
            | Joining(table=table)
        ):
            return (table.builder,)
        case (
            Scoring(waiting=waiting)
            | Adding(waiting=waiting)
            | Choosing(waiting=waiting)
            | Finishing(waiting=waiting)
            | Swapping(swappers=waiting)
        ):
            return waiting[:1]
        case Over():
            return ()
        case _:
            assert_never(state)


def legal(state: State, seat: Seat, /) -> tuple[Action, ...]:
    """All that this seat may do, in canonical order; `none` and `done` come last."""
    if seat not in to_act(state):
        return ()
    match state:
        case Appointing(seats=seats):
            return tuple(Appoint(Seat(each)) for each in range(seats))
        case Dealing(table=table) | Drawing(table=table):
            return tuple(Deal(card) for card in dict.fromkeys(table.pile))
        case Building(table=table, hasty=hasty):
            early = (ROLL_EARLY,) if table.options.early and not hasty else ()
            return (*(Build(line) for line in free_lines(table)), *early)
        case Rolling(table=table, line=line):
            return building.rolls(table, line)
        case PlacingRolledTower() | PlacingFreeTower():
            return _towers(state)
        case PlacingFirstHouse() | PlacingSecondHouse() | PlacingEdgeHouse():
            return _houses(state)
        case Joining(table=table, city=city):
            return (*(Join(each) for each in neighbours(table, city)), Join(None))
        case Scoring(table=table):
            hand = dict.fromkeys(table.hands[seat])
            return (*map(Play, hand), *map(Discard, hand))
        case Adding(table=table) | Finishing(table=table):
            return (*map(Play, dict.fromkeys(table.hands[seat])), DONE)
        case Swapping(table=table):
            return (*map(Swap, dict.fromkeys(table.hands[seat])), DONE)
        case Choosing(table=table):
            return (*(Choose(city.name) for city in table.cities), Choose(None))
        case Over():
            return ()
        case _:
            assert_never(state)


def _towers(state: PlacingRolledTower | PlacingFreeTower) -> tuple[PlaceTower, ...]:
    match state:
        case PlacingRolledTower(table=table, line=line, roll=Roll(tower=tower)):
            assert tower is not None
            return building.rolled_towers(table, line, tower)
        case PlacingFreeTower(table=table, line=line):
            return building.free_towers(table, line)
        case _:
            assert_never(state)


def _houses(
    state: PlacingFirstHouse | PlacingSecondHouse | PlacingEdgeHouse,
) -> tuple[PlaceHouse, ...]:
    match state:
        case PlacingFirstHouse(table=table, line=line, roll=roll):
            return building.first_houses(table, line, roll)
        case PlacingSecondHouse(table=table, roll=roll, field=field):
            return building.second_houses(table, field, roll)
        case PlacingEdgeHouse(table=table, line=line, roll=roll):
            return building.edge_houses(table, line, roll)
        case _:
            assert_never(state)


def odds(state: State, /) -> Mapping[Action, int]:
    """Every seat, every roll of the dice told apart and every card of the pile is as likely."""
    match state:
        case Dealing(table=table) | Drawing(table=table):
            return {Deal(card): table.pile.count(card) for card in dict.fromkeys(table.pile)}
        case _:
            return dict.fromkeys(legal(state, NATURE), 1)


# --- What is not allowed ---------------------------------------------------------------------


def why_not(state: State, seat: Seat, action: Action, /) -> str:
    """The clause that forbids the move; empty when nothing does."""
    if action in legal(state, seat):
        return ""
    asked = seat in to_act(state)
    match state:
        case Appointing() | Dealing():
            return "MB-8"
        case Building(table=table):
            return _no_wall(table, action) if asked else "MB-10"
        case Rolling():
            return "MB-10"
        case PlacingRolledTower() | PlacingFreeTower() | PlacingFirstHouse() if (
            asked and action in _later(state)
        ):
            return "MB-19"
        case PlacingRolledTower():
            return "MB-21"
        case PlacingFreeTower():
            return "MB-22"
        case PlacingFirstHouse() | PlacingSecondHouse():
            return "MB-25"
        case PlacingEdgeHouse():
            return "MB-28"
        case Joining():
            return "MB-40"
        case Scoring() | Adding():
            return "MB-43"
        case Drawing():
            return "MB-45"
        case Swapping():
            return "MB-47"
        case Choosing() | Finishing():
            return "MB-72"
        case Over():
            return "MB-73"
        case _:
            assert_never(state)


def _no_wall(table: Table, action: Action) -> str:
    """Why the player whose turn it is may not do this before the wall stands."""
    board = board_of(table.options.board)
    match action:
        case RollEarly():
            return "MB-14"
        case Build(line=line) if line not in board.sides:
            return "MB-4"
        case Build(line=line) if line not in table.walls:
            assert inside_a_city(board, closed_fields(table), line)
            return "MB-12"
        case Build():
            return "MB-11"
        case _:
            return "MB-10"


def _later(state: PlacingRolledTower | PlacingFreeTower | PlacingFirstHouse) -> tuple[Action, ...]:
    """What the steps after this one would allow beside the new wall (MB-19)."""
    table, line, roll = state.table, state.line, state.roll
    sides = board_of(table.options.board).sides[line]
    second = tuple(house for side in sides for house in building.second_houses(table, side, roll))
    match state:
        case PlacingFirstHouse():
            return second
        case PlacingRolledTower() | PlacingFreeTower() if len(sides) == 1:
            houses = building.edge_houses(table, line, roll)
        case PlacingRolledTower() | PlacingFreeTower():
            houses = (*building.first_houses(table, line, roll), *second)
        case _:
            assert_never(state)
    two_ends = len(building.free_ends(table, line)) > 1
    return (*(building.free_towers(table, line) if two_ends else ()), *houses)


# --- A move ----------------------------------------------------------------------------------


def apply(state: State, seat: Seat, action: Action, /) -> Step[State, Event]:
    """Make the move, or say which clause forbids it."""
    if clause := why_not(state, seat, action):
        over = isinstance(state, Over)
        raise refusal(seat, write(action), clause, CLAUSES[clause], over=over)
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
