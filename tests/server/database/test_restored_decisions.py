"""After a restore holds what was decided since the backup: nobody comes back who was sent away."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.cli.asking import refused, run
from tests.support.driven_table import ADA, BOB, CLEO
from tests.support.hosts import opened, play, set_up, until

from mauerwerk.core.game import Seat
from mauerwerk.server.database import backup
from mauerwerk.server.database.connect import reading_at
from mauerwerk.server.database.doctor import examine
from mauerwerk.server.database.errors import StorageError
from mauerwerk.server.database.queries import LASTING
from mauerwerk.server.engine.blocklist import Blocked
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.accounts import service, store
from mauerwerk.server.features.moderation import store as moderation
from mauerwerk.server.features.notifications import addresses
from mauerwerk.server.features.notifications.schedule import NotificationPreferences
from mauerwerk.server.features.notifications.store import (
    block_address,
    preferences_of,
    stop_mail,
    store_preferences,
)
from mauerwerk.server.features.results.service import ResultsWorker
from mauerwerk.server.features.results.store import rated_among
from mauerwerk.server.features.retention.store import tables_naming
from mauerwerk.server.http.settings import Backups, Settings

pytestmark = pytest.mark.anyio

Work = Callable[[Host], Awaitable[object]]
NAMES = (ADA, BOB, CLEO)


async def filled(host: Host) -> dict[str, Any]:
    """A server with all that can be taken back later; the tokens and links that people have."""
    options = {"rounds": "1", "stall": "1"}
    letters = "hoo"
    tables: list[str] = []
    for _ in range(2):
        more: dict[str, Any] = {"rated": True, "hints": False, "options": options}
        table = await set_up(host, letters=letters, mine=(Seat(0),), **more)
        for seat, guest in ((1, BOB), (2, CLEO)):
            await host.sit(table, Seat(seat), guest)
        await play(host, table, "0:- 1:- 2:-")
        tables.append(table)
    await host.service(ResultsWorker).count_all()
    codes = tuple(f"0000-0000-0000-000{number}" for number in range(store.CODES))
    await store.keep_codes(host.store, ADA, codes)
    device = await store.add_device(host.store, ADA.id, "Firefox", phone=False)
    passkey = store.Passkey("lost", ADA.id, b"key", 0, "Firefox")
    await store.add_passkey(host.store, passkey)
    for guest in (ADA, CLEO):
        wanted = NotificationPreferences(guest.id, address=f"{guest.name}@post.example")
        await store_preferences(host.store, wanted, host.now())
    await moderation.block(host.store, Blocked.GUEST, "old enemy", "then", None)
    return {
        "tables": tables,
        "codes": codes,
        "device": device,
        "tokens": {guest.name: host.keys.guest_token(guest) for guest in NAMES},
        "on device": host.keys.guest_token(ADA, device),
    }


async def decide(host: Host, kept: dict[str, Any]) -> None:
    """All that people and hosts decide for good."""
    await service.forget(host.store, BOB)
    await moderation.block(host.store, Blocked.GUEST, "eve", "insults", None)
    await moderation.block(host.store, Blocked.NETWORK, "192.0.2.0/24", "", None)
    await moderation.unblock(host.store, Blocked.GUEST, "old enemy")
    await moderation.log_out(host.store, CLEO.id)
    await moderation.rename(host.store, CLEO.id, "Mason")
    await moderation.delete_table(host.store, kept["tables"][0])
    await moderation.void_game(host.store, kept["tables"][1])
    await moderation.close(host.store, closed=True)
    await store.sign_out(host.store, ADA.id, kept["device"])
    await store.drop_passkey(host.store, ADA.id, "lost")
    assert await store.use_code(host.store, kept["codes"][0])
    token = await addresses.token_of(host.store, "victim@post.example")
    await block_address(host.store, token)
    preferences = await preferences_of(host.store, ADA.id)
    assert preferences
    await stop_mail(host.store, preferences.stop)


async def holds(host: Host, kept: dict[str, Any]) -> dict[str, bool]:
    """Which of these decisions hold at a server."""
    decided = await moderation.decisions(host.store)
    ada, cleo = [await preferences_of(host.store, each.id) for each in (ADA, CLEO)]
    person = await store.person_of(host.store, ADA.id)
    assert ada
    assert cleo
    assert person
    token = await addresses.token_of(host.store, "Victim+1@post.example")
    cards = await host.store.tables_of(ADA.id, before=None, most=9)
    rated = await rated_among(host.store, kept["tables"][1:])
    return {
        "Bob is deleted": not await tables_naming(host.store, BOB.id),
        "his name is gone": all(BOB.name not in card.names for card in cards),
        "his token is invalid": host.keys.guest_of(kept["tokens"]["Bob"]) is None,
        "Eve is blocked": host.blocklist.block_of("198.51.100.1", "eve") is not None,
        "a network is blocked": host.blocklist.block_of("192.0.2.7") is not None,
        "an old block is lifted": host.blocklist.block_of("198.51.100.1", "old enemy") is None,
        "Cleo is logged out": host.keys.guest_of(kept["tokens"]["Cleo"]) is None,
        "Cleo's address is forgotten": not cleo.address,
        "Cleo has another name": [each.name for each in decided.guest_statuses if each.name]
        == ["Mason"],
        "a table is deleted": [card.id for card in cards] == kept["tables"][1:],
        "a game is void": not rated,
        "the server is closed": decided.closed,
        "a device is signed out": host.keys.guest_of(kept["on device"]) is None,
        "a passkey is removed": not person.passkeys,
        "a code is used up": person.codes == store.CODES - 1,
        "an address is blocked": await addresses.is_blocked(host.store, token),
        "Ada has no more e-mail": not ada.address,
    }


@pytest.mark.slow
@pytest.mark.parametrize("turned", [False, True], ids=["into", "from"])
async def test_what_was_decided_since_holds_after_a_restore(
    place: str, tmp_path: Path, *, turned: bool
) -> None:
    """From the file beside the backups, into and from either database; all else is as it was."""
    source = place if turned else str(tmp_path / "source")
    target = str(tmp_path / "target") if turned else place
    folder = tmp_path / "backups"
    folder.mkdir()
    settings = Settings(backups=Backups(folder=str(folder)))
    async with opened(source, settings) as host:
        kept = await filled(host)
        assert not any((await holds(host, kept)).values())
        old = folder / "old.db"
        backup.back_up(source, old)
        before = (folder / backup.NOTED).read_bytes()
        await decide(host, kept)
        assert all((await holds(host, kept)).values())

        async def noted() -> bool:
            return (folder / backup.NOTED).read_bytes() != before

        await until(noted)  # as it is decided, without another backup

    done = backup.restore(old, target)
    assert done.tables == 1
    async with opened(target) as host:
        found = await holds(host, kept)
        assert [what for what, held in found.items() if not held] == []
        assert host.keys.guest_of(kept["tokens"]["Ada"]) == ADA
        left = await store.use_code(host.store, kept["codes"][1])
        assert left
    assert not any(each.faults for each in examine(target))
    with reading_at(target) as transaction:
        again = backup.decisions_in(transaction.connection)
    assert {each.id for each in again} >= {
        each.id for each in backup.noted_in(folder / backup.NOTED)
    }


async def test_without_the_file_nothing_is_restored(tmp_path: Path) -> None:
    """One line says why; a host can insist, and gets the backup as it was."""
    async with opened(str(tmp_path / "data")) as host:
        kept = await filled(host)
        backup.back_up(tmp_path / "data", tmp_path / "old.db")
        await decide(host, kept)
    (tmp_path / backup.NOTED).unlink()
    with pytest.raises(StorageError, match=r"no mauerwerk-decisions\.jsonl beside the backup"):
        backup.restore(tmp_path / "old.db", tmp_path / "new")
    assert not (tmp_path / "new").exists()
    place = tmp_path / "new" / "folder"
    assert backup.restore(tmp_path / "old.db", place, as_it_was=True).decisions == 0
    async with opened(str(place)) as host:
        assert not any((await holds(host, kept)).values())


async def test_a_backup_that_knows_everything_is_restored_as_it_is(tmp_path: Path) -> None:
    """Nothing is done twice."""
    async with opened(str(tmp_path / "data")) as host:
        kept = await filled(host)
        await decide(host, kept)
        backup.back_up(tmp_path / "data", tmp_path / "new.db")
    assert backup.restore(tmp_path / "new.db", tmp_path / "again").decisions == 0
    async with opened(str(tmp_path / "again")) as host:
        assert all((await holds(host, kept)).values())


async def test_a_new_secret_is_not_the_old_one_again(tmp_path: Path) -> None:
    """If it leaked, nobody gets in with what was signed by it."""
    async with opened(str(tmp_path / "data")) as host:
        token = host.keys.guest_token(ADA)
        backup.back_up(tmp_path / "data", tmp_path / "old.db")
        await moderation.rotate_secret(host.store, 0)
        backup.back_up(tmp_path / "data", tmp_path / "newer.db")
    backup.restore(tmp_path / "old.db", tmp_path / "again")
    async with opened(str(tmp_path / "again")) as host:
        assert host.keys.guest_of(token) is None


def line(**changes: object) -> bytes:
    """A line of the file."""
    said = backup.Decision("id", 1, 5, "close", '{"closed":true}')
    return msgspec.json.encode(msgspec.structs.replace(said, **changes)) + b"\n"


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (b"nonsense\n", "is damaged"),
        (line(what="fly"), "does not know how to do 'fly' again"),
        (line()[:-9], ""),
        (line() + line(), ""),
        (b"", ""),
    ],
)
async def test_the_file_is_read_with_care(tmp_path: Path, content: bytes, match: str) -> None:
    """A line that was cut off is left out, one that comes twice counts once; others are refused."""
    async with opened(str(tmp_path / "data")):
        backup.back_up(tmp_path / "data", tmp_path / "old.db")
    (tmp_path / backup.NOTED).write_bytes(content)
    if match:
        with pytest.raises(StorageError, match=match):
            backup.restore(tmp_path / "old.db", tmp_path / "new")
    else:
        done = backup.restore(tmp_path / "old.db", tmp_path / "new")
        assert done.decisions == (1 if content.endswith(b"\n") else 0)


async def test_a_line_that_was_cut_off_is_noted_again(tmp_path: Path) -> None:
    """And what is noted after it is no part of it, as it was when a disk had been full."""
    async with opened(str(tmp_path / "data")) as host:
        backup.back_up(tmp_path / "data", tmp_path / "old.db")
        await moderation.close(host.store, closed=True)
        backup.back_up(tmp_path / "data", tmp_path / "newer.db")
        noted = tmp_path / backup.NOTED
        noted.write_bytes(noted.read_bytes()[:-9])
        await moderation.close(host.store, closed=False)
        backup.back_up(tmp_path / "data", tmp_path / "newest.db")

    assert [each.what for each in backup.noted_in(noted)] == ["close", "close"]
    assert backup.restore(tmp_path / "old.db", tmp_path / "new").decisions == 2


async def test_a_file_that_lacks_what_the_backup_knows_is_refused(tmp_path: Path) -> None:
    """It is an older copy, or empty: then later deletions are not in it either."""
    async with opened(str(tmp_path / "data")) as host:
        await moderation.close(host.store, closed=True)
        backup.back_up(tmp_path / "data", tmp_path / "old.db")
    (tmp_path / backup.NOTED).write_bytes(b"")

    with pytest.raises(StorageError, match="the backup knows 1 decision that"):
        backup.restore(tmp_path / "old.db", tmp_path / "new")
    backup.restore(tmp_path / "old.db", tmp_path / "new", as_it_was=True)


async def test_the_command_says_what_it_did(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """How many decisions were done again; or in one line why it does nothing."""
    async with opened(str(tmp_path / "data")) as host:
        backup.back_up(tmp_path / "data", tmp_path / "old.db")
        await moderation.close(host.store, closed=True)
        backup.back_up(tmp_path / "data", tmp_path / "newer.db")
    said = run(capsys, f"restore {tmp_path}/old.db --data {tmp_path}/new")
    assert "1 later decision done again\ndecisions are noted until 20" in said
    (tmp_path / backup.NOTED).unlink()
    said = refused(capsys, f"restore {tmp_path}/old.db --data {tmp_path}/newer")
    assert "--as-it-was" in said
    said = run(capsys, f"restore {tmp_path}/old.db --data {tmp_path}/newer --as-it-was")
    assert "done again" not in said


def test_every_lasting_command_is_tried_here() -> None:
    """Whoever adds one adds it to `decide` or to a test of its own."""
    assert sorted(LASTING) == [
        "block",
        "block-address",
        "close",
        "delete-table",
        "drop-codes",
        "drop-passkey",
        "end-device",
        "forget",
        "forget-address",
        "log-out",
        "log-out-everywhere",
        "rename",
        "rotate-secret",
        "spend-code",
        "unblock",
        "void-game",
    ]
