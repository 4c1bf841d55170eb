"""What can be asked of a table, and the entries that each request makes.

A request is written with a `Transaction`: it looks at the table, refuses what cannot be done, and
adds entries, with whatever nature owes after a move. Nothing counts until the entries are stored.
"""

from collections.abc import Mapping
from typing import Annotated, Final, NamedTuple

from msgspec import Meta

from mauerwerk.bots.levels import LEVELS
from mauerwerk.core import options
from mauerwerk.core.game import NATURE, Seat, Setup, SetupError, StaleMoveError, Value
from mauerwerk.core.language.translation import message
from mauerwerk.core.language.words import listed
from mauerwerk.games import GAMES
from mauerwerk.play.fairness.seed import commitment, nature_word
from mauerwerk.play.tables import given, limits, undo
from mauerwerk.play.tables.chance import Chance, is_by_hand, scribes
from mauerwerk.play.tables.entries import Chair, Charter, Entry, Kind, Status
from mauerwerk.play.tables.errors import KeyReusedError, NotYoursError, RequestError, StaleError
from mauerwerk.play.tables.folding import after, begin
from mauerwerk.play.tables.table import Table

SUBSTITUTE: Final = "journeyman"
"""The bot that plays for who has left or is out of time."""


class Guest(Value):
    """Somebody who plays or watches: a name, and what tells them from others of that name."""

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
    (`play.tables.given`)."""

    chance: Chance = "house"
    """Who brings nature's moves (`play.tables.chance`)."""


class Transaction:
    """Writes entries at the end of a table's log, none of which count until they are stored."""

    def __init__(self, table: Table, seed: bytes, at: int, key: str = "") -> None:
        """Begin where the log ends."""
        self.table = table
        self.entries: tuple[Entry, ...] = ()
        self._seed = seed
        self._at = at
        self._key = key

    def write(  # noqa: PLR0913 - the fields of an entry
        self,
        kind: Kind,
        seat: Seat | None = None,
        *,
        word: str = "",
        number: int | None = None,
        guest: str = "",
        keyed: bool = False,
    ) -> None:
        """Add an entry; the one that answers the request bears its key."""
        entry = Entry(
            seq=self.table.seq,
            at=self._at,
            kind=kind,
            seat=seat,
            word=word,
            number=number,
            guest=guest,
            key=self._key if keyed else "",
        )
        self.table = after(self.table, entry)
        self.entries += (entry,)

    def let_nature_move(self) -> None:
        """Whatever nature owes, unless people enter it."""
        while self.table.waiting == (NATURE,) and not is_by_hand(self.table):
            word = nature_word(self.table.game, self.table.state, self._seed, self.table.seq)
            self.write(Kind.MOVE, NATURE, word=word)


# --- Setting up ------------------------------------------------------------------------------


def charter_for(  # noqa: PLR0913 - what an order does not say
    order: Order, table: str, seed: bytes, at: int, *, before: str = "", opener: str = ""
) -> Charter:
    """What a new table agrees on. Raises SetupError where it could not be played."""
    game = GAMES.get(order.game)
    if game is None:
        raise SetupError(f"there is no game {order.game!r}, only {listed(list(GAMES))}")
    if len(order.chairs) not in game.SEATS:
        raise SetupError(
            message("{game} is for {least} to {most} seats, not {seats}"),
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
    given.check(game, setup, order.moves)
    for seat in order.mine:
        if seat not in range(setup.seats) or order.chairs[seat].kind == "bot":
            raise SetupError(f"seat {seat} is not one to take")
    if not any(chair.kind != "bot" for chair in order.chairs) and not game.must_end(setup):
        raise SetupError(message("bots alone play only what is sure to end"))
    if order.public and (order.chance != "house" or order.moves):
        # Strangers could not know that somebody else brings the dice, or has arranged the game.
        raise SetupError(
            message("a table with dice by hand or a given beginning is not listed: invite")
        )
    if order.chance != "house" and all(chair.kind == "bot" for chair in order.chairs):
        raise SetupError(message("bots cannot roll dice: somebody has to sit there and enter them"))
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
    )


def check_level(level: str) -> None:
    """Refuse what is no level."""
    if level not in LEVELS:
        raise SetupError(f"there is no level {level!r}, only {listed(list(LEVELS))}")


def set_up(charter: Charter, seed: bytes, sitting: Mapping[Seat, Guest]) -> Transaction:
    """A new table with its bots and those who sit from the beginning.

    Raises SetupError where who is to enter all of nature's moves does not sit there.
    """
    guests = {guest.id for guest in sitting.values()}
    if charter.chance == "all" and charter.opener not in guests:
        raise SetupError(message("whoever enters all cards and dice takes a seat at the table"))
    transaction = Transaction(begin(charter), seed, charter.created)
    for seat, chair in enumerate(charter.chairs):
        if chair.kind == "bot":
            transaction.write(Kind.BOT, Seat(seat), word=chair.level)
        elif guest := sitting.get(Seat(seat)):
            transaction.write(Kind.SIT, Seat(seat), word=guest.name, guest=guest.id)
    _start_if_full(transaction)
    return transaction


