"""Pictures of a game for links: the card, drawn in a worker and kept for a while."""

import asyncio
import gzip
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable
from functools import cache
from importlib.util import find_spec
from itertools import groupby
from typing import Final, Literal, Self

from mauerwerk.core import record
from mauerwerk.core.game import AnyGame, Value
from mauerwerk.core.language import language_of
from mauerwerk.core.svg import Drawing, Node, animation, label, names_used, node, pixels, use
from mauerwerk.core.svg.fitting import cut, ems, wrap
from mauerwerk.games import GAMES, game_in
from mauerwerk.lab.workers import AsyncWorkers, WorkError
from mauerwerk.server.features.sharing.posters import Film, drawing, filmed, fitted
from mauerwerk.server.http.errors import BusyError, HttpError
from mauerwerk.server.ui.cache import Recent
from mauerwerk.server.ui.markup import Paint, rect
from mauerwerk.server.ui.names import Place

SECONDS: Final = 0.8
"""How long each position of an animation is shown."""
AT_THE_END: Final = 3.0
"""How long the last one is shown."""


class Still(Value, tag="still"):
    """A drawing that is to become pixels."""

    svg: str
    width: int
    theme: Literal["light", "dark"] = "light"


class Moving(Value, tag="moving"):
    """A finished game that is to be drawn with every hand open, as SVG that moves."""

    record: str
    names: tuple[str, ...]
    language: str


def render(wanted: Still | Moving | Film) -> bytes:
    """The picture."""
    match wanted:
        case Film():
            return filmed(wanted)
        case Still():
            return pixels.png(wanted.svg, wanted.theme, wanted.width)
        case Moving():
            return _moving(wanted).encode()


def _moving(wanted: Moving) -> str:
    played = record.read(wanted.record, GAMES)
    game, language = game_in(played), language_of(wanted.language)
    states = [game.start(played.setup), *(step.state for _, step in record.replay(game, played))]
    views = (game.open_view(state) for state in states)
    drawings = [
        each for each, _ in groupby(game.svg(view, wanted.names, language) for view in views)
    ]
    return animation.animated(drawings, [*[SECONDS] * (len(drawings) - 1), AT_THE_END])


WIDE: Final = 1200
HIGH: Final = 630
"""The size that Open Graph asks for, in pixels."""
_COURSE: Final = ("brick", "brick-lit", "brick", "brick-deep", "brick-lit")
_LEFT, _COLUMN = 52, 356
"""Where the words begin, and the room that they have."""
_PANEL: Final = (440, 56, 716, 530)
_ROW: Final = 50
_LOWEST: Final = 596
_TITLES: Final = ((50, 2), (42, 2), (36, 3))
"""Sizes of the title, the largest first, and the lines that each may take."""


class CardContent(Value):
    """What a card shows."""

    title: str
    told: str
    rows: tuple[Place, ...]
    drawing: str
    """The table; empty before the game begins."""
    thumb: str
    """The symbol that stands for the game, where there is no drawing."""


def card(game: AnyGame, shown: CardContent) -> Drawing:
    """The card of a game."""
    size, lines = fitted(shown.title, _TITLES, _COLUMN)
    down = 176.0
    words: list[Node] = [
        use("logo", _LEFT, 56, 52, 52),
        label(_LEFT + 66, 94, "Mauerwerk", size=30, bold=True, serif=True),
    ]
    for line in lines:
        words.append(label(_LEFT, down, line, size=size, bold=True, serif=True))
        down += size * 1.12
    down += 2
    for line in wrap(shown.told, _COLUMN / 23, ems)[:3]:
        words.append(label(_LEFT, down, line, size=23, fill="ink-2"))
        down += 31
    first = max(down, _LOWEST - _ROW * len(shown.rows))
    players = [_row(each, first + _ROW * number) for number, each in enumerate(shown.rows)]
    body = node("g", _ground(), *words, *players, _panel(shown.drawing, shown.thumb))
    own = [
        each
        for each in names_used(body)
        if each == shown.thumb or each.startswith(("mark-", "logo"))
    ]
    return drawing(game, body, own)


