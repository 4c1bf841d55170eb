"""Who watches a table hears everything in order, or is cut off."""

import asyncio

import pytest
from tests.support.driven_table import start_table

from mauerwerk.core.game import Seat
from mauerwerk.server.engine.audience import Audience, NoticeBatch
from mauerwerk.server.engine.limits import HostLimits
from mauerwerk.server.tables.errors import LaggingError

pytestmark = pytest.mark.anyio


async def test_what_was_missed_comes_first() -> None:
    """A viewer first gets what they missed, then what happens, and nothing twice."""
    driven, audience = start_table(), Audience()
    told = audience.join(driven.snapshot, Seat(1), [driven.history(1, after=2)])
    before = driven.snapshot
    driven.play("0:T")
    audience.tell(before, driven.snapshot)
    audience.close()

    heard: list[int] = []
    while batch := await told.next():
        heard += [notice.number for notice in batch.notices]
    assert heard == [3, 4, 5]


async def test_one_who_missed_much_lets_others_go_between() -> None:
    """Each page of what was missed is made in a turn of its own."""
    driven, audience = start_table(), Audience()
    order: list[str] = []

    async def read(name: str) -> None:
        told = audience.join(driven.snapshot, None, [driven.history(None)] * 3)
        for _ in range(3):
            await told.next()
            order.append(name)

    await asyncio.gather(read("one"), read("other"))

    assert order == ["one", "other"] * 3


async def test_viewers_who_see_the_same_share_a_batch() -> None:
    """Viewers who see the same share a batch; a viewer who notices nothing gets none."""
    driven, audience = start_table(), Audience()
    driven.play("0:T")
    one, two, own = (audience.join(driven.snapshot, viewer, ()) for viewer in (None, None, Seat(0)))
    before = driven.snapshot
    driven.play("0:4")
    audience.tell(before, driven.snapshot)
    before = driven.snapshot
    driven.play("1:4")
    audience.tell(before, driven.snapshot)

    first, second = await one.next(), await two.next()
    assert first is second
    assert first is not None
    assert [notice.seat for notice in first.notices] == [1]
    mine = await own.next()
    assert mine is not None
    assert mine.notices[0].events[0].plan.piece.value == "4"


async def test_a_reader_waits_until_there_is_something() -> None:
    """Reading waits for the next batch, however long it takes."""
    audience = Audience()
    told = audience.join(start_table().snapshot, None, ())
    waiting = asyncio.create_task(told.next())
    for _ in range(10):
        await asyncio.sleep(0)  # there is nothing else to do
    assert not waiting.done()
    batch = NoticeBatch(start_table().history(None)[:1])
    told.put(batch)

    assert await waiting is batch


async def test_a_viewer_who_reads_too_slowly_is_cut_off() -> None:
    """One batch too many ends the subscription, and what waited is freed."""
    audience = Audience()
    told = audience.join(start_table().snapshot, None, ())
    batch = NoticeBatch(start_table().history(None)[:1])
    for _ in range(HostLimits().unread_notices):
        told.put(batch)
    assert len(audience) == 1
    told.put(batch)

    assert len(audience) == 0
    with pytest.raises(LaggingError):
        await told.next()
    told.close()


async def test_a_viewer_who_has_left_is_told_nothing() -> None:
    """A viewer who has left gets nothing, others still do, and leaving twice does no harm."""
    audience = Audience()
    snapshot = start_table().snapshot
    told, other = (audience.join(snapshot, Seat(1), ()) for _ in range(2))
    told.close()
    told.close()

    assert (len(audience), set(audience.viewers)) == (1, {1})
    other.close()
    assert not audience.viewers