def _start_if_full(transaction: Transaction) -> None:
    """Begin once every seat is taken, with the moves that were given."""
    if transaction.table.state is None and all(
        occupant.taken for occupant in transaction.table.occupants
    ):
        transaction.write(Kind.START)
        for move in given.moves_of(transaction.table.charter.moves):
            transaction.write(Kind.MOVE, move.seat, word=move.word)
        transaction.let_nature_move()


# --- Coming and going ------------------------------------------------------------------------


def sit(transaction: Transaction, seat: Seat | None, guest: Guest) -> Seat:
    """A guest takes an open seat, this one or any; whoever left it, a bot kept it warm."""
    free = [
        Seat(each)
        for each, chair in enumerate(transaction.table.charter.chairs)
        if chair.kind == "open" and not transaction.table.occupants[each].guest
    ]
    if not free or transaction.table.status is Status.OVER:
        raise RequestError("there is no free seat at this table")
    if seat is not None and seat not in free:
        raise RequestError(f"seat {seat} is not free")
    limits.check_sittings(transaction.table, guest.id)
    taken = free[0] if seat is None else seat
    transaction.write(Kind.SIT, taken, word=guest.name, guest=guest.id, keyed=True)
    _start_if_full(transaction)
    return taken


def claim(transaction: Transaction, seat: Seat, guest: Guest) -> None:
    """Who has a seat's own link takes it if nobody has; its owner comes back, on any device."""
    occupant = transaction.table.occupants[seat]
    if transaction.table.charter.chairs[seat].kind == "bot":
        raise RequestError(f"seat {seat} is a bot's")
    if occupant.guest not in {"", guest.id}:
        # The link was good when it was looked at; somebody else has come by it since.
        raise NotYoursError(f"seat {seat} is somebody else's by now")
    if not occupant.guest:
        limits.check_sittings(transaction.table, guest.id)
        transaction.write(Kind.SIT, seat, word=guest.name, guest=guest.id, keyed=True)
        _start_if_full(transaction)
    elif occupant.level and not limits.too_much_back_and_forth(
        transaction.table, seat, transaction.table.stage
    ):
        transaction.write(Kind.BACK, seat, keyed=True)


def stand(transaction: Transaction, seat: Seat) -> None:
    """A guest leaves: before the game the seat is free again, then a bot plays on."""
    if not transaction.table.occupants[seat].guest:
        raise RequestError(f"nobody sits at seat {seat}")
    if transaction.table.status is Status.OVER:
        raise RequestError("the game is over; nobody needs to leave")
    if transaction.table.state is None:
        transaction.write(Kind.STAND, seat, keyed=True)
    else:
        transaction.write(Kind.BOT, seat, word=SUBSTITUTE, keyed=True)
        _go_on(transaction)


def hand_over(transaction: Transaction, seat: Seat, level: str) -> None:
    """A bot plays for this seat until its owner is back."""
    check_level(level)
    if transaction.table.status is not Status.RUNNING:
        raise RequestError("a bot can take over while the game goes on")
    if not transaction.table.occupants[seat].guest:
        raise RequestError(f"nobody sits at seat {seat}")
    if transaction.table.occupants[seat].level == level:
        return
    limits.check_back_and_forth(transaction.table, seat, transaction.table.stage)
    transaction.write(Kind.AWAY, seat, word=level, keyed=True)
    _go_on(transaction)


def come_back(transaction: Transaction, seat: Seat) -> None:
    """The owner plays again."""
    occupant = transaction.table.occupants[seat]
    if not (occupant.guest and occupant.level):
        raise RequestError(f"no bot plays for seat {seat}")
    limits.check_back_and_forth(transaction.table, seat, transaction.table.stage)
    transaction.write(Kind.BACK, seat, keyed=True)


def run_out(transaction: Transaction) -> None:
    """Bots play for those whose time is up; who has not said that a move may go back is against."""
    if transaction.table.proposal is not None:
        transaction.write(
            Kind.REFUSE, undo.waits_for(transaction.table, transaction.table.proposal)[0]
        )
        return
    for seat in transaction.table.deciding:
        if transaction.table.occupants[seat].person:
            transaction.write(Kind.AWAY, seat, word=SUBSTITUTE)


# --- Playing ---------------------------------------------------------------------------------


def move(transaction: Transaction, seat: Seat, word: str, version: int) -> None:
    """Play a word, or another one instead of a choice that nobody has seen yet."""
    table = transaction.table
    _check_running(table, seat, version)
    limits.check_length(table)
    action = table.game.parse(word)
    chosen = table.choice(seat)
    state = table.state if chosen is None else undo.without_choice(table, seat)
    table.game.apply(state, seat, action)  # raises before anything is written
    if chosen is not None:
        limits.check_back_and_forth(table, seat, table.stage)
    if table.occupants[seat].guest and table.occupants[seat].level:
        transaction.write(Kind.BACK, seat)
    number = None if chosen is None else chosen.seq
    transaction.write(Kind.MOVE, seat, word=word, number=number, keyed=True)
    transaction.let_nature_move()


