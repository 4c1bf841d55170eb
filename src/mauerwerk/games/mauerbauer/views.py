"""Mauerbauer, what each seat sees, built up from nothing: hands are secret (MB-8, MB-44, MB-73)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from mauerwerk.core.game import Seat
from mauerwerk.games.mauerbauer import cities, events, legality, rules, scoring, values
from mauerwerk.games.mauerbauer.board import Line

TASKS = {
    values.Appointing: events.Task.LOT,
    values.Dealing: events.Task.DEAL,
    values.Building: events.Task.BUILD,
    values.Rolling: events.Task.ROLL,
    values.PlacingRolledTower: events.Task.ROLLED_TOWER,
    values.PlacingFreeTower: events.Task.FREE_TOWER,
    values.PlacingFirstHouse: events.Task.FIRST_HOUSE,
    values.PlacingSecondHouse: events.Task.SECOND_HOUSE,
    values.PlacingEdgeHouse: events.Task.EDGE_HOUSE,
    values.Joining: events.Task.JOIN,
    values.Scoring: events.Task.SCORE,
    values.Adding: events.Task.ADD,
    values.Drawing: events.Task.DRAW,
    values.Swapping: events.Task.SWAP,
    values.Choosing: events.Task.CHOOSE,
    values.Finishing: events.Task.FINISH,
    values.Over: events.Task.NOTHING,
}
_PLACING: Final[Mapping[events.Task, Callable[[values.Table, Line, values.Roll], values.State]]] = {
    events.Task.ROLLED_TOWER: values.PlacingRolledTower,
    events.Task.FREE_TOWER: values.PlacingFreeTower,
    events.Task.FIRST_HOUSE: values.PlacingFirstHouse,
    events.Task.EDGE_HOUSE: values.PlacingEdgeHouse,
}


def view(state: values.State, seat: Seat | None, /) -> events.View:
    """The table as this seat, or a spectator, sees it now."""
    if lot := isinstance(state, values.Appointing):
        table = rules.bare_table(state.seats, state.options, Seat(0))
    else:
        table = state.table
    line = state.line if isinstance(state, values.Rolling | values.Placing) else None
    city = state.city if isinstance(state, values.WithCity) else None
    scored = None if city is None else cities.city_named(table, city)
    return events.View(
        seat=seat,
        task=TASKS[type(state)],
        waiting=legality.to_act(state),
        board=table.options.board,
        builder=None if lot else table.builder,
        walls=table.walls,
        towers=table.towers,
        houses=table.houses,
        cities=table.cities,
        supply=table.supply,
        counts=tuple(len(hand) for hand in table.hands),
        hands=tuple(
            hand if each == seat or lot or isinstance(state, values.Over) else None
            for each, hand in enumerate(table.hands)
        ),
        worth=tuple(
            scoring.value(card, table, scored)
            for card in (() if seat is None else table.hands[seat])
        ),
        pile=len(table.pile),
        discard=table.discard,
        laid=state.laid if isinstance(state, values.Laying) else (),
        points=table.points,
        line=line,
        roll=state.roll if isinstance(state, values.Placing) else None,
        field=state.field if isinstance(state, values.PlacingSecondHouse) else None,
        city=city,
        owed=state.owed if isinstance(state, values.Drawing) else (),
        swappers=state.swappers if isinstance(state, values.Drawing | values.Swapping) else None,
        swapped=state.swapped if isinstance(state, values.Swapping) else 0,
        hasty=isinstance(state, values.Building) and state.hasty,
        turns=table.turns,
        ending=table.ending,
        last=table.last,
        options=table.options,
    )


def scores(view: events.View, /) -> Sequence[int]:
    """The points of each seat so far."""
    return view.points


def open_view(state: values.State, /) -> events.View:
    """The table with every hand open."""
    plain = view(state, None)
    return (
        plain if isinstance(state, values.Appointing) else replace(plain, hands=state.table.hands)
    )


def seen(event: events.Event, seat: Seat | None, /) -> events.Event | None:
    """The event less what this seat may not know: which card another player drew."""
    match event:
        case events.Drawn(seat=owner, card=card):
            return events.Drawn(owner, card if owner == seat else None)
        case (
            events.Appointed()
            | events.Reshuffled()
            | events.RolledEarly()
            | events.Built()
            | events.Rolled()
            | events.TowerPlaced()
            | events.HousePlaced()
            | events.EndDecided()
            | events.Closed()
            | events.PalacesBuilt()
            | events.Cleared()
            | events.Joined()
            | events.Played()
            | events.Discarded()
            | events.Swapped()
            | events.Finished()
            | events.Chosen()
            | events.TurnPassed()
            | events.GameEnded()
        ):
            return event


def reveals(event: events.Event, /) -> bool:
    """Dice and cards are news, drawn, laid down or shown at the end; the board is no secret."""
    match event:
        case (
            events.Appointed()
            | events.Drawn()
            | events.Rolled()
            | events.Played()
            | events.Discarded()
            | events.Swapped()
            | events.GameEnded()
        ):
            return True
        case (
            events.Reshuffled()  # in no order until a card is drawn (MB-46)
            | events.RolledEarly()  # the roll is not made (MB-14)
            | events.Built()
            | events.TowerPlaced()
            | events.HousePlaced()
            | events.EndDecided()
            | events.Closed()
            | events.PalacesBuilt()
            | events.Cleared()
            | events.Joined()
            | events.Finished()
            | events.Chosen()
            | events.TurnPassed()
        ):
            return False


# --- Back from a view: a position as far as one viewer knows it, for those who think ahead -------


def known_table(view: events.View, options: values.Options | None = None) -> values.Table:
    """The table as it lies: the pile, and the hands that are not for this viewer, are empty.

    The options are those of the view, or others that are named.
    """
    assert view.builder is not None
    return values.Table(
        options=options or replace(view.options, board=view.board),
        builder=view.builder,
        walls=view.walls,
        towers=view.towers,
        houses=view.houses,
        cities=view.cities,
        supply=view.supply,
        hands=tuple(hand or () for hand in view.hands),
        pile=(),
        discard=view.discard,
        points=view.points,
        turns=view.turns,
        ending=view.ending,
        last=view.last,
    )


def state_on(view: events.View, table: values.Table) -> values.State:
    """The state behind a view, on this table."""
    match view:
        case events.View(task=events.Task.DEAL):
            return values.Dealing(table)
        case events.View(task=events.Task.BUILD):
            return values.Building(table, view.hasty)
        case events.View(line=str(line)):
            return _beside_wall(view, table, line)
        case events.View(task=events.Task.JOIN, city=str(city)):
            return values.Joining(table, city)
        case events.View(task=events.Task.SCORE, city=str(city)):
            return values.Scoring(table, city, _waiting(view), view.laid)
        case events.View(task=events.Task.ADD, city=str(city)):
            return values.Adding(table, city, _waiting(view), view.laid)
        case events.View(task=events.Task.DRAW):
            return values.Drawing(table, view.owed, view.swappers)
        case events.View(task=events.Task.SWAP, swappers=tuple(swappers)):
            return values.Swapping(table, swappers, view.swapped)
        case events.View(task=events.Task.CHOOSE):
            return values.Choosing(table, _waiting(view), view.laid)
        case events.View(task=events.Task.FINISH):
            return values.Finishing(table, _waiting(view), view.laid, view.city)
        case events.View(task=events.Task.NOTHING):
            return values.Over(table)
        case _:
            raise ValueError("this view is of no phase of the game")


def _beside_wall(view: events.View, table: values.Table, line: Line) -> values.State:
    """The phases in which dice, towers and houses follow a new wall."""
    if view.roll is None:
        return values.Rolling(table, line)
    if view.field is not None:
        return values.PlacingSecondHouse(table, line, view.roll, view.field)
    return _PLACING[view.task](table, line, view.roll)


def _waiting(view: events.View) -> tuple[Seat, ...]:
    """The seat that is to act and those after it that have cards, clockwise to the builder."""
    (first,), builder, seats = view.waiting, view.builder, len(view.counts)
    assert builder is not None
    rest = range((first - builder) % seats + 1, seats)
    later = (Seat((builder + step) % seats) for step in rest)
    return (first, *(seat for seat in later if view.counts[seat]))
