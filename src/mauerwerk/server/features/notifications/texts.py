"""What a notification says: the game, who plays, the time left; nothing of the game itself."""

from datetime import datetime
from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.core.language.translation import Language, message
from mauerwerk.server.features.notifications.schedule import zone_of
from mauerwerk.server.features.notifications.store import Turn
from mauerwerk.server.games import web_game
from mauerwerk.server.ui.dates import time_left
from mauerwerk.server.ui.names import names_on

SEVERAL: Final = "games"
"""The tag of a notification about several tables; one about one has the id of the table."""

WEEKDAYS: Final = (
    message("Monday"),
    message("Tuesday"),
    message("Wednesday"),
    message("Thursday"),
    message("Friday"),
    message("Saturday"),
    message("Sunday"),
)


class Notification(Value, tag=False):
    """A notification in words."""

    title: str
    body: str
    tag: str
    """A new notification replaces one with the same tag."""

    path: str
    """Where to play."""

    count: int
    """How many games wait for the person."""


def in_words(
    turns: tuple[Turn, ...], also: tuple[Turn, ...], now: int, language: Language, zone: str
) -> Notification:
    """What to say about these turns, and others that wait too; two or more become one."""
    everything = (*turns, *also)
    if len(everything) == 1:
        (turn,) = everything
        said = [company(turn, language), left(turn, now, language)]
        body = ". ".join(each for each in said if each)
        title = language("Your turn in {game}", game=title_of(turn))
        return Notification(
            title, f"{body}." if body else "", turn.card.id, f"/t/{turn.card.id}", 1
        )
    number = len(everything)
    title = language.many(number, "{number} game waits for you", "{number} games wait for you")
    body = f"{', '.join(dict.fromkeys(map(title_of, everything)))}."
    clocked = [turn.deadline for turn in everything if turn.deadline is not None]
    if clocked:
        until = moment(min(clocked), zone, language)
        body += " " + language("The first one waits until {time}.", time=until)
    return Notification(title, body, SEVERAL, "/me", number)


def title_of(turn: Turn) -> str:
    """The name of the game."""
    return web_game(turn.card.game).box.title


def company(turn: Turn, language: Language) -> str:
    """Who plays too: `With Clara and Bruno`."""
    names = names_on(turn.card, language)
    others = [name for seat, name in enumerate(names) if seat != turn.seat]
    return language("With {who}", who=language.listed(others)) if others else ""


def left(turn: Turn, now: int, language: Language) -> str:
    """How much time there is; empty without a clock."""
    return "" if turn.deadline is None else time_left(max(0, turn.deadline - now), language)


def moment(at: int, zone: str, language: Language) -> str:
    """A day of the week and a time, by the clocks there: `Tuesday, 00:22`."""
    local = datetime.fromtimestamp(at / 1_000, zone_of(zone))
    return f"{language(WEEKDAYS[local.weekday()])}, {local:%H:%M}"
