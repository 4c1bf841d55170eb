"""How a guest wants a table set up, and the charter that follows from it."""

from typing import Annotated, Final

from msgspec import Meta

from mauerwerk.bots.levels import known_levels
from mauerwerk.core import options
from mauerwerk.core.game import Seat, Setup, Value
from mauerwerk.games import GAMES
from mauerwerk.server.features.chat.messages import TalkRule
from mauerwerk.server.tables import initial_moves
from mauerwerk.server.tables.chance import Chance
from mauerwerk.server.tables.clocks import AWAKE, Clock
from mauerwerk.server.tables.entries import Chair, Charter
from mauerwerk.server.tables.errors import Obstacle, OrderError
from mauerwerk.server.tables.seed import commitment

SLOW: Final = 86_400
"""Seconds for a decision from which on players may take days off."""


class Guest(Value):
    """A person who plays or watches: a name, and an id that tells namesakes apart."""

    id: str
    name: str


class Order(Value):
    """How a guest wants a table set up."""

    game: str
    chairs: tuple[Chair, ...]
    options: dict[str, str]
    mine: tuple[Seat, ...] = ()
    """The seats that the guest takes."""

    public: bool = False
    pace: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    tempo: Annotated[int, Meta(ge=0, le=60_000)] = 800
    hints: bool = True
    moves: tuple[str, ...] = ()
    """Words of a record, such as `0:T` and `~:@2`, with which the game begins
    (`server.tables.initial_moves`)."""

    chance: Chance = "house"
    """Who brings nature's moves (`server.tables.chance`)."""

    clock: Clock = Clock()
    delay: Annotated[int, Meta(ge=-1, le=1_000)] = 0
    talk: TalkRule = "phrases"
    language: str = ""
    evening: str = ""
    """The evening to which the table belongs."""

    rated: bool | None = None
    """Whether it changes ratings; None: if it is played against the clock and can be rated."""


def charter_for(  # noqa: PLR0913 - what an order does not say
    order: Order, table: str, seed: bytes, at: int, *, before: str = "", opener: str = ""
) -> Charter:
    """What a new table agrees on. Raises SetupError where it could not be played."""
    game = GAMES.get(order.game)
    if game is None:
        raise OrderError(Obstacle.NO_SUCH_GAME, game=order.game)
    if len(order.chairs) not in game.SEATS:
        raise OrderError(
            Obstacle.SEATS,
            game=game.TITLE,
            least=game.SEATS[0],
            most=game.SEATS[-1],
            seats=len(order.chairs),
        )
    for chair in order.chairs:
        if chair.kind == "bot" or chair.level:
            check_level(chair.level)
    chosen = options.from_words(game.OPTIONS, order.options)
    setup = Setup(len(order.chairs), chosen)
    game.start(setup)
    initial_moves.check(game, setup, order.moves)
    for seat in order.mine:
        if seat not in range(setup.seats) or order.chairs[seat].kind == "bot":
            raise OrderError(Obstacle.NOT_A_FREE_SEAT, seat=seat)
    if not any(chair.kind != "bot" for chair in order.chairs) and not game.must_end(setup):
        raise OrderError(Obstacle.BOTS_WITHOUT_END)
    if order.public and (order.chance != "house" or order.moves):
        # Strangers could not know that another player brings the dice, or has arranged the game.
        raise OrderError(Obstacle.NOT_LISTED)
    _check_clock(order.pace, order.clock)
    if order.chance != "house" and all(chair.kind == "bot" for chair in order.chairs):
        raise OrderError(Obstacle.BOTS_WITH_DICE)
    if order.rated and order.hints:
        raise OrderError(Obstacle.RATED_WITH_HINTS)
    if order.rated and (order.chance != "house" or order.moves):
        raise OrderError(Obstacle.RATED_BY_HAND)
    return Charter(
        id=table,
        game=order.game,
        rules=game.RULES,
        options=options.to_words(chosen),
        chairs=order.chairs,
        public=order.public,
        pace=order.pace,
        tempo=order.tempo,
        hints=order.hints,
        commitment=commitment(seed),
        created=at,
        before=before,
        opener=opener,
        moves=order.moves,
        chance=order.chance,
        clock=order.clock,
        delay=order.delay,
        talk=order.talk,
        rated=_is_rated(order),
        language=order.language,
        evening=order.evening,
    )


def _check_clock(pace: int, clock: Clock) -> None:
    """Refuse clocks that contradict each other."""
    slow = pace >= SLOW
    rests = clock.days_off > 0 or clock.night != AWAKE
    games = clock.increment or clock.forfeits
    if (clock.total and pace) or (games and not clock.total) or (rests and not slow):
        raise OrderError(Obstacle.CLOCKS)


def _is_rated(order: Order) -> bool:
    """Whether a game counts: as the order says, or else if it is played against the clock.

    With hints, dice by hand or a given beginning it would not show who plays well.
    """
    fair = not order.hints and order.chance == "house" and not order.moves
    return fair and (bool(order.pace or order.clock.total) if order.rated is None else order.rated)


def check_level(level: str) -> None:
    """Refuse what is no level."""
    if level not in known_levels():
        raise OrderError(Obstacle.NO_SUCH_LEVEL, level=level)
