"""Invitations: among people who have played together, once, and only if they are welcome."""

from collections.abc import AsyncIterator
from functools import partial
from typing import TypeVar

import msgspec
import pytest
import sqlalchemy as sa
from tests.support.hosts import with_features

from mauerwerk.server.database.connect import store_at
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.accounts import service
from mauerwerk.server.features.accounts.store import data_of
from mauerwerk.server.features.invitations import store as kept
from mauerwerk.server.features.invitations.store import INVITATIONS, REFUSED_INVITERS
from mauerwerk.server.features.matchmaking.service import Matchmaking
from mauerwerk.server.features.results.store import Met
from mauerwerk.server.tables.charter import Chair, Guest, Order

pytestmark = pytest.mark.anyio

ADA, BEN, EVE = (Guest(f"id-{name}", name) for name in ("Ada", "Ben", "Eve"))

_Made = TypeVar("_Made")


@pytest.fixture
async def host(place: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Host]:
    """A server where Ada and Ben have played, and Eve with nobody."""
    met = {ADA.id: (Met(BEN.id, "Ben", 3),), BEN.id: (Met(ADA.id, "Ada", 3),)}

    def people_met(_: Transaction, guest: str) -> tuple[Met, ...]:
        return met.get(guest, ())

    monkeypatch.setattr(kept, "people_met", people_met)
    made = with_features(Host(store_at(place)))
    await made.open()
    yield made
    await made.close()


async def opened(host: Host) -> str:
    """A table of Ada's that waits for others."""
    order = Order("mauer", (Chair("open"),) * 3, {}, (), public=True)
    table = await host.create(msgspec.structs.replace(order, mine=(0,)), ADA)
    return table.charter.id


async def rule(host: Host, work: "partial[_Made]") -> _Made:
    """Change something."""
    return await host.store.write("test", work)


async def invitations(host: Host, guest: Guest) -> tuple[kept.Invitation, ...]:
    """What a guest is invited to."""
    return await kept.invitations_of(host.store, guest=guest.id)


async def test_people_who_played_together_invite_each_other(host: Host) -> None:
    """Once to a table; strangers cannot."""
    table = await opened(host)
    for _ in range(2):
        assert await rule(host, partial(kept.invite, inviter=ADA, guest=BEN.id, table=table))
    (invited,) = await invitations(host, BEN)
    assert (invited.name, invited.card.id) == ("Ada", table)
    assert not await rule(host, partial(kept.invite, inviter=EVE, guest=BEN.id, table=table))
    assert not await rule(host, partial(kept.invite, inviter=ADA, guest=EVE.id, table=table))
    assert await kept.invited_to(host.store, inviter=ADA.id, table=table) == frozenset({BEN.id})


async def test_an_invitation_is_gone_when_the_game_begins(host: Host) -> None:
    """Or when it was declined."""
    first, second = await opened(host), await opened(host)
    for table in (first, second):
        await rule(host, partial(kept.invite, inviter=ADA, guest=BEN.id, table=table))
    await host.service(Matchmaking).fill(first, "apprentice")
    (left,) = await invitations(host, BEN)
    assert left.card.id == second
    await rule(host, partial(kept.drop_invitation, guest=EVE.id, invitation=left.id))
    assert len(await invitations(host, BEN)) == 1, "nobody else can decline it"
    await rule(host, partial(kept.drop_invitation, guest=BEN.id, invitation=left.id))
    assert await invitations(host, BEN) == ()


async def test_no_invitations_from_somebody(host: Host) -> None:
    """They do not find the person any more, until it is taken back."""
    table = await opened(host)
    await rule(host, partial(kept.invite, inviter=ADA, guest=BEN.id, table=table))
    (invited,) = await invitations(host, BEN)
    await rule(host, partial(kept.refuse_from, guest=BEN.id, invitation=invited.id))
    assert await invitations(host, BEN) == ()
    assert await kept.people_to_invite(host.store, guest=ADA.id) == ()
    assert not await rule(host, partial(kept.invite, inviter=ADA, guest=BEN.id, table=table))
    (refused,) = await kept.uninvited_by(host.store, guest=BEN.id)
    assert refused.name == "Ada"
    await rule(host, partial(kept.allow, guest=BEN.id, other=refused.other))
    assert await rule(host, partial(kept.invite, inviter=ADA, guest=BEN.id, table=table))


async def test_no_invitations_at_all(host: Host) -> None:
    """From nobody."""
    await rule(host, partial(kept.refuse_all, guest=BEN.id))
    await rule(host, partial(kept.refuse_all, guest=BEN.id))
    assert await kept.people_to_invite(host.store, guest=ADA.id) == ()
    await rule(host, partial(kept.allow, guest=BEN.id, other=kept.NOBODY))
    assert len(await kept.people_to_invite(host.store, guest=ADA.id)) == 1


async def test_there_is_an_end_to_inviting(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody floods others."""
    monkeypatch.setattr(kept, "MOST", 1)
    tables = [await opened(host) for _ in range(2)]
    sent = [
        await rule(host, partial(kept.invite, inviter=ADA, guest=BEN.id, table=table))
        for table in tables
    ]
    assert sent == [True, False]


async def test_invitations_go_with_a_person(host: Host) -> None:
    """What they sent and what they got, and who wanted none from them; no ids in what they take."""
    table = await opened(host)
    await rule(host, partial(kept.invite, inviter=ADA, guest=BEN.id, table=table))
    about, _ = await host.store.read(lambda transaction: data_of(transaction, BEN.id, BEN.name))
    said = msgspec.json.encode(about).decode()
    assert '"Ada"' in said
    assert ADA.id not in said
    (invited,) = await invitations(host, BEN)
    await rule(host, partial(kept.refuse_from, guest=BEN.id, invitation=invited.id))
    await service.forget(host.store, ADA)

    def left(transaction: Transaction) -> int:
        both = (INVITATIONS, REFUSED_INVITERS)
        counts = (sa.select(sa.func.count()).select_from(each) for each in both)
        return sum(transaction.connection.scalar(count) or 0 for count in counts)

    assert await host.store.read(left) == 0
