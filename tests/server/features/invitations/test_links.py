"""Personal links: they open a seat, and leave no trace."""

import pytest
from tests.support.web_server import Player, Running

CLICKED = {"sec-fetch-mode": "navigate", "sec-fetch-dest": "document", "sec-fetch-site": "none"}


class Kept:
    """A table of Ada's with a seat kept for somebody."""

    def __init__(self, site: Running) -> None:
        """Set it up."""
        self.site = site
        self.ada = site.guest("Ada")
        opened = self.ada.open("hhh", mine=[0, 1])
        self.table: str = opened["table"]
        self.token: str = opened["seats"][2]["token"]
        self.link: str = opened["seats"][2]["link"].removeprefix(site.address)

    @property
    def name(self) -> str:
        """Who has the seat."""
        name: str = self.ada.table_view(self.table, seat=0)["seats"][2]["name"]
        return name

    def open(self, browser: Player, **headers: str) -> str:
        """Follow the link; where it leads."""
        answer = browser.client.get(self.link, headers=headers)
        assert answer.status_code == 303
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert self.token not in answer.headers["location"]
        assert answer.content == b""
        return answer.headers["location"]

    def take(self, browser: Player, name: str) -> int:
        """Send the form that the page shows."""
        form = {"name": name, "seat": "2"}
        return browser.client.post(f"/t/{self.table}/claim", data=form).status_code


@pytest.fixture
def kept(site: Running) -> Kept:
    """A table with a seat kept for somebody."""
    return Kept(site)


def test_a_known_guest_finds_their_name_filled_in(kept: Kept) -> None:
    """And may sit down under another one, by which they are known from then on."""
    bob = kept.site.browser("Bob")

    assert kept.open(bob, **CLICKED) == f"/t/{kept.table}"
    assert kept.name == ""
    assert 'value="Bob"' in bob.client.get(f"/t/{kept.table}").text
    assert kept.take(bob, "Bobby") == 303
    assert kept.name == "Bobby"
    assert bob.table_view(kept.table)["seat"] == 2
    assert bob.get("/api/guests/me").json()["name"] == "Bobby"


def test_somebody_new_is_asked_for_a_name(kept: Kept) -> None:
    """The page has a form, and the seat is theirs when they send it."""
    bob = kept.site.browser()
    page = bob.client.get(kept.open(bob, **CLICKED)).text

    assert 'name="name"' in page
    assert "Take a seat" in page
    assert kept.token not in page
    assert kept.name == ""
    assert kept.take(bob, "Bob") == 303
    assert kept.name == "Bob"
    assert bob.table_view(kept.table)["seat"] == 2


def test_a_player_who_follows_a_link_is_asked_first(kept: Kept) -> None:
    """They may have clicked the link by mistake; it stays valid for the person it is meant for."""
    ada, bob = kept.site.browser("Ada"), kept.site.browser("Bob")
    opened = ada.open("hhh", mine=[0, 1])
    kept.ada, kept.table, kept.token = ada, opened["table"], opened["seats"][2]["token"]
    kept.link = opened["seats"][2]["link"].removeprefix(kept.site.address)

    page = ada.client.get(kept.open(ada, **CLICKED)).text
    assert kept.name == ""
    assert "Take this seat" in page
    kept.open(bob, **CLICKED)
    assert kept.take(bob, "Bob") == 303
    assert kept.name == "Bob"


def test_a_player_can_take_another_seat(kept: Kept) -> None:
    """They can take the seat for somebody at the same device."""
    bob = kept.site.browser("Bob")
    opened = kept.ada.open("hhh", mine=[0])
    for seat in (1, 2):
        bob.client.get(
            opened["seats"][seat]["link"].removeprefix(kept.site.address), headers=CLICKED
        )
    bob.client.post(f"/t/{opened['table']}/claim", data={"seat": "1"})
    taken = bob.client.post(f"/t/{opened['table']}/claim", data={"seat": "2"})

    assert taken.status_code == 303
    assert [bob.table_view(opened["table"], seat=seat)["seat"] for seat in (1, 2)] == [1, 2]