def enter(transaction: Transaction, seat: Seat, word: str, version: int) -> None:
    """Somebody says what nature did: they rolled the dice, drew the lot or dealt the card."""
    table = transaction.table
    _check_running(table, seat, version)
    limits.check_length(table)
    if not is_by_hand(table):
        raise RequestError("there is nothing to roll, to draw or to deal now")
    if seat not in scribes(table):
        raise NotYoursError("who set up this table enters its cards and dice")
    table.game.apply(table.state, NATURE, table.game.parse(word))  # raises before all else
    transaction.write(Kind.MOVE, NATURE, word=word, guest=table.occupants[seat].guest, keyed=True)
    transaction.let_nature_move()


def play_for(transaction: Transaction, seat: Seat, word: str, version: int) -> None:
    """A bot's move, for its own seat or for who is away."""
    _check_running(transaction.table, seat, version)
    if not transaction.table.occupants[seat].level or transaction.table.proposal:
        raise StaleError(version, transaction.table.number(seat))
    transaction.write(Kind.MOVE, seat, word=word)
    transaction.let_nature_move()


def _check_running(table: Table, seat: Seat, version: int) -> None:
    """Refuse what was thought of for another position."""
    if table.state is None:
        raise RequestError("the game has not begun")
    if table.status is Status.OVER:
        raise StaleMoveError("the game is over")
    if not table.asked[seat] <= version <= table.number(seat):
        raise StaleError(version, table.number(seat))


# --- Taking back -----------------------------------------------------------------------------


def take_back(transaction: Transaction, seat: Seat, version: int) -> None:
    """Take back this seat's last move, or ask whether it may."""
    table = transaction.table
    _check_running(table, seat, version)
    play = undo.last_move(table, seat)
    way = undo.way(table, seat)
    if play is not None and way is not undo.Way.NO:
        limits.check_back_and_forth(table, seat, play.stage)
    match way:
        case undo.Way.FREE if play is not None:
            transaction.write(Kind.UNDO, seat, number=play.seq, keyed=True)
        case undo.Way.ASK if play is not None:
            transaction.write(Kind.ASK, seat, number=play.seq, keyed=True)
        case _:
            raise RequestError("there is nothing to take back")
    transaction.let_nature_move()


def consent(transaction: Transaction, seat: Seat, *, agree: bool) -> None:
    """Say whether a move may be taken back; it is once all agree, unless who asked withdraws."""
    proposal = transaction.table.proposal
    withdrawn = proposal is not None and seat == proposal.seat and not agree
    if proposal is None or not (withdrawn or seat in undo.waits_for(transaction.table, proposal)):
        raise RequestError(f"nobody asks seat {seat} whether a move may be taken back")
    if not agree:
        transaction.write(Kind.REFUSE, seat, keyed=True)
        return
    transaction.write(Kind.AGREE, seat, keyed=True)
    _go_on(transaction)


def _go_on(transaction: Transaction) -> None:
    """Take back what nobody is left to be asked about, and do what nobody is left to enter."""
    proposal = transaction.table.proposal
    if proposal is not None and not undo.waits_for(transaction.table, proposal):
        transaction.write(Kind.UNDO, proposal.seat, number=proposal.number)
    # Where the last person has gone, nobody is left to roll, or to roll again.
    transaction.let_nature_move()


def rematch(transaction: Transaction, table: str) -> None:
    """Play again, at another table."""
    if transaction.table.status is not Status.OVER:
        raise RequestError("a rematch comes after the game")
    if not transaction.table.rematch:
        transaction.write(Kind.REMATCH, word=table)


# --- Repeated requests -----------------------------------------------------------------------


class Request(NamedTuple):
    """Who asks for something that makes entries of these kinds, and the key they gave."""

    who: str | Seat
    """A guest, or a seat."""

    kinds: frozenset[Kind]
    key: str = ""
    word: str = ""
    version: int | None = None
    """The number that it answers, if it does."""

    tenure: int | None = None
    """How often the seat had changed hands when it was found to be theirs; None: no matter."""

    seat: Seat | None = None
    """The seat for which a guest asks, where that is known."""

    @property
    def viewer(self) -> Seat | None:
        """The seat that asks, if it is one."""
        return self.seat if isinstance(self.who, str) else self.who


def check_tenure(table: Table, request: Request) -> None:
    """Refuse who had the seat when they asked, but not any more. Raises NotYoursError."""
    seat = request.viewer
    if seat is not None and request.tenure not in {None, table.occupants[seat].tenure}:
        raise NotYoursError(f"seat {seat} is somebody else's by now")


def answered(table: Table, request: Request) -> int | None:
    """The number that a request with this key got the first time; None if it is new."""
    entry = table.keys.get((request.who, request.key)) if request.key else None
    if entry is None:
        return None
    if entry.kind not in request.kinds or (request.word and entry.word != request.word):
        raise KeyReusedError
    number = table.number_of(entry.seq, entry.seat if request.viewer is None else request.viewer)
    if request.version is not None and request.version >= number:
        # It answers what came of the first one, so it is another.
        raise KeyReusedError
    return number
