"""What a table agrees on when it is set up, and the orders that lead to it."""

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

from msgspec import Meta

from mauerwerk.bots.levels import known_levels
from mauerwerk.core import options, record
from mauerwerk.core.game import NATURE, AnyGame, Seat, Setup, Value
from mauerwerk.core.language import listed
from mauerwerk.core.record import Move, Record, RecordError
from mauerwerk.games import GAMES
from mauerwerk.server.tables.clocks import AWAKE, Clock
from mauerwerk.server.tables.errors import Obstacle, OrderError
from mauerwerk.server.tables.seed import Draws, commitment

SLOW: Final = 86_400
"""Seconds for a decision from which on players may take days off."""

MOST_GIVEN: Final = 3_000
"""The most moves that may be given; no game that people play is nearly as long."""

ChatRule: TypeAlias = Literal["off", "phrases", "free"]
"""What may be said: nothing, faces and phrases, or also free text."""


def stricter(one: ChatRule, other: ChatRule) -> ChatRule:
    """What may be said where both the server and the table allow it."""
    rules = get_args(ChatRule)
    return one if rules.index(one) < rules.index(other) else other


Dice: TypeAlias = Literal["server", "players", "scribe"]
"""Where nature's moves come from: the seed of the table, or people who roll and deal themselves.

`server`: all of nature's moves are drawn from the seed.
`players`: people roll and enter what all of them see alike and may remember: dice, and the lot that
decides who begins. What a player must not know, or what the game wants players to remember, is
drawn from the seed: cards that are dealt, cards that lie face down.
`scribe`: the guest who set up the table enters all of nature's moves, and so knows all of them. A
game that is played with the printed pieces is recorded in this way.

A move of nature with only one outcome is not asked for. Nor is any other once no person is left at
the table: what bots need then is drawn from the seed.
"""


class Chair(Value):
    """What a seat is set out for: anybody, somebody with its link, or a bot of some level."""

    kind: Literal["open", "human", "bot"]
    level: str = ""


class Charter(Value):
    """What a table agrees on when it is set up. It never changes."""

    id: str
    """The table's name in links; it cannot be guessed."""

    game: str
    rules: int
    options: dict[str, str]
    """The game's options, as words."""

    chairs: tuple[Chair, ...]
    public: bool
    """Whether the lobby lists it."""

    seconds_per_move: int
    """Seconds for a decision; then a bot plays for the seat. 0: no limit."""

    bot_delay_ms: int
    """Milliseconds that a bot lets pass before it acts, so that people can follow."""

    hints: bool
    """Whether a seat may ask a bot for advice."""

    commitment: str
    """The hash of the seed that all of nature's moves come from."""

    created: int
    """Milliseconds since 1970."""

    before: str = ""
    """The table of which this is the rematch."""

    opener: str = ""
    """The guest who set it up and hands out the links of its seats. This is told to nobody."""

    moves: tuple[str, ...] = ()
    """Words of a record with which the game begins; they were given, not played or drawn here."""

    dice: Dice = "server"

    clock: Clock = Clock()
    """How time is measured, beside the seconds per move."""

    spectator_delay: int = 0
    """By how many moves spectators are behind; -1: they see nothing before the end."""

    chat: ChatRule = "phrases"
    """What may be said at the table."""

    rated: bool = False
    """Whether the game changes the ratings of its players."""

    language: str = ""
    """The language of the player who set it up; empty where nobody said."""

    evening: str = ""
    """The evening to which it belongs. Only its players are told."""

    draws: Draws = "entry"
    """How nature's moves follow from the seed; tables of earlier versions say nothing."""

    @property
    def given(self) -> int:
        """How many moves were given: the first plays of the table, which cannot be taken back."""
        return len(self.moves)


# --- Orders ------------------------------------------------------------------------------------


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
    seconds_per_move: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    bot_delay_ms: Annotated[int, Meta(ge=0, le=60_000)] = 800
    hints: bool = True
    moves: tuple[str, ...] = ()
    """Words of a record, such as `0:T` and `~:@2`, with which the game begins."""

    dice: Dice = "server"

    clock: Clock = Clock()
    spectator_delay: Annotated[int, Meta(ge=-1, le=1_000)] = 0
    chat: ChatRule = "phrases"
    language: str = ""
    evening: str = ""
    """The evening to which the table belongs."""

    rated: bool | None = None
    """Whether it changes ratings; None: if it is played against the clock and can be rated."""


def game_named(name: str) -> AnyGame:
    """The game of this name. Raises OrderError where there is none."""
    if name not in GAMES:
        raise OrderError(Obstacle.NO_SUCH_GAME, game=repr(name), games=listed(list(GAMES)))
    return GAMES[name]


