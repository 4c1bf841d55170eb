"""Forced moves play themselves, after a pause in which one sees what happens."""

import random
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Route, expect
from tests.browser.conftest import Meet
from tests.support.people import QUICK, Person

from mauerwerk.core.game import NATURE, Seat, Setup, draw_lot
from mauerwerk.core.options import from_words
from mauerwerk.core.record import Move
from mauerwerk.games import GAMES
from mauerwerk.server.tables.table import is_choice

FORCED = "#move[data-forced]"


def sit_down(person: Person, game: str, **more: Any) -> None:  # noqa: ANN401 - any field of the order
    """At a table with a bot, on a page whose clock stands still."""
    person.page.clock.install()
    person.sit_down(game, "mb", **{"options": {"first": "0"}, **more})
    person.stand_still()
    person.await_turn()


@cache
def decision() -> tuple[str, str]:
    """Moves of Mauerbauer, and a decision of the first seat after which it has a forced move."""
    game = GAMES["mauerbauer"]
    setup: Setup[Any] = Setup(2, from_words(game.OPTIONS, {**QUICK["mauerbauer"], "first": "0"}))
    for seed in range(100):
        chance, state, moves = random.Random(seed), game.start(setup), list[str]()
        while asked := game.to_act(state):
            before, seat = state, asked[0]
            lots = seat == NATURE
            legal = () if lots else game.legal(state, seat)
            action = draw_lot(game.odds(state), chance.randrange) if lots else chance.choice(legal)
            state = game.apply(state, seat, action).state
            next_legal = game.legal(state, Seat(0)) if game.to_act(state) == (seat,) == (0,) else ()
            if len(next_legal) == 1 and not lots and is_choice(game, before, seat):
                return " ".join(moves), game.write(action)
            moves.append(str(Move(seat, game.write(action))))
    raise AssertionError("there was always something to decide")


def forced(person: Person) -> int:
    """Play until there is only one thing to do; the number of the page then. The bot is slow."""
    moves, word = decision()
    sit_down(person, "mauerbauer", initial_moves=moves, bot_delay_ms=60_000)
    person.press(word)
    person.page.clock.run_for(50)  # htmx is done
    expect(person.page.locator(FORCED)).to_have_count(1)
    return person.number


def take_back(person: Person) -> None:
    """Press "Take back", and see it done."""
    person.page.clock.run_for(400)  # the dock has just changed
    person.page.locator("#others .back").click()
    expect(person.page.locator("#story")).to_contain_text("took back a move")
    person.page.clock.run_for(50)  # htmx is done
    expect(person.page.locator(FORCED)).to_have_count(0)


def test_what_decides_nothing_needs_no_press(meet: Meet) -> None:
    """After 600 ms the only house or tower that can be placed is placed."""
    ada = meet(watches=True)
    number = forced(ada)
    assert len(ada.words()) == 1
    ada.page.clock.run_for(500)
    assert ada.number == number
    ada.page.clock.run_for(200)
    expect(ada.page.locator(f'main:not([data-number="{number}"])')).to_be_attached()


def test_it_is_not_played_again_when_it_is_taken_back(meet: Meet) -> None:
    """Taking back leads to the decision before it."""
    ada = meet(watches=True)
    number = forced(ada)
    ada.page.clock.run_for(700)
    ada.page.locator(f'main:not([data-number="{number}"])').wait_for(state="attached")
    ada.page.clock.run_for(50)  # htmx is done, and free for the next press
    take_back(ada)
    number = ada.number
    assert len(ada.words()) > 1
    ada.page.clock.run_for(2000)

    assert ada.number == number


def test_it_is_not_played_while_something_is_taken_back(meet: Meet) -> None:
    """Somebody who presses "Take back" in the pause is not overtaken by the forced move."""
    ada = meet(watches=True)
    forced(ada)
    sent: list[str] = []
    ada.page.on("request", lambda request: sent.append(request.url.rpartition("/")[2]))

    def wait_long(route: Route) -> None:
        ada.page.clock.run_for(2000)
        route.continue_()

    ada.page.route("**/undo", wait_long)
    take_back(ada)

    assert sent == ["undo"]
    assert len(ada.words()) > 1


@pytest.mark.thorough
def test_somebody_who_wants_to_makes_forced_moves(meet: Meet) -> None:
    """The wish is among the settings."""
    ada = meet(watches=True)
    forced(ada)
    page = ada.page
    ada.switch("manual")
    expect(page.locator("body[data-manual]")).to_be_attached()
    number = ada.number
    page.clock.run_for(5000)
    assert ada.number == number
    ada.press(ada.words()[0])


@pytest.mark.thorough
def test_a_card_that_does_not_fit_can_be_looked_at(meet: Meet) -> None:
    """In Burgbaumeister it lies open only once: its button has a ring, which takes 4 seconds."""
    ada = meet(watches=True, reduced_motion="no-preference")
    sit_down(ada, "burgbaumeister")
    page = ada.page
    for _ in range(40):
        page.clock.run_for(50)  # whichever came later, the answer or the stream
        if page.locator(FORCED).count():
            break
        number = ada.number
        ada.press(ada.words()[0])
        ada.await_turn(number)
    number = ada.number
    expect(page.locator(f"{FORCED} button .ring")).to_be_visible()
    page.clock.run_for(3500)
    assert ada.number == number
    page.clock.run_for(700)
    expect(page.locator(f'main:not([data-number="{number}"])')).to_be_attached()
