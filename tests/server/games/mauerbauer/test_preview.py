"""What a choice in Mauerbauer would do, against what it does."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from tests.support.amounts import amount

from mauerwerk.core.game import NATURE, Seat, Setup, Step, draw_lot
from mauerwerk.core.language import ENGLISH, language_of
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer.cities import free_lines, newly_closed
from mauerwerk.games.mauerbauer.events import Closed, Played, Task, View
from mauerwerk.games.mauerbauer.scoring import is_city_card
from mauerwerk.games.mauerbauer.values import (
    Action,
    Adding,
    Build,
    Choose,
    Done,
    Finishing,
    Join,
    Joining,
    Options,
    PlaceHouse,
    PlaceTower,
    Play,
    Scoring,
)
from mauerwerk.server.games.mauerbauer.preview import closes_after, outlook, preview
from mauerwerk.server.games.room import Preview

NAMES = ("you", "Bo", "Cy")


def eager(state: Any, seat: Seat, chance: Random) -> Action:  # noqa: ANN401 - a state
    """Close a city where that can be done; otherwise anything."""
    legal = mauerbauer.legal(state, seat)
    closing = [
        each for each in legal if isinstance(each, Build) and newly_closed(state.table, each.line)
    ]
    return chance.choice(closing or legal)


def choices(seed: int) -> Iterator[tuple[View, Action, Step[Any, Any], Any]]:
    """All choices of a game by chance: the view, the action, what it led to, and the state."""
    chance = Random(seed)
    seats = 2 + seed % 2
    state: Any = mauerbauer.start(Setup(seats, Options(board="small" if seed % 2 else "default")))
    while asked := mauerbauer.to_act(state):
        (seat,) = asked
        if seat == NATURE:
            action = draw_lot(mauerbauer.odds(state), chance.randrange)
        else:
            action = eager(state, seat, chance)
        step = mauerbauer.apply(state, seat, action)
        if seat != NATURE:
            yield mauerbauer.view(state, seat), action, step, state
        state = step.state


def shown(view: View, action: Action) -> Preview:
    """The preview, which this action has."""
    found = preview(view, action, NAMES, ENGLISH)
    assert found is not None
    return found


def badges(view: View, action: Action) -> dict[str, int]:
    """The numbers at the cards."""
    return {name: int(text) for name, text in shown(view, action).badges.items()}


def worths(view: View) -> dict[str, int]:
    """What each card of one's own scores, as the rules have it."""
    assert view.seat is not None
    hand = view.hands[view.seat] or ()
    return {f"card-{card.value}": worth for card, worth in zip(hand, view.worth, strict=True)}


@pytest.mark.parametrize("seed", range(amount(2, 2, 30)))
def test_a_wall_closes_the_city_that_its_preview_shows(seed: int) -> None:
    """Its size is what happens at the end of the turn; cards of size score just that (MB-31)."""
    promised: str | None = None
    closed = 0
    for view, action, step, _ in choices(seed):
        if isinstance(action, Build):
            promised = shown(view, action).label
        for event in step.events:
            if isinstance(event, Closed):
                number = len(event.fields)
                assert promised == f"closes a city of {number} field{'s' * (number > 1)}"
                promised = ""
                closed += 1
        if promised and view.task is Task.BUILD and not isinstance(action, Build):
            pytest.fail("a city was promised, and the next turn began")
    assert closed > 1


@pytest.mark.parametrize("seed", range(amount(2, 2, 30)))
def test_badges_are_what_the_cards_score_after_the_choice(seed: int) -> None:
    """The last piece of a turn, joining and choosing: all is known then, and all is right."""
    compared = 0
    for view, action, step, _ in choices(seed):
        if not isinstance(action, PlaceTower | PlaceHouse | Join | Choose):
            continue
        ahead = outlook(view, action)
        if ahead.follows or ahead.then:
            continue
        assert view.seat is not None
        after = mauerbauer.view(step.state, view.seat)
        found = badges(view, action)
        if isinstance(step.state, Joining | Scoring | Adding | Finishing):
            real = worths(after)
            compared += 1
        else:
            real = {name: worth for name, worth in worths(after).items() if name in found}
        if isinstance(action, Choose):
            real = {name: real[name] for name in found}
        assert found == {name: real[name] for name in real}
    assert compared > 1


