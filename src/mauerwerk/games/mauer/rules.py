"""Die Mauer, the rules, in the order of `docs/rules/mauer.md`."""

from functools import lru_cache
from typing import Any, Final

from msgspec.structs import replace

from mauerwerk.core import errors, options
from mauerwerk.core.game import Outcome, Seat, Setup, Step, ranked, shown
from mauerwerk.games.mauer import events, values
from mauerwerk.games.mauer.events import Event
from mauerwerk.games.mauer.legality import buildable, room_for, sites, why_not
from mauerwerk.games.mauer.notation import CLAUSES, NAME, write
from mauerwerk.games.mauer.values import Action, Ending, Hand, Options, Piece, State, Table

RULES: Final = 1
SEATS: Final = range(3, 7)
MOST_OF_A_KIND: Final = 3
"""The most pieces of a kind that everybody can begin a round with."""
_RANK: Final = {piece: rank for rank, piece in enumerate(values.FULL_SET)}


# --- Set-up ----------------------------------------------------------------------------------


def start(setup: Setup[Any], /) -> State:
    """All players get a full set; the youngest, or the lot, is master builder (DM-1 to DM-4)."""
    options.check(NAME, SEATS, Options, setup)
    chosen: Options = setup.options
    full_set(chosen)
    if chosen.first == "lot":
        return values.Drawing(setup.seats, chosen)
    options.check_first(chosen.first, setup.seats)
    return _first_turn(setup.seats, chosen, Seat(chosen.first))


def full_set(chosen: Options) -> Hand:
    """The pieces that each player begins a round with, in canonical order (DM-1)."""
    return _set_of(chosen.pieces)


@lru_cache(maxsize=64)
def _set_of(word: str) -> Hand:
    kinds = {piece.value: piece for piece in values.FULL_SET}
    hand = tuple(
        piece
        for letter, piece in kinds.items()
        for _ in range(min(word.count(letter), MOST_OF_A_KIND))
    )
    if not hand or word != "".join(piece.value for piece in hand):
        allowed = f"some of {Options().pieces}, in this order, up to {MOST_OF_A_KIND} of each"
        raise errors.SetupError(f"option pieces can be {allowed}, not {shown(word)}")
    return hand


def _first_turn(seats: int, chosen: Options, master: Seat) -> values.Planning:
    full_hands = (full_set(chosen),) * seats
    return _plan(Table(chosen, master, (), full_hands, idle=0, turns=0, scores=()))


def _plan(table: Table) -> values.Planning:
    return values.Planning(table, (None,) * len(table.hands))


# --- A turn ----------------------------------------------------------------------------------


def apply(state: State, seat: Seat, action: Action, /) -> Step[State, Event]:
    """Make the move, or say which clause forbids it."""
    if clause := why_not(state, seat, action):
        over = isinstance(state, values.Over)
        raise errors.refusal(seat, write(action), clause, CLAUSES[clause], over=over)
    match state, action:
        case values.Drawing(seats=seats, options=chosen), values.Appoint(master=master):
            return Step(_first_turn(seats, chosen, master), (events.Appointed(master),))
        case values.Planning(table=table, fists=fists), values.Plan():
            return _close(table, (*fists[:seat], action, *fists[seat + 1 :]), seat, action)
        case values.Choosing(table=table, fists=fists), values.Choose(piece=piece):
            builds = values.Building(table, fists, piece, (seat,))
            return Step(builds, (events.Chosen(seat, piece),))
        case values.Building(), values.Build(end=end):
            return _build(state, end)
        case values.Giving(table=table, giver=giver), values.Give(piece=piece):
            return _give(table, giver, piece)
        case _:
            raise AssertionError(state, action)


def _close(
    table: Table, fists: tuple[values.Plan | None, ...], seat: Seat, plan: values.Plan
) -> Step[State, Event]:
    """Close one fist; the last one opens them all (DM-5)."""
    closed = events.FistClosed(seat, plan)
    shown = tuple(fist for fist in fists if fist is not None)
    if len(shown) < len(fists):
        return Step(values.Planning(table, fists), (closed,))
    opened = _reveal(table, shown)
    return Step(opened.state, (closed, events.FistsOpened(table.master, shown), *opened.events))


def _reveal(table: Table, fists: tuple[values.Plan, ...]) -> Step[State, Event]:
    """Who builds, now that every fist is open (DM-12 to DM-15)."""
    master, plan = table.master, fists[table.master].piece
    if plan is None:
        return _empty_fist(table, fists)
    if not sites(table.wall, plan):
        return _nobody_builds(table, "DM-12")
    guessers = tuple(seat for seat in _rivals(table) if fists[seat].piece is plan)
    can_build = bool(guessers) and room_for(table.wall, plan, len(guessers))
    return Step(values.Building(table, fists, plan, guessers if can_build else (master,)), ())


