"""Set-ups of Mauerbauer to be tried, on the game's boards and on boards that grew by chance."""

from random import Random

from hypothesis import strategies as st

from mauerwerk.core.game import Setup
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer.board import BOARDS, board_of


def random_board(random: Random) -> str:
    """A patch of fields that grew at random, with holes and coast."""
    rows, columns = random.randint(2, 7), random.randint(3, 12)
    patch = {(random.randrange(rows), random.randrange(columns))}
    for _ in range(random.randint(0, 4 * rows * columns)):
        row, column = random.choice(sorted(patch))
        up = (row + column) % 2 == 0
        steps = [(row, column - 1), (row, column + 1), (row + 1 if up else row - 1, column)]
        step = random.choice(steps)
        if step[0] in range(rows) and step[1] in range(columns):
            patch.add(step)
    word = "/".join(
        "".join(
            random.choice("wme") if (row, column) in patch else "." for column in range(columns)
        )
        for row in range(rows)
    )
    board = board_of(word)
    edge = [line for line in board.lines if len(board.sides[line]) == 1]
    return f"{word}+{','.join(random.sample(edge, random.randint(1, len(edge))))}"


@st.composite
def setups(draw: st.DrawFn) -> Setup[mauerbauer.Options]:
    """Any number of seats, any board, with and without early rolls."""
    seats = draw(st.sampled_from(mauerbauer.SEATS))
    by_lot = draw(st.booleans())
    own = st.builds(Random, st.integers(min_value=0)).map(random_board)
    return Setup(
        seats,
        mauerbauer.Options(
            first="lot" if by_lot else draw(st.integers(min_value=0, max_value=seats - 1)),
            board=draw(st.sampled_from(BOARDS) | own),
            early=draw(st.booleans()),
        ),
    )
