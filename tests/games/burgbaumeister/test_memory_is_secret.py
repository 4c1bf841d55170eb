"""Burgbaumeister, who sees what: memory is the game, BB-9."""

import re
from collections.abc import Iterator
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.support.amounts import amount
from tests.support.castle_table import StartCastle
from tests.support.game_table import SPECTATOR, StartTable
from tests.support.setups.burgbaumeister import setups

from mauerwerk.core import laws
from mauerwerk.core.game import NATURE, Ephemeral, Seat, Setup, draw_lot
from mauerwerk.games import burgbaumeister as bb
from mauerwerk.games.burgbaumeister.events import Event, Left, Lying, Shown, Task, Turned
from mauerwerk.games.burgbaumeister.values import Card, Deciding, Drawing, Over, Spreading, State

SEEDS = st.integers(min_value=0, max_value=2**32)
SEATS = st.sampled_from(bb.SEATS)


def played(setup: Setup[bb.Options], seed: int) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """The positions of a game played by chance, each with the events that led there."""
    draw = Random(seed).randrange
    state, events = bb.start(setup), tuple[Event, ...]()
    yield state, events
    while seats := bb.to_act(state):
        legal = bb.legal(state, seats[0])
        nature = seats[0] == NATURE
        action = draw_lot(bb.odds(state), draw) if nature else legal[draw(len(legal))]
        step = bb.apply(state, seats[0], action)
        state, events = step.state, step.events
        yield state, events


def without_memory(state: State) -> State:
    """The same table, had nobody ever turned a card that lies face down now."""
    if isinstance(state, Drawing | Spreading):
        return state
    table = state.table
    up = (state.place,) if isinstance(state, Deciding) else ()
    numbers = tuple(
        None if place in table.depot and place not in up else number
        for place, number in enumerate(table.numbers)
    )
    return replace(state, table=replace(table, numbers=numbers, left=()))


# --- At the table ----------------------------------------------------------------------------


@pytest.mark.rule("BB-9")
def test_once_turned_back_a_number_is_not_shown(start_table: StartTable) -> None:
    """The view is as if the card had never been turned; only the turns are counted (BB-9)."""
    table = start_table(3)
    before = table.view(SPECTATOR)
    table.play("0:e3 ~:44 0:-  1:a1 ~:9 1:-  2:e3 ~:44 2:-")

    assert table.view(SPECTATOR) == replace(before, idle=3, turns=3)


@pytest.mark.rule("BB-9")
def test_turning_a_known_card_looks_like_turning_a_new_one(castle: StartCastle) -> None:
    """Whether nature deals a number or knows it, who acts and what is seen is the same (BB-9)."""
    new, known = castle("3 | 5"), castle("3 | 5", known="e3=44", left="e3")
    for table in (new, known):
        table.play("0:e3")

    assert new.to_act == known.to_act == (NATURE,)
    for who in (SPECTATOR, 0, 1):
        assert new.view(who) == known.view(who)
        assert new.view(who).turned == Lying(22, None)
    assert new.play("~:44")[SPECTATOR] == known.play("~:44")[SPECTATOR]
    for who in (SPECTATOR, 0, 1):
        assert new.view(who) == known.view(who)
    assert new.legal(0) == known.legal(0)


@pytest.mark.rule("BB-9")
def test_what_must_be_remembered_is_told_once(start_table: StartTable) -> None:
    """Which card was turned and its number are ephemeral; that a card was left is not (BB-9)."""
    told = start_table().play("0:e3 ~:44 0:-  1:a1 ~:9 1:+")

    lasting = [event for event in told[SPECTATOR] if not isinstance(event, Ephemeral)]
    assert [type(event).__name__ for event in lasting] == ["Left", "Added"]
    assert Left.__struct_fields__ == ("seat",)
    assert issubclass(Turned, Ephemeral)
    assert issubclass(Shown, Ephemeral)


@pytest.mark.rule("BB-12", "BB-9")
def test_the_stall_count_tells_turns_not_cards(castle: StartCastle) -> None:
    """The same card left twice or two cards left once: the view does not tell (BB-9, BB-12)."""
    twice, once = castle("3 | 5"), castle("3 | 5")
    twice.play("0:a1 ~:44 0:-  1:a1 ~:44 1:-")
    once.play("0:a1 ~:44 0:-  1:b1 ~:43 1:-")

    assert twice.view(0) == once.view(0)
    assert twice.view(0).idle == 2


@pytest.mark.rule("BB-9")
def test_the_memory_aid_shows_what_has_been_seen(start_table: StartTable) -> None:
    """By choice of the table the depot shows every card that was turned (BB-9)."""
    table = start_table(memory_aid="yes")
    table.play("0:e3 ~:43 0:-  1:a1 ~:9 1:-  0:b1 ~:12 0:+")

    assert table.view(1).seen == (Lying(0, Card(9)), Lying(22, Card(43)))
    assert start_table().view(1).seen is None


