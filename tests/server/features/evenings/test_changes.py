"""What can happen to an evening, and what cannot."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from mauerwerk.core.errors import SetupError
from mauerwerk.server.features.evenings import pairing, values
from mauerwerk.server.features.evenings.pairing import Tables
from mauerwerk.server.features.evenings.values import (
    BOT,
    MOST_PEOPLE,
    Evening,
    EveningError,
    Hindrance,
    RoundTable,
)
from mauerwerk.server.tables.charter import Guest


def evening(people: int, *games: str) -> Evening:
    """An evening with these games, before the first round."""
    made = Evening("Friday")
    for number in range(people):
        made = values.joined(made, Guest(f"g{number}", f"N{number}"))
    for game in games:
        made = values.with_game(made, game, {})
    return made


def begun(of: Evening) -> Evening:
    """With the next round under way."""
    return values.started(of, lambda number, place: f"{number}.{place}", 1)


def ended(of: Evening) -> Evening:
    """With all tables done: whoever has the lowest number wins."""
    results = {
        table.id: replace(
            table,
            over=True,
            ranks=tuple(sorted(table.people).index(each) + 1 for each in table.people),
        )
        for each in of.rounds
        for table in each.tables
    }
    return values.settled(of, results)


def refusal(act: Callable[[], object]) -> Hindrance:
    """Why it cannot be done."""
    with pytest.raises(EveningError) as fault:
        act()
    return fault.value.hindrance


def test_tables_are_of_the_right_size_for_each_game() -> None:
    """Six people: two tables of three, then all at one."""
    of = evening(6, "mauerbauer", "mauer")
    assert [len(table) for table in values.next_tables(of)] == [3, 3]
    of = ended(begun(of))
    assert [len(table) for table in values.next_tables(of)] == [6]


def test_a_bot_sits_down_where_people_are_too_few() -> None:
    """Die Mauer needs three."""
    assert values.next_tables(evening(2, "mauer")) == ((0, 1, BOT),)


def test_only_options_of_the_game_are_kept() -> None:
    """What a program says beyond them would be stored, and could never be played."""
    for words in ({"x": "y"}, {"rounds": "z" * 10_000}):
        with pytest.raises(SetupError):
            values.with_game(evening(3), "mauer", words)
    assert values.with_game(evening(3), "mauer", {"rounds": "1"}).rounds


def test_a_size_that_the_game_does_not_have_is_refused() -> None:
    """The programme would show tables of another size."""
    for game, size in (("mauer", 2), ("mauerbauer", 5)):
        with pytest.raises(SetupError):
            values.with_game(evening(3), game, {}, size)
    for game, size in (("mauer", 3), ("mauerbauer", 4), ("mauer", 0)):
        assert values.with_game(evening(3), game, {}, size).rounds[0].size == size


def test_a_round_starts_when_all_tables_are_done() -> None:
    """And not before; not alone, and not without a game."""
    of = begun(evening(6, "mauerbauer", "mauer"))
    assert of.current == 0
    assert refusal(lambda: begun(of)) is Hindrance.STILL_PLAYING
    half = values.settled(of, {"0.0": replace(of.rounds[0].tables[0], over=True)})
    assert refusal(lambda: begun(half)) is Hindrance.STILL_PLAYING
    assert ended(of).current is None
    last = ended(begun(ended(of)))
    assert refusal(lambda: begun(last)) is Hindrance.NOTHING_TO_START
    assert refusal(lambda: begun(evening(1, "mauer"))) is Hindrance.TOO_FEW


def test_a_result_is_kept_once() -> None:
    """A table that is read again later, or is gone by then, changes nothing."""
    of = ended(begun(evening(3, "mauer")))
    other = RoundTable("0.0", (2, 1, 0), over=True, ranks=(1, 2, 3))
    assert values.settled(of, {"0.0": other}) == of


def test_who_leaves_keeps_the_points_and_plays_no_more() -> None:
    """And may come back."""
    of = values.gone(ended(begun(evening(4, "mauer", "mauer"))), 1)
    assert of.here == (0, 2, 3)
    assert {each for table in values.next_tables(of) for each in table} == {0, 2, 3}
    assert refusal(lambda: values.gone(of, 1)) is Hindrance.NOT_THERE
    back = values.joined(of, Guest("g1", "New name"))
    assert back.here == (0, 1, 2, 3)
    assert back.people[1].name == "New name"


def test_there_is_room_for_some() -> None:
    """One more is refused; somebody who is there is not."""
    full = evening(MOST_PEOPLE)
    assert refusal(lambda: values.joined(full, Guest("x", "X"))) is Hindrance.FULL
    assert values.joined(full, Guest("g3", "N3")) == full


def test_the_host_swaps_two() -> None:
    """It holds for the next round, until somebody comes or goes."""
    of = evening(6, "mauerbauer")
    first, second = values.next_tables(of)
    of = values.swapped(of, first[0], second[0])
    assert values.next_tables(of) == ((second[0], *first[1:]), (first[0], *second[1:]))
    assert begun(of).rounds[0].tables[0].people == (second[0], *first[1:])
    assert len(values.next_tables(values.joined(of, Guest("x", "X")))[0]) == 4
    for pair in ((0, 0), (0, 9), (0, BOT)):
        assert refusal(partial(values.swapped, of, *pair)) is Hindrance.NO_SWAP


def test_games_come_and_go_until_they_start() -> None:
    """At the end of the programme."""
    of = begun(evening(3, "mauer", "mauerbauer"))
    seen = of.programme
    assert values.without_game(of, 1, seen).programme == ("mauer",)
    assert refusal(lambda: values.without_game(of, 0, seen)) is Hindrance.STARTED
    assert refusal(lambda: values.without_game(of, 7, seen)) is Hindrance.NO_SUCH_ROUND
    assert refusal(lambda: values.with_game(of, "chess", {})) is Hindrance.NO_SUCH_GAME


def test_a_swiss_evening_pairs_by_the_ranking() -> None:
    """From the second round on."""
    of = replace(evening(4), way="swiss")
    for _ in range(2):
        of = values.with_game(of, "mauerbauer", {}, 2)
    of = ended(begun(of))
    winners = {table.people[table.ranks.index(1)] for table in of.rounds[0].tables}
    assert winners in [set(table) for table in values.next_tables(of)]


def test_tables_are_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty-four people look at the page of an evening every few seconds."""
    many = evening(MOST_PEOPLE, "mauerbauer")
    worked_out: list[object] = []
    tables_for = pairing.tables_for

    def counted(*given: Any) -> Tables:  # noqa: ANN401 - as it is called
        worked_out.append(given)
        return tables_for(*given)

    monkeypatch.setattr(pairing, "tables_for", counted)
    values._worked_out.cache_clear()  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    first, again = values.next_tables(many), values.next_tables(many)
    assert first == again
    assert len(worked_out) == 1
    assert values.next_tables(values.gone(many, 3)) != first
