"""The quick study: how games go on a board, beside the usual one, with intervals."""

import logging
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlencode

from mauerwerk.bots import can_search
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Value
from mauerwerk.core.language.translation import Language, message
from mauerwerk.games.mauerbauer import naming, values
from mauerwerk.games.mauerbauer.board import board_of
from mauerwerk.lab.intervals import Estimate
from mauerwerk.server.games.mauerbauer.board_editor.draft import read
from mauerwerk.server.games.mauerbauer.board_editor.findings import fits_kernels
from mauerwerk.server.games.mauerbauer.board_editor.trial import (
    SEATS,
    Trial,
    TrialFailedError,
    Trials,
)
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.response import Response
from mauerwerk.server.ui.page import PageRequest

_log = logging.getLogger(__name__)

WAIT_SECONDS: Final = 2.0
"""Seconds to wait before the page is told to ask again."""

LEAST: Final = 0.005
"""A smaller share of games is not worth a line."""

NARROW: Final = 0.1
"""Of a narrower interval another digit is told."""


class FigureText(Value):
    """A figure, and how far the truth may be from it; nothing where that is not known."""

    mean: str
    reach: str = ""


class FigureRow(Value):
    """A line of the table: what, here, and on the usual board."""

    name: str
    own: FigureText
    usual: FigureText


class BoardStudies:
    """The studies of boards on one server."""

    def __init__(self) -> None:
        """Nothing is studied yet."""
        self._trials = Trials()

    async def show(self, request: PageRequest) -> Response:
        """The study of the board in the address; while it is made, a page that asks again."""
        draft = read(request.query.get("board", "default").replace(" ", "+"))
        board = board_of(draft.name)
        if not can_search():
            raise SetupError("a study needs an extra: pip install 'mauerwerk[kernels]'")
        if not fits_kernels(board):
            raise SetupError(message("the board is too large to be studied"))
        try:
            found = await self._trials.beside_usual(draft.name, WAIT_SECONDS)
        except TrialFailedError as error:
            _log.exception("a trial failed", extra={"board": draft.name})
            raise HttpError(
                503, str(error), word="broken", headers={"retry-after": "30"}
            ) from error
        headers = [] if found or request.morphs else [(b"refresh", b"2")]
        template = "study_part" if request.morphs else "study"
        return request.render(
            f"mauerbauer/board_editor/{template}.html",
            headers=headers,
            back=f"/workshop?{urlencode({'board': draft.word})}",
            games=local(f"{found[0].games:,}", request.language) if found else "",
            rows=compared(*found, request.language) if found else (),
            seats=SEATS,
        )


def compared(own: Trial, usual: Trial, language: Language) -> tuple[FigureRow, ...]:
    """Two boards side by side."""
    places = (
        language("Wins of the first player"),
        language("Wins of the second player"),
        language("Wins of the third player"),
    )
    shares = [dict(trial.endings) for trial in (own, usual)]
    endings = [
        ending for ending in values.Ending if any(share.get(ending, 0) >= LEAST for share in shares)
    ]
    return (
        _row(language("Turns until the end"), own.turns, usual.turns, language),
        _row(language("Points of the winner"), own.winner, usual.winner, language),
        _row(language("Points of the last"), own.last, usual.last, language),
        *(
            _row(name, one, other, language, share=True)
            for name, one, other in zip(places, own.wins, usual.wins, strict=True)
        ),
        *_endings(endings, shares, language),
    )


def _row(
    name: str, own: Estimate, usual: Estimate, language: Language, *, share: bool = False
) -> FigureRow:
    return FigureRow(name, _told(own, language, share=share), _told(usual, language, share=share))


def _endings(
    endings: Sequence[values.Ending], shares: Sequence[dict[str, float]], language: Language
) -> list[FigureRow]:
    """Why games ended."""
    return [
        FigureRow(
            language("Ends: {why}", why=naming.ending_name(ending, language)),
            *(FigureText(local(f"{share.get(ending, 0.0):.1%}", language)) for share in shares),
        )
        for ending in endings
    ]


def _told(estimate: Estimate, language: Language, *, share: bool) -> FigureText:
    """The mean and its interval in words: `31.3` and `0.2`, of shares `33.4%` and `0.9`."""
    times, sign = (100, "%") if share else (1, "")
    mean = times * estimate.mean
    if estimate.low is None or estimate.high is None:
        return FigureText(local(f"{mean:.1f}{sign}", language))
    reach = times * (estimate.high - estimate.low) / 2
    digits = 2 if reach < NARROW else 1
    return FigureText(
        local(f"{mean:.{digits}f}{sign}", language), local(f"{reach:.{digits}f}", language)
    )


def local(number: str, language: Language) -> str:
    """An English number as it is written in a language.

    >>> local("10,000.5%", Language("it", {}))
    '10.000,5%'
    """
    if language.code == "en":
        return number
    written = number.translate(str.maketrans(",.", ".,"))
    return written.replace("%", "\N{NO-BREAK SPACE}%") if language.code == "de" else written
