"""Mauerbauer, the second half of a turn: scoring, drawing, swapping, and the end of the game."""

from msgspec.structs import replace

from mauerwerk.core.game import Seat, Step
from mauerwerk.games.mauerbauer import board, cities, events, scoring, values
from mauerwerk.games.mauerbauer.guild import Card, Hand, in_order, with_card, without_card
from mauerwerk.games.mauerbauer.values import Ending, Laid, State, Table

Told = tuple[events.Event, ...]


def clockwise(table: Table) -> tuple[Seat, ...]:
    """All seats, beginning with the player whose turn it is."""
    seats = len(table.hands)
    return tuple(Seat((table.builder + step) % seats) for step in range(seats))


def _with_cards(table: Table) -> tuple[Seat, ...]:
    return tuple(seat for seat in clockwise(table) if table.hands[seat])


# --- Scoring a city --------------------------------------------------------------------------


def score(table: Table, city: board.Field, told: Told) -> Step[State, events.Event]:
    """All players with cards play or discard, clockwise from who closed the city (MB-43)."""
    return _score_next(values.Scoring(table, city, _with_cards(table), ()), told)


def _score_next(state: values.Scoring, told: Told) -> Step[State, events.Event]:
    if state.waiting:
        return Step(state, told)
    return _all_laid(state.table, state.laid, told)


def play(state: values.Scoring | values.Adding, card: Card) -> Step[State, events.Event]:
    """The card scores at once (MB-44); after one card another may follow (MB-43)."""
    seat = state.waiting[0]
    table, laid, played = _played(state.table, seat, card, state.laid, state.city)
    if isinstance(state, values.Scoring) and table.hands[seat]:
        return Step(values.Adding(table, state.city, state.waiting, laid), (played,))
    return _score_next(values.Scoring(table, state.city, state.waiting[1:], laid), (played,))


def discard(state: values.Scoring, card: Card) -> Step[State, events.Event]:
    """One card is laid down without scoring it (MB-43)."""
    seat = state.waiting[0]
    table = _hand_over(state.table, seat, without_card(state.table.hands[seat], card))
    laid = (*state.laid, Laid(seat, (card,), discarded=True))
    told = (events.Discarded(seat, card),)
    return _score_next(values.Scoring(table, state.city, state.waiting[1:], laid), told)


def enough(state: values.Adding) -> Step[State, events.Event]:
    """One card was enough (MB-43)."""
    told = (events.Finished(state.waiting[0]),)
    return _score_next(values.Scoring(state.table, state.city, state.waiting[1:], state.laid), told)


def _played(
    table: Table, seat: Seat, card: Card, laid: tuple[Laid, ...], city: board.Field | None
) -> tuple[Table, tuple[Laid, ...], events.Event]:
    """The table after a card was played and scored, and what lies before the players."""
    scored = scoring.value(card, table, None if city is None else cities.city_named(table, city))
    points = (*table.points[:seat], table.points[seat] + scored, *table.points[seat + 1 :])
    table = _hand_over(table, seat, without_card(table.hands[seat], card))
    if laid and laid[-1].seat == seat:
        laid = (*laid[:-1], Laid(seat, (*laid[-1].cards, card), discarded=False))
    else:
        laid = (*laid, Laid(seat, (card,), discarded=False))
    return replace(table, points=points), laid, events.Played(seat, card, scored)


def _hand_over(table: Table, seat: Seat, hand: Hand) -> Table:
    return replace(table, hands=(*table.hands[:seat], hand, *table.hands[seat + 1 :]))


def _all_laid(table: Table, laid: tuple[Laid, ...], told: Told) -> Step[State, events.Event]:
    """What was laid is put away; then all draw (MB-45), unless the end is decided (MB-71)."""
    table = _put_away(table, laid)
    if table.ending:
        return _over(table, told)
    discarders = {each.seat for each in laid if each.discarded}
    owed = [seat for seat in clockwise(table) for _ in range(2 if seat in discarders else 1)]
    return _draw_next(table, tuple(owed), None, told)


def _put_away(table: Table, laid: tuple[Laid, ...]) -> Table:
    cards = (card for each in laid for card in each.cards)
    return replace(table, discard=in_order(*table.discard, *cards))


# --- Drawing ---------------------------------------------------------------------------------


def draw(state: values.Drawing, card: Card) -> Step[State, events.Event]:
    """One card goes from the pile to the first player who is owed one (MB-48)."""
    table, seat = state.table, state.owed[0]
    table = _hand_over(table, seat, with_card(table.hands[seat], card))
    table, shuffled = _reshuffled(replace(table, pile=without_card(table.pile, card)))
    return _draw_next(table, state.owed[1:], state.swappers, (events.Drawn(seat, card), *shuffled))


