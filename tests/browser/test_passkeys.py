"""A passkey keeps one's games: made in one browser, it brings them back in another."""

from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from tests.support.people import ONCE
from tests.support.server_process import Server

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


class Visitor:
    """Somebody with a browser that has passkeys."""

    def __init__(self, browser: Browser, server: Server) -> None:
        """At the name of this machine: an address in numbers has no passkeys."""
        self.address = f"http://localhost:{urlsplit(server.address).port}"
        self.context: BrowserContext = browser.new_context(locale="en-GB")
        self.page: Page = self.context.new_page()
        session: Any = self.context.new_cdp_session(self.page)
        self._send: Any = session.send
        self._send("WebAuthn.enable")
        made = self._send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
        self._authenticator: dict[str, Any] = {"authenticatorId": made["authenticatorId"]}

    def go(self, path: str) -> None:
        """Open a page."""
        self.page.goto(self.address + path)

    def passkeys(self) -> list[dict[str, Any]]:
        """What the authenticator holds."""
        found = self._send("WebAuthn.getCredentials", self._authenticator)
        held: list[dict[str, Any]] = found["credentials"]
        return held

    def has(self, passkey: dict[str, Any]) -> None:
        """Put a passkey there, as one that is synchronised comes to another device."""
        self._send("WebAuthn.addCredential", {**self._authenticator, "credential": passkey})

    @property
    def name(self) -> str:
        """The name under which they are known; empty for nobody."""
        answer = self.context.request.get(f"{self.address}/api/guests/me", headers=ONCE)
        return str(answer.json()["name"]) if answer.ok else ""


def test_a_passkey_brings_games_to_another_browser(browser: Browser, server: Server) -> None:
    """It is made by one click, codes are shown once, and another browser signs in with it."""
    ada, elsewhere = Visitor(browser, server), Visitor(browser, server)
    ada.go("/settings")
    ada.page.get_by_role("textbox", name="Your name").fill("Ada")
    ada.page.get_by_role("button", name="Change", exact=True).click()
    ada.go("/me")
    ada.page.get_by_role("button", name="Create a passkey").click()
    expect(ada.page.get_by_role("heading", level=1)).to_have_text("Recovery codes")
    expect(ada.page.locator(".codes code")).to_have_count(8)
    ada.page.get_by_role("link", name="I have saved them").click()
    expect(ada.page.get_by_role("heading", name="Keep my games")).to_have_count(0)

    (passkey,) = ada.passkeys()
    assert passkey["rpId"] == "localhost"
    elsewhere.go("/me")
    elsewhere.page.get_by_role("link", name="I have a passkey").click()
    elsewhere.has(passkey)
    elsewhere.page.get_by_role("button", name="Use a passkey").click()
    expect(elsewhere.page.get_by_role("heading", level=1)).to_have_text("Ada")
    assert elsewhere.name == "Ada"

    ada.go("/me")
    ada.page.get_by_role("button", name="Sign out everywhere else").click()
    expect(ada.page.get_by_role("heading", level=1)).to_have_text("Recovery codes")
    ada.page.get_by_role("link", name="I have saved them").click()
    expect(ada.page.get_by_text("Only this browser is signed in now.")).to_be_visible()
    assert (ada.name, elsewhere.name) == ("Ada", "")
    for each in (ada, elsewhere):
        each.context.close()


