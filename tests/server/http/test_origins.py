"""Cookies, and the pages that may use them."""

import httpx
import pytest
from tests.support.web_server import Running, serving

from mauerwerk.server.http.settings import Settings


def test_a_cookie_is_for_this_server_only(site: Running) -> None:
    """No script can read the cookie, and no foreign page can send it."""
    cookie = site.client().post("/api/guests", json={"name": "Ada"}).headers["set-cookie"]

    assert cookie.startswith("mauerwerk=")
    assert {"HttpOnly", "Path=/", "SameSite=Lax"} <= set(cookie.split("; "))
    assert "Secure" not in cookie


def test_over_https_no_other_host_can_set_the_cookie(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Over https the cookie has the prefix `__Host-` and is never sent in the clear."""
    settings = Settings(address="https://walls.example.org")
    with serving(tmp_path_factory.mktemp("data"), settings) as site:
        client = site.client(host="walls.example.org", origin="https://walls.example.org")
        cookie = client.post("/api/guests", json={"name": "Ada"}).headers["set-cookie"]
        opened = client.post(
            "/api/tables",
            json={"game": "mauer", "chairs": [{"kind": "human"}] * 3},
            headers={"cookie": cookie.partition(";")[0]},
        )

    assert cookie.startswith("__Host-mauerwerk=")
    assert {"HttpOnly", "Path=/", "SameSite=Lax", "Secure"} <= set(cookie.split("; "))
    assert opened.json()["link"].startswith("https://walls.example.org/t/")


ORIGINS: list[tuple[dict[str, str], int]] = [
    ({"origin": "{own}"}, 201),
    ({"sec-fetch-site": "same-origin"}, 201),
    ({"origin": "{own}", "sec-fetch-site": "same-origin"}, 201),
    ({}, 403),
    ({"sec-fetch-site": "none"}, 403),
    ({"origin": "null"}, 403),
    ({"origin": "http://evil.example"}, 403),
    ({"origin": "{own}", "sec-fetch-site": "cross-site"}, 403),
    ({"sec-fetch-site": "same-site"}, 403),
]


@pytest.mark.parametrize(("headers", "status"), ORIGINS)
def test_a_cookie_counts_on_our_own_pages_only(
    site: Running, headers: dict[str, str], status: int
) -> None:
    """A request that changes something counts only if a page of this server sent it."""
    browser = site.browser("Ada")
    cookies = dict(browser.client.cookies)
    client = httpx.Client(base_url=site.address, cookies=cookies)
    named = {name: value.format(own=site.address) for name, value in headers.items()}

    order = {"game": "mauer", "chairs": [{"kind": "human"}] * 3}
    answer = client.post("/api/tables", json=order, headers=named)
    client.close()

    assert answer.status_code == status
    if status == 403:
        assert answer.json()["error"] == "origin"


def test_a_program_needs_no_origin(site: Running) -> None:
    """A program with a token needs no origin, but a foreign page may not use one."""
    ada = site.guest()
    order = {"game": "mauer", "chairs": [{"kind": "human"}] * 3}

    assert ada.client.post("/api/tables", json=order).status_code == 201
    foreign = ada.client.post("/api/tables", json=order, headers={"origin": "http://evil.example"})
    assert foreign.status_code == 403


def test_a_foreign_cookie_does_no_harm(site: Running) -> None:
    """Anything in the cookie that is not a token is dropped when a token is added."""
    opened = site.guest().open(mine=[0])
    name = f"mauerwerk-seats-{opened['table']}"
    client = site.client()
    client.headers = {"cookie": f"{name}=\xe9.abc".encode("latin-1")}  # type: ignore[assignment]
    answer = client.get(opened["seats"][1]["link"].removeprefix(site.address))

    assert answer.status_code == 303
    assert answer.headers["set-cookie"].startswith(f"{name}=abc.{opened['seats'][1]['token']};")
