"""A thief of a cookie does not stay: what would let them needs a fresh proof, and is listed."""

import re
import time
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
import sqlalchemy as sa
from tests.server.features.accounts.test_sign_in import codes_of, link_of, post, whoami
from tests.server.features.notifications.test_pages import SETTINGS
from tests.support.web_pages import look, sent
from tests.support.web_server import Player, Running, serving

from mauerwerk.server.features.accounts.store import (
    PASSKEYS,
    RECOVERY_CODES,
    Passkey,
    add_passkey,
    has_proof,
)
from mauerwerk.server.http import proof
from mauerwerk.server.http.settings import Limits, Settings

COOKIE = "mauerwerk"
CONFIRM = "/me/confirm"
FORMS = {
    "/me/codes": {},
    "/me/link": {},
    "/me/passkey": {"credential": "{}"},
    "/me/passkey/remove": {"passkey": "hers"},
    "/me/log-out": {},
    "/data/forget": {"sure": "1", "name": "Ada"},
}


def thief_of(site: Running, player: Player) -> Player:
    """Somebody with a copy of the cookie by which a guest is known, and nothing else."""
    thief = site.browser()
    thief.client.cookies.set(COOKIE, player.client.cookies[COOKIE], domain="127.0.0.1")
    return thief


def kept(site: Running, player: Player) -> tuple[list[str], list[str]]:
    """The passkeys of a guest, and the hashes of their recovery codes."""
    guest, found = whoami(player), list[list[str]]()
    for table, column in ((PASSKEYS, PASSKEYS.c.id), (RECOVERY_CODES, RECOVERY_CODES.c.hash)):
        wanted = sa.select(column).where(table.c.guest == guest).order_by(column)
        site.write(lambda it, wanted=wanted: found.append(list(it.connection.scalars(wanted))))  # type: ignore[misc]
    return found[0], found[1]


def give_passkey(site: Running, player: Player, id_: str, created: int | None = None) -> None:
    """Let a guest have a passkey, from that time."""
    made = Passkey(id_, whoami(player), b"key", 0, "Firefox")
    site.write(lambda transaction: add_passkey(transaction, made))
    if created is not None:
        site.write(
            lambda transaction: transaction.update(PASSKEYS, PASSKEYS.c.id == id_, created=created)
        )


@pytest.fixture
def ada(site: Running) -> Player:
    """Ada, who has recovery codes, and whose last proof is long ago."""
    ada = site.browser("Ada")
    codes_of(ada)
    ada.client.cookies.delete(proof.COOKIE)
    return ada


@pytest.mark.parametrize("path", FORMS)
def test_a_thief_can_do_nothing_that_lasts(site: Running, ada: Player, path: str) -> None:
    """Each form leads to the page that asks for a proof, and nothing has changed."""
    give_passkey(site, ada, f"hers{path}")
    thief = thief_of(site, ada)
    before = kept(site, ada)
    answer = post(thief, path, **FORMS[path])
    assert (answer.status_code, answer.headers.get("location")) == (303, CONFIRM)
    assert kept(site, ada) == before
    assert whoami(ada) == whoami(thief) != ""
    assert "Confirm that it is you" in look(thief, CONFIRM).text


def test_nor_by_the_api_or_by_what_scripts_ask(site: Running, ada: Player) -> None:
    """With the same cookie, or with it as a token."""
    thief = thief_of(site, ada)
    program = site.bearer(ada.client.cookies[COOKIE])
    for player in (thief, program):
        for answer in (
            player.get("/api/guests/me/data"),
            player.post("/api/guests/me/forget", sure=True),
        ):
            assert (answer.status_code, answer.json()["error"]) == (403, "proof")
    assert post(thief, "/me/passkey/options").status_code == 403
    assert thief.get("/data/all.zip").headers["location"] == CONFIRM
    assert 'href="/data/all.zip"' not in look(thief, "/me").html
    assert whoami(ada)


def test_nor_get_the_mail(tmp_path: Path) -> None:
    """The address of somebody else is not taken, and the page says why; none always is."""
    with serving(tmp_path, SETTINGS) as site:
        ada = site.browser("Ada")
        codes_of(ada)
        fields = {"pace": "now", "email": "1", "address": "ada@post.example"}
        said = ada.client.post("/me/notifications", data=fields, headers={"hx-request": "true"})
        assert "We have sent you a link." in said.text
        thief = thief_of(site, ada)
        theirs = {**fields, "address": "thief@post.example"}
        said = thief.client.post("/me/notifications", data=theirs, headers={"hx-request": "true"})
        assert "Confirm first that it is you." in said.text
        assert "ada@post.example" in look(ada, "/me").html
        assert f'href="{CONFIRM}"' in said.text
        said = thief.client.post(
            "/me/notifications", data={"pace": "now"}, headers={"hx-request": "true"}
        )
        assert "ada@post.example" not in look(ada, "/me").html


