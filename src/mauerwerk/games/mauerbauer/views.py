"""Mauerbauer, what each seat sees: hands are secret until the game is over (MB-8, MB-44, MB-73).

Views are built up from nothing: what is not put in here is not seen.
"""

from typing import assert_never

from msgspec.structs import replace

from mauerwerk.core.game import Seat
from mauerwerk.games.mauerbauer.board import Field, Line
from mauerwerk.games.mauerbauer.cities import city_named
from mauerwerk.games.mauerbauer.events import (
    Appointed,
    Built,
    Chosen,
    Cleared,
    Closed,
    Discarded,
    Drawn,
    EndDecided,
    Event,
    Finished,
    GameEnded,
    HousePlaced,
    Joined,
    PalacesBuilt,
    Played,
    Reshuffled,
    Rolled,
    RolledEarly,
    Swapped,
    Task,
    TowerPlaced,
    TurnPassed,
    View,
)
from mauerwerk.games.mauerbauer.guild import DECK
from mauerwerk.games.mauerbauer.legality import to_act
from mauerwerk.games.mauerbauer.scoring import value
from mauerwerk.games.mauerbauer.values import (
    FULL_SUPPLY,
    Adding,
    Appointing,
    Building,
    Choosing,
    Dealing,
    Drawing,
    Finishing,
    Joining,
    Laid,
    Over,
    PlacingEdgeHouse,
    PlacingFirstHouse,
    PlacingFreeTower,
    PlacingRolledTower,
    PlacingSecondHouse,
    Roll,
    Rolling,
    Scoring,
    State,
    Swapping,
)

_TASKS = {
    Appointing: Task.LOT,
    Dealing: Task.DEAL,
    Building: Task.BUILD,
    Rolling: Task.ROLL,
    PlacingRolledTower: Task.ROLLED_TOWER,
    PlacingFreeTower: Task.FREE_TOWER,
    PlacingFirstHouse: Task.FIRST_HOUSE,
    PlacingSecondHouse: Task.SECOND_HOUSE,
    PlacingEdgeHouse: Task.EDGE_HOUSE,
    Joining: Task.JOIN,
    Scoring: Task.SCORE,
    Adding: Task.ADD,
    Drawing: Task.DRAW,
    Swapping: Task.SWAP,
    Choosing: Task.CHOOSE,
    Finishing: Task.FINISH,
    Over: Task.NOTHING,
}


def view(state: State, seat: Seat | None, /) -> View:
    """The table as this seat, or a spectator, sees it now."""
    if isinstance(state, Appointing):
        return _bare_table(state, seat)
    table = state.table
    line, roll = _wall(state)
    city = _city(state)
    return View(
        seat=seat,
        task=_TASKS[type(state)],
        waiting=to_act(state),
        board=table.options.board,
        builder=table.builder,
        walls=table.walls,
        towers=table.towers,
        houses=table.houses,
        cities=table.cities,
        supply=table.supply,
        counts=tuple(len(hand) for hand in table.hands),
        hands=tuple(
            hand if each == seat or isinstance(state, Over) else None
            for each, hand in enumerate(table.hands)
        ),
        worth=_worth(state, seat, city),
        pile=len(table.pile),
        discard=table.discard,
        laid=_laid(state),
        points=table.points,
        line=line,
        roll=roll,
        field=state.field if isinstance(state, PlacingSecondHouse) else None,
        city=city,
        owed=state.owed if isinstance(state, Drawing) else (),
        swappers=state.swappers if isinstance(state, Drawing | Swapping) else None,
        swapped=state.swapped if isinstance(state, Swapping) else 0,
        hasty=isinstance(state, Building) and state.hasty,
        turns=table.turns,
        ending=table.ending,
        last=table.last,
    )


def open_view(state: State, /) -> View:
    """The table with every hand open."""
    plain = view(state, None)
    return plain if isinstance(state, Appointing) else replace(plain, hands=state.table.hands)


