"""The boards for the script of the scoring helper, which counts on them without a network."""

from functools import cache

import msgspec

from mauerwerk.games.mauerbauer.board import BOARDS, board_of
from mauerwerk.games.mauerbauer.drawing.geometry import spot_of
from mauerwerk.games.mauerbauer.values import FULL_SUPPLY
from mauerwerk.server.http.response import JSON, Response
from mauerwerk.server.http.static import FOR_NOW
from mauerwerk.server.ui.page import PageRequest


async def show(request: PageRequest) -> Response:
    """All of our boards, and how many palaces the box has."""
    del request
    return Response(plans(), JSON, headers=[FOR_NOW])


@cache
def plans() -> bytes:
    """For each board its fields, lines and points, in the order of the board."""
    boards = {
        word: {
            "fields": {
                field: [*board.corners[field], board.regions[field].value] for field in board.fields
            },
            "lines": {line: board.sides[line] for line in board.lines},
            "points": {
                point: [round(each, 1) for each in spot_of(board, point)] for point in board.points
            },
            "shore": sorted(board.shore),
        }
        for word in BOARDS
        for board in (board_of(word),)
    }
    return msgspec.json.encode({"boards": boards, "palaces": FULL_SUPPLY.palaces})
