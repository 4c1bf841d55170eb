"""The law of bystanders on PostgreSQL: the same acts touch the same people as with a file."""

import pytest
from tests.server.bystanders import law
from tests.server.bystanders.acts import accounts, evenings, lobby, moderation, table
from tests.server.bystanders.conftest import Built
from tests.server.bystanders.law import Act

pytestmark = [pytest.mark.anyio, pytest.mark.postgres, pytest.mark.slow]

DIFFERENT = {
    "have one's data deleted",
    "have one's data deleted in the middle of a game",
    "have one's data deleted at a late table",
    "log out everywhere else",
    "be on the leaderboard",
    "find a game",
    "find another game",
    "accept an invitation",
    "swap two people",
    "start a round",
    "end a game",
    "delete a table",
    "block a guest",
    "block a guest who waits",
    "rename a guest",
    "replace the secret",
    "move",
    "take back on the page",
    "leave a late table",
    "play again",
    "say something",
}
"""Acts that read or write in another way there, or at several tables; the others run in
`make thorough`."""

ACTS = (*table.ACTS, *lobby.ACTS, *accounts.ACTS, *evenings.ACTS, *moderation.ACTS)


def test_it_is_the_same_world(built: Built, built_on_postgresql: Built) -> None:
    """A backup that is restored elsewhere shows everybody what they saw, byte for byte."""
    assert law.changes(built.before, built_on_postgresql.before, "") == {}


def test_acts_are_named_as_they_are_called() -> None:
    """Or one would be left out in silence."""
    assert {act.name for act in ACTS} >= DIFFERENT


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(act, marks=() if act.name in DIFFERENT else pytest.mark.thorough)
        for act in ACTS
    ],
    ids=lambda act: act.name,
)
async def test_all_others_are_left_alone(act: Act, built_on_postgresql: Built) -> None:
    """Whatever somebody does there."""
    async with built_on_postgresql.opened() as world:
        broken = await law.broken(act, world, built_on_postgresql.before)
        assert not broken, broken
