"""Tables in a list: those that run, those that are open, and finished games."""

import math
from collections.abc import Collection

from mauerwerk.core.game import Value
from mauerwerk.core.language import Language
from mauerwerk.server.games import room, web_game
from mauerwerk.server.tables.table import Card, Status
from mauerwerk.server.ui.dates import SOON, day_of, time_left
from mauerwerk.server.ui.names import company, names_on, turn_of


class TableLine(Value):
    """A table in a list."""

    link: str
    box: room.Box
    about: str
    tag: str
    mine: bool = False
    """Whether it waits for the reader."""
    left: str = ""
    """How much time there is, or when the game was played."""
    due: int = 0
    """When the time is up, in milliseconds since 1970; 0 without a clock."""
    unlimited: bool = False
    """Whether somebody decides and has any time for it."""
    soon: bool = False
    """Whether that is soon."""

    @property
    def urgency(self) -> tuple[bool, float]:
        """What waits for the reader comes first, and what has the least time before the rest."""
        return not self.mine, self.due or math.inf


def line_of(
    card: Card, own: Collection[int], now: int, language: Language, *, others: bool = False
) -> TableLine:
    """A table that is open or running, for a reader with these seats.

    It says how much time they have, and with `others` how much the others have.
    """
    tag, mine = turn_of(card, own, language)
    if card.status is Status.OPEN:
        free = sum(
            not name and not level for name, level in zip(card.names, card.levels, strict=True)
        )
        tag = language.many(free, "{number} free seat", "{number} free seats")
    # While a bot is to move as well, the table acts by itself when the bot does.
    clocked = (mine or others) and not any(card.levels[seat] for seat in card.waiting)
    due = card.due if clocked and card.due is not None else 0
    return TableLine(
        link=f"/t/{card.id}",
        box=web_game(card.game).box,
        about=company(card, own, language),
        tag=tag,
        mine=mine,
        unlimited=card.status is Status.RUNNING and card.due is None,
        left=time_left(max(0, due - now), language) if due else "",
        due=due,
        soon=bool(due) and due - now < SOON,
    )


def finished_line_of(card: Card, own: Collection[int], now: int, language: Language) -> TableLine:
    """A finished game: when, with whom, and the reader's place or the winner."""
    names = names_on(card, language)
    if not card.ranks:
        about = company(card, own, language)
        tag = language("no winner")
    elif own:
        rank = min(card.ranks[seat] for seat in own)
        about = company(card, own, language)
        tag = language("place {place} of {seats}", place=rank, seats=card.seats)
    else:
        winners = [name for name, rank in zip(names, card.ranks, strict=True) if rank == 1]
        about = language("won by {who}", who=language.listed(winners))
        tag = language("over")
    return TableLine(
        link=f"/t/{card.id}/replay",
        box=web_game(card.game).box,
        about=about,
        tag=tag,
        left=day_of(card.changed, now, language),
    )
