"""Games from a saved file: they join those that are here, and nothing is overwritten."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tests.pocket.test_server import ADDRESS, JSON, ask

from mauerwerk.pocket.bringing import NotBroughtError
from mauerwerk.pocket.server import Pocket
from mauerwerk.server.database.connect import FILE
from mauerwerk.server.database.doctor import examine

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Device:
    """A browser with its own games."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    async def open(self) -> Pocket:
        """Start the server."""
        return await Pocket.open(str(self.folder), ADDRESS)

    async def begin(self) -> str:
        """Begin a game for two at this device; its table."""
        pocket = await self.open()
        order = {"name": "Ada", "seat-1": "here", "seat-2": "nobody"}
        body = "&".join(f"{name}={value}" for name, value in order.items())
        _, headers, said = await ask(pocket, "/new/burgbaumeister", body)
        await pocket.close()
        assert "location" in headers, said
        return headers["location"].removeprefix("/play/app/t/").partition("?")[0]

    async def play(self, table: str, moves: int = 1) -> None:
        """Play moves there, whoever's turn it is."""
        pocket = await self.open()
        path = f"/api/tables/{table}"
        for _ in range(moves):
            shown = [json.loads((await ask(pocket, f"{path}?seat={seat}"))[2]) for seat in (0, 1)]
            seat = next(seat for seat in (0, 1) if shown[seat]["seats"][seat]["asked"])
            view = shown[seat]
            move = {"seat": seat, "move": view["legal"][-1]["move"], "version": view["number"]}
            status, _, said = await ask(pocket, f"{path}/moves", json.dumps(move), content=JSON)
            assert status == 200, said
        await pocket.close()

    async def bring(self, content: bytes) -> int:
        """Open a saved file."""
        pocket = await self.open()
        try:
            return await pocket.bring(content)
        finally:
            await pocket.close()

    async def home(self) -> str:
        """The pages that list games."""
        pocket = await self.open()
        _, _, page = await ask(pocket, "/me")
        _, _, home = await ask(pocket, "/")
        await pocket.close()
        return page + home

    @property
    def saved(self) -> bytes:
        """The file that this device saves."""
        return (self.folder / FILE).read_bytes()

    def logs(self) -> dict[str, list[tuple[object, ...]]]:
        """All logs, by table, but for who played."""
        with closing(sqlite3.connect(self.folder / FILE)) as connection:
            found: dict[str, list[tuple[object, ...]]] = {}
            wanted = (
                "SELECT table_id, seq, at, kind, seat, word FROM entries ORDER BY table_id, seq"
            )
            for table, *line in connection.execute(wanted):
                found.setdefault(table, []).append(tuple(line))
            return found

    def rows(self) -> list[tuple[object, ...]]:
        """All that belongs to games, and who is here."""
        with closing(sqlite3.connect(self.folder / FILE)) as connection:
            return [
                row
                for table in ("tables", "entries", "owners", "results", "server_state")
                for row in connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2")  # noqa: S608 - our own names
                if row[0] != "alive"  # when the server last ran
            ]

    def is_sound(self) -> bool:
        """Whether every game follows from its log, with those who own its seats."""
        return all(not each.faults for each in examine(self.folder))


@pytest.fixture(name="desk")
def desk_device(tmp_path: Path) -> Device:
    return Device(tmp_path / "desk")


@pytest.fixture(name="phone")
def phone_device(tmp_path: Path) -> Device:
    return Device(tmp_path / "phone")


async def test_games_of_both_are_there(desk: Device, phone: Device) -> None:
    """They belong to the guest of this browser, who goes on with them; a second time adds none."""
    first, second = await desk.begin(), await phone.begin()
    await desk.play(first, 2)
    before = phone.logs()

    assert await phone.bring(desk.saved) == 1
    assert phone.logs() == {**before, **desk.logs()}
    assert phone.is_sound()
    home = await phone.home()
    assert f"/t/{first}" in home
    assert f"/t/{second}" in home
    await phone.play(first)
    assert len(phone.logs()[first]) > len(desk.logs()[first])
    assert await phone.bring(desk.saved) == 0


async def test_a_game_that_went_on_elsewhere_comes_back(desk: Device, phone: Device) -> None:
    """By the longer log; the shorter one takes nothing away, here or there."""
    table = await desk.begin()
    await desk.play(table)
    await phone.begin()
    await phone.bring(desk.saved)
    await phone.play(table, 3)

    assert await desk.bring(phone.saved) == 2
    assert desk.logs() == phone.logs()
    assert desk.is_sound()
    await desk.play(table)
    longer = desk.logs()
    assert await desk.bring(phone.saved) == 0
    assert desk.logs() == longer


async def test_what_was_played_here_meanwhile_stays(desk: Device, phone: Device) -> None:
    """Two logs that differ are two games; the one that is here stays."""
    table = await desk.begin()
    await phone.begin()
    await phone.bring(desk.saved)
    await desk.play(table)
    await phone.play(table, 2)
    here = desk.logs()[table]

    assert await desk.bring(phone.saved) == 1
    assert desk.logs()[table] == here


async def test_a_new_browser_goes_on_as_the_same_guest(desk: Device, phone: Device) -> None:
    table = await desk.begin()
    await desk.play(table)

    assert await phone.bring(desk.saved) == 1
    assert f"/t/{table}" in await phone.home()
    await phone.play(table)
    assert phone.is_sound()


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def scratched(content: bytes) -> bytes:
    """Pages in the middle are overwritten."""
    middle = len(content) // 2 // 4096 * 4096
    return content[:middle] + b"\xa5" * 8192 + content[middle + 8192 :]


def foreign(_content: bytes) -> bytes:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE tables (id TEXT)")
        return connection.serialize()


def changed(statement: str) -> Callable[[bytes], bytes]:
    """The same database, after a statement."""

    def change(content: bytes) -> bytes:
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.deserialize(content[:18] + b"\x01\x01" + content[20:])
            connection.execute(statement)
            connection.commit()
            return connection.serialize()

    return change


SPOILED: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _content: b"",
    "text": lambda _content: b"no games",
    "torn": cut,
    "scratched": scratched,
    "foreign": foreign,
    "newer": changed("UPDATE alembic_version SET version_num = '9999'"),
    "another secret": changed("UPDATE server_state SET value = X'00' WHERE name = 'secret'"),
    "of nobody": changed("DELETE FROM server_state WHERE name = 'pocket cookies'"),
    "a move less": changed("DELETE FROM entries WHERE seq = 1"),
    "another seed": changed("UPDATE tables SET seed = zeroblob(32)"),
    "another charter": changed("UPDATE tables SET charter = '{}'"),
}


@pytest.mark.parametrize("how", SPOILED)
async def test_a_file_that_is_not_sound_changes_nothing(
    desk: Device, phone: Device, how: str
) -> None:
    table = await desk.begin()
    await desk.play(table, 2)
    await phone.begin()
    before = phone.rows()

    with pytest.raises(NotBroughtError):
        await phone.bring(SPOILED[how](desk.saved))

    assert phone.rows() == before
    assert before