@pytest.mark.parametrize("seed", range(amount(2, 2, 30)))
def test_cards_whose_number_changes_get_a_badge_and_others_none(seed: int) -> None:
    """Without a city, only country cards, and only where it makes a difference."""
    for view, action, _, _ in choices(seed):
        if isinstance(action, Build | PlaceTower | PlaceHouse):
            ahead, now, found = outlook(view, action), worths(view), badges(view, action)
            then = {f"card-{card.value}": worth for card, worth in ahead.worth(view).items()}
            cities = {f"card-{card.value}" for card in ahead.worth(view) if is_city_card(card)}
            if ahead.city is None:
                assert found == {
                    name: worth
                    for name, worth in then.items()
                    if worth != now[name] and name not in cities
                }
            else:
                assert found == then


@pytest.mark.parametrize("seed", range(amount(2, 2, 30)))
def test_a_card_scores_what_its_preview_says(seed: int) -> None:
    """And the sum is what the player has then (MB-44)."""
    seen = 0
    for view, action, step, _ in choices(seed):
        if isinstance(action, Play):
            (played,) = (event for event in step.events if isinstance(event, Played))
            total = step.state.table.points[played.seat]
            made = shown(view, action)
            assert made.sentence.startswith(f"Scores {played.points}; then you have {total} point")
            assert made.badges == {f"seat-{played.seat}": f"+{played.points}"}
            seen += 1
    assert seen > 1


@pytest.mark.parametrize("seed", range(amount(2, 2, 30)))
def test_what_follows_without_a_choice_is_what_the_rules_ask_next(seed: int) -> None:
    """The other house is shown beside the one that is thought about (MB-25)."""
    followed: list[Action] = []
    for view, action, _, state in choices(seed):
        if followed:
            assert mauerbauer.legal(state, view.waiting[0]) == (followed.pop(0),)
        elif isinstance(action, PlaceTower | PlaceHouse):
            followed = [*outlook(view, action).follows]


def test_nothing_is_drawn_from_what_the_viewer_does_not_know() -> None:
    """Two tables that look alike have the same previews: hands of others make no difference."""
    for number, (view, action, _, state) in enumerate(choices(3)):
        if number % 9 or view.task is Task.NOTHING:
            continue
        assert view.seat is not None
        others = [seat for seat in range(len(view.counts)) if seat != view.seat]
        hidden = {card.value for seat in others for card in state.table.hands[seat]}
        own = {card.value for card in state.table.hands[view.seat]}
        made = preview(view, action, NAMES, ENGLISH)
        told = "" if made is None else f"{made.badges} {made.drawing}"

        assert not any(f"card-{word}'" in told for word in hidden - own)


def test_previews_speak_every_language() -> None:
    """Each action has a sentence in each language, and no template is left over."""
    for code in ("en", "de", "it"):
        for view, action, _, _ in choices(2):
            made = preview(view, action, NAMES, language_of(code))
            assert (made is None) == isinstance(action, Done)
            if made is not None:
                assert "{" not in f"{made.sentence}{made.label}{made.act}{made.aloud}"


def test_one_wall_more_is_what_the_next_wall_closes() -> None:
    """A wall that leaves a city one wall short says how large it would be."""
    seen = 0
    for view, action, step, _ in choices(5):
        if isinstance(action, Build) and (within_reach := closes_after(view, action.line)):
            table = step.state.table
            sizes = [len(newly_closed(table, line) or ()) for line in free_lines(table)]
            assert within_reach in sizes
            seen += 1
    assert seen


def test_nobody_waits_for_a_look_ahead_on_a_large_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """There it is not said what one wall more would close."""
    monkeypatch.setattr("mauerwerk.server.games.mauerbauer.preview.LARGE", 3)
    walls = [(view, action) for view, action, _, _ in choices(1) if isinstance(action, Build)]

    assert walls
    assert not any(closes_after(view, action.line) for view, action in walls)