def _empty_fist(table: Table, fists: tuple[values.Plan, ...]) -> Step[State, Event]:
    """The master builder's fist is empty; what of the rivals'? (DM-18 to DM-20)."""
    match tuple(seat for seat in _rivals(table) if fists[seat].piece is None):
        case ():
            if buildable(table, table.master):
                return Step(values.Choosing(table, fists), ())
            return _nobody_builds(table, "DM-18")
        case (giver,):
            return Step(values.Giving(table, fists, giver), ())
        case _:
            return _nobody_builds(table, "DM-20")


def _rivals(table: Table) -> tuple[Seat, ...]:
    """All other players, clockwise from the master builder (DM-17)."""
    seats = len(table.hands)
    return tuple(Seat((table.master + step) % seats) for step in range(1, seats))


def _build(state: values.Building, end: values.End) -> Step[State, Event]:
    """Add the piece at this end; then the next builder, or the turn is over (DM-14, DM-17)."""
    table, piece = state.table, state.piece
    builder, *waiting = state.builders
    wall = (piece, *table.wall) if end is values.End.LEFT else (*table.wall, piece)
    table = replace(
        table,
        wall=wall,
        hands=_without(table.hands, builder, piece),
        idle=0,
        left=table.left + (end is values.End.LEFT),
        last=(builder, end),
    )
    built = events.Built(builder, piece, end)
    if waiting:
        return Step(values.Building(table, state.fists, piece, tuple(waiting)), (built,))
    return _end_turn(table, built)


def _nobody_builds(table: Table, clause: str) -> Step[State, Event]:
    return _end_turn(replace(table, idle=table.idle + 1), events.NobodyBuilds(clause))


def _give(table: Table, giver: Seat, piece: Piece) -> Step[State, Event]:
    """The piece goes to the master builder, in secret (DM-19); nothing was built (DM-27)."""
    hands = _without(table.hands, giver, piece)
    taken = tuple(sorted((*hands[table.master], piece), key=_RANK.__getitem__))
    hands = (*hands[: table.master], taken, *hands[table.master + 1 :])
    gift = events.Given(giver, table.master, piece)
    return _end_turn(replace(table, hands=hands, idle=table.idle + 1), gift)


def _without(hands: tuple[Hand, ...], seat: Seat, piece: Piece) -> tuple[Hand, ...]:
    hand = hands[seat]
    place = hand.index(piece)
    return (*hands[:seat], (*hand[:place], *hand[place + 1 :]), *hands[seat + 1 :])


# --- End of a round and of the game ----------------------------------------------------------


def _end_turn(table: Table, happened: Event) -> Step[State, Event]:
    """Score the round if it is over; in any case the stone passes on (DM-7, DM-22)."""
    table = replace(table, turns=table.turns + 1)
    ending = _ending(table)
    told: tuple[Event, ...] = (happened,)
    if ending is not None:
        costs = values.penalties(table.options.penalties)
        points = tuple(sum(costs[piece] for piece in hand) for hand in table.hands)
        told = (happened, events.RoundEnded(ending, table.hands, points))
        table = replace(table, scores=(*table.scores, points))
        if len(table.scores) == table.options.rounds:
            return Step(values.Over(table, ending), told)
        full_hands = (full_set(table.options),) * len(table.hands)  # DM-25
        table = replace(table, wall=(), hands=full_hands, idle=0, left=0, last=None)
    master = Seat((table.master + 1) % len(table.hands))
    return Step(_plan(replace(table, master=master)), (*told, events.StonePassed(master)))


def _ending(table: Table) -> Ending | None:
    """Why the round is over, if it is; looked at in this order (DM-23, DM-26, DM-27)."""
    if not all(table.hands):
        return Ending.OUT
    if not any(sites(table.wall, piece) for hand in table.hands for piece in hand):
        return Ending.DEADLOCK
    if table.options.stall != "off" and table.idle >= table.options.stall:
        return Ending.STALL
    return None


def outcome(state: State, /) -> Outcome | None:
    """The fewest penalty points win; equal players share the rank (DM-28)."""
    match state:
        case values.Over(table=table, ending=ending):
            points = totals(table.scores, len(table.hands))
            return Outcome(ranked(points), points, ending.value)
        case _:
            return None


def totals(scores: tuple[tuple[int, ...], ...], seats: int) -> tuple[int, ...]:
    """The sums on the score sheet."""
    return tuple(sum(points[seat] for points in scores) for seat in range(seats))


def turn(state: State, /) -> int:
    """How many complete turns lie behind."""
    return 0 if isinstance(state, values.Drawing) else state.table.turns


def must_end(setup: Setup[Options], /) -> bool:
    """Without DM-27 no player ever has to build."""
    return setup.options.stall != "off"


def longest(setup: Setup[Options], /) -> int | None:
    """In a round every piece can be built once, after the idle turns that DM-27 allows.

    In a turn all players plan; one chooses or gives, and all build.
    """
    chosen = setup.options
    if chosen.stall == "off":
        return None
    turns = (setup.seats * len(chosen.pieces) + 1) * chosen.stall
    return chosen.rounds * turns * (2 * setup.seats + 1)
