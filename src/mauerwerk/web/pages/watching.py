"""Who watches a table: in the header of its page, brought up to date by the stream."""

from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.play.host.audience import Watcher
from mauerwerk.web.pages.visitor import Visitor


class Watched(Value):
    """Who watches, in words."""

    number: int
    who: str
    """Names, and how many guests have none or do not want to be seen."""


NOBODY: Final = Watched(0, "")


async def watched_at(visitor: Visitor) -> Watched:
    """Who watches the table of this page."""
    return in_words(visitor, await visitor.call.host.watchers(visitor.call.table))


def in_words(visitor: Visitor, watchers: tuple[Watcher, ...]) -> Watched:
    """These spectators, in the reader's language; the reader is `you`."""
    language = visitor.language
    own = visitor.guest.id if visitor.guest else ""
    you = [language("you") for each in watchers if own and each.guest == own]
    names = sorted(each.name for each in watchers if each.name and each.guest != own)
    hidden = sum(not each.name and not (own and each.guest == own) for each in watchers)
    guests = [language.many(hidden, "a guest", "{number} guests")] if hidden else []
    return Watched(len(watchers), language.listed([*you, *names, *guests]))


async def watchers_part(visitor: Visitor) -> str:
    """What replaces the list on a page that shows an older one."""
    return visitor.text("table_watching.html", watched=await watched_at(visitor), anew=True)