@pytest.mark.rule("BB-5", "BB-9")
def test_every_phase_says_what_it_waits_for(castle: StartCastle) -> None:
    """And from whom; all viewers see the same (BB-5)."""
    table = castle("4 | 5 7", variant="yes")
    phases: list[tuple[Task, tuple[Seat, ...]]] = []
    for words in ("", "0:a1", "~:13", "0:+", "0:x5"):
        table.play(words)
        views = [replace(table.view(who), seat=None) for who in table.viewers]
        assert views == [table.view(SPECTATOR)] * 3
        phases.append((views[0].task, views[0].waiting))

    assert phases == [
        (Task.TURN, (0,)),
        (Task.SHOW, (NATURE,)),
        (Task.DECIDE, (0,)),
        (Task.FIRE, (0,)),
        (Task.TURN, (1,)),
    ]


# --- In every game ---------------------------------------------------------------------------


@pytest.mark.rule("BB-9")
@settings(max_examples=amount(3, 8, 200))
@given(seats=SEATS, variant=st.booleans(), seed=SEEDS)
def test_no_view_depends_on_memory(*, seats: int, variant: bool, seed: int) -> None:
    """Views, questions and choices are those of a table where nothing was turned before (BB-9)."""
    for state, _ in played(Setup(seats, bb.Options(variant=variant)), seed):
        forgotten = without_memory(state)
        for who in map(Seat, range(seats)):
            assert bb.view(forgotten, who) == bb.view(state, who)
            assert bb.legal(forgotten, who) == bb.legal(state, who)
        assert bb.view(forgotten, None) == bb.view(state, None)
        assert bb.to_act(forgotten) == bb.to_act(state)


@pytest.mark.rule("BB-9")
@settings(max_examples=amount(3, 8, 200))
@given(seats=SEATS, variant=st.booleans(), seed=SEEDS)
def test_no_view_holds_a_number_that_is_not_open(*, seats: int, variant: bool, seed: int) -> None:
    """Every card in a view, as it is sent, lies face up or stands in a wall (BB-9)."""
    for state, _ in played(Setup(seats, bb.Options(variant=variant)), seed):
        if isinstance(state, Drawing | Spreading):
            continue
        is_open = {number for wall in state.table.walls for number in wall}
        is_open |= {state.number} if isinstance(state, Deciding) else set()
        for who in (SPECTATOR, *map(Seat, range(seats))):
            sent = msgspec.json.encode(bb.view(state, who))
            cards = re.findall(rb'{"type":"card","number":(\d+),', sent)
            assert set(map(int, cards)) == is_open
            assert sent.count(b'"number"') == len(cards)


@pytest.mark.rule("BB-1", "BB-9")
@settings(max_examples=amount(4, 12, 300))
@given(seats=SEATS, variant=st.booleans(), seed=SEEDS)
def test_a_card_never_changes_its_number(*, seats: int, variant: bool, seed: int) -> None:
    """What a place once showed it shows for good, and no other place shows it (BB-1, BB-9)."""
    shown: dict[int, int] = {}
    for state, events in played(Setup(seats, bb.Options(variant=variant)), seed):
        for event in events:
            if isinstance(event, Shown):
                assert shown.setdefault(event.place, event.card.number) == event.card.number
        assert len(set(shown.values())) == len(shown)
        if isinstance(state, Over):
            numbers = state.table.numbers
            assert {place: n for place, n in enumerate(numbers) if n is not None} == shown


@pytest.mark.rule("BB-1")
@settings(max_examples=amount(3, 8, 200))
@given(seats=SEATS, seed=SEEDS)
def test_each_of_the_numbers_is_used_once(*, seats: int, seed: int) -> None:
    """Walls, destroyed cards and depot together are always the 45 cards (BB-1, BB-24)."""
    for state, _ in played(Setup(seats, bb.Options(variant=True)), seed):
        assert not isinstance(state, Drawing | Spreading)
        table = state.table
        gone = [*table.destroyed, *(number for wall in table.walls for number in wall)]
        lying = [table.numbers[place] for place in table.depot]
        seen = [number for number in (*gone, *lying) if number is not None]
        assert len(seen) == len(set(seen))
        assert len(gone) + len(lying) == 45


@pytest.mark.rule("BB-9")
@settings(max_examples=amount(3, 4, 150))
@given(setup=setups(), seed=st.integers(min_value=0))
def test_what_was_told_once_is_not_shown_again(setup: Setup[bb.Options], seed: int) -> None:
    """Games that differ in nothing but turned-back cards look alike after every turn (BB-9)."""
    no_aid = Setup(setup.seats, replace(setup.options, memory_aid=False))

    laws.told_once_is_not_shown_again(bb, no_aid, Random(seed).randrange)
