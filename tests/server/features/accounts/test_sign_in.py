"""Keeping one's games: recovery codes, devices, a link for another device, logging out."""

import asyncio
import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.support.web_pages import look, sent
from tests.support.web_server import TIMEOUT, Player, Running

from mauerwerk.server.features.accounts.recovery import COOKIE, LETTERS
from mauerwerk.server.features.accounts.store import MOST_PASSKEYS, Passkey, add_passkey, plain_code
from mauerwerk.server.features.moderation import store as moderation


def codes_of(player: Player) -> list[str]:
    """New recovery codes, as the page shows them this once."""
    return re.findall(r"<code>([^<]+)</code>", sent(player, "/me/codes").html)


def whoami(player: Player) -> str:
    """The id of a guest; empty if nobody knows them."""
    answer = player.get("/api/guests/me")
    return str(answer.json()["guest"]) if answer.status_code == 200 else ""


def post(player: Player, path: str, **fields: str) -> httpx.Response:
    """Send a form, without going where it leads."""
    return player.client.post(path, data={"from": "page", **fields})


def test_a_recovery_code_brings_back_once(site: Running) -> None:
    """In any browser, however it is typed; then it is used up, and the others are not."""
    ada, elsewhere, again = site.browser("Ada"), site.browser(), site.browser()
    codes = codes_of(ada)
    typed = codes[0].lower().replace("-", " ")

    assert len(set(codes)) == 8
    assert post(elsewhere, "/me/recover", code=typed).headers["location"] == "/me"
    assert whoami(elsewhere) == whoami(ada)
    assert "not valid" in post(again, "/me/recover", code=typed).text
    assert post(again, "/me/recover", code=codes[1]).status_code == 303
    assert "6 recovery codes left." in look(ada, "/me").text


def test_codes_are_hashed_at_rest_and_shown_once(site: Running) -> None:
    """Neither the database nor what a guest takes along has them; new ones replace the old."""
    ada, elsewhere = site.browser("Ada"), site.browser()
    old, new = codes_of(ada), codes_of(ada)
    taken = zipfile.ZipFile(io.BytesIO(ada.get("/data/all.zip").content)).read("data.json").decode()
    store: Any = site.app.state.host.store
    dumped = b"".join(path.read_bytes() for path in Path(store.path).parent.iterdir())

    assert len(json.loads(taken)["recovery_codes"]) == 8
    for code in (*old, *new):
        assert set(plain_code(code)) <= set(LETTERS)
        assert plain_code(code) not in taken
        assert code.encode() not in dumped
        assert plain_code(code).encode() not in dumped
        assert code not in look(ada, "/me").html
    assert post(elsewhere, "/me/recover", code=old[0]).status_code == 403
    assert post(elsewhere, "/me/recover", code=new[0]).status_code == 303


def test_codes_wait_for_the_page_of_whoever_made_them(site: Running) -> None:
    """No address and no cookie has them; they are shown once, and only while they are valid."""
    ada, eve = site.browser("Ada"), site.browser("Eve")
    made = post(ada, "/me/codes")
    ticket = ada.client.cookies[COOKIE]
    assert made.headers["location"] == "/me/codes?kept=1"
    eve.client.cookies.set(COOKIE, ticket, domain="127.0.0.1")
    assert "<code>" not in look(eve, "/me/codes").html

    shown = look(ada, "/me/codes?kept=1")
    codes = re.findall(r"<code>([^<]+)</code>", shown.html)
    assert len(codes) == 8
    assert 'href="/me?kept=1"' in shown.main
    assert not [code for code in codes if code in str(made.headers)]

    assert COOKIE not in ada.client.cookies
    ada.client.cookies.set(COOKIE, ticket, domain="127.0.0.1")
    again = look(ada, "/me/codes?kept=1")
    assert again.path == "/me?shown=1"
    assert "Recovery codes are shown only once." in again.text
    assert "8 recovery codes left." in again.text
    assert post(site.browser(), "/me/recover", code=codes[0]).headers["location"] == "/me"

    post(ada, "/me/codes")
    replaced = ada.client.cookies[COOKIE]
    codes_of(ada)
    ada.client.cookies.set(COOKIE, replaced, domain="127.0.0.1")
    assert "<code>" not in look(ada, "/me/codes").html, "others have replaced them"


