"""Chance that can be checked: what a seed deals, and that it deals evenly."""

import hashlib
import hmac
import math
import os
import subprocess
import sys
from collections import Counter
from typing import Any, Final

import pytest
from tests.support.amounts import amount

from mauerwerk.core.game import NATURE, AnyGame, Setup
from mauerwerk.core.record import Move, Record
from mauerwerk.games import GAMES
from mauerwerk.server.keys import new_seed
from mauerwerk.server.tables.seed import (
    SEED_BYTES,
    Places,
    UnfairMove,
    check,
    commitment,
    draw_at,
    nature_word,
)

SEED: Final = bytes(range(SEED_BYTES))
WHOLE: Final = 2**256


def ticket(seq: int, count: int) -> int:
    """A ticket, worked out by whoever reads the description and nothing else."""
    digest = hmac.new(SEED, b"%d:%d" % (seq, count), hashlib.sha256).hexdigest()
    return int(digest, 16)


def played(game: AnyGame, seats: int, seed: bytes) -> tuple[Record, tuple[int, ...]]:
    """A game in which nature is fair and everybody does the first thing allowed.

    Every third number of the log went to something else.
    """
    setup: Setup[Any] = Setup(seats, game.OPTIONS())
    state = game.start(setup)
    places = Places(game, seats)
    moves: list[Move] = []
    numbers: list[int] = []
    while asked := game.to_act(state):
        number = len(moves) + len(moves) // 2
        if asked == (NATURE,):
            word = nature_word(game, state, seed, places.next(state))
        else:
            word = game.write(game.legal(state, asked[0])[0])
        moves.append(Move(asked[0], word))
        numbers.append(number)
        state = game.apply(state, asked[0], game.parse(word)).state
    return Record(game.NAME, game.RULES, setup, tuple(moves)), tuple(numbers)


# --- Seeds -----------------------------------------------------------------------------------


def test_a_seed_is_32_bytes_and_never_the_same() -> None:
    """Two seeds drawn one after the other differ."""
    one, other = new_seed(), new_seed()
    assert len(one) == len(other) == 32
    assert one != other


def test_the_commitment_is_the_sha_256_of_the_seed() -> None:
    """The commitment is what `sha256sum` prints for a file with these 32 bytes."""
    zeros = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
    assert commitment(bytes(32)) == zeros
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


# --- Drawing ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seq", [0, 1, 10, 99_999])
def test_a_draw_is_what_the_description_says(seq: int) -> None:
    """A draw is the remainder of the first ticket, the next draw that of the next ticket."""
    for n in range(1, 101):
        draw = draw_at(SEED, seq)
        assert [draw(n) for _ in range(3)] == [ticket(seq, count) % n for count in range(3)]


KNOWN: Final = (
    0x2D664C31FF27713CEE9962DC21B2F9134616408329DD3460ED2F5D9E8D2CF1C9,
    0x57C826C9374DC3AFC91E43C7D993F4A20BAC42F876026EB9F7AF8C67FD634F98,
    0xD38CBB356B0C26C10C96294AF10E07C29720B8A42F2E0BC723C555B0B5E5D866,
    0xB8EFC81748B35FDF5F17D8B2B4B9A88C5BDE1045FDA6B296CFCB592F64E7D410,
)
"""What `printf 0:0 | openssl dgst -sha256 -mac HMAC -macopt hexkey:000102…1f` says, then 0:1, …"""


def test_draws_that_never_change() -> None:
    """These draws are fixed, so that a record of today can always be checked."""
    draw = draw_at(SEED, 0)
    assert [draw(108) for _ in KNOWN] == [each % 108 for each in KNOWN] == [57, 72, 66, 84]


def test_a_ticket_beyond_the_last_whole_share_is_not_used() -> None:
    """For more than half of all values, about every other ticket is void."""
    n = WHOLE // 2 + 1
    for seq in range(50):
        usable = next(each for count in range(100) if (each := ticket(seq, count)) < n)
        assert draw_at(SEED, seq)(n) == usable
    assert any(ticket(seq, 0) >= n for seq in range(50))


