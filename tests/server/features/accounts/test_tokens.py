"""Tokens end and are renewed by visits; a device that was signed out never comes back."""

import pytest
import sqlalchemy as sa
from tests.server.features.accounts.test_sign_in import codes_of, post, whoami
from tests.support.driven_table import ADA
from tests.support.hosts import opened
from tests.support.notifications import Clock
from tests.support.web_server import Player, Running

from mauerwerk.server.database.connect import transaction_at
from mauerwerk.server.database.schema import DEVICES
from mauerwerk.server.features.accounts import store
from mauerwerk.server.keys import DAY, LIFETIME
from mauerwerk.server.tables.charter import Guest

YEAR = LIFETIME // 1_000
COOKIE = "mauerwerk"


@pytest.mark.anyio
async def test_a_device_that_was_signed_out_never_comes_back(place: str, clock: Clock) -> None:
    """Not in the year in which it is known, nor after its row is deleted, on either database."""
    async with opened(place, clock=clock):
        pass  # the tables are made
    began = int(clock() * 1_000)

    def add(later: int) -> str:
        with transaction_at(place, by="guest", now=began + later) as transaction:
            store.open_account(transaction, ADA)
            return store.add_device(transaction, ADA.id, "Firefox", phone=False)

    def ended() -> list[str]:
        with transaction_at(place, by="guest") as transaction:
            wanted = sa.select(DEVICES.c.id).where(DEVICES.c.ended.is_not(None))
            return list(transaction.connection.scalars(wanted))

    lost = add(0)
    async with opened(place, clock=clock) as host:
        token = host.keys.guest_token(ADA, lost)
        assert host.keys.guest_of(token) == ADA
    with transaction_at(place, by="guest", now=began) as transaction:
        assert store.end_device(transaction, ADA.id, lost)
    for later in (0, YEAR // 2, YEAR, YEAR + 1, YEAR + 86_400, YEAR + 86_401, 2 * YEAR):
        clock.now = began / 1_000 + later
        add(later * 1_000)
        assert (lost in ended()) == (later * 1_000 <= LIFETIME + DAY)
        async with opened(place, clock=clock) as host:
            assert host.keys.guest_of(token) is None


def age(site: Running, player: Player, days: int) -> None:
    """Let the cookie of a browser be from so many days ago."""
    keys = site.app.state.host.keys
    behind = keys.behind(player.client.cookies[COOKIE])
    assert behind.guest is not None
    now = keys._clock  # noqa: SLF001 - only the token is to be from another time
    keys._clock = lambda: now() - days * 86_400  # noqa: SLF001
    try:
        token = keys.guest_token(behind.guest, behind.device)
    finally:
        keys._clock = now  # noqa: SLF001
    player.client.cookies.clear()
    player.client.cookies.set(COOKIE, token, domain="127.0.0.1")


def test_a_visit_renews_the_cookie(site: Running) -> None:
    """Of whoever comes once a year; the others are nobody, on pages and by the API."""
    ada, bob = site.browser("Ada"), site.browser("Bob")
    guest = whoami(ada)
    age(site, ada, 3)
    assert "set-cookie" not in ada.get("/me").headers
    age(site, ada, 364)
    old = ada.client.cookies[COOKIE]
    assert ada.get("/me").status_code == 200
    assert ada.client.cookies[COOKIE] != old
    age_of_new = site.app.state.host.keys.behind(ada.client.cookies[COOKIE])
    assert (age_of_new.outdated, whoami(ada)) == (False, guest)
    age(site, bob, 366)
    assert whoami(bob) == ""
    assert site.bearer(bob.client.cookies[COOKIE]).get("/api/guests/me").status_code == 401


def test_a_program_renews_its_token(site: Running) -> None:
    """The new one is of the same device, so that signing it out ends both."""
    bot = site.guest("Bot")
    guest = whoami(bot)
    answer = bot.post("/api/guests/me/token")
    assert answer.status_code == 200
    renewed = site.bearer(answer.json()["token"])
    assert whoami(renewed) == whoami(bot) != ""
    assert site.anybody().post("/api/guests/me/token").status_code == 401
    site.write(lambda transaction: store.end_device(transaction, guest, guest))
    assert (whoami(bot), whoami(renewed)) == ("", "")


def test_the_cookie_from_before_the_first_device_is_signed_out(site: Running) -> None:
    """A copy of it is worth nothing once the guest keeps their games; push goes on here."""
    ada = site.browser("Ada")
    guest = whoami(ada)
    thief = site.client(cookie=f"{COOKIE}={ada.client.cookies[COOKIE]}")
    program = site.bearer(ada.client.cookies[COOKIE])
    assert thief.get("/api/guests/me").status_code == 200
    codes_of(ada)
    assert whoami(ada) == guest
    assert thief.get("/api/guests/me").status_code == 401
    assert whoami(program) == ""
    assert whoami(site.browser("Bob"))


def test_signing_out_the_only_device_ends_its_copies(site: Running) -> None:
    """Also that of a browser whose cookie an older program made."""
    ada = site.browser("Ada")
    guest = whoami(ada)
    site.write(lambda transaction: store.open_account(transaction, Guest(guest, "Ada")))
    copy = site.client(cookie=f"{COOKIE}={ada.client.cookies[COOKIE]}")
    post(ada, "/me/sign-out", device=guest)
    assert copy.get("/api/guests/me").status_code == 401
