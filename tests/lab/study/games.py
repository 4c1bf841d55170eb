"""Games to count: played by chance, or written down."""

import random
from collections.abc import Iterator
from typing import Any

from mauerwerk.bots import spec
from mauerwerk.core import options, record
from mauerwerk.core.game import Setup
from mauerwerk.games import GAMES
from mauerwerk.lab.match.match import chance, play
from mauerwerk.lab.study.study import row_of
from mauerwerk.lab.study.tally import Row

SETUPS: dict[str, list[Setup[Any]]] = {
    name: [
        Setup(seats, options.from_words(GAMES[name].OPTIONS, words))
        for seats in GAMES[name].SEATS
        for words in chosen
    ]
    for name, chosen in {
        "mauer": [{}, {"rounds": "2", "stall": "3", "first": "lot"}],
        "burgbaumeister": [{}, {"variant": "yes", "depot": "chaotic"}],
        "mauerbauer": [{}, {"board": "small", "early": "yes"}],
    }.items()
}
"""Every number of seats, with two choices of options each."""

EACH = [(name, setup) for name, setups in SETUPS.items() for setup in setups]


def rows(name: str, setup: Setup[Any], games: int, bot: str = "uniform") -> Iterator[Row]:
    """The counts of this many games between bots of one kind."""
    game = GAMES[name]
    for number in range(games):
        players = [
            spec.sit(bot, game, setup, chance(1, number, f"{seat}")) for seat in range(setup.seats)
        ]
        nature = random.Random(number).randrange
        yield row_of(game, setup, play(game, setup, players, nature))


def counted(paper: str) -> Row:
    """A game that is written down, counted."""
    read = record.read(paper, GAMES)
    game = GAMES[read.game]
    return row_of(game, read.setup, record.replay(game, read))
