"""Perft: from a position, count all sequences of a given length, and compare with the file.

The counts are in `*.perft`. A position is an `id`, the head of a record, and the words that lead
there (`play`); then come lines of depth and count. Among seats that choose together the first in
`to_act` moves first; nature's moves count like any other, one each; a game that is over earlier
does not count.

The first counts of Die Mauer can be had by hand. Everybody plans one of 7 pieces or nothing, so n
seats have 8, 64, ... up to 8^n ways to close their fists. What can be said next depends on the r =
n - 1 rivals, on the empty table:

- The master builder shows one of 7 pieces, the rivals whatever they like: somebody starts the wall,
  and there is one way to do it. 7 * 8^r
- His fist alone is empty, and he chooses among 7. 7^r * 7
- So is that of one rival, who gives one of 7. r * 7^(r-1) * 7
- So are more, and the next turn begins: 8 plans. (8^r - 7^r - r * 7^(r-1)) * 8

With three seats that is 448 + 343 + 98 + 8 = 897 after 8, 64 and 512.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.amounts import amount
from tests.support.game_table import Table

from mauerwerk.core import options
from mauerwerk.core.game import AnyGame, Setup, Value
from mauerwerk.games import GAMES, mauer
from mauerwerk.games.mauer.values import Options

DEPTH_BY_BRUTE_FORCE = amount(3, 4, 4)
DEPTH_BY_MERGING = amount(5, None, None)


class Position(Value):
    """A place to count from, and the counts: (depth, number of games)."""

    name: str
    head: str
    words: str
    counts: tuple[tuple[int, int], ...]


def read_positions(text: str) -> Iterator[Position]:
    """All positions of a file."""
    for block in text.split("\nid ")[1:]:
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        name, head, *rest = lines
        words = " ".join(line.removeprefix("play ") for line in rest if line.startswith("play "))
        pairs = [line.split() for line in rest if not line.startswith("play ")]
        yield Position(name, head, words, tuple((int(depth), int(count)) for depth, count in pairs))


POSITIONS = [
    pytest.param(position, id=position.name)
    for path in sorted(Path(__file__).parent.glob("*.perft"))
    for position in read_positions(path.read_text("utf-8"))
]


def set_up(position: Position) -> tuple[AnyGame, Any]:
    """The game, and the state that the position's words lead to."""
    name_and_rules, seats, *chosen = position.head.split()
    game = GAMES[name_and_rules.partition("/")[0]]
    assert name_and_rules == f"{game.NAME}/{game.RULES}"
    words = dict(word.split("=") for word in [seats, *chosen])
    setup = Setup(int(words.pop("seats")), options.from_words(game.OPTIONS, words))
    table = Table(game, setup.seats, game.start(setup))
    table.play(position.words)
    return game, table.state


def perft(game: AnyGame, state: Value, depth: int) -> int:
    """The number of sequences of this many moves, found by playing them."""
    if depth == 0:
        return 1
    return sum(
        perft(game, game.apply(state, seat, action).state, depth - 1)
        for seat in game.to_act(state)[:1]
        for action in game.legal(state, seat)
    )


def perft_by_merging(game: AnyGame, state: Value, depth: int) -> list[int]:
    """The numbers of games of 1, 2, ... moves; games that lead to equal states go on as one."""
    games: Counter[Any] = Counter({state: 1})
    counts: list[int] = []
    for _ in range(depth):
        moves = [
            (here, number, seat, game.legal(here, seat))
            for here, number in games.items()
            for seat in game.to_act(here)[:1]
        ]
        counts.append(sum(number * len(legal) for _, number, _, legal in moves))
        if len(counts) < depth:  # the last move need not be made to be counted
            games = Counter()
            for here, number, seat, legal in moves:
                for action in legal:
                    games[game.apply(here, seat, action).state] += number
    return counts


@pytest.mark.parametrize("position", POSITIONS)
def test_every_game_of_a_few_moves_played(position: Position) -> None:
    """By brute force: the shorter counts, without any trick."""
    game, state = set_up(position)

    for depth, count in position.counts:
        if depth <= DEPTH_BY_BRUTE_FORCE:
            assert perft(game, state, depth) == count, f"depth {depth}"


@pytest.mark.parametrize("position", POSITIONS)
def test_every_game_of_more_moves_counted(position: Position) -> None:
    """By merging equal states: all counts, from one move on, without a gap."""
    game, state = set_up(position)
    known = position.counts[:DEPTH_BY_MERGING]

    counts = perft_by_merging(game, state, len(known))

    assert tuple(enumerate(counts, start=1)) == known


@pytest.mark.rule("DM-5", "DM-18", "DM-19", "DM-20")
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_first_turn_by_hand(seats: int) -> None:
    """8 plans each, and then what the formula above says (DM-5, DM-18 to DM-20)."""
    rivals = seats - 1
    one_more_empty = rivals * 7 ** (rivals - 1)
    several_more = 8**rivals - 7**rivals - one_more_empty
    after_the_fists = 7 * 8**rivals + 7 * 7**rivals + 7 * one_more_empty + 8 * several_more

    start = mauer.start(Setup(seats, Options()))

    assert perft_by_merging(mauer, start, seats + 1) == [
        *(8**closed for closed in range(1, seats + 1)),
        after_the_fists,
    ]