def test_pages_from_before_say_what_is_true(browser: Browser, server: Server) -> None:
    """That of the codes, loaded anew, and one in another tab that still offers a passkey.

    Until then the codes stay, also in another theme; another language would lose them.
    """
    ada = Visitor(browser, server)
    ada.go("/settings")
    ada.page.get_by_role("textbox", name="Your name").fill("Ada")
    ada.page.get_by_role("button", name="Change", exact=True).click()
    ada.go("/me")
    other = ada.context.new_page()
    other.goto(ada.page.url)
    ada.page.get_by_role("button", name="Create a passkey").click()
    expect(ada.page.locator(".codes code")).to_have_count(8)
    ada.page.get_by_label("Light or dark").click()
    expect(ada.page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(ada.page.locator(".codes code")).to_have_count(8)
    ada.page.get_by_label("Menu", exact=True).click()
    expect(ada.page.get_by_role("link", name="Lessons and rules")).to_be_visible()
    expect(ada.page.get_by_role("button", name="Deutsch")).to_have_count(0)
    ada.page.reload()
    expect(ada.page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(ada.page.get_by_text("Recovery codes are shown only once.")).to_be_visible()
    expect(ada.page.get_by_text("8 recovery codes left.")).to_be_visible()

    other.evaluate(
        """() => {
            const there = new DOMException("there is one", "InvalidStateError");
            navigator.credentials.create = () => Promise.reject(there);
        }"""
    )
    other.get_by_role("button", name="Create a passkey").click()
    expect(other.get_by_text("Your games are kept.")).to_be_visible()
    expect(other.get_by_role("heading", name="Keep my games")).to_have_count(0)
    ada.context.close()


@pytest.mark.thorough
def test_a_browser_that_makes_none_offers_codes(browser: Browser, server: Server) -> None:
    """The page says so, and what to do instead."""
    ada = Visitor(browser, server)
    ada.context.request.post(
        f"{ada.address}/api/guests",
        data={"name": "Ada"},
        headers={"origin": ada.address, "sec-fetch-site": "same-origin", **ONCE},
    )
    ada.go("/me")
    ada.page.evaluate("() => { navigator.credentials.create = () => Promise.reject(new Error()); }")
    ada.page.get_by_role("button", name="Create a passkey").click()
    expect(ada.page.get_by_text("No passkey was created.")).to_be_visible()
    ada.page.get_by_role("button", name="Get recovery codes").click()
    expect(ada.page.locator(".codes code")).to_have_count(8)
    ada.context.close()


@pytest.mark.thorough
def test_another_device_joins_while_both_look(browser: Browser, server: Server) -> None:
    """Neither page is loaded anew: the first asks when the other does, the other goes on then."""
    ada, phone = Visitor(browser, server), Visitor(browser, server)
    ada.context.request.post(
        f"{ada.address}/api/guests",
        data={"name": "Ada"},
        headers={"origin": ada.address, "sec-fetch-site": "same-origin", **ONCE},
    )
    ada.go("/me")
    ada.page.get_by_role("button", name="Add a device with a QR code").click()
    link = ada.page.get_by_label("Link for the other device").input_value()
    phone.page.goto(link)
    phone.page.get_by_role("button", name="Yes, this is my device").click()
    number = phone.page.locator(".same").inner_text()
    expect(ada.page.locator(".asks .same")).to_have_text(number)
    ada.page.get_by_role("button", name="Allow").click()
    expect(phone.page.get_by_role("heading", level=1)).to_have_text("Ada")
    assert phone.name == ada.name == "Ada"
    for each in (ada, phone):
        each.context.close()


@pytest.mark.thorough
def test_a_passkey_confirms_what_a_cookie_may_not_do(browser: Browser, server: Server) -> None:
    """New recovery codes are asked for, the passkey is used, and then they are shown."""
    ada = Visitor(browser, server)
    ada.go("/settings")
    ada.page.get_by_role("textbox", name="Your name").fill("Ada")
    ada.page.get_by_role("button", name="Change", exact=True).click()
    ada.go("/me")
    ada.page.get_by_role("button", name="Create a passkey").click()
    ada.page.get_by_role("link", name="I have saved them").click()
    ada.context.clear_cookies(name="mauerwerk-proof")

    ada.page.get_by_role("button", name="New recovery codes").click()
    expect(ada.page.get_by_role("heading", level=1)).to_have_text("Confirm that it is you")
    ada.page.get_by_role("button", name="Use a passkey").click()
    expect(ada.page.get_by_text("For ten minutes you can change how you sign in.")).to_be_visible()
    ada.page.get_by_role("button", name="New recovery codes").click()
    expect(ada.page.get_by_role("heading", level=1)).to_have_text("Recovery codes")
    ada.go("/me")
    ada.page.get_by_text("Recent changes").click()
    expect(ada.page.locator(".changes li").first).to_contain_text("Recovery codes created")
    expect(ada.page.locator(".changes li")).to_have_count(4)
