"""What each game counts for its players, and how their own page tells them."""

import random
from typing import Any

import pytest

from mauerwerk.core.game import NATURE, Seat, Setup, Step
from mauerwerk.core.language import ENGLISH, language_of
from mauerwerk.games import GAMES, burgbaumeister, mauer, mauerbauer
from mauerwerk.games.burgbaumeister.events import Added, Shown
from mauerwerk.games.mauerbauer.events import Played
from mauerwerk.server.games import counts_in, web_game


def steps_of(game: Any, seats: int, options: Any, most: int = 400) -> list[Step[Any, Any]]:  # noqa: ANN401
    """The first moves of a game by chance."""
    rng, steps = random.Random(5), list[Step[Any, Any]]()
    state = game.start(Setup(seats, options))
    while (waiting := game.to_act(state)) and len(steps) < most:
        seat = waiting[0]
        if seat == NATURE:
            action = rng.choice(list(game.odds(state)))
        else:
            action = rng.choice(game.legal(state, seat))
        steps.append(game.apply(state, seat, action))
        state = steps[-1].state
    return steps


def test_a_right_guess_is_the_master_builders_piece() -> None:
    """A rival with the same piece guessed right; an empty fist is a guess, too (DM-14, DM-21)."""
    state = mauer.start(Setup(3, mauer.Options(first=0)))
    steps: list[Step[Any, Any]] = []
    for seat, word in enumerate(("T", "T", "-")):
        steps.append(mauer.apply(state, Seat(seat), mauer.parse(word)))
        state = steps[-1].state
    tally = counts_in("mauer", steps, 3)

    assert [each.get("guesses", 0) for each in tally] == [0, 1, 1]
    assert [each.get("right", 0) for each in tally] == [0, 1, 0]
    kinds = len(set(mauer.Options().pieces))
    assert tally[1]["by_chance"] == 1_000 // (kinds + 1)


def test_favourite_cards_are_those_played_most() -> None:
    """As often as they were played, with the points that they brought."""
    steps = steps_of(mauerbauer, 2, mauerbauer.Options())
    played = [event for step in steps for event in step.events if isinstance(event, Played)]
    tally = counts_in("mauerbauer", steps, 2)

    assert played
    for seat in (0, 1):
        own = [event for event in played if event.seat == seat]
        counted = {name: each for name, each in tally[seat].items() if "points-" not in name}
        assert sum(counted.values()) == len(own)
        points = [each for name, each in tally[seat].items() if name.startswith("points-")]
        assert sum(points) == sum(event.points for event in own)
    lines = web_game("mauerbauer").tally.lines
    assert lines
    (line,) = lines({"city-1": 3, "points-city-1": 12, "cities": 1}, ENGLISH)
    assert (line.value, line.note) == ("Exactly 1 field", "played 3 times, 4.0 points each")


def test_cards_that_were_turned_and_built() -> None:
    """What a player turns up and adds to the wall."""
    steps = steps_of(burgbaumeister, 2, burgbaumeister.Options(), 120)
    events = [event for step in steps for event in step.events]
    tally = counts_in("burgbaumeister", steps, 2)

    for kind, name in ((Shown, "turned"), (Added, "built")):
        assert sum(each[name] for each in tally) == sum(isinstance(each, kind) for each in events)


@pytest.mark.parametrize("name", GAMES)
def test_nothing_is_said_of_nothing(name: str) -> None:
    """A player without games has no lines."""
    lines = web_game(name).tally.lines
    assert not lines or not lines({}, ENGLISH)
    assert counts_in("no such game", (), 3) == ()


@pytest.mark.parametrize(
    ("code", "times", "said"),
    [
        ("en", 1, "played 1 time, 2.0 points"),
        ("en", 4, "played 4 times, 2.5 points"),
        ("de", 1, "1-mal gespielt, 2,0 Punkte"),
        ("de", 4, "4-mal gespielt, je 2,5 Punkte"),
        ("it", 1, "giocata 1 volta, 2,0 punti"),
        ("it", 4, "giocata 4 volte, 2,5 punti"),
    ],
)
def test_a_favourite_card_is_told_in_the_readers_language(code: str, times: int, said: str) -> None:
    """The number of times has its form, and its points are written as the language writes them."""
    lines = web_game("mauerbauer").tally.lines
    assert lines
    sums = {"cities": times, "points-cities": times * 2.5 if times > 1 else 2}
    (line,) = lines(sums, language_of(code))
    assert line.note.startswith(said)