def _bare_table(state: Appointing, seat: Seat | None) -> View:
    """Nothing is dealt or built before the lot."""
    return View(
        seat=seat,
        task=Task.LOT,
        waiting=to_act(state),
        board=state.options.board,
        builder=None,
        walls=(),
        towers=(),
        houses=(),
        cities=(),
        supply=FULL_SUPPLY,
        counts=(0,) * state.seats,
        hands=((),) * state.seats,
        worth=(),
        pile=len(DECK),
        discard=(),
        laid=(),
        points=(0,) * state.seats,
        line=None,
        roll=None,
        field=None,
        city=None,
        owed=(),
        swappers=None,
        swapped=0,
        hasty=False,
        turns=0,
        ending=None,
        last=None,
    )


def _worth(state: State, seat: Seat | None, name: Field | None) -> tuple[int, ...]:
    """What each card of one's own would score now."""
    if seat is None or isinstance(state, Appointing):
        return ()
    table = state.table
    city = None if name is None else city_named(table, name)
    return tuple(value(card, table, city) for card in table.hands[seat])


def _wall(state: State) -> tuple[Line | None, Roll | None]:
    """The wall being built and the dice that were rolled for it."""
    match state:
        case Rolling(line=line):
            return line, None
        case (
            PlacingRolledTower(line=line, roll=roll)
            | PlacingFreeTower(line=line, roll=roll)
            | PlacingFirstHouse(line=line, roll=roll)
            | PlacingSecondHouse(line=line, roll=roll)
            | PlacingEdgeHouse(line=line, roll=roll)
        ):
            return line, roll
        case (
            Appointing()
            | Dealing()
            | Building()
            | Joining()
            | Scoring()
            | Adding()
            | Drawing()
            | Swapping()
            | Choosing()
            | Finishing()
            | Over()
        ):
            return None, None
        case _:
            assert_never(state)


def _city(state: State) -> Field | None:
    """The city that is being joined or scored."""
    match state:
        case Joining(city=city) | Scoring(city=city) | Adding(city=city) | Finishing(city=city):
            return city
        case (
            Appointing()
            | Dealing()
            | Building()
            | Rolling()
            | PlacingRolledTower()
            | PlacingFreeTower()
            | PlacingFirstHouse()
            | PlacingSecondHouse()
            | PlacingEdgeHouse()
            | Drawing()
            | Swapping()
            | Choosing()
            | Over()
        ):
            return None
        case _:
            assert_never(state)


def _laid(state: State) -> tuple[Laid, ...]:
    """What lies before the players."""
    match state:
        case Scoring(laid=laid) | Adding(laid=laid) | Choosing(laid=laid) | Finishing(laid=laid):
            return laid
        case (
            Appointing()
            | Dealing()
            | Building()
            | Rolling()
            | PlacingRolledTower()
            | PlacingFreeTower()
            | PlacingFirstHouse()
            | PlacingSecondHouse()
            | PlacingEdgeHouse()
            | Joining()
            | Drawing()
            | Swapping()
            | Over()
        ):
            return ()
        case _:
            assert_never(state)


def seen(event: Event, seat: Seat | None, /) -> Event | None:
    """The event less what this seat may not know: which card another player drew."""
    match event:
        case Drawn(seat=owner, card=card):
            return Drawn(owner, card if owner == seat else None)
        case (
            Appointed()
            | Reshuffled()
            | RolledEarly()
            | Built()
            | Rolled()
            | TowerPlaced()
            | HousePlaced()
            | EndDecided()
            | Closed()
            | PalacesBuilt()
            | Cleared()
            | Joined()
            | Played()
            | Discarded()
            | Swapped()
            | Finished()
            | Chosen()
            | TurnPassed()
            | GameEnded()
        ):
            return event
        case _:
            assert_never(event)


def reveals(event: Event, /) -> bool:
    """Dice and cards are news, drawn, laid down or shown at the end; the board is no secret."""
    match event:
        case Appointed() | Drawn() | Rolled() | Played() | Discarded() | Swapped() | GameEnded():
            return True
        case (
            Reshuffled()  # in no order until a card is drawn (MB-46)
            | RolledEarly()  # the roll is not made (MB-14)
            | Built()
            | TowerPlaced()
            | HousePlaced()
            | EndDecided()
            | Closed()
            | PalacesBuilt()
            | Cleared()
            | Joined()
            | Finished()
            | Chosen()
            | TurnPassed()
        ):
            return False
        case _:
            assert_never(event)
