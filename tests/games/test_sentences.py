"""Sentences are right for people with a name and for the reader, who is called `you`."""

import re
from collections.abc import Iterator
from enum import Enum
from random import Random
from typing import Any, Final, NamedTuple, get_args

import pytest
from tests.support.amounts import amount

from mauerwerk.core.game import NATURE, AnyGame, Seat, Setup, draw_lot
from mauerwerk.games import GAMES, burgbaumeister, mauer, mauerbauer
from mauerwerk.games.burgbaumeister.events import Task as CastleTask
from mauerwerk.games.mauer.events import Task as MauerTask
from mauerwerk.games.mauerbauer.events import Task as MauerbauerTask

OTHERS: Final = ("Ada", "Emil", "Jonas", "Lena")


class Story(NamedTuple):
    """Random games, enough of each setup to make everything happen."""

    games: int
    setups: tuple[Setup[Any], ...]
    events: Any
    tasks: type[Enum]


STORIES: Final = {
    "mauer": Story(
        amount(3, 3, 30),
        (Setup(3, mauer.Options(rounds=2, first="lot", stall=2)),),
        mauer.Event,
        MauerTask,
    ),
    "burgbaumeister": Story(
        amount(1, 1, 24),
        (
            *(
                Setup(seats, burgbaumeister.Options(variant=True, first="lot", depot="chaotic"))
                for seats in (2, 3, 4)
            ),
            Setup(2, burgbaumeister.Options()),
        ),
        burgbaumeister.Event,
        CastleTask,
    ),
    "mauerbauer": Story(
        amount(2, 2, 12),
        (
            Setup(2, mauerbauer.Options(board="small", first="lot", early=True)),
            Setup(3, mauerbauer.Options(board="default", first="lot", early=True)),
            Setup(4, mauerbauer.Options(board="large", early=True)),
        ),
        mauerbauer.Event,
        MauerbauerTask,
    ),
}

FAULTS: Final = {
    "somebody else's verb": r"\byou (is|has|was|does|\w+s)\b",
    "somebody else's ending": r"\byou('s|, who)\b",
    "a small letter first": r"^[a-z]|[.?!] [a-z]",
    "no end": r"[^.?]$",
    "two ends": r"[.?!:;,][.?!:;,]",
    "a space too many": r"^ | $|  | [.,;:?!]",
    "a word twice": r"\b([a-z]+) \1\b",
    "one of several": r"\b1 (penalty )?(points|cards|fields|walls|towers)\b",
    "a name of the program": r"_|None|<|seat \d",
}


def faults(words: str) -> list[str]:
    """What is wrong with a sentence."""
    return [fault for fault, form in FAULTS.items() if re.search(form, words, _flags(fault))]


def _flags(fault: str) -> int:
    return re.IGNORECASE if fault.startswith(("somebody", "a word")) else 0


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("You is done.", "somebody else's verb"),
        ("You drew the lot and you begins.", "somebody else's verb"),
        ("You's wizard inserted 36.", "somebody else's ending"),
        ("The lot fell on you, who begins.", "somebody else's ending"),
        ("It is over. you and Ada share the win.", "a small letter first"),
        ("Waiting for Ada", "no end"),
        ("Ada rolled red and ?.", "two ends"),
        ("You start with .", "a space too many"),
        ("Ada won with 1 penalty points.", "one of several"),
    ],
)
def test_a_wrong_sentence_is_found(words: str, fault: str) -> None:
    """Most of these were once said."""
    assert fault in faults(words)


def played(game: AnyGame, setup: Setup[Any], random: Random) -> Iterator[tuple[Any, list[Any]]]:
    """A game by chance: each state, and the events that led to it."""
    state = game.start(setup)
    yield state, []
    while asked := game.to_act(state):
        seat = random.choice(asked)
        if seat == NATURE:
            action = draw_lot(game.odds(state), random.randrange)
        else:
            action = random.choice(game.legal(state, seat))
        step = game.apply(state, seat, action)
        state = step.state
        yield state, list(step.events)


def names_for(seats: int, own: Seat | None) -> list[str]:
    """Everybody's name, the viewer's own being `you`."""
    return ["you" if seat == own else name for seat, name in enumerate(OTHERS[:seats])]


@pytest.mark.parametrize("name", GAMES)
def test_every_event_and_question_is_a_sentence(name: str) -> None:
    """Through whole games, as each viewer hears them, until all kinds have been heard."""
    game, story, random = GAMES[name], STORIES[name], Random(9)
    told: set[type] = set()
    asked: set[object] = set()
    wrong: dict[str, list[str]] = {}
    for setup in story.setups * story.games:
        for state, events in played(game, setup, random):
            told |= {type(event) for event in events}
            for own in (None, *map(Seat, range(setup.seats))):
                names = names_for(setup.seats, own)
                view = game.view(state, own)
                asked.add(view.task)
                noticed = [seen for event in events if (seen := game.seen(event, own))]
                said = [game.ask(view, names), *(game.tell(event, names) for event in noticed)]
                wrong |= {words: found for words in said if words and (found := faults(words))}
                assert said[0], f"{view.task} has no question"

    assert wrong == {}
    assert told == set(get_args(story.events))
    assert asked == set(story.tasks)