def _ground() -> Node:
    bricks = [
        node("rect", x=48 * at, width=46, height=14, fill=f"var(--{_COURSE[at % len(_COURSE)]})")
        for at in range(WIDE // 48)
    ]
    return node("g", node("rect", width=WIDE, height=HIGH, fill="var(--table)"), *bricks)


def _row(row: Place, y: float) -> Node:
    room = _COLUMN - 58 - (64 if row.rank else 0)
    fill, ink = ("brick", "on-brick") if row.rank == 1 else ("paper", "ink")
    parts = [
        rect(_LEFT, y - 27, 38, 38, rx=4, fill=f"var(--{fill})"),
        use(f"mark-{row.seat + 1}", _LEFT + 6, y - 21, 26, 26, color=f"var(--{ink})"),
        label(_LEFT + 52, y, cut(row.name, room / 25, ems), size=25, bold=True),
    ]
    if row.rank:
        right = _LEFT + _COLUMN
        parts.append(label(right, y, f"{row.points}", size=28, anchor="end", bold=True, serif=True))
    return node("g", *parts)


def _panel(drawing: str, thumb: str) -> Node:
    left, top, wide, high = _PANEL
    paint: Paint = {"rx": 14, "fill": "var(--paper)", "stroke": "var(--mortar)", "stroke_width": 2}
    paper = rect(left, top, wide, high, **paint)
    if not drawing:
        side = 300
        at = (left + (wide - side) / 2, top + (high - side) / 2)
        return node("g", paper, use(thumb, *at, side, side))
    root = animation.tree_of(drawing)
    across, down = animation.size_of(root)
    scale = min((wide - 20) / across, (high - 20) / down)
    content = [each for each in root if each.tag != "style"]
    shown = node(
        "svg",
        *content,
        x=left + (wide - across * scale) / 2,
        y=top + (high - down * scale) / 2,
        width=across * scale,
        height=down * scale,
        viewBox=root.attrib["viewBox"],
    )
    return node("g", paper, shown)


KEPT: Final = 32 * 2**20
"""The bytes of pictures that are kept."""
MOST_WAITING: Final = 24
"""The pictures of each kind that may wait for its process; more are refused."""
LONGEST: Final = 60
"""Seconds after which a picture is given up."""
IDLE: Final = 60
"""Seconds after which a process ends for which there was nothing to draw."""
NICE: Final = 10
"""The nice level of these processes: they let everything else go first."""
_log = logging.getLogger(__name__)


@cache
def can_draw() -> bool:
    """Whether this server can draw pixels: the extra `pictures` and a font are installed."""
    return all(map(find_spec, ("resvg_py", "PIL"))) and pixels.has_fonts()


class Pictures:
    """The pictures of one server. A key says all that a picture depends on."""

    def __init__(self) -> None:
        self.draw: Callable[[Still | Moving | Film], Awaitable[bytes]] = self._draw
        """Draws a picture, which may take long."""

        self._kept = Recent[bytes](KEPT, len)
        self._under_way: dict[Hashable, asyncio.Task[bytes]] = {}
        self._waiting = Counter[bool]()
        # A game that moves takes as long as many other pictures, which do not wait for it.
        self._turns = {moves: asyncio.Lock() for moves in (False, True)}
        self._workers = {moves: AsyncWorkers(1, NICE) for moves in (False, True)}
        self._ending: dict[bool, asyncio.TimerHandle] = {}

    async def __aenter__(self) -> Self:
        """Processes start when there is something to draw."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Give up what is not drawn, and end the processes; they also end with this one."""
        for each in self._under_way.values():
            each.cancel()
        await asyncio.gather(*self._under_way.values(), return_exceptions=True)
        for moves in self._workers:
            self._end(moves=moves)

    def _end(self, *, moves: bool) -> None:
        if ending := self._ending.pop(moves, None):
            ending.cancel()
        self._workers[moves].close()
        self._workers[moves] = AsyncWorkers(1, NICE)

    async def get(
        self,
        key: Hashable,
        wanted: Callable[[], Still | Moving | Film],
        count: Callable[[], None],
        *,
        moves: bool = False,
    ) -> bytes:
        """The picture with this key; one that must be drawn is counted first. Raises HttpError.

        A drawing that moves is compressed (gzip), beside the event loop, since it is large.
        """
        if (kept := self._kept.get(key)) is not None:
            return kept
        if key not in self._under_way:
            count()
            if self._waiting[moves] >= MOST_WAITING:
                raise BusyError("too many pictures are being drawn; try again in a while", 10)
            task = self._under_way[key] = asyncio.create_task(self._drawn(wanted, moves=moves))
            self._waiting[moves] += 1
            task.add_done_callback(lambda done: self._keep(key, done, moves=moves))
        # One reader who leaves does not spoil it for others.
        return await asyncio.shield(self._under_way[key])

    async def _drawn(self, wanted: Callable[[], Still | Moving | Film], *, moves: bool) -> bytes:
        async with self._turns[moves]:
            asked = await asyncio.to_thread(wanted)
            picture = await self.draw(asked)
        is_gif = isinstance(asked, Film) and asked.moves_as == "gif"
        packs = isinstance(asked, Moving | Film) and not is_gif
        return await asyncio.to_thread(gzip.compress, picture, mtime=0) if packs else picture

    async def _draw(self, wanted: Still | Moving | Film) -> bytes:
        """A picture, drawn in a process. Raises HttpError where that fails."""
        workers = self._workers[not isinstance(wanted, Still)]
        try:
            return await workers.run(render, wanted, within=LONGEST)
        except (WorkError, TimeoutError) as fault:
            _log.warning("a picture could not be drawn: %s", fault)
            raise HttpError(503, "this picture cannot be drawn right now") from fault

    def _keep(self, key: Hashable, done: asyncio.Task[bytes], *, moves: bool) -> None:
        del self._under_way[key]
        self._waiting[moves] -= 1
        if ending := self._ending.pop(moves, None):
            ending.cancel()
        if not self._waiting[moves]:
            loop = asyncio.get_running_loop()
            self._ending[moves] = loop.call_later(IDLE, lambda: self._end(moves=moves))
        if not done.cancelled() and not done.exception():
            self._kept.put(key, done.result())
