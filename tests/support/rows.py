"""Tables as a store sees them: what they say does not matter to it."""

from mauerwerk.core.game import Seat
from mauerwerk.server.database import rows
from mauerwerk.server.database.store import Store
from mauerwerk.server.tables.charter import Chair, Charter
from mauerwerk.server.tables.log import Entry, Kind
from mauerwerk.server.tables.table import Card, Status

SEED = bytes(range(32))
OWNERS = ("ann", "", "bob")


def charter(name: str = "first", *, public: bool = True) -> Charter:
    """A table for three."""
    return Charter(
        id=name,
        game="mauer",
        rules=1,
        options={"rounds": "2"},
        chairs=(Chair("human"), Chair("bot", "easy"), Chair("open")),
        public=public,
        seconds_per_move=60,
        bot_delay_ms=400,
        hints=False,
        commitment="c" * 64,
        created=1_000,
    )


def card(
    name: str = "first",
    *,
    changed: int = 2_000,
    status: Status = Status.OPEN,
    public: bool = True,
    due: int | None = None,
) -> Card:
    """What the lobby shows of it."""
    return Card(
        id=name,
        game="mauer",
        seats=3,
        public=public,
        status=status,
        created=1_000,
        changed=changed,
        names=("Ann", "Bot", "Bob"),
        levels=("", "easy", ""),
        waiting=(Seat(0),),
        due=due,
    )


def moves(first: int, words: str) -> tuple[Entry, ...]:
    """A batch of moves, from this number on: `T 4 -`."""
    return tuple(
        Entry(seq=first + n, at=5_000 + n, kind=Kind.MOVE, seat=Seat(0), word=word, key="k")
        for n, word in enumerate(words.split())
    )


SAT = (
    Entry(seq=0, at=1_500, kind=Kind.SIT, seat=Seat(0), word="Änn 🧱", guest="ann", key="x"),
    Entry(seq=1, at=1_600, kind=Kind.BOT, seat=Seat(1), word="easy"),
)


async def keep_table(
    store: Store,
    name: str = "first",
    *,
    changed: int = 2_000,
    public: bool = True,
    owners: tuple[str, ...] = OWNERS,
) -> None:
    """Keep a new table at which two have sat down."""
    shown = card(name, changed=changed, public=public)
    await store.put(rows.creation(charter(name, public=public), SEED, SAT, shown, owners))


async def play(store: Store, name: str, first: int, words: str, changed: int = 3_000) -> None:
    """Add moves to a table's log."""
    shown = card(name, changed=changed, status=Status.RUNNING)
    await store.put(rows.change(name, moves(first, words), shown, OWNERS, None))


async def words_at(store: Store, name: str) -> list[str]:
    """The words in a table's log; the numbers must have no gaps."""
    log = await store.entries(name, 0)
    assert [entry.seq for entry in log] == list(range(len(log)))
    return [entry.word for entry in log]
