"""What every answer has: its headers, its compression, and nothing from the disk."""

import asyncio
import re
from types import SimpleNamespace
from typing import Any

import pytest
from tests.support.web_server import Running

from mauerwerk.server.http import connection
from mauerwerk.server.http.static import address

EVERYWHERE = ("/", "/api/games", "/api/nothing", "/healthz", "/metrics", "/t/nowhere")


@pytest.mark.parametrize("path", EVERYWHERE)
def test_every_answer_has_its_headers(site: Running, path: str) -> None:
    """Every answer has the headers that protect it, refusals included."""
    headers = site.client().get(path).headers

    assert headers["content-security-policy"].startswith("default-src 'none'; ")
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"
    assert "server" not in headers
    assert "access-control-allow-origin" not in headers
    assert "strict-transport-security" not in headers


@pytest.mark.parametrize(
    ("name", "is_shown"), [("page.js", False), ("site.css", False), ("logo.svg", True)]
)
def test_a_file_that_does_nothing_has_few_headers(
    site: Running, name: str, *, is_shown: bool
) -> None:
    """A picture may be looked at as a page, and so may what is not as it was named."""
    for path, protected in ((address(name), is_shown), (f"/static/{name}", True)):
        headers = site.client().get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert ("content-security-policy" in headers) is protected


@pytest.mark.parametrize("path", ["/", "/rules/mauer", "/nowhere"])
def test_a_page_is_compressed_unless_a_foreign_page_asked_for_it(site: Running, path: str) -> None:
    """The length of a compressed page could give away the secrets in it (BREACH)."""
    own = site.client(sec_fetch_site="same-origin", accept_encoding="gzip").get(path)
    foreign = site.client(sec_fetch_site="cross-site", accept_encoding="gzip").get(path)
    plain = site.client(accept_encoding="identity").get(path)

    assert own.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in foreign.headers
    assert "content-encoding" not in plain.headers
    assert own.content == foreign.content == plain.content
    assert (
        own.headers["vary"] == plain.headers["vary"] == "accept-language, cookie, Accept-Encoding"
    )


def test_a_file_is_compressed_for_those_who_can_read_that(site: Running) -> None:
    """It is the same file for all."""
    page = site.client().get("/").text
    part = re.findall(r'(?:src|href)="(/static/[^"]+)"', page)[0]
    packed = site.client(accept_encoding="gzip").get(part)
    plain = site.client(accept_encoding="identity").get(part)

    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content != b""


def test_answers_of_the_api_are_not_compressed(site: Running) -> None:
    """Answers of the API contain tokens, so they are never compressed."""
    assert "content-encoding" not in site.client(accept_encoding="gzip").get("/api/games").headers


@pytest.mark.parametrize("path", ["/static/../../etc/passwd", "/t/..%2f..%2fetc", "/%2e%2e/x"])
def test_paths_lead_nowhere_else(site: Running, path: str) -> None:
    """No path leads to another file on the disk."""
    assert site.client().get(path).status_code == 404


@pytest.mark.parametrize("field", [(b"x", b"1\r\nset-cookie: a=b"), (b"x\n", b"1"), (b"x:y", b"1")])
def test_no_field_breaks_out_of_its_line(field: tuple[bytes, bytes]) -> None:
    """Nothing of such an answer is sent."""
    sent: list[bytes] = []
    answer: Any = SimpleNamespace(
        response_started=False,
        disconnected=False,
        flow=SimpleNamespace(write_paused=False),
        transport=SimpleNamespace(write=sent.append),
        default_headers=[],
    )
    start = {"type": "http.response.start", "status": 200, "headers": [field]}

    with pytest.raises(RuntimeError, match="header"):
        asyncio.run(connection.send_head(answer, start))
    assert not sent
