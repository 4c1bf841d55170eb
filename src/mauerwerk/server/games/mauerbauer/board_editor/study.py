"""The quick study: random games on a board and on the usual one, by a kernel in a process."""

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from importlib import import_module
from typing import Any, Final
from urllib.parse import urlencode
from weakref import WeakKeyDictionary

from mauerwerk.bots import can_search
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Setup, Value
from mauerwerk.core.language import Language, local, message
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer.board import board_of
from mauerwerk.games.mauerbauer.naming import ending_name
from mauerwerk.games.mauerbauer.values import Ending
from mauerwerk.lab.intervals import Estimate, mean_of, share_of
from mauerwerk.lab.workers import AsyncWorkers, WorkError
from mauerwerk.server.games.mauerbauer.board_editor.draft import read
from mauerwerk.server.games.mauerbauer.board_editor.findings import fits_kernels
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.request import AppState
from mauerwerk.server.http.response import Response
from mauerwerk.server.tables.errors import TooManyError
from mauerwerk.server.ui.page import PageRequest

USUAL: Final = "default"
"""The board with which others are compared."""
GAMES: Final = 10_000
"""A number of games that takes about a second."""
SEATS: Final = 3
SEED: Final = 1
"""Always the same, so that everybody with the link of a board sees the same figures."""
MOST_WAITING: Final = 6
"""How many boards may wait for their trial."""
MOST_KEPT: Final = 200
SECONDS: Final = 240.0
"""After this time a trial is given up; the first one may have to compile the kernel."""
NICE: Final = 5
"""The nice level of a trial: everything else goes first."""


class Trial(Value):
    """The figures of the games on a board."""

    games: int
    turns: Estimate
    winner: Estimate
    last: Estimate
    wins: tuple[Estimate, ...]
    """How often each seat wins, shared wins divided; the first seat begins."""
    endings: tuple[tuple[str, float], ...]
    """The reasons why games ended, and how often, as a share; the most frequent first."""


class TrialFailedError(RuntimeError):
    """The process ended without a result."""


def run_trial(word: str, games: int = GAMES) -> Trial:
    """Play this many random games on a board. Raises SetupError."""
    batch: Any = import_module("mauerwerk.kernels.play.batch")
    setup = Setup(SEATS, mauerbauer.Options(board=word, first=0))
    played = batch.run(mauerbauer, setup, games, seed=SEED, threads=1)
    points: list[list[int]] = played.points.tolist()
    ranks: list[list[int]] = played.ranks.tolist()
    reasons = Counter(played.reason_words[reason] for reason in played.reasons.tolist())
    return Trial(
        games=games,
        turns=mean_of(played.turns.tolist()),
        winner=mean_of([max(each) for each in points]),
        last=mean_of([min(each) for each in points]),
        wins=tuple(
            # Several who are first share the win.
            share_of([(each[seat] == 1) / each.count(1) for each in ranks], games)
            for seat in range(SEATS)
        ),
        endings=tuple((reason, count / games) for reason, count in reasons.most_common()),
    )


class Trials:
    """The trials of a server: one runs, a few wait, and the latest are kept."""

    def __init__(self, games: int = GAMES) -> None:
        self._games = games
        self._one = asyncio.Semaphore(1)
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._kept: OrderedDict[str, Trial] = OrderedDict()

    async def beside_usual(self, word: str, within: float) -> tuple[Trial, Trial] | None:
        """The trials of a board and of the usual one.

        None if that takes longer than `within` seconds; the trial goes on. Raises TooManyError if
        too many wait, and TrialFailedError.
        """
        if not {word, USUAL} <= self._kept.keys():
            task = self._under_way.get(word) or self._start(word)
            await asyncio.wait([task], timeout=within)
            if not task.done():
                return None
            task.result()
        return self._kept[word], self._kept[USUAL]

    def _start(self, word: str) -> "asyncio.Task[None]":
        if len(self._under_way) >= MOST_WAITING:
            raise TooManyError("many boards are on trial right now; ask again")
        task = self._under_way[word] = asyncio.create_task(self._try(word))
        task.add_done_callback(lambda _: self._under_way.pop(word))
        return task

    async def _try(self, word: str) -> None:
        async with self._one:
            words = [each for each in dict.fromkeys((word, USUAL)) if each not in self._kept]
            if words:
                try:
                    found = await asyncio.wait_for(_in_process(words, self._games), SECONDS)
                except TimeoutError:
                    raise TrialFailedError(f"the trial of {words[0]} took too long") from None
                self._kept |= zip(words, found, strict=True)
        while len(self._kept) > MOST_KEPT:
            self._kept.pop(next(each for each in self._kept if each != USUAL))


async def _in_process(words: Sequence[str], games: int) -> list[Trial]:
    """Play in a process of its own, which ends with the trial."""
    with closing(AsyncWorkers(1, NICE)) as workers:
        try:
            return await workers.run(partial(_run_trials, games=games), words)
        except WorkError as fault:
            failed = TrialFailedError(f"the trial of {words[0]} ended without a result")
            raise failed from fault


def _run_trials(words: Sequence[str], games: int) -> list[Trial]:
    return [run_trial(word, games) for word in words]


_log = logging.getLogger(__name__)

# --- The page: two boards side by side -------------------------------------------------------


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


_TRIALS: Final[WeakKeyDictionary[AppState, Trials]] = WeakKeyDictionary()
"""The trials of each server in this process."""


def is_possible(request: PageRequest) -> bool:
    """Whether boards are studied here: it needs kernels, and processes, which no browser has."""
    return can_search() and not request.app.settings.alone


async def show(request: PageRequest) -> Response:
    """The study of the board in the address; while it is made, a page that asks again."""
    draft = read(request.query.get("board", "default").replace(" ", "+"))
    board = board_of(draft.name)
    if request.app.settings.alone:
        raise SetupError(message("boards are studied only where a server plays the games"))
    if not can_search():
        raise SetupError("a study needs an extra: pip install 'mauerwerk[kernels]'")
    if not fits_kernels(board):
        raise SetupError(message("the board is too large to be studied"))
    try:
        found = await _TRIALS.setdefault(request.app, Trials()).beside_usual(
            draft.name, WAIT_SECONDS
        )
    except TrialFailedError as error:
        _log.exception("a trial failed", extra={"board": draft.name})
        raise HttpError(503, str(error), code="broken", headers={"retry-after": "30"}) from error
    headers = [] if found or request.morphs else [(b"refresh", b"2")]
    template = "study_part" if request.morphs else "study"
    return request.render(
        f"mauerbauer/board_editor/{template}.html",
        headers=headers,
        back=f"/workshop?{urlencode({'board': draft.word})}",
        games=local(f"{found[0].games:,}", request.language) if found else "",
        rows=comparison(*found, request.language) if found else (),
        seats=SEATS,
    )


def comparison(own: Trial, usual: Trial, language: Language) -> tuple[FigureRow, ...]:
    """Two boards side by side."""
    places = (
        language("Wins of the first player"),
        language("Wins of the second player"),
        language("Wins of the third player"),
    )
    shares = [dict(trial.endings) for trial in (own, usual)]
    endings = [
        ending for ending in Ending if any(share.get(ending, 0) >= LEAST for share in shares)
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
    endings: Sequence[Ending], shares: Sequence[dict[str, float]], language: Language
) -> list[FigureRow]:
    return [
        FigureRow(
            language("Ends: {why}", why=ending_name(ending, language)),
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
        local(f"{mean:.{digits}f}{sign}", language),
        local(f"{reach:.{digits}f}", language),
    )