def test_a_device_is_signed_out_by_itself(site: Running) -> None:
    """Its cookie is not valid from then on, even a newer one with another name; the others are."""
    ada, phone = site.browser("Ada"), site.browser()
    assert post(phone, "/me/recover", code=codes_of(ada)[0]).status_code == 303
    sent(phone, "/settings", name="Countess", back="/me")
    assert whoami(phone)
    here, other = re.findall(r'name="device" value="([^"]+)"', look(ada, "/me").html)

    post(ada, "/me/sign-out", device=other)
    assert (whoami(ada) != "", whoami(phone)) == (True, "")
    stranger = site.browser("Eve")
    post(stranger, "/me/sign-out", device=here)
    assert whoami(ada)


def test_logging_out_everywhere_else(site: Running) -> None:
    """Every other cookie and token is invalid at once; this browser stays."""
    ada, phone = site.browser("Ada"), site.browser()
    assert post(phone, "/me/recover", code=codes_of(ada)[0]).status_code == 303
    stolen = site.bearer(dict(ada.client.cookies)["mauerwerk"])
    assert whoami(stolen) == whoami(ada) == whoami(phone)

    assert post(ada, "/me/log-out").headers["location"] == "/me/codes?alone=1"

    assert (whoami(phone), whoami(stolen)) == ("", "")
    assert whoami(ada)


def test_a_new_name_is_known_on_all_devices(site: Running) -> None:
    """The other device finds it with its next request."""
    ada, phone = site.browser("Ada"), site.browser()
    assert post(phone, "/me/recover", code=codes_of(ada)[0]).status_code == 303
    sent(ada, "/settings", name="Countess", back="/me")

    assert [each.get("/api/guests/me").json()["name"] for each in (ada, phone)] == ["Countess"] * 2


def link_of(player: Player) -> str:
    """The path of a link for another device."""
    found = re.search(r'value="http[^"]*(/me/join/[^"]+)"', sent(player, "/me/link").html)
    assert found is not None
    return found[1]


def test_another_device_joins_by_a_link(site: Running) -> None:
    """It asks, both show the same number, the first allows it; the link works once."""
    ada, phone, eve = site.browser("Ada"), site.browser(), site.browser()
    link = link_of(ada)
    assert "Sign in as Ada on this device?" in look(phone, link).text
    assert post(phone, f"{link}/enter").headers["location"] == link
    waiting = sent(phone, link)
    (code,) = re.findall(r'class="num same">(\d{4})<', waiting.html)
    assert eve.get(link).status_code == 404
    assert post(phone, f"{link}/enter").headers["location"] == link
    assert whoami(phone) == ""
    assert code in look(ada, "/me").text

    post(ada, "/me/link/answer", code=code, allow="1")
    post(eve, f"{link}/enter")
    assert whoami(eve) == ""
    assert post(phone, f"{link}/enter").headers["location"] == "/me"
    assert whoami(phone) == whoami(ada)
    assert phone.get(link).status_code == 404
    assert "Sign out everywhere else" in look(phone, "/me").text


def test_a_link_that_is_refused_is_void(site: Running) -> None:
    """And a newer link voids an older one."""
    ada, phone = site.browser("Ada"), site.browser()
    link = link_of(ada)
    (code,) = re.findall(r'class="num same">(\d{4})<', sent(phone, link).html)
    post(ada, "/me/link/answer", code=code, allow="0")
    post(phone, f"{link}/enter")

    assert whoami(phone) == ""
    assert phone.get(link).status_code == 404
    assert "This link no longer works." in look(phone, link).text
    older, _newer = link_of(ada), link_of(ada)
    assert phone.get(older).status_code == 404


