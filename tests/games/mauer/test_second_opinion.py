"""Die Mauer, a second opinion: one turn told again, straight from the clauses, in plain text.

`turn` shares nothing with the rules but their clauses. Where the rules count sites, it tries every
way to build and looks whether the wall breaks the code; where they go from phase to phase, it is
one story that stops to ask. Both must ask the same seats the same questions and end alike.
"""

import re
from collections.abc import Generator
from itertools import product
from random import Random

import pytest
from tests.games.mauer.conftest import FULL, letters, pieces
from tests.support.amounts import amount

from mauerwerk.core.game import Seat
from mauerwerk.games import mauer
from mauerwerk.games.mauer import values as mv

COST = {"T": 15, "C": 10, "6": 6, "4": 4, "3": 3, "2": 2, "1": 1}

Asking = Generator[tuple[int, set[str]], str, bool]
"""Yields a seat and its legal words, is sent one of them; returns whether anything was built."""


def added(wall: str, piece: str, end: str) -> str:
    return piece + wall if end == "<" else wall + piece


def keeps_the_code(wall: str) -> bool:
    """DM-9: nowhere do two of tower and gate stand side by side."""
    return not re.search("[TC][TC]", wall)


def can_be_built(wall: str, piece: str, times: int) -> bool:
    """Whether there is any way to build the piece so often, looking at all of them (DM-10)."""
    for ends in product("<>", repeat=times):
        grown = wall
        for end in ends:
            grown = added(grown, piece, end)
        if keeps_the_code(grown):
            return True
    return False


def turn(wall: list[str], hands: list[list[str]], master: int, fists: str) -> Asking:
    """One turn after the fists have opened; changes wall (a list of one) and hands."""
    plan, clockwise = fists[master], [*range(master + 1, len(hands)), *range(master)]
    alike = [seat for seat in clockwise if fists[seat] == plan]
    if plan != "-":
        if not can_be_built(wall[0], plan, 1):  # DM-12
            return False
        builders = alike if alike and can_be_built(wall[0], plan, len(alike)) else [master]
    elif len(alike) == 1:  # DM-19
        gift = (yield alike[0], {f"*{piece}" for piece in hands[alike[0]]})[1]
        hands[alike[0]].remove(gift)
        hands[master].append(gift)
        return False
    else:
        choices = {f"!{piece}" for piece in hands[master] if can_be_built(wall[0], piece, 1)}
        if alike or not choices:  # DM-20, DM-18 X
            return False
        plan, builders = (yield master, choices)[1], [master]
    for builder in builders:  # DM-17
        ends = {end for end in "<>" if keeps_the_code(added(wall[0], plan, end))}
        end = yield builder, ends if wall[0] else {">"}
        wall[0] = added(wall[0], plan, end)
        hands[builder].remove(plan)
    return True


def round_end(wall: str, hands: list[list[str]], idle: int, stall: int) -> str:
    """Why the round is over after the turn; empty when it is not (DM-23, DM-26, DM-27)."""
    if [] in hands:
        return "out"
    if all(not can_be_built(wall, piece, 1) for hand in hands for piece in hand):
        return "deadlock"
    return "stall" if idle == stall else ""


def any_wall(chance: Random) -> str:
    """A line of up to nine pieces that keeps the code."""
    wall = ""
    for _ in range(chance.randrange(10)):
        grown = added(wall, chance.choice("TTCC12346"), chance.choice("<>"))
        wall = grown if keeps_the_code(grown) else wall
    return wall


def any_hands(chance: Random, seats: int) -> list[list[str]]:
    """One to eight pieces each, often few, at times two of a kind, at times no walls at all."""
    stocks = ["TCTC"] if chance.random() < 0.2 else [FULL, FULL, FULL + FULL, "TC1", "4444TC"]
    hands = [
        chance.choice(stocks) if chance.random() < 0.2 else sample(chance, chance.choice(stocks))
        for _ in range(seats)
    ]
    return [sorted(hand, key=FULL.index) for hand in hands]


def sample(chance: Random, stock: str) -> str:
    return "".join(chance.sample(stock, k=chance.randint(1, min(3, len(stock)))))


@pytest.mark.rule("DM-8", "DM-9", "DM-10", "DM-12", "DM-13", "DM-14", "DM-15", "DM-17", "DM-18")
@pytest.mark.rule("DM-19", "DM-20", "DM-21", "DM-23", "DM-24", "DM-26", "DM-27")
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_a_turn_told_again_from_the_clauses_ends_the_same(seats: int) -> None:
    """From many positions each: same questions, same wall, same hands, same score."""
    chance = Random(seats)
    endings: set[str] = set()
    for _ in range(amount(300, 600, 10_000)):
        endings.add(check_one_turn(chance, seats))

    assert endings == {"", "out", "deadlock", "stall"}


def check_one_turn(chance: Random, seats: int) -> str:
    """Play one turn by both tellings, choosing at random; return how the round ended, if it did."""
    hands = any_hands(chance, seats)
    wall, master, idle = [any_wall(chance)], chance.randrange(seats), chance.randrange(3)
    likely = chance.choice([*FULL, "-"])  # what many plan, so that plans meet
    fists = "".join(
        likely if likely in [*hand, "-"] and chance.random() < 0.5 else chance.choice([*hand, "-"])
        for hand in hands
    )
    options = mv.Options(rounds=1, stall=3)
    in_hands = tuple(pieces("".join(hand)) for hand in hands)
    laid = mv.Table(options, Seat(master), pieces(wall[0]), in_hands, idle, 0, ())
    state: mv.State = mv.Planning(laid, (None,) * seats)

    for seat, fist in enumerate(fists):
        state = mauer.apply(state, Seat(seat), mauer.parse(fist)).state
    story = turn(wall, hands, master, fists)
    try:
        seat, words = next(story)
        while True:
            assert mauer.to_act(state) == (seat,)
            assert {mauer.write(action) for action in mauer.legal(state, Seat(seat))} == words
            word = chance.choice(sorted(words))
            state = mauer.apply(state, Seat(seat), mauer.parse(word)).state
            seat, words = story.send(word)
    except StopIteration as end:
        idle = 0 if end.value else idle + 1

    ending = round_end(wall[0], hands, idle, stall=3)
    assert isinstance(state, mv.Over if ending else mv.Planning)
    assert letters(state.table.wall) == wall[0]
    assert [sorted(letters(hand)) for hand in state.table.hands] == [sorted(h) for h in hands]
    assert state.table.idle == idle
    if isinstance(state, mv.Over):
        assert state.ending == ending
        assert state.table.scores == (tuple(sum(COST[p] for p in hand) for hand in hands),)
    else:
        assert state.table.master == (master + 1) % seats
    return ending
