"""The connection breaks, and comes back by itself."""

from playwright.sync_api import Route, expect
from tests.support.people import Person
from tests.support.server_process import Server


def forgive(person: Person) -> None:
    """The browser's messages about the broken connection are not faults of the page."""
    said = ("htmx:", "[object Event]", "Failed to load resource: net::ERR_")
    assert [each for each in person.faults if not each.startswith(said)] == []
    person.faults.clear()


def test_a_page_goes_on_when_the_server_comes_back(ada: Person, server: Server) -> None:
    """It says that the connection is lost, says that it is back, and the turn goes on."""
    ada.sit_down("mauerbauer", options={"first": "0"})
    ada.await_turn()
    ada.press(ada.words()[0])
    told = ada.told()
    lost, back = ada.page.locator("#lost"), ada.page.locator("#back")
    expect(lost).to_be_hidden()

    server.stop()
    expect(lost).to_be_visible()
    ada.photograph("connection-lost")
    server.start()
    expect(back).to_be_visible()
    expect(lost).to_be_hidden()

    assert ada.told() == told
    before = ada.number
    ada.press(ada.words()[0])
    ada.await_turn(before)
    expect(back).to_be_hidden()
    forgive(ada)


def test_nobody_waits_for_an_answer_whose_board_is_there_already(ada: Person) -> None:
    """What is pressed on a new board counts, even before the answer to the last move comes."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)
            route.fetch()  # the server has the move; the page will not get the answer

    ada.sit_down("mauerbauer", options={"first": "0"})
    ada.await_turn()
    ada.page.route("**/move", hold)
    for _ in range(2):
        before = ada.number
        ada.press(ada.words()[0])
        ada.await_turn(before)

    assert len(held) == 1