def test_a_device_that_is_signed_out_leaves_nobody_behind(site: Running) -> None:
    """What it let in, and has not come yet, does not come any more."""
    ada, phone, third = site.browser("Ada"), site.browser(), site.browser()
    assert post(phone, "/me/recover", code=codes_of(ada)[0]).status_code == 303
    link = link_of(phone)
    (code,) = re.findall(r'class="num same">(\d{4})<', sent(third, link).html)
    post(phone, "/me/link/answer", code=code, allow="1")
    (device,) = re.findall(r'name="device" value="([^"]+)"', ada.get("/me").text)[1:]
    post(ada, "/me/sign-out", device=device)

    post(third, f"{link}/enter")
    assert (whoami(phone), whoami(third)) == ("", "")


def test_a_name_that_the_host_took_away_does_not_come_back(site: Running) -> None:
    """Neither on the leaderboard nor by signing in again."""
    ada, elsewhere = site.browser("Rude"), site.browser()
    code, guest = codes_of(ada)[0], whoami(ada)
    assert site.loop is not None
    entry = moderation.rename(site.app.state.host.store, guest, "Mason")
    asyncio.run_coroutine_threadsafe(entry, site.loop).result(TIMEOUT)
    assert post(elsewhere, "/me/recover", code=code).status_code == 303
    assert elsewhere.get("/api/guests/me").json()["name"] == "Mason"


@pytest.mark.parametrize(
    "path", ["/me/codes", "/me/log-out", "/me/link", "/me/passkey/options", "/me/passkey/remove"]
)
def test_only_pages_of_this_server_change_anything(site: Running, path: str) -> None:
    """A foreign page cannot use the cookie, and nobody is nobody."""
    ada = site.browser("Ada")
    foreign = {"origin": "https://evil.example", "sec-fetch-site": "cross-site"}

    assert ada.client.post(path, data={"a": "b"}, headers=foreign).status_code == 403
    assert post(site.browser(), path).status_code == 401


def test_a_passkey_of_a_lost_device_is_removed(site: Running) -> None:
    """By its owner alone."""
    ada, eve = site.browser("Ada"), site.browser("Eve")
    codes_of(ada)
    lost = Passkey("lost-key", whoami(ada), b"public", 0, "Firefox, Linux")
    site.write(lambda transaction: add_passkey(transaction, lost))
    assert "Firefox, Linux, created: today, last used: today" in look(ada, "/me").text
    post(eve, "/me/passkey/remove", passkey="lost-key")
    assert 'value="lost-key"' in look(ada, "/me").html
    post(ada, "/me/passkey/remove", passkey="lost-key")
    assert 'value="lost-key"' not in look(ada, "/me").html
    assert "Keep my games" in look(ada, "/me").text


def test_a_passkey_that_proves_nothing_is_refused(site: Running) -> None:
    """The same sentence for all that can be wrong, so that nobody can probe."""
    eve = site.browser()
    post(eve, "/me/sign-in/options")
    said = [
        post(eve, "/me/sign-in", credential=each)
        for each in ("", "[]", '{"id": "x"}', '{"id": "x", "rawId": "x", "type": "public-key"}')
    ]

    assert {answer.status_code for answer in said} == {403}
    assert all("This server does not know this passkey." in answer.text for answer in said)
    options = post(eve, "/me/sign-in/options").json()
    assert options["rpId"] == "127.0.0.1"
    assert not options.get("allowCredentials")


def test_a_person_has_so_many_passkeys(site: Running) -> None:
    """The first that is too many is refused before the browser makes it; others are not held up."""
    ada, bob = site.browser("Ada"), site.browser("Bob")
    guest = whoami(ada)
    codes_of(ada)
    made = [Passkey(f"{each}", guest, b"key", 0, "Firefox") for each in range(MOST_PASSKEYS + 1)]
    kept: list[bool] = []
    site.write(lambda transaction: kept.extend(add_passkey(transaction, each) for each in made))
    assert kept == [True] * MOST_PASSKEYS + [False]
    assert post(ada, "/me/passkey/options").status_code == 422
    assert post(bob, "/me/passkey/options").status_code == 200
