"""When a city of Mauerbauer is scored: one moment for all, that counts everything up."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import takewhile
from random import Random
from typing import Any, NamedTuple

import pytest
from tests.server.games.mauerbauer.test_preview import eager
from tests.server.games.positions import elements, read
from tests.support.amounts import amount

from mauerwerk.core.game import NATURE, Seat, Setup, draw_lot
from mauerwerk.core.language import ENGLISH, language_of
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer.events import (
    Chosen,
    Closed,
    Discarded,
    Event,
    Finished,
    GameEnded,
    Joined,
    Played,
    Task,
)
from mauerwerk.games.mauerbauer.values import Adding, Options, Scoring
from mauerwerk.server.games.mauerbauer.moments import moments
from mauerwerk.server.games.room import Moment, SeenMove

NAMES = ("you", "Bo", "Cy")
SCORED = (Scoring, Adding)
FINISHING = (Task.CHOOSE, Task.FINISH)
LAST = (Chosen, Played, Finished, GameEnded)


class Told(NamedTuple):
    """A move as the first seat may know it, and what was told since the last wall."""

    move: SeenMove
    since: tuple[Event, ...]
    scored: bool
    """Whether this move was the last of a scoring."""

    @property
    def shown(self) -> tuple[Moment, ...]:
        """The moments of this move."""
        return tuple(moments(self.move))


@cache
def game(seed: int, viewer: int | None = 0, code: str = "en") -> Sequence[Told]:
    """A game by chance in which cities are closed wherever they can be."""
    return tuple(_played(seed, viewer, code))


def _played(seed: int, viewer: int | None, code: str) -> Iterator[Told]:
    chance = Random(seed)
    state: Any = mauerbauer.start(Setup(3, Options(board="small")))
    seat = None if viewer is None else Seat(viewer)
    language = ENGLISH if code == "en" else language_of(code)
    since: list[Event] = []
    past: list[Event] = []
    while asked := mauerbauer.to_act(state):
        (mover,) = asked
        by_nature = mover == NATURE
        action = (
            draw_lot(mauerbauer.odds(state), chance.randrange)
            if by_nature
            else eager(state, mover, chance)
        )
        step = mauerbauer.apply(state, mover, action)
        if any(type(event).__name__ == "Built" for event in step.events):
            since = []
        since += step.events
        before, after = mauerbauer.view(state, seat), mauerbauer.view(step.state, seat)
        over = isinstance(state, SCORED) and not isinstance(step.state, SCORED)
        names = NAMES if viewer == 0 else ("Ann", *NAMES[1:])
        move = SeenMove(before, after, step.events, names, language, tuple(past))
        yield Told(move, tuple(since), over)
        past += step.events
        state = step.state


@pytest.mark.parametrize("seed", range(amount(2, 3, 20)))
def test_a_scoring_is_one_moment_with_its_last_card(seed: int) -> None:
    """All that was played or discarded since the city was closed is in it, with its points."""
    seen = 0
    for told in game(seed):
        shown = told.shown if told.move.before.task not in FINISHING else ()
        assert len(shown) == told.scored
        for moment in shown:
            played = [each for each in told.since if isinstance(each, Played)]
            away = [each for each in told.since if isinstance(each, Discarded)]
            minis = [
                each
                for each in elements(moment.content)
                if each.attributes.get("class", "")[:4] == "mini"
            ]
            words = " ".join(read(moment.content).words)

            assert len(minis) == len(played) + len(away)
            assert sum("away" in each.attributes["class"] for each in minis) == len(away)
            assert all(f"+{each.points}" in words for each in played)
            for at in range(3):
                gained = sum(each.points for each in played if each.seat == at)
                mine = [each for each in played if each.seat == at]
                if mine:
                    assert f"{'You' if at == 0 else NAMES[at]} scored {gained}:" in moment.says
            seen += 1
    assert seen > 2


def test_points_count_from_what_each_had_to_what_each_has() -> None:
    """The numbers in the page are the end state; the script counts up to them."""
    for told in game(4):
        for moment in told.shown:
            played = [each for each in told.since if isinstance(each, Played)]
            counts = re.findall(
                r'class="num pts"(?: data-count="(\d+) \d+ 300")?>(\d+)<', moment.content
            )
            order = [(told.move.before.builder + step) % 3 for step in range(3)]
            for seat, (start, total) in zip(order, counts, strict=True):
                gained = sum(each.points for each in played if each.seat == seat)
                assert int(total) == told.move.after.points[seat]
                if start:
                    assert int(total) - int(start) == gained


@pytest.mark.rule("MB-72")
def test_the_last_scoring_is_a_moment_of_its_own() -> None:
    """It has all that was played since no city was closed, and for which city."""
    ended = 0
    for seed in amount((1, 4), (1, 4), range(40)):
        *_, last = game(seed)
        told = [*takewhile(lambda each: isinstance(each, LAST), reversed(last.since))]
        played = [each for each in told if isinstance(each, Played)]
        if last.move.before.task not in FINISHING or not played:
            continue
        ended += 1
        (moment,) = last.shown
        words = " ".join(read(moment.content).words)
        assert moment.prompt == "The last scoring."
        assert all(f"+{each.points}" in words for each in played)
        for chosen in (each for each in told if isinstance(each, Chosen)):
            assert ("for a city of" if chosen.city is not None else "a city") in words
        assert not any(each.shown for each in game(seed) if each.move.after.task in FINISHING)
    assert ended


def test_it_says_who_closed_what_and_rests_for_five_seconds() -> None:
    """The joined city counts as the one that was closed (MB-42)."""
    for told in game(2):
        for moment in told.shown if told.scored else ():
            (closed,) = (each for each in told.since if isinstance(each, Closed))
            joined = any(isinstance(each, Joined) and each.other for each in told.since)
            number = len(closed.fields)
            who = "You" if closed.seat == 0 else NAMES[closed.seat]
            if not joined:
                noun = "field" if number == 1 else "fields"
                assert moment.prompt == f"{who} closed a city of {number} {noun}."
            assert moment.says.startswith(moment.prompt)
            assert (moment.kind, moment.rest, moment.go_on) == ("scoring", 5000, "Go on")
            assert 700 < moment.motion < 6000


@pytest.mark.rule("MB-8")
def test_hands_stay_secret_in_a_moment() -> None:
    """A spectator sees no hand, a player only their own; what lies there is seen by all."""
    for told in game(3, viewer=None):
        for moment in told.shown:
            assert 'id="tray"' not in moment.content
            assert 'id="card-' not in moment.content
    for told in game(3, viewer=1):
        for moment in told.shown:
            own = {f"card-{card.value}" for card in told.move.after.hands[1]}
            shown = {each.id for each in elements(moment.content) if each.id.startswith("card-")}
            assert shown == own


def test_nothing_can_be_pressed_in_a_moment_in_any_language() -> None:
    """It is drawn without legal actions, and no template is left over."""
    for code in ("en", "de", "it"):
        for told in game(1, code=code):
            for moment in told.shown:
                assert "data-word" not in moment.content
                assert "data-opens" not in moment.content
                assert "{" not in moment.says + moment.prompt + moment.more
                assert "style=" not in moment.content