def check_seats(game: AnyGame, seats: int) -> None:
    """Raise OrderError where a game is not for this many."""
    if seats not in game.SEATS:
        least, most = game.SEATS[0], game.SEATS[-1]
        raise OrderError(Obstacle.SEATS, game=game.TITLE, least=least, most=most, seats=seats)


def charter_for(  # noqa: PLR0913 - what an order does not say
    order: Order, table: str, seed: bytes, at: int, *, before: str = "", opener: str = ""
) -> Charter:
    """What a new table agrees on. Raises SetupError where it could not be played."""
    game = game_named(order.game)
    check_seats(game, len(order.chairs))
    for chair in order.chairs:
        if chair.kind == "bot" or chair.level:
            check_level(chair.level)
    chosen = options.from_words(game.OPTIONS, order.options)
    setup = Setup(len(order.chairs), chosen)
    game.start(setup)
    _check_initial_moves(game, setup, order.moves)
    for seat in order.mine:
        if seat not in range(setup.seats) or order.chairs[seat].kind == "bot":
            raise OrderError(Obstacle.NOT_A_FREE_SEAT, seat=seat)
    if not any(chair.kind != "bot" for chair in order.chairs) and not game.must_end(setup):
        raise OrderError(Obstacle.BOTS_WITHOUT_END)
    if order.public and (order.dice != "server" or order.moves):
        # Strangers could not know that another player brings the dice, or has arranged the game.
        raise OrderError(Obstacle.NOT_LISTED)
    _check_clock(order.seconds_per_move, order.clock)
    if order.dice != "server" and all(chair.kind == "bot" for chair in order.chairs):
        raise OrderError(Obstacle.BOTS_WITH_DICE)
    if order.rated and order.hints:
        raise OrderError(Obstacle.RATED_WITH_HINTS)
    if order.rated and options.house_rules(chosen):
        raise OrderError(Obstacle.RATED_HOUSE_RULES)
    if order.rated and (order.dice != "server" or order.moves):
        raise OrderError(Obstacle.RATED_BY_HAND)
    agreed = shared(order)
    agreed.update(
        options=options.to_words(chosen), rated=_is_rated(order) and not options.house_rules(chosen)
    )
    return Charter(
        **agreed,
        id=table,
        rules=game.RULES,
        commitment=commitment(seed),
        created=at,
        before=before,
        opener=opener,
        draws="turn",
    )


def house_rules_of(charter: Charter) -> dict[str, str]:
    """What this table plays otherwise than printed."""
    kinds = GAMES[charter.game].OPTIONS
    return options.house_rules(options.from_words(kinds, charter.options))


def shared(terms: Order | Charter) -> dict[str, Any]:
    """What an order and a charter both say."""
    both = [name for name in Order.__struct_fields__ if name in Charter.__struct_fields__]
    return {name: getattr(terms, name) for name in both}


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
    fair = not order.hints and order.dice == "server" and not order.moves
    return fair and (
        bool(order.seconds_per_move or order.clock.total) if order.rated is None else order.rated
    )


def check_level(level: str) -> None:
    """Refuse what is no level."""
    if level not in known_levels():
        levels = listed(list(known_levels()))
        raise OrderError(Obstacle.NO_SUCH_LEVEL, level=repr(level), levels=levels)


# --- Moves with which a table begins -----------------------------------------------------------

# A game that was begun elsewhere is continued here. Its moves are words of a record, `0:T` or
# `~:@2`, nature's among them, and the log has them as ordinary moves. The charter says that they
# were given: they are not checked against the seed, and cannot be taken back.


def _check_initial_moves(game: AnyGame, setup: Setup[Any], words: Sequence[str]) -> None:
    """Play these words from the start. Raises OrderError where the game cannot continue.

    The record reads them, a word a line, so that a fault is told as it would be of a record.
    """
    if not words:
        return
    if len(words) > MOST_GIVEN:
        raise OrderError(Obstacle.TOO_MANY_GIVEN, most=MOST_GIVEN, moves=len(words))
    head = record.write(game, Record(game.NAME, game.RULES, setup))
    try:
        played = record.read(head + "\n".join(words), {game.NAME: game})
    except RecordError as fault:
        because = str(fault).removeprefix(f"line {fault.line}: ")
        raise OrderError(Obstacle.GIVEN_UNREADABLE, move=fault.line - 1, because=because) from fault
    if [str(move) for move in played.moves] != list(words):
        raise OrderError(Obstacle.GIVEN_NOT_WORDS)
    state = game.start(setup)
    for _, step in record.replay(game, played):
        state = step.state
    if not game.to_act(state):
        raise OrderError(Obstacle.GIVEN_TO_THE_END)


def initial_moves(words: Sequence[str]) -> tuple[Move, ...]:
    """These words, which were checked before, as moves."""
    split = (word.partition(":") for word in words)
    return tuple(Move(NATURE if who == "~" else Seat(int(who)), word) for who, _, word in split)