def test_a_recovery_code_is_a_proof_for_ten_minutes(
    site: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the device that gave it, which stays the same; then it is asked for again."""
    ada = site.browser("Ada")
    codes = codes_of(ada)
    ada.client.cookies.delete(proof.COOKIE)
    thief = thief_of(site, ada)
    before = ada.client.cookies[COOKIE]
    assert post(ada, "/me/link").headers["location"] == CONFIRM
    assert post(ada, "/me/recover", code=codes[0]).headers["location"] == "/me?proved=1#devices"
    assert "For ten minutes" in look(ada, "/me?proved=1").text
    assert ada.client.cookies[COOKIE] == before
    assert post(ada, "/me/link").status_code == 200
    assert ada.get("/data/all.zip").status_code == 200
    thief.client.cookies.set(proof.COOKIE, "forged.by.1.9999999999.thief", domain="127.0.0.1")
    assert post(thief, "/me/link").headers["location"] == CONFIRM
    now = time.time()
    for later in (proof.SECONDS - 2, proof.SECONDS + 2):
        clock = SimpleNamespace(time=lambda later=later: now + later)
        monkeypatch.setattr(proof, "time", clock)
        if later < proof.SECONDS:
            assert post(ada, "/me/link").status_code == 200
    assert post(ada, "/me/link").headers["location"] == CONFIRM


def test_a_proof_is_of_one_guest_and_device(site: Running, ada: Player) -> None:
    """That of somebody else, or of another device of the same person, proves nothing."""
    eve, phone = site.browser("Eve"), site.browser()
    codes_of(eve)
    (code, *_) = codes_of_proved(site, ada)
    assert post(phone, "/me/recover", code=code).headers["location"] == "/me"
    for other in (eve, phone):
        thief = thief_of(site, ada)
        thief.client.cookies.set(
            proof.COOKIE, other.client.cookies[proof.COOKIE], domain="127.0.0.1"
        )
        assert post(thief, "/me/codes").headers["location"] == CONFIRM


def codes_of_proved(site: Running, player: Player) -> list[str]:
    """New recovery codes of somebody whose proof is old: the test gives them a new one."""
    guest = whoami(player)
    site.write(
        lambda transaction: transaction.remove(RECOVERY_CODES, RECOVERY_CODES.c.guest == guest)
    )
    return codes_of(player)


def test_a_guest_with_a_cookie_alone_is_not_asked(site: Running) -> None:
    """All works as simply as ever; with the first proof, copies of the cookie are worth nothing."""
    bob = site.browser("Bob")
    thief = thief_of(site, bob)
    assert bob.get("/data/all.zip").status_code == 200
    assert post(bob, "/me/link").status_code == 200
    assert post(bob, "/me/passkey/options").status_code == 200
    assert post(bob, "/me/log-out").status_code == 303
    assert whoami(thief) == ""
    thief = thief_of(site, bob)
    assert len(codes_of(bob)) == 8
    assert (whoami(thief), whoami(bob) != "") == ("", True)
    assert len(codes_of(bob)) == 8, "the first codes are a fresh proof"


def test_signing_out_everywhere_else_ends_what_a_thief_made(site: Running) -> None:
    """Devices, links, recovery codes, and passkeys newer than what the owner confirms with."""
    ada = site.browser("Ada")
    codes = codes_of(ada)
    guest = whoami(ada)
    give_passkey(site, ada, "older", created=1)
    thief = site.browser()
    assert post(thief, "/me/recover", code=codes[0]).status_code == 303
    give_passkey(site, ada, "made by the thief")
    stolen = codes_of(thief)
    link = link_of(thief)
    assert whoami(thief) == guest

    # The owner has written down none of the new codes, but this browser still has its proof.
    new = re.findall(r"<code>([^<]+)</code>", sent(ada, "/me/log-out").html)
    assert len(new) == 8
    assert kept(site, ada)[0] == ["older"]
    assert whoami(thief) == ""
    back = site.browser()
    for code in (*codes, *stolen):
        assert post(back, "/me/recover", code=code).status_code == 403
    assert thief.get(link).status_code == 404
    assert post(back, "/me/recover", code=new[0]).status_code == 303
    assert whoami(back) == guest


def test_changes_are_listed_with_their_dates(site: Running) -> None:
    """Of this guest alone, the newest first; they are taken along and deleted like the rest."""
    ada, phone = site.browser("Ada"), site.browser()
    assert "Recent changes" not in look(ada, "/me").text
    codes = codes_of(ada)
    assert post(phone, "/me/recover", code=codes[0]).status_code == 303
    assert ada.get("/data/all.zip").status_code == 200
    shown = look(ada, "/me").text.split("Recent changes")[1]
    said = ["Data downloaded", "Recovery code used", "Recovery codes created"]
    assert [each for each in said if each in shown] == said
    assert [shown.index(each) for each in said] == sorted(shown.index(each) for each in said)
    assert "today" in shown
    assert "Recent changes" not in look(site.browser("Bob"), "/me").text


def test_only_those_who_have_a_proof_can_give_one(site: Running, ada: Player) -> None:
    """A passkey or a code; not an account, a device or an address."""
    found: list[bool] = []
    for player in (ada, site.browser("Bob")):
        guest = whoami(player)
        site.write(lambda transaction, guest=guest: found.append(has_proof(transaction, guest)))  # type: ignore[misc]
    assert found == [True, False]


def test_guesses_are_limited(tmp_path: Path) -> None:
    """Whoever tries codes to confirm is told to wait, like whoever tries them to sign in."""
    settings = msgspec.structs.replace(Settings(), limits=Limits(guests=8))
    with serving(tmp_path, settings) as site:
        eve = site.browser("Eve")
        answers = [post(eve, "/me/recover", code="x") for _ in range(9)]
        assert {each.status_code for each in answers} == {403, 429}