def test_after_a_void_ticket_counting_goes_on() -> None:
    """The next draw of a move takes the ticket after the last one that was looked at."""
    n = WHOLE // 2 + 1
    seq = next(seq for seq in range(50) if ticket(seq, 0) >= n > ticket(seq, 1))
    draw = draw_at(SEED, seq)
    assert [draw(n), draw(6)] == [ticket(seq, 1), ticket(seq, 2) % 6]


def test_all_values_can_be_drawn_from_and_no_more() -> None:
    """A draw from 2**256 values is the ticket itself, and larger draws are refused."""
    assert draw_at(SEED, 3)(WHOLE) == ticket(3, 0)
    for n in (0, -1, WHOLE + 1):
        with pytest.raises(ValueError, match="no drawing"):
            draw_at(SEED, 3)(n)
    with pytest.raises(ValueError, match="numbered from 0"):
        draw_at(SEED, -1)


@pytest.mark.parametrize("first", range(1, amount(3, 5, 11)))
def test_every_number_is_as_likely(first: int) -> None:
    """For every n from 1 to 100, as far as a chi-square tells that goes wrong once in a million.

    The seed is fixed, so that this holds for ever or never.
    """
    rare = math.log(1_000_000)
    for n in range(first, 101, 10):
        draws = 40 * n
        counts = Counter(draw_at(SEED, seq)(n) for seq in range(draws))
        assert set(counts) == set(range(n))
        chi_square = sum((counts[each] - 40) ** 2 / 40 for each in range(n))
        freedom = n - 1
        assert chi_square <= freedom + 2 * math.sqrt(freedom * rare) + 2 * rare


def test_neighbouring_moves_have_nothing_to_do_with_each_other() -> None:
    """All pairs of two consecutive rolls occur equally often."""
    rolls = [draw_at(SEED, seq)(6) for seq in range(7200)]
    pairs = Counter(zip(rolls[::2], rolls[1::2], strict=True))
    assert len(pairs) == 36
    assert sum((count - 100) ** 2 / 100 for count in pairs.values()) < 79  # one in 30,000


# --- Nature ----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_game_dealt_by_the_seed_holds(game: AnyGame) -> None:
    """The check passes with the seed of the game, and fails with any other."""
    record, numbers = played(game, game.SEATS[0], SEED)
    nature = sum(move.seat == NATURE for move in record.moves)

    assert check(game, record, SEED, numbers).faults == ()
    assert check(game, record, SEED, numbers).checked == nature
    if nature:
        assert check(game, record, bytes(32), numbers).faults


def test_a_roll_that_was_changed_is_found() -> None:
    """The fault says which move it is, what was played and what should have been."""
    game = GAMES["mauerbauer"]
    record, numbers = played(game, 2, SEED)
    place = next(at for at, move in enumerate(record.moves) if move.word.startswith("*"))
    rolled = record.moves[place].word
    other = "*Wyy" if rolled != "*Wyy" else "*Wgg"
    moves = (*record.moves[:place], Move(NATURE, other))
    forged = Record(record.game, record.rules, record.setup, moves)

    verdict = check(game, forged, SEED, numbers[: place + 1])

    assert verdict.faults == (UnfairMove(place, numbers[place], other, rolled),)


def test_a_number_for_every_move() -> None:
    """A check needs one number for each move."""
    game = GAMES["burgbaumeister"]
    record, numbers = played(game, 2, SEED)
    with pytest.raises(ValueError, match="as many numbers"):
        check(game, record, SEED, numbers[:-1])


PLAY = """
from tests.server.tables.test_seed import SEED, played
from mauerwerk.games import GAMES
for game in GAMES.values():
    print(*played(game, game.SEATS[0], SEED)[0].moves)
"""


@pytest.mark.process
def test_every_machine_deals_the_same() -> None:
    """The order of `odds` does not depend on how Python hashes in a process."""
    dealt = {
        subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-c", PLAY],
            env={**os.environ, "PYTHONHASHSEED": hashes, "PYTHONPATH": os.pathsep.join(sys.path)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for hashes in ("1", "2")
    }
    assert len(dealt) == 1
    assert all(len(line.split()) > 20 for line in dealt.pop().splitlines())
