"""Who watches a table hears everything in order, or is cut off."""

import asyncio

import pytest
from tests.play.laying import lay

from mauerwerk.core.game import Seat
from mauerwerk.play.audience import MOST_WAITING, Audience, Bulletin
from mauerwerk.play.errors import LaggingError

pytestmark = pytest.mark.anyio


async def test_what_was_missed_comes_first() -> None:
    """Then what happens, and nothing twice."""
    laid, audience = lay(), Audience()
    told = audience.join(Seat(1), laid.story(1, after=2))
    before = laid.table
    laid.play("0:T")
    audience.tell(before, laid.table)
    audience.close()

    assert [notice.number async for notice in told] == [3, 4, 5]


async def test_viewers_with_the_same_eyes_share_a_bulletin() -> None:
    """Others get one of their own, and who notices nothing gets none."""
    laid, audience = lay(), Audience()
    laid.play("0:T")
    one, two, own = (audience.join(viewer, ()) for viewer in (None, None, Seat(0)))
    before = laid.table
    laid.play("0:4")
    audience.tell(before, laid.table)
    before = laid.table
    laid.play("1:4")
    audience.tell(before, laid.table)

    first, second = await one.next(), await two.next()
    assert first is second
    assert first is not None
    assert [notice.seat for notice in first.notices] == [1]
    mine = await own.next()
    assert mine is not None
    assert mine.notices[0].events[0].plan.piece.value == "4"


async def test_a_reader_waits_until_there_is_something() -> None:
    """However long it takes."""
    audience = Audience()
    told = audience.join(None, ())
    waiting = asyncio.create_task(told.next())
    await asyncio.sleep(0.01)
    assert not waiting.done()
    bulletin = Bulletin(lay().story(None)[:1])
    told.put(bulletin)

    assert await waiting is bulletin


async def test_who_reads_too_slowly_is_cut_off_and_forgotten() -> None:
    """At the first bulletin too many; what waited is let go."""
    audience = Audience()
    told = audience.join(None, ())
    bulletin = Bulletin(lay().story(None)[:1])
    for _ in range(MOST_WAITING):
        told.put(bulletin)
    assert len(audience) == 1
    told.put(bulletin)

    assert len(audience) == 0
    with pytest.raises(LaggingError):
        await told.next()
    told.close()


async def test_who_leaves_is_told_nothing() -> None:
    """Leaving twice is no harm; others stay."""
    audience = Audience()
    told, other = audience.join(Seat(1), ()), audience.join(Seat(1), ())
    told.close()
    told.close()

    assert (len(audience), audience.seats()) == (1, (1,))
    other.close()
    assert audience.seats() == ()
