"""What a game offers to people who own its printed box."""

from mauerwerk.core.game import Value


class RealTable(Value):
    """A line on the page for real tables."""

    link: str
    action: str
    """The words on the link."""

    line: str
    """What it does, in one line."""

    chances: tuple[str, ...] = ()
    """The kinds of chance that players of this game can bring themselves: `dice`, `all`."""

    keeps: tuple[str, ...] = ()
    """What its page asks for without a network, and an installed app keeps."""
