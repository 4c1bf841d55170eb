"""Tables of Die Mauer: from a position, `mauer_table(wall="44T4")`, and all of a few games."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, Protocol

import pytest
from tests.support.amounts import amount
from tests.support.game_table import Table, Told

from mauerwerk.core.game import Seat, Setup
from mauerwerk.core.options import from_words
from mauerwerk.games import mauer
from mauerwerk.games.mauer import events as me
from mauerwerk.games.mauer import values as mv
from mauerwerk.games.mauer.values import Options, State

FULL: Final = "TC12346"
"""A full set, in notation."""


def pieces(letters: str) -> tuple[mv.Piece, ...]:
    """Read a wall or a hand: `44T4`."""
    return tuple(mv.Piece(letter) for letter in letters)


def letters(pieces: Sequence[mv.Piece]) -> str:
    """Write a wall or a hand."""
    return "".join(piece.value for piece in pieces)


class MauerTable(Table[mv.State, mv.Action, me.Event, me.View]):
    """A table of Die Mauer that speaks of its wall and hands in notation."""

    @property
    def on_table(self) -> mv.Table:
        """What every phase but the lot has."""
        assert not isinstance(self.state, mv.Drawing)
        return self.state.table

    @property
    def wall(self) -> str:
        """The wall, left to right."""
        return letters(self.on_table.wall)

    @property
    def hands(self) -> str:
        """All hands, seat by seat: `TC4 C TC12346`; `.` is an empty one."""
        return " ".join(letters(hand) or "." for hand in self.on_table.hands)

    @property
    def master(self) -> Seat:
        """The seat with the master builder's stone."""
        return self.on_table.master

    def open_fists(self, plans: str) -> Told[me.Event]:
        """Everybody plans, seat 0 first: `T 4 -`, or without spaces `T4-`."""
        words = plans.replace(" ", "")
        return self.play(" ".join(f"{seat}:{word}" for seat, word in enumerate(words)))


class StartMauer(Protocol):
    """Begins Die Mauer in the middle of a round: `mauer_table(wall="44T4", hands="TC C4 C46")`."""

    def __call__(
        self,
        wall: str = ...,
        hands: str = ...,
        *,
        master: int = ...,
        idle: int = ...,
        scores: tuple[tuple[int, ...], ...] = ...,
        **options: str,
    ) -> MauerTable:
        """Lay wall and hands; the position need not be one that play can lead to."""
        ...


@pytest.fixture
def mauer_table() -> StartMauer:
    """How to begin Die Mauer from a position; by default three full hands and no wall."""

    def begin(
        wall: str = "",
        hands: str = f"{FULL} {FULL} {FULL}",
        *,
        master: int = 0,
        idle: int = 0,
        scores: tuple[tuple[int, ...], ...] = (),
        **options: str,
    ) -> MauerTable:
        in_hands = tuple(
            tuple(sorted(pieces(hand), key=mv.FULL_SET.index)) for hand in hands.split()
        )
        laid = mv.Table(
            options=from_words(mv.Options, options),
            master=Seat(master),
            wall=pieces(wall),
            hands=in_hands,
            idle=idle,
            turns=0,
            scores=scores,
        )
        seats = len(in_hands)
        return MauerTable(mauer, seats, mv.Planning(laid, (None,) * seats))

    return begin


def played(seats: int, seed: int) -> Iterator[State]:
    """A game by chance, from the drawing of the lot to its end."""
    chance = Random(seed)
    state = mauer.start(Setup(seats, Options(rounds=2, first="lot")))
    yield state
    while asked := mauer.to_act(state):
        who = chance.choice(asked)
        state = mauer.apply(state, who, chance.choice(mauer.legal(state, who))).state
        yield state


@pytest.fixture(scope="session")
def states() -> tuple[State, ...]:
    """States of games of three to six: some of them, and the last one of each."""
    games = [list(played(seats, seats)) for seats in mauer.SEATS]
    return tuple(state for game in games for state in (*game[: -1 : amount(61, 61, 9)], game[-1]))
