"""Whom a notification reaches: on devices that are signed in, at addresses that are confirmed."""

import pytest
from tests.support.driven_table import ADA
from tests.support.hosts import folder, opened
from tests.support.notifications import (
    BY_MAIL,
    PHONE,
    TABLET,
    Clock,
    Postbox,
    notify,
    notifying,
    table_of_two,
    wants_notifications,
)

from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.accounts import store
from mauerwerk.server.features.accounts.service import forget
from mauerwerk.server.features.notifications.store import (
    Result,
    confirm,
    devices_of,
    preferences_of,
    stop_mail,
    store_device,
)

pytestmark = pytest.mark.anyio

__all__ = ["folder"]  # pytest finds a fixture by its name


async def test_a_device_that_is_gone_is_dropped(
    folder: str, clock: Clock, postbox: Postbox
) -> None:
    async with notifying(folder, clock, postbox) as host:
        await wants_notifications(host)
        await table_of_two(host)
        postbox.result = Result.GONE
        clock.pass_by(11)
        await notify(host)
        assert await devices_of(host.store, ADA.id) == {}


async def test_an_address_counts_once_it_is_confirmed(
    folder: str, clock: Clock, postbox: Postbox
) -> None:
    """And no longer once its owner has said so, by a link that needs no name."""
    async with notifying(folder, clock, postbox) as host:
        await wants_notifications(host, BY_MAIL, mail="yes")
        await table_of_two(host)
        clock.pass_by(11)
        await notify(host)
        assert [message.channel for message in postbox.sent] == ["confirm"]
        kept = postbox.sent[0].preferences
        assert await confirm(host.store, "x" + kept.proof, 1) is None
        await confirm(host.store, kept.proof, host.now())
        await notify(host)
        await notify(host)
        assert [message.channel for message in postbox.sent] == ["confirm", "email"]

        assert await stop_mail(host.store, kept.stop)
        await table_of_two(host)
        clock.pass_by(11)
        await notify(host)
        assert len(postbox.sent) == 2
        assert await stop_mail(host.store, kept.stop)
        assert not await stop_mail(host.store, "")


async def test_an_address_that_nobody_confirms_is_forgotten(
    folder: str, clock: Clock, postbox: Postbox
) -> None:
    """It may be somebody else's; after a week neither it nor its link is there any more."""
    async with notifying(folder, clock, postbox) as host:
        await wants_notifications(host, BY_MAIL, mail="yes")
        await notify(host)
        proof = postbox.sent[0].preferences.proof
        for days, address in ((6, "ada@post.example"), (2, "")):
            clock.pass_by(days * 86_400)
            await notify(host)
            kept = await preferences_of(host.store, ADA.id)
            assert kept is not None
            assert kept.address == address
        assert await confirm(host.store, proof, host.now()) is None
        assert len(postbox.sent) == 1


async def test_who_is_forgotten_is_not_called(folder: str, clock: Clock, postbox: Postbox) -> None:
    async with notifying(folder, clock, postbox) as host:
        await wants_notifications(host)
        await table_of_two(host)
        await notify(host)
        await forget(host.store, ADA)
        clock.pass_by(60)
        await notify(host)
        assert postbox.sent == []
        assert await preferences_of(host.store, ADA.id) is None


async def test_a_device_that_is_signed_out_takes_no_pushes(folder: str) -> None:
    """Neither alone nor with all others."""
    async with opened(folder) as host:

        def sign_in(transaction: Transaction) -> str:
            device = store.add_device(transaction, ADA.id, "Phone", phone=True)
            store_device(transaction, ADA.id, PHONE, host.now(), device)
            store_device(transaction, ADA.id, TABLET, host.now())
            return device

        device = await host.store.write("", sign_in)
        await store.end_device(host.store, ADA.id, device)
        left = await devices_of(host.store, ADA.id)
        assert list(left.values()) == [TABLET]
        await store.log_out_everywhere(host.store, ADA.id)
        assert await devices_of(host.store, ADA.id) == {}


async def test_an_address_is_asked_for_again_after_logging_out_everywhere(
    folder: str, clock: Clock, postbox: Postbox
) -> None:
    """The mailbox may be in other hands, and links to seats would go on letting them in."""
    async with notifying(folder, clock, postbox) as host:
        await wants_notifications(host, BY_MAIL, mail="yes")
        await table_of_two(host)
        await notify(host)
        proof = postbox.sent[0].preferences.proof
        await confirm(host.store, proof, host.now())
        await store.log_out_everywhere(host.store, ADA.id)
        clock.pass_by(11)
        await notify(host)
        assert [message.channel for message in postbox.sent] == ["confirm"]
        assert await confirm(host.store, proof, host.now()) is None
        kept = await preferences_of(host.store, ADA.id)
        assert kept is not None
        assert (kept.address, kept.pace) == ("", BY_MAIL.pace)
