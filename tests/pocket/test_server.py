"""The server of one device, in this Python: what it leaves out, and what it keeps."""

import asyncio
import json
import re
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest

from mauerwerk.pocket.server import Pocket

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

ADDRESS = "https://example.org/play/app"
LINK = re.compile(r'href="([^"#]+)')
FIELD = re.compile(r"<input [^>]*>")
AGAIN = re.compile(r"[?&](at|back|board|seat|word)=|/static/|^data:|app/replay/.*(gif|svg)")
"""Links to the same pages with other boards, moves and seats, which never end, and films."""
JSON = "application/json"


async def ask(
    pocket: Pocket,
    path: str,
    body: str | None = None,
    origin: str = "https://example.org",
    content: str = "application/x-www-form-urlencoded",
) -> tuple[int, dict[str, str], str]:
    """The status, headers and body of an answer."""
    path, _, query = path.partition("?")
    parts: list[dict[str, Any]] = []
    headers = [("host", "example.org"), ("origin", origin), ("accept-language", "en")]
    headers += [("content-type", content), ("sec-fetch-site", "same-origin")]
    method = "GET" if body is None else "POST"
    sent = (body or "").encode()
    await pocket.answer(
        method, f"/play/app{path}", query, headers, sent, parts.append, asyncio.Event()
    )
    answer = b"".join(part["chunk"] for part in parts[1:])
    return parts[0]["status"], dict(parts[0]["headers"]), answer.decode(errors="replace")


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
    _, _, castle = await ask(pocket, "/new/burgbaumeister")
    _, _, dice = await ask(pocket, "/real/dice")
    _, _, board = await ask(pocket, "/workshop")
    _, _, settings = await ask(pocket, "/settings")
    _, begun, _ = await ask(pocket, "/play", "game=mauer")
    _, _, table = await ask(pocket, begun["location"].removeprefix("/play/app"))
    _, _, data = await ask(pocket, "/data")
    missing = [
        (await ask(pocket, path))[0] for path in ("/leaderboard", "/notifications", "/worker.js")
    ]
    await pocket.close()

    assert "Pass the device" in home
    assert "Invite friends" not in home + board
    assert "What needs a server" in home
    assert 'value="link"' not in setup
    assert 'value="here"' in setup
    assert "This browser" in castle
    assert "this browser rolls and deals" in dice
    assert "he server" not in castle + dice
    assert not [name for name in ("rated", "public", "spectator_delay") if f'"{name}"' in setup]
    assert "Watch without my name" not in settings
    assert "open the chat" not in table
    assert "This browser stores" in data
    assert missing == [404, 404, 404]
    assert headers["x-frame-options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in headers["content-security-policy"]


async def played_to_its_end(pocket: Pocket) -> str:
    """A short game of three people at this device; the path of its table."""
    order = {
        "game": "mauer",
        "chairs": [{"kind": "human"}] * 3,
        "mine": [0, 1, 2],
        "options": {"rounds": "1", "pieces": "12"},
    }
    _, _, opened = await ask(pocket, "/api/tables", json.dumps(order), content=JSON)
    table = json.loads(opened)["table"]
    over = False
    while not over:
        for seat in range(3):
            path = f"/api/tables/{table}"
            shown = json.loads((await ask(pocket, f"{path}?seat={seat}"))[2])
            if shown["seats"][seat]["asked"]:
                move = {
                    "seat": seat,
                    "move": shown["legal"][-1]["move"],
                    "version": shown["number"],
                }
                status, _, said = await ask(pocket, f"{path}/moves", json.dumps(move), content=JSON)
                assert status == 200, said
            over = shown["status"] == "over"
    return f"/t/{table}"


async def test_every_link_leads_somewhere(tmp_path: Path) -> None:
    """From the home page on, before and after a game; what needs others is linked nowhere."""
    pocket = await Pocket.open(str(tmp_path), ADDRESS)
    _, headers, _ = await ask(pocket, "/play", "game=mauer")
    running, over = headers["location"].removeprefix("/play/app"), await played_to_its_end(pocket)
    waiting = ["/", "/me", "/settings", running, over]
    answers: dict[str, int] = {}
    while waiting:
        path = waiting.pop()
        if path in answers:
            continue
        answers[path], said, page = await ask(pocket, path)
        if said["content-type"].startswith("text/html"):
            linked = [urljoin(f"/play/app{path}", unescape(each)) for each in LINK.findall(page)]
            waiting += [each.removeprefix("/play/app") for each in linked if not AGAIN.search(each)]
    await pocket.close()

    assert len(answers) > 40
    assert {path: status for path, status in answers.items() if status != 200} == {}


async def test_links_can_be_passed_on(tmp_path: Path) -> None:
    """They lead to the page that starts all others, and the game or the board is in them."""
    here = await Pocket.open(str(tmp_path / "here"), ADDRESS)
    await ask(here, "/play", "game=mauer")
    _, _, end = await ask(here, await played_to_its_end(here))
    _, _, workshop = await ask(here, "/workshop")
    await here.close()

    there = await Pocket.open(str(tmp_path / "there"), ADDRESS)
    for page, words in ((end, "Replay · Die Mauer"), (workshop, "This board can be played")):
        link = next(each for each in FIELD.findall(page) if 'id="link"' in each)
        root, _, path = unescape(link.partition('value="')[2].partition('"')[0]).partition("#")
        status, _, shown = await ask(there, path)
        assert (root, status) == ("https://example.org/play/", 200)
        assert words in shown
    await there.close()


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
