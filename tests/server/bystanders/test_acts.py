"""Whatever somebody does by the API or on a page, all others are left alone."""

import pytest
from tests.server.bystanders import law
from tests.server.bystanders.acts import accounts, evenings, lobby, moderation, table
from tests.server.bystanders.conftest import Built
from tests.server.bystanders.law import Act
from tests.support.amounts import amount

pytestmark = pytest.mark.anyio


async def check(act: Act, built: Built) -> None:
    """Do it, and compare what everybody else sees and is told."""
    async with built.opened() as world:
        broken = await law.broken(act, world, built.before)
        assert not broken, broken


def by_name(*acts: Act) -> pytest.MarkDecorator:
    """A test for each of these, in `make quick` for every eighth: each looks at many pages."""
    return pytest.mark.parametrize("act", acts[:: amount(8, 1, 1)], ids=lambda act: act.name)


@by_name(*table.ACTS)
async def test_at_a_table(act: Act, built: Built) -> None:
    """Those at other tables notice nothing, and at the same one each seat is its player's own."""
    await check(act, built)


@by_name(*lobby.ACTS)
async def test_on_the_way_to_a_table(act: Act, built: Built) -> None:
    """Those who play notice nothing, and those who wait only who joins them."""
    await check(act, built)


@by_name(*accounts.ACTS)
async def test_about_oneself(act: Act, built: Built) -> None:
    """What people do about themselves is theirs alone."""
    await check(act, built)


@by_name(*evenings.ACTS)
async def test_at_an_evening(act: Act, built: Built) -> None:
    """It is for those who take part."""
    await check(act, built)


@by_name(*moderation.ACTS)
async def test_by_those_who_run_the_server(act: Act, built: Built) -> None:
    """A decision about one is about nobody else."""
    await check(act, built)
