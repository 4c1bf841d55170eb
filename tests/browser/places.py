"""The first page, invitations, rules and tables."""

from collections.abc import Callable, Mapping
from typing import Final

import pytest
from _pytest.mark import ParameterSet
from tests.support.people import Person

GAMES: Final = ("mauer", "burgbaumeister", "mauerbauer")


def only(one: str, *others: str) -> list[ParameterSet]:
    """This case and these others (or all games), of which `make test` tries only the first."""
    rest = others or tuple(game for game in GAMES if game != one)
    return [pytest.param(one), *(pytest.param(each, marks=pytest.mark.thorough) for each in rest)]


def page_at(path: str) -> Callable[[Person], None]:
    """A page that is there for everybody."""
    return lambda person: person.go(path)


def table_of(game: str, moves: int) -> Callable[[Person], None]:
    """A table as its player sees it who has chosen so often, always the middle of what there is."""

    def sit_down(person: Person) -> None:
        options = {"first": "0", "board": "default"} if game == "mauerbauer" else {"first": "0"}
        person.sit_down(game, options=options)
        person.await_turn()
        for _ in range(moves):
            person.play(lambda words: words[len(words) // 2])
            person.await_turn()

    return sit_down


def table_with_a_free_seat(person: Person) -> None:
    """A table that waits for a friend."""
    person.sit_down("mauer", "mho")


def left(person: Person) -> None:
    """My page, which offers back a seat that was left."""
    person.sit_down("mauerbauer", options={"first": "0"}, bot_delay_ms=60_000)
    person.ask(f"/api/tables/{person.table}/stand", seat=0)
    person.go("/me")
    # The stream of the seat ends with it.
    person.faults[:] = [fault for fault in person.faults if "[object Event]" not in fault]


def looking(person: Person) -> None:
    """A table at which somebody plays with bots until people come."""
    person.ask("/api/guests", name="Ada")
    # No other test looks for such a table, so that nobody else waits at one.
    table = person.ask("/api/find", game="mauer", clock="live", fun=True)["table"]
    person.visit(table)
    person.page.locator(".searchband").wait_for()


def conditions(person: Person) -> None:
    """The page on which somebody prepares a move for what a bot may do."""
    person.sit_down("burgbaumeister", "mb", options={"first": "0"}, seconds_per_move=86_400)
    person.go(f"/t/{person.table}/conditions?seat=0")


def invited(person: Person) -> None:
    """The welcome of somebody who has opened the link of a seat."""
    person.ask("/api/guests", name="Ada")
    opened = person.ask(
        "/api/tables",
        game="burgbaumeister",
        chairs=[{"kind": "human"}, {"kind": "human"}, {"kind": "bot", "level": "journeyman"}],
        mine=[0],
        options={"variant": "yes"},
    )
    cookies = [each for each in person.context.cookies() if "preferences" in each.get("name", "")]
    person.context.clear_cookies()
    person.context.add_cookies([{**each} for each in cookies])  # type: ignore[typeddict-item]
    person.page.goto(opened["seats"][1]["link"])


def link_to_a_seat(person: Person) -> None:
    """The link for a friend, and the same as a picture."""
    table_with_a_free_seat(person)
    person.go(f"/t/{person.table}/seats/1")


def curtain(person: Person) -> None:
    """A device that is to be handed on."""
    person.sit_down("mauer", "mmb")


def finished(person: Person) -> None:
    """A game that is over: seven pieces less six, one each."""
    person.sit_down("mauer", options={"first": "0", "pieces": "1"})
    person.await_turn()
    while not person.over:
        person.play(lambda words: words[0])
        person.await_turn()


def chat(person: Person) -> None:
    """A table at which something was said, with the chat open."""
    person.sit_down("mauer", "mbb")
    person.page.keyboard.press("t")
    person.page.locator("#chat-players .reaction").first.click()
    person.page.locator("#chat-players .said").wait_for()
    # What pages do in other languages and widths starts from a page that was loaded anew.
    person.page.add_init_script(
        "addEventListener('load', () => document.body.dispatchEvent("
        "new KeyboardEvent('keydown', { key: 't', bubbles: true })))"
    )


def evening(person: Person) -> None:
    """An evening as its host sees it before the first round."""
    begun = person.ask("/api/evenings", title="Die Mauer")["evening"]
    for game in GAMES:
        person.ask(f"/api/evenings/{begun}/games", game=game)
    person.go(f"/e/{begun}")


def personal_data(path: str) -> Callable[[Person], None]:
    """What is stored about a guest."""

    def go(person: Person) -> None:
        person.sit_down("mauer")
        person.go(path)

    return go


def my_page(person: Person) -> None:
    """One's own page, with a game that runs: the longest title, and no limit of time."""
    person.sit_down("burgbaumeister", options={"first": "0"})
    person.go("/me")


def added_device(person: Person) -> None:
    """The code that lets another device in."""
    person.sit_down("mauer")
    person.go("/me")
    person.page.locator("form[action='/me/link'] button").click()
    person.page.locator(".qr").wait_for()


def card_explained(person: Person) -> None:
    """A guild card that says what it is for."""
    table_of("mauerbauer", 0)(person)
    person.page.locator("#tray [data-explains]").first.click()
    person.page.locator("#teach.open h2").wait_for()


PLACES: Final[Mapping[str, Callable[[Person], None]]] = {
    "first-page": page_at("/"),
    "find": page_at("/find"),
    "find-rated": page_at("/find?games=mauer&clock=days&counts=rated"),
    "left": left,
    "looking": looking,
    "conditions": conditions,
    **{f"invite-{game}": page_at(f"/new/{game}") for game in GAMES},
    "rules": page_at("/rules"),
    **{f"rules-{game}": page_at(f"/rules/{game}") for game in GAMES},
    **{f"{game}-begins": table_of(game, 0) for game in GAMES},
    **{f"{game}-later": table_of(game, 4) for game in GAMES},
    "card-explained": card_explained,
    "settings": personal_data("/settings"),
    "free-seat": table_with_a_free_seat,
    "invited": invited,
    "link": link_to_a_seat,
    "curtain": curtain,
    "finished": finished,
    "chat": chat,
    "evening-new": page_at("/evening"),
    "evening": evening,
    "my-page": my_page,
    "nobodys-page": page_at("/me"),
    "sign-in": page_at("/me/sign-in"),
    "leaderboard": personal_data("/leaderboard"),
    "add-device": added_device,
    "own-data": personal_data("/data"),
    "own-data-deleting": personal_data("/data?sure=1"),
    "offline": page_at("/offline"),
    "nothing": page_at("/nothing/here"),
}
"""How to get to each kind of page."""
