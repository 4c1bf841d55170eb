"""Chat at the tables of a host: stored, told to all viewers, and no part of the game."""

import asyncio
from functools import partial

import pytest
from tests.support.driven_table import ADA, BOB, CLEO
from tests.support.hosts import PATIENCE, folder, opened, play, set_up

from mauerwerk.core.game import Seat
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.accounts import service
from mauerwerk.server.features.accounts.store import data_of
from mauerwerk.server.features.chat.messages import Form, Message, Speaker
from mauerwerk.server.features.chat.service import Chat, messages_in
from mauerwerk.server.features.chat.store import messages_at
from mauerwerk.server.features.moderation import store as moderation
from mauerwerk.server.features.retention import store as retention
from mauerwerk.server.features.retention.store import tables_naming
from mauerwerk.server.tables.errors import NoTableError

pytestmark = pytest.mark.anyio
__all__ = ["folder"]

AT_SEAT = Speaker(ADA.id, ADA.name, Seat(0))
WATCHING = Speaker(CLEO.id, CLEO.name)


async def smile(host: Host, table: str, who: Speaker = AT_SEAT) -> Message:
    """Say something."""
    return await host.service(Chat).say(table, who, Form.FACE, "smile")


async def test_what_is_said_is_heard_and_kept(folder: str) -> None:
    """Viewers hear it at once, and the next server of the folder still has it."""
    async with opened(folder) as host:
        table = await set_up(host)
        told = await host.subscribe(table, None, after=None)
        first = await smile(host, table)
        batch = await asyncio.wait_for(told.next(), PATIENCE)
        assert batch is not None
        assert (batch.announcements, batch.notices) == ((first,), ())
    async with opened(folder) as host:
        assert await host.service(Chat).said(table) == (first,)
        assert (await smile(host, table, WATCHING)).number == 2


async def test_chat_is_no_part_of_the_game(folder: str) -> None:
    """The log, the record and the numbers of notices are those of a silent game."""
    async with opened(folder) as host:
        table = await set_up(host, options={"rounds": "1", "stall": "1"})
        before = await host.table(table)
        await smile(host, table)
        assert (await host.table(table)).seq == before.seq
        await play(host, table, "0:- 1:- 2:-")
        assert "smile" not in await host.record(table)


async def test_nobody_chats_at_a_table_that_is_gone(folder: str) -> None:
    """Neither in memory nor in the store."""
    async with opened(folder) as host:
        table = await set_up(host)
        await smile(host, table)
        await host.store.write(
            "page", lambda transaction: moderation.delete_table(transaction, table)
        )
        with pytest.raises(NoTableError):
            await smile(host, table)


async def test_a_guest_takes_what_they_said_along_and_is_forgotten(folder: str) -> None:
    """Also one who only watched; what the others said stays."""
    async with opened(folder) as host:
        table = await set_up(host, BOB)
        await smile(host, table, WATCHING)
        await smile(host, table, Speaker(BOB.id, BOB.name, Seat(0)))
        data, _ = await host.store.read(partial(data_of, guest=CLEO.id, name=CLEO.name))
        assert [each["word"] for each in data["chat"]] == ["smile"]
        assert await service.forget(host.store, CLEO) == 1
        assert [each.guest for each in await host.service(Chat).said(table)] == [BOB.id]
        naming = await tables_naming(host.store, CLEO.id)
        assert naming == ()


async def test_a_new_name_is_the_name_of_what_was_said(folder: str) -> None:
    """The host of the server calls a guest otherwise: nobody is to read the old name."""
    async with opened(folder) as host:
        table = await set_up(host)
        await smile(host, table, WATCHING)
        await moderation.rename(host.store, CLEO.id, "Guest")
        assert [each.name for each in await host.service(Chat).said(table)] == ["Guest"]


async def test_chat_goes_with_the_details_of_a_game(folder: str) -> None:
    """A thinned game has its record, and no chat."""
    async with opened(folder) as host:
        table = await set_up(host, options={"rounds": "1", "stall": "1"})
        await smile(host, table)
        await play(host, table, "0:- 1:- 2:-")
        await host.store.write("policy", lambda transaction: retention.thin(transaction, table, -1))
        assert await messages_at(host.store, table, 0) == ()


@pytest.mark.postgres
async def test_another_server_hears_it(postgresql_url: str) -> None:
    """Viewers of both servers hear what is said at either; numbers are given once."""
    async with opened(postgresql_url) as one, opened(postgresql_url) as other:
        table = await set_up(one)
        await other.service(Chat).prepare(table)  # as pages do: what was said before is known
        told = await other.subscribe(table, None, after=None)
        both = await asyncio.gather(smile(one, table), smile(other, table, WATCHING))
        assert {each.number for each in both} == {1, 2}
        heard: list[Message] = []
        async with asyncio.timeout(30):
            while len(heard) < 2:
                batch = await told.next()
                assert batch is not None
                heard += messages_in(batch)
        assert sorted(each.number for each in heard) == [1, 2]
