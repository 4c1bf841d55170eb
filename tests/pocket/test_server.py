"""The server of one device, in this Python: what it leaves out, and what it keeps."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from mauerwerk.pocket.server import Pocket

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

ADDRESS = "https://example.org/play/app"
FORM = ("content-type", "application/x-www-form-urlencoded")


async def ask(
    pocket: Pocket, path: str, body: str | None = None, origin: str = "https://example.org"
) -> tuple[int, dict[str, str], str]:
    """The status, headers and body of an answer."""
    parts: list[dict[str, Any]] = []
    headers = [("host", "example.org"), ("origin", origin), ("accept-language", "en"), FORM]
    method = "GET" if body is None else "POST"
    sent = (body or "").encode()
    await pocket.answer(
        method, f"/play/app{path}", "", headers, sent, parts.append, asyncio.Event()
    )
    content = b"".join(part["chunk"] for part in parts[1:])
    return parts[0]["status"], dict(parts[0]["headers"]), content.decode(errors="replace")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_a_game_is_there_after_a_restart(tmp_path: Path) -> None:
    """With the same guest: cookies are in the database, since service workers cannot set them."""
    pocket = await Pocket.open(str(tmp_path), ADDRESS)
    status, headers, _ = await ask(pocket, "/play", "game=mauer")
    table = headers["location"]
    await pocket.close()

    assert status == 303
    assert "set-cookie" not in headers
    again = await Pocket.open(str(tmp_path), ADDRESS)
    _, _, home = await ask(again, "/")
    await again.close()
    assert f'href="{table}"' in home


async def test_what_needs_others_is_not_there(tmp_path: Path) -> None:
    pocket = await Pocket.open(str(tmp_path), ADDRESS)
    _, headers, home = await ask(pocket, "/")
    _, _, setup = await ask(pocket, "/new/mauer")
    missing = [
        (await ask(pocket, path))[0] for path in ("/leaderboard", "/notifications", "/worker.js")
    ]
    await pocket.close()

    assert "Pass the device" in home
    assert "Invite friends" not in home
    assert "What needs a server" in home
    assert 'value="link"' not in setup
    assert 'value="here"' in setup
    assert missing == [404, 404, 404]
    assert headers["x-frame-options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in headers["content-security-policy"]


async def test_pages_of_other_sites_change_nothing(tmp_path: Path) -> None:
    pocket = await Pocket.open(str(tmp_path), ADDRESS)
    status, _, _ = await ask(pocket, "/play", "game=mauer", origin="https://elsewhere.example")
    await pocket.close()

    assert status == 403


async def test_the_database_can_be_taken_along(tmp_path: Path) -> None:
    pocket = await Pocket.open(str(tmp_path), ADDRESS)
    status, headers, content = await ask(pocket, "/data/games.db")
    page, _, words = await ask(pocket, "/data/games")
    await pocket.close()

    assert (status, page) == (200, 200)
    assert content.startswith("SQLite format 3")
    assert headers["content-disposition"].startswith("attachment")
    assert "Bring games here" in words
