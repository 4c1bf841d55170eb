"""What is counted in compiled code is what is counted by the rules, column by column."""

import random
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np
import pytest
from tests.support.amounts import amount
from tests.support.compiled import functions

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import NATURE, AnyGame, Chance, Setup, Step, draw_lot
from mauerwerk.core.options import from_words
from mauerwerk.core.record import Move
from mauerwerk.games import GAMES, burgbaumeister, mauer
from mauerwerk.games.burgbaumeister.values import Add, Insert, Leave
from mauerwerk.games.mauerbauer.board import BOARDS
from mauerwerk.kernels import KERNELS, actions_of, chance, contract, counting, kernel_of
from mauerwerk.kernels.compiler import compiler_for
from mauerwerk.kernels.contract import DECISIONS, MOVES, NOTES
from mauerwerk.kernels.counting import Counted, counts, places
from mauerwerk.kernels.play.batch import run
from mauerwerk.kernels.play.single import SingleGame
from mauerwerk.lab.study.rooms import columns_of, pairs_of
from mauerwerk.lab.study.study import row_of, table_of, tally_table
from mauerwerk.lab.study.tally import Row, add_up, tally_of

PICTURES = "2t,3t,4t,5t,6c,7c,8c,9w,10r,11r,12r,13rr,14rr,15k,16q,17n,18n,19n,20d,21d,22d"

WORDS = {
    "mauer": [
        {},
        {"rounds": "1", "first": "lot", "stall": "3"},
        {"pieces": "TC1", "rounds": "2"},
        {"penalties": "T:9,1:3"},
    ],
    "burgbaumeister": [
        {},
        {"variant": "yes"},
        {"variant": "yes", "pictures": PICTURES, "first": "lot", "depot": "chaotic"},
        {"variant": "yes", "cards": "30", "wall": "6", "idle": "20", "cannons": "no"},
    ],
    "mauerbauer": [
        *({"board": board} for board in BOARDS),
        {"early": "yes", "first": "lot"},
        {"board": "wme/eem"},
        {"walls": "20", "houses": "9", "colours": "4", "hand": "4", "points": "cities:3"},
    ],
}
"""The printed games, and others in which more happens."""

SETUPS: Mapping[str, list[Setup[Any]]] = {
    name: [
        Setup(seats, from_words(GAMES[name].OPTIONS, words))
        for seats, words in product(GAMES[name].SEATS, WORDS[name])
    ]
    for name in KERNELS
}

NEVER: Mapping[str, set[str]] = {
    "mauer": set(),
    "burgbaumeister": {"shared", "reason/empty", "clause/BB-13"},
    "mauerbauer": {"score-early/city-7"},
}
"""What hardly ever happens to those who play by uniform chance."""


# --- Two ways to count -----------------------------------------------------------------------


def played_by_the_rules(
    game: AnyGame, setup: Setup[Any], seed: int, number: int
) -> Iterator[tuple[Move, Step[Any, Any]]]:
    """The game of this number as the rules play it, with the same tickets."""
    state: Any = game.start(setup)
    decision = 0
    while asked := game.to_act(state):

        def draw(bound: int, decision: int = decision) -> int:
            return int(chance.below(np.uint64(seed), number, decision, bound))

        move, step = moved(game, state, asked[0], draw)
        yield move, step
        state = step.state
        decision += 1


def moved(
    game: AnyGame,
    state: Any,  # noqa: ANN401 - the game's own kind
    seat: Any,  # noqa: ANN401 - as above
    draw: Chance,
    liking: Callable[[Any], int] = lambda _: 1,
) -> tuple[Move, Step[Any, Any]]:
    """A move by chance, of a player who likes some actions better than others."""
    liked = {action: liking(action) for action in game.legal(state, seat)}
    action = draw_lot(game.odds(state) or liked, draw)
    return Move(seat, game.write(action)), game.apply(state, seat, action)


def by_the_rules(game: AnyGame, setup: Setup[Any], seed: int, number: int) -> Row:
    """The row of a game, read off the events of the rules."""
    return row_of(game, setup, played_by_the_rules(game, setup, seed, number))


def row_in(found: Counted, place: int) -> Row:
    """The row of a game, as it was counted in compiled code."""
    values = found.table[place].tolist()
    return {column: value for column, value in zip(found.columns, values, strict=True) if value}


def both_ways(
    game: AnyGame, setup: Setup[Any], draw: Chance, liking: Callable[[Any], int]
) -> tuple[Row, Row]:
    """A game that players with likings play: its row by the rules, and by the kernel."""
    entry = functions(compiler_for(game.NAME, "cpu", part="counts"), contract, counting)
    position, names = SingleGame(game, setup), places(game, setup)
    row, notes = np.zeros(len(names), np.int64), np.zeros(NOTES, np.int64)
    numbers = {action: number for number, action in enumerate(position.values)}
    packed_setup, now = position.packed_setup[0], position.record[0]
    state: Any = game.start(setup)
    moves: list[tuple[Move, Step[Any, Any]]] = []
    beginner: int | None = None
    while asked := game.to_act(state):
        seat, before = asked[0], position.record.copy()[0]
        move, step = moved(game, state, seat, draw, liking)
        number = numbers[game.parse(move.word)]
        assert position.apply(seat, number)
        entry["notice"](packed_setup, before, now, seat, number, notes, row)
        if seat != NATURE:
            row[DECISIONS + seat] += 1
            if beginner is None:
                beginner = entry["began"](packed_setup, before, seat)
        moves.append((move, step))
        state = step.state
    row[MOVES] = len(moves)
    entry["count_ending"](packed_setup, now, row)
    entry["count_order"](packed_setup, beginner, row)
    entry["sum_up"](packed_setup, now, notes, row)
    there = [place for place, name in enumerate(names) if name]
    return row_of(game, setup, moves), row_in(
        Counted(tuple(names[place] for place in there), row[None, there]), 0
    )


