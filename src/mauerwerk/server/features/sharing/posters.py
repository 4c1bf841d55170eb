"""Posters: what a link to a game shows, board to the edges, and the film of a finished game.

A poster has a large line, a smaller one, and the players at its foot. All of it lies open on the
table: the board of a finished game, or a scene of the game where it has not ended yet.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, Final, Literal, NamedTuple
from xml.etree import ElementTree as ET

from mauerwerk.core import record
from mauerwerk.core.game import AnyGame, Outcome, Seat, Value
from mauerwerk.core.language import Language, capital, language_of
from mauerwerk.core.svg import Drawing, Node, animation, label, names_used, node, pixels, use
from mauerwerk.core.svg.fitting import cut, ems, wrap
from mauerwerk.games import GAMES, game_in, is_current
from mauerwerk.server.games import web_game
from mauerwerk.server.games.room import BAND, POSTER, SceneView, WebGame, chapters, country
from mauerwerk.server.ui.markup import rect
from mauerwerk.server.ui.names import Place, places_of

_LEFT: Final = 52
_LARGE: Final = ((96, 2), (84, 2), (72, 2), (60, 2), (48, 2))
"""Sizes of the large line, the largest first, and the lines that each may take."""
_NARROW: Final = 0.86
"""How much narrower the serif is than the font by which words are measured."""
_STORY: Final = 34


class Words(Value):
    """What a poster says."""

    large: str
    story: str = ""
    rows: tuple[Place, ...] = ()
    foot: str = ""
    """What stands at the end of the foot."""


class Studio(NamedTuple):
    """Where the posters of one game are drawn, in one language."""

    room: WebGame
    game: AnyGame
    names: Sequence[str]
    """The names of the seats as a spectator reads them."""
    language: Language

    def poster(self, view: Any, whose: Seat, words: Words) -> Drawing:  # noqa: ANN401 - the game's own
        """A poster with what lies open in this view; without one, in open country."""
        room = self.room
        ground: Sequence[Node] = country(POSTER[1] - BAND)
        ink = "ink"
        if view is not None and room.poster is not None and is_current(self.game):
            ground = room.poster(SceneView(view, {}, whose, self.language)).content
            ink = room.poster_ink
        body = node(
            "g", *ground, *_title(room, ink), *_large(words, ink, room.poster_words), *_foot(words)
        )
        return drawing(self.game, body, _symbols(body))

    def final(self, state: Any, half: Any = None) -> Drawing:  # noqa: ANN401 - the game's own
        """The poster of a finished game: who won, how, and the places; `half` is half-time."""
        outcome = self.game.outcome(state)
        view = self.game.view(state, None)
        if outcome is None:
            return self.poster(view, Seat(0), Words(self.room.box.title))
        words = Words(
            self.won(outcome),
            self.story(outcome, None if half is None else self.points(half)),
            places_of(outcome, self.names, self.language),
        )
        return self.poster(view, Seat(outcome.ranks.index(1)), words)

    def won(self, outcome: Outcome) -> str:
        """Who won, as the large line."""
        winners = [
            capital(self.names[seat]) for seat, rank in enumerate(outcome.ranks) if rank == 1
        ]
        if len(winners) == 1:
            return self.language("{who} won", who=winners[0])
        return self.language("{people} won together", people=self.language.listed(winners))

    def story(self, outcome: Outcome, half: Sequence[int] | None) -> str:
        """How it went, by the points at half-time and at the end; empty if nothing can be said."""
        winners = [seat for seat, rank in enumerate(outcome.ranks) if rank == 1]
        if len(winners) != 1:
            return ""
        (winner,), language = winners, self.language
        sign = -1 if self.room.tally.fewest else 1
        ahead = _ahead(outcome.points, winner, sign)
        if ahead <= 0:
            return ""
        before = _ahead(half, winner, sign) if half else 0
        if before < 0:
            down = language.many(
                -before, "{number} point behind at half-time", "{number} points behind at half-time"
            )
            up = language.many(
                ahead, "{number} point ahead at the end", "{number} points ahead at the end"
            )
            return f"{down}, {up}."
        rivals = [seat for seat in range(len(self.names)) if seat != winner]
        who = capital(self.names[min(rivals, key=lambda seat: outcome.ranks[seat])])
        return language.many(
            ahead, "{number} point ahead of {who}.", "{number} points ahead of {who}.", who=who
        )

    def points(self, state: Any) -> tuple[int, ...] | None:  # noqa: ANN401 - the game's own
        """The points of all seats, as the board shows them; None where it shows none."""
        if not is_current(self.game):
            return None
        view = self.game.view(state, None)
        parts = self.room.board.parts(view, (), self.names, self.language)
        with suppress(ValueError):
            return tuple(int(each.points) for each in parts.seats)
        return None


def _title(room: WebGame, ink: str) -> list[Node]:
    return [
        use("logo", _LEFT, 36, 44, 44),
        label(_LEFT + 58, 67, room.box.title, size=27, fill=ink, bold=True),
    ]


def fitted(
    words: str, sizes: Sequence[tuple[int, int]], room: float
) -> tuple[int, tuple[str, ...]]:
    """The first of these sizes, each with its most lines, in which words fit; or cut, the last."""
    for size, most in sizes:
        lines = wrap(words, room / size, ems)
        if len(lines) <= most and not any(line.endswith("…") for line in lines):
            return size, lines
    size, most = sizes[-1]
    return size, wrap(words, room / size, ems)[:most]


def _large(words: Words, ink: str, room: float) -> list[Node]:
    size, lines = fitted(words.large, _LARGE, room / _NARROW)
    down = 96.0 + size * 0.86
    parts: list[Node] = []
    for line in lines:
        parts.append(label(_LEFT, down, line, size=size, fill=ink, bold=True, serif=True))
        down += size * 1.02
    down += 8 - size * 1.02 + _STORY * 1.25
    for line in wrap(words.story, room / _STORY / _NARROW, ems)[:4]:
        parts.append(label(_LEFT, down, line, size=_STORY, fill=ink, serif=True))
        down += _STORY * 1.18
    return parts


def _foot(words: Words) -> list[Node]:
    """The players from left to right, the winner on brick, and what is said at the end."""
    wide, high = POSTER
    top = high - BAND
    band = node("rect", y=top, width=wide, height=BAND, fill="#22261A", fill_opacity=0.88)
    parts: list[Node] = []
    x = float(_LEFT)
    whole = wide - 2 * _LEFT - (300 if words.foot else 0)
    room = whole / max(len(words.rows), 1)
    for row in words.rows:
        points = f"{row.points}" if row.rank else ""
        name = cut(row.name, max((room - 110) / 27, 5), ems)
        across = 58 + 27 * ems(name) + (24 + 20 * len(points) if points else 0)
        if row.rank == 1:
            parts.append(rect(x - 12, top + 18, across + 18, 54, rx=4, fill="var(--brick)"))
        parts.append(use(f"mark-{row.seat + 1}", x, top + 30, 30, 30, color="#FFFBEF"))
        parts.append(label(x + 42, top + 55, name, size=27, fill="on-brick", bold=True))
        if points:
            end = x + across - 6
            parts.append(
                label(
                    end,
                    top + 56,
                    points,
                    size=32,
                    fill="on-brick",
                    anchor="end",
                    bold=True,
                    serif=True,
                )
            )
        x += across + 34
    if (less := whole / max(x - 34 - _LEFT, 1)) < 1:  # too many names for their size
        at, middle = _LEFT * (1 - less), (top + 45) * (1 - less)
        move = f"translate({at:.1f} {middle:.1f}) scale({less:.3f})"
        parts = [node("g", *parts, transform=move)]
    if words.foot:
        parts.append(
            label(wide - _LEFT, top + 55, words.foot, size=25, fill="on-brick", anchor="end")
        )
    return [band, *parts]


def drawing(game: AnyGame, body: Node, symbols: Iterable[str]) -> Drawing:
    """A picture of the size of a poster, with these symbols of the game."""
    wide, high = POSTER
    root = node(
        "svg",
        node("defs", *game.PIECES.named(symbols)),
        body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {wide:g} {high:g}",
        width=wide,
        height=high,
    )
    return Drawing(ET.tostring(root, encoding="unicode"))


def _symbols(body: Node) -> list[str]:
    """The symbols that a drawing uses and does not bring."""
    own = {each.attrib["id"] for each in body.iter() if "id" in each.attrib}
    return [name for name in names_used(body) if name not in own]


def _ahead(points: Sequence[int], seat: int, sign: int) -> int:
    """By how many points a seat is ahead of the best of the others."""
    rivals = [sign * each for place, each in enumerate(points) if place != seat]
    return sign * points[seat] - max(rivals)


@cache
def scene_of(name: str) -> Any:  # noqa: ANN401 - the game's own
    """A view of a game that is well under way, from its lesson; None where it has none."""
    lesson = web_game(name).lesson
    if lesson is None:
        return None
    source = lesson.joinpath("game.txt").read_text(encoding="utf-8")
    longest = record.read(max(chapters(source), key=len), GAMES)
    *_, (_, step) = record.replay(GAMES[name], longest)
    return GAMES[name].view(step.state, None)


# --- The film: the board grows for eight seconds, then the result stands for two -------------

GROWS: Final = 8.0
STANDS: Final = 2.0
MOST_FRAMES: Final = 48
LATER: Final = 99
"""The rank of seats while nobody has won."""
WIDE: Final = 720
"""The width of a film in pixels."""


class Film(Value, tag="film"):
    """A finished game that is to become a film, as SVG that follows the theme, or as GIF."""

    record: str
    names: tuple[str, ...]
    language: str
    moves_as: Literal["svg", "gif"]


def filmed(wanted: Film) -> bytes:
    """The film. Only what lay open on the table is in it, until the game is over."""
    frames = _frames(wanted)
    seconds = [GROWS / max(len(frames) - 1, 1)] * (len(frames) - 1) + [STANDS]
    if wanted.moves_as == "gif":
        return pixels.gif(frames, seconds, "light", WIDE)
    return animation.animated(frames, seconds).encode()


def _frames(wanted: Film) -> list[Drawing]:
    """One for each turn, or for every few, and the result."""
    kept = record.read(wanted.record, GAMES)
    game, language = game_in(kept), language_of(wanted.language)
    studio = Studio(web_game(kept.game, kept.rules), game, wanted.names, language)
    states = [game.start(kept.setup), *(step.state for _, step in record.replay(game, kept))]
    turns = list({game.turn(state): state for state in states}.items())
    outcome = game.outcome(states[-1])
    whose = Seat(outcome.ranks.index(1)) if outcome else Seat(0)
    frames: list[Drawing] = []
    for number, state in turns[:: -(-len(turns) // MOST_FRAMES)]:
        points = studio.points(state)
        rows = tuple(
            Place(LATER, Seat(seat), capital(name), "" if points is None else points[seat])
            for seat, name in enumerate(wanted.names)
        )
        words = Words(language("Turn {number}", number=number + 1), rows=rows)
        frames.append(studio.poster(game.view(state, None), whose, words))
    return [*frames, studio.final(states[-1], turns[len(turns) // 2][1])]
