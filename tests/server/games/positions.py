"""Tables to draw: games played by chance, seen through every pair of eyes."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from random import Random
from typing import Any, NamedTuple

from mauerwerk.core.game import NATURE, AnyGame, Observer, Seat, Setup, draw_lot
from mauerwerk.core.language import ENGLISH, Language
from mauerwerk.games import GAMES
from mauerwerk.server.games import web_game
from mauerwerk.server.games.room import Parts

NAMES = ("you", "Clara", "Bruno", "Lena", "Ada", "Emil")

SETTINGS: dict[str, tuple[tuple[int, dict[str, Any]], ...]] = {
    "mauer": ((3, {"rounds": 2, "stall": 4}), (6, {"rounds": 1})),
    "burgbaumeister": (
        (2, {}),
        (3, {"variant": True, "memory_aid": True}),
        (4, {"variant": True, "depot": "chaotic"}),
    ),
    "mauerbauer": ((2, {}), (4, {"board": "small", "early": True}), (3, {"board": "wwm/wme"})),
}


class DrawnPosition(NamedTuple):
    """What one viewer has in front of them."""

    game: AnyGame
    view: Any
    legal: tuple[Any, ...]
    told: tuple[Any, ...]

    def parts(self, language: Language = ENGLISH) -> Parts:
        """The table, drawn for them."""
        board = web_game(self.game.NAME).board
        return board.parts(self.view, self.legal, NAMES, language, self.told)


class Moment(NamedTuple):
    """A step of a game, and what each viewer has been told until then."""

    game: AnyGame
    state: Any
    told: tuple[tuple[Seat | None, tuple[Any, ...]], ...]

    def seen(self) -> list[DrawnPosition]:
        """What a spectator and each seat see."""
        asked = self.game.to_act(self.state)
        return [
            DrawnPosition(
                self.game,
                self.game.view(self.state, seat),
                tuple(self.game.legal(self.state, seat))
                if seat is not None and seat in asked
                else (),
                told,
            )
            for seat, told in self.told
        ]


def moments(name: str, seats: int, options: dict[str, Any], seed: int) -> Iterator[Moment]:
    """A game by chance, step by step."""
    game, chance = GAMES[name], Random(seed)
    state = game.start(Setup(seats, game.OPTIONS(**options)))
    watches = [Observer(game, None), *(Observer(game, Seat(seat)) for seat in range(seats))]
    while True:
        asked = game.to_act(state)
        yield Moment(game, state, tuple((watch.seat, watch.told) for watch in watches))
        if not asked:
            return
        if NATURE in asked:
            mover, action = NATURE, draw_lot(game.odds(state), chance.randrange)
        else:
            mover = chance.choice(asked)
            action = chance.choice(list(game.legal(state, mover)))
        step = game.apply(state, mover, action)
        for watch in watches:
            watch.follow(step)
        state = step.state


def played(
    name: str, seats: int, options: dict[str, Any], seed: int
) -> Iterator[list[DrawnPosition]]:
    """A game by chance: at every step what a spectator and each seat see."""
    return (moment.seen() for moment in moments(name, seats, options, seed))


def sampled(name: str, every: int) -> Iterator[DrawnPosition]:
    """Positions of all settings of a game; one step in so many, and the last one."""
    for seed, (seats, options) in enumerate(SETTINGS[name]):
        steps = list(moments(name, seats, options, seed))
        for step in [*steps[seed::every], steps[-1]]:
            yield from step.seen()


# --- Reading what was drawn ------------------------------------------------------------------


class Element(NamedTuple):
    """An element as it stands in the page."""

    tag: str
    attributes: dict[str, str]

    def __getattr__(self, name: str) -> str:
        return self.attributes.get(name.replace("_", "-"), "")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[int, Element]] = []
        self.open: list[Element] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = Element(tag, {name: value or "" for name, value in attrs})
        self.elements.append((len(self.open), found))
        self.open.append(found)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag, f"</{tag}> closes something else"

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1].attributes.get("class") == "vh" and self.open[-2].data_word:
            # What only screen readers are told names the target around it.
            self.open[-2].attributes["aria-label"] = data
        else:
            self.words.append(data)


def read(html: str) -> _Reader:
    """The elements of this HTML; every one of them must be closed."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert not reader.open, f"{reader.open} are not closed"
    return reader


def whole(parts: Parts) -> str:
    """All of a table's HTML."""
    return parts.stage + parts.tray + parts.aside + parts.consequence


def elements(html: str) -> list[Element]:
    return [found for _, found in read(html).elements]


def targets(html: str) -> list[Element]:
    return [each for each in elements(html) if "data-word" in each.attributes]


def outline(parts: Parts) -> str:
    """The table in words: what has a name, what can be pressed, what is said and written."""
    lines = [f"when: {parts.when}"]
    lines += [f"seat: {seat.points} | {seat.note}" for seat in parts.seats]
    lines += [
        f"button: {each.word} | {each.text}{' *' if each.main else ''} {each.sign}".rstrip()
        for each in parts.buttons
    ]
    for name in ("stage", "tray", "aside", "figure"):
        lines.append(f"{name}:")
        for deep, each in read(getattr(parts, name)).elements:
            said = each.aria_label
            if each.id or said:
                word = f" [{each.data_word}]" if each.data_word else ""
                kind = "".join(f".{one}" for one in each.attributes.get("class", "").split())
                label = f" {said}" if said else ""
                lines.append(
                    f"{'  ' * deep}{each.tag}{f'#{each.id}' if each.id else ''}{kind}{word}{label}"
                )
        words = " / ".join(" ".join(read(getattr(parts, name)).words).split("\n"))
        lines.append(f"  says: {re.sub(r'[ ]+', ' ', words).strip()}")
    return "\n".join(lines) + "\n"