def _draw_next(
    table: Table, owed: tuple[Seat, ...], swappers: tuple[Seat, ...] | None, told: Told
) -> Step[State, events.Event]:
    """The next player to draw; none when both piles are empty (MB-46)."""
    if owed:
        table, shuffled = _reshuffled(table)
        told = (*told, *shuffled)
        if table.pile:
            return Step(values.Drawing(table, owed, swappers), told)
    if swappers is None:
        swappers = last_seats(table)
    return Step(values.Swapping(table, swappers, 0), told) if swappers else next_turn(table, told)


def _reshuffled(table: Table) -> tuple[Table, Told]:
    """An empty pile is replaced by the discard pile, as far as there is one (MB-46)."""
    if table.pile or not table.discard:
        return table, ()
    told = (events.Reshuffled(len(table.discard)),)
    return replace(table, pile=table.discard, discard=()), told


# --- Swapping --------------------------------------------------------------------------------


def last_seats(table: Table) -> tuple[Seat, ...]:
    """The players furthest behind with cards, clockwise from the one whose turn it is (MB-47)."""
    fewest = min(table.points)
    return tuple(seat for seat in _with_cards(table) if table.points[seat] == fewest)


def swap(state: values.Swapping, card: Card) -> Step[State, events.Event]:
    """A card goes to the discard pile; with the last one the player is done (MB-47)."""
    table, seat = state.table, state.swappers[0]
    table = _hand_over(table, seat, without_card(table.hands[seat], card))
    table = replace(table, discard=with_card(table.discard, card))
    told = (events.Swapped(seat, card),)
    swapped = state.swapped + 1
    if table.hands[seat]:
        return Step(values.Swapping(table, state.swappers, swapped), told)
    return _draw_next(table, (seat,) * swapped, state.swappers[1:], told)


def swapped_enough(state: values.Swapping) -> Step[State, events.Event]:
    """As many cards are drawn as were put away (MB-47)."""
    seat, *others = state.swappers
    return _draw_next(state.table, (seat,) * state.swapped, tuple(others), (events.Finished(seat),))


# --- The next turn, or the end ---------------------------------------------------------------


def next_turn(table: Table, told: Told) -> Step[State, events.Event]:
    """The dice go clockwise (MB-10); if the end is decided, or no line is left, it is time."""
    if table.ending:
        return _last_scoring(table, told)
    builder = Seat((table.builder + 1) % len(table.hands))
    table = replace(table, builder=builder, turns=table.turns + 1)
    told = (*told, events.TurnPassed(builder))
    if not cities.free_lines(table):  # MB-13
        table = replace(table, ending=Ending.NO_LINE)
        return _last_scoring(table, (*told, events.EndDecided(Ending.NO_LINE)))
    return Step(values.Building(table, hasty=False), told)


def _last_scoring(table: Table, told: Told) -> Step[State, events.Event]:
    """The game ends without a city just closed: all players may choose one (MB-72)."""
    return _finish_next(table, _with_cards(table), (), told)


def _finish_next(
    table: Table, waiting: tuple[Seat, ...], laid: tuple[Laid, ...], told: Told
) -> Step[State, events.Event]:
    if not waiting:
        return _over(_put_away(table, laid), told)
    if table.cities:
        return Step(values.Choosing(table, waiting, laid), told)
    return Step(values.Finishing(table, waiting, laid, None), told)


def choose(state: values.Choosing, city: board.Field | None) -> Step[State, events.Event]:
    """City cards will count for this city (MB-72)."""
    told = (events.Chosen(state.waiting[0], city),)
    return Step(values.Finishing(state.table, state.waiting, state.laid, city), told)


def play_last(state: values.Finishing, card: Card) -> Step[State, events.Event]:
    """One of up to two cards in the last scoring (MB-72)."""
    seat = state.waiting[0]
    table, laid, played = _played(state.table, seat, card, state.laid, state.city)
    if table.hands[seat] and len(laid[-1].cards) == 1:
        return Step(values.Finishing(table, state.waiting, laid, state.city), (played,))
    return _finish_next(table, state.waiting[1:], laid, (played,))


def finish(state: values.Finishing) -> Step[State, events.Event]:
    """No card more in the last scoring (MB-72)."""
    told = (events.Finished(state.waiting[0]),)
    return _finish_next(state.table, state.waiting[1:], state.laid, told)


def _over(table: Table, told: Told) -> Step[State, events.Event]:
    """Nothing is hidden any more (MB-73); a turn that found no line was none (MB-13)."""
    if table.ending is not Ending.NO_LINE:
        table = replace(table, turns=table.turns + 1)
    return Step(values.Over(table), (*told, events.GameEnded(table.points, table.hands)))