@pytest.mark.parametrize(
    "headers",
    [{}, {**CLICKED, "sec-purpose": "prefetch"}, {**CLICKED, "sec-fetch-dest": "empty"}],
)
def test_looking_at_a_link_changes_nothing(kept: Kept, headers: dict[str, str]) -> None:
    """Messengers, scanners and browsers open links in advance."""
    kept.open(kept.site.browser("Preview"), **headers)

    assert kept.name == ""


def test_an_owner_comes_with_another_device(kept: Kept) -> None:
    """The seat stays theirs, and both devices can play it."""
    first, second = kept.site.browser("Bob"), kept.site.browser()
    kept.open(first, **CLICKED)
    kept.take(first, "Bob")
    link = first.get(f"/api/tables/{kept.table}/seats/2/link").json()["link"]
    kept.link = link.removeprefix(kept.site.address)
    kept.token = kept.link.rpartition("/")[2]

    kept.open(second, **CLICKED)

    assert kept.name == "Bob"
    assert [each.table_view(kept.table)["seat"] for each in (first, second)] == [2, 2]
    assert second.move(kept.table, "T").status_code == 200
    assert first.table_view(kept.table)["replaces_choice"]


def test_a_browser_keeps_the_links_of_several_seats(kept: Kept) -> None:
    """People who share a device have several seats."""
    browser = kept.site.browser()
    opened = kept.site.guest().open("hhh")
    for link in opened["seats"]:
        browser.client.get(link["link"].removeprefix(kept.site.address))

    answers = [browser.get(f"/api/tables/{opened['table']}", seat=seat) for seat in range(3)]
    assert [answer.status_code for answer in answers] == [200] * 3


def test_a_kept_link_ends_with_the_seat(kept: Kept) -> None:
    """When somebody else has the seat, the old cookie opens nothing and does no harm."""
    browser = kept.site.browser()
    kept.open(browser)
    kept.site.anybody().post(f"/api/tables/{kept.table}/claim", token=kept.token, name="Eve")

    assert browser.table_view(kept.table)["seat"] is None
    assert browser.get(f"/api/tables/{kept.table}", seat=2).status_code == 401


def test_a_wrong_link_opens_nothing(kept: Kept) -> None:
    """The right token does not open another seat either."""
    client = kept.site.client()
    wrong = (
        f"/t/{kept.table}/s/2/{'A' * 24}",
        f"/t/{kept.table}/s/1/{kept.token}",
        f"/t/{kept.table}/s/x/{kept.token}",
    )

    assert [client.get(link).status_code for link in wrong] == [403] * 3
    assert client.get(f"/t/nowhere/s/2/{kept.token}").status_code == 404


def test_a_form_from_elsewhere_takes_no_seat(kept: Kept) -> None:
    """The form is refused even if the cookies come with it."""
    browser = kept.site.browser()
    kept.open(browser)
    browser.client.headers.update({"origin": "http://evil.example", "sec-fetch-site": "cross-site"})

    assert kept.take(browser, "Eve") == 403
    assert kept.name == ""


def test_a_form_without_a_link_takes_no_seat(kept: Kept) -> None:
    """A stranger has to open the link first."""
    assert kept.take(kept.site.browser(), "Eve") == 401
    assert kept.take(kept.site.browser("Eve"), "Eve") == 403


def test_a_name_is_escaped_on_the_page(kept: Kept) -> None:
    """Any name can be shown without becoming markup."""
    browser = kept.site.browser('<i>"Bob"')
    page = browser.client.get(kept.open(browser)).text

    assert "<i>" not in page
    assert "&lt;i&gt;&#34;Bob&#34;" in page


def test_a_seat_for_anybody_has_no_link(site: Running) -> None:
    """Who set up the table hands out the links of seats for friends, and of no other seats."""
    ada = site.guest("Ada")
    table = ada.open("hho", mine=[0])["table"]
    statuses = [ada.get(f"/api/tables/{table}/seats/{seat}/link").status_code for seat in range(3)]
    assert statuses == [200, 200, 403]
    pages = [ada.get(f"/t/{table}/seats/{seat}").status_code for seat in range(3)]
    assert pages == [200, 200, 403]
