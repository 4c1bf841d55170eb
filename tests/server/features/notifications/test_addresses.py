"""Nobody can have somebody else's mailbox filled, and whoever owns it can end it."""

import asyncio

import pytest
import sqlalchemy as sa
from tests.support.hosts import opened
from tests.support.notifications import Clock

from mauerwerk.server.database.store import Store
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.notifications import addresses
from mauerwerk.server.features.notifications.addresses import A_DAY, A_MONTH, AddressError
from mauerwerk.server.features.notifications.schedule import NotificationPreferences
from mauerwerk.server.features.notifications.store import (
    OUTBOX,
    Lane,
    allow_address,
    block_address,
    claim,
    confirm,
    preferences_of,
    store_preferences,
)
from mauerwerk.server.keys import DAY

pytestmark = pytest.mark.anyio

VICTIM = "victim@post.example"
ALIASES = (VICTIM, "Victim@Post.Example", "victim+1@post.example", "v.ictim+x@post.example")


async def enter(store: Store, guest: str, address: str, now: int, most: int = 100) -> bool:
    """Somebody enters an address; whether it was taken."""
    wanted = NotificationPreferences(guest, address=address)
    try:
        await store_preferences(store, wanted, now, most)
    except AddressError:
        return False
    return True


async def letters(store: Store) -> list[str]:
    """Where letters go that wait to be sent."""
    wanted = sa.select(OUTBOX.c.target).where(OUTBOX.c.channel == "confirm")
    return await store.read(lambda transaction: list(transaction.connection.scalars(wanted)))


async def test_a_mailbox_gets_few_letters_whoever_asks(hosts: tuple[Host, Host]) -> None:
    """Sixty guests at two servers at once, each of whom writes the address a little differently."""
    entered = [
        enter(hosts[number % 2].store, f"guest {number}", ALIASES[number % len(ALIASES)], 1_000)
        for number in range(60)
    ]
    assert sum(await asyncio.gather(*entered)) == A_DAY
    assert len(await letters(hosts[0].store)) == A_DAY
    assert await enter(hosts[0].store, "bystander", "other@post.example", 1_000)


async def test_what_is_refused_changes_nothing(store: Store) -> None:
    """The guest keeps the address that they had."""
    for number in range(A_DAY):
        assert await enter(store, f"guest {number}", VICTIM, 1_000)
    assert await enter(store, "eve", "eve@post.example", 1_000)
    assert not await enter(store, "eve", VICTIM, 1_000)
    kept = await preferences_of(store, "eve")
    assert kept
    assert kept.address == "eve@post.example"


async def test_there_are_more_after_a_while(store: Store) -> None:
    """So many a day and a month, counted from the first."""
    taken = 0
    for day in range(29):
        for number in range(A_DAY + 1):
            taken += await enter(store, f"guest {day}-{number}", VICTIM, day * DAY)
    assert taken == A_MONTH
    assert not await enter(store, "later", VICTIM, 30 * DAY - 1)
    assert await enter(store, "later", VICTIM, 30 * DAY)


async def test_all_addresses_together_get_so_many_an_hour(store: Store) -> None:
    """However many clients ask."""
    hour = 3_600_000
    taken = [await enter(store, f"{n}", f"g{n}@post.example", 0, 5) for n in range(8)]
    assert taken == [True] * 5 + [False] * 3
    assert not await enter(store, "x", "x@post.example", hour - 1, 5)
    assert await enter(store, "x", "x@post.example", hour, 5)


async def test_the_owner_blocks_an_address(store: Store) -> None:
    """For everybody, also those who confirmed it, and for what waits; and can undo that."""
    for guest, address in (("ada", VICTIM), ("eve", ALIASES[2]), ("bob", "bob@post.example")):
        assert await enter(store, guest, address, 1_000)
    known = await preferences_of(store, "ada")
    assert known
    await confirm(store, known.proof, 1_000)
    token = await addresses.token_of(store, ALIASES[1])
    assert not await addresses.is_blocked(store, token)
    await block_address(store, token)
    for guest, address in (("ada", ""), ("eve", ""), ("bob", "bob@post.example")):
        kept = await preferences_of(store, guest)
        assert kept
        assert (kept.address, kept.confirmed) == (address, None)
    assert await letters(store) == ["bob@post.example"]
    assert not await enter(store, "mallory", VICTIM, 40 * DAY)
    assert await allow_address(store, token)
    for wrong in ("", "x", f"{token}x", f"x{token}", token.partition(".")[0]):
        assert not await block_address(store, wrong)
        assert not await allow_address(store, wrong)
    assert await enter(store, "ada", VICTIM, 40 * DAY)


async def test_a_blocked_address_gets_nothing_that_waits(store: Store) -> None:
    """Also where the letter was put there by a server that did not know of it yet."""
    assert await enter(store, "ada", VICTIM, 1_000)
    token = await addresses.token_of(store, VICTIM)
    await store.write("test", lambda each: addresses.set_blocked(each, token, blocked=True))

    async def claimed() -> int:
        way = frozenset({"confirm"})
        return len(await store.write("test", lambda each: claim(each, Lane(way, 9), 9, 2_000)))

    assert await claimed() == 0


async def test_no_address_is_kept_in_the_clear(store: Store) -> None:
    """What counts letters and blocks has a hash that only this database can make."""
    assert await enter(store, "ada", VICTIM, 1_000)
    await block_address(store, await addresses.token_of(store, VICTIM))

    tables = (addresses.CONFIRMATIONS, addresses.BLOCKED_ADDRESSES)
    rows = await store.read(lambda each: [each.execute(sa.select(table)).all() for table in tables])
    assert all(rows)
    assert "victim" not in str(rows)


async def test_databases_hash_differently(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A link of one server is of no use at another."""
    tokens: set[str] = set()
    for name in ("one", "other"):
        async with opened(str(tmp_path_factory.mktemp(name)), clock=Clock()) as host:
            tokens.add(await addresses.token_of(host.store, VICTIM))
            tokens.add(await addresses.token_of(host.store, ALIASES[1]))
    assert len(tokens) == 2