# --- They agree ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", KERNELS)
def test_rules_and_kernel_count_the_same(name: str) -> None:
    """Tallies are equal for every number of seats, for the printed game and for changed rules."""
    game, numbers = GAMES[name], range(40, 40 + amount(1, 1, 10))
    for setup in SETUPS[name]:
        rows = [by_the_rules(game, setup, 7, number) for number in numbers]

        table = table_of(game, setup, 7, numbers)
        assert tally_table(game, setup, table) == tally_of(rows, pairs_of(name, setup))


@pytest.mark.parametrize("name", KERNELS)
def test_any_setup_is_counted_the_same(name: str) -> None:
    """Game by game, with options by chance; and the columns are those of the study."""
    game, draw = GAMES[name], random.Random(f"counts/{name}").randrange
    for _ in range(amount(10, 10, 250)):
        setup = kernel_of(name).random_setup(draw)
        seed, number = draw(2**64), draw(2**40)
        found = counts(game, setup, seed, range(number, number + 1))

        assert found.columns == columns_of(game, setup)
        assert row_in(found, 0) == by_the_rules(game, setup, seed, number)


@pytest.mark.parametrize("name", KERNELS)
def test_what_is_rare_is_counted_the_same(name: str) -> None:
    """Each column is compared in a game in which it is not 0."""
    game, columns, met = GAMES[name], set[str](), set[str]()
    for setup in SETUPS[name]:
        found = counts(game, setup, 9, range(2_000))
        columns |= set(found.columns)
        while new := [place for place, column in enumerate(found.columns) if column not in met]:
            richest = int((found.table[:, new] != 0).sum(axis=1).argmax())
            row = row_in(found, richest)
            if row.keys() <= met:
                break
            met |= row.keys()
            assert row == by_the_rules(game, setup, 9, richest)

    assert columns - met == NEVER[name]


@pytest.mark.parametrize("name", KERNELS)
def test_players_with_likings_are_counted_the_same(name: str) -> None:
    """So is what uniform chance hardly ever does: each action is more or less liked."""
    game, draw = GAMES[name], random.Random(f"likings/{name}").randrange
    for _ in range(amount(8, 8, 250)):
        setup = kernel_of(name).random_setup(draw)
        likings = {action: 1 << 3 * draw(4) for action in actions_of(GAMES[name], setup)}

        by_rules, by_kernel = both_ways(game, setup, draw, likings.__getitem__)

        assert by_rules == by_kernel


def test_a_spell_can_be_left_over() -> None:
    """The game ends at nine cards while a wizard has not been asked (BB-10, BB-26)."""
    draw = random.Random("spell").randrange
    setup = Setup(2, burgbaumeister.Options(variant=True))
    likings = {Add(): 9, Leave(): 3, Insert(): 0}
    left_over = 0
    for _ in range(amount(20, 20, 60)):
        by_rules, by_kernel = both_ways(
            burgbaumeister, setup, draw, lambda action: likings.get(action, 1)
        )
        left_over += by_rules.get("spell/unused", 0)
        assert by_rules == by_kernel

    assert left_over


# --- However it is divided -------------------------------------------------------------------


@pytest.mark.parametrize("name", KERNELS)
def test_a_counted_game_is_the_one_that_a_batch_plays(name: str) -> None:
    """Seed and number decide a game: points, ranks and length are those of `run`."""
    game, setup = GAMES[name], SETUPS[name][-1]
    played = run(game, setup, games=300, seed=3, first=50)

    found = counts(game, setup, 3, range(50, 350))

    by_name = dict(zip(found.columns, found.table.T, strict=True))
    for seat in range(setup.seats):
        assert by_name[f"points/{seat}"].tolist() == played.points[:, seat].tolist()
        assert by_name[f"rank/{seat}"].tolist() == played.ranks[:, seat].tolist()
    assert by_name["moves"].tolist() == played.decisions.tolist()
    assert by_name["turns"].tolist() == played.turns.tolist()
    for number, word in enumerate(played.reason_words):
        assert by_name[f"reason/{word}"].tolist() == (played.reasons == number).tolist()


@pytest.mark.parametrize("name", KERNELS)
def test_games_can_be_counted_in_parts(name: str) -> None:
    """In any order and on any number of threads the sums are the same."""
    game, setup = GAMES[name], SETUPS[name][0]
    whole, *parts = (
        tally_table(game, setup, table_of(game, setup, 4, numbers))
        for numbers in (range(1_200), range(700, 1_200), range(700))
    )
    shared = counts(game, setup, 4, range(1_200), threads=3)

    assert add_up(parts) == whole
    assert np.array_equal(shared.table, counts(game, setup, 4, range(1_200)).table)


def test_what_need_not_end_is_not_counted() -> None:
    """No kernel plays such a game, and the error says so (DM-27)."""
    with pytest.raises(SetupError, match="stall"):
        counts(mauer, Setup(3, mauer.Options(stall="off")), 1, range(1))


def test_games_are_counted_one_after_the_other() -> None:
    """Numbers with gaps are refused rather than filled in."""
    with pytest.raises(ValueError, match="one after the other"):
        counts(mauer, Setup(3, mauer.Options()), 1, range(0, 10, 2))
