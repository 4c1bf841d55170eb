"""Burgbaumeister read a second time: the rules once more, plainly, and compared move by move.

This referee knows the true number of every card from the start and shares no code with the rules.
"""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.amounts import amount

from mauerwerk.core.game import NATURE, Seat, Setup
from mauerwerk.games import burgbaumeister as bb

CANNONS, TOWERS, WIZARD = {13, 25, 36}, {10, 20, 29, 38}, 17
KNIGHTS, DAMSELS = {7, 22, 40}, {5, 27, 42}
EXTRA = {44: 3, 33: 3, 3: 1, 11: 2, 19: 1, 31: 2, 45: 1}
PLACES = [f"{column}{row}" for row in range(1, 6) for column in "abcdefghi"]


class Referee:
    """A game with real cards on a real table."""

    def __init__(self, seats: int, cards: list[int], *, variant: bool) -> None:
        """Shuffled cards lie face down."""
        self.depot = dict(zip(PLACES, cards, strict=True))
        self.walls: list[list[int]] = [[1] for _ in range(seats)]
        self.variant = variant
        self.turn = 0
        self.phase = "turn"
        self.place = ""
        self.spell: int | None = None
        self.left: set[str] = set()
        self.idle = 0
        self.over = ""

    def who(self) -> int | None:
        """The player to move: -1 is nature, None is nobody."""
        return None if self.over else -1 if self.phase == "show" else self.turn

    def words(self) -> set[str]:
        """What may be done, less what nature only might have said."""
        if self.phase == "turn":
            return set(self.depot)
        if self.phase == "show":
            return {str(self.depot[self.place])}
        if self.phase == "fire":
            return {f"x{number}" for number in self.targets()} | {"x-"}
        if self.depot[self.place] > self.walls[self.turn][-1]:
            return {"+", "-"}
        return {"^", "-"} if self.spell == self.turn else {"-"}

    def targets(self) -> set[int]:
        """What no tower protects, in the walls of the others."""
        found: set[int] = set()
        for seat, wall in enumerate(self.walls):
            for index, number in enumerate(wall):
                if seat != self.turn and index > 0 and not TOWERS & set(wall[index:]):
                    found.add(number)
        return found

    def play(self, word: str) -> None:
        """Make a move that is allowed."""
        if self.phase == "turn":
            self.phase, self.place = "show", word
        elif self.phase == "show":
            self.phase = "decide"
        elif self.phase == "fire":
            if word != "x-":
                self.destroy(int(word[1:]))
            self.pass_on()
        elif word == "-":
            self.left.add(self.place)
            self.idle += 1
            self.pass_on()
        else:
            self.build(word)

    def build(self, word: str) -> None:
        """Take the card and let it do what it does."""
        number = self.depot.pop(self.place)
        self.walls[self.turn].append(number)
        self.walls[self.turn].sort()
        self.left, self.idle = set(), 0
        if word == "^":
            self.spell = None
        if self.variant and number == WIZARD:
            self.spell = self.turn
        if self.variant and number in CANNONS and self.targets():
            self.phase = "fire"
        else:
            self.pass_on()

    def destroy(self, number: int) -> None:
        """Take a card out of the game."""
        for wall in self.walls:
            if number in wall:
                wall.remove(number)
        if number == WIZARD:
            self.spell = None

    def pass_on(self) -> None:
        """See whether it is over."""
        cards = self.depot.values()
        fitting = any(number > wall[-1] for number in cards for wall in self.walls)
        if max(map(len, self.walls)) == 10:
            self.over = "nine"
        elif not cards:
            self.over = "empty"
        elif not fitting and self.spell is None:
            self.over = "blocked"
        elif set(self.depot) == self.left or self.idle == 90:
            self.over = "stall"
        self.phase, self.turn = "turn", (self.turn + 1) % len(self.walls)

    def points(self) -> list[int]:
        """What the walls are worth."""
        return [
            len(wall) - 1 + (self.bonus(set(wall)) if self.variant else 0) for wall in self.walls
        ]

    @staticmethod
    def bonus(wall: set[int]) -> int:
        """What the pictures add."""
        knights, damsels = len(wall & KNIGHTS), len(wall & DAMSELS)
        return sum(EXTRA.get(n, 0) for n in wall) + knights + damsels + min(knights, damsels)

    def ranks(self) -> list[int]:
        """Points first, then the last number."""
        keys = [(p, wall[-1]) for p, wall in zip(self.points(), self.walls, strict=True)]
        return [1 + sum(other > key for other in keys) for key in keys]


@pytest.mark.rule("BB-10", "BB-11", "BB-12", "BB-20", "BB-24", "BB-26")
@settings(max_examples=amount(6, 15, 600))
@given(
    seats=st.sampled_from(bb.SEATS),
    variant=st.booleans(),
    greed=st.sampled_from([3, 8, 20, 45]),
    seed=st.integers(0, 2**32),
)
def test_both_readings_agree(*, seats: int, variant: bool, greed: int, seed: int) -> None:
    """The player to move, legal actions, walls, points, ranks and reason agree at every move."""
    chance = Random(seed)
    cards = list(range(2, 47))
    chance.shuffle(cards)
    referee = Referee(seats, cards, variant=variant)
    state = bb.start(Setup(seats, bb.Options(variant=variant)))

    while (who := referee.who()) is not None:
        allowed = referee.words()
        legal = {bb.write(action) for action in bb.legal(state, Seat(who))}
        assert bb.to_act(state) == (Seat(who),)
        assert allowed <= legal if who == NATURE else allowed == legal
        word = chosen(referee, sorted(allowed), greed, chance)
        state = bb.apply(state, Seat(who), bb.parse(word)).state
        referee.play(word)
        assert bb.view(state, None).points == tuple(referee.points())

    outcome = bb.outcome(state)
    assert outcome is not None
    assert outcome.reason == referee.over
    assert outcome.points == tuple(referee.points())
    assert outcome.ranks == tuple(referee.ranks())


def chosen(referee: Referee, allowed: list[str], greed: int, chance: Random) -> str:
    """Add small steps, insert when possible, now and then anything."""
    if referee.phase == "decide" and chance.random() < 0.9:
        gap = referee.depot[referee.place] - referee.walls[referee.turn][-1]
        if "^" in allowed:
            return "^"
        if "+" in allowed:
            return "+" if gap <= greed else "-"
    return chance.choice(allowed)
