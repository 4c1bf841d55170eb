"""What a game says of its end."""

from mauerwerk.core.game import Value


class Ended(Value):
    """Who won and why the game is over, as one viewer reads it."""

    headline: str
    """A sentence, such as `You won with 70 points.`"""

    reason: str
    """Why it is over, in a sentence or two."""

    notes: tuple[str, ...] = ()
    """What each seat achieved, in a few words; empty where the points say it all."""
