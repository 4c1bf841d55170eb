"""Positions as one seat sees them, for bots to be asked about."""

from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec.structs import replace

from mauerwerk.bots.bot import Bot
from mauerwerk.core.game import NATURE, AnyGame, Chance, Observer, Seat, Setup, Sight, draw_lot
from mauerwerk.core.options import from_words
from mauerwerk.games import mauer, mauerbauer
from mauerwerk.games.mauerbauer import values as mv
from mauerwerk.games.mauerbauer.guild import Card, in_order


def draws(seed: int = 1) -> Chance:
    """Chance for one bot."""
    return Random(seed).randrange


def never_search(_game: AnyGame | None = None) -> bool:
    """Stands in for `can_search` where there are no kernels."""
    return False


def always_search(_game: AnyGame | None = None) -> bool:
    """Stands in for `can_search` where there are kernels for all games."""
    return True


def setup_of(game: AnyGame, seats: int, **options: str) -> Setup[Any]:
    """A table with these options."""
    return Setup(seats, from_words(game.OPTIONS, options))


def seen_after(game: AnyGame, state: Any, words: str, seat: int) -> Sight[Any, Any, Any]:  # noqa: ANN401
    """What a seat sees once these moves are made: `0:T 1:4 2:-`, nature is `~`."""
    watch = Observer(game, Seat(seat))
    for word in words.split():
        who, _, what = word.partition(":")
        mover = NATURE if who == "~" else Seat(int(who))
        step = game.apply(state, mover, game.parse(what))
        watch.follow(step)
        state = step.state
    return watch.sight(state)


def sights(
    game: AnyGame, setup: Setup[Any], bot: Bot, seed: int
) -> Iterator[tuple[Sight[Any, Any, Any], Any]]:
    """What a bot is shown that plays at every seat, and what it answers, to the end of a game."""
    nature = draws(seed)
    state = game.start(setup)
    watches = [Observer(game, Seat(seat)) for seat in range(setup.seats)]
    while asked := game.to_act(state):
        seat = asked[0]
        if seat == NATURE:
            action = draw_lot(game.odds(state), nature)
        else:
            sight = watches[seat].sight(state)
            action = bot.act(sight, 1.0)
            yield sight, action
        step = game.apply(state, seat, action)
        for watch in watches:
            watch.follow(step)
        state = step.state


def gifts(four: Setup[Any], turns: int) -> tuple[Any, Observer]:
    """Seats 0 and 1 give each other pieces, dear and cheap by turns, and seat 2 looks on."""
    state: Any = mauer.start(four)
    watch = Observer(mauer, Seat(2))
    for _ in range(turns):
        master = state.table.master
        rival = 1 - master if master < 2 else 0
        for seat in range(4):
            word = "-" if seat in (master, rival) else "1"
            step = mauer.apply(state, Seat(seat), mauer.parse(word))
            watch.follow(step)
            state = step.state
        step = mauer.apply(state, Seat(rival), mauer.legal(state, Seat(rival))[-1])
        watch.follow(step)
        state = step.state
    return state, watch


def masons(walls: str = "", *hands: str, houses: str = "") -> mv.Table:
    """A table of Mauerbauer, seat 0 to build: `masons("h3-j3", "city-1 land-red", "cities")`."""
    start = mauerbauer.start(setup_of(mauerbauer, len(hands), first="0"))
    assert isinstance(start, mv.Dealing)
    held = tuple(in_order(*(Card(word) for word in hand.split())) for hand in hands)
    pile = list(start.table.pile)
    for card in (card for hand in held for card in hand):
        pile.remove(card)
    placed = [mauerbauer.parse(word) for word in houses.split()]
    return replace(
        start.table,
        walls=tuple(walls.split()),
        hands=held,
        pile=tuple(pile),
        houses=tuple(
            (each.field, each.colour) for each in placed if isinstance(each, mv.PlaceHouse)
        ),
    )
